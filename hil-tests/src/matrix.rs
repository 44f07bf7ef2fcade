//! Fingers on the matrix of a keypad in QEMU.
//!
//! The board drives a row for 4 ms, reads the columns and drives the next row. A key here joins its column with its row while
//! that is driven. Who plays the wires is told of a row some microseconds later, and on a busy machine late. What the board has
//! read is known all the same: the wires tell in which order things happened, and the board's own clock, which lies in its
//! RAM, how long before it was to read its columns. After a scan in which it may have read something else no key is
//! pressed for one: it wants to see a key in two scans in a row.

use std::collections::HashMap;

use sabot_firmware::keys::{COLUMNS, Key, LAYOUT, ROWS};
use sabot_firmware::matrix::ROW_MS;

use crate::board::{Board, address_of, image};
use crate::wires::{Pin, Wires, pin};

/// Scans in a row in which the firmware must see a key.
const SEEN: u32 = 2;
/// Scans without it, after which it takes a key for released.
const RELEASED: u64 = 3;
/// Scans for which a key that cannot be pressed in time is tried.
const PATIENCE_SCANS: u64 = 1000;

/// The wires of a matrix between the board's rows, PB0 to PB4, and columns.
pub struct Matrix {
    columns: [Pin; COLUMNS],
    /// Where the board's clock is, milliseconds.
    clock: u32,
    /// By that clock the row is driven since then, or later; and the next one will be.
    since_ms: u32,
    next_ms: u32,
    /// Scans that have begun.
    scan: u64,
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
        let clock = address_of(&image(board.role()), "_now_ms");
        Self { columns, clock, since_ms: 0, next_ms: 0, scan: 0, seen: HashMap::new() }
    }

    /// Presses keys, one after the other, as fast as the board understands them; it has understood the last one when this
    /// returns.
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
        // a scan is judged at its end, and what it makes of the last key is kept before the next row is driven
        let scan = self.seen.values().max().map_or(0, |seen| seen + 1);
        self.wait_for_scan(&mut wires, scan);
        self.next_row(&mut wires);
    }

    /// Holds a key until the board has seen it.
    fn hold(&mut self, wires: &mut Wires, row: usize, column: usize) {
        self.catch_up(wires);
        if let Some(scan) = self.seen.get(&(row, column)) {
            self.wait_for_scan(wires, scan + RELEASED + 1);
        }
        let (until, mut sure) = (self.scan + PATIENCE_SCANS, 0);
        while sure < SEEN {
            assert!(self.scan < until, "the board's scans cannot be followed");
            if self.is_seen_alone(wires, row, column) {
                sure += 1;
            } else {
                // one scan without: another key is not seen twice, and this one, if it was, is not yet released
                sure = 0;
                self.catch_up(wires);
                self.wait_for_scan(wires, self.scan + 2);
            }
        }
    }

    /// Joins a key's column with its row while that is driven next; whether the board has surely read this key and no other.
    fn is_seen_alone(&mut self, wires: &mut Wires, row: usize, column: usize) -> bool {
        while self.next_row(wires) != row {}
        let Some(pin) = self.columns.get(column).copied() else { return false };
        wires.set(pin, true);
        let in_time = self.is_before_reading(wires);
        let scan = self.scan;
        self.next_row(wires); // the column was read
        wires.set(pin, false);
        let alone = in_time && self.is_before_reading(wires);
        if alone {
            self.seen.insert((row, column), scan);
        } else {
            self.seen.extend((0..ROWS).map(|row| ((row, column), self.scan)));
        }
        alone
    }

    /// Whether what was done last was done before the board reads the columns of the row that it drives. It looks at its
    /// clock, drives, and looks again later, so that it may count a millisecond more than has passed.
    fn is_before_reading(&mut self, wires: &mut Wires) -> bool {
        let now = self.look_at_clock(wires);
        wires.raised() == 0 && now + 1 < self.since_ms + ROW_MS
    }

    /// What the board's clock says. A row that is driven after that is not driven before it.
    fn look_at_clock(&mut self, wires: &mut Wires) -> u32 {
        let now = wires.read(self.clock);
        if now < self.since_ms {
            (self.since_ms, self.next_ms) = (0, 0); // it was reset
        }
        if wires.raised() == 0 {
            self.next_ms = self.next_ms.max(now);
        }
        now
    }

    /// What was scanned while nobody looked is over, and it is known when the next row is driven.
    fn catch_up(&mut self, wires: &mut Wires) {
        wires.catch_up();
        while wires.raised() > 0 {
            self.next_row(wires);
        }
        while wires.raised() == 0 {
            self.look_at_clock(wires);
        }
    }

    fn wait_for_scan(&mut self, wires: &mut Wires, scan: u64) {
        while self.scan < scan {
            self.next_row(wires);
        }
    }

    /// The next row that is driven: the columns were read for the one before.
    fn next_row(&mut self, wires: &mut Wires) -> usize {
        let row = usize::from(wires.next_raised());
        self.scan += u64::from(row == 0);
        self.since_ms = self.next_ms;
        self.next_ms = self.since_ms + ROW_MS;
        row
    }
}
