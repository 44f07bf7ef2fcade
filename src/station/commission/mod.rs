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

/// Things of a table that did not pass before its record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untried {
    /// How many have not.
    pub left: usize,
    /// Of so many.
    pub of: usize,
}

impl Untried {
    /// What is wrong.
    #[must_use]
    pub fn what(self) -> String {
        let Self { left, of } = self;
        format!("no record has begun, and of {of} things to be tried at this table {left} have not passed")
    }

    /// What to do, with the configuration at this path.
    #[must_use]
    pub fn way_out(self, config: &Path) -> String {
        format!("before that: sabot commission --config {}", config.display())
    }
}

/// What was left out of a table's trial, where its record is yet to begin and is none of a table in test mode.
#[must_use]
pub fn untried(config: &Config) -> Option<Untried> {
    let has_begun = std::fs::metadata(&config.journal).is_ok_and(|of| of.len() > 0)
        || sabot_journal::days::closed(&config.journal).is_ok_and(|days| !days.is_empty());
    if has_begun || config.test_mode {
        return None;
    }
    let progress = Progress::load(beside(config, "jsonl"));
    let has_passed = |check: &Check| progress.as_ref().is_ok_and(|kept| kept.has_passed(&check.to_string()));
    let checks = Check::all(config);
    let left = checks.iter().filter(|check| !has_passed(check)).count();
    (left > 0).then_some(Untried { left, of: checks.len() })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_whose_record_is_to_begin_is_told_to_be_untried_until_all_has_passed() {
        let folder = tempfile::tempdir().unwrap();
        let config = |more: &str| {
            let text = format!(
                "table = \"T\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 9 }}\njournal = \"record\"\n{more}\
                 [[device]]\nrole = \"keypad\"\nport = \"keypad\"\n[[device]]\nrole = \"display\"\nport = \"display\"\n"
            );
            Config::parse(&folder.path().join("station.toml"), &text).unwrap()
        };
        let table = config("");
        assert_eq!(untried(&table), Some(Untried { left: 2, of: 2 }));
        assert_eq!(untried(&config("test_mode = true\n")), None);
        let mut progress = Progress::load(beside(&table, "jsonl")).unwrap();
        let mut comes_out = |check: &str, passed| {
            let (check, devices, told, at) = (check.to_owned(), "K-1".to_owned(), String::new(), String::new());
            progress.add(progress::Outcome { check, devices, passed, told, at }).unwrap();
            untried(&table)
        };
        assert_eq!(comes_out("entry", true), Some(Untried { left: 1, of: 2 }));
        assert_eq!(comes_out("display", false), Some(Untried { left: 1, of: 2 }), "it was left out");
        assert_eq!(comes_out("display", true), None);
        assert_eq!(comes_out("entry", false), Some(Untried { left: 1, of: 2 }), "the last time counts");
        std::fs::write(&table.journal, "a line").unwrap();
        assert_eq!(untried(&table), None, "it has begun");
        std::fs::remove_file(&table.journal).unwrap();
        let days = sabot_journal::days::days_of(&table.journal);
        std::fs::create_dir(&days).unwrap();
        std::fs::write(days.join("2026-01-01.jsonl.gz"), "").unwrap();
        assert_eq!(untried(&table), None, "it has begun on another day");
    }
}
