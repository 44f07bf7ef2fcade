//! A board in QEMU on the bench: what its sensors see is put on its second UART, its contacts and its keys.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use sabot_law::table::Card;
use sabot_simulation::twin::serial;
use sabot_wire::message::{
    BetSpot, ChipsSaw, DeviceState, Key, KeypadSaid, Lamp, Observation, Role, ShoeSaw, ShufflerSaw,
};

use crate::board::{Board, Time};
use crate::cable::Socket;
use crate::device::Device;
use crate::key_matrix::KeyMatrix;
use crate::pins::{Pin, pin};
use crate::reader_module::ReaderModule;
use crate::{keystrokes, must};

/// Longer than a contact must rest, which the pins do not show.
const RESTED_MS: u64 = 200;

/// The board, and what stands at its pins.
pub(crate) struct EmulatedDevice {
    board: Arc<Board>,
    head: Mutex<UnixStream>,
    matrix: Mutex<KeyMatrix>,
    reader: Arc<ReaderModule>,
    reader_thread: Option<JoinHandle<()>>,
}

impl EmulatedDevice {
    /// A board that has just been given power.
    pub(crate) fn start(role: Role, key: Key) -> Self {
        let board = Arc::new(Board::start_in(Time::World, role, serial(role), Some(key)));
        let reader = Arc::new(ReaderModule::default());
        let (head, reader_thread) = if role == Role::Chips {
            let (of_module, at) = (Arc::clone(&reader), Arc::clone(&board));
            let run = std::thread::spawn(move || of_module.run(&at));
            (must("a line that leads nowhere", UnixStream::pair()).0, Some(run))
        } else {
            (board.sensor(), None)
        };
        if role == Role::Shuffler {
            board.pins().set(pin('B', 1), true); // ready
        }
        Self { board, head: Mutex::new(head), matrix: Mutex::default(), reader, reader_thread }
    }

    fn head(&self, line: &str) {
        let mut head = self.head.lock().unwrap_or_else(PoisonError::into_inner);
        must("the board hears its scanner head", head.write_all(format!("{line}\r\n").as_bytes()));
    }

    fn shoe(&self, saw: ShoeSaw) {
        const GATE: (char, u8) = ('B', 0);
        match saw {
            ShoeSaw::Drawn(Card::UNREAD) => self.head("NR"),
            ShoeSaw::Drawn(card) => self.head(&card.to_string()),
            ShoeSaw::CutCard => self.head("CUT"),
            ShoeSaw::Empty => self.board.pins().set(pin(GATE.0, GATE.1), true),
            ShoeSaw::Loaded { cards, cut_card } => {
                self.board.pins().set(pin(GATE.0, GATE.1), false);
                self.head(&format!("LOAD {cards} {cut_card}"));
            }
        }
    }

    fn shuffler(&self, saw: ShufflerSaw) {
        let [door, ready, fault, counter] = [0, 1, 2, 3].map(|number| pin('B', number));
        match saw {
            ShufflerSaw::DoorOpen => self.board.pins().set(door, true),
            ShufflerSaw::DoorClosed => self.board.pins().set(door, false),
            ShufflerSaw::Jam => self.board.pins().set(fault, true),
            ShufflerSaw::Done { decks, cards } => {
                for bit in 0..3 {
                    self.board.pins().set(pin('B', 4 + bit), decks.saturating_sub(1) >> bit & 1 == 1);
                }
                self.board.pins().set(fault, false);
                self.board.pins().set(ready, false);
                self.board.wait_ms(RESTED_MS);
                for _ in 0..cards {
                    self.board.pins().pulse(counter);
                }
                self.board.pins().set(ready, true);
            }
        }
    }

    fn keypad(&self, said: &KeypadSaid) {
        let Some(keys) = keystrokes::keys(said) else { panic!("the keypad has no keys for {said:?}") };
        let mut matrix = self.matrix.lock().unwrap_or_else(PoisonError::into_inner);
        matrix.press(&self.board, &keys);
    }

    fn chips(&self, saw: &ChipsSaw) {
        let ChipsSaw::Spot { box_no, hand: 0, spot, chips } = saw else {
            panic!("the board's chip reader has no antenna for {saw:?}");
        };
        let beside = match spot {
            BetSpot::Main => 0,
            BetSpot::Double => 1,
            BetSpot::Split => 2,
            BetSpot::Insurance => 3,
        };
        self.reader.lies((u32::from(*box_no) - 1) * 4 + beside, chips);
    }

    fn state(&self, state: DeviceState) {
        const LID: (char, u8) = ('B', 1);
        match state {
            DeviceState::Jam => self.head("JAM"),
            DeviceState::ReadError => self.head("BLIND"),
            DeviceState::LidOpen => self.board.pins().set(pin(LID.0, LID.1), true),
            DeviceState::LidClosed => self.board.pins().set(pin(LID.0, LID.1), false),
            DeviceState::Tamper => self.board.pins().set(pin('B', 2), true),
            DeviceState::RingFull | DeviceState::RingFree => panic!("no sensor of the shoe sees its ring: {state:?}"),
        }
    }
}

impl Device for EmulatedDevice {
    fn end(&self) -> Socket {
        Socket::Port(self.board.port())
    }

    fn serial(&self) -> String {
        serial(self.board.role()).to_owned()
    }

    fn see(&self, saw: &Observation) {
        match saw {
            Observation::Shoe(saw) => self.shoe(*saw),
            Observation::Shuffler(saw) => self.shuffler(*saw),
            Observation::Chips(saw) => self.chips(saw),
            Observation::Keypad(said) => self.keypad(said),
            Observation::Device(state) => self.state(*state),
        }
    }

    fn restart(&self) {
        self.board.reset();
    }

    fn lit(&self, lamp: Lamp) -> Option<bool> {
        const PINS: [(Lamp, fn() -> Pin); 3] =
            [(Lamp::Red, || pin('B', 0)), (Lamp::Amber, || pin('B', 1)), (Lamp::Green, || pin('B', 2))];
        Some(PINS.iter().all(|(of, pin)| self.board.pins().is_high(pin()) == (*of == lamp)))
    }

    fn do_not_draw(&self) -> Option<bool> {
        Some(self.board.pins().is_high(pin('F', 0)))
    }
}

impl Drop for EmulatedDevice {
    fn drop(&mut self) {
        self.reader.end();
        if let Some(thread) = self.reader_thread.take() {
            // what it did not understand it has said
            let _ = thread.join();
        }
    }
}
