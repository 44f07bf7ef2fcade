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

#[test]
fn the_keypads_numbers_are_printed_for_every_regulation_in_both_languages() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/house.toml");
    let houses = regulation::ALL.iter().map(|of| (&*of.id, of.articles.len()));
    for (of, articles) in houses.chain([(own, 44)]) {
        for (lang, title, note) in
            [("es", "\nartículo\n", "  2  apuestas entre"), ("en", "\narticle\n", "  2  bets between")]
        {
            let told = regulation(&["keys", "--regulation", of, "--lang", lang]).out;
            let (head, list) = told.split_once(title).unwrap();
            assert!(head.contains("RULE") && head.contains(note), "{told}");
            let number = |line: &str| line.split_whitespace().next().unwrap().parse::<u16>().unwrap();
            let numbers: Vec<u16> = list.lines().map(number).collect();
            assert!(numbers.len() == articles && numbers.is_sorted_by(|one, next| one < next), "{told}");
        }
    }
    let told = regulation(&["keys", "--regulation", own]).out;
    assert!(told.contains("\n   317  C17  ") && told.contains("\n  1801  T-R1 ") && !told.contains("D10"), "{told}");
    let unknown = regulation(&["keys", "--regulation", "sala-9"]);
    assert_eq!((unknown.status, unknown.out.as_str()), (2, ""));
}

#[test]
fn coverage_tells_what_a_table_can_judge_and_what_it_lacks() {
    let told = regulation(&["coverage", "--observes", "places,faces,asks", "--lang", "en"]).out;
    assert!(told.contains("\nC7   wholly ") && told.contains("\nC17  reported by a person "), "{told}");
    assert!(
        told.contains("\nC14  not at all            A bank card in the discard tray\n       lacks moves\n"),
        "{told}"
    );
    assert!(told.contains("\nD8   in part "), "{told}");
    assert!(told.contains("\n       a box passed over in the first delivery\n         → lacks bets\n"), "{told}");
    assert!(told.lines().last().unwrap().starts_with("42 articles: "), "{told}");
    let spanish = regulation(&["coverage", "--observes", "nothing", "--regulation", "club"]).out;
    assert!(spanish.contains("\nLa mesa ve: nada\n") && spanish.contains("falta "), "{spanish}");
    let devices = regulation(&["coverage", "--equipment", "shoe,chips,keypad", "--lang", "en"]).out;
    assert!(devices.contains("\nC19  not at all            Change of decks\n       lacks the shuffler\n"), "{devices}");
}

#[test]
fn an_unknown_sight_or_device_is_named_and_those_known_are_listed() {
    let known = "known are places, faces, turns, moves, bets, asks, decisions, announcements";
    for (option, wrong, why) in [
        ("--observes", "places,colour", format!("no sight `colour`; {known}")),
        ("--observes", "", format!("no sight ``; {known}")),
        ("--equipment", "shoe,lamp", "no device `lamp`; known are shoe, chips, keypad, shuffler".to_string()),
    ] {
        let told = regulation(&["coverage", option, wrong]);
        assert_eq!((told.status, told.out.as_str()), (2, ""));
        assert!(told.err.contains(&why), "{}", told.err);
    }
}

#[test]
fn coverage_as_json_counts_what_it_lists_for_a_houses_own_regulation_too() {
    let house = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/house.toml");
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/station.toml");
    for arguments in [&["--regulation", house, "--observes", "places,faces"][..], &["--config", table]] {
        let json = regulation(&[&["coverage", "--json"], arguments].concat()).out;
        let told: serde_json::Value = serde_json::from_str(&json).unwrap();
        let articles = told["articles"].as_array().unwrap();
        for extent in ["wholly", "in_part", "not_at_all", "never"] {
            let listed = articles.iter().filter(|article| article["judged"] == extent).count();
            assert_eq!(told["totals"][extent], listed, "{json}");
        }
        assert_eq!(told["totals"]["articles"], articles.len());
        let of = |id: &str| articles.iter().find(|article| article["article"] == id);
        if arguments.contains(&house) {
            assert_eq!(told["regulation"], "casa-sur");
            assert!(of("D10").is_none());
            let added = of("T-R1").unwrap();
            assert_eq!(
                (&added["judged"], &added["cases"][0]["lacks"][0][0]),
                (&"not_at_all".into(), &"decisions".into())
            );
        } else {
            // a log of version 1 sees bets, turns and moves whatever it names
            assert_eq!(of("F1").unwrap()["judged"], "wholly", "{json}");
        }
    }
}
