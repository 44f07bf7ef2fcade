//! How the shared acts are done: one function a point of the pass, in the files of its parts.
//!
//! A break is minimal: the flow goes on as if it had not been, once its remedy is carried out or left out.

mod choices;
mod deal;
mod money;
mod opening;
mod play;

use super::*;

/// What the room may decide on a card that lies where it should not, while its hand is played.
const ANY_RULING: &[Ruling] =
    &[Ruling::Resume, Ruling::Resume, Ruling::Resume, Ruling::Stands, Ruling::Stands, Ruling::Void, Ruling::Lose];
/// The same where the hand has all the cards it may have.
const NOT_TO_COUNT: &[Ruling] = &[Ruling::Resume, Ruling::Resume, Ruling::Void];
/// The same where no bet is concerned.
const ON_THE_BANK: &[Ruling] = &[Ruling::Resume, Ruling::Stands];

/// Whether a place is in the box of a hand.
fn lies_in(place: Place, hand: &Hand) -> bool {
    matches!(place, Place::Hand(id) if id.box_no == hand.id.box_no)
}

impl Open<'_> {
    /// The kind of this house that an act is; a break may have another one in its train.
    pub(in super::super) fn kind_of(&self, act: Act) -> Option<Kind> {
        self.settings.house.kinds.iter().copied().find(|kind| kind.plan().act == act)
    }

    /// A finding another break has in its train.
    pub(in super::super) fn also_found(&mut self, act: Act, place: Place) {
        if let Some(kind) = self.kind_of(act) {
            self.found(kind, Some(place));
        }
    }

    /// A card nobody is due, to a place, and what becomes of it; what the room may decide where it is asked.
    pub(in super::super) fn undue_card(&mut self, kind: Kind, to: Place, rulings: &[Ruling]) -> Flow {
        let card = self.draw(to, Face::Up)?;
        let row = self.found(kind, Some(to));
        let remedy = kind.plan().remedy;
        match remedy {
            Remedy::None | Remedy::Serve => self.lies_astray(to),
            _ if self.unremedied => {
                self.left_open(row);
                self.lies_astray(to);
                self.not_put_back = (remedy == Remedy::PutBack).then_some(row);
            }
            Remedy::Burn => {
                self.take_cards(to, Place::Burn, Some(1));
                self.cleared(row);
            }
            Remedy::PutBack => {
                self.take_cards(to, Place::Shoe, Some(1));
                self.shoe.put_back(card);
                self.cleared(row);
            }
            Remedy::Rule | Remedy::Return => {
                let decision = rulings[self.rng.random_range(0..rulings.len())];
                // it would be about every hand of the box
                let decision = if self.has_settled_hand(to) { Ruling::Resume } else { decision };
                self.rules(decision);
                self.cleared(row);
                self.card_was_ruled_on(card, to, decision);
            }
        }
        Ok(())
    }

    fn lies_astray(&mut self, to: Place) {
        match self.hand_at(to) {
            Some(hand) => self.hands[hand].stray += 1,
            None => self.bank_stray += usize::from(to == Place::Bank),
        }
    }

    pub(in super::super) fn hand_at(&self, place: Place) -> Option<usize> {
        self.hands.iter().position(|hand| Place::Hand(hand.id) == place)
    }

    /// The room has spoken on a card: it counts, or not; the bet is void, or lost.
    fn card_was_ruled_on(&mut self, card: Card, to: Place, decision: Ruling) {
        if decision == Ruling::Stands {
            match self.hand_at(to) {
                Some(hand) => self.hands[hand].cards.push(card),
                None => self.bank.push(card),
            }
            return;
        }
        self.lies_astray(to);
        for hand in self.table.hands.iter_mut().filter(|hand| lies_in(to, hand)) {
            hand.void |= decision == Ruling::Void;
            hand.forfeit |= decision == Ruling::Lose;
            hand.done |= decision == Ruling::Lose;
        }
    }

    /// Whether a hand of a split box was settled already, or is over.
    fn has_settled_hand(&self, place: Place) -> bool {
        let decided = |hand: &Hand| hand.split && (hand.settled || hand.is_over());
        self.hands.iter().any(|hand| lies_in(place, hand) && decided(hand))
    }

    /// Something found that has no card in it, and what has to be done about it.
    pub(in super::super) fn noticed(&mut self, kind: Kind, place: Option<Place>) {
        if kind.plan().remedy == Remedy::Rule {
            self.room_rules_on(kind, place);
        } else {
            self.found(kind, place);
        }
    }

    /// A bet changed when that is no longer allowed, and often put back.
    fn change_bet(&mut self) {
        let Some(kind) = self.commits_one(&[Act::Raised, Act::Lowered, Act::Removed]) else { return };
        let Some(hand) = self.hands.iter().position(|hand| !hand.split && !hand.void && !hand.settled) else { return };
        let Hand { id, stake, .. } = self.hands[hand];
        let unit = self.settings.house.unit;
        let amount = match kind.plan().act {
            Act::Raised => stake + unit,
            Act::Lowered => stake - unit,
            _ => 0,
        };
        self.put(id, BetSpot::Main, amount, None);
        let row = self.found(kind, Some(id.into()));
        if kind.plan().remedy == Remedy::Return {
            if self.unremedied {
                self.left_open(row);
                return;
            }
            self.put(id, BetSpot::Main, stake, None);
            self.cleared(row);
        } else if self.settings.seen_by_devices || self.chance(50) {
            self.put(id, BetSpot::Main, stake, None);
        }
    }

    /// Chips on a box without a bet when bets are closed.
    fn bet_late(&mut self, act: Act) {
        if self.intends(act).is_none() {
            return;
        }
        let Some(box_no) = self.empty_box() else { return };
        let player = match &self.seats[usize::from(box_no) - 1] {
            Some(player) => Some(player.clone()),
            None => self.seated_player(None),
        };
        if let Some(kind) = player.as_ref().and_then(|_| self.commits(act)) {
            let stake = self.stake();
            self.undue_chips(kind, HandId::first(box_no), BetSpot::Main, stake, player);
        }
    }
}
