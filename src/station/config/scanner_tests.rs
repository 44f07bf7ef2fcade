use std::path::Path;

use super::*;
use crate::config::{Config, Driver, Mistake};

const GOOD: &str = r#"table = "BJ-07"
regulation = "sala-8"
limits = { min = 500, max = 50000 }
journal = "BJ-07.jsonl"
[[device]]
role = "shoe"
port = "/dev/scanner"
driver = "scanner"
protocol = "lines"
cards = "cards.toml"
"#;

/// Deck by deck, a symbol for each card.
fn cards(decks: usize, unique: bool) -> String {
    let all = (0..52).map(|n| Card::from_index(n).unwrap());
    let line = |card: Card, deck| format!("\"{card}-{deck}\" = \"{card}\"\n");
    let lines: String = all.flat_map(|card| (0..decks).map(move |deck| line(card, deck))).collect();
    format!("unique = {unique}\ncut = \"CUT\"\n[load]\n\"L\" = {{ cards = 416, cut_card = 80 }}\n[cards]\n{lines}")
}

/// The scanner, or the file, line and words of the mistake.
fn parse(config: &str, cards: &str) -> Result<ScannerConfig, (String, usize, String)> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cards.toml"), cards).unwrap();
    match Config::parse(&folder.path().join("station.toml"), config) {
        Ok(Config { devices, .. }) => match devices.into_iter().next().unwrap().driver {
            Driver::Scanner(scanner) => Ok(scanner),
            other => panic!("{other:?}"),
        },
        Err(ConfigError::Mistake(mistake)) => {
            let Mistake { path, line, what, instead, .. } = *mistake;
            assert!(!instead.is_empty());
            Err((path.file_name().unwrap().to_str().unwrap().to_owned(), line, what))
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_scanner_is_configured_and_what_is_left_out_follows_from_the_protocol() {
    let scanner = parse(GOOD, &cards(1, false)).unwrap();
    assert_eq!((scanner.port.as_path(), scanner.baud), (Path::new("/dev/scanner"), 9600));
    let setup = &scanner.setup;
    assert_eq!((setup.protocol, setup.duplicate_ms), (Protocol::Lines { ack: false }, 400));
    assert_eq!((setup.no_read.as_deref(), setup.last), (Some("NOREAD"), None));
    assert_eq!(setup.symbols.meaning(b"TH-0"), Some(ShoeSaw::Drawn(Card::from_code(22))));
    assert_eq!(setup.symbols.meaning(b"CUT"), Some(ShoeSaw::CutCard));
    assert_eq!(setup.symbols.meaning(b"L"), Some(ShoeSaw::Loaded { cards: 416, cut_card: 80 }));
    let ssi = GOOD.replace("\"lines\"", "\"ssi\"") + "serial = \"SSI-X\"\nbaud = 38400\nno_read = \"\"\n";
    let scanner = parse(&ssi, &cards(8, true)).unwrap();
    let setup = &scanner.setup;
    assert_eq!((setup.protocol, setup.duplicate_ms, scanner.baud), (Protocol::Ssi, 5000, 38_400));
    assert_eq!((setup.serial.as_deref(), setup.no_read.as_deref()), (Some("SSI-X"), None));
    let ack = parse(&(GOOD.to_owned() + "ack = true\nduplicate_ms = 0\n"), &cards(1, false)).unwrap().setup;
    assert_eq!((ack.protocol, ack.duplicate_ms), (Protocol::Lines { ack: true }, 0));
}

#[test]
fn mistakes_of_the_device_are_told_where_they_stand() {
    let is = |config: &str, line: usize, words: &str| {
        let (file, at, what) = parse(config, &cards(1, false)).unwrap_err();
        assert!(file == "station.toml" && at == line && what.contains(words), "{file}:{at}: {what}");
    };
    is(&GOOD.replace("role = \"shoe\"", "role = \"chips\""), 8, "`scanner` reads cards, and this is the chips");
    is(&GOOD.replace("driver = \"scanner\"\n", ""), 8, "`protocol` is for a device with driver = \"scanner\"");
    is(&GOOD.replace("protocol = \"lines\"\n", ""), 6, "what the scanner speaks");
    is(&GOOD.replace("cards = \"cards.toml\"\n", ""), 6, "what the symbols on the cards mean");
    is(&GOOD.replace("\"lines\"", "\"line\""), 9, "`line` is nothing that can stand here");
    is(&(GOOD.replace("\"lines\"", "\"ssi\"") + "ack = true\n"), 11, "`ack` is for lines");
    is(&(GOOD.to_owned() + "serial = \"X\"\n"), 6, "cannot say which one it is");
    is(&(GOOD.to_owned() + "duplicate_ms = 60001\n"), 11, "0 to 60000");
    is(&(GOOD.to_owned() + "no_read = \"CUT\"\n"), 11, "is a symbol of the cards' table");
    is(&(GOOD.to_owned() + "poll_ms = 100\n"), 11, "`poll_ms` is for a device with driver = \"feig\"");
    is(&GOOD.replace("/dev/scanner", "tcp:10.0.0.1"), 6, "on a serial port");
}

#[test]
fn mistakes_of_the_table_are_told_with_its_file_and_line() {
    let is = |cards: &str, line: usize, words: &str| {
        let (file, at, what) = parse(GOOD, cards).unwrap_err();
        assert!(file == "cards.toml" && at == line && what.contains(words), "{file}:{at}: {what}");
    };
    let good = cards(1, false);
    let line_of = |text: &str, part: &str| text.lines().position(|line| line.contains(part)).unwrap() + 1;
    is(&good.replace("\"TH-0\" = \"TH\"", "\"TH-0\" = \"10H\""), line_of(&good, "TH-0"), "`10H` is no card");
    is(&good.replace("\"TH-0\" = \"TH\"", "\"TH-0\" = \"??\""), line_of(&good, "TH-0"), "`??` is no card");
    is(&good.replace("\"TH-0\"", "\"9H-0\""), line_of(&good, "TH-0"), "stands here twice");
    is(&good.replace("\"CUT\"", "\"9H-0\""), 2, "stands in the table twice");
    is(&good.replace("\"TH-0\"", "\"\""), line_of(&good, "TH-0"), "1 to 64 characters");
    is(&good.replace("\"TH-0\"", "\" TH\""), line_of(&good, "TH-0"), "without a space");
    let (file, _, what) =
        parse(GOOD, &good.replace("\"TH-0\" = \"TH\"\n", "").replace("\"2S-0\" = \"2S\"\n", "")).unwrap_err();
    assert_eq!((file.as_str(), what.as_str()), ("cards.toml", "cards without a symbol: 2S, TH"));
    is(&good.replace("cut_card = 80", "cut_card = 416"), 4, "416 of 416 cards behind the cut card");
    is(&good.replace("unique = false", "uniqe = false"), 1, "unknown key `uniqe`");
    is("cut = 5\n", 1, "");
    let of_two = cards(2, true);
    let (_, _, what) = parse(GOOD, &of_two.replace("\"TH-1\" = \"TH\"\n", "")).unwrap_err();
    assert_eq!(what, "cards with fewer symbols than the 2 that others have: TH");
    let (_, _, what) =
        parse(GOOD, &of_two.replace("[load]\n\"L\" = { cards = 416, cut_card = 80 }\n", "")).unwrap_err();
    assert!(what.contains("must have one for a shoe that is loaded"), "{what}");
}
