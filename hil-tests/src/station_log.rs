//! What the station of a bench says while it runs, kept for the message of a failing test.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use tracing_subscriber::filter::LevelFilter;

/// Bytes that are kept: the beginning of a log that goes on and on.
const KEPT: usize = 256 * 1024;

/// The log, growing.
#[derive(Debug, Clone, Default)]
pub(crate) struct StationLog(Arc<Mutex<Vec<u8>>>);

impl StationLog {
    /// From here on this thread's log is kept here, unless the whole process has one already.
    pub(crate) fn listen(&self) {
        if tracing::dispatcher::has_been_set() && tracing::level_filters::LevelFilter::current() == LevelFilter::TRACE {
            return;
        }
        let writer = self.clone();
        let log = tracing_subscriber::fmt().with_ansi(false).with_max_level(LevelFilter::INFO);
        // until the thread ends
        std::mem::forget(tracing::subscriber::set_default(log.with_writer(move || writer.clone()).finish()));
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl Write for StationLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = KEPT.saturating_sub(kept.len()).min(bytes.len());
        kept.extend(bytes.get(..room).unwrap_or_default());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
