//! The record as programs may follow it: its lines as they come onto the disk, without what nobody may learn from them.
//! A covered card is not in them until it is uncovered, for the record has it sealed; one that was burned unseen never
//! is. A player has another name there, the same at this table each time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sabot_journal::clock::Anchor;
use sabot_journal::days::{beginning, pictures_of};
use sabot_journal::offer::Offer;
use sabot_journal::tail::{LineMark, NotThere, Reached, Tail, Told};
use sabot_journal::{After, Durable, Origin};
use sabot_law::table::answer::Lang;
use sabot_law::table::header::FirstLine;
use sabot_law::table::{Card, Event, LineNo, Name, line};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use super::card_pictures;
use super::findings::silenced;
use super::history::moment::{Moments, moments};
use super::history::{NotRead, Record};
use super::house_time::HouseTime;
use super::players::Players;
use super::silent::Silent;
use super::staff::Office;

/// What was told comes onto the disk within so long, where that does not hang.
const SOON: Duration = Duration::from_millis(500);

/// Why the record is not followed.
#[derive(Debug, thiserror::Error)]
pub enum NotFollowed {
    /// The station is reading its record.
    #[error("the station is starting")]
    Starting,
    /// The secret that names players cannot be used.
    #[error("{}: {why}", file.display())]
    Players {
        /// Its file.
        file: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// Nothing can be read from that line on.
    #[error(transparent)]
    NotThere(#[from] NotThere),
    /// A line of it does not read.
    #[error("line {0} of the record does not read")]
    Line(LineNo),
    /// It does not read from its beginning.
    #[error(transparent)]
    Whole(#[from] NotRead),
}

/// A record that programs may follow, once it is open.
#[derive(Debug, Clone)]
pub struct RecordFeed {
    record: PathBuf,
    house: HouseTime,
    silent: Silent,
    /// Of the day that is written now.
    durable: Arc<Mutex<Option<watch::Receiver<Durable>>>>,
    /// What names them, and whether that is kept.
    players: Arc<Mutex<Option<(Players, bool)>>>,
    /// One reads at a time: many who catch up take no more of the machine than one.
    turn: Arc<Semaphore>,
    /// The same of those who read it for pages.
    turn_of_pages: Arc<Semaphore>,
    /// The pass that somebody goes through: each further moment of it costs no reading.
    gone_through: Arc<Mutex<Option<Arc<Moments>>>>,
}

/// Somebody who follows the record.
#[derive(Debug)]
pub(crate) struct Follower {
    tail: Tail,
    reached: Reached,
    /// Findings up to there of which nothing is told.
    hidden: Vec<u64>,
    /// What the clock on the wall showed last.
    anchor: Option<Anchor>,
    players: Players,
    feed: RecordFeed,
}

/// How the day before the one that a record tells ended.
fn day_before(record: &Path) -> Option<After> {
    beginning(record).ok()?.1
}

/// A line as programs are told it: by what it is known, and as JSON.
pub(crate) struct Retold {
    pub(crate) id: String,
    pub(crate) json: String,
}

impl RecordFeed {
    /// Of a record in that file, which is not open yet.
    #[must_use]
    pub fn of(record: &Path) -> Self {
        let turn = || Arc::new(Semaphore::new(1));
        let (durable, players, turn, turn_of_pages) = (Arc::default(), Arc::default(), turn(), turn());
        let (record, house, silent) = (record.to_path_buf(), HouseTime::default(), Silent::default());
        Self { record, house, silent, durable, players, turn, turn_of_pages, gone_through: Arc::default() }
    }

    /// People read its times as the clocks of that house show them.
    #[must_use]
    pub fn in_house(self, house: HouseTime) -> Self {
        Self { house, ..self }
    }

    /// Findings for surveillance alone are not told.
    #[must_use]
    pub fn without(self, silent: Silent) -> Self {
        Self { silent, ..self }
    }

    /// The same record with them, for who may know.
    pub(crate) fn telling_all(&self) -> Self {
        self.clone().without(Silent::default())
    }

    /// Whether somebody of these offices may know of them.
    pub(crate) fn is_told_to(&self, offices: &[Office]) -> bool {
        self.silent.is_told_to(offices)
    }

    /// It is open, or the next day's is.
    pub(crate) fn is_open(&self, durable: watch::Receiver<Durable>) {
        *self.durable.lock().unwrap_or_else(PoisonError::into_inner) = Some(durable);
        // the next day's lines are counted anew
        *self.kept() = None;
    }

    fn kept(&self) -> MutexGuard<'_, Option<Arc<Moments>>> {
        self.gone_through.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The moments of the pass to which a line belongs, as far as the record was told.
    pub(crate) async fn moments(
        &self,
        line: LineNo,
        told: LineNo,
        lang: Lang,
    ) -> Result<Option<Arc<Moments>>, NotFollowed> {
        let kept = self.kept().clone();
        if let Some(kept) = kept.filter(|kept| kept.lang == lang && kept.has_about(line, told)) {
            return Ok(Some(kept));
        }
        let read = self.read(told, move |record| moments(record, line, lang)).await?.map(Arc::new);
        self.kept().clone_from(&read);
        Ok(read)
    }

    fn durable(&self) -> Result<watch::Receiver<Durable>, NotFollowed> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(NotFollowed::Starting)
    }

    /// Follows it from a line on; from its end where none is named.
    pub(crate) async fn follow(&self, after: Option<LineMark>) -> Result<Follower, NotFollowed> {
        let durable = self.durable()?;
        let tail = Tail::new(self.record.clone(), durable);
        let players = self.players()?;
        let (from, record, silent) = (tail.clone(), self.record.clone(), self.silent.clone());
        let find = move || {
            let reached = match after {
                None => from.end()?,
                Some(mark) => from.after(&mark).or_else(|why| match day_before(&record) {
                    // who had all of the day that was closed goes on with the next one
                    Some(day) if mark.is_last_of(&day) => Ok(Reached::default()),
                    _ => Err(NotFollowed::from(why)),
                })?,
            };
            let began = || Some(Anchor { t: 0, unix_ms: beginning(&record).ok()?.0 });
            let anchor = from.anchor(reached).map_err(NotThere::from)?.or_else(began);
            Ok((reached, hidden(&from, reached, &silent)?, anchor))
        };
        let (reached, hidden, anchor) = in_turn(&self.turn, find).await?;
        Ok(Follower { tail, reached, hidden, anchor, players, feed: self.clone() })
    }

    /// Reads it as far as it is on the disk: to a line, where that comes there soon.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        line: LineNo,
        read: impl FnOnce(&Record) -> Result<T, NotRead> + Send + 'static,
    ) -> Result<T, NotFollowed> {
        let mut durable = self.durable()?;
        // a disk that hangs keeps nobody from what is on it
        let _ = timeout(SOON, durable.wait_for(|durable| durable.line >= line)).await;
        let bytes = durable.borrow().bytes;
        let record = Record::as_far(&self.record, bytes).in_house(self.house.clone());
        let record = record.without(self.silent.clone());
        in_turn(&self.turn_of_pages, move || Ok(read(&record)?)).await
    }

    /// The lines of a pass whose card's picture is kept beside it.
    pub(crate) async fn pictured(&self, pass: u64) -> Vec<LineNo> {
        self.of_day(move |folder| card_pictures::lines(folder, pass)).await.unwrap_or_default()
    }

    /// The picture of a card of a pass; nothing where none is kept.
    pub(crate) async fn picture(&self, pass: u64, line: LineNo) -> Option<Vec<u8>> {
        self.of_day(move |folder| card_pictures::picture(folder, pass, line)).await
    }

    async fn of_day<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Path) -> std::io::Result<T> + Send + 'static,
    ) -> Option<T> {
        let record = self.record.clone();
        let read = move || Ok(beginning(&record).and_then(|(began, _)| read(&pictures_of(&record, began))).ok());
        in_turn(&self.turn_of_pages, read).await.ok().flatten()
    }

    /// What a witness is offered who has seen so many of its lines; none where nothing is signed.
    pub(crate) async fn offer(&self, seen: LineNo) -> Result<Option<Offer>, NotFollowed> {
        self.durable()?;
        let record = self.record.clone();
        in_turn(&self.turn, move || Ok(Offer::of(&record, seen).map_err(NotThere::File)?)).await
    }

    /// What names its players to programs.
    pub(crate) fn players(&self) -> Result<Players, NotFollowed> {
        let mut known = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        let for_now = match &*known {
            Some((players, true)) => return Ok(players.clone()),
            Some((players, false)) => Some(players),
            None => None,
        };
        let file = PathBuf::from(format!("{}.players", self.record.display()));
        let found = Players::by(&file, for_now).map_err(|why| NotFollowed::Players { file, why })?;
        Ok(known.insert(found).0.clone())
    }
}

impl Follower {
    /// The next lines on disk, where there are more.
    pub(crate) async fn next(&mut self) -> Result<Vec<Retold>, NotFollowed> {
        if !self.tail.has_more(self.reached) {
            return Ok(Vec::new());
        }
        let (tail, mut reached, players) = (self.tail.clone(), self.reached, self.players.clone());
        let (silent, mut hidden) = (self.feed.silent.clone(), self.hidden.clone());
        let (house, mut anchor) = (self.feed.house.clone(), self.anchor);
        let read = move || {
            let told = tail.next(&mut reached).map_err(NotThere::from)?;
            let retold = told.iter().map(|told| retold(told, &players, (&silent, &mut hidden), (&house, &mut anchor)));
            let retold: Result<Vec<_>, _> = retold.collect();
            Ok((reached, retold?, hidden, anchor))
        };
        let retold;
        (self.reached, retold, self.hidden, self.anchor) = in_turn(&self.feed.turn, read).await?;
        Ok(retold)
    }

    /// Returns when there is more to read; `false` where there never will be.
    pub(crate) async fn grown(&mut self) -> bool {
        if self.tail.grown(self.reached).await {
            return true;
        }
        // the day was closed: the next one goes on from its last line
        let Ok(durable) = self.feed.durable() else { return false };
        let (is_same, mut next) = (self.tail.is_of(&durable), Tail::new(self.feed.record.clone(), durable));
        if is_same || !next.grown(Reached::default()).await {
            return false;
        }
        let record = self.feed.record.clone();
        let before = in_turn(&self.feed.turn, move || Ok(day_before(&record))).await.ok().flatten();
        let goes_on = before.is_some_and(|day| (day.lines, day.chain) == (self.reached.line, self.reached.chain));
        if goes_on {
            (self.tail, self.reached, self.hidden) = (next, Reached::default(), Vec::new());
        }
        goes_on
    }
}

/// Reads, when it is its turn, without holding up anybody else.
async fn in_turn<T: Send + 'static>(
    turn: &Semaphore,
    read: impl FnOnce() -> Result<T, NotFollowed> + Send + 'static,
) -> Result<T, NotFollowed> {
    // the semaphore is never closed
    let _turn = turn.acquire().await;
    let done = tokio::task::spawn_blocking(read).await;
    done.unwrap_or_else(|failed| Err(NotThere::File(std::io::Error::other(failed)).into()))
}

/// A line as programs are told it.
#[derive(Debug, Serialize)]
struct Line<'a, T> {
    line: LineNo,
    /// When, as the clocks of the house show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    event: T,
    #[serde(flatten)]
    added: &'a Added,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    opens: &'a [Opened],
}

/// A card that lay covered and does no more.
#[derive(Debug, Serialize)]
struct Opened {
    line: LineNo,
    card: Card,
}

/// What the record adds to an event, as far as programs are told it.
#[derive(Debug, Serialize, Deserialize)]
struct Added {
    #[serde(skip_serializing_if = "Option::is_none")]
    began: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paired: Option<Origin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen_within: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entered: Option<Name>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<Value>,
    #[serde(default, skip_serializing)]
    seal: Seal,
}

/// The seals of a line: what it opens, and nothing by which one could know more.
#[derive(Debug, Default, Deserialize)]
struct Seal {
    #[serde(default)]
    opens: Vec<(LineNo, Card, IgnoredAny)>,
}

/// Findings of a record, as far as it was read, of which nothing is told.
fn hidden(tail: &Tail, reached: Reached, silent: &Silent) -> Result<Vec<u64>, NotFollowed> {
    let (mut read, mut hidden) = (Reached::default(), Vec::new());
    while !silent.is_empty() && read.line < reached.line {
        for told in tail.next(&mut read).map_err(NotThere::from)? {
            let mut added: Added = serde_json::from_slice(&told.text).map_err(|_| NotFollowed::Line(told.mark.line))?;
            if told.mark.line <= reached.line {
                silent.of_recorded(&mut added.answers, &mut hidden);
            }
        }
    }
    Ok(hidden)
}

/// A line of the record without what nobody may learn from it.
fn retold(
    told: &Told,
    players: &Players,
    silent: (&Silent, &mut Vec<u64>),
    clock: (&HouseTime, &mut Option<Anchor>),
) -> Result<Retold, NotFollowed> {
    let (line, text) = (told.mark.line, told.text.as_slice());
    let json = rewritten(line, text, players, silent, clock).ok_or(NotFollowed::Line(line))?;
    Ok(Retold { id: told.mark.to_string(), json })
}

fn rewritten(
    number: LineNo,
    text: &[u8],
    players: &Players,
    (silent, hidden): (&Silent, &mut Vec<u64>),
    (house, anchor): (&HouseTime, &mut Option<Anchor>),
) -> Option<String> {
    let mut added: Added = serde_json::from_slice(text).ok()?;
    silent.of_recorded(&mut added.answers, hidden);
    added.answers.iter_mut().for_each(|answer| players.hide_in_answer(answer));
    let opens: Vec<Opened> = added.seal.opens.drain(..).map(|(line, card, _)| Opened { line, card }).collect();
    let (added, opens) = (&added, opens.as_slice());
    if let Some(unix_ms) = added.began {
        *anchor = Some(Anchor { t: 0, unix_ms });
        let (header, at) = (line::header(text).ok()?, Some(house.second(unix_ms)));
        return serde_json::to_string(&Line { line: number, at, event: FirstLine::of(&header), added, opens }).ok();
    }
    let mut event = line::event(text).ok()?;
    *anchor = added.t.and_then(|t| Anchor::told(&event, t)).or(*anchor);
    let at = anchor.zip(added.t).map(|(anchor, t)| house.second(anchor.wall_at(t)));
    silenced(silent, &mut event, |n| hidden.contains(&n));
    players.hide_in_event(&mut event);
    if let Event::Request { t, .. } = &mut event {
        // it is that of its line
        *t = None;
    }
    serde_json::to_string(&Line { line: number, at, event, added, opens }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line as programs are told it.
    fn told(text: &str) -> Value {
        let folder = tempfile::tempdir().unwrap();
        let players = Players::by(&folder.path().join("record.players"), None).unwrap().0;
        let clock = (&HouseTime::default(), &mut Some(Anchor { t: 5, unix_ms: 1_000 }));
        let json = rewritten(19, text.as_bytes(), &players, (&Silent::default(), &mut Vec::new()), clock).unwrap();
        assert!(!json.split('"').any(|part| part.len() == 64), "a hash or a key: {json}");
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn a_line_is_told_without_seals_and_keys_and_with_the_cards_that_it_opens() {
        let key = "c6".repeat(32);
        let sealed = told(&format!(
            r#"{{"ev":"draw","card":"??","to":"bank","face":"down","t":7,"origin":["SH-1",1,9],"seen":-3,"seen_within":2,"seal":{{"card":"{key}","to":[["auditor","{key}"]]}},"chain":"{key}"}}"#
        ));
        let wanted = r#"{"line":19,"at":"1970-01-01T00:00:01Z","event":{"ev":"draw","card":"??","to":"bank","face":"down"},"t":7,"origin":["SH-1",1,9],"seen":-3,"seen_within":2}"#;
        assert_eq!(sealed, serde_json::from_str::<Value>(wanted).unwrap());
        let opened = told(&format!(
            r#"{{"ev":"end","t":7,"seal":{{"opens":[[12,"8D","{key}"]],"keys":["{key}"],"later":1}},"later":2,"chain":"{key}"}}"#
        ));
        let wanted =
            r#"{"line":19,"at":"1970-01-01T00:00:01Z","event":{"ev":"end"},"t":7,"opens":[{"line":12,"card":"8D"}]}"#;
        assert_eq!(opened, serde_json::from_str::<Value>(wanted).unwrap());
    }

    #[test]
    fn neither_an_event_nor_an_answer_names_a_player() {
        let told = told(
            r#"{"ev":"request","box":"2","player":"P77","t":7,"answers":[{"out":"finding","n":1,"player":"P77","text":"x"}],"chain":""}"#,
        );
        assert!(!told.to_string().contains("P77"), "{told}");
        let player = &told["event"]["player"];
        assert!(player.as_str().is_some_and(|name| name.starts_with("p-")), "{told}");
        assert_eq!(player, &told["answers"][0]["player"], "it is the same one");
        assert!(told["event"]["t"].is_null(), "{told}");
    }

    #[test]
    fn a_line_tells_the_time_of_day_by_what_the_station_told_of_its_clock_last() {
        let players = Players::by(&tempfile::tempdir().unwrap().path().join("record.players"), None).unwrap().0;
        let (house, mut anchor) = ("Europe/Madrid".parse().unwrap(), None);
        let mut at = |text: &str| {
            let silent = (&Silent::default(), &mut Vec::new());
            let json = rewritten(19, text.as_bytes(), &players, silent, (&house, &mut anchor)).unwrap();
            serde_json::from_str::<Value>(&json).unwrap()["at"].clone()
        };
        assert_eq!(at(r#"{"ev":"end","t":1000,"chain":""}"#), Value::Null, "nothing tells it");
        let of_the_wall = r#"{"ev":"device","device":"station","status":"clock","detail":"at 2026-11-24T22:41:07.500Z synchronised","t":2000,"chain":""}"#;
        assert_eq!(at(of_the_wall), "2026-11-24T23:41:07+01:00");
        assert_eq!(at(r#"{"ev":"end","t":4499,"chain":""}"#), "2026-11-24T23:41:09+01:00");
        assert_eq!(at(r#"{"ev":"end","t":4500,"chain":""}"#), "2026-11-24T23:41:10+01:00");
    }

    #[test]
    fn the_first_line_tells_of_the_table() {
        let told = told(
            r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":7,"limits":{"min":100,"max":1000},"began":5,"chain":""}"#,
        );
        assert_eq!((&told["event"]["table"], &told["began"]), (&"T".into(), &5.into()), "{told}");
    }
}
