//! `sabot regulation` from the outside.

use crate::process::{Ended, run, sabot};
use sabot_law::regulation;

fn regulation(arguments: &[&str]) -> Ended {
    run(sabot(["regulation"]).args(arguments))
}

#[test]
fn an_article_is_printed_in_the_language_asked_for() {
    let spanish = regulation(&["show", "C7", "--lang", "es"]).out;
    assert!(spanish.starts_with("C7 · ") && spanish.contains("Qué hay que hacer"), "{spanish}");
    let english = regulation(&["show", "c7", "--lang", "en"]).out;
    assert!(english.contains("What must be done") && english.contains("c07_bank_card_uncovered.rs"), "{english}");
    assert!(english.lines().all(|line| line.chars().count() <= 96), "{english}");
}

#[test]
fn an_example_is_exported_as_the_log_it_is() {
    assert_eq!(regulation(&["example", "C4/refused"]).out, include_str!("logs/worked-example.jsonl"));
    for of in regulation::ALL {
        let names = regulation(&["example", "--regulation", &of.id]).out;
        let last = names.lines().last().unwrap();
        let log = regulation(&["example", last, "--regulation", &of.id]).out;
        assert!(log.contains(&format!(r#""regulation":"{}""#, of.id)), "{last}: {log}");
    }
    let unknown = regulation(&["example", "C4/refuse"]);
    assert_eq!((unknown.status, unknown.out.as_str()), (2, ""));
    let why = unknown.err;
    assert!(why.contains("`C4` has no example `refuse`; there are compliant, "), "{why}");
}

#[test]
fn the_list_names_every_article_and_an_unknown_one_is_told_its_nearest() {
    for of in regulation::ALL {
        let list = regulation(&["list", "--regulation", &of.id]).out;
        let ids: Vec<&str> = list.lines().skip(1).map(|line| line.split_whitespace().next().unwrap()).collect();
        assert_eq!(ids, of.articles.iter().map(|article| article.id).collect::<Vec<_>>(), "{list}");
        let known = regulation(&["show", of.articles[0].id, "--regulation", &of.id, "--lang", "en"]);
        assert!(known.status == 0 && !known.out.is_empty(), "{}", of.id);
    }
    let unknown = regulation(&["show", "C33"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("nearest are C3, C13"));
    let unknown = regulation(&["list", "--regulation", "sala-9"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("known are sala-8"));
}
