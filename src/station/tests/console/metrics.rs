//! What a monitoring system scrapes, over a real socket, against the table in the documentation.

use std::collections::{BTreeMap, BTreeSet};

use sabot_station::clocks::Clock;
use sabot_station::shipping::Shipping;
use sabot_station::snapshot::{ClockView, DeviceState, ReadRateView, Snapshot, TableFigures};
use sabot_words::Times;

use super::http::Served;
use super::samples;

const DOCS: &str = include_str!("../../../../docs/metrics.md");

/// A sample's name, its labels in the order in which they stand, its value.
type Sample = (String, Vec<(String, String)>, f64);

fn sample(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').expect(line);
    let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
    let labels = labels.strip_suffix('}').expect(line).split("\",").filter(|label| !label.is_empty());
    let labels = labels.map(|label| {
        let (key, value) = label.split_once("=\"").expect(line);
        (key.to_owned(), value.trim_end_matches('"').to_owned())
    });
    (name.to_owned(), labels.collect(), value.parse().expect(line))
}

async fn scraped(snapshot: Snapshot) -> String {
    let served = Served::start(snapshot).await;
    let (head, body) = served.get("/metrics", "").await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"), "{head}");
    assert!(head.contains("cache-control: no-store"), "{head}");
    assert!(body.ends_with("# EOF\n"), "{body}");
    body
}

fn samples_of(body: &str) -> Vec<Sample> {
    body.lines().filter(|line| !line.starts_with('#')).map(sample).collect()
}

fn times<const N: usize>(us: [u64; N]) -> Times {
    let mut times = Times::default();
    us.into_iter().for_each(|us| times.took(us));
    times
}

fn clock(name: &str, ahead_ms: Option<i64>) -> Clock {
    Clock { name: name.to_owned(), ahead_ms }
}

/// A table of which every figure differs from every other.
fn busy() -> Snapshot {
    let mut snapshot = samples::rich_play();
    snapshot.line = 120;
    snapshot.figures = TableFigures {
        written: 117,
        unwritable: false,
        findings: [11, 12, 13],
        by_article: vec![("C5", 4), ("C7", 14)],
        let_go: 0,
        synchronised: Some(false),
        clocks: vec![clock("house", None), clock("video", Some(-1240))],
        shipping: Some(Shipping { connected: true, kept: 77, trouble: None }),
        alerts: times([40_000, 700_000]),
        syncs: times([800, 800, 12_000_000]),
    };
    snapshot.devices[2] = samples::device("chips", DeviceState::Absent, "no such port");
    let shoe = &mut snapshot.devices[0];
    (shoe.bad_frames, shoe.repeats) = (21, 22);
    shoe.figures.events = 23;
    shoe.figures.frames = 24;
    shoe.figures.gaps = 25;
    shoe.figures.lost = 26;
    shoe.figures.unheard = 27;
    shoe.figures.forged = 28;
    shoe.figures.reconnects = 29;
    shoe.figures.replayed = 30;
    shoe.figures.missing = 31;
    shoe.figures.clock = Some(ClockView { offset_ms: -1500, error_ms: 3, round_trip_ms: 7 });
    let (place, spot) = ("3b".to_owned(), "main".to_owned());
    let rate = ReadRateView { place, spot, tags: 31, tries: 33, reads: 32, inventory_ms: 340 };
    shoe.figures.read_rates = vec![rate];
    shoe.figures.rounds = Some(times([320_000]));
    shoe.poor = Some(samples::due("el cable", "the cable"));
    shoe.full = Some(samples::due("lleno", "full"));
    snapshot
}

#[tokio::test]
async fn every_figure_is_served_under_its_name_with_its_labels() {
    let all = samples_of(&scraped(busy()).await);
    let of = |name: &str, device: &str| {
        let found = all.iter().find(|(of, labels, _)| {
            of == name && (device.is_empty() || labels.iter().any(|(key, value)| key == "device" && value == device))
        });
        found.unwrap_or_else(|| panic!("no {name} of {device}: {all:#?}")).2
    };
    for (name, value) in [
        ("device_up", 1.0),
        ("device_bad_frames_total", 21.0),
        ("device_repeats_total", 22.0),
        ("device_events_total", 23.0),
        ("device_frames_total", 24.0),
        ("device_gaps_total", 25.0),
        ("device_lost_total", 26.0),
        ("device_unheard_total", 27.0),
        ("device_forged_total", 28.0),
        ("device_reconnects_total", 29.0),
        ("device_replayed_total", 30.0),
        ("device_missing_total", 31.0),
        ("device_line_good", 0.0),
        ("device_full", 1.0),
        ("device_clock_offset_seconds", -1.5),
        ("device_clock_error_seconds", 0.003),
        ("device_round_trip_seconds", 0.007),
        ("spot_tags", 31.0),
        ("spot_tag_reads_total", 32.0),
        ("spot_tag_rounds_total", 33.0),
        ("spot_inventory_seconds", 0.34),
    ] {
        assert_eq!(of(&format!("sabot_{name}"), "shoe"), value, "{name}");
    }
    assert_eq!((of("sabot_device_up", "chips"), of("sabot_device_line_good", "chips")), (0.0, 1.0));
    for (name, value) in [
        ("journal_lines", 120.0),
        ("journal_queue_lines", 3.0),
        ("journal_writable", 1.0),
        ("findings_total", 11.0),
        ("findings_by_article_total", 4.0),
        ("clock_synchronised", 0.0),
        ("clock_ahead_seconds", -1.24),
    ] {
        assert_eq!(of(&format!("sabot_{name}"), ""), value, "{name}");
    }
    let labels = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let state: Vec<(String, String)> =
        labels(&[("table", "BJ-07"), ("device", "chips"), ("port", "/dev/serial/by-role/chips"), ("state", "absent")]);
    assert!(all.contains(&("sabot_device_state".to_owned(), state, 1.0)), "{all:#?}");
    let of_chips =
        |(name, labels, value): &&Sample| name == "sabot_device_state" && labels[1].1 == "chips" && *value > 0.0;
    assert_eq!(all.iter().filter(of_chips).count(), 1, "a device is in one state");
    assert!(
        !all.iter().any(|(name, labels, _)| name.starts_with("sabot_device_clock") && labels[1].1 == "chips"),
        "nothing is known"
    );
}

#[tokio::test]
async fn how_long_things_took_is_served_by_bounds() {
    let all = samples_of(&scraped(busy()).await);
    // so many took at most so long; the last bucket has all
    let within = |name: &str, seconds: &str| {
        let found = all.iter().find(|(of, labels, _)| {
            *of == format!("sabot_{name}_seconds_bucket") && labels.contains(&("le".to_owned(), seconds.to_owned()))
        });
        found.unwrap_or_else(|| panic!("no {name} within {seconds}: {all:#?}")).2
    };
    for (name, seconds, count) in [
        ("sensor_to_alert", "0.025", 0.0),
        ("sensor_to_alert", "0.05", 1.0),
        ("sensor_to_alert", "1.0", 2.0),
        ("journal_sync", "0.0005", 0.0),
        ("journal_sync", "0.001", 2.0),
        ("journal_sync", "10.0", 2.0),
        ("journal_sync", "+Inf", 3.0),
        ("device_poll_round", "0.25", 0.0),
        ("device_poll_round", "0.5", 1.0),
    ] {
        assert_eq!(within(name, seconds), count, "{name} within {seconds}");
    }
    let of = |name: &str| all.iter().find(|(of, ..)| of == name).unwrap().2;
    assert_eq!((of("sabot_sensor_to_alert_seconds_count"), of("sabot_sensor_to_alert_seconds_sum")), (2.0, 0.74));
}

#[tokio::test]
async fn the_table_in_the_documentation_is_what_is_served() {
    let body = scraped(busy()).await;
    let mut served: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut kind = String::new();
    for line in body.lines() {
        if let Some(typed) = line.strip_prefix("# TYPE ") {
            kind = typed.split_once(' ').expect(line).1.to_owned();
        } else if !line.starts_with('#') {
            let (name, labels, _) = sample(line);
            assert_eq!(labels[0], ("table".to_owned(), "BJ-07".to_owned()), "{line}");
            let is_histogram = kind == "histogram";
            let name = if is_histogram { name.rsplit_once('_').expect(line).0.to_owned() } else { name };
            let labels = labels[1..].iter().map(|(key, _)| key.clone()).filter(|key| !is_histogram || key != "le");
            served.insert(name, (kind.clone(), labels.collect()));
        }
    }
    let mut told = BTreeMap::new();
    for row in DOCS.lines().filter(|line| line.starts_with("| `sabot_")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, kind, unit, labels, what] = cells[..] else { panic!("{row}") };
        let name = name.trim_matches('`');
        assert!(!unit.is_empty() && !what.is_empty(), "{row}");
        assert_eq!(unit == "seconds", name.ends_with("_seconds"), "{row}");
        let labels = labels.split(", ").filter(|label| *label != "–").map(str::to_owned).collect();
        assert!(told.insert(name.to_owned(), (kind.to_owned(), labels)).is_none(), "twice: {row}");
    }
    assert_eq!(told, served, "documented (left) and served (right)");
}

#[tokio::test]
async fn whatever_a_port_is_called_a_sample_is_one_line() {
    let mut snapshot = samples::empty_table();
    snapshot.devices[0].port = "a\"b\\c\nd{}".to_owned();
    let body = scraped(snapshot).await;
    assert!(body.contains(r#"sabot_device_up{table="BJ-07",device="shoe",port="a\"b\\c\nd{}"} 1"#), "{body}");
}

#[tokio::test]
async fn no_card_or_player_is_in_a_scrape() {
    let body = scraped(busy()).await;
    for secret in ["8H", "##", "P1", "firmware", "SB-1042", "seat"] {
        assert!(!body.contains(secret), "{secret} in {body}");
    }
}
