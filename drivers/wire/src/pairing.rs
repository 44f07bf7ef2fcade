//! Pairing over a cable that somebody may tap: X25519, and a code that stands on the device's housing.
//!
//! ```text
//! body:    56 | Offer, Share or Confirm as postcard writes it, in the clear
//! secrets = Ascon-XOF128( "sabot-pair-3" | code, 10 bytes | host's share | device's share | X25519 of both
//!                         | role | length of serial number | serial number )
//!         = key, 16 bytes | the device's proof, 16 bytes | the host's proof, 16 bytes
//! ```
//!
//! Who reads along learns nothing of the key. Who stands in between must know the code: each end proves that it does,
//! before the other drops the key that it has.

use core::fmt;

use ascon_xof128::{AsconXof128, ExtendableOutput, Update, XofReader};
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::message::{KEY_BYTES, Key, Role};

/// The first byte of a pairing body: no message begins with it, and no sealed body.
pub const PAIRING: u8 = 0x56;
/// Bytes of a share: a point of X25519.
pub const SHARE_BYTES: usize = 32;
/// Bytes of a code.
pub const CODE_BYTES: usize = 10;
/// Digits of a code as people read it, five bits each.
pub const CODE_DIGITS: usize = CODE_BYTES * 8 / 5;
/// Those digits: none that is taken for another.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PROOF_BYTES: usize = 16;

/// What both ends say while they pair; anybody may say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pairing {
    /// From the host: its share.
    Offer([u8; SHARE_BYTES]),
    /// From the device: its share, and the proof that it knows the code.
    Share {
        /// The offer that is answered: the line may have kept back an answer to another.
        to: [u8; SHARE_BYTES],
        /// Its share.
        share: [u8; SHARE_BYTES],
        /// Drawn with the key.
        proof: [u8; PROOF_BYTES],
    },
    /// From the host, which has kept the key: the proof that it knows the code. The device takes the key.
    Confirm([u8; PROOF_BYTES]),
}

/// The code on a device's housing, as secret as the housing. Nothing prints it but [`Code::digits`].
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Code([u8; CODE_BYTES]);

impl Code {
    /// A code of these bytes, which must be random.
    #[must_use]
    pub const fn new(bytes: [u8; CODE_BYTES]) -> Self {
        Self(bytes)
    }

    /// Its bytes, for who keeps it.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; CODE_BYTES] {
        &self.0
    }

    /// The code that somebody types: 16 digits and letters, small or large, with spaces or dashes or none. `O` is read
    /// as 0, `I` and `L` as 1.
    #[must_use]
    pub fn typed(text: &str) -> Option<Self> {
        let (mut bytes, mut count) = ([0; CODE_BYTES], 0);
        for typed in text.trim().bytes().filter(|byte| !matches!(byte, b'-' | b' ')) {
            let letter = match typed.to_ascii_uppercase() {
                b'O' => b'0',
                b'I' | b'L' => b'1',
                other => other,
            };
            let value = DIGITS.iter().position(|digit| *digit == letter)? as u16;
            // five bits, the most significant first
            let (byte, shift) = (count * 5 / 8, 11 - count * 5 % 8);
            let [high, low] = (value << shift).to_be_bytes();
            *bytes.get_mut(byte)? |= high;
            if low != 0 {
                *bytes.get_mut(byte + 1)? |= low;
            }
            count += 1;
        }
        (count == CODE_DIGITS).then_some(Self(bytes))
    }

    /// As it stands on the housing, without the dashes after each fourth.
    #[must_use]
    pub fn digits(&self) -> [char; CODE_DIGITS] {
        core::array::from_fn(|at| {
            let byte = |n: usize| self.0.get(n).copied().unwrap_or_default();
            let pair = u16::from_be_bytes([byte(at * 5 / 8), byte(at * 5 / 8 + 1)]);
            let value = usize::from(pair >> (11 - at * 5 % 8)) & 31;
            DIGITS.get(value).copied().map_or('0', char::from)
        })
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(..)")
    }
}

/// Who is paired, and by which code.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    /// The code of the device.
    pub code: &'a Code,
    /// Its role.
    pub role: Role,
    /// Its serial number.
    pub serial: &'a str,
}

/// What both ends know after both shares have come.
pub struct Secrets {
    /// The key that they will share.
    pub key: Key,
    /// What the device says to prove that it knows the code.
    pub of_device: [u8; PROOF_BYTES],
    /// What the host says.
    pub of_host: [u8; PROOF_BYTES],
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(..)")
    }
}

/// The share of a secret number.
#[must_use]
pub fn share_of(secret: &[u8; SHARE_BYTES]) -> [u8; SHARE_BYTES] {
    x25519_dalek::x25519(*secret, x25519_dalek::X25519_BASEPOINT_BYTES)
}

impl Secrets {
    /// What the host knows, from its secret number and the device's share. `None`: the share is one that leads to the
    /// same secret whatever the other's is.
    #[must_use]
    pub fn of_host(pairs: &Pairs<'_>, secret: &[u8; SHARE_BYTES], share: &[u8; SHARE_BYTES]) -> Option<Self> {
        Self::of(pairs, [&share_of(secret), share], x25519_dalek::x25519(*secret, *share))
    }

    /// What the device knows, from its secret number and share, and the host's share.
    #[must_use]
    pub fn of_device(
        pairs: &Pairs<'_>,
        secret: &[u8; SHARE_BYTES],
        own: &[u8; SHARE_BYTES],
        share: &[u8; SHARE_BYTES],
    ) -> Option<Self> {
        Self::of(pairs, [share, own], x25519_dalek::x25519(*secret, *share))
    }

    fn of(pairs: &Pairs<'_>, shares: [&[u8; SHARE_BYTES]; 2], mut common: [u8; SHARE_BYTES]) -> Option<Self> {
        if common == [0; SHARE_BYTES] {
            return None;
        }
        let Pairs { code, role, serial } = *pairs;
        let mut xof = AsconXof128::default();
        xof.update(b"sabot-pair-3");
        xof.update(code.bytes());
        shares.iter().for_each(|share| xof.update(*share));
        xof.update(&common);
        xof.update(&[role as u8, serial.len() as u8]);
        xof.update(serial.as_bytes());
        common.zeroize();
        let mut reader = xof.finalize_xof();
        let (mut key, mut of_device, mut of_host) = ([0; KEY_BYTES], [0; PROOF_BYTES], [0; PROOF_BYTES]);
        reader.read(&mut key);
        reader.read(&mut of_device);
        reader.read(&mut of_host);
        Some(Self { key: Key::new(key), of_device, of_host })
    }
}

/// Whether a proof is the one due. How long that takes tells nothing of it.
#[must_use]
pub fn is_proof(proof: &[u8; PROOF_BYTES], due: &[u8; PROOF_BYTES]) -> bool {
    core::hint::black_box(proof.iter().zip(due).fold(0, |differs, (a, b)| differs | (a ^ b))) == 0
}

/// A device's part of the pairing.
#[derive(Debug, Default)]
pub(crate) struct DevicePairing {
    code: Option<Code>,
    /// An offer that is not answered yet: that takes so long that it is done once a round, and only for the newest.
    offer: Option<[u8; SHARE_BYTES]>,
    answered: Option<Answered>,
    share_due: bool,
}

#[derive(Debug)]
struct Answered {
    offer: [u8; SHARE_BYTES],
    share: [u8; SHARE_BYTES],
    secrets: Secrets,
}

impl DevicePairing {
    pub(crate) const fn by(code: Option<Code>) -> Self {
        Self { code, offer: None, answered: None, share_due: false }
    }

    /// Whether it has a code: then it takes no key that comes in the clear.
    pub(crate) const fn has_code(&self) -> bool {
        self.code.is_some()
    }

    /// Something has come, and the device may be given a key. The key that it has from now on, where it is one.
    pub(crate) fn said(&mut self, said: &Pairing) -> Option<Key> {
        match *said {
            Pairing::Offer(offer) if self.has_code() => {
                self.share_due = self.answered.as_ref().is_some_and(|answered| answered.offer == offer);
                self.offer = (!self.share_due).then_some(offer);
                None
            }
            Pairing::Confirm(proof) => {
                let confirmed = self.answered.take_if(|answered| is_proof(&proof, &answered.secrets.of_host))?;
                Some(confirmed.secrets.key)
            }
            _ => None,
        }
    }

    /// What is to be said; `random` has not been drawn before.
    pub(crate) fn next(&mut self, role: Role, serial: &str, random: impl FnOnce() -> [[u8; 16]; 2]) -> Option<Pairing> {
        if let (Some(offer), Some(code)) = (self.offer.take(), &self.code) {
            let mut xof = AsconXof128::default();
            // where what is drawn can be guessed, the code still cannot
            xof.update(b"sabot-share");
            random().iter().for_each(|part| xof.update(part));
            xof.update(code.bytes());
            xof.update(&offer);
            let mut secret = [0; SHARE_BYTES];
            xof.finalize_xof().read(&mut secret);
            let share = share_of(&secret);
            let secrets = Secrets::of_device(&Pairs { code, role, serial }, &secret, &share, &offer);
            secret.zeroize();
            self.answered = secrets.map(|secrets| Answered { offer, share, secrets });
            self.share_due = self.answered.is_some();
        }
        if !core::mem::take(&mut self.share_due) {
            return None;
        }
        let Answered { offer, share, secrets } = self.answered.as_ref()?;
        Some(Pairing::Share { to: *offer, share: *share, proof: secrets.of_device })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;
    use std::string::String;

    #[test]
    fn a_code_is_read_as_it_is_written_however_it_is_typed() {
        let code = Code::new([0xFF, 0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF1]);
        let digits: String = code.digits().iter().collect();
        assert_eq!(digits, "ZW014D2PF2DBSQQH");
        for typed in ["ZW014D2PF2DBSQQH", "zwo1-4d2p-f2db-sqqh", " ZWOL 4D2P F2DB SQQH\n"] {
            assert_eq!(Code::typed(typed), Some(code.clone()), "{typed}");
        }
        for wrong in ["", "ZW014D2PF2DBSQQ", "ZW014D2PF2DBSQQHH", "ZW014D2PF2DBSQQU", "ZW014D2PF2DBSQQé"] {
            assert_eq!(Code::typed(wrong), None, "{wrong}");
        }
        assert_eq!(std::format!("{code:?}"), "Code(..)");
    }

    #[test]
    fn a_share_that_leads_to_the_same_secret_for_everybody_is_refused() {
        let code = Code::new([1; CODE_BYTES]);
        let pairs = Pairs { code: &code, role: Role::Shoe, serial: "SH-1" };
        assert!(Secrets::of_host(&pairs, &[7; 32], &[0; 32]).is_none());
        let mut one = [0; 32];
        one[0] = 1;
        assert!(Secrets::of_device(&pairs, &[7; 32], &share_of(&[7; 32]), &one).is_none());
    }

    /// Section 6.1 of RFC 7748.
    #[test]
    fn the_shares_are_those_of_x25519() {
        let alice = [
            0x77, 0x07, 0x6d, 0x0a, 0x73, 0x18, 0xa5, 0x7d, 0x3c, 0x16, 0xc1, 0x72, 0x51, 0xb2, 0x66, 0x45, 0xdf, 0x4c,
            0x2f, 0x87, 0xeb, 0xc0, 0x99, 0x2a, 0xb1, 0x77, 0xfb, 0xa5, 0x1d, 0xb9, 0x2c, 0x2a,
        ];
        let share = share_of(&alice);
        assert_eq!(share[..4], [0x85, 0x20, 0xf0, 0x09]);
    }
}
