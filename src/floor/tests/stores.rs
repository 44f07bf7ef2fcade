//! One suite, both stores.

use sabot_floor::store::postgres::Postgres;
use sabot_floor::store::search::{By, Counted, Wanted};
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

/// How far one record is kept.
async fn head(store: &mut impl Store, name: &str, epoch: Option<u64>) -> Option<Head> {
    store.heads(&[(table(name), epoch)]).await.unwrap().remove(0)
}

/// A record of these lines, which is begun.
fn of_lines(name: &str, epoch: u64, lines: &[&str]) -> Advance {
    let kept = |(line, text): (u64, &&str)| {
        let ev = text.split('"').nth(3).unwrap().to_owned();
        KeptLine { line, at_ms: epoch + line * 60_000, ev, text: (*text).into() }
    };
    let head = Head { epoch, lines: lines.len() as u64, chain: Chain::default(), signed: 0, tree: Tree::default() };
    Advance {
        table: table(name),
        before: None,
        head,
        lines: (1..).zip(lines).map(kept).collect(),
        checkpoints: Vec::new(),
    }
}

const EVENING: [&str; 6] = [
    r#"{"ev":"table"}"#,
    r#"{"ev":"bet","player":"Ana","answers":[{"out":"finding","n":1,"pass":1,"provision":"C3","box":2,"text":"one"}]}"#,
    r#"{"ev":"end","answers":[{"out":"breach","finding":1}]}"#,
    r#"{"ev":"pay","by":"I-4","answers":[{"out":"finding","n":2,"provision":"E1","player":"Ana","owed":-500,"done":700}]}"#,
    r#"{"ev":"end","answers":[{"out":"cleared","finding":2},{"out":"finding","n":3,"provision":"E1","owed":5,"done":5}]}"#,
    r#"{"ev":"draw","card":"8H"}"#,
];

/// What is asked over all records: by article, person, time, money and table.
async fn searched<S: Store>(store: &mut S) {
    const AT: u64 = EPOCH + 9 * 86_400_000;
    let of = async |store: &mut S, wanted: &Wanted| -> String {
        let found = store.found(wanted, 9).await.unwrap();
        found.iter().map(|found| format!("{}{} ", found.table.table(), found.line)).collect()
    };
    let all = Wanted { from: AT, ..Wanted::default() };
    assert_eq!(of(store, &all).await, "N5 M5 N4 M4 N2 M2 ", "the newest first, no act where nobody is named");
    assert_eq!(store.found(&Wanted::default(), 2).await.unwrap().len(), 2);
    let wanted = |what: &str| Wanted { article: Some(what.to_owned()), table: Some("M".into()), ..all.clone() };
    assert_eq!((of(store, &wanted("e1")).await, of(store, &wanted("C3")).await), ("M5 M4 ".into(), "M2 ".into()));
    let person = |name: &str| Wanted { person: Some(name.into()), table: Some("casino/p1/M".into()), ..all.clone() };
    assert_eq!(of(store, &person("Ana")).await, "M4 M2 M2 ", "findings of hers, and what she did");
    assert_eq!(of(store, &person("I-4")).await, "M4 M4 ", "one at whose line he acted, and the act");
    let until = Wanted { to: AT + 4 * 60_000, money: Some(1200), ..all.clone() };
    assert_eq!(of(store, &until).await, "");
    assert_eq!(of(store, &Wanted { to: AT + 4 * 60_000 + 1, ..until.clone() }).await, "M4 ");
    assert_eq!(of(store, &Wanted { to: u64::MAX, money: Some(1201), ..until }).await, "");
    let first = store.found(&wanted("E1"), 9).await.unwrap();
    assert_eq!((first[1].money, first[1].became.as_deref(), first[1].n), (Some((-500, 700)), Some("cleared"), Some(2)));
    assert_eq!((first[0].became.as_deref(), first[0].place.as_deref()), (None, None));

    let counted = async |store: &mut S, by| -> Vec<Counted> { store.counted(&all, by).await.unwrap() };
    let row = |what: &str, passes, findings, money| Counted { what: what.to_owned(), passes, findings, money };
    assert_eq!(counted(store, By::Table).await, [row("casino/p1/M", 2, 3, 1200), row("casino/p1/N", 2, 3, 1200)]);
    assert_eq!(counted(store, By::Pit).await, [row("casino/p1", 4, 6, 2400)]);
    assert_eq!(counted(store, By::Article).await, [row("", 4, 0, 0), row("C3", 0, 2, 0), row("E1", 0, 4, 2400)]);
    let became = [row("", 4, 2, 0), row("breach", 0, 2, 0), row("cleared", 0, 2, 2400)];
    assert_eq!(counted(store, By::Became).await, became);
    let quarters = counted(store, By::Quarter).await;
    assert_eq!(quarters.iter().map(|of| (of.passes, of.findings)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1)), (4, 6));

    let mut around = async |line| store.pass_around(&table("M"), AT, line).await.unwrap();
    assert_eq!([around(1).await, around(3).await, around(4).await], [Some(1..=3), Some(1..=3), Some(4..=5)]);
    assert_eq!([around(6).await, around(9).await], [Some(6..=6), Some(6..=6)], "the pass that goes on");
    assert_eq!(store.pass_around(&table("M"), 7, 1).await.unwrap(), None);
}

async fn suite<S: Store>(open: impl AsyncFn() -> S) {
    let mut store = open().await;
    let mut other = open().await;
    assert_eq!(head(&mut store, "T", None).await, None);
    let begun = advance("T", EPOCH, 0, 3);
    assert_eq!(store.commit(std::slice::from_ref(&begun)).await.unwrap(), [true]);
    assert_eq!(other.commit(std::slice::from_ref(&begun)).await.unwrap(), [false], "another sink was faster");
    let more = [advance("T", EPOCH, 3, 5), advance("U", EPOCH, 0, 1)];
    assert_eq!(other.commit(&more).await.unwrap(), [true, true]);
    let stale = [advance("T", EPOCH, 3, 6), advance("V", EPOCH, 0, 2)];
    assert_eq!(store.commit(&stale).await.unwrap(), [false, true], "one that is late takes no other with it");
    assert_eq!(head(&mut store, "T", None).await.as_ref(), Some(&more[0].head));
    assert_eq!(head(&mut store, "T", Some(EPOCH)).await.as_ref(), Some(&more[0].head));
    assert_eq!(head(&mut store, "T", Some(EPOCH + 1)).await, None);
    let lines: Vec<String> = begun.lines.iter().chain(&more[0].lines).map(|line| line.text.to_string()).collect();
    assert_eq!(store.lines(&table("T"), EPOCH, 1..=9).await.unwrap(), lines);
    assert_eq!(store.lines(&table("T"), EPOCH, 2..=4).await.unwrap(), lines[1..4]);

    // the next day; then nothing is added to the one before
    let next = advance("T", EPOCH + 86_400_000, 0, 2);
    assert_eq!(store.commit(std::slice::from_ref(&next)).await.unwrap(), [true]);
    assert_eq!(store.commit(&[advance("T", EPOCH, 5, 6)]).await.unwrap(), [false]);
    assert_eq!(head(&mut store, "T", None).await, Some(next.head));

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
    let nine_days = 9 * 86_400_000;
    let evening = [of_lines("M", EPOCH + nine_days, &EVENING), of_lines("N", EPOCH + nine_days + 1, &EVENING)];
    assert_eq!(open().await.commit(&evening).await.unwrap(), [true, true]);
    searched(&mut store).await;
    let records = open().await.records().await.unwrap();
    let records = records.iter().filter(|(_, head)| head.epoch < EPOCH + nine_days);
    let known: Vec<_> = records.map(|(table, head)| (table.table(), head.lines)).collect();
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
    // what a sink of an older version kept is found too
    db.execute_batch("drop table told; pragma user_version = 2").unwrap();
    searched(&mut Sqlite::open(&file).unwrap()).await;
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
    assert_eq!(count("select count(*) from pg_inherits where inhparent = 'sabot.lines'::regclass").await, 3, "days");
    db.batch_execute("drop table sabot.told; update sabot.version set version = 1").await.unwrap();
    searched(&mut Postgres::open(&url, None).await.unwrap()).await;
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
    assert_eq!(reader.found(&Wanted { table: Some("W".into()), ..Wanted::default() }, 9).await.unwrap().len(), 2);
    assert!(reader.commit(&[advance("X", EPOCH, 0, 2)]).await.is_err());
    let (hall, connection) = tokio_postgres::connect(&login("hall"), tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    for not in ["delete from sabot.lines", "update sabot.lines set text = ''", "drop table sabot.lines"] {
        let why = hall.batch_execute(not).await.unwrap_err();
        assert!(why.as_db_error().is_some_and(|why| why.code().code() == "42501"), "{not}: {why}");
    }
}
