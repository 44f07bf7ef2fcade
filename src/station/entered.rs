//! What people enter on a screen or a pad: which events may be entered, and what was entered last.

use std::collections::HashSet;

use sabot_law::table::act_words::act;
use sabot_law::table::due::Who;
use sabot_law::table::event::Kind;
use sabot_law::table::felt::Words;
use sabot_law::table::offer::Offer;
use sabot_law::table::{BetSpot, Event, HandId, LineNo, Name};
use sabot_law::validator::Validator;
use sabot_wire::message::Role;
use serde::Serialize;

use super::config::{Config, Driver};

/// Whether people may enter such an event: cards come from the shoe, and what authorities do is signed by them.
#[must_use]
pub fn may_be_entered(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Draw | Kind::CutCard | Kind::Authorize | Kind::Rule | Kind::Report | Kind::Correct | Kind::Device
    )
}

/// Bets to which something was paid in this pass, or of which something was collected.
pub(super) type Settled = HashSet<(HandId, BetSpot)>;

/// What the devices of a table tell, so that nobody enters it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Told {
    shuffles: bool,
    loads: bool,
    chips: bool,
    /// Cards that are turned up.
    turns: bool,
    /// Cards that are taken away.
    moves: bool,
}

impl Told {
    pub(super) fn by(config: &Config) -> Self {
        let has = |role| config.devices.iter().any(|device| device.role == role);
        let is_camera = |driver: &Driver| matches!(driver, Driver::Camera(_));
        let antennas = |driver: &Driver| matches!(driver, Driver::Own(link) if link.role == Role::Chips);
        let has_antennas = config.devices.iter().any(|device| antennas(&device.driver));
        let by_tags = config.deck_registry.is_some() && has(Role::Chips);
        Self {
            shuffles: has(Role::Shuffler),
            // a camera sees no lid
            loads: config.devices.iter().any(|device| device.role == Role::Shoe && !is_camera(&device.driver)),
            chips: has(Role::Chips),
            turns: has_antennas,
            moves: has_antennas || (by_tags && config.header.observes.moves),
        }
    }

    fn tells(self, event: &Event, settled: &Settled) -> bool {
        let bet = |spot: BetSpot| if spot == BetSpot::Insurance { spot } else { BetSpot::Main };
        match event {
            // once something was paid to a bet or collected of it, chips there may be its bettor's: the reader leaves
            // them alone, and what is put right is for people to enter
            Event::Collect { hand, spot, .. } | Event::Pay { hand, spot, .. }
                if settled.contains(&(*hand, bet(*spot))) =>
            {
                false
            }
            Event::Shuffle { .. } => self.shuffles,
            Event::Load { .. } => self.loads,
            Event::Bet { .. } | Event::Collect { .. } | Event::Pay { .. } => self.chips,
            Event::Move { .. } => self.moves,
            Event::Reveal { card: None, .. } => self.turns,
            _ => false,
        }
    }

    /// What people may enter next at this table, the likeliest first.
    /// Nothing of what is left to be done about the findings `untold`. `settled`: bets of which something was settled.
    pub(super) fn offers(self, validator: &Validator, untold: &[u64], settled: &Settled) -> Vec<Offer> {
        let mut offers = validator.offers_without(untold);
        offers.retain(|offer| !offer.events.last().is_some_and(|event| self.tells(event, settled)));
        offers
    }
}

/// What was entered last, while nothing has followed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastEntry {
    /// Who entered it.
    pub by: Name,
    /// On these lines of the record.
    pub lines: Vec<LineNo>,
    /// What it says.
    pub words: Words,
    /// The event of its last line.
    #[serde(skip)]
    event: Event,
}

impl LastEntry {
    /// A line more of a touch, or its first. What it says is what its last line says.
    pub(super) fn of(earlier: Option<Self>, by: &Name, line: LineNo, event: &Event) -> Self {
        let lines = earlier.map(|earlier| earlier.lines).unwrap_or_default();
        let lines = lines.into_iter().chain([line]).collect();
        Self { by: by.clone(), lines, words: words(event), event: event.clone() }
    }

    /// The same with its event told otherwise.
    pub(super) fn retell(&mut self, tell: impl FnOnce(&mut Event)) {
        tell(&mut self.event);
        self.words = words(&self.event);
    }

    /// Whether an event leaves it the last: a device or the station says something that is no part of the pass.
    pub(super) const fn outlasts(event: &Event) -> bool {
        matches!(event, Event::Device { .. })
    }
}

fn words(event: &Event) -> Words {
    let (place, verb) = act(event);
    let place = place.map(|place| format!("{place} ")).unwrap_or_default();
    Words { es: format!("{place}{}", verb.es), en: format!("{place}{}", verb.en) }
}

/// What the dealer may enter now, of all that is offered.
pub fn of_dealer(offers: &[Offer]) -> impl Iterator<Item = &Offer> {
    offers.iter().filter(|offer| offer.who == Who::Dealer)
}
