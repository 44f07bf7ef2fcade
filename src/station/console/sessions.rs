//! Who is signed in. A session ends when its person is idle, leaves, or is no longer on the list of people; wrong PINs
//! lock a name for a while.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use sabot_law::table::Name;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::staff::{Person, PinHash, Staff, StaffError, StaffFile};

/// A session that does nothing for so long is over.
pub(super) const IDLE: Duration = Duration::from_mins(10);
/// No session lasts longer.
const LONGEST: Duration = Duration::from_hours(12);
/// Wrong PINs of one name before it is locked.
const TRIES: u32 = 5;
/// How long a name is locked.
const LOCKED: Duration = Duration::from_mins(1);
/// Sessions at one time; the one that was idle longest makes room.
const SESSIONS: usize = 64;
/// The name of the cookie.
pub(super) const COOKIE: &str = "sabot";

/// Why nobody was signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotSignedIn {
    /// Name or PIN is wrong: nobody is told which.
    Wrong,
    /// Too many wrong PINs: for the first time, or still.
    Locked { now: bool },
    /// The list of people cannot be used.
    NoStaff,
}

#[derive(Debug)]
struct Session {
    name: Name,
    began: Instant,
    seen: Instant,
}

#[derive(Debug, Default)]
struct Wrong {
    tries: u32,
    locked: Option<Instant>,
}

#[derive(Debug)]
struct Held {
    staff: StaffFile,
    /// By the hash of their token: what is read from memory signs nobody in.
    sessions: HashMap<[u8; 32], Session>,
    /// By name; a name that nobody has counts with the others of its kind.
    wrong: HashMap<Name, Wrong>,
}

/// Everybody who is signed in.
#[derive(Debug)]
pub(super) struct Sessions {
    held: Mutex<Held>,
    /// Trying a PIN takes memory and time: one at a time.
    trying: Semaphore,
    /// Tried where nobody has the name, so that it takes as long.
    nobody: PinHash,
}

impl Sessions {
    /// Of the people in a file.
    pub(super) fn of(path: PathBuf) -> Result<Self, StaffError> {
        let mut staff = StaffFile::at(path.clone());
        staff.now()?;
        let no_random = |_| StaffError::Read { path, why: std::io::Error::other("no random numbers") };
        let nobody = PinHash::of("402913").map_err(no_random)?;
        let held = Held { staff, sessions: HashMap::new(), wrong: HashMap::new() };
        Ok(Self { held: Mutex::new(held), trying: Semaphore::new(1), nobody })
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The people as the file has them now. Where it cannot be used, nobody is signed in.
    fn staff(&self) -> Result<Arc<Staff>, NotSignedIn> {
        self.held().staff.now().map_err(|why| {
            tracing::error!("{why}: nobody signs in until it is mended");
            NotSignedIn::NoStaff
        })
    }

    /// Signs somebody in; what his browser is to show from now on.
    pub(super) async fn sign_in(self: &Arc<Self>, name: &str, pin: String) -> Result<(Person, String), NotSignedIn> {
        let person = self.staff()?.named(name).cloned();
        let counted = person.as_ref().map_or(Name::new_static(""), |person| person.name.clone());
        let Ok(_turn) = self.trying.acquire().await else { return Err(NotSignedIn::NoStaff) };
        if self.held().wrong.get(&counted).and_then(|wrong| wrong.locked).is_some_and(|until| until > Instant::now()) {
            return Err(NotSignedIn::Locked { now: false });
        }
        let hash = person.as_ref().map_or_else(|| self.nobody.clone(), |person| person.pin.clone());
        let is_right = tokio::task::spawn_blocking(move || hash.is_of(&pin)).await.unwrap_or(false);
        match person.filter(|_| is_right) {
            Some(person) => {
                self.held().wrong.remove(&counted);
                let token = self.begin(&person.name).ok_or(NotSignedIn::NoStaff)?;
                Ok((person, token))
            }
            None => Err(self.is_wrong(counted)),
        }
    }

    fn is_wrong(&self, name: Name) -> NotSignedIn {
        let mut held = self.held();
        let wrong = held.wrong.entry(name).or_default();
        wrong.tries += 1;
        if wrong.tries < TRIES {
            return NotSignedIn::Wrong;
        }
        *wrong = Wrong { tries: 0, locked: Some(Instant::now() + LOCKED) };
        NotSignedIn::Locked { now: true }
    }

    fn begin(&self, name: &Name) -> Option<String> {
        let mut token = [0; 32];
        getrandom::fill(&mut token).ok()?;
        let now = Instant::now();
        let sessions = &mut self.held().sessions;
        sessions.retain(|_, session| session.lasts(now));
        if sessions.len() >= SESSIONS
            && let Some(idle) = sessions.iter().min_by_key(|(_, session)| session.seen).map(|(hash, _)| *hash)
        {
            sessions.remove(&idle);
        }
        let token = Base64UrlUnpadded::encode_string(&token);
        sessions.insert(hashed(&token), Session { name: name.clone(), began: now, seen: now });
        Some(token)
    }

    /// Whose session it is, while it lasts.
    pub(super) fn person(&self, token: &str) -> Option<Person> {
        let staff = self.staff().ok()?;
        let (mut held, now, token) = (self.held(), Instant::now(), hashed(token));
        let session = held.sessions.get_mut(&token).filter(|session| session.lasts(now));
        let person = session.and_then(|session| {
            session.seen = now;
            staff.named(&session.name).cloned()
        });
        if person.is_none() {
            held.sessions.remove(&token);
        }
        person
    }

    /// Everybody who is signed in, each once.
    pub(super) fn people(&self) -> Vec<Person> {
        let Ok(staff) = self.staff() else { return Vec::new() };
        let (held, now) = (self.held(), Instant::now());
        let mut names: Vec<&Name> =
            held.sessions.values().filter(|session| session.lasts(now)).map(|session| &session.name).collect();
        names.sort();
        names.dedup();
        names.into_iter().filter_map(|name| staff.named(name).cloned()).collect()
    }

    /// Ends a session.
    pub(super) fn end(&self, token: &str) {
        self.held().sessions.remove(&hashed(token));
    }
}

impl Session {
    fn lasts(&self, now: Instant) -> bool {
        now < self.seen + IDLE && now < self.began + LONGEST
    }
}

fn hashed(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::staff::{Office, entry};

    const PIN: &str = "402913";

    fn sessions() -> (tempfile::TempDir, Arc<Sessions>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("staff.toml");
        std::fs::write(&path, entry("I-4", &[Office::Inspector], &PinHash::of(PIN).unwrap(), None)).unwrap();
        (folder, Arc::new(Sessions::of(path).unwrap()))
    }

    async fn tries(sessions: &Arc<Sessions>, name: &str, pin: &str) -> Result<String, NotSignedIn> {
        sessions.sign_in(name, pin.to_owned()).await.map(|(_, token)| token)
    }

    #[tokio::test]
    async fn a_session_is_its_persons_until_it_is_ended_and_no_other_token_is_anybodys() {
        let (_folder, sessions) = sessions();
        let token = tries(&sessions, "I-4", PIN).await.unwrap();
        let other = tries(&sessions, "I-4", PIN).await.unwrap();
        assert_eq!(sessions.person(&token).map(|person| person.name), Some("I-4".into()));
        for wrong in ["", "x", &token[1..], &format!("{token}=")] {
            assert_eq!(sessions.person(wrong), None, "{wrong}");
        }
        sessions.end(&token);
        assert!(sessions.person(&token).is_none() && sessions.person(&other).is_some());
    }

    #[tokio::test]
    async fn a_session_ends_when_its_person_is_idle_or_off_the_list_and_after_half_a_day() {
        let (folder, sessions) = sessions();
        let token = tries(&sessions, "I-4", PIN).await.unwrap();
        tokio::time::pause();
        tokio::time::advance(IDLE - Duration::from_secs(1)).await;
        assert!(sessions.person(&token).is_some(), "it counts from its last use");
        tokio::time::advance(IDLE - Duration::from_secs(1)).await;
        assert!(sessions.person(&token).is_some());
        tokio::time::advance(IDLE).await;
        assert!(sessions.person(&token).is_none());
        let token = sessions.begin(&"I-4".into()).unwrap();
        for _ in 0..LONGEST.as_secs() / 300 {
            tokio::time::advance(Duration::from_mins(5)).await;
            sessions.person(&token);
        }
        assert!(sessions.person(&token).is_none());
        let token = sessions.begin(&"I-4".into()).unwrap();
        std::fs::write(folder.path().join("staff.toml"), "").unwrap();
        assert!(sessions.person(&token).is_none(), "no longer on the list");
    }

    #[tokio::test]
    async fn wrong_pins_lock_a_name_for_a_while_and_no_other() {
        let (_folder, sessions) = sessions();
        for _ in 1..TRIES {
            assert_eq!(tries(&sessions, "I-4", "000001").await, Err(NotSignedIn::Wrong));
            assert_eq!(tries(&sessions, "nobody", PIN).await, Err(NotSignedIn::Wrong));
        }
        assert_eq!(tries(&sessions, "I-4", "000001").await, Err(NotSignedIn::Locked { now: true }));
        assert_eq!(tries(&sessions, "I-4", PIN).await, Err(NotSignedIn::Locked { now: false }), "the right one too");
        assert_eq!(tries(&sessions, "nobody", PIN).await, Err(NotSignedIn::Locked { now: true }));
        tokio::time::pause();
        tokio::time::advance(LOCKED).await;
        tokio::time::resume();
        assert!(tries(&sessions, "I-4", PIN).await.is_ok());
        for _ in 1..TRIES {
            assert_eq!(tries(&sessions, "I-4", "000001").await, Err(NotSignedIn::Wrong), "counted anew");
        }
    }

    #[tokio::test]
    async fn there_is_room_for_so_many_sessions_and_no_more() {
        let (_folder, sessions) = sessions();
        tokio::time::pause();
        let mut tokens = Vec::new();
        for _ in 0..=SESSIONS {
            tokens.push(sessions.begin(&"I-4".into()).unwrap());
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert!(sessions.person(&tokens[0]).is_none());
        assert!(tokens[1..].iter().all(|token| sessions.person(token).is_some()));
    }

    #[tokio::test]
    async fn nobody_signs_in_while_the_list_has_a_mistake() {
        let (folder, sessions) = sessions();
        std::fs::write(folder.path().join("staff.toml"), "[[person]]\nname = 4\n").unwrap();
        assert_eq!(tries(&sessions, "I-4", PIN).await, Err(NotSignedIn::NoStaff));
    }
}
