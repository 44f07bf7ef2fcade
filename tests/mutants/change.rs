//! One fault: where it is, what it is, and how the code is written so that it can be switched on.

use std::ops::Range;

/// A fault that can be put into the code.
#[derive(Debug, Clone)]
pub(crate) struct Mutant {
    /// The file, from the root of the workspace.
    pub(crate) file: String,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// Its column, from 1.
    pub(crate) column: usize,
    /// The function that it is in.
    pub(crate) function: String,
    /// The fault, in words.
    pub(crate) what: String,
    /// What is written.
    pub(crate) change: Change,
}

impl Mutant {
    /// The function and the fault, in words that stay when lines move.
    pub(crate) fn words(&self) -> String {
        format!("{}: {}", self.function, self.what)
    }
}

/// What is written into the text, by byte ranges of the text as it was.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// Another expression instead of this one.
    Instead(Range<usize>, String),
    /// The condition is the opposite.
    Negated(Range<usize>),
    /// The condition always holds.
    Always(Range<usize>),
    /// The condition never holds.
    Never(Range<usize>),
    /// The statement is left out.
    LeftOut(Range<usize>),
    /// The function, whose body's statements begin there, gives back this at once.
    Returned(usize, String),
    /// The arm, whose pattern ends there, is never taken.
    NoArm(usize),
}

impl Change {
    /// The text around which it is written; empty where it is only put in.
    pub(crate) fn range(&self) -> Range<usize> {
        match self {
            Self::Instead(range, _)
            | Self::Negated(range)
            | Self::Always(range)
            | Self::Never(range)
            | Self::LeftOut(range) => range.clone(),
            Self::Returned(at, _) | Self::NoArm(at) => *at..*at,
        }
    }

    /// What is written before the text and after it; `on` is the expression that tells whether the fault is on.
    pub(crate) fn around(&self, on: &str) -> (String, String) {
        let (before, after) = match self {
            Self::Instead(_, other) => (format!("(if {on} {{ {other} }} else {{ "), " })"),
            Self::Negated(_) => (format!("({on} ^ ("), "))"),
            Self::Always(_) => (format!("({on} || ("), "))"),
            Self::Never(_) => (format!("(!{on} && ("), "))"),
            Self::LeftOut(_) => (format!("if !{on} {{ "), " }"),
            Self::Returned(_, value) => (format!(" if {on} {{ return {value}; }} "), ""),
            Self::NoArm(_) => (format!(" if !{on}"), ""),
        };
        (before, after.into())
    }
}

/// A text with all of its faults in it, and where each then stands.
pub(crate) fn write(text: &str, mutants: &[(usize, &Mutant)]) -> (String, Vec<(usize, Range<usize>)>) {
    // what is written at a place: ends of inner faults before those of outer ones, and beginnings the other way round
    let mut marks = Vec::new();
    for (order, (id, mutant)) in mutants.iter().enumerate() {
        let range = mutant.change.range();
        let (before, after) = mutant.change.around(&format!("crate::mutants::is_on({id})"));
        let length = if range.is_empty() { usize::MAX } else { range.len() };
        marks.push((range.start, 1, usize::MAX - length, order, *id, before));
        if !range.is_empty() {
            marks.push((range.end, 0, length, usize::MAX - order, *id, after));
        }
    }
    marks.sort();
    let (mut written, mut from, mut places) = (String::new(), 0, std::collections::BTreeMap::new());
    for (at, is_beginning, _, _, id, put_in) in marks {
        written.push_str(&text[from..at]);
        let begins = written.len();
        written.push_str(&put_in);
        from = at;
        let place = places.entry(id).or_insert(begins..written.len());
        if is_beginning == 0 {
            place.end = written.len();
        }
    }
    written.push_str(&text[from..]);
    (written, places.into_iter().collect())
}
