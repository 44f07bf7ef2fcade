//! What a signal logs. In a file of its own: which lines are logged is a matter of the whole process.
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sabot_drivers::signal::pole::{Pole, Protocol, Settings};
use sabot_drivers::signal::{SignalState, spawn_over};
use sabot_drivers::transport::memory;
use sabot_stall_guard::PATIENCE;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<Level>>>);

impl<S: tracing::Subscriber> Layer<S> for Logged {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        self.0.lock().unwrap().push(*event.metadata().level());
    }
}

#[tokio::test]
async fn a_loss_is_one_warning_and_a_recovery_one_line_however_often_it_is_looked_for() {
    let logged = Logged::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(logged.clone()));
    let (place, socket) = memory();
    let (_stop, stopped) = watch::channel(false);
    let pole = Pole::new(Settings::usual(Protocol::EscPos));
    let signal = spawn_over(place, "escpos", pole, stopped);
    let shows = async || {
        let shown = signal.wait_state(|state| *state == SignalState::Shows);
        timeout(PATIENCE, shown).await.unwrap().unwrap();
    };
    // looked for again and again meanwhile
    tokio::time::sleep(Duration::from_millis(700)).await;
    for _ in 0..2 {
        let cable = socket.plug(4096);
        shows().await;
        drop(cable);
        let away = signal.wait_state(|state| matches!(state, SignalState::Absent(_)));
        timeout(PATIENCE, away).await.unwrap().unwrap();
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    let levels = logged.0.lock().unwrap().clone();
    assert!(levels.iter().filter(|level| **level == Level::DEBUG).count() > 3, "{levels:?}");
    let loud: Vec<_> = levels.into_iter().filter(|level| *level <= Level::INFO).collect();
    assert_eq!(loud, [Level::WARN, Level::INFO, Level::WARN, Level::INFO, Level::WARN]);
    assert_eq!(signal.counters().reconnects, 1);
}
