use sabot_wire::message::{BetSpot, Place};

use super::*;

/// An antenna there; tags from 1000 on are in cards.
fn watching(at: Pad) -> Watch {
    Watch::new(Spot { at, reader: None, antenna: None }, Hysteresis::DEFAULT, (1000..1100).collect())
}

fn watch() -> Watch {
    let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
    watching(at.into())
}

/// Rounds of 200 ms; after which of them something is told, and how many chips of it.
fn told(watch: &mut Watch, now: &mut u64, rounds: &[&[u64]]) -> Vec<(usize, Result<usize, Unreadable>)> {
    let mut all = Vec::new();
    for (nth, found) in rounds.iter().enumerate() {
        *now += 200;
        watch.round(*now, found, 150);
        match watch.news(*now, |_| 1) {
            Some(TagsSaw::Stack { chips, .. }) => all.push((nth + 1, Ok(chips.len()))),
            Some(TagsSaw::Unreadable { why, .. }) => all.push((nth + 1, Err(why))),
            Some(TagsSaw::InDoubt { .. }) => {}
            Some(TagsSaw::Card { .. } | TagsSaw::Passed { .. } | TagsSaw::Readable { .. }) => {
                panic!("no card lies there")
            }
            None => {}
        }
    }
    all
}

#[test]
fn a_tag_that_passes_the_shoe_is_told_when_it_was_read_once_and_not_when_it_is_gone() {
    let spot = Spot { at: Pad::Cards(Place::Shoe), reader: None, antenna: None };
    let mut watch = Watch::new(spot, Hysteresis::PASSING, CardTags::default());
    watch.round(20, &[7], 15);
    assert_eq!((watch.card_news(), watch.card_news()), (Some(TagsSaw::Passed { tag: 7 }), None));
    // missed once and read again it is the same card
    for (now, found) in [(40, &[][..]), (60, &[7])] {
        watch.round(now, found, 15);
        assert_eq!(watch.card_news(), None);
    }
    for now in (80..2000).step_by(20) {
        watch.round(now, &[], 15);
        assert_eq!(watch.card_news(), None, "that it has gone is not told");
    }
    watch.round(2000, &[7], 15);
    assert_eq!(watch.card_news(), Some(TagsSaw::Passed { tag: 7 }));
}

#[test]
fn a_tag_goes_when_it_was_missed_eight_times() {
    let (mut watch, mut now) = (watch(), 0);
    told(&mut watch, &mut now, &[&[1][..]; 6]);
    assert_eq!(told(&mut watch, &mut now, &[&[][..]; 8]), [(8, Ok(0))]);
}

#[test]
fn a_tag_comes_when_it_was_read_twice_of_five_rounds_and_stays_when_it_was_missed_seven_times() {
    let (mut watch, mut now) = (watch(), 0);
    assert_eq!(told(&mut watch, &mut now, &[&[][..]; 5]), [(4, Ok(0))]);
    // read once and no more: a ghost
    assert_eq!(told(&mut watch, &mut now, &[&[7][..], &[], &[], &[], &[], &[]]), []);
    assert_eq!(told(&mut watch, &mut now, &[&[1][..], &[], &[1], &[1], &[1], &[1]]), [(6, Ok(1))]);
    // missed seven times, and there again
    let missed: Vec<&[u64]> = [&[&[][..]; 7][..], &[&[1]]].concat();
    assert_eq!(told(&mut watch, &mut now, &missed), []);
}

#[test]
fn where_one_tag_in_ten_is_missed_a_chip_is_gone_after_more_than_ten_rounds() {
    let (mut watch, mut now) = (watch(), 0);
    // each of ten is missed in every tenth round, and the first in all from that one on
    let round = |nth: u64, from: u64| {
        let is_read = |tag: &u64| !(tag + nth).is_multiple_of(10) && (*tag > 0 || nth < from);
        (0..10).filter(is_read).collect::<Vec<u64>>()
    };
    let rounds = |nths: std::ops::Range<u64>, from: u64| nths.map(|nth| round(nth, from)).collect::<Vec<_>>();
    let mut tell = |rounds: Vec<Vec<u64>>| {
        let rounds: Vec<&[u64]> = rounds.iter().map(Vec::as_slice).collect();
        told(&mut watch, &mut now, &rounds)
    };
    assert_eq!(tell(rounds(0..70, 70)).last().map(|(_, told)| *told), Some(Ok(10)));
    // it is read again after ten rounds: two seconds, in which it came into doubt
    assert_eq!(tell([rounds(71..81, 71), rounds(81..90, 90)].concat()), [(11, Ok(10))]);
    let gone = tell(rounds(91..110, 91));
    assert!(matches!(gone[..], [(11..=13, Ok(9))]), "{gone:?}");
}

#[test]
fn eight_quick_rounds_are_not_enough_for_a_chip_to_be_gone() {
    let (mut watch, mut now) = (watch(), 0);
    told(&mut watch, &mut now, &[&[1][..]; 6]);
    for _ in 0..30 {
        now += 20;
        watch.round(now, &[], 10);
    }
    assert_eq!(watch.news(now, |_| 1), None, "600 ms under a hand");
    now += 1000;
    watch.round(now, &[], 10);
    assert!(matches!(watch.news(now, |_| 1), Some(TagsSaw::Stack { chips, .. }) if chips.is_empty()));
}

#[test]
fn a_stack_that_grows_or_is_changed_is_told_when_no_tag_is_in_doubt() {
    let (mut watch, mut now) = (watch(), 0);
    told(&mut watch, &mut now, &[&[][..]; 5]);
    // the third is read late: the two alone are never told
    let rounds: [&[u64]; 8] = [&[1, 2], &[1, 2], &[1, 2, 3], &[1, 2], &[1, 2, 3], &[1, 2, 3], &[1, 2, 3], &[1, 2, 3]];
    assert_eq!(told(&mut watch, &mut now, &rounds), [(8, Ok(3))]);
    // three small ones for a large one: told once, when the small ones are gone
    assert_eq!(told(&mut watch, &mut now, &[&[9][..]; 10]), [(8, Ok(1))]);
}

#[test]
fn where_many_are_missed_a_stack_waits_longer_for_what_was_never_read() {
    let (mut watch, mut now) = (watch(), 0);
    told(&mut watch, &mut now, &[&[][..]; 5]);
    // a hand lies there: the fourth is read for the first time when it is gone
    let rounds: [&[u64]; 7] = [&[1, 2], &[3], &[1], &[2], &[3, 1], &[1, 2, 3], &[1, 2, 3, 4]];
    assert_eq!(told(&mut watch, &mut now, &rounds), []);
    assert_eq!(told(&mut watch, &mut now, &[&[1, 2, 3, 4][..]; 5]), [(5, Ok(4))]);
}

#[test]
fn how_long_ago_a_stack_began_to_change_is_told_with_it() {
    let (mut watch, mut now) = (watch(), 0);
    told(&mut watch, &mut now, &[&[][..]; 5]);
    let laid = now + 200;
    assert_eq!(told(&mut watch, &mut now, &[&[1][..], &[1, 2], &[1, 2], &[1, 2], &[1, 2], &[1, 2]]), [(6, Ok(2))]);
    assert_eq!(watch.age_ms(now), now - laid);
    let last_read = now;
    assert_eq!(told(&mut watch, &mut now, &[&[2][..]; 8]), [(8, Ok(1))]);
    assert_eq!(watch.age_ms(now), now - last_read, "one was taken away");
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

/// The same rounds; after which of them a card came (its tag) or went (with a minus).
fn cards(watch: &mut Watch, now: &mut u64, rounds: &[&[u64]]) -> Vec<(usize, i64)> {
    let mut all = Vec::new();
    for (nth, found) in rounds.iter().enumerate() {
        *now += 200;
        watch.round(*now, found, 150);
        while let Some(TagsSaw::Card { at, tag, lies }) = watch.card_news() {
            assert_eq!(at, watch.spot.at.place());
            all.push((nth + 1, if lies { tag as i64 } else { -(tag as i64) }));
        }
    }
    all
}

#[test]
fn a_card_beside_chips_is_told_once_it_was_read_twice_and_chips_do_not_wait_for_it() {
    let (mut watch, mut now) = (watch(), 0);
    assert_eq!(cards(&mut watch, &mut now, &[&[1][..], &[1], &[1], &[1, 1000], &[1, 1000], &[1]]), [(5, 1000)]);
    let Some(TagsSaw::Stack { chips, .. }) = watch.news(now, |_| 1) else { panic!("the chip is in no doubt") };
    assert_eq!(chips.iter().map(|chip| chip.uid).collect::<Vec<_>>(), [1], "a card is no chip");
    // the card is missed and the chip stands; it is gone after eight rounds
    assert_eq!(cards(&mut watch, &mut now, &[&[1][..]; 9]), [(7, -1000)]);
    assert_eq!(watch.news(now, |_| 1), None);
}

#[test]
fn every_tag_over_a_place_for_cards_is_in_a_card() {
    let (mut watch, mut now) = (watching(Pad::Cards(Place::Bank)), 0);
    let both: &[u64] = &[7, 1000];
    assert_eq!(cards(&mut watch, &mut now, &[both; 3]), [(2, 7), (2, 1000)]);
    assert_eq!(watch.news(now, |_| 1), None, "no chips lie there");
    assert!(watch.unreadable(Unreadable::Reader).is_some());
    // nobody looked: what lay there is told to be gone only once it was looked for
    assert_eq!(cards(&mut watch, &mut now, &[&[7][..]; 9]), [(8, -1000)]);
    assert_eq!(watch.news(now, |_| 1), Some(TagsSaw::Readable { at: Place::Bank }));
    assert_eq!(watch.news(now, |_| 1), None, "once");
}

#[test]
fn a_stack_of_which_a_reader_is_not_sure_for_two_seconds_is_told_to_be_in_doubt_once_and_then_told() {
    let (mut watch, mut now) = (watch(), 0);
    let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
    assert_eq!(told(&mut watch, &mut now, &[&[1, 2][..]; 8]), [(5, Ok(2))]);
    // a third chip has come, and others are read now and then as a hand carries them past
    let mut said = Vec::new();
    for round in 0..40_u64 {
        now += 200;
        watch.round(now, &[1, 2, 3, 100 + round / 3], 150);
        let age_ms = watch.doubt_age_ms(now);
        said.extend(watch.news(now, |_| 1).map(|saw| (round, saw, age_ms)));
    }
    assert_eq!(said.len(), 1, "{said:?}");
    // the third was read first in the first of these rounds
    assert!(matches!(said[..], [(11, TagsSaw::InDoubt { at: spot }, 2200)] if spot == at), "{said:?}");
    // it was taken away again: the stack that was told lies there, and is told
    let rounds = [&[1, 2][..]; 20];
    assert_eq!(told(&mut watch, &mut now, &rounds).iter().map(|(_, told)| *told).collect::<Vec<_>>(), [Ok(2)]);
    assert_eq!(told(&mut watch, &mut now, &rounds), []);
}

#[test]
fn chips_that_went_from_a_spot_that_is_read_badly_are_in_doubt_until_they_are_told_to_be_gone() {
    let (mut watch, mut now) = (watch(), 0);
    assert_eq!(told(&mut watch, &mut now, &[&[1, 2][..]; 8]), [(5, Ok(2))]);
    // every third round reads nothing: so often must chips be missed to be gone
    let badly: [&[u64]; 3] = [&[1, 2], &[1, 2], &[]];
    assert_eq!(told(&mut watch, &mut now, &badly.repeat(20)), []);
    assert_eq!(told(&mut watch, &mut now, &[&[1, 2][..]]), []);
    let mut said = Vec::new();
    for round in 1..=32_u64 {
        now += 200;
        watch.round(now, &[], 150);
        said.extend(watch.news(now, |_| 1).map(|saw| (round, saw, watch.doubt_age_ms(now))));
    }
    let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
    let [(11, TagsSaw::InDoubt { at: spot }, 2200), (gone, TagsSaw::Stack { chips, .. }, _)] = &said[..] else {
        panic!("{said:?}")
    };
    assert!(*spot == at && chips.is_empty() && *gone > 10, "{said:?}");
}
