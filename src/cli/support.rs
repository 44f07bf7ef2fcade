//! `sabot support`: what somebody needs who is to help from afar, in one file.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::out::{say, say_err};
use sabot_station::check;
use sabot_station::config::{Config, ConfigError, WebhookConfig};
use sabot_station::inventory;

/// Shorter words of a file of keys are names.
const SECRET_CHARS: usize = 16;
/// What stands in an archive for a line that holds a key.
const REMOVED: &str = "(a line with a key was removed)";
/// What else is asked of the machine, and the file it goes into.
const ASKED: [(&str, &[&str]); 4] = [
    ("log.txt", &["journalctl", "--unit", "sabot", "--since", "-24h", "--no-pager", "--output", "short-iso"]),
    ("unit.txt", &["systemctl", "status", "--no-pager", "--lines", "0", "sabot"]),
    ("clock.txt", &["timedatectl", "show"]),
    ("machine.txt", &["uname", "-a"]),
];

/// Packs what somebody needs who is to help from afar into one file: no key, no PIN, no record
///
/// An archive (tar, gzip) with the versions, the configuration, what `sabot check` finds, the figures of the running
/// station (/metrics), the last day of the unit's log, and what systemd, the clock and the kernel say of themselves.
/// The record is not in it, nor are the files of keys, people and certificates; and a line anywhere that holds a word
/// of one of those files is left out. Only its owner can read the file. Look into it before you send it: tar -tzf FILE.
///
/// Exit status: 0 when the file is written, 1 when it could not be, 2 when the configuration has a mistake.
///
/// Example: sudo sabot support /etc/sabot/station.toml support.tar.gz
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SupportArgs {
    /// The table's configuration.
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// The file to be written; one that is there is left as it is.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A log to pack instead of the unit's.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// Why there is no archive.
#[derive(Debug, thiserror::Error)]
enum Unpacked {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{}: {why}\n  = name another file, in a folder that this user can write", path.display())]
    File { path: PathBuf, why: io::Error },
    #[error(
        "{}: {why}: whether a line holds a key of it cannot be told\n  = run it as root, or as the station's user",
        path.display()
    )]
    Secrets { path: PathBuf, why: io::Error },
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &SupportArgs) -> ExitCode {
    super::log::to_stderr();
    match pack(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot support: {error}");
            ExitCode::from(if matches!(error, Unpacked::Config(_)) { 2 } else { 1 })
        }
    }
}

fn pack(args: &SupportArgs) -> Result<(), Unpacked> {
    let config = Config::load(&args.config)?;
    let secrets = secrets(&config)?;
    let refused = |path: &Path| {
        let path = path.to_path_buf();
        |why| Unpacked::File { path, why }
    };
    let mut options = File::options();
    let file = options.write(true).create_new(true).mode(0o600).open(&args.file).map_err(refused(&args.file))?;
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::default()));
    for (name, text) in collected(args, &config)? {
        let kept: Vec<&str> = text.lines().map(|line| without(line, &secrets)).collect();
        let text = kept.join("\n") + "\n";
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        archive.append_data(&mut header, format!("sabot-support/{name}"), text.as_bytes())?;
    }
    archive.into_inner()?.finish()?.sync_all()?;
    say!("{}", args.file.display());
    Ok(())
}

/// Every file of the archive, before anything is taken out.
fn collected(args: &SupportArgs, config: &Config) -> Result<Vec<(&'static str, String)>, Unpacked> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (report, metrics) = runtime.block_on(async {
        let report = check::check(&args.config, super::version::committed_ms()).await;
        (report, inventory::page(config.listen, config.tls.as_deref(), "/metrics").await)
    });
    runtime.shutdown_background();
    let read = |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let unread = |path: &Path| {
        let path = path.to_path_buf();
        move |why| Unpacked::File { path, why }
    };
    let mut files = vec![
        ("version.txt", format!("sabot {}", super::version::long())),
        ("station.toml", read(&args.config).map_err(unread(&args.config))?),
        ("check.txt", check::text(&report)),
        ("os-release.txt", read(Path::new("/etc/os-release")).unwrap_or_default()),
    ];
    let no_station = || "no station answered at the address of the configuration".to_owned();
    files.push(("metrics.txt", metrics.map_or_else(no_station, |body| String::from_utf8_lossy(&body).into_owned())));
    for (name, command) in ASKED {
        let text = match &args.log {
            Some(path) if name == "log.txt" => read(path).map_err(unread(path))?,
            _ => asked(command),
        };
        files.push((name, text));
    }
    Ok(files)
}

/// What a program says, or why it does not.
fn asked(command: &[&str]) -> String {
    let [program, args @ ..] = command else { return String::new() };
    match Command::new(program).args(args).stdin(Stdio::null()).output() {
        Ok(said) => String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr),
        Err(why) => format!("{program}: {why}"),
    }
}

/// Every long word of the files that hold keys, hashes of PINs, or a private key in PEM, and what is asked for at the
/// addresses of webhooks, which may be a password.
fn secrets(config: &Config) -> Result<Vec<String>, Unpacked> {
    let tls = config.tls.as_ref().map(|folder| folder.join(sabot_web::tls::KEY));
    let seal = config.journal_seal.clone().unwrap_or_else(|| {
        let mut beside = config.journal.clone().into_os_string();
        beside.push(".seal");
        beside.into()
    });
    let files = [config.journal_key.clone(), Some(config.keys.clone()), config.staff.clone(), tls, Some(seal)];
    let asked_for = |hook: &WebhookConfig| Some(hook.path.split_once('?')?.1.to_owned());
    let mut words: Vec<String> = config.webhooks.iter().filter_map(asked_for).filter(|word| !word.is_empty()).collect();
    for path in files.into_iter().flatten() {
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(why) if why.kind() == io::ErrorKind::NotFound => continue,
            Err(why) => return Err(Unpacked::Secrets { path, why }),
        };
        let is_part = |letter: char| !(letter.is_ascii_alphanumeric() || "+/=$".contains(letter));
        words.extend(text.split(is_part).filter(|word| word.len() >= SECRET_CHARS).map(str::to_owned));
    }
    Ok(words)
}

fn without<'a>(line: &'a str, secrets: &[String]) -> &'a str {
    if secrets.iter().any(|secret| line.contains(secret.as_str())) { REMOVED } else { line }
}
