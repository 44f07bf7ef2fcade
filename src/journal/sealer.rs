//! Seals the covered cards of a record while it is written, and opens them with the lines that uncover them.
//!
//! The keys of shoes whose cards are not all opened are kept in a file for the next start, durably before a line is
//! sealed under them, and deleted from it once they are published. A key that was read from that file seals nothing
//! more: each start begins with a new one.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io;
use std::mem;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::clock::{DAY_CLOSED, station_line};
use super::files::{self, PRIVATE, beside, sync_folder};
use super::hex::Hex;
use super::reader_key::ReaderPublicKey;
use super::record::Record;
use super::seal::{Opening, SealField, Seals, ShoeKey, sealed};
use sabot_law::table::{Event, LineNo};

/// How covered cards are sealed.
#[derive(Debug, Default, Clone)]
pub struct Sealing {
    /// Who may open them before they are uncovered.
    pub readers: Vec<ReaderPublicKey>,
    /// The file in which keys are kept for the next start; beside the record where none is named.
    pub kept_in: Option<PathBuf>,
}

impl Sealing {
    /// The file of keys of a record.
    #[must_use]
    pub fn file(&self, record: &Path) -> PathBuf {
        self.kept_in.clone().unwrap_or_else(|| beside(record, ".seal"))
    }
}

/// Seals a record's covered cards.
#[derive(Debug, Default)]
pub(super) struct Sealer {
    /// Where the keys are kept; nowhere in tests without a disk.
    file: Option<PathBuf>,
    readers: Vec<ReaderPublicKey>,
    /// Keys of the shoe in use.
    keys: Vec<ShoeKey>,
    /// The last of them was made by this start, and seals.
    seals: bool,
    /// Keys of shoes that are over, while a card of theirs lies on the felt.
    over: Vec<ShoeKey>,
    /// Keys that lines publish which are not on disk yet.
    published: Vec<ShoeKey>,
    /// The keys of cards that lie covered.
    covered: BTreeMap<LineNo, Hex>,
    /// The file holds other keys than these.
    stale: bool,
}

fn is_closing(event: &Event) -> bool {
    station_line(event).is_some_and(|(status, _)| status == DAY_CLOSED)
}

/// The keys in a file; none where there is none.
pub(super) fn kept(file: &Path) -> io::Result<Vec<ShoeKey>> {
    let text = match fs::read_to_string(file) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => Zeroizing::new(text?),
    };
    let keys = text.lines().map(|line| {
        let key = ShoeKey::parse(line);
        if key.is_none() {
            tracing::warn!("{}: a line of it is no key; cards sealed under that key are lost", file.display());
        }
        key
    });
    Ok(keys.flatten().collect())
}

impl Sealer {
    /// Goes on where the record was left, of which these seals are.
    pub(super) fn new(file: PathBuf, readers: Vec<ReaderPublicKey>, seals: Seals) -> Self {
        let covered = seals.on_the_felt().filter_map(|(line, key)| Some((line, key?))).collect();
        let (keys, over) = seals.into_keys();
        Self { file: Some(file), readers, covered, keys, over, stale: true, ..Self::default() }
    }

    /// What is sealed and opened on a line.
    pub(super) fn line(&mut self, line: LineNo, record: &Record) -> io::Result<SealField> {
        let uncovered = record.covering.uncovers.iter();
        let opened = uncovered.filter_map(|&(of, card)| Some(Opening(of, card, self.covered.remove(&of)?)));
        let mut field = SealField { opens: opened.collect(), ..SealField::default() };
        field.lost.clone_from(&record.covering.lost);
        if let Some(card) = record.covering.covers {
            if !self.seals {
                self.begin(&mut field)?;
            }
            if let Some(key) = self.keys.last().map(|key| key.of_line(line)) {
                field.card = Some(sealed(key, card));
                self.covered.insert(line, key);
            }
        }
        match &record.event {
            // no other record can open what this one has sealed
            event if is_closing(event) => self.over.append(&mut self.keys),
            Event::Load { .. } => {
                self.over.append(&mut self.keys);
                self.seals = false;
            }
            // what was not opened with it was burned
            Event::End {} => self.covered.clear(),
            _ => return Ok(field),
        }
        if self.covered.is_empty() {
            field.keys = self.over.iter().map(ShoeKey::publish).collect();
            self.published.append(&mut self.over);
        }
        Ok(field)
    }

    /// A new key for the shoe.
    fn begin(&mut self, field: &mut SealField) -> io::Result<()> {
        let key = ShoeKey::new()?;
        let to = self.readers.iter().filter_map(|reader| Some((reader.name().to_owned(), reader.seal(key.bytes())?)));
        field.to = to.collect();
        self.keys.push(key);
        self.seals = true;
        self.stale = true;
        Ok(())
    }

    /// Before lines go to the disk: the keys that they need are kept.
    pub(super) fn keep(&mut self) -> io::Result<()> {
        let Some(file) = self.file.as_deref().filter(|_| self.stale) else { return Ok(()) };
        let keys = self.published.iter().chain(&self.over).chain(&self.keys);
        let keys: Vec<Zeroizing<String>> = keys.map(ShoeKey::text).collect();
        let io = |why: io::Error| io::Error::new(why.kind(), format!("{}: {why}", file.display()));
        write(file, &keys).map_err(io)?;
        self.stale = false;
        Ok(())
    }

    /// After lines have come to be on disk: what they publish need not be kept.
    pub(super) fn on_disk(&mut self) {
        if !mem::take(&mut self.published).is_empty() {
            self.stale = true;
            // else it is told when the next line cannot be written
            let _ = self.keep();
        }
    }
}

/// Writes keys in the place of those before, durably.
fn write(file: &Path, keys: &[Zeroizing<String>]) -> io::Result<()> {
    if keys.is_empty() {
        return match fs::remove_file(file) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.and_then(|()| sync_folder(file)),
        };
    }
    let new = beside(file, ".new");
    let to = OpenOptions::new().write(true).create(true).truncate(true).mode(PRIVATE).open(&new)?;
    keys.iter().try_for_each(|key| files::write(&to, key.as_bytes()).and_then(|()| files::write(&to, b"\n")))?;
    files::sync(&to)?;
    fs::rename(&new, file)?;
    sync_folder(file)
}
