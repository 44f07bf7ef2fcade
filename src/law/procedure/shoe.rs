//! The cards outside the felt: shuffled, cut, in the shoe, cleared, and those that go back to their place in the shoe.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::cards::Held;
use super::known::{Fact, Facts};
use crate::table::card::DECK;
use crate::table::{Card, Name, Place};

/// A shoe in play.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shoe {
    /// Decks it was made of.
    pub decks: u32,
    /// How often each card has been seen face up.
    #[serde(with = "counts")]
    seen: [u16; DECK],
    /// Cards that it holds in all, of those that were loaded.
    #[serde(default)]
    cards: u64,
    /// Cards that have come out of it and not gone back.
    out: u64,
    /// Its cut card has come out.
    pub cut_card_out: bool,
    /// No pass of it has closed its bets yet.
    pub fresh: bool,
    /// It was made up of retired cards in the middle of a pass, to finish that.
    makeshift: bool,
}

impl Shoe {
    /// The cards must be shuffled before the next pass.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.cut_card_out | self.makeshift
    }

    /// How often each card has been seen face up, by its index.
    #[must_use]
    pub const fn seen(&self) -> &[u16; DECK] {
        &self.seen
    }

    /// Cards that have come out of it.
    #[must_use]
    pub const fn drawn(&self) -> u64 {
        self.out
    }
}

/// A card dealt by mistake where such cards go back to the shoe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct MisdealtCard {
    card: Card,
    /// Where it went.
    place: Place,
    /// It is back in the shoe.
    back: bool,
}

/// The cards outside the felt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Supply {
    /// Decks and cards shuffled and not loaded.
    shuffled: Option<(u32, u32)>,
    /// A bettor has cut since the last shuffle, or load.
    cut: bool,
    /// To whom the cut was offered since the last shuffle, in order.
    cut_offered: Vec<Name>,
    /// Who was to get the cut card when it came out instead of a card.
    cut_card_to: Option<Name>,
    /// What is not known of the cards since the shoe was loaded, a device having missed it.
    missed: Facts,
    shoe: Option<Shoe>,
    /// The cut card has come out of a shoe of which no load was told.
    #[serde(default)]
    unloaded_is_over: bool,
    /// The shoe reported that nothing is left in it, and no card has come out since.
    empty: bool,
    /// Its cards are being dealt: from its load, or its first card where none was told, to the next shuffle.
    in_use: bool,
    /// A shuffle has begun.
    being_shuffled: bool,
    /// Cards drawn since the log began.
    draws: u64,
    /// Cards that went to the discard tray since the shoe was loaded.
    discarded: u64,
    /// Cards dealt by mistake, in the order they came out, where such cards go back.
    misdealt: Vec<MisdealtCard>,
}

/// A count of each card, as a list.
mod counts {
    use alloc::vec::Vec;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::table::card::DECK;

    pub(super) fn serialize<S: Serializer>(counts: &[u16; DECK], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(counts)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u16; DECK], D::Error> {
        let counts = Vec::<u16>::deserialize(deserializer)?;
        counts.try_into().map_err(|_| D::Error::custom("a count of each of 52 cards belongs here"))
    }
}

impl Supply {
    /// A card is back in the shoe and has to come out again.
    #[must_use]
    pub fn has_put_back(&self) -> bool {
        !self.misdealt.is_empty()
    }

    /// Decks shuffled and not loaded.
    #[must_use]
    pub fn shuffled(&self) -> Option<u32> {
        self.shuffled.map(|(decks, _)| decks)
    }

    /// Cards shuffled and not loaded.
    #[must_use]
    pub fn shuffled_cards(&self) -> Option<u32> {
        self.shuffled.map(|(_, cards)| cards)
    }

    /// A bettor has cut since the last shuffle, or load.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.cut
    }

    /// There are cards to cut: shuffled, or in the shoe of before.
    #[must_use]
    pub const fn has_cards(&self) -> bool {
        self.shuffled.is_some() || self.shoe.is_some()
    }

    /// To whom the cut was offered since the last shuffle, in order.
    #[must_use]
    pub fn cut_offered(&self) -> &[Name] {
        &self.cut_offered
    }

    /// Who was to get the cut card when it came out instead of a card.
    #[must_use]
    pub const fn cut_card_to(&self) -> Option<&Name> {
        self.cut_card_to.as_ref()
    }

    /// The shoe in play.
    #[must_use]
    pub const fn shoe(&self) -> Option<&Shoe> {
        self.shoe.as_ref()
    }

    /// The cards of the shoe in play must be shuffled before the next pass.
    #[must_use]
    pub fn shoe_is_over(&self) -> bool {
        self.shoe.as_ref().map_or(self.unloaded_is_over, Shoe::is_over)
    }

    /// There is a shoe of which no pass has closed its bets yet.
    #[must_use]
    pub fn shoe_is_fresh(&self) -> bool {
        self.shoe.as_ref().is_some_and(|shoe| shoe.fresh)
    }

    /// The cut card of the shoe in play has come out.
    #[must_use]
    pub fn cut_card_is_out(&self) -> bool {
        self.shoe.as_ref().map_or(self.unloaded_is_over, |shoe| shoe.cut_card_out)
    }

    /// The shoe reported that nothing is left in it, and no card has come out since.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.empty
    }

    /// Nothing is left in it, as it reports or as its cards are counted.
    #[must_use]
    pub fn has_run_out(&self) -> bool {
        let is_counted = |shoe: &Shoe| shoe.cards > 0 && shoe.out == shoe.cards && !self.missed.has(Fact::Shoe);
        self.empty || self.shoe.as_ref().is_some_and(is_counted)
    }

    /// The cards in the shoe are in use: from its load, or its first card where none was told, to the next shuffle.
    #[must_use]
    pub const fn shoe_is_in_use(&self) -> bool {
        self.in_use
    }

    /// A shuffle has begun and not finished, as the shuffler says.
    #[must_use]
    pub const fn is_being_shuffled(&self) -> bool {
        self.being_shuffled
    }

    /// The shuffler says that a shuffle has begun.
    pub(super) const fn begin_shuffle(&mut self) {
        self.being_shuffled = true;
    }

    /// Cards drawn since the log began.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// Cards that went to the discard tray since the shoe was loaded.
    #[must_use]
    pub const fn discarded(&self) -> u64 {
        self.discarded
    }

    /// The card that was put back and has to come out next: of several, the one that first came out first.
    #[must_use]
    pub fn put_back_next(&self) -> Option<Card> {
        self.misdealt.iter().find(|misdealt| misdealt.back).map(|misdealt| misdealt.card)
    }

    /// Whether another card comes out than the one that was put back to be next.
    #[must_use]
    pub fn displaces(&self, card: Card) -> bool {
        self.put_back_next().is_some_and(|next| !may_be(next, card))
    }

    /// Whether a card has been seen face up as often as there are decks.
    #[must_use]
    pub fn exceeds_decks(&self, card: Card) -> bool {
        match (&self.shoe, card.index()) {
            (Some(shoe), Some(index)) => u32::from(shoe.seen[index]) >= shoe.decks,
            _ => false,
        }
    }

    /// What is not known of the cards since the shoe was loaded.
    #[must_use]
    pub const fn missed(&self) -> Facts {
        self.missed
    }

    /// A device has missed something that the shoe goes on without.
    pub(super) const fn miss(&mut self, facts: Facts) {
        self.missed = self.missed.and(facts);
    }

    pub(super) fn shuffle(&mut self, decks: u32, cards: u32) {
        self.shuffled = Some((decks, cards));
        self.in_use = false;
        self.being_shuffled = false;
        self.cut = false;
        self.cut_offered.clear();
        self.missed = self.missed.but(Facts::of(&[Fact::Offers]));
    }

    pub(super) fn offer_cut(&mut self, player: &Name) {
        self.cut_offered.push(player.clone());
    }

    pub(super) const fn cut(&mut self) {
        self.cut = true;
    }

    /// A shoe is loaded. In the middle of a pass it is made up of what was retired: the cards `on_the_felt` are not
    /// in it.
    pub(super) fn load(&mut self, cards: u32, on_the_felt: Option<[u16; DECK]>) {
        let makeshift = on_the_felt.is_some();
        let shuffled = self.shuffled.take().map_or(0, |(decks, _)| decks);
        let before = self.shoe.as_ref().filter(|_| makeshift).map_or(0, |shoe| shoe.decks);
        let decks = shuffled.max(cards.div_ceil(DECK as u32)).max(before);
        self.in_use = true;
        self.discarded = 0;
        self.empty = false;
        self.cut = false;
        self.missed = Facts::NONE;
        self.misdealt.clear();
        if !makeshift {
            self.cut_card_to = None;
        }
        let seen = on_the_felt.unwrap_or([0; DECK]);
        let out = seen.iter().map(|&times| u64::from(times)).sum();
        let cards = out + u64::from(cards);
        self.shoe = Some(Shoe { decks, seen, cards, out, cut_card_out: false, fresh: !makeshift, makeshift });
    }

    /// The cut card comes out in the place of a card, which somebody was to get.
    pub(super) fn cut_card_comes(&mut self, to: Option<Name>) {
        self.cut_card_to = to;
        match &mut self.shoe {
            Some(shoe) => shoe.cut_card_out = true,
            None => self.unloaded_is_over = true,
        }
    }

    /// The bets of a pass close: its shoe is no longer fresh.
    pub(super) fn begin(&mut self) {
        if let Some(shoe) = &mut self.shoe {
            shoe.fresh = false;
        }
    }

    pub(super) const fn report_empty(&mut self) {
        self.empty = true;
    }

    /// A card comes out; `goes_back_from` is where it lies if it was dealt by mistake and has to go back. One that is
    /// not `seen` is taken for the one that was put back.
    ///
    /// A card that was put back is then where it was, or has been looked for in vain: nothing more is expected.
    pub(super) fn draw(&mut self, card: Card, seen: bool, goes_back_from: Option<Place>) {
        self.draws += 1;
        self.in_use |= self.shoe.is_none();
        self.empty = false;
        if let Some(shoe) = &mut self.shoe {
            shoe.out += 1;
        }
        let is_it = |misdealt: &MisdealtCard| misdealt.back && (!seen || may_be(misdealt.card, card));
        let found = self.misdealt.iter().position(is_it);
        if found.is_none() {
            self.misdealt.retain(|misdealt| !misdealt.back);
        }
        match (goes_back_from, found) {
            // it keeps its place before those that first came out after it
            (Some(place), Some(n)) => self.misdealt[n] = MisdealtCard { card, place, back: false },
            (Some(place), None) => self.misdealt.push(MisdealtCard { card, place, back: false }),
            (None, Some(n)) => {
                self.misdealt.remove(n);
            }
            (None, None) => {}
        }
    }

    /// A card is seen face up. One that stays covered might be any, so that it is not counted.
    pub(super) fn see(&mut self, card: Card) {
        if let (Some(shoe), Some(index)) = (&mut self.shoe, card.index()) {
            shoe.seen[index] = shoe.seen[index].saturating_add(1);
        }
    }

    /// Cards go to the discard tray.
    pub(super) const fn discard(&mut self, cards: usize) {
        self.discarded += cards as u64;
    }

    /// Cards leave the discard tray.
    pub(super) fn take_discarded(&mut self, cards: usize) {
        self.discarded = self.discarded.saturating_sub(cards as u64);
    }

    /// Cards go back into the shoe from a place and may come out again: those `known`, and of others that were dealt by
    /// mistake so many.
    pub(super) fn put_back(&mut self, from: Place, known: &[Held], others: usize) {
        let mut cards: Vec<(Card, bool)> = known.iter().map(|held| (held.card, !held.down)).collect();
        let there = self.misdealt.iter().filter(|misdealt| !misdealt.back && misdealt.place == from);
        cards.extend(there.take(others).map(|misdealt| (misdealt.card, from != Place::Burn)));
        for (card, seen) in &cards {
            if let Some(misdealt) = self.misdealt.iter_mut().find(|misdealt| misdealt.card == *card && !misdealt.back) {
                misdealt.back = true;
            }
            if let Some(shoe) = &mut self.shoe {
                shoe.out = shoe.out.saturating_sub(1);
                if let Some(index) = card.index().filter(|_| *seen) {
                    shoe.seen[index] = shoe.seen[index].saturating_sub(1);
                }
            }
        }
        self.empty &= cards.is_empty();
    }

    /// Cards that counted as put back from a place never were.
    pub(super) fn stayed_out(&mut self, from: Place, cards: &[Held]) {
        for held in cards {
            let is_it =
                |misdealt: &&mut MisdealtCard| misdealt.back && misdealt.place == from && misdealt.card == held.card;
            if let Some(misdealt) = self.misdealt.iter_mut().find(is_it) {
                misdealt.back = false;
            }
            if let Some(shoe) = &mut self.shoe {
                shoe.out += 1;
            }
            if !held.down {
                self.see(held.card);
            }
        }
    }

    /// A card dealt by mistake stays where it lies.
    pub(super) fn let_stay(&mut self, card: Card, place: Place) {
        let stays = |misdealt: &MisdealtCard| !misdealt.back && misdealt.place == place && misdealt.card == card;
        if let Some(n) = self.misdealt.iter().position(stays) {
            self.misdealt.remove(n);
        }
    }

    /// A pass ends: a misdealt card that never went back was cleared with the others.
    pub(super) fn end_pass(&mut self) {
        self.misdealt.retain(|misdealt| misdealt.back);
    }
}

/// Whether one card may be the other: one that could not be read may be any.
fn may_be(one: Card, other: Card) -> bool {
    one == other || one == Card::UNREAD || other == Card::UNREAD
}
