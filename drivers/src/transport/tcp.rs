//! Devices on the network.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{Connect, OpenError};

/// A device that has not taken the connection for so long is not there.
const CONNECT_WITHIN: Duration = Duration::from_secs(1);

/// A device by its host and TCP port.
#[derive(Debug, Clone)]
pub struct TcpPort {
    address: String,
}

impl TcpPort {
    /// A device by `host:port`.
    pub fn new(address: impl Into<String>) -> Self {
        Self { address: address.into() }
    }
}

impl Connect for TcpPort {
    type Stream = TcpStream;

    async fn connect(&mut self) -> Result<TcpStream, OpenError> {
        let failed = |why: String| OpenError::Unreachable { place: self.place(), why };
        let stream = timeout(CONNECT_WITHIN, TcpStream::connect(&self.address)).await;
        let stream = stream.map_err(|_| failed("nobody answers".to_owned()))?.map_err(|why| failed(why.to_string()))?;
        // each request is one small packet, and waits for no other
        stream.set_nodelay(true).map_err(|why| failed(why.to_string()))?;
        Ok(stream)
    }

    fn place(&self) -> String {
        self.address.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_where_nobody_listens_is_named_with_a_way_out() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        assert!(TcpPort::new(address.to_string()).connect().await.is_ok());
        drop(listener);
        let why = TcpPort::new(address.to_string()).connect().await.unwrap_err().to_string();
        assert!(why.contains(&address.to_string()) && why.contains("switched on"), "{why}");
    }
}
