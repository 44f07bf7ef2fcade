//! For tests: a disk that fails, under the files that a record is really written into.
//!
//! The files stand in a folder that is known here. What they hold is what the system has in memory; beside it stands
//! what has come to the disk. A sync brings one to the other. When the power goes, each sector that was written since
//! may be as it was, as any write since has left it, or, where none was before, zeros or the bytes of something else; a
//! length, and the names in the folder, may be any since. A sync that fails loses what it should have kept, as Linux
//! does: it is read as written, and no later sync brings it to the disk.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirEntryExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, mpsc};

use super::Record;
use super::alterations::Chance;

/// What a disk writes whole or not at all, bytes.
const SECTOR: usize = 512;

static DISKS: LazyLock<Mutex<HashMap<PathBuf, SimulatedDisk>>> = LazyLock::new(Mutex::default);

/// The disk that a file is on, where it is one of these.
pub(super) fn under(file: &File) -> Option<SimulatedDisk> {
    let disks = DISKS.lock().unwrap();
    if disks.is_empty() {
        return None;
    }
    let path = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    disks.get(&path).or_else(|| disks.get(path.parent()?)).cloned()
}

/// How the next crash comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Crash {
    /// The power goes.
    Power,
    /// The program is ended; the system lives.
    Killed,
}

/// Names in the folder, and the file that each names.
type Names = BTreeMap<String, u64>;

#[derive(Clone)]
pub(super) struct SimulatedDisk(Arc<Mutex<State>>);

struct State {
    folder: PathBuf,
    chance: Chance,
    files: HashMap<u64, Sectors>,
    /// As they are on disk, and as they were since.
    names: Vec<Names>,
    /// Writes and syncs so far.
    pub(super) steps: u64,
    crash: Option<(u64, Crash)>,
    /// One step in so many fails; none where it is 0.
    fails: usize,
    has_failed: bool,
    is_dead: bool,
    /// What is on disk once the power has gone.
    left: Option<BTreeMap<String, Vec<u8>>>,
    /// What is handed over after each sync of the record, and to whom.
    bursts: VecDeque<Vec<Record>>,
    to: Option<mpsc::Sender<Record>>,
    handed: usize,
}

/// A file.
struct Sectors {
    /// Keeps its number from being given to another.
    file: File,
    on_disk: Vec<u8>,
    /// Sectors written since the last sync.
    dirty: BTreeSet<usize>,
    /// What it held after each step since.
    since: Vec<Vec<u8>>,
}

impl Sectors {
    fn new(file: File, on_disk: Vec<u8>) -> Self {
        Self { file, on_disk, dirty: BTreeSet::new(), since: Vec::new() }
    }

    /// A file that comes into the folder; what it holds already is not on this disk before a sync.
    fn comes(file: File) -> Self {
        let mut new = Self::new(file, Vec::new());
        let now = new.now();
        new.dirty.extend(0..now.len().div_ceil(SECTOR));
        new.since.push(now);
        new
    }

    fn now(&self) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(self.file.metadata().unwrap().len()).unwrap()];
        std::os::unix::fs::FileExt::read_exact_at(&self.file, &mut bytes, 0).unwrap();
        bytes
    }

    fn synced(&mut self) {
        let now = self.now();
        self.on_disk.resize(now.len(), 0);
        for at in std::mem::take(&mut self.dirty) {
            let range = at * SECTOR..now.len().min((at + 1) * SECTOR);
            if !range.is_empty() {
                self.on_disk[range.clone()].copy_from_slice(&now[range]);
            }
        }
        self.since.clear();
    }

    /// What a power cut leaves of it.
    fn torn(&self, chance: &mut Chance) -> Vec<u8> {
        let sector = |bytes: &[u8], at: usize| {
            let mut sector = bytes.get(at * SECTOR..bytes.len().min((at + 1) * SECTOR)).unwrap_or_default().to_vec();
            sector.resize(SECTOR, 0);
            sector
        };
        let lengths: Vec<usize> = [&self.on_disk].into_iter().chain(&self.since).map(Vec::len).collect();
        let length = lengths[chance.below(lengths.len())];
        let (mut left, keeps) = (Vec::new(), chance.below(3));
        for at in 0..length.div_ceil(SECTOR) {
            // a whole disk may keep everything, or nothing, or each sector as it comes
            let choice = match keeps {
                0 => self.since.len(),
                1 => 0,
                _ => chance.below(self.since.len() + 1),
            };
            let is_new = at * SECTOR >= self.on_disk.len();
            left.extend(match (self.dirty.contains(&at), choice.checked_sub(1)) {
                (true, Some(version)) => sector(&self.since[version], at),
                (true, None) if is_new && chance.below(2) == 0 => b"}\n{ old\n".repeat(SECTOR / 8),
                _ => sector(&self.on_disk, at),
            });
        }
        left.truncate(length);
        left
    }
}

impl SimulatedDisk {
    /// The files in a folder are on it, and safe.
    pub(super) fn new(folder: &Path, seed: u64) -> Self {
        let folder = folder.canonicalize().unwrap();
        let mut state = State {
            folder: folder.clone(),
            chance: Chance(seed),
            files: HashMap::new(),
            names: Vec::new(),
            steps: 0,
            crash: None,
            fails: 0,
            has_failed: false,
            is_dead: false,
            left: None,
            bursts: VecDeque::new(),
            to: None,
            handed: 0,
        };
        let names = state.look();
        state.names = vec![names];
        for file in state.files.values_mut() {
            file.on_disk = file.now();
        }
        let disk = Self(Arc::new(Mutex::new(state)));
        DISKS.lock().unwrap().insert(folder, disk.clone());
        disk
    }

    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.0.lock().unwrap())
    }

    /// Another start of the program, that crashes so many steps from now, and in which one step in `fails` fails.
    pub(super) fn starts(&self, crash: Option<(u64, Crash)>, fails: usize) {
        self.with(|state| {
            state.crash = crash.map(|(steps, crash)| (state.steps + steps, crash));
            (state.fails, state.has_failed, state.is_dead) = (fails, false, false);
        });
    }

    /// Hands these over, one burst after each sync of the record; nothing more can come after the last.
    pub(super) fn feed(&self, bursts: VecDeque<Vec<Record>>, to: mpsc::Sender<Record>) {
        self.with(|state| {
            (state.bursts, state.to, state.handed) = (bursts, Some(to), 0);
            if state.is_dead {
                state.to = None;
            } else {
                state.hand_over();
            }
        });
    }

    /// How many records were handed over.
    pub(super) fn handed(&self) -> usize {
        self.with(|state| state.handed)
    }

    pub(super) fn steps(&self) -> u64 {
        self.with(|state| state.steps)
    }

    pub(super) fn has_failed(&self) -> bool {
        self.with(|state| state.has_failed || state.is_dead)
    }

    /// What the power cut has left, by name; none where the power is there.
    pub(super) fn left(&self) -> Option<BTreeMap<String, Vec<u8>>> {
        self.with(|state| state.left.take())
    }

    /// The power goes now, if it has not gone before.
    pub(super) fn goes_off(&self) {
        self.with(|state| {
            if !state.is_dead {
                (state.crash, state.is_dead) = (Some((0, Crash::Power)), true);
                let names = state.look();
                state.names.push(names);
                state.goes();
            }
        });
    }

    pub(super) fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        self.with(|state| {
            let (at, length) = (file.stream_position().unwrap(), file.metadata().unwrap().len());
            let begins = state.step();
            // what is written over one sector is written at once
            let is_one =
                at + bytes.len() as u64 <= length && at as usize / SECTOR == (at as usize + bytes.len()) / SECTOR;
            let done = match &begins {
                Ok(()) => bytes.len(),
                Err(_) if state.was_dead() => 0,
                Err(_) if is_one => bytes.len() * state.chance.below(2),
                Err(_) => state.chance.below(bytes.len() + 1),
            };
            let written = file.write_all(&bytes[..done]);
            // a file that is appended to is written at its end
            let end = usize::try_from(file.stream_position().unwrap().max(at + done as u64)).unwrap();
            state.wrote(file, end - done, end);
            state.goes();
            begins.and(written)
        })
    }

    pub(super) fn cut(&self, file: &File, len: u64) -> io::Result<()> {
        self.with(|state| {
            let begins = state.step();
            if begins.is_ok() {
                file.set_len(len).unwrap();
                state.wrote(file, 0, 0);
            }
            state.goes();
            begins
        })
    }

    pub(super) fn sync(&self, file: &File) -> io::Result<()> {
        self.with(|state| {
            let begins = state.step();
            let file = state.number(file);
            let State { files, chance, .. } = state;
            let sectors = files.get_mut(&file).unwrap();
            if begins.is_ok() {
                sectors.synced();
                if state.names.last().unwrap().get("record") == Some(&file) {
                    state.hand_over();
                }
            } else if !state.is_dead {
                sectors.on_disk = sectors.torn(chance);
                sectors.dirty.clear();
                sectors.since.clear();
            }
            state.goes();
            begins
        })
    }

    pub(super) fn sync_folder(&self) -> io::Result<()> {
        self.with(|state| {
            let begins = state.step();
            if begins.is_ok() {
                state.names = state.names.split_off(state.names.len() - 1);
            }
            state.goes();
            begins
        })
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.to = None;
    }
}

/// Ends with a disk.
pub(super) struct Mounted(pub(super) SimulatedDisk);

impl Drop for Mounted {
    fn drop(&mut self) {
        let folder = self.0.with(|state| state.folder.clone());
        DISKS.lock().unwrap().remove(&folder);
    }
}

impl State {
    /// The names in the folder; a file that is new here is known from now on.
    fn look(&mut self) -> Names {
        let mut names = Names::new();
        for entry in fs::read_dir(&self.folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                continue;
            }
            let known = self.files.entry(entry.ino());
            known.or_insert_with(|| Sectors::comes(File::open(entry.path()).unwrap()));
            names.insert(entry.file_name().into_string().unwrap(), entry.ino());
        }
        names
    }

    fn number(&mut self, file: &File) -> u64 {
        let number = file.metadata().unwrap().ino();
        assert!(self.files.contains_key(&number), "it is in the folder");
        number
    }

    /// A write or a sync begins; an error where it fails.
    fn step(&mut self) -> io::Result<()> {
        let names = self.look();
        if self.names.last() != Some(&names) {
            self.names.push(names);
        }
        if self.is_dead {
            return Err(io::Error::other("this program has ended"));
        }
        self.steps += 1;
        if self.crash.is_some_and(|(at, _)| at <= self.steps) {
            self.is_dead = true;
            self.to = None;
            return Err(io::Error::other("the power is gone, or the program was ended"));
        }
        if self.fails > 0 && self.chance.below(self.fails) == 0 {
            self.has_failed = true;
            return Err(io::Error::other("input/output error"));
        }
        Ok(())
    }

    /// The program had ended before this step.
    fn was_dead(&self) -> bool {
        self.is_dead && self.crash.is_none()
    }

    /// The step is over: where the power went in it, what is left follows.
    fn goes(&mut self) {
        if !self.is_dead {
            return;
        }
        if let Some((_, Crash::Power)) = self.crash.take() {
            let names = self.names[self.chance.below(self.names.len())].clone();
            let (files, chance) = (&self.files, &mut self.chance);
            let left = names.into_iter().map(|(name, number)| {
                let mut left = files[&number].torn(chance);
                // nobody syncs these, and nobody believes them
                if name.ends_with(".blocks") {
                    left = files[&number].now();
                    left.truncate(chance.below(left.len() + 1));
                }
                (name, left)
            });
            self.left = Some(left.collect());
        }
    }

    fn wrote(&mut self, file: &File, from: usize, to: usize) {
        let number = self.number(file);
        let sectors = self.files.get_mut(&number).unwrap();
        sectors.dirty.extend(from / SECTOR..to.div_ceil(SECTOR));
        let now = sectors.now();
        sectors.since.push(now);
    }

    fn hand_over(&mut self) {
        match (self.bursts.pop_front(), &self.to) {
            (Some(burst), Some(to)) => {
                self.handed += burst.len();
                burst.into_iter().for_each(|record| to.send(record).unwrap());
            }
            _ => self.to = None,
        }
    }
}
