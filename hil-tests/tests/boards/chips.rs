//! The chip reader: a reader module, a multiplexer, chips on spots.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sabot_drivers::feig::frame::{Decoder, Form, Frame};
use sabot_hil_tests::board::{Board, pin};
use sabot_wire::message::{BetSpot, Chip, ChipsSaw, DeviceState, Observation, Role};

use crate::desk::{Desk, board};

const INVENTORY: u8 = 0x01;
const READ_BLOCKS: u8 = 0x23;
const NO_TAG: u8 = 0x01;
/// Where a chip tells its value.
const VALUE_BLOCK: u8 = 4;

/// What lies on the felt, by antenna, and whether the module answers.
#[derive(Default)]
struct Felt {
    chips: Mutex<BTreeMap<u32, Vec<Chip>>>,
    mute: AtomicBool,
    over: AtomicBool,
}

impl Felt {
    fn chips(&self) -> MutexGuard<'_, BTreeMap<u32, Vec<Chip>>> {
        self.chips.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lies(&self, antenna: u32, chips: &[Chip]) {
        self.chips().insert(antenna, chips.into());
    }

    /// The module: it sees what lies on the antenna that the multiplexer has chosen when it is asked.
    fn run(&self, board: &Board) {
        let mut line = board.sensor();
        line.set_read_timeout(Some(std::time::Duration::from_millis(50))).unwrap();
        let (mut decoder, begun, mut chunk) = (Decoder::new(1000), Instant::now(), [0; 64]);
        while !self.over.load(Ordering::Relaxed) {
            let Ok(count) = line.read(&mut chunk) else { continue };
            decoder.push(begun.elapsed().as_millis() as u64, &chunk[..count]);
            while let Some(request) = decoder.next_frame() {
                let request = request.expect("the board's frames are sound");
                let antenna = (0..5).map(|bit| u32::from(board.is_high(pin('B', bit))) << bit).sum();
                if !self.mute.load(Ordering::Relaxed) {
                    let body = self.answer(antenna, &request.body);
                    let reply = Frame { form: Form::Advanced, address: 0, command: request.command, body };
                    line.write_all(&reply.encode().unwrap()).unwrap();
                }
            }
        }
    }

    fn answer(&self, antenna: u32, request: &[u8]) -> Vec<u8> {
        let chips = self.chips().get(&antenna).cloned().unwrap_or_default();
        match *request {
            [INVENTORY, 0] if chips.is_empty() => vec![NO_TAG],
            [INVENTORY, 0] => {
                let record = |chip: &Chip| [3, 0].into_iter().chain(chip.uid.to_be_bytes());
                [0, chips.len() as u8].into_iter().chain(chips.iter().flat_map(record)).collect()
            }
            [READ_BLOCKS, 1, a, b, c, d, e, f, g, h, VALUE_BLOCK, 1] => {
                let uid = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
                let chip = chips.iter().find(|chip| chip.uid == uid).expect("a chip that lies there");
                [0, 1, 4, 0].into_iter().chain(chip.value.to_be_bytes()).collect()
            }
            _ => panic!("the board asks {request:02X?}"),
        }
    }
}

const fn chip(n: u64) -> Chip {
    Chip { uid: 0xE004_0100_0000_0000 + n, value: 50_000 * n as u32 }
}

fn spot(box_no: u8, spot: BetSpot, chips: &[Chip]) -> Observation {
    let chips = chips.iter().copied().collect();
    Observation::Chips(ChipsSaw::Spot { box_no, hand: 0, spot, chips })
}

#[test]
#[ignore = "wants QEMU and the images"]
fn chips_are_told_where_they_lie_once_they_lie_still_and_not_again_after_a_reset() {
    let board = board(Role::Chips, "CH-0001");
    let felt = Felt::default();
    std::thread::scope(|scope| {
        scope.spawn(|| felt.run(&board));
        let test = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut desk = Desk::open(&board);
            desk.online();
            felt.lies(8, &[chip(2), chip(1)]);
            desk.expect([spot(3, BetSpot::Main, &[chip(1), chip(2)])]);
            felt.lies(27, &[chip(3)]);
            desk.expect([spot(7, BetSpot::Insurance, &[chip(3)])]);
            board.reset();
            assert_eq!(desk.online().0.boots, 2);
            felt.lies(8, &[]);
            desk.expect([spot(3, BetSpot::Main, &[])]);
            felt.mute.store(true, Ordering::Relaxed);
            desk.expect([Observation::Device(DeviceState::ReadError)]);
        }));
        felt.over.store(true, Ordering::Relaxed);
        if let Err(failure) = test {
            std::panic::resume_unwind(failure);
        }
    });
}
