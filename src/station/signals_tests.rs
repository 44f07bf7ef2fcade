use sabot_wire::message::{Authority, Permit};

use super::*;
use sabot_drivers::signal::pole;
use sabot_law::table::answer::{Finding, Lang, Text};
use sabot_law::table::{Answer, Place, Remedy};

fn finding(severity: Severity) -> Answer {
    Answer::Finding(Box::new(Finding {
        n: 1,
        line: 19,
        pass: 1,
        provision: "C7",
        place: Some(Place::Bank),
        severity,
        cards: vec![],
        remedy: vec![Remedy::Rule],
        of: None,
        details: sabot_law::table::answer::Details::default(),
        text: Text { es: "la carta salió".to_owned(), en: "the card came".to_owned(), lang: Lang::Es },
    }))
}

#[test]
fn the_buzzer_is_acknowledged_by_an_entry_and_then_by_a_key_and_by_nothing_grave_left() {
    let felt = Felt { pass: 1, ..Felt::default() };
    let entry = Observation::Keypad(KeypadSaid::CloseBets);
    let (badge, role, what) = (4, Authority::Inspector, Permit::Shuffle);
    let key = Observation::Keypad(KeypadSaid::Authorize { badge, role, what });
    let mut findings = Findings::new(Lang::Es);
    findings.take(finding(Severity::Irregularity));
    let mut alarm = Alarm::default();
    let now = |alarm: &mut Alarm, findings: &Findings| alarm.picture(&felt, findings, false, []).attention;

    assert_eq!(now(&mut alarm, &findings), Attention::None, "a station that has just started does not ring");
    alarm.raised(Severity::Notice);
    assert_eq!(now(&mut alarm, &findings), Attention::None);
    alarm.raised(Severity::Irregularity);
    assert_eq!(now(&mut alarm, &findings), Attention::New);
    assert!(!alarm.saw(&Observation::Shoe(sabot_wire::message::ShoeSaw::CutCard)), "the table acknowledges nothing");
    assert_eq!(now(&mut alarm, &findings), Attention::New);
    assert!(alarm.saw(&entry) && !alarm.saw(&entry));
    assert_eq!(now(&mut alarm, &findings), Attention::Unkeyed);
    assert!(alarm.saw(&key));
    assert_eq!(now(&mut alarm, &findings), Attention::None);
    alarm.raised(Severity::Integrity);
    findings.take(Answer::Cleared { finding: 1, line: 20, unseen: Vec::new() });
    assert_eq!(now(&mut alarm, &findings), Attention::None, "what is remedied does not ring");
}

#[test]
fn the_gravest_finding_gives_the_level_and_a_record_that_cannot_be_written_a_notice() {
    let felt = Felt { pass: 1, ..Felt::default() };
    let mut findings = Findings::new(Lang::Es);
    assert_eq!(level(&felt, &findings, false), Level::Calm);
    assert_eq!(level(&felt, &findings, true), Level::Notice);
    for (severity, wanted) in [
        (Severity::Notice, Level::Notice),
        (Severity::Irregularity, Level::Irregularity),
        (Severity::Integrity, Level::Integrity),
        (Severity::Notice, Level::Integrity),
    ] {
        findings.take(finding(severity));
        assert_eq!(level(&felt, &findings, false), wanted);
    }
}

#[tokio::test]
async fn signals_of_one_kind_are_told_apart_and_seen_by_the_pit() {
    let pole = |port: &str| SignalConfig::Pole {
        port: port.into(),
        baud: pole::BAUD,
        settings: pole::Settings::usual(pole::Protocol::EscPos),
    };
    let config = [pole("/dev/none-a"), pole("/dev/none-b")];
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let spawned = config.into_iter().map(|config| {
        let signal = sabot_drivers::signal::spawn(&config, stopped.clone());
        (config, signal)
    });
    let signals = Signals::new(spawned.collect());
    let view = |at: usize| signals.views()[at].clone();
    for _ in 0..500 {
        if view(1).detail.contains("/dev/none-b") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!((view(0).role.as_str(), view(1).role.as_str()), ("escpos", "escpos 2"));
    assert_eq!(view(1).state, DeviceState::Absent);
    assert!(view(1).detail.contains("no such port: /dev/none-b"), "{}", view(1).detail);
}
