//! Signed notes, and the keys that sign them, as C2SP describes them (c2sp.org/signed-note, c2sp.org/tlog-cosignature):
//! a text, and under it a line for each signature. Other people's programs read them too.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use base64ct::{Base64, Encoding};
use ed25519_dalek::{Signature as Ed25519, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::files::PRIVATE;

/// What a signature begins with.
pub(super) const DASH: &str = "\u{2014} ";
const SECRET: &str = "PRIVATE+KEY+";
const SEED: usize = 32;

/// What a key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The checkpoints of a record, as its station.
    Station,
    /// Checkpoints that it has seen, with the time, as a witness.
    Witness,
}

impl Purpose {
    /// The signature type of C2SP.
    const fn number(self) -> u8 {
        match self {
            Self::Station => 1,
            Self::Witness => 4,
        }
    }

    fn of(number: u8) -> Option<Self> {
        [Self::Station, Self::Witness].into_iter().find(|purpose| purpose.number() == number)
    }
}

/// Why a key cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It is not written as keys are.
    #[error("this is no key: it must read NAME+8 hexadecimal digits+base64, as `sabot journal key` prints it")]
    Form,
    /// Its number does not follow from name and key.
    #[error("the key's name, number and contents do not belong together: a character was changed or lost")]
    Number,
    /// It is of a kind not known here.
    #[error(
        "the key is of another kind than is wanted here: stations sign with Ed25519 (type 1), so do witnesses (type 4), \
         and readers open with X25519 (type 255)"
    )]
    Kind,
    /// The name cannot stand in a note.
    #[error(
        "the name of a key is not empty and has no spaces, control characters and plus signs: casino.example/BJ-07"
    )]
    Name,
}

/// Why the file of a private key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It cannot be read or written.
    #[error("{}: {why}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// What stands in it is no private key.
    #[error("{}: {why}\n  = make one with `sabot journal key FILE --name NAME`", path.display())]
    Key {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: KeyError,
    },
    /// Others may read it.
    #[error("{}: others can read this private key; chmod 600 {}", .0.display(), .0.display())]
    Open(PathBuf),
    /// A witness's where a station's is wanted, or the other way round.
    #[error("{}: this is the key of a {}, and that of a {} is wanted", path.display(), noun(*found), noun(*wanted))]
    Purpose {
        /// Which.
        path: PathBuf,
        /// What it is for.
        found: Purpose,
        /// What it should be for.
        wanted: Purpose,
    },
}

const fn noun(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Station => "station",
        Purpose::Witness => "witness",
    }
}

/// The number in a key's text: it tells when name, kind and key do not belong together.
pub(super) fn number(name: &str, kind: u8, public: &[u8]) -> [u8; 4] {
    let hash = Sha256::new().chain_update(name).chain_update([b'\n', kind]).chain_update(public);
    let [a, b, c, d, ..] = <[u8; 32]>::from(hash.finalize());
    [a, b, c, d]
}

/// Name, number and key of a key's text.
pub(super) fn parts(text: &str) -> Option<(&str, u32, &str)> {
    let (name, rest) = text.split_once('+')?;
    let (number, key) = rest.split_once('+')?;
    Some((name, u32::from_str_radix(number, 16).ok().filter(|_| number.len() == 8)?, key))
}

/// A name that a key may have.
pub(super) fn checked(name: &str) -> Result<&str, KeyError> {
    let wrong = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    if name.is_empty() || name.contains(wrong) { Err(KeyError::Name) } else { Ok(name) }
}

/// Writes a private key into a new file, for its owner alone.
pub(super) fn write_private(path: &Path, text: &str) -> Result<(), KeyFileError> {
    let mut file = OpenOptions::new();
    let written = file.write(true).create_new(true).mode(PRIVATE).open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|why| KeyFileError::Io { path: path.to_path_buf(), why })
}

/// Reads a private key, which nobody but its owner may.
pub(super) fn read_private(path: &Path) -> Result<Zeroizing<String>, KeyFileError> {
    let io = |why| KeyFileError::Io { path: path.to_path_buf(), why };
    if fs::metadata(path).map_err(io)?.permissions().mode() & 0o077 != 0 {
        return Err(KeyFileError::Open(path.to_path_buf()));
    }
    fs::read_to_string(path).map(Zeroizing::new).map_err(io)
}

/// A public key: whom a signature is by. Written as C2SP's "vkey".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    name: String,
    number: [u8; 4],
    purpose: Purpose,
    key: VerifyingKey,
}

impl PublicKey {
    fn new(name: &str, purpose: Purpose, key: VerifyingKey) -> Result<Self, KeyError> {
        Ok(Self {
            name: checked(name)?.to_owned(),
            number: number(name, purpose.number(), key.as_bytes()),
            purpose,
            key,
        })
    }

    /// Its name, such as `casino.example/BJ-07`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it signs.
    #[must_use]
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Reads the key at `path`.
    ///
    /// # Errors
    /// With the file, and why it cannot be read or is no public key.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
        text.parse().map_err(|why: KeyError| format!("{}: {why}", path.display()))
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let (name, given, key) = parts(text.trim()).ok_or(KeyError::Form)?;
        let bytes = Base64::decode_vec(key).map_err(|_| KeyError::Form)?;
        let (&kind, key) = bytes.split_first().ok_or(KeyError::Form)?;
        let purpose = Purpose::of(kind).ok_or(KeyError::Kind)?;
        let key = <[u8; SEED]>::try_from(key).map_err(|_| KeyError::Form)?;
        let key = VerifyingKey::from_bytes(&key).map_err(|_| KeyError::Form)?;
        let found = Self::new(name, purpose, key)?;
        if u32::from_be_bytes(found.number) == given { Ok(found) } else { Err(KeyError::Number) }
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[self.purpose.number()], self.key.as_bytes().as_slice()].concat();
        write!(f, "{}+{:08x}+{}", self.name, u32::from_be_bytes(self.number), Base64::encode_string(&key))
    }
}

/// A private key. It is written nowhere but into its own file.
#[derive(Clone)]
pub struct PrivateKey {
    public: PublicKey,
    key: SigningKey,
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey({})", self.public)
    }
}

impl PrivateKey {
    fn from_seed(name: &str, purpose: Purpose, seed: &[u8; SEED]) -> Result<Self, KeyError> {
        let key = SigningKey::from_bytes(seed);
        Ok(Self { public: PublicKey::new(name, purpose, key.verifying_key())?, key })
    }

    /// A new key, written to `path`, which must not be there yet and is made for its owner alone.
    ///
    /// # Errors
    /// When the file is there or cannot be written, the name cannot stand in a note, or the system gives no chance.
    pub fn create(path: &Path, name: &str, purpose: Purpose) -> Result<Self, KeyFileError> {
        let io = |why| KeyFileError::Io { path: path.to_path_buf(), why };
        let mut seed = Zeroizing::new([0; SEED]);
        getrandom::fill(seed.as_mut()).map_err(|why| io(io::Error::other(why)))?;
        let key =
            Self::from_seed(name, purpose, &seed).map_err(|why| KeyFileError::Key { path: path.to_path_buf(), why })?;
        write_private(path, &key.to_text())?;
        Ok(key)
    }

    /// Reads the key at `path`.
    ///
    /// # Errors
    /// When it cannot be read, others may read it, or it is no key for this purpose.
    pub fn load(path: &Path, wanted: Purpose) -> Result<Self, KeyFileError> {
        let text = read_private(path)?;
        let key = Self::parse(&text).map_err(|why| KeyFileError::Key { path: path.to_path_buf(), why })?;
        let found = key.public.purpose;
        if found == wanted { Ok(key) } else { Err(KeyFileError::Purpose { path: path.to_path_buf(), found, wanted }) }
    }

    /// Reads the key at `path`, whatever it is for.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_any(path: &Path) -> Result<Self, KeyFileError> {
        Self::load(path, Purpose::Station).or_else(|error| match error {
            KeyFileError::Purpose { found, .. } => Self::load(path, found),
            other => Err(other),
        })
    }

    /// Who signs with it.
    #[must_use]
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    fn to_text(&self) -> Zeroizing<String> {
        let mut bytes = Zeroizing::new([0; SEED + 1]);
        let [kind, seed @ ..] = &mut *bytes;
        *kind = self.public.purpose.number();
        seed.copy_from_slice(self.key.as_bytes());
        let key = Zeroizing::new(Base64::encode_string(bytes.as_slice()));
        let (name, number) = (&self.public.name, u32::from_be_bytes(self.public.number));
        Zeroizing::new(format!("{SECRET}{name}+{number:08x}+{}\n", *key))
    }

    fn parse(text: &str) -> Result<Self, KeyError> {
        let (name, given, key) = text.trim().strip_prefix(SECRET).and_then(parts).ok_or(KeyError::Form)?;
        let mut bytes = Zeroizing::new([0; SEED + 1]);
        let decoded = Base64::decode(key, bytes.as_mut_slice()).map_err(|_| KeyError::Form)?.len();
        let [kind, seed @ ..] = &*bytes;
        let purpose = Purpose::of(*kind).filter(|_| decoded == SEED + 1).ok_or(KeyError::Kind)?;
        let found = Self::from_seed(name, purpose, seed)?;
        if u32::from_be_bytes(found.public.number) == given { Ok(found) } else { Err(KeyError::Number) }
    }

    /// Signs a text; a witness signs the time too, seconds since 1970.
    #[must_use]
    pub fn sign(&self, text: &str, unix_seconds: u64) -> Signature {
        let bytes = match self.public.purpose {
            Purpose::Station => self.key.sign(text.as_bytes()).to_bytes().to_vec(),
            Purpose::Witness => {
                let signed = self.key.sign(cosigned(text, unix_seconds).as_bytes());
                [unix_seconds.to_be_bytes().as_slice(), &signed.to_bytes()].concat()
            }
        };
        Signature { name: self.public.name.clone(), number: self.public.number, bytes }
    }
}

/// What a witness signs.
fn cosigned(text: &str, unix_seconds: u64) -> String {
    format!("cosignature/v1\ntime {unix_seconds}\n{text}")
}

/// A signature line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    name: String,
    number: [u8; 4],
    bytes: Vec<u8>,
}

impl Signature {
    fn parse(line: &str) -> Option<Self> {
        let (name, encoded) = line.strip_prefix(DASH)?.split_once(' ')?;
        let bytes = Base64::decode_vec(encoded).ok()?;
        let (number, bytes) = bytes.split_first_chunk()?;
        Some(Self { name: checked(name).ok()?.to_owned(), number: *number, bytes: bytes.to_vec() })
    }

    fn is_by(&self, key: &PublicKey) -> bool {
        self.name == key.name && self.number == key.number
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [self.number.as_slice(), &self.bytes].concat();
        writeln!(f, "{DASH}{} {}", self.name, Base64::encode_string(&bytes))
    }
}

/// How a note stands to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    /// The key has signed it; a witness at this time, seconds since 1970.
    Yes(Option<u64>),
    /// It bears no signature of the key.
    No,
    /// It bears one that is not the key's: the text was changed, or the signature.
    Forged,
}

/// A text with its signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The text, its last line end included.
    pub text: String,
    /// The signatures under it.
    pub signatures: Vec<Signature>,
}

impl Note {
    /// Reads a note; none where it is none.
    #[must_use]
    pub fn parse(note: &str) -> Option<Self> {
        let (text, signatures) = note.rsplit_once("\n\n")?;
        let lines = signatures.strip_suffix('\n')?;
        let signatures = lines.split('\n').map(Signature::parse).collect::<Option<Vec<_>>>()?;
        let plain = !text.chars().any(|c| c.is_ascii_control() && c != '\n');
        plain.then(|| Self { text: format!("{text}\n"), signatures })
    }

    /// Whether the key has signed it.
    #[must_use]
    pub fn signed_by(&self, key: &PublicKey) -> Signed {
        let mut by_key = self.signatures.iter().filter(|signature| signature.is_by(key)).peekable();
        if by_key.peek().is_none() {
            return Signed::No;
        }
        // one good signature does not excuse a bad one
        let mut last = Signed::Forged;
        for signature in by_key {
            last = verified(&self.text, signature, key);
            if last == Signed::Forged {
                break;
            }
        }
        last
    }
}

fn verified(text: &str, signature: &Signature, key: &PublicKey) -> Signed {
    let ed25519 = |bytes: &[u8], message: &[u8]| {
        let signature = Ed25519::from_slice(bytes).ok()?;
        key.key.verify_strict(message, &signature).ok()
    };
    let done = match key.purpose {
        Purpose::Station => ed25519(&signature.bytes, text.as_bytes()).map(|()| None),
        Purpose::Witness => signature.bytes.split_first_chunk().and_then(|(time, bytes)| {
            let time = u64::from_be_bytes(*time);
            ed25519(bytes, cosigned(text, time).as_bytes()).map(|()| Some(time))
        }),
    };
    done.map_or(Signed::Forged, Signed::Yes)
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|signature| signature.fmt(f))
    }
}

#[cfg(test)]
#[path = "note_tests.rs"]
mod tests;
