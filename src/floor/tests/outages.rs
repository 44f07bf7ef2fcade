//! What lasts long, or happens often. In the suite a few; with the numbers of a casino by `docs/floor.md`.

use std::env;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_floor::sink::{self, SinkConfig};
use sabot_floor::store::Store;
use sabot_floor::store::postgres::Postgres as Database;
use sabot_floor::uplink::Uplink;
use sabot_journal::note::{PrivateKey, Purpose};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::casino::{House, Station, all_is_kept, kept};
use crate::engines::{Nats, PATIENCE, Postgres};
use crate::faults::{local, refused, seed};

/// A number that is asked for, or what the suite takes.
fn number(name: &str, of_suite: usize) -> usize {
    env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(of_suite)
}

fn tables(count: usize) -> Vec<Station> {
    (1..=count).map(|table| Station::new(&format!("BJ-{table:04}"))).collect()
}

fn all(stations: &[Station]) -> Vec<&Station> {
    stations.iter().collect()
}

fn stop(uplinks: Vec<Uplink>) {
    let stopping: Vec<_> = uplinks.into_iter().map(|uplink| std::thread::spawn(|| uplink.stop())).collect();
    stopping.into_iter().for_each(|stopping| stopping.join().unwrap());
}

/// A sink in a process of its own.
struct Sink(Child);

impl Sink {
    fn start(house: &House, database: &str) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "outages::a_sink_for_other_tests"]);
        command.env("SABOT_TEST_SINK", house.folder.path().join("sink.toml")).env("SABOT_TEST_DATABASE", database);
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[tokio::test]
#[ignore = "no test: the process of a sink that other tests kill"]
async fn a_sink_for_other_tests() {
    let (Ok(config), Ok(database)) = (env::var("SABOT_TEST_SINK"), env::var("SABOT_TEST_DATABASE")) else { return };
    let config = SinkConfig::load(Path::new(&config)).unwrap();
    let key = PrivateKey::load(&config.key, Purpose::Witness).unwrap();
    let (_stop, stopped) = watch::channel(false);
    sink::run(&config, &key, async || Database::open(&database, None).await, stopped).await;
}

#[tokio::test]
#[ignore = "needs nats-server and PostgreSQL"]
async fn sinks_that_are_killed_at_random_cost_nothing() {
    let (kills, seed) = (number("SABOT_KILLS", 20), seed());
    println!("SABOT_SEED={seed} SABOT_KILLS={kills}");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (nats, postgres) = (Nats::start(), Postgres::start());
    let mut stations = tables(4);
    let house = House::new(&nats.url(), &all(&stations));
    let database = postgres.url();
    let mut store = Database::open(&database, None).await.unwrap();
    let mut sinks = [Sink::start(&house, &database), Sink::start(&house, &database)];
    let uplinks = stations.iter().map(|station| station.uplink(&nats.url(), &house.key)).collect();
    for _ in 0..kills {
        let mut most_ms = 400;
        // whichever is killed has lines under way: a table that all is kept of is dealt on, with less time to keep it
        loop {
            stations.iter_mut().for_each(|station| station.deal(random.random_range(1..80), "on"));
            sleep(Duration::from_millis(random.random_range(0..=most_ms))).await;
            let kept = store.records().await.unwrap();
            let is_behind =
                |station: &Station| kept.iter().all(|(of, head)| *of != station.id || head.lines < station.dealt());
            if stations.iter().all(is_behind) {
                break;
            }
            most_ms /= 2;
        }
        let which = random.random_range(0..sinks.len());
        sinks[which] = Sink::start(&house, &database);
    }
    stations.iter_mut().for_each(Station::close);
    all_is_kept(&mut store, &all(&stations)).await;
    assert_eq!(store.refusals().await.unwrap(), [""; 0]);
    let dealt: u64 = stations.iter().map(Station::dealt).sum();
    println!("{kills} killed, each with lines of every table under way; {dealt} lines, each kept once");
    stop(uplinks);
}

#[tokio::test]
#[ignore = "needs nats-server and PostgreSQL"]
async fn three_days_without_a_network_lose_and_double_nothing_at_any_table() {
    let test = async {
        let count = number("SABOT_TABLES", 12);
        let (mut nats, postgres) = (Nats::start(), Postgres::start());
        let mut stations = tables(count);
        let house = House::new(&nats.url(), &all(&stations));
        let url = postgres.url();
        let mut store = Database::open(&url, None).await.unwrap();
        let _sink = house.sink(async move || Database::open(&url, None).await);
        let uplinks: Vec<_> = stations.iter().map(|station| station.uplink(&nats.url(), &house.key)).collect();
        stations.iter_mut().for_each(|station| station.deal(10, "before"));
        stations.iter_mut().for_each(Station::close);
        all_is_kept(&mut store, &all(&stations)).await;
        nats.falls_silent();
        for day in 1..=3 {
            for station in &mut stations {
                station.open();
                for _ in 0..24 {
                    station.hours_pass(1);
                    station.deal(8, "cut");
                }
                // nobody waits for the network: the day is closed with all its lines on disk
                station.close_day();
                assert_eq!(station.lines().len(), day + 1);
                station.close();
            }
            // the second day it is not even there
            match day {
                1 => nats.kill(),
                2 => {
                    nats.restart();
                    nats.falls_silent();
                }
                _ => {}
            }
        }
        nats.is_heard_again();
        all_is_kept(&mut store, &all(&stations)).await;
        assert_eq!(store.refusals().await.unwrap(), [""; 0]);
        let lines: usize = stations.iter().flat_map(Station::lines).map(|day| day.len()).sum();
        println!("{count} tables, 72 hours of 8 lines: {lines} lines, each kept once");
        assert!(lines > count * 3 * 24 * 8);
        stop(uplinks);
    };
    local(test).await;
}

#[tokio::test]
#[ignore = "needs nats-server, PostgreSQL and the right to mount"]
async fn a_database_that_is_full_keeps_nobody_waiting_and_has_everything_once_there_is_room() {
    let test = async {
        let Some(postgres) = Postgres::start_on_a_small_disk() else {
            println!("not run: this user may mount no small disk");
            return;
        };
        let nats = Nats::start();
        let mut stations = tables(3);
        let house = House::new(&nats.url(), &all(&stations));
        let url = postgres.url();
        let mut store = Database::open(&url, None).await.unwrap();
        let opened = url.clone();
        let _sink = house.sink(async move || Database::open(&opened, None).await);
        let uplinks: Vec<_> = stations.iter().map(|station| station.uplink(&nats.url(), &house.key)).collect();
        stations.iter_mut().for_each(|station| station.deal(10, "before"));
        stations.iter_mut().for_each(Station::close);
        all_is_kept(&mut store, &all(&stations)).await;
        postgres.fill_disk();
        let began = tokio::time::Instant::now();
        while !postgres.log().contains("No space left on device") {
            assert!(began.elapsed() < PATIENCE, "it never was full: {}", postgres.log());
            for station in &mut stations {
                station.open();
                station.deal(200, "full");
                station.close();
            }
            sleep(Duration::from_millis(50)).await;
        }
        sleep(Duration::from_secs(1)).await;
        postgres.clear_disk();
        let mut store = Database::open(&url, None).await.unwrap();
        all_is_kept(&mut store, &all(&stations)).await;
        assert_eq!(store.refusals().await.unwrap(), [""; 0]);
        stop(uplinks);
    };
    local(test).await;
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_station_that_was_set_back_to_an_old_backup_is_named_and_changes_nothing_that_is_kept() {
    let test = async {
        let nats = Nats::start();
        let mut station = Station::new("BJ-07");
        let house = House::new(&nats.url(), &[&station]);
        let _sink = house.sqlite_sink();
        let mut store = house.sqlite();
        let uplink = station.uplink(&nats.url(), &house.key);
        station.deal(40, "first");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        let mut backup = station.copy();
        station.deal(30, "lost with the disk");
        station.close();
        all_is_kept(&mut store, &[&station]).await;
        let before = kept(&mut store, &station.id).await;
        uplink.stop();
        // the machine is another one, with what the backup had of the record
        let uplink = backup.uplink(&nats.url(), &house.key);
        backup.deal(10, "after the backup");
        backup.close();
        let refusals = refused(&mut store).await;
        assert!(refusals[0].contains(" 42 A FORK"), "{refusals:?}");
        assert!(refusals[0].contains("set back to an old copy"), "{refusals:?}");
        assert_eq!(kept(&mut store, &station.id).await, before);
        uplink.stop();
    };
    local(test).await;
}
