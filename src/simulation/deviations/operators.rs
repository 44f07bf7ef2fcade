//! What each deviation does to the events of a pass.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Deviation, Scene};
use sabot_law::table::event::{Announcement, Authority, BankChange, Choice, Face, Permit, Question, Share, Taken};
use sabot_law::table::{BetSpot, Card, Cents, Event, HandId, LineNo, Moved, Name, Place};

/// How far an event moves at most.
const FAR: usize = 12;

/// What a device may say of itself.
const STATUS: &[&str] = &[
    "offline",
    "events_missed",
    "ring_lost",
    "tamper",
    "door_open",
    "lid_open",
    "jam",
    "read_error",
    "empty",
    "forged",
    "unpaired",
    "swapped",
    "downgraded",
    "withheld",
    "online",
    "low_battery",
];
const DEVICES: &[&str] = &["shoe", "chips", "keypad", "shuffler"];
/// Who speaks for the house, in which office; the last may do nothing.
const OFFICES: &[(&str, &str)] =
    &[("I-1", "room"), ("I-1", "room"), ("I-4", "inspector"), ("I-2", "table_chief"), ("P1", "player")];

/// The events of a pass, to be changed.
pub(super) struct Pass<'a> {
    pub(super) rng: &'a mut ChaCha8Rng,
    pub(super) scene: Scene<'a>,
    pub(super) events: &'a mut Vec<Event>,
}

impl Pass<'_> {
    /// Does it; at which event.
    pub(super) fn deviate(&mut self, deviation: Deviation) -> Option<usize> {
        match deviation {
            Deviation::Omit => self.find(|_| true).inspect(|&at| drop(self.remove(at))),
            Deviation::AskNot => self.find(|event| matches!(event, Event::Ask { .. })).inspect(|&at| {
                self.remove(at);
            }),
            Deviation::Double => self.find(|_| true).inspect(|&at| self.insert(at + 1, self.events[at].clone())),
            Deviation::Swap => {
                let at = self.rng.random_range(0..self.events.len().checked_sub(1)?);
                self.events.swap(at, at + 1);
                Some(at)
            }
            Deviation::Delay => {
                let at = self.find(|_| true)?;
                let by = self.rng.random_range(1..=FAR);
                Some(self.carry(at, at + by))
            }
            Deviation::Hurry => {
                let at = self.find(|_| true)?;
                let by = self.rng.random_range(1..=FAR);
                Some(self.carry(at, at.saturating_sub(by)))
            }
            Deviation::ComeLate => self.comes_late(),
            Deviation::End => self.ends_otherwise(),
            Deviation::PutRight => self.puts_right(),
            Deviation::Misplace
            | Deviation::Flip
            | Deviation::Misread
            | Deviation::MisKey
            | Deviation::MisPay
            | Deviation::Stranger
            | Deviation::Miscount => self.changes(deviation),
            Deviation::Authorize if self.chance(60) => self.changes(deviation),
            Deviation::Misspeak if self.chance(70) => self.changes(deviation),
            Deviation::ChangeBet if self.chance(40) => self.changes(deviation),
            Deviation::Device => self.device_fails(),
            _ => {
                let at = self.anywhere();
                let event = self.new_event(deviation, at)?;
                self.insert(at, event);
                Some(at)
            }
        }
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_ratio(percent, 100)
    }

    pub(super) fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let at = self.rng.random_range(0..all.len().max(1));
        all.get(at).cloned()
    }

    /// An event of that sort.
    pub(super) fn find(&mut self, which: impl Fn(&Event) -> bool) -> Option<usize> {
        let all: Vec<usize> = (0..self.events.len()).filter(|&at| which(&self.events[at])).collect();
        self.one_of(&all)
    }

    /// A place between two events, or at an end.
    pub(super) fn anywhere(&mut self) -> usize {
        self.rng.random_range(0..=self.events.len())
    }

    /// Moves what corrections name, from that event on.
    fn renumber(&mut self, from: usize, by: i64) {
        let from = self.line(from);
        for event in self.events.iter_mut() {
            if let Event::Correct { line, after, .. } = event {
                for line in [line, after].into_iter().flatten().filter(|line| **line >= from) {
                    *line = line.saturating_add_signed(by);
                }
            }
        }
    }

    pub(super) fn insert(&mut self, at: usize, event: Event) {
        let at = at.min(self.events.len());
        self.renumber(at, 1);
        self.events.insert(at, event);
    }

    pub(super) fn remove(&mut self, at: usize) -> Event {
        let event = self.events.remove(at);
        self.renumber(at + 1, -1);
        event
    }

    /// Takes an event elsewhere; where to.
    fn carry(&mut self, from: usize, to: usize) -> usize {
        let event = self.remove(from);
        let to = to.min(self.events.len());
        self.insert(to, event);
        to
    }

    fn line(&self, at: usize) -> LineNo {
        self.scene.first + at as LineNo
    }

    /// Some hand of the table, mostly one with a bet.
    pub(super) fn hand(&mut self) -> HandId {
        let bet = |event: &Event| matches!(event, Event::Bet { .. } | Event::Ask { .. } | Event::Decide { .. });
        match self.find(bet).filter(|_| self.chance(85)).map(|at| &self.events[at]) {
            Some(Event::Bet { hand, .. } | Event::Ask { hand, .. } | Event::Decide { hand, .. }) => *hand,
            _ => {
                let box_no = self.rng.random_range(1..=self.scene.header.boxes);
                let hand = if self.chance(80) { 0 } else { self.rng.random_range(1..8) };
                HandId { box_no, hand }
            }
        }
    }

    /// Some place cards lie at.
    pub(super) fn place(&mut self) -> Place {
        match self.rng.random_range(0..10) {
            0..7 => self.hand().into(),
            _ => Place::Bank,
        }
    }

    pub(super) fn tray(&mut self) -> Place {
        self.one_of(&[Place::Burn, Place::Discard, Place::Discard, Place::Shoe]).unwrap_or(Place::Discard)
    }

    pub(super) fn card(&mut self) -> Card {
        let card = Card::from_index(self.rng.random_range(0..52));
        card.filter(|_| self.chance(80)).unwrap_or(Card::UNREAD)
    }

    fn face(&mut self) -> Option<Face> {
        self.one_of(&[None, Some(Face::Up), Some(Face::Down)]).flatten()
    }

    /// Somebody whom the pass names, or nobody knows.
    pub(super) fn player(&mut self) -> Name {
        let named = |event: &Event| matches!(event, Event::Bet { player: Some(_), .. } | Event::Seat { .. });
        match self.find(named).filter(|_| self.chance(75)).map(|at| &self.events[at]) {
            Some(Event::Bet { player: Some(player), .. } | Event::Seat { player, .. }) => player.clone(),
            _ => smol_str::format_smolstr!("P{}", self.rng.random_range(1..40)),
        }
    }

    /// An amount that plays a part in the pass, as it is, or other than it.
    pub(super) fn amount(&mut self) -> Cents {
        let at = self.find(|event| matches!(event, Event::Bet { .. } | Event::Pay { .. } | Event::Collect { .. }));
        let amount = match at.map(|at| &self.events[at]) {
            Some(Event::Bet { amount, .. } | Event::Pay { amount, .. } | Event::Collect { amount, .. }) => *amount,
            _ => self.scene.header.limits.min,
        };
        self.other_amount(amount)
    }

    pub(super) fn other_amount(&mut self, amount: Cents) -> Cents {
        let chip = self.scene.header.limits.min.max(1);
        match self.rng.random_range(0..7) {
            0 => amount / 2,
            1 => amount * 2,
            2 => amount + chip,
            3 => amount.saturating_sub(chip),
            4 => amount * 3 / 2,
            5 => self.scene.header.limits.max + chip,
            _ => amount + 5,
        }
    }

    fn spot(&mut self) -> BetSpot {
        self.one_of(BetSpot::ALL).unwrap_or_default()
    }

    fn office(&mut self) -> (Name, Name) {
        let (by, role) = self.one_of(OFFICES).unwrap_or(("I-1", "room"));
        (by.into(), role.into())
    }

    pub(super) fn authority(&mut self) -> Authority {
        self.one_of(Authority::ALL).unwrap_or(Authority::Room)
    }

    /// An event that nothing asks for at that place.
    fn new_event(&mut self, deviation: Deviation, at: usize) -> Option<Event> {
        let hand = self.hand();
        let (by, role) = self.office();
        Some(match deviation {
            Deviation::ExtraPay if self.chance(50) => Event::Pay { hand, amount: self.amount(), spot: BetSpot::Main },
            Deviation::ExtraPay => Event::Collect { hand, amount: self.amount(), spot: BetSpot::Main },
            Deviation::TakeAway => {
                let cards = self.chance(60).then(|| Moved::Count(self.rng.random_range(1..=3)));
                Event::Move { from: self.place(), to: self.tray(), cards }
            }
            Deviation::ChangeBet => {
                let amount = if self.chance(30) { 0 } else { self.amount() };
                Event::Bet { hand, spot: self.spot(), amount, player: None, chips: Vec::new() }
            }
            Deviation::ExtraCard => {
                let to = if self.chance(90) { self.place() } else { self.tray() };
                // mostly what the shoe holds next, as if it came out again afterwards
                let card = self.events[at..].iter().find_map(|event| match event {
                    Event::Draw { card, .. } => Some(*card),
                    _ => None,
                });
                let card = card.filter(|_| self.chance(60)).unwrap_or_else(|| self.card());
                Event::Draw { card, to: Some(to), face: self.face() }
            }
            Deviation::TurnUp => Event::Reveal { at: self.place(), card: None },
            Deviation::AskExtra => Event::Ask { hand, about: self.one_of(Question::ALL)? },
            Deviation::Decide if self.chance(15) => {
                Event::Ace { hand, value: if self.chance(50) { 1 } else { 11 }, by: None }
            }
            Deviation::Decide => Event::Decide { hand, choice: self.one_of(Choice::ALL)?, by: None },
            Deviation::Misspeak => Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None },
            Deviation::Authorize => Event::Authorize { by, role: self.authority(), what: self.one_of(Permit::ALL)? },
            Deviation::Bank => self.bank_event()?,
            Deviation::Consent if self.chance(50) => Event::Consent { hand, yes: self.chance(50) },
            Deviation::Consent => Event::Choose { hand, option: self.one_of(Taken::ALL)? },
            Deviation::Rule => {
                let finding = self.chance(60).then(|| self.scene.findings + self.rng.random_range(0..4));
                let decision = self.one_of(sabot_law::table::event::Ruling::ALL)?;
                Event::Rule { by, role, decision, finding }
            }
            Deviation::Correct => self.correction(at, by, role),
            Deviation::Report => {
                let provisions = ["C17", "C20", "T-N3", "T0", "G25", "G0", "K17", "K0", "D9"];
                let provision = self.chance(60).then(|| self.one_of(&provisions)).flatten().map(Name::new_static);
                let place = self.chance(50).then(|| self.place());
                let note = self.one_of(&sabot_law::table::event::NOTES)?;
                Event::Report { by, role, provision, place, note: note.into() }
            }
            _ => return None,
        })
    }

    fn bank_event(&mut self) -> Option<Event> {
        let player = self.player();
        Some(match self.rng.random_range(0..6) {
            0 => Event::BankCard { player, card: self.card() },
            1 => Event::Share { player, what: self.one_of(Share::ALL)?, amount: self.amount() },
            2 => Event::OfferCut { player },
            _ => {
                let how = self.one_of(BankChange::ALL)?;
                let none = matches!(how, BankChange::Returned | BankChange::Left);
                let by = self.chance(60).then(|| self.player());
                let amount = (how == BankChange::Sold).then(|| self.amount());
                Event::Bank { how, player: Some(player).filter(|_| !none), by, amount }
            }
        })
    }

    /// A correction of some line before it: that it did not happen, was otherwise, or that something came after it.
    fn correction(&mut self, at: usize, by: Name, role: Name) -> Event {
        let back = self.rng.random_range(1..30);
        let named = self.line(at.saturating_sub(back));
        let named = if self.chance(85) { named } else { named.saturating_sub(self.rng.random_range(1..90)) };
        let of = usize::try_from(named.saturating_sub(self.scene.first)).unwrap_or(0);
        let mut event = self.events.get(of).cloned();
        if self.chance(60) {
            event = event.map(|event| self.mistold(&event).unwrap_or(event));
        }
        let event = event.filter(|event| !matches!(event, Event::Correct { .. })).map(Box::new);
        match self.rng.random_range(0..3) {
            0 if event.is_some() => Event::Correct { by, role, line: None, after: Some(named), event },
            1 => Event::Correct { by, role, line: Some(named), after: None, event: None },
            _ => Event::Correct { by, role, line: Some(named), after: None, event },
        }
    }

    /// Something is told wrongly, and a correction some events later puts it right.
    fn puts_right(&mut self) -> Option<usize> {
        let may = |event: &Event| {
            use Event::{Authorize, Correct, Device, Report, Rule};
            !matches!(event, Authorize { .. } | Rule { .. } | Report { .. } | Device { .. } | Correct { .. })
        };
        let at = self.find(may)?;
        let told = self.events[at].clone();
        let (mut line, mut after, mut event) = (None, None, Some(Box::new(told.clone())));
        match self.rng.random_range(0..3) {
            0 => {
                self.insert(at + 1, told);
                (line, event) = (Some(self.line(at + 1)), None);
            }
            1 => {
                self.events[at] = self.mistold(&told)?;
                line = Some(self.line(at));
            }
            _ => {
                self.remove(at);
                after = Some(self.line(at).checked_sub(1).filter(|&line| line > 1)?);
            }
        }
        let later = (at + 1 + self.rng.random_range(1..30)).min(self.events.len());
        let (by, role) = ("I-4".into(), "inspector".into());
        self.insert(later, Event::Correct { by, role, line, after, event });
        Some(at)
    }

    /// A bet is made only when play has begun, or somebody comes who was not there.
    fn comes_late(&mut self) -> Option<usize> {
        let closed = |event: &Event| matches!(event, Event::CloseBets {} | Event::Draw { .. });
        let close = self.events.iter().position(closed)?;
        let later = (close + self.rng.random_range(1..=FAR)).min(self.events.len());
        if self.chance(50) {
            let before =
                |event: &Event| matches!(event, Event::Bet { .. } | Event::Seat { .. } | Event::Request { .. });
            let those: Vec<usize> = (0..close).filter(|&at| before(&self.events[at])).collect();
            let at = self.one_of(&those)?;
            return Some(self.carry(at, later));
        }
        let box_no = self.rng.random_range(1..=self.scene.header.boxes);
        let player = self.player();
        let event = if self.chance(80) {
            let (hand, amount) = (HandId::first(box_no), self.amount());
            Event::Bet { hand, spot: BetSpot::Main, amount, player: Some(player), chips: Vec::new() }
        } else if self.chance(50) {
            Event::Seat { seat: box_no, player }
        } else {
            Event::Leave { seat: box_no, player }
        };
        self.insert(later, event);
        Some(later)
    }

    /// Equipment fails; it may be away for a while, lose what it would have told, and come back with or without it.
    fn device_fails(&mut self) -> Option<usize> {
        let device: Name = self.one_of(DEVICES)?.into();
        let status: Name = self.one_of(STATUS)?.into();
        let told = |status: Name, complete| Event::Device { device: device.clone(), status, detail: None, complete };
        let at = self.anywhere();
        self.insert(at, told(status.clone(), false));
        if status == "offline" && self.chance(80) {
            let back = (at + self.rng.random_range(2..40)).min(self.events.len());
            let complete = self.chance(50);
            self.insert(back, told("online".into(), complete));
            let of_device = |event: &Event| match device.as_str() {
                "shoe" => matches!(event, Event::Draw { .. } | Event::CutCard {} | Event::Load { .. }),
                "chips" => {
                    matches!(event.sight(), Some(sabot_law::table::Sight::Bets | sabot_law::table::Sight::Moves))
                }
                "keypad" => matches!(event, Event::Ask { .. } | Event::Decide { .. } | Event::Announce { .. }),
                _ => matches!(event, Event::Shuffle { .. }),
            };
            let away: Vec<usize> = (at + 1..back).rev().filter(|&at| of_device(&self.events[at])).collect();
            let late = complete && self.chance(50);
            for one in away {
                // told when it is back, in the order in which it happened, or never
                let event = self.remove(one);
                if late {
                    let before = self
                        .events
                        .iter()
                        .skip(at + 1)
                        .position(|event| matches!(event, Event::Device { status, .. } if status == "online"));
                    let held =
                        self.events[..at + 1 + before?].iter().rev().take_while(|event| of_device(event)).count();
                    self.insert((at + 1 + before?).saturating_sub(held), event);
                } else if complete && self.chance(50) {
                    self.insert(one, event);
                }
            }
        }
        Some(at)
    }

    fn ends_otherwise(&mut self) -> Option<usize> {
        let at = self.find(|event| matches!(event, Event::End {}))?;
        match self.rng.random_range(0..3) {
            0 => drop(self.remove(at)),
            1 => self.insert(at, Event::End {}),
            _ => {
                let early = self.rng.random_range(0..=at);
                self.carry(at, early);
            }
        }
        Some(at)
    }
}
