//! The link's own device session, as our boards and twins run it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sabot_drivers::keys::KeyFile;
use sabot_drivers::transport::memory;
use sabot_wire::Version;
use sabot_wire::device::{Device, Identity, Order};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{
    Card, ChipsSaw, HandId, Image, Key, KeypadSaid, Observation, Place, Role, ShoeSaw, ShufflerSaw, Started,
};
use sabot_wire::pairing::Code;
use sabot_wire::ring::Ring;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{Instant, timeout};

use super::{AtHand, examined, named};
use sabot_drivers::conform::Duty;

const EPOCH: u32 = 0x5eed_0001;

struct Board {
    version: Version,
    role: Role,
    boots: u32,
    key: Option<Key>,
    code: Option<Code>,
    began: Instant,
    device: Device<Vec<u8>>,
}

fn identity(role: Role, boots: u32, key: Option<Key>) -> Identity {
    let serial = heapless::String::try_from("T-0001").unwrap();
    let (started, entropy) = (Started::Power, [boots as u8; 16]);
    Identity { role, serial, firmware: [0, 1, 0], image: Image([0x1A; 32]), boots, started, key, entropy }
}

impl Board {
    /// With a key, or with a code to be paired by.
    fn new(version: Version, role: Role, code: Option<Code>) -> Self {
        let (ring, _) = Ring::restore(vec![0; 4096], EPOCH).unwrap();
        let key = if code.is_none() { Some(Key::new([9; 16])) } else { None };
        let device = Device::speaking(version, identity(role, 1, key.clone()), ring).with_code(code.clone());
        Self { version, role, boots: 1, key, code, began: Instant::now(), device }
    }

    fn started(&self, ring: Ring<Vec<u8>>) -> Device<Vec<u8>> {
        let identity = identity(self.role, self.boots, self.key.clone());
        Device::speaking(self.version, identity, ring).with_code(self.code.clone())
    }

    fn now(&self) -> u32 {
        self.began.elapsed().as_millis() as u32
    }

    fn sees(&mut self) {
        let hand = Place::Hand(HandId::first(1));
        let saw = match self.role {
            Role::Shoe => Observation::Shoe(ShoeSaw::Drawn(Card::from_code(7))),
            Role::Shuffler => Observation::Shuffler(ShufflerSaw::DoorOpen),
            Role::Chips => Observation::Chips(ChipsSaw::CardTurned { place: hand }),
            Role::Keypad => Observation::Keypad(KeypadSaid::CloseBets),
            Role::Display => unreachable!("a display is not asked"),
        };
        let now = self.now();
        self.device.observe(now, &saw).unwrap();
    }

    fn restarts(&mut self) {
        self.boots += 1;
        let (empty, _) = Ring::restore(vec![0; 4096], 1).unwrap();
        let blank = self.started(empty);
        let memory = std::mem::replace(&mut self.device, blank).into_memory();
        let (ring, _) = Ring::restore(memory, EPOCH + 1).unwrap();
        self.device = self.started(ring);
        self.began = Instant::now();
    }
}

struct AtBoard(Arc<Mutex<Board>>);

impl AtHand for AtBoard {
    fn asked(&self, what: &str) -> bool {
        let mut board = self.0.lock().unwrap();
        if what.contains("take its power") {
            board.restarts()
        } else {
            board.sees()
        }
        true
    }
}

async fn run(board: Arc<Mutex<Board>>, mut cable: DuplexStream) {
    let (mut buffer, mut frame) = ([0; 1024], [0; MAX_FRAME]);
    loop {
        let mut out = Vec::new();
        {
            let mut board = board.lock().unwrap();
            let now = board.now();
            while let Some(more) = board.device.transmit(now, &mut frame) {
                out.extend_from_slice(more);
            }
        }
        if cable.write_all(&out).await.is_err() {
            return;
        }
        if let Ok(read) = timeout(Duration::from_millis(1), cable.read(&mut buffer)).await {
            let Ok(count @ 1..) = read else { return };
            let mut board = board.lock().unwrap();
            let (now, mut input) = (board.now(), &buffer[..count]);
            while let Some(order) = board.device.receive(now, &mut input) {
                if let Order::Keep(key) = order {
                    board.key = Some(key);
                }
            }
        }
    }
}

/// The mistake that is found in a board of ours.
async fn found(version: Version, role: Role, code: Option<Code>) -> Option<Duty> {
    let folder = tempfile::tempdir().unwrap();
    let keys = KeyFile::new(folder.path().join("keys.toml"));
    if code.is_none() {
        keys.add("T-0001", &Key::new([9; 16])).unwrap();
    }
    let board = Arc::new(Mutex::new(Board::new(version, role, code.clone())));
    let (place, socket) = memory();
    tokio::spawn(run(Arc::clone(&board), socket.plug(1 << 16)));
    let report = examined(place, &keys, code.is_some(), code.as_ref(), &AtBoard(board)).await;
    assert_eq!(report.over, None);
    if let Some((duty, found)) = &report.mistake {
        assert_eq!((*duty, version), (Duty::Version, Version::Three), "{role}: {found}");
        assert!(found.contains("it speaks version 3, an older one"), "{found}");
    }
    named(&report)
}

#[tokio::test(start_paused = true)]
async fn every_device_of_ours_is_right() {
    for role in Role::ALL {
        assert_eq!(found(Version::Four, role, None).await, None);
        assert_eq!(found(Version::Four, role, Some(Code::new([3; 10]))).await, None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_device_of_an_older_version_is_told_so() {
    assert_eq!(found(Version::Three, Role::Shoe, None).await, Some(Duty::Version));
}

#[tokio::test(start_paused = true)]
async fn one_that_rightly_takes_no_key_is_not_called_wrong() {
    for (code, way) in [(Some(Code::new([7; 10])), "give it with --code"), (None, "hold its pairing switch")] {
        let folder = tempfile::tempdir().unwrap();
        let keys = KeyFile::new(folder.path().join("keys.toml"));
        let board = Arc::new(Mutex::new(Board::new(Version::Four, Role::Shoe, code)));
        let (place, socket) = memory();
        tokio::spawn(run(Arc::clone(&board), socket.plug(1 << 16)));
        let report = examined(place, &keys, true, None, &AtBoard(board)).await;
        assert_eq!((named(&report), report.paired), (None, false));
        assert!(report.over.as_ref().is_some_and(|over| over.contains(way)), "{:?}", report.over);
    }
}
