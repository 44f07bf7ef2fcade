//! How tables stand: told by their stations, and heard by whoever listens now. No stream keeps it, and nobody answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use futures_util::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, sleep_until, timeout};

use crate::broker::Broker;
use crate::subjects::{TableId, What};

/// A table is told again after so long though nothing has changed: who hears nothing for two seconds sees it no more.
const AGAIN: Duration = Duration::from_millis(800);
/// It is told no more often.
const PACE: Duration = Duration::from_millis(40);
/// A table says how it stands each second. What it said so long ago is told no more: nobody knows how it stands now.
const FRESH: Duration = Duration::from_secs(3);
/// A broker that does not let it be told is asked again after so long: it writes each time into its log.
const REFUSED: Duration = Duration::from_secs(60);
/// A broker that is not reached is asked again after so long.
const REST: Duration = Duration::from_secs(1);
/// How often it is looked whether the broker is still there.
const LOOK: Duration = Duration::from_millis(250);

/// Tells how a table stands, as `verdicts` has it; nothing while that is empty, or has not been given anew for three
/// seconds. Ends when nobody can give anything anew.
///
/// It has a connection of its own, so that it does not wait for the record's lines.
pub async fn tell(broker: Broker, table: TableId, mut verdicts: watch::Receiver<Vec<u8>>) {
    let subject = table.subject(What::Verdict);
    loop {
        let is_refused = Arc::new(AtomicBool::new(false));
        let (refuses, of) = (Arc::clone(&is_refused), subject.clone());
        let refused = move |words: &str| {
            if words.contains(&of) {
                refuses.store(true, Ordering::Relaxed);
            }
        };
        match broker.connect_told(&format!("sabot {table} verdict"), refused).await {
            Ok((client, _)) => return tell_by(&client, &subject, &mut verdicts, &is_refused).await,
            Err(why) => tracing::debug!(%why, "the verdict is not told"),
        }
        if let Ok(Err(_)) = timeout(REST, verdicts.wait_for(|_| false)).await {
            return;
        }
    }
}

/// A connection that is lost is made anew by itself.
async fn tell_by(client: &Client, subject: &str, verdicts: &mut watch::Receiver<Vec<u8>>, is_refused: &AtomicBool) {
    let (mut last, mut due, mut fresh) = (Vec::new(), Instant::now(), Instant::now() + FRESH);
    loop {
        tokio::select! {
            given = verdicts.changed() => match given {
                Ok(()) => fresh = Instant::now() + FRESH,
                Err(_) => return,
            },
            () = sleep_until(due) => {}
        }
        let now = Instant::now();
        let verdict = verdicts.borrow_and_update().clone();
        if verdict == last && now < due {
            continue;
        }
        due = now + AGAIN;
        // what waits for the broker would be old when it comes
        if verdict.is_empty() || fresh <= now || client.connection_state() != State::Connected {
            continue;
        }
        if is_refused.swap(false, Ordering::Relaxed) {
            sleep(REFUSED).await;
            continue;
        }
        last.clone_from(&verdict);
        if let Ok(Err(why)) = timeout(AGAIN, client.publish(subject.to_owned(), verdict.into())).await {
            tracing::debug!(%why, "the verdict is not told");
        }
        sleep(PACE).await;
    }
}

/// A piece of news of those who listen.
#[derive(Debug)]
pub enum Heard {
    /// Somebody says for a table how it stands.
    Verdict {
        /// Which table.
        table: TableId,
        /// What is said, as it came.
        said: Vec<u8>,
    },
    /// The broker is reached: from now on whoever is not heard is silent.
    Here,
    /// The broker is not reached: nobody is heard.
    Away,
    /// The broker does not let anybody be heard.
    Refused,
}

/// Why nobody is heard any more.
enum Ended {
    /// The broker is not there, in its words or the system's.
    Away(String),
    /// It lets nobody be heard.
    Refused,
}

/// Hears all verdicts of a subject ([`TableId::verdicts`]), until nobody takes them any more.
pub async fn hear(broker: Broker, subject: String, heard: mpsc::Sender<Heard>) {
    let mut said = String::new();
    loop {
        let Err(why) = listen(&broker, &subject, &heard).await else { return };
        let (news, why) = match why {
            Ended::Away(why) => (Heard::Away, why),
            Ended::Refused => (Heard::Refused, "it does not let them be heard".to_owned()),
        };
        // tried each second, and said once
        if why != said {
            tracing::warn!("the tables of the broker are not heard: {why}");
            said = why;
        }
        if heard.send(news).await.is_err() {
            return;
        }
        sleep(REST).await;
    }
}

/// Ends well when nobody takes the verdicts any more.
async fn listen(broker: &Broker, subject: &str, heard: &mpsc::Sender<Heard>) -> Result<(), Ended> {
    let (refuses, mut refused) = mpsc::channel(1);
    // one that waits is enough
    let refused_once = move |_: &str| {
        let _ = refuses.try_send(());
    };
    let (client, _) =
        broker.connect_told("sabot pit", refused_once).await.map_err(|why| Ended::Away(why.to_string()))?;
    let mut said = client.subscribe(subject.to_owned()).await.map_err(|why| Ended::Away(why.to_string()))?;
    // a refusal comes sooner than the first look
    let mut look = interval_at(Instant::now() + LOOK, LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut was_here = false;
    loop {
        let news = tokio::select! {
            message = said.next() => {
                let message = message.ok_or_else(|| Ended::Away("the connection is closed".to_owned()))?;
                match TableId::of_subject(&message.subject) {
                    Some((table, What::Verdict)) => Heard::Verdict { table, said: message.payload.to_vec() },
                    _ => continue,
                }
            }
            Some(()) = refused.recv() => return Err(Ended::Refused),
            _ = look.tick() => {
                let is_here = client.connection_state() == State::Connected;
                // that nobody is heard is told again, for whom it found no room
                if is_here && was_here {
                    continue;
                }
                was_here = is_here;
                if is_here { Heard::Here } else { Heard::Away }
            }
        };
        if heard.send(news).await.is_err() {
            return Ok(());
        }
    }
}
