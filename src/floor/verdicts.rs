//! How tables stand, heard from those who tell it.

use std::time::Duration;

use async_nats::connection::State;
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::broker::Broker;
use crate::subjects::{TableId, What};

/// How often it is looked whether the broker is still there.
const LOOK: Duration = Duration::from_millis(250);
/// A broker that is not reached is asked again after so long.
const AGAIN: Duration = Duration::from_secs(1);

/// A piece of news.
#[derive(Debug)]
pub enum Heard {
    /// Somebody says for a table how it stands.
    Verdict {
        /// Which table.
        table: TableId,
        /// What is said, as it came.
        said: Vec<u8>,
    },
    /// The broker is not reached, and why: nobody is heard. It is told again while that is so.
    Away(String),
}

/// Hears all verdicts of a subject ([`TableId::verdicts`]), until nobody takes them any more.
pub async fn hear(broker: Broker, subject: String, heard: mpsc::Sender<Heard>) {
    loop {
        let Err(why) = listen(&broker, &subject, &heard).await else { return };
        if heard.send(Heard::Away(why)).await.is_err() {
            return;
        }
        sleep(AGAIN).await;
    }
}

/// Ends well when nobody takes the verdicts any more.
async fn listen(broker: &Broker, subject: &str, heard: &mpsc::Sender<Heard>) -> Result<(), String> {
    let (client, _) = broker.connect("sabot pit").await.map_err(|why| why.to_string())?;
    let mut said = client.subscribe(subject.to_owned()).await.map_err(|why| why.to_string())?;
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let news = tokio::select! {
            message = said.next() => {
                let message = message.ok_or("the connection is closed")?;
                match TableId::of_subject(&message.subject) {
                    Some((table, What::Verdict)) => Heard::Verdict { table, said: message.payload.to_vec() },
                    _ => continue,
                }
            }
            _ = look.tick() => match client.connection_state() {
                State::Connected => continue,
                State::Pending | State::Disconnected => Heard::Away(format!("{}: the connection is lost", broker.url)),
            },
        };
        if heard.send(news).await.is_err() {
            return Ok(());
        }
    }
}
