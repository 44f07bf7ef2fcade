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
        let failed = |why: String| OpenError::Network { place: self.place(), why };
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
