//! Lines a second from records on disk to a committed database, beside what the bare broker and the bare database do
//! with the same lines in the same run: `cargo bench -p sabot-floor --bench floor -- 50 2000` (tables, lines a table).
//! With `growth` before the numbers, each is a count of tables that are played at a person's pace ([`growth`]).
//! Needs nats-server and PostgreSQL.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench that cannot go on fails")]
#![allow(dead_code, reason = "the tests use more of what they share with this")]

#[path = "../../tests/casino.rs"]
mod casino;
#[path = "../../tests/engines.rs"]
mod engines;
mod growth;

use std::time::Duration;

use casino::{House, Station};
use engines::{Nats, Postgres};
use sabot_floor::bare;
use sabot_floor::broker::Broker;
use sabot_floor::store::{Store, postgres};
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};

fn told(what: &str, rate: f64) -> f64 {
    println!("{what:<44} {rate:>9.0} lines/s");
    rate
}

/// From records on disk, which nobody has shipped yet, until all of it is committed.
async fn whole_way(nats: &Nats, stations: &[Station], sinks: usize) -> f64 {
    let database = Postgres::start();
    let house = House::new(&nats.url(), &stations.iter().collect::<Vec<_>>());
    let url = database.url();
    let mut store = postgres::Postgres::open(&url, None).await.unwrap();
    let lines: u64 = stations.iter().map(|station| station.lines().iter().map(Vec::len).sum::<usize>() as u64).sum();
    for _ in 0..sinks {
        let url = url.clone();
        house.sink(async move || postgres::Postgres::open(&url, None).await);
    }
    // lines that come before a sink has made the streams would be sent again after two seconds
    sleep(Duration::from_secs(2)).await;
    let began = Instant::now();
    let uplinks: Vec<_> = stations.iter().map(|station| station.uplink(&nats.url(), &house.key)).collect();
    loop {
        let kept: u64 = store.records().await.unwrap().iter().map(|(_, head)| head.lines).sum();
        if kept == lines {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    let rate = told(&format!("uplinks to database, {sinks} sinks"), lines as f64 / began.elapsed().as_secs_f64());
    uplinks.into_iter().for_each(sabot_floor::uplink::Uplink::stop);
    rate
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    if std::env::args().any(|word| word == "growth") {
        growth::measure(&numbers).await;
        return;
    }
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
            let nats = Nats::start();
            let broker = Broker { url: nats.url(), ..Broker::default() };
            let broker = told("the bare broker", bare::broker(&broker, &all).await.unwrap());
            let bare = told("the bare database", bare::database(&database.url(), &all).await.unwrap());
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
