//! Fingers on the matrix of a keypad in QEMU.
//!
//! The board drives its rows one after the other and reads the columns of each. A key that is down joins its column
//! with its row, so its column must be high when that row is, and low when it is not. The processor stands still while
//! the wires are moved: it reads what a key makes, however late this process runs.

use sabot_firmware::keys::{COLUMNS, Key, LAYOUT};

use crate::board::Board;
use crate::pins::pin;
use crate::qemu_debugger::Halted;

/// Scans in a row in which the firmware must see a key.
const SEEN: u32 = 2;
/// Scans in a row without it, after which it takes a key for released.
const RELEASED: u32 = 3;

/// The wires of a matrix between the board's rows, PB0 to PB4, and columns.
#[derive(Default)]
pub struct KeyMatrix {
    /// The keys pressed last, by row and column, the very last at the end: with two others in between a key is
    /// released.
    recent: [Option<(usize, usize)>; 2],
}

impl KeyMatrix {
    /// Presses keys, one after the other, as fast as the board understands them; it has understood the last one when
    /// this returns.
    ///
    /// # Panics
    /// When it does not scan its keys.
    pub fn press(&mut self, board: &Board, keys: &[Key]) {
        let mut scanning = Scanning { board, processor: board.halt() };
        for wanted in keys {
            let mut rows = LAYOUT.iter().enumerate();
            let place = |(row, keys): (usize, &[Key; COLUMNS])| Some((row, keys.iter().position(|key| key == wanted)?));
            let Some(place) = rows.find_map(place) else { panic!("the keypad has no key {wanted:?}") };
            if self.recent.contains(&Some(place)) {
                scanning.pass(place.0, RELEASED);
            }
            scanning.hold(place);
            self.recent = [self.recent[1], Some(place)];
        }
        // a scan is judged at its end, and what it makes of the last key is kept before the second row is driven
        scanning.until(0, true);
        scanning.until(1, true);
    }
}

/// The board while its keys are pressed.
struct Scanning<'a> {
    board: &'a Board,
    processor: Halted,
}

impl Scanning<'_> {
    /// Joins a column with a row for the scans in which it must be seen.
    fn hold(&mut self, (row, column): (usize, usize)) {
        const PINS: [(char, u8); COLUMNS] = [('C', 4), ('C', 5), ('C', 6), ('D', 4), ('D', 5), ('D', 6)];
        let (port, number) = PINS[column];
        for _ in 0..SEEN {
            self.until(row, true);
            self.board.pins().set(pin(port, number), true);
            self.until(row, false);
            self.board.pins().set(pin(port, number), false);
        }
    }

    /// Lets scans pass without a key.
    fn pass(&mut self, row: usize, scans: u32) {
        for _ in 0..scans {
            self.until(row, true);
            self.until(row, false);
        }
    }

    /// Runs until that row begins to be driven, or no longer is: its pin is written when that changes.
    fn until(&mut self, row: usize, driven: bool) {
        let row = pin('B', row as u8);
        loop {
            self.processor.run_until_written(row.data());
            if self.board.pins().is_high(row) == driven {
                break;
            }
        }
    }
}
