//! Before the cards: who sits, the shoe, the bets.

use super::*;

impl Sala8<'_> {
    /// People leave and sit down between passes, within what the pass needs.
    pub(super) fn people_come_and_go(&mut self) {
        let boxes = usize::from(self.header.boxes);
        let new_shoe = self.needs_shoe() || self.plan.when == When::NewShoe;
        let (least, most) = self.plan.seats.map_or((1, boxes), |(least, most)| (least, most.min(boxes)));
        let (least, most) =
            if new_shoe && self.armed != Some(kinds::D1_PLAYERS) { (least.max(3), most.max(3)) } else { (least, most) };
        let most = self.plan.bets.map_or(most, |(_, bets)| most.min(bets));
        let most = if self.plan.empty_box { most.min(boxes - 1) } else { most };
        self.seat_and_leave(least, most);
    }

    /// A new shoe where the old one has shown its cut card, and now and then because the inspector wants one.
    pub(super) fn prepare_shoe(&mut self) {
        if self.plan.when == When::AfterCutCard {
            return;
        }
        let due = self.needs_shoe();
        let wanted = self.plan.when == When::NewShoe
            || (self.plan.when == When::Any && self.seated() >= 3 && self.rng.random_ratio(1, 400));
        if !due && !wanted {
            return;
        }
        if !due {
            self.authorize(Permit::DeckChange, Authority::Inspector);
        }
        self.new_shoe();
    }

    /// Shuffle, cut and load.
    fn new_shoe(&mut self) {
        let (fewest, most) = self.book.decks;
        let decks = if self.chance(10) { most } else { fewest };
        let cards = usize::from(decks) * DECK;
        self.shuffle(decks);
        let wrong =
            self.takes_one(&[kinds::D5_UNCUT, kinds::D6_SHALLOW, kinds::D7_NEAR, kinds::D7_FAR, kinds::M1_LOAD]);
        if wrong != Some(kinds::D5_UNCUT) {
            let least = self.book.cut_deeper_than + 1;
            let depth = match wrong {
                Some(kinds::D6_SHALLOW) => self.rng.random_range(1..=least - 1),
                _ if self.chance(5) => least,
                _ => self.rng.random_range(least..=cards as u32 - least),
            };
            if let Some(by) = self.seated_player(None) {
                self.emit(Event::Cut { depth, by });
            }
        }
        if wrong == Some(kinds::D6_SHALLOW) {
            self.found(kinds::D6_SHALLOW, None);
        }
        let (least, greatest) = self.book.behind;
        let behind = match wrong {
            Some(kinds::D7_NEAR) => self.rng.random_range(least.saturating_sub(6)..least),
            Some(kinds::D7_FAR) => self.rng.random_range(greatest + 1..greatest + 56),
            _ => self.rng.random_range(least..=greatest),
        };
        let loaded = if wrong == Some(kinds::M1_LOAD) { self.too_few_decks() * DECK } else { cards };
        self.emit(Event::Load { cards: loaded as u32, cut_card: behind as u32 });
        self.load_shoe(decks, loaded, behind);
        match wrong {
            Some(kinds::M1_LOAD) => self.room_rules_on(kinds::M1_LOAD, None),
            Some(kind @ (kinds::D5_UNCUT | kinds::D7_NEAR | kinds::D7_FAR)) => {
                self.found(kind, None);
            }
            _ => {}
        }
    }

    fn too_few_decks(&self) -> usize {
        usize::from(self.book.decks.0) - 1
    }

    fn shuffle(&mut self, decks: u8) {
        let role = if self.chance(70) { Authority::Inspector } else { Authority::TableChief };
        if self.takes(kinds::M1_SHUFFLE) {
            self.authorize(Permit::Shuffle, role);
            let decks = self.too_few_decks();
            self.emit(Event::Shuffle { decks: decks as u32, cards: (decks * DECK) as u32 });
            self.room_rules_on(kinds::M1_SHUFFLE, None);
        }
        let all = Event::Shuffle { decks: decks.into(), cards: u32::from(decks) * DECK as u32 };
        if self.takes(kinds::D5_UNAUTHORIZED) {
            self.emit(all);
            self.found(kinds::D5_UNAUTHORIZED, None);
            return;
        }
        self.authorize(Permit::Shuffle, role);
        self.emit(all.clone());
        if self.takes(kinds::D5_REUSED) {
            self.emit(all);
            self.found(kinds::D5_REUSED, None);
        }
    }

    /// Every seated player bets on the own box, and some on empty ones too.
    pub(super) fn take_bets(&mut self) {
        let boxes = self.header.boxes;
        let idle = if self.takes(kinds::C1) { self.seat_where(Option::is_some) } else { None };
        for box_no in 1..=boxes {
            let seat = usize::from(box_no) - 1;
            if let Some(player) = self.seats[seat].clone().filter(|_| idle != Some(seat)) {
                self.bet_on(box_no, player, true);
            }
        }
        let least = self.plan.bets.map_or(3, |(least, _)| least).max(self.hands.len());
        let most = self.plan.bets.map_or(usize::from(boxes), |(_, most)| most.min(boxes.into()));
        let most = if self.plan.empty_box { most.min(usize::from(boxes) - 1) } else { most }.max(least);
        let bets = self.rng.random_range(least..=most);
        while self.hands.len() < bets {
            // the box of a seated player who does not bet stays his
            let taken = |seat: usize| idle == Some(seat);
            let Some(box_no) = self.empty_box().filter(|&box_no| !taken(usize::from(box_no) - 1)) else {
                if self.hands.len() + usize::from(idle.is_some()) >= usize::from(boxes) { break } else { continue }
            };
            self.bet_on_empty(box_no, idle);
        }
        self.hands.sort_by_key(|hand| hand.id);
        if idle.is_some() {
            self.at_close.push((kinds::C1, None));
        }
        self.break_bets();
    }

    /// A seated player takes an empty box, often after asking for it.
    fn bet_on_empty(&mut self, box_no: u8, idle: Option<usize>) {
        let hand = HandId::first(box_no);
        let seats: Vec<usize> = (0..7).filter(|&seat| self.seats[seat].is_some() && idle != Some(seat)).collect();
        let Some(&seat) = seats.get(self.rng.random_range(0..seats.len().max(1))) else { return };
        let Some(player) = self.seats[seat].clone() else { return };
        let later = seats.iter().find(|&&other| other > seat).and_then(|&other| self.seats[other].clone());
        match (self.rng.random_range(0..100), later) {
            (0..42, _) => self.request(hand, player.clone(), None),
            // who asked first, who sits nearer to number one as well
            (42..47, Some(later)) => {
                self.request(hand, player.clone(), None);
                self.request(hand, later, None);
            }
            // asked at once: who sits nearest number one
            (47..52, Some(later)) if !self.settings.seen_by_devices => {
                let now = self.moment();
                self.request(hand, later, now);
                self.request(hand, player.clone(), now);
            }
            _ => {}
        }
        self.bet_on(box_no, player, false);
    }

    /// "No more bets", which the first card may say as well.
    pub(super) fn close_bets(&mut self) {
        let spoken = self.armed.is_some() || !self.at_close.is_empty() || !self.truth.is_empty() || self.chance(95);
        if spoken {
            self.emit(Event::CloseBets {});
        }
        self.break_at_close();
    }
}
