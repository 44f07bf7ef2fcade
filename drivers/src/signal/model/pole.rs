//! A pole display: two rows of twenty, ESC/POS or CD5220.

use super::super::codepage::CodePage;
use super::super::pole::{COLUMNS, Protocol, ROWS};

/// A display, with its power on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoleModel {
    protocol: Protocol,
    page: CodePage,
    brightness: u8,
    cells: [[u8; COLUMNS]; ROWS],
    at: (usize, usize),
    state: State,
}

/// What the next byte belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Text,
    /// A command that is not whole yet.
    Command(Vec<u8>),
    /// A row of a CD5220 that was begun by `ESC Q`: nothing but its end, a clear or a cancel counts.
    Row(usize, usize),
    /// That row was ended: most commands count for nothing until a clear or a cancel.
    AfterRow,
}

impl PoleModel {
    /// A display that has just got its power: blank, with the letters it was delivered with.
    #[must_use]
    pub const fn new(protocol: Protocol) -> Self {
        let cells = [[b' '; COLUMNS]; ROWS];
        Self { protocol, page: CodePage::Pc437, brightness: 4, cells, at: (0, 0), state: State::Text }
    }

    /// Takes bytes.
    pub fn receive(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.take(byte);
        }
    }

    /// What somebody who stands before it reads.
    #[must_use]
    pub fn rows(&self) -> [String; ROWS] {
        self.cells.map(|row| row.iter().map(|&byte| self.page.char(byte)).collect())
    }

    /// 1 to 4.
    #[must_use]
    pub const fn brightness(&self) -> u8 {
        self.brightness
    }

    fn take(&mut self, byte: u8) {
        match std::mem::replace(&mut self.state, State::Text) {
            State::Text => self.begin(byte),
            State::Command(mut command) => {
                command.push(byte);
                if !self.obey(&command) {
                    self.state = State::Command(command);
                }
            }
            State::Row(row, column) => match byte {
                0x0c | 0x18 => self.begin(byte),
                b'\r' => self.state = State::AfterRow,
                _ => {
                    if let Some(cell) = self.cells.get_mut(row).and_then(|row| row.get_mut(column)) {
                        *cell = byte;
                    }
                    self.state = State::Row(row, (column + 1).min(COLUMNS));
                }
            },
            State::AfterRow => match byte {
                0x0c | 0x18 | 0x1b => self.begin(byte),
                _ => self.state = State::AfterRow,
            },
        }
    }

    fn begin(&mut self, byte: u8) {
        match byte {
            0x1b => self.state = State::Command(vec![byte]),
            0x1f if self.protocol == Protocol::EscPos => self.state = State::Command(vec![byte]),
            0x0c => {
                self.cells = [[b' '; COLUMNS]; ROWS];
                self.at = (0, 0);
            }
            0x0b => self.at = (0, 0),
            0x18 => {
                if let Some(row) = self.cells.get_mut(self.at.0) {
                    *row = [b' '; COLUMNS];
                }
                self.at.1 = 0;
            }
            b' '..=0xff => self.write(byte),
            _ => {}
        }
    }

    fn write(&mut self, byte: u8) {
        let (row, column) = self.at;
        if let Some(cell) = self.cells.get_mut(row).and_then(|row| row.get_mut(column)) {
            *cell = byte;
        }
        self.at = match column + 1 {
            COLUMNS => ((row + 1) % ROWS, 0),
            next => (row, next),
        };
    }

    /// Carries out a command; false where it is not whole yet. What it does not know does nothing.
    fn obey(&mut self, command: &[u8]) -> bool {
        match (self.protocol, command) {
            (_, [0x1b, b'@']) => *self = Self::new(self.protocol),
            (Protocol::EscPos, [0x1b, b't'] | [0x1f, b'X' | b'$'] | [0x1f, b'$', _]) => return false,
            (Protocol::EscPos, [0x1b, b't', page]) => {
                self.page = match page {
                    2 => CodePage::Pc850,
                    0 => CodePage::Pc437,
                    _ => self.page,
                }
            }
            (Protocol::EscPos, [0x1f, b'X', level]) | (Protocol::Cd5220, [0x1b, b'*', level]) => {
                if let 1..=4 = level {
                    self.brightness = *level;
                }
            }
            (Protocol::Cd5220, [0x1b, b'*' | b'l' | b'Q'] | [0x1b, b'l', _]) => return false,
            (Protocol::EscPos, &[0x1f, b'$', column, row]) | (Protocol::Cd5220, &[0x1b, b'l', column, row]) => {
                let (column, row) = (usize::from(column), usize::from(row));
                if (1..=COLUMNS).contains(&column) && (1..=ROWS).contains(&row) {
                    self.at = (row - 1, column - 1);
                }
            }
            (Protocol::Cd5220, [0x1b, b'Q', row @ (b'A' | b'B')]) => {
                let row = usize::from(row - b'A');
                if let Some(cells) = self.cells.get_mut(row) {
                    *cells = [b' '; COLUMNS];
                }
                self.state = State::Row(row, 0);
            }
            _ => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shows_what_the_facts_bytes_say() {
        let mut display = PoleModel::new(Protocol::EscPos);
        display.receive(b"\x1b@\x1bt\x02\x1fX\x03\x0c\x1f$\x05\x02\xa8Qu\x82? \xad\xb5\xd6\xe0\xe9\xa4!");
        assert_eq!(display.rows(), ["                    ".to_owned(), "    ¿Qué? ¡ÁÍÓÚñ!   ".to_owned()]);
        assert_eq!(display.brightness(), 3);
        display.receive(b"\x0bA");
        assert!(display.rows()[0].starts_with("A "));
    }

    #[test]
    fn a_cd5220_that_was_given_a_row_takes_nothing_until_it_is_cancelled() {
        let mut display = PoleModel::new(Protocol::Cd5220);
        display.receive(b"\x1b@\x0c\x1bl\x03\x02hola\x1b*\x02");
        assert_eq!((display.rows()[1].as_str(), display.brightness()), ("  hola              ", 2));
        display.receive(b"\x1bQAma\xa4ana\r");
        assert!(display.rows()[0].starts_with("mañana "));
        display.receive(b"lost");
        assert!(display.rows()[1].starts_with("  hola "));
        display.receive(b"\x18\x1bl\x01\x01new");
        assert!(display.rows()[0].starts_with("new"), "{:?}", display.rows());
    }
}
