//! The workload: legal passes of every kind, in every house, by its settings. It deals and knows nothing of what must
//! be found; whoever wants something found changes the events afterwards (see [`crate::deviations`]).
//!
//! One dealer deals for all houses: `houses` holds the figures of each, as its text has them; `cards` reckons, and
//! the flow of a pass is one file a part: `people` (seats, shoe, bets), `bankers` (players who bank), `play` (delivery
//! and turns), `settle` (the bank to the end). Nothing here asks the law. Everything follows from the seed.

mod bankers;
pub mod cards;
mod houses;
mod people;
mod play;
mod settle;
mod shoe;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use sabot_law::table::event::{Announcement, Choice, Face, Question};
use sabot_law::table::settings::Changes;
use sabot_law::table::{BetSpot, Card, Cents, Event, HandId, Header, Limits, Name, Observes, Place, Rules};

use self::bankers::Rota;
pub use self::houses::{ALL as HOUSES, Book, House, UnknownHouse};
use self::shoe::Shoe;

/// What the dealer is told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whose regulation is dealt by.
    pub house: &'static House,
    /// Everything follows from it.
    pub seed: u64,
    /// Betting boxes, 3 to 7.
    pub boxes: u8,
    /// What is changed of the house's figures.
    pub changes: Changes,
    /// Stakes of the table, in cents.
    pub limits: Limits,
    /// Whether only such things happen as the devices of a table can tell of.
    pub seen_by_devices: bool,
}

impl Settings {
    /// Seven boxes, by the book of that house.
    #[must_use]
    pub fn of(house: &'static House) -> Self {
        let changes = Changes::default();
        Self { house, seed: 1, boxes: 7, changes, limits: house.limits, seen_by_devices: false }
    }
}

/// The pass goes no further: the cut card came first, or no card is left.
struct CutShort;

type Flow<T = ()> = Result<T, CutShort>;

/// A hand and what lies on it.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
struct Hand {
    id: HandId,
    bettor: Name,
    cards: Vec<Card>,
    stake: Cents,
    double: Cents,
    /// What lies on its split spot: each split adds its stake.
    split_by: Cents,
    insurance: Cents,
    insurance_settled: bool,
    /// The second card to the ace the insurance lies on.
    insured_card: Option<Card>,
    declared: Option<u8>,
    split: bool,
    split_ace: bool,
    done: bool,
    covered: bool,
    settled: bool,
    surrendered: bool,
    even_money: bool,
}

impl Hand {
    fn new(id: HandId, bettor: Name, stake: Cents) -> Self {
        Self {
            id,
            bettor,
            cards: Vec::with_capacity(6),
            stake,
            double: 0,
            split_by: 0,
            insurance: 0,
            insurance_settled: false,
            insured_card: None,
            declared: None,
            split: false,
            split_ace: false,
            done: false,
            covered: false,
            settled: false,
            surrendered: false,
            even_money: false,
        }
    }

    fn total(&self) -> u8 {
        cards::total(&self.cards, self.declared)
    }

    /// An ace with a ten that did not come of a split.
    fn is_black_jack(&self) -> bool {
        cards::is_black_jack(&self.cards) && !self.split
    }

    fn first_is_ace(&self) -> bool {
        self.cards.first().is_some_and(|&card| cards::is_ace(card))
    }

    fn has_ace_in_two(&self) -> bool {
        self.cards.iter().take(2).any(|&card| cards::is_ace(card))
    }

    fn waits(&self) -> bool {
        !self.done && !self.settled && self.total() < 21
    }
}

/// How bettors play a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mood {
    #[default]
    Usual,
    StandPat,
    Reckless,
}

/// A dealer at a table.
#[derive(Debug, Clone)]
pub struct Dealer {
    header: Header,
    house: &'static House,
    book: Book,
    seen_by_devices: bool,
    rng: ChaCha8Rng,
    shoe: Shoe,
    rota: Rota,
    /// Who sits at the seat of each box.
    seats: [Option<Name>; 7],
    people: u16,
    out: Vec<Event>,
    lines: u64,
    mood: Mood,
    /// Uncovered cards are told as such, not left out as prescribed.
    says_faces: bool,
    hands: Vec<Hand>,
    bank: Vec<Card>,
}

impl Dealer {
    /// A dealer at a table that has not been opened.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let Settings { house, seed, boxes, changes, limits, seen_by_devices } = settings;
        let book = house.book.changed(&changes);
        let header = Header {
            v: 2,
            table: "BJ-01".into(),
            regulation: house.id.into(),
            boxes: boxes.clamp(3, 7),
            limits,
            observes: Observes::ALL,
            settings: changes,
            rules: None,
        };
        Self {
            header,
            house,
            book,
            seen_by_devices,
            rng: ChaCha8Rng::seed_from_u64(seed),
            shoe: Shoe::default(),
            rota: Rota::default(),
            seats: Default::default(),
            people: 0,
            out: Vec::with_capacity(256),
            lines: 1,
            mood: Mood::default(),
            says_faces: false,
            hands: Vec::with_capacity(14),
            bank: Vec::with_capacity(8),
        }
    }

    /// The same dealer under a regulation of another name, which comes to the same figures: its log begins so.
    #[must_use]
    pub fn under(mut self, id: Name, rules: Option<Rules>, settings: Changes) -> Self {
        self.header = Header { regulation: id, rules, settings, ..self.header };
        self
    }

    /// Line 1 of the log.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Hands a box may be split into.
    #[must_use]
    pub fn max_hands(&self) -> u8 {
        self.book.max_hands
    }

    /// Hands of the pass dealt last, those of a split each.
    #[must_use]
    pub fn hands(&self) -> usize {
        self.hands.len()
    }

    /// A card that is served beside what was dealt: it comes out of the shoe, and no later pass has it again.
    pub(crate) fn serves_like(&mut self, card: Card) -> Option<Card> {
        self.shoe.draw_like(card)
    }

    /// Deals one pass, with whatever people and the shoe need before it and the bank after it, into `events`, whose
    /// room is used again. The first event of the first pass is line 2 of the log.
    pub fn next_pass(&mut self, events: &mut Vec<Event>) {
        events.clear();
        std::mem::swap(&mut self.out, events);
        self.hands.clear();
        self.bank.clear();
        self.says_faces = self.chance(50);
        self.mood = match self.rng.random_range(0..100) {
            0..4 => Mood::StandPat,
            4..8 => Mood::Reckless,
            _ => Mood::Usual,
        };
        // a pass cut short has nothing left but to be cleared
        let _ = self.deal_pass();
        self.clear_felt();
        self.emit(Event::End {});
        self.after_pass();
        std::mem::swap(&mut self.out, events);
    }

    fn deal_pass(&mut self) -> Flow {
        self.open_table();
        self.first_card_is_no_cut_card()?;
        self.deliver()?;
        self.play()?;
        self.bank_plays()?;
        self.settle();
        Ok(())
    }

    fn emit(&mut self, event: Event) {
        self.rota.keep_account(&event);
        self.out.push(event);
        self.lines += 1;
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_ratio(percent, 100)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let at = self.rng.random_range(0..all.len().max(1));
        all.get(at).copied()
    }

    /// What now lies on a spot.
    fn put(&mut self, hand: HandId, spot: BetSpot, amount: Cents, player: Option<Name>) {
        self.emit(Event::Bet { hand, spot, amount, player, chips: Vec::new() });
    }

    fn ask(&mut self, hand: usize, about: Question) {
        self.emit(Event::Ask { hand: self.hands[hand].id, about });
    }

    /// The bettor decides; now and then the log says who spoke.
    fn decide(&mut self, hand: usize, choice: Choice) {
        let by = self.chance(30).then(|| self.hands[hand].bettor.clone());
        self.emit(Event::Decide { hand: self.hands[hand].id, choice, by });
    }

    fn announce_total(&mut self, place: Place, total: u8) {
        self.emit(Event::Announce { what: Announcement::Total, place: Some(place), value: Some(total.into()) });
    }

    /// Whether so many cards are left, with those retired where they are shuffled anew in the middle of a pass.
    fn suffices(&self, cards: usize) -> bool {
        self.shoe.left() + if self.by_turn() { self.shoe.retired } else { 0 } >= cards
    }

    /// Draws a card to a place, the cut card before it where it lies there.
    fn draw(&mut self, to: Place, face: Face) -> Flow<Card> {
        self.cut_card_comes_out(to);
        if self.shoe.left() == 0 {
            self.shuffle_the_retired();
        }
        let card = self.shoe.draw().ok_or(CutShort)?;
        let shown = (face == Face::Down || self.says_faces).then_some(face);
        self.emit(Event::Draw { card, to: Some(to), face: shown });
        Ok(card)
    }

    fn cut_card_comes_out(&mut self, to: Place) {
        if self.shoe.cut_card_is_next() {
            self.shoe.cut_card_out = true;
            self.emit(Event::CutCard {});
            self.rota.cut_card_to = self.hands.iter().find(|hand| to == hand.id.into()).map(|hand| hand.bettor.clone());
        }
    }

    fn draw_to_hand(&mut self, hand: usize, face: Face) -> Flow {
        let card = self.draw(self.hands[hand].id.into(), face)?;
        let hand = &mut self.hands[hand];
        hand.cards.push(card);
        hand.covered = face == Face::Down;
        if hand.cards.len() == 2 && hand.insurance > 0 && hand.insured_card.is_none() {
            hand.insured_card = Some(card);
        }
        Ok(())
    }

    fn draw_to_bank(&mut self, face: Face) -> Flow {
        let card = self.draw(Place::Bank, face)?;
        self.bank.push(card);
        Ok(())
    }

    /// Where the players bank by turn, a play whose first card is the cut card does not begin.
    fn first_card_is_no_cut_card(&mut self) -> Flow {
        if !self.by_turn() || !self.shoe.cut_card_is_next() {
            return Ok(());
        }
        self.cut_card_comes_out(self.hands[0].id.into());
        if self.chance(50) {
            for hand in std::mem::take(&mut self.hands) {
                self.put(hand.id, BetSpot::Main, 0, None);
            }
        } else {
            self.hands.clear();
        }
        Err(CutShort)
    }
}

#[cfg(test)]
mod tests;
