//! How a session is made: a challenge, its answer, and the shares that its keys are drawn from.

use std::sync::Arc;
use std::time::Duration;

use sabot_wire::Version;
use sabot_wire::message::{Key, Nonce, POINT_BYTES, Point, ToDevice, ToHost};
use sabot_wire::seal::{Keys, Once, Parties};
use tokio::time::Instant;

use super::super::duties::{Duty, SHARE_WITHIN};
use super::super::strict::name;
use super::super::{ALONE, nearly, random};
use super::{Examiner, Session, Stop, wrong};
use crate::transport::Connect;

/// What the host says to an answer, and from what the session's keys are drawn.
#[derive(Clone)]
pub(super) struct Turn {
    challenge: Nonce,
    answer: Nonce,
    greeting: Keys,
    once: Arc<Once>,
    share: Point,
}

impl<C: Connect> Examiner<C> {
    /// Challenges the device and hears its answer, and that it is ready: which session that is. None: it has no key.
    pub(crate) async fn challenges(&mut self, challenge: Nonce, key: &Key) -> Result<Option<usize>, Stop> {
        let blamed = self.trying.unwrap_or(Duty::Answers);
        self.shut = None;
        self.send_clear(&ToDevice::Challenge(challenge)).await?;
        let mut until = Instant::now() + self.slack;
        let (mut turn, mut answered): (Option<Turn>, _) = (None, None);
        while let Some(heard) = self.hear(until).await? {
            match heard.message {
                ToHost::Unpaired if turn.is_none() => return Ok(None),
                ToHost::Answer { to, nonce, proof } => {
                    if to != challenge {
                        return Err(wrong(blamed, "an answer is to another challenge than the last".to_owned()));
                    }
                    turn = Some(self.answers(key, challenge, nonce, proof)?);
                    if let Some(turn) = &turn {
                        let (to, share, proof) = (nonce, turn.share, turn.greeting.turn(&turn.share));
                        self.is_unproved(to, share, proof, blamed).await?;
                        self.send_clear(&ToDevice::Exchange { to, share, proof }).await?;
                    }
                    until = Instant::now() + SHARE_WITHIN + self.slack;
                }
                ToHost::Exchange { to, share, proof } => {
                    let Some(turn) = turn.as_ref().filter(|turn| turn.answer == to) else {
                        return Err(wrong(Duty::Exchange, "a share is to another answer than the last".to_owned()));
                    };
                    answered = Some(self.exchanges(turn, &share, proof)?);
                    self.is_waiting = self.living.is_some();
                    until = Instant::now() + self.slack;
                }
                ToHost::Running { .. } if heard.session.is_some() && heard.session == answered => {
                    self.holds(Duty::Answers);
                    return Ok(answered);
                }
                ToHost::Hello(_) | ToHost::Event { .. } | ToHost::Clock { .. } => {}
                other => return Err(wrong(blamed, format!("a challenge was followed by {}", name(&other)))),
            }
        }
        if let Some(fault) = self.shut.take_if(|_| answered.is_some()) {
            return Err(fault.into());
        }
        let what = match (&turn, answered) {
            (None, _) => "no Answer came within {} ms of a challenge",
            (Some(_), None) => "no Exchange came within 2000 and {} ms of the host's",
            (Some(_), Some(_)) => "no Running came within {} ms of the exchange",
        };
        let blamed = if turn.is_some() && answered.is_none() { self.trying.unwrap_or(Duty::Exchange) } else { blamed };
        Err(wrong(blamed, what.replace("{}", &self.slack.as_millis().to_string())))
    }

    /// A share comes from somebody who does not hold the key, with proofs as near as they may be: nothing is said to
    /// it, however long a share takes.
    async fn is_unproved(&mut self, to: Nonce, share: Point, proof: [u8; 16], blamed: Duty) -> Result<(), Stop> {
        if self.living.is_some() || self.trying.is_some() || self.held.contains_key(&Duty::ProvedOnly) {
            return Ok(()); // once is enough, and where nothing else is tried
        }
        for proof in nearly(proof) {
            self.send_clear(&ToDevice::Exchange { to, share, proof }).await?;
            self.is_not_answered(ALONE, blamed).await?;
        }
        self.is_not_answered(SHARE_WITHIN + self.slack, blamed).await?;
        self.holds(Duty::ProvedOnly);
        Ok(())
    }

    async fn is_not_answered(&mut self, long: Duration, blamed: Duty) -> Result<(), Stop> {
        let until = Instant::now() + long;
        while let Some(heard) = self.hear(until).await? {
            match heard.message {
                ToHost::Hello(_) => {}
                ToHost::Exchange { .. } => {
                    let what = "a share was answered whose proof is not the one due";
                    return Err(wrong(Duty::ProvedOnly, what.to_owned()));
                }
                other => return Err(wrong(blamed, format!("a challenge was followed by {}", name(&other)))),
            }
        }
        Ok(())
    }

    /// Answers that have their session get another share, whose proof is good: nothing is said to it.
    pub(crate) async fn makes_one_session(&mut self, sessions: [usize; 2]) -> Result<(), Stop> {
        for which in sessions {
            let Some(to) = self.sessions.get(which).map(|session| session.answer) else { continue };
            let turn = self.turns.iter().find(|turn| turn.answer == to);
            let Some(greeting) = turn.map(|turn| turn.greeting.clone()) else { continue };
            let share = Once::new([random()?, random()?].concat().try_into().unwrap_or_default()).share();
            self.send_clear(&ToDevice::Exchange { to, share, proof: greeting.turn(&share) }).await?;
        }
        let until = Instant::now() + SHARE_WITHIN + self.slack;
        while let Some(heard) = self.hear(until).await? {
            if matches!(heard.message, ToHost::Exchange { .. } | ToHost::Running { .. }) {
                let what = format!("another share to an answer that has its session got {}", name(&heard.message));
                return Err(wrong(Duty::OneSession, what));
            }
        }
        Ok(())
    }

    /// What the session was challenged with.
    pub(crate) fn challenge_of(&self, session: usize) -> Option<Nonce> {
        self.sessions.get(session).map(|session| session.challenge)
    }

    /// A challenge and a share that anybody may say, for the share has no proof; nobody follows them up.
    pub(crate) async fn is_told_by_strangers(&mut self, challenge: Nonce, key: &Key) -> Result<(), Stop> {
        self.send_clear(&ToDevice::Challenge(challenge)).await?;
        let until = Instant::now() + self.slack;
        while let Some(heard) = self.hear(until).await? {
            if let ToHost::Answer { to, nonce, proof } = heard.message
                && to == challenge
            {
                let share = self.answers(key, challenge, nonce, proof)?.share;
                return self.send_clear(&ToDevice::Exchange { to: nonce, share, proof: [0x55; 16] }).await;
            }
        }
        let ms = self.slack.as_millis();
        Err(wrong(Duty::Answers, format!("no Answer came within {ms} ms of a challenge")))
    }

    /// A share of zeros, though the host proves its key with it, makes no session.
    pub(crate) async fn refuses_no_secret(&mut self, challenge: Nonce, key: &Key) -> Result<(), Stop> {
        self.send_clear(&ToDevice::Challenge(challenge)).await?;
        let mut until = Instant::now() + self.slack;
        let mut is_said = false;
        while let Some(heard) = self.hear(until).await? {
            match heard.message {
                ToHost::Answer { to, nonce, proof } if to == challenge && !is_said => {
                    let (turn, share) = (self.answers(key, challenge, nonce, proof)?, Point([0; POINT_BYTES]));
                    let proof = turn.greeting.turn(&share);
                    self.send_clear(&ToDevice::Exchange { to: nonce, share, proof }).await?;
                    (until, is_said) = (Instant::now() + SHARE_WITHIN + self.slack, true);
                }
                ToHost::Exchange { .. } => {
                    let what = "a share of zeros was answered, which makes no secret";
                    return Err(wrong(Duty::Exchange, what.to_owned()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The session of a share.
    fn exchanges(&mut self, turn: &Turn, share: &Point, proof: [u8; 16]) -> Result<usize, Stop> {
        let same = |session: &Session| session.challenge == turn.challenge && session.answer == turn.answer;
        if let Some(at) = self.sessions.iter().position(same) {
            let is_same = self.sessions.get(at).is_some_and(|session| session.share == *share);
            let what = || "the same share of the host got another".to_owned();
            return if is_same { Ok(at) } else { Err(wrong(Duty::SameChallenge, what())) };
        }
        if self.shares.contains(share) {
            return Err(wrong(Duty::ShareOnce, "a share was used before, in another session".to_owned()));
        }
        let keys = turn.greeting.exchanged([&turn.share, share], &turn.once.with(share));
        let Some(keys) = keys.filter(|keys| keys.proof() == proof) else {
            return Err(wrong(Duty::Exchange, "the proof that came with the share is not the one due".to_owned()));
        };
        if !self.shares.is_empty() {
            self.holds(Duty::ShareOnce);
        }
        self.shares.push(*share);
        self.holds(Duty::Exchange);
        let (channel, turned) = (keys.host_end(), keys.device_end());
        let Turn { challenge, answer, .. } = *turn;
        self.sessions.push(Session { challenge, answer, share: *share, channel, turned, open: false });
        Ok(self.sessions.len() - 1)
    }

    /// An answer to a new challenge is one that was never used before, in this start or another.
    pub(crate) fn is_new_answer(&mut self, answer: Nonce) -> Result<(), Stop> {
        if self.answers.iter().any(|before| is_same_number(before, &answer)) {
            return Err(wrong(Duty::AnswerOnce, "an answer was used before, to another challenge".to_owned()));
        }
        self.answers.push(answer);
        Ok(())
    }

    /// What the host says to an answer.
    fn answers(&mut self, key: &Key, challenge: Nonce, answer: Nonce, proof: [u8; 16]) -> Result<Turn, Stop> {
        if let Some(turn) = self.turns.iter().find(|turn| turn.challenge == challenge) {
            let what = || "the same challenge got another answer".to_owned();
            return if turn.answer == answer { Ok(turn.clone()) } else { Err(wrong(Duty::SameChallenge, what())) };
        }
        self.is_new_answer(answer)?;
        let Some(hello) = &self.hello else { return Err(Stop::Over("it has answered before its hello".to_owned())) };
        let parties = |version| Parties {
            version,
            role: hello.role,
            serial: &hello.serial,
            challenge: &challenge,
            answer: &answer,
        };
        let greeting = Keys::of(key, &parties(Version::Four));
        if proof != greeting.proof() {
            let is_three = proof == Keys::of(key, &parties(Version::Three)).proof();
            let hint = if is_three { ": it is drawn under sabot-link-3" } else { "; is this its key?" };
            let blamed = self.trying.filter(|trying| matches!(trying, Duty::Pairs | Duty::KeepsKey | Duty::CodedKey));
            return Err(wrong(blamed.unwrap_or(Duty::Proof), format!("the proof is not the one due{hint}")));
        }
        if self.answers.len() > 1 {
            self.holds(Duty::AnswerOnce);
        }
        self.holds(Duty::Proof);
        let once = Arc::new(Once::new([random()?, random()?].concat().try_into().unwrap_or_default()));
        let share = once.share();
        let turn = Turn { challenge, answer, greeting, once, share };
        self.turns.push(turn.clone());
        Ok(turn)
    }
}

/// Whether two answers were drawn as one number: the lowest bit of the first byte may have been flipped since.
fn is_same_number(one: &Nonce, other: &Nonce) -> bool {
    one.0.iter().zip(&other.0).enumerate().all(|(at, (one, other))| (one ^ other) & !u8::from(at == 0) == 0)
}
