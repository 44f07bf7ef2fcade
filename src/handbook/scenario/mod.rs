//! The scenario notation: passes of a table, an event or a few of one verb a line, what is answered at its end.
//!
//! The articles' examples (`docs/handbook/<house>/<article>.txt`) and the tables of the law's tests are written in it.
//!
//! ```text
//! table limits=1000-50000 stake=400                before the first scenario: what all of the file have in common
//!
//! == the bank's second card comes uncovered        a scenario and its name
//! open                                             players P1 to P3 on seats 1 to 3, a shuffled, cut, loaded shoe
//! bets 1 2 3                                       the stake on each box (`3:700` another): P1 has 1, 4, 7, P2 2, 5 …
//! close
//! deal 8H 5C TD 9S TC 9D QH                        as prescribed: the boxes in their order, the bank, and again
//! draw 8D bank up => C7 bank burn serve            what this line's last event is answered (see `verdict`)
//! burn bank 1
//! draw 8C bank => cleared C7 bank
//! stand 1, 2, 3                                    one event each
//! end => settle 1 win 400 400 0
//!      | settle 2 lose 400 0 400                   a line's further answers, in their order
//! ```
//!
//! A line without `=>` is answered nothing. `# …` is a remark. Which words an event takes is told in `event`, which
//! lines stand for several events in `shorthand`. Amounts are those of the log.
//!
//! A line that begins with `{` is the log's own.
//!
//! `table` as a scenario's first line says what differs there: `regulation=talla`, `limits=10-500`,
//! `observes=places,faces` (`observes=nothing`), `v=2`, `stake=50`, and a setting with its value as JSON,
//! `set=late_entries:false`.

mod event;
mod shorthand;
pub mod write;

use std::collections::{BTreeMap, BTreeSet};

use sabot_law::regulation::{self, Regulation};
use sabot_law::table::header::{Limits, Sight};
use sabot_law::table::settings::Side;
use sabot_law::table::{Cents, Event, HandId, LineNo, Name, Rules};
use serde::Serialize;

/// One scenario: its lines of log, each with what it is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// What it is called.
    pub name: String,
    /// The line of its name in the file, from 1.
    pub line: usize,
    /// Its events, the header first.
    pub steps: Vec<Step>,
}

/// One line of a scenario's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The line in the file, from 1.
    pub line: usize,
    /// This event alone, in the notation.
    pub written: String,
    /// As the log writes it.
    pub json: String,
    /// What it is answered, in short.
    pub expected: Vec<String>,
}

impl Scenario {
    /// The table log, line by line.
    #[must_use]
    pub fn log(&self) -> String {
        self.steps.iter().flat_map(|step| [step.json.as_str(), "\n"]).collect()
    }
}

/// Why a scenario cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {why}")]
pub struct ScenarioError {
    /// The file.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: Fault,
}

/// What is wrong with a line of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No scenario has begun.
    #[error("`{0}` stands before the first scenario, which begins with a line `== its name`")]
    NoScenario(String),
    /// Its first word is no verb.
    #[error("`{0}`: there is no such event in the notation")]
    NoVerb(String),
    /// Words are missing.
    #[error("`{written}`: {what} is missing")]
    Missing {
        /// The event.
        written: String,
        /// What should follow.
        what: &'static str,
    },
    /// A word cannot be read.
    #[error("`{written}`: `{word}` cannot be read as {what}: {why}")]
    Word {
        /// The event.
        written: String,
        /// The word.
        word: String,
        /// What it should be.
        what: &'static str,
        /// Why it is not.
        why: String,
    },
    /// A word too many.
    #[error("`{written}`: nothing more is known of it than goes before `{word}`")]
    Extra {
        /// The event.
        written: String,
        /// The first word too many.
        word: String,
    },
    /// More cards are dealt than there are boxes to deal them to.
    #[error("`{written}`: there are places for {places} cards")]
    Cards {
        /// The line.
        written: String,
        /// Places of two deliveries.
        places: usize,
    },
    /// A regulation that is not known.
    #[error("`{0}` is no regulation")]
    NoRegulation(String),
    /// A header after the first event.
    #[error("`table` can only be a scenario's first line")]
    LateTable,
    /// A line of log that cannot be written.
    #[error("`{0}` cannot be written as a line of log")]
    Log(String),
    /// The name of an example's case is not of the known form.
    #[error(
        "`{0}`: an example's name is `compliant`, `violating`, or one of these, a colon and words joined by hyphens"
    )]
    Name(String),
    /// Two cases of one name.
    #[error("`{0}` is the name of an earlier case")]
    Twice(String),
}

/// How a file's scenarios are to be read.
#[derive(Debug, Clone, Copy)]
pub struct Notation<'a> {
    /// The file's name, for what is wrong in it.
    pub file: &'a str,
    /// The regulation of scenarios that name none.
    pub house: &'a str,
    /// Regulations of houses' own that a scenario may name.
    pub own: &'a [(Name, Rules)],
}

impl Notation<'_> {
    /// Reads a file's scenarios.
    ///
    /// # Errors
    /// With the first line that cannot be read.
    pub fn read(&self, text: &str) -> Result<Vec<Scenario>, ScenarioError> {
        let at = |line, why| ScenarioError { file: self.file.to_string(), line, why };
        let table = Table::of(self.house).under(self.house, self.own).map_err(|why| at(1, why))?;
        let mut reader =
            Reader { own: self.own, common: table.clone(), table, boxes: BTreeSet::new(), scenarios: Vec::new() };
        for (line, written) in (1..).zip(text.lines()) {
            let written = written.split('#').next().unwrap_or_default().trim();
            reader.line(line, written).map_err(|why| at(line, why))?;
        }
        Ok(reader.scenarios)
    }
}

/// What a scenario's header says, and the stakes and deliveries its short forms go by.
#[derive(Debug, Clone)]
struct Table {
    header: Header,
    stake: Cents,
    /// Delivery begins with the greatest box, at the dealer's right.
    from_the_right: bool,
    /// The bank's second card belongs to the second delivery.
    bank_is_covered: bool,
}

/// The header as an example writes it: without what is as ever.
#[derive(Debug, Clone, Serialize)]
struct Header {
    ev: &'static str,
    v: u32,
    table: &'static str,
    regulation: Name,
    boxes: u8,
    limits: Limits,
    #[serde(skip_serializing_if = "Option::is_none")]
    observes: Option<Vec<Sight>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<String, serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Rules>,
}

impl Table {
    fn of(house: &str) -> Self {
        let limits = Limits { min: 1_000, max: 100_000 };
        let header = Header {
            ev: "table",
            v: 1,
            table: "BJ-07",
            regulation: house.into(),
            boxes: 7,
            limits,
            observes: None,
            settings: BTreeMap::new(),
            rules: None,
        };
        Self { header, stake: 5_000, from_the_right: false, bank_is_covered: true }
    }

    /// The same under another regulation.
    fn under(mut self, id: &str, own: &[(Name, Rules)]) -> Result<Self, Fault> {
        let unknown = || Fault::NoRegulation(id.to_string());
        let rules = own.iter().find(|(name, _)| name == id).map(|(_, rules)| rules);
        let settings = match rules {
            Some(rules) => Regulation::of_house(id, rules).map_err(|_| unknown())?.settings,
            None => regulation::find(id).ok_or_else(unknown)?.settings.clone(),
        };
        self.from_the_right = settings.delivery.first_box == Side::Right;
        self.bank_is_covered = settings.bank_is_covered();
        self.header.regulation = id.into();
        self.header.rules = rules.cloned();
        Ok(self)
    }

    /// The same with the words of a line `table …`.
    fn with(mut self, written: &str, own: &[(Name, Rules)]) -> Result<Self, Fault> {
        let mut words = event::Words::of(written);
        while let Some(word) = words.next_word() {
            match word.split_once('=') {
                Some(("regulation", id)) => self = self.under(id, own)?,
                Some(("limits", limits)) => {
                    let (min, max) = limits.split_once('-').unwrap_or((limits, ""));
                    self.header.limits =
                        Limits { min: words.read(min, "the least bet")?, max: words.read(max, "the greatest bet")? };
                }
                Some(("observes", list)) => self.header.observes = Some(observes(&words, list)?),
                Some(("v", v)) => self.header.v = words.read(v, "the version")?,
                Some(("set", set)) => {
                    let (name, value) = set.split_once(':').ok_or_else(|| words.extra(word))?;
                    let value = serde_json::from_str(value).map_err(|_| words.extra(word))?;
                    self.header.settings.insert(name.to_string(), value);
                }
                Some(("stake", stake)) => self.stake = words.read(stake, "the stake")?,
                _ => return Err(words.extra(word)),
            }
        }
        Ok(self)
    }
}

fn observes(words: &event::Words<'_>, list: &str) -> Result<Vec<Sight>, Fault> {
    let named = list.split(',').filter(|word| *word != "nothing");
    named.map(|word| words.read(word, "a sight")).collect()
}

/// A file being read.
struct Reader<'a> {
    own: &'a [(Name, Rules)],
    /// What all scenarios begin with.
    common: Table,
    /// What this one does.
    table: Table,
    /// Boxes with a bet in this pass.
    boxes: BTreeSet<HandId>,
    scenarios: Vec<Scenario>,
}

impl Reader<'_> {
    fn line(&mut self, line: usize, written: &str) -> Result<(), Fault> {
        if written.is_empty() {
            return Ok(());
        }
        if let Some(name) = written.strip_prefix("== ") {
            self.scenarios.push(Scenario { name: name.trim().to_string(), line, steps: Vec::new() });
            self.table = self.common.clone();
            self.boxes.clear();
            return Ok(());
        }
        let is_table = written.split(' ').next() == Some("table");
        let Some(begun) = self.scenarios.last().map(|scenario| !scenario.steps.is_empty()) else {
            if !is_table {
                return Err(Fault::NoScenario(written.to_string()));
            }
            self.common = self.common.clone().with(written, self.own)?;
            return Ok(());
        };
        if let Some(answers) = written.strip_prefix('|') {
            return self.answer(answers);
        }
        match (is_table, begun) {
            (true, true) => return Err(Fault::LateTable),
            (true, false) => self.table = self.table.clone().with(written, self.own)?,
            _ => {}
        }
        if !begun {
            self.push(line, if is_table { written } else { "table" }, &self.table.header.clone())?;
        }
        let (events, answers) = written.split_once("=>").unwrap_or((written, ""));
        if !is_table {
            for written in shorthand::expand(events.trim(), &self.table, &self.boxes)? {
                let mut event = event::event(&written)?;
                self.count_back(&mut event);
                shorthand::note_bet(&event, &mut self.boxes);
                self.push(line, &written, &event)?;
            }
        }
        self.answer(answers)
    }

    /// A correction names its line by how many events ago it was told; the log says which line that is.
    fn count_back(&self, event: &mut Event) {
        let told = self.scenarios.last().map_or(0, |scenario| scenario.steps.len()) as LineNo + 1;
        if let Event::Correct { line, after, .. } = event {
            for back in [line, after].into_iter().flatten() {
                *back = told.saturating_sub(*back);
            }
        }
    }

    fn push(&mut self, line: usize, written: &str, event: &impl Serialize) -> Result<(), Fault> {
        let json = serde_json::to_string(event).map_err(|_| Fault::Log(written.to_string()))?;
        if let Some(scenario) = self.scenarios.last_mut() {
            scenario.steps.push(Step { line, written: written.to_string(), json, expected: Vec::new() });
        }
        Ok(())
    }

    /// What the last event is answered besides.
    fn answer(&mut self, answers: &str) -> Result<(), Fault> {
        let answers = answers.split('|').map(str::trim).filter(|answer| !answer.is_empty()).map(String::from);
        match self.scenarios.last_mut().and_then(|scenario| scenario.steps.last_mut()) {
            Some(step) => step.expected.extend(answers),
            None => return Err(Fault::NoScenario("|".to_string())),
        }
        Ok(())
    }
}
