//! Whether the cards that come out of many shoes are those that belong in them.
//!
//! Nobody sees a card that is missing. But a shoe without its queens of spades deals none, and after some shoes that is
//! no chance. For each card and for several numbers of copies other than those that belong there, what a shoe has shown
//! is held against both: how likely it is with the one number and with the other. The ratios of shoe after shoe are
//! carried on as a Shiryaev-Roberts statistic, and their mean over all cards and numbers is compared with a bound.
//!
//! With the right cards, well shuffled, each ratio is 1 in the mean, whenever a shoe ends. So the statistic grows by 1
//! a shoe in the mean, and the mean time to a false alarm is at least as many shoes as the bound says. That is exact,
//! and needs no simulation; nor does it matter which cards stay covered, as long as their value does not decide that.

use sabot_law::procedure::shoe::Shoe;
use sabot_law::table::card::DECK;
use sabot_law::table::{Card, Event, Name};
use serde::{Deserialize, Serialize};
use smol_str::format_smolstr;

/// Shoes that a table deals in a year: twelve hours a day, a shoe each forty minutes.
const SHOES_A_YEAR: f64 = 6570.0;
/// Years of a table to a false alarm, at the least in the mean.
const YEARS: f64 = 10.0;
/// Bound of the statistic.
pub(super) const ALARM: f64 = YEARS * SHOES_A_YEAR;
/// The status under which the record has it.
pub(super) const STATUS: &str = "composition";
/// Most decks of a shoe.
const MAX_DECKS: u32 = 16;
/// Numbers of copies that are held against the right one, as eighths of it, and one more or fewer.
const EIGHTHS: [u32; 7] = [0, 2, 4, 6, 10, 12, 16];

/// Another number of copies of a card, and what speaks for it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Alternative {
    copies: u32,
    /// The Shiryaev-Roberts statistic of each card.
    evidence: [f64; DECK],
}

/// What is known of the shoes so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Composition {
    decks: u32,
    alternatives: Vec<Alternative>,
    /// Logarithms of factorials.
    ln_factorials: Vec<f64>,
    /// What is to be told.
    alarm: Option<Name>,
}

/// What is kept of it: the decks of a shoe, and the statistics number by number and card by card, by their bits, for
/// the last of them may be another when it is read from a decimal number.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptComposition {
    decks: u32,
    evidence: Vec<Vec<u64>>,
    alarm: Option<Name>,
}

impl Composition {
    /// What is to be kept of it.
    pub(super) fn kept(&self) -> KeptComposition {
        let bits = |one: &Alternative| one.evidence.iter().map(|evidence| evidence.to_bits()).collect();
        let evidence = self.alternatives.iter().map(bits).collect();
        KeptComposition { decks: self.decks, evidence, alarm: self.alarm.clone() }
    }

    /// What was kept; nothing where it holds other numbers of copies than this program asks for.
    pub(super) fn restored(kept: KeptComposition) -> Option<Self> {
        let mut composition = Self { alarm: kept.alarm, ..Self::default() };
        // before the first shoe is over nothing has begun
        if kept.decks > 0 {
            composition.begin(kept.decks);
        }
        if composition.alternatives.len() != kept.evidence.len() {
            return None;
        }
        for (alternative, bits) in composition.alternatives.iter_mut().zip(kept.evidence) {
            let evidence: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
            alternative.evidence = evidence.try_into().ok()?;
        }
        Some(composition)
    }

    /// Takes note of an event, before it changes the shoe in play.
    pub(super) fn hear(&mut self, event: &Event, shoe: Option<&Shoe>) {
        match event {
            Event::Load { .. } => self.ends(shoe),
            // the record has it, where it is read back
            Event::Device { device, status, .. } if device == "shoe" && status == STATUS => self.alarm = None,
            _ => {}
        }
    }

    /// The shoe in play counts as it is: it is over, or what it shows from now on is told to nobody.
    pub(super) fn ends(&mut self, shoe: Option<&Shoe>) {
        if let Some(shoe) = shoe {
            self.shoe_is_over(shoe.decks, shoe.seen());
        }
    }

    /// What is to be told, once.
    pub(super) fn take_alarm(&mut self) -> Option<Name> {
        self.alarm.take()
    }

    /// A shoe of so many decks has shown these cards face up.
    fn shoe_is_over(&mut self, decks: u32, seen: &[u16; DECK]) {
        if decks != self.decks {
            self.begin(decks);
        }
        let shown: u32 = seen.iter().map(|&times| u32::from(times)).sum();
        let cards = self.decks * DECK as u32;
        // what comes too often is found at once, by M1 and its like
        let is_possible = shown <= cards && seen.iter().all(|&times| u32::from(times) <= self.decks);
        if self.alternatives.is_empty() || !is_possible {
            return;
        }
        let mut alternatives = std::mem::take(&mut self.alternatives);
        for Alternative { copies, evidence } in &mut alternatives {
            for (evidence, &times) in evidence.iter_mut().zip(seen) {
                *evidence = (1.0 + *evidence) * self.ratio(*copies, shown, times.into());
            }
        }
        let (mut sum, mut best) = (0.0, (0.0, 0, 0));
        for Alternative { copies, evidence } in &alternatives {
            for (card, &evidence) in evidence.iter().enumerate() {
                sum += evidence;
                if evidence > best.0 {
                    best = (evidence, card, *copies);
                }
            }
        }
        self.alternatives = alternatives;
        let statistics = (self.alternatives.len() * DECK) as f64;
        if sum / statistics >= ALARM {
            let (_, card, copies) = best;
            let card = u8::try_from(card).ok().and_then(Card::from_index).unwrap_or(Card::UNREAD);
            let than = if copies < self.decks { "fewer" } else { "more" };
            self.alarm = Some(format_smolstr!("{card}: {than} than {} in the shoes of late", self.decks));
            self.begin(self.decks);
        }
    }

    fn begin(&mut self, decks: u32) {
        self.decks = decks;
        let is_known = (1..=MAX_DECKS).contains(&decks);
        let mut copies: Vec<u32> = EIGHTHS.iter().map(|eighths| decks * eighths / 8).collect();
        copies.extend([decks.saturating_sub(1), decks + 1]);
        copies.sort_unstable();
        copies.dedup();
        copies.retain(|copies| *copies != decks && is_known);
        self.alternatives = copies.into_iter().map(|copies| Alternative { copies, evidence: [0.0; DECK] }).collect();
        let most = if is_known { decks as usize * DECK } else { 0 };
        self.ln_factorials = std::iter::once(0.0)
            .chain((1..=most).scan(0.0, |sum, n| {
                *sum += (n as f64).ln();
                Some(*sum)
            }))
            .collect();
    }

    /// How much likelier it is that so many of `shown` cards are this one if the shoe holds `copies` of it, than if it
    /// holds one a deck.
    fn ratio(&self, copies: u32, shown: u32, times: u32) -> f64 {
        let cards = self.decks * DECK as u32;
        let ln = |held: u32| {
            let among = self.ln_choose(held, times)?;
            Some(among + self.ln_choose(cards - held, shown - times)?)
        };
        ln(copies).zip(ln(self.decks)).map_or(0.0, |(other, right)| (other - right).exp())
    }

    fn ln_choose(&self, of: u32, some: u32) -> Option<f64> {
        let ln = |n: u32| self.ln_factorials.get(n as usize).copied();
        Some(ln(of)? - ln(some)? - ln(of.checked_sub(some)?)?)
    }
}

#[cfg(test)]
#[path = "composition_tests.rs"]
pub(crate) mod tests;
