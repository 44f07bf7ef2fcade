use std::path::{Path, PathBuf};

use sabot_drivers::feig::records::AntennaByte;
use sabot_drivers::feig::{FeigLine, Hysteresis, Place, Timing, Values};
use sabot_drivers::saw::Pad;
use sabot_law::table::Place as Lies;
use sabot_wire::message::Role;

use crate::config::{Config, ConfigError, Driver, Mistake};

const GOOD: &str = r#"table = "BJ-07"
regulation = "sala-8"
limits = { min = 1000, max = 100000 }
journal = "BJ-07.jsonl"
chip_registry = "chips.jsonl"
[[device]]
role = "chips"
driver = "feig"
port = "/dev/feig"
spots = [{ box = 1, reader = 0 }, { box = 2, reader = 1, spot = "insurance" }]
"#;

fn parse(text: &str) -> Result<Config, Box<Mistake>> {
    Config::parse(Path::new("/etc/sabot/station.toml"), text).map_err(|error| match error {
        ConfigError::Mistake(mistake) => mistake,
        other => panic!("{other}"),
    })
}

fn feig(config: &Config) -> FeigLine {
    match &config.devices[0].driver {
        Driver::Feig(feig) => feig.clone(),
        other => panic!("{other:?}"),
    }
}

/// The line and what is wrong after `from` was replaced by `to` in a good file.
fn after(from: &str, to: &str) -> (usize, String) {
    assert!(GOOD.contains(from), "nothing would be replaced");
    let mistake = parse(&GOOD.replacen(from, to, 1)).unwrap_err();
    assert!(!mistake.instead.is_empty());
    (mistake.line, mistake.what)
}

#[test]
fn readers_are_configured_with_their_spots() {
    let config = parse(GOOD).unwrap();
    let readers = feig(&config);
    assert_eq!(readers.place, Place::Serial(PathBuf::from("/dev/feig"), 38_400));
    assert_eq!(
        (readers.setup.poll_ms, readers.setup.hold_ms, readers.setup.timing),
        (100, 2000, Timing::serial(38_400))
    );
    let spots: Vec<_> = readers.setup.spots.iter().map(|spot| (spot.at.to_string(), spot.reader)).collect();
    assert_eq!(
        (spots, readers.setup.buffered),
        (vec![("1 main".to_owned(), Some(0)), ("2 insurance".to_owned(), Some(1))], false)
    );
    assert_eq!(config.chip_registry, Some(PathBuf::from("/etc/sabot/chips.jsonl")));
    let buffered = "spots = [{ box = 1, antenna = 1 }, { box = 2, antenna = 2 }]\nbuffered = true\n";
    let spots = GOOD.lines().last().unwrap();
    assert!(feig(&parse(&GOOD.replace(spots, buffered)).unwrap()).setup.buffered);
    let by_tag = GOOD.replace("chip_registry = \"chips.jsonl\"\n", "") + "value_block = 4\n";
    assert_eq!(feig(&parse(&by_tag).unwrap()).setup.values, Values::Block(4));
}

#[test]
fn a_reader_at_the_shoe_needs_no_spots_and_may_have_none() {
    let spots = GOOD.lines().last().unwrap();
    let at_the_shoe = |spots_of: &str| {
        let text = GOOD.replace(spots, spots_of).replace("role = \"chips\"", "role = \"shoe\"");
        parse(&text.replace("[[device]]", "deck_registry = \"decks.jsonl\"\n[[device]]"))
    };
    let line = feig(&at_the_shoe("").unwrap());
    assert_eq!(line.places().collect::<Vec<_>>(), [Lies::Shoe]);
    assert_eq!((line.setup.role(), line.setup.poll_ms), (Role::Shoe, 20));
    assert_eq!(line.setup.hysteresis, Hysteresis::PASSING);
    for key in [spots, "buffered = true", "value_block = 4", "multiplexer = true", "hold_ms = 600"] {
        let mistake = at_the_shoe(key).unwrap_err();
        assert!(mistake.line == 11 && mistake.what.contains("is for readers under the felt"), "{mistake:?}");
    }
}

#[test]
fn every_hand_of_a_box_that_may_be_split_into_eight_has_a_spot() {
    let eighth = parse(&GOOD.replacen("box = 1", "box = 1, hand = 7", 1)).unwrap();
    assert_eq!(feig(&eighth).setup.spots[0].at.to_string(), "1h main");
}

#[test]
fn a_reader_on_the_network_is_named_with_or_without_its_port() {
    for (port, address) in
        [("tcp:10.0.0.5", "10.0.0.5:10001"), ("tcp:[::1]", "[::1]:10001"), ("tcp:feig:4001", "feig:4001")]
    {
        let feig = feig(&parse(&GOOD.replace("/dev/feig", port)).unwrap());
        assert_eq!((feig.place, feig.setup.timing), (Place::Tcp(address.to_owned()), Timing::TCP));
    }
}

#[test]
fn mistakes_are_told_where_they_stand() {
    let is = |(line, what): (usize, String), expected: usize, words: &str| {
        assert!(line == expected && what.contains(words), "line {line}: {what}");
    };
    is(after("role = \"chips\"", "role = \"keypad\""), 8, "reads tags of chips and cards");
    is(after("role = \"chips\"", "role = \"shoe\""), 7, "which card a tag is in");
    is(after("driver = \"feig\"", "driver = \"fieg\""), 8, "fieg");
    is(after("driver = \"feig\"\n", ""), 9, "`spots` is for a device with driver");
    is(after("box = 1", "box = 8"), 10, "box 8");
    is(after("box = 1", "box = 1, hand = 8"), 10, "hand 8");
    is(after("reader = 1", "reader = 0"), 10, "same reader and antenna");
    is(after(", reader = 1", ""), 10, "without a reader's address");
    is(after("reader = 1", "reader = 255"), 10, "without a reader's address");
    is(after("reader = 1", "reader = 1, antenna = 2"), 10, "only a buffered reader");
    is(after("box = 2, reader = 1, spot = \"insurance\"", "box = 1, reader = 1"), 10, "twice");
    is(
        after("spots = [{ box = 1, reader = 0 }, { box = 2, reader = 1, spot = \"insurance\" }]", "spots = []"),
        10,
        "no spot",
    );
    is(after("chip_registry = \"chips.jsonl\"\n", ""), 6, "what the chips are worth");
    is(after("driver = \"feig\"", "driver = \"feig\"\npoll_ms = 5"), 9, "10 to 1000");
    is(after("driver = \"feig\"", "driver = \"feig\"\nhold_ms = 100"), 9, "500 to 60000");
    is(after("driver = \"feig\"", "driver = \"feig\"\nbuffered = true\nvalue_block = 1"), 10, "not asked for blocks");
    is(after("driver = \"feig\"", "driver = \"feig\"\nmultiplexer = true"), 9, "by itself");
    is(after("driver = \"feig\"", "driver = \"feig\"\npresence = { rounds = 32 }"), 9, "`rounds` is 1 to 31");
    is(after("driver = \"feig\"", "driver = \"feig\"\npresence = { read = 6 }"), 9, "`read` is 1 to");
    is(after("driver = \"feig\"", "driver = \"feig\"\npresence = { missed = 0 }"), 9, "`missed` is 1 to");
    let mixed = "driver = \"feig\"\nbuffered = true";
    let text = GOOD.replace("driver = \"feig\"", mixed).replace("reader = 1", "reader = 0, antenna = 1");
    assert!(parse(&text).unwrap_err().what.contains("without an antenna"));
}

#[test]
fn a_line_with_more_readers_than_tell_in_time_is_told_unless_they_watch_by_themselves() {
    let crowded = |readers: u8, kind: &str, antenna: &str| {
        let spot = |reader: u8| {
            let spot = if reader < 7 { "main" } else { "double" };
            format!("{{ box = {}, spot = \"{spot}\", reader = {reader}{antenna} }}", reader % 7 + 1)
        };
        let spots: Vec<String> = (0..readers).map(spot).collect();
        let (head, _) = GOOD.split_once("spots = ").unwrap();
        feig(&parse(&format!("{head}{kind}spots = [{}]\n", spots.join(", "))).unwrap()).crowded()
    };
    assert_eq!(crowded(7, "", ""), None);
    let told = crowded(8, "", "").unwrap();
    assert!(told.contains("8 readers share this line") && told.contains("7 at the most"), "{told}");
    assert_eq!(crowded(8, "buffered = true\n", ", antenna = 1"), None);
}

#[test]
fn readers_on_several_lines_are_one_device_and_no_spot_is_watched_twice() {
    let second = |port: &str, spots: &str| {
        format!("{GOOD}[[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = \"{port}\"\nspots = [{spots}]\n")
    };
    let config = parse(&second("tcp:10.0.0.5", "{ box = 3 }")).unwrap();
    let places: Vec<String> = config.devices.iter().map(super::super::DeviceConfig::place).collect();
    assert_eq!(places, ["/dev/feig", "10.0.0.5:10001"]);
    let twice = parse(&second("tcp:10.0.0.5", "{ box = 1 }")).unwrap_err();
    assert_eq!(
        (twice.line, twice.what.as_str()),
        (15, "the spot 1 main is watched by readers on another line already")
    );
    assert!(parse(&second("/dev/feig", "{ box = 3 }")).unwrap_err().what.contains("the port of the device"));
    let own = second("/dev/other", "{ box = 3 }")
        .replace("driver = \"feig\"\nport = \"/dev/other\"", "port = \"/dev/other\"");
    assert!(parse(&own).unwrap_err().what.contains("a second device with the role"));
}

#[test]
fn places_for_cards_are_configured_where_the_house_knows_its_decks() {
    let bank = "spots = [{ box = 1, reader = 0 }, { place = \"bank\", reader = 1 }]\n";
    let spots = GOOD.lines().last().unwrap();
    let decks = "deck_registry = \"decks.jsonl\"\n[[device]]";
    let with = |other: &str| GOOD.replace(spots, other).replace("[[device]]", decks);
    let config = parse(&with(bank)).unwrap();
    assert_eq!(feig(&config).setup.spots[1].at, Pad::Cards(Lies::Bank));
    assert_eq!(config.deck_registry, Some(PathBuf::from("/etc/sabot/decks.jsonl")));
    // readers that see cards alone need not know what chips are worth
    let cards = "spots = [{ place = \"bank\", reader = 0 }, { place = \"discard\", reader = 1 }]\n";
    assert!(parse(&with(cards).replace("chip_registry = \"chips.jsonl\"\n", "")).is_ok());
    let what = |text: &str| parse(text).unwrap_err().what.clone();
    assert!(what(&GOOD.replace(spots, bank)).contains("nothing says which card a tag is in"));
    for wrong in ["{ place = \"bank\", box = 1 }", "{ place = \"bank\", spot = \"main\" }", "{ reader = 1 }"] {
        assert!(what(&with(&format!("spots = [{wrong}]\n"))).contains("a place for cards"), "{wrong}");
    }
    assert!(what(&with("spots = [{ place = \"shoe\" }]\n")).contains("shoe"));
    assert!(
        what(&with("spots = [{ place = \"bank\", reader = 0 }, { place = \"bank\", reader = 1 }]\n")).contains("twice")
    );
}

#[test]
fn presence_and_multiplexers_are_configured() {
    let with = |key: &str| {
        feig(&parse(&GOOD.replace("driver = \"feig\"", &format!("driver = \"feig\"\n{key}"))).unwrap()).setup
    };
    assert_eq!(with("poll_ms = 50").hysteresis, Hysteresis::DEFAULT);
    let set = with("presence = { missed = 12, missed_ms = 2500 }").hysteresis;
    assert_eq!(set, Hysteresis { missed: 12, vanish_ms: 2500, ..Hysteresis::DEFAULT });
    assert_eq!(with("buffered = true\nmultiplexer = true").antennas, AntennaByte::Bits);
}
