//! A folder of logs is replayed at once.

use std::fs;

use serde_json::Value;

use crate::process::{Ended, dealt, run, sabot};

#[test]
fn what_was_found_in_every_log_of_a_folder_is_told_in_the_order_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("logs/b.jsonl.days")).unwrap();
    dealt(folder.path(), &["--passes", "2", "--irregularity", "C7"]);
    fs::rename(at("record"), at("logs/b.jsonl.days/1.jsonl")).unwrap();
    fs::write(at("logs/a.jsonl"), include_str!("logs/worked-example.jsonl")).unwrap();
    fs::write(at("logs/notes.txt"), "no log").unwrap();
    let replay = |args: &[&str]| run(sabot(["replay"]).args(args).current_dir(folder.path()));
    let objects =
        |ended: &Ended| -> Vec<Value> { ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let many = replay(&["logs", "--jobs", "2"]);
    assert_eq!((many.status, many.err.as_str()), (0, ""));
    let found = objects(&many);
    assert_eq!(found.iter().map(|found| &found["log"]).collect::<Vec<_>>(), ["a.jsonl", "b.jsonl.days/1.jsonl"]);
    for (found, log) in found.iter().zip(["logs/a.jsonl", "logs/b.jsonl.days/1.jsonl"]) {
        let one = replay(&[log]);
        let findings = one.out.lines().filter(|line| line.contains("\"out\":\"finding\"")).count();
        assert_eq!(found["findings"], findings, "{log}");
    }
    assert!(found[1]["articles"]["C7"].as_u64().is_some_and(|count| count > 0), "{}", many.out);
    assert_eq!(replay(&["logs", "--jobs", "1"]).out, many.out);
    assert_eq!(replay(&["logs", "--strict"]).status, 1);

    fs::write(at("logs/a.jsonl"), "{\"ev\":\"table\"\n").unwrap();
    let broken = replay(&["logs"]);
    assert_eq!(broken.status, 2);
    assert!(broken.err.starts_with("sabot replay: a.jsonl: ") && objects(&broken)[1] == found[1], "{}", broken.err);
    fs::create_dir(at("empty")).unwrap();
    let empty = replay(&["empty"]);
    assert!(empty.status == 2 && empty.err.contains("there is no log in it"), "{}", empty.err);
    assert_eq!(replay(&["logs", "--jobs", "0"]).status, 2);
}
