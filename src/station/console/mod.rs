//! The pit's page: the felt, what is due and every finding, live in a browser, in Spanish and English.
//!
//! It only ever reads [`Snapshot`]s, in which a covered or burned card is not to be found. Where the station knows
//! people who may, they sign in and act on it. A page gets everything at once when it connects, then the regions that
//! change; one that is slow skips updates and never holds up the station.
//!
//! | address | what |
//! |---|---|
//! | `/` | the page; `?lang=es` or `?lang=en`, else by `Accept-Language`, else Spanish |
//! | `/events` | server-sent events: `picture` (changed regions as HTML in JSON) and `pulse` (every second of quiet) |
//! | `/api/snapshot` | the snapshot as JSON |
//! | `/metrics` | figures of the table and its devices, in the text format of Prometheus |
//! | `/findings/N` | one finding, and what may be done about it |
//! | `/acts` | authorise, report; where the station knows people |
//! | `/sign-in`, `/sign-out` | for those who act |
//! | `/healthz` | 200 while the station runs and its journal can be written, else 503 and why |

mod desk;
mod door;
mod listener;
mod live_page;
mod metrics;
mod page_lang;
mod page_model;
mod render;
mod sessions;
mod ui_text;
pub(crate) mod web;

use std::future::IntoFuture;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

pub use render::{RenderError, page};

use crate::acts::Acts;
use crate::snapshot::Snapshot;
use crate::staff::StaffError;
use sessions::Sessions;

const CSS: &str = include_str!("assets/console.css");
const JS: &str = include_str!("assets/console.js");
const ICON: &str = include_str!("assets/icon.svg");

/// Connections at one time; more wait to be accepted.
pub const MAX_CONNECTIONS: usize = 96;
/// Pages that are live at one time; more are told so. Less than the connections, so that a health check still gets in.
pub const MAX_LIVE: usize = 64;

/// How long pages may take to hang up once the station stops.
const GOODBYE: Duration = Duration::from_secs(1);

/// Who is let in, and who may act.
#[derive(Debug, Default)]
pub struct Access {
    /// Names under which the station is asked for, beside its addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Where people act. None: the pages only show.
    pub desk: Option<Desk>,
}

/// Where people sign in and act.
#[derive(Debug)]
pub struct Desk {
    acts: Acts,
    sessions: Arc<Sessions>,
}

impl Desk {
    /// For the people in a file, who act on a table.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn new(staff: PathBuf, acts: Acts) -> Result<Self, StaffError> {
        Ok(Self { acts, sessions: Arc::new(Sessions::of(staff)?) })
    }
}

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
    access: Access,
    shutdown: watch::Receiver<bool>,
) -> Result<(), ConsoleError> {
    let app = web::router(snapshots, access, shutdown.clone());
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
