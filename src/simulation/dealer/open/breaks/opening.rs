//! Between passes and while bets are made.

use super::*;

impl Open<'_> {
    pub(in super::super) fn break_before_bets(&mut self) -> Flow {
        let Some(kind) = self.armed else { return Ok(()) };
        match kind.plan().act {
            Act::SeatBeyond | Act::SeatEighth if self.takes(kind) => {
                let (seat, player) = (8, self.somebody());
                self.emit(Event::Seat { seat, player: player.clone() });
                self.noticed(kind, None);
                self.emit(Event::Leave { seat, player });
            }
            // not with the cut card, which may be another breach
            Act::CardWithoutBets if !self.shoe.cut_card_is_next() && self.takes(kind) => {
                let boxes = self.header.boxes;
                let place = HandId::first(self.rng.random_range(1..=boxes)).into();
                self.unremedied = false;
                self.undue_card(kind, place, &[Ruling::Resume])?;
                if kind.plan().remedy == Remedy::Rule {
                    self.take_cards(place, Place::Discard, None);
                }
            }
            Act::EndWithoutPass if self.takes(kind) => {
                self.emit(Event::End {});
                self.noticed(kind, None);
            }
            _ => {}
        }
        Ok(())
    }

    pub(in super::super) fn break_bets(&mut self) {
        let Some(kind) = self.armed else { return };
        match kind.plan().act {
            Act::BetStanding => {
                if let Some(box_no) = self.empty_box().filter(|_| self.takes(kind)) {
                    let (player, stake) = (self.somebody(), self.stake());
                    self.undue_chips(kind, HandId::first(box_no), BetSpot::Main, stake, Some(player));
                }
            }
            Act::BetOnOthers => self.bet_added_by_other(kind),
            Act::Reported if self.takes(kind) => {
                let hand = self.any_hand();
                let place = Some(self.hands[hand].id.into());
                self.report(Some(kind.provision()), place, "noticed by the inspector");
                self.found(kind, place);
            }
            Act::ReportUnforeseen if self.takes(kind) => {
                self.report(None, None, "a glass fell over the layout");
                self.noticed(kind, None);
            }
            _ => {}
        }
    }

    fn bet_added_by_other(&mut self, kind: Kind) {
        let hand = self.any_hand();
        let Hand { id, stake, ref bettor, .. } = self.hands[hand];
        let bettor = bettor.clone();
        let Some(other) = self.seated_player(Some(&bettor)).filter(|_| self.takes(kind)) else { return };
        let more = stake + self.settings.house.unit;
        self.put(id, BetSpot::Main, more, Some(other));
        let row = self.found(kind, Some(id.into()));
        if self.unremedied {
            self.left_open(row);
        } else {
            self.put(id, BetSpot::Main, stake, None);
            self.cleared(row);
        }
    }

    /// What was wrong with the bets when they were closed.
    pub(in super::super) fn break_at_close(&mut self) {
        for (kind, place) in std::mem::take(&mut self.at_close) {
            let row = self.found(kind, place);
            if let (Some(Place::Hand(id)), Remedy::Return) = (place, kind.plan().remedy) {
                self.returns(row, id, BetSpot::Main);
                self.hands.retain(|hand| hand.id != id);
            }
        }
    }

    /// After the close, before the first card.
    pub(in super::super) fn break_closed(&mut self) {
        self.bet_late(Act::BetAfterClose);
        if self.rules.close_binds && self.chance(30) {
            self.change_bet();
        }
    }
}
