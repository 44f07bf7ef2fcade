//! What a link logs. In a file of its own: which lines are logged is a matter of the whole process.
use std::sync::Arc;
use std::time::Duration;

use crate::device::{Inbox, TestDevice, eventually, expected};
use sabot_drivers::link::spawn_over;
use sabot_drivers::transport::memory;
use sabot_wire::message::Role;
use tokio::sync::{mpsc, watch};
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

/// Counts what is logged, by level.
#[derive(Clone, Default)]
struct Logged(Arc<std::sync::Mutex<Vec<(Level, String)>>>);

impl<S: tracing::Subscriber> Layer<S> for Logged {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        let mut text = String::new();
        event.record(&mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
            text.push_str(&format!("{field}={value:?} "));
        });
        self.0.lock().unwrap().push((*event.metadata().level(), text));
    }
}

#[tokio::test]
async fn a_loss_is_one_warning_and_a_recovery_one_line_and_no_card_is_logged() {
    let logged = Logged::default();
    let subscriber = tracing_subscriber::registry().with(logged.clone());
    let _guard = tracing::subscriber::set_default(subscriber);
    let (place, socket) = memory();
    let shoe = TestDevice::new(Role::Shoe, 4096);
    let (sender, reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let link = spawn_over(place, expected(Role::Shoe), None, sender, stopped);
    let mut inbox = Inbox { reports };
    eventually("it was looked for and not found", || !logged.0.lock().unwrap().is_empty()).await;
    let cable = shoe.run_on(socket.plug(4096));
    inbox.online().await;
    assert!(shoe.sees(51));
    let seen = inbox.seen().await;
    link.ack(seen.epoch, seen.seq);
    cable.abort();
    inbox.absent().await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    shoe.run_on(socket.plug(4096));
    inbox.online().await;
    let lines = logged.0.lock().unwrap();
    let loud: Vec<_> = lines.iter().filter(|(level, _)| *level <= Level::INFO).collect();
    let levels: Vec<_> = loud.iter().map(|(level, _)| *level).collect();
    assert_eq!(levels, [Level::WARN, Level::INFO, Level::WARN, Level::INFO], "{loud:#?}");
    // how long it was away may have any digits
    let tells = |word: &str| !word.starts_with("away_ms=") && (word.contains("51") || word.contains("Drawn"));
    assert!(!lines.iter().any(|(_, text)| text.split_whitespace().any(tells)), "{lines:#?}");
}
