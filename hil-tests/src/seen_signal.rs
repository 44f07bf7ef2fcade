//! A simulated signal: its levers, and what somebody before it sees.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use sabot_drivers::signal::pole::Protocol;
use sabot_simulation::twin::signal::{Lever, PoleTwin, TowerTwin};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

use crate::{eventually, must};

/// A tower or a display of the bench.
#[derive(Debug)]
pub struct SeenSignal {
    /// Its levers.
    pub pull: mpsc::Sender<Lever>,
    shown: watch::Receiver<String>,
    read: Arc<Mutex<String>>,
}

impl SeenSignal {
    /// A tower on the network, and its part of the station's file.
    ///
    /// # Panics
    /// When it cannot be had.
    #[must_use]
    pub fn tower(runtime: &Runtime) -> (Self, String) {
        let twin = must("the tower", runtime.block_on(TowerTwin::listen(([127, 0, 0, 1], 0).into(), false)));
        let config = format!("\n[[signal]]\ndriver = \"patlite-pns\"\naddress = \"{}\"\n", twin.address());
        let (pull, levers) = mpsc::channel(4);
        let (tell, shown) = watch::channel(String::new());
        runtime.spawn(twin.run(levers, tell));
        (Self::before(runtime, pull, shown), config)
    }

    /// A pole display at a pseudo-terminal in that folder, and its part of the station's file.
    ///
    /// # Panics
    /// When it cannot be had.
    #[must_use]
    pub fn pole(runtime: &Runtime, protocol: Protocol, folder: &Path) -> (Self, String) {
        let link = folder.join(protocol.name());
        let _inside = runtime.enter();
        let twin = must("the pole display", PoleTwin::open(protocol, &link));
        let config = format!("\n[[signal]]\ndriver = \"{}\"\nport = {link:?}\n", protocol.name());
        let (pull, levers) = mpsc::channel(4);
        let (tell, shown) = watch::channel(String::new());
        runtime.spawn(twin.run(levers, tell));
        (Self::before(runtime, pull, shown), config)
    }

    /// Somebody stands before it and reads.
    fn before(runtime: &Runtime, pull: mpsc::Sender<Lever>, shown: watch::Receiver<String>) -> Self {
        let (read, mut seen) = (Arc::new(Mutex::new(String::new())), shown.clone());
        let so_far = read.clone();
        runtime.spawn(async move {
            while seen.changed().await.is_ok() {
                let now = seen.borrow_and_update().clone();
                let rows = now.lines().map(|row| row.trim_matches('|').trim_end()).filter(|row| !row.is_empty());
                let rows: String = rows.map(|row| format!("{row} ")).collect();
                so_far.lock().unwrap_or_else(PoisonError::into_inner).push_str(&rows);
            }
        });
        Self { pull, shown, read }
    }

    /// It shows this, waited for.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn shows(&self, wanted: &str) {
        eventually(&format!("`{wanted}` is shown"), || *self.shown.borrow() == wanted);
    }

    /// It shows something else, of which `light` is no part, waited for.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn shows_not(&self, light: &str) {
        eventually(&format!("`{light}` is not shown"), || !self.shown.borrow().contains(light));
    }

    /// What was shown in turn so far holds `wanted`, waited for.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn reads(&self, wanted: &str) {
        let read = || self.read.lock().unwrap_or_else(PoisonError::into_inner).contains(wanted);
        eventually(&format!("`{wanted}` is to be read"), read);
    }
}
