//! What any dealer does at the table, one event each.

use super::*;
use sabot_law::table::event::{Choice, Ruling};

impl SimulatedDealer {
    pub(super) fn emit(&mut self, event: Event) -> LineNo {
        self.rota.keep_account(&event);
        self.out.push(event);
        self.line += 1;
        self.line
    }

    /// What now lies on a spot.
    pub(super) fn put(&mut self, hand: HandId, spot: BetSpot, amount: Cents, player: Option<Name>) {
        self.emit(Event::Bet { hand, spot, amount, player, chips: Vec::new() });
    }

    pub(super) fn authorize(&mut self, what: Permit, role: Authority) {
        let by = match role {
            Authority::Inspector => "I-4",
            Authority::TableChief => "I-2",
            Authority::Room => "I-1",
        };
        self.emit(Event::Authorize { by: by.into(), role, what });
    }

    /// Cards are taken from a place; `None` takes all.
    pub(super) fn take_cards(&mut self, from: Place, to: Place, cards: Option<usize>) {
        self.emit(Event::Move { from, to, cards: cards.map(Moved::Count) });
    }

    pub(super) fn announce_total(&mut self, place: Place, total: u8) {
        self.emit(Event::Announce { what: Announcement::Total, place: Some(place), value: Some(total.into()) });
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_ratio(percent, 100)
    }

    pub(super) fn seated(&self) -> usize {
        self.seats.iter().flatten().count()
    }

    /// A hand's place in the deal, at random.
    pub(super) fn any_hand(&mut self) -> usize {
        self.rng.random_range(0..self.hands.len().max(1))
    }

    /// The cut card comes out where it lies before the next card; whether it did.
    pub(super) fn cut_card_comes_out(&mut self) -> bool {
        let comes = self.shoe.cut_card_is_next();
        if comes {
            self.shoe.cut_card_out = true;
            self.emit(Event::CutCard {});
        }
        comes
    }

    /// A shoe of so many decks, the first `cards` of them put in, `behind` of those behind the cut card.
    pub(super) fn load_shoe(&mut self, decks: u8, cards: usize, behind: usize) {
        self.shoe.load(&mut self.rng, decks, cards, behind);
    }

    /// The cards retired are in the shoe again, but for those on the felt.
    pub(super) fn refill_shoe(&mut self, felt: Vec<Card>) {
        self.shoe.refill(&mut self.rng, felt.into_iter());
    }

    /// What leaves the shoe next; `None` when it is empty.
    pub(super) fn next_card(&mut self) -> Option<Card> {
        // asked of every card, so that one seed deals the same cards whatever is broken
        let exhausted = self.shoe.exhausted(&mut self.rng);
        let wanted = self.armed.is_some_and(|kind| kind.plan().when == When::Exhausted);
        match exhausted.filter(|_| wanted && !self.shoe.put_back && !self.next_card_matters()) {
            Some(card) => {
                self.shoe.count(card);
                Some(card)
            }
            None => self.shoe.draw(),
        }
    }

    /// A drawn card is laid down.
    pub(super) fn lay(&mut self, card: Card, to: Place, face: Face) {
        let shown = (face == Face::Down || self.says_faces).then_some(face);
        self.emit(Event::Draw { card, to: Some(to), face: shown });
    }

    /// The bettor decides; now and then the log says who spoke.
    pub(super) fn decide(&mut self, hand: usize, choice: Choice) {
        let by = self.chance(30).then(|| self.hands[hand].bettor.clone());
        self.emit(Event::Decide { hand: self.hands[hand].id, choice, by });
    }

    /// Somebody else than the bettor of a hand says what to do with it.
    pub(super) fn decided_by_another(&mut self, hand: usize, choice: Choice) -> bool {
        let bettor = self.hands[hand].bettor.clone();
        let Some(other) = self.seated_player(Some(&bettor)) else { return false };
        self.emit(Event::Decide { hand: self.hands[hand].id, choice, by: Some(other) });
        true
    }

    /// Chips that do not belong on a spot, and their return.
    pub(super) fn undue_chips(&mut self, kind: Kind, hand: HandId, spot: BetSpot, amount: Cents, player: Option<Name>) {
        self.put(hand, spot, amount, player);
        let row = self.found(kind, Some(hand.into()));
        self.returns(row, hand, spot);
    }

    /// What does not belong on a spot goes back.
    pub(super) fn returns(&mut self, row: usize, hand: HandId, spot: BetSpot) {
        self.returns_but(row, hand, spot, 0);
    }

    /// The same, but for what belongs there.
    pub(super) fn returns_but(&mut self, row: usize, hand: HandId, spot: BetSpot, but: Cents) {
        if self.unremedied {
            self.left_open(row);
        } else {
            self.put(hand, spot, but, None);
            self.cleared(row);
        }
    }

    /// A finding that the room decides on.
    pub(super) fn room_rules_on(&mut self, kind: Kind, place: Option<Place>) {
        let row = self.found(kind, place);
        if self.unremedied {
            self.left_open(row);
        } else {
            self.rules(Ruling::Stands);
            self.cleared(row);
        }
    }

    /// The room decides on what waits for it.
    pub(super) fn rules(&mut self, decision: Ruling) {
        self.emit(Event::Rule { by: "I-1".into(), role: "room".into(), decision, finding: None });
    }

    pub(super) fn report(&mut self, provision: Option<&'static str>, place: Option<Place>, note: &'static str) {
        self.emit(Event::Report {
            by: "I-4".into(),
            role: "inspector".into(),
            provision: provision.map(Name::new_static),
            place,
            note: Name::new_static(note),
        });
    }
}
