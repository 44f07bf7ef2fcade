//! A device's place in memory: the far end is plugged and pulled by a test.

use tokio::io::DuplexStream;
use tokio::sync::mpsc;

use super::{Connect, OpenError};

/// The station's end of a place in memory.
#[derive(Debug)]
pub struct MemoryPort {
    plugged: mpsc::UnboundedReceiver<DuplexStream>,
}

/// The device's end: each [`MemorySocket::plug`] is a new cable; dropping what it returns pulls it.
#[derive(Debug, Clone)]
pub struct MemorySocket {
    plugs: mpsc::UnboundedSender<DuplexStream>,
}

/// A place in memory, and the socket devices are plugged into.
#[must_use]
pub fn memory() -> (MemoryPort, MemorySocket) {
    let (plugs, plugged) = mpsc::unbounded_channel();
    (MemoryPort { plugged }, MemorySocket { plugs })
}

impl MemorySocket {
    /// Plugs a cable that holds at most `capacity` bytes each way, and returns the device's end of it.
    #[must_use]
    pub fn plug(&self, capacity: usize) -> DuplexStream {
        let (near, far) = tokio::io::duplex(capacity);
        // where nobody opens the place any more, the far end reads as closed at once, as a real cable would
        let _ = self.plugs.send(near);
        far
    }
}

impl Connect for MemoryPort {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> Result<DuplexStream, OpenError> {
        self.plugged.try_recv().map_err(|_| OpenError::Missing { place: self.place() })
    }

    fn place(&self) -> String {
        "memory".to_owned()
    }
}
