//! Every kind of event in every state of a table under `sala-8`: what is answered, and what is due next.
//!
//! The tables are snapshots, one a state, so that a change of the procedure is a diff to read and to agree with:
//! `tests/snapshots/matrix__*.snap`. Events are written as in the scenario tables, answers in their notation. `-`: nothing
//! is answered; `=`: what is due stays as it was. To take a change: `INSTA_UPDATE=always cargo test -p sabot-law matrix`, and
//! read the diff.
use std::collections::BTreeSet;

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::event::Kind;
use sabot_law::table::felt::Phase;
use sabot_law::table::line;

use sabot_handbook::verdict::Verdicts;

use crate::scenarios::steps;

/// Each kind of event, those that mean several things several times.
const EVENTS: &[&str] = &[
    "seat 4 P4",
    "seat 1 P9",
    "leave 2 P2",
    "request 5 P2",
    "authorize shuffle",
    "authorize next",
    "authorize next table_chief",
    "authorize deck_change",
    "shuffle 8",
    "shuffle 7",
    "cut 150",
    "cut 50",
    "load 416 52",
    "load 416 30",
    "bet 1 50 P1",
    "bet 1 80 P1",
    "bet 1 0",
    "bet 3 5 P3",
    "bet 4 50 P1",
    "bet 4 50 P9",
    "bet 2 double 50",
    "bet 2 double 30",
    "bet 1 double 50",
    "bet 3 split 50",
    "bet 1 split 50",
    "bet 1 insurance 25",
    "bet 2 insurance 25",
    "close",
    "draw 4S 1",
    "draw 4S 2",
    "draw 4S 3",
    "draw 4S 3b",
    "draw 4S 5",
    "draw 4S bank",
    "draw 4S bank up",
    "draw 4S 1 down",
    "draw 4S burn",
    "draw 4S discard",
    "draw 4S",
    "draw ?? 1",
    "cut_card",
    "ask 1 insurance",
    "ask 1 ace",
    "ask 1 card",
    "ask 2 double",
    "ask 3 split",
    "ask 3 card",
    "ask 1 surrender",
    "hit 1",
    "hit 2",
    "hit 3",
    "stand 1",
    "stand 1 P2",
    "stand 2",
    "stand 3",
    "stand 3b",
    "double 1",
    "double 2",
    "split 3",
    "split 1",
    "insure 1",
    "decline 1",
    "surrender 1",
    "even_money 1",
    "ace 1 11",
    "ace 1 1",
    "ace 2 1",
    "total 1 18",
    "total 1 17",
    "say next",
    "reveal bank",
    "reveal 2",
    "reveal 1",
    "burn 1",
    "burn bank 1",
    "discard 1",
    "discard 2",
    "discard bank",
    "move 1 shoe",
    "consent 1 yes",
    "consent 1 no",
    "choose 2 withdraw",
    "choose 1 play",
    "collect 1 50",
    "collect 2 100",
    "collect 1 25 insurance",
    "pay 1 50",
    "pay 2 100",
    "pay 2 50",
    "pay 3b 50",
    "pay 1 50 insurance",
    "end",
    "rule void",
    "rule stands 1",
    "report C17 1",
    "report -",
    "bank taken P1",
    "bank_card P1 AH",
    "share P1 advance 50",
    "offer_cut P1",
    "device shoe empty",
    "device shoe jam",
    "device chips offline",
];

/// The pieces the states are made of: box 1 an ace and a seven, box 2 an eleven, box 3 a pair, the bank nine and five.
const SEATS: &str = "seat 1 P1, 2 P2, 3 P3";
const SHUFFLED: &str = "seat 1 P1, 2 P2, 3 P3\nauthorize shuffle\nshuffle 8";
const BETS: &str = "open\nbets 1 2 3";
const FIRST: &str = "close\ndraw AH 1, 5C 2, 8H 3, 9S bank";
const SECOND: &str = "ask 1 insurance\ndecline 1\ndraw 7C 1";
const DELIVERED: &str = "draw 6D 2, 8D 3, 5D bank";
const ASKED: &str = "ask 1 ace\nace 1 11\nask 1 card";
const DOUBLING: &str = "stand 1\nask 2 double\ndouble 2\nbet 2 double 50";
const SPLIT: &str = "draw 9C 2\nask 3 card\nsplit 3\nbet 3 split 50";
const PLAYED: &str = "draw TH 3\nask 3 card\nstand 3\ndraw 3H 3b\nask 3b card\nhit 3b\ndraw TC 3b";
const REVEALED: &str = "reveal bank";
const BANK: &str = "draw 2C bank, 3D bank\nreveal 2";
const COLLECTED: &str = "collect 1 50";
const SETTLED: &str = "collect 3 50\npay 2 100, 3b 50";
const CLEARED: &str = "discard 1, 2, 3, 3b, bank";

/// What is answered and due at one event after others.
struct Cell {
    phase: Phase,
    before: String,
    answered: String,
    after: String,
}

fn due(replay: &Replay) -> String {
    let due = replay.validator().unwrap().felt().due;
    due.iter().map(|words| words.en.as_str()).collect::<Vec<_>>().join(" · ")
}

/// Plays the steps, then the event.
fn cell(steps: &[&str], event: &str) -> Cell {
    let lines = |text: &str| crate::scenarios::steps("sala-8", text);
    let mut replay = Replay::new(Lang::En, None);
    let mut verdicts = Verdicts::default();
    let mut feed = |replay: &mut Replay, json: &str| verdicts.feed(replay, json).unwrap().join(" | ");
    for step in lines(&steps.join("\n")) {
        feed(&mut replay, &step.json);
    }
    let before = due(&replay);
    let phase = replay.validator().unwrap().felt().phase;
    let answered = feed(&mut replay, &lines(event).pop().unwrap().json);
    Cell { phase, before, answered, after: due(&replay) }
}

/// The column of answers, always the same, so that one longer answer is not a change of the whole table.
const WIDTH: usize = 44;

/// The table of one state.
fn block(steps: &[&str]) -> String {
    let cells: Vec<Cell> = EVENTS.iter().map(|event| cell(steps, event)).collect();
    let first = &cells[0];
    let mut text = format!("after:\n  {}\n", steps.join("\n").replace('\n', "\n  "));
    text += &format!("phase: {:?}\ndue: {}\n\n", first.phase, or(&first.before, "nothing"));
    text += &format!("{:27} {:WIDTH$} due next\n", "event", "answered");
    for (event, cell) in EVENTS.iter().zip(&cells) {
        let answered = or(&cell.answered, "-");
        let due = if cell.after == cell.before { "=" } else { or(&cell.after, "nothing") };
        text += &format!("{event:27} {answered:WIDTH$} {due}\n");
    }
    text
}

fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

/// Each state: its test, and what has happened.
macro_rules! states {
    ($($name:ident: $($step:expr),+;)+) => {
        const STATES: &[(&str, &[&str])] = &[$((stringify!($name), &[$($step),+])),+];

        mod every_kind_of_event_is_answered_as_agreed_when {
            #[allow(clippy::wildcard_imports, reason = "the pieces of the states")]
            use super::*;

            $(#[test]
            fn $name() {
                insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                    insta::assert_snapshot!(concat!("matrix__", stringify!($name)), block(&[$($step),+]));
                });
            })+
        }
    };
}

states! {
    no_shoe_is_loaded: SEATS;
    the_decks_are_shuffled_and_not_cut: SHUFFLED;
    a_fresh_shoe_is_loaded: "open";
    bets_are_open: BETS;
    bets_are_closed: BETS, "close";
    the_first_delivery_is_in_its_middle: BETS, "close\ndraw AH 1, 5C 2";
    the_first_delivery_is_done: BETS, FIRST;
    the_second_delivery_is_in_its_middle: BETS, FIRST, SECOND;
    both_deliveries_are_done: BETS, FIRST, SECOND, DELIVERED;
    a_box_is_at_its_turn: BETS, FIRST, SECOND, DELIVERED, ASKED;
    a_card_is_asked_for: BETS, FIRST, SECOND, DELIVERED, ASKED, "hit 1";
    a_double_waits_for_its_card: BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING;
    a_split_has_just_been_opened: BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT;
    every_box_is_played: BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED;
    the_bank_has_just_been_uncovered: BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED;
    the_bank_is_drawing: BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED, "draw 2C bank";
    the_bank_is_final: BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED, BANK;
    settlement_has_begun: BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED, BANK, COLLECTED;
    everything_is_settled:
        BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED, BANK, COLLECTED, SETTLED;
    the_felt_is_being_cleared:
        BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED, BANK, COLLECTED, SETTLED, "discard 1, 2";
    the_felt_is_clear:
        BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED, BANK, COLLECTED, SETTLED, CLEARED;
    the_pass_is_over:
        BETS, FIRST, SECOND, DELIVERED, ASKED, DOUBLING, SPLIT, PLAYED, REVEALED, BANK, COLLECTED, SETTLED, CLEARED, "end";
    the_shoe_has_run_empty: BETS, FIRST, SECOND, DELIVERED, ASKED, "hit 1\ncut_card\ndevice shoe empty";
}

#[test]
fn the_matrix_has_every_kind_of_event_and_every_phase() {
    let events: BTreeSet<Kind> = EVENTS
        .iter()
        .map(|event| steps("sala-8", event).pop().unwrap().json)
        .map(|json| line::event(json.as_bytes()).unwrap().kind())
        .collect();
    let missing: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| !events.contains(kind)).collect();
    assert!(missing.is_empty(), "no event of these kinds: {missing:?}");
    let phases: Vec<Phase> = STATES.iter().map(|(_, steps)| cell(steps, "close").phase).collect();
    for phase in [Phase::Idle, Phase::Bets, Phase::Delivery, Phase::Play, Phase::Bank, Phase::Settlement] {
        assert!(phases.contains(&phase), "no state in phase {phase:?}");
    }
}

#[test]
fn nothing_was_found_on_the_way_to_any_state_but_the_empty_shoes() {
    for (name, steps) in STATES {
        let cut = steps.join("\n").replace("\ndevice shoe empty", "");
        let mut replay = Replay::new(Lang::En, None);
        let mut answers = Vec::new();
        for step in crate::scenarios::steps("sala-8", &cut) {
            replay.feed(step.json.as_bytes(), &mut answers).unwrap();
        }
        let found = answers.iter().any(|answer| matches!(answer, sabot_law::table::Answer::Finding(_)));
        assert!(!found, "{name}: {answers:?}");
    }
}
