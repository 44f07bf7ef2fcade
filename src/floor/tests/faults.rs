//! Whatever fails: every line that is on a station's disk is kept once, and what contradicts is named.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_floor::store::Store;
use sabot_floor::store::postgres;
use tokio::task::{JoinHandle, LocalSet};
use tokio::time::sleep;

use crate::casino::{House, Station, all_is_kept, kept};
use crate::engines::{Nats, PATIENCE, Postgres};

pub(crate) fn seed() -> u64 {
    std::env::var("SABOT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20)
}

/// Waits until something was refused.
pub(crate) async fn refused(store: &mut impl Store) -> Vec<String> {
    let began = tokio::time::Instant::now();
    loop {
        let refusals = store.refusals().await.unwrap();
        if !refusals.is_empty() {
            return refusals;
        }
        assert!(began.elapsed() < PATIENCE, "nothing was refused");
        sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) async fn local(test: impl Future<Output = ()>) {
    LocalSet::new().run_until(test).await;
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn lines_days_and_checkpoints_arrive_and_come_back_cosigned() {
    local(async {
        let nats = Nats::start();
        let mut station = Station::new("BJ-07");
        let house = House::new(&nats.url(), &[&station]);
        station.deal(30, "first");
        let _sink = house.sqlite_sink();
        let uplink = station.uplink(&nats.url(), &house.key);
        let mut store = house.sqlite();
        station.deal(50, "second");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        uplink.stop();
        station.open();
        station.close_day();
        station.deal(20, "next day");
        station.close();
        // what was known of the way is lost: the broker's last receipt tells it again
        std::fs::remove_file(station.record().with_extension("jsonl.uplink")).unwrap();
        let uplink = station.uplink(&nats.url(), &house.key);
        all_is_kept(&mut store, &[&station]).await;
        uplink.stop();
        assert_eq!(kept(&mut store, &station.id).await.len(), 2, "two days");
        assert_eq!(store.refusals().await.unwrap(), [""; 0]);
        let day = sabot_journal::days::closed(&station.record()).unwrap().remove(0);
        let stations = house.config.tables.values().next().unwrap();
        sabot_journal::days::remove(&day, stations, std::slice::from_ref(&house.key)).unwrap();
    })
    .await;
}

/// Three tables deal while everything fails that can, by the seed.
async fn storm<S: Store + 'static>(
    house: impl Fn(&str, &[&Station]) -> House,
    sink: impl Fn(&House) -> JoinHandle<()>,
    open: impl AsyncFn(&House) -> S,
    crash: impl Fn(),
) {
    let (seed, mut nats) = (seed(), Nats::start());
    println!("SABOT_SEED={seed}");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut stations: Vec<Station> = ["BJ-01", "BJ-02", "BJ-03"].map(Station::new).into();
    let house = house(&nats.url(), &stations.iter().collect::<Vec<_>>());
    let mut uplinks: Vec<_> = stations.iter().map(|station| Some(station.uplink(&nats.url(), &house.key))).collect();
    let mut sinks = [sink(&house), sink(&house)];
    for _ in 0..60 {
        match random.random_range(0..20) {
            0 => nats.kill(),
            1 => nats.lose_store(),
            2 | 3 => nats.restart(),
            4..8 => {
                let which = random.random_range(0..sinks.len());
                sinks[which].abort();
                sinks[which] = sink(&house);
            }
            8 => {
                let which = random.random_range(0..stations.len());
                uplinks[which].take().unwrap().stop();
                if random.random_bool(0.5) {
                    stations[which].close_day();
                }
                uplinks[which] = Some(stations[which].uplink(&nats.url(), &house.key));
            }
            9 => crash(),
            _ => {
                let which = random.random_range(0..stations.len());
                stations[which].deal(random.random_range(1..400), "storm");
            }
        }
        sleep(Duration::from_millis(random.random_range(0..120))).await;
    }
    nats.restart();
    stations.iter_mut().for_each(Station::close);
    let mut store = open(&house).await;
    all_is_kept(&mut store, &stations.iter().collect::<Vec<_>>()).await;
    assert_eq!(store.refusals().await.unwrap(), [""; 0]);
    uplinks.into_iter().flatten().for_each(sabot_floor::uplink::Uplink::stop);
    for (station, lines) in stations.iter().map(|station| (station, station.lines().pop().unwrap().len())) {
        let told = std::fs::read_to_string(station.record().with_extension("jsonl.uplink")).unwrap();
        assert!(told.contains(&format!("\"line\":{lines},")), "{told}: signed for to line {lines}");
    }
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_storm_loses_and_doubles_no_line_in_sqlite() {
    local(storm(House::new, House::sqlite_sink, async |house: &House| house.sqlite(), || {})).await;
}

#[tokio::test]
#[ignore = "needs nats-server and PostgreSQL"]
async fn a_storm_loses_and_doubles_no_line_in_postgresql() {
    let database = Postgres::start();
    let url = database.url();
    let sink = |house: &House| {
        let url = url.clone();
        house.sink(async move || postgres::Postgres::open(&url, None).await)
    };
    let open = async |_: &House| postgres::Postgres::open(&url, None).await.unwrap();
    local(storm(House::new, sink, open, || database.crash())).await;
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_table_that_two_stations_claim_is_named_and_the_first_one_goes_on() {
    local(async {
        let nats = Nats::start();
        let mut station = Station::new("BJ-07");
        let house = House::new(&nats.url(), &[&station]);
        station.deal(40, "shared");
        let mut other = station.copy();
        let _sink = house.sqlite_sink();
        let mut store = house.sqlite();
        let uplink = station.uplink(&nats.url(), &house.key);
        station.deal(10, "ours");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        // the copy deals on as if it were the table
        other.deal(5, "theirs");
        other.close();
        let theirs = other.uplink(&nats.url(), &house.key);
        let refusals = refused(&mut store).await;
        assert!(refusals[0].contains(" 42 A FORK"), "{refusals:?}");
        station.open();
        station.deal(10, "ours again");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        theirs.stop();
        uplink.stop();
    })
    .await;
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_store_that_is_set_back_to_a_backup_is_filled_again() {
    local(async {
        let mut nats = Nats::start();
        let mut station = Station::new("BJ-07");
        let house = House::new(&nats.url(), &[&station]);
        let uplink = station.uplink(&nats.url(), &house.key);
        let sink = house.sqlite_sink();
        let mut store = house.sqlite();
        station.deal(30, "first");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        let backup = house.folder.path().join("backup");
        let db = rusqlite::Connection::open(house.file()).unwrap();
        db.execute("vacuum into ?", [backup.to_str().unwrap()]).unwrap();
        station.open();
        station.deal(30, "second");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        sink.abort();
        drop((store, db));
        for beside in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{beside}", house.file().display()));
        }
        std::fs::rename(backup, house.file()).unwrap();
        // the broker has what it carried in mind for two minutes; one that has lost its store takes it at once
        nats.lose_store();
        let _sink = house.sqlite_sink();
        station.open();
        station.deal(5, "third");
        station.close();
        all_is_kept(&mut house.sqlite(), &[&station]).await;
        uplink.stop();
    })
    .await;
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_record_that_begins_anew_is_named_until_somebody_accepts_it() {
    local(async {
        let nats = Nats::start();
        let mut station = Station::new("BJ-07");
        let mut house = House::new(&nats.url(), &[&station]);
        let _sink = house.sqlite_sink();
        let mut store = house.sqlite();
        let uplink = station.uplink(&nats.url(), &house.key);
        station.deal(10, "first");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        uplink.stop();
        let mut anew = Station::new("BJ-07");
        anew.deal(10, "anew");
        anew.close();
        let newer = House::new(&nats.url(), &[&anew]);
        house.config.tables.values_mut().next().unwrap().extend(newer.config.tables[&anew.id].clone());
        _sink.abort();
        let _sink = house.sqlite_sink();
        let uplink = anew.uplink(&nats.url(), &house.key);
        let refusals = refused(&mut store).await;
        assert!(refusals[0].contains("ANOTHER BEGINNING") && refusals[0].contains("--accept"), "{refusals:?}");
        uplink.stop();
        let epoch = sabot_journal::days::beginning(&anew.record()).unwrap().0;
        store.accept(&anew.id, epoch).await.unwrap();
        // the broker has the refused line in mind for two minutes; one that has lost its store takes it at once
        drop(nats);
        let nats = Nats::start();
        house.config.broker.url = nats.url();
        let _sink = house.sqlite_sink();
        let uplink = anew.uplink(&nats.url(), &house.key);
        let began = tokio::time::Instant::now();
        while kept(&mut store, &anew.id).await.get(1) != anew.lines().first() {
            assert!(began.elapsed() < PATIENCE, "it is not kept");
            sleep(Duration::from_millis(50)).await;
        }
        uplink.stop();
    })
    .await;
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_line_that_was_changed_after_it_was_signed_is_refused() {
    local(async {
        let nats = Nats::start();
        let mut station = Station::new("BJ-07");
        let house = House::new(&nats.url(), &[&station]);
        station.deal(10, "x");
        station.close();
        let text = std::fs::read_to_string(station.record()).unwrap().replacen("x 3", "y 3", 1);
        std::fs::write(station.record(), text).unwrap();
        let _sink = house.sqlite_sink();
        let uplink = station.uplink(&nats.url(), &house.key);
        let mut store = house.sqlite();
        let refusals = refused(&mut store).await;
        assert!(refusals[0].contains(" 4 A FORK, or a changed line"), "{refusals:?}");
        assert_eq!(kept(&mut store, &station.id).await[0].len(), 3);
        uplink.stop();
    })
    .await;
}
