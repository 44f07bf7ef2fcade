//! Who does what is due breaks nothing by it: who serves the card that is due, wherever a scenario has come to; and who
//! after a fault does always what is due first, to the end of the pass.

use std::fmt::Write as _;

use sabot_law::procedure::duty::Part;
use sabot_law::replay::Replay;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::event::Ruling;
use sabot_law::table::settings::Misdealt;
use sabot_law::table::{Answer, BetSpot, Event, HandId, Place, Remedy};
use sabot_law::validator::Validator;

use super::dealer::{Dealer, moved};
use super::tables;

/// Where the next card is due that nobody has to be asked about before.
fn next_card(table: &Validator, replay: &Replay) -> Option<Place> {
    let due = serde_json::to_value(table.due(replay.line())).unwrap();
    let steps = due["due"].as_array().unwrap().iter();
    let waits = |step: &&serde_json::Value| {
        let what = step["do"].as_str().unwrap();
        !["authorize", "announce", "ask_consent", "offer", "rule"].contains(&what)
    };
    let step = steps.take_while(waits).find(|step| step["do"] == "serve")?;
    step["to"].as_str().unwrap().parse().ok()
}

/// What is found about a card that is drawn there and must go away again.
fn refused(table: &Validator, replay: &Replay, to: Place) -> Vec<Finding> {
    let (mut next, mut answers) = (table.clone(), Vec::new());
    let event = Event::Draw { card: "2C".parse().unwrap(), to: Some(to), face: None };
    next.step(replay.line() + 1, &event, &mut answers);
    let findings = answers.into_iter().filter_map(|answer| match answer {
        Answer::Finding(finding) => Some(*finding),
        _ => None,
    });
    let goes = |remedy: &Remedy| matches!(remedy, Remedy::Burn { .. } | Remedy::Rule);
    findings.filter(|finding| finding.remedy.iter().any(goes)).collect()
}

#[test]
fn the_card_that_is_due_is_none_that_must_go_away() {
    let (mut cards, mut told) = (0, String::new());
    for (file, scenarios) in tables() {
        for scenario in scenarios {
            let mut replay = Replay::new(Lang::En, None);
            for step in &scenario.steps {
                replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
                let table = replay.validator().unwrap();
                // of a card that was put back it is known which one comes next
                let goes_back = table.settings().delivery.misdealt == Misdealt::Back;
                let Some(to) = next_card(table, &replay).filter(|_| !goes_back) else { continue };
                cards += 1;
                for finding in refused(table, &replay, to) {
                    writeln!(told, "{file}:{} after `{}`: {to} {}", step.line, step.written, finding.provision)
                        .unwrap();
                }
            }
        }
    }
    assert!(cards > 2000, "{cards} cards");
    assert!(told.is_empty(), "of {cards} cards:\n{told}");
}

/// What a dealer may do wrong where a pass has come to, in every box and at the bank: money that moves too early, cards
/// that are taken away or come unasked, chips that are laid unasked.
fn faults(dealer: &Dealer) -> Vec<Event> {
    let pass = &dealer.table.state().pass;
    let mut faults = Vec::new();
    for (id, hand) in pass.hands() {
        let (at, main) = (Place::from(id), BetSpot::Main);
        faults.push(Event::Pay { hand: id, amount: 3, spot: main });
        faults.push(Event::Collect { hand: id, amount: hand.at_stake(), spot: main });
        let lays = |spot, amount| Event::Bet { hand: id, spot, amount, player: None, chips: Vec::new() };
        faults.extend([lays(main, hand.stake + 20), lays(BetSpot::Split, hand.stake)]);
        if hand.count() > 0 {
            faults.extend([Place::Discard, Place::Shoe, Place::Burn].map(|to| moved(at, to, None)));
            faults.extend([Place::Discard, Place::Burn].map(|to| moved(at, to, Some(1))));
        }
    }
    if !pass.bank.cards.is_empty() {
        faults.extend([Place::Discard, Place::Shoe].map(|to| moved(Place::Bank, to, None)));
        faults.extend([moved(Place::Bank, Place::Burn, Some(1)), Event::Reveal { at: Place::Bank, card: None }]);
    }
    let to = [Place::Bank, HandId::first(1).into(), HandId::first(3).into()];
    faults.extend(to.into_iter().map(|to| dealer.clone().draws(to)));
    faults
}

/// How the room may decide about that fault; once where nothing asks it to.
fn rulings(dealer: &Dealer, fault: &Event) -> Vec<Dealer> {
    let faulty = |ruling| {
        let mut faulty = dealer.clone();
        faulty.ruling = ruling;
        if let Event::Draw { .. } = fault {
            faulty.loses_card();
        }
        faulty.happens(fault);
        faulty
    };
    let asks_room = |dealer: &Dealer| dealer.table.duties().iter().any(|duty| duty.parts.contains(&Part::Rule));
    let first = faulty(Ruling::Resume);
    let others = [Ruling::Stands, Ruling::Void, Ruling::Lose].into_iter().filter(|_| asks_room(&first));
    let others: Vec<Dealer> = others.map(faulty).collect();
    [vec![first], others].concat()
}

/// What is found about what a dealer does who does always what is due first, and whether the pass comes to its end.
fn obeyed(mut dealer: Dealer) -> Option<String> {
    let begun = dealer.log.len();
    for _ in 0..80 {
        if dealer.is_over() {
            return None;
        }
        let Some(done) = dealer.obeys() else {
            return Some(format!("nothing is due\n{}", dealer.log[begun..].join("\n")));
        };
        // what a payment was worth is found when the cards tell, whoever shows them
        let settles = |event: &String| event.contains("\"ev\":\"pay\"") || event.contains("\"ev\":\"collect\"");
        let settled = dealer.log.last().is_some_and(settles);
        let is_his = |finding: &&Finding| settled || finding.details.done.is_none();
        if let Some(finding) = done.found.iter().find(is_his) {
            let what =
                format!("{} {:?} for {:?}: {:?}", finding.provision, finding.place, done.step.what, finding.text);
            return Some(format!("{what}\n{}", dealer.log[begun..].join("\n")));
        }
    }
    Some(format!("no end: {:?}\n{}", dealer.due(), dealer.log[begun..].join("\n")))
}

#[test]
fn who_after_a_fault_does_what_is_due_first_is_accused_of_nothing_more() {
    let (mut dealt, mut told) = (0, Vec::new());
    for (house, seed) in
        ["sala-8", "talla", "club", "croupier-6"].into_iter().flat_map(|house| (0..8).map(move |n| (house, n)))
    {
        let mut dealer = Dealer::of(house, seed);
        while !dealer.is_over() {
            for fault in faults(&dealer) {
                for faulty in rulings(&dealer, &fault) {
                    dealt += 1;
                    let (ruling, log) = (faulty.ruling, faulty.log.join("\n"));
                    told.extend(obeyed(faulty).map(|found| format!("{house} {seed} {ruling:?}\n{log}\n{found}")));
                }
            }
            let done = dealer.obeys().expect("something is due");
            assert!(done.found.is_empty(), "{house} {seed}: {:?}\n{}", done.found, dealer.log.join("\n"));
        }
    }
    assert!(dealt > 20_000, "{dealt} faults");
    assert!(told.is_empty(), "{} of {dealt} faults, the first:\n{}", told.len(), told[0]);
}
