//! Before the cards: who sits, the shoe, the bets.

use super::*;

impl Open<'_> {
    /// From the people to the close of the bets.
    pub(super) fn open_table(&mut self) -> Flow {
        if !self.comes_to(Point::People)? {
            self.people_come_and_go();
        }
        if !self.comes_to(Point::Shoe)? && self.shoe_is_wanted() {
            self.new_shoe();
        }
        self.comes_to(Point::BeforeBets)?;
        self.break_before_bets()?;
        if !self.comes_to(Point::Bets)? {
            self.take_bets();
        }
        let right = self.rules.first_box == Side::Right;
        self.hands.sort_by_key(|hand| if right { 8 - hand.id.box_no } else { hand.id.box_no });
        self.comes_to(Point::BeforeClose)?;
        self.break_bets();
        self.stack_shoe(false);
        if self.armed.is_some() || !self.truth.is_empty() || !self.at_close.is_empty() || self.chance(95) {
            self.emit(Event::CloseBets {});
            self.break_at_close();
            self.comes_to(Point::Closed)?;
            self.break_closed();
        }
        Ok(())
    }

    /// People leave and sit down between passes, within what the pass needs.
    fn people_come_and_go(&mut self) {
        let boxes = usize::from(self.header.boxes);
        let (least, most) = self.plan.seats.map_or((1, boxes), |(least, most)| (least, most.min(boxes)));
        self.seat_and_leave(least, most);
    }

    /// Whether a shoe is prepared before this pass: where the old one has shown its cut card, and now and then.
    pub(in super::super) fn shoe_is_wanted(&mut self) -> bool {
        match self.plan.when {
            When::AfterCutCard => false,
            When::NewShoe => true,
            When::Any => self.needs_shoe() || self.rng.random_ratio(1, 400),
            _ => self.needs_shoe(),
        }
    }

    /// Shuffle, cut and load.
    fn new_shoe(&mut self) {
        let Rules { decks, behind: (least, most), .. } = *self.rules;
        let cards = u32::from(decks) * DECK as u32;
        self.emit(Event::Shuffle { decks: decks.into(), cards });
        let depth = self.rng.random_range(1..cards);
        if let Some(by) = self.seated_player(None) {
            self.emit(Event::Cut { depth, by });
        }
        let behind = self.rng.random_range(least..=most);
        self.load(cards, behind);
    }

    /// The shoe is loaded with so many cards, so many of them behind the cut card.
    pub(in super::super) fn load(&mut self, cards: u32, behind: usize) {
        self.emit(Event::Load { cards, cut_card: behind as u32 });
        let decks = self.rules.decks;
        self.load_shoe(decks, cards as usize, behind);
    }

    /// Who sits bets on the own box, mostly, and some on free ones too.
    fn take_bets(&mut self) {
        let boxes = usize::from(self.header.boxes);
        let (least, most) = self.plan.bets.map_or((1, boxes), |(least, most)| (least, most.min(boxes)));
        let most = if self.plan.empty_box { most.min(boxes - 1) } else { most };
        let banker = self.rota.banker.clone();
        for box_no in 1..=self.header.boxes {
            let seated = self.seats[usize::from(box_no) - 1].clone().filter(|player| Some(player) != banker.as_ref());
            if let Some(player) = seated.filter(|_| self.hands.len() < most && self.chance(90)) {
                self.bet_on(box_no, player, true);
            }
        }
        let least = least.max(self.hands.len());
        let bets = self.rng.random_range(least..=most.max(least));
        while self.hands.len() < bets {
            let Some((box_no, player)) = self.empty_box().zip(self.seated_player(banker.as_ref())) else { break };
            if self.chance(30) {
                self.request(HandId::first(box_no), player.clone(), None);
            }
            self.bet_on(box_no, player, false);
        }
    }
}
