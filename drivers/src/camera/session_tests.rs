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
    let mut reports = Vec::new();
    for (now, shown) in (from..).step_by(10).zip(shown) {
        for piece in encode(*shown).chunks(5) {
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
    assert!(all.into_iter().all(|shown| decode(encode(shown)) == shown));
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
