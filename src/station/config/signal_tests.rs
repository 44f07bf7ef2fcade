use super::*;
use crate::config::{Config, ConfigError};

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
         colors = { calm = \"off\", irregularity = \"red, blue blinking\", blind = \"white blinking\" }\nbuzzer = \"until_key\"\n\
         [[signal]]\ndriver = \"patlite-lr6\"\n\
         [[signal]]\ndriver = \"escpos\"\nport = \"pole\"\nbrightness = 2\n\
         [[signal]]\ndriver = \"cd5220\"\nport = \"/dev/other\"\nbaud = 19200\ncode_page = 0\n",
    );
    let usual = Look::default();
    let lights =
        ["off", "amber", "red, blue blinking", "red blinking", "white blinking"].map(|text| text.parse().unwrap());
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
