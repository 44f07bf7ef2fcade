//! A device keeps the last checkpoint of its host's record, and says which.

use sabot_wire::frame::{Decoder, Got, MAX_FRAME, encode_witness, first_message};
use sabot_wire::host::Report;
use sabot_wire::message::{ToDevice, ToHost};
use sabot_wire::seal::{LENGTHS, SEAL_BYTES};
use sabot_wire::witness::{Checkpoint, Keeps, WITNESS};

use super::common::ends::{ends, key};
use super::common::pair::Pair;

const AGAIN_MS: u64 = 1000;

fn checkpoint(record: u8, lines: u64, root: u8) -> Checkpoint {
    Checkpoint { record: [record; 16], lines, root: [root; 32] }
}

fn keeps(last: Checkpoint) -> Report {
    Report::Keeps(Keeps { last: Some(last), before: None })
}

fn online() -> Pair {
    let mut pair = Pair::new();
    let (reports, _) = pair.talk(0);
    assert!(reports.iter().any(|report| matches!(report, Report::Online { .. })), "{reports:?}");
    pair
}

/// What the shoe answers to a host that shows this, or asks.
fn shown(pair: &mut Pair, what: Option<Checkpoint>) -> Vec<Report> {
    pair.host.witness(what);
    pair.talk(10).0
}

#[test]
fn what_it_is_asked_it_says_and_what_it_is_shown_it_keeps() {
    let mut pair = online();
    assert_eq!(shown(&mut pair, None), [Report::Keeps(Keeps::default())]);
    let (first, later) = (checkpoint(1, 10, 1), checkpoint(1, 300, 2));
    assert_eq!(shown(&mut pair, Some(first)), [], "it keeps what it was shown");
    assert_eq!(shown(&mut pair, Some(later)), []);
    assert_eq!(shown(&mut pair, None), [keeps(later)]);
    for back in [first, checkpoint(1, 300, 3)] {
        assert_eq!(shown(&mut pair, Some(back)), [keeps(later)], "nor does it take {back:?}");
    }
    let other = checkpoint(2, 1, 4);
    assert_eq!(shown(&mut pair, Some(other)), [], "another record is begun");
    pair.restart_shoe(true, 2, 101);
    pair.talk(2000);
    let both = Report::Keeps(Keeps { last: Some(other), before: Some(later) });
    assert_eq!(shown(&mut pair, None), std::slice::from_ref(&both), "a reset leaves both");
    assert_eq!(shown(&mut pair, Some(first)), [both], "the record before is shown cut off");
}

/// Frames of this length and more are of the third length: here a checkpoint alone is so long.
const LONG: usize = SEAL_BYTES + LENGTHS[2];

#[test]
fn it_is_shown_again_until_it_answers_and_given_up_where_it_never_does() {
    let mut pair = online();
    let said_while_lost = |pair: &mut Pair, seconds: std::ops::Range<u64>| {
        let mut said = 0;
        for now in seconds.flat_map(|second| (0..10).map(move |tenth| second * AGAIN_MS + tenth * 100)) {
            assert_eq!(pair.host.tick(now), None);
            for frame in pair.host_sends(now).line.split(|byte| *byte == 0).filter(|frame| !frame.is_empty()) {
                if frame.len() > LONG {
                    said += 1;
                } else {
                    pair.shoe_gets(now, &[&[0], frame, &[0]].concat());
                }
            }
            let up = pair.shoe_sends(now).line;
            let told = pair.host_gets(now, &up);
            assert!(!told.iter().any(|report| matches!(report, Report::Keeps(_))), "{told:?}");
        }
        said
    };
    assert_eq!(said_while_lost(&mut pair, 1..2), 0, "nothing is to be shown");
    pair.host.witness(Some(checkpoint(1, 10, 1)));
    assert_eq!(said_while_lost(&mut pair, 2..12), 5, "a second apart");
    pair.host.witness(Some(checkpoint(1, 11, 1)));
    assert_eq!(said_while_lost(&mut pair, 12..14), 2);
    assert_eq!(pair.talk(14_000).0, []);
    assert_eq!(pair.shoe.ring().keeps().last, Some(checkpoint(1, 11, 1)), "the third time it came");
    assert_eq!(said_while_lost(&mut pair, 15..18), 0, "it has answered");
}

#[test]
fn a_host_without_a_device_in_session_shows_nothing_and_forgets_what_it_was_to_show() {
    let mut pair = Pair::new();
    pair.host.witness(Some(checkpoint(1, 10, 1)));
    pair.talk(0);
    assert!(pair.host.online());
    pair.talk(5000);
    assert_eq!(pair.shoe.ring().keeps().last, None, "whoever it is, is asked first");
}

#[test]
fn the_longest_takes_the_third_length_and_both_the_fourth_and_is_no_message_to_who_does_not_know_it() {
    let longest = checkpoint(255, u64::MAX, 255);
    let mut plain = [0; 100];
    let plain = &*postcard::to_slice(&(WITNESS, Some(longest)), &mut plain).unwrap();
    assert!(plain.len() <= LENGTHS[2], "{}", plain.len());
    let (last, before) = (Some(longest), Some(Checkpoint { record: [254; 16], ..longest }));
    assert!(first_message::<ToDevice>(plain).is_none() && first_message::<ToHost>(plain).is_none());
    let ((mut device, mut host), mut out) = (ends(&key(1), &key(1)), [0; MAX_FRAME]);
    for (said, length) in [(Keeps { last, before: None }, LENGTHS[2]), (Keeps { last, before }, LENGTHS[3])] {
        let frame = encode_witness(&said, &mut host, &mut out).unwrap();
        assert_eq!(frame.len(), SEAL_BYTES + length + 4 + 3);
        let got = Decoder::new().next::<ToDevice>(&mut &*frame, Some(&mut device));
        assert_eq!(got, Some(Got::Witness(said)));
    }
}
