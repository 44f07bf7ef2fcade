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
use super::snapshot::Snapshot;
use sabot_law::table::act_words::act;
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
    ///
    /// Where the disk takes no new file, `for_now` names players, and what it gives is told to be that: `false`. The
    /// same secret is kept as soon as it is asked for with room on the disk, so that no name changes.
    pub(crate) fn by(file: &Path, for_now: Option<&Self>) -> io::Result<(Self, bool)> {
        match fs::read(file) {
            Ok(secret) => {
                let wrong = || io::Error::new(ErrorKind::InvalidData, format!("{SECRET} bytes belong there"));
                secret.try_into().map(|secret| (Self(secret), true)).map_err(|_| wrong())
            }
            Err(why) if why.kind() == ErrorKind::NotFound => {
                let players = for_now.cloned().map_or_else(Self::fresh, Ok)?;
                let kept = players.keep(file);
                if let Err(why) = &kept {
                    let file = file.display();
                    tracing::warn!(%file, %why, "what names players to programs is not kept yet");
                }
                Ok((players, kept.is_ok()))
            }
            Err(why) => Err(why),
        }
    }

    fn fresh() -> io::Result<Self> {
        let mut secret = [0; SECRET];
        getrandom::fill(&mut secret).map_err(io::Error::other)?;
        Ok(Self(secret))
    }

    fn keep(&self, file: &Path) -> io::Result<()> {
        let fresh = PathBuf::from(format!("{}.new", file.display()));
        let _ = fs::remove_file(&fresh);
        let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
        to.write_all(&self.0)?;
        to.sync_all()?;
        fs::rename(&fresh, file)
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

    /// The same of all that a picture tells, in what people may enter and have entered too.
    pub(crate) fn hide_in_snapshot(&self, snapshot: &mut Snapshot) {
        let Snapshot { felt, offers, last_entry, findings, .. } = snapshot;
        let of_boxes = felt.boxes.iter_mut().flat_map(|box_| [&mut box_.seated, &mut box_.bettor]);
        let of_findings = findings.iter_mut().map(|view| &mut view.finding.details.player);
        for player in of_boxes.chain(of_findings).chain([&mut felt.banker]).flatten() {
            *player = self.name(player);
        }
        for offer in offers {
            offer.events.iter_mut().for_each(|event| self.hide_in_event(event));
            if let Some(last) = offer.events.last() {
                offer.verb = act(last).1;
            }
        }
        if let Some(last) = last_entry {
            last.retell(|event| self.hide_in_event(event));
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
    use crate::entered::LastEntry;
    use sabot_law::table::line;
    use sabot_law::validator::Validator;

    #[test]
    fn a_player_has_one_name_at_a_table_and_another_at_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("record.players");
        let (players, is_kept) = Players::by(&file, None).unwrap();
        assert!(is_kept);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let name = players.name("P7");
        assert_eq!(name, Players::by(&file, None).unwrap().0.name("P7"), "after a start");
        assert_ne!(name, players.name("P8"));
        let (other, _) = Players::by(&folder.path().join("other.players"), None).unwrap();
        assert_ne!(name, other.name("P7"), "by trying all numbers nobody finds him");
        fs::write(&file, "short").unwrap();
        assert!(Players::by(&file, None).is_err(), "what is no secret is not used");
    }

    #[test]
    fn a_disk_that_takes_no_file_keeps_nobody_from_an_answer_and_no_name_changes_once_it_does() {
        let folder = tempfile::tempdir().unwrap();
        // no file is made in a folder that is not there, whoever asks
        let file = folder.path().join("later/record.players");
        let (players, is_kept) = Players::by(&file, None).unwrap();
        assert!(!is_kept);
        let (still, is_kept) = Players::by(&file, Some(&players)).unwrap();
        assert_eq!((players.name("P7"), is_kept), (still.name("P7"), false));
        fs::create_dir(folder.path().join("later")).unwrap();
        let (kept, is_kept) = Players::by(&file, Some(&players)).unwrap();
        assert_eq!((players.name("P7"), is_kept), (kept.name("P7"), true));
        assert_eq!(players.name("P7"), Players::by(&file, None).unwrap().0.name("P7"), "after a start");
    }

    #[test]
    fn no_event_names_a_player_and_every_office_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let players = Players::by(&folder.path().join("record.players"), None).unwrap().0;
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

    #[test]
    fn no_player_is_named_in_a_picture_nor_in_what_may_be_entered_next() {
        let folder = tempfile::tempdir().unwrap();
        let players = Players::by(&folder.path().join("record.players"), None).unwrap().0;
        let header =
            r#"{"ev":"table","v":1,"table":"T","regulation":"club","boxes":7,"limits":{"min":100,"max":9000}}"#;
        let mut table = Validator::new(line::header(header.as_bytes()).unwrap()).unwrap();
        let sits = |seat| format!(r#"{{"ev":"seat","seat":{seat},"player":"P77{seat}"}}"#);
        let events = [1, 2, 3, 4].map(|seat| line::event(sits(seat).as_bytes()).unwrap());
        let mut answers = Vec::new();
        for (event, line) in events.iter().zip(2..) {
            table.step(line, event, &mut answers);
        }
        let last_entry = events.last().map(|event| LastEntry::of(None, &"D-9".into(), 5, event));
        let mut snapshot = Snapshot { felt: table.felt(), offers: table.offers(), last_entry, ..Snapshot::default() };
        snapshot.felt.boxes[0].bettor = Some("P771".into());
        snapshot.felt.banker = Some("P772".into());
        let told = serde_json::to_string(&snapshot).unwrap();
        assert!(told.matches("P77").count() > 8 && told.contains(r#""es":"P774 se sienta"#), "{told}");
        assert!(snapshot.offers.iter().any(|offer| offer.verb.es.contains("P77")), "{told}");

        players.hide_in_snapshot(&mut snapshot);
        let hidden = serde_json::to_string(&snapshot).unwrap();
        assert!(!hidden.contains("P77") && hidden.contains("D-9"), "{hidden}");
        assert_eq!(snapshot.felt.boxes[0].bettor, Some(players.name("P771")));
        assert!(hidden.contains(&format!(r#""es":"{} se sienta"#, players.name("P774"))), "{hidden}");
    }
}
