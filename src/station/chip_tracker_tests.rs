use super::*;
use crate::registry::Entry;

const A: u64 = 0xE004_0100_0000_000A;
const B: u64 = 0xE004_0100_0000_000B;

fn entry(value: u32, state: State, table: Option<&str>) -> Entry<Chip> {
    Entry { what: Chip { value }, state, table: table.map(Name::new) }
}

fn registry() -> Registry<Chip> {
    let mut registry = Registry::default();
    registry.merge([
        (A, entry(5000, State::Valid, None)),
        (B, entry(5000, State::Cancelled, None)),
        (3, entry(100, State::Valid, Some("BJ-08"))),
    ]);
    registry
}

fn chip(uid: u64, value: u32) -> wire::Chip {
    wire::Chip { uid, value }
}

const fn main(box_no: u8) -> (HandId, BetSpot) {
    (HandId::first(box_no), BetSpot::Main)
}

fn statuses(words: &[ChipStatus]) -> Vec<&'static str> {
    words.iter().map(|(status, _)| *status).collect()
}

#[test]
fn unknown_cancelled_misvalued_and_strange_chips_are_told_once_a_pass() {
    let mut tracker = ChipTracker::new(registry(), Name::new("BJ-07"));
    let chips = [chip(A, 5000), chip(B, 0), chip(7, 0), chip(3, 100)];
    let words = tracker.found(main(2), &chips, 10);
    assert_eq!(statuses(&words), [CANCELLED, UNKNOWN, OTHER_TABLE]);
    assert_eq!(words[0].1, "2 main E00401000000000B");
    assert!(tracker.found(main(2), &chips, 20).is_empty());
    tracker.recall(&Event::End {});
    assert_eq!(statuses(&tracker.found(main(2), &[chip(A, 5001), chip(7, 0)], 30)), [VALUE, UNKNOWN]);
}

#[test]
fn what_the_record_was_told_is_not_told_again_after_a_restart() {
    let mut tracker = ChipTracker::new(registry(), Name::new("BJ-07"));
    let told = tracker.found(main(2), &[chip(7, 0)], 10);
    let mut next = ChipTracker::new(registry(), Name::new("BJ-07"));
    for (status, detail) in told {
        next.recall(&Event::Device {
            device: Name::new("chips"),
            status: Name::new(status),
            detail: Some(detail),
            complete: false,
        });
    }
    assert!(next.found(main(2), &[chip(7, 0)], 0).is_empty());
}

#[test]
fn a_chip_on_two_spots_is_two_chips_and_one_that_is_carried_across_is_not() {
    let mut tracker = ChipTracker::new(registry(), Name::new("BJ-07"));
    tracker.found(main(1), &[chip(A, 5000)], 0);
    assert_eq!(tracker.deadline(), None);
    tracker.found(main(2), &[chip(A, 5000)], 1000);
    assert_eq!(tracker.deadline(), Some(1000 + DOUBLED_MS));
    assert!(tracker.tick(1000 + DOUBLED_MS - 1).is_empty());
    // the first antenna is asked again: the chip has gone
    tracker.found(main(1), &[], 1200);
    assert_eq!((tracker.deadline(), tracker.tick(9000).len()), (None, 0));
    tracker.found(main(3), &[chip(A, 5000)], 9000);
    let words = tracker.tick(9000 + DOUBLED_MS);
    assert_eq!(words, [(DOUBLED, Name::new("3 main E00401000000000A"))]);
    assert_eq!((tracker.deadline(), tracker.tick(20_000).len()), (None, 0));
}
