//! A reader module and the chips on the felt, for a chip reader in QEMU: the other end of its second UART.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sabot_drivers::feig::frame::{Decoder, Form, Frame};
use sabot_wire::message::Chip;

use crate::board::Board;
use crate::must;
use crate::pins::pin;

const INVENTORY: u8 = 0x01;
const READ_BLOCKS: u8 = 0x23;
const NO_TAG: u8 = 0x01;
/// Where a chip tells its value.
const VALUE_BLOCK: u8 = 4;

/// What lies on the felt, by antenna, and whether the module answers.
#[derive(Debug, Default)]
pub struct ReaderModule {
    chips: Mutex<BTreeMap<u32, Vec<Chip>>>,
    mute: AtomicBool,
    over: AtomicBool,
}

impl ReaderModule {
    fn chips(&self) -> MutexGuard<'_, BTreeMap<u32, Vec<Chip>>> {
        self.chips.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These chips now lie on an antenna; none: nothing lies there.
    pub fn lies(&self, antenna: u32, chips: &[Chip]) {
        self.chips().insert(antenna, chips.into());
    }

    /// The module answers no more.
    pub fn mute(&self) {
        self.mute.store(true, Ordering::Relaxed);
    }

    /// Ends [`ReaderModule::run`].
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// The module: it sees what lies on the antenna that the multiplexer has chosen when it is asked.
    ///
    /// # Panics
    /// When the board asks what no module understands.
    pub fn run(&self, board: &Board) {
        let mut line = board.sensor();
        must("a limit of patience", line.set_read_timeout(Some(Duration::from_millis(50))));
        let (mut decoder, begun, mut chunk) = (Decoder::new(1000), Instant::now(), [0; 64]);
        while !self.over.load(Ordering::Relaxed) {
            let Ok(count) = line.read(&mut chunk) else { continue };
            decoder.push(begun.elapsed().as_millis() as u64, &chunk[..count]);
            while let Some(request) = decoder.next_frame() {
                let request = must("the board's frames are sound", request);
                let antenna = u32::from(board.pins().levels(pin('B', 0), 0x1F));
                if !self.mute.load(Ordering::Relaxed) {
                    let body = self.answer(antenna, &request.body);
                    let reply = Frame { form: Form::Advanced, address: 0, command: request.command, body };
                    let bytes = must("a reply", reply.encode());
                    must("the board listens", line.write_all(&bytes));
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
                match chips.iter().find(|chip| chip.uid == uid) {
                    Some(chip) => [0, 1, 4, 0].into_iter().chain(chip.value.to_be_bytes()).collect(),
                    None => vec![NO_TAG], // taken away since the inventory
                }
            }
            _ => panic!("the board asks {request:02X?}"),
        }
    }
}
