//! A house by configuration: the validator and the auditor, which share no code, on logs of each regulation with each
//! article of another one added.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sabot_law::regulation::{self, house::home};
use sabot_simulation::deviations::{Deviation, Scene, apply};
use sabot_simulation::workload::{Dealer, House, Settings};
use serde_json::{Value, json};

use crate::logs::{log, number};
use crate::otherwise::{auditor, differences, held};

/// One pass of a house with a deviation or none, under its regulation with another's article added.
fn composed(house: &'static House, article: Option<&str>, seed: u64, deviations: usize) -> String {
    let boxes = 3 + u8::try_from(seed % 5).unwrap();
    let mut dealer = Dealer::new(Settings { seed, boxes, ..Settings::of(house) });
    let (mut events, mut rng) = (Vec::new(), ChaCha8Rng::seed_from_u64(seed));
    dealer.next_pass(&mut events);
    let ways = (0..deviations).map(|_| Deviation::ALL[rng.random_range(0..Deviation::ALL.len())]).collect::<Vec<_>>();
    apply(&mut rng, &ways, Scene { header: dealer.header(), first: 2, findings: 0 }, &mut events);
    let log = log(dealer.header(), &events);
    let (first, rest) = log.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(first).unwrap();
    header["regulation"] = "casa".into();
    let with: Vec<&str> = article.into_iter().collect();
    header["rules"] = json!({"title": {"es": "x", "en": "x"}, "base": house.id, "with": with});
    format!("{header}\n{rest}")
}

/// Every article of the other regulations, as `rules` name it.
fn articles_of_others(base: &str) -> Vec<String> {
    let others = regulation::ALL.iter().copied().filter(|other| other.id != base);
    let named = |other: &'static regulation::Regulation| {
        let added = other.articles.iter().filter(|article| **article != other.not_provided_for);
        added.map(|article| format!("{}/{}", home(article), article.id))
    };
    others.flat_map(|other| named(other)).collect()
}

/// Of how many logs of a house, one of each seed up to ten by the book and one with a deviation, the answers may differ
/// for what any of the articles adds: what differs without it is not counted again.
const READ_OTHERWISE: [(&str, usize); 4] = [("sala-8", 6), ("talla", 12), ("club", 4), ("croupier-6", 13)];

#[test]
fn both_readings_answer_alike_whatever_article_of_another_house_is_added_but_for_logs_that_are_counted() {
    let seeds = 1..=number("SABOT_READ", 10);
    held("an article added", READ_OTHERWISE, |id| {
        let house = House::named(id).unwrap();
        let passes = seeds.clone().flat_map(|seed| [(seed, 0), (seed, 1)]);
        let is_alike = |(seed, deviations)| differences(&composed(house, None, seed, deviations)).unwrap().is_empty();
        let alike: Vec<(u64, usize)> = passes.filter(|pass| is_alike(*pass)).collect();
        articles_of_others(id).into_iter().flat_map(move |article| {
            let log = |(seed, deviations): &(u64, usize)| {
                (format!("with {article}, seed {seed}"), composed(house, Some(&article), *seed, *deviations))
            };
            alike.iter().map(log).collect::<Vec<_>>()
        })
    });
}

#[test]
fn an_article_that_is_added_is_audited_and_one_that_is_not_is_not() {
    let house = House::named("sala-8").unwrap();
    let provisions = |article: Option<&str>| -> BTreeSet<String> {
        let answers = (1..=40).flat_map(|seed| auditor(&composed(house, article, seed, 1)).unwrap());
        answers.filter_map(|answer| answer["provision"].as_str().map(str::to_owned)).collect()
    };
    assert!(!provisions(None).contains("T-Q3"));
    assert!(provisions(Some("talla/T-Q3")).contains("T-Q3"));
    assert!(!provisions(Some("talla/T-Q3")).iter().any(|other| other.starts_with('T') && other != "T-Q3"));
}
