//! Decks with tags, for tests.

use std::collections::HashSet;
use std::time::Duration;

use sabot_drivers::{Saw, TagsSaw};
use sabot_wire::message::{ChipsSaw, Observation, ShoeSaw};
use smol_str::format_smolstr;

use super::TaggedCards;
use crate::registry::{DeckCard, Entry, Registry, State};
use sabot_law::table::{Card, HandId, Header, Place};

pub(crate) use sabot_simulation::bought_felt::{DECKS, card_tag as tag};

/// All of them, and good.
pub(crate) fn registry() -> Registry<DeckCard> {
    let mut registry = Registry::default();
    let cards = (0..DECKS).flat_map(|deck| (0..52).map(move |card| (deck, card)));
    registry.merge(cards.map(|(deck, card)| {
        let known = Card::from_index(card).unwrap();
        let what = DeckCard { deck: format_smolstr!("D-{deck}"), card: ShoeSaw::Drawn(known) };
        (tag(deck, card.into()), Entry { what, state: State::Valid, table: None })
    }));
    registry
}

/// An antenna at each box, the bank and the trays.
fn pads(header: &Header) -> HashSet<Place> {
    let boxes = (1..=header.boxes).map(|box_no| Place::from(HandId::first(box_no)));
    boxes.chain([Place::Bank, Place::Burn, Place::Discard]).collect()
}

/// A table whose antennas read their tags.
pub(crate) fn tagged_cards(header: &Header, place_wait: Duration) -> TaggedCards {
    TaggedCards::new(registry(), header, pads(header), place_wait)
}

/// An antenna that reads the tags of cards, each drawn from another deck, where one of our own sees that they arrive.
#[derive(Debug, Default)]
pub(crate) struct TagReader {
    drawn: u64,
    /// Of the card drawn last.
    tag: u64,
}

impl TagReader {
    pub(crate) fn sees(&mut self, saw: &Observation) -> Saw {
        match saw {
            Observation::Chips(ChipsSaw::CardArrived { place, .. }) => {
                return TagsSaw::Card { at: *place, tag: self.tag, lies: true }.into();
            }
            Observation::Shoe(ShoeSaw::Drawn(card)) => {
                self.drawn += 1;
                self.tag = tag(self.drawn, card.index().map_or(u64::MAX, |card| card as u64));
            }
            _ => {}
        }
        saw.clone().into()
    }
}
