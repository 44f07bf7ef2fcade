#![cfg(feature = "floor")]

use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::store::{Advance, Head, KeptLine, Store};
use sabot_floor::subjects::TableId;
use sabot_journal::Chain;
use sabot_journal::tree::Tree;

use super::*;

const LOG: &str = include_str!("../../../tests/program/logs/worked-example.jsonl");

fn question() -> Question {
    Question { over: None, settings: None, from: 0, to: u64::MAX, lang: Lang::En, readers: Vec::new() }
}

fn all(source: &Source) -> Vec<Judged> {
    let mut reader = source.reader();
    let records = source.records(u64::MAX).unwrap();
    let judge = |record: &source::Record| judged::judge(&question(), "it", reader.open(record).unwrap()).unwrap();
    records.iter().map(judge).collect()
}

/// What a sink keeps is judged as the files are.
#[tokio::test]
async fn a_record_that_a_sink_keeps_is_judged_as_its_file_is() {
    let folder = tempfile::tempdir().unwrap();
    // longer than what is asked for at once
    let (header, pass) = LOG.split_once('\n').unwrap();
    let log = format!("{header}\n{}", pass.repeat(6000 / pass.lines().count()));
    std::fs::create_dir(folder.path().join("logs")).unwrap();
    std::fs::write(folder.path().join("logs/a.jsonl"), &log).unwrap();
    let file = folder.path().join("floor.sqlite");
    let kept = |(at, text): (usize, &str)| {
        let line = at as u64 + 1;
        KeptLine { line, at_ms: 0, ev: "x".to_owned(), text: text.into() }
    };
    let lines: Vec<KeptLine> = log.lines().enumerate().map(kept).collect();
    assert!(lines.len() > 5000);
    let (epoch, lines_so_far) = (7, lines.len() as u64);
    let head = Head { epoch, lines: lines_so_far, chain: Chain::default(), signed: 0, tree: Tree::default() };
    let table = TableId::new("casino", "p1", "BJ-07").unwrap();
    let advance = Advance { table, before: None, head, lines, checkpoints: Vec::new() };
    assert_eq!(Sqlite::open(&file).unwrap().commit(&[advance]).await.unwrap(), [true]);
    let judged = std::thread::spawn(move || {
        let of_file = all(&Source::folder(folder.path().join("logs")).unwrap());
        (of_file, all(&Source::sqlite(file).unwrap()))
    });
    let (of_file, of_store) = judged.join().unwrap();
    assert!(!of_file[0].rows.is_empty() && of_file[0].rows.iter().all(|row| row.state == State::New));
    assert_eq!(of_file, of_store);
}
