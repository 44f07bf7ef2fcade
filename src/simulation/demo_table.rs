//! The simulated table of twins: it is dealt by moving the devices' sensors, at a person's pace or as fast as the
//! table takes it in.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use sabot_wire::message::Observation;

use super::deviations::{Deviating, Done};
use super::table_sensors::TableSensors;
use super::twin::Twins;
use sabot_law::table::{Answer, Event, LineNo};

/// How long the table may take to note one event before somebody is told.
const PATIENCE: Duration = Duration::from_secs(3);

/// How fast is dealt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// So many times as fast as a person.
    Times(f64),
    /// As fast as the table takes it in.
    Max,
}

/// A text that is no speed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a speed is a number above 0 (1 is a human dealer, 10 ten times as fast) or max")]
pub struct NotASpeed;

impl FromStr for Speed {
    type Err = NotASpeed;

    fn from_str(text: &str) -> Result<Self, NotASpeed> {
        match text.parse::<f64>() {
            _ if text == "max" => Ok(Self::Max),
            Ok(times) if times > 0.0 && times.is_finite() => Ok(Self::Times(times)),
            _ => Err(NotASpeed),
        }
    }
}

/// What the dealer tells while dealing.
#[derive(Debug, Clone)]
pub enum Progress {
    /// A pass is over and the table has noted all of it.
    Pass(PassDealt),
    /// The table does not take in what happens; the dealer waits for it.
    Waits,
}

/// A pass, dealt.
#[derive(Debug, Clone)]
pub struct PassDealt {
    /// Number, from 1.
    pub pass: u64,
    /// Hands that were dealt, those of a split each.
    pub hands: usize,
    /// Cards that left the shoe.
    pub cards: usize,
    /// What was done on purpose against the book.
    pub done: Vec<Done>,
}

/// Who knows what is found.
pub trait Judge: Send {
    /// Whether a pass that deviates so, told to its end on that table, is one to be dealt next.
    fn wants(&mut self, table: Deviating) -> bool;

    /// What is answered to an event.
    fn step(&mut self, line: LineNo, event: &Event, answers: &mut Vec<Answer>);
}

/// Ways to deviate that are tried for a pass that is to deviate as somebody wants.
const TRIES: usize = 3_000;

/// The dealer was told to stop.
struct Stopped;

/// A simulated table whose events the twins see.
pub struct DemoTable {
    table: Deviating,
    judge: Box<dyn Judge>,
    twins: Arc<Twins>,
    speed: Speed,
    sensors: TableSensors,
}

impl DemoTable {
    /// The twins' table. Its people see to what the judge finds.
    #[must_use]
    pub fn new(table: Deviating, judge: Box<dyn Judge>, twins: Arc<Twins>, speed: Speed) -> Self {
        let sensors = TableSensors::of(table.max_hands());
        Self { table, judge, twins, speed, sensors }
    }

    /// Deals `passes` passes, or until something comes from `stop` or its sender is gone. What is told to `progress` is
    /// told after the table has noted it. With `deviates`, every second pass, from the first, deviates as the judge
    /// wants.
    pub fn deal(
        mut self,
        passes: Option<u64>,
        deviates: bool,
        stop: &Receiver<()>,
        mut progress: impl FnMut(Progress),
    ) {
        let (mut answers, mut pass, mut owing) = (Vec::new(), 0, false);
        while passes.is_none_or(|passes| pass < passes) {
            pass += 1;
            owing |= pass % 2 == 1;
            let tries = if owing && deviates { TRIES } else { 0 };
            owing &= !self.table.next_pass_that(tries, |trial| self.judge.wants(trial));
            let mut cards = 0;
            while !self.table.is_between_passes() {
                let (line, event) = self.table.next_event();
                if self.happens(&event, stop, &mut progress).is_err() {
                    return;
                }
                answers.clear();
                self.judge.step(line, &event, &mut answers);
                self.table.answered(&answers);
                cards += usize::from(matches!(event, Event::Draw { .. }));
            }
            let done = self.table.done().to_vec();
            progress(Progress::Pass(PassDealt { pass, hands: self.table.hands(), cards, done }));
        }
    }

    /// One event: the sensors see it, and the table has noted it before the next one happens.
    fn happens(
        &mut self,
        event: &Event,
        stop: &Receiver<()>,
        progress: &mut impl FnMut(Progress),
    ) -> Result<(), Stopped> {
        self.pause(event, stop)?;
        let mut seen = Vec::new();
        self.sensors.see(event, &mut seen);
        if matches!(event, Event::Correct { .. }) {
            // what a person enters meanwhile is no part of it
            self.noted(stop, progress)?;
            self.twins.saw_together(seen);
            return self.noted(stop, progress);
        }
        let card = matches!(event, Event::Draw { .. });
        for one in seen {
            // the ports of two devices keep no common order: only a card and its antenna belong together
            let arrives = card && matches!(one, Observation::Chips(_));
            if !arrives {
                self.noted(stop, progress)?;
            }
            self.twins.saw(one);
        }
        self.noted(stop, progress)
    }

    /// Waits until the table has noted everything that was seen.
    fn noted(&self, stop: &Receiver<()>, progress: &mut impl FnMut(Progress)) -> Result<(), Stopped> {
        while !self.twins.wait_idle(PATIENCE) {
            going_on(stop)?;
            progress(Progress::Waits);
        }
        going_on(stop)
    }

    /// The time a person takes for it.
    fn pause(&self, event: &Event, stop: &Receiver<()>) -> Result<(), Stopped> {
        let Speed::Times(times) = self.speed else { return Ok(()) };
        let pause = Duration::from_millis(pace_ms(event)).div_f64(times);
        match stop.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Ok(()) | Err(RecvTimeoutError::Disconnected) => Err(Stopped),
        }
    }
}

fn going_on(stop: &Receiver<()>) -> Result<(), Stopped> {
    match stop.try_recv() {
        Err(TryRecvError::Empty) => Ok(()),
        Ok(()) | Err(TryRecvError::Disconnected) => Err(Stopped),
    }
}

/// How long a person takes before this happens, milliseconds.
#[must_use]
pub const fn pace_ms(event: &Event) -> u64 {
    match event {
        Event::Shuffle { .. } => 4000,
        Event::Load { .. } | Event::Cut { .. } => 2000,
        Event::End {} => 1500,
        Event::Draw { .. } | Event::Decide { .. } | Event::Ace { .. } | Event::CloseBets {} | Event::Rule { .. } => 900,
        Event::Ask { .. } | Event::Reveal { .. } | Event::Authorize { .. } | Event::Choose { .. } => 800,
        Event::Collect { .. } | Event::Pay { .. } | Event::Consent { .. } | Event::Bet { .. } => 700,
        _ => 400,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_number_above_nothing_or_max() {
        assert_eq!("max".parse(), Ok(Speed::Max));
        assert_eq!("2.5".parse(), Ok(Speed::Times(2.5)));
        for text in ["0", "-1", "fast", "NaN", "inf", ""] {
            assert_eq!(text.parse::<Speed>(), Err(NotASpeed), "{text}");
        }
    }
}
