//! Between passes and while bets are made.

use super::*;

impl Sala8<'_> {
    pub(in super::super) fn break_between_passes(&mut self) -> Flow {
        let armed = self.armed;
        match armed {
            // not with the cut card, which would be another breach
            Some(kind @ kinds::C5_IDLE) if !self.shoe.cut_card_is_next() && self.takes(kind) => {
                let boxes = self.header.boxes;
                let box_no = self.rng.random_range(1..=boxes);
                self.unremedied = false;
                self.undue_card(kind, HandId::first(box_no).into())?;
            }
            Some(kind @ (kinds::C19_SHUFFLE | kinds::C19_CHIEF)) if self.takes(kind) => {
                if kind == kinds::C19_CHIEF {
                    self.authorize(Permit::DeckChange, Authority::TableChief);
                }
                self.authorize(Permit::Shuffle, Authority::Inspector);
                let decks = u32::from(self.shoe.decks());
                self.emit(Event::Shuffle { decks, cards: decks * DECK as u32 });
                self.found(kind, None);
            }
            Some(kind @ kinds::C19_LOAD) if self.takes(kind) => {
                if let Some(by) = self.seated_player(None) {
                    self.emit(Event::Cut { depth: 150, by });
                }
                let decks = self.shoe.decks();
                let cards = usize::from(decks) * DECK;
                let behind = 52.clamp(self.book.behind.0, self.book.behind.1);
                self.emit(Event::Load { cards: cards as u32, cut_card: behind as u32 });
                self.found(kind, None);
                self.load_shoe(decks, cards, behind);
            }
            _ => {}
        }
        Ok(())
    }

    pub(in super::super) fn break_bets(&mut self) {
        let armed = self.armed;
        match armed {
            Some(kind @ (kinds::D2_UNDER | kinds::D2_OVER)) => self.bet_out_of_limits(kind),
            Some(kind @ kinds::D3_STANDING) => {
                if let Some(box_no) = self.empty_box().filter(|_| self.takes(kind)) {
                    let (player, stake) = (self.somebody(), self.stake());
                    self.undue_chips(kind, HandId::first(box_no), BetSpot::Main, stake, Some(player));
                }
            }
            Some(kind @ kinds::D3_OTHER) => self.bet_added_by_another(kind),
            Some(kind @ (kinds::C2_LATER | kinds::C2_AT_ONCE)) => self.bet_before_priority(kind),
            _ => {}
        }
    }

    fn bet_out_of_limits(&mut self, kind: Kind) {
        let hand = self.any_hand();
        let Limits { min, max } = self.header.limits;
        let steps = self.rng.random_range(1..4) * STEP;
        let amount = if kind == kinds::D2_UNDER { min.saturating_sub(steps) } else { max + steps };
        let id = self.hands[hand].id;
        let bettor = self.hands[hand].bettor.clone();
        if amount > 0 && self.takes(kind) {
            self.put(id, BetSpot::Main, amount, Some(bettor));
            self.at_close.push((kind, Some(id.into())));
        }
    }

    fn bet_added_by_another(&mut self, kind: Kind) {
        let hand = self.any_hand();
        let Hand { id, stake, ref bettor, .. } = self.hands[hand];
        let bettor = bettor.clone();
        let Some(other) = self.seated_player(Some(&bettor)).filter(|_| self.takes(kind)) else { return };
        self.put(id, BetSpot::Main, stake + STEP, Some(other));
        let row = self.found(kind, Some(id.into()));
        if self.unremedied {
            self.left_open(row);
        } else {
            self.put(id, BetSpot::Main, stake, None);
            self.cleared(row);
        }
    }

    /// Who has no priority bets first.
    fn bet_before_priority(&mut self, kind: Kind) {
        let seated: Vec<Name> = self.seats.iter().flatten().cloned().collect();
        let [first, .., other] = seated.as_slice() else { return };
        let Some(box_no) = self.empty_box().filter(|_| self.takes(kind)) else { return };
        let hand = HandId::first(box_no);
        if kind == kinds::C2_AT_ONCE {
            let now = self.moment();
            self.request(hand, other.clone(), now);
            self.request(hand, first.clone(), now);
        } else {
            self.request(hand, first.clone(), None);
            if self.chance(50) {
                self.request(hand, other.clone(), None);
            }
        }
        let stake = self.stake();
        self.undue_chips(kind, hand, BetSpot::Main, stake, Some(other.clone()));
        if !self.unremedied && self.chance(70) {
            let stake = self.stake();
            self.put(hand, BetSpot::Main, stake, Some(first.clone()));
            self.hands.push(Hand::new(box_no, first.clone(), stake));
            self.hands.sort_by_key(|hand| hand.id);
        }
    }

    pub(in super::super) fn break_at_close(&mut self) {
        let two = self.hands.len() == 2;
        for kind in [kinds::D1_PLAYERS, kinds::D7_LATE] {
            if self.takes(kind) {
                self.at_close.push((kind, None));
            }
        }
        if two && self.takes(kinds::D1_BETS) {
            self.at_close.push((kinds::D1_BETS, None));
        }
        for (kind, place) in std::mem::take(&mut self.at_close) {
            let row = self.found(kind, place);
            if let Some(Place::Hand(id)) = place {
                self.returns(row, id, BetSpot::Main);
                self.hands.retain(|hand| hand.id != id);
            }
        }
        if self.takes(kinds::C17) {
            let hand = self.any_hand();
            let place = Some(self.hands[hand].id.into());
            self.report(Some("C17"), place, "bets between two players");
            self.found(kinds::C17, place);
        }
        if self.takes(kinds::C20) {
            self.report(None, None, "a glass fell over the layout");
            self.room_rules_on(kinds::C20, None);
        }
    }
}
