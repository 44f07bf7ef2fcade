//! What anybody at the cable may send: a session that lives takes no harm from it.

use std::time::Duration;

use sabot_wire::DEVICE_HELLO_MS;
use sabot_wire::message::{Key, Lamp, Show, ToDevice, ToHost};
use tokio::time::Instant;

use super::duties::Duty;
use super::examiner::{Stop, clear_frame, wrong};
use super::handshake::{STRANGE_HELLO, unpaired};
use super::strict::{body, name};
use super::{ALONE, ENDLESS, Raw, Run, nearly, random};
use crate::transport::Connect;

/// How many frames old one is that comes again: what a window of 8, 16 or 32 lets pass, and one frame to each side.
const OLD: [usize; 12] = [2, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33];
/// Counters are passed over so far: past what is known again, and past 16 bits.
const LOST: [u64; 3] = [40, 60_000, 10_000];

impl<C: Connect> Run<'_, C> {
    /// Bytes get no answer, and the ping after them gets its own.
    async fn ignores(&mut self, duty: Duty, what: &str, bytes: &[u8]) -> Result<(), Stop> {
        self.stays_silent(duty, what, bytes).await?;
        self.pings(duty, what).await?;
        self.line.trying = None;
        self.line.holds(duty);
        Ok(())
    }

    /// Bytes get no answer, as far as one would be on its way.
    async fn stays_silent(&mut self, duty: Duty, what: &str, bytes: &[u8]) -> Result<(), Stop> {
        self.line.trying = Some(duty);
        self.line.send(bytes).await?;
        let until = Instant::now() + ALONE;
        while let Some(heard) = self.line.hear(until).await? {
            match heard.message {
                ToHost::Event { .. } => {}
                ToHost::Hello(_) if !self.line.is_open() => {}
                other => return Err(wrong(duty, format!("{what} was answered with {}", name(&other)))),
            }
        }
        Ok(())
    }

    /// A ping that is to be sent later, and its number.
    fn sealed_ping(&mut self) -> (u32, Vec<u8>) {
        let ping = self.line.next_ping();
        let living = self.line.living.unwrap_or_default();
        (ping, self.line.seal(living, &ToDevice::Ping(ping)))
    }

    pub(crate) async fn ignores_strangers(&mut self) -> Result<(), Stop> {
        let hello = clear_frame(&STRANGE_HELLO);
        let half = hello.get(..hello.len() / 2).unwrap_or_default();
        self.ignores(Duty::Noise, "noise", &[0x55; 40]).await?;
        self.ignores(Duty::Damaged, "a damaged hello", &spoilt(&hello)).await?;
        self.ignores(Duty::Damaged, "half a hello", &[half, &[0]].concat()).await?;
        self.ignores(Duty::Damaged, "a block beyond its frame", &[0, 0xc8, 1, 3, 9, 0]).await?;
        self.ignores(Duty::Damaged, "an empty body", &[0, 1, 1, 1, 1, 1, 0]).await?;
        self.ignores(Duty::Damaged, "1000 bytes without a zero", &ENDLESS).await?;
        let longer = clear_frame(&Raw(vec![1, 3, 0, 7]));
        self.ignores(Duty::WholeBody, "a hello with one byte more", &longer).await?;
        let own = [&[0], &self.line.hello_bytes[..], &[0]].concat();
        self.line.trying = Some(Duty::WholeBody);
        self.line.write(&own).await?;
        self.pings(Duty::WholeBody, "its own hello").await?;
        self.ignores(Duty::Unknown, "a clear message of tag 40", &clear_frame(&Raw(vec![40, 1, 2]))).await?;
        let sealed = self.line.seal(self.line.living.unwrap_or_default(), &Raw(vec![40, 1, 2]));
        self.ignores(Duty::Unknown, "a sealed message of tag 40", &sealed).await?;
        let sealed = self.line.seal(self.line.living.unwrap_or_default(), &Raw(vec![2, 99, 9]));
        self.ignores(Duty::WholeBody, "a sealed ping with something behind it", &sealed).await?;
        self.ignores(Duty::ClearIgnored, "a clear ping", &clear_frame(&ToDevice::Ping(7))).await?;
        let show = clear_frame(&ToDevice::Show(Show::Lamp(Lamp::Red)));
        self.ignores(Duty::ClearIgnored, "a clear lamp", &show).await?;
        self.takes_no_frame_twice().await
    }

    async fn takes_no_frame_twice(&mut self) -> Result<(), Stop> {
        let (ping, old) = self.sealed_ping();
        self.line.send(&old).await?;
        self.is_answered(ping, Duty::Ping, "a ping").await?;
        self.ignores(Duty::Replayed, "a ping that was sent before", &old).await?;
        let (_, first) = self.sealed_ping();
        let (ping, second) = self.sealed_ping();
        self.line.send(&second).await?;
        self.is_answered(ping, Duty::Lost, "a ping after one that was lost").await?;
        self.ignores(Duty::Replayed, "a ping after a later one", &first).await?;
        self.opens_only_what_is_sealed().await?;
        self.takes_nothing_old().await?;
        for frames in LOST {
            self.line.loses(frames);
            self.pings(Duty::Lost, &format!("{frames} frames that were lost")).await?;
        }
        self.line.holds(Duty::Lost);
        let overlong = self.line.seals_too_long(&ToDevice::Ping(7));
        self.ignores(Duty::Damaged, "a sealed ping in a frame of more than 342 bytes", &overlong).await?;
        self.ignores(Duty::Replayed, "a ping of long ago", &old).await
    }

    /// Pings that nobody sealed so: of each something else is not as it was sealed.
    async fn opens_only_what_is_sealed(&mut self) -> Result<(), Stop> {
        let of_tag = nearly([0; 16]).map(|mask| ("tag", None, mask.to_vec()));
        for (part, at, mask) in of_tag.chain([("counter", Some(1), vec![0x11; 2]), ("byte", Some(6), vec![0x11])]) {
            let (_, frame) = self.sealed_ping();
            let mut inside = body_of(&frame);
            let at = at.unwrap_or(inside.len().saturating_sub(mask.len()));
            inside.iter_mut().skip(at).zip(&mask).for_each(|(byte, mask)| *byte ^= mask);
            let what = format!("a ping with another {part} than it was sealed with");
            self.ignores(Duty::Shut, &what, &clear_frame(&Raw(inside))).await?;
        }
        let (_, frame) = self.sealed_ping();
        let short = body_of(&frame).into_iter().take(4).collect();
        self.ignores(Duty::Shut, "the first four bytes of a ping", &clear_frame(&Raw(short))).await
    }

    /// Pings that were answered come again after so many others.
    async fn takes_nothing_old(&mut self) -> Result<(), Stop> {
        let mut sent = Vec::new();
        for age in OLD {
            while sent.len() <= age {
                let (ping, frame) = self.sealed_ping();
                self.line.send(&frame).await?;
                self.is_answered(ping, Duty::Ping, "a ping").await?;
                sent.push(frame);
            }
            let Some(old) = sent.len().checked_sub(age + 1).and_then(|at| sent.get(at)).cloned() else { continue };
            let what = format!("a ping that was answered, and {age} frames after it,");
            let (ping, next) = self.sealed_ping();
            self.stays_silent(Duty::Replayed, &what, &old).await?;
            self.line.send(&next).await?;
            self.is_answered(ping, Duty::Replayed, &what).await?;
            self.line.holds(Duty::Replayed);
            sent.push(next);
        }
        self.line.trying = None;
        Ok(())
    }

    /// Clear hellos, pairings and challenges do not end it; the first frame of a session that waits does.
    pub(crate) async fn outlives_challenges(&mut self) -> Result<(), Stop> {
        self.answers_any_hello().await?;
        self.pings(Duty::Lives, "a clear hello").await?;
        if self.by_switch {
            self.shows_nothing(&[Duty::KeepsKey, Duty::TakesNoPart], "its pairing switch may still be held");
        } else {
            self.keeps_its_key().await?;
            self.takes_no_part().await?;
        }
        let waiting = self.challenges_twice().await?;
        if self.line.mark(waiting) == self.line.living.and_then(|living| self.line.mark(living)) {
            let what = "the session that waits has the mark of the one that lives";
            return Err(wrong(Duty::OtherMark, what.to_owned()));
        }
        self.line.holds(Duty::OtherMark);
        self.pings(Duty::Lives, "a challenge").await?;
        self.line.holds(Duty::Lives);
        let next = self.is_challenged().await?;
        let given_up = self.line.seal(waiting, &ToDevice::Ping(0));
        self.ignores(Duty::OneWaits, "a frame of a session that a newer challenge has replaced", &given_up).await?;
        let before = self.line.living;
        self.answers_once([before.unwrap_or_default(), next]).await?;
        self.takes_place(next).await?;
        let ended = self.line.seal(before.unwrap_or_default(), &ToDevice::Ping(0));
        self.ignores(Duty::TakesPlace, "a ping of the session before", &ended).await?;
        self.is_closed_until_acknowledged().await
    }

    /// Each answer makes one session, and each challenge has one answer as long as its session is there.
    async fn answers_once(&mut self, sessions: [usize; 2]) -> Result<(), Stop> {
        self.line.makes_one_session(sessions).await?;
        self.pings(Duty::OneSession, "another share to an answer that has its session").await?;
        self.line.holds(Duty::OneSession);
        let key = self.key.clone();
        self.line.trying = Some(Duty::SameChallenge);
        for challenge in sessions.into_iter().filter_map(|which| self.line.challenge_of(which)).collect::<Vec<_>>() {
            self.line.challenges(challenge, &key).await?.ok_or_else(unpaired)?;
        }
        self.line.trying = None;
        self.pings(Duty::SameChallenge, "challenges of sessions that are there").await
    }

    /// Two pings at one time: the first in the session that lives, the other in the one that waits and takes its place.
    /// The answer to the first is said before that, or never.
    async fn takes_place(&mut self, next: usize) -> Result<(), Stop> {
        let (_, last) = self.sealed_ping();
        self.line.living = Some(next);
        let (ping, first) = self.sealed_ping();
        self.line.trying = Some(Duty::Dropped);
        self.line.send(&[last, first].concat()).await?;
        let mut until = Instant::now() + self.line.slack;
        let mut is_answered = false;
        while let Some(heard) = self.line.hear(until).await? {
            match heard.message {
                ToHost::Clock { ping: told, .. } if heard.session == Some(next) && told == ping && !is_answered => {
                    (is_answered, until) = (true, Instant::now() + ALONE);
                }
                ToHost::Clock { ping: told, .. } if is_answered || heard.session == Some(next) => {
                    let what = format!("ping {told} of a session that has ended was answered after that");
                    return Err(wrong(Duty::Dropped, what));
                }
                _ => {}
            }
        }
        self.line.trying = None;
        if !is_answered {
            let ms = self.line.slack.as_millis();
            let what = format!("no answer came within {ms} ms of a ping in the session that waited");
            return Err(wrong(Duty::TakesPlace, what));
        }
        self.line.holds(Duty::Dropped);
        Ok(())
    }

    /// In session it says no hello of its own: one that comes is an answer, and no start.
    async fn answers_any_hello(&mut self) -> Result<(), Stop> {
        self.line.trying = Some(Duty::Lives);
        self.line.send_clear(&STRANGE_HELLO).await?;
        let until = Instant::now() + self.line.slack;
        while let Some(heard) = self.line.hear(until).await? {
            if matches!(heard.message, ToHost::Hello(_)) {
                self.line.trying = None;
                self.line.holds(Duty::AnyHello);
                return Ok(());
            }
        }
        let ms = self.line.slack.as_millis();
        let what = format!("no hello came within {ms} ms of one that names version 9 and schema 0");
        Err(wrong(Duty::AnyHello, what))
    }

    async fn keeps_its_key(&mut self) -> Result<(), Stop> {
        self.line.trying = Some(Duty::KeepsKey);
        self.line.send_clear(&ToDevice::Pair(Key::new(random()?))).await?;
        let kept = self.is_challenged().await;
        if matches!(kept, Err(Stop::Wrong(Duty::KeepsKey, _))) {
            // it obeys everybody: it is given back the key that is kept of it
            self.line.send_clear(&ToDevice::Pair(self.key.clone())).await?;
            let what = "it took a key from a cable while it had one, and no switch was asked for".to_owned();
            return Err(wrong(Duty::KeepsKey, what));
        }
        kept?;
        self.pings(Duty::KeepsKey, "a pairing in clear").await?;
        self.line.trying = None;
        self.line.holds(Duty::KeepsKey);
        Ok(())
    }

    /// The new session is not open: hellos come, until the host acknowledges.
    async fn is_closed_until_acknowledged(&mut self) -> Result<(), Stop> {
        let mut hellos = Vec::new();
        self.collects_hellos(Duration::from_millis(DEVICE_HELLO_MS.into()) + self.line.slack, 1, &mut hellos).await?;
        if hellos.is_empty() {
            let what = "no hello comes in the new session, though nobody has opened it";
            return Err(wrong(Duty::TakesPlace, what.to_owned()));
        }
        self.line.holds(Duty::TakesPlace);
        self.line.acknowledge(self.line.told.acked).await?;
        self.pings(Duty::Ping, "an acknowledgement").await
    }
}

/// What stands in a frame of the host.
fn body_of(frame: &[u8]) -> Vec<u8> {
    body(frame.get(1..frame.len().saturating_sub(1)).unwrap_or_default()).unwrap_or_default()
}

/// The frame with a damaged checksum; it has no zero more and none less.
fn spoilt(frame: &[u8]) -> Vec<u8> {
    let mut spoilt = frame.to_vec();
    let last = spoilt.len().saturating_sub(2);
    if let Some(byte) = spoilt.get_mut(last) {
        *byte = if *byte == 0x40 { 0x41 } else { *byte ^ 0x40 };
    }
    spoilt
}
