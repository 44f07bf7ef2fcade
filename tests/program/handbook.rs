//! `sabot regulation` from the outside.

use std::process::{Command, Output};

use sabot_law::regulation;

fn regulation(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sabot")).arg("regulation").args(arguments).output().unwrap()
}

#[test]
fn an_article_is_printed_in_the_language_asked_for() {
    let spanish = String::from_utf8(regulation(&["show", "C7", "--lang", "es"]).stdout).unwrap();
    assert!(spanish.starts_with("C7 · ") && spanish.contains("Qué hay que hacer"), "{spanish}");
    let english = String::from_utf8(regulation(&["show", "c7", "--lang", "en"]).stdout).unwrap();
    assert!(english.contains("What must be done") && english.contains("c07_bank_card_uncovered.rs"), "{english}");
    assert!(english.lines().all(|line| line.chars().count() <= 96), "{english}");
}

#[test]
fn the_list_names_every_article_and_an_unknown_one_is_told_its_nearest() {
    for of in regulation::ALL {
        let list = String::from_utf8(regulation(&["list", "--regulation", &of.id]).stdout).unwrap();
        let ids: Vec<&str> = list.lines().skip(1).map(|line| line.split_whitespace().next().unwrap()).collect();
        assert_eq!(ids, of.articles.iter().map(|article| article.id).collect::<Vec<_>>(), "{list}");
        let known = regulation(&["show", of.articles[0].id, "--regulation", &of.id, "--lang", "en"]);
        assert!(known.status.success() && !known.stdout.is_empty(), "{}", of.id);
    }
    let unknown = regulation(&["show", "C33"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("nearest are C3, C13"));
    let unknown = regulation(&["list", "--regulation", "sala-9"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("known are sala-8"));
}
