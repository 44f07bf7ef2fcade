//! A table as it stands at the end of a pass, to be read on from there without all that came before.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;

use serde::{Deserialize, Serialize};

use super::course::Course;
use super::window::Window;
use super::{NoRegulation, Validator};
use crate::procedure::state::{BetweenPasses, State};
use crate::table::{Header, LineNo};

/// A table at the end of a pass.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Moment {
    /// The line of the `end`.
    line: LineNo,
    /// The number of the newest finding.
    found: u64,
    /// Findings by provision.
    counts: BTreeMap<String, u64>,
    state: BetweenPasses,
}

impl Moment {
    /// The line of the `end`.
    #[must_use]
    pub const fn line(&self) -> LineNo {
        self.line
    }
}

impl Validator {
    /// The line of the last `end` before which nothing can be corrected any more: who reads on from there comes to the
    /// same, unless what came after it has changed what was before.
    #[must_use]
    pub fn settled(&self) -> Option<LineNo> {
        self.window.before()
    }

    /// The table as it stands, its last event having ended a pass; `None` where more would have to be kept.
    #[must_use]
    pub fn moment(&self, line: LineNo) -> Option<Moment> {
        let course = &self.course;
        let state = course.state.kept(&self.house.header).filter(|_| course.duties.is_empty())?;
        let counts = self.counts.iter().map(|(id, count)| (id.to_string(), *count)).collect();
        Some(Moment { line, found: course.found, counts, state })
    }

    /// A table as it stood, answering in Spanish.
    ///
    /// # Errors
    /// As [`Validator::new`].
    pub fn restored(header: Header, moment: Moment) -> Result<Self, NoRegulation> {
        let mut table = Self::new(header)?;
        let state = State::restored(&table.house.header, table.settings().clone(), moment.state);
        table.course = Course::new(state);
        table.course.found = moment.found;
        table.window = Window::after(Arc::new(table.course.clone()), moment.line);
        let article = |(id, count): (String, u64)| Some((table.house.regulation.article(&id)?.id, count));
        table.counts = moment.counts.into_iter().filter_map(article).collect();
        Ok(table)
    }

    /// Whether both have come to the same, and may still be corrected alike: the same events lead from the same facts
    /// to the same.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let course = |of: &Self| (of.course.found, of.counts.clone(), of.window.before(), of.window.stands.len());
        course(self) == course(other)
            && self.window.start().state == other.window.start().state
            && self.window.told == other.window.told
    }
}
