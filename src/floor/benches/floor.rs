//! Lines a second from records on disk to a committed database, beside what the bare broker and the bare database do
//! with the same lines in the same run: `cargo bench -p sabot-floor --bench floor -- 50 2000` (tables, lines a table).
//! Needs nats-server and PostgreSQL.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench that cannot go on fails")]
#![allow(dead_code, reason = "the tests use more of what they share with this")]

#[path = "../tests/casino.rs"]
mod casino;
#[path = "../tests/engines.rs"]
mod engines;

use std::pin::pin;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream;
use casino::{House, Station};
use engines::{Nats, Postgres};
use futures_util::StreamExt;
use sabot_floor::store::{Store, postgres};
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;

const BATCH: usize = 2000;

fn told(what: &str, lines: usize, began: Instant) -> f64 {
    let rate = lines as f64 / began.elapsed().as_secs_f64();
    println!("{what:<44} {rate:>9.0} lines/s");
    rate
}

/// Publishes all lines, takes them and acknowledges each.
async fn bare_broker(nats: &Nats, lines: &[String]) -> f64 {
    let client = async_nats::connect(nats.url()).await.unwrap();
    let context = async_nats::jetstream::new(client.clone());
    let config = stream::Config { name: "BARE".to_owned(), subjects: vec!["bare".to_owned()], ..Default::default() };
    let stream = context.create_stream(config).await.unwrap();
    let config =
        pull::Config { durable_name: Some("bare".to_owned()), ack_policy: AckPolicy::Explicit, ..Default::default() };
    let consumer = stream.create_consumer(config).await.unwrap();
    let began = Instant::now();
    let publish = async {
        for line in lines {
            client.publish("bare", line.clone().into()).await.unwrap();
        }
        client.flush().await.unwrap();
    };
    let take = async {
        let mut taken = 0;
        while taken < lines.len() {
            let batch = consumer.batch().max_messages(BATCH).expires(Duration::from_millis(200)).messages().await;
            let mut batch = batch.unwrap();
            while let Some(message) = batch.next().await {
                message.unwrap().ack().await.unwrap();
                taken += 1;
            }
        }
        client.flush().await.unwrap();
    };
    tokio::join!(publish, take);
    told("the bare broker", lines.len(), began)
}

/// Copies all lines into a table with the same columns and key, a transaction each so many.
async fn bare_database(url: &str, lines: &[String]) -> f64 {
    let (mut db, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let table = "create table bare (table_id int, epoch bigint, line bigint, at timestamptz, ev text, text text,
        primary key (table_id, epoch, line)); create index on bare (table_id, at)";
    db.batch_execute(table).await.unwrap();
    let began = Instant::now();
    for (batch, lines) in lines.chunks(BATCH).enumerate() {
        let transaction = db.transaction().await.unwrap();
        let copy = transaction.copy_in("copy bare from stdin binary").await.unwrap();
        let types = [Type::INT4, Type::INT8, Type::INT8, Type::TIMESTAMPTZ, Type::TEXT, Type::TEXT];
        let mut writer = pin!(BinaryCopyInWriter::new(copy, &types));
        for (at, line) in lines.iter().enumerate() {
            let number = i64::try_from(batch * BATCH + at).unwrap();
            let time = std::time::UNIX_EPOCH + Duration::from_millis(number.unsigned_abs());
            writer.as_mut().write(&[&1i32, &1i64, &number, &time, &"device", line]).await.unwrap();
        }
        writer.finish().await.unwrap();
        transaction.commit().await.unwrap();
    }
    told("the bare database", lines.len(), began)
}

/// From records on disk, which nobody has shipped yet, until all of it is committed.
async fn whole_way(nats: &Nats, stations: &[Station], sinks: usize) -> f64 {
    let database = Postgres::start();
    let house = House::new(&nats.url(), &stations.iter().collect::<Vec<_>>());
    let url = database.url();
    let mut store = postgres::Postgres::open(&url, None).await.unwrap();
    let lines: u64 = stations.iter().map(|station| station.lines().iter().map(Vec::len).sum::<usize>() as u64).sum();
    let began = Instant::now();
    for _ in 0..sinks {
        let url = url.clone();
        house.sink(async move || postgres::Postgres::open(&url, None).await);
    }
    let uplinks: Vec<_> = stations.iter().map(|station| station.uplink(&nats.url(), &house.key)).collect();
    loop {
        let kept: u64 = store.records().await.unwrap().iter().map(|(_, head)| head.lines).sum();
        if kept == lines {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    let rate = told(&format!("uplinks to database, {sinks} sinks"), lines.try_into().unwrap(), began);
    uplinks.into_iter().for_each(sabot_floor::uplink::Uplink::stop);
    rate
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let (tables, lines) = (numbers.first().copied().unwrap_or(50), numbers.get(1).copied().unwrap_or(2000));
    let mut stations: Vec<Station> = (1..=tables).map(|table| Station::new(&format!("BJ-{table:04}"))).collect();
    for station in &mut stations {
        // passes of 80 lines
        (0..lines / 80).for_each(|_| station.deal(80, "dealt"));
        station.close();
    }
    let all: Vec<String> = stations.iter().flat_map(|station| station.lines().concat()).collect();
    let bytes: usize = all.iter().map(String::len).sum();
    println!("{tables} tables, {} lines of {} bytes on average", all.len(), bytes / all.len());
    LocalSet::new()
        .run_until(async {
            let database = Postgres::start();
            let broker = bare_broker(&Nats::start(), &all).await;
            let bare = bare_database(&database.url(), &all).await;
            drop(database);
            for sinks in [1, 2] {
                let nats = Nats::start();
                let rate = whole_way(&nats, &stations, sinks).await;
                println!("{:>66.2} of the broker, {:.2} of the database", rate / broker, rate / bare);
                for station in &stations {
                    let _ = std::fs::remove_file(station.record().with_extension("jsonl.uplink"));
                }
            }
        })
        .await;
}
