//! What the bare broker and the bare database do with the same lines: beside it stands what the floor does.

use std::pin::pin;
use std::time::{Duration, Instant, UNIX_EPOCH};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream;
use futures_util::StreamExt;
use tokio_postgres::NoTls;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

use crate::broker::Broker;

const NAME: &str = "sabot-bare";
/// Lines that are taken, or committed, at once.
const BATCH: usize = 2000;

/// Lines a second.
fn rate(lines: usize, began: Instant) -> f64 {
    lines as f64 / began.elapsed().as_secs_f64()
}

/// Publishes all lines to a stream of their own on disk, takes them and acknowledges each; lines a second.
///
/// # Errors
/// When the broker does not do it.
pub async fn broker(broker: &Broker, lines: &[String]) -> Result<f64, async_nats::Error> {
    let (client, context) = broker.connect(NAME).await?;
    let subjects = vec![NAME.to_owned()];
    let stream =
        context.create_stream(stream::Config { name: NAME.to_owned(), subjects, ..Default::default() }).await?;
    let config =
        pull::Config { durable_name: Some(NAME.to_owned()), ack_policy: AckPolicy::Explicit, ..Default::default() };
    let consumer = stream.create_consumer(config).await?;
    let began = Instant::now();
    let publish = async {
        for line in lines {
            client.publish(NAME, line.clone().into()).await?;
        }
        Ok::<_, async_nats::Error>(client.flush().await?)
    };
    let take = async {
        let mut messages = consumer.stream().max_messages_per_batch(BATCH).messages().await?.take(lines.len());
        while let Some(message) = messages.next().await {
            message?.ack().await?;
        }
        Ok::<_, async_nats::Error>(client.flush().await?)
    };
    tokio::try_join!(publish, take)?;
    let rate = rate(lines.len(), began);
    context.delete_stream(NAME).await?;
    Ok(rate)
}

/// Copies all lines into a table with the columns and the key of the sinks', a transaction each so many; lines a
/// second. The table is gone with the connection.
///
/// # Errors
/// When the database does not do it.
pub async fn database(url: &str, lines: &[String]) -> Result<f64, tokio_postgres::Error> {
    let (mut db, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    let table = "drop table if exists sabot_bare; create table sabot_bare (table_id int, epoch bigint, line bigint,
        at timestamptz, ev text, text text, primary key (table_id, epoch, line));
        create index on sabot_bare (table_id, at)";
    db.batch_execute(table).await?;
    let began = Instant::now();
    for (batch, lines) in lines.chunks(BATCH).enumerate() {
        let transaction = db.transaction().await?;
        let copy = transaction.copy_in("copy sabot_bare from stdin binary").await?;
        let types = [Type::INT4, Type::INT8, Type::INT8, Type::TIMESTAMPTZ, Type::TEXT, Type::TEXT];
        let mut writer = pin!(BinaryCopyInWriter::new(copy, &types));
        for (at, line) in lines.iter().enumerate() {
            let number = (batch * BATCH + at) as u64;
            let time = UNIX_EPOCH + Duration::from_millis(number);
            writer.as_mut().write(&[&1i32, &1i64, &number.cast_signed(), &time, &"device", line]).await?;
        }
        writer.finish().await?;
        transaction.commit().await?;
    }
    let rate = rate(lines.len(), began);
    db.batch_execute("drop table sabot_bare").await?;
    Ok(rate)
}
