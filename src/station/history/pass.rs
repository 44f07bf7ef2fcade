//! A pass as it went: its lines, and the felt as a picture wherever it has changed.

use std::mem;
use std::ops::ControlFlow;

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::felt::{Felt, Shown};
use sabot_law::table::{Answer, Event};
use sabot_law::validator::Validator;

use super::findings::waypoint;
use super::index::Before;
use super::step::{Step, StepLine};
use super::{NotRead, Record, Told, answered, happened, read_from};
use crate::snapshot::{FindingState, FindingView, Snapshot};

/// Makes pictures of lines that go by.
#[derive(Debug, Default)]
pub struct Pictures {
    /// Lines after the last picture.
    untold: Vec<StepLine>,
    /// The cards that it shows.
    lying: Vec<Vec<Shown>>,
}

impl Pictures {
    /// Takes a line, with the table after it; a picture where it shows something else than the last one, and of the
    /// last line.
    pub fn take(
        &mut self,
        told: &Told,
        validator: &Validator,
        (findings, lang): (&[FindingView], Lang),
        is_last: bool,
    ) -> Option<Step> {
        let (line, felt) = (told.line, told.felt(validator));
        let answers: Vec<String> = told.answers.iter().filter_map(|answer| answered(answer, lang)).collect();
        let is_shown = !answers.is_empty() || lying(&felt) != self.lying || is_last;
        self.untold.push(StepLine { line, at: told.second(), what: happened(told, lang), answers });
        is_shown.then(|| {
            self.lying = lying(&felt);
            let findings = findings.to_vec();
            Step {
                lines: mem::take(&mut self.untold),
                picture: Snapshot { line, findings, felt, ..Snapshot::default() },
            }
        })
    }
}

/// The cards on the felt, hand by hand, the bank's first.
fn lying(felt: &Felt) -> Vec<Vec<Shown>> {
    let hands = felt.boxes.iter().flat_map(|betting_box| &betting_box.hands).map(|hand| &hand.cards);
    [&felt.bank].into_iter().chain(hands).filter(|cards| !cards.is_empty()).cloned().collect()
}

/// A pass of a record.
#[derive(Debug)]
pub struct Passed {
    /// Its steps, to its end.
    pub steps: Vec<Step>,
    /// There is one after it that is over too.
    pub has_next: bool,
}

/// A pass that is over; none where the record has no such one. One that goes on is not told: what lies covered in it
/// may come to be seen.
///
/// # Errors
/// When the record does not read.
pub fn passed(record: &Record, number: u64, lang: Lang) -> Result<Option<Passed>, NotRead> {
    let (mut pictures, mut steps, mut findings) = (Pictures::default(), Vec::new(), Vec::new());
    let (mut over, from) = (0, waypoint(record, Before::Pass(number)));
    read_from(record, Replay::new(lang, None), from.as_ref(), None, |told, validator| {
        let is_end = matches!(told.event, Event::End {});
        if told.pass == number && over < number {
            told.answers.iter().for_each(|answer| becomes(&mut findings, answer));
            steps.extend(pictures.take(&told, validator, (&findings, lang), is_end));
        }
        if is_end {
            over = told.pass;
        }
        Ok(if over > number { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok((over >= number && !steps.is_empty()).then_some(Passed { steps, has_next: over > number }))
}

/// The lines of a pass, and those between it and the next one.
///
/// # Errors
/// When the record does not read, or `each` fails.
pub fn lines_of(
    record: &Record,
    pass: u64,
    lang: Lang,
    mut each: impl FnMut(&Told) -> Result<(), NotRead>,
) -> Result<(), NotRead> {
    let from = (pass > 0).then(|| waypoint(record, Before::Pass(pass))).flatten();
    read_from(record, Replay::new(lang, None), from.as_ref(), None, |told, _| {
        if told.pass == pass {
            each(&told)?;
        }
        Ok(if told.pass > pass { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })
    .map(drop)
}

/// What an answer makes of the findings of a pass.
pub(super) fn becomes(findings: &mut Vec<FindingView>, answer: &Answer) {
    let (of, state) = match answer {
        Answer::Finding(finding) => {
            findings.push(FindingView::new((**finding).clone()));
            return;
        }
        Answer::Cleared { finding, .. } => (*finding, FindingState::Cleared),
        Answer::Breach { finding, .. } => (*finding, FindingState::Breach),
        Answer::Withdrawn { finding, .. } => (*finding, FindingState::Withdrawn),
        Answer::Settle(_) | Answer::Summary { .. } => return,
    };
    findings.iter_mut().filter(|view| view.finding.n == of).for_each(|view| view.state = state);
}
