//! How its sessions are made, and what opens in them.

use std::time::Duration;

use ascon_aead::AsconAead128;
use ascon_aead::aead::{AeadInOut, KeyInit};
use ascon_xof128::{AsconXof128, ExtendableOutput, Update, XofReader};
use sabot_wire::message::Point;
use sabot_wire::seal::Once;
use tokio::time::Instant;

use super::{Fault, Impostor, Session, nonce};

pub(super) fn secrets<const N: usize>(parts: &[&[u8]]) -> [[u8; 16]; N] {
    let mut xof = AsconXof128::default();
    parts.iter().for_each(|part| xof.update(part));
    let (mut reader, mut all) = (xof.finalize_xof(), [[0; 16]; N]);
    all.iter_mut().for_each(|secret| reader.read(secret));
    all
}

/// What was sealed, and the tag that is due: which of it is compared is another's to choose. Each block is what the
/// cipher makes of zeros in its place, and so the next.
fn unsealed(key: &[u8; 16], count: u64, text: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let cipher = AsconAead128::new(&(*key).into());
    let sealed = |plain: &[u8]| {
        let mut text = plain.to_vec();
        let tag = cipher.encrypt_inout_detached(&nonce(count, false).into(), &[], text[..].as_mut().into()).unwrap();
        (text, tag.into())
    };
    let mut plain = vec![0; text.len()];
    for begin in (0..text.len()).step_by(16) {
        let (drawn, _) = sealed(&plain);
        plain.iter_mut().zip(&drawn).zip(text).skip(begin).take(16).for_each(|((byte, drawn), is)| *byte = drawn ^ is);
    }
    let (_, tag) = sealed(&plain);
    (plain, tag)
}

impl Impostor {
    /// Until there are both shares, a session has its greeting in the place of its keys.
    pub(super) fn is_told_a_share(&mut self, rest: &[u8]) {
        let Some(which) = self.sessions.iter().rposition(|session| session.answer == rest[..16]) else { return };
        let (share, proof): (Point, _) = (Point(rest[16..48].try_into().unwrap()), &rest[48..]);
        let Session { known, of_host, .. } = self.sessions[which];
        let is_another = of_host != Some(share.0);
        if of_host.is_none() || is_another && self.is(Fault::AnotherSessionOfOneAnswer) {
            let [due] = secrets(&[b"sabot-turn-4", &known[..16], &share.0]);
            let compared = match self.fault {
                Some(Fault::AnswersAnyShare) => 0,
                Some(Fault::ComparesOfProof(bytes)) => bytes,
                _ => 16,
            };
            let is_due = proof[..compared] == due[..compared];
            if is_due {
                self.busy_until = Instant::now() + self.slowness;
            }
            let makes_none = share.0 == [0; 32] && !self.is(Fault::TakesAShareOfZeros);
            if makes_none || !is_due {
                self.waits |= self.is(Fault::UnprovedShareStopsEvents) && self.open;
                return;
            }
            self.exchanges(which, &share);
        } else if is_another && !self.is(Fault::RepeatsToAnyShare) {
            return;
        }
        let (to, other) = (self.sessions[which].answer, u8::from(self.is(Fault::OtherShareToSame)));
        let Session { share: Some(mut own), mut proof, .. } = self.sessions[which] else { return };
        self.shares += 1;
        own[5] ^= if self.shares.is_multiple_of(2) { other } else { 0 };
        proof[3] ^= u8::from(self.is(Fault::WrongProofOfShare));
        self.frame(&[&[8], &to[..], &own, &proof].concat(), false);
        self.says_ready(which);
    }

    fn exchanges(&mut self, which: usize, host: &Point) {
        self.exchanged += u8::from(!self.is(Fault::OneShare) || self.exchanged == 0);
        let number = self.exchanged;
        let once = Once::new([number; 32]);
        let own = once.share();
        let keeps_greeting = self.is(Fault::KeysOfTheGreeting);
        let common = x25519_dalek::x25519([number; 32], host.0);
        let session = &mut self.sessions[which];
        let greeting = session.known;
        [session.to_device, session.to_host, session.proof] =
            secrets(&[b"sabot-keys-4", &greeting, &host.0, &own.0, &common]);
        (session.of_host, session.share) = (Some(host.0), Some(own.0));
        (session.took, session.sent) = (0, 0);
        if keeps_greeting {
            [session.to_device, session.to_host] =
                [greeting[..16].try_into().unwrap(), greeting[16..].try_into().unwrap()];
        }
        if self.living.is_none() {
            self.forgets_session();
            self.living = Some(which);
        } else if !self.is(Fault::ChallengeEndsSession) {
            if !self.is(Fault::AllWait) {
                self.next.clear();
            }
            self.next.push(which);
            self.waits = !self.is(Fault::EventsWhileWaiting);
        } else {
            self.living = Some(which);
            self.open = false;
        }
    }

    pub(super) fn is_challenged(&mut self, challenge: &[u8]) {
        self.challenges += 1;
        let now_and_then = self.is(Fault::UnpairedNowAndThen) && self.challenges.is_multiple_of(3);
        let Some(key) = self.key.filter(|_| !now_and_then) else { return self.frame(&[4], false) };
        let same = self.sessions.iter().rposition(|known| known.challenge == challenge);
        let is_past = |same: &usize| self.living == Some(*same) && *same + 1 < self.sessions.len();
        let is_forgotten = |same: &usize| match self.fault {
            Some(Fault::OtherAnswerToSame) => true,
            Some(Fault::OtherAnswerToLivingChallenge) => is_past(same),
            _ => false,
        };
        let session = match same.filter(|same| !is_forgotten(same)) {
            Some(same) => same,
            None => self.makes_session(key, challenge),
        };
        if same.is_some() && self.is(Fault::CounterAnewOnSame) {
            self.sessions[session].sent = 0;
        }
        if self.is(Fault::TakesAKeyAndKeepsNone) {
            self.key = None;
        }
        if self.is(Fault::NeverAnswers) {
            return;
        }
        self.waits |= self.is(Fault::ChallengeStopsEvents) && self.open;
        let Session { answer, greeted: mut proof, .. } = self.sessions[session];
        if self.is(Fault::WrongProof) {
            proof[3] ^= 1;
        }
        let to = if self.is(Fault::AnswersOtherChallenge) { &[0; 16] } else { challenge };
        self.frame(&[&[3], to, &answer, &proof].concat(), false);
    }

    fn makes_session(&mut self, key: [u8; 16], challenge: &[u8]) -> usize {
        self.answers += u8::from(!self.is(Fault::OneAnswer) || self.answers == 0);
        let mut answer = [self.answers; 16];
        let living = self.living.map(|living| self.sessions[living].mark);
        if living.is_some_and(|mark| (mark == 0x54 + (answer[0] & 1)) != self.is(Fault::MarkOfLiving)) {
            answer[0] ^= 1;
        }
        answer[1] = if self.is(Fault::AnswersAnewAtStart) { 1 } else { self.boots as u8 };
        let name: &[u8] = if self.is(Fault::SecretsOfThree) { b"sabot-link-3" } else { b"sabot-link-4" };
        let ends = [self.role(), self.serial.len() as u8];
        let [to_device, to_host, greeted] = secrets(&[name, &key, challenge, &answer, &ends, self.serial]);
        let mark = 0x54 + (answer[0] & 1 ^ u8::from(self.is(Fault::OtherMark)));
        let known = [to_device, to_host].concat().try_into().unwrap();
        let (challenge, proof, of_host, share, took, sent) = (challenge.to_vec(), greeted, None, None, 0, 0);
        self.sessions.push(Session {
            challenge,
            answer,
            mark,
            to_device,
            to_host,
            greeted,
            known,
            of_host,
            share,
            proof,
            took,
            sent,
        });
        self.sessions.len() - 1
    }

    pub(super) fn opens(&mut self, body: &[u8]) {
        let old = self.before.filter(|_| self.is(Fault::OldSessionLives));
        let known: Vec<usize> = self.living.into_iter().chain(self.next.iter().copied()).chain(old).collect();
        self.is_shut = false;
        for which in known {
            if let Some(plain) = self.opens_in(which, body) {
                self.waits = false;
                if self.next.contains(&which) {
                    self.before = self.living.replace(which);
                    self.next.clear();
                    let stays = self.is(Fault::OpenInNewSession) || self.is(Fault::TellsOnInNewSession);
                    let was_open = self.open && stays;
                    self.rewinds();
                    self.open = was_open;
                    self.late.retain_mut(|(at, session, _)| match self.fault {
                        _ if *session == which => true,
                        Some(Fault::AnswersOldPingInNewSession) => {
                            *session = which;
                            true
                        }
                        Some(Fault::AnswersOldPingLater) => {
                            *at += Duration::from_millis(50);
                            true
                        }
                        _ => false,
                    });
                }
                return self.is_told(Some(which), &plain);
            }
        }
        if self.is_shut && self.is(Fault::EndsOnShut) {
            self.forgets_session();
        }
    }

    fn opens_in(&mut self, which: usize, body: &[u8]) -> Option<Vec<u8>> {
        let fault = self.fault;
        let is = |one| fault == Some(one);
        let session = &mut self.sessions[which];
        let (head, rest) = body.split_at_checked(3)?;
        let (text, tag) = rest.split_last_chunk::<16>()?;
        let low = u64::from(u16::from_le_bytes([head[1], head[2]]));
        let above = session.took.saturating_sub(32);
        let mut count = above & !0xffff | low;
        count += if count <= above { 0x1_0000 } else { 0 };
        if is(Fault::CounterOf16Bits) {
            count = low;
        }
        let (plain, due) = unsealed(&session.to_device, count, text);
        let compared = match fault {
            Some(Fault::ComparesOfTag(bytes)) => 0..bytes,
            Some(Fault::ComparesOfTagsEnd(bytes)) => 16 - bytes..16,
            _ => 0..16,
        };
        if head[0] != session.mark || tag[compared.clone()] != due[compared] {
            self.is_shut |= head[0] == session.mark;
            if is(Fault::ShutMovesCounter) && head[0] == session.mark {
                session.took = count;
            }
            return None;
        }
        let takes_any = is(Fault::TakesAnyCounter) || is(Fault::TakesAnyCounterAndAnswersTheNewest);
        let age = session.took.saturating_sub(count);
        let takes_any = takes_any || matches!(fault, Some(Fault::TakesAged(from, to)) if (from..=to).contains(&age));
        let is_skipped = is(Fault::OnlyNextCounter) && count != session.took + 1;
        if is_skipped || count <= session.took && !takes_any {
            return None;
        }
        session.took = session.took.max(count);
        Some(plain)
    }
}
