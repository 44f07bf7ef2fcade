//! `sabot tls`: the certificate with which a table's page is served to other machines.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use crate::out::{say, say_err};
use sabot_station::config::{Config, ConfigError};
use sabot_web::tls::authority::{NotMade, Wanted, fingerprint, make};
use sabot_web::tls::{AUTHORITY, Tls, TlsError};

/// The certificate with which a table's page is served to other machines
///
/// A page is served to other machines over TLS alone. `make` makes a certificate, signed by an authority of the house's
/// own; `enrol` shows how a tablet takes that authority, once. Where the house has an authority already, its files do
/// as well: station.crt and station.key, in PEM, in the folder that the table's configuration names (tls).
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct TlsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Make(MakeArgs),
    Enrol(EnrolArgs),
}

/// Makes a station's certificate, and the authority that signs it where there is none
///
/// Writes station.crt, station.key and authority.crt into the folder; a running station goes on with the new ones. The
/// certificate is good for 397 days: run the same command again before. The authority is good for ten years, for the
/// given names alone (--permit names more, for the stations to come). Its key, authority.key, is what must not be
/// stolen: with --authority it stays in a folder that no station has.
///
/// Exit status: 0 when the files were written, 2 when a name or a file has a mistake.
///
/// Examples:
///   sabot tls make /etc/sabot/tls --for bj-07.casino.example --for 10.20.0.7
///   sabot tls make bj-07/tls --for bj-07.casino.example --authority pit --permit casino.example --permit 10.20.0.0/16
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct MakeArgs {
    /// The folder; made where it is not there.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// A name or an address under which the station is asked for; may be given more than once.
    #[arg(long = "for", value_name = "NAME|ADDRESS", required = true)]
    names: Vec<String>,
    /// The folder of the authority, where it is another one.
    #[arg(long, value_name = "FOLDER")]
    authority: Option<PathBuf>,
    /// What a new authority may vouch for, where it is more than this station: a name and those below it, or a network.
    #[arg(long, value_name = "NAME|NETWORK")]
    permit: Vec<String>,
}

/// Shows how a tablet takes the authority: a code to photograph, and the fingerprint to compare
///
/// Exit status: 0 when it was shown, 2 when the configuration has no certificate or a mistake.
///
/// Example: sabot tls enrol --config /etc/sabot/station.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct EnrolArgs {
    /// The table's configuration.
    #[arg(long, short, value_name = "FILE")]
    config: PathBuf,
}

#[derive(Debug, thiserror::Error)]
enum TlsArgsError {
    #[error(transparent)]
    Made(#[from] NotMade),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error("{}: the page is served in clear: make a certificate (`sabot tls make`) and write `tls = \"tls\"`", .0.display())]
    NoTls(PathBuf),
    #[error("{}: this certificate is not of the house's own authority: tablets know who signed it, or take it as its maker says", .0.display())]
    NoAuthority(PathBuf),
    #[error("the address {0} is too long for a code")]
    NoCode(String),
    #[error("{0}")]
    Write(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &TlsArgs) -> ExitCode {
    let done = match &args.what {
        What::Make(args) => made(args),
        What::Enrol(args) => enrol(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot tls: {error}");
            ExitCode::from(2)
        }
    }
}

fn made(args: &MakeArgs) -> Result<(), TlsArgsError> {
    let authority = args.authority.as_deref().unwrap_or(&args.folder);
    let wanted = Wanted { folder: &args.folder, authority, names: &args.names, permit: &args.permit };
    let (fingerprint, is_new) = make(wanted)?;
    say!("{}: a certificate for {}, good for 397 days", args.folder.display(), args.names.join(", "));
    let whose = if is_new { "a new authority: each tablet takes it once" } else { "the authority that was there" };
    say!("signed by {whose} (SHA-256 {fingerprint})");
    say!("next: tls = \"{}\" in the table's configuration, then sabot tls enrol", args.folder.display());
    Ok(())
}

fn enrol(args: &EnrolArgs) -> Result<(), TlsArgsError> {
    let config = Config::load(&args.config)?;
    let folder = config.tls.as_deref().ok_or_else(|| TlsArgsError::NoTls(args.config.clone()))?;
    let no_authority = || TlsArgsError::NoAuthority(folder.to_path_buf());
    let authority = Tls::load(folder)?.authority().ok_or_else(no_authority)?;
    let fingerprint = fingerprint(&authority).ok_or_else(no_authority)?;
    let host = config.hosts.first().cloned().unwrap_or_else(|| config.listen.ip().to_string());
    let host = if host.contains(':') { format!("[{host}]") } else { host };
    let address = format!("https://{host}:{}/{AUTHORITY}", config.listen.port());
    let code = QrCode::new(&address).map_err(|_| TlsArgsError::NoCode(address.clone()))?;
    say!("{}", code.render::<Dense1x2>().build());
    say!(
        "1. On the tablet photograph the code, or open {address}
   and go on although the browser warns: it does not know the station yet.
2. Open the file, and compare what the tablet shows of it with this SHA-256 fingerprint:
   {fingerprint}
   If one digit differs, somebody is between tablet and station: do not take it.
3. Take it as an authority (settings, security, certificates), then open https://{host}:{}/",
        config.listen.port()
    );
    Ok(())
}
