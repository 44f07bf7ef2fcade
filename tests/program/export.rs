//! Records as tables for other programs.

use std::fs;

use crate::acts::Desk;
use crate::process::{Ended, dealt, run, sabot};

fn export(folder: &std::path::Path, args: &[&str]) -> Ended {
    run(sabot([&["journal", "export"], args].concat()).current_dir(folder))
}

/// The rows of a CSV without quoted fields, by the names of the columns.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let at = lines.next().unwrap().iter().position(|column| column == name).unwrap();
    lines.map(|fields| fields[at].clone()).collect()
}

#[test]
fn passes_and_settlements_are_those_that_replay_tells() {
    let folder = tempfile::tempdir().unwrap();
    dealt(folder.path(), &["--passes", "3"]);
    let passes = export(folder.path(), &["passes", "record"]);
    assert_eq!((passes.status, passes.err.as_str()), (0, ""));
    assert_eq!(column(&passes.out, "pass"), ["1", "2", "3"]);
    assert_eq!(column(&passes.out, "record"), ["record"; 3]);
    let record = fs::read_to_string(folder.path().join("record")).unwrap();
    let draws: u64 = column(&passes.out, "draws").iter().map(|draws| draws.parse::<u64>().unwrap()).sum();
    assert_eq!(draws, record.matches("{\"ev\":\"draw\"").count() as u64);
    let ends: Vec<u64> = column(&passes.out, "last_line").iter().map(|line| line.parse().unwrap()).collect();
    for end in ends {
        assert!(record.lines().nth(usize::try_from(end).unwrap() - 1).unwrap().starts_with("{\"ev\":\"end\""));
    }
    let settled = export(folder.path(), &["settlements", "record"]);
    let replayed = run(sabot(["replay", "record"]).current_dir(folder.path()));
    let told: Vec<serde_json::Value> = replayed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = told.iter().filter(|answer| answer["out"] == "settle").collect();
    assert!(!told.is_empty());
    for name in ["pass", "line", "box", "spot", "outcome", "stake", "pay", "lost"] {
        let expected = told.iter().map(|answer| match &answer[name] {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        assert_eq!(column(&settled.out, name), expected.collect::<Vec<_>>(), "{name}");
    }
    let twice = export(folder.path(), &["passes", "record", "record", "--out", "passes.csv"]);
    assert_eq!((twice.status, twice.out.as_str()), (0, ""), "{}", twice.err);
    assert_eq!(fs::read_to_string(folder.path().join("passes.csv")).unwrap().lines().count(), 4);
    let parquet = export(folder.path(), &["passes", "record", "--out", "passes.parquet"]);
    assert_eq!((parquet.status, parquet.out.as_str()), (0, ""), "{}", parquet.err);
    let parquet = fs::read(folder.path().join("passes.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let none = export(folder.path(), &["passes", "record", "--to", "2020-01-01"]);
    assert_eq!((none.status, none.out.lines().count()), (0, 1), "its names alone");
    assert_eq!(export(folder.path(), &["passes", "nowhere"]).status, 2);
}

#[test]
fn a_finding_is_a_row_with_what_became_of_it_and_no_covered_card() {
    let mut desk = Desk::in_play();
    desk.draws(r#"{"ev":"draw","card":"3S","to":"1"}"#);
    let record = desk.table.path("record");
    let found = export(record.parent().unwrap(), &["findings", "record", "--lang", "en"]);
    assert_eq!(found.status, 0, "{}", found.err);
    let row = found.out.lines().find(|line| line.contains(",C6,1,")).unwrap_or_else(|| panic!("{}", found.out));
    assert!(row.contains(",open,") && !found.out.contains("7D"), "{row}");
}

#[test]
fn the_documents_columns_are_those_that_are_written() {
    let folder = tempfile::tempdir().unwrap();
    dealt(folder.path(), &["--passes", "1"]);
    let document = include_str!("../../docs/record.md");
    for what in ["passes", "findings", "settlements"] {
        let written = export(folder.path(), &[what, "record"]).out;
        let names = written.lines().next().unwrap();
        let listed = document.lines().find_map(|line| line.strip_prefix(&format!("| `{what}` | "))).unwrap();
        let listed: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
        assert_eq!(listed.join(","), names, "{what}");
    }
}
