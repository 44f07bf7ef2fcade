use super::*;
use crate::config::ConfigError;
use std::path::Path as File;

const HEAD: &str = "table = \"BJ-07\"\nregulation = \"sala-8\"\nboxes = 1\nlimits = { min = 1000, max = 100000 }\n\
                    journal = \"BJ-07.jsonl\"\nchip_registry = \"chips.jsonl\"\n";
const SHOE: &str = "[[device]]\nrole = \"shoe\"\nport = \"/dev/shoe\"\n";
const OWN: &str = "[[device]]\nrole = \"chips\"\nport = \"/dev/chips\"\n";

/// FEIG readers under the box, and under these places.
fn feig(places: &[&str]) -> String {
    let places = (1..).zip(places).map(|(reader, place)| format!(", {{ place = \"{place}\", reader = {reader} }}"));
    let places: String = places.collect();
    let head = "[[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = \"/dev/feig\"\n";
    format!("{head}spots = [{{ box = 1, reader = 0 }}{places}]\n")
}

fn parse(keys: &str, devices: &str) -> Result<Config, String> {
    Config::parse(File::new("station.toml"), &format!("{HEAD}{keys}\n{devices}")).map_err(|error| match error {
        ConfigError::Mistake(mistake) => format!("{}: {} = {}", mistake.line, mistake.what, mistake.instead),
        other => panic!("{other}"),
    })
}

fn words(sights: impl IntoIterator<Item = Sight>) -> Vec<&'static str> {
    sights.into_iter().map(Sight::word).collect()
}

/// What the table observes, and what of it no device sees.
fn seen(keys: &str, devices: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let config = parse(keys, devices).unwrap();
    (words(config.header.observes.seen()), words(unseen(&config).into_iter().map(|unseen| unseen.sight)))
}

#[test]
fn a_table_sees_what_its_file_names_and_no_more_and_its_record_names_each() {
    let named = r#"observes = ["asks", "decisions", "announcements"]"#;
    assert_eq!(seen(named, SHOE).0, ["asks", "decisions", "announcements"]);
    assert_eq!(seen("observes = []", SHOE), (vec![], vec![]));
    let header = parse(named, SHOE).unwrap().header;
    let line = serde_json::to_string(&header).unwrap();
    assert!(line.contains(r#""v":2"#) && line.contains(r#""observes":["asks","decisions","announcements"]"#), "{line}");
}

#[test]
fn where_nothing_is_named_bought_readers_are_not_taken_to_see_what_none_of_them_sees() {
    let keyed = ["asks", "decisions", "announcements"];
    let bets = [&["bets"][..], &keyed[..]].concat();
    assert_eq!(seen("staff = \"staff.toml\"", &feig(&[])), (bets.clone(), vec![]));
    let tags = "staff = \"staff.toml\"\ndeck_registry = \"decks.jsonl\"";
    let placed = [&["places", "moves", "bets"][..], &keyed[..]].concat();
    assert_eq!(seen(tags, &feig(&["bank", "burn", "discard"])), (placed, vec![]));
    assert_eq!(seen(tags, &feig(&["burn"])), (bets, vec![]), "neither the bank nor both trays");
    assert_eq!(seen("staff = \"staff.toml\"", OWN), (words(Sight::ALL.iter().copied()), vec![]));
}

#[test]
fn what_is_named_and_no_device_sees_is_told_and_refused_where_it_cannot_be_entered_either() {
    let why = parse("observes = [\"bets\", \"faces\"]", &feig(&[])).unwrap_err();
    assert!(why.starts_with("7: `observes` has `faces`, which no device"), "{why}");
    assert!(why.contains("take `faces` out of `observes`; no FEIG reader sees it"), "{why}");
    let why = parse("observes = [\"places\"]", &feig(&[])).unwrap_err();
    assert!(why.contains("`places`") && why.contains("deck_registry"), "{why}");
    let named = "observes = [\"places\", \"turns\", \"moves\", \"bets\", \"asks\"]\ndeck_registry = \"decks.jsonl\"";
    assert_eq!(seen(named, &feig(&["bank", "burn"])).1, ["turns", "moves", "asks"]);
    assert_eq!(seen(named, &feig(&["burn", "discard"])).1, ["places", "turns", "asks"]);
    assert_eq!(seen(named, SHOE).1, ["places", "turns", "moves", "bets", "asks"]);
    let told = unseen(&parse(named, SHOE).unwrap());
    assert_eq!(told.iter().map(|unseen| unseen.may_be_entered).collect::<Vec<_>>(), [false, true, true, true, true]);
    assert!(told[1].what().contains("unless it is entered each time"), "{}", told[1].what());
}

#[test]
fn the_documented_table_of_bought_parts_names_what_its_devices_see_on_lines_that_are_not_too_long() {
    let path = File::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/build/station.toml");
    let config = Config::load(&path).unwrap_or_else(|error| panic!("{error}"));
    assert!(unseen(&config).is_empty());
    let lines: Vec<&FeigLine> = config.devices.iter().filter_map(DeviceConfig::feig_line).collect();
    assert_eq!(lines.iter().map(|line| line.setup.spots.len()).collect::<Vec<_>>(), [7, 7, 7, 7, 3]);
    assert!(lines.iter().all(|line| line.crowded().is_none()));
    let others = config.devices.iter().filter(|device| device.feig_line().is_none());
    assert_eq!(others.map(DeviceConfig::driver_name).collect::<Vec<_>>(), ["scanner", "pad"]);
    assert_eq!(config.signals.len(), 2);
}

#[test]
fn a_pad_needs_the_dealers_screen_which_only_a_table_with_people_has() {
    let pad = "[[device]]\nrole = \"keypad\"\ndriver = \"pad\"\nport = \"/dev/sabot-pad\"\n";
    let told = |keys, devices: &str| unseen_touches(&parse(keys, devices).unwrap());
    assert_eq!(told("", pad), Some(UnseenTouches));
    assert_eq!(told("staff = \"staff.toml\"", pad), None);
    assert_eq!(told("", SHOE), None);
    assert!(UnseenTouches.way_out().contains("`staff`"));
}
