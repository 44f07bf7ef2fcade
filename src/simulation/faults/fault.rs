//! What a sensor or a key gets wrong in a pass, and what puts it right again.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use sabot_law::table::event;
use sabot_law::table::{Card, Cents, Event, Name, Place, Sight};

/// The furthest a key comes late, in events.
const LATEST: usize = 5;
/// The longest a device is away, in events: a table tells about one a second.
const AWAY: usize = 10;

sabot_words::words! {
    "a kind of fault";
    /// What a sensor or a key gets wrong.
    pub enum Kind {
        /// An event is not told.
        Missed = "missed",
        /// An event is told twice.
        Doubled = "doubled",
        /// A card is read as one of another rank.
        Rank = "rank",
        /// A card is read as one of another suit.
        Suit = "suit",
        /// A card cannot be read.
        Unread = "unread",
        /// A place is wrong by one.
        Place = "place",
        /// An amount is wrong by a chip.
        Amount = "amount",
        /// A key is pressed late.
        LateKey = "late key",
        /// The shoe is away; what it would have told is lost.
        ShoeAway = "shoe away",
        /// The antennas under the felt are away.
        ChipsAway = "chips away",
        /// The keypad is away.
        KeypadAway = "keypad away",
        /// The shoe is away, and tells everything when it is back.
        ShoeTold = "shoe away, all told",
        /// The antennas under the felt are away, and tell everything.
        ChipsTold = "chips away, all told",
        /// The keypad is away, and tells everything.
        KeypadTold = "keypad away, all told",
    }
}

/// A step towards the events as they were. Positions are those in the faulty pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undo {
    /// The event there did not happen.
    Strike(usize),
    /// It should have read so.
    Replace(usize, Event),
    /// This happened before it.
    Insert(usize, Event),
}

impl Undo {
    /// How much hangs on it for what the bets are owed; the least first.
    const fn order(&self) -> u8 {
        match self {
            Self::Strike(_) => 0,
            Self::Replace(_, event) | Self::Insert(_, event) => match event {
                Event::Draw { .. } | Event::Bet { .. } => 0,
                Event::Decide { .. } | Event::Ace { .. } => 1,
                Event::Reveal { .. } => 2,
                Event::Collect { .. } | Event::Pay { .. } => 3,
                _ => 4,
            },
        }
    }
}

/// One fault in a pass.
#[derive(Debug, Clone)]
pub struct Fault {
    /// Of which kind.
    pub kind: Kind,
    /// The event that it hit first.
    pub hit: event::Kind,
    /// The pass as it is told.
    pub told: Vec<Event>,
    /// Everything that puts it right, what the accounts hang on first.
    pub undo: Vec<Undo>,
}

/// What a reading can be wrong by at a table.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Its betting boxes.
    pub boxes: u8,
    /// The least chip.
    pub chip: Cents,
}

impl Fault {
    /// A fault of any kind in a pass; `None` where nothing can go wrong.
    pub fn any(rng: &mut ChaCha8Rng, table: Table, events: &[Event]) -> Option<Self> {
        let mut kinds = Kind::ALL.to_vec();
        while !kinds.is_empty() {
            let kind = kinds.swap_remove(rng.random_range(0..kinds.len()));
            if let Some(fault) = Self::of(kind, rng, table, events) {
                return Some(fault);
            }
        }
        None
    }

    /// A fault of that kind.
    pub fn of(kind: Kind, rng: &mut ChaCha8Rng, table: Table, events: &[Event]) -> Option<Self> {
        let first = events.iter().position(|event| matches!(event, Event::Bet { .. }))?;
        let end = events.iter().rposition(|event| matches!(event, Event::End {}))?;
        let pass = Pass { events, first, end, table };
        match kind {
            Kind::Missed => pass.missed(rng),
            Kind::Doubled => pass.doubled(rng),
            Kind::Rank | Kind::Suit | Kind::Unread | Kind::Place | Kind::Amount => pass.misread(kind, rng),
            Kind::LateKey => pass.late(rng),
            Kind::ShoeAway => pass.away(kind, Device::Shoe, false, rng),
            Kind::ChipsAway => pass.away(kind, Device::Chips, false, rng),
            Kind::KeypadAway => pass.away(kind, Device::Keypad, false, rng),
            Kind::ShoeTold => pass.away(kind, Device::Shoe, true, rng),
            Kind::ChipsTold => pass.away(kind, Device::Chips, true, rng),
            Kind::KeypadTold => pass.away(kind, Device::Keypad, true, rng),
        }
    }
}

/// A device that can be away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Device {
    Shoe,
    Chips,
    Keypad,
}

impl Device {
    const fn name(self) -> &'static str {
        match self {
            Self::Shoe => "shoe",
            Self::Chips => "chips",
            Self::Keypad => "keypad",
        }
    }

    /// Who tells of an event, where a device does.
    const fn of(event: &Event) -> Option<Self> {
        match event.sight() {
            Some(Sight::Asks | Sight::Decisions | Sight::Announcements) => Some(Self::Keypad),
            Some(_) => Some(Self::Chips),
            None if matches!(event, Event::Draw { .. } | Event::CutCard {}) => Some(Self::Shoe),
            None => None,
        }
    }

    fn tells(self, status: &str, complete: bool) -> Event {
        Event::Device { device: Name::new(self.name()), status: Name::new(status), detail: None, complete }
    }
}

/// A legal pass with whatever came before it.
struct Pass<'a> {
    events: &'a [Event],
    /// Its first bet.
    first: usize,
    /// Its end.
    end: usize,
    table: Table,
}

impl Pass<'_> {
    /// The position of any event for which something holds, from the first bet to the end.
    fn choose(&self, rng: &mut ChaCha8Rng, holds: impl Fn(&Event) -> bool) -> Option<usize> {
        let all: Vec<usize> = (self.first..=self.end).filter(|&at| holds(&self.events[at])).collect();
        all.choose(rng).copied()
    }

    fn fault(&self, kind: Kind, at: usize, told: Vec<Event>, mut undo: Vec<Undo>) -> Fault {
        undo.sort_by_key(Undo::order);
        Fault { kind, hit: self.events[at].kind(), told, undo }
    }

    fn missed(&self, rng: &mut ChaCha8Rng) -> Option<Fault> {
        let at = self.choose(rng, is_observed)?;
        let mut told = self.events.to_vec();
        let lost = told.remove(at);
        Some(self.fault(Kind::Missed, at, told, vec![Undo::Insert(at, lost)]))
    }

    fn doubled(&self, rng: &mut ChaCha8Rng) -> Option<Fault> {
        let at = self.choose(rng, is_observed)?;
        let mut told = self.events.to_vec();
        told.insert(at + 1, told[at].clone());
        Some(self.fault(Kind::Doubled, at, told, vec![Undo::Strike(at + 1)]))
    }

    fn misread(&self, kind: Kind, rng: &mut ChaCha8Rng) -> Option<Fault> {
        let at = self.choose(rng, |event| match kind {
            Kind::Place => placed(&mut event.clone()).is_some(),
            Kind::Amount => amount_of(&mut event.clone()).is_some_and(|amount| *amount > 0),
            _ => matches!(event, Event::Draw { .. }),
        })?;
        let mut told = self.events.to_vec();
        let event = &mut told[at];
        match kind {
            Kind::Place => {
                let box_no = placed(event)?;
                let is_up = if *box_no == 1 { true } else { *box_no < self.table.boxes && rng.random_bool(0.5) };
                *box_no = if is_up { *box_no + 1 } else { *box_no - 1 };
            }
            Kind::Amount => {
                let amount = amount_of(event)?;
                let is_less = *amount > self.table.chip && rng.random_bool(0.5);
                *amount = if is_less { *amount - self.table.chip } else { *amount + self.table.chip };
            }
            _ => {
                let Event::Draw { card, .. } = event else { return None };
                *card = misread_card(kind, *card, rng)?;
            }
        }
        Some(self.fault(kind, at, told, vec![Undo::Replace(at, self.events[at].clone())]))
    }

    fn late(&self, rng: &mut ChaCha8Rng) -> Option<Fault> {
        // nothing is told of a pass that is over
        let last = self.end.checked_sub(1)?;
        let at = self.choose(rng, |event| Device::of(event) == Some(Device::Keypad))?;
        let most = LATEST.min(last.checked_sub(at)?);
        if most == 0 {
            return None;
        }
        let to = at + rng.random_range(1..=most);
        let mut told = self.events.to_vec();
        let key = told.remove(at);
        told.insert(to, key.clone());
        Some(self.fault(Kind::LateKey, at, told, vec![Undo::Strike(to), Undo::Insert(at, key)]))
    }

    /// A device is away for a stretch. Where it tells everything when it is back, it does so in the order in which it
    /// happened, and the places of cards stand with the cards.
    fn away(&self, kind: Kind, device: Device, tells_all: bool, rng: &mut ChaCha8Rng) -> Option<Fault> {
        let hit = self.choose(rng, |event| Device::of(event) == Some(device))?;
        let from = hit - rng.random_range(0..AWAY).min(hit - self.first);
        let to = self.end.min(hit.max(from + rng.random_range(0..AWAY)) + 1);
        let mut told = self.events[..from].to_vec();
        told.push(device.tells("offline", false));
        let (mut lost, mut undo) = (Vec::new(), Vec::new());
        for event in &self.events[from..to] {
            if Device::of(event) == Some(device) {
                undo.push(Undo::Insert(told.len(), event.clone()));
                lost.push(event.clone());
                continue;
            }
            let mut seen = event.clone();
            if let Event::Draw { to, face, .. } = &mut seen
                && device == Device::Chips
                && !tells_all
            {
                (*to, *face) = (None, None);
                undo.push(Undo::Replace(told.len(), event.clone()));
            }
            told.push(seen);
        }
        if tells_all {
            // in its place again: each is two corrections
            let places = std::mem::take(&mut undo);
            for (at, place) in places.into_iter().enumerate() {
                undo.extend([Undo::Strike(told.len() + at), place]);
            }
            told.extend(lost);
        }
        told.push(device.tells("online", tells_all));
        told.extend_from_slice(&self.events[to..]);
        Some(self.fault(kind, hit, told, undo))
    }
}

/// Whether something observes it, and no person writes it down.
const fn is_observed(event: &Event) -> bool {
    Device::of(event).is_some() || matches!(event, Event::CloseBets {} | Event::End {})
}

/// The number of the box that an event of the felt is about.
fn placed(event: &mut Event) -> Option<&mut u8> {
    match event {
        Event::Draw { to: Some(Place::Hand(hand)), .. }
        | Event::Move { from: Place::Hand(hand), .. }
        | Event::Bet { hand, .. }
        | Event::Collect { hand, .. }
        | Event::Pay { hand, .. } => Some(&mut hand.box_no),
        _ => None,
    }
}

fn amount_of(event: &mut Event) -> Option<&mut Cents> {
    match event {
        Event::Bet { amount, .. } | Event::Collect { amount, .. } | Event::Pay { amount, .. } => Some(amount),
        _ => None,
    }
}

fn misread_card(kind: Kind, card: Card, rng: &mut ChaCha8Rng) -> Option<Card> {
    let (rank, suit) = (card.rank()?, card.suit()?);
    let others = (0..52).filter_map(Card::from_index).filter(|other| match kind {
        Kind::Rank => other.suit() == Some(suit) && other.rank() != Some(rank),
        Kind::Suit => other.rank() == Some(rank) && other.suit() != Some(suit),
        _ => false,
    });
    match kind {
        Kind::Unread => Some(Card::UNREAD),
        _ => others.collect::<Vec<_>>().choose(rng).copied(),
    }
}
