use sabot_wire::message::{Authority, Permit};

use super::*;
use sabot_drivers::signal::pole;

#[test]
fn the_buzzer_is_acknowledged_by_an_entry_and_then_by_a_key_and_by_nothing_grave_left() {
    let entry = Observation::Keypad(KeypadSaid::CloseBets);
    let (badge, role, what) = (4, Authority::Inspector, Permit::Shuffle);
    let key = Observation::Keypad(KeypadSaid::Authorize { badge, role, what });
    let mut alarm = Alarm::default();
    let now = |alarm: &mut Alarm| alarm.picture(Level::Integrity, []).attention;

    assert_eq!(now(&mut alarm), Attention::None, "a station that has just started does not ring");
    alarm.raised(Severity::Notice);
    assert_eq!(now(&mut alarm), Attention::None);
    alarm.raised(Severity::Irregularity);
    assert_eq!(now(&mut alarm), Attention::New);
    assert!(!alarm.saw(&Observation::Shoe(sabot_wire::message::ShoeSaw::CutCard)), "the table acknowledges nothing");
    assert_eq!(now(&mut alarm), Attention::New);
    assert!(alarm.saw(&entry) && !alarm.saw(&entry));
    assert_eq!(now(&mut alarm), Attention::Unkeyed);
    assert!(alarm.saw(&key));
    assert_eq!(now(&mut alarm), Attention::None);
    alarm.raised(Severity::Integrity);
    assert_eq!(alarm.picture(Level::Notice, []).attention, Attention::None, "what is remedied does not ring");
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
    let signals = Signals::new(&config, stopped);
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
