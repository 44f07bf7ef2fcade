//! One event of a scenario, from its words.
//!
//! Most are the log's own, in the order of its fields, and what a log may leave out may be left out at the end: `bet
//! BOX [SPOT] AMOUNT [PLAYER] [CHIP:VALUE …]`, `draw CARD [PLACE] [up|down]`, `ask BOX ABOUT`, `reveal PLACE [CARD]`,
//! `move FROM TO [COUNT]`, `collect BOX AMOUNT [SPOT]`, `ace BOX VALUE [BY]`, `bank HOW [PLAYER|-] [BY|-] [AMOUNT]`.
//!
//! | in short | in the log |
//! |---|---|
//! | `close` | `close_bets` |
//! | `hit 1`, `stand 1 P2` and every other choice | `decide` |
//! | `burn bank 1`, `discard 1` | `move` to the burn tray, to the discard tray |
//! | `total 1 18`, `say next` | `announce` |
//! | `authorize shuffle` (`next`, `deck_change`) `[ROLE]` | `authorize` by inspector I-4, `by=J-1` by another |
//! | `rule void [FINDING] [ROLE]` | `rule` by the room, R-1 or `by=…` |
//! | `strike N` | `correct`: the event told N events ago did not happen; by inspector I-4 or `by=…` |
//! | `correct N EVENT` | `correct`: it should have read so; `strike N as dealer` names another office |
//! | `insert N EVENT` | `correct`: this happened after it |
//! | `device_complete shoe online` | `device` with `complete` |
//! | `report C17 [PLACE]: what was seen`, `report -` | `report` by inspector I-4 or `by=…`, without provision where it is `-` |
//! | `shuffle 8 [CARDS]`, `cut 150 [PLAYER]` | whole decks; by P1 |

use std::fmt::Display;
use std::str::FromStr;

use sabot_law::table::event::{Announcement, Authority, Chip, Choice, Event, Face, Moved, Permit};
use sabot_law::table::{BetSpot, HandId, Name, line};

use super::Fault;

/// The words of an event, read one after another.
pub(super) struct Words<'a> {
    written: &'a str,
    /// Who acts, where `by=` names him.
    by: Option<&'a str>,
    rest: std::vec::IntoIter<&'a str>,
}

impl<'a> Words<'a> {
    /// The words after the verb.
    pub(super) fn of(written: &'a str) -> Self {
        let (named, rest): (Vec<&str>, Vec<&str>) =
            written.split_whitespace().skip(1).partition(|word| word.starts_with("by="));
        let by = named.last().and_then(|word| word.strip_prefix("by="));
        Self { written, by, rest: rest.into_iter() }
    }

    /// A word as it is.
    pub(super) fn next_word(&mut self) -> Option<&'a str> {
        self.rest.next()
    }

    /// A word that must be there.
    pub(super) fn next<T: FromStr<Err: Display>>(&mut self, what: &'static str) -> Result<T, Fault> {
        self.optional(what)?.ok_or_else(|| Fault::Missing { written: self.written.to_string(), what })
    }

    /// A word that may be left out.
    fn optional<T: FromStr<Err: Display>>(&mut self, what: &'static str) -> Result<Option<T>, Fault> {
        self.rest.next().map(|word| self.read(word, what)).transpose()
    }

    /// A word that may be left out, or be `-` for nothing.
    fn or_dash<T: FromStr<Err: Display>>(&mut self, what: &'static str) -> Result<Option<T>, Fault> {
        self.rest.next().filter(|word| *word != "-").map(|word| self.read(word, what)).transpose()
    }

    /// The next word, if it can be read as one.
    fn if_any<T: FromStr>(&mut self) -> Option<T> {
        let read = self.rest.as_slice().first()?.parse().ok()?;
        self.rest.next();
        Some(read)
    }

    pub(super) fn read<T: FromStr<Err: Display>>(&self, word: &str, what: &'static str) -> Result<T, Fault> {
        let wrong = |why: T::Err| Fault::Word {
            written: self.written.to_string(),
            word: word.to_string(),
            what,
            why: why.to_string(),
        };
        word.parse().map_err(wrong)
    }

    /// The office of who acts, where `as ROLE` names it.
    fn if_role(&mut self) -> Option<&'a str> {
        self.rest.as_slice().first().filter(|word| **word == "as")?;
        self.rest.nth(1)
    }

    fn by(&mut self, otherwise: &'static str) -> Name {
        self.by.take().unwrap_or(otherwise).into()
    }

    pub(super) fn extra(&self, word: &str) -> Fault {
        Fault::Extra { written: self.written.to_string(), word: word.to_string() }
    }

    /// Nothing may be left.
    fn end(mut self) -> Result<(), Fault> {
        match self.rest.next().or(self.by) {
            Some(word) => Err(self.extra(word)),
            None => Ok(()),
        }
    }
}

/// One event.
pub(super) fn event(written: &str) -> Result<Event, Fault> {
    if written.starts_with('{') {
        return line::event(written.as_bytes()).map_err(|_| Fault::Log(written.to_string()));
    }
    let (words, note) = written.split_once(": ").map_or((written, None), |(words, note)| (words, Some(note.trim())));
    let verb = words.split(' ').next().unwrap_or_default();
    let mut words = Words::of(words);
    let event = match verb {
        "strike" | "correct" | "insert" => Some(correct(verb, &mut words)?),
        "report" => Some(Event::Report {
            by: words.by("I-4"),
            role: "inspector".into(),
            provision: words.or_dash("the provision")?,
            place: words.optional("the place")?,
            note: note.unwrap_or("seen").into(),
        }),
        _ if note.is_some() => return Err(words.extra(note.unwrap_or_default())),
        _ => match before_the_cards(verb, &mut words)? {
            None => in_the_pass(verb, &mut words)?,
            event => event,
        },
    };
    let event = event.ok_or_else(|| Fault::NoVerb(written.to_string()))?;
    words.end()?;
    Ok(event)
}

/// What makes a table ready to deal, who banks, and what people with an office say.
fn before_the_cards(verb: &str, words: &mut Words<'_>) -> Result<Option<Event>, Fault> {
    Ok(Some(match verb {
        "seat" => Event::Seat { seat: words.next("the seat")?, player: words.next("the player")? },
        "leave" => Event::Leave { seat: words.next("the seat")?, player: words.next("the player")? },
        "request" => Event::Request {
            hand: words.next("the box")?,
            player: words.next("the player")?,
            t: words.optional("the time")?,
        },
        "authorize" => authorize(words)?,
        "shuffle" => {
            let decks = words.next("how many decks")?;
            Event::Shuffle { decks, cards: words.optional("how many cards")?.unwrap_or(decks.saturating_mul(52)) }
        }
        "cut" => Event::Cut {
            depth: words.next("the depth")?,
            by: words.optional("the player")?.unwrap_or_else(|| "P1".into()),
        },
        "offer_cut" => Event::OfferCut { player: words.next("the player")? },
        "load" => {
            Event::Load { cards: words.next("how many cards")?, cut_card: words.next("how many behind the cut card")? }
        }
        "bank_card" => Event::BankCard { player: words.next("the player")?, card: words.next("the card")? },
        "bank" => Event::Bank {
            how: words.next("how")?,
            player: words.or_dash("the player")?,
            by: words.or_dash("who decided it")?,
            amount: words.optional("the price")?,
        },
        "share" => Event::Share {
            player: words.next("the player")?,
            what: words.next("which share")?,
            amount: words.next("the amount")?,
        },
        "rule" => Event::Rule {
            by: words.by("R-1"),
            decision: words.next("the decision")?,
            finding: words.optional("the finding")?,
            role: words.optional("the role")?.unwrap_or_else(|| "room".into()),
        },
        "device" | "device_complete" => Event::Device {
            device: words.next("the device")?,
            status: words.next("how it is")?,
            detail: (!words.rest.as_slice().is_empty())
                .then(|| words.rest.by_ref().collect::<Vec<_>>().join(" ").into()),
            complete: verb == "device_complete",
        },
        _ => return Ok(None),
    }))
}

/// Bets, cards, words and payments.
fn in_the_pass(verb: &str, words: &mut Words<'_>) -> Result<Option<Event>, Fault> {
    Ok(Some(match verb {
        "bet" => bet(words)?,
        "close" => Event::CloseBets {},
        "draw" => draw(words)?,
        "cut_card" => Event::CutCard {},
        "ask" => Event::Ask { hand: words.next("the box")?, about: words.next("the question")? },
        "ace" => Event::Ace {
            hand: words.next("the box")?,
            value: words.next("the ace's value")?,
            by: words.optional("who spoke")?,
        },
        "total" => Event::Announce {
            what: Announcement::Total,
            place: Some(words.next("the place")?),
            value: Some(words.next("the total")?),
        },
        "say" => match words.next_word() {
            Some("next") => Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None },
            other => return Err(words.extra(other.unwrap_or_default())),
        },
        "reveal" => Event::Reveal { at: words.next("the place")?, card: words.optional("the card")? },
        "burn" | "discard" => Event::Move {
            from: words.next("the place")?,
            to: words.read(verb, "a place")?,
            cards: words.optional("how many cards")?.map(Moved::Count),
        },
        "move" => Event::Move {
            from: words.next("the place it leaves")?,
            to: words.next("the place it goes to")?,
            cards: words.optional("how many cards")?.map(Moved::Count),
        },
        "consent" => Event::Consent {
            hand: words.next("the box")?,
            yes: match words.next_word() {
                Some("yes") => true,
                Some("no") => false,
                other => return Err(words.extra(other.unwrap_or_default())),
            },
        },
        "choose" => Event::Choose { hand: words.next("the box")?, option: words.next("the option")? },
        "collect" => Event::Collect {
            hand: words.next("the box")?,
            amount: words.next("the amount")?,
            spot: words.optional("the spot")?.unwrap_or(BetSpot::Main),
        },
        "pay" => Event::Pay {
            hand: words.next("the box")?,
            amount: words.next("the amount")?,
            spot: words.optional("the spot")?.unwrap_or(BetSpot::Main),
        },
        "end" => Event::End {},
        choice => match choice.parse::<Choice>() {
            Ok(choice) => Event::Decide { hand: words.next("the box")?, choice, by: words.optional("who spoke")? },
            Err(_) => return Ok(None),
        },
    }))
}

fn correct(verb: &str, words: &mut Words<'_>) -> Result<Event, Fault> {
    let back = Some(words.next("how many events ago")?);
    let role = words.if_role().unwrap_or("inspector").into();
    let corrected = match verb {
        "strike" => None,
        _ => Some(Box::new(event(&words.rest.by_ref().collect::<Vec<_>>().join(" "))?)),
    };
    let (line, after) = if verb == "insert" { (None, back) } else { (back, None) };
    Ok(Event::Correct { by: words.by("I-4"), role, line, after, event: corrected })
}

fn authorize(words: &mut Words<'_>) -> Result<Event, Fault> {
    let what = match words.rest.as_slice().first() {
        Some(&"next") => {
            words.next_word();
            Permit::NextCardsForBank
        }
        _ => words.next("what is authorised")?,
    };
    let role = words.optional("the role")?.unwrap_or(Authority::Inspector);
    Ok(Event::Authorize { by: words.by("I-4"), role, what })
}

fn bet(words: &mut Words<'_>) -> Result<Event, Fault> {
    let hand: HandId = words.next("the box")?;
    let spot = words.if_any().unwrap_or(BetSpot::Main);
    let amount = words.next("the amount")?;
    let player = words.optional("the player")?;
    let mut chips = Vec::new();
    while let Some(word) = words.next_word() {
        let (id, value) = word.rsplit_once(':').ok_or_else(|| words.extra(word))?;
        chips.push(Chip { id: id.into(), value: words.read(value, "the chip's value")? });
    }
    Ok(Event::Bet { hand, spot, amount, player, chips })
}

fn draw(words: &mut Words<'_>) -> Result<Event, Fault> {
    let card = words.next("the card")?;
    let (mut to, mut face) = (None, None);
    while let Some(word) = words.next_word() {
        match word.parse::<Face>() {
            Ok(seen) if face.is_none() => face = Some(seen),
            Err(_) if to.is_none() => to = Some(words.read(word, "the place")?),
            _ => return Err(words.extra(word)),
        }
    }
    Ok(Event::Draw { card, to, face })
}
