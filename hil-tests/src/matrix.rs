//! Fingers on the matrix of a keypad in QEMU.
//!
//! The board drives a row for 4 ms, reads the columns and drives the next row. A key here joins its column with its row while
//! that is driven. Who plays the wires is told of a row some microseconds later, and on a busy machine late: the wires tell in
//! which order things happened, so that it is known what the board has read, but for a column that is joined in the moment
//! between its reading and the next row. So a key is held for longer than the board needs, as by a finger. After a scan in
//! which it may have read another key, none is pressed for one: it wants to see a key in two scans in a row.

use std::collections::HashMap;

use sabot_firmware::keys::{COLUMNS, Key, LAYOUT, ROWS};

use crate::board::Board;
use crate::wires::{Pin, Wires, pin};

/// Scans in a row in which the firmware must see a key.
const SEEN: u32 = 2;
/// Scans in a row for which a key is held: one of them may be missed.
const HELD: u32 = 4;
/// Scans without it, after which it takes a key for released.
const RELEASED: u64 = 3;
/// Scans for which a key that cannot be pressed in time is tried.
const PATIENCE_SCANS: u64 = 1000;

/// The wires of a matrix between the board's rows, PB0 to PB4, and columns.
pub struct Matrix {
    columns: [Pin; COLUMNS],
    /// Scans that have begun, and the row that is driven.
    scan: u64,
    row: usize,
    /// The scan in which a key, by row and column, was last seen.
    seen: HashMap<(usize, usize), u64>,
}

impl Matrix {
    /// The keys of that board, whose rows are watched from now on.
    #[must_use]
    pub fn on(board: &Board) -> Self {
        let columns =
            [('C', 4), ('C', 5), ('C', 6), ('D', 4), ('D', 5), ('D', 6)].map(|(port, number)| pin(port, number));
        board.wires().watch(pin('B', 0));
        Self { columns, scan: 0, row: 0, seen: HashMap::new() }
    }

    /// Presses keys, one after the other, as fast as the board understands them.
    ///
    /// # Panics
    /// When it does not scan its keys.
    pub fn press(&mut self, board: &Board, keys: &[Key]) {
        let mut wires = board.wires();
        for wanted in keys {
            let mut rows = LAYOUT.iter().enumerate();
            let place = |(row, keys): (usize, &[Key; COLUMNS])| Some((row, keys.iter().position(|key| key == wanted)?));
            if let Some((row, column)) = rows.find_map(place) {
                self.hold(&mut wires, row, column);
            }
        }
    }

    /// Holds a key until the board has seen it.
    fn hold(&mut self, wires: &mut Wires, row: usize, column: usize) {
        self.catch_up(wires);
        if let Some(scan) = self.seen.get(&(row, column)) {
            self.wait_for_scan(wires, scan + RELEASED + 1);
        }
        let (until, mut sure) = (self.scan + PATIENCE_SCANS, 0);
        while sure < HELD {
            assert!(self.scan < until, "the board's scans cannot be followed");
            if self.is_seen_alone(wires, row, column) {
                sure += 1;
            } else if sure >= SEEN {
                break; // it is pressed, and would be again after a gap
            } else {
                // one scan without: another key is not seen twice, and this one, if it was, is not yet released
                sure = 0;
                self.catch_up(wires);
                self.wait_for_scan(wires, self.scan + 2);
            }
        }
    }

    /// Joins a key's column with its row while that is driven next; whether the board has read this key and no other.
    fn is_seen_alone(&mut self, wires: &mut Wires, row: usize, column: usize) -> bool {
        while self.next_row(wires) != row {}
        let Some(pin) = self.columns.get(column).copied() else { return false };
        wires.set(pin, true);
        let in_time = wires.raised() == 0;
        let scan = self.scan;
        self.next_row(wires); // the column was read
        wires.set(pin, false);
        let alone = in_time && wires.raised() == 0;
        if alone {
            self.seen.insert((row, column), scan);
        } else {
            self.seen.extend((0..ROWS).map(|row| ((row, column), self.scan)));
        }
        alone
    }

    /// What was scanned while nobody looked is over.
    fn catch_up(&mut self, wires: &mut Wires) {
        wires.catch_up();
        while wires.raised() > 0 {
            self.next_row(wires);
        }
    }

    fn wait_for_scan(&mut self, wires: &mut Wires, scan: u64) {
        while self.scan < scan {
            self.next_row(wires);
        }
    }

    /// The next row that is driven: the columns were read for the one before.
    fn next_row(&mut self, wires: &mut Wires) -> usize {
        self.row = usize::from(wires.next_raised());
        self.scan += u64::from(self.row == 0);
        self.row
    }
}
