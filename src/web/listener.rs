//! The page's port: who connects gets a place, speaks TLS where the table does, and has to ask within a time.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use super::patience::{Patient, SILENCE};
use super::places::{Place, Places};
use crate::tls::Tls;

/// Who has not shown that he speaks TLS within that is given up, and so is who has not said what he asks for.
const ASKING: Duration = Duration::from_secs(10);
/// Rest after the system could not give a connection (no file handles left, say).
const REST: Duration = Duration::from_millis(500);
/// How a TLS connection begins: a handshake record.
const HANDSHAKE: u8 = 0x16;
/// What who speaks in clear to a port of TLS is told.
const SPEAK_TLS: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n\
    this page is served over TLS: ask for https://\n";

/// How connections are served.
#[derive(Clone)]
struct Serving {
    router: Router,
    tls: Option<Arc<Tls>>,
}

/// Serves until `stop` comes, then ends each connection after the answer under way, for `goodbye` at the most.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    tls: Option<Arc<Tls>>,
    places: Places,
    (stop, goodbye): (impl Future<Output = ()>, Duration),
) {
    let (serving, ending) = (Serving { router, tls }, GracefulShutdown::new());
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            (stream, place) = accept(&listener, &places) => {
                tokio::spawn(serving.clone().talk(stream, place, ending.watcher()));
            }
            () = &mut stop => break,
        }
    }
    drop(listener);
    let _ = timeout(goodbye, ending.shutdown()).await;
}

/// The next connection for which there is a place.
async fn accept(listener: &TcpListener, places: &Places) -> (TcpStream, Place) {
    loop {
        let free = places.next().await;
        match listener.accept().await {
            Ok((stream, from)) => match places.take(free, from.ip()) {
                Some(place) => return (stream, place),
                None => tracing::debug!(%from, "has its share of connections already"),
            },
            Err(error) => {
                tracing::warn!(%error, "a page's connection could not be accepted");
                sleep(REST).await;
            }
        }
    }
}

impl Serving {
    /// Everything that one connection asks for.
    async fn talk(self, stream: TcpStream, _place: Place, watcher: Watcher) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a page's connection keeps its delay");
        }
        let Some(tls) = &self.tls else { return self.answer(Patient::new(stream, SILENCE), watcher).await };
        match timeout(ASKING, secured(tls, stream)).await {
            Ok(Ok(Some(stream))) => self.answer(stream, watcher).await,
            Ok(Ok(None)) => {}
            Ok(Err(error)) => tracing::debug!(%error, "a page's connection did not come to TLS"),
            Err(_) => tracing::debug!("a page's connection was too slow to come to TLS"),
        }
    }

    async fn answer(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, watcher: Watcher) {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(ASKING);
        let service = TowerToHyperService::new(self.router.clone());
        let connection = watcher.watch(http.serve_connection(TokioIo::new(stream), service));
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a page's connection ended");
        }
    }
}

/// A connection that speaks TLS; nothing when it speaks in clear, and has been told to.
async fn secured(tls: &Tls, stream: TcpStream) -> io::Result<Option<tokio_rustls::server::TlsStream<Patient>>> {
    let mut first = [0; 1];
    let seen = stream.peek(&mut first).await?;
    let mut stream = Patient::new(stream, SILENCE);
    if seen == 1 && first[0] != HANDSHAKE {
        stream.write_all(SPEAK_TLS).await?;
        stream.shutdown().await?;
        return Ok(None);
    }
    tls.acceptor().accept(stream).await.map(Some)
}
