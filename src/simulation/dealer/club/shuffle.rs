//! The cards: who banks shuffles and offers the cut; the cut card lies three cards a participant from the end; cards
//! that run out in a play are those retired, shuffled anew.

use rand::RngExt;

use super::*;

const TWO_DECKS: u32 = 2 * DECK as u32;

impl Open<'_> {
    /// A shuffle wherever the cut card has come out, and the bank passes on by it.
    pub(super) fn prepare_shoe(&mut self) {
        if !self.needs_shoe() {
            return;
        }
        if self.takes(kinds::G17_OLD_SHOE) {
            self.at_close.push((kinds::G17_OLD_SHOE, None));
            return;
        }
        self.bank_passes_on();
        self.break_decks_shuffled();
        self.emit(Event::Shuffle { decks: 2, cards: TWO_DECKS });
        let is_cut = self.offers_and_cuts(TWO_DECKS);
        let participants = self.seated();
        let mut behind = 3 * participants;
        let odd_cut_card = self.takes(kinds::A3_CUT_CARD);
        if odd_cut_card {
            behind = if self.chance(50) { behind + self.rng.random_range(1..9) } else { behind - 1 };
        }
        let odd_decks = self.takes_one(&[kinds::G1_LOAD, kinds::A2_LOAD]);
        let decks = match odd_decks {
            Some(kinds::G1_LOAD) => 1,
            Some(_) => 3,
            None => 2,
        };
        let cards = decks * DECK as u32;
        self.emit(Event::Load { cards, cut_card: behind as u32 });
        self.load_shoe(decks.max(2) as u8, cards as usize, behind);
        if odd_cut_card {
            self.found(kinds::A3_CUT_CARD, None);
        }
        if !is_cut {
            self.found(kinds::G17_NO_CUT, None);
        }
        if let Some(kind) = odd_decks {
            self.room_rules_on(kind, None);
        }
    }

    /// The bank passes on counter-clockwise; whoever of a new session may begin where the last banker has gone.
    fn bank_passes_on(&mut self) {
        if std::mem::take(&mut self.rota.turned) {
            return;
        }
        // a session may begin with anybody
        let last = self.rota.banker.clone().filter(|_| !self.rota.banked.is_empty() || self.chance(50));
        let next = last.and_then(|banker| self.next_banker(&banker));
        let Some(next) = next.or_else(|| self.seated_player(None)) else { return };
        if !self.rota.banked.is_empty() {
            if self.takes(kinds::A4_SAME) {
                self.at_close.push((kinds::A4_SAME, None));
                return;
            }
            if let Some(other) = self.another_who_may_bank(&next).filter(|_| self.takes(kinds::A4_TURN)) {
                self.turn_passes_to(other);
                self.found(kinds::A4_TURN, None);
                return;
            }
        }
        self.turn_passes_to(next);
    }

    /// A participant later in the round than whose turn it is.
    pub(super) fn another_who_may_bank(&self, due: &Name) -> Option<Name> {
        self.next_banker(due).filter(|other| !self.rota.banked.contains(other))
    }

    /// At the banker's left: the lowest seat that is not his own.
    fn at_bankers_left(&self) -> Option<Name> {
        self.bettors().pop()
    }

    /// To whom the cut is offered first: to who was to get the cut card, where he still sits and does not bank.
    fn cuts_first(&self) -> Option<Name> {
        let drew = self.rota.cut_card_to.clone().filter(|player| self.bettors().contains(player));
        drew.or_else(|| self.at_bankers_left())
    }

    /// The cut is offered, and once more where the first declines; whether anybody cut.
    fn offers_and_cuts(&mut self, cards: u32) -> bool {
        let (Some(first), Some(left)) = (self.cuts_first(), self.at_bankers_left()) else { return true };
        let other_than = |table: &mut Self, those: &[&Name]| {
            let others: Vec<Name> = table.bettors().into_iter().filter(|player| !those.contains(&player)).collect();
            let from = table.rng.random_range(0..others.len().max(1));
            others.get(from).cloned()
        };
        let mut offered = first.clone();
        let astray = self.takes(kinds::G17_FIRST);
        if astray {
            offered = other_than(self, &[&first]).unwrap_or(first.clone());
        }
        self.emit(Event::OfferCut { player: offered.clone() });
        if astray {
            self.found(kinds::G17_FIRST, None);
        } else if first != left
            && let Some(other) = other_than(self, &[&first, &left])
            && self.takes(kinds::G17_SECOND)
        {
            offered = other;
            self.emit(Event::OfferCut { player: offered.clone() });
            self.found(kinds::G17_SECOND, None);
        } else if first != left && self.chance(15) {
            offered = left;
            self.emit(Event::OfferCut { player: offered.clone() });
        }
        if self.takes(kinds::G17_NO_CUT) {
            return false;
        }
        let depth = self.rng.random_range(1..cards.max(2));
        let stranger = other_than(self, &[&first, &offered]).filter(|_| self.takes(kinds::G17_CUT_BY));
        let by = stranger.clone().unwrap_or(offered);
        self.emit(Event::Cut { depth, by });
        if stranger.is_some() {
            self.found(kinds::G17_CUT_BY, None);
        }
        true
    }

    /// The cut card came where a card was due.
    pub(super) fn cut_card_was_for(&mut self, place: Place) {
        let bettor = self.hand_at(place).map(|hand| self.hands[hand].bettor.clone());
        self.rota.cut_card_to = bettor;
        self.rota.turned = false;
    }

    /// No card is left for the play: those retired are shuffled and cut, and it goes on.
    pub(super) fn shuffle_the_retired(&mut self) -> Flow {
        self.emit(Event::Device { device: "shoe".into(), status: "empty".into(), detail: None, complete: false });
        let dealt = self.bank.len() == 1 && self.hands.iter().all(|hand| hand.cards.len() > 1);
        if dealt && self.armed == Some(kinds::G21_UNFINISHED) {
            self.does(kinds::G21_UNFINISHED);
            self.at_end.push((kinds::G21_UNFINISHED, None));
            return Err(self.break_off());
        }
        if self.armed == Some(kinds::G21_UNSHUFFLED) {
            self.does(kinds::G21_UNSHUFFLED);
            self.load_retired();
            self.found(kinds::G21_UNSHUFFLED, None);
            self.found(kinds::G17_NO_CUT, None);
            return Ok(());
        }
        let miscounted = self.armed == Some(kinds::G21_COUNT);
        if miscounted {
            self.does(kinds::G21_COUNT);
            self.shoe.retired -= 1;
        }
        self.shuffle_retired(miscounted.then_some(kinds::G21_COUNT));
        Ok(())
    }

    /// Shuffle, cut and load of the cards retired; what the shuffle breaks.
    pub(super) fn shuffle_retired(&mut self, kind: Option<Kind>) {
        let cards = self.shoe.retired as u32;
        self.emit(Event::Shuffle { decks: 2, cards });
        if let Some(kind) = kind {
            self.found(kind, None);
        }
        self.offers_and_cuts(cards);
        self.load_retired();
    }

    fn load_retired(&mut self) {
        self.rota.turned = false;
        let cards = self.shoe.retired as u32;
        self.emit(Event::Load { cards, cut_card: 0 });
        let felt: Vec<Card> = self.hands.iter().flat_map(|hand| &hand.cards).chain(&self.bank).copied().collect();
        self.refill_shoe(felt);
    }
}
