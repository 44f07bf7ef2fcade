//! What is entered on the keypad, as events of the table log. A box that this table does not have is a bad report.

use sabot_wire::message::{Amend, KeypadSaid, Role};
use smol_str::format_smolstr;

use sabot_law::table::event::{Announcement, Authority, NOTES};
use sabot_law::table::felt::Words;
use sabot_law::table::place::MAX_HANDS;
use sabot_law::table::{Card, Event, HandId, LineNo, Moved, Name, Place, words};

/// What a device reported and cannot be. The record has the English words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BadReport(pub(super) Words);

impl BadReport {
    pub(super) fn new(es: impl Into<String>, en: impl Into<String>) -> Self {
        Self(Words { es: es.into(), en: en.into() })
    }
}

pub(super) fn hand(box_no: u8, hand: u8, boxes: u8) -> Result<HandId, BadReport> {
    if usize::from(hand) >= MAX_HANDS {
        let last = MAX_HANDS - 1;
        Err(BadReport::new(
            format!("casillero {box_no}, mano {hand}: un casillero tiene las manos 0 a {last}"),
            format!("box {box_no}, hand {hand}: a box has hands 0 to {last}"),
        ))
    } else if (1..=boxes).contains(&box_no) {
        Ok(HandId { box_no, hand })
    } else {
        Err(BadReport::new(
            format!("casillero {box_no}, mano {hand}: esta mesa tiene {boxes} casilleros"),
            format!("box {box_no}, hand {hand}: this table has {boxes} boxes"),
        ))
    }
}

pub(super) fn place(place: Place, boxes: u8) -> Result<Place, BadReport> {
    Ok(match place {
        Place::Hand(HandId { box_no, hand: number }) => Place::Hand(hand(box_no, number, boxes)?),
        place => place,
    })
}

/// A hand holds no more cards: of so many aces the next busts.
const HAND_CARDS: u8 = 22;
/// What somebody can key in two digits: a total that is wrong is his, and to be judged.
const HIGHEST_TOTAL: u8 = 99;

/// Cards that went from one place to another.
pub(super) fn moved(from: Place, to: Place, cards: Option<u8>, boxes: u8) -> Result<Event, BadReport> {
    let (from, to) = (place(from, boxes)?, place(to, boxes)?);
    let most = if matches!(from, Place::Hand(_) | Place::Bank) { HAND_CARDS } else { u8::MAX };
    match cards {
        Some(cards) if !(1..=most).contains(&cards) => Err(BadReport::new(
            format!("{cards} cartas movidas de {from}: no puede ser"),
            format!("{cards} cards moved from {from}: it cannot be"),
        )),
        _ if from == to => Err(BadReport::new(
            format!("cartas movidas de {from} a {to}: no puede ser"),
            format!("cards moved from {from} to {to}: it cannot be"),
        )),
        _ => Ok(Event::Move { from, to, cards: cards.map(|cards| Moved::Count(cards.into())) }),
    }
}

/// A card that was turned where it lies.
pub(super) fn turned(at: Place, boxes: u8) -> Result<Event, BadReport> {
    match at {
        Place::Shoe => Err(BadReport::new("una carta vuelta en el sabot", "a card turned in the shoe")),
        at => Ok(Event::Reveal { at: place(at, boxes)?, card: None }),
    }
}

/// A total that was announced of a hand.
fn total(whose: Place, value: u8, boxes: u8) -> Result<Event, BadReport> {
    if !matches!(whose, Place::Hand(_) | Place::Bank) || !(1..=HIGHEST_TOTAL).contains(&value) {
        return Err(BadReport::new(
            format!("un total de {value} de {whose}: no puede ser"),
            format!("a total of {value} of {whose}: it cannot be"),
        ));
    }
    let (what, place) = (Announcement::Total, Some(place(whose, boxes)?));
    Ok(Event::Announce { what, place, value: Some(value.into()) })
}

/// A seat of the table: one a box, and one more for a player who banks.
fn seat(number: u8, boxes: u8) -> Result<u8, BadReport> {
    let most = boxes + 1;
    if (1..=most).contains(&number) {
        Ok(number)
    } else {
        Err(BadReport::new(
            format!("asiento {number}: esta mesa tiene {most}"),
            format!("seat {number}: this table has {most}"),
        ))
    }
}

fn player(number: u16) -> Name {
    format_smolstr!("P{number}")
}

fn badge(number: u16) -> Name {
    format_smolstr!("I-{number}")
}

/// The status of the keypad under which the record names a bettor.
const BETTOR: &str = "bettor";

/// The box whose bets are named by an event of the keypad, and the player who bets there.
pub(super) fn bettor(event: &Event) -> Option<(&str, &str)> {
    match event {
        Event::Device { device, status, detail, .. } if device == Role::Keypad.name() && status == BETTOR => {
            detail.as_ref()?.split_once(' ')
        }
        _ => None,
    }
}

/// What a keypad said is to be corrected by its next entry, as the record keeps it.
pub(super) const CORRECTING: &str = "correcting";

/// What the record says is corrected: a line, what happened after it, or nothing any more. There is no line 0.
const INSTEAD: &str = "instead";
const AFTER: &str = "after";
const LEAVING: &str = "none";

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
        let (line, after) = match how {
            AFTER => (None, Some(line)),
            INSTEAD => (Some(line), None),
            _ => return None,
        };
        Some(Self { by: words.next()?.into(), role: words.next()?.into(), line, after })
    }

    /// Who began it, and in which office.
    pub(super) fn begun_by(&self) -> (Name, Name) {
        (self.by.clone(), self.role.clone())
    }

    /// That it waits for its event, and how it is left, as the pit display says it.
    pub(super) fn at_the_table(&self) -> Words {
        let (line, es, en) = match (self.line, self.after) {
            (Some(line), _) => (line, "en lugar de", "instead of"),
            (None, after) => (after.unwrap_or_default(), "después de", "after"),
        };
        Words {
            es: format!("CORRECCIÓN: ingresar qué pasó {es} la línea {line}, o dejarla: RULE 6, línea 0"),
            en: format!("CORRECTION: enter what happened {en} line {line}, or leave it: RULE 6, line 0"),
        }
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

/// The words of a report's note by its number.
fn note(number: u8) -> Option<&'static str> {
    NOTES.get(usize::from(number).checked_sub(1)?).copied()
}

/// What is wrong with an entry that is taken all the same: a report with a number that is no article's here, or no
/// note's. The record keeps the article's number; of a note, that a person saw it.
pub(super) fn doubt(said: &KeypadSaid, named: impl Fn(u16) -> Option<&'static str>) -> Option<Words> {
    let KeypadSaid::Report { article, note: noted, .. } = *said else { return None };
    let unknown = article.filter(|number| named(*number).is_none());
    let (es, en) = match unknown {
        Some(number) => {
            (format!("no hay artículo {number}: decide la sala"), format!("no article {number}: the room decides"))
        }
        None if note(noted).is_none() => (format!("no hay nota {noted}"), format!("no note {noted}")),
        None => return None,
    };
    Some(Words { es, en })
}

/// Whose badge an entry claims, and in which office.
pub(super) fn claimed(said: &KeypadSaid) -> Option<(u16, Authority)> {
    match *said {
        KeypadSaid::Authorize { badge, role, .. }
        | KeypadSaid::Rule { badge, role, .. }
        | KeypadSaid::Report { badge, role, .. }
        | KeypadSaid::Correct { badge, role, .. } => Some((badge, role)),
        _ => None,
    }
}

/// What the dealer's entry says happened, at `now` on the record's clock. `by` is whose badge it claims, where people
/// are known; `named` is the article that a number means.
pub(super) fn entry(
    said: &KeypadSaid,
    by: Option<Name>,
    boxes: u8,
    now: u64,
    named: impl Fn(u16) -> Option<&'static str>,
) -> Result<Event, BadReport> {
    let badge = |number| by.clone().unwrap_or_else(|| badge(number));
    Ok(match *said {
        KeypadSaid::Seat { seat: at, player: who } => Event::Seat { seat: seat(at, boxes)?, player: player(who) },
        KeypadSaid::Leave { seat: at, player: who } => Event::Leave { seat: seat(at, boxes)?, player: player(who) },
        KeypadSaid::Request { box_no, player: who } => {
            Event::Request { hand: hand(box_no, 0, boxes)?, player: player(who), t: Some(now) }
        }
        // no event of the log says this alone; recorded, because the bets that follow are named by it
        KeypadSaid::Bettor { box_no, player: who } => Event::Device {
            device: Name::new_static(Role::Keypad.name()),
            status: Name::new_static(BETTOR),
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
                return Err(BadReport::new(
                    format!("un as de {value}: vale 1 u 11"),
                    format!("an ace counted {value}: it is 1 or 11"),
                ));
            }
            Event::Ace { hand: hand(box_no, number, boxes)?, value, by: None }
        }
        KeypadSaid::Total { place: whose, value } => total(whose, value, boxes)?,
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
        KeypadSaid::Report { badge: who, role, note: noted, article: number, box_no } => Event::Report {
            by: badge(who),
            role: role.word().into(),
            provision: number.map(|number| named(number).map_or_else(|| format_smolstr!("{number}"), Name::new_static)),
            place: box_no.map(|box_no| hand(box_no, 0, boxes)).transpose()?.map(Place::from),
            note: Name::new_static(self::note(noted).unwrap_or(NOTES[0])),
        },
        KeypadSaid::CardIs { place: at, card } => {
            card_at(card, Some(at), boxes)?;
            Event::Reveal { at, card: Some(card) }
        }
        KeypadSaid::Dealt { card, to, face } => Event::Draw { card, to: card_at(card, to, boxes)?, face },
        KeypadSaid::Correct { badge: who, role, line, how } => correction(&badge(who), role, line, how),
    })
}

/// A card that is entered, where it is one and lies where its value may be told.
pub(super) fn card_at(card: Card, at: Option<Place>, boxes: u8) -> Result<Option<Place>, BadReport> {
    match at {
        Some(Place::Burn | Place::Discard | Place::Shoe) => {
            Err(BadReport::new("esa carta no está sobre la mesa", "that card does not lie on the felt"))
        }
        _ if card == Card::UNREAD => Err(BadReport::new("falta decir qué carta es", "it is not said which card it is")),
        at => at.map(|at| place(at, boxes)).transpose(),
    }
}

/// A dealt card that corrects nothing: the shoe tells which cards are dealt.
pub(super) fn dealt_unasked() -> BadReport {
    BadReport::new("una carta servida se ingresa al corregir (RULE 7, 8)", "a dealt card corrects a line (RULE 7, 8)")
}

/// A card that nobody may know yet.
pub(super) fn still_covered(at: Option<Place>) -> BadReport {
    match at.map(words::place) {
        Some(at) => BadReport::new(
            format!("{}: hay una carta cubierta; primero se descubre", at.es),
            format!("{}: a card is covered; it is turned up first", at.en),
        ),
        None => BadReport::new(
            "hay cartas cubiertas; decir dónde o que está descubierta",
            "cards are covered; say where, or that it lies face up",
        ),
    }
}

/// A card's value may be told where it lies uncovered and could not be read.
pub(super) fn of_seen(at: Place, is_covered: bool, is_unread: bool) -> Result<(), BadReport> {
    match (is_covered, is_unread) {
        (true, _) => Err(still_covered(Some(at))),
        (false, false) => Err(all_read(at)),
        (false, true) => Ok(()),
    }
}

/// No card there waits to be told.
pub(super) fn all_read(at: Place) -> BadReport {
    let at = words::place(at);
    BadReport::new(format!("{}: no hay carta sin leer", at.es), format!("{}: no unread card", at.en))
}

/// A line that is struck; else what is told at once, so that no entry is missing in the record: what is to stand there
/// comes next, or a correction that was begun is left.
fn correction(by: &Name, role: Authority, line: u32, how: Amend) -> Event {
    let how = match how {
        Amend::Strike if line == 0 => return correction_left(by, role.word()),
        Amend::Strike => {
            let (by, role) = (by.clone(), role.word().into());
            return Correcting { by, role, line: Some(line.into()), after: None }.correct(None);
        }
        Amend::Instead => INSTEAD,
        Amend::After => AFTER,
    };
    correcting(&format_smolstr!("{how} {line} {by} {}", role.word()))
}

/// A correction that was begun is left.
pub(super) fn correction_left(by: &Name, office: &str) -> Event {
    correcting(&format_smolstr!("{LEAVING} 0 {by} {office}"))
}

fn correcting(detail: &Name) -> Event {
    let (device, status) = (Name::new_static(Role::Keypad.name()), Name::new_static(CORRECTING));
    Event::Device { device, status, detail: Some(detail.clone()), complete: false }
}
