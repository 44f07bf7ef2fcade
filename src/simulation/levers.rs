//! Levers: what a person does to a twin, one line each.
//!
//! A twin has one table of its levers. A line is read by it, `--help` is written from it, and so is the answer to a
//! line that names none of them.

use std::fmt::{Display, Write as _};
use std::io::{self, BufRead};
use std::time::Duration;

use sabot_drivers::transport::Faults;

/// What a signal's noisy line does to what passes.
const NOISE: Faults = Faults { flip: 20_000, lose: 10_000, noise: 10_000, delay: 0, ..Faults::STORM };

/// A lever of a twin, as a line names it.
#[derive(Debug)]
pub struct Lever<L: 'static> {
    /// The line: a name, then what stands for its values, such as `slow MS`.
    pub usage: &'static str,
    /// What it does.
    pub does: &'static str,
    /// Reads what follows the name; nothing where that is no value of this lever.
    pub(crate) read: fn(&str) -> Option<L>,
}

pub(crate) const fn entry<L>(usage: &'static str, does: &'static str, read: fn(&str) -> Option<L>) -> Lever<L> {
    Lever { usage, does, read }
}

/// A line that names no lever. The line is not repeated: it may hold the symbol of a card.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no lever; there are: {0}")]
pub struct NoLever(String);

/// The lever that a line names.
///
/// # Errors
/// When it names none of these.
pub fn read<L>(levers: &[Lever<L>], line: &str) -> Result<L, NoLever> {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let named = levers.iter().filter(|lever| lever.usage.split(' ').next() == Some(name));
    named.filter_map(|lever| (lever.read)(rest.trim())).next().ok_or_else(|| NoLever(usages(levers)))
}

/// How each lever is written.
#[must_use]
pub fn usages<L>(levers: &[Lever<L>]) -> String {
    levers.iter().map(|lever| lever.usage).collect::<Vec<_>>().join(", ")
}

/// The levers under a title, a line each, for `--help`.
#[must_use]
pub fn help<L>(title: &str, levers: &[Lever<L>]) -> String {
    let width = levers.iter().map(|lever| lever.usage.len()).max().unwrap_or(0);
    levers.iter().fold(format!("{title}:"), |mut text, Lever { usage, does, .. }| {
        let _ = write!(text, "\n  {usage:width$}  {does}");
        text
    })
}

/// Hands each line to `pull` until they end; blank ones, and what follows a # behind a space, are passed over.
/// `complain` gets the number of each that `pull` refuses, from 1, and why.
///
/// # Errors
/// When the lines cannot be read.
pub fn each_line<E: Display>(
    lines: impl BufRead,
    mut pull: impl FnMut(&str) -> Result<(), E>,
    mut complain: impl FnMut(usize, E),
) -> io::Result<()> {
    for (nth, line) in lines.lines().enumerate() {
        let line = line?;
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Err(why) = pull(line) {
            complain(nth + 1, why);
        }
    }
    Ok(())
}

/// What is done to the line of a twin, or to its power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineLever {
    /// The device sends nothing, or does again.
    Mute(bool),
    /// What it sends comes that much later.
    Slow(Duration),
    /// What passes is damaged. The faults follow from the seed, or else from that of the twin.
    Noise(Faults, Option<u64>),
    /// Everything is sent twice, or once.
    Duplicate(bool),
    /// Its power goes and comes.
    Restart,
    /// The cable is pulled.
    Unplug,
    /// The cable is put back.
    Plug,
}

/// A lever of the line, or of the device `D` itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TwinLever<D> {
    /// Of the line.
    Line(LineLever),
    /// Of the device.
    Device(D),
}

impl<D> TwinLever<D> {
    /// Where nothing may follow the name.
    fn alone(rest: &str, lever: LineLever) -> Option<Self> {
        rest.is_empty().then_some(Self::Line(lever))
    }
}

/// `on` or `off`.
pub(crate) fn on_off(word: &str) -> Option<bool> {
    match word {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// The levers that twins share.
impl<D> Lever<TwinLever<D>> {
    pub(crate) const MUTE: Self =
        Self { usage: "mute", does: "it sends nothing", read: |rest| TwinLever::alone(rest, LineLever::Mute(true)) };
    pub(crate) const UNMUTE: Self =
        Self { usage: "unmute", does: "it sends again", read: |rest| TwinLever::alone(rest, LineLever::Mute(false)) };
    pub(crate) const SPEAK: Self = Self { usage: "speak", ..Self::UNMUTE };
    pub(crate) const SLOW: Self = Self {
        usage: "slow MS",
        does: "it waits so long before what it sends, or takes in",
        read: |ms| Some(TwinLever::Line(LineLever::Slow(Duration::from_millis(ms.parse().ok()?)))),
    };
    /// Where only what the twin sends is damaged.
    pub(crate) const NOISE_PER_MILLE: Self = Self {
        usage: "noise PER_MILLE",
        does: "of a thousand bytes that it sends so many are damaged",
        read: |rate| {
            let rate: u32 = rate.parse().ok().filter(|rate| *rate <= 1000)?;
            Some(TwinLever::Line(LineLever::Noise(Faults { flip: 1000 * rate, ..Faults::NONE }, None)))
        },
    };
    /// Where what passes either way is damaged.
    pub(crate) const NOISE_SEED: Self = Self {
        usage: "noise SEED",
        does: "its line damages what passes",
        read: |seed| Some(TwinLever::Line(LineLever::Noise(NOISE, Some(seed.parse().ok()?)))),
    };
    pub(crate) const QUIET: Self = Self {
        usage: "quiet",
        does: "its line damages nothing",
        read: |rest| TwinLever::alone(rest, LineLever::Noise(Faults::NONE, None)),
    };
    pub(crate) const DUPLICATE: Self = Self {
        usage: "duplicate on|off",
        does: "everything is sent twice",
        read: |word| Some(TwinLever::Line(LineLever::Duplicate(on_off(word)?))),
    };
    pub(crate) const RESTART: Self = Self {
        usage: "restart",
        does: "its power goes and comes",
        read: |rest| TwinLever::alone(rest, LineLever::Restart),
    };
    pub(crate) const UNPLUG: Self =
        Self { usage: "unplug", does: "its cable is pulled", read: |rest| TwinLever::alone(rest, LineLever::Unplug) };
    pub(crate) const PLUG: Self =
        Self { usage: "plug", does: "its cable is put back", read: |rest| TwinLever::alone(rest, LineLever::Plug) };
}
