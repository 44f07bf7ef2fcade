//! The people, the cards and the bets: any number of decks, a bet that was forgotten, and bets that may not be.

use super::*;
use sabot_law::table::event::{Chip, Share};

impl Open<'_> {
    /// People come and go; who banks stays, and somebody has to play against the bank.
    pub(super) fn people_stay_with_the_bank(&mut self) {
        self.rota.stays = true;
        let boxes = usize::from(self.header.boxes);
        let (least, most) = self.plan.seats.map_or((2, boxes), |(least, most)| (least.max(2), most.min(boxes)));
        self.seat_and_leave(least, most);
    }

    /// A shuffle where one is due, of as many decks as the table likes; it need not be cut.
    pub(super) fn shuffles_some_decks(&mut self) {
        if !self.shoe_is_wanted() {
            return;
        }
        let decks = self.rng.random_range(2..=6u8);
        let cards = u32::from(decks) * DECK as u32;
        self.emit(Event::Shuffle { decks: decks.into(), cards });
        let depth = self.rng.random_range(1..cards);
        if let Some(by) = self.seated_player(None).filter(|_| self.chance(70)) {
            self.emit(Event::Cut { depth, by });
        }
        let (least, most) = self.rules.behind;
        let behind = self.rng.random_range(least..=most);
        self.emit(Event::Load { cards, cut_card: behind as u32 });
        self.load_shoe(decks, cards as usize, behind);
    }

    /// Stakes a break needs, and those that may not be.
    pub(super) fn break_first_stakes(&mut self) {
        let Some(kind) = self.armed else { return };
        match kind {
            kinds::S2_AMOUNT | kinds::R2_AMOUNT | kinds::R2_PAID | kinds::R2_UNCOLLECTED => self.first_stake(false),
            kinds::S3_AMOUNT | kinds::R3_AMOUNT | kinds::R3_PAID | kinds::R3_UNCOLLECTED => self.first_stake(true),
            kinds::Q5_OVER if self.takes(kind) => {
                let hand = self.any_hand();
                let Hand { id, ref bettor, .. } = self.hands[hand];
                let player = bettor.clone();
                let amount = self.header.limits.max + CHIP * self.rng.random_range(1..20);
                self.put(id, BetSpot::Main, amount, Some(player));
                self.at_close.push((kind, Some(id.into())));
            }
            kinds::T0_SHARE => {
                let player = self.seated_player(None);
                if let Some(player) = player.filter(|_| self.takes(kind)) {
                    self.emit(Event::Share { player, what: Share::Advance, amount: 10 * CHIP });
                    self.room_rules_on(kind, None);
                }
            }
            kinds::T0_OFFER_CUT => {
                let player = self.seated_player(None);
                if let Some(player) = player.filter(|_| self.takes(kind)) {
                    self.emit(Event::OfferCut { player });
                    self.room_rules_on(kind, None);
                }
            }
            _ => {}
        }
    }

    /// The first hand stakes an odd number of chips, or an even one; not one chip, where another amount than its half
    /// is to be taken.
    fn first_stake(&mut self, odd: bool) {
        let Some(&Hand { id, stake, ref bettor, .. }) = self.hands.first() else { return };
        let is_one = stake == CHIP && self.armed == Some(kinds::R3_AMOUNT);
        if (stake / CHIP % 2 == 1) == odd && !is_one {
            return;
        }
        let player = bettor.clone();
        let stake = match stake {
            _ if is_one => 3 * CHIP,
            stake if stake < self.header.limits.max => stake + CHIP,
            stake => stake - CHIP,
        };
        self.put(id, BetSpot::Main, stake, Some(player));
        self.hands[0].stake = stake;
    }

    /// A free box and who might bet on it.
    fn free_box(&mut self) -> Option<(HandId, Name)> {
        let box_no = self.empty_box()?;
        let banker = self.rota.banker.clone();
        let seated = self.seats[usize::from(box_no) - 1].clone().filter(|player| Some(player) != banker.as_ref());
        let player = seated.or_else(|| self.seated_player(banker.as_ref()))?;
        Some((HandId::first(box_no), player))
    }

    /// Before the first card of that hand, others having theirs: somebody had forgotten to bet, and may put one chip,
    /// which is dealt to at once or in its turn; whether it was dealt to.
    pub(super) fn bet_was_forgotten(&mut self, next: usize) -> Flow<bool> {
        let last = next >= self.hands.len();
        if matches!(self.armed, Some(kinds::Q4_AMOUNT | kinds::Q4_CHIPS)) && (last || self.chance(30)) {
            self.break_forgotten();
        }
        if self.armed.is_some() || !self.truth.is_empty() || self.undealt.is_some() || !self.chance(3) {
            return Ok(false);
        }
        let Some((id, player)) = self.free_box() else { return Ok(false) };
        let named = self.chance(40);
        let amount = if named { CHIP * self.rng.random_range(1..=5) } else { CHIP };
        let chips = if named { self.chips(&[amount]) } else { Vec::new() };
        self.emit(Event::Bet { hand: id, spot: BetSpot::Main, amount, player: Some(player.clone()), chips });
        let at = self.hands.partition_point(|hand| hand.id.box_no > id.box_no);
        self.hands.insert(at, Hand::new(id.box_no, player, amount));
        if at >= next && !last {
            return Ok(false);
        }
        self.draw_to_hand(at, Face::Up)?;
        Ok(true)
    }

    /// Chips of these values, each with a tag of its own.
    fn chips(&mut self, values: &[Cents]) -> Vec<Chip> {
        let mut tag = || smol_str::format_smolstr!("C{}", self.rng.random_range(1..100_000));
        values.iter().map(|&value| Chip { id: tag(), value }).collect()
    }

    /// A forgotten bet of more than one chip.
    fn break_forgotten(&mut self) {
        let Some((id, player)) = self.free_box() else { return };
        let Some(kind) = self.takes_one(&[kinds::Q4_AMOUNT, kinds::Q4_CHIPS]) else { return };
        let (amount, chips) = match kind {
            kinds::Q4_AMOUNT => (CHIP * self.rng.random_range(2..20), Vec::new()),
            _ => (CHIP, self.chips(&[CHIP / 2, CHIP / 2])),
        };
        self.emit(Event::Bet { hand: id, spot: BetSpot::Main, amount, player: Some(player), chips });
        let row = self.found(kind, Some(id.into()));
        self.returns(row, id, BetSpot::Main);
    }

    /// A bet when the bank has its first card, were it of one chip.
    pub(super) fn break_bet_too_late(&mut self) {
        let kind = kinds::Q1_LATE;
        if self.armed == Some(kind)
            && let Some((id, player)) = self.free_box()
            && self.takes(kind)
        {
            let stake = if self.chance(50) { CHIP } else { self.stake() };
            self.undue_chips(kind, id, BetSpot::Main, stake, Some(player));
        }
    }

    /// A ten and a figure for the first hand, where a break needs them.
    pub(super) fn ten_and_figure(&mut self) {
        if matches!(self.armed, Some(kinds::P5_SPLIT | kinds::P5_CHIPS)) {
            let round = self.hands.len() + 1;
            self.shoe.stack_where(0, |card| naive::points(card) == 10 && !law::is_figure(card));
            self.shoe.stack_where(round, law::is_figure);
        }
    }
}
