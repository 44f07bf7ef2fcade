use super::*;

const A: u64 = 0xE004_0100_0000_000A;
const B: u64 = 0xE004_0100_0000_000B;

fn entry(value: u32, state: ChipState, table: Option<&str>) -> Entry {
    Entry { value, state, table: table.map(Name::new) }
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.merge([
        (A, entry(5000, ChipState::Valid, None)),
        (B, entry(5000, ChipState::Cancelled, None)),
        (3, entry(100, ChipState::Valid, Some("BJ-08"))),
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
fn a_table_of_chips_is_read_however_it_is_written() {
    let comma = "uid,value,state,table\nE00401000000000A,5000,,\nE00401000000000B,100,cancelled,BJ-07\n";
    let semicolon = "\u{feff}Value;\"UID\";Table;State\r\n5000;E00401000000000A;;valid\r\n\r\n100;e00401000000000b;\"BJ-07\";Cancelled\r\n";
    let chips = vec![(A, entry(5000, ChipState::Valid, None)), (B, entry(100, ChipState::Cancelled, Some("BJ-07")))];
    assert_eq!(read_csv(comma).unwrap(), chips);
    assert_eq!(read_csv(semicolon).unwrap(), chips);
}

#[test]
fn a_mistake_is_told_with_its_line_and_column() {
    let of = |text: &str| read_csv(text).unwrap_err();
    let at = |text: &str| (of(text).line, of(text).column);
    assert_eq!(at(""), (1, 1));
    assert_eq!(at("uid,worth\n"), (1, 5));
    assert_eq!(at("uid,value,uid\n"), (1, 11));
    assert_eq!(at("uid,state\n"), (1, 1));
    assert_eq!(at("uid,value\nE00401000000000A,5000\nE0,1\n"), (3, 1));
    assert_eq!(at("uid,value\nE00401000000000A,50.00\n"), (2, 18));
    assert_eq!(at("uid,value\nE00401000000000A,0\n"), (2, 18));
    assert_eq!(at("uid,value,state\nE00401000000000A,5,lost\n"), (2, 20));
    assert_eq!(at("uid,value\nE00401000000000A,5,6\n"), (2, 20));
    assert_eq!(at("uid,value\nE00401000000000A\n"), (2, 17));
    assert_eq!(at("uid,value\nE00401000000000A,\"5\n"), (2, 18));
    assert_eq!(at("uid,value\nE00401000000000A,\"5\"6\n"), (2, 18));
    assert_eq!(at("\n\nuid,table,value\nE00401000000000A,\"Mesa\nñ, 1\",5,6\n"), (5, 9));
    let twice = of("uid,value\nE00401000000000A,5\nE00401000000000A,6\n");
    assert_eq!(twice.to_string(), "line 3, column 1: `uid`: the chip stands in line 2 already");
}

#[test]
fn a_registry_is_the_same_after_its_file_and_a_second_import_changes_only_what_differs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("chips.jsonl");
    let mut registry = registry();
    registry.save(&path).unwrap();
    assert_eq!(Registry::load(&path).unwrap(), registry);
    let again = [
        (A, entry(5000, ChipState::Cancelled, None)),
        (B, entry(5000, ChipState::Cancelled, None)),
        (9, entry(1, ChipState::Valid, None)),
    ];
    assert_eq!(registry.merge(again), (1, 1));
    assert_eq!((registry.len(), registry.cancelled(), registry.values()), (4, 2, HashMap::from([(3, 100), (9, 1)])));
    std::fs::write(&path, format!("{HEAD}\n{{\"uid\":\"1\",\"value\":1,\"state\":\"valid\"}}\n")).unwrap();
    assert!(matches!(Registry::load(&path), Err(RegistryError::Line { line: 2, .. })));
    std::fs::write(&path, "uid,value\n").unwrap();
    assert!(matches!(Registry::load(&path), Err(RegistryError::Line { line: 1, .. })));
    assert!(matches!(Registry::load(&dir.path().join("none")), Err(RegistryError::Read { .. })));
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
