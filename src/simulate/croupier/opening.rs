//! Before the cards: who sits, the shoe, the bets.

use super::*;

impl Croupier {
    /// People leave and sit down between passes, within what the pass needs.
    pub(super) fn people_come_and_go(&mut self) {
        let boxes = usize::from(self.header.boxes);
        let new_shoe = self.needs_shoe() || self.plan.when == When::NewShoe;
        let (least, most) = self.plan.seats.map_or((1, boxes), |(least, most)| (least, most.min(boxes)));
        let (least, most) =
            if new_shoe && self.armed != Some(Kind::D1Players) { (least.max(3), most.max(3)) } else { (least, most) };
        let most = self.plan.bets.map_or(most, |(_, bets)| most.min(bets));
        let most = if self.plan.empty_box { most.min(boxes - 1) } else { most };
        while self.seated() > most || (self.seated() > least && self.chance(8)) {
            let Some(seat) = self.seat_where(Option::is_some) else { break };
            if let Some(player) = self.seats[seat].take() {
                self.emit(Event::Leave { seat: seat as u8 + 1, player });
            }
        }
        while self.seated() < least || (self.seated() < most && self.chance(20)) {
            let Some(seat) = self.seat_where(Option::is_none) else { break };
            let player = self.somebody();
            self.seats[seat] = Some(player.clone());
            self.emit(Event::Seat { seat: seat as u8 + 1, player });
        }
    }

    /// A person not at the table yet.
    pub(super) fn somebody(&mut self) -> Name {
        self.people = self.people % 9_999 + 1;
        smol_str::format_smolstr!("P{}", self.people)
    }

    fn seat_where(&mut self, which: fn(&Option<Name>) -> bool) -> Option<usize> {
        let boxes = usize::from(self.header.boxes);
        let from = self.rng.random_range(0..boxes);
        (0..boxes).map(|step| (from + step) % boxes).find(|&seat| which(&self.seats[seat]))
    }

    /// Somebody who sits, other than `not`.
    pub(super) fn seated_player(&mut self, not: Option<&Name>) -> Option<Name> {
        let from = self.rng.random_range(0..self.seats.len());
        let seats = self.seats.iter().cycle().skip(from).take(self.seats.len());
        seats.flatten().find(|&player| Some(player) != not).cloned()
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
        let decks: u8 = if self.chance(10) { 10 } else { 8 };
        let cards = usize::from(decks) * DECK;
        self.shuffle(decks);
        let wrong = self.takes_one(&[Kind::D5Uncut, Kind::D6Shallow, Kind::D7Near, Kind::D7Far, Kind::M1Load]);
        if wrong != Some(Kind::D5Uncut) {
            let depth = match wrong {
                Some(Kind::D6Shallow) => self.rng.random_range(1..=50),
                _ if self.chance(5) => 51,
                _ => self.rng.random_range(51..=cards as u32 - 51),
            };
            if let Some(by) = self.seated_player(None) {
                self.emit(Event::Cut { depth, by });
            }
        }
        if wrong == Some(Kind::D6Shallow) {
            self.found(Kind::D6Shallow, None);
        }
        let behind = match wrong {
            Some(Kind::D7Near) => self.rng.random_range(34..40),
            Some(Kind::D7Far) => self.rng.random_range(65..120),
            _ => self.rng.random_range(40..=64),
        };
        let loaded = if wrong == Some(Kind::M1Load) { 7 * DECK } else { cards };
        self.emit(Event::Load { cards: loaded as u32, cut_card: behind as u32 });
        self.shoe.load(&mut self.rng, decks, loaded, behind);
        match wrong {
            Some(Kind::M1Load) => self.room_rules_on(Kind::M1Load, None),
            Some(kind @ (Kind::D5Uncut | Kind::D7Near | Kind::D7Far)) => {
                self.found(kind, None);
            }
            _ => {}
        }
    }

    fn shuffle(&mut self, decks: u8) {
        let role = if self.chance(70) { Authority::Inspector } else { Authority::TableChief };
        if self.takes(Kind::M1Shuffle) {
            self.authorize(Permit::Shuffle, role);
            self.emit(Event::Shuffle { decks: 7, cards: 7 * DECK as u32 });
            self.room_rules_on(Kind::M1Shuffle, None);
        }
        let all = Event::Shuffle { decks: decks.into(), cards: u32::from(decks) * DECK as u32 };
        if self.takes(Kind::D5Unauthorized) {
            self.emit(all);
            self.found(Kind::D5Unauthorized, None);
            return;
        }
        self.authorize(Permit::Shuffle, role);
        self.emit(all.clone());
        if self.takes(Kind::D5Reused) {
            self.emit(all);
            self.found(Kind::D5Reused, None);
        }
    }

    /// Every seated player bets on the own box, and some on empty ones too.
    pub(super) fn take_bets(&mut self) {
        let boxes = self.header.boxes;
        let idle = if self.takes(Kind::C1) { self.seat_where(Option::is_some) } else { None };
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
            self.at_close.push((Kind::C1, None));
        }
        self.break_bets();
    }

    /// A box with no bet on it, at random.
    pub(super) fn empty_box(&mut self) -> Option<u8> {
        let boxes = self.header.boxes;
        let from = self.rng.random_range(0..boxes);
        (0..boxes)
            .map(|step| (from + step) % boxes + 1)
            .find(|&box_no| !self.hands.iter().any(|hand| hand.id.box_no == box_no))
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

    pub(super) fn request(&mut self, hand: HandId, player: Name, t: Option<u64>) {
        self.emit(Event::Request { hand, player, t });
    }

    /// A time later than every earlier one.
    pub(super) fn moment(&self) -> Option<u64> {
        Some(self.line * 700)
    }

    fn bet_on(&mut self, box_no: u8, player: Name, own: bool) {
        let id = HandId::first(box_no);
        let named = if own && self.chance(10) { None } else { Some(player.clone()) };
        if self.chance(4) {
            let first = self.stake();
            self.put(id, BetSpot::Main, first, named.clone());
        }
        let stake = self.stake();
        self.put(id, BetSpot::Main, stake, named);
        self.hands.push(Hand::new(box_no, player, stake));
    }

    /// A stake within the limits.
    pub(super) fn stake(&mut self) -> Cents {
        let Limits { min, max } = self.header.limits;
        match self.rng.random_range(0..20) {
            0 => min,
            1 => max,
            2..6 => min + self.rng.random_range(0..=(max - min) / STEP) * STEP,
            _ => (min + self.rng.random_range(0..20) * STEP).min(max),
        }
    }

    /// "No more bets", which the first card may say as well.
    pub(super) fn close_bets(&mut self) {
        let spoken = self.armed.is_some() || !self.at_close.is_empty() || !self.truth.is_empty() || self.chance(95);
        if spoken {
            self.emit(Event::CloseBets {});
        }
        self.break_at_close();
    }

    /// Brings the cards the break needs to where the deal will find them.
    pub(super) fn stack_shoe(&mut self) {
        use super::kind::At;
        if self.armed.is_none() {
            return;
        }
        let hands = self.hands.len();
        let mut wishes: Vec<(usize, u8)> = self
            .plan
            .stack
            .iter()
            .map(|&(at, points)| {
                let ahead = match at {
                    At::Hand(hand, round) => round * (hands + 1) + hand,
                    At::Last(round) => round * (hands + 1) + hands - 1,
                    At::Bank(round) => round * (hands + 1) + hands,
                    At::Next(card) => 2 * hands + 2 + card,
                };
                (ahead, points)
            })
            .collect();
        wishes.sort_unstable();
        for (ahead, points) in wishes {
            self.shoe.stack(ahead, points);
        }
    }
}
