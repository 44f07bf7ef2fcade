use sabot_camera::{At, Seen};

use super::super::seen::encode;
use super::*;
use crate::saw::Saw;

fn card(name: &str) -> Shown {
    Shown::Seen(Seen::Card(name.parse().unwrap(), At { x: 0.25, y: -0.5 }))
}

const NOTHING: Shown = Shown::Seen(Seen::Nothing);

/// What the session tells of these pictures, ten milliseconds apart and cut anywhere.
fn told(session: &mut CameraSession, from: u64, shown: &[Shown]) -> Vec<SessionReport> {
    heard(session, from, shown.iter().map(|shown| Looked::of(*shown)))
}

/// The same, with corners.
fn heard(session: &mut CameraSession, from: u64, looked: impl IntoIterator<Item = Looked>) -> Vec<SessionReport> {
    let mut reports = Vec::new();
    for (now, looked) in (from..).step_by(10).zip(looked) {
        for piece in encode(&looked).chunks(5) {
            let mut input = piece;
            reports.extend(std::iter::from_fn(|| session.receive(now, &mut input)));
            assert!(input.is_empty());
        }
    }
    reports
}

fn open() -> CameraSession {
    let mut session = CameraSession::new(Out::Up);
    session.opened(0);
    let reports = told(&mut session, 0, &[NOTHING; 5]);
    assert!(matches!(&reports[..], [SessionReport::Online { .. }]), "{reports:?}");
    session
}

fn saws(reports: &[SessionReport]) -> Vec<Observation> {
    let saw = |report: &SessionReport| match report {
        SessionReport::Saw { saw: Some(Saw::Link(saw)), .. } => Some(saw.clone()),
        _ => None,
    };
    reports.iter().filter_map(saw).collect()
}

#[test]
fn what_a_picture_showed_comes_to_the_session_as_it_was() {
    let all = [
        card("TH"),
        NOTHING,
        Shown::Seen(Seen::Back),
        Shown::Seen(Seen::CutCard),
        Shown::Seen(Seen::Unread),
        Shown::Trouble(Trouble::Blurred),
        Shown::Trouble(Trouble::Frozen),
        Shown::Damaged,
    ];
    for shown in all {
        let encoded = encode(&Looked { shown, worth: 77, corner: vec![9; 70_000] });
        let (head, corner) = encoded.split_first_chunk().unwrap();
        assert!(decode(*head) == (shown, 77, 70_000) && corner.len() == 70_000);
    }
}

/// A picture of a card whose corner is these bytes, so good.
fn corner(shown: Shown, worth: u8, bytes: &[u8]) -> Looked {
    Looked { shown, worth, corner: bytes.to_vec() }
}

/// The pictures of cards that are told, each with the number of the card that was told.
fn pictures(reports: &[SessionReport]) -> Vec<(u32, Vec<u8>)> {
    let picture = |report: &SessionReport| match report {
        SessionReport::Picture { seq, jpeg, .. } => Some((*seq, jpeg.0.clone())),
        _ => None,
    };
    reports.iter().filter_map(picture).collect()
}

#[test]
fn the_best_picture_of_a_card_is_told_once_it_has_left() {
    let mut session = open();
    let seen = [(100, &b"poor"[..]), (250, b"the best, and longer than a piece"), (240, b"good")];
    let reports = heard(&mut session, 100, seen.map(|(worth, bytes)| corner(card("AS"), worth, bytes)));
    assert_eq!((saws(&reports).len(), pictures(&reports)), (1, Vec::new()), "{reports:?}");
    let reports = told(&mut session, 200, &[NOTHING; 2]);
    assert_eq!(pictures(&reports), [(1, b"the best, and longer than a piece".to_vec())]);
    let unread = Shown::Seen(Seen::Unread);
    let reports = heard(&mut session, 300, [corner(unread, 20, b"dim"), corner(unread, 60, b"less dim")]);
    assert_eq!(pictures(&reports), []);
    let reports = told(&mut session, 400, &[NOTHING; 2]);
    assert_eq!(pictures(&reports), [], "one that was not read may be two");
    assert!(!format!("{reports:?}").contains("100, 105, 109"), "and its bytes are nowhere: {reports:?}");
}

#[test]
fn no_picture_is_told_in_which_another_card_may_be_seen() {
    let mut session = open();
    let stuck = (0..4).map(|_| corner(card("7H"), 200, b"7H")).chain((0..4).map(|_| corner(card("KD"), 200, b"KD")));
    let mut reports = heard(&mut session, 100, stuck);
    reports.extend(told(&mut session, 300, &[NOTHING; 2]));
    assert_eq!((saws(&reports).len(), pictures(&reports)), (3, Vec::new()), "they were told to be together");
    let glimpsed = (0..4).map(|_| corner(card("7H"), 200, b"7H")).chain([corner(card("KD"), 200, b"KD")]);
    let mut reports = heard(&mut session, 400, glimpsed);
    reports.extend(told(&mut session, 600, &[NOTHING; 2]));
    assert_eq!((saws(&reports).len(), pictures(&reports)), (1, Vec::new()), "one picture was taken for another card");
}

#[test]
fn a_card_is_told_once_it_was_read_twice_and_two_together_are_told_with_a_word() {
    let mut session = open();
    let shown = [[card("AS"); 4], [card("KD"); 4]].concat();
    let drawn = |name: &str| Observation::Shoe(ShoeSaw::Drawn(name.parse().unwrap()));
    let jam = Observation::Device(DeviceState::Jam);
    assert_eq!(saws(&told(&mut session, 100, &shown)), [drawn("AS"), jam, drawn("KD")]);
}

#[test]
fn a_camera_that_does_not_see_is_silent_with_a_word_and_comes_back() {
    let mut session = open();
    let reports = told(&mut session, 100, &[card("AS"), Shown::Trouble(Trouble::Dark), Shown::Trouble(Trouble::Dark)]);
    let words: Vec<&String> = reports
        .iter()
        .filter_map(|report| match report {
            SessionReport::Silent(why) => Some(why),
            _ => None,
        })
        .collect();
    assert!(matches!(&words[..], [why] if why.contains("too little light")), "{reports:?}");
    assert!(!session.online());
    assert_eq!(saws(&told(&mut session, 200, &[card("AS"); 3])), [], "nothing is told before it sees again");
    let reports = told(&mut session, 300, &[NOTHING; 5]);
    assert!(matches!(&reports[..], [SessionReport::Online { .. }]), "{reports:?}");
}

#[test]
fn pictures_that_stop_are_told() {
    let mut session = open();
    assert_eq!(session.wake_at(), Some(1040));
    assert_eq!(session.tick(1039), None);
    let said = session.tick(1040);
    assert!(matches!(&said, Some(SessionReport::Silent(why)) if why.contains("no pictures")), "{said:?}");
    assert_eq!(session.wake_at(), None);
}

#[test]
fn debug_shows_no_card() {
    let mut session = open();
    told(&mut session, 100, &[card("QC"); 2]);
    let shown = format!("{session:?}");
    assert!(!shown.contains("QC"), "{shown}");
}
