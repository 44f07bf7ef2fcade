//! Adds up what came of passes with faults, a kind of fault each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::fault::Kind;
use super::trial::{Case, Unhealed};

/// Counts of one kind of fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Passes with it.
    pub passes: u64,
    /// In so many somebody was accused who kept to the book.
    pub accused: u64,
    /// In so many somebody was, and was told before the pass was over that he had not been at fault.
    pub suspected: u64,
    /// In so many the cards were mistrusted that were good.
    pub mistrusted: u64,
    /// In so many a payment was ordered, or a bet reckoned, that was not owed.
    pub wrong_payment: u64,
    /// In so many a good bet was void.
    pub voided: u64,
    /// In so many an account was said to be unknown.
    pub unknown: u64,
    /// So often the pass after was answered otherwise.
    pub touched: u64,
    /// In so many two corrections lead to the accounts that were owed.
    pub owed: u64,
    /// So many were put right with them.
    pub healed: u64,
}

impl Count {
    fn add(&mut self, case: &Case) {
        self.passes += 1;
        self.accused += u64::from(!case.accused.is_empty());
        self.suspected += u64::from(!case.suspected.is_empty());
        self.mistrusted += u64::from(!case.mistrusted.is_empty());
        self.wrong_payment += u64::from(case.wrong_payment);
        self.voided += u64::from(case.voided);
        self.unknown += u64::from(case.unknown);
        self.touched += u64::from(!case.touched.is_empty());
        self.owed += u64::from(!matches!(case.healed, Err(Unhealed::Account | Unhealed::TooMuch { owed: false })));
        self.healed += u64::from(case.healed.is_ok());
    }
}

/// What happened to how many, and the first of them.
type Examples = BTreeMap<(Kind, String), (u64, u64)>;

/// Adds up cases.
#[derive(Debug, Default)]
pub struct Tally {
    by_event: bool,
    counts: BTreeMap<(Kind, String), Count>,
    total: Count,
    unhealed: Examples,
    accused: Examples,
    touched: Examples,
}

impl Tally {
    /// With a row a kind of fault, or a kind of fault and of the event hit.
    #[must_use]
    pub fn new(by_event: bool) -> Self {
        Self { by_event, ..Self::default() }
    }

    /// One more.
    pub fn add(&mut self, case: &Case) {
        let hit = if self.by_event { format!(" {:?}", case.hit).to_lowercase() } else { String::new() };
        self.counts.entry((case.kind, hit.clone())).or_default().add(case);
        self.total.add(case);
        let note = |examples: &mut Examples, what: String| {
            examples.entry((case.kind, hit.clone() + &what)).or_insert((0, case.pass)).0 += 1;
        };
        if let Err(why) = &case.healed {
            note(&mut self.unhealed, format!(": {why}"));
        }
        for (examples, provisions) in [(&mut self.accused, &case.accused), (&mut self.touched, &case.touched)] {
            let distinct: BTreeSet<_> = provisions.iter().collect();
            distinct.into_iter().for_each(|provision| note(examples, format!(": {provision}")));
        }
    }

    /// The counts of every kind together.
    #[must_use]
    pub const fn total(&self) -> Count {
        self.total
    }

    /// Why passes were not put right: how many, and the first.
    pub fn unhealed(&self) -> impl Iterator<Item = (Kind, &str, u64, u64)> {
        self.unhealed.iter().map(|((kind, why), &(count, pass))| (*kind, why.as_str(), count, pass))
    }
}

#[allow(clippy::cast_precision_loss)] // counts far below 2^52
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".into() } else { format!("{:.2}", part as f64 / whole as f64 * 100.0) }
}

/// The table in shares of a hundred, then the first example of whatever went wrong.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.counts.iter().map(|((kind, hit), count)| (format!("{kind}{hit}"), *count));
        let rows: Vec<(String, Count)> = names.chain([("total".to_owned(), self.total)]).collect();
        let wide = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        writeln!(
            f,
            "{:wide$} {:>8} {:>9} {:>11} {:>7} {:>9} {:>7} {:>9} {:>9} {:>7} {:>8}",
            "fault",
            "passes",
            "accused %",
            "withdrawn %",
            "cards %",
            "payment %",
            "void %",
            "unknown %",
            "touched %",
            "owed %",
            "healed %"
        )?;
        for (name, count) in rows {
            let of = |part| share(part, count.passes);
            writeln!(
                f,
                "{name:wide$} {:>8} {:>9} {:>11} {:>7} {:>9} {:>7} {:>9} {:>9} {:>7} {:>8}",
                count.passes,
                of(count.accused),
                of(count.suspected),
                of(count.mistrusted),
                of(count.wrong_payment),
                of(count.voided),
                of(count.unknown),
                of(count.touched),
                of(count.owed),
                of(count.healed)
            )?;
        }
        for (title, examples) in
            [("accused", &self.accused), ("pass after touched", &self.touched), ("not healed", &self.unhealed)]
        {
            for ((kind, what), (count, pass)) in examples {
                writeln!(f, "{title}: {kind}{what}: {count}, first in pass {pass}")?;
            }
        }
        Ok(())
    }
}
