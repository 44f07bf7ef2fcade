//! A croupier for `sala-8`: deals whole passes by the book, or breaks one clause of it on purpose.
//!
//! It knows the regulation by its own reading ([`super::naive`] and the flow of the files here) and never asks the
//! validator anything, so that each checks the other. Everything follows from the seed.
//!
//! The flow of a pass is one file a part: `opening` (people, shoe, bets), `deal`, `play`, `bank` (to the end). At named
//! points it asks whether the break in hand belongs there; what is done then stands under `breaks/`, in files of the
//! same names.

mod bank;
mod breaks;
mod deal;
mod kind;
mod opening;
mod play;
mod shoe;
mod truth;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use self::kind::{Kind, UnknownKind};
use self::kind::{Mood, Plan, When};
use self::shoe::Shoe;
pub use self::truth::{Ends, Expected};
use super::naive::{self, Owed};
use crate::table::card::DECK;
use crate::table::event::{Announcement, Authority, Face, Permit};
use crate::table::{BetSpot, Card, Cents, Event, HandId, Header, Limits, LineNo, Moved, Name, Observes, Place};

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

/// What a croupier is told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Everything follows from it.
    pub seed: u64,
    /// Betting boxes, 3 to 7.
    pub boxes: u8,
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

impl Default for Settings {
    /// Seven boxes, by the book.
    fn default() -> Self {
        Self {
            seed: 1,
            boxes: 7,
            limits: Limits { min: 50_000, max: 5_000_000 },
            rhythm: Rhythm::Chance(0.0),
            kinds: Kind::ALL.to_vec(),
            unremedied: 0.1,
            seen_by_devices: false,
        }
    }
}

/// The shoe ran empty: every bet is void.
struct PassVoid;

type Flow<T = ()> = Result<T, PassVoid>;

/// A hand and what lies on it.
#[derive(Debug, Clone)]
struct Hand {
    id: HandId,
    bettor: Name,
    cards: Vec<Card>,
    stake: Cents,
    double: Cents,
    insurance: Cents,
    declared: Option<u8>,
    /// The second card to the ace the insurance lies on.
    insured_card: Option<Card>,
    /// Came of a split.
    split: bool,
    split_ace: bool,
    /// Stood, doubled, at 21 or over.
    done: bool,
    /// A card of it lies covered.
    covered: bool,
    void: bool,
    /// Its cards went into the discard tray: no claim.
    forfeit: bool,
    /// Its main bet was settled out of the ordinary.
    settled: bool,
    /// Cards that lie there without counting.
    stray: usize,
}

impl Hand {
    fn new(box_no: u8, bettor: Name, stake: Cents) -> Self {
        Self {
            id: HandId::first(box_no),
            bettor,
            cards: Vec::with_capacity(6),
            stake,
            double: 0,
            insurance: 0,
            declared: None,
            insured_card: None,
            split: false,
            split_ace: false,
            done: false,
            covered: false,
            void: false,
            forfeit: false,
            settled: false,
            stray: 0,
        }
    }

    fn total(&self) -> u8 {
        naive::bettor_total(&self.cards, self.declared)
    }

    fn first_is_ace(&self) -> bool {
        self.cards.first().is_some_and(|&card| naive::is_ace(card))
    }

    fn has_ace_in_two(&self) -> bool {
        self.cards.iter().take(2).any(|&card| naive::is_ace(card))
    }

    fn is_over(&self) -> bool {
        self.total() > 21
    }

    /// Still to be played.
    fn waits(&self) -> bool {
        !self.void && !self.done && self.total() < 21
    }

    fn at_stake(&self) -> Cents {
        self.stake + self.double
    }

    fn lies_empty(&self) -> bool {
        self.cards.is_empty() && self.stray == 0
    }
}

/// What a bet was owed at the end of a pass, by the croupier's reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// Which hand.
    pub hand: HandId,
    /// Main or insurance.
    pub spot: BetSpot,
    /// What.
    pub owed: Owed,
}

/// A croupier at a table.
#[derive(Debug)]
pub struct Croupier {
    header: Header,
    settings: Settings,
    rng: ChaCha8Rng,
    shoe: Shoe,
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
    bank_shown: bool,
    /// The bank's second card was left out and nobody has noticed.
    bank_short: bool,
    /// A bettor was asked something other than about insurance.
    play_begun: bool,
    /// The hand that doubled and was not given its card.
    passed_double: Option<(usize, Kind)>,
    /// The hand that was not asked what it should have been, until a card shows it.
    unasked: Option<(usize, Kind)>,
    /// The hand a delivery has left out.
    undealt: Option<(usize, Kind)>,
    /// The hand that was not played when the bank began.
    forgotten: Option<usize>,
    /// Where cards are left at the end, and whether the bet is too.
    left_at_end: Option<(Place, bool)>,
    /// The shoe is said to be empty after so many more cards.
    empty_after: Option<usize>,
    settled: Vec<Settled>,
}

impl Croupier {
    /// A croupier at a table that has not been opened.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let header = Header {
            v: 1,
            table: "BJ-01".into(),
            regulation: "sala-8".into(),
            boxes: settings.boxes.clamp(3, 7),
            limits: settings.limits,
            observes: Observes::ALL,
            settings: crate::table::settings::Changes::default(),
            rules: None,
        };
        Self {
            header,
            rng: ChaCha8Rng::seed_from_u64(settings.seed),
            shoe: Shoe::default(),
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
            bank_shown: false,
            bank_short: false,
            play_begun: false,
            passed_double: None,
            unasked: None,
            undealt: None,
            forgotten: None,
            left_at_end: None,
            empty_after: None,
            settled: Vec::new(),
            settings,
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
        if self.deal_pass().is_err() {
            self.void_all();
        }
        self.clear_felt();
        self.finish();
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
        self.truth.clear();
        self.at_close.clear();
        self.settled.clear();
        self.hands.clear();
        self.bank.clear();
        self.bank_stray = 0;
        self.bank_shown = false;
        self.bank_short = false;
        self.play_begun = false;
        self.passed_double = None;
        self.unasked = None;
        self.undealt = None;
        self.forgotten = None;
        self.left_at_end = None;
        self.empty_after = None;
        self.arm();
    }

    fn deal_pass(&mut self) -> Flow {
        self.people_come_and_go();
        self.prepare_shoe();
        self.break_between_passes()?;
        self.take_bets();
        self.stack_shoe();
        self.close_bets();
        self.first_delivery()?;
        self.second_delivery()?;
        self.play()?;
        self.bank_plays()?;
        self.settle()
    }

    /// A void pass has nothing left to play or settle; its cards are cleared all the same.
    fn void_all(&mut self) {
        for hand in &self.hands {
            let mut void = |spot, stake| self.settled.push(Settled { hand: hand.id, spot, owed: Owed::void(stake) });
            void(BetSpot::Main, hand.at_stake());
            if hand.insurance > 0 {
                void(BetSpot::Insurance, hand.insurance);
            }
        }
    }

    fn finish(&mut self) {
        let line = self.emit(Event::End {});
        self.break_at_end();
        for row in &mut self.truth {
            match &mut row.ends {
                Ends::Breach { at } | Ends::Cleared { at } if *at == 0 => *at = line,
                _ => {}
            }
        }
        self.truth.sort_by_key(|row| row.line);
        self.armed = None;
    }

    /// Chooses whether and how this pass is broken: the kind broken least so far among those possible now.
    fn arm(&mut self) {
        self.owing |= match self.settings.rhythm {
            Rhythm::Chance(chance) => chance > 0.0 && self.rng.random_bool(chance.min(1.0)),
            Rhythm::Alternate => !self.pass.is_multiple_of(2),
        };
        let mut least = u64::MAX;
        let mut ties = 0;
        let mut chosen = None;
        if self.owing {
            for index in 0..self.counts.len() {
                let (kind, count) = (self.settings.kinds[index], self.counts[index]);
                if count > least || !self.is_possible(kind) {
                    continue;
                }
                if count < least {
                    (least, ties) = (count, 0);
                }
                ties += 1;
                if self.rng.random_ratio(1, ties) {
                    chosen = Some(kind);
                }
            }
        }
        self.armed = chosen;
        self.says_faces = chosen.is_some() || self.pass.is_multiple_of(2);
        self.owing = self.settings.rhythm == Rhythm::Alternate && self.owing && chosen.is_none();
        self.plan = chosen.map_or_else(|| self.mood_of_the_day(), Kind::plan);
        self.unremedied = chosen.is_some() && self.rng.random_bool(self.settings.unremedied.clamp(0.0, 1.0));
    }

    fn mood_of_the_day(&mut self) -> Plan {
        let mood = match self.rng.random_range(0..100) {
            0..4 => Mood::StandPat,
            4..6 => Mood::Reckless,
            _ => Mood::Usual,
        };
        Plan { mood, ..Plan::default() }
    }

    fn is_possible(&mut self, kind: Kind) -> bool {
        let plan = kind.plan();
        let boxes = usize::from(self.header.boxes);
        if plan.bets.is_some_and(|(least, _)| least > boxes) || plan.seats.is_some_and(|(least, _)| least > boxes) {
            return false;
        }
        // three bets there must be
        if plan.empty_box && boxes < 4 {
            return false;
        }
        let fresh = self.shoe.is_loaded() && self.shoe.drawn() < 40;
        match plan.when {
            When::Any => true,
            When::NewShoe => self.needs_shoe() || fresh,
            When::MidShoe => !self.needs_shoe() && self.shoe.drawn() > 0,
            When::AfterCutCard => self.shoe.cut_card_out && self.shoe.left() >= 36,
            When::CutCardNear => !self.needs_shoe() && self.shoe.before_cut_card() < 14 && self.shoe.drawn() > 0,
            When::Exhausted => !self.needs_shoe() && self.shoe.exhausted(&mut self.rng).is_some(),
        }
    }

    fn needs_shoe(&self) -> bool {
        !self.shoe.is_loaded() || self.shoe.cut_card_out
    }

    /// Whether the break in hand is this one; then it is done, once.
    fn takes(&mut self, kind: Kind) -> bool {
        if self.armed != Some(kind) {
            return false;
        }
        self.armed = None;
        self.owing = false;
        if let Some(index) = self.settings.kinds.iter().position(|&one| one == kind) {
            self.counts[index] += 1;
        }
        true
    }

    /// As [`Self::takes`], for the first of several.
    fn takes_one(&mut self, kinds: &[Kind]) -> Option<Kind> {
        let kind = self.armed.filter(|kind| kinds.contains(kind))?;
        self.takes(kind).then_some(kind)
    }

    fn emit(&mut self, event: Event) -> LineNo {
        self.out.push(event);
        self.line += 1;
        self.line
    }

    /// The event just told must raise this finding; the row's number.
    fn found(&mut self, kind: Kind, place: Option<Place>) -> usize {
        self.truth.push(Expected { line: self.line, kind, place, ends: Ends::Noted });
        self.truth.len() - 1
    }

    /// The event just told ends the remedy of a finding.
    fn cleared(&mut self, row: usize) {
        self.truth[row].ends = Ends::Cleared { at: self.line };
    }

    /// The event just told goes on where it had to wait.
    fn breached(&mut self, row: usize) {
        self.truth[row].ends = Ends::Breach { at: self.line };
    }

    /// The remedy is never carried out: the pass ends with it.
    fn left_open(&mut self, row: usize) {
        self.truth[row].ends = Ends::Breach { at: 0 };
    }

    /// Words without chips: nothing lies there to give back when the pass ends.
    fn nothing_to_return(&mut self, row: usize) {
        self.truth[row].ends = Ends::Cleared { at: 0 };
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_ratio(percent, 100)
    }

    /// Draws a card to a place, the cut card before it where it lies there.
    fn draw(&mut self, to: Place, face: Face) -> Flow<Card> {
        if self.shoe.cut_card_is_next() {
            self.shoe.cut_card_out = true;
            self.emit(Event::CutCard {});
            self.break_after_cut_card();
        }
        self.break_when_empty()?;
        let card = match self.break_exhausted() {
            Some(card) => card,
            None => match self.shoe.draw() {
                Some(card) => card,
                None => return self.runs_empty(),
            },
        };
        let shown = (face == Face::Down || self.says_faces).then_some(face);
        self.emit(Event::Draw { card, to: Some(to), face: shown });
        self.break_after_draw(to)?;
        Ok(card)
    }

    fn draw_to_hand(&mut self, hand: usize, face: Face) -> Flow {
        let to = self.hands[hand].id.into();
        let card = self.draw(to, face)?;
        self.hands[hand].cards.push(card);
        Ok(())
    }

    fn draw_to_bank(&mut self, face: Face) -> Flow {
        let card = self.draw(Place::Bank, face)?;
        self.bank.push(card);
        Ok(())
    }

    /// What now lies on a spot.
    fn put(&mut self, hand: HandId, spot: BetSpot, amount: Cents, player: Option<Name>) {
        self.emit(Event::Bet { hand, spot, amount, player, chips: Vec::new() });
    }

    fn authorize(&mut self, what: Permit, role: Authority) {
        let by = match role {
            Authority::Inspector => "I-4",
            Authority::TableChief => "I-2",
            Authority::Room => "I-1",
        };
        self.emit(Event::Authorize { by: by.into(), role, what });
    }

    /// Cards are taken from a place; `None` takes all.
    fn take_cards(&mut self, from: Place, to: Place, cards: Option<usize>) {
        self.emit(Event::Move { from, to, cards: cards.map(Moved::Count) });
    }

    fn announce_total(&mut self, place: Place, total: u8) {
        self.emit(Event::Announce { what: Announcement::Total, place: Some(place), value: Some(total.into()) });
    }

    fn seated(&self) -> usize {
        self.seats.iter().flatten().count()
    }

    /// A hand's place in the deal, at random.
    fn any_hand(&mut self) -> usize {
        self.rng.random_range(0..self.hands.len().max(1))
    }
}

#[cfg(test)]
mod tests;
