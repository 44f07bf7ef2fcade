//! What happened in a time at one table or more, in figures.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use sabot_journal::clock::{RECORD_FAULT, START, STOP, station_line};
use sabot_law::replay::Replay;
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::event::Permit;
use sabot_law::table::{Answer, Event, Place, words};
use sabot_law::validator::Validator;

use super::findings::waypoint;
use super::index::Before;
use super::service::deals;
use super::shoes::{Shoes, Tested};
use super::{NotRead, Record, Told, read_from};
use crate::findings::attended;
use crate::house_time::HouseTime;
use crate::report::{Report, Row, Section};

/// A finding of the time.
#[derive(Debug)]
struct Found {
    article: &'static str,
    place: Option<Place>,
    dealer: String,
    /// The device that it names, or by whose word it was found; none where people told it.
    device: Option<String>,
    /// When, milliseconds since 1970.
    at: u64,
    ended: Ended,
    /// How long until its remedy was carried out, and until somebody took it, milliseconds.
    remedied: Option<u64>,
    taken: Option<u64>,
}

/// How a finding stands at the end of the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    Noted,
    Open,
    Cleared,
    Breach,
    Withdrawn,
}

/// What is counted.
#[derive(Debug, Default)]
pub struct Shift {
    tables: Vec<String>,
    /// The first and the last line of the time, milliseconds since 1970.
    times: Option<(u64, u64)>,
    /// The house of the table that was read last.
    house: HouseTime,
    /// When passes ended, milliseconds since 1970.
    passes: Vec<u64>,
    cards: u64,
    shuffles: u64,
    deck_changes: u64,
    /// A device was blind, the station did not run: milliseconds.
    blind: u64,
    down: u64,
    record_faults: u64,
    /// Cards that do not belong in the shoes, as the station has said.
    compositions: Vec<String>,
    findings: Vec<Found>,
    shoes: Shoes,
}

/// A table while its record goes by.
#[derive(Default)]
struct AtTable {
    findings: BTreeMap<u64, Found>,
    dealer: String,
    /// When the line before was told, and how it was then.
    before: u64,
    is_blind: bool,
    is_down: bool,
}

impl AtTable {
    fn take(&mut self, shift: &mut Shift, told: &Told, validator: &Validator, is_in_time: bool) {
        if let Some((status, detail)) = station_line(&told.event) {
            // where the station has not said that it stops, it was down from its last line on
            self.is_down |= status == START;
            deals(&mut self.dealer, status, detail.unwrap_or_default());
        }
        for answer in &told.answers {
            match answer {
                Answer::Finding(finding) if is_in_time => self.found(told, finding),
                Answer::Cleared { finding, .. } => self.became(*finding, Ended::Cleared, told.at),
                Answer::Breach { finding, .. } => self.became(*finding, Ended::Breach, told.at),
                Answer::Withdrawn { finding, .. } => self.became(*finding, Ended::Withdrawn, told.at),
                _ => {}
            }
        }
        if let Some((n, _)) = attended(&told.event)
            && let Some(found) = self.findings.get_mut(&n)
        {
            found.taken.get_or_insert(told.at.saturating_sub(found.at));
        }
        if is_in_time {
            self.count(shift, told);
        }
        self.before = told.at;
        self.is_blind = validator.state().blindness.devices().next().is_some();
        self.is_down = station_line(&told.event).is_some_and(|(status, _)| status == STOP);
    }

    fn found(&mut self, told: &Told, finding: &Finding) {
        let ended = if finding.remedy.is_empty() { Ended::Noted } else { Ended::Open };
        let (article, place, dealer, at) = (finding.provision, finding.place, self.dealer.clone(), told.at);
        let device = finding.details.device.as_ref().or_else(|| told.origin.as_ref().map(|origin| &origin.0));
        let device = device.map(ToString::to_string);
        let found = Found { article, place, dealer, device, at, ended, remedied: None, taken: None };
        self.findings.insert(finding.n, found);
    }

    fn became(&mut self, n: u64, ended: Ended, at: u64) {
        if let Some(found) = self.findings.get_mut(&n) {
            found.ended = ended;
            if ended == Ended::Cleared {
                found.remedied = Some(at.saturating_sub(found.at));
            }
        }
    }

    fn count(&mut self, shift: &mut Shift, told: &Told) {
        if let Some((_, last)) = &mut shift.times {
            *last = told.at.max(*last);
        }
        let (first, _) = shift.times.get_or_insert((told.at, told.at));
        *first = told.at.min(*first);
        let passed = if self.before == 0 { 0 } else { told.at.saturating_sub(self.before) };
        shift.blind += if self.is_blind { passed } else { 0 };
        shift.down += if self.is_down { passed } else { 0 };
        match &told.event {
            Event::End {} => shift.passes.push(told.at),
            Event::Draw { card, .. } => {
                shift.cards += 1;
                shift.shoes.draw(card.index());
            }
            Event::Load { cards, .. } => shift.shoes.load(*cards),
            Event::Shuffle { .. } => shift.shuffles += 1,
            Event::Authorize { what: Permit::DeckChange, .. } => shift.deck_changes += 1,
            Event::Device { device, status, detail, .. } if device == "shoe" && status == "composition" => {
                shift.compositions.extend(detail.as_ref().map(|detail| format!("{}: {detail}", told.second())));
            }
            event if station_line(event).is_some_and(|(status, _)| status == RECORD_FAULT) => shift.record_faults += 1,
            _ => {}
        }
    }
}

/// In the language of the report.
fn in_words(lang: Lang, es: &str, en: &str) -> String {
    if lang == Lang::Es { es } else { en }.to_owned()
}

impl Shift {
    /// Counts what a table's record tells of a time, from when and before when, milliseconds since 1970.
    ///
    /// # Errors
    /// When it does not read.
    pub fn add(&mut self, record: &Record, (from, to): (u64, u64)) -> Result<(), NotRead> {
        let begin = (from > 0).then(|| waypoint(record, Before::Time(from))).flatten();
        let dealer = begin.as_ref().map(|begin| begin.dealer.clone()).unwrap_or_default();
        let mut table = AtTable { dealer, ..AtTable::default() };
        let name = read_from(record, Replay::new(Lang::default(), None), begin.as_ref(), None, |told, validator| {
            table.take(self, &told, validator, (from..to).contains(&told.at));
            Ok(ControlFlow::Continue(()))
        })?;
        // what follows is another table's
        self.shoes.load(0);
        self.findings.extend(table.findings.into_values());
        self.tables.push(name);
        self.house = record.house().clone();
        Ok(())
    }

    /// What was counted; none where the records tell nothing of the time.
    #[must_use]
    pub fn report(&self, lang: Lang) -> Option<Report> {
        self.times.map(|times| self.told(times, lang))
    }

    fn told(&self, (from, to): (u64, u64), lang: Lang) -> Report {
        let say = |es: &str, en: &str| in_words(lang, es, en);
        let by = |es: &str, en: &str, name: &dyn Fn(&Found) -> String| {
            Section::bars(say(&format!("Hallazgos por {es}"), &format!("Findings by {en}")), self.grouped(name))
        };
        let nobody = say("nadie dijo quién era", "nobody said who it was");
        let place = |found: &Found| {
            let nowhere = || say("en ningún lugar", "at no place");
            found.place.map_or_else(nowhere, |place| words::place(place).get(lang).to_owned())
        };
        let withdrawn = |found: &Found| (found.ended == Ended::Withdrawn).then(|| found.device.clone());
        let people = say("lo dijo una persona", "somebody said so");
        let false_alarms = self.named(&|found| withdrawn(found).map(|device| device.unwrap_or_else(|| people.clone())));
        let dealer = |found: &Found| if found.dealer.is_empty() { nobody.clone() } else { found.dealer.clone() };
        Report {
            title: format!("{} {}", say("Informe de turno", "Shift report"), self.tables.join(", ")),
            about: vec![format!("{} – {}", self.house.second(from), self.house.second(to))],
            sections: vec![
                Section::told(say("En cifras", "In figures"), self.figures(lang)),
                Section::bars(say("Cómo quedaron los hallazgos", "How findings stand"), self.ended(lang)),
                by("artículo", "article", &|found| found.article.to_owned()),
                by("lugar", "place", &place),
                by("pagador", "dealer", &dealer),
                Section::bars(
                    say("Hallazgos por hora", "Findings by hour"),
                    self.by_hour(self.findings.iter().map(|found| found.at)),
                ),
                Section::bars(say("Pases por hora", "Passes by hour"), self.by_hour(self.passes.iter().copied())),
                Section::bars(
                    say("Falsas alarmas por equipo: retiradas", "False alarms by device: withdrawn"),
                    false_alarms,
                ),
                Section::told(say("Mezcla de los sabots", "Shuffling of the shoes"), self.shuffling(lang)),
            ],
            none: say("Ninguno.", "None."),
        }
    }

    /// How many findings bear each name, in the order of the names.
    fn grouped(&self, name: &dyn Fn(&Found) -> String) -> Vec<Row> {
        self.named(&|found| Some(name(found)))
    }

    /// The same; one without a name is left out.
    fn named(&self, name: &dyn Fn(&Found) -> Option<String>) -> Vec<Row> {
        let mut counts = BTreeMap::<String, u32>::new();
        self.findings.iter().filter_map(name).for_each(|name| *counts.entry(name).or_default() += 1);
        counts.into_iter().map(|(what, count)| Row { what, told: count.to_string(), value: count.into() }).collect()
    }

    /// How many of these times are in each hour of the house, in the order in which the hours came.
    fn by_hour(&self, times: impl Iterator<Item = u64>) -> Vec<Row> {
        let mut counts = BTreeMap::<u64, u32>::new();
        times.for_each(|at| *counts.entry(self.house.hour_began(at)).or_default() += 1);
        let row =
            |(at, count): (u64, u32)| Row { what: self.house.hour(at), told: count.to_string(), value: count.into() };
        counts.into_iter().map(row).collect()
    }

    fn ended(&self, lang: Lang) -> Vec<Row> {
        self.grouped(&|found| match found.ended {
            Ended::Noted => in_words(lang, "anotado", "noted"),
            Ended::Open => in_words(lang, "abierto", "open"),
            Ended::Cleared => in_words(lang, "resuelto", "cleared"),
            Ended::Breach => in_words(lang, "incumplido", "breach"),
            Ended::Withdrawn => in_words(lang, "retirado: no fue así", "withdrawn: it was not so"),
        })
    }

    fn figures(&self, lang: Lang) -> Vec<Row> {
        let say = |es: &str, en: &str| in_words(lang, es, en);
        let count = |what: String, told: u64| row(what, told.to_string());
        let times = |of: &dyn Fn(&Found) -> Option<u64>| {
            let mut times: Vec<u64> = self.findings.iter().filter_map(of).collect();
            times.sort_unstable();
            let at = |share: usize| times.get((times.len() * share / 100).min(times.len().saturating_sub(1)));
            let (Some(half), Some(most), Some(all)) = (at(50), at(90), times.last()) else { return "–".to_owned() };
            let words = ["la mitad en", "nueve de diez en", "el más largo en"];
            let words = if lang == Lang::Es { words } else { ["half within", "nine of ten within", "the longest in"] };
            [half, most, all]
                .iter()
                .zip(words)
                .map(|(ms, words)| format!("{words} {}", lasts(**ms)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut rows = vec![
            count(say("Pases", "Passes"), self.passes.len() as u64),
            count(say("Cartas extraídas", "Cards drawn"), self.cards),
            count(say("Hallazgos", "Findings"), self.findings.len() as u64),
            row(say("Hasta resolverlos", "Until they were remedied"), times(&|found| found.remedied)),
            row(say("Hasta que alguien los tomó", "Until somebody took them"), times(&|found| found.taken)),
            row(say("Algún equipo no veía", "A device did not see"), lasts(self.blind)),
            row(say("La estación no andaba", "The station was down"), lasts(self.down)),
            count(say("Veces que no se pudo registrar", "Times that nothing could be recorded"), self.record_faults),
            count(say("Mezclas", "Shuffles"), self.shuffles),
            count(say("Cambios de mazos autorizados", "Changes of decks authorised"), self.deck_changes),
        ];
        let wrong = self.compositions.iter().cloned();
        rows.extend(wrong.map(|told| row(say("Cartas que no corresponden", "Cards that do not belong"), told)));
        rows
    }

    fn shuffling(&self, lang: Lang) -> Vec<Row> {
        let say = |es: &str, en: &str| in_words(lang, es, en);
        let Shoes { count, cards, .. } = &self.shoes;
        if *count == 0 {
            return Vec::new();
        }
        let tested = |es: &str, en: &str, Tested { deviate, passed }: Tested| {
            let verdict =
                if passed { say("como bien mezclado", "as well shuffled") } else { say("LLAMATIVO", "STRIKING") };
            row(say(es, en), format!("{verdict} (z = {deviate:.2})"))
        };
        vec![
            row(say("Sabots, cartas vistas", "Shoes, cards seen"), format!("{count}, {cards}")),
            tested(
                "Cuántas veces salió cada carta (χ², 95 %)",
                "How often each card came (χ², 95 %)",
                self.shoes.composition(),
            ),
            tested(
                "Vecinas de un mazo nuevo, seguidas (99 %)",
                "Neighbours of a new deck in a row (99 %)",
                self.shoes.neighbours(),
            ),
            tested("Rachas de dieces y de otras (99 %)", "Runs of tens and of others (99 %)", self.shoes.runs()),
        ]
    }
}

fn row(what: String, told: String) -> Row {
    Row { what, told, value: 0.0 }
}

/// A time that something lasts: `1 h 02 min`, `3 min 20 s`, `4 s`.
fn lasts(ms: u64) -> String {
    match ms.div_ceil(1000) {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::lasts;

    #[test]
    fn a_time_is_told_in_the_two_greatest_of_its_units() {
        let times = [0, 1, 59_001, 3_599_000, 3_600_000, 90_061_000].map(lasts);
        assert_eq!(times, ["0 s", "1 s", "1 min 00 s", "59 min 59 s", "1 h 00 min", "25 h 01 min"]);
    }
}
