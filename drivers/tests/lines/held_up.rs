//! A station that is itself held up, devices that stop half-way, and pairings that were cut off: the device is blamed
//! for nothing that is not its doing, and what stops is told by its name.
use std::sync::Arc;
use std::time::Duration;

use crate::device::{Inbox, TestDevice, eventually, expected, key};
use sabot_drivers::keys::KeyFile;
use sabot_drivers::link::pair::{PairError, find_again, pair_by_code};
use sabot_drivers::link::{Expected, LinkReport, spawn_over};
use sabot_drivers::transport::memory;
use sabot_wire::host::Keyring as _;
use sabot_wire::message::{Key, Role};
use sabot_wire::pairing::Code;
use tokio::sync::{mpsc, watch};

/// The device lives in a thread of its own, for the station's stands still.
#[tokio::test]
async fn a_station_that_was_stopped_blames_no_device() {
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 4096);
    let its_shoe = Arc::clone(&shoe);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { its_shoe.run_on(socket.plug(4096)).await })
    });
    let (sender, reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let link = spawn_over(place, expected(Role::Shoe), None, sender, stopped);
    let mut inbox = Inbox { reports };
    inbox.online().await;
    for (n, ms) in [1500, 3000].into_iter().enumerate() {
        tokio::time::sleep(Duration::from_millis(600)).await; // it has asked for the time
        assert!(shoe.sees(n as u8));
        // the whole runtime, as SIGSTOP would
        std::thread::sleep(Duration::from_millis(ms));
        let seen = inbox.next().await;
        let LinkReport::Saw(seen) = seen else { panic!("after {ms} ms: {seen:?}") };
        let when = seen.when.expect("its clock is known");
        assert!(u64::from(when.age_ms + when.error_ms) >= ms, "it is as old as it is: {when:?}");
        link.ack(seen.epoch, seen.seq);
        eventually("it is acknowledged", || shoe.held() == 0).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let after = inbox.reports.try_recv();
        assert!(matches!(after, Err(_) | Ok((_, LinkReport::CaughtUp))), "after {ms} ms: {after:?}");
    }
}

fn keys_of(text: &str) -> (tempfile::TempDir, impl Fn() -> KeyFile + use<>) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    (folder, move || KeyFile::new(path.clone()))
}

const ITS_KEY: &str = "5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b";

#[tokio::test]
async fn a_key_whose_device_was_not_heard_to_take_it_is_its_own_once_it_was_used() {
    for before in ["", "\"T-0001\" = \"07070707070707070707070707070707\"\n"] {
        let (_folder, keys) = keys_of(&format!("[keys]\n{before}[next]\n\"T-0001\" = \"{ITS_KEY}\"\n"));
        assert!(keys().load().unwrap().contains_key("T-0001"), "a station knows that it has a key");
        let (place, socket) = memory();
        let shoe = TestDevice::new(Role::Shoe, 4096);
        let (sender, reports) = mpsc::channel(64);
        let (_stop, stopped) = watch::channel(false);
        let of_file = Expected { role: Role::Shoe, serial: None, keys: keys() };
        let _link = spawn_over(place, of_file, None, sender, stopped);
        shoe.run_on(socket.plug(4096));
        Inbox { reports }.online().await;
        assert_eq!((keys().key("T-0001"), keys().next("T-0001")), (Some(key()), None), "{before}");
    }
}

#[tokio::test]
async fn a_pairing_that_was_cut_off_is_found_again() {
    let (_folder, keys) = keys_of(&format!("[keys]\n[next]\n\"T-0001\" = \"{ITS_KEY}\"\n"));
    let (place, socket) = memory();
    TestDevice::new(Role::Shoe, 4096).stays_on(socket);
    let found = find_again(place, Role::Shoe, None, keys(), crate::device::PATIENCE).await.unwrap();
    assert_eq!(found.serial, "T-0001");
    // and one that holds another key is not taken for it
    let (_folder, keys) = keys_of("[keys]\n[next]\n\"T-0001\" = \"08080808080808080808080808080808\"\n");
    let (place, socket) = memory();
    TestDevice::new(Role::Shoe, 4096).stays_on(socket);
    let error = find_again(place, Role::Shoe, None, keys(), crate::device::PATIENCE).await.unwrap_err();
    assert!(error.to_string().contains("does not hold the key"), "{error}");
    assert_eq!(keys().next("T-0001"), None, "it has shown that, and another may be offered");
    // one that is not there may hold it: nothing takes its place
    let (_folder, keys) = keys_of(&format!("[keys]\n[next]\n\"T-0001\" = \"{ITS_KEY}\"\n"));
    let (place, _socket) = memory();
    let error = find_again(place, Role::Shoe, None, keys(), Duration::from_millis(300)).await.unwrap_err();
    assert!(matches!(error, PairError::Closed(_)), "{error:?}");
    assert!(!keys().keeps("T-0001", &Key::new([8; 16])) && keys().keeps("T-0001", &key()));
    assert_eq!(keys().next("T-0001"), Some(key()));
}

#[tokio::test]
async fn a_device_that_answers_no_offer_is_told_as_that_and_no_speed_is_blamed() {
    let (_folder, keys) = keys_of("[keys]\n");
    let (place, socket) = memory();
    TestDevice::new(Role::Shoe, 4096).stays_on(socket);
    let patience = Duration::from_secs(4);
    let error = pair_by_code(place, Role::Shoe, None, Code::new([1; 10]), keys(), patience).await.unwrap_err();
    assert!(error.to_string().contains("answers no offer") && !error.to_string().contains("speed"), "{error}");
}

/// A device that says nothing but a hello with this serial number.
async fn hello_says(mut cable: tokio::io::DuplexStream, serial: &str) {
    use tokio::io::AsyncWriteExt as _;
    let hello = (1u8, 4u8, 0u8, serial, [0u8, 1, 0], sabot_wire::SCHEMA_4, (1u32, 0x1234_5678u32, 1u32));
    let mut frame = [0; sabot_wire::frame::MAX_FRAME];
    let frame = sabot_wire::frame::encode(&hello, &mut frame).unwrap();
    while cable.write_all(frame).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_serial_number_that_is_none_is_told_as_that_and_neither_a_switch_nor_the_speed_is_blamed() {
    let patience = Duration::from_secs(4);
    for (serial, told) in [("SH\x1b[2J", "other characters"), ("SH-00000000000017", "longer than 16 characters")] {
        let (_folder, keys) = keys_of("[keys]\n");
        let (place, socket) = memory();
        tokio::spawn(hello_says(socket.plug(4096), serial));
        let error = pair_by_code(place, Role::Shoe, None, Code::new([1; 10]), keys(), patience).await.unwrap_err();
        let says = error.to_string();
        assert!(says.contains(told) && !says.contains("switch") && !says.contains("speed"), "{says}");
    }
}

#[tokio::test]
async fn a_port_that_does_not_open_is_told_as_that_and_no_device() {
    let (_folder, keys) = keys_of("[keys]\n");
    let (place, _socket) = memory();
    let patience = Duration::from_millis(300);
    let error = pair_by_code(place, Role::Shoe, None, Code::new([1; 10]), keys(), patience).await.unwrap_err();
    assert!(matches!(error, PairError::Closed(_)), "{error:?}");
}

#[tokio::test]
async fn a_serial_number_that_another_role_is_paired_under_is_refused_and_its_key_kept() {
    let (_folder, keys) = keys_of("[keys]\n");
    keys().for_role(Role::Chips).add("T-0001", &Key::new([7; 16])).unwrap();
    let (place, socket) = memory();
    TestDevice::new(Role::Shoe, 4096).stays_on(socket);
    let pairing = pair_by_code(place, Role::Shoe, None, Code::new([1; 10]), keys(), crate::device::PATIENCE);
    let error = pairing.await.unwrap_err().to_string();
    assert!(error.contains("has serial number T-0001 too"), "{error}");
    assert_eq!((keys().key("T-0001"), keys().next("T-0001")), (Some(Key::new([7; 16])), None));
}
