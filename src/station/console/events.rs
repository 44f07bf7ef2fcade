//! `/api/v1/events`: the record's lines with their answers, as they come onto the disk, and the verdict as it changes.
//! Who comes back says which line he had last, and gets what he missed.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use sabot_journal::tail::NotThere;
use sabot_web::live::{PULSE, Page};
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::brief;
use crate::record_feed::{Follower, NotFollowed, RecordFeed, Retold};
use crate::snapshot::Snapshot;

/// The header by which a browser says what it had last.
const LAST_EVENT_ID: &str = "last-event-id";

/// The same in the address, for who has had nothing yet: a browser sets no header by itself.
#[derive(Debug, Deserialize)]
pub(super) struct After {
    after: Option<String>,
}

/// Follows the record from where somebody was.
pub(super) async fn follow(
    record: &RecordFeed,
    After { after }: After,
    headers: &HeaderMap,
) -> Result<Follower, NotFollowed> {
    let had = headers.get(LAST_EVENT_ID).map(|id| String::from_utf8_lossy(id.as_bytes()).into_owned()).or(after);
    record.follow(had.map(|had| had.parse()).transpose()?).await
}

/// Tells why the record is not followed.
pub(super) fn refused(why: &NotFollowed) -> Response {
    let status = match why {
        NotFollowed::NotThere(NotThere::NoMark) => StatusCode::BAD_REQUEST,
        NotFollowed::NotThere(NotThere::Ahead { .. }) => StatusCode::NOT_FOUND,
        NotFollowed::NotThere(NotThere::Other { .. }) => StatusCode::CONFLICT,
        NotFollowed::NotThere(NotThere::Behind { .. }) => StatusCode::GONE,
        NotFollowed::Starting => StatusCode::SERVICE_UNAVAILABLE,
        NotFollowed::NotThere(NotThere::File(_))
        | NotFollowed::Players { .. }
        | NotFollowed::Line(_)
        | NotFollowed::Whole(_) => {
            tracing::error!(%why, "the record is not followed");
            let told = "the record cannot be read now; the station's log says why\n";
            return (StatusCode::SERVICE_UNAVAILABLE, told).into_response();
        }
    };
    (status, format!("{why}\n")).into_response()
}

/// Tells the verdict and the record's lines until there will be no more, or nobody listens.
pub(super) async fn tell(follower: Follower, shown: watch::Receiver<Arc<Snapshot>>, page: Page) {
    if let Err(why) = told(follower, shown, &page).await {
        tracing::error!(%why, "who follows the record gets no more");
    }
}

async fn told(
    mut follower: Follower,
    mut shown: watch::Receiver<Arc<Snapshot>>,
    page: &Page,
) -> Result<(), NotFollowed> {
    let mut verdict = brief::briefs();
    let (mut pulse_at, mut is_shown) = (Instant::now(), true);
    loop {
        let snapshot = Arc::clone(&shown.borrow_and_update());
        let mut news: Vec<Event> = verdict(&snapshot).ok().flatten().into_iter().collect();
        let lines = follower.next().await?.into_iter();
        news.extend(lines.map(|Retold { id, json }| Event::default().id(id).event("line").data(json)));
        if news.is_empty() {
            let grown = tokio::select! {
                grown = follower.grown() => grown,
                changed = shown.changed(), if is_shown => {
                    is_shown = changed.is_ok();
                    true
                }
                () = sleep_until(pulse_at) => {
                    news.push(Event::default().event("pulse").data(snapshot.line.to_string()));
                    true
                }
            };
            if !grown {
                return Ok(());
            }
        }
        for event in news {
            // only who has read one gets the next
            if page.send(Ok(event)).await.is_err() {
                return Ok(());
            }
            pulse_at = Instant::now() + PULSE;
        }
    }
}
