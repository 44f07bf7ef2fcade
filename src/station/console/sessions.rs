//! Who is signed in. A session ends when its person is idle, leaves, or is no longer on the list of people.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use sabot_law::table::Name;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use crate::pins::{NotKnown, Pins};
use crate::staff::Person;

/// A session that does nothing for so long is over.
pub(super) const IDLE: Duration = Duration::from_mins(10);
/// No session lasts longer.
const LONGEST: Duration = Duration::from_hours(12);
/// Sessions at one time; the one that was idle longest makes room.
const SESSIONS: usize = 64;
/// The name of the cookie.
pub(super) const COOKIE: &str = "sabot";

#[derive(Debug)]
struct Session {
    name: Name,
    began: Instant,
    seen: Instant,
}

/// Everybody who is signed in.
#[derive(Debug)]
pub(super) struct Sessions {
    pub(super) pins: Arc<Pins>,
    /// By the hash of their token: what is read from memory signs nobody in.
    sessions: Mutex<HashMap<[u8; 32], Session>>,
}

impl Sessions {
    /// Of these people.
    pub(super) fn of(pins: Arc<Pins>) -> Self {
        Self { pins, sessions: Mutex::new(HashMap::new()) }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<[u8; 32], Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signs somebody in; what his browser is to show from now on.
    pub(super) async fn sign_in(&self, name: &str, pin: String) -> Result<(Person, String), NotKnown> {
        let person = self.pins.named(name, pin).await?;
        let token = self.begin(&person.name).ok_or(NotKnown::NoStaff)?;
        Ok((person, token))
    }

    fn begin(&self, name: &Name) -> Option<String> {
        let mut token = [0; 32];
        getrandom::fill(&mut token).ok()?;
        let now = Instant::now();
        let sessions = &mut self.sessions();
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
        let staff = self.pins.staff().ok()?;
        let (mut sessions, now, token) = (self.sessions(), Instant::now(), hashed(token));
        let session = sessions.get_mut(&token).filter(|session| session.lasts(now));
        let person = session.and_then(|session| {
            session.seen = now;
            staff.named(&session.name).cloned()
        });
        if person.is_none() {
            sessions.remove(&token);
        }
        person
    }

    /// Everybody who is signed in, each once.
    pub(super) fn people(&self) -> Vec<Person> {
        let Ok(staff) = self.pins.staff() else { return Vec::new() };
        let (sessions, now) = (self.sessions(), Instant::now());
        let mut names: Vec<&Name> =
            sessions.values().filter(|session| session.lasts(now)).map(|session| &session.name).collect();
        names.sort();
        names.dedup();
        names.into_iter().filter_map(|name| staff.named(name).cloned()).collect()
    }

    /// Ends a session.
    pub(super) fn end(&self, token: &str) {
        self.sessions().remove(&hashed(token));
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
    use crate::pins::{LOCKED, TRIES};
    use crate::staff::{Office, PinHash, entry};

    const PIN: &str = "402913";

    fn sessions() -> (tempfile::TempDir, Arc<Sessions>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("staff.toml");
        std::fs::write(&path, entry("I-4", &[Office::Inspector], &PinHash::of(PIN).unwrap(), None)).unwrap();
        (folder, Arc::new(Sessions::of(Arc::new(Pins::of(path).unwrap()))))
    }

    async fn tries(sessions: &Arc<Sessions>, name: &str, pin: &str) -> Result<String, NotKnown> {
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
            assert_eq!(tries(&sessions, "I-4", "000001").await, Err(NotKnown::Wrong));
            assert_eq!(tries(&sessions, "nobody", PIN).await, Err(NotKnown::Wrong));
        }
        assert_eq!(tries(&sessions, "I-4", "000001").await, Err(NotKnown::Locked { now: true }));
        assert_eq!(tries(&sessions, "I-4", PIN).await, Err(NotKnown::Locked { now: false }), "the right one too");
        assert_eq!(tries(&sessions, "nobody", PIN).await, Err(NotKnown::Locked { now: true }));
        tokio::time::pause();
        tokio::time::advance(LOCKED).await;
        tokio::time::resume();
        assert!(tries(&sessions, "I-4", PIN).await.is_ok());
        for _ in 1..TRIES {
            assert_eq!(tries(&sessions, "I-4", "000001").await, Err(NotKnown::Wrong), "counted anew");
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
        assert_eq!(tries(&sessions, "I-4", PIN).await, Err(NotKnown::NoStaff));
    }
}
