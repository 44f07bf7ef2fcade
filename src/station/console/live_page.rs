//! One live page: the newest snapshot at once, then whatever changes, and a pulse while nothing does.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::Event;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::ReceiverStream;

use super::render::{Drawn, Pictures, Update, VERSION};
use crate::snapshot::Snapshot;
use sabot_law::table::answer::Lang;

/// A page hears something at least this often; it takes three silent pulses for a lost connection.
const PULSE: Duration = Duration::from_millis(800);
/// Updates come no closer than this: faster ones are not seen, and drawing them would take time from the table.
const PACE: Duration = Duration::from_millis(40);

/// What a live page is sent, until it goes away, the station stops, or there are no more snapshots.
pub(super) fn stream(
    (snapshots, pictures): (watch::Receiver<Arc<Snapshot>>, Arc<Pictures>),
    shutdown: watch::Receiver<bool>,
    lang: Lang,
    slot: OwnedSemaphorePermit,
) -> ReceiverStream<Result<Event, Infallible>> {
    // room for one: a page that does not read holds back only itself, and gets the newest snapshot when it reads again
    let (page, events) = mpsc::channel(1);
    tokio::spawn(async move {
        tokio::select! {
            () = sabot_web::stopped(shutdown) => {}
            () = page.closed() => {}
            () = send(snapshots, &pictures, lang, &page) => {}
        }
        drop(slot);
    });
    ReceiverStream::new(events)
}

async fn send(
    mut snapshots: watch::Receiver<Arc<Snapshot>>,
    pictures: &Pictures,
    lang: Lang,
    page: &mpsc::Sender<Result<Event, Infallible>>,
) {
    let mut shown: Option<Arc<Drawn>> = None;
    loop {
        let Ok(room) = page.reserve().await else { return };
        let snapshot = Arc::clone(&snapshots.borrow_and_update());
        match pictures.of(&snapshot, lang).map_err(Into::into).and_then(|drawn| update(drawn, &mut shown)) {
            Ok(event) => room.send(Ok(event)),
            Err(error) => {
                tracing::error!(%error, "a live page gets no more pictures");
                return;
            }
        }
        sleep(PACE).await;
        loop {
            match timeout(PULSE, snapshots.changed()).await {
                Ok(Ok(())) => break,
                Ok(Err(_)) => return,
                Err(_) => {
                    let pulse = Event::default().event("pulse").data(snapshot.line.to_string());
                    if page.send(Ok(pulse)).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

/// The event that brings a page up to date: the regions that differ from what it shows. They are what it shows then.
fn update(
    drawn: Arc<Drawn>,
    shown: &mut Option<Arc<Drawn>>,
) -> Result<Event, Box<dyn std::error::Error + Send + Sync>> {
    let parts = drawn.parts.since(shown.as_ref().map(|shown| &shown.parts));
    let changed = Update { version: &VERSION, title: &drawn.title, parts };
    let event = Event::default().event("picture").data(serde_json::to_string(&changed)?);
    *shown = Some(drawn);
    Ok(event)
}
