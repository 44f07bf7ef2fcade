//! `sabot audit`: what would today's law, or another regulation, have found?

use std::fs;
use std::path::Path;

use crate::process::{Ended, dealt, run, sabot};

fn audit(folder: &Path, args: &[&str]) -> Ended {
    run(sabot(["audit"]).args(args).current_dir(folder))
}

/// Of an article: then, today, same, new, gone.
fn counts(audit: &Ended, article: &str) -> Vec<u64> {
    let line = audit.out.lines().find(|line| line.split_whitespace().next() == Some(article));
    line.map_or(vec![0; 5], |line| line.split_whitespace().skip(1).map(|count| count.parse().unwrap()).collect())
}

fn last(audit: &Ended) -> &str {
    audit.out.lines().last().unwrap()
}

#[test]
fn what_is_found_today_is_set_beside_what_the_records_tell_and_an_audit_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("logs/a.jsonl.days")).unwrap();
    dealt(folder.path(), &["--passes", "2", "--irregularity", "C7"]);
    let text = fs::read_to_string(at("record")).unwrap();
    fs::copy(at("record"), at("logs/a.jsonl.days/1.jsonl")).unwrap();
    // a record that is still written: its last line has no end
    fs::write(at("logs/a.jsonl"), format!("{text}{{\"ev\":\"e")).unwrap();
    let lines = text.lines().count() - 1;

    let as_it_was = audit(folder.path(), &["logs", "--strict", "--jobs", "2"]);
    assert_eq!((as_it_was.status, as_it_was.err.as_str()), (0, ""), "{}", as_it_was.out);
    let found = counts(&as_it_was, "C7")[0];
    assert!(found >= 2);
    assert_eq!(counts(&as_it_was, "C7"), [found, found, found, 0, 0]);
    assert_eq!(last(&as_it_was), format!("2 records of 1 tables, {} lines in that time", 2 * lines));
    let later = audit(folder.path(), &["logs", "--from", "2100-01-01"]);
    assert_eq!((counts(&later, "C7"), last(&later)), (vec![0; 5], "2 records of 1 tables, 0 lines in that time"));

    // what the law finds now and did not then, and what it found then and does not now
    let of_c7 = text.lines().find(|line| line.contains("\"provision\":\"C7\"")).unwrap();
    let other = of_c7.replacen("\"provision\":\"C7\"", "\"provision\":\"C8\"", 1);
    fs::write(at("logs/a.jsonl"), text.replacen(of_c7, &other, 1)).unwrap();
    let otherwise = audit(folder.path(), &["logs", "--strict", "--resume", "done"]);
    assert_eq!(otherwise.status, 1);
    assert_eq!(counts(&otherwise, "C7"), [found - 1, found, found - 1, 1, 0]);
    assert_eq!(counts(&otherwise, "C8")[4], 1);

    // what is done is not read again; what has grown, and what was cut off while it was written down, is
    let remembered = fs::read(at("done")).unwrap();
    fs::write(at("done"), &remembered[..remembered.len() - 9]).unwrap();
    fs::write(at("logs/b.jsonl"), include_str!("logs/worked-example.jsonl")).unwrap();
    let on = audit(folder.path(), &["logs", "--resume", "done", "--out", "rows.csv"]);
    assert_eq!((on.status, last(&on)), (0, "1 of them were done before (--resume)"), "{}", on.err);
    assert_eq!(counts(&on, "C8"), counts(&otherwise, "C8"));
    let again = audit(folder.path(), &["logs", "--resume", "done"]);
    assert_eq!(last(&again), "3 of them were done before (--resume)");
    let rows = fs::read_to_string(at("rows.csv")).unwrap();
    for state in ["same", "new", "gone"] {
        let told: u64 = on
            .out
            .lines()
            .skip(1)
            .filter(|line| line.split_whitespace().count() == 6)
            .map(|line| {
                let at =
                    ["article", "then", "today", "same", "new", "gone"].iter().position(|name| *name == state).unwrap();
                line.split_whitespace().nth(at).unwrap().parse::<u64>().unwrap()
            })
            .sum();
        assert_eq!(rows.matches(&format!(",{state},")).count() as u64, told, "{state}");
    }
    fs::write(at("logs/a.jsonl"), format!("{text}\n")).unwrap();
    assert_eq!(last(&audit(folder.path(), &["logs", "--resume", "done"])), "2 of them were done before (--resume)");
    let another = audit(folder.path(), &["logs", "--resume", "done", "--lang", "en"]);
    assert!(another.status == 2 && another.err.contains("another question"), "{}", another.err);

    let parts = [audit(folder.path(), &["logs", "--part", "1/2"]), audit(folder.path(), &["logs", "--part", "2/2"])];
    assert_eq!(parts.iter().map(|part| counts(part, "C7")[1]).sum::<u64>(), counts(&on, "C7")[1]);
    let parquet = audit(folder.path(), &["logs", "--out", "rows.parquet"]);
    assert_eq!((parquet.status, parquet.err.as_str()), (0, ""));
    assert!(fs::read(at("rows.parquet")).unwrap().ends_with(b"PAR1"));
}

#[test]
fn another_regulation_tells_what_it_would_have_found_and_what_does_not_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("logs")).unwrap();
    dealt(folder.path(), &["--passes", "2", "--irregularity", "C7"]);
    fs::rename(at("record"), at("logs/a.jsonl")).unwrap();
    let under = audit(folder.path(), &["logs", "--regulation", "croupier-6", "--out", "rows.csv"]);
    assert_eq!((under.status, under.err.as_str()), (0, ""));
    let c7 = counts(&under, "C7");
    assert!(c7[0] > 0 && c7[4] == c7[0] && c7[1] == 0, "{}", under.out);
    assert!(fs::read_to_string(at("rows.csv")).unwrap().contains(",croupier-6,gone,"));

    fs::write(at("logs/b.jsonl"), "{\"ev\":\"table\"\n").unwrap();
    let broken = audit(folder.path(), &["logs", "--resume", "done"]);
    assert!(broken.status == 2 && broken.err.starts_with("sabot audit: b.jsonl: line 1"), "{}", broken.err);
    assert_eq!(last(&broken), "1 records could not be read");
    for (args, why) in [
        (&["nowhere"][..], "nowhere"),
        (&["logs", "--part", "3/2"], "a part reads"),
        (&["logs", "--regulation", "none"], "no regulation"),
        (&["logs", "--resume", "logs/a.jsonl"], "another question"),
        (&["--sqlite", "nowhere.sqlite"], "nowhere.sqlite"),
        (&[], "FOLDER"),
    ] {
        let refused = audit(folder.path(), args);
        assert!(refused.status == 2 && refused.err.contains(why), "{args:?}: {}", refused.err);
    }
    assert!(!at("nowhere.sqlite").exists());
}
