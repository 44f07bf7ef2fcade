//! Between passes and while bets are made.

use super::*;

impl Croupier {
    pub(in super::super) fn break_between_passes(&mut self) -> Flow {
        let armed = self.armed;
        match armed {
            // not with the cut card, which would be another breach
            Some(kind @ Kind::C5Idle) if !self.shoe.cut_card_is_next() && self.takes(kind) => {
                let box_no = self.rng.random_range(1..=self.header.boxes);
                self.unremedied = false;
                self.undue_card(kind, HandId::first(box_no).into())?;
            }
            Some(kind @ (Kind::C19Shuffle | Kind::C19Chief)) if self.takes(kind) => {
                if kind == Kind::C19Chief {
                    self.authorize(Permit::DeckChange, Authority::TableChief);
                }
                self.authorize(Permit::Shuffle, Authority::Inspector);
                let decks = u32::from(self.shoe.decks());
                self.emit(Event::Shuffle { decks, cards: decks * DECK as u32 });
                self.found(kind, None);
            }
            Some(kind @ Kind::C19Load) if self.takes(kind) => {
                if let Some(by) = self.seated_player(None) {
                    self.emit(Event::Cut { depth: 150, by });
                }
                let decks = self.shoe.decks();
                let cards = usize::from(decks) * DECK;
                self.emit(Event::Load { cards: cards as u32, cut_card: 52 });
                self.found(kind, None);
                self.shoe.load(&mut self.rng, decks, cards, 52);
            }
            _ => {}
        }
        Ok(())
    }

    pub(in super::super) fn break_bets(&mut self) {
        let armed = self.armed;
        match armed {
            Some(kind @ (Kind::D2Under | Kind::D2Over)) => self.bet_out_of_limits(kind),
            Some(kind @ Kind::D3Standing) => {
                if let Some(box_no) = self.empty_box().filter(|_| self.takes(kind)) {
                    let (player, stake) = (self.somebody(), self.stake());
                    self.undue_chips(kind, HandId::first(box_no), BetSpot::Main, stake, Some(player));
                }
            }
            Some(kind @ Kind::D3Other) => self.bet_added_by_another(kind),
            Some(kind @ (Kind::C2Later | Kind::C2AtOnce)) => self.bet_before_priority(kind),
            _ => {}
        }
    }

    fn bet_out_of_limits(&mut self, kind: Kind) {
        let hand = self.any_hand();
        let Limits { min, max } = self.header.limits;
        let steps = self.rng.random_range(1..4) * STEP;
        let amount = if kind == Kind::D2Under { min.saturating_sub(steps) } else { max + steps };
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
        if kind == Kind::C2AtOnce {
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
        for kind in [Kind::D1Players, Kind::D7Late] {
            if self.takes(kind) {
                self.at_close.push((kind, None));
            }
        }
        if two && self.takes(Kind::D1Bets) {
            self.at_close.push((Kind::D1Bets, None));
        }
        for (kind, place) in std::mem::take(&mut self.at_close) {
            let row = self.found(kind, place);
            if let Some(Place::Hand(id)) = place {
                self.returns(row, id, BetSpot::Main);
                self.hands.retain(|hand| hand.id != id);
            }
        }
        if self.takes(Kind::C17) {
            let hand = self.any_hand();
            let place = Some(self.hands[hand].id.into());
            self.report(Some("C17"), place, "bets between two players");
            self.found(Kind::C17, place);
        }
        if self.takes(Kind::C20) {
            self.report(None, None, "a glass fell over the layout");
            self.room_rules_on(Kind::C20, None);
        }
    }

    fn report(&mut self, provision: Option<&'static str>, place: Option<Place>, note: &'static str) {
        self.emit(Event::Report {
            by: "I-4".into(),
            role: Authority::Inspector,
            provision: provision.map(Name::new_static),
            place,
            note: Name::new_static(note),
        });
    }
}
