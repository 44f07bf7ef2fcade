//! The page over TLS: the station's certificate, who signed it, and asking a station that has one.
//!
//! A folder holds what a station needs, in PEM: `station.crt` (its certificate, then those that lead to who signed it),
//! `station.key`, and where the house made its own, `authority.crt`, which tablets take once. [`authority`] makes them;
//! files of the house's own may stand there as well.

pub mod authority;
pub mod pinned;
pub mod trust;

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// The station's certificate.
pub const CERTIFICATE: &str = "station.crt";
/// Its private key.
pub const KEY: &str = "station.key";
/// The certificate of who signed it.
pub const AUTHORITY: &str = "authority.crt";

/// Why a folder's certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{}: {why}; `sabot tls make` makes a certificate", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// A file holds something else.
    #[error("{}: this is no {what} in PEM", path.display())]
    NotPem {
        /// Which.
        path: PathBuf,
        /// What should stand in it.
        what: &'static str,
    },
    /// Others than the owner and his group may read the private key.
    #[error("{}: others may read it, and serve a page as the station\n  = chmod o= {}", .0.display(), .0.display())]
    Open(PathBuf),
    /// Certificate and key do not go together, or cannot be used at all.
    #[error("{}: {why}; it must be the certificate of {KEY} beside it", path.display())]
    Refused {
        /// The certificate.
        path: PathBuf,
        /// Why.
        why: rustls::Error,
    },
    /// A certificate is not one that signs others.
    #[error("{}: {why}; it must be the certificate of the authority that signed the stations'", path.display())]
    NoAuthority {
        /// The certificate.
        path: PathBuf,
        /// Why.
        why: rustls::Error,
    },
}

/// When the files of a certificate were changed, and their lengths.
type Stands = [(SystemTime, u64); 2];

/// A station's certificate, read again when it is renewed.
#[derive(Debug)]
pub struct Tls {
    folder: PathBuf,
    read: Mutex<(Stands, Arc<ServerConfig>)>,
}

impl Tls {
    /// What stands in a folder.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn load(folder: &Path) -> Result<Self, TlsError> {
        let read = (stands(folder)?, config(folder)?);
        Ok(Self { folder: folder.to_path_buf(), read: Mutex::new(read) })
    }

    /// The certificate of who signed the station's, as a browser takes it, where the folder has it.
    #[must_use]
    pub fn authority(&self) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(AUTHORITY)).ok()
    }

    /// Takes connections with the certificate as it stands now. One that cannot be used leaves the one before.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(stands) = stands(&self.folder)
            && stands != read.0
        {
            match config(&self.folder) {
                Ok(config) => read.1 = config,
                Err(why) => tracing::error!("{why}; the page goes on with the certificate before"),
            }
            // a file that is bad is looked at again when it changes again
            read.0 = stands;
        }
        TlsAcceptor::from(Arc::clone(&read.1))
    }
}

/// When the station's certificate ends, milliseconds since 1970.
///
/// # Errors
/// When its file is none.
pub fn ends_ms(folder: &Path) -> Result<u64, TlsError> {
    let path = folder.join(CERTIFICATE);
    let own = certificates(path.clone())?.swap_remove(0);
    let (_, read) =
        x509_parser::parse_x509_certificate(&own).map_err(|_| TlsError::NotPem { path, what: "certificate" })?;
    Ok(u64::try_from(read.validity().not_after.timestamp()).unwrap_or(0).saturating_mul(1000))
}

fn stands(folder: &Path) -> Result<Stands, TlsError> {
    let stands = |name| {
        let path = folder.join(name);
        std::fs::metadata(&path)
            .and_then(|file| Ok((file.modified()?, file.len())))
            .map_err(|why| TlsError::Read { path, why })
    };
    Ok([stands(CERTIFICATE)?, stands(KEY)?])
}

fn config(folder: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let path = folder.join(KEY);
    if std::fs::metadata(&path).is_ok_and(|file| file.permissions().mode() & 0o007 != 0) {
        return Err(TlsError::Open(path));
    }
    let key = PrivateKeyDer::from_pem_file(&path).map_err(|error| unread(path, "private key", error))?;
    let refused = |why| TlsError::Refused { path: folder.join(CERTIFICATE), why };
    let config = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    let config = config.map_err(refused)?.with_no_client_auth();
    Ok(Arc::new(config.with_single_cert(certificates(folder.join(CERTIFICATE))?, key).map_err(refused)?))
}

/// The certificates in a file: of a station its own and those that lead to who signed it.
fn certificates(path: PathBuf) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let no_certificate = |error| unread(path.clone(), "certificate", error);
    let found: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(&path).map_err(no_certificate)?.map(|one| one.map_err(no_certificate)).collect();
    found.and_then(|found| if found.is_empty() { Err(no_certificate(pem::Error::NoItemsFound)) } else { Ok(found) })
}

/// Nothing of what stands in a file is told: it may be a key.
fn unread(path: PathBuf, what: &'static str, error: pem::Error) -> TlsError {
    match error {
        pem::Error::Io(why) => TlsError::Read { path, why },
        _ => TlsError::NotPem { path, what },
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(default_provider())
}
