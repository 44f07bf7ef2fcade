//! The one task that owns a table: reports of the links in; alerts to the display, lines to the record, snapshots out.
//!
//! The order matters. What an observation means is decided first, the display is told at once, then the line goes to
//! the record's thread; the device is told to forget the observation only once that line is on disk.

mod clock;
mod merging;
mod next_day;
mod pad;
mod reports;
mod shown;
mod sign;
mod waits;

use std::sync::Arc;
use std::time::Duration;

use sabot_drivers::signal::SignalContent;
use sabot_drivers::{LineState, Link, LinkReport, Saw, Seen};
use sabot_wire::host::Missed;
use sabot_wire::message::{Role, Show};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::about::{self, About};
use super::acts::{self, Act, Answer as Answered, Asked, Refused, Signed, Taking};
use super::backlog::Backlog;
use super::card_pictures::CardPictures;
use super::config::{Config, DeviceConfig};
use super::days::Day;
use super::device_warnings;
use super::device_witness::Witnessing;
use super::entered::{LastEntry, Told};
use super::house_time::HouseTime;
use super::links::HouseTags;
use super::live_table::{Judged, LiveTable};
use super::observe::{Observer, Table};
use super::pit_display::PitDisplay;
use super::presence::{LastSeen, Presence};
use super::reload::Reload;
use super::second::Seconds;
use super::signals::{Alarm, Signals};
use super::snapshot::{DeviceView, Face, FindingView, Snapshot, TableFigures, Untold, Verdict};
use super::sourced_event::{EventSource, SourcedEvent};
use super::unwritten::{Awaited, Unwritten};
use super::verdict::Facts;
pub(super) use clock::Clock;
use next_day::Kept;
use sabot_journal::clock::{CLOCK, STOP};
use sabot_journal::{Durable, Journal, Origin, Record, RecordFault, SeenAt};
use sabot_law::table::felt::Words;
use sabot_law::table::offer::Offer;
use sabot_law::table::{Event, Felt, LineNo, Name, Severity};
use sabot_words::Times;

use shown::Shown;
use sign::Trying;
use waits::{at, next, received};

/// How often what the links count is looked at.
const COUNT_EVERY: Duration = Duration::from_secs(1);
/// How often the record is told what the clock on the wall shows.
const CLOCK_EVERY: Duration = Duration::from_mins(1);
/// How long the record is waited for at the end. What it has not got by then, its devices still hold.
const CLOSE_WAIT: Duration = Duration::from_secs(5);

/// What the task asks of the links.
pub(super) trait Links {
    /// Every event of the device up to and with this one is on disk.
    fn ack(&self, role: Role, epoch: u32, seq: u32);
    /// For the pit display.
    fn show(&self, show: Show);
    /// For the signals.
    fn signal(&self, picture: &SignalContent);
    /// How the signals are.
    fn signals(&self) -> Vec<DeviceView>;
    /// Registries and signals have changed.
    fn renew(&mut self, reload: &Reload);
    /// What a link has found out.
    fn line(&self, role: Role) -> Option<LineState>;
}

/// The links and signals as they are spawned.
pub(super) struct SpawnedLinks {
    pub(super) links: Vec<(Role, Link)>,
    pub(super) tags: HouseTags,
    pub(super) signals: Signals,
    pub(super) shutdown: watch::Receiver<bool>,
}

impl SpawnedLinks {
    fn of(&self, role: Role) -> Option<&Link> {
        self.links.iter().find(|(of, _)| *of == role).map(|(_, link)| link)
    }
}

impl Links for SpawnedLinks {
    fn ack(&self, role: Role, epoch: u32, seq: u32) {
        if let Some(link) = self.of(role) {
            link.ack(epoch, seq);
        }
    }

    fn show(&self, show: Show) {
        if let Some(link) = self.of(Role::Display) {
            link.show(show);
        }
    }

    fn signal(&self, picture: &SignalContent) {
        self.signals.show(picture);
    }

    fn signals(&self) -> Vec<DeviceView> {
        self.signals.views()
    }

    fn renew(&mut self, reload: &Reload) {
        self.tags.renew(&reload.registries);
        self.signals.renew(&reload.signals, &self.shutdown);
    }

    fn line(&self, role: Role) -> Option<LineState> {
        self.of(role).map(Link::line)
    }
}

/// The task that owns a table.
pub(super) struct TableTask<L> {
    links: L,
    table: LiveTable,
    observer: Observer,
    journal: Journal,
    presence: Presence,
    /// After a start, until what devices kept has been told.
    backlog: Option<Backlog>,
    display: PitDisplay,
    alarm: Alarm,
    /// The signals as they were last told to everybody.
    signals: Vec<DeviceView>,
    clock: Clock,
    /// What its record is told of the station itself.
    about: Option<About>,
    /// What people do on a screen.
    acts: Option<Taking>,
    /// Which acts a second person has to sign.
    seconds: Seconds,
    /// Where people are known: their PINs, as they are entered on the keypad.
    trying: Option<Trying>,
    /// What was kept of the record for the next start: the hash, and how many lines.
    kept: Kept,
    /// Where the record is signed: what the devices keep of it.
    witnessing: Option<Witnessing>,
    /// Where gaming days are closed.
    day: Option<Day>,
    /// When the record was begun, by the clock, where the station has closed a day; else 0.
    began_at: u64,
    /// Whose clocks people read.
    house: HouseTime,
    /// Lines whose covered card the record no longer opens.
    lost: Vec<LineNo>,
    /// Lines of the record that nothing had signed at the start.
    unsigned: Option<(LineNo, LineNo)>,
    /// What devices tell, and nobody enters.
    told: Told,
    last_entry: Option<LastEntry>,
    /// When what is offered last changed.
    offered_at: u64,
    unwritten: Unwritten,
    pictures: CardPictures,
    /// From when a device saw what raised a finding to when the displays were told.
    alerts: Times,
    snapshots: watch::Sender<Arc<Snapshot>>,
    /// What the record was told of the verdict.
    shown: Shown,
}

impl<L: Links> TableTask<L> {
    pub(super) fn new(
        config: &Config,
        table: LiveTable,
        observer: Observer,
        (journal, clock): (Journal, Clock),
        links: L,
        snapshots: watch::Sender<Arc<Snapshot>>,
    ) -> Self {
        Self {
            links,
            table,
            observer,
            unwritten: Unwritten::of(&journal),
            journal,
            presence: Presence::new(&config.devices),
            backlog: None,
            display: PitDisplay::new(config.lang),
            alarm: Alarm::default(),
            signals: Vec::new(),
            clock,
            about: None,
            acts: None,
            seconds: config.second_person.clone(),
            trying: None,
            kept: None,
            witnessing: None,
            day: None,
            began_at: 0,
            house: config.house.clone(),
            lost: Vec::new(),
            unsigned: None,
            told: Told::by(config),
            last_entry: None,
            offered_at: 0,
            pictures: CardPictures::default(),
            alerts: Times::default(),
            snapshots,
            shown: Shown::new(),
        }
    }

    /// Has the record told of the station itself: at its start, each minute and at its end.
    pub(super) fn telling_of(self, about: About) -> Self {
        Self { about: Some(about), ..self }
    }

    /// Has the record told of what is kept for the next start.
    pub(super) fn telling_of_what_is_kept(self, kept: mpsc::UnboundedReceiver<(String, LineNo)>) -> Self {
        Self { kept: Some(kept), ..self }
    }

    /// Has the record told of covered cards on these lines that are not known any more.
    pub(super) fn having_lost(self, lost: Vec<LineNo>) -> Self {
        Self { lost, ..self }
    }

    /// Has the record told of lines that nothing had signed.
    pub(super) fn having_found(self, unsigned: Option<(LineNo, LineNo)>) -> Self {
        Self { unsigned, ..self }
    }

    /// Takes what people do on a screen.
    pub(super) fn taking(self, acts: Option<Taking>) -> Self {
        Self { acts, ..self }
    }

    /// Serves the table until it is told to stop, or every link is gone; then waits for the record. What it says last
    /// is how far the record is safe.
    pub(super) async fn run(
        mut self,
        mut reports: mpsc::Receiver<(Role, LinkReport)>,
        mut shutdown: watch::Receiver<bool>,
    ) -> Durable {
        let mut durable = self.journal.durable();
        let mut ended = false;
        let mut counting = tokio::time::interval(COUNT_EVERY);
        let mut minutes = tokio::time::interval_at(Instant::now() + CLOCK_EVERY, CLOCK_EVERY);
        let (mut acts, mut kept) = (self.acts.take(), self.kept.take());
        let mut tried = self.trying.as_mut().and_then(Trying::tried);
        let mut witnessed = self.witnessing.as_mut().and_then(Witnessing::told);
        self.signals = self.links.signals();
        self.refresh();
        self.say(About::start);
        self.say_lost();
        if let Some(lines) = self.unsigned.take() {
            self.say(|_| about::signed_late(lines));
        }
        loop {
            if let Some(next) = self.next_day() {
                ((durable, kept), ended) = (next, false);
            }
            self.say_verdict();
            let deadline = self.deadline().map(|ms| self.clock.at(ms));
            tokio::select! {
                report = reports.recv() => match report {
                    Some((role, report)) => self.report(role, report),
                    None => break,
                },
                changed = durable.changed(), if !ended => {
                    let mut now = durable.borrow_and_update().clone();
                    if changed.is_err() {
                        ended = true;
                        now.fault.get_or_insert(RecordFault::Ended);
                    }
                    self.durable(now);
                }
                () = at(self.unwritten.silent_at()) => self.hindered(Some(RecordFault::Silent)),
                () = at(deadline) => self.tick(),
                asked = received(&mut acts) => self.asked(asked),
                tried = next(&mut tried) => self.tried(tried),
                (hash, lines) = next(&mut kept) => self.say(|_| about::state_kept(&hash, lines)),
                told = next(&mut witnessed) => self.witness_told(told),
                _ = counting.tick() => self.count(),
                _ = minutes.tick() => {
                    self.say(|_| about::status(CLOCK));
                    self.shown.minute();
                }
                _ = shutdown.wait_for(|stop| *stop) => break,
            }
        }
        self.say(|_| about::status(STOP));
        self.close().await
    }

    /// The record is told of the station itself. What waits for its place on the felt goes on waiting.
    fn say(&mut self, what: impl FnOnce(&About) -> Event) {
        if let Some(event) = self.about.as_ref().map(what) {
            self.table.apply(SourcedEvent { event, source: None, paired: None, entered: None });
            self.tell();
        }
    }

    fn say_lost(&mut self) {
        if !self.lost.is_empty() {
            let lost = std::mem::take(&mut self.lost);
            let told = SourcedEvent { event: about::seals_lost(&lost), source: None, paired: None, entered: None };
            self.table.forget(told, lost);
            self.tell();
        }
    }

    /// A screen asks. Whoever has gone meanwhile is not told.
    fn asked(&mut self, asked: Asked) {
        match asked {
            Asked::Done(signed, answer) => drop(answer.send(self.act(signed))),
            Asked::Tried(signed, answer) => drop(answer.send(acts::tried(&self.table, &self.observer, signed))),
            Asked::Lines(answer) => drop(answer.send(self.table.pass_lines())),
            Asked::Reload(read, answer) => drop(answer.send(self.reload(read.map(|read| *read)))),
        }
    }

    /// What was changed in files counts from here on.
    fn reload(&mut self, read: Result<Reload, &'static str>) -> LineNo {
        match read {
            Ok(reload) => {
                self.say(|_| about::reloaded(Ok(&reload.words())));
                self.links.renew(&reload);
                self.observer.goes_by(reload.registries);
                self.signals = self.links.signals();
                self.refresh();
            }
            Err(what) => self.say(|_| about::reloaded(Err(what))),
        }
        self.journal.lines()
    }

    /// Somebody acts on a screen. What waits for its place on the felt happened before.
    fn act(&mut self, signed: Signed) -> Answered {
        self.tell_kept(false);
        let now = self.clock.now();
        self.observer.give_way(now, &mut self.table);
        self.tell();
        let entered = matches!(signed.act, Act::Enter { .. }).then(|| signed.by.clone());
        let offers = self.offers();
        let facts = acts::Facts { table: &self.table, offers: &offers, last_entry: self.last_entry.as_ref() };
        let seconded = self.seconds.signed(signed.act.weighty(), &signed.by, signed.second.as_ref())?;
        let events = acts::events(signed, &facts)?;
        let is_told = |event: &&Event| entered.is_some() || matches!(event, Event::Correct { .. });
        for event in events.iter().filter(is_told) {
            self.observer.may_be_told(event, &self.table).map_err(Refused::Said)?;
        }
        seconded.into_iter().for_each(|event| self.observer.person(event, None, now, &mut self.table));
        for event in events {
            self.observer.person(event, entered.clone(), now, &mut self.table);
        }
        self.alarm.acknowledged();
        self.tell();
        Ok(self.journal.lines())
    }

    /// What was told goes to the display, then to the record, then to everybody else.
    fn tell(&mut self) {
        if self.table.unrecorded.is_empty() {
            return;
        }
        let felt = self.table.felt();
        let news = self.table.news.take();
        self.show(&felt, news);
        let mut touched: Option<LastEntry> = None;
        // taken here alone: a line is never dated before the line above it
        let shown = self.clock.now();
        let t = shown.saturating_sub(self.began_at);
        for (told, judged) in self.table.unrecorded.drain(..) {
            self.presence.told(&told);
            let SourcedEvent { event, source, paired, entered } = told;
            let line = self.journal.lines() + 1;
            touched = match &entered {
                Some(by) => Some(LastEntry::of(touched, by, line, &event)),
                None => touched.filter(|_| LastEntry::outlasts(&event)),
            };
            self.last_entry = self.last_entry.take().filter(|_| LastEntry::outlasts(&event));
            let (origin, seen) = source.map(|EventSource { origin, seen }| (origin, seen)).unzip();
            self.pictures.told(line, (&event, origin.as_ref()), &judged);
            let Judged { raised, covering, answers, .. } = judged;
            let (tells, seen) = (origin.iter().chain(&paired), seen.flatten());
            if let (Some(SeenAt { at_ms, .. }), Some(_)) = (seen, raised) {
                // it may have been seen before the record was begun
                let since_ms = i64::try_from(shown).unwrap_or(i64::MAX).saturating_sub(at_ms);
                self.alerts.took(u64::try_from(since_ms).unwrap_or(0).saturating_mul(1000));
            }
            let seen = seen.map(|seen| seen.since(self.began_at));
            self.day.iter_mut().for_each(|day| day.told(&event, tells.clone()));
            let tells = tells.filter_map(|origin| Some((self.presence.role_of(&origin.0)?, origin)));
            self.unwritten.handed(line, tells);
            self.journal.append(Record { event, t, origin, paired, seen, covering, entered, answers });
        }
        self.last_entry = touched.or(self.last_entry.take());
        debug_assert_eq!(self.journal.lines(), self.table.lines, "the validator and the record count the same lines");
        self.publish(felt);
    }

    fn show(&mut self, felt: &Felt, news: Option<Severity>) {
        let verdict = self.verdict(felt);
        let (links, urgent) = (&self.links, self.urgent(&verdict));
        let picture = (felt, &self.table.findings, verdict.lamp());
        self.display.update(picture, news, &urgent, |show| links.show(show));
        news.into_iter().for_each(|severity| self.alarm.raised(severity));
        self.signal(felt);
    }

    fn signal(&mut self, felt: &Felt) {
        let verdict = self.verdict(felt);
        let texts = self.display.texts(felt, &self.table.findings, &self.urgent(&verdict));
        self.links.signal(&self.alarm.picture(verdict.level(), texts));
    }

    /// What page, displays, health and metrics show alike.
    fn verdict(&self, felt: &Felt) -> Verdict {
        Verdict::of(&Facts {
            felt,
            validator: &self.table.validator,
            findings: &self.table.findings,
            devices: &self.devices(),
            record: self.unwritten.hindrance(),
            refused: self.observer.refused().is_some(),
        })
    }

    /// Every device and signal, as the pit sees it.
    fn devices(&self) -> Vec<DeviceView> {
        self.presence.views().into_iter().chain(self.signals.iter().cloned()).collect()
    }

    /// What people at the table are to be told before anything else.
    fn urgent(&self, verdict: &Verdict) -> Vec<Words> {
        let stop = verdict.stop().then(device_warnings::stop_at_the_table);
        let away = device_warnings::unseen_at_the_table(&self.presence.away());
        let unwritten = self.unwritten.hindrance().map(|_| device_warnings::unwritten_at_the_table());
        let refused = self.observer.refused().map(device_warnings::refused_at_the_table);
        let told = stop.into_iter().chain(unwritten).chain(away).chain(self.presence.urgent());
        let correcting = self.observer.correcting().map(|correcting| correcting.at_the_table());
        told.chain(self.observer.asks_for_pin()).chain(refused).chain(correcting).collect()
    }

    /// Lines are on disk: their devices may forget them.
    fn durable(&mut self, now: Durable) {
        for Awaited { role, epoch, seq, .. } in self.unwritten.safe(now.line) {
            self.links.ack(role, epoch, seq);
        }
        self.pictures.durable(now.line);
        if self.hold_up() {
            self.refresh();
        }
        self.hindered(now.fault);
    }

    /// What keeps the record from growing is told at once, and written down when it is over.
    fn hindered(&mut self, fault: Option<RecordFault>) {
        let Some(before) = self.unwritten.hindered(fault) else { return };
        self.refresh();
        if let (Some(before), None) = (before, self.unwritten.hindrance()) {
            self.say(|_| about::was_hindered(&before.fault, &before.since));
        }
    }

    fn count(&mut self) {
        let mut news = false;
        for role in Role::ALL {
            if let Some(line) = self.links.line(role) {
                news |= self.presence.count(role, &line);
            }
        }
        if self.hold_up() {
            return self.refresh();
        }
        let signals = self.links.signals();
        news |= signals != self.signals;
        self.signals = signals;
        if news {
            return self.refresh();
        }
        let snapshot = self.snapshot(self.table.felt());
        if snapshot.verdict.face == Face::Blind {
            self.display.alternate(|show| self.links.show(show));
        }
        // what is only counted is there for who asks, and wakes nobody
        self.snapshots.send_if_modified(|shown| {
            *shown = snapshot;
            false
        });
    }

    fn refresh(&mut self) {
        let felt = self.table.felt();
        self.show(&felt, None);
        self.publish(felt);
    }

    /// What people may enter now.
    fn offers(&self) -> Vec<Offer> {
        self.told.offers(&self.table.validator, &self.table.untold(), self.observer.settled())
    }

    fn snapshot(&self, felt: Felt) -> Arc<Snapshot> {
        let header = self.table.validator.header();
        let findings = &self.table.findings;
        let in_order =
            |list: &mut dyn Iterator<Item = &FindingView>| self.table.seen(findings.in_order(list, felt.pass));
        Arc::new(Snapshot {
            table: header.table.to_string(),
            house: self.house.clone(),
            regulation: header.regulation.to_string(),
            line: self.journal.lines(),
            verdict: self.verdict(&felt).following(&self.snapshots.borrow().verdict, about::now_ms()),
            findings: in_order(&mut findings.list()),
            untold: Untold { findings: in_order(&mut findings.hidden()), remedies: self.table.untold_remedies() },
            felt,
            offers: self.offers(),
            last_entry: self.last_entry.clone(),
            devices: self.devices(),
            figures: TableFigures {
                written: self.unwritten.written(),
                unwritable: self.unwritten.hindrance().is_some(),
                alerts: self.alerts,
                syncs: self.journal.syncs(),
                ..self.table.findings.figures()
            },
        })
    }

    async fn close(mut self) -> Durable {
        let (journal, pictures) = (self.journal, self.pictures);
        let durable = journal.durable();
        let closing = tokio::task::spawn_blocking(move || {
            let end = journal.close();
            pictures.close(end.line);
            end
        });
        let end = match tokio::time::timeout(CLOSE_WAIT, closing).await {
            Ok(Ok(end)) => end,
            Ok(Err(_)) => durable.borrow().clone(),
            Err(_) => Durable { fault: Some(RecordFault::Silent), ..durable.borrow().clone() },
        };
        // who asks later is told how far the record came; it wakes nobody
        self.snapshots.send_if_modified(|shown| {
            Arc::make_mut(shown).figures.written = end.line;
            false
        });
        for Awaited { role, epoch, seq, .. } in self.unwritten.safe(end.line) {
            self.links.ack(role, epoch, seq);
        }
        end
    }
}

#[cfg(test)]
#[path = "table_task_tests.rs"]
pub(super) mod tests;

#[cfg(test)]
#[path = "table_task_device_tests.rs"]
mod through_the_devices;

#[cfg(test)]
#[path = "table_task_secrets_tests.rs"]
mod a_covered_card;

#[cfg(test)]
#[path = "table_task_blind_tests.rs"]
mod a_table_that_is_blind;
