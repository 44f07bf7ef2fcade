//! Findings for surveillance alone: those of some articles. They stand in the record, and whoever may know leads their
//! remedy; nothing that is shown at the table tells of them.

use std::sync::Arc;

use sabot_law::table::answer::Finding;
use sabot_law::table::{Answer, Event, Name};
use serde_json::Value;

use super::sourced_event::of_station;
use super::staff::Office;

/// What is shown of a line that only who may know is told, in the place of its event.
const SURVEILLANCE: &str = "surveillance";

/// Who may be told: none who sits or stands at the table.
pub(crate) const MAY_KNOW: [Office; 3] = [Office::Surveillance, Office::Room, Office::Auditor];

/// The articles whose findings are for surveillance alone, and who else is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silent {
    articles: Arc<[Name]>,
    told_to: Arc<[Office]>,
    /// A report that names no article comes under one of them.
    unnamed: bool,
}

impl Silent {
    /// Those of these articles, told to these offices; `not_provided_for` is that of reports which name none.
    pub(crate) fn under(articles: Vec<Name>, told_to: Vec<Office>, not_provided_for: &str) -> Self {
        let unnamed = articles.iter().any(|article| article == not_provided_for);
        Self { articles: articles.into(), told_to: told_to.into(), unnamed }
    }

    fn has(&self, article: &str) -> bool {
        self.articles.iter().any(|silent| silent == article)
    }

    /// No article is silent.
    pub(crate) fn is_empty(&self) -> bool {
        self.articles.is_empty()
    }

    /// Whether somebody of these offices may know.
    pub(crate) fn is_told_to(&self, offices: &[Office]) -> bool {
        offices.iter().any(|office| self.told_to.contains(office))
    }

    /// Whether a finding is not shown at the table.
    pub(crate) fn hides(&self, finding: &Finding) -> bool {
        self.has(finding.provision)
    }

    /// Takes out of a line's answers what is not shown; `hidden` are the numbers of all findings that were not.
    pub(super) fn of_answers(&self, answers: &mut Vec<Answer>, hidden: &mut Vec<u64>) {
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

    /// The same of answers as the record has them.
    pub(crate) fn of_recorded(&self, answers: &mut Vec<Value>, hidden: &mut Vec<u64>) {
        answers.retain(|answer| {
            if answer["out"] == "finding" {
                let is_silent = answer["provision"].as_str().is_some_and(|id| self.has(id));
                hidden.extend(answer["n"].as_u64().filter(|_| is_silent));
                return !is_silent;
            }
            answer["finding"].as_u64().is_none_or(|n| !hidden.contains(&n))
        });
    }

    /// Takes out of an event what it says of such an article or finding: of a report only that there was one is shown,
    /// of what is done about a finding only that the line is for others.
    pub(super) fn of_event(&self, event: &mut Event, is_hidden: &dyn Fn(&Event) -> bool) {
        match event {
            Event::Report { provision, place, note, .. }
                if provision.as_ref().map_or(self.unnamed, |id| self.has(id)) =>
            {
                (*provision, *place, *note) = (None, None, Name::default());
            }
            Event::Correct { event: Some(event), .. } => self.of_event(event, is_hidden),
            _ if is_hidden(event) => *event = of_station(SURVEILLANCE, ""),
            _ => {}
        }
    }
}
