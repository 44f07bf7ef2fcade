//! A PATLITE LR6-USB.

use std::fmt;

use super::super::lr6::REPORT;

/// A number of a report that keeps what is.
const KEEP: u8 = 0xf;

/// A tower, with its power on. [`Default`] is dark.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lr6Model {
    /// Red, yellow, green, blue, white, buzzer: 0 off, 1 on, 2 and more patterns.
    shows: [u8; 6],
}

impl Lr6Model {
    /// Red, yellow, green, blue, white, buzzer: 0 off, 1 on, 2 and more patterns.
    #[must_use]
    pub const fn shows(&self) -> [u8; 6] {
        self.shows
    }

    /// Takes what came on its endpoint. What is no report changes nothing.
    pub fn receive(&mut self, bytes: &[u8]) {
        let Ok([0, 0, sound, _, red_yellow, green_blue, white, 0]) = <[u8; REPORT]>::try_from(bytes) else { return };
        let asked = [red_yellow >> 4, red_yellow & 0xf, green_blue >> 4, green_blue & 0xf, white >> 4, sound & 0xf];
        for (now, asked) in self.shows.iter_mut().zip(asked).filter(|(_, asked)| *asked != KEEP) {
            *now = asked;
        }
    }
}

/// What somebody who looks at it sees.
impl fmt::Display for Lr6Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::lit(f, &["red", "yellow", "green", "blue", "white", "buzzer"], &self.shows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shows_what_the_facts_bytes_say() {
        let mut tower = Lr6Model::default();
        assert_eq!(tower.to_string(), "dark");
        tower.receive(&[0, 0, 0x32, 0x65, 0x02, 0x10, 0x30, 0]);
        assert_eq!(tower.to_string(), "yellow pattern 2, green, white pattern 3, buzzer pattern 2");
        tower.receive(&[0x00, 0x00, 0x0F, 0x00, 0x1F, 0xFF, 0xF0, 0x00]);
        assert_eq!(tower.shows(), [1, 2, 1, 0, 3, 2], "red on, the rest kept");
        for odd in [&[0; 7][..], &[0; 9], &[1, 0, 0, 0, 0, 0, 0, 0], &[]] {
            tower.receive(odd);
            assert_eq!(tower.shows(), [1, 2, 1, 0, 3, 2], "{odd:02x?} is no report");
        }
    }
}
