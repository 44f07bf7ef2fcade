use super::*;
use crate::sourced_event::device_event;

const RUNS: Image = Image([0xA7; 32]);

#[test]
fn another_program_than_before_or_than_is_named_is_told_once() {
    let other = Image([0x3C; 32]);
    for (pinned, runs, told) in [
        (None, &[RUNS, RUNS][..], &[][..]),
        (None, &[RUNS, other, other, RUNS], &["it ran a7", "it ran 3c"]),
        (Some(RUNS), &[RUNS, RUNS], &[]),
        (Some(RUNS), &[other, other, RUNS, other], &["the configuration names a7"; 2]),
    ] {
        let mut device = Device { pinned, ..Device::at(Role::Shoe, String::new()) };
        let found: Vec<_> = runs.iter().filter_map(|image| device.runs("SH-1", *image)).collect();
        assert_eq!(found.len(), told.len(), "{found:?}");
        for ((status, detail), told) in found.iter().zip(told) {
            let detail = detail.as_ref().unwrap();
            assert!(*status == "swapped" && detail.starts_with("SH-1, another program: image "), "{detail}");
            assert!(detail.contains(told), "{detail}");
        }
    }
    let mut device = Device { ran: Some((Name::new("SH-2"), other)), ..Device::at(Role::Shoe, String::new()) };
    assert_eq!(device.runs("SH-1", RUNS), None, "another device runs what it runs");
}

#[test]
fn a_start_is_told_to_a_link_only_under_the_ring_that_it_was_of() {
    let config = crate::table_task::tests::config(std::time::Duration::ZERO);
    let shoe = config.devices.iter().find(|device| device.role == Role::Shoe).unwrap();
    let told = HashMap::from([(Name::new("SH-1"), (100, 4))]);
    let mut last = LastSeen::default();
    let mut boots_after = |status: &str, detail: &str| {
        last.recall(&device_event(Role::Shoe, status, Some(Name::new(detail))));
        last.resume(shoe, &told).map(|resume| resume.boots)
    };
    assert_eq!(boots_after("online", "SH-1, firmware 1.2.3, start 57"), Some(Some(57)));
    assert_eq!(boots_after("ring_lost", "after event 4"), Some(None));
    assert_eq!(boots_after("online", "SH-1, firmware 1.2.3, start 1"), Some(Some(1)));
}

#[test]
fn a_count_of_starts_that_went_back_is_told_as_another_devices() {
    let start = (Name::new("SH-1"), 6);
    let (status, detail) = missed_events(Missed::WentBack { from: 7, to: 6 }, Some(&start));
    let why = "SH-1, start 6 after start 7 of the same ring: its memory was put back, or another device has taken \
               its place";
    assert_eq!((status, detail.as_deref()), ("swapped", Some(why)));
}

#[test]
fn a_record_that_is_continued_says_which_start_was_there_and_who_is_away() {
    let mut last = LastSeen::default();
    for (role, status, detail) in [
        (Role::Shoe, "online", "SH-1, firmware 1.2.3, start 4"),
        (Role::Keypad, "online", "KP-1, firmware 1.2.3, start 17 (reset)"),
        (Role::Keypad, "offline", "unplugged"),
        (Role::Shuffler, "online", &format!("SF-1, firmware 1.2.3, start 4 (panic at a.rs:7), image {RUNS}")),
        (Role::Chips, "online", "of an older station"),
    ] {
        last.recall(&device_event(role, status, Some(Name::new(detail))));
    }
    assert_eq!(last.ran.get(&Role::Shuffler), Some(&(Name::new("SF-1"), RUNS)));
    assert_eq!((last.online.get(&Role::Shuffler), last.ran.len()), (Some(&(Name::new("SF-1"), Some(4))), 1));
    assert_eq!(last.online.get(&Role::Shoe), Some(&(Name::new("SH-1"), Some(4))));
    assert_eq!(last.online.get(&Role::Keypad), Some(&(Name::new("KP-1"), Some(17))));
    assert_eq!((last.online.get(&Role::Chips), last.away), (None, HashSet::from([Role::Keypad])));
}

#[test]
fn a_device_that_was_open_is_so_over_a_start_of_the_station_and_until_it_starts_itself() {
    let config = crate::table_task::tests::config(std::time::Duration::ZERO);
    let mut last = LastSeen::default();
    for (status, detail) in [("online", Some("shoe, firmware 1.2.3, start 4")), (DOOR_OPEN, None)] {
        last.recall(&device_event(Role::Shoe, status, detail.map(Name::new)));
    }
    let mut presence = Presence::new(&config.devices);
    presence.recall(&last);
    let is_open = |presence: &Presence| presence.views().iter().any(|view| view.role == "shoe" && view.open);
    assert!(is_open(&presence));
    let comes = |boots| {
        let hello = DeviceHello { boots, ..crate::table_task::tests::hello(Role::Shoe) };
        LinkReport::Online { hello, started: Started::Power, image: None, keeps: true }
    };
    presence.take(Role::Shoe, &comes(4));
    assert!(is_open(&presence), "the same start: it would have told that it was closed");
    presence.take(Role::Shoe, &comes(5));
    assert!(!is_open(&presence), "a device that starts tells of an open lid alone");
    last.recall(&device_event(Role::Shoe, DOOR_CLOSED, None));
    let mut presence = Presence::new(&config.devices);
    presence.recall(&last);
    assert!(!is_open(&presence));
}

#[test]
fn an_event_that_came_so_late_that_no_honest_line_does_that_was_withheld() {
    assert_eq!(late(HELD_BACK_MS).0, "late");
    let (status, detail) = late(HELD_BACK_MS + 1);
    assert_eq!((status, detail.as_deref()), ("withheld", Some("seen 10001 ms before it came")));
}
