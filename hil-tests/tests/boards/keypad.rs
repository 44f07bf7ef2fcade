//! The keypad: fingers on a matrix.

use sabot_firmware::keys::{COLUMNS, Function, Key, LAYOUT, ROWS};
use sabot_hil_tests::board::{Board, Pin, pin};
use sabot_wire::message::{Choice, KeypadSaid, Observation, Role};

use crate::desk::{Desk, board};

/// Scans for which a key is held, and for which none is. The firmware needs two and three.
const SCANS: usize = 8;

/// The wires of a matrix between the board's rows and columns.
struct Matrix<'a> {
    board: &'a Board,
    rows: [Pin; ROWS],
    columns: [Pin; COLUMNS],
}

impl<'a> Matrix<'a> {
    fn on(board: &'a Board) -> Self {
        let rows = [0, 1, 2, 3, 4].map(|number| pin('B', number));
        let columns =
            [('C', 4), ('C', 5), ('C', 6), ('D', 4), ('D', 5), ('D', 6)].map(|(port, number)| pin(port, number));
        Self { board, rows, columns }
    }

    fn driven(&self) -> Option<usize> {
        self.rows.iter().position(|row| self.board.is_high(*row))
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
                    self.board.set(self.columns[column], wanted);
                    high = wanted;
                }
            }
        }
        if let Some((_, column)) = key {
            self.board.set(self.columns[column], false);
        }
    }

    fn press(&self, wanted: Key) {
        let place = |row: usize| LAYOUT[row].iter().position(|key| *key == wanted).map(|column| (row, column));
        self.hold((0..ROWS).find_map(place));
        self.hold(None);
    }
}

#[test]
#[ignore = "wants QEMU and the images"]
fn keys_pressed_on_the_matrix_become_an_entry_and_nonsense_lights_the_lamp() {
    let board = board(Role::Keypad, "KP-0001");
    let mut desk = Desk::open(&board);
    desk.online();
    let matrix = Matrix::on(&board);
    for key in
        [Key::Function(Function::Stand), Key::Digit(3), Key::Next, Key::Next, Key::Digit(1), Key::Digit(2), Key::Enter]
    {
        matrix.press(key);
    }
    let stand = KeypadSaid::Decide { box_no: 3, hand: 0, choice: Choice::Stand, by: Some(12) };
    desk.expect([Observation::Keypad(stand)]);
    matrix.press(Key::Enter);
    assert!(board.is_high(pin('F', 0)), "an entry of nothing is refused");
    matrix.press(Key::Function(Function::Close));
    assert!(!board.is_high(pin('F', 0)));
    matrix.press(Key::Enter);
    desk.expect([Observation::Keypad(KeypadSaid::CloseBets)]);
}
