//! What of a table its configuration has it see, and whether its devices do.

use sabot_drivers::feig::FeigLine;
use sabot_drivers::saw::Pad;
use sabot_law::table::{HandId, Observes, Place, Sight};
use sabot_wire::message::Role;
use toml::Spanned;

use super::device::DeviceConfig;
use super::feig::Around;
use super::mistake::Fault;
use super::{Config, Driver};

/// A sight that the table counts on and that no device of it has: who keeps to the book is found at fault for what
/// nobody tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unseen {
    /// What is named.
    pub sight: Sight,
    /// People may enter it on the page; else nothing can tell it.
    pub may_be_entered: bool,
}

impl Unseen {
    /// What is wrong.
    #[must_use]
    pub fn what(self) -> String {
        let word = self.sight.word();
        let unless = if self.may_be_entered { ": unless it is entered each time" } else { ", nor can it be entered:" };
        format!("`observes` has `{word}`, which no device of this table sees{unless} people are wrongly found at fault")
    }

    /// What to do.
    #[must_use]
    pub fn way_out(self) -> String {
        let word = self.sight.word();
        format!("take `{word}` out of `observes`; {}", needs(self.sight))
    }
}

/// What a table needs to see so much, with bought readers under the felt.
const fn needs(sight: Sight) -> &'static str {
    match sight {
        Sight::Places => "FEIG readers see it with a deck_registry, and an antenna at the bank and at each box",
        Sight::Moves => "FEIG readers see it with a deck_registry, and an antenna at both trays, burn and discard",
        Sight::Bets => "FEIG readers see it with an antenna at each box",
        Sight::Faces | Sight::Turns => "no FEIG reader sees it, for a tag reads alike whichever way the card lies",
        Sight::Asks | Sight::Decisions | Sight::Announcements => "a keypad tells it, or the dealer's page with `staff`",
    }
}

/// The sights of a table that nothing tells but, perhaps, people.
#[must_use]
pub fn unseen(config: &Config) -> Vec<Unseen> {
    let felt = Felt::of(&config.devices, config.deck_registry.is_some(), config.header.boxes);
    let has_keypad = config.devices.iter().any(|device| device.role == Role::Keypad) || config.staff.is_some();
    let sees = |sight: Sight| match sight {
        Sight::Asks | Sight::Decisions | Sight::Announcements => has_keypad,
        of_felt => felt.sees(of_felt),
    };
    let unseen = config.header.observes.seen().filter(|sight| !sees(*sight));
    unseen.map(|sight| Unseen { sight, may_be_entered: !matches!(sight, Sight::Places | Sight::Faces) }).collect()
}

/// A pad whose keys mean touches that nobody can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnseenTouches;

impl UnseenTouches {
    /// What is wrong.
    #[must_use]
    pub const fn what(self) -> &'static str {
        "a pad's keys are the touches of the dealer's screen, which this table does not have: whoever presses one enters \
         what nobody shows"
    }

    /// What to do.
    #[must_use]
    pub const fn way_out(self) -> &'static str {
        "name the people in `staff`, which opens /dealer, and put that screen where the dealer sees it; a pole display \
         shows no touches"
    }
}

/// Whether a pad of the table enters what no screen of it shows.
#[must_use]
pub fn unseen_touches(config: &Config) -> Option<UnseenTouches> {
    let is_pad = |device: &DeviceConfig| matches!(device.driver, Driver::Pad(_));
    (config.staff.is_none() && config.devices.iter().any(is_pad)).then_some(UnseenTouches)
}

/// What a table sees whose file names so much: that, and no more. Where it names nothing it is everything, but for what
/// bought readers under the felt do not see.
pub(super) fn observed(
    named: Option<&Spanned<Vec<Sight>>>,
    devices: &[DeviceConfig],
    around: Around,
) -> Result<Observes, Fault> {
    let felt = Felt::of(devices, around.knows_cards, around.boxes);
    let is_bought = matches!(felt, Felt::Bought { .. });
    let Some(named) = named else {
        let of_felt = |sight: Sight| !matches!(sight, Sight::Asks | Sight::Decisions | Sight::Announcements);
        let all = Sight::ALL.iter().copied();
        return Ok(all.filter(|sight| !is_bought || !of_felt(*sight) || felt.sees(*sight)).collect());
    };
    let nobody_can = |sight: &Sight| match sight {
        Sight::Faces => is_bought,
        Sight::Places => is_bought && !around.knows_cards,
        _ => false,
    };
    if let Some(sight) = named.get_ref().iter().copied().find(nobody_can) {
        let unseen = Unseen { sight, may_be_entered: false };
        return Err(Fault::at(named.span(), unseen.what(), unseen.way_out()));
    }
    Ok(named.get_ref().iter().copied().collect())
}

/// What is under the felt.
enum Felt {
    /// Nothing.
    Bare,
    /// A device that speaks this project's link, and may see everything.
    Own,
    /// FEIG's readers.
    Bought { bets: bool, places: bool, moves: bool },
}

impl Felt {
    fn of(devices: &[DeviceConfig], knows_cards: bool, boxes: u8) -> Self {
        let chips = devices.iter().filter(|device| device.role == Role::Chips);
        if chips.clone().any(|device| matches!(device.driver, Driver::Own(_))) {
            return Self::Own;
        }
        let lines: Vec<&FeigLine> = chips.filter_map(DeviceConfig::feig_line).collect();
        if lines.is_empty() {
            return Self::Bare;
        }
        let lies = |place: Place| lines.iter().flat_map(|line| line.places()).any(|at| at == place);
        let has_boxes = (1..=boxes).all(|box_no| lies(Place::Hand(HandId { box_no, hand: 0 })));
        let has_stakes = lines.iter().flat_map(|line| &line.setup.spots).any(|spot| matches!(spot.at, Pad::Stake(_)));
        Self::Bought {
            bets: has_stakes,
            places: knows_cards && has_boxes && lies(Place::Bank),
            moves: knows_cards && lies(Place::Burn) && lies(Place::Discard),
        }
    }

    const fn sees(&self, sight: Sight) -> bool {
        match (self, sight) {
            (Self::Own, _) => true,
            (Self::Bought { bets, .. }, Sight::Bets) => *bets,
            (Self::Bought { places, .. }, Sight::Places) => *places,
            (Self::Bought { moves, .. }, Sight::Moves) => *moves,
            (Self::Bare | Self::Bought { .. }, _) => false,
        }
    }
}

#[cfg(test)]
#[path = "sights_tests.rs"]
mod tests;
