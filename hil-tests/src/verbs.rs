//! What happens at the table: each verb moves the sensors that would see it, and waits until the record holds it.

use std::time::Duration;

use sabot_drivers::transport::Faults;
use sabot_wire::message::{
    Authority, BetSpot, Card, Chip, ChipsSaw, Choice, Face, HandId, KeypadSaid, Observation, Permit, Place, Question,
    Role, ShoeSaw, ShufflerSaw, ToDevice,
};

use crate::bench::Bench;
use crate::{eavesdrop, eventually, must};

/// How long a quick hand takes from the shoe to the felt, or back.
const HAND: Duration = Duration::from_millis(350);

/// Where a card is laid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The first hand of a box, from 1.
    Box(u8),
    /// The bank.
    Bank,
}

impl From<Spot> for Place {
    fn from(spot: Spot) -> Self {
        match spot {
            Spot::Box(box_no) => Self::Hand(HandId::first(box_no)),
            Spot::Bank => Self::Bank,
        }
    }
}

/// A card on its way; say where it goes.
#[must_use = "a card goes somewhere: `.to(…)`"]
pub struct Deal<'a> {
    rig: &'a Bench,
    card: Card,
    face: Face,
}

impl Deal<'_> {
    /// Covered.
    pub fn down(self) -> Self {
        Self { face: Face::Down, ..self }
    }

    /// The card is drawn and laid there.
    pub fn to(self, spot: Spot) {
        let rig = self.rig;
        self.unwatched(spot);
        rig.settle();
    }

    /// The same, and nobody waits for the record.
    pub fn unwatched(self, spot: Spot) {
        self.drawn();
        self.laid(spot);
    }

    /// The same at a dealer's pace: a card is on its way that long after its head has read it, however long an emulated
    /// board takes for that.
    pub fn by_hand(self, spot: Spot) {
        self.drawn();
        self.rig.wait_for_the_shoe();
        std::thread::sleep(HAND);
        self.laid(spot);
        std::thread::sleep(HAND);
    }

    /// The card is drawn at that pace, and laid where no antenna sees it; nobody waits for the record.
    pub fn unseen(self) {
        self.drawn();
        self.rig.wait_for_the_shoe();
        std::thread::sleep(2 * HAND);
    }

    fn drawn(&self) {
        self.rig.saw(Observation::Shoe(ShoeSaw::Drawn(self.card)));
    }

    fn laid(&self, spot: Spot) {
        if self.rig.places {
            self.rig.wait_for_the_shoe();
            self.rig.saw(Observation::Chips(ChipsSaw::CardArrived { place: spot.into(), face: Some(self.face) }));
        }
    }
}

impl Bench {
    /// A card leaves the shoe, uncovered unless [`Deal::down`]. `"??"` is one that its reader could not read.
    ///
    /// # Panics
    /// When the text names no card.
    pub fn deal(&self, card: &str) -> Deal<'_> {
        let card: Card = must("a card of the script", card.parse());
        Deal { rig: self, card, face: Face::Up }
    }

    /// Authorised, shuffled, cut and loaded: a new shoe of eight decks.
    pub fn open_the_shoe(&self) {
        self.says(KeypadSaid::Authorize { badge: 4, role: Authority::Inspector, what: Permit::Shuffle });
        self.saw(Observation::Shuffler(ShufflerSaw::Done { decks: 8, cards: 416 }));
        self.settle();
        self.says(KeypadSaid::Cut { depth: 150, player: 1 });
        self.saw(Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 }));
        self.settle();
    }

    /// Players 1, 2 … sit down at the seats of these boxes and bet so many cents each.
    pub fn seat_and_bet(&self, boxes: &[u8], amount: u32) {
        for &box_no in boxes {
            self.says(KeypadSaid::Seat { seat: box_no, player: box_no.into() });
        }
        self.bets(boxes, amount);
    }

    /// Who sits there bets on each of these boxes.
    pub fn bets(&self, boxes: &[u8], amount: u32) {
        for &box_no in boxes {
            self.says(KeypadSaid::Bettor { box_no, player: box_no.into() });
            self.bet(box_no, amount);
        }
    }

    /// So many cents lie on a box's main spot, in one new chip; 0: the spot is empty.
    pub fn bet(&self, box_no: u8, amount: u32) {
        self.lay(box_no, BetSpot::Main, amount);
    }

    /// The same on any spot of a box.
    pub fn lay(&self, box_no: u8, spot: BetSpot, amount: u32) {
        let mut chips = heapless::Vec::new();
        if amount > 0 {
            let mut notes = self.notes();
            notes.chips += 1;
            // one chip always fits
            let _ = chips.push(Chip { uid: 0xE004_0100_0000_0000 + notes.chips, value: amount });
        }
        self.saw(Observation::Chips(ChipsSaw::Spot { box_no, hand: 0, spot, chips }));
        self.settle();
    }

    /// "No more bets".
    pub fn close_bets(&self) {
        self.says(KeypadSaid::CloseBets);
    }

    /// The dealer asks a box.
    pub fn ask(&self, box_no: u8, about: Question) {
        self.says(KeypadSaid::Ask { box_no, hand: 0, about });
    }

    /// A box decides.
    pub fn decide(&self, box_no: u8, choice: Choice) {
        self.says(KeypadSaid::Decide { box_no, hand: 0, choice, by: None });
    }

    /// The bank's covered card is turned up.
    pub fn reveal_bank(&self) {
        self.reveal(Spot::Bank);
    }

    /// A covered card is turned up.
    pub fn reveal(&self, at: Spot) {
        self.tagged(ChipsSaw::CardTurned { place: at.into() });
    }

    /// The last so many cards of a place are burned.
    pub fn burn(&self, from: Spot, cards: u8) {
        let moved = ChipsSaw::CardsMoved { from: from.into(), to: Place::Burn, cards: Some(cards) };
        self.tagged(moved);
    }

    /// All cards of a place go to the discard tray.
    pub fn clear(&self, from: Spot) {
        let moved = ChipsSaw::CardsMoved { from: from.into(), to: Place::Discard, cards: None };
        self.tagged(moved);
    }

    /// The pass is over.
    pub fn end_pass(&self) {
        self.says(KeypadSaid::EndPass);
    }

    /// The dealer enters something on the keypad.
    pub fn says(&self, said: KeypadSaid) {
        self.saw(Observation::Keypad(said));
        self.settle();
    }

    /// The antennas for tagged cards see this, where the chip reader has them; else nobody sees it.
    fn tagged(&self, saw: ChipsSaw) {
        if self.tags {
            self.saw(Observation::Chips(saw));
            self.settle();
        }
    }

    /// The sensors see this, and nobody waits for the record.
    pub fn saw(&self, saw: Observation) {
        let role = sabot_simulation::twin::role_of(&saw);
        *self.notes().seen.entry(role).or_default() += 1;
        self.device(role).see(&saw);
    }

    /// A board's head takes its time, and what a twin sees comes at once: the card is on its way before it lies there,
    /// as at a table. What is away is not waited for.
    pub(crate) fn wait_for_the_shoe(&self) {
        let there = self.station_runs() && !self.notes().away.contains(&Role::Shoe);
        if self.bench_file.kind(Role::Shoe).is_twin() || !there {
            return;
        }
        let seen = self.seen(Role::Shoe);
        eventually("the shoe tells of the card", || self.told_on_its_line(Role::Shoe).is_none_or(|told| told >= seen));
    }

    /// Pulls a device's cable. Until it is plugged again no verb waits for the record.
    pub fn unplug(&self, role: Role) {
        self.notes().away.insert(role);
        match self.lines.get(&role) {
            Some(line) => line.pull(),
            None => self.device(role).plugged(false),
        }
    }

    /// Plugs a device's cable again.
    pub fn plug(&self, role: Role) {
        self.notes().away.remove(&role);
        match self.lines.get(&role) {
            Some(line) => line.plug(),
            None => self.device(role).plugged(true),
        }
    }

    /// Takes a device's power away and gives it back, or presses its reset button: only what it keeps is left, its ring
    /// with it.
    pub fn restart(&self, role: Role) {
        self.device(role).restart();
    }

    /// What the cables' faults have changed so far.
    #[must_use]
    pub fn damage(&self) -> u64 {
        self.lines.values().map(crate::cable::Cable::damage).sum()
    }

    /// Every message that the station has sent to a device, for who holds its key.
    ///
    /// # Panics
    /// When the bench has no cables: see [`Setup::cables`](crate::Setup).
    #[must_use]
    pub fn said_to(&self, role: Role) -> Vec<ToDevice> {
        match self.lines.get(&role) {
            // what was asked is read first: every answer to it has then come as well
            Some(line) => {
                let outward = line.outward();
                eavesdrop::said_to_device(&self.key(role), role, &line.inward(), &outward)
            }
            None => panic!("no cable to listen on; start the bench with `cables: Some({:?})`", Faults::NONE),
        }
    }

    /// Puts bytes on a device's line towards the station.
    ///
    /// # Panics
    /// When the bench has no cables: see [`Setup::cables`](crate::Setup).
    pub fn make_noise(&self, role: Role, bytes: &[u8]) {
        match self.lines.get(&role) {
            Some(line) => line.make_noise(bytes),
            None => panic!("no cable to put noise on; start the bench with `cables: Some({:?})`", Faults::NONE),
        }
    }
}
