//! Which simulated dealer deals under a regulation, a house's own among them.

use std::path::Path;

use sabot_law::regulation;
use sabot_law::table::settings::Changes;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::workload::{Dealer, House, Settings, UnknownHouse};
use sabot_station::config::own_regulation::{self, Chosen, NotChosen};

/// Why nobody deals under a regulation.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoDealer {
    /// There is no such regulation.
    #[error(transparent)]
    NotChosen(#[from] NotChosen),
    /// No simulated dealer knows the house.
    #[error(transparent)]
    House(#[from] UnknownHouse),
    /// A setting the simulated dealer does not deal by.
    #[error("the dealer of {house} does not deal by a changed `{name}`; it deals by changes of {heeds}")]
    Setting {
        /// Whose simulated dealer.
        house: &'static str,
        /// Which setting.
        name: &'static str,
        /// Which it deals by.
        heeds: String,
    },
}

/// A regulation with the simulated dealer who deals under it.
#[derive(Debug, Clone)]
pub(crate) struct HouseDealer {
    /// Whose simulated dealer deals: the house itself, or the one an own regulation begins with.
    pub house: &'static House,
    /// What is written at the head of the log.
    pub chosen: Chosen,
    /// What is changed beyond the regulation's own file.
    more: Changes,
}

impl HouseDealer {
    /// Of an identifier or a file, with further settings changed.
    ///
    /// # Errors
    /// When there is no such regulation, or nobody deals under it.
    pub(crate) fn under(text: &str, more: Changes) -> Result<Self, NoDealer> {
        let chosen = own_regulation::choose(text, Path::new(""))?;
        let base = chosen.rules.as_ref().map_or(&chosen.id, |rules| &rules.base);
        let house = House::named(base)?;
        let dealing = Self { house, chosen, more };
        let given = regulation::find(house.id).map(|base| &base.settings);
        let changes = dealing.changes();
        let changed = changes.names().into_iter().filter(|name| {
            let now = given.map(|given| given.clone().changed(&changes).value(name));
            now != given.map(|given| given.value(name))
        });
        match changed.into_iter().find(|name| !house.heeds(name)) {
            Some(name) => {
                let all = sabot_law::table::Settings::NAMES.iter().filter(|name| house.heeds(name));
                let heeds: Vec<&str> = all.copied().collect();
                let heeds = if heeds.is_empty() { "none".to_owned() } else { heeds.join(", ") };
                Err(NoDealer::Setting { house: house.id, name, heeds })
            }
            None => Ok(dealing),
        }
    }

    /// Everything that is changed of the house's figures.
    fn changes(&self) -> Changes {
        let own = self.chosen.rules.as_ref().map(|rules| rules.settings.clone()).unwrap_or_default();
        own.then(&self.more)
    }

    /// What its simulated dealer goes by.
    #[must_use]
    pub(crate) fn settings(&self) -> Settings {
        Settings { changes: self.changes(), ..Settings::of(self.house) }
    }

    /// The simulated dealer at the table, whose log begins as that of this regulation.
    #[must_use]
    pub(crate) fn dealer(self, settings: Settings) -> Dealer {
        Dealer::new(settings).under(self.chosen.id, self.chosen.rules, self.more)
    }

    /// The same at a table that deviates from the book.
    #[must_use]
    pub(crate) fn deviating(self, options: Options) -> Deviating {
        Deviating::new(options).under(self.chosen.id, self.chosen.rules, self.more)
    }
}
