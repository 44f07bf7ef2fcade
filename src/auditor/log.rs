//! A table log as it is written: lines into events, or an error that names the line and the field.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

/// What keeps a log from being read whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: field `{field}`: {what}")]
pub struct AuditError {
    /// The line, counted from 1 with the header.
    pub line: usize,
    /// The field, empty where the whole line is at fault.
    pub field: String,
    /// What is wrong with it.
    pub what: String,
}

/// What a draw says whose card was burned or put back at once, unseen why, and a choice that is only told and has no
/// effect: it tells nothing and accuses nobody.
pub const MISTAKE: &str = "mistake";

/// A card by rank (1 the ace … 13 the king, 0 not read) and suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card {
    /// 1 to 13; 0 for a card that could not be read.
    pub rank: u8,
    /// One of `S H D C`, or `?`.
    pub suit: char,
}

const RANKS: &str = "?A23456789TJQK";

impl Card {
    fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let (rank, suit) = (RANKS.find(letters.next()?)?, letters.next()?);
        let fits = letters.next().is_none() && if rank == 0 { suit == '?' } else { "SHDC".contains(suit) };
        fits.then_some(Self { rank: u8::try_from(rank).ok()?, suit })
    }

    /// What it counts, an ace 1; ten-values are equal.
    pub fn pips(self) -> u8 {
        self.rank.min(10)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", RANKS.chars().nth(self.rank.into()).unwrap_or('?'), self.suit)
    }
}

/// Where a card or a bet lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A hand: its box from 1 and which of the box's hands, 0 the first.
    Hand(u8, u8),
    /// The bank.
    Bank,
    /// The burn tray.
    Burn,
    /// The discard tray (zambullo).
    Discard,
    /// The shoe.
    Shoe,
}

impl Place {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "bank" => Self::Bank,
            "burn" => Self::Burn,
            "discard" => Self::Discard,
            "shoe" => Self::Shoe,
            _ => {
                let mut letters = text.bytes();
                let number = letters.next().filter(u8::is_ascii_digit)? - b'0';
                let hand = letters.next().map_or(Some(0), |at| (b'b'..=b'h').contains(&at).then(|| at - b'a'))?;
                (letters.next().is_none() && (1..=7).contains(&number)).then_some(Self::Hand(number, hand))?
            }
        })
    }

    /// The number of its box.
    pub fn number(self) -> Option<u8> {
        if let Self::Hand(number, _) = self { Some(number) } else { None }
    }

    /// The first hand of its box, which has the box's name.
    pub fn first_hand(self) -> Self {
        self.number().map_or(self, |number| Self::Hand(number, 0))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Hand(number, 0) => write!(f, "{number}"),
            Self::Hand(number, hand) => write!(f, "{number}{}", char::from(b'a' + hand)),
            Self::Bank => f.write_str("bank"),
            Self::Burn => f.write_str("burn"),
            Self::Discard => f.write_str("discard"),
            Self::Shoe => f.write_str("shoe"),
        }
    }
}

/// The kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/table-log.md says what each means")]
pub enum Kind {
    Seat,
    Leave,
    Request,
    Authorize,
    Shuffle,
    Cut,
    Load,
    Bet,
    CloseBets,
    Draw,
    CutCard,
    Ask,
    Decide,
    Ace,
    Announce,
    Reveal,
    Move,
    Consent,
    Choose,
    Collect,
    Pay,
    End,
    Rule,
    Report,
    Correct,
    Device,
    BankCard,
    Bank,
    Share,
    OfferCut,
}

/// Which cards a `move` takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// All that lie there.
    All,
    /// So many of the last ones.
    Last(usize),
    /// These.
    Named(Vec<Card>),
}

/// One event, flat: a field that its kind does not have is empty.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "docs/table-log.md says what each means")]
pub struct Event {
    pub line: usize,
    pub kind: Kind,
    /// `box`, `at`, `from`, or the `to` of a draw.
    pub place: Option<Place>,
    /// Where a `move` goes.
    pub to: Option<Place>,
    pub card: Option<Card>,
    pub face_down: Option<bool>,
    pub taken: Taken,
    /// `main` where nothing is said.
    pub spot: String,
    /// `amount`, `depth`, `value`, `seat`, or the `cards` of a shuffle or load.
    pub number: u64,
    pub decks: u64,
    pub behind: u64,
    /// `choice`, `about`, `option`, `decision`, `what`, `how` or `status`.
    pub word: String,
    pub yes: bool,
    /// How many chips were read, where their tags were.
    pub chips: Option<usize>,
    pub player: Option<String>,
    pub by: Option<String>,
    pub role: String,
    pub device: Option<String>,
    pub provision: Option<String>,
    pub note: Option<String>,
    pub finding: Option<usize>,
    pub time: Option<u64>,
    /// The `line`, `after` and `event` of a `correct`.
    pub corrects: (Option<usize>, Option<usize>, Option<Box<Event>>),
    /// `complete` of a device that came back.
    pub complete: bool,
}

impl Event {
    /// What a bettor chose with his hand, as his word tells it.
    pub fn is_choice(&self) -> bool {
        matches!(self.kind, Kind::Decide | Kind::Ace)
    }

    /// A choice that counts for nothing, though nobody is accused for it.
    pub fn is_vain(&self) -> bool {
        self.is_choice() && self.word == MISTAKE
    }

    /// One that says nothing but this.
    pub fn new(line: usize, kind: Kind, place: Place) -> Self {
        Self {
            line,
            kind,
            place: Some(place),
            to: None,
            card: None,
            face_down: None,
            taken: Taken::All,
            spot: "main".to_owned(),
            number: 0,
            decks: 0,
            behind: 0,
            word: String::new(),
            yes: false,
            chips: None,
            player: None,
            by: None,
            role: String::new(),
            device: None,
            provision: None,
            note: None,
            finding: None,
            time: None,
            corrects: (None, None, None),
            complete: false,
        }
    }

    /// Whether it is of this kind and about this place.
    pub fn is(&self, kind: Kind, place: Place) -> bool {
        self.kind == kind && self.place == Some(place)
    }

    /// Whether it is of this kind, about this place and says this.
    pub fn says(&self, kind: Kind, place: Place, word: &str) -> bool {
        self.is(kind, place) && self.word == word
    }
}

/// The first line.
#[derive(Debug, Clone, Deserialize)]
#[expect(missing_docs, reason = "docs/table-log.md says what each means")]
pub struct Header {
    pub v: u8,
    pub regulation: String,
    pub boxes: u8,
    pub limits: Limits,
    pub observes: Option<Vec<String>>,
    #[serde(default)]
    pub settings: serde_json::Map<String, Value>,
    #[serde(default)]
    pub rules: Option<Rules>,
}

/// A house's own regulation: with which one it begins, what it leaves out of it, and what it takes from others.
#[derive(Debug, Clone, Deserialize)]
#[expect(missing_docs, reason = "docs/own-regulation.md says what each means")]
pub struct Rules {
    pub base: String,
    #[serde(default)]
    pub without: Vec<String>,
    #[serde(default)]
    pub with: Vec<String>,
    #[serde(default)]
    pub settings: serde_json::Map<String, Value>,
}

/// The least and the greatest main bet.
#[derive(Debug, Clone, Copy, Deserialize)]
#[expect(missing_docs, reason = "they are named")]
pub struct Limits {
    pub min: u64,
    pub max: u64,
}

const CHOICES: &[&str] = &["hit", "stand", "double", "split", "insure", "decline", "surrender", "even_money"];
const QUESTIONS: &[&str] = &["insurance", "double", "ace", "split", "card", "surrender"];

/// The fields that a kind must have, the one that is its word, and the words that this may be (none: any).
fn shape(kind: Kind) -> (&'static [&'static str], &'static str, &'static [&'static str]) {
    match kind {
        Kind::Seat | Kind::Leave => (&["seat", "player"], "", &[]),
        Kind::Request => (&["box", "player"], "", &[]),
        Kind::Authorize => (&["by", "role", "what"], "what", &["shuffle", "next_cards_for_bank", "deck_change"]),
        Kind::Shuffle => (&["decks", "cards"], "", &[]),
        Kind::Cut => (&["depth", "by"], "", &[]),
        Kind::Load => (&["cards", "cut_card"], "", &[]),
        Kind::Bet | Kind::Collect | Kind::Pay => (&["box", "amount"], "", &[]),
        Kind::CloseBets | Kind::CutCard | Kind::End => (&[], "", &[]),
        Kind::Draw => (&["card"], "", &[]),
        Kind::Ask => (&["box", "about"], "about", QUESTIONS),
        Kind::Decide => (&["box", "choice"], "choice", CHOICES),
        Kind::Ace => (&["box", "value"], "", &[]),
        Kind::Announce => (&["what"], "what", &["total", "next_cards_for_bank"]),
        Kind::Reveal => (&["at"], "", &[]),
        Kind::Move => (&["from", "to"], "", &[]),
        Kind::Consent => (&["box", "yes"], "", &[]),
        Kind::Choose => (&["box", "option"], "option", &["withdraw", "next_card", "play"]),
        Kind::Rule => (&["by", "role", "decision"], "decision", &["void", "stands", "lose", "resume"]),
        Kind::Report => (&["by", "role", "note"], "", &[]),
        Kind::Correct => (&["by", "role"], "", &[]),
        Kind::Device => (&["device", "status"], "status", &[]),
        Kind::BankCard => (&["player", "card"], "", &[]),
        Kind::Bank => (&["how"], "how", &["drawn", "taken", "left", "given", "sold", "returned", "turn"]),
        Kind::Share => (&["player", "what", "amount"], "what", &["advance", "dividend"]),
        Kind::OfferCut => (&["player"], "", &[]),
    }
}

/// One line's object, read field by field.
struct Fields<'a> {
    line: usize,
    object: &'a serde_json::Map<String, Value>,
}

impl Fields<'_> {
    fn error(&self, field: &str, what: &str) -> AuditError {
        AuditError { line: self.line, field: field.to_owned(), what: what.to_owned() }
    }

    fn read<T>(&self, field: &str, what: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>, AuditError> {
        let given = self.object.get(field).filter(|value| !value.is_null());
        given.map(|value| read(value).ok_or_else(|| self.error(field, what))).transpose()
    }

    fn text(&self, field: &str) -> Result<Option<String>, AuditError> {
        self.read(field, "not a text", |value| value.as_str().map(str::to_owned))
    }

    fn number(&self, field: &str) -> Result<Option<u64>, AuditError> {
        self.read(field, "not a whole number", Value::as_u64)
    }

    fn place(&self, field: &str) -> Result<Option<Place>, AuditError> {
        self.read(field, "not a place", |value| value.as_str().and_then(Place::parse))
    }

    fn line_number(&self, field: &str) -> Result<Option<usize>, AuditError> {
        Ok(self.number(field)?.and_then(|number| usize::try_from(number).ok()))
    }

    fn taken(&self) -> Result<Taken, AuditError> {
        let cards = |value: &Value| match value {
            Value::Array(cards) => {
                cards.iter().map(|card| Card::parse(card.as_str()?)).collect::<Option<_>>().map(Taken::Named)
            }
            _ => Some(Taken::Last(usize::try_from(value.as_u64()?).ok()?)),
        };
        Ok(self.read("cards", "neither a number nor cards", cards)?.unwrap_or(Taken::All))
    }

    fn event(&self) -> Result<Event, AuditError> {
        let kind: Kind = self
            .read("ev", "not an event", |value| Kind::deserialize(value).ok())?
            .ok_or_else(|| self.error("ev", "missing"))?;
        let (needed, worded, words) = shape(kind);
        if let Some(field) = needed.iter().find(|field| self.object.get(**field).is_none_or(Value::is_null)) {
            return Err(self.error(field, "missing"));
        }
        let word = if worded.is_empty() { None } else { self.text(worded)? }.unwrap_or_default();
        if !words.is_empty() && !words.contains(&word.as_str()) {
            return Err(self.error(worded, "unknown"));
        }
        let mut places = [None; 4];
        for (place, field) in places.iter_mut().zip(["box", "at", "from", "to"]) {
            *place = self.place(field)?;
        }
        let [named, at, from, to] = places;
        let counted = matches!(kind, Kind::Shuffle | Kind::Load);
        let numbers = ["amount", "depth", "value", "seat", if counted { "cards" } else { "amount" }];
        let numbers = numbers.map(|field| self.number(field));
        let mut number = None;
        for given in numbers {
            number = number.or(given?);
        }
        let face = self.read("face", "neither up nor down", |value| match value.as_str()? {
            "up" => Some(false),
            "down" => Some(true),
            _ => None,
        })?;
        let event = match self.object.get("event") {
            Some(Value::Object(object)) => Some(Box::new(Fields { line: self.line, object }.event()?)),
            Some(_) => return Err(self.error("event", "not an event")),
            None => None,
        };
        let yes_no = |field: &str| self.read(field, "neither true nor false", Value::as_bool);
        Ok(Event {
            line: self.line,
            kind,
            place: named.or(at).or(from).or(to),
            to,
            card: self.read("card", "not a card", |value| value.as_str().and_then(Card::parse))?,
            face_down: face,
            taken: if kind == Kind::Move { self.taken()? } else { Taken::All },
            spot: self.text("spot")?.unwrap_or_else(|| "main".to_owned()),
            number: number.unwrap_or(0),
            decks: self.number("decks")?.unwrap_or(0),
            behind: self.number("cut_card")?.unwrap_or(0),
            word,
            yes: yes_no("yes")?.unwrap_or(false),
            chips: self.read("chips", "not chips", |value| value.as_array().map(Vec::len))?,
            player: self.text("player")?,
            by: self.text("by")?,
            role: self.text("role")?.unwrap_or_default(),
            device: self.text("device")?,
            provision: self.text("provision")?,
            note: self.text("note")?.or(self.text("detail")?),
            finding: self.line_number("finding")?,
            time: self.number("t")?,
            corrects: (self.line_number("line")?, self.line_number("after")?, event),
            complete: yes_no("complete")?.unwrap_or(false),
        })
    }
}

/// A whole log: its header and its events. Blank lines count and say nothing.
pub fn read(log: &str) -> Result<(Header, Vec<Event>), AuditError> {
    let mut lines =
        log.lines().enumerate().map(|(at, text)| (at + 1, text)).filter(|(_, text)| !text.trim().is_empty());
    let whole = |line: usize, what: String| AuditError { line, field: String::new(), what };
    let (line, text) = lines.next().ok_or_else(|| whole(1, "there is no header".to_owned()))?;
    let value: Value = serde_json::from_str(text).map_err(|error| whole(line, error.to_string()))?;
    if value.get("ev").and_then(Value::as_str) != Some("table") {
        return Err(AuditError { line, field: "ev".to_owned(), what: "the first line is no header".to_owned() });
    }
    let header: Header = serde_json::from_value(value).map_err(|error| whole(line, error.to_string()))?;
    let (mut events, mut time) = (Vec::new(), 0);
    for (line, text) in lines {
        let value: Value = serde_json::from_str(text).map_err(|error| whole(line, error.to_string()))?;
        let Value::Object(object) = &value else { return Err(whole(line, "not an object".to_owned())) };
        let fields = Fields { line, object };
        let event = fields.event()?;
        if event.place.and_then(Place::number).is_some_and(|number| number > header.boxes) {
            return Err(fields.error("box", "the table has no such box"));
        }
        if event.time.is_some_and(|at| at < time) {
            return Err(fields.error("t", "goes back"));
        }
        time = event.time.unwrap_or(time);
        events.push(event);
    }
    Ok((header, events))
}

#[cfg(test)]
mod tests {
    use super::read;

    const HEADER: &str =
        r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":3,"limits":{"min":1,"max":9}}"#;

    #[test]
    fn an_error_names_its_line_and_field() {
        for (text, line, field) in [
            (r#"{"ev":"draw"}"#, 2, "card"),
            ("\n{\"ev\":\"draw\",\"card\":\"1X\"}", 3, "card"),
            (r#"{"ev":"dance"}"#, 2, "ev"),
            (r#"{"ev":"draw","card":"AS","to":"burnt"}"#, 2, "to"),
            (r#"{"ev":"bet","box":"4","amount":1}"#, 2, "box"),
            (r#"{"ev":"decide","box":"1","choice":"fold"}"#, 2, "choice"),
            ("{\"ev\":\"end\",\"t\":5}\n{\"ev\":\"end\",\"t\":4}", 3, "t"),
        ] {
            let error = read(&format!("{HEADER}\n{text}")).unwrap_err();
            assert_eq!((error.line, error.field.as_str()), (line, field), "{text}");
        }
        assert_eq!(read("{\"ev\":\"end\"}").unwrap_err().field, "ev");
    }
}
