//! An authority of the house's own, and certificates signed by it. What it may vouch for stands in its certificate, so
//! that whoever steals its key can play a station of this house to a tablet, and nobody else.

use std::fs;
use std::io::{self, Write};
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DnType, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, NameConstraints,
};
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};

use super::{AUTHORITY, CERTIFICATE, KEY, provider};

/// The authority's private key.
pub const AUTHORITY_KEY: &str = "authority.key";

/// How long an authority vouches.
const AUTHORITY_LASTS: Duration = Duration::days(3653);
/// How long a station's certificate is good: browsers refuse those that are good for longer.
const CERTIFICATE_LASTS: Duration = Duration::days(397);
/// Clocks of tablets may be behind.
const BEFORE: Duration = Duration::days(1);
/// A name that nobody has: an authority for addresses alone vouches for no other name.
const NO_NAME: &str = "invalid";

/// Why no certificate was made.
#[derive(Debug, thiserror::Error)]
pub enum NotMade {
    /// What it is for is no name and no address.
    #[error("`{0}` is no name and no address: write for example bj-07.casino.example or 10.20.0.7")]
    NoName(String),
    /// What the authority may vouch for is no name and no network.
    #[error("`{0}` is no name and no network: write for example casino.example or 10.20.0.0/16")]
    NoNetwork(String),
    /// A file cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// The authority's files are none.
    #[error("{}: the certificate and the key of an authority do not stand here as `sabot tls make` writes them", .0.display())]
    NoAuthority(PathBuf),
    /// The authority was made for other names.
    #[error("the authority in {} does not vouch for {name}: it was made for others; make another one in another folder, which each tablet has to take again", folder.display())]
    NotFor {
        /// Where it stands.
        folder: PathBuf,
        /// The name or address.
        name: String,
    },
    /// The certificate could not be made.
    #[error("the certificate could not be made: {0}")]
    Failed(#[from] rcgen::Error),
}

/// What is to be made.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Where the station's certificate and key are written, and a copy of the authority's certificate.
    pub folder: &'a Path,
    /// Where the authority's own files stand; it is made where they do not.
    pub authority: &'a Path,
    /// Names and addresses under which the station is asked for.
    pub names: &'a [String],
    /// Names and networks for which a new authority may vouch; where none is given, the station's own.
    pub permit: &'a [String],
}

/// Makes a certificate. The authority's certificate, as its fingerprint is told, and whether it is new.
///
/// # Errors
/// When a name is none, the authority does not vouch for it, or a file cannot be written.
pub fn make(wanted: Wanted<'_>) -> Result<(String, bool), NotMade> {
    let Wanted { folder, authority, names, permit } = wanted;
    for name in names {
        ServerName::try_from(name.as_str()).map_err(|_| NotMade::NoName(name.clone()))?;
    }
    let has = authority.join(AUTHORITY).exists() || authority.join(AUTHORITY_KEY).exists();
    let (certificate, key) =
        if has { read(authority)? } else { begin(if permit.is_empty() { names } else { permit })? };
    for name in names {
        // one name that is not vouched for spoils a certificate for all of them
        let (alone, _) = signed(&certificate, &key, std::slice::from_ref(name))?;
        let vouched = vouches(&certificate, &alone, name);
        vouched.ok_or_else(|| NotMade::NotFor { folder: authority.to_path_buf(), name: name.clone() })?;
    }
    let (station, station_key) = signed(&certificate, &key, names)?;
    for folder in [folder, authority] {
        fs::create_dir_all(folder).map_err(|why| NotMade::File { path: folder.to_path_buf(), why })?;
    }
    if !has {
        write(&authority.join(AUTHORITY_KEY), &key, 0o600)?;
        write(&authority.join(AUTHORITY), &certificate, 0o644)?;
    }
    if folder != authority {
        write(&folder.join(AUTHORITY), &certificate, 0o644)?;
    }
    write(&folder.join(KEY), &station_key, 0o600)?;
    write(&folder.join(CERTIFICATE), &(station + &certificate), 0o644)?;
    fingerprint(certificate.as_bytes()).map(|told| (told, !has)).ok_or_else(|| no_authority(authority))
}

/// SHA-256 of a certificate, as browsers and tablets show it.
#[must_use]
pub fn fingerprint(pem: &[u8]) -> Option<String> {
    let certificate = CertificateDer::from_pem_slice(pem).ok()?;
    let bytes: Vec<String> = Sha256::digest(&certificate).iter().map(|byte| format!("{byte:02X}")).collect();
    Some(bytes.join(":"))
}

fn no_authority(folder: &Path) -> NotMade {
    NotMade::NoAuthority(folder.to_path_buf())
}

/// The authority's certificate and key, as they stand in a folder.
fn read(folder: &Path) -> Result<(String, String), NotMade> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|why| NotMade::File { path, why })
    };
    Ok((read(AUTHORITY)?, read(AUTHORITY_KEY)?))
}

/// A new authority's certificate and key.
fn begin(permit: &[String]) -> Result<(String, String), NotMade> {
    let mut permitted = permit.iter().map(|one| subtree(one)).collect::<Result<Vec<_>, _>>()?;
    if !permitted.iter().any(|one| matches!(one, GeneralSubtree::DnsName(_))) {
        permitted.push(GeneralSubtree::DnsName(NO_NAME.to_owned()));
    }
    let has_network = permitted.iter().any(|one| matches!(one, GeneralSubtree::IpAddress(_)));
    let networks = ["0.0.0.0/0", "::/0"].iter().filter(|_| !has_network).map(|all| subtree(all));
    let excluded = networks.collect::<Result<Vec<_>, _>>()?;
    let mut params = lasting(AUTHORITY_LASTS, "sabot authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.name_constraints = Some(NameConstraints { permitted_subtrees: permitted, excluded_subtrees: excluded });
    let key = KeyPair::generate()?;
    Ok((params.self_signed(&key)?.pem(), key.serialize_pem()))
}

/// A name with those below it, an address, or a network.
fn subtree(text: &str) -> Result<GeneralSubtree, NotMade> {
    let wrong = || NotMade::NoNetwork(text.to_owned());
    let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
    let Ok(address) = address.parse::<IpAddr>() else {
        ServerName::try_from(text).map_err(|_| wrong())?;
        return Ok(GeneralSubtree::DnsName(text.to_owned()));
    };
    let whole = if address.is_ipv4() { 32 } else { 128 };
    let prefix = prefix.map_or(Ok(whole), str::parse).map_err(|_| wrong())?;
    if prefix > whole {
        return Err(wrong());
    }
    Ok(GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, prefix)))
}

/// A station's certificate, signed by an authority, and its key.
fn signed(authority: &str, authority_key: &str, names: &[String]) -> Result<(String, String), NotMade> {
    let issuer = Issuer::from_ca_cert_pem(authority, KeyPair::from_pem(authority_key)?)?;
    // OpenSSL takes a common name that could be a host's for one, which an authority of addresses does not vouch for
    let mut params = lasting(CERTIFICATE_LASTS, "sabot station");
    params.subject_alt_names = CertificateParams::new(names)?.subject_alt_names;
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    Ok((params.signed_by(&key, &issuer)?.pem(), key.serialize_pem()))
}

fn lasting(lasts: Duration, name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.not_before = OffsetDateTime::now_utc() - BEFORE;
    params.not_after = OffsetDateTime::now_utc() + lasts;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// Whether a browser that took the authority would believe that a certificate is that of a name.
fn vouches(authority: &str, certificate: &str, name: &str) -> Option<()> {
    let der = |pem: &str| CertificateDer::from_pem_slice(pem.as_bytes()).ok();
    let mut roots = RootCertStore::empty();
    roots.add(der(authority)?).ok()?;
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build().ok()?;
    let name = ServerName::try_from(name).ok()?;
    verifier.verify_server_cert(&der(certificate)?, &[], &name, &[], UnixTime::now()).ok().map(drop)
}

/// A station that reads meanwhile finds the old file or the new one whole.
fn write(path: &Path, text: &str, mode: u32) -> Result<(), NotMade> {
    let fresh = path.with_extension("new");
    let write = || {
        // a file left over from before may be readable by others
        let _ = fs::remove_file(&fresh);
        let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&fresh, path)
    };
    write().map_err(|why| NotMade::File { path: path.to_path_buf(), why })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::Tls;
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    fn made(folder: &Path, authority: &Path, of: &[&str], permit: &[&str]) -> Result<(String, bool), NotMade> {
        make(Wanted { folder, authority, names: &names(of), permit: &names(permit) })
    }

    #[test]
    fn a_certificate_is_made_for_names_and_addresses_and_its_keys_are_read_by_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("tls");
        let (told, new) = made(&at, &at, &["bj-07.casino.example", "10.20.0.7", "::1"], &[]).unwrap();
        assert!(new && told.len() == 95, "{told}");
        for name in [KEY, AUTHORITY_KEY] {
            assert_eq!(fs::metadata(at.join(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        }
        let tls = Tls::load(&at).unwrap();
        assert_eq!(tls.authority().and_then(|pem| fingerprint(&pem)), Some(told.clone()));
        let again = made(&at, &at, &["bj-07.casino.example"], &[]).unwrap();
        assert_eq!(again, (told, false), "renewed under the authority that tablets have");
    }

    #[test]
    fn an_authority_vouches_for_what_it_was_made_for_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (pit, first, second) = (folder.path().join("pit"), folder.path().join("a"), folder.path().join("b"));
        made(&first, &pit, &["bj-07.casino.example"], &["casino.example", "10.20.0.0/16"]).unwrap();
        made(&second, &pit, &["bj-08.casino.example", "10.20.0.8"], &[]).unwrap();
        assert!(!first.join(AUTHORITY_KEY).exists(), "its key stays where the authority is");
        for other in ["bank.example", "10.21.0.8", "casino.example.evil.example"] {
            let refused = made(&second, &pit, &["bj-08.casino.example", other], &[]).unwrap_err();
            assert!(matches!(&refused, NotMade::NotFor { name, .. } if name == other), "{other}: {refused}");
        }
        for (only, others) in [("bj-07.casino.example", ["10.20.0.7", "::1"]), ("10.20.0.7", ["x.example", "::1"])] {
            let folder = tempfile::tempdir().unwrap();
            made(folder.path(), folder.path(), &[only], &[]).unwrap();
            for other in others {
                let refused = made(folder.path(), folder.path(), &[other], &[]).unwrap_err();
                assert!(matches!(refused, NotMade::NotFor { .. }), "{only}: {other}");
            }
        }
    }

    #[test]
    fn what_is_no_name_and_what_is_no_authority_is_told_and_leaves_what_stood_there() {
        let folder = tempfile::tempdir().unwrap();
        for wrong in ["", "a b", "http://x", "10.0.0.0/8"] {
            assert!(matches!(made(folder.path(), folder.path(), &[wrong], &[]), Err(NotMade::NoName(_))), "{wrong}");
        }
        for wrong in ["10.0.0.0/99", "/", "a b"] {
            let refused = made(folder.path(), folder.path(), &["x.example"], &[wrong]);
            assert!(matches!(refused, Err(NotMade::NoNetwork(_))), "{wrong}");
        }
        fs::write(folder.path().join(AUTHORITY), "no certificate").unwrap();
        let no_key = made(folder.path(), folder.path(), &["x.example"], &[]).unwrap_err();
        assert!(no_key.to_string().contains(AUTHORITY_KEY), "{no_key}");
        fs::write(folder.path().join(AUTHORITY_KEY), "no key").unwrap();
        assert!(made(folder.path(), folder.path(), &["x.example"], &[]).is_err());
        assert_eq!(fs::read_to_string(folder.path().join(AUTHORITY_KEY)).unwrap(), "no key");
        assert!(!folder.path().join(KEY).exists());
    }
}
