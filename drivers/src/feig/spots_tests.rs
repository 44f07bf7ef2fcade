use sabot_wire::message::BetSpot;

use super::*;
use crate::saw::Stake;

fn watch() -> Watch {
    let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
    Watch::new(Spot { at, reader: None, antenna: None }, Hysteresis::DEFAULT)
}

/// Rounds of 200 ms; after which of them something is told, and how many chips of it.
fn told(watch: &mut Watch, now: &mut u64, rounds: &[&[u64]]) -> Vec<(usize, Result<usize, Unreadable>)> {
    let mut all = Vec::new();
    for (nth, found) in rounds.iter().enumerate() {
        *now += 200;
        watch.round(*now, found, 150);
        match watch.news(|_| 1) {
            Some(TagsSaw::Stack { chips, .. }) => all.push((nth + 1, Ok(chips.len()))),
            Some(TagsSaw::Unreadable { why, .. }) => all.push((nth + 1, Err(why))),
            None => {}
        }
    }
    all
}

#[test]
fn a_tag_comes_when_it_was_read_twice_of_five_rounds_and_goes_when_it_was_missed_eight_times() {
    let (mut watch, mut now) = (watch(), 0);
    assert_eq!(told(&mut watch, &mut now, &[&[][..]; 5]), [(4, Ok(0))]);
    // read once and no more: a ghost
    assert_eq!(told(&mut watch, &mut now, &[&[7][..], &[], &[], &[], &[], &[]]), []);
    assert_eq!(told(&mut watch, &mut now, &[&[1][..], &[], &[1], &[1], &[1]]), [(5, Ok(1))]);
    // missed seven times, and there again
    let missed: Vec<&[u64]> = [&[&[][..]; 7][..], &[&[1]]].concat();
    assert_eq!(told(&mut watch, &mut now, &missed), []);
    assert_eq!(told(&mut watch, &mut now, &[&[][..]; 8]), [(8, Ok(0))]);
}

#[test]
fn eight_quick_rounds_are_not_enough_for_a_chip_to_be_gone() {
    let (mut watch, mut now) = (watch(), 0);
    told(&mut watch, &mut now, &[&[1][..]; 6]);
    for _ in 0..30 {
        now += 20;
        watch.round(now, &[], 10);
    }
    assert_eq!(watch.news(|_| 1), None, "600 ms under a hand");
    now += 1000;
    watch.round(now, &[], 10);
    assert!(matches!(watch.news(|_| 1), Some(TagsSaw::Stack { chips, .. }) if chips.is_empty()));
}

#[test]
fn a_stack_that_grows_or_is_changed_is_told_when_no_tag_is_in_doubt() {
    let (mut watch, mut now) = (watch(), 0);
    told(&mut watch, &mut now, &[&[][..]; 5]);
    // the third is read late: the two alone are never told
    let rounds: [&[u64]; 8] = [&[1, 2], &[1, 2], &[1, 2, 3], &[1, 2], &[1, 2, 3], &[1, 2, 3], &[1, 2, 3], &[1, 2, 3]];
    assert_eq!(told(&mut watch, &mut now, &rounds), [(7, Ok(3))]);
    // three small ones for a large one: told once, when the small ones are gone
    assert_eq!(told(&mut watch, &mut now, &[&[9][..]; 10]), [(8, Ok(1))]);
}

#[test]
fn what_was_told_counts_no_more_once_the_spot_was_not_read() {
    let (mut watch, mut now) = (watch(), 0);
    assert_eq!(told(&mut watch, &mut now, &[&[1, 2][..]; 5]), [(5, Ok(2))]);
    assert!(matches!(watch.unreadable(Unreadable::Reader), Some(TagsSaw::Unreadable { .. })));
    assert_eq!(watch.unreadable(Unreadable::Reader), None, "once");
    // one was taken away meanwhile: the two are not told again
    assert_eq!(told(&mut watch, &mut now, &[&[1][..]; 5]), [(5, Ok(1))]);
}

#[test]
fn sixty_chips_are_told_and_one_more_is_not_known() {
    let (mut watch, mut now) = (watch(), 0);
    let many: Vec<u64> = (0..61).collect();
    assert_eq!(told(&mut watch, &mut now, &[&many[..60]; 5]), [(5, Ok(60))]);
    assert_eq!(told(&mut watch, &mut now, &[&many[..]; 6]), [(5, Err(Unreadable::TooMany))]);
    assert_eq!(told(&mut watch, &mut now, &[&many[..60]; 9]), [(8, Ok(60))], "the old amount is told anew");
}

#[test]
fn how_well_tags_are_read_is_counted_while_they_lie_there() {
    let (mut watch, mut now) = (watch(), 0);
    let rounds: [&[u64]; 6] = [&[1, 2], &[1, 2], &[1, 2], &[1], &[1, 2], &[1, 2]];
    told(&mut watch, &mut now, &rounds);
    let ReadRate { tags, tries, reads, inventory_ms, .. } = watch.rate();
    assert_eq!((tags, tries, reads, inventory_ms), (2, 8, 7, 150));
}
