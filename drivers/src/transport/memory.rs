//! A device's place in memory: the far end is plugged and pulled by a test.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::DuplexStream;

use super::{Connect, OpenError};

/// The station's end of a place in memory. Its clones are the same place.
#[derive(Debug, Clone)]
pub struct MemoryPort {
    cable: Slot,
}

/// The device's end: each [`MemorySocket::plug`] is a new cable; dropping what it returns pulls it.
#[derive(Debug, Clone)]
pub struct MemorySocket {
    cable: Slot,
}

/// The station's end of a cable that is plugged and that nobody has opened yet.
type Slot = Arc<Mutex<Option<DuplexStream>>>;

/// A place in memory, and the socket devices are plugged into.
#[must_use]
pub fn memory() -> (MemoryPort, MemorySocket) {
    let cable = Slot::default();
    (MemoryPort { cable: Arc::clone(&cable) }, MemorySocket { cable })
}

impl MemorySocket {
    /// Plugs a cable that holds at most `capacity` bytes each way, in the place of one that nobody has opened, and
    /// returns the device's end of it.
    #[must_use]
    pub fn plug(&self, capacity: usize) -> DuplexStream {
        let (near, far) = tokio::io::duplex(capacity);
        *lock(&self.cable) = Some(near);
        far
    }

    /// Pulls a cable that nobody has opened.
    pub fn pull(&self) {
        *lock(&self.cable) = None;
    }

    /// Whether a cable is plugged that nobody has opened yet.
    #[must_use]
    pub fn waits(&self) -> bool {
        lock(&self.cable).is_some()
    }
}

fn lock(cable: &Slot) -> MutexGuard<'_, Option<DuplexStream>> {
    cable.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connect for MemoryPort {
    type Stream = DuplexStream;

    async fn connect(&mut self) -> Result<DuplexStream, OpenError> {
        lock(&self.cable).take().ok_or_else(|| OpenError::Missing { place: self.place() })
    }

    fn place(&self) -> String {
        "memory".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn a_place_opens_once_for_each_cable_and_not_without_one() {
        let (mut place, socket) = memory();
        assert!(place.connect().await.is_err(), "nothing is plugged");
        let mut device = socket.plug(8);
        assert!(socket.waits());
        let mut host = place.clone().connect().await.unwrap();
        assert!(!socket.waits() && place.connect().await.is_err(), "one cable is one connection");
        device.write_all(b"hello").await.unwrap();
        let mut heard = [0; 5];
        host.read_exact(&mut heard).await.unwrap();
        assert_eq!(&heard, b"hello");
        drop(host);
        assert_eq!(device.read(&mut heard).await.unwrap(), 0, "the device sees the host go");
        let _second = socket.plug(8);
        socket.pull();
        assert!(place.connect().await.is_err(), "a pulled cable is not there");
    }
}
