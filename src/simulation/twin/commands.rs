//! One twin driven by lines: for a technician at a terminal, or a script.

use std::io::BufRead;
use std::time::Duration;

use sabot_wire::message::Role;

use super::{Twin, TwinError};
use crate::levers::{self, Lever, NoLever};

/// What a lever of a twin of ours does.
pub type Action = fn(&Twin);

/// What is done to a twin of ours, beside what its sensors see.
pub const LEVERS: &[Lever<Action>] = &[
    lever("unplug", "its cable is pulled", |rest| rest.is_empty().then_some(Twin::unplug)),
    lever("plug", "its cable is put back", |rest| rest.is_empty().then_some(Twin::plug)),
    lever("restart [lost]", "its power goes and comes; its ring stays, or is lost with it", |rest| match rest {
        "" => Some(Twin::restart),
        "lost" => Some(Twin::restart_without_memory),
        _ => None,
    }),
    lever("pair", "somebody holds the pairing switch: it takes another key than it has", |rest| {
        rest.is_empty().then_some(Twin::allow_pairing)
    }),
];

const fn lever(usage: &'static str, does: &'static str, read: fn(&str) -> Option<Action>) -> Lever<Action> {
    Lever { usage, does, read }
}

/// A line that is no observation and no lever. The twin goes on with the next.
#[derive(Debug, thiserror::Error)]
pub enum BadLine {
    /// It is no lever.
    #[error("{none}{}", or_observation(*.role))]
    Lever {
        /// Which there are.
        none: NoLever,
        /// Whose.
        role: Role,
    },
    /// It is no observation.
    #[error("no observation: {0}")]
    Observation(serde_json::Error),
    /// The device has no sensor for it.
    #[error(transparent)]
    Twin(#[from] TwinError),
}

/// Drives a twin by `commands`. A line is an observation as JSON (`{"Shoe":{"Drawn":"KS"}}`) or one of [`LEVERS`].
/// After the last line it waits until the host has acknowledged everything, and ends.
///
/// `complain` gets the number of each line that makes no sense.
///
/// # Errors
/// When the commands cannot be read.
pub fn run_commands(
    twin: &Twin,
    commands: impl BufRead,
    complain: impl FnMut(usize, BadLine),
) -> Result<(), TwinError> {
    let read = levers::each_line(commands, |line| obey(twin, line), complain);
    read.map_err(|source| TwinError::Commands { role: twin.role(), source })?;
    while !twin.wait_idle(Duration::from_secs(3600)) {}
    Ok(())
}

fn obey(twin: &Twin, line: &str) -> Result<(), BadLine> {
    if line.starts_with('{') {
        return Ok(twin.saw(serde_json::from_str(line).map_err(BadLine::Observation)?)?);
    }
    levers::read(LEVERS, line).map_err(|none| BadLine::Lever { none, role: twin.role() })?(twin);
    Ok(())
}

fn or_observation(role: Role) -> String {
    let example = match role {
        Role::Shoe => r#"{"Shoe":{"Drawn":"KS"}}"#,
        Role::Shuffler => r#"{"Shuffler":{"Done":{"decks":8,"cards":416}}}"#,
        Role::Chips => r#"{"Chips":{"Spot":{"box_no":1,"hand":0,"spot":"main","chips":[{"uid":1,"value":50000}]}}}"#,
        Role::Keypad => r#"{"Keypad":"CloseBets"}"#,
        Role::Display => return String::new(), // it only shows
    };
    format!("; or an observation, such as {example}")
}
