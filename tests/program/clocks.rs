//! Clocks of the house that a station's is held against: the record tells them, and a dossier finds the hand in the
//! video recorder's pictures by them.

use std::fs;
use std::net::UdpSocket;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::acts::Desk;
use crate::process::{run, sabot};
use crate::processes::answered;

/// Seconds from 1900, where NTP counts from, to 1970.
const TO_1970: u64 = 2_208_988_800;
/// By how much the video recorder is ahead.
const AHEAD: Duration = Duration::from_secs(3600);

/// What a server of NTP says whose clock is ahead, byte by byte as RFC 5905 has it.
fn says(asked: &[u8], ahead: Duration) -> Vec<u8> {
    let shows = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + ahead;
    let fraction = (u64::from(shows.subsec_nanos()) << 32) / 1_000_000_000;
    let time = (((shows.as_secs() + TO_1970) << 32) | fraction).to_be_bytes();
    let mut said = vec![0x24, 2, 6, 0xE9]; // version 4, a server, that follows another, polled each minute
    said.extend([0; 8]); // its delay and dispersion
    said.extend([127, 0, 0, 1]); // whom it follows
    said.extend(time); // when it was set
    said.extend(&asked[40..48]); // when it was asked, by who asked
    said.extend(time); // when it heard that
    said.extend(time); // when it answered
    said
}

/// A video recorder on this machine: its address.
fn recorder() -> String {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let mut asked = [0; 128];
        while let Ok((count, from)) = socket.recv_from(&mut asked) {
            if count >= 48 {
                let _ = socket.send_to(&says(&asked, AHEAD), from);
            }
        }
    });
    address
}

/// The minute at which a dossier's link begins.
fn begins(page: &str) -> u64 {
    let from = page.split("https://vms.example/from-").nth(1).expect("a link").get(..20).unwrap();
    let told = format!("{}.000Z", from.trim_end_matches('Z'));
    sabot_journal::clock::parse_utc(&told).unwrap_or_else(|| panic!("{from}")) / 60_000
}

#[test]
fn the_record_tells_the_video_recorder_s_clock_and_a_dossier_goes_by_it() {
    let nobody = UdpSocket::bind("127.0.0.1:0").unwrap(); // hears, and says nothing
    let clocks = format!("clocks = {{ video = \"{}\", house = \"{}\" }}", recorder(), nobody.local_addr().unwrap());
    let desk = Desk::starting(&clocks, "");
    let start = || {
        let lines = desk.record();
        let start = lines.iter().find(|line| line["status"] == "start")?;
        Some(start["detail"].as_str().unwrap().to_owned())
    };
    desk.table.until("its start", || start().is_some());
    let start = start().unwrap();
    let told = start.split("clock-video ").nth(1).unwrap_or_else(|| panic!("{start}"));
    let ahead = told.split(' ').next().unwrap();
    let off = ahead.parse::<i64>().unwrap() - i64::try_from(AHEAD.as_millis()).unwrap();
    assert!(ahead.starts_with('+') && off.abs() < 60_000, "{start}");
    assert!(start.contains(" clock-house unheard clock-video +"), "{start}");
    desk.table.until("the figures", || {
        let figures = answered(&desk.address, "/metrics");
        let ahead = figures.lines().find(|line| line.starts_with("sabot_clock_ahead_seconds{"));
        ahead.is_some_and(|line| line.contains("clock=\"video\"")) && !figures.contains("clock=\"house\"")
    });
    let found = run(&mut sabot(["check", desk.table.path("station.toml").to_str().unwrap()]));
    let told = found.out.lines().filter(|line| line.contains("video at ") || line.contains("house at "));
    assert_eq!(told.map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>().len(), 2, "{}", found.out);
    // an hour ahead the pictures of the same moment stand
    let inspector = desk.as_one("I-4");
    let posted = desk.posts("/acts", &inspector, "act=report&provision=C17&place=1&note=seen");
    assert!(posted.starts_with("HTTP/1.1 303"), "{posted}");
    desk.table.until("a finding", || desk.snapshot()["findings"][0]["n"] == 1);
    desk.record();
    let copy = desk.table.path("copy");
    fs::copy(desk.table.path("record"), &copy).unwrap();
    let dossier = |more: &[&str]| {
        let copy = copy.to_str().unwrap();
        let args = [&["journal", "dossier", copy, "1", "--camera", "https://vms.example/from-{from}"], more].concat();
        let ended = run(&mut sabot(args));
        assert_eq!(ended.status, 0, "{}", ended.err);
        ended.out
    };
    let (by_record, as_told) = (begins(&dossier(&[])), begins(&dossier(&["--camera-ahead", "0"])));
    assert!((59..=61).contains(&(by_record - as_told)), "{by_record} {as_told}");
}
