//! The simulated dealers: each deals whole passes under its house's regulation, by the book, or breaks one clause of it
//! on purpose.
//!
//! A simulated dealer knows the regulation by its own reading ([`naive`] and the flow of the files here) and
//! never asks the validator anything, so that each checks the other. Everything follows from the seed.
//!
//! What all have in common stands in the files of this folder: the people, the shoe, the break in hand (`arm`), what is
//! done at a table (`felt`), the rows of truth. A house is a folder: what it calls itself, its kinds of break
//! (`kinds`), and how it deals. `sala8` deals the game with a covered bank card; `open` the one without, which the
//! other houses share.

mod act;
mod arm;
pub mod club;
pub mod croupier6;
mod felt;
mod hand;
mod house;
mod houses;
mod kind;
pub mod naive;
mod open;
mod people;
mod rota;
pub mod sala8;
mod shoe;
pub mod talla;
mod truth;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use self::hand::Hand;
use self::house::Game;
pub use self::house::{House, UnknownKind};
pub use self::houses::{ALL as HOUSES, UnknownClause, UnknownHouse};
pub use self::kind::Kind;
use self::kind::{Mood, Plan, When};
use self::naive::Owed;
use self::open::Open;
use self::rota::Rota;
use self::sala8::Sala8;
use self::shoe::Shoe;
pub use self::truth::{Ends, Expected};
use sabot_law::table::card::DECK;
use sabot_law::table::event::{Announcement, Authority, Face, Permit};
use sabot_law::table::settings::Changes;
use sabot_law::table::{BetSpot, Card, Cents, Event, HandId, Header, Limits, LineNo, Moved, Name, Observes, Place};

/// Stakes are multiples of this, so that half of one and half as much again are whole chips.
const STEP: Cents = 10_000;

/// How often the book is broken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rhythm {
    /// In each pass with this probability, 0 to 1.
    Chance(f64),
    /// In every second pass, from the first.
    Alternate,
}

/// What a simulated dealer is told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whose regulation is dealt by.
    pub house: &'static House,
    /// Everything follows from it.
    pub seed: u64,
    /// Betting boxes, 3 to 7.
    pub boxes: u8,
    /// What the house changes of the figures of its book.
    pub changes: Changes,
    /// Provisions it has left out of it: nothing is found under them.
    pub left_out: Vec<&'static str>,
    /// Stakes of the table, in cents.
    pub limits: Limits,
    /// How often the book is broken.
    pub rhythm: Rhythm,
    /// In which ways.
    pub kinds: Vec<Kind>,
    /// In how many of the breaks that can be left so the remedy is left out, 0 to 1.
    pub unremedied: f64,
    /// Whether only such things happen as the devices of a table can tell of: no two requests in one moment, and a bet
    /// changed too late is put back.
    pub seen_by_devices: bool,
}

impl Settings {
    /// Seven boxes, by the book of that house.
    #[must_use]
    pub fn of(house: &'static House) -> Self {
        Self {
            house,
            seed: 1,
            boxes: 7,
            changes: Changes::default(),
            left_out: Vec::new(),
            limits: house.limits,
            rhythm: Rhythm::Chance(0.0),
            kinds: house.kinds.to_vec(),
            unremedied: 0.1,
            seen_by_devices: false,
        }
    }
}

impl Default for Settings {
    /// As [`Self::of`] for `sala-8`.
    fn default() -> Self {
        Self::of(&sala8::HOUSE)
    }
}

/// The shoe ran empty: every bet is void.
struct PassVoid;

type Flow<T = ()> = Result<T, PassVoid>;

/// What a bet was owed at the end of a pass, by the simulated dealer's reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// Which hand.
    pub hand: HandId,
    /// Main or insurance.
    pub spot: BetSpot,
    /// What.
    pub owed: Owed,
}

/// A simulated dealer at a table.
#[derive(Debug)]
pub struct SimulatedDealer {
    header: Header,
    settings: Settings,
    rng: ChaCha8Rng,
    shoe: Shoe,
    rota: Rota,
    /// Who sits at the seat of each box.
    seats: [Option<Name>; 7],
    people: u16,
    out: Vec<Event>,
    line: LineNo,
    pass: u64,
    /// Breaks due under [`Rhythm::Alternate`] and not possible yet.
    owing: bool,
    counts: Vec<u64>,
    armed: Option<Kind>,
    unremedied: bool,
    /// Uncovered cards are logged as such, not left out as prescribed.
    says_faces: bool,
    plan: Plan,
    truth: Vec<Expected>,
    /// Findings that the close of the bets must raise.
    at_close: Vec<(Kind, Option<Place>)>,
    hands: Vec<Hand>,
    bank: Vec<Card>,
    bank_stray: usize,
    settled: Vec<Settled>,
}

impl SimulatedDealer {
    /// A simulated dealer at a table that has not been opened.
    #[must_use]
    pub fn new(mut settings: Settings) -> Self {
        let Settings { house, ref changes, ref left_out, .. } = settings;
        let can = |kind: &Kind| !left_out.contains(&kind.provision()) && (house.can_break)(*kind, changes);
        settings.kinds.retain(can);
        let header = Header {
            v: 1,
            table: "BJ-01".into(),
            regulation: settings.house.id.into(),
            boxes: settings.boxes.clamp(3, 7),
            limits: settings.limits,
            observes: Observes::ALL,
            settings: settings.changes.clone(),
            rules: None,
        };
        Self {
            header,
            rng: ChaCha8Rng::seed_from_u64(settings.seed),
            shoe: Shoe::default(),
            rota: Rota::default(),
            seats: Default::default(),
            people: 0,
            out: Vec::with_capacity(256),
            line: 1,
            pass: 0,
            owing: false,
            counts: vec![0; settings.kinds.len()],
            armed: None,
            unremedied: false,
            says_faces: false,
            plan: Plan::default(),
            truth: Vec::new(),
            at_close: Vec::new(),
            hands: Vec::with_capacity(14),
            bank: Vec::with_capacity(8),
            bank_stray: 0,
            settled: Vec::new(),
            settings,
        }
    }

    /// The same dealer under a regulation of another name, which comes to the same figures: its log begins so.
    #[must_use]
    pub fn under(mut self, id: Name, rules: Option<sabot_law::table::Rules>, settings: Changes) -> Self {
        self.header = Header { regulation: id, rules, settings, ..self.header };
        self
    }

    /// Hands a box may be split into.
    #[must_use]
    pub fn max_hands(&self) -> u8 {
        match self.settings.house.game {
            Game::Covered => 2,
            Game::Open(rules) => rules.max_hands as u8,
        }
    }

    /// Line 1 of the log.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Deals one pass, with whatever people and the shoe need before it, into `events`, whose room is used again. The
    /// first event of the first pass is line 2 of the log.
    pub fn next_pass(&mut self, events: &mut Vec<Event>) {
        events.clear();
        std::mem::swap(&mut self.out, events);
        self.begin();
        let end = match self.settings.house.game {
            Game::Covered => Sala8::at(self).pass(),
            Game::Open(rules) => Open::at(self, rules).pass(),
        };
        self.finish(end);
        std::mem::swap(&mut self.out, events);
    }

    /// What must be found in the pass dealt last, in the order of the lines.
    #[must_use]
    pub fn expected(&self) -> &[Expected] {
        &self.truth
    }

    /// What every bet of the pass dealt last was owed.
    #[must_use]
    pub fn settled(&self) -> &[Settled] {
        &self.settled
    }

    /// How often each kind was broken so far.
    pub fn breaks(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        self.settings.kinds.iter().copied().zip(self.counts.iter().copied())
    }

    fn begin(&mut self) {
        self.pass += 1;
        self.rota.found_before += self.truth.len() as u64;
        self.truth.clear();
        self.at_close.clear();
        self.settled.clear();
        self.hands.clear();
        self.bank.clear();
        self.bank_stray = 0;
        self.arm();
    }

    /// The pass has ended at that line.
    fn finish(&mut self, line: LineNo) {
        let left_out = &self.settings.left_out;
        self.truth.retain(|row| !left_out.contains(&row.kind.provision()));
        for row in &mut self.truth {
            match &mut row.ends {
                Ends::Breach { at } | Ends::Cleared { at } if *at == 0 => *at = line,
                _ => {}
            }
        }
        self.truth.sort_by_key(|row| row.line);
        self.armed = None;
    }
}

#[cfg(test)]
mod tests;
