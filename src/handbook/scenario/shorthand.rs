//! Lines of a scenario that stand for several events.
//!
//! | line | stands for |
//! |---|---|
//! | `seats 3` | players P1 to P3 on seats 1 to 3 |
//! | `shoe` | an authorised shuffle of eight decks, its cut and its loading |
//! | `open` | `seats 3` and `shoe` |
//! | `six` | `seats 3` and six decks, shuffled, cut and loaded |
//! | `pack P1 9` | two decks, shuffled; P1 is offered the cut and cuts; 9 cards lie behind the cut card |
//! | `pack 9` | the same, the cut offered to nobody |
//! | `bets 1 2:400` | a bet of the stake on box 1 and of 400 on box 2, by P1 and P2 |
//! | `deal 8H 5C …` | cards to the boxes with a bet as prescribed, to the bank, and once more |
//! | `stand 1, 2` | one event each, of the same verb |

use std::collections::BTreeSet;

use sabot_law::table::event::Event;
use sabot_law::table::{BetSpot, HandId};

use super::event::Words;
use super::{Fault, Table};

/// Where eight decks come from.
const SHOE: [&str; 4] = ["authorize shuffle", "shuffle 8", "cut 150", "load 416 52"];

/// A line's events, a line of the notation each.
pub(super) fn expand(written: &str, table: &Table, boxes: &BTreeSet<HandId>) -> Result<Vec<String>, Fault> {
    let (verb, rest) = written.split_once(' ').unwrap_or((written, ""));
    let rest = rest.trim();
    let mut words = Words::of(written);
    Ok(match verb {
        "open" => seats(3).chain(SHOE.map(String::from)).collect(),
        "shoe" => SHOE.map(String::from).into(),
        "six" => seats(3).chain(["shuffle 6", "cut 150", "load 312 52"].map(String::from)).collect(),
        "seats" => seats(words.next("how many seats")?).collect(),
        "pack" => {
            let (by, behind) = rest.split_once(' ').map_or((None, rest), |(by, behind)| (Some(by), behind));
            let offer = by.map(|by| format!("offer_cut {by}"));
            let by = by.unwrap_or("P1");
            ["shuffle 2".into()]
                .into_iter()
                .chain(offer)
                .chain([format!("cut 40 {by}"), format!("load 104 {behind}")])
                .collect()
        }
        "bets" => {
            let mut bets = Vec::new();
            while let Some(word) = words.next_word() {
                let (of, stake) =
                    word.split_once(':').map_or((word, table.stake.to_string()), |(of, stake)| (of, stake.into()));
                let hand: HandId = words.read(of, "a box")?;
                bets.push(format!("bet {of} {stake} P{}", (hand.box_no - 1) % 3 + 1));
            }
            bets
        }
        "deal" => deal(written, rest, table, boxes)?,
        // there may be commas in it
        "report" => vec![written.to_string()],
        log if log.starts_with('{') => vec![written.to_string()],
        _ => rest.split(',').map(|item| format!("{verb} {}", item.trim()).trim_end().to_string()).collect(),
    })
}

fn seats(number: u8) -> impl Iterator<Item = String> {
    (1..=number).map(|seat| format!("seat {seat} P{seat}"))
}

/// Two deliveries; the bank's second card only where it belongs to the second.
fn deal(written: &str, cards: &str, table: &Table, boxes: &BTreeSet<HandId>) -> Result<Vec<String>, Fault> {
    let mut boxes: Vec<String> = boxes.iter().map(ToString::to_string).collect();
    if table.from_the_right {
        boxes.reverse();
    }
    let round = |bank: bool| boxes.iter().cloned().chain(bank.then(|| "bank".to_string()));
    let places: Vec<String> = round(true).chain(round(table.bank_is_covered)).collect();
    let cards: Vec<&str> = cards.split_whitespace().collect();
    if cards.len() > places.len() {
        return Err(Fault::Cards { written: written.to_string(), places: places.len() });
    }
    Ok(cards.iter().zip(places).map(|(card, place)| format!("draw {card} {place}")).collect())
}

/// Keeps the boxes that have a bet.
pub(super) fn note_bet(event: &Event, boxes: &mut BTreeSet<HandId>) {
    match event {
        Event::Bet { hand, spot: BetSpot::Main, amount, .. } => {
            boxes.insert(*hand);
            boxes.retain(|of| of != hand || *amount > 0);
        }
        Event::End {} => boxes.clear(),
        _ => {}
    }
}
