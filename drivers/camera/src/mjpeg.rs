//! Pictures out of a stream of JPEGs: one after the other, or in the parts of an HTTP answer; what stands between them
//! is passed over.

/// Bytes of one picture, at the most.
pub const MAX_PICTURE: usize = 4 << 20;

/// Takes bytes, however they are cut, and gives whole JPEGs.
#[derive(Debug, Default)]
pub struct Pictures {
    bytes: Vec<u8>,
    /// How far the bytes were looked at.
    looked: usize,
    inside: bool,
    /// Pictures that were begun and are too long.
    pub dropped: u64,
}

impl Pictures {
    /// Takes bytes.
    pub fn take(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * MAX_PICTURE {
            self.dropped += 1;
            self.bytes.clear();
            (self.looked, self.inside) = (0, false);
        }
    }

    /// The next whole picture.
    pub fn next_picture(&mut self) -> Option<Vec<u8>> {
        loop {
            let rest = self.bytes.get(self.looked..).unwrap_or_default();
            let Some(at) = rest.windows(2).position(|two| matches!(two, [0xFF, 0xD8 | 0xD9])) else {
                self.looked = self.bytes.len().saturating_sub(1);
                if !self.inside {
                    self.bytes.drain(..self.looked);
                    self.looked = 0;
                }
                return None;
            };
            let (at, begins) = (self.looked + at, rest.get(at + 1) == Some(&0xD8));
            if begins {
                // a beginning within a picture: the one before was cut off
                self.bytes.drain(..at);
                (self.looked, self.inside) = (2, true);
            } else if self.inside {
                let picture = self.bytes.drain(..at + 2).collect();
                (self.looked, self.inside) = (0, false);
                return Some(picture);
            } else {
                self.looked = at + 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Frame;

    fn picture(seed: usize) -> Vec<u8> {
        let luma = (0..64 * 48).map(|n| (n * n * seed % 251) as u8).collect();
        Frame::new(64, 48, luma).unwrap().jpeg(80).unwrap()
    }

    #[test]
    fn pictures_come_whole_however_their_bytes_are_cut() {
        let (first, second) = (picture(3), picture(7));
        let stream = [b"--part\r\n\r\n", &first[..], b"\r\n--part\r\n", &second[..]].concat();
        for piece in [1, 2, 3, 64, stream.len()] {
            let mut pictures = Pictures::default();
            let mut got = Vec::new();
            for bytes in stream.chunks(piece) {
                pictures.take(bytes);
                got.extend(std::iter::from_fn(|| pictures.next_picture()));
            }
            assert_eq!(got, [first.clone(), second.clone()], "in pieces of {piece}");
        }
    }

    #[test]
    fn a_picture_that_was_cut_off_costs_itself_alone_and_what_never_ends_is_dropped() {
        let (first, second) = (picture(3), picture(7));
        let mut pictures = Pictures::default();
        pictures.take(&first[..first.len() / 2]);
        assert_eq!(pictures.next_picture(), None);
        pictures.take(&second);
        assert_eq!(pictures.next_picture(), Some(second));
        pictures.take(&[0xFF, 0xD8]);
        for _ in 0..=2 * MAX_PICTURE / 4096 {
            pictures.take(&[7; 4096]);
            assert_eq!(pictures.next_picture(), None);
        }
        assert_eq!((pictures.dropped, pictures.bytes.len() < 2 * MAX_PICTURE), (1, true));
    }
}
