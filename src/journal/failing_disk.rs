//! For tests, this crate's and those of what writes a record: a disk that can be told to fail.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, missing_docs, reason = "for tests")]

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::fault::RecordFault;
use super::held::Held;
use super::seal::Seals;
use super::sealer::{Sealer, kept};
use super::unseal::Unsealer;
use super::writer::{Journal, Storage, Writer};

/// A disk that can be told to fail, and forgets at a crash what was not synced.
#[derive(Clone, Default)]
pub struct Disk(pub Arc<Mutex<DiskState>>);

#[derive(Default)]
pub struct DiskState {
    pub synced: Vec<u8>,
    pub cached: Vec<u8>,
    /// Bytes there is room for.
    pub room: Option<usize>,
    pub sync_fails: bool,
    /// A sync does not come back.
    pub hangs: bool,
    /// The file is not what was written.
    pub tampered: Option<RecordFault>,
    pub attempts: usize,
}

impl Disk {
    pub fn with<T>(&self, f: impl FnOnce(&mut DiskState) -> T) -> T {
        f(&mut self.0.lock().unwrap())
    }
}

impl Storage for Disk {
    fn look(&mut self, _: &Held) -> Result<(), RecordFault> {
        self.with(|disk| disk.tampered.clone().map_or(Ok(()), Err))
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), RecordFault> {
        self.with(|disk| {
            disk.attempts += 1;
            let room = disk.room.unwrap_or(usize::MAX).saturating_sub(disk.cached.len());
            disk.cached.extend_from_slice(&bytes[..bytes.len().min(room)]);
            if bytes.len() > room { Err(io::Error::from(io::ErrorKind::StorageFull).into()) } else { Ok(()) }
        })
    }

    fn sync(&mut self) -> Result<(), RecordFault> {
        while self.with(|disk| disk.hangs) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.with(|disk| {
            if disk.sync_fails {
                // as Linux does: the pages are dropped, and the next sync would succeed without them
                disk.cached.clone_from(&disk.synced);
                return Err(io::Error::other("input/output error").into());
            }
            disk.synced.clone_from(&disk.cached);
            Ok(())
        })
    }

    fn cut(&mut self, len: u64) -> Result<(), RecordFault> {
        self.with(|disk| disk.cached.truncate(usize::try_from(len).unwrap()));
        Ok(())
    }
}

/// A record whose header is not written down: its lines are numbered from `lines` + 1.
pub fn on(disk: &Disk, lines: u64) -> Journal {
    Journal::start(writer(disk, lines)).unwrap()
}

/// The same, the keys of its covered cards being kept in a real file.
pub fn on_sealing(disk: &Disk, lines: u64, keys: &Path) -> Journal {
    let sealer = Sealer::new(keys.to_path_buf(), Vec::new(), Seals::default());
    Journal::start(writer(disk, lines).sealing(sealer)).unwrap()
}

fn writer(disk: &Disk, lines: u64) -> Writer<Disk> {
    let held = Held { lines, ..Held::default() };
    Writer::new(disk.clone(), held).retry_after(Duration::from_millis(1))
}

/// What follows so many lines of a record, with the covered cards that these keys open, as the station itself has them.
pub fn opened(text: &str, lines: u64, keys: &Path) -> String {
    let (mut unsealer, mut opened) = (Unsealer::with(Vec::new(), kept(keys).unwrap()).after(lines), Vec::new());
    for line in text.split_inclusive('\n') {
        unsealer.take(line.as_bytes(), |_, text| opened.extend_from_slice(text)).unwrap();
    }
    unsealer.finish(&[], |_, text| opened.extend_from_slice(text));
    String::from_utf8(opened).unwrap()
}
