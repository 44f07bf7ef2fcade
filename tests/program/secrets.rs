//! The demo at the finest log level: neither what it prints nor what it logs names any card, though it deals hundreds.

use crate::process::{Ended, run, sabot};

/// Cards as the log format writes them, and the words by which a derived `Debug` would betray one.
fn cards_in(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let card = |word: &&str| {
        matches!(word.as_bytes(), [rank, suit] if b"A23456789TJQK".contains(rank) && b"SHDC".contains(suit))
            || ["Drawn", "Draw", "Held"].contains(word)
    };
    words.filter(card).collect()
}

#[test]
fn the_demo_names_no_card_at_any_log_level() {
    let folder = tempfile::tempdir().unwrap();
    let breaks = ["C7", "C5", "O1"].map(|id| ["--irregularity", id]).concat();
    let mut demo =
        sabot(["demo", "--listen", "127.0.0.1:0", "--speed", "max", "--passes", "16", "--journal", "record"]);
    demo.args(breaks).current_dir(folder.path()).env("TMPDIR", folder.path()).env("RUST_LOG", "trace");
    let Ended { status, out: told, err: logged } = run(&mut demo);
    assert_eq!(status, 0, "{told}{logged}");
    assert!(told.contains("C7") && told.contains("C5") && logged.contains("provision=\"C7\""), "{told}{logged}");
    assert_eq!(cards_in(&told), Vec::<&str>::new(), "{told}");
    assert_eq!(cards_in(&logged), Vec::<&str>::new(), "{logged}");
    let record = std::fs::read_to_string(folder.path().join("record")).unwrap();
    assert!(cards_in(&record).len() > 200, "the record names them, and the search finds them");
}
