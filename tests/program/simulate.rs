//! `sabot simulate` and `sabot score`: tables are dealt, and the validator and the auditor held against each other.
use std::fs;
use std::path::Path;

use crate::process::{Ended, run};

fn sabot(args: &[&str], folder: &Path) -> (i32, String, String) {
    let Ended { status, out, err } = run(crate::process::sabot(args).current_dir(folder));
    (status, out, err)
}

const HOUSES: [&str; 4] = ["sala-8", "talla", "club", "croupier-6"];

#[test]
fn by_the_book_both_readings_find_nothing_and_owe_every_bet_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for house in HOUSES {
        for boxes in [&["--boxes", "3"][..], &["--boxes", "7"], &[]] {
            let args = ["simulate", "--regulation", house, "--score", "--passes", "60", "--seed", "40"];
            let (status, out, errors) = sabot(&[&args[..], boxes].concat(), folder.path());
            assert_eq!((status, errors.as_str()), (0, ""), "{house}, {boxes:?}:\n{out}");
            assert!(out.starts_with(&format!("{house}: 15 logs, 60 passes, ")), "{out}");
            assert!(out.contains("\nlogs that differ: 0\n") && !out.contains("not compared"), "{out}");
        }
    }
}

#[test]
fn a_log_deviates_in_the_ways_asked_for_and_another_seed_in_others() {
    let folder = tempfile::tempdir().unwrap();
    let log = |more: &[&str]| {
        let args = [&["simulate", "--passes", "40", "--log", "-"], more].concat();
        let (status, out, errors) = sabot(&args, folder.path());
        assert_eq!((status, errors.as_str()), (0, ""));
        out
    };
    let book = log(&[]);
    assert_eq!(book.matches("{\"ev\":\"end\"").count(), 40, "each pass ends");
    let reports = ["--irregularities", "0.5", "--only", "report", "--seed", "1"];
    let reported = log(&reports);
    assert!(!book.contains("\"ev\":\"report\"") && reported.contains("\"ev\":\"report\""), "{reported}");
    assert_eq!(log(&reports), reported);
    assert_ne!(log(&["--irregularities", "0.5", "--only", "report", "--seed", "2"]), reported);
    let only: String = reported.lines().filter(|line| !line.contains("\"ev\":\"report\"")).collect();
    let cards = |log: &str| log.matches("\"ev\":\"draw\"").count();
    assert_eq!(cards(&only), cards(&book), "reports change no card");
    let (status, out, _) = sabot(&["simulate", "--list"], folder.path());
    assert_eq!((status, out.lines().filter(|way| ["omit", "report"].contains(way)).count()), (0, 2), "{out}");
}

#[test]
fn a_table_that_differs_is_told_with_the_command_that_deals_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["simulate", "--score", "--passes", "400", "--irregularities", "0.5", "--most", "3", "--seed", "5"];
    let (status, out, errors) = sabot(&[&args[..], &["--mismatches", "1"]].concat(), folder.path());
    assert_eq!(errors, "");
    let Some((_, told)) = out.split_once("\nsabot simulate --score ") else {
        assert_eq!(status, 0, "where nothing differs, nothing is told: {out}");
        return;
    };
    assert_eq!(status, 1);
    let (command, shown) = told.split_once("   # ").unwrap();
    assert!(shown.contains(": only the ") && shown.contains("\n== the shortest log that shows it"), "{out}");
    let words: Vec<&str> = ["simulate", "--score"].into_iter().chain(command.split(' ')).collect();
    let (status, again, _) = sabot(&words, folder.path());
    assert_eq!(status, 1, "{again}");
    let (head, body) = again.split_once("\nsabot simulate --score ").unwrap();
    assert!(head.starts_with("sala-8: 1 logs, 4 passes, ") && head.contains("\nlogs that differ: 1\n"), "{again}");
    assert_eq!(body, told);
}

#[test]
fn a_houses_own_regulation_is_judged_by_both_whichever_articles_of_others_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    let house = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/house.toml");
    let args = ["simulate", "--score", "--passes", "40", "--regulation", house];
    let (status, out, errors) = sabot(&args, folder.path());
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
    assert!(out.contains("\nlogs that differ: 0\n") && !out.contains("not compared"), "{out}");
    assert_eq!(sabot(&["simulate", "--passes", "4", "--regulation", house, "--log", "log"], folder.path()).0, 0);
    assert!(fs::read_to_string(folder.path().join("log")).unwrap().contains("\"regulation\":\"casa-sur\""));
    let agrees = (0, "the readings agree on 0 findings\n".into(), String::new());
    assert_eq!(sabot(&["score", "log"], folder.path()), agrees);

    let other = fs::read_to_string(house).unwrap().replace("\"talla/T-R1\"", "\"talla/T-S1\", \"talla/T-R1\"");
    fs::write(folder.path().join("other.toml"), other).unwrap();
    let args = ["simulate", "--score", "--passes", "4", "--regulation", "other.toml"];
    let (status, out, errors) = sabot(&args, folder.path());
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
    assert!(out.contains("\nlogs that differ: 0\n") && !out.contains("not compared"), "{out}");
    assert_eq!(sabot(&["score", "log", "--regulation", "other.toml"], folder.path()), agrees);
}

/// Six decks and another price; a bank that counts its ace as it serves it best and draws on soft 17, any two cards
/// doubled, half given up.
const FIGURES: &str = r#"
min_decks = 6
max_decks = 6
cut_deeper_than = 30
behind_cut_card = [50, 70]
ace_is_declared = false
blackjack = "6:5"
bank_ace = "best"
bank_hits_soft_17 = true
double_on = "any"
surrender = "late"
"#;

#[test]
fn a_house_that_changes_the_figures_is_dealt_and_judged_by_them_alike() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("house.toml"), FIGURES).unwrap();
    let args = ["simulate", "--settings", "house.toml", "--score", "--passes", "100", "--seed", "3"];
    let (status, out, errors) = sabot(&args, folder.path());
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
    assert!(out.contains("\nlogs that differ: 0\n"), "{out}");

    let log = ["simulate", "--settings", "house.toml", "--passes", "400", "--log", "log"];
    assert_eq!(sabot(&log, folder.path()).0, 0);
    let dealt = fs::read_to_string(folder.path().join("log")).unwrap();
    for (seen, there) in [("surrender", true), ("\"decks\":6", true), ("\"decks\":8", false)] {
        assert_eq!(dealt.contains(seen), there, "{seen}");
    }
}

#[test]
fn options_that_make_no_sense_are_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    for (args, told) in [
        (&["simulate", "--score", "--irregularities", "1", "--only", "fly"][..], "fly"),
        (&["simulate", "--score", "--only", "omit"], "--irregularities"),
        (&["simulate", "--score", "--irregularities", "2"], "a number from 0 to 1"),
        (&["simulate", "--score", "--log", "log"], "--log"),
        (&["simulate", "--score", "--each", "0"], "a whole number from 1"),
        (&["simulate"], "--log"),
        (&["score", "nowhere"], "nowhere: "),
        (&["score", "nowhere", "--regulation", "bingo"], "`bingo`"),
    ] {
        let (status, _, errors) = sabot(args, folder.path());
        assert!(status == 2 && errors.contains(told), "{args:?}: {errors}");
    }
    let (status, _, errors) = sabot(&["simulate", "--score", "--regulation", "bingo"], folder.path());
    assert_eq!(status, 2);
    assert!(errors.contains("`bingo`") && HOUSES.iter().all(|house| errors.contains(house)), "{errors}");
}

#[test]
fn a_log_of_a_file_is_read_by_both_under_its_regulation_or_another() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(sabot(&["simulate", "--passes", "3", "--log", "log"], folder.path()).0, 0);
    let (status, out, errors) = sabot(&["score", "log"], folder.path());
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
    assert_eq!(out, "the readings agree on 0 findings\n");

    // under another regulation much is found, by the one and by the other
    let (status, out, errors) = sabot(&["score", "log", "--regulation", "talla"], folder.path());
    assert!(status < 2 && errors.is_empty(), "{out}{errors}");
    assert!(!out.contains("agree on 0 findings"), "{out}");

    // what a device missed is read by both
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let blind = log.clone() + "{\"ev\":\"device\",\"device\":\"shoe\",\"status\":\"offline\"}\n";
    fs::write(folder.path().join("blind"), blind).unwrap();
    let (status, out, _) = sabot(&["score", "blind"], folder.path());
    assert_eq!((status, out.as_str()), (0, "the readings agree on 1 findings\n"));

    let log = log.replacen("\"ev\":\"cut\",", "\"ev\":\"cat\",", 1);
    fs::write(folder.path().join("log"), log).unwrap();
    let (status, out, errors) = sabot(&["score", "log"], folder.path());
    assert_eq!((status, out.as_str()), (2, ""), "{errors}");
    assert!(errors.starts_with("sabot score: log: the validator: line ") && errors.contains("`ev`"), "{errors}");
}
