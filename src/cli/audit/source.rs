//! Where records are read from: a folder, or what a sink keeps.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sabot_journal::note::KeyFileError;
use sabot_journal::{days, packed};
use sabot_law::replay::ReplayError;

use crate::replay_many::logs;

#[cfg(feature = "floor")]
pub(super) use kept::Kept;

/// Why records are not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum SourceError {
    #[error("{}: {why}", file.display())]
    Folder { file: PathBuf, why: io::Error },
    #[error("{}: there is no record in it: a file called .jsonl or .jsonl.gz", .0.display())]
    Empty(PathBuf),
    #[error(transparent)]
    Log(ReplayError),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[cfg(feature = "floor")]
    #[error(transparent)]
    Store(#[from] sabot_floor::store::StoreError),
}

/// A record that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) name: String,
    /// By which it is seen that it has grown: bytes of a file, lines of a table.
    pub(super) size: u64,
    /// When it was begun, milliseconds since 1970; 0 where it does not say.
    epoch: u64,
}

/// Where they are.
pub(super) enum Source {
    Folder(PathBuf),
    #[cfg(feature = "floor")]
    Kept(Kept),
}

/// Reads them, in a thread.
pub(super) enum Reader<'a> {
    Folder(&'a Path),
    #[cfg(feature = "floor")]
    Kept(&'a Kept),
}

impl Source {
    pub(super) fn folder(folder: PathBuf) -> Result<Self, SourceError> {
        Ok(Self::Folder(folder))
    }

    /// The records that were begun before `to`, in the order of their names.
    pub(super) fn records(&self, to: u64) -> Result<Vec<Record>, SourceError> {
        let records = match self {
            Self::Folder(folder) => in_folder(folder)?,
            #[cfg(feature = "floor")]
            Self::Kept(kept) => kept.records()?,
        };
        Ok(records.into_iter().filter(|record| record.epoch < to).collect())
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        match self {
            Self::Folder(folder) => Reader::Folder(folder),
            #[cfg(feature = "floor")]
            Self::Kept(kept) => Reader::Kept(kept),
        }
    }
}

fn in_folder(folder: &Path) -> Result<Vec<Record>, SourceError> {
    let failed = |file: &Path| {
        let file = file.to_path_buf();
        move |why| SourceError::Folder { file, why }
    };
    let mut records = Vec::new();
    for path in logs(folder).map_err(failed(folder))? {
        let size = path.metadata().map_err(failed(&path))?.len();
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        // what does not read is told when it is its turn
        let epoch = days::beginning(&path).map_or(0, |(epoch, _)| epoch);
        records.push(Record { name, size, epoch });
    }
    if records.is_empty() {
        return Err(SourceError::Empty(folder.to_path_buf()));
    }
    Ok(records)
}

impl<'a> Reader<'a> {
    /// Opens one.
    pub(super) fn open(&mut self, record: &Record) -> Result<Box<dyn Read + 'a>, SourceError> {
        match self {
            Self::Folder(folder) => Ok(Box::new(packed::whole_lines(&folder.join(&record.name))?)),
            #[cfg(feature = "floor")]
            Self::Kept(kept) => Ok(Box::new(kept.open(record)?)),
        }
    }
}

#[cfg(feature = "floor")]
mod kept {
    //! What a sink keeps.

    use std::io::{self, Read};
    use std::path::PathBuf;

    use sabot_floor::store::postgres::Postgres;
    use sabot_floor::store::sqlite::Sqlite;
    use sabot_floor::store::{Store, StoreError};
    use sabot_floor::subjects::TableId;
    use tokio::runtime::Runtime;

    use super::{Record, Source, SourceError};

    /// Lines that are asked for at once.
    const PIECE: u64 = 2000;

    /// A store, as it is opened anew for each record.
    pub(in super::super) enum Kept {
        Postgres { url: String, authority: Option<PathBuf> },
        Sqlite(PathBuf),
    }

    /// A record that is read piece by piece.
    struct Lines<S> {
        runtime: Runtime,
        store: S,
        table: TableId,
        epoch: u64,
        next: u64,
        last: u64,
        text: Vec<u8>,
        read: usize,
    }

    fn runtime() -> io::Result<Runtime> {
        tokio::runtime::Builder::new_current_thread().enable_all().build()
    }

    async fn records(mut store: impl Store) -> Result<Vec<Record>, StoreError> {
        let records = store.records().await?.into_iter();
        let name = |table: &TableId, epoch| format!("{table}/{epoch}");
        Ok(records
            .map(|(table, head)| Record { name: name(&table, head.epoch), size: head.lines, epoch: head.epoch })
            .collect())
    }

    impl Source {
        pub(in super::super) fn postgres(url: String, authority: Option<PathBuf>) -> Result<Self, SourceError> {
            Ok(Self::Kept(Kept::Postgres { url, authority }))
        }

        pub(in super::super) fn sqlite(file: PathBuf) -> Result<Self, SourceError> {
            // opening it would make it
            file.metadata().map_err(|why| SourceError::Folder { file: file.clone(), why })?;
            Ok(Self::Kept(Kept::Sqlite(file)))
        }
    }

    impl Kept {
        pub(super) fn records(&self) -> Result<Vec<Record>, SourceError> {
            let found = runtime()?.block_on(async {
                match self {
                    Self::Postgres { url, authority } => {
                        records(Postgres::open(url, authority.as_deref()).await?).await
                    }
                    Self::Sqlite(file) => records(Sqlite::open(file)?).await,
                }
            });
            Ok(found?)
        }

        pub(super) fn open(&self, record: &Record) -> Result<Box<dyn Read>, SourceError> {
            let runtime = runtime()?;
            let (table, _) = record.name.rsplit_once('/').unwrap_or_default();
            let table = table.parse().map_err(io::Error::other)?;
            let (epoch, last) = (record.epoch, record.size);
            Ok(match self {
                Self::Postgres { url, authority } => {
                    let store = runtime.block_on(Postgres::open(url, authority.as_deref()))?;
                    Box::new(Lines::new(runtime, store, table, epoch, last))
                }
                Self::Sqlite(file) => Box::new(Lines::new(runtime, Sqlite::open(file)?, table, epoch, last)),
            })
        }
    }

    impl<S: Store> Lines<S> {
        fn new(runtime: Runtime, store: S, table: TableId, epoch: u64, last: u64) -> Self {
            Self { runtime, store, table, epoch, next: 1, last, text: Vec::new(), read: 0 }
        }
    }

    impl<S: Store> Read for Lines<S> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            if self.read == self.text.len() && self.next <= self.last {
                let until = self.last.min(self.next + PIECE - 1);
                let lines = self.store.lines(&self.table, self.epoch, self.next..=until);
                let lines = self.runtime.block_on(lines).map_err(io::Error::other)?;
                if lines.len() as u64 != until - self.next + 1 {
                    return Err(io::Error::other(format!("lines {} to {until} are not all there", self.next)));
                }
                (self.text, self.read, self.next) = (lines.join("\n").into_bytes(), 0, until + 1);
                self.text.push(b'\n');
            }
            let read = self.text.get(self.read..).unwrap_or_default().read(to)?;
            self.read += read;
            Ok(read)
        }
    }
}
