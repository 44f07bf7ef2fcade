//! The one verdict on a table: page, pit display, towers, health and metrics show this and judge nothing themselves.
//!
//! What is not seen or not recorded comes before every finding: a table that nobody watches is never by the book.

use sabot_drivers::signal::Level;
use sabot_journal::clock;
use sabot_law::procedure::blindness::device_names;
use sabot_law::regulation::Equipment;
use sabot_law::table::felt::Words;
use sabot_law::table::{Event, Felt, Name, Severity};
use sabot_law::validator::Validator;
use sabot_wire::message::Lamp;

use super::device_warnings;
use super::findings::Findings;
use super::snapshot::{DeviceState, DeviceView, Face, FindingState, FindingView, Unseen, Verdict};
use super::unwritten::Hindrance;

/// In the record: that dealing has to stop, and why a face is shown, beside the roles of devices.
const STOP: &str = "stop";
const NOTICE: &str = "notice";
const IRREGULARITY: &str = "irregularity";
const INTEGRITY: &str = "integrity";
const REFUSED: &str = "refused";
const RECORD: &str = "record";
/// Stands before how many changes were not told before this one.
pub(super) const UNTOLD: &str = "untold";

/// What a verdict is given on.
pub(super) struct Facts<'a> {
    pub(super) felt: &'a Felt,
    pub(super) validator: &'a Validator,
    pub(super) findings: &'a Findings,
    pub(super) devices: &'a [DeviceView],
    /// Why the record does not grow.
    pub(super) record: Option<&'a Hindrance>,
    /// An entry was refused.
    pub(super) refused: bool,
}

impl Verdict {
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        let severity = facts.findings.current(facts.felt.pass).map(weight).max();
        let mut unseen: Vec<Unseen> = facts.record.map(unrecorded).into_iter().collect();
        let is_sense = |device: &&DeviceView| device_names().any(|name| name == device.role);
        unseen.extend(facts.devices.iter().filter(is_sense).filter_map(|device| facts.unseen(device)));
        unseen.sort_by_key(|one| !one.stop);
        // a display or a tower sees nothing: without it the table is judged all the same
        let is_off = |device: &DeviceView| device.state != DeviceState::Online || device.open;
        let face = match severity {
            _ if !unseen.is_empty() => Face::Blind,
            Some(Severity::Irregularity | Severity::Integrity) => Face::Act,
            Some(Severity::Notice) => Face::Look,
            None if facts.refused || facts.devices.iter().any(is_off) => Face::Look,
            None => Face::Clear,
        };
        let look = || {
            let off = facts.devices.iter().filter(|device| is_off(device)).map(|device| device.role.clone());
            facts.refused.then(|| REFUSED.to_owned()).into_iter().chain(off).collect()
        };
        let others = if face == Face::Look && severity.is_none() { look() } else { Vec::new() };
        Self { face, unseen, severity, since: None, others }
    }

    /// Since when it has its face: as long as what was shown before it had the same.
    pub(super) fn following(self, shown: &Self, now: u64) -> Self {
        let since = shown.since.clone().filter(|_| shown.face == self.face).unwrap_or_else(|| clock::utc(now));
        Self { since: Some(since), ..self }
    }

    /// Dealing has to stop until it is seen again.
    #[must_use]
    pub fn stop(&self) -> bool {
        self.unseen.iter().any(|one| one.stop)
    }

    /// The lamp of the pit display.
    pub(super) const fn lamp(&self) -> Lamp {
        match self.face {
            Face::Clear => Lamp::Green,
            Face::Look => Lamp::Amber,
            Face::Act | Face::Blind => Lamp::Red,
        }
    }

    /// What a tower shows.
    pub(super) const fn level(&self) -> Level {
        match (self.face, self.severity) {
            (Face::Blind, _) => Level::Blind,
            (Face::Act, Some(Severity::Integrity)) => Level::Integrity,
            (Face::Act, _) => Level::Irregularity,
            (Face::Look, _) => Level::Notice,
            (Face::Clear, _) => Level::Calm,
        }
    }

    /// As its line in the record says it: the face, whether to stop, and why, in fixed words.
    pub(super) fn on_record(&self) -> String {
        let unseen = self.unseen.iter().map(|one| one.device.as_deref().unwrap_or(RECORD));
        let found = self.severity.filter(|_| self.unseen.is_empty()).map(|severity| match severity {
            Severity::Notice => NOTICE,
            Severity::Irregularity => IRREGULARITY,
            Severity::Integrity => INTEGRITY,
        });
        let why = unseen.chain(found).chain(self.others.iter().map(String::as_str));
        let words = [self.face.name()].into_iter().chain(self.stop().then_some(STOP)).chain(why);
        words.collect::<Vec<_>>().join(" ")
    }

    /// In a sentence, with what it covers.
    #[must_use]
    pub fn sentence(&self) -> Words {
        sentence(self.face, self.stop())
    }
}

impl Facts<'_> {
    /// What a device does not see, where it is away, open, takes no more or has missed something of the pass.
    fn unseen(&self, device: &DeviceView) -> Option<Unseen> {
        let (role, state) = (device.role.as_str(), self.validator.state());
        let stop = role == "shoe";
        let (why, stop) = if device.state != DeviceState::Online {
            (device_warnings::unseen(role), stop)
        } else if let Some(full) = &device.full {
            (full.clone(), stop)
        } else if device.open && state.is_in_use(role) {
            (device_warnings::open(), stop)
        } else if state.blindness.devices().any(|missed| missed == role) {
            (device_warnings::missed_some(), false)
        } else {
            return None;
        };
        let name = device_warnings::device(role);
        Some(Unseen {
            device: Some(role.to_owned()),
            what: Words { es: format!("{}: {}", name.es, why.es), en: format!("{}: {}", name.en, why.en) },
            since: device.since.clone(),
            not_judged: self.lost_without(role),
            stop,
        })
    }

    /// The articles of which less is judged without a device.
    fn lost_without(&self, role: &str) -> Vec<Name> {
        let regulation = self.validator.regulation();
        let whole = Equipment::seeing(self.validator.header().observes);
        let others: Vec<&str> = device_names().filter(|name| *name != role).collect();
        let (with, without) = (regulation.coverage(whole), regulation.coverage(whole.with_devices_only(&others)));
        let pairs = with.iter().zip(&without);
        pairs
            .filter(|(with, without)| with.cases != without.cases)
            .map(|(with, _)| Name::new_static(with.article.id))
            .collect()
    }
}

/// What a line of the record tells of the verdict, in words; none where it tells of none.
pub(super) fn told(event: &Event) -> Option<Words> {
    let (clock::VERDICT, Some(detail)) = clock::station_line(event)? else { return None };
    let mut words = detail.split(' ').take_while(|word| *word != "at" && !word.starts_with("clock-")).peekable();
    let face = words.next().and_then(|name| Face::ALL.into_iter().find(|face| face.name() == name))?;
    let says = sentence(face, words.next_if_eq(&STOP).is_some());
    let (mut es, mut en) = (format!("se muestra: {}", says.es), format!("shown: {}", says.en));
    while let Some(word) = words.next() {
        let of = if word == UNTOLD { others(words.next().unwrap_or_default()) } else { cause(word) };
        es.extend([" · ", of.es.as_str()]);
        en.extend([" · ", of.en.as_str()]);
    }
    Some(Words { es, en })
}

/// A word of that line for people; a device is called by its role.
fn cause(word: &str) -> Words {
    match word {
        NOTICE => words("un aviso", "a notice"),
        IRREGULARITY => words("una irregularidad", "an irregularity"),
        INTEGRITY => words("la integridad de equipo o cartas", "the integrity of equipment or cards"),
        REFUSED => words("una entrada rechazada", "an entry that was refused"),
        RECORD => words("el registro", "the record"),
        role => device_warnings::device(role),
    }
}

fn others(count: &str) -> Words {
    let (es, en) = (format!("{count} cambios antes no se anotaron"), format!("{count} changes before were not noted"));
    Words { es, en }
}

/// How grave a finding is to who has to act: where a device has missed something, nothing is to be remedied.
pub(crate) fn weight(view: &FindingView) -> Severity {
    let is_blindness = view.finding.details.device.is_some() && view.state == FindingState::Noted;
    if is_blindness { Severity::Notice } else { view.finding.severity }
}

fn unrecorded(hindrance: &Hindrance) -> Unseen {
    let (what, since) = (device_warnings::record(&hindrance.fault), Some(hindrance.since.clone()));
    Unseen { device: None, what, since, not_judged: Vec::new(), stop: true }
}

fn sentence(face: Face, stop: bool) -> Words {
    match face {
        Face::Clear => words(
            "Se ve y se registra todo lo que esta mesa puede ver, y no hay nada por remediar.",
            "All that this table can see is seen and recorded, and nothing is to be remedied.",
        ),
        Face::Look => words(
            "Se ve y se registra todo lo que esta mesa puede ver; hay algo que mirar, y nadie tiene que actuar.",
            "All that this table can see is seen and recorded; something to look at, and nobody must act.",
        ),
        Face::Act => words(
            "Se ve y se registra todo lo que esta mesa puede ver; hay algo que remediar.",
            "All that this table can see is seen and recorded; something is to be remedied.",
        ),
        Face::Blind if stop => words(
            "No se ve o no se registra lo que se reparte: detener el reparto. Solo se juzga lo que se ve.",
            "What is dealt is not seen or not recorded: stop dealing. Only what is seen is judged.",
        ),
        Face::Blind => words(
            "Parte de la mesa no se ve: lo que sigue no se juzga, y lo demás sí.",
            "Part of the table is not seen: what follows is not judged, and the rest is.",
        ),
    }
}

fn words(es: &str, en: &str) -> Words {
    Words { es: es.to_owned(), en: en.to_owned() }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
