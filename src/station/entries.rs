//! The words of the device link as the table log says them. What a device numbers beyond this table is a bad report.

use sabot_wire::message::{self as wire, CardCode, KeypadSaid, Role};
use smol_str::format_smolstr;

use sabot_law::table::event::{
    Announcement, Authority, BankChange, Choice, Face, Permit, Question, Ruling, Share, Taken,
};
use sabot_law::table::place::MAX_HANDS;
use sabot_law::table::{BetSpot, Card, Event, HandId, Name, Place};

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

pub(super) fn place(place: wire::Place, boxes: u8) -> Result<Place, BadReport> {
    Ok(match place {
        wire::Place::Hand { box_no, hand: number } => Place::Hand(hand(box_no, number, boxes)?),
        wire::Place::Bank => Place::Bank,
        wire::Place::Burn => Place::Burn,
        wire::Place::Discard => Place::Discard,
        wire::Place::Shoe => Place::Shoe,
    })
}

pub(super) const fn face(face: wire::Face) -> Face {
    match face {
        wire::Face::Up => Face::Up,
        wire::Face::Down => Face::Down,
    }
}

pub(super) const fn spot(spot: wire::BetSpot) -> BetSpot {
    match spot {
        wire::BetSpot::Main => BetSpot::Main,
        wire::BetSpot::Double => BetSpot::Double,
        wire::BetSpot::Split => BetSpot::Split,
        wire::BetSpot::Insurance => BetSpot::Insurance,
    }
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
        },
        KeypadSaid::Authorize { badge: who, role, what } => {
            Event::Authorize { by: badge(who), role: authority(role), what: permit(what) }
        }
        KeypadSaid::Cut { depth, player: who } => Event::Cut { depth: depth.into(), by: player(who) },
        KeypadSaid::CloseBets => Event::CloseBets {},
        KeypadSaid::Ask { box_no, hand: number, about } => {
            Event::Ask { hand: hand(box_no, number, boxes)?, about: question(about) }
        }
        KeypadSaid::Decide { box_no, hand: number, choice: what, by } => {
            Event::Decide { hand: hand(box_no, number, boxes)?, choice: choice(what), by: by.map(player) }
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
            Event::Choose { hand: hand(box_no, number, boxes)?, option: taken(option) }
        }
        KeypadSaid::Rule { badge: who, role, decision, finding } => Event::Rule {
            by: badge(who),
            role: authority(role),
            decision: ruling(decision),
            finding: finding.map(u64::from),
        },
        KeypadSaid::EndPass => Event::End {},
        KeypadSaid::Bank { how, player: who, by, amount } => {
            Event::Bank { how: bank_change(how), player: who.map(player), by: by.map(player), amount }
        }
        KeypadSaid::BankCard { player: who, card: CardCode(code) } => {
            Event::BankCard { player: player(who), card: Card::from_index(code).unwrap_or(Card::UNREAD) }
        }
        KeypadSaid::Share { player: who, what, amount } => {
            Event::Share { player: player(who), what: share(what), amount }
        }
        KeypadSaid::OfferCut { player: who } => Event::OfferCut { player: player(who) },
    })
}

const fn bank_change(how: wire::BankChange) -> BankChange {
    match how {
        wire::BankChange::Drawn => BankChange::Drawn,
        wire::BankChange::Taken => BankChange::Taken,
        wire::BankChange::Left => BankChange::Left,
        wire::BankChange::Given => BankChange::Given,
        wire::BankChange::Sold => BankChange::Sold,
        wire::BankChange::Returned => BankChange::Returned,
        wire::BankChange::Turn => BankChange::Turn,
    }
}

const fn share(what: wire::Share) -> Share {
    match what {
        wire::Share::Advance => Share::Advance,
        wire::Share::Dividend => Share::Dividend,
    }
}

const fn authority(role: wire::Authority) -> Authority {
    match role {
        wire::Authority::Inspector => Authority::Inspector,
        wire::Authority::TableChief => Authority::TableChief,
        wire::Authority::Room => Authority::Room,
    }
}

const fn permit(what: wire::Permit) -> Permit {
    match what {
        wire::Permit::Shuffle => Permit::Shuffle,
        wire::Permit::NextCardsForBank => Permit::NextCardsForBank,
        wire::Permit::DeckChange => Permit::DeckChange,
    }
}

const fn question(about: wire::Question) -> Question {
    match about {
        wire::Question::Insurance => Question::Insurance,
        wire::Question::Double => Question::Double,
        wire::Question::Ace => Question::Ace,
        wire::Question::Split => Question::Split,
        wire::Question::Card => Question::Card,
        wire::Question::Surrender => Question::Surrender,
    }
}

const fn choice(choice: wire::Choice) -> Choice {
    match choice {
        wire::Choice::Hit => Choice::Hit,
        wire::Choice::Stand => Choice::Stand,
        wire::Choice::Double => Choice::Double,
        wire::Choice::Split => Choice::Split,
        wire::Choice::Insure => Choice::Insure,
        wire::Choice::Decline => Choice::Decline,
        wire::Choice::Surrender => Choice::Surrender,
        wire::Choice::EvenMoney => Choice::EvenMoney,
    }
}

const fn taken(option: wire::Taken) -> Taken {
    match option {
        wire::Taken::Withdraw => Taken::Withdraw,
        wire::Taken::NextCard => Taken::NextCard,
        wire::Taken::Play => Taken::Play,
    }
}

const fn ruling(decision: wire::Ruling) -> Ruling {
    match decision {
        wire::Ruling::Void => Ruling::Void,
        wire::Ruling::Stands => Ruling::Stands,
        wire::Ruling::Lose => Ruling::Lose,
        wire::Ruling::Resume => Ruling::Resume,
    }
}
