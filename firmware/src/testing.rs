//! What the tests of the devices share: a UART of queues, a host at its other end, sensors that are fed.

extern crate std;

use core::convert::Infallible;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::vec;
use std::vec::Vec;

use embedded_hal::digital::{InputPin, OutputPin};
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};
use sabot_wire::device::{Device, Identity};
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::{Expect, Host, Report};
use sabot_wire::message::{Image, Key, Observation, Role, Show, Started};
use sabot_wire::ring::{MIN_RING, Ring};

/// A UART whose both ends are in reach; it takes `room` bytes more from the device.
#[derive(Debug, Clone)]
pub(crate) struct FakeUart(pub(crate) Rc<RefCell<Line>>);

impl Default for FakeUart {
    fn default() -> Self {
        let line = Line { to_device: VecDeque::new(), from_device: Vec::new(), room: usize::MAX, fails: false };
        Self(Rc::new(RefCell::new(line)))
    }
}

#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) to_device: VecDeque<u8>,
    pub(crate) from_device: Vec<u8>,
    pub(crate) room: usize,
    /// The next write or read fails.
    pub(crate) fails: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Overrun;

impl core::fmt::Display for Overrun {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("overrun")
    }
}

impl core::error::Error for Overrun {}

impl embedded_io::Error for Overrun {
    fn kind(&self) -> embedded_io::ErrorKind {
        embedded_io::ErrorKind::Other
    }
}

impl ErrorType for FakeUart {
    type Error = Overrun;
}

impl Read for FakeUart {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Overrun> {
        let mut line = self.0.borrow_mut();
        assert!(!line.to_device.is_empty(), "a read that would block");
        let count = out.len().min(line.to_device.len());
        out.iter_mut().zip(line.to_device.drain(..count)).for_each(|(place, byte)| *place = byte);
        Ok(count)
    }
}

impl ReadReady for FakeUart {
    fn read_ready(&mut self) -> Result<bool, Overrun> {
        let mut line = self.0.borrow_mut();
        if core::mem::take(&mut line.fails) { Err(Overrun) } else { Ok(!line.to_device.is_empty()) }
    }
}

impl Write for FakeUart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Overrun> {
        let mut line = self.0.borrow_mut();
        assert!(line.room > 0, "a write that would block");
        if core::mem::take(&mut line.fails) {
            return Err(Overrun);
        }
        let count = bytes.len().min(line.room);
        line.room -= count;
        line.from_device.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> Result<(), Overrun> {
        unreachable!("flushing blocks")
    }
}

impl WriteReady for FakeUart {
    fn write_ready(&mut self) -> Result<bool, Overrun> {
        Ok(self.0.borrow().room > 0)
    }
}

/// The host at the other end.
pub(crate) struct Rig {
    pub(crate) uart: FakeUart,
    host: Host<Key>,
    /// What the host was told.
    pub(crate) seen: Vec<Observation>,
    /// Whether the host acknowledges.
    pub(crate) keeps: bool,
}

impl Rig {
    pub(crate) fn new(role: Role) -> Self {
        let mut host = Host::new(Expect { role, serial: None }, key(), &[0; 32], None);
        host.opened(0);
        Self { uart: FakeUart::default(), host, seen: Vec::new(), keeps: true }
    }

    pub(crate) fn show(&mut self, show: Show) {
        self.host.show(show);
    }

    /// Everything under way in both directions, once.
    pub(crate) fn carry(&mut self, now_ms: u32) {
        let mut line = self.uart.0.borrow_mut();
        let bytes = core::mem::take(&mut line.from_device);
        let mut input = &bytes[..];
        while let Some(report) = self.host.receive(now_ms.into(), &mut input) {
            if let Report::Saw { epoch, seq, saw, .. } = report {
                self.seen.extend(saw);
                if self.keeps {
                    self.host.durable(epoch, seq);
                }
            }
        }
        let mut out = [0; MAX_FRAME];
        while let Some(frame) = self.host.transmit(now_ms.into(), &mut out) {
            line.to_device.extend(frame);
        }
    }

    /// Polls the device every millisecond of a span, the host beside it.
    pub(crate) fn run(&mut self, span: core::ops::Range<u32>, mut poll: impl FnMut(u32)) {
        for now_ms in span {
            poll(now_ms);
            self.carry(now_ms);
        }
    }
}

/// The key of the device and of its host.
pub(crate) fn key() -> Key {
    Key::new([0x5B; 16])
}

/// A device's session with the smallest ring there may be.
pub(crate) fn device(role: Role) -> Device<Vec<u8>> {
    device_on(role, vec![0; MIN_RING])
}

pub(crate) fn device_on(role: Role, memory: Vec<u8>) -> Device<Vec<u8>> {
    with_key(role, memory, Some(key()))
}

/// A device that was never paired.
pub(crate) fn unpaired(role: Role) -> Device<Vec<u8>> {
    with_key(role, vec![0; MIN_RING], None)
}

fn with_key(role: Role, memory: Vec<u8>, key: Option<Key>) -> Device<Vec<u8>> {
    let (ring, _) = Ring::restore(memory, 5).expect("large enough");
    let serial = "TEST".try_into().expect("short");
    let (started, entropy) = (Started::Power, [0; 16]);
    Device::new(
        Identity { role, serial, firmware: [0, 0, 1], image: Image([0x1A; 32]), boots: 1, started, key, entropy },
        ring,
    )
}

/// A pin that the test moves or watches.
#[derive(Debug, Clone, Default)]
pub(crate) struct FakePin(pub(crate) Rc<Cell<bool>>);

impl embedded_hal::digital::ErrorType for FakePin {
    type Error = Infallible;
}

impl InputPin for FakePin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.get())
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.get())
    }
}

impl OutputPin for FakePin {
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.set(true);
        Ok(())
    }

    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.set(false);
        Ok(())
    }
}

/// A sensor that gives what the test has put in.
#[derive(Debug)]
pub(crate) struct Feed<T>(pub(crate) Rc<RefCell<VecDeque<T>>>);

impl<T> Default for Feed<T> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<T> Clone for Feed<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> Feed<T> {
    pub(crate) fn put(&self, thing: T) {
        self.0.borrow_mut().push_back(thing);
    }

    pub(crate) fn take(&self) -> Option<T> {
        self.0.borrow_mut().pop_front()
    }
}
