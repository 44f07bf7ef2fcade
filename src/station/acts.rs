//! What people do on a screen: they take a finding, close it, rule on it, authorise, report. Each act is signed by
//! somebody whose role the regulation names, and stands in the record with his name.

use sabot_journal::clock::{STATION, station_line};
use sabot_law::table::event::{Permit, Ruling, may_permit};
use sabot_law::table::felt::Words;
use sabot_law::table::{Event, LineNo, Name, Place};
use sabot_law::validator::Validator;
use smol_str::format_smolstr;
use tokio::sync::{mpsc, oneshot};

use super::findings::Findings;
use super::snapshot::{Attention, FindingState};
use super::staff::Office;

/// Somebody has taken a finding, as the record says it.
const TAKEN: &str = "taken";
/// Somebody has closed a finding, as the record says it.
const CLOSED: &str = "closed";
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

/// An act, signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// By whom, as the record calls him.
    pub by: Name,
    /// What he is.
    pub offices: Vec<Office>,
    /// What he does.
    pub act: Act,
}

/// Why nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// Others do that: those that are named.
    NotHis(Vec<String>),
    /// There is no such finding, or it is too old to be shown.
    NoFinding,
    /// Somebody has closed it.
    IsClosed,
    /// Its remedy is still due.
    IsDue,
    /// A note is missing, or too long.
    Note,
    /// The regulation has no such article.
    NoArticle,
    /// The station has stopped.
    Stopped,
}

impl Refused {
    /// In a sentence, with the way out.
    #[must_use]
    pub fn words(&self) -> Words {
        let words = |es: &str, en: &str| Words { es: es.to_owned(), en: en.to_owned() };
        match self {
            Self::NotHis(who) => Words {
                es: format!("Eso le toca a: {}.", who.join(", ")),
                en: format!("That is for: {}.", who.join(", ")),
            },
            Self::NoFinding => {
                words("Ese hallazgo no está o es demasiado viejo.", "No such finding, or it is too old.")
            }
            Self::IsClosed => words("Ese hallazgo ya está cerrado.", "That finding is closed already."),
            Self::IsDue => words(
                "Falta remediarlo: remediarlo, o que se resuelva, y después cerrarlo.",
                "Its remedy is still due: carry it out or have it ruled on, then close it.",
            ),
            Self::Note => words("Falta la nota, de hasta 200 letras.", "A note is needed, of up to 200 characters."),
            Self::NoArticle => words("El reglamento no tiene ese artículo.", "The regulation has no such article."),
            Self::Stopped => words("La estación se detuvo.", "The station has stopped."),
        }
    }
}

/// What one who acts is told: the line of the record, or why nothing was done.
pub type Answer = Result<LineNo, Refused>;

/// Hands acts to the table.
#[derive(Debug, Clone)]
pub struct Acts(mpsc::Sender<(Signed, oneshot::Sender<Answer>)>);

/// Where the table takes them.
pub type Taking = mpsc::Receiver<(Signed, oneshot::Sender<Answer>)>;

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
        let (answer, answered) = oneshot::channel();
        self.0.send((signed, answer)).await.map_err(|_| Refused::Stopped)?;
        answered.await.unwrap_or(Err(Refused::Stopped))
    }
}

/// What the record is told of an act, where it may be done.
pub(super) fn event(signed: Signed, findings: &Findings, validator: &Validator) -> Result<Event, Refused> {
    let Signed { by, offices, act } = signed;
    let open = |n: u64| {
        let view = findings.list().find(|view| view.finding.n == n).ok_or(Refused::NoFinding)?;
        if matches!(view.attention, Attention::Closed { .. }) { Err(Refused::IsClosed) } else { Ok(view) }
    };
    let noted = |note: String| {
        let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
        if note.is_empty() || note.chars().count() > NOTE_CHARS { Err(Refused::Note) } else { Ok(note) }
    };
    let allowed = |may: &dyn Fn(Office) -> bool| {
        let may_all = || Office::ALL.iter().copied().filter(|office| may(*office));
        let refused = || Refused::NotHis(may_all().map(|office| office.word().to_owned()).collect());
        offices.iter().copied().find(|office| may(*office)).ok_or_else(refused)
    };
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
            Ok(Event::Rule { by, role: office.word().into(), decision, finding: Some(finding) })
        }
        Act::Authorize { what } => {
            let office = allowed(&|office| authority(office).is_some_and(|role| may_permit(role, what)))?;
            let role = authority(office).ok_or(Refused::NoFinding)?;
            Ok(Event::Authorize { by, role, what })
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

fn of_station(status: &'static str, detail: &str) -> Event {
    Event::Device {
        device: Name::new_static(STATION),
        status: Name::new_static(status),
        detail: Some(detail).filter(|detail| !detail.is_empty()).map(Name::new),
        complete: false,
    }
}

/// What a line of the record says of somebody's attention: to which finding, and how it is.
pub(super) fn attended(event: &Event) -> Option<(u64, Attention)> {
    let (status, detail) = station_line(event)?;
    let (finding, by) = detail?.strip_prefix("finding ")?.split_once(" by ")?;
    let (by, note) = by.split_once(": ").unwrap_or((by, ""));
    let by = Name::new(by.split(' ').next()?);
    let attention = match status {
        TAKEN => Attention::Taken { by },
        CLOSED => Attention::Closed { by, note: note.to_owned() },
        _ => return None,
    };
    Some((finding.parse().ok()?, attention))
}
