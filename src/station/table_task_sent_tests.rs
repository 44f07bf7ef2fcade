//! What leaves a station without being asked for: to its devices, its display, its signals and its log.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};

use sabot_drivers::LineState;
use sabot_drivers::signal::SignalContent;
use sabot_wire::message::{Role, Show};

use super::super::Links;
use crate::snapshot::DeviceView;

/// What leaves a station without being asked for, one line each.
#[derive(Debug, Clone, Default)]
pub(super) struct Sent(Arc<Mutex<String>>);

impl Sent {
    pub(super) fn note(&self, line: &str) {
        let mut text = self.0.lock().unwrap();
        text.push_str(line);
        text.push('\n');
    }

    pub(super) fn take(&self) -> String {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Links for Sent {
    fn ack(&self, role: Role, epoch: u32, seq: u32) {
        self.note(&format!("to {role}: up to {epoch} {seq}"));
    }

    fn show(&self, show: Show) {
        self.note(&format!("to the display: {show:?}"));
    }

    fn signal(&self, picture: &SignalContent) {
        self.note(&format!("to the signals: {picture:?}"));
    }

    fn signals(&self) -> Vec<DeviceView> {
        Vec::new()
    }

    fn line(&self, _: Role) -> Option<LineState> {
        None
    }
}

/// The log of the program, at its finest.
impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps the log of this thread from now on, without times.
///
/// A place in the program asks once who listens, and one that asks while a listener comes may miss him for good: so
/// somebody listens from the first on.
pub(super) fn logged() -> (Sent, tracing::subscriber::DefaultGuard) {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let finest = tracing_subscriber::filter::LevelFilter::TRACE;
        tracing_subscriber::fmt().with_max_level(finest).with_writer(std::io::sink).init();
    });
    let log = Sent::default();
    let to = log.clone();
    let kept = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .without_time()
        .with_ansi(false)
        .with_writer(move || to.clone());
    (log, tracing::subscriber::set_default(kept.finish()))
}
