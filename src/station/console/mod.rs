//! The pit's page: the felt, what is due and every finding, live in a browser, in Spanish and English.
//!
//! It only ever reads [`Snapshot`]s, in which a covered or burned card is not to be found, and has nothing that changes
//! anything. A page gets everything at once when it connects, then the regions that change; one that is slow
//! skips updates and never holds up the station.
//!
//! | address | what |
//! |---|---|
//! | `/` | the page; `?lang=es` or `?lang=en`, else by `Accept-Language`, else Spanish |
//! | `/events` | server-sent events: `picture` (changed regions as HTML in JSON) and `pulse` (every second of quiet) |
//! | `/api/snapshot` | the snapshot as JSON |
//! | `/metrics` | figures of the table and its devices, in the text format of Prometheus |
//! | `/healthz` | 200 while the station runs and its journal can be written, else 503 and why |

mod listener;
mod live_page;
mod metrics;
mod page_model;
mod render;
mod ui_text;
pub(crate) mod web;

use std::future::IntoFuture;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

pub use render::{RenderError, page};

use crate::snapshot::Snapshot;

const CSS: &str = include_str!("assets/console.css");
const JS: &str = include_str!("assets/console.js");
const ICON: &str = include_str!("assets/icon.svg");

/// Connections at one time; more wait to be accepted.
pub const MAX_CONNECTIONS: usize = 96;
/// Pages that are live at one time; more are told so. Less than the connections, so that a health check still gets in.
pub const MAX_LIVE: usize = 64;

/// How long pages may take to hang up once the station stops.
const GOODBYE: Duration = Duration::from_secs(1);

/// The page can no longer be served.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// The listening socket failed.
    #[error("the page's listening socket failed: {0}")]
    Listen(#[from] std::io::Error),
}

/// Serves the page until `shutdown` turns true or its sender is gone.
///
/// # Errors
/// [`ConsoleError::Listen`] when the listening socket fails; a failed connection is only logged.
pub async fn serve(
    listener: TcpListener,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    shutdown: watch::Receiver<bool>,
) -> Result<(), ConsoleError> {
    let app = web::router(snapshots, shutdown.clone());
    let stop = stopped(shutdown.clone());
    let serving = axum::serve(listener::BoundedListener::new(listener), app).with_graceful_shutdown(stop);
    let give_up = async {
        stopped(shutdown).await;
        tokio::time::sleep(GOODBYE).await;
    };
    tokio::select! {
        served = serving.into_future() => Ok(served?),
        () = give_up => Ok(()),
    }
}

/// Returns once the station is told to stop.
async fn stopped(mut shutdown: watch::Receiver<bool>) {
    // an error means that nobody is left who could say so
    let _ = shutdown.wait_for(|stop| *stop).await;
}
