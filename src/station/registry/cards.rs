//! The house's cards: which card of which deck each tag is in.

use std::collections::BTreeMap;
use std::fmt;

use sabot_law::table::card::DECK;
use sabot_law::table::{Card, Name};
use sabot_wire::message::ShoeSaw;
use serde::{Deserialize, Serialize};

use super::{Kind, Registry, State};

/// A card of a deck, or one that is shown to the shoe in place of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeckCard {
    /// The deck it belongs to.
    pub deck: Name,
    /// What the shoe sees when it passes.
    #[serde(with = "written")]
    pub card: ShoeSaw,
}

/// The card that cuts the shoe.
const CUT: &str = "cut";
/// The card that says that the shoe has run empty.
const EMPTY: &str = "empty";
/// Begins the card that says that the shoe is loaded, before how many cards are in it and how many of them lie behind
/// the cut card.
const LOAD: &str = "load";

/// Reads what stands in the column `card`.
fn parse(text: &str) -> Option<ShoeSaw> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match *words.as_slice() {
        [CUT] => Some(ShoeSaw::CutCard),
        [EMPTY] => Some(ShoeSaw::Empty),
        [LOAD, cards, behind] => {
            let (cards, cut_card) = (cards.parse().ok()?, behind.parse().ok()?);
            (cut_card < cards).then_some(ShoeSaw::Loaded { cards, cut_card })
        }
        [card] => card.parse().ok().filter(|card| *card != Card::UNREAD).map(ShoeSaw::Drawn),
        _ => None,
    }
}

/// The same the other way round.
fn write(card: ShoeSaw) -> String {
    match card {
        ShoeSaw::Drawn(card) => card.to_string(),
        ShoeSaw::CutCard => CUT.to_owned(),
        ShoeSaw::Empty => EMPTY.to_owned(),
        ShoeSaw::Loaded { cards, cut_card } => format!("{LOAD} {cards} {cut_card}"),
    }
}

mod written {
    use sabot_wire::message::ShoeSaw;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(card: &ShoeSaw, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::write(*card))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ShoeSaw, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        super::parse(&text).ok_or_else(|| D::Error::custom("`card` is no card"))
    }
}

impl Kind for DeckCard {
    const ONE: &'static str = "card";
    const MANY: &'static str = "cards";
    const IMPORT: &'static str = "sabot decks import";
    const COLUMNS: &'static [&'static str] = &["deck", "card"];

    fn read(columns: &[&str]) -> Result<Self, (usize, String)> {
        let [deck, card] = columns else { return Err((0, "`deck` and `card` belong here".to_owned())) };
        if deck.is_empty() {
            return Err((0, "`deck`: the name of a deck belongs here".to_owned()));
        }
        let what = || {
            format!(
                "`card`: `{card}` is no card: rank and suit as in TH, or {CUT}, {EMPTY}, or {LOAD} with the cards in \
                 the shoe and those behind the cut card, as in {LOAD} 416 80"
            )
        };
        Ok(Self { deck: Name::new(deck), card: parse(card).ok_or_else(|| (1, what()))? })
    }

    fn only_one(&self) -> Option<String> {
        matches!(self.card, ShoeSaw::Drawn(_)).then(|| format!("{} of deck {}", write(self.card), self.deck))
    }
}

/// A deck, as the registry has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deck {
    /// Its good cards.
    pub cards: usize,
    /// Those that were withdrawn.
    pub cancelled: usize,
    /// Which of the 52 it does not have, or not any more.
    pub missing: Vec<Card>,
    /// Good ones that say something else.
    pub others: usize,
}

impl Deck {
    /// Whether all of it is good: of a deck that holds cards at all.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty() || self.missing.len() == DECK
    }
}

impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cards, cancelled, missing, others } = self;
        write!(f, "{cards} cards, {others} others, {cancelled} cancelled")?;
        if self.is_whole() {
            return Ok(());
        }
        let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
        write!(f, "; NOT WHOLE, without {}", missing.join(" "))
    }
}

/// Every deck of a registry, by name.
#[must_use]
pub fn decks(registry: &Registry<DeckCard>) -> BTreeMap<Name, Deck> {
    let mut has: BTreeMap<Name, (Deck, [bool; DECK])> = BTreeMap::new();
    for (_, entry) in registry.entries() {
        let (deck, held) = has.entry(entry.what.deck.clone()).or_insert_with(|| (Deck::default(), [false; DECK]));
        match (entry.state, entry.what.card) {
            (State::Cancelled, _) => deck.cancelled += 1,
            (State::Valid, ShoeSaw::Drawn(card)) => {
                deck.cards += 1;
                if let Some(held) = card.index().and_then(|at| held.get_mut(at)) {
                    *held = true;
                }
            }
            (State::Valid, _) => deck.others += 1,
        }
    }
    let whole = |(mut deck, held): (Deck, [bool; DECK])| {
        let missing = (0_u8..).zip(held).filter(|(_, is_there)| !is_there);
        deck.missing = missing.filter_map(|(at, _)| Card::from_index(at)).collect();
        deck
    };
    has.into_iter().map(|(name, held)| (name, whole(held))).collect()
}
