//! What the fuzz targets share: a fuzzer's bytes read as a script.

pub mod link;
pub mod scanner;

/// A fuzzer's bytes, taken piece by piece. What is not there is zero or empty, so that every input is a script.
#[derive(Debug)]
pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    /// A script of these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether all of it was taken.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// One byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    /// Four bytes, as a number.
    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A length in one byte, and so many bytes.
    pub fn bytes(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte()).min(self.0.len());
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        bytes
    }

    /// Milliseconds that pass: mostly few, sometimes some seconds.
    pub fn pause_ms(&mut self) -> u64 {
        let byte = u64::from(self.byte());
        if byte < 200 { byte } else { (byte - 199) * 100 }
    }
}
