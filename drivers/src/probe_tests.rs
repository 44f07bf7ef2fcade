use super::*;
use crate::transport::memory;
use sabot_wire::Version;
use sabot_wire::device::{Device, Identity};
use sabot_wire::message::{Image, Key, KeypadSaid, Observation, Role, Started};
use sabot_wire::ring::Ring;
use tokio::io::DuplexStream;

/// Answers as a keypad until the cable is pulled; gives every message the host has sent.
async fn keypad(mut cable: DuplexStream, version: Version, key: Option<Key>) -> Vec<u8> {
    let (ring, _) = Ring::restore(vec![0; 4096], 5).unwrap();
    let serial = heapless::String::try_from("K-1").unwrap();
    let (started, entropy) = (Started::Power, [0; 16]);
    let identity = Identity {
        role: Role::Keypad,
        serial,
        firmware: [1, 2, 3],
        image: Image([0x1A; 32]),
        boots: 4,
        started,
        key,
        entropy,
    };
    let mut device = Device::speaking(version, identity, ring);
    device.observe(0, &Observation::Keypad(KeypadSaid::CloseBets)).unwrap();
    let (mut heard, mut buffer, mut frame) = (Vec::new(), [0; 256], [0; MAX_FRAME]);
    loop {
        while let Some(out) = device.transmit(0, &mut frame) {
            if cable.write_all(out).await.is_err() {
                return heard;
            }
        }
        match cable.read(&mut buffer).await {
            Ok(count) if count > 0 => {
                heard.extend_from_slice(&buffer[..count]);
                let mut input = &buffer[..count];
                while device.receive(0, &mut input).is_some() {}
            }
            _ => return heard,
        }
    }
}

const KEY: [u8; 16] = [7; 16];

fn expect(role: Role) -> Expect {
    Expect { role, serial: None }
}

/// Keys of a station that has none.
struct NoKeys;

impl Keyring for NoKeys {
    fn key(&self, _: &str) -> Option<Key> {
        None
    }
}

fn told(heard: &[u8]) -> Vec<Got<ToDevice>> {
    let (mut decoder, mut input) = (Decoder::new(), heard);
    std::iter::from_fn(|| decoder.next::<ToDevice>(&mut input, None)).collect()
}

#[tokio::test]
async fn a_device_of_which_there_is_no_key_or_that_is_another_is_asked_for_its_hello_and_told_nothing_else() {
    for role in [Role::Keypad, Role::Shoe] {
        let (place, socket) = memory();
        let device = tokio::spawn(keypad(socket.plug(4096), Version::NEWEST, None));
        let answer = if role == Role::Shoe {
            link(place, expect(role), Key::new(KEY)).await.unwrap()
        } else {
            tokio::time::timeout(LINK_WITHIN, link(place, expect(role), NoKeys)).await.unwrap().unwrap()
        };
        let Answer::Hello(hello) = answer else { panic!("no hello") };
        assert_eq!((hello.role, hello.serial.as_str(), hello.boots), (Role::Keypad, "K-1", 4));
        let told = told(&device.await.unwrap());
        assert!(!told.is_empty());
        let is_hello = |got: &Got<ToDevice>| matches!(got, Got::Clear(ToDevice::Hello { .. }));
        assert!(told.iter().all(is_hello), "{told:?}");
    }
}

#[tokio::test]
async fn the_right_device_proves_that_it_holds_its_key_and_no_session_begins() {
    for version in [Version::NEWEST, Version::Three, Version::Two] {
        for (kept, is_same) in [(KEY, true), ([8; 16], false)] {
            let (place, socket) = memory();
            let device = tokio::spawn(keypad(socket.plug(4096), version, Some(Key::new(KEY))));
            let answer = link(place, expect(Role::Keypad), Key::new(kept)).await.unwrap();
            let as_kept =
                if is_same { matches!(answer, Answer::Hello(_)) } else { matches!(answer, Answer::OtherKey(_)) };
            assert!(as_kept, "{version:?} {answer:?}");
            let told = told(&device.await.unwrap());
            let begins =
                |got: &Got<ToDevice>| !matches!(got, Got::Clear(ToDevice::Hello { .. } | ToDevice::Challenge(_)));
            assert!(!told.iter().any(begins), "{version:?} {told:?}");
        }
    }
}

#[tokio::test]
async fn silence_noise_and_an_end_are_told_apart() {
    let (place, socket) = memory();
    let _silent = socket.plug(4096);
    assert_eq!(link(place, expect(Role::Keypad), NoKeys).await.unwrap(), Answer::Silent { noise: false });
    let (place, socket) = memory();
    let mut noisy = socket.plug(4096);
    noisy.write_all(&[0x55, 0, 0xAA, 0]).await.unwrap();
    assert_eq!(link(place, expect(Role::Keypad), NoKeys).await.unwrap(), Answer::Silent { noise: true });
    let (place, socket) = memory();
    drop(socket.plug(4096));
    assert!(matches!(link(place, expect(Role::Keypad), NoKeys).await.unwrap(), Answer::Closed(_)));
    let (place, _socket) = memory();
    assert!(link(place, expect(Role::Keypad), NoKeys).await.is_err());
}

#[tokio::test]
async fn a_hello_whose_serial_number_is_none_is_told_as_that() {
    for (serial, told) in [("K\x1b[2J", "other characters"), ("K-000000000000017", "longer than 16 characters")] {
        let (place, socket) = memory();
        let mut cable = socket.plug(4096);
        let mut frame = [0; MAX_FRAME];
        let hello = (1u8, PROTOCOL, 3u8, serial, [0u8, 1, 0], SCHEMA_4, (1u32, 9u32, 1u32));
        cable.write_all(encode(&hello, &mut frame).unwrap()).await.unwrap();
        let answer = link(place, expect(Role::Keypad), NoKeys).await.unwrap();
        assert!(matches!(&answer, Answer::Refused(why) if why.contains(told)), "{answer:?}");
    }
}

#[tokio::test]
async fn a_tower_of_either_kind_is_asked_what_it_shows_and_told_nothing() {
    for shows in [&[1, 0, 0, 0, 0, 1][..], &[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let tower = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (mut heard, mut buffer) = (Vec::new(), [0; 64]);
            while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                heard.extend_from_slice(&buffer[..count]);
                let _ = stream.write_all(shows).await;
            }
            heard
        });
        assert_eq!(pns(address).await.unwrap(), Answer::There);
        assert_eq!(tower.await.unwrap(), b"ABG\0\0\0", "the question, once");
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    assert!(matches!(pns(address).await.unwrap(), Answer::Refused(_)), "it takes the connection and says nothing");
    drop(listener);
    assert!(pns(address).await.is_err());
}

/// Without USB hardware this says so; with it, whether the tower is there. It never panics.
#[test]
fn the_usb_tower_is_looked_for_on_any_machine() {
    if let Err(error) = lr6() {
        assert!(!error.to_string().is_empty());
    }
}
