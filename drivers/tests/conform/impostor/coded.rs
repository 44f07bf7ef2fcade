//! How it is paired by its code.

use sabot_wire::message::Point;
use sabot_wire::seal::Once;

use tokio::time::Instant;

use super::sessions::secrets;
use super::{Fault, Impostor};

/// An offer, and what was answered.
pub(super) struct Offered {
    offer: [u8; 32],
    share: [u8; 32],
    key: [u8; 16],
    of_device: [u8; 16],
    of_host: [u8; 16],
    is_confirmed: bool,
}

impl Impostor {
    /// What comes after the byte that pairings begin with.
    pub(super) fn is_offered(&mut self, said: &[u8]) {
        let takes_part = self.key.is_none() || self.is(Fault::AnswersOfferWithKey);
        match said.split_first() {
            Some((0, offer)) if offer.len() == 32 && takes_part && !self.is(Fault::NoShareToOffer) => {
                self.answers_offer(offer.try_into().unwrap());
            }
            Some((2, proof)) if proof.len() == 16 => self.is_confirmed(proof),
            _ => {}
        }
    }

    fn answers_offer(&mut self, offer: [u8; 32]) {
        let same = self.offered.last().is_some_and(|last| last.offer == offer);
        if !same || self.is(Fault::OtherShareToSameOffer) {
            self.busy_until = Instant::now() + self.slowness;
            let number = if self.is(Fault::OneShareForAllOffers) { 1 } else { self.offered.len() as u8 + 1 };
            let common = x25519_dalek::x25519([number; 32], offer);
            if common == [0; 32] && !self.is(Fault::AnswersWeakOffer) {
                return;
            }
            let Point(share) = Once::new([number; 32]).share();
            let code = self.code.filter(|_| !self.is(Fault::CodeLeftOut)).unwrap_or_default();
            let ends = [self.role(), self.serial.len() as u8];
            let [key, mut of_device, of_host] =
                secrets(&[b"sabot-pair-3", &code, &offer, &share, &common, &ends, self.serial]);
            of_device[3] ^= u8::from(self.is(Fault::WrongProofOfCode));
            self.offered.push(Offered { offer, share, key, of_device, of_host, is_confirmed: false });
        }
        let Offered { offer, share, of_device, .. } = self.offered.last().unwrap();
        let body = [&[0x56, 1], &offer[..], share, of_device].concat();
        self.frame(&body, false);
    }

    fn is_confirmed(&mut self, proof: &[u8]) {
        let (any, old, again) =
            (self.is(Fault::TakesAnyConfirm), self.is(Fault::TakesOldConfirm), self.is(Fault::ConfirmsAgain));
        let compared = if let Some(Fault::ComparesOfConfirm(bytes)) = self.fault { bytes } else { 16 };
        let newest = self.offered.len().wrapping_sub(1);
        let is_due = |(at, offered): &(usize, &mut Offered)| {
            (offered.of_host[..compared] == proof[..compared] || any)
                && (*at == newest || old)
                && (!offered.is_confirmed || again)
        };
        let Some((_, due)) = self.offered.iter_mut().enumerate().find(is_due) else { return };
        due.is_confirmed = true;
        let mut key = due.key;
        key[0] ^= u8::from(self.is(Fault::OtherCodedKey));
        self.key = Some(key).filter(|_| !self.is(Fault::KeepsNoCodedKey));
        self.forgets_session();
        if !self.is(Fault::KeepsEpochOnPairing) {
            self.epoch ^= 0x0f0f_0f0f;
        }
        if !self.is(Fault::KeepsRingOnPairing) {
            self.ring.clear();
            (self.oldest, self.fresh, self.told) = (1, 1, 0);
            self.rewinds();
        }
        if !self.is(Fault::NoHelloAfterPairing) {
            self.says_hello();
        }
    }
}
