//! `sabot demo` from end to end: twins on pseudo-terminals, the station on their ports, the page, the record.
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{Process, run, sabot};
use sabot_stall_guard::rerun_if_stalled;
use serde_json::Value;

/// A demo that keeps its temporary files under `folder`.
fn demo(folder: &Path, args: &[&str]) -> Command {
    let mut demo = sabot(["demo", "--listen", "127.0.0.1:0", "--lang", "en"]);
    demo.args(args).current_dir(folder).env("TMPDIR", folder);
    demo
}

fn finished(mut demo: Command) -> (i32, String) {
    let ended = run(&mut demo);
    assert_eq!(ended.err, "");
    (ended.status, ended.out)
}

/// The answers to a record.
fn replayed(folder: &Path, journal: &str) -> Vec<Value> {
    let replay = run(sabot(["replay", "--lang", "en", journal]).current_dir(folder));
    assert_eq!(replay.status, 0);
    replay.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn findings(answers: &[Value]) -> Vec<&Value> {
    answers.iter().filter(|answer| answer["out"] == "finding").collect()
}

#[test]
fn passes_by_the_book_raise_nothing_at_the_station_nor_in_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--speed", "max", "--passes", "25", "--seed", "4", "--journal", "record"];
    let (status, out) = finished(demo(folder.path(), &args));
    assert_eq!(status, 0, "{out}");
    assert!(out.starts_with("page     http://127.0.0.1:"), "{out}");
    assert_eq!(out.matches("by the book").count(), 25, "{out}");
    assert!(out.contains("25 passes,") && out.contains(" 0 findings, 0 left in breach"), "{out}");
    let answers = replayed(folder.path(), "record");
    assert_eq!(findings(&answers), Vec::<&Value>::new());
    assert_eq!(answers.last().unwrap()["passes"], 25);
}

#[test]
fn c7_is_told_with_its_remedy_shown_on_the_pit_display_cleared_and_replayed() {
    // the dealer goes on while the display is told: what it shows first is the machine's, too
    rerun_if_stalled("c7_is_told_with_its_remedy_shown_on_the_pit_display_cleared_and_replayed", c7_is_told);
}

fn c7_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--speed", "60", "--passes", "4", "--irregularity", "c7", "--journal", "record"];
    let (status, out) = finished(demo(folder.path(), &args));
    assert_eq!(status, 0, "{out}");
    let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("`{text}` is not in\n{out}"));
    assert!(at("! C7 [bank]") < at("remedy: burn 1 card of the bank; deal a card to the bank"));
    assert!(at("remedy: burn") < at("pit display | C7 BANK"));
    assert!(at("pit display | C7 BANK") < at("cleared: C7"));
    assert!(at("cleared: C7") < at("pass 2 "));
    assert_eq!(out.matches("pit display | C7 BANK").count(), 2, "each time it is found: {out}");
    let shown: Vec<&str> = out.lines().filter(|line| line.contains("pit display | ")).collect();
    assert!(
        shown[0].ends_with("| burn 1 card of the bank") && !shown.iter().any(|line| line.ends_with("...")),
        "{out}"
    );
    assert_eq!(out.matches("on purpose: ").count(), 2, "{out}");
    let answers = replayed(folder.path(), "record");
    let found = findings(&answers);
    assert_eq!(found.len(), 2);
    for finding in found {
        assert_eq!((finding["provision"].as_str(), finding["box"].as_str()), (Some("C7"), Some("bank")));
        assert!(out.contains(&format!("(line {})", finding["line"])), "{finding} is not in\n{out}");
    }
    assert_eq!(answers.iter().filter(|answer| answer["out"] == "cleared").count(), 2);
}

/// Passes by the book under a regulation raise nothing, at the station or in the record.
fn is_clean_under(regulation: &str, id: &str) {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--regulation", regulation, "--speed", "max", "--passes", "25", "--seed", "4", "--journal", "record"];
    let (status, out) = finished(demo(folder.path(), &args));
    assert_eq!(status, 0, "{out}");
    assert!(out.contains(&format!("regulation {id},")) && out.contains(" 0 findings, 0 left in breach"), "{out}");
    let record = fs::read_to_string(folder.path().join("record")).unwrap();
    assert!(record.lines().next().unwrap().contains(&format!("\"regulation\":\"{id}\"")), "{record}");
    assert!(!record.contains("bad_report"), "a device said what cannot be");
    let answers = replayed(folder.path(), "record");
    assert_eq!(findings(&answers), Vec::<&Value>::new());
    assert_eq!(answers.last().unwrap()["passes"], 25);
}

/// What is broken under a regulation is found where it is broken, each time.
fn is_found_under(regulation: &str, provision: &str, seed: &str) {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["--regulation", regulation, "--speed", "max", "--passes", "6", "--seed", seed, "--irregularity", provision];
    let (status, out) = finished(demo(folder.path(), &args));
    assert_eq!(status, 0, "{out}");
    assert_eq!(out.matches("on purpose: ").count(), 3, "{out}");
    let found = out.matches(&format!("  ! {provision} [")).count();
    assert!(found >= 3, "{out}");
    assert_eq!(out.matches("  ! ").count(), found, "nothing else is found: {out}");
    assert!(!out.contains("breach: "), "{out}");
    assert!(out.contains(&format!("cleared: {provision}")), "{out}");
}

const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/house.toml");

#[test]
fn every_house_is_dealt_by_the_book_without_a_finding() {
    // a device whose twin stands still is told to be away
    rerun_if_stalled("every_house_is_dealt_by_the_book_without_a_finding", || {
        for house in ["talla", "club", "croupier-6"] {
            is_clean_under(house, house);
        }
        is_clean_under(OWN, "casa-sur");
    });
}

#[test]
fn what_is_broken_in_another_house_is_found_and_cleared() {
    is_found_under("croupier-6", "K10", "7");
    is_found_under("croupier-6", "K0", "7");
    is_found_under("club", "G24", "7");
    is_found_under("talla", "T-X1", "7");
    is_found_under("talla", "T-Q8", "9");
    is_found_under(OWN, "D12", "7");
}

#[test]
fn the_record_of_an_own_regulation_is_replayed_without_its_file_and_other_rules_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("house.toml");
    fs::copy(OWN, &file).unwrap();
    let args = ["--regulation", "house.toml", "--speed", "max", "--passes", "4", "--irregularity", "D12"];
    let (status, out) = finished(demo(folder.path(), &[&args[..], &["--journal", "record"]].concat()));
    assert_eq!(status, 0, "{out}");
    let replay = |args: &[&str]| {
        let replay = run(sabot(["replay", "record"]).args(args).current_dir(folder.path()));
        assert_eq!(replay.status, 0);
        (replay.out, replay.err)
    };
    let (then, told) = replay(&[]);
    assert_eq!(told, "");
    assert_eq!(replay(&["--regulation", "house.toml"]), (then.clone(), String::new()));
    let changed = fs::read_to_string(&file).unwrap().replace("bank_hits_soft_17 = true", "bank_hits_soft_17 = false");
    fs::write(&file, changed).unwrap();
    assert!(replay(&["--regulation", "house.toml"]).1.contains("bank_hits_soft_17 was true and is false"));
    fs::remove_file(&file).unwrap();
    assert_eq!(replay(&[]), (then, String::new()), "the record needs no file");
}

#[test]
fn several_irregularities_come_in_turn() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--speed", "max", "--passes", "8", "--irregularity", "C6", "--irregularity", "C10"];
    let (status, out) = finished(demo(folder.path(), &args));
    assert_eq!(status, 0, "{out}");
    assert_eq!(out.matches("  ! C6 [").count(), 2, "{out}");
    assert_eq!(out.matches("  ! C10 [").count(), 2, "{out}");
}

#[test]
fn the_page_is_there_while_it_deals_and_an_interrupt_ends_it_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let mut demo = Process::start(demo(folder.path(), &["--speed", "50"]).stdout(Stdio::piped()));
    let mut lines = demo.lines();
    let first = lines.next().unwrap();
    let address = first.trim_start_matches("page     http://").trim_end_matches('/').to_owned();
    let dealt = lines.by_ref().find(|line| line.starts_with("pass 1"));
    assert!(dealt.is_some());
    let mut page = TcpStream::connect(&address).unwrap();
    write!(page, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("BJ-01"), "{answer}");
    demo.signal("-INT");
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.contains(" left in breach")), "{rest:?}");
    assert_eq!(demo.ends().code(), Some(0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something was left behind");
}

/// The page in English, as it is now.
fn page(address: &str) -> String {
    let mut page = TcpStream::connect(address).unwrap();
    write!(page, "GET /?lang=en HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).unwrap();
    answer
}

/// What the page lists of a finding.
fn listed(address: &str, number: u64) -> String {
    let page = page(address);
    let at = page.find(&format!("id=\"finding-{number}\"")).unwrap_or_else(|| panic!("no finding {number} in {page}"));
    page[at..].split("class=\"from\"").next().unwrap().to_owned()
}

/// The line that tells of a finding: its provision, its line in the record, its number.
fn told(line: &str) -> Option<(String, u64, u64)> {
    let (before, number) = line.strip_prefix("  ")?.rsplit_once(" #")?;
    let at = before.rsplit_once("(line ")?.1.trim_end_matches(')');
    Some((before.split(' ').nth(1)?.to_owned(), at.parse().ok()?, number.parse().ok()?))
}

/// The next finding that is told in these words.
fn found(lines: &mut impl Iterator<Item = String>, words: &str) -> (String, u64, u64) {
    let mut named = lines.filter(|line| line.contains(words)).filter_map(|line| told(&line));
    named.next().unwrap_or_else(|| panic!("the demo ended before it told `{words}`"))
}

fn ended(lines: &mut impl Iterator<Item = String>, how: &str) {
    assert!(lines.any(|line| line.trim() == how), "the demo ended before `{how}`");
}

#[test]
fn a_person_reports_rules_and_corrects_at_the_keypad_of_a_table_that_is_dealt() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--keypad", "--speed", "2", "--seed", "4", "--journal", "record"];
    let mut demo = demo(folder.path(), &args);
    let mut demo = Process::start(demo.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()));
    let (mut keypad, mut lines, mut errors) = (demo.stdin(), demo.lines(), demo.error_lines());
    let address = lines.next().unwrap().trim_start_matches("page     http://").trim_end_matches('/').to_owned();
    let mut enter = |line: &str| writeln!(keypad, "{line}").unwrap();

    enter("report 4 inspector 2 C17 3");
    let (_, at, number) = found(&mut lines, "C17 [box 3]");
    let noted = listed(&address, number);
    assert!(noted.contains("finding noted notice") && noted.contains("No bets between players"), "{noted}");
    let mut record = vec![(
        at,
        r#"{"ev":"report","by":"I-4","role":"inspector","provision":"C17","box":"3","note":"apuestas entre jugadores","#,
    )];

    enter("report 4 inspector 5 2");
    let (_, at, number) = found(&mut lines, "C20 [box 2]");
    record.push((at, r#"{"ev":"report","by":"I-4","role":"inspector","box":"2","note":"discusión en la mesa","#));
    let open = listed(&address, number);
    assert!(open.contains("finding open irregularity"), "{open}");
    assert!(open.contains("<span class=\"what\">the room decides</span> <span class=\"by\">room</span>"), "{open}");
    enter(&format!("rule 9 room stands {number}"));
    ended(&mut lines, "cleared: C20");
    let ruled = listed(&address, number);
    assert!(ruled.contains("finding cleared irregularity") && !ruled.contains("class=\"part"), "{ruled}");

    for how in ["strike 4 inspector LINE", r#"replace 4 inspector LINE {"ev":"announce","what":"next_cards_for_bank"}"#]
    {
        enter(r#"enter {"ev":"decide","box":"7b","choice":"double"}"#);
        let (provision, at, number) = found(&mut lines, "[box 7b]");
        enter(&how.replace("LINE", &at.to_string()));
        ended(&mut lines, &format!("withdrawn: {provision}"));
        let withdrawn = listed(&address, number);
        assert!(withdrawn.contains("Withdrawn") && !withdrawn.contains("class=\"part"), "{withdrawn}");
        record.push((at, r#"{"ev":"decide","box":"7b","choice":"double","#));
    }
    enter("report 4 inspector 9");
    assert!(errors.next().unwrap().contains("line 8: no lever; there are: report BADGE ROLE NOTE"));
    enter(&format!(r#"insert 4 inspector {at} {{"ev":"announce","what":"next_cards_for_bank"}}"#));
    enter("report 4 inspector 1 C17");
    assert!(lines.any(|line| line.contains(" C17 ") && told(&line).is_some()), "the last entry came");

    demo.signal("-INT");
    assert_eq!(demo.ends().code(), Some(0));
    let written = fs::read_to_string(folder.path().join("record")).unwrap();
    for (at, line) in record {
        let stands = written.lines().nth(usize::try_from(at).unwrap() - 1).unwrap();
        assert!(stands.starts_with(line) && stands.contains("\"TWIN-KEYPAD\""), "line {at}: {stands}");
    }
    let corrected = |with: &str| {
        written.lines().any(|line| line.starts_with(r#"{"ev":"correct","by":"I-4""#) && line.contains(with))
    };
    let announced = r#""event":{"ev":"announce","what":"next_cards_for_bank"}"#;
    assert!(corrected(announced) && corrected(&format!(r#""after":{at},{announced}"#)), "{written}");
    assert!(
        written.contains(&format!(r#"{{"ev":"rule","by":"I-9","role":"room","decision":"stands","finding":{number}"#))
    );
    let answers = replayed(folder.path(), "record");
    assert_eq!(answers.iter().filter(|answer| answer["out"] == "withdrawn").count(), 2);
}

#[test]
fn a_demo_stopped_at_any_moment_by_any_signal_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    for (round, signal) in ["-INT", "-TERM", "-HUP"].into_iter().cycle().take(9).enumerate() {
        let mut demo = Process::start(demo(folder.path(), &["--speed", "max"]).stdout(Stdio::piped()));
        if round > 2 {
            demo.lines().take(round).for_each(drop);
        } else {
            // as soon as there is something that could stay
            while fs::read_dir(folder.path()).unwrap().next().is_none() {
                std::thread::yield_now();
            }
        }
        demo.signal(signal);
        assert_eq!(demo.ends().code(), Some(0), "{signal} in round {round}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{signal} in round {round} left something behind");
    }
}

#[test]
fn options_that_make_no_sense_are_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("record"), "").unwrap();
    for (args, words) in [
        (["--irregularity", "Z9"], "sabot regulation list"),
        (["--irregularity", "C17"], "no device of the table sees"),
        (["--deviation", "report"], "no device of the table can tell"),
        (["--deviation", "cheat"], "take-away"),
        (["--journal", "record"], "name a new file"),
        (["--speed", "0"], "a number above 0"),
        (["--regulation", "sala-9"], "no regulation `sala-9`"),
        (["--regulation", "none.toml"], "docs/own-regulation.md"),
        (["--passes", "-1"], "a whole number from 1"),
        (["--passes", "0"], "a whole number from 1"),
        (["--seed", "x"], "a whole number from 0"),
        (["--journal", "none/record"], "there is no folder none"),
    ] {
        let ended = run(&mut demo(folder.path(), &args));
        assert_eq!(ended.status, 2, "{args:?}: {}", ended.err);
        assert!(ended.err.contains(words), "{args:?}: {}", ended.err);
    }
}
