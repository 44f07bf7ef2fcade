//! `sabot staff`: the people who may act on a table.

use std::fs::OpenOptions;
use std::io::{self, BufRead, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};

use crate::out::{say, say_err};
use sabot_law::table::answer::Lang;
use sabot_station::staff::{BadPin, Office, PinHash, Staff, StaffError, entry};

/// The people who may act on a table's page
///
/// A table whose configuration names such a file (staff) lets them sign in with name and PIN, and take findings, close
/// them, rule, authorise and report. The names are what the record calls them: take pseudonyms. The file has a
/// [[person]] each, with name, roles and pin; pin is a hash, and the PIN itself stands nowhere. A running station reads
/// the file again when it changes: whoever is taken out of it is signed out.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct StaffArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Add(AddArgs),
    /// Prints the hash of a PIN, to be put as `pin` into a file
    ///
    /// Asks for the PIN as `sabot staff add` does.
    Hash,
    Check(CheckArgs),
}

/// Adds a person to a file, which is made where it is not there
///
/// Asks for the PIN, 6 to 12 digits, twice; or reads it from standard input, one line, where that is no terminal.
///
/// Exit status: 0 when the person was added, 2 when name, PIN or file has a mistake.
///
/// Example: sabot staff add staff.toml --name I-4 --role inspector
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct AddArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What the record calls the person: letters, digits, - and _.
    #[arg(long)]
    name: String,
    /// dealer, inspector, table_chief, room, surveillance, auditor or technician; may be given more than once.
    #[arg(long = "role", value_name = "ROLE", required = true)]
    roles: Vec<Office>,
    /// The number of the person's badge: with it and the PIN he signs what he enters at the keypad.
    #[arg(long)]
    badge: Option<u16>,
}

/// Says who is in a file, and its first mistake
///
/// Exit status: 0 when it can be used, 2 when not.
///
/// Example: sabot staff check staff.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct CheckArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum StaffArgsError {
    #[error(transparent)]
    Staff(#[from] StaffError),
    #[error("{0}")]
    Pin(#[from] BadPin),
    #[error("the two PINs are not the same")]
    Differs,
    #[error("{}: {why}", path.display())]
    File { path: PathBuf, why: io::Error },
    #[error("the PIN cannot be read: {0}")]
    Input(#[from] io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &StaffArgs) -> ExitCode {
    let done = match &args.what {
        What::Add(args) => add(args),
        What::Hash => new_pin(Lang::En).map(|pin| pin.text().to_owned()),
        What::Check(args) => check(&args.file),
    };
    match done {
        Ok(told) => {
            say!("{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            say_err!("sabot staff: {error}");
            ExitCode::from(2)
        }
    }
}

fn add(args: &AddArgs) -> Result<String, StaffArgsError> {
    let path = &args.file;
    let file = |why| StaffArgsError::File { path: path.clone(), why };
    let before = match std::fs::read_to_string(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(file)?,
    };
    // a mistake that stands there already is told before anybody types a PIN
    Staff::parse(path, &before)?;
    let parted = if before.is_empty() { "" } else { "\n" };
    let added = format!("{parted}{}", entry(&args.name, &args.roles, &new_pin(Lang::En)?, args.badge));
    Staff::parse(path, &format!("{before}{added}"))?;
    let mut open = OpenOptions::new().append(true).create(true).mode(0o600).open(path).map_err(file)?;
    open.write_all(added.as_bytes()).and_then(|()| open.sync_all()).map_err(file)?;
    Ok(format!("{}: {} was added", path.display(), args.name))
}

fn check(path: &Path) -> Result<String, StaffArgsError> {
    let staff = Staff::load(path)?;
    let person = |person: &sabot_station::staff::Person| {
        let roles: Vec<&str> = person.roles.iter().map(|role| role.word()).collect();
        format!("{}: {}", person.name, roles.join(", "))
    };
    let all: Vec<String> = staff.people().map(person).collect();
    Ok(if all.is_empty() { format!("{}: nobody", path.display()) } else { all.join("\n") })
}

pub(crate) fn new_pin(lang: Lang) -> Result<PinHash, StaffArgsError> {
    if !io::stdin().is_terminal() {
        return Ok(PinHash::of(line()?.trim())?);
    }
    let _unseen = Unseen::begin()?;
    let (which, again) = match lang {
        Lang::Es => ("PIN, 6 a 12 cifras: ", "otra vez el mismo: "),
        Lang::En => ("PIN, 6 to 12 digits: ", "the same again: "),
    };
    let first = asked(which)?;
    let hash = PinHash::of(first.trim())?;
    if asked(again)?.trim() == first.trim() { Ok(hash) } else { Err(StaffArgsError::Differs) }
}

fn asked(question: &str) -> io::Result<String> {
    crate::out::ask(format_args!("{question}"));
    let line = line();
    say_err!("");
    line
}

fn line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}

/// While it lives, the terminal shows nothing of what is typed.
struct Unseen(Termios);

impl Unseen {
    fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut unseen = before.clone();
        unseen.local_flags.remove(LocalFlags::ECHO);
        tcsetattr(io::stdin(), SetArg::TCSAFLUSH, &unseen)?;
        Ok(Self(before))
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), SetArg::TCSAFLUSH, &self.0);
    }
}
