//! What is tried at a table before its record begins, one thing after the other, by what the configuration names.

use std::fmt;

use sabot_drivers::saw::{Pad, Stake};
use sabot_law::table::answer::Lang;
use sabot_law::table::{HandId, Place, Sight, words};
use sabot_wire::message::{BetSpot, Card, Role};

use crate::config::{Config, Driver, signal_names};

/// Cards that are shown: every rank and suit is among them, and no two are alike.
pub(super) const CARDS: u8 = 20;
const RANKS: u8 = 13;
const SUITS: u8 = 4;

/// One thing that is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Check {
    /// The pit display shows words and lights.
    Display,
    /// So does a signal: which of the configuration's, and what it is called.
    Signal(usize, String),
    /// The keypad, or pad, tells a key.
    Entry,
    /// The shuffler tells its door.
    Door,
    /// A card is read as it leaves the shoe, and seen where it is laid.
    Card(Card, Option<Place>),
    /// Chips are seen on a spot.
    Chips(Stake),
}

impl Check {
    /// All of a table, in the order in which they are tried.
    pub(super) fn all(config: &Config) -> Vec<Self> {
        let has = |role: Role| config.devices.iter().any(|device| device.role == role);
        let mut checks = Vec::new();
        checks.extend(has(Role::Display).then_some(Self::Display));
        let signals: Vec<_> = config.signals.iter().collect();
        checks.extend(signal_names(&signals).into_iter().enumerate().map(|(nth, name)| Self::Signal(nth, name)));
        checks.extend(has(Role::Keypad).then_some(Self::Entry));
        checks.extend(has(Role::Shuffler).then_some(Self::Door));
        if has(Role::Shoe) {
            let squares = squares(config);
            let mut square = squares.iter().copied().cycle();
            checks.extend(cards().map(|card| Self::Card(card, square.next())));
        }
        checks.extend(stakes(config).into_iter().map(Self::Chips));
        checks
    }

    /// The devices that it says something of.
    pub(super) const fn roles(&self) -> &'static [Role] {
        match self {
            Self::Display => &[Role::Display],
            Self::Signal(..) => &[],
            Self::Entry => &[Role::Keypad],
            Self::Door => &[Role::Shuffler],
            Self::Card(_, None) => &[Role::Shoe],
            Self::Card(_, Some(_)) => &[Role::Shoe, Role::Chips],
            Self::Chips(_) => &[Role::Chips],
        }
    }

    /// What it is called on the sheet.
    pub(super) fn title(&self, lang: Lang) -> String {
        let es = lang == Lang::Es;
        match self {
            Self::Display if es => "pantalla del jefe de mesa".to_owned(),
            Self::Display => "pit display".to_owned(),
            Self::Signal(_, name) => name.clone(),
            Self::Entry if es => "teclado".to_owned(),
            Self::Entry => "keypad".to_owned(),
            Self::Door if es => "puerta de la mezcladora".to_owned(),
            Self::Door => "door of the shuffler".to_owned(),
            Self::Card(card, None) => card.to_string(),
            Self::Card(card, Some(place)) => format!("{card}, {}", words::place(*place).get(lang)),
            Self::Chips(stake) => at_stake(*stake, lang),
        }
    }
}

/// As the file of what has passed writes it.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Display => f.write_str("display"),
            Self::Signal(_, name) => write!(f, "signal {name}"),
            Self::Entry => f.write_str("entry"),
            Self::Door => f.write_str("door"),
            Self::Card(card, None) => write!(f, "card {card}"),
            Self::Card(card, Some(place)) => write!(f, "card {card} {place}"),
            Self::Chips(stake) => write!(f, "chips {stake}"),
        }
    }
}

/// A spot in words.
pub(super) fn at_stake(Stake { box_no, hand, spot }: Stake, lang: Lang) -> String {
    let place = words::place(Place::Hand(HandId { box_no, hand }));
    let spot = match (spot, lang) {
        (BetSpot::Main, Lang::Es) => "apuesta",
        (BetSpot::Double, Lang::Es) => "doble",
        (BetSpot::Split, Lang::Es) => "separación",
        (BetSpot::Insurance, Lang::Es) => "seguro",
        (BetSpot::Main, Lang::En) => "main bet",
        (BetSpot::Double, Lang::En) => "double",
        (BetSpot::Split, Lang::En) => "split",
        (BetSpot::Insurance, Lang::En) => "insurance",
    };
    format!("{}, {spot}", place.get(lang))
}

/// The cards that are shown, in their order.
pub(super) fn cards() -> impl Iterator<Item = Card> {
    (0..CARDS).filter_map(|nth| Card::from_index(nth % SUITS * RANKS + nth % RANKS))
}

/// Where cards are seen.
fn squares(config: &Config) -> Vec<Place> {
    let mut squares = Vec::new();
    if !config.header.observes.sees(Sight::Places) {
        return squares;
    }
    for device in config.devices.iter().filter(|device| device.role == Role::Chips) {
        let seen: Vec<Place> = match &device.driver {
            // without a registry every tag is a chip's
            Driver::Feig(line) if config.deck_registry.is_some() => line.places().collect(),
            Driver::Own(_) => {
                let boxes = (1..=config.header.boxes).map(|box_no| Place::Hand(HandId::first(box_no)));
                boxes.chain([Place::Bank]).collect()
            }
            Driver::Feig(_) | Driver::Scanner(_) | Driver::Camera(_) | Driver::Pad(_) => Vec::new(),
        };
        for place in seen {
            if !squares.contains(&place) {
                squares.push(place);
            }
        }
    }
    squares
}

/// Where chips are seen.
fn stakes(config: &Config) -> Vec<Stake> {
    let of_device = |driver: &Driver| -> Vec<Stake> {
        match driver {
            Driver::Feig(line) => {
                let stake = |pad| if let Pad::Stake(stake) = pad { Some(stake) } else { None };
                line.setup.spots.iter().filter_map(|spot| stake(spot.at)).collect()
            }
            Driver::Own(link) if link.role == Role::Chips => {
                let spots = |box_no| BetSpot::ALL.iter().map(move |&spot| Stake { box_no, hand: 0, spot });
                (1..=config.header.boxes).flat_map(spots).collect()
            }
            Driver::Own(_) | Driver::Scanner(_) | Driver::Camera(_) | Driver::Pad(_) => Vec::new(),
        }
    };
    config.devices.iter().flat_map(|device| of_device(&device.driver)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn twenty_cards_have_every_rank_and_suit_and_none_comes_twice() {
        let shown: HashSet<Card> = cards().collect();
        assert_eq!(shown.len(), usize::from(CARDS));
        let written: Vec<String> = shown.iter().map(ToString::to_string).collect();
        let letters = |at: usize| written.iter().map(|card| &card[at..=at]).collect::<HashSet<_>>().len();
        assert_eq!((letters(0), letters(1)), (usize::from(RANKS), usize::from(SUITS)));
    }
}
