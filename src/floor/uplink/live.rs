//! How the table stands, told to whoever listens now. Nothing of it is kept, and nobody answers.

use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// It is told again after so long though nothing has changed: who hears nothing for two seconds sees the table no more.
const AGAIN: Duration = Duration::from_millis(800);
/// It is told no more often.
const PACE: Duration = Duration::from_millis(40);

/// Tells it for ever.
pub(super) async fn tell(client: Client, subject: String, mut verdicts: watch::Receiver<Vec<u8>>) {
    loop {
        let verdict = verdicts.borrow_and_update().clone();
        // what waits for the broker would be old when it comes
        if !verdict.is_empty() && client.connection_state() == State::Connected {
            let told = timeout(AGAIN, client.publish(subject.clone(), verdict.into())).await;
            if let Ok(Err(why)) = told {
                tracing::debug!(%why, "the verdict is not told");
            }
        }
        sleep(PACE).await;
        if let Ok(Err(_)) = timeout(AGAIN, verdicts.changed()).await {
            // the station has stopped, and says nothing more
            return;
        }
    }
}
