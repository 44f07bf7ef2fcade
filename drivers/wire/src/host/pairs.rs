//! How a host gives a device its key: in the clear, or by the code on the device's housing.

use heapless::String;

use super::{Handshake, Host, Keyring, Refusal, Report};
use crate::frame::{MAX_FRAME, encode, encode_pairing};
use crate::message::{Key, SERIAL_BYTES, ToDevice};
use crate::pairing::{Code, Pairing, Pairs as PairedBy, SHARE_BYTES, Secrets, is_proof, share_of};

/// What the device is given.
#[derive(Debug)]
pub(super) enum Pairs {
    /// This key, as it is.
    InClear(Key),
    /// One that both ends draw.
    ByCode(Offered),
}

/// A host's part of the pairing by a code.
pub(super) struct Offered {
    code: Code,
    secret: [u8; SHARE_BYTES],
    share: [u8; SHARE_BYTES],
    /// The key that a device was told to take, and the proof that told it: it may not have heard it, or may not have
    /// been heard.
    kept: Option<(String<SERIAL_BYTES>, Key, [u8; 16])>,
}

impl core::fmt::Debug for Offered {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Offered(..)")
    }
}

impl Drop for Offered {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.secret);
    }
}

impl Pairs {
    pub(super) const fn is_by_code(&self) -> bool {
        match self {
            Self::InClear(_) => false,
            Self::ByCode(_) => true,
        }
    }

    /// The key that goes over the line as it is.
    pub(super) fn given(&self) -> Option<Key> {
        match self {
            Self::InClear(key) => Some(key.clone()),
            Self::ByCode(_) => None,
        }
    }

    /// What is sent before the challenge. An offer is sent again as a challenge would be, until it is answered.
    pub(super) fn next<'o>(
        &self,
        handshake: &mut Handshake,
        now_ms: u64,
        out: &'o mut [u8; MAX_FRAME],
    ) -> Option<&'o [u8]> {
        match self {
            Self::InClear(key) => {
                handshake.pair_due = false;
                encode(&ToDevice::Pair(key.clone()), out).ok()
            }
            Self::ByCode(offered) => match handshake.confirm {
                None => {
                    handshake.sent_at = Some(now_ms);
                    encode_pairing(&Pairing::Offer(offered.share), out).ok()
                }
                Some(proof) => {
                    handshake.pair_due = false;
                    encode_pairing(&Pairing::Confirm(proof), out).ok()
                }
            },
        }
    }
}

impl<K: Keyring> Host<K> {
    /// The device that is there is given a key that both ends draw, and which nobody learns who reads along. `code`
    /// stands on its housing: who stands in between must know it. `secret` is random, and new for each. The keyring
    /// keeps the key before the device takes it ([`Keyring::keeps`]). A device takes it when it has none, or was told
    /// by hand to take one; one that knows no code does not answer.
    #[must_use]
    pub fn pairing_by_code(mut self, code: Code, secret: [u8; SHARE_BYTES]) -> Self {
        self.pair = Some(Pairs::ByCode(Offered { code, secret, share: share_of(&secret), kept: None }));
        self
    }

    /// A key that is given in the clear is kept before the device hears it, for nobody may hear that it took it.
    pub(super) fn keeps_given(&self, serial: &str) -> Result<(), Refusal> {
        let given = self.pair.as_ref().and_then(Pairs::given);
        if given.is_none_or(|key| self.keys.keeps(serial, &key)) {
            return Ok(());
        }
        Err(Refusal::Unkept { serial: String::try_from(serial).unwrap_or_default() })
    }

    /// The key that this device was told to take before, and how it is told.
    pub(super) fn kept_for(&self, serial: &str) -> Option<(Key, [u8; 16])> {
        match self.pair.as_ref()? {
            Pairs::InClear(_) => None,
            Pairs::ByCode(offered) => {
                let (_, key, proof) = offered.kept.as_ref().filter(|(of, ..)| of == serial)?;
                Some((key.clone(), *proof))
            }
        }
    }

    pub(super) fn pairs_by_code(&self) -> bool {
        self.pair.as_ref().is_some_and(Pairs::is_by_code)
    }

    /// What anybody may say while two ends pair.
    pub(super) fn pairing_said(&mut self, now_ms: u64, said: Pairing) -> Option<Report> {
        let (Pairing::Share { to, share, proof }, Some(Pairs::ByCode(offered)), Some(handshake)) =
            (said, &mut self.pair, self.handshake.as_mut().filter(|handshake| handshake.confirm.is_none()))
        else {
            self.counters.ignored += 1;
            return None;
        };
        if to != offered.share {
            self.counters.ignored += 1;
            return None;
        }
        let serial = handshake.serial.clone();
        let by = PairedBy { code: &offered.code, role: self.expect.role, serial: &serial };
        let secrets = Secrets::of_host(&by, &offered.secret, &share);
        let Some(secrets) = secrets.filter(|secrets| is_proof(&proof, &secrets.of_device)) else {
            return self.refuse(Refusal::Code { serial });
        };
        // from here on the device may take it, and nobody may hear that it did
        if !self.keys.keeps(&serial, &secrets.key) {
            return self.refuse(Refusal::Unkept { serial });
        }
        offered.kept = Some((serial, secrets.key.clone(), secrets.of_host));
        handshake.key = secrets.key;
        (handshake.confirm, handshake.sent_at, handshake.begun_at) = (Some(secrets.of_host), None, now_ms);
        None
    }
}
