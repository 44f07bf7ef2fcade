//! Devices on the network: one TCP connection each.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpStream;

use super::{Connect, OpenError};

/// How long a device may take to accept the connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(1);

/// A device by its address.
#[derive(Debug, Clone, Copy)]
pub struct TcpPlace {
    address: SocketAddr,
}

impl TcpPlace {
    /// A device that listens at `address`.
    #[must_use]
    pub const fn new(address: SocketAddr) -> Self {
        Self { address }
    }

    fn unreachable(&self, why: String) -> OpenError {
        OpenError::Unreachable { place: self.place(), why }
    }
}

impl Connect for TcpPlace {
    type Stream = TcpStream;

    async fn connect(&mut self) -> Result<TcpStream, OpenError> {
        let stream = match tokio::time::timeout(CONNECT_WITHIN, TcpStream::connect(self.address)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(self.unreachable(error.to_string())),
            Err(_) => return Err(self.unreachable("no answer in time".to_owned())),
        };
        // requests are small and each waits for its answer
        stream.set_nodelay(true).map_err(|error| self.unreachable(error.to_string()))?;
        Ok(stream)
    }

    fn place(&self) -> String {
        self.address.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_where_nobody_listens_is_named_with_a_way_out() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        assert!(TcpPlace::new(address).connect().await.is_ok());
        drop(listener);
        let why = TcpPlace::new(address).connect().await.unwrap_err().to_string();
        assert!(why.contains(&address.to_string()) && why.contains("switched on"), "{why}");
    }
}
