//! What only this house's book can be broken by: its number of decks, and whatever is no standing or drawing.

use super::kinds;
use crate::dealer::open::{Open, Point};
use crate::dealer::{BetSpot, Card, DECK, Event, Flow, Kind, STEP, naive};
use sabot_law::table::event::{BankChange, Choice, Share};

/// What the house does of its own at a point.
pub(super) fn at(table: &mut Open<'_>, point: Point) -> Flow<bool> {
    let Some(kind) = table.armed else { return Ok(false) };
    match point {
        Point::Shoe => Ok(wrong_decks(table, kind)),
        Point::BeforeClose => {
            no_such_thing(table, kind);
            Ok(false)
        }
        Point::Turn(hand) => {
            undue_choice(table, hand, kind);
            Ok(false)
        }
        Point::TurnOver(hand) => {
            hits_when_done(table, hand, kind);
            Ok(false)
        }
        _ => Ok(false),
    }
}

/// Five decks are shuffled, or loaded.
fn wrong_decks(table: &mut Open<'_>, kind: Kind) -> bool {
    const FIVE: u32 = 5 * DECK as u32;
    match kind {
        kinds::K1_SHUFFLE if table.takes(kind) => {
            let decks = if table.chance(50) { 5 } else { 7 };
            table.emit(Event::Shuffle { decks, cards: decks * DECK as u32 });
            table.room_rules_on(kind, None);
            false
        }
        kinds::K1_LOAD if table.takes(kind) => {
            table.emit(Event::Shuffle { decks: 6, cards: 6 * DECK as u32 });
            table.load(FIVE, 52);
            table.room_rules_on(kind, None);
            true
        }
        _ => false,
    }
}

/// What belongs to houses whose players bank.
fn no_such_thing(table: &mut Open<'_>, kind: Kind) {
    let Some(player) = table.seated_player(None) else { return };
    let event = match kind {
        kinds::K0_BANK => Event::Bank { how: BankChange::Drawn, player: Some(player), by: None, amount: None },
        kinds::K0_BANK_CARD => Event::BankCard { player, card: Card::UNREAD },
        kinds::K0_SHARE => Event::Share { player, what: Share::Advance, amount: STEP },
        kinds::K0_OFFER_CUT => Event::OfferCut { player },
        _ => return,
    };
    if table.takes(kind) {
        table.emit(event);
        table.room_rules_on(kind, None);
    }
}

/// A choice the house does not have, in words or in chips.
fn undue_choice(table: &mut Open<'_>, hand: usize, kind: Kind) {
    let stake = table.hands[hand].stake;
    let black_jack = naive::is_black_jack(&table.hands[hand].cards);
    let chips = match kind {
        kinds::K10_DOUBLE_CHIPS => Some((BetSpot::Double, stake)),
        kinds::K10_SPLIT_CHIPS => Some((BetSpot::Split, stake)),
        kinds::K10_INSURANCE_CHIPS => Some((BetSpot::Insurance, stake / 2)),
        _ => None,
    };
    let choice = match kind {
        kinds::K10_DOUBLE => Some(Choice::Double),
        kinds::K10_SPLIT => Some(Choice::Split),
        kinds::K10_INSURE => Some(Choice::Insure),
        kinds::K10_SURRENDER => Some(Choice::Surrender),
        kinds::K10_EVEN_MONEY if black_jack => Some(Choice::EvenMoney),
        _ => None,
    };
    let id = table.hands[hand].id;
    if let Some((spot, amount)) = chips
        && table.takes(kind)
    {
        table.undue_chips(kind, id, spot, amount, None);
    } else if let Some(choice) = choice
        && table.takes(kind)
    {
        table.decide(hand, choice);
        table.found(kind, Some(id.into()));
    }
}

/// A card asked for by a hand that has a Black Jack or is over.
fn hits_when_done(table: &mut Open<'_>, hand: usize, kind: Kind) {
    let fits = match kind {
        kinds::K10_BLACK_JACK => naive::is_black_jack(&table.hands[hand].cards),
        kinds::K10_OVER => table.hands[hand].is_over(),
        _ => false,
    };
    if fits && table.takes(kind) {
        table.decide(hand, Choice::Hit);
        let place = table.hands[hand].id.into();
        table.found(kind, Some(place));
    }
}
