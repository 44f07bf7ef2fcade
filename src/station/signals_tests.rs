use std::path::Path;

use sabot_wire::message::{Authority, Permit};

use super::*;
use crate::config::{Config, ConfigError};
use sabot_law::table::answer::{Finding, Lang, Text};
use sabot_law::table::{Answer, Place, Remedy};

const TABLE: &str = r#"table = "BJ-07"
regulation = "sala-8"
limits = { min = 1000, max = 100000 }
journal = "BJ-07.jsonl"

[[device]]
role = "shoe"
port = "/dev/shoe"
"#;

fn read(signals: &str) -> Result<Config, ConfigError> {
    Config::parse(Path::new("/etc/sabot/station.toml"), &format!("{TABLE}\n{signals}"))
}

fn good(signals: &str) -> Vec<SignalConfig> {
    read(signals).unwrap_or_else(|error| panic!("{error}")).signals
}

/// What is wrong, and what to write instead.
fn mistake(signals: &str) -> (String, String) {
    match read(signals) {
        Err(ConfigError::Mistake(mistake)) => (mistake.what, mistake.instead),
        other => panic!("a mistake was expected, not {other:?}"),
    }
}

#[test]
fn every_driver_is_read_with_its_keys_and_defaults() {
    let signals = good(
        "[[signal]]\ndriver = \"patlite-pns\"\naddress = \"192.168.10.1\"\n\
         colors = { calm = \"off\", irregularity = \"red, blue blinking\" }\nbuzzer = \"until_key\"\n\
         [[signal]]\ndriver = \"patlite-lr6\"\n\
         [[signal]]\ndriver = \"escpos\"\nport = \"pole\"\nbrightness = 2\n\
         [[signal]]\ndriver = \"cd5220\"\nport = \"/dev/other\"\nbaud = 19200\ncode_page = 0\n",
    );
    let usual = Look::default();
    let lights = ["off", "amber", "red, blue blinking", "red blinking"].map(|text| text.parse().unwrap());
    let look = Look { lights, buzzer: Buzzer::UntilKey };
    assert_eq!(signals[0], SignalConfig::Pns { address: "192.168.10.1:10000".parse().unwrap(), look });
    assert_eq!(signals[1], SignalConfig::Lr6 { look: usual });
    let settings = pole::Settings { brightness: 2, ..pole::Settings::usual(Protocol::EscPos) };
    assert_eq!(signals[2], SignalConfig::Pole { port: "/etc/sabot/pole".into(), baud: 9600, settings });
    let settings = pole::Settings { page: CodePage::Ascii, ..pole::Settings::usual(Protocol::Cd5220) };
    assert_eq!(signals[3], SignalConfig::Pole { port: "/dev/other".into(), baud: 19_200, settings });
    assert!(good("").is_empty());
}

#[test]
fn each_mistake_is_named_with_a_way_out() {
    let tower = |rest: &str| mistake(&format!("[[signal]]\ndriver = \"patlite-pns\"\n{rest}"));
    let pole = |rest: &str| mistake(&format!("[[signal]]\ndriver = \"escpos\"\n{rest}"));
    assert!(tower("").0.contains("no address") && tower("").1.contains("10000"));
    assert!(tower("address = \"tower\"").0.contains("`tower` is no network address"));
    assert!(tower("address = \"10.0.0.1\"\ncolors = { notice = \"pink\" }").0.contains("`pink` is no light"));
    assert!(tower("address = \"10.0.0.1\"\nport = \"/dev/x\"").0.contains("has no `port`"));
    assert!(pole("").0.contains("no port"));
    assert!(pole("port = \"x\"\ncode_page = 1252").1.contains("850"));
    assert!(pole("port = \"x\"\nbrightness = 5").0.contains("1 to 4"));
    assert!(pole("port = \"x\"\nbaud = 1").0.contains("speed"));
    assert!(pole("port = \"x\"\ncolors = {}").0.contains("has no `colors`"));
    assert!(pole("port = \"/dev/shoe\"").0.contains("another device or signal is at /dev/shoe"));
    let twice = "[[signal]]\ndriver = \"patlite-lr6\"\n";
    assert!(mistake(&twice.repeat(2)).0.contains("already"));
    assert!(mistake("[[signal]]\ndriver = \"patlite\"").1.contains("patlite-pns"));
    let single = mistake("[signal]\ndriver = \"patlite-lr6\"");
    assert!(single.1.contains("[[signal]]"), "{single:?}");
}

fn finding(severity: Severity) -> Answer {
    Answer::Finding(Finding {
        n: 1,
        line: 19,
        pass: 1,
        provision: "C7",
        place: Some(Place::Bank),
        severity,
        cards: vec![],
        remedy: vec![Remedy::Rule],
        text: Text { es: "la carta salió".to_owned(), en: "the card came".to_owned(), lang: Lang::Es },
    })
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
    findings.take(Answer::Cleared { finding: 1, line: 20 });
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
    let config = good(
        "[[signal]]\ndriver = \"escpos\"\nport = \"/dev/none-a\"\n[[signal]]\ndriver = \"escpos\"\nport = \"/dev/none-b\"\n",
    );
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
