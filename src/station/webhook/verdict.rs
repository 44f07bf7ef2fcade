//! The verdict by HTTP: at once, each time that it says something else, and now and then though it does not, so that
//! one who hears nothing knows that the table is not watched.

use std::sync::Arc;
use std::time::Duration;

use sabot_law::table::Phase;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

use super::{Receiver, Tries};
use crate::about::now_ms;
use crate::console::brief::Brief;
use crate::snapshot::Snapshot;

/// It is sent at least this often.
const EVERY: Duration = Duration::from_mins(1);
/// No more than two in a second: faster ones are read by nobody.
const PACE: Duration = Duration::from_millis(500);

#[derive(Serialize)]
struct Body<'a> {
    table: &'a str,
    verdict: &'a Brief,
}

/// What somebody who is not at the table would act on: the game going on is no news.
fn news(brief: &Brief) -> Brief {
    Brief { line: 0, pass: 0, phase: Phase::Idle, due: None, ..brief.clone() }
}

impl Receiver {
    /// Ends with the station. What was not taken is not sent again: by then something newer may be so.
    pub(super) async fn told_of_verdicts(self, mut shown: watch::Receiver<Arc<Snapshot>>) {
        // before the record is open nothing is known
        if shown.wait_for(|snapshot| snapshot.line > 0).await.is_err() {
            return;
        }
        let mut tries = Tries::default();
        loop {
            let brief = Brief::of(&shown.borrow_and_update());
            let (line, body) = (brief.line.to_string(), Body { table: &self.table, verdict: &brief });
            let Ok(body) = serde_json::to_string(&body) else { return };
            // two verdicts may be about one line
            let body = self.formatted(&format!("{line}-{}", now_ms()), body);
            if !self.takes(&line, body.into(), &mut tries).await {
                continue;
            }
            let (had, again) = (news(&brief), Instant::now() + EVERY);
            sleep(PACE).await;
            while news(&Brief::of(&shown.borrow_and_update())) == had {
                match timeout_at(again, shown.changed()).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return,
                    Err(_) => break,
                }
            }
        }
    }
}
