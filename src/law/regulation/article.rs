//! What an article is made of.

use super::findings::Findings;
use crate::procedure::context::{Context, Role};
use crate::table::answer::Lang;
use crate::table::event::Choice;
use crate::table::{BetSpot, Severity};

/// Words in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bi {
    /// Spanish.
    pub es: &'static str,
    /// English.
    pub en: &'static str,
}

impl Bi {
    /// The words in one language.
    #[must_use]
    pub const fn get(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::Es => self.es,
            Lang::En => self.en,
        }
    }
}

/// What an article has to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum On {
    /// Every event of a kind.
    Event(crate::table::event::Kind),
    /// A card drawn in a role.
    Card(Role),
    /// A bet on a spot.
    Bet(BetSpot),
    /// A choice, for whichever hand.
    Decide(Choice),
    /// The event that closes the bets.
    Close,
    /// The first event of play.
    Play,
    /// The first collection or payment.
    Settlement,
}

/// Whether and how an article is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A breach gives a finding.
    Enforced,
    /// The validator computes it and checks it.
    Valuation,
    /// No sensor sees it: a person reports it.
    Reported,
}

/// How the project reads what the text leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Its number in the list of readings.
    pub number: u8,
    /// What is read.
    pub words: Bi,
}

/// One way an article is broken. Each is a static beside its article, and is equal to itself alone.
#[derive(Debug)]
pub struct Case {
    /// What a finding says in Spanish, `{place}` standing for where.
    pub es: &'static str,
    /// The same in English.
    pub en: &'static str,
}

impl Case {
    /// The words in one language.
    #[must_use]
    pub const fn get(&self, lang: Lang) -> &'static str {
        Bi { es: self.es, en: self.en }.get(lang)
    }
}

impl PartialEq for Case {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Case {}

/// One article of a regulation. Each is a static in a file of its own, and is equal to itself alone.
#[derive(Debug)]
pub struct Article {
    /// Its identifier, such as `C7`.
    pub id: &'static str,
    /// Whether a breach is seen, computed or reported.
    pub kind: Kind,
    /// How grave a breach is.
    pub severity: Severity,
    /// A name for it.
    pub title: Bi,
    /// What it says, in our words.
    pub gist: Bi,
    /// At which events a breach is found.
    pub raised: Bi,
    /// What must be done about it, and in which order.
    pub remedy: Bi,
    /// The figures of [`crate::table::Settings`] it goes by.
    pub settings: &'static [&'static str],
    /// The source file it stands in.
    pub file: &'static str,
    /// How gaps are read.
    pub readings: &'static [Reading],
    /// The ways it is broken.
    pub cases: &'static [&'static Case],
    /// What it has to look at.
    pub on: &'static [On],
    /// Looks at a context and writes what it finds to the findings.
    pub check: fn(&Context<'_>, &mut Findings<'_>),
}

impl PartialEq for Article {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Article {}

impl Article {
    /// The fields that an article of this source file need not write, where a breach gives a finding.
    #[must_use]
    pub const fn enforced(file: &'static str) -> Self {
        const NONE: Bi = Bi { es: "", en: "" };
        Self {
            id: "",
            kind: Kind::Enforced,
            severity: Severity::Irregularity,
            title: NONE,
            gist: NONE,
            raised: NONE,
            remedy: NONE,
            settings: &[],
            file,
            readings: &[],
            cases: &[],
            on: &[],
            check: |_, _| {},
        }
    }

    /// The same where the validator computes what the article says.
    #[must_use]
    pub const fn valuation(file: &'static str) -> Self {
        Self { kind: Kind::Valuation, ..Self::enforced(file) }
    }

    /// The same where no sensor sees a breach.
    #[must_use]
    pub const fn reported(file: &'static str) -> Self {
        Self { kind: Kind::Reported, ..Self::enforced(file) }
    }

    /// Whether it goes by that setting: it lists it, or its words tell its figure.
    #[must_use]
    pub fn goes_by(&self, setting: &str) -> bool {
        let readings = self.readings.iter().map(|reading| reading.words);
        let cases = self.cases.iter().map(|case| Bi { es: case.es, en: case.en });
        let mut words = [self.gist, self.raised, self.remedy].into_iter().chain(cases).chain(readings);
        let names = |text: &str| {
            text.split('{')
                .skip(1)
                .any(|rest| rest.strip_prefix(setting).is_some_and(|after| after.starts_with(['}', ':', '|'])))
        };
        self.settings.contains(&setting) || words.any(|words| names(words.en) || names(words.es))
    }
}
