//! Asking a station whose certificate an authority of the house has signed.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{CertificateError, ClientConfig, Error, RootCertStore};

use super::{TlsError, certificates, provider};

/// TLS with stations whose certificates an authority has signed, and with nobody else.
#[derive(Clone)]
pub struct Trust(TlsConnector);

/// Why a station is not believed to be one.
#[derive(Debug, thiserror::Error)]
pub enum Untrusted {
    /// Its certificate is signed by somebody else.
    #[error("its certificate is not signed by the house's authority")]
    Authority,
    /// Its certificate is for other names.
    #[error("its certificate is for another name")]
    Name,
    /// Its certificate is too old or too new.
    #[error("its certificate is not good at this time")]
    Time,
    /// TLS came to nothing.
    #[error("{0}")]
    Failed(io::Error),
}

impl Trust {
    /// In the authority whose certificate stands in a file, in PEM.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn load(authority: &Path) -> Result<Self, TlsError> {
        let refused = |why| TlsError::NoAuthority { path: authority.to_path_buf(), why };
        let mut roots = RootCertStore::empty();
        for certificate in certificates(authority.to_path_buf())? {
            roots.add(certificate).map_err(refused)?;
        }
        let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let config = config.map_err(refused)?.with_root_certificates(roots).with_no_client_auth();
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }

    /// TLS with the station of that name or address.
    ///
    /// # Errors
    /// When somebody else answers, or nobody who speaks TLS.
    pub async fn connect(&self, host: &str, stream: TcpStream) -> Result<TlsStream<TcpStream>, Untrusted> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| Untrusted::Name)?;
        self.0.connect(name, stream).await.map_err(Untrusted::from)
    }
}

impl From<io::Error> for Untrusted {
    fn from(error: io::Error) -> Self {
        let refused = error.get_ref().and_then(|inner| inner.downcast_ref());
        let Some(Error::InvalidCertificate(why)) = refused else { return Self::Failed(error) };
        match why {
            CertificateError::UnknownIssuer | CertificateError::BadSignature => Self::Authority,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => Self::Name,
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => Self::Time,
            _ => Self::Failed(error),
        }
    }
}
