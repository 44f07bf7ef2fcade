//! What the people of the demo's table know of findings: what has to be done about one, and how to come to one that
//! was asked for.

use sabot_law::regulation::Kind;
use sabot_law::table::{Answer, Event, Header, LineNo};
use sabot_law::validator::{NoRegulation, Validator};
use sabot_simulation::demo_table::Judge;
use sabot_simulation::deviations::Deviating;

/// A validator beside the table.
#[derive(Debug)]
pub(super) struct DemoJudge {
    validator: Validator,
    /// The provisions asked for, and how often each came.
    wanted: Vec<(&'static str, u64)>,
}

/// A provision that nobody at the table can break.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotWanted {
    /// There is none of that name.
    #[error("{regulation} has no provision `{id}`; sabot regulation list names all")]
    Unknown { regulation: String, id: String },
    /// Only a person can tell of it.
    #[error("no device of the table sees `{0}`: a person reports it")]
    Reported(&'static str),
    /// There is no such regulation.
    #[error(transparent)]
    Regulation(#[from] NoRegulation),
}

impl DemoJudge {
    /// At a table of that header, for passes in which one of these provisions is broken.
    pub(super) fn new(header: &Header, ids: &[String]) -> Result<Self, NotWanted> {
        let validator = Validator::new(header.clone())?;
        let regulation = validator.regulation();
        let wanted = ids.iter().map(|id| {
            let unknown = || NotWanted::Unknown { regulation: regulation.id.to_string(), id: id.clone() };
            let named = |known: &str| known.eq_ignore_ascii_case(id);
            let article = regulation.articles.iter().find(|article| named(article.id)).ok_or_else(unknown)?;
            if article.kind == Kind::Reported { Err(NotWanted::Reported(article.id)) } else { Ok((article.id, 0)) }
        });
        let wanted = wanted.collect::<Result<_, _>>()?;
        Ok(Self { validator, wanted })
    }
}

impl Judge for DemoJudge {
    fn wants(&mut self, mut table: Deviating) -> bool {
        // any will do where none was asked for
        let Some(&(least, _)) = self.wanted.iter().min_by_key(|(_, came)| *came) else { return true };
        let (mut validator, mut answers, mut came) = (self.validator.clone(), Vec::new(), false);
        while !table.is_between_passes() {
            let (line, event) = table.next_event();
            validator.step(line, &event, &mut answers);
            table.answered(&answers);
            // to the devices, chips moved out of time look like other things
            let chips = matches!(event, Event::Collect { .. } | Event::Pay { .. });
            for answer in answers.drain(..) {
                match answer {
                    Answer::Finding(_) if chips => return false,
                    Answer::Finding(finding) if finding.provision == least => came = true,
                    Answer::Finding(_) | Answer::Breach { .. } => return false,
                    _ => {}
                }
            }
        }
        came
    }

    fn step(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>) {
        let from = answers.len();
        self.validator.step(line, event, answers);
        for answer in &answers[from..] {
            if let Answer::Finding(finding) = answer
                && let Some((_, came)) = self.wanted.iter_mut().find(|(id, _)| *id == finding.provision)
            {
                *came += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sabot_simulation::deviations::Options;
    use sabot_simulation::workload::{HOUSES, Settings};

    use super::*;

    #[test]
    fn nothing_is_found_but_what_was_asked_for_however_long_the_shoe() {
        for seed in [7, 8] {
            let mut table = Deviating::new(Options::seen_by_devices(Settings { seed, ..Settings::of(HOUSES[0]) }));
            let mut judge = DemoJudge::new(table.header(), &["C7".to_owned()]).unwrap();
            let (mut events, mut found) = (Vec::new(), Vec::new());
            for pass in 0..20 {
                if pass % 2 == 0 {
                    table.next_pass_that(3_000, |trial| judge.wants(trial));
                }
                table.next_pass(&mut events, |line, event, answers| {
                    judge.step(line, event, answers);
                    found.extend(answers.iter().filter_map(|answer| match answer {
                        Answer::Finding(finding) => Some(finding.provision),
                        _ => None,
                    }));
                });
            }
            assert!(found.len() > 5 && found.iter().all(|provision| *provision == "C7"), "seed {seed}: {found:?}");
        }
    }
}
