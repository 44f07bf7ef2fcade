//! Several lines of readers as one device: it is there while every line is, and tells what each of them saw.

use tokio::sync::{mpsc, watch};

use super::{FeigLine, ReaderLines, spawn_line};
use crate::link::{Link, LinkReport};
use sabot_wire::message::Role;

/// Reports of all lines that wait to be told on.
const QUEUE: usize = 64;

/// Starts the lines. One alone needs nobody between.
pub(super) fn spawn(
    mut lines: Vec<FeigLine>,
    known: &ReaderLines,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    if lines.len() == 1
        && let Some(line) = lines.pop()
    {
        return spawn_line(line, known, reports, shutdown);
    }
    let (sender, mut queue) = mpsc::channel(QUEUE);
    let mut all = All::new(lines.iter().map(|line| line.place.to_string()).collect());
    let links: Vec<Link> = lines
        .into_iter()
        .enumerate()
        .map(|(at, line)| {
            let (one, mut reported) = mpsc::channel(1);
            let link = spawn_line(line, known, one, shutdown.clone());
            let sender = sender.clone();
            tokio::spawn(async move {
                while let Some((_, report)) = reported.recv().await {
                    if sender.send((at, report)).await.is_err() {
                        return;
                    }
                }
            });
            link
        })
        .collect();
    tokio::spawn(async move {
        while let Some((at, report)) = queue.recv().await {
            for report in all.hear(at, report) {
                if reports.send((Role::Chips, report)).await.is_err() {
                    return;
                }
            }
        }
    });
    Link::of_all(&links)
}

/// How one line is.
#[derive(Debug)]
struct Line {
    name: String,
    /// What it last said of its readers' presence.
    state: LinkReport,
}

/// All lines of a device.
#[derive(Debug)]
struct All {
    lines: Vec<Line>,
    /// What was last told of them together.
    told: Option<LinkReport>,
}

impl All {
    fn new(names: Vec<String>) -> Self {
        let line = |name| Line { name, state: LinkReport::Connecting };
        Self { lines: names.into_iter().map(line).collect(), told: None }
    }

    /// A line reports; what the device reports for it.
    fn hear(&mut self, at: usize, report: LinkReport) -> Vec<LinkReport> {
        let (Some(line), true) = (self.lines.get_mut(at), is_state(&report)) else { return vec![report] };
        let is_online = matches!(report, LinkReport::Online { .. });
        line.state = report;
        let together = self.together();
        // readers that say hello again have restarted, which is news once all are there
        let restarted = is_online && matches!(together, LinkReport::Online { .. });
        if self.told.as_ref() == Some(&together) && !restarted {
            return Vec::new();
        }
        self.told = Some(together.clone());
        vec![together]
    }

    /// The device is as its worst line is.
    fn together(&self) -> LinkReport {
        let worst = self.lines.iter().max_by_key(|line| rank(&line.state));
        let Some(Line { name, state }) = worst else { return LinkReport::Connecting };
        match state {
            LinkReport::Absent(why) => LinkReport::Absent(format!("{name}: {why}")),
            LinkReport::Refused { why, distrust } => {
                LinkReport::Refused { why: format!("{name}: {why}"), distrust: *distrust }
            }
            // the first line speaks for all that are well
            LinkReport::Online { .. } => self.lines.first().map_or(LinkReport::Connecting, |line| line.state.clone()),
            state => state.clone(),
        }
    }
}

const fn is_state(report: &LinkReport) -> bool {
    rank(report) > 0
}

/// The worse, the higher; 0 for what is none of a line's states.
const fn rank(report: &LinkReport) -> u8 {
    match report {
        LinkReport::Online { .. } => 1,
        LinkReport::Connecting => 2,
        LinkReport::Absent(_) => 3,
        LinkReport::Refused { .. } => 4,
        _ => 0,
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
