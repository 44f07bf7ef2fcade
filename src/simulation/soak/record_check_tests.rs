use super::*;

fn check(lines: &[&str]) -> RecordCheck {
    let check = RecordCheck::default();
    lines.iter().for_each(|line| check.read(line.as_bytes(), Instant::now()));
    check
}

const FIRST: &str = r#"{"ev":"close_bets","origin":["TWIN-KEYPAD",7,1]}"#;
const SECOND: &str = r#"{"ev":"close_bets","origin":["TWIN-KEYPAD",7,2]}"#;
const THIRD: &str = r#"{"ev":"end","origin":["TWIN-KEYPAD",7,3]}"#;

/// Lost, doubled and otherwise wrong, after the keypad saw so much.
fn faults(lines: &[&str], seen: u32) -> (u64, u64, u64) {
    let faults = check(lines).settle(&[0, 0, 0, seen, 0]);
    assert_eq!(faults.words.is_empty(), faults == Faults::default());
    (faults.lost, faults.doubled, faults.wrong)
}

#[test]
fn whatever_is_lost_doubled_or_made_up_is_noticed() {
    assert_eq!(Role::Keypad as usize, 3);
    assert_eq!(faults(&[FIRST, SECOND, THIRD], 3), (0, 0, 0));
    assert_eq!(faults(&[FIRST, THIRD], 3), (1, 0, 0), "one in the middle");
    assert_eq!(faults(&[FIRST, SECOND], 3), (1, 0, 0), "the last one");
    assert_eq!(faults(&[], 3), (3, 0, 0), "all");
    assert_eq!(faults(&[FIRST, SECOND, SECOND, THIRD], 3), (0, 1, 0), "doubled");
    assert_eq!(faults(&[SECOND, FIRST, THIRD], 3), (1, 1, 0), "out of order");
    assert_eq!(faults(&[FIRST, SECOND, THIRD], 2), (0, 0, 1), "one that nobody saw");
    let other = r#"{"ev":"end","origin":["TWIN-KEYPAD",8,3]}"#;
    assert_eq!(faults(&[FIRST, SECOND, other], 3), (1, 0, 1), "of another ring");
    let stranger = r#"{"ev":"end","origin":["SH-1",7,1]}"#;
    assert_eq!(faults(&[FIRST, stranger], 1), (0, 0, 1), "of a stranger");
    assert_eq!(faults(&[FIRST, "nonsense"], 1), (0, 0, 1));
    let lost = r#"{"ev":"device","device":"keypad","status":"ring_lost"}"#;
    assert_eq!(faults(&[FIRST, lost], 1), (0, 0, 1));
}

#[test]
fn what_went_with_a_ring_is_lost_with_a_word_and_nothing_else_may_be() {
    let word = r#"{"ev":"device","device":"keypad","status":"ring_lost"}"#;
    let next = r#"{"ev":"end","origin":["TWIN-KEYPAD",8,1]}"#;
    let settled = |lines: &[&str], ring: RingLost, seen: u32| {
        let check = RecordCheck::of_lost_rings();
        check.read(FIRST.as_bytes(), Instant::now());
        check.lost(Role::Keypad, ring);
        lines.iter().for_each(|line| check.read(line.as_bytes(), Instant::now()));
        let Faults { lost, doubled, wrong, .. } = check.settle(&[0, 0, 0, seen, 0]);
        ((lost, doubled, wrong), check.lost_with_rings())
    };
    let held_two = RingLost { epoch: 7, acknowledged: 1, last: 3 };
    assert_eq!(settled(&[word, next], held_two, 4), ((0, 0, 0), 2));
    assert_eq!(settled(&[word, next], RingLost { acknowledged: 0, ..held_two }, 4), ((0, 0, 0), 2), "not heard of it");
    assert_eq!(settled(&[word], held_two, 3), ((0, 0, 0), 2), "nothing was seen since");
    assert_eq!(settled(&[next], held_two, 4), ((0, 0, 1), 2), "without a word");
    assert_eq!(settled(&[word, next], RingLost { acknowledged: 3, ..held_two }, 4).0, (2, 0, 0), "acknowledged");
    assert_eq!(settled(&[word, next], held_two, 5).0, (1, 0, 0), "one since is missing");
    let later = r#"{"ev":"end","origin":["TWIN-KEYPAD",8,2]}"#;
    assert_eq!(settled(&[word, later], held_two, 5).0, (1, 0, 0), "the first since is missing");
}

#[test]
fn cards_that_went_with_a_ring_are_no_other_cards() {
    let check = RecordCheck::of_lost_rings();
    for card in ["8H", "9C", "KS"] {
        check.drawn(card.parse().unwrap());
        check.is_told(Role::Shoe);
    }
    check.read(br#"{"ev":"draw","card":"8H","origin":["TWIN-SHOE",1,1]}"#, Instant::now());
    check.lost(Role::Shoe, RingLost { epoch: 1, acknowledged: 1, last: 2 });
    check.read(br#"{"ev":"device","device":"shoe","status":"ring_lost"}"#, Instant::now());
    check.read(br#"{"ev":"draw","card":"KS","origin":["TWIN-SHOE",2,1]}"#, Instant::now());
    assert_eq!((check.settle(&[3, 0, 0, 0, 0]), check.lost_with_rings()), (Faults::default(), 1));
}

#[test]
fn what_a_device_says_of_its_ring_was_seen_by_no_sensor() {
    let full = r#"{"ev":"device","device":"keypad","status":"ring_full","origin":["TWIN-KEYPAD",7,2]}"#;
    assert_eq!(faults(&[FIRST, full, THIRD], 2), (0, 0, 0));
}

#[test]
fn a_line_that_pairs_two_devices_tells_both() {
    let paired = r#"{"ev":"draw","card":"8H","origin":["TWIN-SHOE",1,1],"paired":["TWIN-CHIPS",2,1]}"#;
    let check = RecordCheck::default();
    check.drawn("8H".parse().unwrap());
    check.read(paired.as_bytes(), Instant::now());
    assert_eq!(check.settle(&[1, 0, 1, 0, 0]), Faults::default());
}

#[test]
fn another_card_than_the_drawn_one_is_noticed_and_not_told() {
    let draw = r#"{"ev":"draw","card":"8H","origin":["TWIN-SHOE",1,1]}"#;
    let check = RecordCheck::default();
    check.drawn("9C".parse().unwrap());
    check.read(draw.as_bytes(), Instant::now());
    let faults = check.settle(&[1, 0, 0, 0, 0]);
    assert_eq!((faults.lost, faults.doubled, faults.wrong), (0, 0, 1));
    assert!(!faults.words.iter().any(|words| words.contains("8H") || words.contains("9C")), "{faults:?}");
    // and one that is missing
    check.drawn("9C".parse().unwrap());
    assert_eq!(check.settle(&[1, 0, 0, 0, 0]).wrong, 2);
}

#[test]
fn comings_and_goings_are_told_to_those_who_wait() {
    let check = check(&[r#"{"ev":"device","device":"shoe","status":"online","detail":"TWIN-SHOE"}"#]);
    assert_eq!(check.presence(Role::Shoe).back, 1);
    let gone = |presence: &Presence| presence.gone_at.filter(|_| presence.gone > 0);
    assert_eq!(check.wait(Role::Shoe, Duration::from_millis(1), gone), None);
    std::thread::scope(|scope| {
        scope.spawn(|| check.read(br#"{"ev":"device","device":"shoe","status":"offline"}"#, Instant::now()));
        assert!(check.wait(Role::Shoe, Duration::from_secs(20), gone).is_some());
    });
    assert_eq!(check.presence(Role::Chips).gone, 0);
}

#[test]
fn a_record_is_followed_as_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record");
    // half a line is no line yet
    std::fs::write(&path, format!("{FIRST}\n{}", &SECOND[..20])).unwrap();
    let (check, ended) = (RecordCheck::default(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let following = scope.spawn(|| check.follow(&path, &ended));
        while check.lines() < 1 {
            std::thread::yield_now();
        }
        std::fs::write(&path, format!("{FIRST}\n{SECOND}\n{THIRD}\n")).unwrap();
        ended.store(true, Ordering::Relaxed);
        following.join().unwrap().unwrap();
    });
    assert_eq!((check.lines(), check.settle(&[0, 0, 0, 3, 0])), (3, Faults::default()));
}
