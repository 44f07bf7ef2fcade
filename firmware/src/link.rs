//! The UART and the session over it, the same for every device.

use embedded_io::{Read, ReadReady, Write, WriteReady};
use sabot_wire::device::{Device, Order};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{Key, Observation, Show};
use sabot_wire::ring::{Memory, RingIsFull};

/// Bytes read at once.
const CHUNK: usize = 64;
/// Chunks taken and frames begun in one poll: sensors must not wait for a line that never rests.
const PER_POLL: usize = 8;
/// Milliseconds in which a UART that works has sent what it was given, many times over.
pub const STUCK_MS: u32 = 500;

/// What every UART here can do; implemented for whatever can.
pub trait Uart: Read + ReadReady + Write + WriteReady {}
impl<T: Read + ReadReady + Write + WriteReady> Uart for T {}

/// A session running over a UART, the ring of events in memory `M`.
#[derive(Debug)]
pub struct Link<U, M> {
    uart: U,
    device: Device<M>,
    frame: [u8; MAX_FRAME],
    /// Bytes of the frame, and how many of them are out.
    length: usize,
    sent: usize,
    /// Since when the UART takes nothing of a frame.
    stuck_since_ms: Option<u32>,
    new_key: Option<Key>,
}

impl<U: Uart, M: Memory> Link<U, M> {
    /// A link that has said nothing yet.
    // inlined: what it returns would else lie on a board's stack twice while it is put together
    #[inline(always)]
    #[must_use]
    pub fn new(uart: U, device: Device<M>) -> Self {
        Self { uart, device, frame: [0; MAX_FRAME], length: 0, sent: 0, stuck_since_ms: None, new_key: None }
    }

    /// The session.
    #[must_use]
    pub const fn device(&self) -> &Device<M> {
        &self.device
    }

    /// The UART.
    pub const fn uart_mut(&mut self) -> &mut U {
        &mut self.uart
    }

    /// The key that the device was given since this was last asked: the board keeps it where a power cut does not reach
    /// it. Until it has taken it, nothing is sent.
    pub const fn take_new_key(&mut self) -> Option<Key> {
        self.new_key.take()
    }

    /// While `allowed`, a host may give the device another key than it has: a switch that only a technician reaches.
    pub const fn allow_pairing(&mut self, allowed: bool) {
        self.device.allow_pairing(allowed);
    }

    /// Whether one more observation has a place: only then may a sensor be read.
    #[must_use]
    pub const fn ready(&self) -> bool {
        self.device.ready()
    }

    /// Whether what is to be sent goes out: no when the UART has taken nothing of it for [`STUCK_MS`].
    #[must_use]
    pub fn moves(&self, now_ms: u32) -> bool {
        self.stuck_since_ms.is_none_or(|since| now_ms.wrapping_sub(since) < STUCK_MS)
    }

    /// Keeps an observation until the host has it on disk.
    ///
    /// # Errors
    /// When there is no place for it: never while [`Link::ready`] says true.
    pub fn observe(&mut self, now_ms: u32, saw: &Observation) -> Result<u32, RingIsFull> {
        self.device.observe(now_ms, saw)
    }

    /// Takes what has come over the line; `show` gets what the host wants shown.
    // neither this nor `transmit` is inlined: what each needs of a board's stack is not needed at the same time
    #[inline(never)]
    pub fn receive(&mut self, now_ms: u32, mut show: impl FnMut(Show)) {
        for _ in 0..PER_POLL {
            let mut chunk = [0; CHUNK];
            let count = match self.uart.read_ready() {
                Ok(true) => self.uart.read(&mut chunk),
                Ok(false) => return,
                Err(error) => Err(error),
            };
            // what an overrun or a framing error cost is sent again
            let Ok(count) = count else { return };
            let mut input = chunk.get(..count).unwrap_or_default();
            if input.is_empty() {
                return;
            }
            while let Some(order) = self.device.receive(now_ms, &mut input) {
                match order {
                    Order::Show(shown) => show(shown),
                    Order::Keep(key) => self.new_key = Some(key),
                }
            }
        }
    }

    /// Sends what is due, as much as the UART takes at once.
    #[inline(never)]
    pub fn transmit(&mut self, now_ms: u32) {
        if self.new_key.is_some() {
            return; // that the device has a key is said once the key is kept
        }
        let mut begun = 0;
        let before = self.stuck_since_ms.take();
        let mut moved = false;
        loop {
            while self.sent < self.length {
                let rest = self.frame.get(self.sent..self.length).unwrap_or_default();
                let taken = match self.uart.write_ready() {
                    Ok(true) => self.uart.write(rest),
                    Ok(false) => Ok(0),
                    Err(error) => Err(error),
                };
                match taken {
                    Ok(0) => {
                        self.stuck_since_ms = Some(if moved { now_ms } else { before.unwrap_or(now_ms) });
                        return;
                    }
                    Ok(taken) => {
                        self.sent += taken;
                        moved = true;
                    }
                    Err(_) => {
                        // the frame is torn: its event is sent again when no acknowledgement comes
                        self.sent = self.length;
                        return;
                    }
                }
            }
            if begun == PER_POLL {
                return;
            }
            begun += 1;
            self.sent = 0;
            self.length = self.device.transmit(now_ms, &mut self.frame).map_or(0, <[u8]>::len);
            if self.length == 0 {
                return;
            }
        }
    }

    /// The UART and the ring's memory, as a power cycle leaves them.
    #[must_use]
    pub fn into_parts(self) -> (U, M) {
        (self.uart, self.device.into_memory())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Rig, device, key, unpaired};
    use sabot_wire::frame::encode;
    use sabot_wire::message::{Card, Role, ShoeSaw, ToDevice};

    fn drawn(card: u8) -> Observation {
        Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)))
    }

    #[test]
    fn a_uart_that_takes_a_byte_at_a_time_gets_whole_frames_and_never_a_blocking_call() {
        let mut rig = Rig::new(Role::Shoe);
        let mut link = Link::new(rig.uart.clone(), device(Role::Shoe));
        link.observe(0, &drawn(1)).expect("room");
        let uart = rig.uart.clone();
        rig.run(0..400, |now| {
            uart.0.borrow_mut().room = 1;
            link.receive(now, |_| {});
            link.transmit(now);
        });
        assert_eq!(rig.seen, [drawn(1)]);
        assert!(link.device().ring().is_empty());
    }

    #[test]
    fn a_uart_that_takes_nothing_more_is_noticed_and_a_slow_one_is_not() {
        let rig = Rig::new(Role::Shoe);
        let mut link = Link::new(rig.uart.clone(), device(Role::Shoe));
        for now in 0..2 * STUCK_MS {
            rig.uart.0.borrow_mut().room = usize::from(now % 100 == 0);
            link.transmit(now);
            assert!(link.moves(now));
        }
        for now in 2 * STUCK_MS..4 * STUCK_MS {
            link.transmit(now);
        }
        assert!(!link.moves(4 * STUCK_MS));
        rig.uart.0.borrow_mut().room = usize::MAX;
        link.transmit(4 * STUCK_MS);
        assert!(link.moves(4 * STUCK_MS));
    }

    #[test]
    fn a_device_says_nothing_until_its_new_key_is_kept() {
        let rig = Rig::new(Role::Shoe);
        let mut link = Link::new(rig.uart.clone(), unpaired(Role::Shoe));
        let mut frame = [0; MAX_FRAME];
        let given = encode(&ToDevice::Pair(key()), &mut frame).expect("fits");
        rig.uart.0.borrow_mut().to_device.extend(given);
        link.receive(0, |_| {});
        link.transmit(0);
        assert!(rig.uart.0.borrow().from_device.is_empty());
        assert_eq!(link.take_new_key(), Some(key()));
        link.transmit(1);
        assert!(!rig.uart.0.borrow().from_device.is_empty());
    }

    #[test]
    fn an_error_of_the_uart_costs_no_event() {
        let mut rig = Rig::new(Role::Shoe);
        let mut link = Link::new(rig.uart.clone(), device(Role::Shoe));
        rig.run(0..10, |now| {
            link.receive(now, |_| {});
            link.transmit(now);
        });
        link.observe(10, &drawn(1)).expect("room");
        rig.uart.0.borrow_mut().fails = true; // the frame of the card is torn
        link.transmit(10);
        assert!(!rig.uart.0.borrow().fails, "it was tried");
        rig.run(11..400, |now| {
            link.receive(now, |_| {});
            link.transmit(now);
        });
        assert_eq!(rig.seen, [drawn(1)]);
    }
}
