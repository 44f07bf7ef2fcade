//! What is still to be done about findings, in lists by what it waits for: an event looks at what it concerns, however
//! much is open. Copies share what they have in common.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};

use super::duty::{Deadline, Duty, Part, belonging};
use crate::table::due::attention;
use crate::table::event::Taken;
use crate::table::settings::BurnedFirst;
use crate::table::{Event, HandId, Place, Severity};

/// What a duty waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waits {
    /// Any event may concern it.
    Any,
    /// Cards go from one place to another.
    Move { from: Place, to: Place },
    /// The bank's turn.
    BanksTurn,
    /// A card that could not be read is named there.
    Name(Place),
    /// A ruling about that place.
    Ruling(Option<Place>),
}

/// Duties in the order in which they were raised: how many came before, and the finding.
type Entry = (u64, u64);

/// Findings that get cards which are moved or named, and how many.
pub type Claims = BTreeMap<u64, usize>;

/// The open duties of a pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Duties {
    /// By finding.
    open: RedBlackTreeMapSync<u64, Duty>,
    /// Their findings in the order of attention.
    attention: RedBlackTreeSetSync<(Reverse<Severity>, u64)>,
    /// Those that wait for something.
    waiting: RedBlackTreeSetSync<(Waits, Entry)>,
    /// How many cards are to go from one place to another, and how many rulings are to come about one.
    left: RedBlackTreeMapSync<Waits, usize>,
    /// How many there have been.
    raised: u64,
}

impl Duties {
    /// Nothing is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// How many are open.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open.size()
    }

    /// How many there have been.
    #[must_use]
    pub const fn raised(&self) -> u64 {
        self.raised
    }

    /// All of them, by the number of their finding.
    pub fn iter(&self) -> impl Iterator<Item = &Duty> {
        self.open.values()
    }

    /// Something is left to be done about a finding.
    #[must_use]
    pub fn is_open(&self, finding: u64) -> bool {
        self.open.contains_key(&finding)
    }

    /// What is to be done about a finding.
    #[must_use]
    pub fn of(&self, finding: u64) -> Option<&Duty> {
        self.open.get(&finding)
    }

    /// In the order of attention: the gravest finding first, and of equal ones the oldest.
    pub fn in_order(&self) -> impl Iterator<Item = &Duty> {
        self.attention.iter().filter_map(|(_, finding)| self.of(*finding))
    }

    /// Parts of those that any event may concern: all but cards to burn, to name and to rule on of which nothing else
    /// is to be done.
    pub fn parts_awake(&self) -> impl Iterator<Item = &Part> {
        self.waiting_for(Waits::Any).filter_map(|(_, finding)| self.of(finding)).flat_map(|duty| &duty.parts)
    }

    /// Whether a finding asks for that, and its turn has come.
    #[must_use]
    pub fn asks_for(&self, part: Part) -> bool {
        self.parts_awake().any(|asked| *asked == part)
    }

    /// What the bettor of a hand is offered, by finding, where its turn has come.
    pub fn offers(&self, id: HandId) -> impl Iterator<Item = [Taken; 2]> {
        self.parts_awake().filter_map(move |part| match part {
            Part::Offer(hand, options) if *hand == id => Some(*options),
            _ => None,
        })
    }

    /// How many cards are to go from one place to another.
    #[must_use]
    pub fn to_move(&self, from: Place, to: Place) -> usize {
        self.left.get(&Waits::Move { from, to }).copied().unwrap_or(0)
    }

    /// How many cards may go from one place to another: as many as are asked for, or all of a hand whose bettor may
    /// still refuse them.
    #[must_use]
    pub fn may_move(&self, from: Place, to: Place) -> usize {
        let asked = |part: &Part| matches!(part, Part::AskConsent(hand) if Place::from(*hand) == from);
        if to == Place::Burn && self.parts_awake().any(asked) { usize::MAX } else { self.to_move(from, to) }
    }

    /// The places about which the room is to rule.
    pub fn to_rule_on(&self) -> impl Iterator<Item = Option<Place>> {
        let rulings = self.left.range(Waits::Ruling(None)..);
        rulings.filter_map(|(waits, _)| if let Waits::Ruling(place) = waits { Some(*place) } else { None })
    }

    /// The findings that the room is to rule on; of several, two.
    #[must_use]
    pub fn for_room(&self) -> Vec<u64> {
        let asleep = self.waiting.range((Waits::Ruling(None), (0, 0))..);
        let awake = self.waiting_for(Waits::Any).map(|(_, finding)| finding);
        let rules = |finding: &u64| self.of(*finding).is_some_and(|duty| duty.parts.contains(&Part::Rule));
        awake.filter(rules).chain(asleep.map(|(_, (_, finding))| *finding)).take(2).collect()
    }

    /// The findings of which something is open; of several, two.
    #[must_use]
    pub fn first_two(&self) -> Vec<u64> {
        self.open.keys().take(2).copied().collect()
    }

    /// The findings that an event concerns, in the order in which they were raised. `ruled` is the one that it rules
    /// on, `claims` tells which of them get cards that it moves or names.
    #[must_use]
    pub fn concerned(&self, ruled: Option<u64>, claims: &Claims, is_banks_turn: bool) -> Vec<u64> {
        let mut entries: Vec<Entry> = self.waiting_for(Waits::Any).collect();
        let named = claims.keys().copied().chain(ruled);
        entries.extend(named.filter_map(|finding| self.of(finding)).map(|duty| (duty.number, duty.finding)));
        if is_banks_turn {
            entries.extend(self.waiting_for(Waits::BanksTurn));
        }
        in_turn(entries)
    }

    /// Which findings get the `count` cards that an event moves or names, and how many each: those whose `own` cards it
    /// names, then the first in `order`.
    #[must_use]
    pub fn claims(&self, event: &Event, count: usize, order: BurnedFirst, own: &[u64]) -> Claims {
        let waits = match event {
            Event::Move { from, to, .. } => Waits::Move { from: *from, to: belonging(*to) },
            Event::Reveal { at, .. } => Waits::Name(*at),
            _ => return Claims::new(),
        };
        if self.is_empty() {
            return Claims::new();
        }
        let mut entries: Vec<Entry> = self.waiting_for(Waits::Any).collect();
        let asleep = self.waiting_for(waits);
        match order {
            // each takes a card at least
            BurnedFirst::Oldest => entries.extend(asleep.take(count)),
            BurnedFirst::Last => entries.extend(asleep.rev().take(count)),
        }
        entries.extend(own.iter().filter_map(|finding| self.of(*finding)).map(|duty| (duty.number, duty.finding)));
        let mut findings = in_turn(entries);
        if order == BurnedFirst::Last {
            findings.reverse();
        }
        findings.sort_by_key(|finding| !own.contains(finding));
        let mut left = count;
        let claims = findings.into_iter().filter_map(|finding| {
            let claimed = self.of(finding)?.wants(event).min(left);
            left -= claimed;
            (claimed > 0).then_some((finding, claimed))
        });
        claims.collect()
    }

    /// The findings about cards at a place that are to be named, in the order in which they were raised.
    #[must_use]
    pub fn to_name(&self, at: Place) -> Vec<u64> {
        in_turn(self.waiting_for(Waits::Name(at)).collect())
    }

    /// The findings of which something may have been done that nobody saw; cards moved only where nobody sees that.
    #[must_use]
    pub fn unseen(&self, moves: bool) -> Vec<u64> {
        let end = if moves { (Waits::BanksTurn, (0, 0)) } else { (Waits::Any, (u64::MAX, u64::MAX)) };
        in_turn(self.waiting.range(..end).map(|(_, entry)| *entry).collect())
    }

    /// All findings, in the order in which they were raised.
    #[must_use]
    pub fn all(&self) -> Vec<u64> {
        in_turn(self.iter().map(|duty| (duty.number, duty.finding)).collect())
    }

    /// One more.
    pub fn add(&mut self, mut duty: Duty) {
        duty.number = self.raised;
        self.raised += 1;
        self.attention.insert_mut(attention(duty.severity, duty.finding));
        self.list(&duty);
        self.open.insert_mut(duty.finding, duty);
    }

    /// One has fared on.
    pub fn change<T>(&mut self, finding: u64, change: impl FnOnce(&mut Duty) -> T) -> Option<T> {
        let old = self.of(finding)?;
        let (mut duty, old) = (old.clone(), old.clone());
        let changed = change(&mut duty);
        if duty != old {
            self.unlist(&old);
            self.list(&duty);
            self.open.insert_mut(finding, duty);
        }
        Some(changed)
    }

    /// Nothing is left to be done about a finding, or it is too late.
    pub fn close(&mut self, finding: u64) {
        let Some(duty) = self.of(finding).cloned() else { return };
        self.unlist(&duty);
        self.attention.remove_mut(&attention(duty.severity, finding));
        self.open.remove_mut(&finding);
    }

    /// The same as if these findings had not been made.
    #[must_use]
    pub fn without(&self, findings: &[u64]) -> Self {
        let mut others = self.clone();
        findings.iter().for_each(|finding| others.close(*finding));
        others
    }

    /// Whether every change of a duty was noted in the lists.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        let mut anew = Self { open: self.open.clone(), raised: self.raised, ..Self::default() };
        for duty in self.iter() {
            anew.attention.insert_mut(attention(duty.severity, duty.finding));
            anew.list(duty);
        }
        anew == *self
    }

    fn waiting_for(&self, waits: Waits) -> impl DoubleEndedIterator<Item = Entry> {
        // of none there is no range to look for, which is most of the time
        let all =
            (!self.waiting.is_empty()).then(|| self.waiting.range((waits, (0, 0))..=(waits, (u64::MAX, u64::MAX))));
        all.into_iter().flatten().map(|(_, entry)| *entry)
    }

    fn list(&mut self, duty: &Duty) {
        for waits in waits(duty) {
            self.waiting.insert_mut((waits, (duty.number, duty.finding)));
        }
        for (waits, count) in counts(duty) {
            let before = self.left.get(&waits).copied().unwrap_or(0);
            self.left.insert_mut(waits, before.saturating_add(count));
        }
    }

    fn unlist(&mut self, duty: &Duty) {
        for waits in waits(duty) {
            self.waiting.remove_mut(&(waits, (duty.number, duty.finding)));
        }
        for (waits, count) in counts(duty) {
            match self.left.get(&waits).map_or(0, |before| before.saturating_sub(count)) {
                0 => drop(self.left.remove_mut(&waits)),
                left => self.left.insert_mut(waits, left),
            }
        }
    }
}

/// Each finding once, in the order in which they were raised.
fn in_turn(mut entries: Vec<Entry>) -> Vec<u64> {
    entries.sort_unstable();
    entries.dedup();
    entries.into_iter().map(|(_, finding)| finding).collect()
}

/// What a duty waits for.
fn waits(duty: &Duty) -> impl Iterator<Item = Waits> {
    let is_asleep = duty.may_sleep();
    let parts = duty.parts.iter().filter(move |_| is_asleep).filter_map(|part| match part {
        Part::Burn { place, .. } => Some(Waits::Move { from: *place, to: Place::Burn }),
        Part::Identify(place) => Some(Waits::Name(*place)),
        Part::Rule => Some(Waits::Ruling(duty.place)),
        _ => None,
    });
    let turn = (is_asleep && duty.deadline == Deadline::BanksTurn).then_some(Waits::BanksTurn);
    parts.chain(turn).chain((!is_asleep).then_some(Waits::Any))
}

/// How many cards it wants moved, and how many rulings.
fn counts(duty: &Duty) -> impl Iterator<Item = (Waits, usize)> {
    duty.parts.iter().filter_map(|part| match part {
        Part::Burn { place, left } => Some((Waits::Move { from: *place, to: Place::Burn }, *left)),
        Part::PutBack { place, left } => Some((Waits::Move { from: *place, to: Place::Shoe }, *left)),
        Part::Rule => Some((Waits::Ruling(duty.place), 1)),
        _ => None,
    })
}
