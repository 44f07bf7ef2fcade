//! Whether the machine's clock follows others. The kernel knows, whoever sets it (systemd-timesyncd, chrony, ntpd,
//! PTP); `timedatectl` asks it. Where nobody answers that, systemd-timesyncd's own mark does.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::sync::watch;

/// There as long as systemd-timesyncd follows a server.
const MARK: &str = "/run/systemd/timesync/synchronized";
/// It is asked so often.
const EVERY: Duration = Duration::from_secs(30);

/// Whether the clock is kept right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synchronisation {
    /// Nobody says.
    Unknown,
    /// It follows others.
    Yes,
    /// It goes by itself.
    No,
}

/// What was found last.
static LAST: AtomicU8 = AtomicU8::new(0);

impl Synchronisation {
    /// The word for it in the record.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Unknown => "synchronisation-unknown",
            Self::Yes => "synchronised",
            Self::No => "not-synchronised",
        }
    }

    /// Whether it is kept right, where anybody says.
    pub(crate) const fn known(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Yes => Some(true),
            Self::No => Some(false),
        }
    }

    /// As it was found last in this program.
    #[must_use]
    pub fn last() -> Self {
        match LAST.load(Ordering::Relaxed) {
            1 => Self::Yes,
            2 => Self::No,
            _ => Self::Unknown,
        }
    }

    /// Asks. Blocks as long as `timedatectl` takes.
    #[must_use]
    pub fn look() -> Self {
        let now = by_timedatectl().unwrap_or(if Path::new(MARK).exists() { Self::Yes } else { Self::Unknown });
        LAST.store(now as u8, Ordering::Relaxed);
        now
    }
}

fn by_timedatectl() -> Option<Synchronisation> {
    let mut ask = Command::new("timedatectl");
    ask.args(["show", "--property=NTPSynchronized", "--value"]).stdin(Stdio::null()).stderr(Stdio::null());
    let said = ask.output().ok().filter(|said| said.status.success())?;
    match said.stdout.trim_ascii() {
        b"yes" => Some(Synchronisation::Yes),
        b"no" => Some(Synchronisation::No),
        _ => None,
    }
}

/// Tells the log at once what was found last, then asks again and again and tells what has changed.
pub(crate) fn watch(mut shutdown: watch::Receiver<bool>) -> impl Future<Output = ()> + use<> {
    let mut before = Synchronisation::last();
    told(before);
    async move {
        loop {
            tokio::select! {
                _ = shutdown.wait_for(|stop| *stop) => return,
                () = tokio::time::sleep(EVERY) => {}
            }
            let now = tokio::task::spawn_blocking(Synchronisation::look).await.unwrap_or(Synchronisation::Unknown);
            if now != before {
                told(now);
            }
            before = now;
        }
    }
}

fn told(now: Synchronisation) {
    match now {
        Synchronisation::Yes => tracing::info!("the machine's clock is synchronised"),
        Synchronisation::No => tracing::warn!(
            "the machine's clock is not synchronised, and the record's times on the wall go wrong with it: \
             `timedatectl` tells more"
        ),
        Synchronisation::Unknown => tracing::info!("nobody says whether the machine's clock is synchronised"),
    }
}
