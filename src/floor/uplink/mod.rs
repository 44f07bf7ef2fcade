//! The uplink of a station: its record, shipped to the broker.
//!
//! It has a thread of its own and reads the files of the record, as far as they are on disk; the table knows nothing of
//! it. A line counts as shipped once a sink has signed for it. Until then it stays in mind, and is sent again when the
//! broker has lost it, when a sink says that it is missing, and after each start.

mod session;
mod shipping;
mod source;

use std::io;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use sabot_journal::note::PublicKey;
use sabot_law::table::LineNo;
use tokio::sync::watch;

use crate::broker::Broker;
use crate::subjects::TableId;
pub use source::SourceError;

/// How long a start waits after the broker was not reached: doubled from the one to the other.
const AGAIN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(15));
/// How long a stop waits for receipts of what is under way.
const GRACE: Duration = Duration::from_secs(2);

/// What is shipped, and where to.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Under which names.
    pub table: TableId,
    /// The record.
    pub record: PathBuf,
    /// Where to.
    pub broker: Broker,
    /// The public keys of the sinks whose receipts count.
    pub sinks: Vec<PublicKey>,
}

/// How it goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// The broker is reached.
    pub connected: bool,
    /// Lines of the record that is written which a sink has signed for; 0 while an older one is on its way.
    pub kept: LineNo,
    /// Why lines are not shipped, or what a sink has against them.
    pub trouble: Option<String>,
}

/// An uplink that runs.
#[derive(Debug)]
pub struct Uplink {
    stop: watch::Sender<bool>,
    told: watch::Receiver<State>,
    thread: JoinHandle<()>,
}

impl Uplink {
    /// Begins to ship.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(settings: Settings) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let (tell, told) = watch::channel(State::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let ship = move || runtime.block_on(ship(settings, stopped, tell));
        let thread = std::thread::Builder::new().name("uplink".to_owned()).spawn(ship)?;
        Ok(Self { stop, told, thread })
    }

    /// How it goes, as it changes.
    #[must_use]
    pub fn state(&self) -> watch::Receiver<State> {
        self.told.clone()
    }

    /// Ends, after what is on disk is signed for, or two seconds.
    pub fn stop(self) {
        self.stop.send_replace(true);
        if self.thread.join().is_err() {
            tracing::error!("the uplink has failed; it goes on from its last receipt at the next start");
        }
    }
}

async fn ship(settings: Settings, mut stop: watch::Receiver<bool>, tell: watch::Sender<State>) {
    let mut wait = AGAIN.0;
    let stopped = async move {
        // the sender is kept until it is told
        let _ = stop.wait_for(|stop| *stop).await;
    };
    let ended = stopped_later(stopped);
    tokio::pin!(ended);
    loop {
        let began = tokio::time::Instant::now();
        let why = tokio::select! {
            () = &mut ended => return,
            why = session::run(&settings, &tell) => why,
        };
        tell.send_modify(|told| (told.connected, told.trouble) = (false, Some(why.to_string())));
        tracing::warn!("uplink: {why}; the record goes on, and is shipped later");
        if began.elapsed() > AGAIN.1 {
            wait = AGAIN.0;
        }
        tokio::select! {
            () = &mut ended => return,
            () = tokio::time::sleep(wait) => wait = (wait * 2).min(AGAIN.1),
        }
    }
}

/// Returns a while after it was told to stop, so that the last lines are still signed for.
async fn stopped_later(stopped: impl Future<Output = ()>) {
    stopped.await;
    tokio::time::sleep(GRACE).await;
}
