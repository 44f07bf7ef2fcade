//! What the keys of the dealer's keypad mean: which key lies where, and which keys make which entry.
//!
//! An entry is a function key, its fields parted by NEXT, and ENTER. A field that may be left out is empty; CLEAR drops
//! what was typed, and so does half a minute without a key. What makes no entry is refused: the keypad's lamp is lit
//! until the next key.
//!
//! ```text
//!   7      8     9      HIT     STAND   DOUBLE
//!   4      5     6      DECIDE  ASK     ACE
//!   1      2     3      TOTAL   CHOOSE  CONSENT
//!   CLEAR  0     NEXT   PLAYER  BANK    CARDS
//!   ENTER  CUT   CLOSE  END     AUTH    RULE
//! ```
//!
//! | key | fields, `[ ]` may be left out | entry |
//! |---|---|---|
//! | HIT, STAND, DOUBLE | box, \[hand\], \[by\] | `Decide` |
//! | DECIDE | choice, box, \[hand\], \[by\] | `Decide`; choice 1 hit, 2 stand, 3 double, 4 split, 5 insure, 6 decline, 7 surrender, 8 even money |
//! | ASK | box, \[hand\], about | `Ask`; about 1 insurance, 2 double, 3 ace, 4 split, 5 card, 6 surrender |
//! | ACE | box, \[hand\], value | `Ace` |
//! | TOTAL | value, \[box\], \[hand\] | `Total` of a hand; without a box, of the bank |
//! | CHOOSE | box, \[hand\], option | `Choose`; 1 withdraw, 2 next card, 3 play |
//! | CONSENT | box, answer | `Consent`; 1 yes, 0 no |
//! | PLAYER | 1, seat, player | `Seat` |
//! | PLAYER | 2, seat, player | `Leave` |
//! | PLAYER | 3, box, player | `Request` |
//! | PLAYER | 4, box, player | `Bettor` |
//! | CUT | depth, player | `Cut` |
//! | CUT | player | `OfferCut` |
//! | CLOSE | | `CloseBets` |
//! | END | | `EndPass` |
//! | CARDS | | `NextCardsForBank` |
//! | CARDS | 1, suit, rank, \[box\], \[hand\] | `CardIs`: the uncovered card of a hand, without a box of the bank, that could not be read; suit and rank as BANK 10 has them |
//! | CARDS | 2, suit, rank, \[box\], \[hand\], \[face\] | `Dealt` to a hand, without a box to the bank, what should stand there after RULE 7 or 8; face 1 up, 2 down |
//! | CARDS | 3, suit, rank, \[face\] | `Dealt` to where a card was due |
//! | AUTH | badge, role, what | `Authorize`; role 1 inspector, 2 table chief, 3 room; what 1 shuffle, 2 next cards for the bank, 3 change of decks |
//! | AUTH | badge, PIN | a signature, of what was entered before; where the station asks for one |
//! | RULE | badge, role, decision, \[finding\] | `Rule`; decision 1 void, 2 stands, 3 lose, 4 resume |
//! | RULE | badge, role, 5, note, \[article\], \[box\] | `Report`; notes and articles by the numbers that `sabot regulation keys` prints |
//! | RULE | badge, role, 6 to 8, line | `Correct`; 6 the line did not happen, 7 the next entry instead, 8 the next entry after it; 6 and line 0 leave a correction that waits for its entry |
//! | BANK | 1 to 7, \[player\], \[by\], \[amount\] | `Bank`; 1 drawn, 2 taken, 3 left, 4 given, 5 sold, 6 returned, 7 turn |
//! | BANK | 8 or 9, player, amount | `Share`; 8 advance, 9 dividend |
//! | BANK | 10, player, suit, rank | `BankCard`; suit 1 spades, 2 hearts, 3 diamonds, 4 clubs, rank 1 ace to 13 king |
//!
//! Boxes count from 1; hands from 0, which is also what a hand left out means.

use embedded_hal::digital::{InputPin, OutputPin};
use heapless::Deque;
use sabot_wire::message::{
    Amend, Authority, BankChange, Card, Choice, Face, HandId, KeypadSaid, Permit, Place as Where, Question, Ruling,
    Share, Signature, Taken,
};

use crate::keypad::Entries;
use crate::matrix::{Matrix, Place};

/// Rows of the keypad.
pub const ROWS: usize = 5;
/// Columns of the keypad.
pub const COLUMNS: usize = 6;
/// Milliseconds without a key after which a half-typed entry is dropped.
pub const ABANDONED_MS: u32 = 30_000;
/// Fields of the longest entry.
const FIELDS: usize = 6;
/// What a field may be at the most: twelve digits.
const MOST: u64 = 999_999_999_999;
/// Keys that wait while an entry has no place in the ring.
const WAITING: usize = 16;

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// 0 to 9.
    Digit(u8),
    /// Ends a field.
    Next,
    /// Ends the entry.
    Enter,
    /// Drops what was typed.
    Clear,
    /// Begins an entry.
    Function(Function),
}

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table above says each of them")]
pub enum Function {
    Hit,
    Stand,
    Double,
    Decide,
    Ask,
    Ace,
    Total,
    Choose,
    Consent,
    Player,
    Bank,
    Cards,
    Cut,
    Close,
    End,
    Authorize,
    Rule,
}

/// Which key lies where.
pub const LAYOUT: [[Key; COLUMNS]; ROWS] = {
    use Function::{
        Ace, Ask, Authorize, Bank, Cards, Choose, Close, Consent, Cut, Decide, Double, End, Hit, Player, Rule, Stand,
        Total,
    };
    use Key::{Clear, Digit as D, Enter, Function as F, Next};
    [
        [D(7), D(8), D(9), F(Hit), F(Stand), F(Double)],
        [D(4), D(5), D(6), F(Decide), F(Ask), F(Ace)],
        [D(1), D(2), D(3), F(Total), F(Choose), F(Consent)],
        [Clear, D(0), Next, F(Player), F(Bank), F(Cards)],
        [Enter, F(Cut), F(Close), F(End), F(Authorize), F(Rule)],
    ]
};

/// What came of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// More is to come.
    Open,
    /// An entry.
    Entry(KeypadSaid),
    /// It makes no sense here; what was typed is dropped.
    Refused,
}

/// An entry as it is typed.
#[derive(Debug, Default)]
pub struct Typing {
    function: Option<Function>,
    fields: heapless::Vec<Option<u64>, FIELDS>,
    /// Digits of the last field: a PIN may begin with zeros.
    digits: u8,
    touched_ms: u32,
}

impl Typing {
    /// Nothing typed.
    #[must_use]
    pub const fn new() -> Self {
        Self { function: None, fields: heapless::Vec::new(), digits: 0, touched_ms: 0 }
    }

    /// A key was pressed.
    pub fn press(&mut self, now_ms: u32, key: Key) -> Typed {
        if now_ms.wrapping_sub(self.touched_ms) >= ABANDONED_MS {
            self.clear();
        }
        self.touched_ms = now_ms;
        let made = match key {
            Key::Function(function) => {
                self.clear();
                self.function = Some(function);
                self.fields.push(None).is_ok().then_some(Typed::Open)
            }
            Key::Clear => {
                self.clear();
                Some(Typed::Open)
            }
            Key::Digit(digit) => self.digit(digit),
            Key::Next => {
                self.digits = 0;
                self.function.and_then(|_| self.fields.push(None).is_ok().then_some(Typed::Open))
            }
            Key::Enter => {
                let entry =
                    self.function.and_then(|function| self.signature().or_else(|| entry(function, &self.fields)));
                self.clear();
                entry.map(Typed::Entry)
            }
        };
        made.unwrap_or_else(|| {
            self.clear();
            Typed::Refused
        })
    }

    fn digit(&mut self, digit: u8) -> Option<Typed> {
        let field = self.fields.last_mut()?;
        let longer = field.unwrap_or(0) * 10 + u64::from(digit);
        *field = Some(longer);
        self.digits = self.digits.saturating_add(1);
        (longer <= MOST).then_some(Typed::Open)
    }

    /// A badge and a PIN.
    fn signature(&self) -> Option<KeypadSaid> {
        match (self.function, self.fields.as_slice()) {
            (Some(Function::Authorize), [Some(badge), Some(pin)]) => {
                Signature { badge: u16::try_from(*badge).ok()?, digits: self.digits, pin: *pin }.said()
            }
            _ => None,
        }
    }

    fn clear(&mut self) {
        self.function = None;
        self.fields.clear();
        self.digits = 0;
    }
}

/// The fields of an entry, taken one after the other.
struct Fields<'a>(&'a [Option<u64>]);

impl Fields<'_> {
    /// The next field, which may be left out. `None` when it is too large.
    fn may<T: TryFrom<u64>>(&mut self) -> Option<Option<T>> {
        let Some((field, rest)) = self.0.split_first() else { return Some(None) };
        self.0 = rest;
        field.map(|value| T::try_from(value).ok()).map_or(Some(None), |value| value.map(Some))
    }

    /// The next field, which must be there.
    fn need<T: TryFrom<u64>>(&mut self) -> Option<T> {
        self.may()?
    }

    /// The hand, which is the first where it is left out.
    fn hand(&mut self) -> Option<u8> {
        Some(self.may()?.unwrap_or(0))
    }

    /// A hand of a box; the bank where both are left out.
    fn place(&mut self) -> Option<Where> {
        let (box_no, hand) = (self.may()?, self.may()?);
        match box_no {
            Some(box_no) => Some(Where::Hand(HandId { box_no, hand: hand.unwrap_or(0) })),
            None => hand.is_none().then_some(Where::Bank),
        }
    }

    /// A card by its suit and rank.
    fn card(&mut self) -> Option<Card> {
        let (suit, rank): (u8, u8) = (self.need()?, self.need()?);
        let is_card = (1..=4).contains(&suit) && (1..=13).contains(&rank);
        is_card.then(|| Card::from_code((suit - 1) * 13 + rank - 1))
    }

    /// Which way a card lies, where it is told.
    #[allow(clippy::option_option, reason = "left out, wrong and told are three things")]
    fn face(&mut self) -> Option<Option<Face>> {
        match self.may::<u8>()? {
            None => Some(None),
            Some(1) => Some(Some(Face::Up)),
            Some(2) => Some(Some(Face::Down)),
            Some(_) => None,
        }
    }

    /// One of these, counted from 1.
    fn one_of<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        let number: usize = self.need()?;
        choices.get(number.checked_sub(1)?).copied()
    }
}

/// The entry that these fields make, if they make one.
fn entry(function: Function, fields: &[Option<u64>]) -> Option<KeypadSaid> {
    let mut f = Fields(fields);
    let decide = |choice, f: &mut Fields<'_>| {
        Some(KeypadSaid::Decide { box_no: f.need()?, hand: f.hand()?, choice, by: f.may()? })
    };
    let said = match function {
        Function::Hit => decide(Choice::Hit, &mut f)?,
        Function::Stand => decide(Choice::Stand, &mut f)?,
        Function::Double => decide(Choice::Double, &mut f)?,
        Function::Decide => {
            let choice = f.one_of(Choice::ALL)?;
            decide(choice, &mut f)?
        }
        Function::Ask => KeypadSaid::Ask { box_no: f.need()?, hand: f.hand()?, about: f.one_of(Question::ALL)? },
        Function::Ace => KeypadSaid::Ace { box_no: f.need()?, hand: f.hand()?, value: f.need()? },
        Function::Total => {
            let value = f.need()?;
            KeypadSaid::Total { place: f.place()?, value }
        }
        Function::Choose => KeypadSaid::Choose { box_no: f.need()?, hand: f.hand()?, option: f.one_of(Taken::ALL)? },
        Function::Consent => KeypadSaid::Consent {
            box_no: f.need()?,
            yes: match f.need::<u8>()? {
                0 => false,
                1 => true,
                _ => return None,
            },
        },
        Function::Player => player(&mut f)?,
        Function::Bank => bank(&mut f)?,
        Function::Cards => cards(&mut f)?,
        Function::Cut => match (f.need()?, f.may()?) {
            (depth, Some(player)) => KeypadSaid::Cut { depth, player },
            (player, None) => KeypadSaid::OfferCut { player },
        },
        Function::Close => KeypadSaid::CloseBets,
        Function::End => KeypadSaid::EndPass,
        Function::Authorize => {
            KeypadSaid::Authorize { badge: f.need()?, role: f.one_of(Authority::ALL)?, what: f.one_of(Permit::ALL)? }
        }
        Function::Rule => ruling(&mut f)?,
    };
    // whatever is left over was meant to say something: an entry without it would say something else
    f.0.iter().all(Option::is_none).then_some(said)
}

fn player(f: &mut Fields<'_>) -> Option<KeypadSaid> {
    let what: u8 = f.need()?;
    let (place, player) = (f.need()?, f.need()?);
    match what {
        1 => Some(KeypadSaid::Seat { seat: place, player }),
        2 => Some(KeypadSaid::Leave { seat: place, player }),
        3 => Some(KeypadSaid::Request { box_no: place, player }),
        4 => Some(KeypadSaid::Bettor { box_no: place, player }),
        _ => None,
    }
}

fn ruling(f: &mut Fields<'_>) -> Option<KeypadSaid> {
    let (badge, role) = (f.need()?, f.one_of(Authority::ALL)?);
    let what: usize = f.need()?;
    let mut correct = |how| Some(KeypadSaid::Correct { badge, role, line: f.need()?, how });
    match what {
        5 => Some(KeypadSaid::Report { badge, role, note: f.need()?, article: f.may()?, box_no: f.may()? }),
        6 => correct(Amend::Strike),
        7 => correct(Amend::Instead),
        8 => correct(Amend::After),
        _ => {
            let decision = Ruling::ALL.get(what.checked_sub(1)?).copied()?;
            Some(KeypadSaid::Rule { badge, role, decision, finding: f.may()? })
        }
    }
}

fn cards(f: &mut Fields<'_>) -> Option<KeypadSaid> {
    let what: Option<u8> = f.may()?;
    let Some(what) = what else { return Some(KeypadSaid::NextCardsForBank) };
    let card = f.card()?;
    match what {
        1 => Some(KeypadSaid::CardIs { place: f.place()?, card }),
        2 => Some(KeypadSaid::Dealt { card, to: Some(f.place()?), face: f.face()? }),
        3 => Some(KeypadSaid::Dealt { card, to: None, face: f.face()? }),
        _ => None,
    }
}

fn bank(f: &mut Fields<'_>) -> Option<KeypadSaid> {
    let what: usize = f.need()?;
    match what {
        1..=7 => {
            let how = BankChange::ALL.get(what - 1).copied()?;
            Some(KeypadSaid::Bank { how, player: f.may()?, by: f.may()?, amount: f.may()? })
        }
        8 => Some(KeypadSaid::Share { player: f.need()?, what: Share::Advance, amount: f.need()? }),
        9 => Some(KeypadSaid::Share { player: f.need()?, what: Share::Dividend, amount: f.need()? }),
        10 => Some(KeypadSaid::BankCard { player: f.need()?, card: f.card()? }),
        _ => None,
    }
}

/// The keys of a keypad as a source of entries, with the lamp of what is refused.
#[derive(Debug)]
pub struct Keys<R, C, L> {
    matrix: Matrix<R, C, ROWS, COLUMNS>,
    refused: L,
    typing: Typing,
    waiting: Deque<(u32, Key), WAITING>,
}

impl<R: OutputPin, C: InputPin, L: OutputPin> Keys<R, C, L> {
    /// Keys of which none was pressed. `refused` is high while the lamp is lit.
    #[must_use]
    pub const fn new(matrix: Matrix<R, C, ROWS, COLUMNS>, refused: L) -> Self {
        Self { matrix, refused, typing: Typing::new(), waiting: Deque::new() }
    }

    fn light(&mut self, refused: bool) {
        // a lamp that cannot be switched has nobody to be reported to but the eye that sees it dark
        let _ = self.refused.set_state(refused.into());
    }
}

impl<R: OutputPin, C: InputPin, L: OutputPin> Entries for Keys<R, C, L> {
    fn scan(&mut self, now_ms: u32) {
        while let Some(Place { row, column }) = self.matrix.scan(now_ms) {
            let key = LAYOUT.get(row).and_then(|row| row.get(column)).copied();
            // a key too many while the ring is full: its user sees that it was not taken
            let taken = key.is_some_and(|key| self.waiting.push_back((now_ms, key)).is_ok());
            if !taken {
                self.light(true);
            }
        }
    }

    fn next(&mut self) -> Option<KeypadSaid> {
        while let Some((at_ms, key)) = self.waiting.pop_front() {
            let typed = self.typing.press(at_ms, key);
            self.light(typed == Typed::Refused);
            if let Typed::Entry(said) = typed {
                return Some(said);
            }
        }
        None
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
