//! The UART of a twin: two short queues, which the twin's thread empties into the pseudo-terminal and fills from it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::rc::Rc;

use sabot_firmware::embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};

/// Bytes the UART takes before it makes the device wait.
const FIFO: usize = 1024;

/// Both ends of the UART: the device's, which reads and writes, and the thread's, which moves bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Uart(Rc<RefCell<Queues>>);

#[derive(Debug, Default)]
struct Queues {
    to_device: VecDeque<u8>,
    from_device: VecDeque<u8>,
}

impl Uart {
    pub(super) fn arrived(&self, bytes: &[u8]) {
        self.0.borrow_mut().to_device.extend(bytes);
    }

    /// Whether the device has read everything that came.
    pub(super) fn is_read(&self) -> bool {
        self.0.borrow().to_device.is_empty()
    }

    pub(super) fn wants_to_send(&self) -> bool {
        !self.0.borrow().from_device.is_empty()
    }

    /// Hands what the device sends to `write`, which gives how much of it it took.
    pub(super) fn drain<E>(&self, mut write: impl FnMut(&[u8]) -> Result<usize, E>) -> Result<(), E> {
        let mut queues = self.0.borrow_mut();
        while !queues.from_device.is_empty() {
            let taken = write(queues.from_device.as_slices().0)?;
            if taken == 0 {
                break;
            }
            queues.from_device.drain(..taken);
        }
        Ok(())
    }

    /// Nobody is at the other end: bytes under way are lost.
    pub(super) fn lose(&self) {
        *self.0.borrow_mut() = Queues::default();
    }
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl Read for Uart {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        let mut queues = self.0.borrow_mut();
        let count = out.len().min(queues.to_device.len());
        for (place, byte) in out.iter_mut().zip(queues.to_device.drain(..count)) {
            *place = byte;
        }
        Ok(count)
    }
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.is_read())
    }
}

impl Write for Uart {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let mut queues = self.0.borrow_mut();
        let count = bytes.len().min(FIFO.saturating_sub(queues.from_device.len()));
        queues.from_device.extend(bytes.iter().take(count));
        Ok(count)
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl WriteReady for Uart {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.borrow().from_device.len() < FIFO)
    }
}
