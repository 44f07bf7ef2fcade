//! Lines of text, ended by CR, LF or both.

use super::symbols::is_plain;

/// The longest line that is taken, bytes without its end.
pub const MAX_LINE: usize = 128;
/// A line that is not ended by then is none, milliseconds.
pub const UNENDED_MS: u64 = 1000;

/// What is wrong with what came: a fault of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// It is longer than any symbol.
    #[error("a line is longer than {MAX_LINE} bytes")]
    Long,
    /// It holds what no scanner sends.
    #[error("a line holds bytes that are no letters")]
    Letters,
    /// Its end did not come.
    #[error("a line broke off, or is sent without a CR or LF at its end")]
    Unended,
}

/// Finds lines in what comes.
#[derive(Default)]
pub struct Decoder {
    buffer: Vec<u8>,
    long: bool,
    last_ms: u64,
}

/// Nothing of what was read is shown.
impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Decoder({} bytes)", self.buffer.len())
    }
}

impl Decoder {
    /// Forgets what has come.
    pub fn restart(&mut self) {
        self.buffer.clear();
        self.long = false;
    }

    /// Takes bytes up to the next end of a line, at `now_ms`, and gives that line, without spaces around it. Empty ones
    /// are none. `input` is used up when there is no more.
    pub fn next_line(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<Result<Vec<u8>, LineFault>> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            self.last_ms = now_ms;
            match byte {
                b'\r' | b'\n' => {
                    let line = std::mem::take(&mut self.buffer);
                    let long = std::mem::take(&mut self.long);
                    let text = line.trim_ascii();
                    if long {
                        return Some(Err(LineFault::Long));
                    }
                    if !is_plain(text) {
                        return Some(Err(LineFault::Letters));
                    }
                    if !text.is_empty() {
                        return Some(Ok(text.to_vec()));
                    }
                }
                _ if self.buffer.len() < MAX_LINE => self.buffer.push(byte),
                _ => self.long = true,
            }
        }
        None
    }

    /// When a line that has begun counts as broken off.
    #[must_use]
    pub fn breaks_off_at(&self) -> Option<u64> {
        (!self.buffer.is_empty()).then_some(self.last_ms + UNENDED_MS)
    }

    /// Gives up a line whose end has not come by `now_ms`.
    pub fn give_up(&mut self, now_ms: u64) -> Option<LineFault> {
        if self.breaks_off_at().is_some_and(|at| at <= now_ms) {
            self.restart();
            return Some(LineFault::Unended);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(bytes: &[u8], cut: usize) -> Vec<Result<Vec<u8>, LineFault>> {
        let mut decoder = Decoder::default();
        let mut found = Vec::new();
        for mut piece in bytes.chunks(cut) {
            while let Some(line) = decoder.next_line(0, &mut piece) {
                found.push(line);
            }
        }
        found
    }

    #[test]
    fn every_end_of_a_line_ends_one() {
        for cut in 1..12 {
            let text = b"AS\r\n2S\r3S\n\r\n \n 4S \n\n";
            let expected: Vec<_> = ["AS", "2S", "3S", "4S"].map(|line| Ok(line.as_bytes().to_vec())).to_vec();
            assert_eq!(lines(text, cut), expected, "in pieces of {cut}");
        }
    }

    #[test]
    fn damaged_lines_are_told_and_the_next_one_is_whole() {
        let long = [&[b'x'; MAX_LINE + 1][..], b"\nAS\n"].concat();
        assert_eq!(lines(&long, 7), [Err(LineFault::Long), Ok(b"AS".to_vec())]);
        let longest = [&[b'x'; MAX_LINE][..], b"\n"].concat();
        assert_eq!(lines(&longest, 7), [Ok(vec![b'x'; MAX_LINE])]);
        assert_eq!(lines(b"A\x00S\n\xFF\nAS\n", 2)[2], Ok(b"AS".to_vec()));
        assert_eq!(lines(b"A\x00S\n", 2), [Err(LineFault::Letters)]);
    }

    #[test]
    fn a_line_that_is_not_ended_is_given_up() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.next_line(10, &mut &b"AS"[..]), None);
        assert_eq!((decoder.give_up(10 + UNENDED_MS - 1), decoder.breaks_off_at()), (None, Some(10 + UNENDED_MS)));
        assert_eq!(decoder.give_up(10 + UNENDED_MS), Some(LineFault::Unended));
        assert_eq!((decoder.give_up(9999), decoder.breaks_off_at()), (None, None));
    }

    proptest! {
        #[test]
        fn nothing_panics_and_no_line_is_longer_than_it_may_be(bytes: Vec<u8>, cut in 1_usize..40) {
            for line in lines(&bytes, cut).into_iter().flatten() {
                prop_assert!(!line.is_empty() && line.len() <= MAX_LINE && is_plain(&line));
            }
        }
    }
}
