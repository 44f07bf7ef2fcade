//! `sabot simulate` and `sabot score`: the simulated dealer's own reading of the regulation against the validator's.
use std::fs;
use std::path::Path;

use crate::process::{Ended, run};

fn sabot(args: &[&str], folder: &Path) -> (i32, String, String) {
    let Ended { status, out, err } = run(crate::process::sabot(args).current_dir(folder));
    (status, out, err)
}

/// Writes a log and its truth, and gives the truth's rows.
fn simulated(folder: &Path, house: &str, only: &[&str]) -> Vec<String> {
    let mut args = vec![
        "simulate",
        "--regulation",
        house,
        "--passes",
        "600",
        "--seed",
        "9",
        "--irregularities",
        "0.6",
        "--log",
        "log",
        "--truth",
        "truth",
    ];
    args.extend(only.iter().flat_map(|id| ["--only", id]));
    let (status, _, errors) = sabot(&args, folder);
    assert_eq!((status, errors.as_str()), (0, ""));
    fs::read_to_string(folder.join("truth")).unwrap().lines().map(String::from).collect()
}

#[test]
fn by_the_book_the_validator_finds_nothing_and_owes_every_bet_what_the_croupier_owes_it() {
    let folder = tempfile::tempdir().unwrap();
    for (house, seed) in [("sala-8", "1"), ("sala-8", "2"), ("croupier-6", "1"), ("club", "1"), ("talla", "1")] {
        for boxes in ["3", "5", "7"] {
            let args =
                ["simulate", "--regulation", house, "--score", "--passes", "400", "--seed", seed, "--boxes", boxes];
            let (status, out, errors) = sabot(&args, folder.path());
            assert_eq!((status, errors.as_str()), (0, ""), "{house}, seed {seed}, {boxes} boxes:\n{out}");
            assert!(out.contains("differences: 0"), "{out}");
            assert!(!out.contains("bets compared at the end of their pass: 0"), "{out}");
        }
    }
}

/// The breaks of each house whose end both readings tell alike. The catalogue was revised after the simulated dealer
/// had been written: what it tells otherwise stands in no list.
const CLAUSES: [(&str, &str); 4] = [
    ("sala-8", include_str!("clauses/sala-8.txt")),
    ("croupier-6", include_str!("clauses/croupier-6.txt")),
    ("talla", include_str!("clauses/talla.txt")),
    ("club", include_str!("clauses/club.txt")),
];

#[test]
fn every_clause_broken_time_and_again_is_found_and_settled_alike_by_both_readings() {
    let folder = tempfile::tempdir().unwrap();
    for (house, clauses) in CLAUSES {
        assert!(clauses.lines().count() > 50, "{house}");
        for clause in clauses.lines() {
            let how = ["--irregularities", "1", "--unremedied", "0.3", "--score", "--passes", "200", "--seed", "5"];
            let args = [&["simulate", "--regulation", house, "--only", clause][..], &how].concat();
            let (status, out, errors) = sabot(&args, folder.path());
            assert_eq!((status, errors.as_str()), (0, ""), "sabot {}\n{out}", args.join(" "));
            let total = out.lines().find(|line| line.starts_with("total")).unwrap();
            assert!(out.contains("differences: 0") && !total.starts_with("total             0"), "{clause}: {out}");
        }
    }
}

/// Six decks, a bank that counts its ace as it serves it best and draws on soft 17, any two cards doubled, half given
/// up.
const ANOTHER_HOUSE: &str = r#"
min_decks = 6
max_decks = 6
cut_deeper_than = 30
behind_cut_card = [50, 70]
bank_ace = "best"
bank_hits_soft_17 = true
ace_is_declared = false
double_on = "any"
surrender = "late"
blackjack = "6:5"
"#;

#[test]
fn a_house_that_changes_the_figures_is_dealt_and_judged_by_them_alike() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("house.toml"), ANOTHER_HOUSE).unwrap();
    let args = ["simulate", "--settings", "house.toml", "--score", "--passes", "4000", "--seed", "3"];
    let (status, out, errors) = sabot(&args, folder.path());
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
    assert!(out.contains("differences: 0"), "{out}");
    let log = ["simulate", "--settings", "house.toml", "--passes", "400", "--log", "log"];
    assert_eq!(sabot(&log, folder.path()).0, 0);
    let dealt = fs::read_to_string(folder.path().join("log")).unwrap();
    for (seen, there) in [("surrender", true), ("\"decks\":6", true), ("\"ev\":\"ace\"", false), ("\"decks\":8", false)]
    {
        assert_eq!(dealt.contains(seen), there, "{seen}");
    }
}

#[test]
fn a_truth_that_is_not_the_logs_is_noticed_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let rows = simulated(folder.path(), "sala-8", &["C7"]);
    let score = |rows: &[String]| {
        fs::write(folder.path().join("truth"), rows.join("\n") + "\n").unwrap();
        sabot(&["score", "log", "truth", "--clauses"], folder.path())
    };
    let (status, out, _) = score(&rows[1..]);
    assert_eq!(status, 1);
    assert!(out.contains("C7: found and not expected (at bank)"), "{out}");
    let elsewhere = |from: &str, to: &str| {
        let mut rows = rows.clone();
        rows[0] = rows[0].replacen(from, to, 1);
        score(&rows)
    };
    let (status, out, _) = elsewhere("\"box\":\"bank\"", "\"box\":\"3\"");
    assert_eq!(status, 1);
    assert!(out.contains("C7/face_up: found at bank, expected at 3"), "{out}");
    let (status, out, _) = elsewhere("\"ends\":\"cleared\"", "\"ends\":\"breach\"");
    assert_eq!(status, 1);
    assert!(out.contains("C7/face_up: ended with cleared at line"), "{out}");
    let (status, out, _) = elsewhere("{\"line\":", "{\"line\":2,\"was\":");
    assert_eq!(status, 1);
    assert!(out.contains("line 2: C7/face_up: not found (at bank)"), "{out}");
}

#[test]
fn a_truth_that_cannot_be_read_is_answered_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let rows = simulated(folder.path(), "sala-8", &["C7"]);
    let broken = [rows[0].as_str(), "{\"line\":9,\"clause\":\"C99/x\",\"ends\":\"noted\"}"].join("\n");
    fs::write(folder.path().join("truth"), broken).unwrap();
    let (status, _, errors) = sabot(&["score", "log", "truth"], folder.path());
    assert_eq!(status, 2);
    assert!(errors.contains("truth: line 2: ") && errors.contains("C99/x"), "{errors}");
    fs::write(folder.path().join("truth"), [rows[1].as_str(), rows[0].as_str()].join("\n")).unwrap();
    let (status, _, errors) = sabot(&["score", "log", "truth"], folder.path());
    assert_eq!(status, 2);
    assert!(errors.contains("rows are ordered by line"), "{errors}");
}

#[test]
fn what_cannot_be_broken_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let (status, _, errors) = sabot(&["simulate", "--score", "--only", "D11"], folder.path());
    assert_eq!(status, 2);
    assert!(errors.contains("`D11`") && errors.contains("sabot simulate --list"), "{errors}");
    let (status, _, errors) = sabot(&["simulate", "--score", "--regulation", "bingo"], folder.path());
    assert_eq!(status, 2);
    assert!(
        errors.contains("`bingo`")
            && ["sala-8", "talla", "club", "croupier-6"].iter().all(|house| errors.contains(house)),
        "{errors}"
    );
    let (status, _, errors) = sabot(&["simulate"], folder.path());
    assert_eq!(status, 2);
    assert!(errors.contains("--log"), "{errors}");
}

#[test]
fn two_readings_of_dealt_logs_agree_and_a_log_of_a_file_is_read_by_both() {
    let folder = tempfile::tempdir().unwrap();
    for house in ["sala-8", "talla", "club", "croupier-6"] {
        let (status, out, errors) = sabot(&["score", "--passes", "20", "--regulation", house], folder.path());
        assert_eq!((status, errors.as_str()), (0, ""), "{out}");
        assert!(out.starts_with(&format!("20 logs of {house}, ")) && out.contains(": 0 read otherwise"), "{out}");
    }

    assert_eq!(sabot(&["simulate", "--passes", "3", "--log", "log"], folder.path()).0, 0);
    let (status, out, errors) = sabot(&["score", "log"], folder.path());
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("the readings agree on "), "{out}");

    let log = fs::read_to_string(folder.path().join("log")).unwrap().replacen("\"ev\":\"cut\",", "\"ev\":\"cat\",", 1);
    fs::write(folder.path().join("log"), log).unwrap();
    let (status, out, errors) = sabot(&["score", "log"], folder.path());
    assert_eq!((status, out.as_str()), (2, ""), "{errors}");
    assert!(errors.starts_with("sabot score: log: the validator: line ") && errors.contains("`ev`"), "{errors}");
}
