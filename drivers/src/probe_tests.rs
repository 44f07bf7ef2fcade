use super::*;
use crate::transport::memory;
use sabot_wire::device::{Device, Identity};
use sabot_wire::message::{Image, Role, Started};
use sabot_wire::ring::Ring;
use tokio::io::DuplexStream;

/// Answers as a keypad until the cable is pulled; gives every message the host has sent.
async fn keypad(mut cable: DuplexStream) -> Vec<u8> {
    let (ring, _) = Ring::restore(vec![0; 4096], 5).unwrap();
    let serial = heapless::String::try_from("K-1").unwrap();
    let (started, key, entropy) = (Started::Power, None, [0; 16]);
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
    let mut device = Device::new(identity, ring);
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

#[tokio::test]
async fn a_device_is_asked_for_its_hello_and_told_nothing_else() {
    let (place, socket) = memory();
    let device = tokio::spawn(keypad(socket.plug(4096)));
    let Answer::Hello(hello) = link(place).await.unwrap() else { panic!("no hello") };
    assert_eq!((hello.role, hello.serial.as_str(), hello.boots), (Role::Keypad, "K-1", 4));
    let (heard, mut decoder) = (device.await.unwrap(), Decoder::new());
    let mut input = &heard[..];
    let mut told = Vec::new();
    while let Some(got) = decoder.next::<ToDevice>(&mut input, None) {
        told.push(got);
    }
    assert!(!told.is_empty());
    let hello = Got::Clear(ToDevice::Hello { protocol: PROTOCOL, schema: SCHEMA_4 });
    assert!(told.iter().all(|message| *message == hello), "{told:?}");
}

#[tokio::test]
async fn silence_noise_and_an_end_are_told_apart() {
    let (place, socket) = memory();
    let _silent = socket.plug(4096);
    assert_eq!(link(place).await.unwrap(), Answer::Silent { noise: false });
    let (place, socket) = memory();
    let mut noisy = socket.plug(4096);
    noisy.write_all(&[0x55, 0, 0xAA, 0]).await.unwrap();
    assert_eq!(link(place).await.unwrap(), Answer::Silent { noise: true });
    let (place, socket) = memory();
    drop(socket.plug(4096));
    assert!(matches!(link(place).await.unwrap(), Answer::Closed(_)));
    let (place, _socket) = memory();
    assert!(link(place).await.is_err());
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
