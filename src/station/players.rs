//! Players as programs are told of them: each under one name at this table, from which nobody learns who he is.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use smol_str::format_smolstr;

use super::entries::bettor;
use sabot_law::table::{Event, Name};

/// Bytes of the secret; a badge's number would be found by trying without one.
const SECRET: usize = 32;
/// Bytes of a name.
const NAME: usize = 8;

/// What names players.
#[derive(Clone)]
pub(crate) struct Players([u8; SECRET]);

/// A secret is told to nobody.
impl fmt::Debug for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Players(..)")
    }
}

impl Players {
    /// By the secret in a file, which is made where it is not there.
    pub(crate) fn by(file: &Path) -> io::Result<Self> {
        match fs::read(file) {
            Ok(secret) => {
                let wrong = || io::Error::new(ErrorKind::InvalidData, format!("{SECRET} bytes belong there"));
                secret.try_into().map(Self).map_err(|_| wrong())
            }
            Err(why) if why.kind() == ErrorKind::NotFound => Self::make(file),
            Err(why) => Err(why),
        }
    }

    fn make(file: &Path) -> io::Result<Self> {
        let mut secret = [0; SECRET];
        getrandom::fill(&mut secret).map_err(io::Error::other)?;
        let fresh = PathBuf::from(format!("{}.new", file.display()));
        let _ = fs::remove_file(&fresh);
        let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
        to.write_all(&secret)?;
        to.sync_all()?;
        fs::rename(&fresh, file)?;
        Ok(Self(secret))
    }

    fn name(&self, player: &str) -> Name {
        // a key of any length is one
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return Name::new_static("p") };
        let hash = mac.chain_update(player).finalize().into_bytes();
        hash.iter().take(NAME).fold(Name::new_static("p-"), |name, byte| format_smolstr!("{name}{byte:02x}"))
    }

    /// The event with players under their other names.
    pub(crate) fn hide_in_event(&self, event: &mut Event) {
        if let Event::Correct { event: Some(event), .. } = event {
            return self.hide_in_event(event);
        }
        let names = bettor(event).map(|(box_no, player)| format_smolstr!("{box_no} {}", self.name(player)));
        if let (Event::Device { detail, .. }, Some(names)) = (&mut *event, names) {
            *detail = Some(names);
        }
        for player in event.players().into_iter().flatten() {
            *player = self.name(player);
        }
    }

    /// The same of an answer, as the record has it.
    pub(crate) fn hide_in_answer(&self, answer: &mut Value) {
        if let Some(Value::String(player)) = answer.get_mut("player") {
            *player = self.name(player).into();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use sabot_law::table::line;

    #[test]
    fn a_player_has_one_name_at_a_table_and_another_at_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("record.players");
        let players = Players::by(&file).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let name = players.name("P7");
        assert_eq!(name, Players::by(&file).unwrap().name("P7"), "after a start");
        assert_ne!(name, players.name("P8"));
        let other = Players::by(&folder.path().join("other.players")).unwrap();
        assert_ne!(name, other.name("P7"), "by trying all numbers nobody finds him");
        fs::write(&file, "short").unwrap();
        assert!(Players::by(&file).is_err(), "what is no secret is not used");
    }

    #[test]
    fn no_event_names_a_player_and_every_office_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let players = Players::by(&folder.path().join("record.players")).unwrap();
        let of_players = [
            r#"{"ev":"seat","seat":1,"player":"P77"}"#,
            r#"{"ev":"leave","seat":1,"player":"P77"}"#,
            r#"{"ev":"request","box":"2","player":"P77"}"#,
            r#"{"ev":"cut","depth":60,"by":"P77"}"#,
            r#"{"ev":"bet","box":"2","amount":1000,"player":"P77"}"#,
            r#"{"ev":"decide","box":"2","choice":"stand","by":"P77"}"#,
            r#"{"ev":"ace","box":"2","value":11,"by":"P77"}"#,
            r#"{"ev":"bank_card","player":"P77","card":"AS"}"#,
            r#"{"ev":"bank","how":"sold","player":"P77","by":"P77","amount":1000}"#,
            r#"{"ev":"share","player":"P77","what":"advance","amount":1000}"#,
            r#"{"ev":"offer_cut","player":"P77"}"#,
            r#"{"ev":"device","device":"keypad","status":"bettor","detail":"2 P77"}"#,
        ];
        for text in of_players {
            let correct = format!(r#"{{"ev":"correct","by":"I-4","role":"inspector","after":3,"event":{text}}}"#);
            for text in [text, &correct] {
                let mut event = line::event(text.as_bytes()).unwrap();
                players.hide_in_event(&mut event);
                let hidden = serde_json::to_string(&event).unwrap();
                assert!(!hidden.contains("P77") && hidden.contains(players.name("P77").as_str()), "{hidden}");
                assert_eq!(hidden.contains("I-4"), text.contains("I-4"), "{hidden}");
            }
        }
    }
}
