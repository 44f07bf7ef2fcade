use std::time::Duration;

use sabot_journal::RecordFault;

use super::*;
use sabot_law::table::answer::{Answer, Details, Finding, Lang, Text};
use sabot_law::table::{Place, Remedy};
use sabot_law::validator::Validator;

const SINCE: &str = "2026-11-24T03:04:05.678Z";
const SENSES: [&str; 4] = ["shoe", "chips", "keypad", "shuffler"];

fn device(role: &str, state: DeviceState) -> DeviceView {
    let since = (state != DeviceState::Online).then(|| SINCE.to_owned());
    DeviceView { role: role.to_owned(), state, since, ..DeviceView::default() }
}

fn all_online() -> Vec<DeviceView> {
    SENSES.iter().chain(&["display", "patlite-pns"]).map(|role| device(role, DeviceState::Online)).collect()
}

fn found(severity: Severity, remedy: Vec<Remedy>) -> Findings {
    let mut findings = Findings::new(Lang::Es);
    findings.take(Answer::Finding(Box::new(Finding {
        n: 1,
        line: 19,
        pass: 1,
        provision: "C7",
        place: Some(Place::Bank),
        severity,
        cards: vec![],
        remedy,
        of: None,
        details: Details::default(),
        text: Text { es: "salió".to_owned(), en: "came".to_owned(), lang: Lang::Es },
    })));
    findings
}

/// A table of `sala-8` that could see everything, after these lines.
fn table(lines: &[&str]) -> Validator {
    let mut validator = Validator::new(crate::table_task::tests::config(Duration::ZERO).header).unwrap();
    for (number, line) in (2..).zip(lines) {
        let event = sabot_law::table::line::event(line.as_bytes()).unwrap();
        validator.step(number, &event, &mut Vec::new());
    }
    validator
}

/// The verdict on a table at which nothing has happened.
fn verdict(findings: &Findings, devices: &[DeviceView], record: Option<RecordFault>) -> Verdict {
    verdict_on(&table(&[]), findings, devices, record)
}

fn verdict_on(
    validator: &Validator,
    findings: &Findings,
    devices: &[DeviceView],
    record: Option<RecordFault>,
) -> Verdict {
    let felt = Felt { pass: 1, ..Felt::default() };
    let record = record.map(|fault| Hindrance { fault, since: SINCE.to_owned() });
    Verdict::of(&Facts { felt: &felt, validator, findings, devices, record: record.as_ref(), refused: false })
}

#[test]
fn a_table_that_sees_and_records_all_and_has_nothing_to_remedy_is_clear() {
    let all = verdict(&Findings::new(Lang::Es), &all_online(), None);
    assert_eq!((all.face, all.lamp(), all.level()), (Face::Clear, Lamp::Green, Level::Calm));
    assert!(all.unseen.is_empty() && !all.stop());
}

#[test]
fn without_any_of_its_senses_no_table_is_clear_and_what_is_not_judged_is_named() {
    let lacks = [
        ("shoe", true, Some("C7")),
        ("chips", false, Some("C7")),
        ("keypad", false, Some("C12")),
        ("shuffler", false, Some("M1")),
    ];
    for (role, stop, article) in lacks {
        for state in [DeviceState::Absent, DeviceState::Connecting, DeviceState::Refused, DeviceState::Faulty] {
            let mut devices = all_online();
            devices.iter_mut().filter(|device| device.role == role).for_each(|one| *one = device(role, state));
            for findings in [Findings::new(Lang::Es), found(Severity::Notice, vec![])] {
                let blind = verdict(&findings, &devices, None);
                assert_eq!((blind.face, blind.level()), (Face::Blind, Level::Blind), "{role} {state:?}");
                assert_ne!(blind.lamp(), Lamp::Green);
                assert_eq!(blind.stop(), stop, "{role}");
                assert!(blind.unseen[0].since.is_some());
                let not_judged = &blind.unseen[0].not_judged;
                assert!(article.is_none_or(|id| not_judged.iter().any(|lost| lost == id)), "{role}: {not_judged:?}");
            }
        }
    }
}

#[test]
fn a_full_sense_is_blind_though_it_is_online() {
    let mut devices = all_online();
    devices[0].full = Some(device_warnings::full(sabot_wire::message::Role::Shoe));
    let blind = verdict(&Findings::new(Lang::Es), &devices, None);
    assert_eq!((blind.face, blind.stop()), (Face::Blind, true));
    assert_eq!(blind.unseen[0].since, None, "since when it is full is not known");
}

#[test]
fn a_record_that_cannot_be_written_stops_the_dealing_before_anything_else() {
    let mut devices = all_online();
    devices[1].state = DeviceState::Absent;
    let blind =
        verdict(&found(Severity::Integrity, vec![Remedy::Rule]), &devices, Some(RecordFault::Disk("disk full".into())));
    assert_eq!((blind.face, blind.stop(), blind.unseen.len()), (Face::Blind, true, 2));
    assert!(blind.unseen[0].what.es.contains("registro") && blind.unseen[0].what.en.contains("disk full"));
}

#[test]
fn findings_are_to_be_acted_on_or_to_be_looked_at_and_a_mute_display_to_be_looked_at() {
    let of = |findings: Findings| verdict(&findings, &all_online(), None);
    for (severity, level) in [(Severity::Irregularity, Level::Irregularity), (Severity::Integrity, Level::Integrity)] {
        let act = of(found(severity, vec![Remedy::Rule]));
        assert_eq!((act.face, act.lamp(), act.level()), (Face::Act, Lamp::Red, level));
    }
    let mut breached = found(Severity::Irregularity, vec![Remedy::Rule]);
    breached.take(Answer::Breach { finding: 1, line: 20, missing: vec![Remedy::Rule] });
    assert_eq!(of(breached).face, Face::Act, "what was left undone is not green");
    let look = of(found(Severity::Notice, vec![]));
    assert_eq!((look.face, look.lamp(), look.level()), (Face::Look, Lamp::Amber, Level::Notice));
    for role in ["display", "patlite-pns"] {
        let mut devices = all_online();
        devices.iter_mut().filter(|device| device.role == role).for_each(|device| device.state = DeviceState::Absent);
        assert_eq!(verdict(&Findings::new(Lang::Es), &devices, None).face, Face::Look, "{role}");
    }
}

#[test]
fn each_face_has_its_sentence_in_both_languages() {
    let mut said = std::collections::BTreeSet::new();
    for face in Face::ALL {
        let sentence = Verdict { face, ..Verdict::default() }.sentence();
        assert!(sentence.es != sentence.en && said.insert(sentence.es), "{face:?}");
    }
    assert_eq!(Verdict::default().face, Face::Blind, "a table of which nothing is known is not seen");
}

#[test]
fn a_face_keeps_the_time_since_which_it_is_so() {
    let of = |face| Verdict { face, ..Verdict::default() };
    let first = of(Face::Clear).following(&Verdict::default(), 1_000);
    assert_eq!(first.since.as_deref(), Some("1970-01-01T00:00:01.000Z"), "another face, and nothing was shown before");
    assert_eq!(of(Face::Clear).following(&first, 9_000), first);
    assert_eq!(of(Face::Act).following(&first, 9_000).since.as_deref(), Some("1970-01-01T00:00:09.000Z"));
}

#[test]
fn an_open_device_is_blind_while_its_cards_are_in_use_and_to_be_looked_at_before() {
    let opened = |role| {
        let mut devices = all_online();
        devices.iter_mut().filter(|device| device.role == role).for_each(|device| device.open = true);
        devices
    };
    let none = Findings::new(Lang::Es);
    let loaded = table(&[r#"{"ev":"shuffle","decks":8,"cards":416}"#, r#"{"ev":"load","cards":416,"cut_card":104}"#]);
    let authorised = table(&[r#"{"ev":"authorize","role":"inspector","by":"I-4","what":"shuffle"}"#]);
    let cases = [
        ("shoe", table(&[]), Face::Look, false),
        ("shoe", loaded, Face::Blind, true),
        ("shuffler", table(&[]), Face::Look, false),
        ("shuffler", authorised, Face::Blind, false),
    ];
    for (role, table, face, stop) in cases {
        let verdict = verdict_on(&table, &none, &opened(role), None);
        assert_eq!((verdict.face, verdict.stop()), (face, stop), "{role}: {verdict:?}");
    }
}

#[test]
fn a_device_that_is_back_and_missed_some_of_the_pass_is_told_until_the_pass_ends() {
    let away = r#"{"ev":"device","device":"chips","status":"offline"}"#;
    let back = r#"{"ev":"device","device":"chips","status":"online"}"#;
    let none = Findings::new(Lang::Es);
    let missed = verdict_on(&table(&[away, back]), &none, &all_online(), None);
    assert_eq!((missed.face, missed.stop(), missed.unseen.len()), (Face::Blind, false, 1));
    assert!(missed.unseen[0].what.en.starts_with("chip reader: has not seen all"), "{missed:?}");
    let whole = back.replace('}', r#","complete":true}"#);
    let faces = [table(&[away, &whole]), table(&[away, back, r#"{"ev":"end"}"#])];
    for table in faces {
        assert_eq!(verdict_on(&table, &none, &all_online(), None).face, Face::Clear);
    }
}

#[test]
fn a_record_that_does_not_grow_says_why_since_when_and_to_stop_in_both_languages() {
    let faults = [
        RecordFault::Disk("full".into()),
        RecordFault::Silent,
        RecordFault::Gone,
        RecordFault::Replaced,
        RecordFault::Shorter { written: 9, found: 4 },
        RecordFault::Longer { written: 4, found: 9 },
        RecordFault::Changed { line: 7 },
        RecordFault::Event("why".into()),
        RecordFault::Ended,
    ];
    for fault in faults {
        let verdict = verdict(&Findings::new(Lang::Es), &all_online(), Some(fault.clone()));
        let [unseen] = &verdict.unseen[..] else { panic!("{verdict:?}") };
        assert_eq!((verdict.face, verdict.stop(), unseen.since.as_deref()), (Face::Blind, true, Some(SINCE)));
        assert!(unseen.what.es != unseen.what.en && unseen.what.en == fault.to_string(), "{unseen:?}");
    }
}
