//! Fingers on the matrix of a keypad in QEMU.
//!
//! The board drives a row for 4 ms and then reads the columns; a key counts once two scans in a row have seen it. Who plays
//! the wires sees a row late when the machine is busy: so a scan counts here only when the row was seen to be still driven
//! after its column was connected, and after one that may have shown another key none is shown for a scan.

use std::time::{Duration, Instant};

use sabot_firmware::keys::{COLUMNS, Key, LAYOUT, ROWS};

use crate::PATIENCE;
use crate::board::{Board, Pin, pin};

/// Sure scans in a row for which a key is held. The firmware needs two; one more that is not sure could release it.
const HELD: u32 = 2;
/// Scans for which no key is held. The firmware needs three.
const RELEASED: usize = 4;
/// Within this time no scan can have gone round unseen: a whole one takes 20 ms.
const ROUND: Duration = Duration::from_millis(12);
/// The rows' pins of their port.
const ROW_BITS: u8 = (1 << ROWS) - 1;

/// The wires of a matrix between the board's rows and columns.
pub struct Matrix<'a> {
    board: &'a Board,
    /// Any of the rows: PB0 to PB4.
    rows: Pin,
    columns: [Pin; COLUMNS],
}

/// What the firmware has seen of a key in a scan.
enum Scan {
    /// The key, and the scan follows on the last one.
    Follows,
    /// The key, and there may have been a scan without it before.
    Alone,
    /// The key or not, and perhaps another one.
    Unsure,
}

impl<'a> Matrix<'a> {
    /// The keys of that board.
    #[must_use]
    pub fn on(board: &'a Board) -> Self {
        let columns =
            [('C', 4), ('C', 5), ('C', 6), ('D', 4), ('D', 5), ('D', 6)].map(|(port, number)| pin(port, number));
        Self { board, rows: pin('B', 0), columns }
    }

    /// Presses a key and lets go of it.
    ///
    /// # Panics
    /// When the board does not scan its keys.
    pub fn press(&self, wanted: Key) {
        let mut rows = LAYOUT.iter().enumerate();
        let place = |(row, keys): (usize, &[Key; COLUMNS])| Some((row, keys.iter().position(|key| *key == wanted)?));
        let Some((row, column)) = rows.find_map(place) else { return };
        let (until, mut sure) = (Instant::now() + PATIENCE, 0);
        while sure < HELD {
            assert!(Instant::now() < until, "the board's scans cannot be followed");
            sure = match self.connect_once(row, column) {
                Scan::Follows => sure + 1,
                Scan::Alone => 1,
                Scan::Unsure => {
                    // one scan without: another key is not seen twice, and this one, if it was, is not yet released
                    self.wait_for(row);
                    self.wait_for((row + 1) % ROWS);
                    0
                }
            };
        }
        self.leave_alone(RELEASED);
    }

    /// Connects a key's column with its row while that is driven, once.
    fn connect_once(&self, row: usize, column: usize) -> Scan {
        let follows = self.wait_for(row);
        let begun = Instant::now();
        self.connect(column, true);
        let in_time = self.driven() == row;
        let until = Instant::now() + PATIENCE;
        while in_time && self.driven() == row {
            assert!(Instant::now() < until, "the board drives one row for ever");
        }
        self.connect(column, false);
        let one_row = self.driven() == (row + 1) % ROWS && begun.elapsed() < ROUND;
        match (in_time && one_row, follows) {
            (false, _) => Scan::Unsure,
            (true, false) => Scan::Alone,
            (true, true) => Scan::Follows,
        }
    }

    /// Waits until a row is driven; whether every row before it was seen.
    fn wait_for(&self, row: usize) -> bool {
        let (mut was, mut all) = (self.driven(), true);
        let until = Instant::now() + PATIENCE;
        while was != row {
            assert!(Instant::now() < until, "the board does not drive row {row}");
            let asked = Instant::now();
            let now = self.driven();
            all &= (now == was || now == (was + 1) % ROWS) && asked.elapsed() < ROUND;
            was = now;
        }
        all
    }

    /// No key for so many whole scans.
    fn leave_alone(&self, scans: usize) {
        for _ in 0..=scans {
            self.wait_for(0);
            self.wait_for(ROWS - 1);
        }
    }

    /// The row that is driven.
    fn driven(&self) -> usize {
        let until = Instant::now() + PATIENCE;
        loop {
            let rows = self.board.levels(self.rows, ROW_BITS);
            if rows.count_ones() == 1 {
                return rows.trailing_zeros() as usize;
            }
            assert!(Instant::now() < until, "the board drives no row"); // between two rows, or in a reset
        }
    }

    fn connect(&self, column: usize, high: bool) {
        self.columns.get(column).into_iter().for_each(|column| self.board.set(*column, high));
    }
}
