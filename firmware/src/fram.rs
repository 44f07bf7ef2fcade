//! FRAM on SPI, as a ring's [`Memory`]: what is in it outlives the power, and a byte of it may be written as often as
//! anybody likes.
//!
//! For parts of 64 to 512 kilobits with addresses of 16 bits: Fujitsu's MB85RS64 to MB85RS512, Infineon's FM25CL64B and
//! FM25V05 among them. SPI mode 0 or 3; a write takes no time beyond its bytes on the bus.
//!
//! The ring is read from a copy in RAM. Each change goes out at once, in the ring's order: an event first, then the
//! header that enters it. So a power cut leaves the ring as it was before the change, or after it. The count of the
//! device's starts stands in the ring too: it lasts as long as the ring's epoch.

use embedded_hal::spi::{Operation, SpiDevice};
use sabot_wire::ring::Memory;

const WRITE_ENABLE: u8 = 0x06;
const READ_STATUS: u8 = 0x05;
const READ: u8 = 0x03;
const WRITE: u8 = 0x02;
/// Of the status: the part takes the next write.
const ENABLED: u8 = 0x02;

/// Why there is no memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoFram {
    /// The bus has failed.
    #[error("the bus to the FRAM has failed")]
    Bus,
    /// Nothing on the bus lets itself be written.
    #[error("no FRAM answers on the bus")]
    Absent,
    /// It does not hold so many bytes.
    #[error("the ring does not fit behind that address")]
    TooLong,
}

/// A stretch of FRAM, and its copy `C` in RAM.
#[derive(Debug)]
pub struct Fram<S, C> {
    spi: S,
    base: u16,
    copy: C,
    is_sound: bool,
}

impl<S: SpiDevice, C: AsRef<[u8]> + AsMut<[u8]>> Fram<S, C> {
    /// Reads what stands from `base` on into `copy`, as long as that is.
    ///
    /// # Errors
    /// When no FRAM is there or it is too small: a board that goes on has a ring which is lost with the power.
    pub fn restore(mut spi: S, base: u16, mut copy: C) -> Result<Self, NoFram> {
        if usize::from(base) + copy.as_ref().len() > 1 << 16 {
            return Err(NoFram::TooLong);
        }
        let mut status = [0];
        spi.write(&[WRITE_ENABLE]).map_err(|_| NoFram::Bus)?;
        spi.transaction(&mut [Operation::Write(&[READ_STATUS]), Operation::Read(&mut status)])
            .map_err(|_| NoFram::Bus)?;
        // a line that nobody drives reads all ones or none
        if status[0] & ENABLED == 0 || status[0] == 0xFF {
            return Err(NoFram::Absent);
        }
        let [high, low] = base.to_be_bytes();
        spi.transaction(&mut [Operation::Write(&[READ, high, low]), Operation::Read(copy.as_mut())])
            .map_err(|_| NoFram::Bus)?;
        Ok(Self { spi, base, copy, is_sound: true })
    }

    /// Whether every change has gone out. Once one has not, none does any more: the FRAM stays a ring that holds
    /// together, and the next start goes on with that.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.is_sound
    }

    /// The bus, for who ends with it.
    pub fn release(self) -> S {
        self.spi
    }

    fn write(&mut self, at: usize, length: usize) -> Option<()> {
        let address = u16::try_from(at).ok()?.checked_add(self.base)?;
        let [high, low] = address.to_be_bytes();
        let bytes = self.copy.as_ref().get(at..at + length)?;
        self.spi.write(&[WRITE_ENABLE]).ok()?;
        self.spi.transaction(&mut [Operation::Write(&[WRITE, high, low]), Operation::Write(bytes)]).ok()
    }
}

impl<S, C: AsRef<[u8]>> AsRef<[u8]> for Fram<S, C> {
    fn as_ref(&self) -> &[u8] {
        self.copy.as_ref()
    }
}

impl<S, C: AsMut<[u8]>> AsMut<[u8]> for Fram<S, C> {
    fn as_mut(&mut self) -> &mut [u8] {
        self.copy.as_mut()
    }
}

impl<S: SpiDevice, C: AsRef<[u8]> + AsMut<[u8]>> Memory for Fram<S, C> {
    fn changed(&mut self, at: usize, length: usize) {
        self.is_sound = self.is_sound && self.write(at, length).is_some();
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    use embedded_hal::spi::{ErrorKind, ErrorType};
    use embedded_hal_mock::eh1::spi::{Mock, Transaction};
    use sabot_wire::message::{Card, Observation, ShoeSaw};
    use sabot_wire::ring::{MIN_RING, Restored, Ring};

    use super::*;

    fn written(bytes: &[u8]) -> [Transaction<u8>; 3] {
        [Transaction::transaction_start(), Transaction::write_vec(bytes.to_vec()), Transaction::transaction_end()]
    }

    fn status(told: u8) -> [Transaction<u8>; 4] {
        [
            Transaction::transaction_start(),
            Transaction::write_vec(vec![READ_STATUS]),
            Transaction::read_vec(vec![told]),
            Transaction::transaction_end(),
        ]
    }

    #[test]
    fn the_part_is_asked_read_and_written_as_its_data_sheet_says() {
        let mut expected = Vec::new();
        expected.extend(written(&[WRITE_ENABLE]));
        expected.extend(status(ENABLED));
        expected.extend([
            Transaction::transaction_start(),
            Transaction::write_vec(vec![READ, 0x12, 0x00]),
            Transaction::read_vec(vec![9, 8, 7, 6]),
            Transaction::transaction_end(),
        ]);
        expected.extend(written(&[WRITE_ENABLE]));
        expected.extend([
            Transaction::transaction_start(),
            Transaction::write_vec(vec![WRITE, 0x12, 0x01]),
            Transaction::write_vec(vec![5, 7]),
            Transaction::transaction_end(),
        ]);
        let mut memory = Fram::restore(Mock::new(&expected), 0x1200, [0; 4]).unwrap();
        assert_eq!(memory.as_ref(), [9, 8, 7, 6]);
        memory.as_mut()[1] = 5;
        memory.changed(1, 2);
        assert!(memory.is_sound());
        memory.release().done();
    }

    #[test]
    fn a_line_that_nobody_drives_is_no_memory() {
        for told in [0, 0xFF] {
            let mut expected = written(&[WRITE_ENABLE]).to_vec();
            expected.extend(status(told));
            let mut bus = Mock::new(&expected);
            assert_eq!(Fram::restore(&mut bus, 0, [0; 4]).unwrap_err(), NoFram::Absent);
            bus.done();
        }
        let mut bus = Mock::new(&[]);
        assert_eq!(Fram::restore(&mut bus, 0xFFFE, [0; 4]).unwrap_err(), NoFram::TooLong);
        bus.done();
    }

    /// A part that takes so many bytes more, and then its power is gone.
    struct Part {
        cells: Vec<u8>,
        enabled: bool,
        bytes_left: usize,
    }

    #[derive(Debug)]
    struct Gone;

    impl embedded_hal::spi::Error for Gone {
        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    impl ErrorType for Part {
        type Error = Gone;
    }

    impl SpiDevice for Part {
        fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Gone> {
            match operations {
                [Operation::Write([WRITE_ENABLE])] => self.enabled = true,
                [Operation::Write([READ_STATUS]), Operation::Read(told)] => told.fill(u8::from(self.enabled) * ENABLED),
                [Operation::Write([READ, high, low]), Operation::Read(out)] => {
                    let at = usize::from(u16::from_be_bytes([*high, *low]));
                    out.copy_from_slice(&self.cells[at..at + out.len()]);
                }
                [Operation::Write([WRITE, high, low]), Operation::Write(bytes)] if self.enabled => {
                    self.enabled = false;
                    let at = usize::from(u16::from_be_bytes([*high, *low]));
                    for (cell, byte) in self.cells[at..].iter_mut().zip(*bytes) {
                        self.bytes_left = self.bytes_left.checked_sub(1).ok_or(Gone)?;
                        *cell = *byte;
                    }
                }
                other => panic!("the part does not know {other:?}"),
            }
            Ok(())
        }
    }

    const BYTES: usize = MIN_RING + 100;
    const BASE: u16 = 0x0100;

    fn ring(part: Part, epoch: u32) -> (Ring<Fram<Part, [u8; BYTES]>>, Restored) {
        Ring::restore(Fram::restore(part, BASE, [0; BYTES]).unwrap(), epoch).unwrap()
    }

    /// Events and acknowledgements, round the ring's end, until the power goes: what must be there, oldest and next.
    fn works(ring: &mut Ring<Fram<Part, [u8; BYTES]>>) -> [(u32, u32); 2] {
        let mut last = (ring.oldest(), ring.next());
        for n in 0..400_u32 {
            if n % 3 == 2 {
                ring.forget(ring.epoch(), ring.oldest());
            } else if ring.push(n, &Observation::Shoe(ShoeSaw::Drawn(Card::from_code(7)))).is_err() {
                ring.forget(ring.epoch(), ring.next() - 1);
            }
            let now = (ring.oldest(), ring.next());
            if !ring.memory().is_sound() {
                return [last, now];
            }
            last = now;
        }
        [last; 2]
    }

    #[test]
    fn a_power_cut_at_any_byte_leaves_the_ring_before_the_change_or_after_it() {
        for bytes_left in (64..4000).chain([1 << 20]) {
            let part = Part { cells: vec![0xA5; 1 << 13], enabled: false, bytes_left };
            let (mut first, found) = ring(part, 5);
            assert_eq!(found, Restored::Fresh);
            let either = works(&mut first);
            let mut part = first.into_memory().release();
            (part.bytes_left, part.enabled) = (1 << 20, false);
            let (again, found) = ring(part, 6);
            assert!(matches!(found, Restored::Sound(_)), "{bytes_left}: {found:?}");
            assert_eq!(again.epoch(), 5);
            assert!(either.contains(&(again.oldest(), again.next())), "{bytes_left}: {either:?}");
        }
    }
}
