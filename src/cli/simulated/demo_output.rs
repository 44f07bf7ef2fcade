//! What the demo prints: quiet, one line a pass, and every finding with what becomes of it.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sabot_law::table::answer::Lang;
use sabot_law::table::{Severity, words};
use sabot_simulation::demo_table::{PassDealt, Speed};
use sabot_simulation::twin::{Screen, Twins};
use sabot_station::config::Config;
use sabot_station::snapshot::{FindingState, FindingView, Snapshot};

/// How long the pit display may take to show a new finding.
const SHOWN: Duration = Duration::from_millis(300);

/// Rows written one after the other are one picture.
const STILL: Duration = Duration::from_millis(15);

/// What a pass takes a person, about.
const PASS_SECONDS: f64 = 60.0;

const BOLD: &str = "1";
const RED: &str = "1;31";
const AMBER: &str = "33";
const GREEN: &str = "32";
const DIM: &str = "2";

/// The terminal, and what has been told on it.
pub(super) struct DemoOutput {
    lang: Lang,
    coloured: bool,
    told: HashMap<u64, FindingState>,
    /// Findings by provision: all, and those that ended in a breach.
    counts: BTreeMap<&'static str, (u64, u64)>,
    /// When the screen that was told last came to be.
    screen: Option<Instant>,
    passes: u64,
    cards: usize,
}

impl DemoOutput {
    pub(super) fn new(lang: Lang) -> Self {
        let coloured = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Self { lang, coloured, told: HashMap::new(), counts: BTreeMap::new(), screen: None, passes: 0, cards: 0 }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A reader that has gone away is no reason to stop dealing.
    fn say(&self, line: &str) {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }

    pub(super) fn opening(&self, page: &str, config: &Config, seed: u64, speed: Speed) {
        self.say(&format!("page     {}", self.paint(BOLD, page)));
        self.say(&format!(
            "table    {}, regulation {}, seed {seed}; {}Ctrl-C ends it",
            config.header.table,
            config.header.regulation,
            pace(speed)
        ));
    }

    pub(super) fn pass(&mut self, dealt: &PassDealt) {
        self.passes += 1;
        self.cards += dealt.cards;
        let PassDealt { pass, hands, cards, done } = dealt;
        let ways: Vec<String> = done.iter().map(|done| done.deviation.to_string()).collect();
        let how = if ways.is_empty() { "by the book".to_owned() } else { format!("on purpose: {}", ways.join(", ")) };
        self.say(&format!("pass {pass:<4} {hands} hands, {cards} cards, {how}"));
    }

    pub(super) fn waits(&self) {
        self.say(&self.paint(AMBER, "the dealer waits: the station does not take in what the devices see"));
    }

    /// Tells what is new about findings, and what the pit display shows when one is raised.
    pub(super) async fn findings(&mut self, snapshot: &Snapshot, twins: &Arc<Twins>) {
        for view in snapshot.findings.iter().rev() {
            let before = self.told.insert(view.finding.n, view.state);
            if before == Some(view.state) {
                continue;
            }
            if before.is_none() {
                self.raised(view);
                self.display(view, twins).await;
            }
            self.ended(view);
        }
        // what has left the snapshot is over
        if let Some(oldest) = snapshot.findings.iter().map(|view| view.finding.n).min() {
            self.told.retain(|&n, _| n >= oldest);
        }
    }

    fn raised(&mut self, view: &FindingView) {
        let finding = &view.finding;
        self.counts.entry(finding.provision).or_default().0 += 1;
        let (mark, colour) = match finding.severity {
            Severity::Notice => ("·", AMBER),
            Severity::Irregularity | Severity::Integrity => ("!", RED),
        };
        let place =
            finding.place.map_or_else(String::new, |place| format!(" [{}]", words::place(place).get(self.lang)));
        let head = self.paint(colour, &format!("{mark} {}{place}", finding.provision));
        self.say(&format!("  {head} {} (line {}) #{}", finding.text.get(self.lang), finding.line, finding.n));
        if !finding.remedy.is_empty() {
            self.say(&format!("      remedy: {}", words::remedies(&finding.remedy).get(self.lang)));
        }
    }

    fn ended(&mut self, view: &FindingView) {
        match view.state {
            FindingState::Noted | FindingState::Open => {}
            FindingState::Cleared => {
                self.say(&self.paint(GREEN, &format!("      cleared: {}", view.finding.provision)));
            }
            FindingState::Withdrawn => {
                self.say(&self.paint(GREEN, &format!("      withdrawn: {}", view.finding.provision)));
            }
            FindingState::Breach => {
                self.counts.entry(view.finding.provision).or_default().1 += 1;
                let missing = words::remedies(&view.missing);
                let line = format!("      breach: {}, not done: {}", view.finding.provision, missing.get(self.lang));
                self.say(&self.paint(RED, &line));
            }
        }
    }

    async fn display(&mut self, view: &FindingView, twins: &Arc<Twins>) {
        let (twins, provision) = (Arc::clone(twins), view.finding.provision);
        let shows = move || standing_still(&twins, provision);
        let Ok(Some(screen)) = tokio::task::spawn_blocking(shows).await else { return };
        // two findings at one card are one screen
        if self.screen.replace(screen.changed) != Some(screen.changed) {
            for line in screen.lines.iter().filter(|line| !line.is_empty()) {
                self.say(&self.paint(DIM, &format!("      pit display | {line}")));
            }
        }
    }

    pub(super) fn summary(&self, last: &Snapshot, journal: Option<&Path>) {
        let found: u64 = self.counts.values().map(|(all, _)| all).sum();
        let breaches: u64 = self.counts.values().map(|(_, breaches)| breaches).sum();
        let by: Vec<String> = self.counts.iter().map(|(provision, (all, _))| format!("{provision} {all}")).collect();
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        self.say(&format!(
            "{}, {}, {}{by}, {breaches} left in breach",
            counted(self.passes, "pass", "passes"),
            counted(self.cards as u64, "card", "cards"),
            counted(found, "finding", "findings"),
        ));
        if let Some(journal) = journal {
            self.say(&format!(
                "record   {} ({} lines); again: sabot replay {}",
                journal.display(),
                last.line,
                journal.display()
            ));
        }
    }
}

/// "1 pass", "2 passes".
fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// How long nothing may be seen to happen here, where that is long.
fn pace(speed: Speed) -> String {
    match speed {
        Speed::Times(times) if times < 20.0 => format!("a pass takes about {:.0} s; ", PASS_SECONDS / times),
        _ => String::new(),
    }
}

/// The pit display once it shows a finding under `provision` and all its rows are written.
fn standing_still(twins: &Twins, provision: &str) -> Option<Screen> {
    let names = |line: &String| line.split(' ').next() == Some(provision);
    let mut found = twins.wait_screen(SHOWN, |screen| screen.lines.iter().any(names))?;
    let began = found.changed;
    // rows are written from the top: what stands above the finding is this picture's, and changes only with the next
    let title = found.lines.iter().position(names)?;
    while let Some(later) = twins.wait_screen(STILL, |screen| screen.changed != found.changed) {
        let same = later.lines.get(..title) == found.lines.get(..title) && later.lines.get(title).is_some_and(names);
        if !same || later.changed.duration_since(began) > SHOWN {
            break;
        }
        found = later;
    }
    Some(found)
}
