//! What the registries of chips and of cards have in common on the command line.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::out::{say, say_err};
use sabot_station::registry::{CsvMistake, Kind, Registry, RegistryError, read_csv};

/// What an import needs; the registry is named by each kind.
#[derive(Debug, Args)]
pub(crate) struct Table {
    /// The table to read.
    #[arg(value_name = "FILE.csv")]
    table: PathBuf,
}

#[derive(Debug, thiserror::Error)]
enum ImportError {
    #[error("{}: {why}", path.display())]
    Read { path: PathBuf, why: std::io::Error },
    #[error("{}: {mistake}", path.display())]
    Mistake { path: PathBuf, mistake: CsvMistake },
    #[error("{}: two good tags are the {what}\n  = one of them must be cancelled (column `state`)", path.display())]
    Twice { path: PathBuf, what: String },
    #[error(transparent)]
    Registry(#[from] RegistryError),
}

/// Takes over a table, and says what came of it.
pub(crate) fn import<K: Kind>(table: &Table, registry: &Path) -> ExitCode {
    match merge::<K>(&table.table, registry) {
        Ok(told) => {
            say!("{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            say_err!("{}: {error}", K::IMPORT);
            ExitCode::from(2)
        }
    }
}

fn merge<K: Kind>(table: &Path, file: &Path) -> Result<String, ImportError> {
    let path = || table.to_path_buf();
    let text = std::fs::read_to_string(table).map_err(|why| ImportError::Read { path: path(), why })?;
    let entries = read_csv::<K>(&text).map_err(|mistake| ImportError::Mistake { path: path(), mistake })?;
    let mut registry = if file.exists() { Registry::load(file)? } else { Registry::default() };
    let (added, changed) = registry.merge(entries);
    if let Some(what) = registry.twice() {
        return Err(ImportError::Twice { path: path(), what });
    }
    registry.save(file)?;
    let (all, cancelled, many) = (registry.len(), registry.cancelled(), K::MANY);
    Ok(format!("{}: {added} added, {changed} changed; {all} {many}, {cancelled} of them cancelled", file.display()))
}
