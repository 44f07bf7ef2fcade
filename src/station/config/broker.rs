//! How the house's broker is reached: the keys that stand alike in a table's file and in a pit's.

use std::path::{Path, PathBuf};

use toml::Spanned;

use super::key_examples::{Examples, example};
use super::mistake::Fault;

/// A broker, and who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokerConfig {
    /// Its addresses, with commas between them.
    pub url: String,
    /// Who asks.
    pub credentials: Option<PathBuf>,
    /// The certificate of the authority that signed the broker's.
    pub authority: Option<PathBuf>,
    /// A certificate of one's own and its private key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// The keys of a broker, as they stand in a file.
pub(super) struct RawBroker<'a> {
    pub(super) broker: &'a Spanned<String>,
    pub(super) credentials: Option<PathBuf>,
    pub(super) authority: Option<PathBuf>,
    pub(super) certificate: Option<Spanned<PathBuf>>,
    pub(super) certificate_key: Option<Spanned<PathBuf>>,
}

impl RawBroker<'_> {
    pub(super) fn check(self, folder: &Path, of: Examples) -> Result<BrokerConfig, Fault> {
        let Self { broker, credentials, authority, certificate, certificate_key } = self;
        let schemes = ["nats://", "tls://"];
        if broker.get_ref().split(',').any(|url| !schemes.iter().any(|scheme| url.trim().starts_with(scheme))) {
            return Err(Fault::at(broker.span(), "this is no address of a broker", example(of, "broker")));
        }
        if broker.get_ref().contains('@') {
            let what = "an address with a name or a password in it would stand on the page and in the log";
            let instead = format!("leave them out of `broker`, and {}", example(of, "credentials"));
            return Err(Fault::at(broker.span(), what, instead));
        }
        let certificate = match (certificate, certificate_key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some((folder.join(certificate.get_ref()), folder.join(key.get_ref()))),
            (Some(alone), None) | (None, Some(alone)) => {
                let what = "`certificate` and `certificate_key` belong together";
                return Err(Fault::at(alone.span(), what, "name both, or none"));
            }
        };
        Ok(BrokerConfig {
            url: broker.get_ref().clone(),
            credentials: credentials.map(|file| folder.join(file)),
            authority: authority.map(|file| folder.join(file)),
            certificate,
        })
    }
}

/// A name that can stand in a subject of the broker.
pub(super) fn name(raw: &Spanned<String>, of: Examples, key: &str) -> Result<String, Fault> {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let name = raw.get_ref();
    if !name.is_empty() && name.len() <= 64 && name.chars().all(plain) {
        return Ok(name.clone());
    }
    let what = format!("`{name}` cannot be told to the broker: one to 64 letters, digits, `-` or `_`");
    Err(Fault::at(raw.span(), what, example(of, key)))
}
