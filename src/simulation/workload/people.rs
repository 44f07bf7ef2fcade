//! Before the cards: who sits, the shoe, the bets.

use rand::RngExt;

use super::{Book, Dealer, Hand};
use sabot_law::table::event::{Authority, Permit};
use sabot_law::table::settings::Side;
use sabot_law::table::{BetSpot, Cents, Event, HandId, Limits, Name};

impl Dealer {
    /// From the people to the close of the bets.
    pub(super) fn open_table(&mut self) {
        let renewed = self.shoe_is_wanted();
        self.people_come_and_go(renewed);
        if renewed {
            self.new_shoe();
        }
        self.bank_is_drawn_for();
        self.take_bets();
        let right = self.book.first_box == Side::Right;
        self.hands.sort_by_key(|hand| if right { 8 - hand.id.box_no } else { hand.id.box_no });
        self.order_cards();
        if self.chance(95) {
            self.emit(Event::CloseBets {});
        }
    }

    /// A shoe is prepared where the old one has shown its cut card or would not last, and now and then before.
    fn shoe_is_wanted(&mut self) -> bool {
        let lasts = self.by_turn() || self.shoe.left() >= 2 * usize::from(self.header.boxes) + 20;
        // the bank passes on at a shuffle: none out of time
        let fancy = !self.by_turn() && self.rng.random_ratio(1, 400);
        self.shoe.is_used_up() || !lasts || fancy
    }

    fn people_come_and_go(&mut self, renewed: bool) {
        let boxes = usize::from(self.header.boxes).min(self.book.max_seated);
        let least = match self.rota_needs_people() {
            Some(least) => least,
            None if renewed => self.book.min_seated.max(1),
            None => 1,
        };
        match self.session_begins(boxes) {
            Some(wanted) => self.seat_and_leave(wanted, wanted),
            None if self.session_lasts() => {}
            None => self.seat_and_leave(least.min(boxes), boxes),
        }
        self.everybody_advances_where_due();
    }

    /// People leave and sit down, so that `least` to `most` sit. Who banks stays.
    fn seat_and_leave(&mut self, least: usize, most: usize) {
        while self.seated() > most || (self.seated() > least && self.chance(8)) {
            let banker = self.rota.banker.clone().filter(|_| !self.session_may_change());
            let Some(seat) = self.seat_where(|seat| seat.is_some() && *seat != banker) else { break };
            if let Some(player) = self.seats[seat].take() {
                self.emit(Event::Leave { seat: seat as u8 + 1, player });
            }
        }
        while self.seated() < least || (self.seated() < most && self.chance(20)) {
            let Some(seat) = self.seat_where(Option::is_none) else { break };
            self.people = self.people % 9_999 + 1;
            let player = smol_str::format_smolstr!("P{}", self.people);
            self.seats[seat] = Some(player.clone());
            self.emit(Event::Seat { seat: seat as u8 + 1, player });
        }
    }

    pub(super) fn seated(&self) -> usize {
        self.seats.iter().flatten().count()
    }

    fn seat_where(&mut self, which: impl Fn(&Option<Name>) -> bool) -> Option<usize> {
        let seats = usize::from(self.header.boxes).min(self.book.max_seated);
        let seats: Vec<usize> = (0..seats).filter(|&at| which(&self.seats[at])).collect();
        self.one_of(&seats)
    }

    /// Somebody who sits and does not bank.
    pub(super) fn bettor(&mut self) -> Option<Name> {
        let banker = self.rota.banker.clone();
        let seat = self.seat_where(|seat| seat.is_some() && *seat != banker)?;
        self.seats[seat].clone()
    }

    /// Shuffle, cut and load.
    fn new_shoe(&mut self) {
        let Book { min_decks, max_decks, behind_cut_card: behind, .. } = self.book;
        if self.house.inspected && !self.shoe.is_used_up() {
            self.authorize(Permit::DeckChange, Authority::Inspector);
        }
        self.bank_passes_on();
        let decks = self.rng.random_range(min_decks..=max_decks.clamp(min_decks, min_decks + 4));
        let cards = decks * 52;
        self.shuffle(decks, cards);
        let each = self.book.behind_cut_card_each * self.seated() as u32;
        let behind = if each > 0 { each } else { self.rng.random_range(behind.0..=behind.1.min(behind.0 + 60)) };
        self.emit(Event::Load { cards, cut_card: behind });
        self.shoe.load(&mut self.rng, decks, behind as usize);
    }

    /// Cards are shuffled, where that is authorised, and cut as the house does it.
    pub(super) fn shuffle(&mut self, decks: u32, cards: u32) {
        if self.house.inspected {
            let role = if self.chance(70) { Authority::Inspector } else { Authority::TableChief };
            self.authorize(Permit::Shuffle, role);
        }
        self.emit(Event::Shuffle { decks, cards });
        let least = self.book.cut_deeper_than + 1;
        let depth = if self.chance(5) { least } else { self.rng.random_range(least..cards.max(least + 1)) };
        if !self.offers_the_cut(depth)
            && self.chance(self.house.cuts)
            && let Some(by) = self.bettor()
        {
            self.emit(Event::Cut { depth, by });
        }
    }

    fn authorize(&mut self, what: Permit, role: Authority) {
        let by = if role == Authority::Inspector { "I-4" } else { "I-2" };
        self.emit(Event::Authorize { by: by.into(), role, what });
    }

    /// Who sits bets on the own box, and some on free ones too.
    fn take_bets(&mut self) {
        let boxes = usize::from(self.header.boxes);
        let banker = self.rota.banker.clone();
        for seat in 0..boxes {
            let player = self.seats[seat].clone().filter(|player| Some(player) != banker.as_ref());
            if let Some(player) = player
                && (self.house.everybody_bets || self.chance(90))
            {
                self.bet_on(HandId::first(seat as u8 + 1), player, true);
            }
        }
        if self.house.own_box_only {
            return;
        }
        let least = self.book.min_bets.clamp(1, boxes).max(self.hands.len());
        let bets = self.rng.random_range(least..=boxes);
        while self.hands.len() < bets {
            let Some((hand, player)) = self.free_box().zip(self.bettor()) else { break };
            self.asks_for(hand, &player);
            self.bet_on(hand, player, false);
        }
    }

    /// A box with no bet on it, at random.
    pub(super) fn free_box(&mut self) -> Option<HandId> {
        let taken = |hand: &HandId| self.hands.iter().any(|one| one.id.box_no == hand.box_no);
        let free: Vec<HandId> = (1..=self.header.boxes).map(HandId::first).filter(|hand| !taken(hand)).collect();
        self.one_of(&free)
    }

    /// A player takes an empty box, often after asking for it, now and then before or at once with somebody who sits
    /// farther from number one.
    fn asks_for(&mut self, hand: HandId, player: &Name) {
        let seat = self.seats.iter().position(|seat| seat.as_ref() == Some(player)).unwrap_or(0);
        let later = self.seats.iter().skip(seat + 1).flatten().next().cloned();
        let later = later.filter(|later| Some(later) != self.rota.banker.as_ref());
        match (self.rng.random_range(0..100), later) {
            (0..42, _) => self.emit(Event::Request { hand, player: player.clone(), t: None }),
            (42..47, Some(later)) => {
                self.emit(Event::Request { hand, player: player.clone(), t: None });
                self.emit(Event::Request { hand, player: later, t: None });
            }
            (47..52, Some(later)) if !self.seen_by_devices => {
                let t = Some(self.lines * 700);
                self.emit(Event::Request { hand, player: later, t });
                self.emit(Event::Request { hand, player: player.clone(), t });
            }
            _ => {}
        }
    }

    fn bet_on(&mut self, hand: HandId, player: Name, own: bool) {
        let named = if own && self.chance(10) { None } else { Some(player.clone()) };
        if self.chance(4) {
            let first = self.stake();
            self.put(hand, BetSpot::Main, first, named.clone());
            if self.chance(25) {
                self.put(hand, BetSpot::Main, 0, None);
            }
        }
        let stake = self.stake();
        self.put(hand, BetSpot::Main, stake, named);
        self.hands.push(Hand::new(hand, player, stake));
    }

    /// A stake within the limits.
    fn stake(&mut self) -> Cents {
        let Limits { min, max } = self.header.limits;
        let multiple = self.book.bet_multiple.max(1);
        // what is insured of a stake is a whole amount
        let part = self.book.insurance_part.per;
        let thirds = if self.house.unit.is_multiple_of(part) { 1 } else { part };
        let unit = multiple * (self.house.unit * thirds).div_ceil(multiple);
        let (least, most) = (min.div_ceil(unit), max / unit);
        let units = match self.rng.random_range(0..20) {
            0 => least,
            1 => most,
            2..6 => self.rng.random_range(least..=most.max(least)),
            _ => (least + self.rng.random_range(0..20)).min(most),
        };
        units * unit
    }

    /// Now and then the shuffle has brought cards together that make a pass rich: pairs, aces, tens, small ones.
    fn order_cards(&mut self) {
        const TOGETHER: &[&[u8]] = &[&[1], &[10], &[1, 10], &[1, 10], &[5, 6], &[2, 3, 4], &[8], &[9], &[1, 5, 6, 7]];
        if !self.chance(15) {
            return;
        }
        let Some(points) = self.one_of(TOGETHER) else { return };
        let ahead: Vec<usize> = (0..40).filter(|_| self.chance(60)).collect();
        self.shoe.favour(&ahead, points);
    }
}
