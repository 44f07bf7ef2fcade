//! What is entered on the keypad, as events of the table log. A box that this table does not have is a bad report.

use sabot_wire::message::{Amend, KeypadSaid, Role};
use smol_str::format_smolstr;

use sabot_law::regulation;
use sabot_law::table::event::{Announcement, NOTES};
use sabot_law::table::place::MAX_HANDS;
use sabot_law::table::{Event, HandId, Header, LineNo, Name, Place};

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

/// What a keypad said is to be corrected by its next entry, as the record keeps it.
pub(super) const CORRECTING: &str = "correcting";

/// A correction whose event is still to be entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Correcting {
    by: Name,
    role: Name,
    line: Option<LineNo>,
    after: Option<LineNo>,
}

impl Correcting {
    /// As the record says it: `instead 41 I-4 inspector`.
    pub(super) fn parse(detail: &str) -> Option<Self> {
        let mut words = detail.split(' ');
        let (how, line) = (words.next()?, words.next()?.parse().ok()?);
        let (line, after) = if how == "after" { (None, Some(line)) } else { (Some(line), None) };
        Some(Self { by: words.next()?.into(), role: words.next()?.into(), line, after })
    }

    /// The correction, with what was entered; what cannot be corrected happened of itself.
    pub(super) fn with(&self, event: Event) -> Result<Event, Event> {
        use Event::{Authorize, Correct, Device, Report, Rule};
        match event {
            Authorize { .. } | Correct { .. } | Device { .. } | Report { .. } | Rule { .. } => Err(event),
            event => Ok(self.clone().correct(Some(Box::new(event)))),
        }
    }

    fn correct(self, event: Option<Box<Event>>) -> Event {
        Event::Correct { by: self.by, role: self.role, line: self.line, after: self.after, event }
    }
}

/// The article that a number on the keypad means: a hundred times its letter's place in the alphabet, and its number.
fn article(number: u16, header: &Header) -> Name {
    let letter =
        u8::try_from(number / 100).ok().filter(|place| (1..=26).contains(place)).map_or('?', |n| (b'@' + n) as char);
    let short = format_smolstr!("{letter}{}", number % 100);
    let house = header.rules.as_ref().map_or(&header.regulation, |rules| &rules.base);
    let articles = regulation::find(house).into_iter().flat_map(|regulation| regulation.articles.iter());
    let named = articles.map(|article| article.id).find(|id| id.rsplit('-').next() == Some(short.as_str()));
    named.map_or(short, Name::new_static)
}

/// What the dealer's entry says happened, at `now` on the record's clock.
pub(super) fn entry(said: &KeypadSaid, header: &Header, now: u64) -> Result<Event, BadReport> {
    let boxes = header.boxes;
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
        KeypadSaid::Report { badge: who, role, note, article: number, box_no } => Event::Report {
            by: badge(who),
            role: role.word().into(),
            provision: number.map(|number| article(number, header)),
            place: box_no.map(|box_no| hand(box_no, 0, boxes)).transpose()?.map(Place::from),
            note: Name::new_static(NOTES.get(usize::from(note).wrapping_sub(1)).unwrap_or(&NOTES[0])),
        },
        KeypadSaid::Correct { badge: who, role, line, how: Amend::Strike } => {
            let struck = Correcting { by: badge(who), role: role.word().into(), line: Some(line.into()), after: None };
            struck.correct(None)
        }
        // told at once, so that no entry is missing in the record; what is to stand there comes next
        KeypadSaid::Correct { badge: who, role, line, how } => Event::Device {
            device: Name::new_static(Role::Keypad.name()),
            status: Name::new_static(CORRECTING),
            detail: Some(format_smolstr!(
                "{} {line} {} {}",
                if how == Amend::After { "after" } else { "instead" },
                badge(who),
                role.word()
            )),
            complete: false,
        },
    })
}
