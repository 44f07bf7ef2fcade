//! What those who watch many tables are told of one: `/api/v1/verdict`, and `/api/v1/verdicts` as it changes.
//!
//! Later programs may add fields. None is taken away under `v1`, and none changes its meaning.

use std::sync::Arc;

use axum::response::sse::Event;
use sabot_law::table::due::{Progress, Who, attention};
use sabot_law::table::felt::Words;
use sabot_law::table::{LineNo, Name, Phase, Severity, words};
use sabot_web::live::NotSent;
use serde::{Deserialize, Serialize};

use crate::snapshot::{Attention, Face, FindingState, FindingView, Snapshot, Unseen};
use crate::verdict::weight;

/// A table in brief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brief {
    /// Name of the table.
    pub table: Name,
    /// The time zone of its house, by its name; none where an older program does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<Name>,
    /// Identifier of its regulation.
    pub regulation: Name,
    /// Line of the record after which it was so.
    pub line: LineNo,
    /// Number of the pass.
    pub pass: u64,
    /// Part of the pass.
    pub phase: Phase,
    /// The verdict.
    pub face: Face,
    /// The verdict in a sentence, with what it covers.
    pub says: Words,
    /// Since when it has this face, universal time; none where an older program does not say.
    #[serde(default)]
    pub since: Option<String>,
    /// Dealing has to stop.
    pub stop: bool,
    /// What is not seen or not recorded, what stops the dealing first.
    pub unseen: Vec<Unseen>,
    /// What is due next.
    pub due: Option<Words>,
    /// How many findings are open.
    pub open: usize,
    /// The finding that wants attention first.
    pub alarm: Option<Alarm>,
}

/// What a station tells of its table on the floor: once more at least each second, and at once when it changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveVerdict {
    /// Where people reach its page; none where its configuration does not say.
    #[serde(default)]
    pub page: Option<String>,
    /// How it stands.
    pub verdict: Brief,
}

/// A finding that wants attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// Its number.
    pub finding: u64,
    /// Its provision.
    pub provision: Name,
    /// How grave it is.
    pub severity: Severity,
    /// Where it stands.
    pub state: FindingState,
    /// Where on the felt; none where it is about the whole table.
    pub place: Option<Words>,
    /// What was found.
    pub text: Words,
    /// What is to be done next, where anything is.
    pub to_do: Option<ToDo>,
    /// Who sees to it, where somebody does.
    pub taken_by: Option<Name>,
}

/// A step of a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToDo {
    /// Who has to do it.
    pub who: Who,
    /// What.
    pub what: Words,
}

impl Brief {
    /// A table at one moment.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let Snapshot { verdict, felt, .. } = snapshot;
        Self {
            table: Name::new(&snapshot.table),
            time_zone: Some(Name::new(snapshot.house.name())),
            regulation: Name::new(&snapshot.regulation),
            line: snapshot.line,
            pass: felt.pass,
            phase: felt.phase,
            face: verdict.face,
            says: verdict.sentence(),
            since: verdict.since.clone(),
            stop: verdict.stop(),
            unseen: verdict.unseen.clone(),
            due: felt.due.first().cloned(),
            open: snapshot.findings.iter().filter(|view| view.state == FindingState::Open).count(),
            alarm: first(snapshot).map(|view| Alarm::of(view, snapshot)),
        }
    }
}

/// The open finding that wants attention first; where none is open, of those for which the verdict is what it is.
pub(super) fn first(snapshot: &Snapshot) -> Option<&FindingView> {
    let open = snapshot.findings.iter().filter(|view| view.state == FindingState::Open);
    let is_left = |view: &&FindingView| {
        let is_closed = matches!(view.attention, Attention::Closed { .. });
        let is_past = matches!(view.state, FindingState::Noted | FindingState::Breach);
        is_past && !is_closed && Some(weight(view)) == snapshot.verdict.severity
    };
    let order = |view: &&FindingView| attention(view.finding.severity, view.finding.n);
    open.min_by_key(order).or_else(|| snapshot.findings.iter().filter(is_left).min_by_key(order))
}

impl Alarm {
    fn of(view: &FindingView, snapshot: &Snapshot) -> Self {
        let finding = &view.finding;
        let remedies = snapshot.felt.remedies.iter().filter(|open| open.finding == finding.n);
        let step = remedies.flat_map(|open| &open.steps).find(|step| step.progress == Progress::Open);
        Self {
            finding: finding.n,
            provision: Name::new_static(finding.provision),
            severity: finding.severity,
            state: view.state,
            place: finding.place.map(words::place),
            text: Words { es: view.es.clone(), en: view.en.clone() },
            to_do: step.map(|step| ToDo { who: step.who, what: words::remedy(&step.remedy) }),
            taken_by: match &view.attention {
                Attention::Taken { by } => Some(by.clone()),
                Attention::New | Attention::Closed { .. } => None,
            },
        }
    }
}

/// The briefs of a table, each that differs from the one before.
pub(super) fn briefs() -> impl FnMut(&Arc<Snapshot>) -> Result<Option<Event>, NotSent> {
    let mut told: Option<Brief> = None;
    move |snapshot| {
        let brief = Brief::of(snapshot);
        if told.as_ref() == Some(&brief) {
            return Ok(None);
        }
        let event = Event::default().event("verdict").data(serde_json::to_string(&brief)?);
        told = Some(brief);
        Ok(Some(event))
    }
}
