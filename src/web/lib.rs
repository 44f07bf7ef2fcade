//! How pages are served: who may ask, over TLS or in clear, how many at one time, in which language.

mod door;
mod listener;
pub mod live;
mod page_lang;
mod patience;
mod places;
pub mod tls;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use door::guarded;
pub use page_lang::{PageLang, preferred};
pub use places::Limits;

use places::Places;
use tls::Tls;

/// How long pages may take to hang up once their server stops.
const GOODBYE: Duration = Duration::from_secs(1);

/// Serves pages until `shutdown` turns true or its sender is gone. A connection that fails is only logged.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    tls: Option<Arc<Tls>>,
    limits: Limits,
    shutdown: watch::Receiver<bool>,
) {
    listener::serve(listener, router, tls, Places::new(limits), (stopped(shutdown), GOODBYE)).await;
}

/// Returns once the server is told to stop.
pub async fn stopped(mut shutdown: watch::Receiver<bool>) {
    // an error means that nobody is left who could say so
    let _ = shutdown.wait_for(|stop| *stop).await;
}

/// A whole page in one language of those it can be read in, drawn for this moment; `not_drawn` where that failed.
pub fn document<E: std::fmt::Display>(
    drawn: Result<String, E>,
    language: &'static str,
    not_drawn: &'static str,
) -> Response {
    match drawn {
        Ok(page) => {
            let language = [(header::CONTENT_LANGUAGE, language), (header::VARY, "Accept-Language")];
            (language, [(header::CACHE_CONTROL, "no-store")], Html(page)).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "the page");
            (StatusCode::INTERNAL_SERVER_ERROR, not_drawn).into_response()
        }
    }
}

/// A text as a part of an address: but for letters, digits, `-._~` and what is in `also`, it is written by its bytes.
#[must_use]
pub fn in_address(text: &str, also: &[u8]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || also.contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// A file of a page; its address carries the version, so a browser may keep it.
pub fn asset(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")], text)
        .into_response()
}

/// Pages would cross a network in clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the page and the PINs of people would cross the network in clear at {0}")]
pub struct InClear(pub SocketAddr);

impl InClear {
    /// What to do.
    pub const WAY_OUT: &'static str =
        "make a certificate (`sabot tls make`) and write `tls = \"tls\"`, or listen on 127.0.0.1";
}

/// In clear a page is served to this machine alone.
///
/// # Errors
/// When it would be served to others.
pub fn in_clear(address: SocketAddr, has_tls: bool) -> Result<(), InClear> {
    if address.ip().is_loopback() || has_tls { Ok(()) } else { Err(InClear(address)) }
}
