//! `docs/examples/vectors.txt`: what the code does, and what everybody else's does.
use std::collections::HashMap;
use std::fmt::Debug;

use ascon_aead::AsconAead128;
use ascon_aead::aead::array::Array;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_xof128::{AsconXof128, ExtendableOutput, Update, XofReader};
use sabot_wire::device::Device;
use sabot_wire::frame::{Decoder, Got, MAX_FRAME, crc32c, encode, encode_sealed};
use sabot_wire::message::{Key, Nonce, Role, ToDevice, ToHost};
use sabot_wire::pairing::{Code, Pairs, Secrets, share_of};
use sabot_wire::seal::{Channel, Keys, Once, Opened, Parties};
use sabot_wire::{Version, ring::Ring};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::ser::SerializeTuple;

use crate::common::vectors::{byte, check};
use crate::version_4::common::ends::key;
use crate::version_4::common::pair::identity;

const VECTORS: &str = include_str!("../../../../docs/examples/vectors.txt");
const SESSION: &str = include_str!("../golden_v4_session.txt");

/// Every kind of vector, in the order of the document.
pub(crate) const KINDS: [&str; 21] = [
    "crc32c",
    "xof",
    "aead",
    "secrets",
    "keys",
    "x25519",
    "code",
    "pairs",
    "varint",
    "reads",
    "unreadable",
    "frame",
    "unframes",
    "message",
    "seals",
    "opens",
    "shut",
    "senseless",
    "refused",
    "host-refuses",
    "session",
];

fn bytes(hex: &str) -> Vec<u8> {
    if hex == "-" { Vec::new() } else { hex.as_bytes().chunks(2).map(byte).collect() }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A body that is written as it is.
#[derive(Serialize)]
struct Body(#[serde(serialize_with = "each")] Vec<u8>);

fn each<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(bytes.len())?;
    bytes.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
    tuple.end()
}

/// The frame of a body of any length.
fn framed(body: &[u8]) -> Vec<u8> {
    let mut checked = body.to_vec();
    checked.extend(crc32c(body).to_le_bytes());
    let mut frame = vec![0; 1 + cobs::max_encoding_length(checked.len())];
    let end = cobs::encode(&checked, &mut frame[1..]);
    frame.truncate(1 + end);
    frame.push(0);
    frame
}

fn unframed(frame: &[u8]) -> Vec<u8> {
    let mut inside = frame[1..frame.len() - 1].to_vec();
    let end = cobs::decode_in_place(&mut inside).expect("COBS");
    let (body, crc) = inside[..end].split_at(end - 4);
    assert_eq!(crc, crc32c(body).to_le_bytes());
    body.to_vec()
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What the rows of `keys` say of a session, by its mark: a device's end and its host's, made anew for each vector.
#[derive(Default)]
struct Sessions(HashMap<u8, [u8; 32]>);

impl Sessions {
    fn of(&self, mark: &str) -> (Channel, Channel) {
        let mark = bytes(mark)[0];
        let keys = Keys::told(&self.0[&mark], mark);
        (keys.device_end(), keys.host_end())
    }

    /// The device's end after it has opened the frame of that counter.
    fn device_after(&self, mark: &str, last: &str) -> Channel {
        let (mut device, mut host) = self.of(mark);
        let last = number(last);
        while device.opened() < last {
            // sixteen bits tell a counter that is not further ahead
            host.skip((last - device.opened()).min(65_500) - 1);
            let frame = sealed(&[2, 0], &mut host);
            assert!(matches!(device.open(&mut unframed(&frame)), Opened::Message(_)));
        }
        device
    }
}

fn sealed(message: &[u8], channel: &mut Channel) -> Vec<u8> {
    encode_sealed(&Body(message.to_vec()), channel, &mut [0; MAX_FRAME]).expect("it fits").to_vec()
}

fn aead(key: &str, nonce: &str, plain: &str) -> String {
    let cipher = AsconAead128::new_from_slice(&bytes(key)).expect("16 bytes");
    let (nonce, mut text) = (Array::try_from(&bytes(nonce)[..]).expect("16 bytes"), bytes(plain));
    let tag = cipher.encrypt_inout_detached(&nonce, &[], text[..].as_mut().into()).expect("it fits");
    hex(&text) + &hex(&tag)
}

fn xof(parts: &[&[u8]]) -> [u8; 48] {
    let mut xof = AsconXof128::default();
    parts.iter().for_each(|part| xof.update(part));
    let mut out = [0; 48];
    xof.finalize_xof().read(&mut out);
    out
}

fn numbers_of<N: DeserializeOwned>(digits: &str) -> Option<N> {
    match postcard::take_from_bytes(&bytes(digits)) {
        Ok((number, [])) => Some(number),
        _ => None,
    }
}

/// A frame in which there is nothing: counted as bad.
fn is_bad<M: DeserializeOwned + Debug>(frame: &[u8]) {
    let mut decoder = Decoder::new();
    let got = decoder.next::<M>(&mut &frame[..], None);
    assert!(got.is_none() && decoder.bad() == 1, "{got:?}");
}

/// A device that has a key and no session answers nothing and keeps nothing.
fn is_refused(frame: &[u8]) {
    let (ring, _) = Ring::restore(vec![0; 1500], 100).expect("large enough");
    let mut shoe = Device::new(identity(1, Some(key(0x0B))), ring);
    let mut out = [0; MAX_FRAME];
    while shoe.transmit(0, &mut out).is_some() {}
    let order = shoe.receive(0, &mut &frame[..]);
    let answer = shoe.transmit(0, &mut out);
    assert!(order.is_none() && answer.is_none() && !shoe.in_session(), "{order:?} {answer:02x?}");
}

/// The shares of both, and what both know.
fn pairs(code: &str, secrets: [&str; 2], role: &str, serial: &str) -> String {
    let code = Code::new(bytes(code).try_into().expect("10 bytes"));
    let serial = String::from_utf8(bytes(serial)).expect("a serial number");
    let pairs = Pairs { code: &code, role: Role::ALL[number(role) as usize], serial: &serial };
    let secrets = secrets.map(|secret| <[u8; 32]>::try_from(bytes(secret)).expect("32 bytes"));
    let [host, device] = secrets.map(|secret| share_of(&secret));
    let known = Secrets::of_host(&pairs, &secrets[0], &device).expect("a secret");
    let again = Secrets::of_device(&pairs, &secrets[1], &device, &host).expect("a secret");
    let all = |known: &Secrets| [&known.key.bytes()[..], &known.of_device, &known.of_host].concat();
    assert_eq!(all(&known), all(&again));
    hex(&[&host[..], &device, &all(&known)].concat())
}

/// What is known once the challenge is answered; both shares, the host's with its proof; the session's own keys.
fn secrets(key: &Key, nonces: [Nonce; 2], role: Role, serial: &str, numbers: [[u8; 32]; 2]) -> String {
    let once = numbers.map(Once::new);
    let ([challenge, answer], [host, device]) = (&nonces, once.each_ref().map(Once::share));
    let parties = Parties { version: Version::Four, role, serial, challenge, answer };
    let greeting = Keys::of(key, &parties);
    let keys = greeting.exchanged([&host, &device], &once[0].with(&device)).expect("a share");
    let again = greeting.exchanged([&host, &device], &once[1].with(&host)).expect("a share");
    let ends = [role as u8, serial.len() as u8];
    let known = xof(&[b"sabot-link-4", key.bytes(), &challenge.0, &answer.0, &ends, serial.as_bytes()]);
    let turn = greeting.turn(&host);
    assert_eq!((known[32..].to_vec(), keys.proof()), (greeting.proof().to_vec(), again.proof()));
    assert_eq!(turn, xof(&[b"sabot-turn-4", &known[..16], &host.0])[..16]);
    let common = x25519_dalek::x25519(numbers[0], device.0);
    let drawn = xof(&[b"sabot-keys-4", &known[..32], &host.0, &device.0, &common]);
    assert_eq!(drawn[32..], keys.proof());
    hex(&[&known[..], &host.0, &turn, &device.0, &drawn].concat())
}

/// What is found; the result itself where that is a reason why nothing is.
fn found(sessions: &mut Sessions, kind: &str, arguments: &[&str], result: &str) -> String {
    match (kind, arguments) {
        ("crc32c", [data]) => return format!("{:08x}", crc32c(&bytes(data))),
        ("xof", [data]) => return hex(&xof(&[&bytes(data)])),
        ("aead", [key, nonce, plain]) => return aead(key, nonce, plain),
        ("secrets", [key, challenge, answer, role, serial, of_host, of_device]) => {
            let sixteen = |hex: &str| <[u8; 16]>::try_from(bytes(hex)).expect("16 bytes");
            let once = |hex: &str| <[u8; 32]>::try_from(bytes(hex)).expect("32 bytes");
            return secrets(
                &Key::new(sixteen(key)),
                [Nonce(sixteen(challenge)), Nonce(sixteen(answer))],
                Role::ALL[number(role) as usize],
                &String::from_utf8(bytes(serial)).expect("a serial number"),
                [once(of_host), once(of_device)],
            );
        }
        ("keys", [mark]) => {
            sessions.0.insert(bytes(mark)[0], bytes(result).try_into().expect("32 bytes"));
        }
        ("x25519", [secret, share]) => {
            let [secret, share] = [secret, share].map(|part| <[u8; 32]>::try_from(bytes(part)).expect("32 bytes"));
            return hex(&x25519_dalek::x25519(secret, share));
        }
        ("code", typed) => return hex(Code::typed(&typed.join(" ")).expect("a code").bytes()),
        ("pairs", [code, of_host, of_device, role, serial]) => return pairs(code, [of_host, of_device], role, serial),
        ("varint", [value]) => return hex(postcard::to_slice(&(number(value) as u32), &mut [0; 5]).expect("it fits")),
        ("reads", [digits]) => return numbers_of::<u32>(digits).expect("a number").to_string(),
        ("unreadable", [digits]) => assert_eq!(numbers_of::<u32>(digits), None),
        ("frame", [body]) => {
            let frame = framed(&bytes(body));
            assert_eq!(unframed(&frame), bytes(body));
            let within = bytes(body).len() <= sabot_wire::frame::MAX_BODY;
            let ours = within.then(|| encode(&Body(bytes(body)), &mut [0; MAX_FRAME]).expect("it fits").to_vec());
            assert!(ours.is_none_or(|ours| ours == frame));
            return hex(&frame);
        }
        ("unframes", [frame]) => return hex(&unframed(&bytes(frame))),
        ("message", [direction, json]) => {
            check(direction, json, result);
        }
        ("seals", [mark, counter, message]) => {
            let (mut device, mut host) = sessions.of(mark);
            device.skip(number(counter) - 1);
            let frame = sealed(&bytes(message), &mut device);
            if number(counter) < 1 << 16 {
                assert!(matches!(host.open(&mut unframed(&frame)), Opened::Message(_)));
            }
            return hex(&frame);
        }
        ("opens", [mark, last, frame]) => {
            let mut body = unframed(&bytes(frame));
            let Opened::Message(message) = sessions.device_after(mark, last).open(&mut body) else { panic!("shut") };
            return hex(message);
        }
        ("shut", [mark, last, frame]) => {
            let mut device = sessions.device_after(mark, last);
            let opened = matches!(device.open(&mut unframed(&bytes(frame))), Opened::Message(_));
            assert!(!opened && device.opened() == number(last));
        }
        ("senseless", [mark, last, frame]) => {
            let (frame, mut device) = (bytes(frame), sessions.device_after(mark, last));
            let got = Decoder::new().next::<ToDevice>(&mut &frame[..], Some(&mut device));
            assert_eq!(got, Some(Got::Senseless { event: None }));
        }
        ("refused", [frame]) => is_refused(&bytes(frame)),
        ("host-refuses", [frame]) => is_bad::<ToHost>(&bytes(frame)),
        ("session", _) => {}
        _ => panic!("no such kind"),
    }
    result.to_owned()
}

#[test]
fn every_vector_holds() {
    let mut sessions = Sessions::default();
    let (mut kinds, mut session) = (Vec::new(), String::new());
    for row in VECTORS.lines().filter(|row| !row.is_empty() && !row.starts_with('#')) {
        let (kind, rest) = row.split_once(' ').expect("kind");
        if kinds.last() != Some(&kind) {
            kinds.push(kind);
        }
        if kind == "session" {
            session += &format!("{rest}\n");
            continue;
        }
        let (left, result) = rest.rsplit_once(" = ").expect("arguments = result");
        let most = if kind == "message" { 2 } else { usize::MAX };
        let arguments: Vec<_> = left.splitn(most, ' ').collect();
        assert_eq!(found(&mut sessions, kind, &arguments, result), result, "{row}");
    }
    assert_eq!(kinds, KINDS, "each kind stands together, in the order of the document");
    assert_eq!(session, SESSION, "the whole session is the golden one");
}

#[test]
fn a_last_01_after_a_full_block_is_taken() {
    let body = [&[0x53], &[1; 249][..]].concat();
    let mut frame = framed(&body);
    let got = |frame: &[u8]| Decoder::new().next::<ToDevice>(&mut &frame[..], None);
    assert_eq!((frame.len(), got(&frame)), (257, Some(Got::Unopened)), "one full block");
    frame.insert(256, 1);
    assert_eq!(got(&frame), Some(Got::Unopened));
}
