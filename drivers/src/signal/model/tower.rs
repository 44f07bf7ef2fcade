//! A PATLITE tower that speaks PNS.

use std::fmt;

use super::super::pns::{ACK, KEEP, NAK, Tower};

/// Bytes of data a request has at the most.
const MAX_DATA: usize = 32;
const HEADER: usize = 6;

/// A tower, with its power on. [`Default`] is one of the models that answer with their state alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TowerModel {
    /// Whether it answers with 8 inputs and its mode before its state.
    pub long: bool,
    shows: Tower,
    input: Vec<u8>,
}

impl TowerModel {
    /// A dark tower.
    #[must_use]
    pub fn new(long: bool) -> Self {
        Self { long, ..Self::default() }
    }

    /// Red, amber, green, blue, white, buzzer.
    #[must_use]
    pub const fn shows(&self) -> Tower {
        self.shows
    }

    /// Somebody at the tower, or another program, changes what it shows.
    pub const fn set(&mut self, shows: Tower) {
        self.shows = shows;
    }

    /// A connection was opened: what another one left unfinished is forgotten.
    pub fn connected(&mut self) {
        self.input.clear();
    }

    /// Takes bytes, and gives its answers.
    pub fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut answers = Vec::new();
        for &byte in bytes {
            self.input.push(byte);
            if let Some(mut answer) = self.request() {
                self.input.clear();
                answers.append(&mut answer);
            }
        }
        answers
    }

    /// The answer to what has come, once it is whole or cannot become a request.
    fn request(&mut self) -> Option<Vec<u8>> {
        let nak = Some(vec![NAK]);
        if !b"AB".starts_with(self.input.get(..2).unwrap_or(&self.input)) {
            return nak;
        }
        let (header, data) = self.input.split_at_checked(HEADER)?;
        let &[_, _, command, _, high, low] = header else { return nak };
        let size = usize::from(u16::from_be_bytes([high, low]));
        if size > MAX_DATA {
            return nak;
        }
        if data.len() < size {
            return None;
        }
        match (command, data) {
            (b'S', &[red, amber, green, blue, white, buzzer]) => {
                let asked = [red, amber, green, blue, white, buzzer];
                if asked.iter().any(|&value| value > 4 && value != KEEP) {
                    return nak;
                }
                for (now, asked) in self.shows.iter_mut().zip(asked).filter(|(_, asked)| *asked != KEEP) {
                    *now = asked;
                }
                Some(vec![ACK])
            }
            (b'C', []) => {
                self.shows = Tower::default();
                Some(vec![ACK])
            }
            (b'G', []) => {
                let mut state = vec![0; if self.long { 9 } else { 0 }];
                state.extend(self.shows);
                Some(state)
            }
            _ => nak,
        }
    }
}

/// What somebody who looks at it sees.
impl fmt::Display for TowerModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::lit(f, &["red", "amber", "green", "blue", "white", "buzzer"], &self.shows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_answers_the_facts_requests_and_refuses_the_rest() {
        let mut tower = TowerModel::default();
        let set = [0x41, 0x42, 0x53, 0, 0, 6, 1, 0, 2, 0, 0, 1];
        assert_eq!(tower.receive(&set), [ACK]);
        assert_eq!(tower.to_string(), "red, green pattern 2, buzzer");
        assert_eq!(tower.receive(&[0x41, 0x42, 0x47, 0, 0, 0]), [1, 0, 2, 0, 0, 1]);
        assert_eq!(tower.receive(&[0x41, 0x42, 0x53, 0, 0, 6, 9, 1, 9, 9, 9, 0]), [ACK]);
        assert_eq!(tower.shows(), [1, 1, 2, 0, 0, 0], "9 keeps");
        assert_eq!(tower.receive(&[0x41, 0x42, 0x43, 0, 0, 0]), [ACK]);
        assert_eq!(tower.to_string(), "dark");
        for bad in [&[0x41, 0x42, 0x53, 0, 0, 1, 1][..], &[0x41, 0x42, 0x58, 0, 0, 0], &[0x41, 0x42, 0x47, 0, 1, 0]] {
            assert_eq!(tower.receive(bad), [NAK], "{bad:02x?}");
        }
        assert_eq!(tower.receive(&[0x55]), [NAK]);
    }

    #[test]
    fn a_request_may_come_in_pieces_and_a_long_model_answers_fifteen_bytes() {
        let mut tower = TowerModel::new(true);
        let set = [0x41, 0x42, 0x53, 0, 0, 6, 1, 2, 3, 4, 0, 1];
        let answers: Vec<u8> = set.iter().flat_map(|&byte| tower.receive(&[byte])).collect();
        assert_eq!(answers, [ACK]);
        let state = tower.receive(&[0x41, 0x42, 0x47, 0, 0, 0]);
        assert_eq!((state.len(), &state[9..]), (15, &[1, 2, 3, 4, 0, 1][..]));
    }
}
