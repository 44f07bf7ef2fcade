//! What people do on a screen: they enter what happens, take a finding, close it, rule on it, authorise, report. Each
//! act is signed by somebody whose role the regulation names, and stands in the record with his name.

use sabot_law::table::event::{Permit, Ruling, may_permit};
use sabot_law::table::offer::Offer;
use sabot_law::table::{Event, LineNo, Name, Place};
use smol_str::format_smolstr;
use tokio::sync::{mpsc, oneshot};

pub use super::refused::Refused;

use super::amend::{Amendment, PassLine, Preview};
use super::book::Book;
use super::entered::{LastEntry, may_be_entered, of_dealer};
use super::findings::{CLOSED, TAKEN};
use super::history::service::Service;
use super::live_table::LiveTable;
use super::observe::Observer;
use super::reload::Reload;
use super::second::Weighty;
use super::snapshot::{Attention, FindingState};
use super::sourced_event::of_station;
use super::staff::{Office, Person};
use super::table::Table;

/// Somebody has signed in, as the record says it.
const SIGNED_IN: &str = "signed_in";
/// Somebody has signed out, as the record says it.
const SIGNED_OUT: &str = "signed_out";
/// Wrong PINs have locked a name, as the record says it.
const LOCKED_OUT: &str = "locked_out";
/// Most characters of a note.
const NOTE_CHARS: usize = 200;
/// Who sees to findings.
const SEES_TO: [Office; 4] = [Office::Inspector, Office::TableChief, Office::Room, Office::Surveillance];

/// Who enters what happens at the table.
const ENTERS: [Office; 4] = [Office::Dealer, Office::Inspector, Office::TableChief, Office::Room];

/// What somebody does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// He sees to a finding.
    Take {
        /// Its number.
        finding: u64,
    },
    /// Nothing is left to be done about a finding.
    Close {
        /// Its number.
        finding: u64,
        /// What became of it.
        note: String,
    },
    /// He decides a finding.
    Rule {
        /// Its number.
        finding: u64,
        /// What he decides.
        decision: Ruling,
    },
    /// He authorises.
    Authorize {
        /// What.
        what: Permit,
    },
    /// He enters what happens at the table.
    Enter {
        /// What.
        events: Vec<Event>,
        /// By a touch of what is offered now; else by a form.
        is_offered: bool,
    },
    /// He takes back what was entered last.
    TakeBack,
    /// He says what the record should have said.
    Correct(Amendment),
    /// He says who serves the table from now on.
    Serve(Service),
    /// He enters something into the table's book.
    Book {
        /// What.
        entry: Book,
        /// About which device; mostly empty.
        about: String,
        /// What he says of it.
        note: String,
    },
    /// He signs in.
    SignIn,
    /// He signs out.
    SignOut,
    /// Wrong PINs have locked a name.
    LockedOut,
    /// He reports what no sensor sees.
    Report {
        /// Under which article, where one is named.
        provision: Option<Name>,
        /// Where.
        place: Option<Place>,
        /// What.
        note: String,
    },
}

impl Act {
    /// What a second person may have to sign.
    pub(super) const fn weighty(&self) -> Option<Weighty> {
        match self {
            Self::Authorize { .. } => Some(Weighty::Authorize),
            Self::Rule { .. } => Some(Weighty::Rule),
            Self::Correct(_) => Some(Weighty::Correct),
            Self::Report { .. } => Some(Weighty::Report),
            Self::Close { .. } => Some(Weighty::Close),
            Self::Book { entry, .. } => entry.weighty(),
            _ => None,
        }
    }
}

/// An act, signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// By whom, as the record calls him.
    pub by: Name,
    /// What he is.
    pub offices: Vec<Office>,
    /// What he does.
    pub act: Act,
    /// Who has signed beside him.
    pub second: Option<Person>,
}

/// What one who acts is told: the line of the record, or why nothing was done.
pub type Answer = Result<LineNo, Refused>;

/// What a screen asks of the table, and where it is answered.
#[derive(Debug)]
pub enum Asked {
    /// That an act be done.
    Done(Signed, oneshot::Sender<Answer>),
    /// What a correction would change.
    Tried(Signed, oneshot::Sender<Result<Preview, Refused>>),
    /// Which lines may be corrected.
    Lines(oneshot::Sender<Vec<PassLine>>),
    /// That what was changed in files counts from now on, or that the record be told which cannot be used.
    Reload(Result<Box<Reload>, &'static str>, oneshot::Sender<LineNo>),
}

/// Hands acts to the table.
#[derive(Debug, Clone)]
pub struct Acts(mpsc::Sender<Asked>);

/// Where the table takes them.
pub type Taking = mpsc::Receiver<Asked>;

impl Acts {
    /// Both ends.
    #[must_use]
    pub fn channel() -> (Self, Taking) {
        let (acts, taking) = mpsc::channel(16);
        (Self(acts), taking)
    }

    /// Hands over an act, and waits until the table has taken or refused it.
    ///
    /// # Errors
    /// Why nothing was done.
    pub async fn done(&self, signed: Signed) -> Answer {
        self.ask(|answer| Asked::Done(signed, answer)).await?
    }

    /// What a correction would change, without doing it.
    ///
    /// # Errors
    /// Why it would not be done, or is told nobody.
    pub async fn tried(&self, signed: Signed) -> Result<Preview, Refused> {
        self.ask(|answer| Asked::Tried(signed, answer)).await?
    }

    /// The lines that may still be corrected.
    ///
    /// # Errors
    /// When the station has stopped.
    pub async fn lines(&self) -> Result<Vec<PassLine>, Refused> {
        self.ask(Asked::Lines).await
    }

    /// Has what was changed in files count from now on, or the record told which cannot be used; the line of that.
    ///
    /// # Errors
    /// When the station has stopped.
    pub async fn reload(&self, read: Result<Reload, &'static str>) -> Result<LineNo, Refused> {
        self.ask(|answer| Asked::Reload(read.map(Box::new), answer)).await
    }

    async fn ask<T>(&self, asked: impl FnOnce(oneshot::Sender<T>) -> Asked) -> Result<T, Refused> {
        let (answer, answered) = oneshot::channel();
        self.0.send(asked(answer)).await.map_err(|_| Refused::Stopped)?;
        answered.await.map_err(|_| Refused::Stopped)
    }
}

/// What an act is held against.
pub(super) struct Facts<'a> {
    pub(super) table: &'a LiveTable,
    /// What may be entered now.
    pub(super) offers: &'a [Offer],
    pub(super) last_entry: Option<&'a LastEntry>,
}

/// Which of somebody's offices may do something.
fn office_of(offices: &[Office], may: impl Fn(Office) -> bool) -> Result<Office, Refused> {
    let refused = || {
        let all = Office::ALL.iter().copied().filter(|office| may(*office));
        Refused::NotHis(all.map(|office| office.word().to_owned()).collect())
    };
    offices.iter().copied().find(|office| may(*office)).ok_or_else(refused)
}

/// What the record is told of an act, where it may be done.
pub(super) fn events(signed: Signed, facts: &Facts<'_>) -> Result<Vec<Event>, Refused> {
    match signed.act {
        Act::Enter { events, is_offered } => {
            office_of(&signed.offices, |office| ENTERS.contains(&office))?;
            if events.is_empty() || !events.iter().all(|event| may_be_entered(event.kind())) {
                return Err(Refused::NoEntry);
            }
            if events.iter().any(|event| uncovers_early(event, facts)) {
                office_of(&signed.offices, |office| ENTERS.contains(&office) && office != Office::Dealer)?;
            }
            let is_there = || of_dealer(facts.offers).any(|offer| offer.events == events);
            if is_offered && !is_there() { Err(Refused::NotOffered) } else { Ok(events) }
        }
        Act::TakeBack => take_back(&signed.by, &signed.offices, facts),
        _ => event(signed, facts).map(|event| vec![event]),
    }
}

/// Whether an event would tell everybody a card that lies covered before play has come to that: the record opens its
/// seal with it, whatever lies on the felt. Where devices see cards turned up, that is never offered.
fn uncovers_early(event: &Event, facts: &Facts<'_>) -> bool {
    let is_covered = match event {
        Event::Reveal { at, card: None } => facts.table.is_covered(Some(*at)),
        Event::End {} => facts.table.is_covered(None),
        _ => false,
    };
    is_covered && !facts.offers.iter().any(|offer| offer.is_due && offer.events.last() == Some(event))
}

/// What a correction would change, where it may be done.
pub(super) fn tried(table: &LiveTable, observer: &Observer, signed: Signed) -> Result<Preview, Refused> {
    match events(signed, &Facts { table, offers: &[], last_entry: None })?.as_slice() {
        [correction @ Event::Correct { .. }] => {
            observer.may_be_told(correction, table).map_err(Refused::Said)?;
            table.preview(correction)
        }
        _ => Err(Refused::NoEntry),
    }
}

/// The lines of the last touch did not happen. A dealer takes back what he entered himself.
fn take_back(by: &Name, offices: &[Office], facts: &Facts<'_>) -> Result<Vec<Event>, Refused> {
    let may_correct = &facts.table.validator.settings().remedy.may_correct;
    let office = office_of(offices, |office| may_correct.has(office.word()))?;
    let last = facts.last_entry.ok_or(Refused::NothingLast)?;
    if office == Office::Dealer && last.by != *by {
        return Err(Refused::NotOwn);
    }
    let strike = |line: &LineNo| Event::Correct {
        by: by.clone(),
        role: office.word().into(),
        line: Some(*line),
        after: None,
        event: None,
    };
    Ok(last.lines.iter().rev().map(strike).collect())
}

fn event(signed: Signed, facts: &Facts<'_>) -> Result<Event, Refused> {
    let Signed { by, offices, act, .. } = signed;
    let LiveTable { findings, validator, .. } = facts.table;
    let open = |n: u64| {
        let may_know = findings.silent().is_told_to(&offices);
        let hidden = findings.hidden().filter(|_| may_know);
        let view = findings.list().chain(hidden).find(|view| view.finding.n == n).ok_or(Refused::NoFinding)?;
        if matches!(view.attention, Attention::Closed { .. }) { Err(Refused::IsClosed) } else { Ok(view) }
    };
    let noted = |note: String| {
        let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
        if note.is_empty() || note.chars().count() > NOTE_CHARS { Err(Refused::Note) } else { Ok(note) }
    };
    let allowed = |may: &dyn Fn(Office) -> bool| office_of(&offices, may);
    match act {
        Act::Take { finding } => {
            let office = allowed(&|office| SEES_TO.contains(&office))?;
            open(finding)?;
            Ok(of_station(TAKEN, &format_smolstr!("finding {finding} by {by} {office}")))
        }
        Act::Close { finding, note } => {
            let office = allowed(&|office| SEES_TO.contains(&office))?;
            if open(finding)?.state == FindingState::Open {
                return Err(Refused::IsDue);
            }
            Ok(of_station(CLOSED, &format_smolstr!("finding {finding} by {by} {office}: {}", noted(note)?)))
        }
        Act::Rule { finding, decision } => {
            let may_rule = &validator.settings().remedy.may_rule;
            let office = allowed(&|office| may_rule.has(office.word()))?;
            open(finding)?;
            let ruling = Event::Rule { by, role: office.word().into(), decision, finding: Some(finding) };
            facts.table.has_effect(&ruling).map(|()| ruling)
        }
        Act::Authorize { what } => {
            let office = allowed(&|office| authority(office).is_some_and(|role| may_permit(role, what)))?;
            let role = authority(office).ok_or(Refused::NoFinding)?;
            Ok(Event::Authorize { by, role, what })
        }
        Act::Correct(amendment) => {
            let may_correct = &validator.settings().remedy.may_correct;
            let office = allowed(&|office| office != Office::Dealer && may_correct.has(office.word()))?;
            facts.table.correction(by, office.word().into(), amendment)
        }
        Act::Enter { .. } | Act::TakeBack => Err(Refused::NoEntry),
        Act::Serve(service) => {
            let office = allowed(&|office| service.offices().contains(&office))?;
            Ok(of_station(service.word(), &format_smolstr!("{by} {office}")))
        }
        Act::Book { entry, about, note } => {
            let office = allowed(&|office| entry.offices().contains(&office))?;
            let about = if about.is_empty() { about } else { format!("{about}: ") };
            Ok(of_station(entry.word(), &format_smolstr!("{by} {office}: {about}{}", noted(note)?)))
        }
        Act::SignIn => Ok(of_station(SIGNED_IN, &signing(&by, &offices))),
        Act::SignOut => Ok(of_station(SIGNED_OUT, &signing(&by, &offices))),
        Act::LockedOut => Ok(of_station(LOCKED_OUT, "")),
        Act::Report { provision, place, note } => {
            let office = allowed(&|office| SEES_TO.contains(&office))?;
            if provision.as_ref().is_some_and(|id| validator.regulation().article(id).is_none()) {
                return Err(Refused::NoArticle);
            }
            Ok(Event::Report { by, role: office.word().into(), provision, place, note: noted(note)?.into() })
        }
    }
}

fn signing(by: &Name, offices: &[Office]) -> String {
    let offices: Vec<&str> = offices.iter().map(|office| office.word()).collect();
    format!("{by} {}", offices.join(","))
}

fn authority(office: Office) -> Option<sabot_law::table::event::Authority> {
    office.word().parse().ok()
}
