//! A record is searched, and a pass of it shown, by the program's commands.

use serde_json::Value;

use crate::acts::Desk;
use crate::process::{Ended, run, sabot};
use crate::processes::answered;

/// A table in play at which box 1 was dealt a card before it was asked; an inspector has taken the finding.
fn with_an_early_card() -> Desk {
    let mut desk = Desk::in_play();
    desk.draws(r#"{"ev":"draw","card":"3S","to":"1"}"#);
    let taken = desk.posts("/findings/1", &desk.as_one("I-4"), "act=take");
    assert!(taken.starts_with("HTTP/1.1 303"), "{taken}");
    desk.table.until("it is on disk", || desk.record().iter().any(|line| line["status"] == "taken"));
    desk
}

fn journal(desk: &Desk, command: &str, options: &[&str]) -> Ended {
    let record = desk.table.path("record");
    let mut asks = sabot(["journal", command]);
    asks.arg(record).args(options);
    run(&mut asks)
}

#[test]
fn a_finding_is_found_by_its_article_box_and_time_and_what_became_of_it_is_said() {
    let desk = with_an_early_card();
    let found = journal(&desk, "find", &["--article", "c6", "--box", "1", "--json"]);
    assert_eq!(found.status, 0, "{}", found.err);
    let item: Value = serde_json::from_str(found.out.lines().next().unwrap()).unwrap();
    assert_eq!((&item["finding"], &item["box"], &item["state"]), (&1.into(), &"1".into(), &"open".into()));
    let drawn = desk.record().iter().position(|line| line["card"] == "3S").unwrap() + 1;
    assert_eq!(item["line"], drawn);
    let at = item["at"].as_str().unwrap();
    let other_day = ["--to", "2020-01-01"];
    for (options, status) in [
        (&["--article", "C6", "--from", at][..], 0),
        (&["--article", "C6", "--box", "2"], 1),
        (&["--article", "D5"], 1),
        (&["--article", "C6", other_day[0], other_day[1]], 1),
        (&["--from", "yesterday"], 2),
        (&["--box", "9"], 2),
    ] {
        let ended = journal(&desk, "find", options);
        assert_eq!(ended.status, status, "{options:?}: {}{}", ended.out, ended.err);
    }
    let unknown = journal(&desk, "find", &["--article", "ZZ9"]);
    assert!(unknown.status == 1 && unknown.err.contains("has an article ZZ9"), "{}", unknown.err);
}

#[test]
fn who_edits_the_index_beside_a_record_hides_nothing_and_it_is_said() {
    let desk = with_an_early_card();
    let asks = ["--article", "C6", "--json"];
    let whole = journal(&desk, "find", &asks);
    assert_eq!((whole.status, whole.err.as_str()), (0, ""));
    let index = desk.table.path("record.index");
    let edited: Vec<u8> = std::fs::read(&index).unwrap();
    let at = edited.windows(2).position(|two| two == b"C6").expect("the article stands in it");
    let edited = [&edited[..at], b"C9", &edited[at + 2..]].concat();
    std::fs::write(&index, &edited).unwrap();
    let again = journal(&desk, "find", &asks);
    assert_eq!((again.status, &again.out), (0, &whole.out));
    assert!(
        again.err.contains("record.index: its index cannot be used: it is not as a program of this user"),
        "{again:?}"
    );
    // it was made anew, and is believed again; `--anew` asks the record alone
    assert_eq!(journal(&desk, "find", &asks).err, "");
    let anew = journal(&desk, "find", &[&asks[..], &["--anew"]].concat());
    assert_eq!((anew.status, &anew.out, anew.err.as_str()), (0, &whole.out, ""));
}

#[test]
fn times_are_those_of_the_house_and_name_their_offset() {
    let desk = with_an_early_card();
    let at = |zone: &str| -> String {
        let found = journal(&desk, "find", &["--article", "C6", "--json", "--time-zone", zone]);
        let item: Value = serde_json::from_str(found.out.lines().next().unwrap()).unwrap();
        item["at"].as_str().unwrap().to_owned()
    };
    let (utc, nepal) = (at("UTC"), at("Asia/Kathmandu"));
    assert!(utc.ends_with('Z') && nepal.ends_with("+05:45"), "{utc} {nepal}");
    let shown = journal(&desk, "show", &["1", "--time-zone", "Asia/Kathmandu"]);
    assert!(shown.out.contains(&nepal), "{nepal}: {}", shown.out);
    let report = journal(&desk, "report", &["--time-zone", "Asia/Kathmandu", "--lang", "en"]);
    assert!(report.out.contains(&format!("{}:00+05:45", &nepal[..13])), "{nepal}: {}", report.out);

    // the same time of day, of the house
    let bare = nepal.strip_suffix("+05:45").unwrap();
    for (zone, status) in [("Asia/Kathmandu", 0), ("UTC", 1)] {
        let found = journal(&desk, "find", &["--article", "C6", "--from", bare, "--time-zone", zone]);
        assert_eq!(found.status, status, "{zone}: {}{}", found.out, found.err);
    }
    let wrong = journal(&desk, "find", &["--time-zone", "Madrid"]);
    assert!(wrong.status == 2 && wrong.err.contains("Europe/Madrid"), "{}", wrong.err);
}

#[test]
fn the_record_tells_whose_clocks_it_was_kept_by_and_everybody_is_told_their_times() {
    let desk = Desk::starting("time_zone = \"Asia/Kathmandu\"", "");
    desk.as_one("I-4");
    desk.table.until("it is on disk", || desk.record().iter().any(|line| line["status"] == "signed_in"));
    let at = |options: &[&str]| {
        let found = journal(&desk, "find", &[&["--person", "I-4"], options].concat());
        found.out.split_once(' ').unwrap_or_else(|| panic!("{}", found.err)).0.to_owned()
    };
    assert!(at(&[]).ends_with("+05:45"), "{}", at(&[]));
    assert!(at(&["--time-zone", "UTC"]).ends_with('Z'), "{}", at(&["--time-zone", "UTC"]));
    assert!(at(&["--from", at(&[]).strip_suffix("+05:45").unwrap()]).ends_with("+05:45"), "asked for in it too");

    let shown = journal(&desk, "show", &["0", "--lang", "en"]);
    let start = shown.out.lines().find(|line| line.contains("station: start")).expect("it tells of its start");
    assert!(start.contains("zone Asia/Kathmandu") && start.matches("+05:45").count() == 2, "{start}");
    assert!(answered(&desk.address, "/").contains("data-zone=\"Asia/Kathmandu\""));
    let verdict = answered(&desk.address, "/api/v1/verdict");
    assert!(verdict.contains("\"time_zone\":\"Asia/Kathmandu\""), "{verdict}");
}

#[test]
fn a_person_is_found_by_what_he_did_and_a_pass_is_shown_without_its_covered_card() {
    let desk = with_an_early_card();
    let found = journal(&desk, "find", &["--person", "I-4", "--lang", "en"]);
    assert!(found.out.contains("I-4: station: signed_in, I-4 inspector"), "{}", found.out);
    assert!(found.out.contains("station: taken, finding 1 by I-4 inspector"), "{}", found.out);
    assert_eq!(journal(&desk, "find", &["--person", "I-44"]).status, 1);

    let shown = journal(&desk, "show", &["1", "--lang", "en"]);
    assert_eq!(shown.status, 0, "{}", shown.err);
    assert!(shown.out.contains("box 1: a card, 3S") && shown.out.contains("! C6: "), "{}", shown.out);
    assert!(shown.out.contains("bank: a covered card\n") && !shown.out.contains("7D"), "{}", shown.out);
    assert!(shown.out.lines().next().unwrap().starts_with("20"), "{}", shown.out);
    let missing = journal(&desk, "show", &["9"]);
    assert!(missing.status == 1 && missing.err.contains("it has no pass 9"), "{}", missing.err);
    assert_eq!(run(&mut sabot(["journal", "show", "nowhere", "1"])).status, 2);
}

#[test]
fn nothing_that_a_record_tells_steers_a_terminal_and_what_is_no_log_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let header = include_str!("logs/worked-example.jsonl").lines().next().unwrap();
    let note = r"a\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u0000";
    let report = format!(r#"{{"ev":"report","by":"I-4","role":"inspector","note":"{note}"}}"#);
    std::fs::write(folder.path().join("log"), format!("{header}\n{report}\n")).unwrap();
    let journal = |args: &[&str]| run(sabot(["journal"]).args(args).current_dir(folder.path()));
    for args in [&["find", "log", "--person", "I-4"][..], &["show", "log", "0"]] {
        let told = journal(args);
        assert!(told.status == 0 && told.out.contains("\\u{1b}]0;owned"), "{args:?}: {}{}", told.out, told.err);
        let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!told.out.contains(steers), "{args:?}: {:?}", told.out);
    }
    let program = journal(&["open", env!("CARGO_BIN_EXE_sabot")]);
    assert!(program.status == 1 && program.out.is_empty() && program.err.contains("no table log"), "{}", program.err);
}

#[test]
fn no_word_of_what_the_station_says_of_itself_is_a_person() {
    let desk = with_an_early_card();
    for word in ["sabot", "program", "at", "answers"] {
        assert_eq!(journal(&desk, "find", &["--person", word]).status, 1, "{word}");
    }
}
