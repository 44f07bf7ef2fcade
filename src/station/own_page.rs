//! Pages for whoever sets a table up: served on this machine alone, at an address that nobody can guess. Several may
//! follow one another there.

use std::fmt::Write as _;
use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use sabot_web::{Limits, guarded};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::console::assets;

/// Most bytes of a form.
const FORM_BYTES: usize = 8192;

/// An address at which pages are served, one after another. Who asks between two of them waits for the next.
#[derive(Debug)]
pub struct OwnPage {
    listener: std::net::TcpListener,
    token: String,
}

impl OwnPage {
    /// At this address.
    ///
    /// # Errors
    /// When the system gives no random numbers, or the listener cannot be had.
    pub fn at(listener: TcpListener) -> io::Result<Self> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        Ok(Self { listener: listener.into_std()?, token })
    }

    /// Where a browser finds it.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn url(&self) -> io::Result<String> {
        let address: SocketAddr = self.listener.local_addr()?;
        Ok(format!("http://{address}{}", self.path()))
    }

    /// The address's part that nobody can guess.
    pub(crate) fn path(&self) -> String {
        format!("/{}", self.token)
    }

    /// Serves these pages until `shutdown` turns true. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    pub(crate) fn serve(
        &self,
        pages: Router,
        shutdown: watch::Receiver<bool>,
    ) -> io::Result<impl Future<Output = ()> + Send + use<>> {
        let listener = TcpListener::from_std(self.listener.try_clone()?)?;
        let pages = pages
            .layer(DefaultBodyLimit::max(FORM_BYTES))
            .merge(assets())
            .fallback(|| async { (StatusCode::NOT_FOUND, "") });
        Ok(sabot_web::serve(listener, guarded(pages, Vec::new()), None, Limits::default(), shutdown))
    }
}
