//! Who knows his PIN: asked for on the page and at the keypad. Wrong ones lock a name for a while, for both.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sabot_law::table::Name;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::staff::{Person, PinHash, Staff, StaffError, StaffFile};

/// Wrong PINs of one name before it is locked.
pub(crate) const TRIES: u32 = 5;
/// How long a name is locked.
pub(crate) const LOCKED: Duration = Duration::from_mins(1);

/// Why nobody is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotKnown {
    /// Who it is or the PIN is wrong: nobody is told which.
    Wrong,
    /// Too many wrong PINs: for the first time, or still.
    Locked {
        /// For the first time.
        now: bool,
    },
    /// The list of people cannot be used.
    NoStaff,
}

#[derive(Debug, Default)]
struct Wrong {
    tries: u32,
    locked: Option<Instant>,
}

#[derive(Debug)]
struct Held {
    staff: StaffFile,
    /// By name; a name that nobody has counts with the others of its kind.
    wrong: HashMap<Name, Wrong>,
}

/// The people of a file, and their PINs.
#[derive(Debug)]
pub struct Pins {
    held: Mutex<Held>,
    /// Trying a PIN takes memory and time: one at a time.
    trying: Semaphore,
    /// Tried where nobody is meant, so that it takes as long.
    nobody: PinHash,
}

impl Pins {
    /// Of the people in a file.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn of(path: PathBuf) -> Result<Self, StaffError> {
        let mut staff = StaffFile::at(path.clone());
        staff.now()?;
        let no_random = |_| StaffError::Read { path, why: std::io::Error::other("no random numbers") };
        let nobody = PinHash::of("402913").map_err(no_random)?;
        let held = Mutex::new(Held { staff, wrong: HashMap::new() });
        Ok(Self { held, trying: Semaphore::new(1), nobody })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The people as the file has them now. Where it cannot be used, nobody is known.
    pub(crate) fn staff(&self) -> Result<Arc<Staff>, NotKnown> {
        self.held().staff.now().map_err(|why| {
            tracing::error!("{why}: nobody is known until it is mended");
            NotKnown::NoStaff
        })
    }

    /// Whose name and PIN these are.
    pub(crate) async fn named(&self, name: &str, pin: String) -> Result<Person, NotKnown> {
        self.tried(self.staff()?.named(name).cloned(), pin).await
    }

    /// Whose badge and PIN these are.
    pub(crate) async fn with_badge(&self, badge: u16, pin: String) -> Result<Person, NotKnown> {
        self.tried(self.staff()?.with_badge(badge).cloned(), pin).await
    }

    async fn tried(&self, person: Option<Person>, pin: String) -> Result<Person, NotKnown> {
        let counted = person.as_ref().map_or(Name::new_static(""), |person| person.name.clone());
        let Ok(_turn) = self.trying.acquire().await else { return Err(NotKnown::NoStaff) };
        if self.held().wrong.get(&counted).and_then(|wrong| wrong.locked).is_some_and(|until| until > Instant::now()) {
            return Err(NotKnown::Locked { now: false });
        }
        let hash = person.as_ref().map_or_else(|| self.nobody.clone(), |person| person.pin.clone());
        let is_right = tokio::task::spawn_blocking(move || hash.is_of(&pin)).await.unwrap_or(false);
        match person.filter(|_| is_right) {
            Some(person) => {
                self.held().wrong.remove(&counted);
                Ok(person)
            }
            None => Err(self.is_wrong(counted)),
        }
    }

    fn is_wrong(&self, name: Name) -> NotKnown {
        let mut held = self.held();
        let wrong = held.wrong.entry(name).or_default();
        wrong.tries += 1;
        if wrong.tries < TRIES {
            return NotKnown::Wrong;
        }
        *wrong = Wrong { tries: 0, locked: Some(Instant::now() + LOCKED) };
        NotKnown::Locked { now: true }
    }
}
