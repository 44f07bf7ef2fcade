use super::*;

const GOOD: &str = r#"table = "BJ-07"
regulation = "sala-8"
limits = { min = 1000, max = 100000 }
journal = "BJ-07.jsonl"

[[device]]
role = "shoe"
port = "/dev/shoe"

[[device]]
role = "chips"
port = "/dev/chips"
"#;

/// The documented example.
pub(super) const TEXT: &str = include_str!("../../../docs/station.toml");

/// The documented example with a section that stands there as a comment.
pub(super) fn with_section(name: &str) -> String {
    let from = TEXT.find(&format!("# {name}")).unwrap();
    let (before, rest) = TEXT.split_at(from);
    let (section, after) = rest.split_once("\n\n").unwrap();
    let plain = section.lines().map(|line| line.trim_start_matches("# "));
    format!("{before}{}\n\n{after}", plain.collect::<Vec<_>>().join("\n"))
}

fn own(device: &DeviceConfig) -> &sabot_drivers::LinkConfig {
    let Driver::Own(link) = &device.driver else { panic!("{device:?}") };
    link
}

fn mistake(text: &str) -> Mistake {
    match Config::parse(Path::new("/etc/sabot/station.toml"), text) {
        Err(ConfigError::Mistake(mistake)) => *mistake,
        other => panic!("a mistake was expected, not {other:?}"),
    }
}

/// The mistake after `from` was replaced by `to` in a good file: its line, what is wrong, what to write.
fn after(from: &str, to: &str) -> (usize, String, String) {
    assert!(GOOD.contains(from), "nothing would be replaced");
    let mistake = mistake(&GOOD.replacen(from, to, 1));
    (mistake.line, mistake.what, mistake.instead)
}

#[test]
fn a_tables_name_steers_no_terminal() {
    for name in ["A\\u001b[2J", "A\\nB", "B\\u0001J", "A\\u0085"] {
        let (_, what, instead) = after("table = \"BJ-07\"", &format!("table = \"{name}\""));
        assert!(what.contains("steer a terminal") && instead.contains("`table = "), "{name}: {what}: {instead}");
    }
}

#[test]
fn the_documented_example_is_read_and_its_optional_keys_show_the_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/station.toml");
    let config = Config::load(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(config.header.table, "BJ-07");
    assert_eq!(config.devices.len(), 5);
    assert_eq!(own(&config.devices[0]).serial.as_deref(), Some("SH-0001"));
    assert!(config.journal.ends_with("docs/BJ-07.jsonl"), "{:?}", config.journal);

    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(config.signals.len(), 2);
    let optional = [
        "boxes",
        "observes",
        "lang",
        "listen",
        "place_wait_ms",
        "test_mode",
        "baud",
        "code_page",
        "brightness",
        "buzzer",
        "colors",
    ];
    let is_optional = |line: &&str| optional.iter().any(|key| line.starts_with(&format!("{key} =")));
    let without: String = text.lines().filter(|line| !is_optional(line)).map(|line| format!("{line}\n")).collect();
    // a display's speed is one of them too
    let count = optional.len() + 1;
    assert_eq!(text.lines().count() - without.lines().count(), count, "every optional key is in the example");
    let without = Config::parse(&path, &without).unwrap();
    assert_ne!(without.digest, config.digest, "it is another file");
    let (digest, text) = (config.digest.clone(), config.text.clone());
    assert_eq!(Config { digest, text, ..without }, config);
}

#[test]
fn every_key_has_an_example_that_is_read() {
    for key in ["table", "regulation", "limits", "journal"] {
        let line = GOOD.lines().find(|line| line.starts_with(key)).unwrap();
        let (_, example) = TABLE.iter().find(|(name, _)| *name == key).unwrap();
        Config::parse(Path::new("f"), &GOOD.replacen(line, example, 1))
            .unwrap_or_else(|error| panic!("{key}: {error}"));
    }
    for key in [
        "boxes",
        "observes",
        "lang",
        "listen",
        "place_wait_ms",
        "test_mode",
        "journal_key",
        "gaming_day",
        "time_zone",
        "clocks",
        "journal_keep_days",
        "pictures_keep_days",
        "journal_witnesses",
        "silent",
        "silent_told_to",
        "program",
    ] {
        let (_, example) = TABLE.iter().find(|(name, _)| *name == key).unwrap();
        Config::parse(Path::new("f"), &format!("{example}\n{GOOD}")).unwrap_or_else(|error| panic!("{key}: {error}"));
    }
    for key in ["baud", "serial"] {
        let (_, example) = TABLE.iter().find(|(name, _)| *name == key).unwrap();
        Config::parse(Path::new("f"), &format!("{GOOD}{example}\n")).unwrap_or_else(|error| panic!("{key}: {error}"));
    }
}

#[test]
fn a_mistake_shows_file_line_and_the_line_itself() {
    let shown = mistake(&GOOD.replacen("port = \"/dev/chips\"", "prot = \"/dev/chips\"", 1)).to_string();
    let expected = "/etc/sabot/station.toml:12:1: unknown key `prot`\n\
                    12 | prot = \"/dev/chips\"\n   \
                       | ^^^^\n   \
                       = write `port` (there are: role, port, baud, serial, image, driver, spots, buffered, value_block, poll_ms, hold_ms, multiplexer, presence, protocol, cards, duplicate_ms, no_read, ack, deck, out, exposure_us, gain)";
    assert_eq!(shown, expected);
}

#[test]
fn an_unknown_key_is_answered_with_the_nearest_known_one() {
    let (line, what, instead) = after("journal =", "jurnal =");
    assert_eq!((line, what.as_str()), (4, "unknown key `jurnal`"));
    assert!(instead.starts_with("write `journal` (there are: table, regulation, "), "{instead}");
    let (_, _, instead) = after("min = 1000", "minimum = 1000");
    assert!(instead.contains("min, max"), "{instead}");
    let (line, _, instead) = after("[[device]]", "[[devices]]");
    assert_eq!(line, 6);
    assert!(instead.starts_with("write `device`"), "{instead}");
}

#[test]
fn a_missing_port_is_named_at_its_device() {
    let (line, what, instead) = after("port = \"/dev/chips\"\n", "");
    assert!((10..=11).contains(&line), "{line}");
    assert_eq!(what, "`port` is missing");
    assert_eq!(instead, "add for example `port = \"/dev/sabot-shoe\"` here");
}

#[test]
fn a_missing_table_key_is_named() {
    let (_, what, instead) = after("regulation = \"sala-8\"\n", "");
    assert_eq!(what, "`regulation` is missing");
    assert_eq!(instead, "add for example `regulation = \"sala-8\"` here");
}

#[test]
fn two_devices_with_one_role_are_refused_at_the_second() {
    let (line, what, instead) = after("role = \"chips\"", "role = \"shoe\"");
    assert_eq!((line, what.as_str()), (11, "a second device with the role `shoe`"));
    assert!(instead.ends_with("(shuffler, chips, keypad, display)"), "{instead}");
}

#[test]
fn two_devices_on_one_port_are_refused_at_the_second() {
    let (line, what, _) = after("/dev/chips", "/dev/shoe");
    assert_eq!((line, what.as_str()), (12, "the port of the device with the role `shoe`"));
}

#[test]
fn an_unknown_role_is_answered_with_the_nearest() {
    let (line, what, instead) = after("role = \"shoe\"", "role = \"sho\"");
    assert_eq!((line, what.as_str()), (7, "`sho` is nothing that can stand here"));
    assert_eq!(instead, "write `shoe` (there are: shoe, shuffler, chips, keypad, display)");
}

#[test]
fn an_unknown_regulation_is_refused() {
    let (line, what, instead) = after("sala-8", "sala-88");
    assert_eq!((line, what.as_str()), (2, "no regulation `sala-88`"));
    assert!(instead.starts_with("write `sala-8`"), "{instead}");
}

#[test]
fn limits_the_wrong_way_round_are_written_the_right_way() {
    let (line, what, instead) = after("{ min = 1000, max = 100000 }", "{ min = 100000, max = 1000 }");
    assert_eq!((line, what.as_str()), (3, "no bet lies between a min of 100000 and a max of 1000"));
    assert_eq!(instead, "the wrong way round? write `limits = { min = 1000, max = 100000 }`");
}

#[test]
fn a_value_of_the_wrong_kind_is_answered_with_an_example() {
    let (line, _, instead) = after("table =", "boxes = \"seven\"\ntable =");
    assert_eq!((line, instead.as_str()), (1, "write for example `boxes = 7`"));
    let (line, what, _) = after("table =", "boxes = 9\ntable =");
    assert_eq!((line, what.as_str()), (1, "a table has 1 to 7 boxes"));
}

#[test]
fn other_values_that_cannot_be_are_named() {
    for (from, to, word) in [
        ("table =", "listen = \"8080\"\ntable =", "no address"),
        ("table =", "place_wait_ms = 60000\ntable =", "at most 10000"),
        ("table =", "lang = \"fr\"\ntable =", "`fr`"),
        ("table =", "observes = [\"colour\"]\ntable =", "`colour`"),
        ("\"BJ-07\"", "\" \"", "no name"),
        ("/dev/shoe", "", "no name"),
        ("port = \"/dev/shoe\"", "port = \"/dev/shoe\"\nbaud = 7", "speed"),
        ("port = \"/dev/shoe\"", "port = \"/dev/shoe\"\nserial = \"12345678901234567\"", "16 characters"),
    ] {
        let (_, what, instead) = after(from, to);
        assert!(what.contains(word), "{to}: {what}");
        assert!(!instead.is_empty());
    }
}

#[test]
fn a_table_without_devices_is_told_how_to_add_one() {
    let (line, what, instead) = {
        let mistake = mistake(GOOD.split("\n[[device]]").next().unwrap());
        (mistake.line, mistake.what, mistake.instead)
    };
    assert_eq!((line, what.as_str()), (1, "the table has no device"));
    assert!(instead.contains("[[device]]"));
}

#[test]
fn broken_toml_names_its_line_and_never_panics() {
    let (line, _, _) = after("journal = \"BJ-07.jsonl\"", "journal = \"BJ-07.jsonl");
    assert_eq!(line, 4);
    for end in 0..GOOD.len() {
        let _ = Config::parse(Path::new("f"), &GOOD[..end]);
        let _ = Config::parse(Path::new("f"), &format!("{}ñ\u{0}", &GOOD[..end]));
    }
}

#[test]
fn a_file_that_is_not_there_names_itself_and_a_way_out() {
    let error = Config::load(Path::new("/nowhere/station.toml")).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/station.toml: ") && error.contains("docs/station.toml"), "{error}");
}

#[test]
fn wrong_types_are_told_in_words_and_settings_have_their_own_way_out() {
    let (_, what, instead) = after("limits = { min = 1000, max = 100000 }", "limits = 5");
    assert_eq!(what, "integer `5` where a pair of min and max belongs");
    assert!(instead.contains("limits = { min"), "{instead}");
    let (_, what, _) = after("min = 1000", "min = -1");
    assert!(what.contains("integer `-1` where a whole number, not negative"), "{what}");
    let (_, _, instead) = after("\n[[device]]", "\n[settings]\ncut_deeper_than = \"x\"\n[[device]]");
    assert!(instead.contains("sabot regulation settings"), "{instead}");
    let (_, _, instead) = after("regulation =", "regulation :");
    assert!(instead.contains("regulation = \"sala-8\""), "{instead}");
}

#[test]
fn a_device_in_single_brackets_is_told_to_take_two() {
    let (line, what, instead) = after("[[device]]\nrole = \"chips\"", "[device]\nrole = \"chips\"");
    assert_eq!((line, what.as_str()), (10, "`device` stands here twice"));
    assert!(instead.contains("`[[device]]`"), "{instead}");
    let only = "[[device]]\nrole = \"shoe\"\nport = \"/dev/shoe\"\n\n[[device]]";
    let (line, _, instead) = after(only, "[device]");
    assert_eq!(line, 6);
    assert!(instead.contains("`[[device]]`"), "{instead}");
}

#[test]
fn a_record_that_cannot_be_made_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("station.toml");
    let told = |journal: &str| {
        std::fs::write(&path, GOOD.replacen("BJ-07.jsonl", journal, 1)).unwrap();
        match Config::load(&path) {
            Err(ConfigError::Mistake(mistake)) => (mistake.line, format!("{}\n{}", mistake.what, mistake.instead)),
            other => panic!("a mistake was expected, not {other:?}"),
        }
    };
    let (line, words) = told("night/BJ-07.jsonl");
    assert_eq!(line, 4);
    assert!(words.contains("there is no folder") && words.contains("mkdir -p") && words.contains("night"), "{words}");
    let (line, words) = told(".");
    assert_eq!(line, 4);
    assert!(words.contains("the journal is a folder"), "{words}");
}

#[test]
fn a_file_that_is_no_text_is_told_with_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("station.toml");
    std::fs::write(&path, b"table = \"BJ-07\"\nregulation = \"\xff\"\n").unwrap();
    for error in [Config::load(&path).unwrap_err(), settings(&path).unwrap_err()] {
        let error = error.to_string();
        assert!(error.contains("station.toml:2:15: this is no UTF-8 text"), "{error}");
    }
    let error = settings(&folder.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("sabot regulation settings > FILE"), "{error}");
}

#[test]
fn a_port_is_a_path_beside_the_file_or_a_usb_serial_number() {
    let port = |text: &str| {
        let config = Config::parse(Path::new("/etc/sabot/station.toml"), &GOOD.replacen("/dev/shoe", text, 1)).unwrap();
        config.devices[0].place()
    };
    assert_eq!(port("shoe"), "/etc/sabot/shoe");
    assert_eq!(port("usb:SH-0001"), "usb:SH-0001");
    assert_eq!(port("usb:F4:12:FA#1"), "usb:F4:12:FA#1");
    let (line, what, instead) = after("\"/dev/shoe\"", "\"usb:\"");
    assert_eq!(line, 8);
    assert!(what.contains("without a serial number") && instead.contains("usb:A10KZ4QP"), "{what} {instead}");
    let (_, what, _) = after("\"/dev/shoe\"", "\"usb:A#first\"");
    assert!(what.contains("`first` is no number of a USB interface"), "{what}");
    let twice = GOOD.replacen("/dev/shoe", "usb:A", 1).replacen("/dev/chips", "usb:A", 1);
    assert_eq!(mistake(&twice).what, "the port of the device with the role `shoe`");
    let pole = format!("{GOOD}\n[[signal]]\ndriver = \"escpos\"\nport = \"usb:POLE\"\n");
    let config = Config::parse(Path::new("/etc/sabot/station.toml"), &pole).unwrap();
    assert_eq!(config.signals[0].place(), "usb:POLE");
    let feig = "driver = \"feig\"\nvalue_block = 4\nspots = [{ box = 1 }]\nport = \"usb:FEIG-A\"";
    let feig = GOOD.replacen("port = \"/dev/chips\"", feig, 1);
    let config = Config::parse(Path::new("/etc/sabot/station.toml"), &feig).unwrap();
    assert_eq!(config.devices[1].serial_line(), Some((Path::new("usb:FEIG-A"), sabot_drivers::feig::DEFAULT_BAUD)));
}
