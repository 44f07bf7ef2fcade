//! A connection that gives up on a peer which neither brings itself to be answered nor takes an answer.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// A connection that took nothing from us for so long is dropped: a live page takes a pulse every second. What it says
/// meanwhile does not count, or a request sent byte by byte would keep its place for ever.
pub(crate) const SILENCE: Duration = Duration::from_secs(20);

/// A stream with a bound on how long its peer may take nothing.
pub(crate) struct Patient {
    stream: TcpStream,
    silence: Duration,
    patience: Pin<Box<Sleep>>,
}

impl Patient {
    /// What the system has taken its peer may never take: the system itself ends the connection then.
    pub(crate) fn new(stream: TcpStream, silence: Duration) -> Self {
        if let Err(error) = SockRef::from(&stream).set_tcp_user_timeout(Some(silence)) {
            tracing::debug!(%error, "a peer that takes nothing is found late");
        }
        Self { stream, silence, patience: Box::pin(sleep(silence)) }
    }

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

impl AsyncRead for Patient {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.patient(read, cx)
    }
}

impl AsyncWrite for Patient {
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
    use tokio::net::{TcpListener, TcpSocket};

    use super::*;

    async fn connection() -> (Patient, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (peer, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        (Patient::new(accepted.unwrap().0, Duration::from_millis(50)), peer.unwrap())
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
    async fn a_peer_that_takes_nothing_is_dropped_while_the_system_still_takes_what_it_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let peer = TcpSocket::new_v4().unwrap();
        peer.set_recv_buffer_size(2048).unwrap();
        let (_peer, accepted) = tokio::join!(peer.connect(listener.local_addr().unwrap()), listener.accept());
        let mut connection = Patient::new(accepted.unwrap().0, Duration::from_millis(200));
        let pulses = async {
            connection.write_all(&[0; 65_536]).await.unwrap();
            loop {
                if let Err(error) = connection.write_all(b"pulse").await {
                    return error.kind();
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        let ended = tokio::time::timeout(PATIENCE, pulses).await;
        assert_eq!(ended.expect("it is given up"), io::ErrorKind::TimedOut);
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
