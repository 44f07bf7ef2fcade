//! A matrix of keys: rows that are driven one after the other, columns that are read, contacts that bounce.
//!
//! A key counts as pressed when two scans in a row see it, as released when three do not. Two keys may be down at once,
//! as quick fingers have it; a scan that sees three or more is left out, for three corners of a rectangle look like
//! four.

use embedded_hal::digital::{InputPin, OutputPin};

/// Milliseconds for which a row is driven before its columns are read.
const ROW_MS: u32 = 4;
/// Keys that may be down at once.
const DOWN: u32 = 2;

/// A key by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Row, from 0.
    pub row: usize,
    /// Column, from 0.
    pub column: usize,
}

/// A matrix of keys, with a diode or without, rows active high and columns pulled down.
#[derive(Debug)]
pub struct Matrix<R, C, const ROWS: usize, const COLUMNS: usize> {
    rows: [R; ROWS],
    columns: [C; COLUMNS],
    /// The row that is driven, and since when.
    driven: Option<(usize, u32)>,
    /// Columns seen in the running scan, a bit each, and in the two before.
    seen: [u8; ROWS],
    before: [[u8; ROWS]; 2],
    down: [u8; ROWS],
    /// Pressed and not yet told.
    news: [u8; ROWS],
}

impl<R: OutputPin, C: InputPin, const ROWS: usize, const COLUMNS: usize> Matrix<R, C, ROWS, COLUMNS> {
    const FITS: () = assert!(COLUMNS <= 8 && ROWS > 0);

    /// A matrix that has not been looked at.
    #[must_use]
    pub const fn new(rows: [R; ROWS], columns: [C; COLUMNS]) -> Self {
        let () = Self::FITS;
        let none = [0; ROWS];
        Self { rows, columns, driven: None, seen: none, before: [none; 2], down: none, news: none }
    }

    /// One look, and the next key that was pressed; each press is given once. Call it until it gives `None`.
    pub fn scan(&mut self, now_ms: u32) -> Option<Place> {
        match self.driven {
            None => self.drive(0, now_ms),
            Some((row, since)) if now_ms.wrapping_sub(since) >= ROW_MS => {
                if let Some(seen) = self.seen.get_mut(row) {
                    *seen = read(&mut self.columns);
                }
                if row + 1 == ROWS {
                    self.judge();
                }
                self.drive((row + 1) % ROWS, now_ms);
            }
            Some(_) => {}
        }
        let (row, news) = self.news.iter_mut().enumerate().find(|(_, news)| **news != 0)?;
        let column = news.trailing_zeros();
        *news &= *news - 1;
        Some(Place { row, column: column as usize })
    }

    /// Drives one row alone: the last one goes low before the next goes high. A pin that cannot be driven leaves its
    /// keys dead, which their user sees.
    fn drive(&mut self, row: usize, now_ms: u32) {
        let last = self.driven.replace((row, now_ms)).map(|(last, _)| last);
        for (at, pin) in self.rows.iter_mut().enumerate() {
            if at != row && last.is_none_or(|last| last == at) {
                let _ = pin.set_low();
            }
        }
        if let Some(pin) = self.rows.get_mut(row) {
            let _ = pin.set_high();
        }
    }

    fn judge(&mut self) {
        if self.seen.iter().map(|row| row.count_ones()).sum::<u32>() > DOWN {
            return;
        }
        let [last, second] = self.before;
        for (row, seen) in self.seen.iter().enumerate() {
            let [Some(last), Some(second), Some(down), Some(news)] = [
                last.get(row).copied(),
                second.get(row).copied(),
                self.down.get(row).copied(),
                self.news.get(row).copied(),
            ] else {
                continue;
            };
            let on = seen & last;
            let held = seen | last | second;
            if let (Some(place), Some(told)) = (self.down.get_mut(row), self.news.get_mut(row)) {
                *place = (down | on) & held;
                *told = news | (on & !down);
            }
        }
        self.before = [self.seen, last];
    }
}

fn read<C: InputPin>(columns: &mut [C]) -> u8 {
    // a column that cannot be read has no key down
    let bit = |(at, pin): (usize, &mut C)| u8::from(pin.is_high().unwrap_or(false)) << at;
    columns.iter_mut().enumerate().map(bit).fold(0, |all, bit| all | bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakePin;
    use embedded_hal_mock::eh1::digital::{Mock, State, Transaction};

    extern crate std;
    use core::cell::RefCell;
    use core::convert::Infallible;
    use std::rc::Rc;
    use std::vec::Vec;

    /// Two rows, three columns, and the keys that are down.
    #[derive(Default)]
    struct Keys {
        rows: [FakePin; 2],
        down: Rc<RefCell<Vec<(usize, usize)>>>,
    }

    /// A column is high while a key connects it with the driven row, be it by way of other keys.
    struct Column(usize, [FakePin; 2], Rc<RefCell<Vec<(usize, usize)>>>);

    impl embedded_hal::digital::ErrorType for Column {
        type Error = Infallible;
    }

    impl InputPin for Column {
        fn is_high(&mut self) -> Result<bool, Infallible> {
            let down = self.2.borrow();
            let driven = self.1.iter().position(|row| row.0.get()).expect("a row is driven");
            assert_eq!(self.1.iter().filter(|row| row.0.get()).count(), 1, "one row alone is driven");
            let mut rows = std::vec![driven];
            let mut columns = Vec::new();
            for _ in 0..4 {
                columns.extend(down.iter().filter(|(row, _)| rows.contains(row)).map(|(_, column)| *column));
                rows.extend(down.iter().filter(|(_, column)| columns.contains(column)).map(|(row, _)| *row));
            }
            Ok(columns.contains(&self.0))
        }

        fn is_low(&mut self) -> Result<bool, Infallible> {
            self.is_high().map(|high| !high)
        }
    }

    impl Keys {
        fn matrix(&self) -> Matrix<FakePin, Column, 2, 3> {
            let column = |at| Column(at, self.rows.clone(), Rc::clone(&self.down));
            Matrix::new(self.rows.clone(), [column(0), column(1), column(2)])
        }

        fn hold(&self, keys: &[(usize, usize)]) {
            *self.down.borrow_mut() = keys.into();
        }
    }

    const SCAN_MS: u32 = 2 * ROW_MS;

    fn run(matrix: &mut Matrix<FakePin, Column, 2, 3>, now_ms: &mut u32, for_ms: u32) -> Vec<(usize, usize)> {
        let mut pressed = Vec::new();
        for _ in 0..for_ms {
            *now_ms = now_ms.wrapping_add(1);
            while let Some(Place { row, column }) = matrix.scan(*now_ms) {
                pressed.push((row, column));
            }
        }
        pressed
    }

    #[test]
    fn every_key_is_told_once_for_each_press_however_long_it_is_held() {
        let (keys, mut now) = (Keys::default(), u32::MAX - 50);
        let mut matrix = keys.matrix();
        for key in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
            keys.hold(&[key]);
            assert_eq!(run(&mut matrix, &mut now, 100), [key]);
            keys.hold(&[]);
            assert_eq!(run(&mut matrix, &mut now, 100), []);
        }
    }

    #[test]
    fn a_bounce_is_no_press_and_a_short_loss_of_contact_is_no_second_one() {
        let (keys, mut now) = (Keys::default(), 0);
        let mut matrix = keys.matrix();
        keys.hold(&[(1, 2)]);
        assert_eq!(run(&mut matrix, &mut now, SCAN_MS), []);
        keys.hold(&[]);
        assert_eq!(run(&mut matrix, &mut now, 5 * SCAN_MS), []);
        keys.hold(&[(1, 2)]);
        assert_eq!(run(&mut matrix, &mut now, 4 * SCAN_MS), [(1, 2)]);
        keys.hold(&[]);
        assert_eq!(run(&mut matrix, &mut now, SCAN_MS), []);
        keys.hold(&[(1, 2)]);
        assert_eq!(run(&mut matrix, &mut now, 5 * SCAN_MS), []);
    }

    #[test]
    fn two_keys_overlap_and_a_third_makes_no_ghost() {
        let (keys, mut now) = (Keys::default(), 0);
        let mut matrix = keys.matrix();
        keys.hold(&[(0, 0)]);
        assert_eq!(run(&mut matrix, &mut now, 5 * SCAN_MS), [(0, 0)]);
        keys.hold(&[(0, 0), (1, 1)]);
        assert_eq!(run(&mut matrix, &mut now, 5 * SCAN_MS), [(1, 1)]);
        keys.hold(&[(0, 0), (1, 1), (0, 1)]); // (1, 0) looks pressed too
        assert_eq!(run(&mut matrix, &mut now, 10 * SCAN_MS), []);
        keys.hold(&[(0, 1)]);
        assert_eq!(run(&mut matrix, &mut now, 5 * SCAN_MS), [(0, 1)]);
    }

    #[test]
    fn the_pins_are_driven_and_read_as_a_board_wires_them() {
        use State::{High, Low};
        let mut rows = [
            Mock::new(&[Transaction::set(High), Transaction::set(Low)]),
            Mock::new(&[Transaction::set(Low), Transaction::set(High)]),
        ];
        let mut column = Mock::new(&[Transaction::get(Low)]);
        let mut matrix = Matrix::new(rows.clone(), [column.clone()]);
        for now_ms in 0..=ROW_MS {
            assert_eq!(matrix.scan(now_ms), None);
        }
        rows.iter_mut().for_each(Mock::done);
        column.done();
    }
}
