//! Keys of those who may open covered cards before they are uncovered: the house's, the auditor's. The station has the
//! public key and seals each shoe's key to it (HPKE, RFC 9180: X25519, HKDF-SHA256, ChaCha20Poly1305); the private key
//! is held away from the table.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use base64ct::{Base64, Encoding};
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, OpModeS, Serializable};
use zeroize::Zeroizing;

use super::note::{KeyError, KeyFileError, checked, number, parts, read_private, write_private};

/// The kind of key, where a signature has its type.
const KIND: u8 = 0xff;
const SECRET: &str = "PRIVATE+KEY+";
const LENGTH: usize = 32;
/// What is sealed is sealed for this.
const INFO: &[u8] = b"sabot/shoe-key/v1";

type Secret = <X25519HkdfSha256 as Kem>::PrivateKey;
type Public = <X25519HkdfSha256 as Kem>::PublicKey;
type Encapped = <X25519HkdfSha256 as Kem>::EncappedKey;

/// A reader's public key. Written as other public keys are, its kind being 255.
#[derive(Clone)]
pub struct ReaderPublicKey {
    name: String,
    key: Public,
}

impl ReaderPublicKey {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Seals a secret to it.
    pub(super) fn seal(&self, secret: &[u8]) -> Option<String> {
        let mode = OpModeS::Base;
        let sealed = hpke::single_shot_seal::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
            &mode, &self.key, INFO, secret, b"",
        );
        let (encapped, text) = sealed.ok()?;
        Some(Base64::encode_string(&[encapped.to_bytes().as_slice(), &text].concat()))
    }
}

impl PartialEq for ReaderPublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl fmt::Debug for ReaderPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReaderPublicKey({self})")
    }
}

impl fmt::Display for ReaderPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.to_bytes();
        let number = u32::from_be_bytes(number(&self.name, KIND, &key));
        write!(f, "{}+{number:08x}+{}", self.name, Base64::encode_string(&[&[KIND], key.as_slice()].concat()))
    }
}

/// The bytes of a key in its text, and its name.
fn read(text: &str) -> Result<(&str, u32, Zeroizing<Vec<u8>>), KeyError> {
    let (name, given, key) = parts(text.trim()).ok_or(KeyError::Form)?;
    let bytes = Zeroizing::new(Base64::decode_vec(key).map_err(|_| KeyError::Form)?);
    match bytes.split_first() {
        Some((&KIND, key)) if key.len() == LENGTH => Ok((name, given, Zeroizing::new(key.to_vec()))),
        Some((&KIND, _)) | None => Err(KeyError::Form),
        Some(_) => Err(KeyError::Kind),
    }
}

impl FromStr for ReaderPublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let (name, given, key) = read(text)?;
        let name = checked(name)?.to_owned();
        if u32::from_be_bytes(number(&name, KIND, &key)) != given {
            return Err(KeyError::Number);
        }
        Ok(Self { name, key: Public::from_bytes(&key).map_err(|_| KeyError::Form)? })
    }
}

/// A reader's private key. It is written nowhere but into its own file.
pub struct ReaderKey {
    public: ReaderPublicKey,
    key: Secret,
}

impl fmt::Debug for ReaderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReaderKey({})", self.public)
    }
}

impl ReaderKey {
    fn of(name: &str, key: Secret) -> Result<Self, KeyError> {
        let public = ReaderPublicKey { name: checked(name)?.to_owned(), key: X25519HkdfSha256::sk_to_pk(&key) };
        Ok(Self { public, key })
    }

    /// A new key, written to `path`, which must not be there yet and is made for its owner alone.
    ///
    /// # Errors
    /// When the file is there or cannot be written, the name cannot stand in a key, or the system gives no chance.
    pub fn create(path: &Path, name: &str) -> Result<Self, KeyFileError> {
        let mut seed = Zeroizing::new([0; LENGTH]);
        getrandom::fill(seed.as_mut())
            .map_err(|why| KeyFileError::Io { path: path.to_path_buf(), why: std::io::Error::other(why) })?;
        let (key, _) = X25519HkdfSha256::derive_keypair(seed.as_slice());
        let key = Self::of(name, key).map_err(|why| KeyFileError::Key { path: path.to_path_buf(), why })?;
        write_private(path, &key.to_text())?;
        Ok(key)
    }

    /// Reads the key at `path`.
    ///
    /// # Errors
    /// When it cannot be read, others may read it, or it is no reader's key.
    pub fn load(path: &Path) -> Result<Self, KeyFileError> {
        let text = read_private(path)?;
        Self::parse(&text).map_err(|why| KeyFileError::Key { path: path.to_path_buf(), why })
    }

    /// To whom is sealed.
    #[must_use]
    pub fn public(&self) -> &ReaderPublicKey {
        &self.public
    }

    fn to_text(&self) -> Zeroizing<String> {
        let secret = Zeroizing::new([&[KIND], self.key.to_bytes().as_slice()].concat());
        let number = u32::from_be_bytes(number(&self.public.name, KIND, &self.public.key.to_bytes()));
        let key = Zeroizing::new(Base64::encode_string(&secret));
        Zeroizing::new(format!("{SECRET}{}+{number:08x}+{}\n", self.public.name, *key))
    }

    fn parse(text: &str) -> Result<Self, KeyError> {
        let (name, given, key) = read(text.trim().strip_prefix(SECRET).ok_or(KeyError::Form)?)?;
        let found = Self::of(name, Secret::from_bytes(&key).map_err(|_| KeyError::Form)?)?;
        let right = u32::from_be_bytes(number(name, KIND, &found.public.key.to_bytes())) == given;
        if right { Ok(found) } else { Err(KeyError::Number) }
    }

    /// The secrets among these, each with the name of whom it is for, that this key opens.
    pub(super) fn open_any(&self, sealed: &[(String, String)]) -> impl Iterator<Item = Zeroizing<Vec<u8>>> {
        let for_it = sealed.iter().filter(|(name, _)| *name == self.public.name);
        for_it.filter_map(|(_, text)| self.open(text))
    }

    fn open(&self, text: &str) -> Option<Zeroizing<Vec<u8>>> {
        let bytes = Base64::decode_vec(text).ok()?;
        let (encapped, sealed) = bytes.split_first_chunk::<LENGTH>()?;
        let encapped = Encapped::from_bytes(encapped).ok()?;
        let mode = OpModeR::Base;
        let opened = hpke::single_shot_open::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
            &mode, &self.key, &encapped, INFO, sealed, b"",
        );
        opened.ok().map(Zeroizing::new)
    }
}
