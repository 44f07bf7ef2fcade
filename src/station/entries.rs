//! What is entered on the keypad, as events of the table log. A box that this table does not have is a bad report.

use sabot_wire::message::{KeypadSaid, Role};
use smol_str::format_smolstr;

use sabot_law::table::event::Announcement;
use sabot_law::table::place::MAX_HANDS;
use sabot_law::table::{Event, HandId, Name, Place};

/// What a device reported and cannot be, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BadReport(pub(super) String);

pub(super) fn hand(box_no: u8, hand: u8, boxes: u8) -> Result<HandId, BadReport> {
    if (1..=boxes).contains(&box_no) && usize::from(hand) < MAX_HANDS {
        Ok(HandId { box_no, hand })
    } else {
        Err(BadReport(format!("box {box_no}, hand {hand}: this table has {boxes} boxes")))
    }
}

pub(super) fn place(place: Place, boxes: u8) -> Result<Place, BadReport> {
    Ok(match place {
        Place::Hand(HandId { box_no, hand: number }) => Place::Hand(hand(box_no, number, boxes)?),
        place => place,
    })
}

fn player(number: u16) -> Name {
    format_smolstr!("P{number}")
}

fn badge(number: u16) -> Name {
    format_smolstr!("I-{number}")
}

/// What the dealer's entry says happened, at `now` on the record's clock.
pub(super) fn entry(said: &KeypadSaid, boxes: u8, now: u64) -> Result<Event, BadReport> {
    Ok(match *said {
        KeypadSaid::Seat { seat, player: who } => Event::Seat { seat, player: player(who) },
        KeypadSaid::Leave { seat, player: who } => Event::Leave { seat, player: player(who) },
        KeypadSaid::Request { box_no, player: who } => {
            Event::Request { hand: hand(box_no, 0, boxes)?, player: player(who), t: Some(now) }
        }
        // no event of the log says this alone; recorded, because the bets that follow are named by it
        KeypadSaid::Bettor { box_no, player: who } => Event::Device {
            device: Name::new_static(Role::Keypad.name()),
            status: Name::new_static("bettor"),
            detail: Some(format_smolstr!("{} {}", hand(box_no, 0, boxes)?, player(who))),
            complete: false,
        },
        KeypadSaid::Authorize { badge: who, role, what } => Event::Authorize { by: badge(who), role, what },
        KeypadSaid::Cut { depth, player: who } => Event::Cut { depth: depth.into(), by: player(who) },
        KeypadSaid::CloseBets => Event::CloseBets {},
        KeypadSaid::Ask { box_no, hand: number, about } => Event::Ask { hand: hand(box_no, number, boxes)?, about },
        KeypadSaid::Decide { box_no, hand: number, choice, by } => {
            Event::Decide { hand: hand(box_no, number, boxes)?, choice, by: by.map(player) }
        }
        KeypadSaid::Ace { box_no, hand: number, value } => {
            if !matches!(value, 1 | 11) {
                return Err(BadReport(format!("an ace counted {value}: it is 1 or 11")));
            }
            Event::Ace { hand: hand(box_no, number, boxes)?, value, by: None }
        }
        KeypadSaid::Total { place: whose, value } => {
            Event::Announce { what: Announcement::Total, place: Some(place(whose, boxes)?), value: Some(value.into()) }
        }
        KeypadSaid::NextCardsForBank => {
            Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None }
        }
        KeypadSaid::Consent { box_no, yes } => Event::Consent { hand: hand(box_no, 0, boxes)?, yes },
        KeypadSaid::Choose { box_no, hand: number, option } => {
            Event::Choose { hand: hand(box_no, number, boxes)?, option }
        }
        KeypadSaid::Rule { badge: who, role, decision, finding } => {
            Event::Rule { by: badge(who), role: role.word().into(), decision, finding: finding.map(u64::from) }
        }
        KeypadSaid::EndPass => Event::End {},
        KeypadSaid::Bank { how, player: who, by, amount } => {
            Event::Bank { how, player: who.map(player), by: by.map(player), amount }
        }
        KeypadSaid::BankCard { player: who, card } => Event::BankCard { player: player(who), card },
        KeypadSaid::Share { player: who, what, amount } => Event::Share { player: player(who), what, amount },
        KeypadSaid::OfferCut { player: who } => Event::OfferCut { player: player(who) },
    })
}
