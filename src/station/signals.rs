//! Signal towers and small displays of other makers: what they show, and until when they ring.
//!
//! They show what the pit display shows, as much of it as they can: a tower its colour, a small display the texts. The
//! buzzer rings from a finding until somebody at the table has done something about it: made an entry on the keypad, or
//! turned an authority's key there, as each signal is configured. It is still, too, once nothing grave is left to look
//! at.

use std::sync::{Mutex, PoisonError};

use sabot_drivers::signal::{Attention, Level, Signal, SignalConfig, SignalContent, SignalState};
use sabot_wire::message::{KeypadSaid, Observation};
use tokio::sync::watch;

use super::about;
use super::config::signal_names;
use super::snapshot::{DeviceAbout, DeviceState, DeviceView};
use sabot_law::table::Severity;

/// What rang, and who has acknowledged it.
#[derive(Debug, Default)]
pub(super) struct Alarm {
    attention: Attention,
}

impl Alarm {
    /// A finding was raised.
    pub(super) fn raised(&mut self, severity: Severity) {
        if severity > Severity::Notice {
            self.attention = Attention::New;
        }
    }

    /// Something was seen; an entry acknowledges. Gives whether that changed anything.
    pub(super) fn saw(&mut self, saw: &Observation) -> bool {
        let before = self.attention;
        match saw {
            Observation::Keypad(KeypadSaid::Authorize { .. }) => self.attention = Attention::None,
            Observation::Keypad(_) => self.attention = before.min(Attention::Unkeyed),
            _ => {}
        }
        self.attention != before
    }

    /// Somebody has acted.
    pub(super) fn acknowledged(&mut self) {
        self.attention = Attention::None;
    }

    /// What is to be shown: how grave, what is unacknowledged, and these texts.
    pub(super) fn picture(&mut self, level: Level, texts: impl IntoIterator<Item = String>) -> SignalContent {
        if level <= Level::Notice {
            self.attention = Attention::None;
        }
        SignalContent::new(level, self.attention, texts)
    }
}

/// The signals as they are spawned.
#[derive(Debug, Default)]
pub(super) struct Signals(Vec<Spawned>);

#[derive(Debug)]
struct Spawned {
    config: SignalConfig,
    view: DeviceView,
    signal: Signal,
    /// How it was when it was asked last, and since when.
    last: Mutex<(DeviceState, Option<String>)>,
}

impl Signals {
    /// Those of a configuration, each with a task.
    pub(super) fn new(configs: &[SignalConfig], shutdown: watch::Receiver<bool>) -> Self {
        let mut signals = Self::default();
        signals.renew(configs, &shutdown);
        signals
    }

    /// The configuration has changed: a signal that is as it was goes on, another begins anew, and one that is named no
    /// more is let go.
    pub(super) fn renew(&mut self, configs: &[SignalConfig], shutdown: &watch::Receiver<bool>) {
        let mut before = std::mem::take(&mut self.0);
        let names = signal_names(&configs.iter().collect::<Vec<_>>());
        self.0 = (names.into_iter().zip(configs))
            .map(|(role, config)| {
                let same = before.iter().position(|spawned| spawned.config == *config);
                let (signal, last) = match same.map(|nth| before.swap_remove(nth)) {
                    Some(Spawned { signal, last, .. }) => (signal, last),
                    None => (sabot_drivers::signal::spawn(config, shutdown.clone()), Mutex::default()),
                };
                let view = DeviceView { role, port: config.place(), ..DeviceView::default() };
                Spawned { config: config.clone(), view, signal, last }
            })
            .collect();
    }

    pub(super) fn show(&self, picture: &SignalContent) {
        for Spawned { signal, .. } in &self.0 {
            signal.show(picture.clone());
        }
    }

    /// How each is, as the pit sees it.
    pub(super) fn views(&self) -> Vec<DeviceView> {
        let view = |Spawned { view, signal, last, .. }: &Spawned| {
            let (state, detail) = match signal.state() {
                SignalState::Absent(why) => (DeviceState::Absent, why),
                SignalState::Connecting => (DeviceState::Connecting, String::new()),
                SignalState::Shows => (DeviceState::Online, String::new()),
                SignalState::Faulty(fault) => (DeviceState::Faulty, fault.to_string()),
            };
            let counters = signal.counters();
            let (bad_frames, repeats) = (counters.bad_answers, counters.corrected);
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.0 != state || last.1.is_none() {
                *last = (state, Some(about::now()));
            }
            let about = DeviceAbout { since: last.1.clone(), ..view.about.clone() };
            DeviceView { state, detail, bad_frames, repeats, about, ..view.clone() }
        };
        self.0.iter().map(view).collect()
    }
}

#[cfg(test)]
#[path = "signals_tests.rs"]
mod tests;
