//! Sinks share the work by table.

use std::time::Duration;

use async_nats::jetstream::{self, stream};
use sabot_floor::store::Store;
use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::subjects::{RECORDS, SHARES, What};
use sabot_floor::uplink::Uplink;
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};

use crate::casino::{House, Station, all_is_kept};
use crate::engines::{Nats, PATIENCE};

/// How many shares each sink has, the fewest first.
fn parts(house: &House) -> Vec<u32> {
    let db = rusqlite::Connection::open(house.file()).unwrap();
    let mut select = db.prepare("select count(*) from shares group by sink order by 1").unwrap();
    select.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

pub(crate) async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < PATIENCE, "{what} never came");
        sleep(Duration::from_millis(50)).await;
    }
}

async fn records(broker: &str) -> stream::Stream {
    jetstream::new(async_nats::connect(broker).await.unwrap()).get_stream(RECORDS).await.unwrap()
}

/// Messages that came to a sink more than once.
async fn redelivered(broker: &str) -> usize {
    let stream = records(broker).await;
    let mut redelivered = 0;
    for share in 0..SHARES {
        if let Ok(info) = stream.consumer_info(format!("sink-{share}")).await {
            redelivered += info.num_redelivered;
        }
    }
    redelivered
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn two_sinks_catch_up_together_and_one_goes_on_where_the_other_ends() {
    let test = async {
        let nats = Nats::start();
        let mut stations: Vec<Station> = (1..=10).map(|table| Station::new(&format!("BJ-{table:02}"))).collect();
        let house = House::new(&nats.url(), &stations.iter().collect::<Vec<_>>());
        // weeks without a network
        for station in &mut stations {
            (0..20).for_each(|_| station.deal(80, "waited"));
            station.close();
        }
        let mut store = Sqlite::open(&house.file()).unwrap();
        let first = house.sqlite_sink();
        until("all of the work at one sink", async || parts(&house) == [SHARES]).await;
        let second = house.sqlite_sink();
        until("each half of the work", async || parts(&house) == [SHARES / 2, SHARES / 2]).await;
        let uplinks: Vec<Uplink> = stations.iter().map(|station| station.uplink(&nats.url(), &house.key)).collect();
        all_is_kept(&mut store, &stations.iter().collect::<Vec<_>>()).await;
        assert_eq!(redelivered(&nats.url()).await, 0, "what comes to the sink that is before it is taken at once");

        // the broker has each line under its share, and an uplink finds it there
        let subject = format!("{}.*", stations[0].id.subject(What::Line));
        let last = records(&nats.url()).await.get_last_raw_message_by_subject(&subject).await.unwrap();
        assert!(last.subject.starts_with("sabot.casino.p1.BJ-01.line."), "{}", last.subject);

        first.abort();
        for station in &mut stations {
            station.open();
            station.deal(80, "evening");
            station.close();
        }
        all_is_kept(&mut store, &stations.iter().collect::<Vec<_>>()).await;
        until("all of the work", async || parts(&house) == [SHARES]).await;
        assert_eq!(store.refusals().await.unwrap(), [""; 0]);
        second.abort();
        let stopping: Vec<_> = uplinks.into_iter().map(|uplink| std::thread::spawn(|| uplink.stop())).collect();
        stopping.into_iter().for_each(|stopping| stopping.join().unwrap());
    };
    LocalSet::new().run_until(test).await;
}
