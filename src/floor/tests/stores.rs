//! One suite, both stores.

use sabot_floor::store::postgres::Postgres;
use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::store::{Advance, Head, KeptLine, Refusal, Store};
use sabot_floor::subjects::TableId;
use sabot_journal::Chain;
use sabot_journal::tree::{Tree, leaf};
use tempfile::TempDir;

use crate::engines;

const EPOCH: u64 = 1_795_493_375_749;

fn table(name: &str) -> TableId {
    TableId::new("casino", "p1", name).unwrap()
}

/// A record of so many lines, of which the first `before` are kept already.
fn advance(name: &str, epoch: u64, before: u64, lines: u64) -> Advance {
    let text =
        |line: u64| format!(r#"{{"ev":"end","t":{line},"answers":[{{"out":"finding","n":1,"provision":"C7"}}]}}"#);
    let (mut chain, mut tree) = (Chain::default(), Tree::default());
    for line in 1..=lines {
        chain = chain.next(text(line).as_bytes());
        tree.push(leaf(text(line).as_bytes()));
    }
    let kept = |line| KeptLine { line, at_ms: epoch + line, ev: "end".to_owned(), text: text(line).into() };
    Advance {
        table: table(name),
        before: (before > 0).then_some((before, before)),
        head: Head { epoch, lines, chain, signed: lines, tree },
        lines: (before + 1..=lines).map(kept).collect(),
        checkpoints: vec![(lines, format!("checkpoint of {lines}"))],
    }
}

async fn suite<S: Store>(open: impl AsyncFn() -> S) {
    let mut store = open().await;
    let mut other = open().await;
    assert_eq!(store.head(&table("T"), None).await.unwrap(), None);
    let begun = advance("T", EPOCH, 0, 3);
    assert_eq!(store.commit(std::slice::from_ref(&begun)).await.unwrap(), [true]);
    assert_eq!(other.commit(std::slice::from_ref(&begun)).await.unwrap(), [false], "another sink was faster");
    let more = [advance("T", EPOCH, 3, 5), advance("U", EPOCH, 0, 1)];
    assert_eq!(other.commit(&more).await.unwrap(), [true, true]);
    let stale = [advance("T", EPOCH, 3, 6), advance("V", EPOCH, 0, 2)];
    assert_eq!(store.commit(&stale).await.unwrap(), [false, true], "one that is late takes no other with it");
    assert_eq!(store.head(&table("T"), None).await.unwrap().as_ref(), Some(&more[0].head));
    assert_eq!(store.head(&table("T"), Some(EPOCH)).await.unwrap().as_ref(), Some(&more[0].head));
    assert_eq!(store.head(&table("T"), Some(EPOCH + 1)).await.unwrap(), None);
    let lines: Vec<String> = begun.lines.iter().chain(&more[0].lines).map(|line| line.text.to_string()).collect();
    assert_eq!(store.lines(&table("T"), EPOCH, 1..=9).await.unwrap(), lines);
    assert_eq!(store.lines(&table("T"), EPOCH, 2..=4).await.unwrap(), lines[1..4]);

    // the next day; then nothing is added to the one before
    let next = advance("T", EPOCH + 86_400_000, 0, 2);
    assert_eq!(store.commit(std::slice::from_ref(&next)).await.unwrap(), [true]);
    assert_eq!(store.commit(&[advance("T", EPOCH, 5, 6)]).await.unwrap(), [false]);
    assert_eq!(store.head(&table("T"), None).await.unwrap(), Some(next.head));

    let (chain, why) = (Chain::default(), "A FORK".to_owned());
    let refusal = Refusal { table: table("T"), epoch: EPOCH, line: 2, chain, why, text: vec![0xff] };
    store.refuse(&refusal).await.unwrap();
    other.refuse(&refusal).await.unwrap();
    assert_eq!(store.refusals().await.unwrap(), [format!("casino/p1/T {EPOCH} 2 A FORK")]);
    assert!(!store.is_accepted(&table("T"), 7).await.unwrap());
    store.accept(&table("T"), 7).await.unwrap();
    store.accept(&table("T"), 7).await.unwrap();
    assert!(open().await.is_accepted(&table("T"), 7).await.unwrap());

    // who takes part, and who does what
    assert_eq!((store.sinks().await.unwrap(), other.sinks().await.unwrap()), (1, 2));
    assert!(store.claim(3).await.unwrap() && !other.claim(3).await.unwrap() && other.claim(4).await.unwrap());
    store.release(3).await.unwrap();
    assert!(other.claim(3).await.unwrap());
    let records = open().await.records().await.unwrap();
    let known: Vec<_> = records.iter().map(|(table, head)| (table.table(), head.lines)).collect();
    assert_eq!(known, [("T", 5), ("T", 2), ("U", 1), ("V", 2)]);
}

#[tokio::test]
async fn sqlite_keeps_each_line_once() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("floor.sqlite");
    suite(async || Sqlite::open(&file).unwrap()).await;
    let db = rusqlite::Connection::open(&file).unwrap();
    let findings: i64 =
        db.query_row("select count(*) from findings where article = 'C7'", [], |row| row.get(0)).unwrap();
    assert_eq!(findings, 5 + 2 + 1 + 2);
    db.pragma_update(None, "user_version", 9).unwrap();
    assert!(Sqlite::open(&file).unwrap_err().to_string().contains("use the newer program"));
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn postgresql_keeps_each_line_once_and_lets_each_login_do_what_it_may() {
    let postgres = engines::Postgres::start();
    let url = postgres.url();
    suite(async || Postgres::open(&url, None).await.unwrap()).await;
    let (db, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let count = async |sql: &str| db.query_one(sql, &[]).await.unwrap().get::<_, i64>(0);
    assert_eq!(count("select count(*) from sabot.findings where article = 'C7'").await, 5 + 2 + 1 + 2);
    assert_eq!(count("select count(*) from pg_inherits where inhparent = 'sabot.lines'::regclass").await, 2, "days");
    db.batch_execute("create role hall login in role sabot_sink; create role office login in role sabot_reader")
        .await
        .unwrap();
    // what a sink may not: take away or change a line, or rule that a record begins anew
    let login = |name: &str| url.replace("user=sabot", &format!("user={name}"));
    let mut sink = Postgres::open(&login("hall"), None).await.unwrap();
    assert_eq!(sink.commit(&[advance("W", EPOCH + 3 * 86_400_000, 0, 2)]).await.unwrap(), [true], "on a new day");
    assert!(sink.accept(&table("W"), 7).await.is_err());
    let mut reader = Postgres::open(&login("office"), None).await.unwrap();
    assert_eq!(reader.lines(&table("W"), EPOCH + 3 * 86_400_000, 1..=9).await.unwrap().len(), 2);
    assert!(reader.commit(&[advance("X", EPOCH, 0, 2)]).await.is_err());
    let (hall, connection) = tokio_postgres::connect(&login("hall"), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    for not in ["delete from sabot.lines", "update sabot.lines set text = ''", "drop table sabot.lines"] {
        let why = hall.batch_execute(not).await.unwrap_err();
        assert!(why.as_db_error().is_some_and(|why| why.code().code() == "42501"), "{not}: {why}");
    }
}
