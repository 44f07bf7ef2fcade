//! The felt as anyone may see it: the facts of the procedure, and what is due in words for people.
//!
//! Nothing here shows a card that lies covered, or is still undealt.

use alloc::format;
use alloc::vec::Vec;

use crate::procedure::betting_box::Standing;
use crate::procedure::cards::Held;
use crate::procedure::due::{Due, remedies};
use crate::procedure::duties::Duties;
use crate::procedure::hand::{Hand, Owed};
use crate::procedure::shoe::Shoe;
use crate::procedure::state::State;
use crate::table::event::Question;
use crate::table::felt::{Felt, FeltAccount, FeltBox, FeltHand, HandState, Phase, Shown, Words};
use crate::table::words;
use crate::table::{BetSpot, Cents, HandId, Place};

/// The felt as anyone may see it, and what is due.
#[must_use]
pub(crate) fn felt(state: &State, duties: &Duties) -> Felt {
    let turn = if state.delivered() { state.pass.turn() } else { None };
    let boxes = state
        .pass
        .boxes()
        .map(|(box_no, betting_box)| {
            // one that is told where bets are not seen lies there, and plays once its card comes
            let waits = betting_box.standing == Standing::None && betting_box.first().stake > 0;
            let lying = if waits { core::slice::from_ref(betting_box.first()) } else { betting_box.in_play() };
            let hands = (0u8..).zip(lying).map(|(n, hand)| {
                let id = HandId { box_no, hand: n };
                FeltHand {
                    id,
                    cards: hand.cards.iter().map(shown).collect(),
                    total: known_total(hand),
                    state: hand_state(hand, turn == Some(id)),
                    stake: hand.at_stake(),
                    insurance: hand.insurance,
                }
            });
            let refused = betting_box.standing == Standing::Refused;
            FeltBox {
                box_no,
                seated: state.seating.at(box_no).cloned(),
                bettor: betting_box.bettor.clone().filter(|_| !refused),
                hands: hands.collect(),
            }
        })
        .collect();
    let bank = &state.pass.bank;
    let permitted = !bank.is_hidden() && !bank.cards.is_empty();
    Felt {
        pass: state.pass_no,
        phase: state.phase(),
        boxes,
        banker: state.bankers.banker().cloned(),
        bank: bank.cards.iter().map(shown).collect(),
        bank_total: bank.total().filter(|_| permitted),
        burned: state.pass.burned,
        discarded: state.supply.discarded(),
        drawn: state.supply.shoe().map_or(state.supply.draws(), Shoe::drawn),
        cut_card_out: state.supply.cut_card_is_out(),
        accounts: accounts(state),
        due: state.due(duties).into_iter().map(due_words).collect(),
        remedies: remedies(duties).collect(),
    }
}

/// A card that lies covered tells nothing here: what hangs on it is not owed yet.
fn accounts(state: &State) -> Vec<FeltAccount> {
    let settles = state.phase() == Phase::Settlement;
    let sees = state.observes.bets;
    let bets = state.pass.hands().flat_map(|(id, hand)| BetSpot::SETTLED.map(|spot| (id, hand, spot)));
    // a bet of 0 has no account
    let is_there = |hand: &Hand, spot| match spot {
        BetSpot::Main => !sees || hand.at_stake() > 0 || hand.is_touched(spot),
        _ => hand.insurance > 0,
    };
    bets.filter(|(_, hand, spot)| is_there(hand, *spot) && (settles || hand.is_touched(*spot)))
        .map(|(id, hand, spot)| {
            let known = state.account(id, spot, false).known();
            let (paid, collected) = match spot {
                BetSpot::Insurance => (hand.insurance_paid, hand.insurance_collected),
                _ => (hand.paid, hand.collected),
            };
            let owed = known.map(Owed::net).filter(|_| sees);
            let left = owed.map(|owed| hand.right(spot, owed).saturating_sub(hand.given(spot)));
            FeltAccount { hand: id, spot, outcome: known.map(|known| known.outcome), owed, paid, collected, left }
        })
        .collect()
}

fn shown(held: &Held) -> Shown {
    if held.down || held.misdealt { Shown::Covered } else { Shown::Up(held.card) }
}

fn known_total(hand: &Hand) -> Option<u8> {
    if hand.is_covered() || hand.cards.is_empty() { None } else { hand.total().map(|total| total.points) }
}

fn hand_state(hand: &Hand, turn: bool) -> HandState {
    if hand.void {
        HandState::Void
    } else if hand.surrendered {
        HandState::Surrendered
    } else if hand.is_over() {
        HandState::Over
    } else if hand.is_blackjack() {
        HandState::Blackjack
    } else if hand.doubled {
        HandState::Doubled
    } else if turn {
        HandState::Turn
    } else if hand.count() >= 2 && hand.is_finished() {
        HandState::Stood
    } else {
        HandState::Waiting
    }
}

/// What is due, as an instruction.
fn due_words(due: Due) -> Words {
    match due {
        Due::Duty(part) => words::remedy(&part.remedy()),
        Due::Shuffle => Words::new("autorizar y mezclar los mazos", "authorise and shuffle the decks"),
        Due::Reshuffle { retired: true } => Words::new("mezclar las cartas retiradas", "shuffle the retired cards"),
        Due::Reshuffle { retired: false } => Words::new("mezclar todas las cartas", "shuffle all the cards"),
        Due::OfferCut => Words::new("ofrecer el corte", "offer the cut"),
        Due::Turn => Words::new("pasar la banca al siguiente", "pass the bank on to the next player"),
        Due::DrawBank => Words::new("sortear la banca", "draw for the bank"),
        Due::Cut => Words::new("un apostador corta", "a bettor cuts"),
        Due::Load => Words::new("armar el sabot", "load the shoe"),
        Due::Bets => Words::new("apuestas abiertas", "bets are open"),
        Due::Chips(id, spot, amount) => chips_words(id, spot, amount),
        Due::Ask(id, about) => ask_words(id, about),
        Due::Card(place, covered) => {
            let (es, en) = if covered { (" (cubierta)", " (face down)") } else { ("", "") };
            let to = if place == Place::Bank { "la" } else { "el" };
            Words::new(
                format!("carta para {to} {}{es}", words::place(place).es),
                format!("card for {}{en}", words::the(place)),
            )
        }
        Due::Reveal(Place::Bank) => {
            Words::new("descubrir la segunda carta de la banca", "uncover the bank's second card")
        }
        Due::Reveal(place) => {
            let Words { es, en } = words::place(place);
            Words::new(format!("descubrir la carta del {es}"), format!("uncover the card of {en}"))
        }
        Due::Collect(id, spot, amount) => to_settle(true, id, spot, amount),
        Due::Pay(id, spot, amount) => to_settle(false, id, spot, amount),
        Due::Clear(place) => Words::new(
            format!("levantar las cartas {}", words::of(place)),
            format!("clear the cards of {}", words::the(place)),
        ),
        Due::End => Words::new("fin del pase", "end of the pass"),
    }
}

fn chips_words(id: HandId, spot: BetSpot, amount: Cents) -> Words {
    let Words { es, en } = words::money(amount);
    // a hand that is opened again has its earlier chips on the same spot
    let (to_es, to_en, all_es, all_en) =
        if spot == BetSpot::Split { ("abrir", "split", " en total", " in all") } else { ("doblar", "double", "", "") };
    Words::new(
        format!("fichas para {to_es}, casillero {id}: {es}{all_es}"),
        format!("chips to {to_en}, box {id}: {en}{all_en}"),
    )
}

fn ask_words(id: HandId, about: Question) -> Words {
    let (es, en) = match about {
        Question::Insurance => ("¿asegura?", "insurance?"),
        Question::Double => ("¿dobla?", "double?"),
        Question::Ace => ("¿el as vale 1 u 11?", "ace 1 or 11?"),
        Question::Split => ("¿abre?", "split?"),
        Question::Card => ("¿carta o planta?", "card or stand?"),
        Question::Surrender => ("¿se rinde?", "surrender?"),
    };
    Words::new(format!("preguntar: {es} casillero {id}"), format!("ask: {en} box {id}"))
}

fn to_settle(collects: bool, id: HandId, spot: BetSpot, amount: Cents) -> Words {
    let Words { es, en } = words::money(amount);
    let (what_es, what_en) = match (collects, spot) {
        (true, BetSpot::Insurance) => ("retirar el seguro del", "collect the insurance of"),
        (true, _) => ("retirar la apuesta del", "collect"),
        (false, BetSpot::Insurance) => ("pagar el seguro del", "pay the insurance of"),
        (false, _) => ("pagar al", "pay"),
    };
    Words::new(format!("{what_es} casillero {id}: {es}"), format!("{what_en} box {id}: {en}"))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use crate::table::felt::FeltAccount;
    use crate::table::line;
    use crate::validator::Validator;

    /// One box with 100, dealt to, and the bank's cards.
    const DEALT: [&str; 7] = [
        r#"{"ev":"load","cards":416,"cut_card":52}"#,
        r#"{"ev":"bet","box":"1","amount":10000,"player":"P1"}"#,
        r#"{"ev":"bet","box":"2","amount":5000,"player":"P2"}"#,
        r#"{"ev":"draw","card":"TH","to":"1"}"#,
        r#"{"ev":"draw","card":"8H","to":"2"}"#,
        r#"{"ev":"draw","card":"9S","to":"bank"}"#,
        r#"{"ev":"draw","card":"TC","to":"1"}"#,
    ];

    #[test]
    fn while_the_bank_settles_each_bet_has_what_it_is_owed_what_it_was_given_and_what_is_left() {
        let header =
            r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":7,"limits":{"min":1,"max":99999}}"#;
        let mut table = Validator::new(line::header(header.as_bytes()).unwrap()).unwrap();
        let play = [
            (r#"{"ev":"draw","card":"9H","to":"2"}"#, ""),
            (r#"{"ev":"draw","card":"TD","to":"bank"}"#, ""),
            (r#"{"ev":"decide","box":"1","choice":"stand"}"#, ""),
            (r#"{"ev":"decide","box":"2","choice":"stand"}"#, ""),
            (r#"{"ev":"reveal","at":"bank"}"#, "1 10000 0/0 10000, 2 -5000 0/0 -5000"),
            (r#"{"ev":"collect","box":"2","amount":5000}"#, "1 10000 0/0 10000, 2 -5000 0/5000 0"),
            (r#"{"ev":"pay","box":"1","amount":4000}"#, "1 10000 4000/0 6000, 2 -5000 0/5000 0"),
            (r#"{"ev":"pay","box":"1","amount":6000}"#, "1 10000 10000/0 0, 2 -5000 0/5000 0"),
        ];
        for (n, (event, told)) in DEALT.map(|event| (event, "")).into_iter().chain(play).enumerate() {
            table.step(n as u64 + 2, &line::event(event.as_bytes()).unwrap(), &mut Vec::new());
            let account = |one: &FeltAccount| {
                let FeltAccount { hand, owed, paid, collected, left, .. } = one;
                format!("{hand} {} {paid}/{collected} {}", owed.unwrap(), left.unwrap())
            };
            let accounts: Vec<String> = table.felt().accounts.iter().map(account).collect();
            assert_eq!(accounts.join(", "), told, "after {event}");
        }
    }

    #[test]
    fn the_felt_counts_what_lies_in_the_discard_tray_until_a_new_shoe_is_loaded() {
        let header = r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":7,"limits":{"min":1,"max":9}}"#;
        let mut table = Validator::new(line::header(header.as_bytes()).unwrap()).unwrap();
        for (n, (event, discarded)) in [
            (r#"{"ev":"load","cards":416,"cut_card":52}"#, 0),
            (r#"{"ev":"bet","box":"1","amount":5,"player":"P1"}"#, 0),
            (r#"{"ev":"draw","card":"8H","to":"1"}"#, 0),
            (r#"{"ev":"draw","card":"9S","to":"bank"}"#, 0),
            (r#"{"ev":"draw","card":"TC","to":"1"}"#, 0),
            (r#"{"ev":"draw","card":"8D","to":"discard"}"#, 1),
            (r#"{"ev":"move","from":"1","to":"discard"}"#, 3),
            (r#"{"ev":"move","from":"1","to":"discard"}"#, 3),
            (r#"{"ev":"move","from":"bank","to":"burn"}"#, 3),
            (r#"{"ev":"end"}"#, 3),
            (r#"{"ev":"load","cards":416,"cut_card":52}"#, 0),
        ]
        .into_iter()
        .enumerate()
        {
            table.step(n as u64 + 2, &line::event(event.as_bytes()).unwrap(), &mut alloc::vec::Vec::new());
            assert_eq!(table.felt().discarded, discarded, "after {event}");
        }
    }
}
