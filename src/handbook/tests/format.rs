//! The description of the log format and the glossary keep up with the code.

use std::fs;

use sabot_handbook::examples;
use sabot_law::regulation::{self, sala8::SALA_8};
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::event::{
    Announcement, Authority, BankChange, Choice, Face, Kind, Permit, Question, Ruling, Share, Taken,
};

/// The log that the page shows.
fn refused() -> String {
    examples::case(SALA_8.article("C4").unwrap(), "refused").unwrap().scenario.log()
}

fn page(name: &str) -> String {
    fs::read_to_string(format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// An event's name in the log: `CloseBets` is `close_bets`.
fn snake(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

#[test]
fn every_word_of_the_format_is_described() {
    let page = page("table-log.md");
    let mut words: Vec<String> = Kind::ALL.iter().map(|kind| snake(&format!("{kind:?}"))).collect();
    macro_rules! every {
        ($($of:ty)*) => { $(words.extend(<$of>::ALL.iter().map(|word| word.word().to_string()));)* };
    }
    every!(Announcement Authority BankChange Choice Face Permit Question Ruling Share Taken);
    for list in [
        "table finding cleared breach settle summary main double split insurance",
        "burn put_back void_bet return_bet serve authorize announce ask_consent offer collect rule",
        "notice irregularity integrity blackjack win lose push void surrender",
        "places faces asks decisions announcements origin paired chain began",
    ] {
        words.extend(list.split(' ').map(String::from));
    }
    let missing: Vec<&String> = words.iter().filter(|word| !named(&page, word)).collect();
    assert!(missing.is_empty(), "not in docs/table-log.md: {missing:?}");
    assert!(!named(&page, "fly"));
}

fn named(page: &str, word: &str) -> bool {
    page.contains(&format!("`{word}`")) || page.contains(&format!("\"{word}\""))
}

#[test]
fn every_house_is_named_with_its_handbook() {
    let page = page("table-log.md");
    for regulation in regulation::ALL {
        let link = format!("[`{0}`](handbook/{0}.en.md)", regulation.id);
        assert!(page.contains(&link), "not in docs/table-log.md: {link}");
    }
}

#[test]
fn the_example_of_the_format_is_the_example_log() {
    let log = refused();
    let mut shown = 0;
    for line in page("table-log.md").lines().filter(|line| line.starts_with(' ') && line.contains("{\"ev\"")) {
        let (number, event) = line.trim().split_once("  ").unwrap();
        let event = &event[..=event.find('}').unwrap()];
        assert_eq!(log.lines().nth(number.parse::<usize>().unwrap() - 1), Some(event));
        shown += 1;
    }
    assert_eq!(shown, 5);
}

#[test]
fn the_error_shown_is_the_error_given() {
    let log = refused();
    let mut replay = Replay::new(Lang::Es, None);
    let mut answers = Vec::new();
    for line in log.lines().take(20) {
        replay.feed(line.as_bytes(), &mut answers).unwrap();
    }
    let error = replay.feed(br#"{"ev":"move","from":"2","to":"burnt"}"#, &mut answers).unwrap_err().to_string();
    assert!(page("table-log.md").contains(&format!("sabot replay: night.jsonl: {error}\n")), "{error}");
}

#[test]
fn the_glossary_pairs_the_words_of_the_regulation_with_the_code() {
    let page = page("glossary.md");
    for word in ["sabot", "zambullo", "pase", "casillero", "talla", "pagador", "plantar", "quemar"] {
        assert!(page.contains(&format!("\n| {word}")), "{word}");
    }
    for code in ["shoe", "discard", "pass", "box", "hit", "stand", "burn", "split", "cut_card"] {
        assert!(named(&page, code), "{code}");
    }
}
