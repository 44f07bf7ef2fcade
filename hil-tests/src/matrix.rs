//! Fingers on the matrix of a keypad in QEMU.

use sabot_firmware::keys::{COLUMNS, Key, LAYOUT, ROWS};

use crate::board::{Board, Pin, pin};

/// Scans for which a key is held, and for which none is. The firmware needs two and three.
const SCANS: usize = 4;

/// The rows' pins of their port.
const ROW_BITS: u8 = (1 << ROWS) - 1;

/// The wires of a matrix between the board's rows and columns.
pub struct Matrix<'a> {
    board: &'a Board,
    /// Any of the rows: PB0 to PB4.
    rows: Pin,
    columns: [Pin; COLUMNS],
}

impl<'a> Matrix<'a> {
    /// The keys of that board.
    #[must_use]
    pub fn on(board: &'a Board) -> Self {
        let rows = pin('B', 0);
        let columns =
            [('C', 4), ('C', 5), ('C', 6), ('D', 4), ('D', 5), ('D', 6)].map(|(port, number)| pin(port, number));
        Self { board, rows, columns }
    }

    fn driven(&self) -> Option<usize> {
        let rows = self.board.levels(self.rows, ROW_BITS);
        (rows != 0).then(|| rows.trailing_zeros() as usize)
    }

    /// Connects a key's column with its row for some scans: the column is high while the row is driven.
    fn hold(&self, key: Option<(usize, usize)>) {
        let (mut scans, mut was) = (0, None);
        let mut high = false;
        while scans < SCANS {
            let driven = self.driven();
            if driven != was && driven == Some(0) {
                scans += 1;
            }
            was = driven;
            if let Some((row, column)) = key {
                let wanted = driven == Some(row);
                if wanted != high {
                    self.connect(column, wanted);
                    high = wanted;
                }
            }
        }
        if let Some((_, column)) = key {
            self.connect(column, false);
        }
    }

    fn connect(&self, column: usize, high: bool) {
        self.columns.get(column).into_iter().for_each(|column| self.board.set(*column, high));
    }

    /// Presses a key and lets go of it.
    pub fn press(&self, wanted: Key) {
        let rows = LAYOUT.iter().enumerate();
        let place = |(row, keys): (usize, &[Key; COLUMNS])| Some((row, keys.iter().position(|key| *key == wanted)?));
        self.hold(rows.filter_map(place).next());
        self.hold(None);
    }
}
