//! The host of the page, played against somebody's device: it names the first mistake, and the section that says how it
//! should be.
//!
//! It trusts nothing that the link's own code forgives: zeros, COBS, the form of numbers, counters and padding are held
//! against the page byte by byte (`strict`), every message against those before it (`examiner`), and what a device
//! must do when it is told something, by telling it (`handshake`, `strangers`, `events`).

mod coded;
mod duties;
mod events;
mod examiner;
mod handshake;
mod strangers;
mod strict;
mod told;

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use sabot_wire::frame::MAX_FRAME;
use sabot_wire::message::{DeviceHello, Key, Nonce, Role};
use sabot_wire::pairing::{Code, Pairing};
use tokio::time::Instant;

pub use duties::{Asked, DUTIES, Duty, OUTSIDE};
use examiner::{Examiner, Stop};

use crate::keys::KeyFile;
use crate::transport::Connect;

/// How a device is examined.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'s> {
    /// The keys of paired devices, where its key stands or is to stand.
    pub keys: &'s KeyFile,
    /// It is given a new key first.
    pub pair: bool,
    /// By the code on its housing, where it has one; else in the clear.
    pub code: Option<&'s Code>,
    /// How long a device may take to say hello at all.
    pub wait: Duration,
    /// What line and machine may add to each time of the page.
    pub slack: Duration,
    /// It is pinged until its counter is past 16 bits: minutes at 115200 baud.
    pub long: bool,
}

/// The person at the device, who is asked for what no line can do.
pub struct Person<'p> {
    /// Asks for something.
    pub ask: &'p mut dyn FnMut(&str, Enter),
    /// Something comes when the person presses Enter.
    pub enters: &'p Receiver<()>,
    /// How long it may take.
    pub patience: Duration,
}

/// What a person says by pressing Enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enter {
    /// It will not be done. Whether it was shows on the line.
    Skips,
    /// It is done, which nothing on the line shows.
    Done,
}

/// What became of a duty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was seen to be done so often.
    Held(u32),
    /// It was not done: what was found.
    Wrong(String),
    /// Nothing showed it: why not.
    NotShown(&'static str),
}

/// What an examination has shown.
#[derive(Debug)]
pub struct Report {
    /// Who the device says that it is, where it said so.
    pub device: Option<DeviceHello>,
    /// The first mistake.
    pub mistake: Option<(Duty, String)>,
    /// Why it could not go on, where that is no mistake of the device.
    pub over: Option<String>,
    /// The device was given a new key, which is kept.
    pub paired: bool,
    /// What became of each duty, in the order of the page.
    pub outcomes: Vec<(&'static Asked, Outcome)>,
}

/// Why a duty is not shown where nothing else is known.
const UNSEEN: &str = "nothing on the line showed it";
const NOT_REACHED: &str = "not reached";
const NO_EVENT: &str = "no event was made";

/// An examination under way.
struct Run<'r, C: Connect> {
    line: Examiner<C>,
    setup: Setup<'r>,
    person: Person<'r>,
    key: Key,
    paired: bool,
    /// The device took a key though it had one: its switch is held.
    by_switch: bool,
    /// What it was paired with, where that was by a code.
    confirmed: Option<Pairing>,
    /// The person says that it has seen something before that.
    had_seen: bool,
    not_shown: BTreeMap<Duty, &'static str>,
}

/// Examines the device at `place`. What it has seen and nobody has acknowledged is acknowledged, and gone.
pub async fn examine<'r, C: Connect>(place: C, setup: Setup<'r>, person: Person<'r>) -> Report {
    let line = Examiner::new(place, setup.slack);
    let (key, not_shown) = (Key::new([0; 16]), BTreeMap::new());
    let (paired, by_switch, confirmed, had_seen) = (false, false, None, false);
    let mut run = Run { line, setup, person, key, paired, by_switch, confirmed, had_seen, not_shown };
    let ended = run.whole().await;
    let (mistake, over) = match ended {
        Ok(()) => (None, None),
        Err(Stop::Wrong(duty, found)) => (Some((duty, found)), None),
        Err(Stop::Over(why)) => match run.line.trying {
            Some(duty) => (Some((duty, format!("{why}, as this was tried"))), None),
            None => (None, Some(why)),
        },
    };
    let is_whole = mistake.is_none() && over.is_none();
    let outcome = |asked: &'static Asked| {
        let found = mistake.as_ref().filter(|(duty, _)| *duty == asked.duty).map(|(_, found)| found.clone());
        let unseen = if is_whole { UNSEEN } else { NOT_REACHED };
        let outcome = match (found, run.line.held.get(&asked.duty)) {
            (Some(found), _) => Outcome::Wrong(found),
            (None, Some(times)) => Outcome::Held(*times),
            (None, None) => Outcome::NotShown(run.not_shown.get(&asked.duty).copied().unwrap_or(unseen)),
        };
        (asked, outcome)
    };
    let outcomes = DUTIES.iter().map(outcome).collect();
    Report { device: run.line.hello, mistake, over, paired: run.paired, outcomes }
}

impl<C: Connect> Run<'_, C> {
    async fn whole(&mut self) -> Result<(), Stop> {
        self.says_hello().await?;
        self.is_given_its_key().await?;
        self.answers_challenges().await?;
        let has_event = self.sees_something("an event must be waiting while it is not opened").await?;
        self.is_closed().await?;
        self.is_opened().await?;
        self.shows_nothing(&[Duty::Window], "fewer than 32 events waited");
        if has_event {
            self.sends_again().await?;
            self.waits_with_its_events().await?;
            self.forgets_what_is_acknowledged().await?;
        } else {
            self.shows_nothing(&events::OF_EVENTS, NO_EVENT);
        }
        self.line.acknowledges = true;
        self.line.acknowledge(self.line.told.newest).await?;
        self.ignores_strangers().await?;
        self.outlives_challenges().await?;
        self.keeps_time().await?;
        self.counts_on().await?;
        self.starts_again().await
    }

    fn shows_nothing(&mut self, duties: &[Duty], why: &'static str) {
        self.not_shown.extend(duties.iter().map(|duty| (*duty, why)));
    }

    fn device(&self) -> Result<&DeviceHello, Stop> {
        self.line.hello.as_ref().ok_or_else(|| Stop::Over("the device has not said who it is".to_owned()))
    }

    /// Asks the person, and looks every 250 ms whether it is done. Not done: skipped, or in vain.
    fn asks(&mut self, what: &str, enter: Enter) -> Asking {
        while self.has_entered() {} // to an earlier question
        (self.person.ask)(what, enter);
        Asking { until: Instant::now() + self.person.patience }
    }

    fn gives_up(&self, asking: &Asking) -> bool {
        Instant::now() >= asking.until || self.has_entered()
    }

    fn has_entered(&self) -> bool {
        !matches!(self.person.enters.try_recv(), Err(TryRecvError::Empty | TryRecvError::Disconnected))
    }
}

/// Something that the person was asked for.
struct Asking {
    until: Instant,
}

/// What a person does at a device of this role to have it tell something; none where it has no sensor.
const fn deed(role: Role) -> Option<&'static str> {
    match role {
        Role::Shoe => Some("draw a card"),
        Role::Shuffler => Some("open and close its door"),
        Role::Chips => Some("put a chip on a spot, or take it away"),
        Role::Keypad => Some("make an entry, such as the close of bets"),
        Role::Display => None,
    }
}

fn random() -> Result<[u8; 16], Stop> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Stop::Over(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes)
}

fn challenge() -> Result<Nonce, Stop> {
    random().map(Nonce)
}

/// What is not that proof or tag: it has nothing of it, or all but one byte, whichever that is.
fn nearly(right: [u8; 16]) -> impl Iterator<Item = [u8; 16]> {
    let but_one = (0..right.len()).map(move |at| {
        let mut wrong = right;
        wrong.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 0x55);
        wrong
    });
    std::iter::once(right.map(|byte| byte ^ 0x55)).chain(but_one)
}

/// Bytes that stand for a message.
#[derive(Debug)]
struct Raw(Vec<u8>);

impl serde::Serialize for Raw {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeTuple;
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        self.0.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
        tuple.end()
    }
}

/// A ping that is not to be answered is listened after so long before the next one: of several that wait, a device may
/// answer the newest alone.
const ALONE: Duration = Duration::from_millis(100);
/// Bytes that are no frame and never end.
const ENDLESS: [u8; 3 * MAX_FRAME] = [0x55; 3 * MAX_FRAME];
