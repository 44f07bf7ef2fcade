//! A line that goes bad is told before it fails, once, and once when it was mended. Hours pass in moments: the clock is
//! the runtime's, and stands still while there is something to do.
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::device::{Inbox, TestDevice, expected};
use sabot_drivers::link::{LinkReport, spawn_over};
use sabot_drivers::transport::{Connect, Faults, Faulty, OpenError, memory};
use sabot_drivers::{Complaint, Quality, Trouble};
use sabot_wire::message::Role;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, timeout_at};
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

const MINUTE: Duration = Duration::from_secs(60);

/// A place whose line has these faults from the next opening on.
struct Noisy<C> {
    inner: C,
    faults: Arc<Mutex<Faults>>,
    seed: u64,
}

impl<C: Connect + Sync> Connect for Noisy<C> {
    type Stream = Faulty<C::Stream>;

    async fn connect(&mut self) -> Result<Self::Stream, OpenError> {
        let stream = self.inner.connect().await?;
        self.seed += 1;
        // towards the device too, as on a cable
        Ok(Faulty::new(stream, *self.faults.lock().unwrap(), self.seed))
    }

    fn place(&self) -> String {
        self.inner.place()
    }
}

/// The lines that say how good a line is, and how loud.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<(Level, String)>>>);

impl<S: tracing::Subscriber> Layer<S> for Logged {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        let mut text = String::new();
        event.record(&mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
            text.push_str(&format!("{field}={value:?} "));
        });
        if text.contains("the line of the device") {
            self.0.lock().unwrap().push((*event.metadata().level(), text));
        }
    }
}

/// What the link said of its line, and after how long.
async fn turns(inbox: &mut Inbox, until: Instant) -> Vec<(Duration, Quality)> {
    let (began, mut turns) = (Instant::now(), Vec::new());
    while let Ok(report) = timeout_at(until, inbox.reports.recv()).await {
        if let (_, LinkReport::Quality(quality)) = report.unwrap() {
            turns.push((began.elapsed(), quality));
        }
    }
    turns
}

/// A quarter of an hour on a line with so many bits in a million bytes flipped, then more than half an hour on a mended
/// one.
async fn evening(flip: u32, seed: u64) -> (Vec<(Duration, Quality)>, Vec<(Duration, Quality)>) {
    let (inner, socket) = memory();
    let faults = Arc::new(Mutex::new(Faults { flip, ..Faults::NONE }));
    let place = Noisy { inner, faults: Arc::clone(&faults), seed };
    let shoe = TestDevice::new(Role::Shoe, 4096);
    shoe.polls_every_ms(40);
    let (sender, reports) = mpsc::channel(64);
    let (_stop, stopped) = watch::channel(false);
    let _link = spawn_over(place, expected(Role::Shoe), None, sender, stopped);
    let mut inbox = Inbox { reports };
    let cable = shoe.stays_on(socket.clone());
    let bad = turns(&mut inbox, Instant::now() + 15 * MINUTE).await;
    *faults.lock().unwrap() = Faults::NONE;
    cable.abort();
    shoe.stays_on(socket);
    let mended = turns(&mut inbox, Instant::now() + 40 * MINUTE).await;
    (bad, mended)
}

#[tokio::test(start_paused = true)]
async fn noise_is_told_once_before_the_line_fails_and_the_mended_line_once() {
    let logged = Logged::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(logged.clone()));
    for seed in [100, 200] {
        for flip in [0, 50] {
            let (bad, mended) = evening(flip, seed).await;
            assert_eq!((bad, mended), (vec![], vec![]), "{flip} of a million bytes, seed {seed}");
            assert!(logged.0.lock().unwrap().is_empty(), "a good line is no news");
        }
        for flip in [3_000, 8_000, 20_000] {
            let (bad, mended) = evening(flip, seed).await;
            let [(after, Quality::Poor(why))] = bad[..] else { panic!("{flip}, seed {seed}: {bad:?}") };
            assert!(after < 5 * MINUTE, "{flip} of a million bytes, seed {seed}: told after {after:?}");
            assert!(matches!(why, Complaint { trouble: Trouble::Damaged, .. }), "{flip}, seed {seed}: {why}");
            let [(_, Quality::Good)] = mended[..] else { panic!("{flip}, seed {seed}: {mended:?}") };
            let lines = std::mem::take(&mut *logged.0.lock().unwrap());
            let [(Level::WARN, poor), (Level::INFO, good)] = &lines[..] else { panic!("{lines:#?}") };
            assert!(poor.contains("the cable or its plug is going bad") && good.contains("good again"), "{lines:#?}");
        }
    }
}
