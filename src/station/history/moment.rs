//! The felt as it stood after a line of the record, in the pass that goes on too. What lay covered then is covered in
//! the picture, whatever became of it: a picture is what everybody at the table saw at that moment.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use sabot_law::replay::Replay;
use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;

use super::findings::waypoint;
use super::index::Before;
use super::pass::becomes;
use super::step::{Step, StepLine};
use super::{NotRead, Record, answered, happened, read_from};
use crate::snapshot::{FindingView, Snapshot};

/// Moments that are told on either side of the one that was asked for: a pass has some hundred.
const AROUND: usize = 400;

/// The moments of one pass about a line, a picture after each of them.
#[derive(Debug)]
pub(crate) struct Moments {
    /// The pass.
    pub(crate) pass: u64,
    /// In the order of the record.
    pub(crate) steps: Vec<Step>,
    /// The language of the answers.
    pub(crate) lang: Lang,
    /// The pass begins with the first of them.
    from_its_beginning: bool,
}

impl Moments {
    /// Where the moment of a line is among them.
    pub(crate) fn place_of(&self, line: LineNo) -> Option<usize> {
        self.steps.binary_search_by_key(&line, |step| step.picture.line).ok()
    }

    /// Whether the moment of a line is among them, and those beside it, in a record that has come so far.
    pub(crate) fn has_about(&self, line: LineNo, told: LineNo) -> bool {
        self.place_of(line)
            .is_some_and(|at| (at > 0 || self.from_its_beginning) && (at + 1 < self.steps.len() || told <= line))
    }
}

/// The moments of the pass to which a line belongs; none where the record has no such line.
///
/// # Errors
/// When the record does not read.
pub(crate) fn moments(record: &Record, line: LineNo, lang: Lang) -> Result<Option<Moments>, NotRead> {
    let (mut steps, mut findings) = (VecDeque::new(), Vec::<FindingView>::new());
    let (mut pass, mut after, mut from_its_beginning) = (0, 0, true);
    let from = waypoint(record, Before::Line(line));
    read_from(record, Replay::new(lang, None), from.as_ref(), None, |told, validator| {
        if told.line > line {
            after += 1;
            if told.pass != pass || after > AROUND {
                return Ok(ControlFlow::Break(()));
            }
        } else if told.pass != pass {
            (steps, findings, pass, from_its_beginning) = (VecDeque::new(), Vec::new(), told.pass, true);
        }
        told.answers.iter().for_each(|answer| becomes(&mut findings, answer));
        let answers = told.answers.iter().filter_map(|answer| answered(answer, lang)).collect();
        let lines = vec![StepLine { line: told.line, at: told.second(), what: happened(&told, lang), answers }];
        let (felt, findings) = (told.felt(validator), findings.clone());
        let picture = Snapshot { line: told.line, findings, felt, ..Snapshot::default() };
        steps.push_back(Step { lines, picture });
        if told.line < line && steps.len() > AROUND {
            steps.pop_front();
            from_its_beginning = false;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let moments = Moments { pass, steps: steps.into(), lang, from_its_beginning };
    Ok(moments.place_of(line).is_some().then_some(moments))
}
