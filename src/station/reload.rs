//! What a station takes over without a restart, where files were changed: registries and signals. People, the devices'
//! keys and the certificate it reads again by itself; here they are looked at too, so that a mistake in them is told.

use std::path::Path;

use sabot_drivers::keys::{KeyFile, KeysError};
use sabot_drivers::signal::SignalConfig;
use sabot_web::tls::{Tls, TlsError};

use super::config::{Config, ConfigError};
use super::kept_settings;
use super::registry::{Registries, RegistryError};
use super::staff::{Staff, StaffError};

/// What was read anew.
#[derive(Debug)]
pub struct Reload {
    pub(super) registries: Registries,
    pub(super) signals: Vec<SignalConfig>,
    people: Option<usize>,
    keys: usize,
    /// SHA-256 of the configuration's file.
    digest: String,
    /// The file says something else too, which counts from the next start.
    pub waits: bool,
}

/// Why nothing is taken over.
#[derive(Debug, thiserror::Error)]
pub enum NotReloaded {
    /// The configuration has a mistake.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A registry cannot be used.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The list of people cannot be used.
    #[error(transparent)]
    Staff(#[from] StaffError),
    /// The keys of the devices cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The page's certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

impl NotReloaded {
    /// What cannot be used, as the record says it.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        match self {
            Self::Config(_) => "configuration",
            Self::Registry(_) => "registry",
            Self::Staff(_) => "staff",
            Self::Keys(_) => "keys",
            Self::Tls(_) => "tls",
        }
    }
}

impl Reload {
    /// Reads everything anew that `running` came from. Blocks as long as the disk takes.
    ///
    /// # Errors
    /// With the first file that cannot be used. Then nothing of any file is taken over.
    pub fn read(file: &Path, running: &Config) -> Result<Self, NotReloaded> {
        let fresh = Config::load(file)?;
        // one that was not there at the start would not know where what lies
        let (chips, decks) = (
            running.chip_registry.as_ref().and(fresh.chip_registry.as_ref().or(running.chip_registry.as_ref())),
            running.deck_registry.as_ref().and(fresh.deck_registry.as_ref().or(running.deck_registry.as_ref())),
        );
        let now = Config {
            chip_registry: chips.cloned(),
            deck_registry: decks.cloned(),
            signals: fresh.signals.clone(),
            digest: fresh.digest.clone(),
            text: fresh.text.clone(),
            ..running.clone()
        };
        // where the page is served may have been named on the command line
        let waits = Config {
            listen: now.listen,
            accept_clock: now.accept_clock,
            accept_unsigned: now.accept_unsigned,
            ..fresh
        } != now;
        let registries = Registries::of(&now)?;
        let people = now.staff.as_deref().map(Staff::load).transpose()?.map(|staff| staff.people().count());
        let keys = KeyFile::new(now.keys.clone()).load()?.len();
        now.tls.as_deref().map(Tls::load).transpose()?;
        if let Err(why) = kept_settings::keep(&now.journal, &now.digest, &now.text) {
            tracing::warn!(%why, "the configuration is not kept beside the record");
        }
        Ok(Self { registries, signals: now.signals, people, keys, digest: now.digest, waits })
    }

    /// What was read, as the record and the log say it.
    #[must_use]
    pub fn words(&self) -> String {
        let Registries { chips, decks } = &self.registries;
        let chips = chips.as_ref().map(|chips| format!("{} chips, {} cancelled", chips.len(), chips.cancelled()));
        let cards = decks.as_ref().map(|cards| format!("{} cards, {} cancelled", cards.len(), cards.cancelled()));
        let people = self.people.map(|people| format!("{people} people"));
        let others = [format!("{} keys", self.keys), format!("{} signals", self.signals.len())];
        let all: Vec<String> = chips.into_iter().chain(cards).chain(people).chain(others).collect();
        let waits = if self.waits { " in part" } else { "" };
        format!("{}; settings {}{waits}", all.join(", "), self.digest)
    }
}
