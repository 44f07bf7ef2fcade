//! The listening socket: a bounded number of connections, none of which may stay silent for long.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// A connection that took nothing from us for so long is dropped: a live page takes a pulse every second. What it says
/// meanwhile does not count, or a request sent byte by byte would keep its slot for ever.
const SILENCE: Duration = Duration::from_secs(20);
/// Rest after the system could not give a connection (no file handles left, say).
const REST: Duration = Duration::from_millis(500);

/// Lets in as many connections as there are slots.
pub(super) struct BoundedListener {
    listener: TcpListener,
    slots: Arc<Semaphore>,
    silence: Duration,
}

/// A connection that gives up when its peer does not bring itself to be answered, or takes no answer.
pub(super) struct Connection {
    stream: TcpStream,
    silence: Duration,
    patience: Pin<Box<Sleep>>,
    _slot: Option<OwnedSemaphorePermit>,
}

impl BoundedListener {
    pub(super) fn new(listener: TcpListener) -> Self {
        Self { listener, slots: Arc::new(Semaphore::new(super::MAX_CONNECTIONS)), silence: SILENCE }
    }
}

impl Listener for BoundedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // the semaphore is never closed
        let slot = Arc::clone(&self.slots).acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "a page's connection keeps its delay");
                    }
                    let silence = self.silence;
                    return (Connection { stream, silence, patience: Box::pin(sleep(silence)), _slot: slot }, from);
                }
                Err(error) => {
                    tracing::warn!(%error, "a page's connection could not be accepted");
                    sleep(REST).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connection {
    /// The peer took something: the wait starts anew.
    fn taken<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            let until = Instant::now() + self.silence;
            self.patience.as_mut().reset(until);
            return written;
        }
        self.patient(written, cx)
    }

    /// Fails when the peer took nothing for too long.
    fn patient<T>(&mut self, moved: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        match self.patience.as_mut().poll(cx) {
            Poll::Ready(()) if moved.is_pending() => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            _ => moved,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.patient(read, cx)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.taken(written, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // a TCP stream's flush does nothing: it is no sign of life
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.taken(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use sabot_stall_guard::PATIENCE;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    async fn connection() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut listener = BoundedListener { silence: Duration::from_millis(50), ..BoundedListener::new(listener) };
        let (peer, (connection, _)) = tokio::join!(TcpStream::connect(address), listener.accept());
        (connection, peer.unwrap())
    }

    #[tokio::test]
    async fn a_peer_that_says_nothing_is_dropped() {
        let (mut connection, mut peer) = connection().await;
        peer.write_all(b"GET").await.unwrap();
        let mut said = [0; 3];
        connection.read_exact(&mut said).await.unwrap();
        assert_eq!(connection.read(&mut said).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_says_its_request_byte_by_byte_is_dropped() {
        let (mut connection, mut peer) = connection().await;
        let endless = async {
            while peer.write_all(b"G").await.is_ok() {
                sleep(Duration::from_millis(5)).await;
            }
        };
        let heard = async {
            let mut said = [0; 64];
            loop {
                if let Err(error) = connection.read(&mut said).await {
                    return error.kind();
                }
            }
        };
        let ended = tokio::time::timeout(PATIENCE, async {
            tokio::select! {
                () = endless => None,
                kind = heard => Some(kind),
            }
        });
        assert_eq!(ended.await.expect("it is given up"), Some(io::ErrorKind::TimedOut));
    }

    #[tokio::test]
    async fn a_peer_that_takes_nothing_is_dropped() {
        let (mut connection, _peer) = connection().await;
        let endless = async {
            loop {
                if let Err(error) = connection.write_all(&[0; 65_536]).await {
                    return error.kind();
                }
            }
        };
        let ended = tokio::time::timeout(PATIENCE, endless).await;
        assert_eq!(ended.expect("it is given up"), io::ErrorKind::TimedOut);
    }
}
