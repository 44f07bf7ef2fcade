//! A table whose passes are dealt by the book, deviate from it, and go on as findings ask.

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::remedies::is_out;
use super::{Deviation, Done, Scene, apply, carry_out};
use crate::workload::{Dealer, Settings};
use sabot_law::table::settings::Changes;
use sabot_law::table::{Answer, Event, HandId, Header, LineNo, Name, Place, Rules, Sight};

/// How a table deviates.
#[derive(Debug, Clone)]
pub struct Options {
    /// How a pass is dealt before it deviates.
    pub settings: Settings,
    /// In how many of the passes, 0 to 1.
    pub rate: f64,
    /// At most so many deviations in one pass.
    pub most: usize,
    /// Which.
    pub deviations: Vec<Deviation>,
    /// How many of the findings are done something about, 0 to 1.
    pub carried_out: f64,
    /// Of those, how many in full and at once.
    pub in_full: f64,
    /// How many of the tables lack some of their sights, 0 to 1.
    pub blind: f64,
}

impl Options {
    /// Every deviation, up to three in every second pass, most findings seen to, every fourth table lacking sights.
    #[must_use]
    pub fn of(settings: Settings) -> Self {
        let deviations = Deviation::ALL.to_vec();
        Self { settings, rate: 0.5, most: 3, deviations, carried_out: 0.7, in_full: 0.5, blind: 0.25 }
    }

    /// What the devices of a table can tell of, one at a time and where it is asked for, all findings seen to.
    #[must_use]
    pub fn seen_by_devices(settings: Settings) -> Self {
        let settings = Settings { seen_by_devices: true, ..settings };
        let deviations = Deviation::SEEN_BY_DEVICES.to_vec();
        Self { settings, rate: 0.0, most: 1, deviations, carried_out: 1.0, in_full: 1.0, blind: 0.0 }
    }
}

/// A table that deviates from the book.
#[derive(Debug, Clone)]
pub struct Deviating {
    dealer: Dealer,
    header: Header,
    options: Options,
    rng: ChaCha8Rng,
    /// The pass as planned, and the line that each event of it got.
    planned: Vec<Event>,
    lines: Vec<LineNo>,
    /// The line that its first event has where nothing is put in between.
    first: LineNo,
    /// The pass as told.
    told: Vec<Event>,
    /// What is done about findings, each after so many further events.
    waiting: VecDeque<(usize, Event)>,
    line: LineNo,
    findings: u64,
    done: Vec<Done>,
}

impl Deviating {
    /// A table that has not been opened.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let dealer = Dealer::new(options.settings.clone());
        // what is done to the passes does not change how they are dealt
        let mut rng = ChaCha8Rng::seed_from_u64(options.settings.seed ^ 0x9E37_79B9_7F4A_7C15);
        let mut header = dealer.header().clone();
        if rng.random_bool(options.blind.clamp(0.0, 1.0)) {
            for &sight in Sight::ALL {
                header.observes.set(sight, rng.random_bool(0.6));
            }
        }
        Self {
            dealer,
            header,
            options,
            rng,
            planned: Vec::new(),
            lines: Vec::new(),
            first: 2,
            told: Vec::new(),
            waiting: VecDeque::new(),
            line: 1,
            findings: 0,
            done: Vec::new(),
        }
    }

    /// Line 1 of the log.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The same table under a regulation of another name, which comes to the same figures: its log begins so.
    #[must_use]
    pub fn under(mut self, id: Name, rules: Option<Rules>, settings: Changes) -> Self {
        self.dealer = self.dealer.under(id, rules, settings);
        self.header = Header { observes: self.header.observes, ..self.dealer.header().clone() };
        self
    }

    /// Hands a box may be split into.
    #[must_use]
    pub fn max_hands(&self) -> u8 {
        self.dealer.max_hands()
    }

    /// Hands of the pass that is told, as it was dealt by the book.
    #[must_use]
    pub fn hands(&self) -> usize {
        self.dealer.hands()
    }

    /// What was done to the pass that is told.
    #[must_use]
    pub fn done(&self) -> &[Done] {
        &self.done
    }

    /// The events of the pass told so far, and the line of the first of them.
    #[must_use]
    pub fn told(&self) -> (LineNo, &[Event]) {
        (self.first, &self.told)
    }

    /// Whether the pass has been told to its end.
    #[must_use]
    pub fn is_between_passes(&self) -> bool {
        self.lines.len() == self.planned.len() && self.waiting.is_empty()
    }

    /// The next line of the log and its event. The first one is line 2.
    pub fn next_event(&mut self) -> (LineNo, Event) {
        while self.is_between_passes() {
            self.deal();
            if self.rng.random_bool(self.options.rate.clamp(0.0, 1.0)) {
                self.deviate();
            }
        }
        let event = self.due().unwrap_or_else(|| self.next_planned());
        self.told.push(event.clone());
        (self.line, event)
    }

    /// Tells one pass to its end into `events`, whose room is used again. `step` answers each event, as something may
    /// be done about what is found.
    pub fn next_pass(&mut self, events: &mut Vec<Event>, mut step: impl FnMut(LineNo, &Event, &mut Vec<Answer>)) {
        events.clear();
        let mut answers = Vec::new();
        loop {
            let (line, event) = self.next_event();
            step(line, &event, &mut answers);
            self.answered(&answers);
            answers.clear();
            events.push(event);
            if self.is_between_passes() {
                return;
            }
        }
    }

    /// What is due of remedies comes before what is planned.
    fn due(&mut self) -> Option<Event> {
        let last = self.lines.len() == self.planned.len();
        if !last && self.waiting.front().is_none_or(|&(after, _)| after > 0) {
            self.waiting.iter_mut().for_each(|(after, _)| *after = after.saturating_sub(1));
            return None;
        }
        let (_, event) = self.waiting.pop_front()?;
        self.line += 1;
        Some(event)
    }

    fn next_planned(&mut self) -> Event {
        let mut event = self.planned[self.lines.len()].clone();
        if let Event::Correct { line, after, .. } = &mut event {
            for line in [line, after].into_iter().flatten() {
                *line = self.line_of(*line);
            }
        }
        self.line += 1;
        self.lines.push(self.line);
        event
    }

    /// The line that a planned line has become.
    fn line_of(&self, planned: LineNo) -> LineNo {
        let at = planned.checked_sub(self.first).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.lines.get(at)).copied().unwrap_or(planned)
    }

    /// The next pass by the book, to be told.
    fn deal(&mut self) {
        self.dealer.next_pass(&mut self.planned);
        let observes = self.header.observes;
        self.planned = self.planned.iter().filter_map(|event| observes.told(event)).collect();
        self.first = self.line + 1;
        self.done = Vec::new();
        self.lines.clear();
        self.told.clear();
    }

    fn deviate(&mut self) {
        let all = &self.options.deviations;
        if all.is_empty() {
            return;
        }
        let count = self.rng.random_range(1..=self.options.most.max(1));
        let ways: Vec<Deviation> = (0..count).map(|_| all[self.rng.random_range(0..all.len())]).collect();
        let scene = Scene { header: &self.header, first: self.first, findings: self.findings };
        self.done = apply(&mut self.rng, &ways, scene, &mut self.planned);
    }

    /// Between passes: deals the next one so that it deviates as wanted, where one of so many ways to do so is, else by
    /// the book. Each way is tried on a table of its own, whose pass can be told to its end to see what comes of it.
    /// Whether one was wanted.
    pub fn next_pass_that(&mut self, tries: usize, mut wanted: impl FnMut(Self) -> bool) -> bool {
        self.deal();
        (0..tries).any(|_| {
            let mut trial = self.clone();
            trial.rng = ChaCha8Rng::seed_from_u64(self.rng.random());
            trial.deviate();
            let is_wanted = !trial.done.is_empty() && wanted(trial.clone());
            if is_wanted {
                *self = trial;
            }
            is_wanted
        })
    }

    /// Nothing more is dealt, asked or settled for a hand; for the first of a box, nor for its others.
    fn leaves_out(&mut self, hand: HandId) {
        let is_of = |one: &HandId| one.box_no == hand.box_no && (hand.hand == 0 || *one == hand);
        let is_at = |place: &Place| matches!(place, Place::Hand(one) if is_of(one));
        let rest = self.planned.split_off(self.lines.len());
        self.planned.extend(rest.into_iter().filter(|event| match event {
            Event::Draw { to: Some(at), .. }
            | Event::Announce { place: Some(at), .. }
            | Event::Reveal { at, .. }
            | Event::Move { from: at, .. } => !is_at(at),
            Event::Bet { hand, .. }
            | Event::Ask { hand, .. }
            | Event::Decide { hand, .. }
            | Event::Ace { hand, .. }
            | Event::Collect { hand, .. }
            | Event::Pay { hand, .. } => !is_of(hand),
            _ => true,
        }));
    }

    /// What is served to carry something out comes from the shoe, where devices see what does: a card that was seen as
    /// often as there are decks is a finding of its own.
    fn are_served(&mut self, events: &mut [Event]) {
        for event in events.iter_mut().filter(|_| self.options.settings.seen_by_devices) {
            if let Event::Draw { card, .. } = event {
                *card = self.dealer.serves_like(*card).unwrap_or(*card);
            }
        }
    }

    /// What was answered to the event told last: something may be done about it.
    pub fn answered(&mut self, answers: &[Answer]) {
        for answer in answers {
            let Answer::Finding(finding) = answer else { continue };
            self.findings = finding.n;
            if finding.remedy.is_empty() || !self.rng.random_bool(self.options.carried_out.clamp(0.0, 1.0)) {
                continue;
            }
            let scene = Scene { header: &self.header, first: self.first, findings: self.findings };
            let fully = self.rng.random_bool(self.options.in_full.clamp(0.0, 1.0));
            let mut events = carry_out(&mut self.rng, finding.n, &finding.remedy, scene, &self.told, fully);
            let observes = self.header.observes;
            events.retain(|event| observes.told(event).is_some());
            self.are_served(&mut events);
            if let Some(out) = is_out(&finding.remedy, &events).filter(|_| fully) {
                self.leaves_out(out);
            }
            let after = if fully || self.rng.random_bool(0.7) { 0 } else { self.rng.random_range(1..6) };
            self.waiting.extend(events.into_iter().map(|event| (after, event)));
        }
    }
}
