//! Covered cards in the record of a table that is dealt: sealed while they lie covered, opened by the record itself, by
//! the page's own description of it, and by a reader's key.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{Ended, dealt, run, sabot, station};

/// The first program in the page that describes the seals.
fn described() -> String {
    let page = include_str!("../../docs/covered-cards.md");
    page.split("```python\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

fn in_folder(folder: &Path, args: &[&str]) -> Ended {
    run(sabot(args).current_dir(folder).env("TMPDIR", folder))
}

#[test]
fn a_dealt_record_opens_its_covered_cards_as_its_description_says() {
    let folder = tempfile::tempdir().unwrap();
    dealt(folder.path(), &["--passes", "4"]);
    let record = fs::read_to_string(folder.path().join("record")).unwrap();
    let sealed: Vec<usize> =
        (1..).zip(record.lines()).filter(|(_, line)| line.contains(r#""seal":{"card":"#)).map(|(n, _)| n).collect();
    assert!(sealed.len() >= 4, "{record}");
    for (number, line) in (1..).zip(record.lines()).filter(|(_, line)| line.contains(r#""face":"down""#)) {
        assert!(sealed.contains(&number) && line.contains(r#""card":"??""#), "{line}");
    }

    let opened = in_folder(folder.path(), &["journal", "open", "record"]);
    assert_eq!((opened.status, opened.err.as_str()), (0, ""));
    fs::write(folder.path().join("opened"), &opened.out).unwrap();
    let card = |number: &usize| {
        let line = opened.out.lines().nth(number - 1).unwrap();
        line.split(r#""card":""#).nth(1).unwrap()[..2].to_owned()
    };
    let mut python = Command::new("python3");
    python.args(["-c", &described(), "record"]).current_dir(folder.path());
    let said = run(&mut python);
    let cards: String = sealed.iter().map(|number| format!("{number} {}\n", card(number))).collect();
    assert_eq!((said.out, said.err.as_str()), (cards, ""), "every pass has ended, and each card is opened");

    let replayed = |log: &str| in_folder(folder.path(), &["replay", log, "--due"]).out;
    assert_eq!(replayed("record"), replayed("opened"));
    assert!(replayed("record").contains(r#""out":"settle""#));
    let verified = in_folder(folder.path(), &["journal", "verify", "record"]);
    let count = sealed.len();
    let said = format!("{count} covered cards were sealed, {count} of them are opened");
    assert!(verified.out.contains(&said), "{}{}", verified.out, verified.err);

    // the first card that is opened, as another
    let (before, after) = record.split_once(r#""seal":{"opens":[["#).unwrap();
    let at = after.find('"').unwrap() + 1;
    let changed = format!("{before}\"seal\":{{\"opens\":[[{}##{}", &after[..at], &after[at + 2..]);
    let other = if &after[at..at + 2] == "AS" { "KS" } else { "AS" };
    fs::write(folder.path().join("changed"), changed.replace("##", other)).unwrap();
    let refused = in_folder(folder.path(), &["replay", "changed"]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("opens another card than the one that line"), "{}", refused.err);
}

#[test]
fn a_station_names_a_readers_key_that_it_cannot_use() {
    let folder = tempfile::tempdir().unwrap();
    let made = in_folder(folder.path(), &["journal", "key", "auditor.key", "--name", "auditor", "--reader"]);
    assert!(made.status == 0 && made.out.starts_with("auditor+"), "{}", made.err);
    assert_eq!(in_folder(folder.path(), &["journal", "key", "auditor.key"]).out, made.out);
    fs::write(folder.path().join("auditor.pub"), &made.out).unwrap();
    let config = folder.path().join("station.toml");
    let table =
        "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = { min = 500, max = 50000 }\njournal = \"record\"\n";
    let device = "[[device]]\nrole = \"shoe\"\nport = \"shoe\"\n";
    fs::write(&config, format!("{table}journal_readers = [\"auditor.pub\"]\nlisten = \"127.0.0.1:0\"\n{device}"))
        .unwrap();
    let (mut station, _) = station(&config, "warn");
    station.signal("-INT");
    assert!(station.ends().success());
    fs::write(folder.path().join("auditor.pub"), made.out.replacen("auditor+", "auditer+", 1)).unwrap();
    let refused = in_folder(folder.path(), &["run", "--config", "station.toml"]);
    assert!(refused.status == 1 && refused.err.contains("`journal_readers`: "), "{}", refused.err);
    assert!(refused.err.contains("auditor.pub: the key's name, number and contents"), "{}", refused.err);
}
