//! From the first hello to a session: who the device is, its key, its answers.

use std::time::Duration;

use sabot_wire::message::{Key, ToDevice, ToHost};
use sabot_wire::{DEVICE_HELLO_MS, HOST_HELLO_MS, PROTOCOL, SCHEMA_4};
use tokio::time::Instant;

use super::coded::{NO_CODE, OF_CODES};
use super::duties::Duty;
use super::examiner::{Stop, wrong};
use super::strict::name;
use super::{Run, challenge, random};
use crate::transport::Connect;

/// The host's hello.
pub(crate) const HELLO: ToDevice = ToDevice::Hello { protocol: PROTOCOL, schema: SCHEMA_4 };
/// A hello of a host that the device cannot know.
pub(crate) const STRANGE_HELLO: ToDevice = ToDevice::Hello { protocol: 9, schema: 0 };
/// Epochs below are taken for a count: a random one is so once in 16 million starts.
const COUNTED: u32 = 256;

impl<C: Connect> Run<'_, C> {
    /// It is there, and says who it is.
    pub(crate) async fn says_hello(&mut self) -> Result<(), Stop> {
        self.line.open().await?;
        let until = Instant::now() + self.setup.wait;
        while self.line.hello.is_none() {
            if Instant::now() >= until {
                let (seconds, noise) = (self.setup.wait.as_secs(), self.line.noise());
                return Err(if noise > 0 {
                    wrong(Duty::Line, format!("{noise} bytes came in {seconds} s, and no frame: is the speed right?"))
                } else {
                    wrong(Duty::AnyHello, format!("nothing came in {seconds} s, though it was asked every 250 ms"))
                });
            }
            self.line.send_clear(&HELLO).await?;
            let soon = Instant::now() + Duration::from_millis(HOST_HELLO_MS);
            while self.line.hello.is_none() && self.line.hear(soon).await?.is_some() {}
        }
        let hello = self.device()?;
        let (epoch, boots) = (hello.epoch, hello.boots);
        if epoch < COUNTED || epoch == boots {
            return Err(wrong(Duty::Epoch, format!("its epoch is {epoch}, in start {boots}: that is a count")));
        }
        self.line.holds(Duty::Epoch);
        self.answers_another_hello().await
    }

    /// A hello is an answer, and no start.
    async fn answers_another_hello(&mut self) -> Result<(), Stop> {
        self.line.trying = Some(Duty::AnyHello);
        self.line.send_clear(&HELLO).await?;
        let until = Instant::now() + self.line.slack;
        while self.line.hear(until).await?.is_some() {}
        self.line.trying = None;
        Ok(())
    }

    /// Its key is the one that is kept of it, or it is given one.
    pub(crate) async fn is_given_its_key(&mut self) -> Result<(), Stop> {
        let serial = self.device()?.serial.clone();
        let known = self.setup.keys.load().map_err(|error| Stop::Over(error.to_string()))?.remove(serial.as_str());
        let is_unpaired = self.is_unpaired().await?;
        if is_unpaired {
            self.line.holds(Duty::Unpaired);
        }
        match known {
            _ if self.setup.pair => {}
            Some(key) if !is_unpaired => {
                self.key = key;
                self.shows_nothing(&OF_CODES, NO_CODE);
                self.shows_nothing(&[Duty::Unpaired, Duty::Pairs], "it has a key");
                return Ok(());
            }
            Some(_) => return Err(Stop::Over(format!("{serial} has lost its key: give it a new one with --pair"))),
            None => return Err(Stop::Over(format!("no key of {serial} is known: give it one with --pair"))),
        }
        self.setup.keys.can_add().map_err(|error| Stop::Over(error.to_string()))?;
        if let Some(code) = self.setup.code {
            self.by_switch = !is_unpaired;
            self.shows_nothing(&[Duty::Pairs], "it was paired by its code");
            return self.pairs_by_code(code, &serial, is_unpaired).await;
        }
        self.shows_nothing(&OF_CODES, NO_CODE);
        self.key = Key::new(random()?);
        self.line.send_clear(&ToDevice::Pair(self.key.clone())).await?;
        let answered = match self.line.challenges(challenge()?, &self.key).await {
            // it proves another key, which nobody may take for a mistake
            Err(Stop::Wrong(Duty::Proof, _)) if !is_unpaired => {
                let what = format!("{serial} has a key, and takes no other: hold its pairing switch");
                return Err(Stop::Over(what));
            }
            answered => answered?,
        };
        if answered.is_none() {
            if self.has_code().await? {
                return Err(Stop::Over(format!(
                    "{serial} has a code, and takes no key in the clear: give it with --code"
                )));
            }
            return Err(wrong(Duty::Pairs, "it says that it has no key after it was given one".to_owned()));
        }
        if is_unpaired {
            self.line.holds(Duty::Pairs);
        } else {
            self.by_switch = true;
            self.shows_nothing(&[Duty::Unpaired, Duty::Pairs], "it had a key");
        }
        self.setup.keys.add(&serial, &self.key).map_err(|error| Stop::Over(error.to_string()))?;
        self.paired = true;
        Ok(())
    }

    /// Whether it says so to a challenge.
    pub(crate) async fn is_unpaired(&mut self) -> Result<bool, Stop> {
        self.line.send_clear(&ToDevice::Challenge(challenge()?)).await?;
        let until = Instant::now() + self.line.slack;
        while let Some(heard) = self.line.hear(until).await? {
            match heard.message {
                ToHost::Unpaired => return Ok(true),
                ToHost::Answer { nonce, .. } => {
                    self.line.is_new_answer(nonce)?;
                    return Ok(false);
                }
                _ => {}
            }
        }
        let ms = self.line.slack.as_millis();
        Err(wrong(Duty::Answers, format!("neither Answer nor Unpaired came within {ms} ms of a challenge")))
    }

    /// Two challenges one after the other, the first of them twice; the second session is the one that lives.
    pub(crate) async fn answers_challenges(&mut self) -> Result<(), Stop> {
        self.challenges_twice().await?;
        let second = self.is_challenged().await?;
        self.line.living = Some(second);
        self.pings(Duty::Ping, "a sealed ping").await?;
        let key = self.key.clone();
        self.line.refuses_no_secret(challenge()?, &key).await?;
        self.pings(Duty::Exchange, "a share that makes no secret").await?;
        self.is_emptied()
    }

    /// A challenge, and the same again: the session.
    pub(crate) async fn challenges_twice(&mut self) -> Result<usize, Stop> {
        let (challenge, key) = (challenge()?, self.key.clone());
        let first = self.line.challenges(challenge, &key).await?.ok_or_else(unpaired)?;
        self.line.trying = Some(Duty::SameChallenge);
        self.line.challenges(challenge, &key).await?.ok_or_else(unpaired)?;
        self.line.trying = None;
        self.line.holds(Duty::SameChallenge);
        Ok(first)
    }

    /// A new challenge: the session.
    pub(crate) async fn is_challenged(&mut self) -> Result<usize, Stop> {
        let key = self.key.clone();
        self.line.challenges(challenge()?, &key).await?.ok_or_else(unpaired)
    }

    /// A ping in the session that lives is answered, and nothing else is; `blamed` where not.
    pub(crate) async fn pings(&mut self, blamed: Duty, after: &str) -> Result<(), Stop> {
        let ping = self.line.next_ping();
        self.line.say(&ToDevice::Ping(ping)).await?;
        self.is_answered(ping, blamed, after).await
    }

    /// The answer to a ping comes, and nothing else that is an answer.
    pub(crate) async fn is_answered(&mut self, ping: u32, blamed: Duty, after: &str) -> Result<(), Stop> {
        let until = Instant::now() + self.line.slack;
        while let Some(heard) = self.line.hear(until).await? {
            match heard.message {
                ToHost::Clock { ping: told, .. } if told == ping && heard.session == self.line.living => {
                    self.line.holds(Duty::Ping);
                    self.line.holds(Duty::Newest);
                    return Ok(());
                }
                ToHost::Clock { ping: told, .. } => {
                    return Err(wrong(blamed, format!("{after}: ping {told} was answered where {ping} was due")));
                }
                ToHost::Event { .. } => {}
                ToHost::Hello(_) if !self.line.is_open() => {}
                other => return Err(wrong(blamed, format!("{after} was answered with {}", name(&other)))),
            }
        }
        let ms = self.line.slack.as_millis();
        Err(wrong(blamed, format!("{after}: no answer to a ping came within {ms} ms")))
    }

    /// Until it is opened it says hello each second, answers, and sends no event; what names another epoch does not
    /// open it.
    pub(crate) async fn is_closed(&mut self) -> Result<(), Stop> {
        let second = Duration::from_millis(DEVICE_HELLO_MS.into());
        let mut hellos = Vec::new();
        self.collects_hellos(second + self.line.slack, 1, &mut hellos).await?;
        if hellos.is_empty() {
            return Err(wrong(
                Duty::HelloEvery,
                "no hello came for a second and more, before it was opened".to_owned(),
            ));
        }
        let (epoch, oldest) = self.device().map(|hello| (hello.epoch ^ 0x5555_5555, hello.oldest))?;
        self.line.trying = Some(Duty::OtherEpoch);
        self.line.say(&ToDevice::Ack { epoch, seq: oldest - 1 }).await?;
        self.collects_hellos(second * 2 + self.line.slack, 3, &mut hellos).await?;
        if hellos.len() == 1 {
            let what = "it says hello no more after an acknowledgement of another epoch";
            return Err(wrong(Duty::OtherEpoch, what.to_owned()));
        }
        self.line.trying = None;
        self.line.holds(Duty::OtherEpoch);
        for ([after, at], [next_after, next]) in hellos.iter().zip(hellos.iter().skip(1)) {
            let (gap, most, least) = (*next - *at, *next - *after, next_after.saturating_duration_since(*at));
            if most + early(second, self.line.slack) < second || least > second + self.line.slack {
                return Err(wrong(Duty::HelloEvery, format!("two hellos came {} ms apart", gap.as_millis())));
            }
        }
        self.line.holds(Duty::HelloEvery);
        if self.line.newest() >= oldest {
            self.line.holds(Duty::BeforeOpen);
        }
        Ok(())
    }

    /// When hellos come, until there are so many.
    pub(crate) async fn collects_hellos(
        &mut self,
        long: Duration,
        many: usize,
        hellos: &mut Vec<[Instant; 2]>,
    ) -> Result<(), Stop> {
        let until = Instant::now() + long;
        while hellos.len() < many
            && let Some(heard) = self.line.hear(until).await?
        {
            if matches!(heard.message, ToHost::Hello(_)) {
                hellos.push([heard.after, heard.at]);
            }
        }
        Ok(())
    }
}

/// How much sooner something may seem to come: what came before it was late on the line.
pub(crate) fn early(due: Duration, slack: Duration) -> Duration {
    slack.min(due / 2)
}

pub(crate) fn unpaired() -> Stop {
    wrong(Duty::Unpaired, "it says that it has no key, and has just used one".to_owned())
}
