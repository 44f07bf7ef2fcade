//! The notation of the scenario tables.
//!
//! ```text
//! == the bank's second card comes uncovered        a scenario and its name
//! open                                             players P1 to P3 on seats 1 to 3, a shuffled, cut, loaded shoe
//! bets 1 2 3                                       50 on each box (`3:400` another stake): P1 has 1, 4 and 7, P2 2 and 5 …
//! deal 8H 5C TD 9S TC 9D QH                        as prescribed: the boxes in order, the bank, and again
//! draw 8D bank up => C7 bank burn serve            what this line's last event is answered (see `notation`)
//! burn bank 1
//! draw 8C bank => cleared C7 bank
//! stand 1, 2, 3                                    one event each
//! ```
//!
//! `six` is `open` with six decks.
//! `pack P1 9` shuffles two decks, offers P1 the cut and loads them with 9 cards behind the cut card.
//! A line without `=>` is answered nothing; with several answers they are parted by ` | `, in any order.
//! `# …` is a remark. The header has limits 10 to 1000; `table regulation=talla observes=places,faces` says another house
//! and what is observed, `limits=10-500` other limits, `table rules=docs/house.toml` a house's own regulation. Where the
//! bank's second card comes after play, `deal` gives it none in the second delivery.

use std::path::Path;

use serde_json::{Value, json};

/// One scenario: its lines of log, each with what it is answered.
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
}

/// One event.
pub(crate) struct Step {
    /// Its line in the table, for messages.
    pub(crate) at: usize,
    /// As the table writes it.
    pub(crate) written: String,
    /// As the log writes it.
    pub(crate) json: String,
    /// What is answered.
    pub(crate) expected: Vec<String>,
}

/// Reads a table. Panics where it cannot be read: it is part of a test.
pub(crate) fn read(table: &str) -> Vec<Scenario> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut boxes = Vec::new();
    let mut covered = true;
    for (at, line) in table.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            scenarios.push(Scenario { name: name.to_string(), steps: Vec::new() });
            boxes.clear();
            covered = true;
            continue;
        }
        covered &= !line.starts_with("table regulation=");
        let scenario = scenarios.last_mut().expect("a scenario begins with ==");
        if scenario.steps.is_empty() && !line.starts_with("table") {
            scenario.steps.push(Step::new(at + 1, "table", header("")));
        }
        let (events, answers) = line.split_once("=>").unwrap_or((line, ""));
        for (written, event) in expand(events.trim(), &mut boxes, covered) {
            scenario.steps.push(Step::new(at + 1, &written, event));
        }
        scenario.steps.last_mut().unwrap().expected =
            answers.split('|').map(|answer| answer.trim().to_string()).filter(|answer| !answer.is_empty()).collect();
    }
    scenarios
}

impl Step {
    fn new(at: usize, written: &str, event: Value) -> Self {
        Self { at, written: written.to_string(), json: event.to_string(), expected: Vec::new() }
    }
}

fn header(words: &str) -> Value {
    let mut header = json!({"ev":"table","v":1,"table":"BJ-07","regulation":"sala-8","boxes":7,
        "limits":{"min":10,"max":1000}});
    for word in words.split_whitespace() {
        match word.split_once('=') {
            Some(("observes", list)) => {
                let list: Vec<&str> = list.split(',').filter(|word| *word != "nothing").collect();
                header["observes"] = json!(list);
            }
            Some(("regulation", id)) => header["regulation"] = json!(id),
            Some(("limits", limits)) => {
                let (min, max) = limits.split_once('-').unwrap();
                header["limits"] = json!({"min":min.parse::<u64>().unwrap(),"max":max.parse::<u64>().unwrap()});
            }
            Some(("rules", file)) => {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
                let mut rules: Value = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
                header["regulation"] = rules.as_object_mut().unwrap().remove("id").unwrap();
                header["rules"] = rules;
            }
            _ => panic!("`table {words}`: `{word}` is not known"),
        }
    }
    header
}

/// A line's events, each with the words that made it.
fn expand(line: &str, boxes: &mut Vec<String>, covered: bool) -> Vec<(String, Value)> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let lines: Vec<String> = match verb {
        "table" => return vec![(line.to_string(), header(rest))],
        "open" => ["seat 1 P1", "seat 2 P2", "seat 3 P3"].map(String::from).into_iter().chain(shoe()).collect(),
        "shoe" => shoe().collect(),
        "six" => {
            ["seat 1 P1", "seat 2 P2", "seat 3 P3", "shuffle 6", "cut 150", "load 312 52"].map(String::from).into()
        }
        "pack" => {
            let (by, behind) = rest.split_once(' ').unwrap();
            vec!["shuffle 2".into(), format!("offer_cut {by}"), format!("cut 40 {by}"), format!("load 104 {behind}")]
        }
        "bets" => {
            let bets = rest.split(' ').map(|bet| bet.split_once(':').unwrap_or((bet, "50")));
            *boxes = bets.clone().map(|(of, _)| of.to_string()).collect();
            bets.map(|(of, stake)| format!("bet {of} {stake} P{}", player(of))).collect()
        }
        "deal" => {
            let bank = |round: usize| ["bank"].into_iter().take(usize::from(covered || round == 0));
            let round = |round| boxes.iter().map(String::as_str).chain(bank(round));
            let places = (0..2).flat_map(round);
            rest.split(' ').zip(places).map(|(card, place)| format!("draw {card} {place}")).collect()
        }
        _ => rest.split(',').map(|item| format!("{verb} {}", item.trim())).collect(),
    };
    lines.into_iter().map(|line| (line.trim().to_string(), event(line.trim()))).collect()
}

/// Who bets on a box: P1 to P3 in turn.
fn player(of: &str) -> usize {
    of.parse::<usize>().map_or(1, |of| (of - 1) % 3 + 1)
}

fn shoe() -> impl Iterator<Item = String> {
    ["authorize shuffle", "shuffle 8", "cut 150", "load 416 52"].map(String::from).into_iter()
}

/// One event.
fn event(line: &str) -> Value {
    let words: Vec<&str> = line.split(' ').collect();
    let word = |n: usize| words.get(n).copied();
    let at = |n: usize| word(n).unwrap_or_else(|| panic!("`{line}`: a word is missing"));
    let number = |n: usize| at(n).parse::<u64>().unwrap_or_else(|_| panic!("`{line}`: `{}` is no number", at(n)));
    let mut event = match at(0) {
        "seat" => json!({"ev":"seat","seat":number(1),"player":at(2)}),
        "leave" => json!({"ev":"leave","seat":number(1),"player":at(2)}),
        "request" => json!({"ev":"request","box":at(1),"player":at(2),"t":word(3).map(|_| number(3))}),
        "authorize" => {
            let what = if at(1) == "next" { "next_cards_for_bank" } else { at(1) };
            json!({"ev":"authorize","by":"I-4","role":word(2).unwrap_or("inspector"),"what":what})
        }
        "shuffle" => {
            let cards = word(2).map_or_else(|| number(1) * 52, |_| number(2));
            json!({"ev":"shuffle","decks":number(1),"cards":cards})
        }
        "cut" => json!({"ev":"cut","depth":number(1),"by":word(2).unwrap_or("P1")}),
        "bank_card" => json!({"ev":"bank_card","player":at(1),"card":at(2)}),
        // bank HOW [PLAYER] [by] [amount], `-` for none
        "bank" => json!({"ev":"bank","how":at(1),"player":word(2).filter(|name| *name != "-"),
            "by":word(3).filter(|name| *name != "-"),"amount":word(4).map(|_| number(4))}),
        "share" => json!({"ev":"share","player":at(1),"what":at(2),"amount":number(3)}),
        "offer_cut" => json!({"ev":"offer_cut","player":at(1)}),
        "load" => json!({"ev":"load","cards":number(1),"cut_card":number(2)}),
        "bet" => bet(&words),
        "close" => json!({"ev":"close_bets"}),
        "draw" => draw(&words),
        "cut_card" => json!({"ev":"cut_card"}),
        "ask" => json!({"ev":"ask","box":at(1),"about":at(2)}),
        choice @ ("hit" | "stand" | "double" | "split" | "insure" | "decline" | "surrender" | "even_money") => {
            json!({"ev":"decide","box":at(1),"choice":choice,"by":word(2)})
        }
        "ace" => json!({"ev":"ace","box":at(1),"value":number(2),"by":word(3)}),
        "total" => json!({"ev":"announce","what":"total","box":at(1),"value":number(2)}),
        "say" => json!({"ev":"announce","what":"next_cards_for_bank"}),
        "reveal" => json!({"ev":"reveal","at":at(1),"card":word(2)}),
        to @ ("burn" | "discard") => json!({"ev":"move","from":at(1),"to":to,"cards":word(2).map(|_| number(2))}),
        "move" => json!({"ev":"move","from":at(1),"to":at(2),"cards":word(3).map(|_| number(3))}),
        "consent" => json!({"ev":"consent","box":at(1),"yes":at(2) == "yes"}),
        "choose" => json!({"ev":"choose","box":at(1),"option":at(2)}),
        ev @ ("collect" | "pay") => json!({"ev":ev,"box":at(1),"amount":number(2),"spot":word(3)}),
        "end" => json!({"ev":"end"}),
        "rule" => json!({"ev":"rule","by":"R-1","role":"room","decision":at(1),"finding":word(2).map(|_| number(2))}),
        "report" => json!({"ev":"report","by":"I-4","role":"inspector","note":"seen",
            "provision":Some(at(1)).filter(|id| *id != "-"),"box":word(2)}),
        "device" => json!({"ev":"device","device":at(1),"status":at(2)}),
        other => panic!("`{line}`: no verb `{other}`"),
    };
    event.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    event
}

/// `bet BOX [SPOT] AMOUNT [PLAYER]`
fn bet(words: &[&str]) -> Value {
    let spot = words[2].parse::<u64>().is_err().then(|| words[2]);
    let rest = &words[if spot.is_some() { 3 } else { 2 }..];
    json!({"ev":"bet","box":words[1],"spot":spot,"amount":rest[0].parse::<u64>().unwrap(),"player":rest.get(1)})
}

/// `draw CARD [PLACE] [up|down]`
fn draw(words: &[&str]) -> Value {
    let face = words[2..].iter().find(|word| ["up", "down"].contains(word));
    let place = words[2..].iter().find(|word| !["up", "down"].contains(word));
    json!({"ev":"draw","card":words[1],"to":place,"face":face})
}
