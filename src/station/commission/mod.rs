//! A table is commissioned before its record begins: its devices are found and paired, lamps lit, cards and chips
//! shown, and what came of it is written onto a sheet. What the devices saw meanwhile is in no record.

mod checks;
mod desk;
mod gather;
pub mod page;
mod progress;
mod sheet;
mod trial;
mod watched;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use sabot_drivers::keys::KeysError;
use sabot_law::table::answer::Lang;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::config::{Config, ConfigError};
use crate::console::RenderError;
use crate::console::report::{Style, report};
use crate::registry::{Registries, Registry, RegistryError};
use checks::Check;
use desk::Desk;
pub use desk::{Said, Teller, Terminal, Wants};
use progress::Progress;
use trial::Trial;

/// Why a table is not commissioned.
#[derive(Debug, thiserror::Error)]
pub enum CommissionError {
    /// There is a record already, and what is tried would be missing in it.
    #[error(
        "the record {} has begun, and what is tried now would be missing in it\n  = name another `journal` in the configuration; a single device is paired by `sabot device pair`",
        journal.display()
    )]
    Begun {
        /// The record.
        journal: PathBuf,
    },
    /// The station has the ports.
    #[error("the station of this table runs ({address}) and has the ports\n  = stop it first")]
    Runs {
        /// Where its page is.
        address: SocketAddr,
    },
    /// The configuration was changed, and has a mistake.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A registry cannot be used.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The keys of the devices cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// A file of the trial cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// The technician cannot be told.
    #[error("{0}")]
    Out(#[from] io::Error),
    /// The sheet cannot be drawn.
    #[error(transparent)]
    Sheet(#[from] RenderError),
    /// The technician has left before the end.
    #[error("not finished\n  = the same command goes on where this one stopped")]
    Left,
}

/// How it is to be done.
#[derive(Debug)]
pub struct Asked<T> {
    /// The configuration's file, as it was named.
    pub file: PathBuf,
    /// Language.
    pub lang: Lang,
    /// What has passed before is tried again.
    pub again: bool,
    /// What tells the technician.
    pub teller: T,
    /// What he answers, line by line.
    pub lines: UnboundedReceiver<String>,
}

/// A table that was tried to the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commissioned {
    /// Where the sheet is: as a page, and as text.
    pub sheets: [PathBuf; 2],
    /// Things that were left out, or did not pass.
    pub left_out: usize,
    /// The page as a server shows it.
    shown: String,
}

impl Commissioned {
    /// What came of it, and what comes next, for the table of this configuration.
    #[must_use]
    pub fn words(&self, lang: Lang, config: &Path) -> String {
        let Self { sheets: [page, text], left_out, .. } = self;
        let (page, text, config) = (page.display(), text.display(), config.display());
        match (left_out, lang) {
            (0, Lang::Es) => {
                format!("Hecho. La hoja: {page} y {text}. Ahora empieza el acta: sabot run --config {config}")
            }
            (0, Lang::En) => {
                format!("Done. The sheet: {page} and {text}. Now the record begins: sabot run --config {config}")
            }
            (_, Lang::Es) => format!("Faltan {left_out}. La hoja: {page} y {text}. La misma orden pide lo que falta"),
            (_, Lang::En) => {
                format!("{left_out} missing. The sheet: {page} and {text}. The same command asks for the rest")
            }
        }
    }
}

/// Tries a table, and writes its sheet. Must be called within a tokio runtime.
///
/// # Errors
/// [`CommissionError`]; what has passed before that need not be tried again.
pub async fn commission<T: Teller>(config: &Config, asked: Asked<T>) -> Result<Commissioned, CommissionError> {
    let journal = config.journal.clone();
    if std::fs::metadata(&journal).is_ok_and(|of| of.len() > 0) {
        return Err(CommissionError::Begun { journal });
    }
    registries(config)?;
    let Asked { file, lang, again, teller, lines } = asked;
    let kept = beside(config, "jsonl");
    let failed = |why| CommissionError::File { path: kept.clone(), why };
    let mut progress = Progress::load(kept.clone()).map_err(failed)?;
    if again {
        progress.forget().map_err(failed)?;
    }
    let mut desk = Desk::new(teller, lines, lang);
    let watched = gather::gather(config, &mut desk).await?;
    let mut trial = Trial::new(&mut desk, watched, progress, kept.clone());
    let checks = Check::all(config);
    let tried = trial.all(&checks).await;
    let told = match tried {
        Ok(()) => trial.clear().await,
        Err(why) => Err(why),
    };
    let outcome = told.map(|()| sheet::of(config, &file, lang, &checks, &trial));
    trial.rest().await;
    let (sheet, left_out) = outcome?;
    let sheets = [beside(config, "html"), beside(config, "txt")];
    let page = report(&sheet, lang, Style::Within)?;
    for (path, text) in sheets.iter().zip([page, sheet::text(&sheet)]) {
        std::fs::write(path, text).map_err(|why| CommissionError::File { path: path.clone(), why })?;
    }
    Ok(Commissioned { sheets, left_out, shown: report(&sheet, lang, Style::Linked)? })
}

/// A file of the trial, beside the record.
fn beside(config: &Config, ending: &str) -> PathBuf {
    config.journal.with_extension(format!("commission.{ending}"))
}

fn registries(config: &Config) -> Result<Registries, RegistryError> {
    let (chips, decks): (Option<&Path>, Option<&Path>) =
        (config.chip_registry.as_deref(), config.deck_registry.as_deref());
    Ok(Registries { chips: chips.map(Registry::load).transpose()?, decks: decks.map(Registry::load).transpose()? })
}
