//! The verdict in the record: which face people were shown from which line on.

use super::{Links, TableTask, about};
use crate::verdict::UNTOLD;

/// So many changes are told in a minute. A device on a bad plug would fill the record with more.
const IN_A_MINUTE: u32 = 20;

/// What the record was told of the verdict.
#[derive(Debug)]
pub(super) struct Shown {
    /// In its last line; empty where people must be told anew.
    told: String,
    /// As it stands.
    now: String,
    /// Lines that this minute bears.
    left: u32,
    /// Changes since the last line that were not told.
    untold: u32,
}

impl Shown {
    pub(super) const fn new() -> Self {
        Self { told: String::new(), now: String::new(), left: IN_A_MINUTE, untold: 0 }
    }

    /// A minute has passed.
    pub(super) const fn minute(&mut self) {
        self.left = IN_A_MINUTE;
    }

    /// Another record begins, or this one has not heard what was shown: it is told anew.
    pub(super) fn forget(&mut self) {
        (self.told, self.untold) = (String::new(), 0);
    }

    /// What to tell of a verdict, where anything is.
    fn news(&mut self, verdict: String) -> Option<String> {
        if verdict != self.now {
            self.now = verdict;
            self.untold += 1;
        }
        if self.left == 0 || (self.now == self.told && self.untold == 0) {
            return None;
        }
        self.left -= 1;
        let others = std::mem::take(&mut self.untold).saturating_sub(1);
        self.told.clone_from(&self.now);
        Some(if others == 0 { self.told.clone() } else { format!("{} {UNTOLD} {others}", self.told) })
    }
}

impl<L: Links> TableTask<L> {
    /// The record is told what people are shown, where that has changed. While it does not grow it is told nothing:
    /// such lines would only pile up, and what kept it from growing is told afterwards.
    pub(super) fn say_verdict(&mut self) {
        if self.unwritten.hindrance().is_some() {
            return self.shown.forget();
        }
        let verdict = self.snapshots.borrow().verdict.on_record();
        if let Some(news) = self.shown.news(verdict) {
            self.say(|_| about::verdict(&news));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::about::About;
    use crate::snapshot::Face;
    use crate::table_task::tests::{Bench, config};
    use crate::verdict;
    use sabot_law::table::line;
    use sabot_wire::message::{DeviceState, Observation, Role};

    /// What lines of a record tell of the verdict, without the time, and what people read of it.
    fn told(lines: &[String]) -> Vec<(String, String)> {
        let words = lines.iter().filter_map(|line| {
            let event = line::event(line.as_bytes()).unwrap();
            let words = verdict::told(&event)?;
            assert!(!line.contains("\"answers\""), "{line}");
            let (_, detail) = sabot_journal::clock::station_line(&event)?;
            Some((detail?.split(" at ").next()?.to_owned(), words.en))
        });
        words.collect()
    }

    #[tokio::test]
    async fn what_people_are_shown_stands_in_the_record_from_when_they_were_and_nothing_while_it_does_not_grow() {
        let about = |config: &_, validator: &_| Some(About::of(config, validator));
        let mut bench = Bench::start_telling(config(Duration::ZERO), about).await;
        bench.until(|snapshot| snapshot.verdict.face == Face::Clear).await;
        bench.saw(Role::Shoe, Observation::Device(DeviceState::RingFull)).await;
        bench.until(|snapshot| snapshot.verdict.stop()).await;
        bench.disk.with(|disk| disk.sync_fails = true);
        bench.saw(Role::Shoe, Observation::Device(DeviceState::RingFree)).await;
        bench.until(|snapshot| snapshot.figures.unwritable).await;
        let before = bench.snapshots.borrow().line;
        for state in [DeviceState::RingFull, DeviceState::RingFree].into_iter().cycle().take(20) {
            bench.saw(Role::Shoe, Observation::Device(state)).await;
        }
        // each is told by two lines
        let snapshot = bench.until(|snapshot| snapshot.line >= before + 40).await;
        assert!(snapshot.figures.unwritable && snapshot.line == before + 40, "{}", snapshot.line - before);
        bench.disk.with(|disk| disk.sync_fails = false);
        bench.until(|snapshot| snapshot.verdict.face == Face::Look && !snapshot.figures.unwritable).await;
        let (_, lines) = bench.stop().await;
        let told = told(&lines);
        let faces: Vec<&str> = told.iter().map(|(face, _)| face.as_str()).collect();
        let came = [
            "blind stop shoe shuffler chips keypad",
            "blind shuffler chips keypad",
            "blind chips keypad",
            "blind keypad",
            "look display",
            "clear",
            "blind stop shoe",
        ];
        let (before, after) = faces.split_at(came.len());
        assert_eq!(before, came, "{faces:?}");
        let stop =
            "shown: What is dealt is not seen or not recorded: stop dealing. Only what is seen is judged. · shoe";
        assert_eq!(told[6].1, stop);
        // once before the disk failed, if that was not noticed first; and then, told anew
        assert!(matches!(after, ["look notice"] | ["look notice", "look notice"]), "{faces:?}");
        let of = |status: &str| lines.iter().rposition(|line| line.contains(&format!("\"status\":\"{status}\"")));
        assert!(of("verdict") > of("record_fault") && of("record_fault").is_some(), "told anew: {lines:#?}");
    }

    #[test]
    fn a_change_is_told_once_and_of_those_that_come_too_often_how_many_there_were() {
        let mut shown = Shown::new();
        assert_eq!(shown.news("clear".to_owned()).as_deref(), Some("clear"));
        assert_eq!(shown.news("clear".to_owned()), None);
        let flutters = |shown: &mut Shown, times: usize| {
            let faces = ["blind shoe", "clear"].into_iter().cycle().take(times);
            faces.filter_map(|face| shown.news(face.to_owned())).count()
        };
        assert_eq!(flutters(&mut shown, 1_000), IN_A_MINUTE as usize - 1);
        shown.minute();
        // 19 of the 1,000 were told, and it is clear again
        assert_eq!(shown.news("clear".to_owned()).as_deref(), Some("clear untold 980"));
        assert_eq!(shown.news("clear".to_owned()), None);
        shown.forget();
        assert_eq!(shown.news("clear".to_owned()).as_deref(), Some("clear"));
    }
}
