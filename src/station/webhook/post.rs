//! One request to one receiver: a connection of its own, which ends with it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::{Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use sabot_web::tls::trust::Untrusted;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Receiver;
use super::told::signature;
use crate::config::Format;

/// One who has not answered after so long does not.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of the head of an answer; the rest of it is not read.
const HEAD: usize = 8 * 1024;

/// Why a delivery was not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotTaken {
    #[error("{0}")]
    NotReached(#[from] std::io::Error),
    #[error(transparent)]
    Untrusted(#[from] Untrusted),
    #[error("it hung up, or speaks no HTTP: {0}")]
    NoHttp(#[from] hyper::Error),
    #[error("what is sent is no request: {0}")]
    NoRequest(#[from] hyper::http::Error),
    #[error("it answers {0}")]
    Answers(StatusCode),
    #[error("it did not answer within {} seconds", PATIENCE.as_secs())]
    Silent,
}

/// Sends a body once.
pub(super) async fn post(receiver: &Receiver, id: &str, body: Bytes) -> Result<(), NotTaken> {
    let sent = async {
        let stream = TcpStream::connect((receiver.to.host.as_str(), receiver.to.port)).await?;
        match &receiver.trust {
            Some(trust) if receiver.to.tls => {
                over(trust.connect(&receiver.to.host, stream).await?, receiver, id, body).await
            }
            _ => over(stream, receiver, id, body).await,
        }
    };
    timeout(PATIENCE, sent).await.unwrap_or(Err(NotTaken::Silent))
}

async fn over(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    receiver: &Receiver,
    id: &str,
    body: Bytes,
) -> Result<(), NotTaken> {
    let mut http = http1::Builder::new();
    http.max_buf_size(HEAD);
    let (mut sender, talk) = http.handshake(TokioIo::new(stream)).await?;
    let mut connection = JoinSet::new();
    connection.spawn(talk);
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let kind = match receiver.to.format {
        Format::Plain => "application/json",
        Format::CloudEvents => "application/cloudevents+json",
    };
    let request = Request::post(receiver.to.path.as_str())
        .header(header::HOST, receiver.to.to())
        .header(header::CONTENT_TYPE, kind)
        .header(header::CONNECTION, "close")
        .header("sabot-delivery", id)
        .header("sabot-signature", signature(&receiver.secret, at, &body))
        .body(Full::new(body))?;
    let status = sender.send_request(request).await?.status();
    if status.is_success() { Ok(()) } else { Err(NotTaken::Answers(status)) }
}
