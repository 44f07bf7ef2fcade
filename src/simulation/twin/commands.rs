//! One twin driven by lines: for a technician at a terminal, or a script.

use std::fmt;
use std::io::BufRead;
use std::time::Duration;

use sabot_wire::message::{Observation, Role};

use super::{Twin, TwinError};

/// A line that is no observation and no lever. The twin goes on with the next.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}; a line is one observation, such as {example}, or one of unplug, plug, restart, pair")]
pub struct BadLine {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
    /// A line that this twin takes.
    pub example: &'static str,
}

/// What is wrong with a line.
#[derive(Debug)]
pub enum Problem {
    /// It is no observation.
    Json(serde_json::Error),
    /// The device has no sensor for it.
    Twin(TwinError),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Twin(error) => error.fmt(f),
        }
    }
}

/// Drives a twin by `commands`. A line is an observation as JSON (`{"Shoe":{"Drawn":"KS"}}`) or a lever: `unplug`,
/// `plug`, `restart`, or `pair`, which lets it take another key than it has. Blank lines and lines from `#` on are
/// passed over. After the last line it waits until the host has acknowledged everything, and ends.
///
/// `complain` gets each line that makes no sense.
///
/// # Errors
/// When the commands cannot be read.
pub fn run_commands(twin: &Twin, commands: impl BufRead, mut complain: impl FnMut(BadLine)) -> Result<(), TwinError> {
    let role = twin.role();
    for (number, text) in commands.lines().enumerate() {
        let text = text.map_err(|source| TwinError::Commands { role, source })?;
        if let Err(problem) = obey(twin, text.trim()) {
            complain(BadLine { line: number + 1, problem, example: example(role) });
        }
    }
    while !twin.wait_idle(Duration::from_secs(3600)) {}
    Ok(())
}

fn obey(twin: &Twin, text: &str) -> Result<(), Problem> {
    match text {
        "unplug" => twin.unplug(),
        "plug" => twin.plug(),
        "restart" => twin.restart(),
        "pair" => twin.allow_pairing(),
        text if text.is_empty() || text.starts_with('#') => {}
        text => {
            let saw: Observation = serde_json::from_str(text).map_err(Problem::Json)?;
            twin.saw(saw).map_err(Problem::Twin)?;
        }
    }
    Ok(())
}

const fn example(role: Role) -> &'static str {
    match role {
        Role::Shoe => r#"{"Shoe":{"Drawn":"KS"}}"#,
        Role::Shuffler => r#"{"Shuffler":{"Done":{"decks":8,"cards":416}}}"#,
        Role::Chips => r#"{"Chips":{"Spot":{"box_no":1,"hand":0,"spot":"main","chips":[{"uid":1,"value":50000}]}}}"#,
        Role::Keypad => r#"{"Keypad":"CloseBets"}"#,
        Role::Display => "restart",
    }
}
