//! The bench itself: a device at a real port, and what a failing test shows.
use std::process::Command;
use std::time::Duration;

use sabot_hil_tests::{Bench, BenchFile, Setup};
use sabot_simulation::twin::{Twin, paired_key, serial};
use sabot_wire::message::{KeypadSaid, Observation, Role};

/// A bench whose keypad is at a port that somebody else holds the device of.
const FILE: &str = r#"
keys = "keys.toml"
shoe.is = "pty"
shuffler.is = "pty"
chips.is = "pty"
display.is = "pty"
keypad = { is = "port", port = "keypad", serial = "TWIN-KEYPAD" }
"#;

#[test]
fn at_a_real_port_somebody_does_what_the_test_asks_for_and_the_record_tells_when() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    assert_eq!(serial(Role::Keypad), "TWIN-KEYPAD");
    let key = paired_key(Role::Keypad, &at("keys.toml")).unwrap();
    let keypad = Twin::start(Role::Keypad, &at("keypad"), Some(key)).unwrap();
    std::fs::write(at("bench.toml"), FILE).unwrap();
    let plan = || BenchFile::named(at("bench.toml").to_str().unwrap()).unwrap();
    for player in [1, 2] {
        let rig = Bench::of(plan(), &Setup::default());
        let sits = KeypadSaid::Seat { seat: 3, player };
        std::thread::scope(|scope| {
            let said = sits.clone();
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300)); // who reads what is asked
                keypad.saw(Observation::Keypad(said)).unwrap();
            });
            rig.says(sits);
        });
        let record = rig.journal();
        let seats: Vec<_> = record.events("seat").map(|line| line["player"].clone()).collect();
        assert_eq!(seats, [format!("P{player}")]);
        rig.expect_every_event_once_and_in_order();
    }
    keypad.stop();
    assert!(plan().missing().is_some_and(|missing| missing.contains("keypad")), "the port is gone");
}

#[test]
#[ignore = "fails on purpose: the next test reads what it shows"]
fn fails_on_purpose() {
    let rig = Bench::with(&Setup { seed: 4711, ..Setup::default() });
    rig.says(KeypadSaid::Seat { seat: 3, player: 77 });
    panic!("on purpose");
}

#[test]
fn a_failing_test_shows_log_record_seed_and_the_command_that_repeats_it() {
    let failing = std::env::current_exe().unwrap();
    let mut failing = Command::new(failing);
    failing.args(["--ignored", "--exact", "bench::fails_on_purpose"]).env_remove("SABOT_BENCH");
    let shown = failing.output().unwrap();
    assert!(!shown.status.success());
    let shown = [shown.stdout, shown.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    for wanted in [
        "the record is open", // of the log
        r#""player":"P77""#,
        "bench: twins, seed: 4711",
        "again: cargo test -p sabot-hil-tests --test host -- --exact bench::fails_on_purpose",
    ] {
        assert!(shown.contains(wanted), "no `{wanted}` in: {shown}");
    }
}
