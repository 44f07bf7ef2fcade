//! Findings for surveillance alone: those of some articles that ask nothing of anybody at the table. They stand in the
//! record; nothing that is shown at the table tells of them.

use std::sync::Arc;

use sabot_law::table::answer::Finding;
use sabot_law::table::{Answer, Event, Name};
use serde_json::Value;

/// The articles whose findings are for surveillance alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silent(Arc<[Name]>);

impl Silent {
    /// Those of these articles.
    pub(crate) fn under(articles: Vec<Name>) -> Self {
        Self(articles.into())
    }

    fn has(&self, article: &str) -> bool {
        self.0.iter().any(|silent| silent == article)
    }

    /// Whether a finding is not shown. One that asks something of anybody is.
    pub(crate) fn hides(&self, finding: &Finding) -> bool {
        finding.remedy.is_empty() && self.has(finding.provision)
    }

    /// The same of an answer as the record has it.
    pub(crate) fn hides_told(&self, answer: &Value) -> bool {
        let is_due = answer["remedy"].as_array().is_some_and(|parts| !parts.is_empty());
        answer["out"] == "finding" && !is_due && answer["provision"].as_str().is_some_and(|id| self.has(id))
    }

    /// What is shown of the answers to a line; `hidden` are the numbers of findings that were not shown.
    pub(crate) fn of_answers(&self, answers: &mut Vec<Answer>, hidden: &mut Vec<u64>) {
        answers.retain(|answer| match answer {
            Answer::Finding(finding) if self.hides(finding) => {
                hidden.push(finding.n);
                false
            }
            Answer::Cleared { finding, .. } | Answer::Breach { finding, .. } | Answer::Withdrawn { finding, .. } => {
                !hidden.contains(finding)
            }
            _ => true,
        });
    }

    /// Takes out of an event what it says of such an article: of a report only that there was one is shown.
    pub(crate) fn of_event(&self, event: &mut Event) {
        match event {
            Event::Report { provision, place, note, .. } if provision.as_ref().is_some_and(|id| self.has(id)) => {
                (*provision, *place, *note) = (None, None, Name::default());
            }
            Event::Correct { event: Some(event), .. } => self.of_event(event),
            _ => {}
        }
    }
}
