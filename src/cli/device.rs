//! `sabot device`: one device of a table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use sabot_wire::message::Role;
use sabot_wire::pairing::Code;
use sabot_wire::witness::Keeps;

use super::conform::{self, ConformArgs};
use crate::out::{say, say_err};
use sabot_drivers::LinkConfig;
use sabot_journal::acknowledged::Word;
use sabot_station::config::{Config, ConfigError, DeviceConfig, Driver};
use sabot_station::device_witness::said_to;
use sabot_station::pairing::{NotPaired, Way, kept, pair};

/// One device of a table: gives it its key, asks what it has seen of the record, or examines whether it speaks the link
/// as the page says
#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Pair(PairArgs),
    Witness(WitnessArgs),
    Conform(ConformArgs),
}

/// Gives a device the key by which it and the station know each other
///
/// Everything that a device and its station say to each other is sealed with a key that only these two hold. Both draw
/// one, by the code that stands on the device's housing: who taps the cable learns nothing of it, and who stands in
/// between must know the code. The station keeps the key beside the one it has before the device takes it, and instead
/// of it once the device has proved that it holds it. What the device had seen and not told is gone. A station that
/// runs knows the key at once; but it holds the port, so pair a spare on another port or with the station stopped. A
/// device that has a key takes another one only while its pairing switch is held (a twin: type pair).
///
/// A device without a code, as boards were made before, takes its key as it is: with --in-clear, and only where nobody
/// can tap the cable. What it had seen and not told stays, and is told under the new key.
///
/// A pairing that was cut off after the device had taken its key is found again, without the switch. A serial number
/// that a device of another role was paired under is refused.
///
/// Exit status: 0 when it is paired, 1 when it is not, 2 when the configuration, the keys or the code have a mistake.
///
/// Example: sabot device pair --config /etc/sabot/station.toml shoe
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct PairArgs {
    /// Which device.
    role: RoleName,
    /// The table's configuration, TOML.
    #[arg(long, short, value_name = "FILE")]
    config: PathBuf,
    /// Its port, where it is another than the configuration names: for a spare.
    #[arg(long, value_name = "PORT")]
    port: Option<PathBuf>,
    /// The code on its housing, 16 digits and letters; without it the command asks for it.
    #[arg(long, value_name = "CODE", value_parser = crate::code)]
    code: Option<Code>,
    /// Give it the key as it is: whoever taps the cable has it too. For a device that has no code.
    #[arg(long, conflicts_with = "code")]
    in_clear: bool,
    /// How long to wait for the device, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    wait: u64,
}

/// Asks a device for the checkpoints of records that it keeps, and holds the record against them
///
/// Each device of our link keeps the last checkpoint that its station has shown it, and the last one of the record
/// before, such as the day that was closed. Ask it yourself, with the station stopped: a station asks it at each start,
/// but who rewrote the record may rule the station too. The device must be paired with this machine. What it has seen
/// and not told stays with it.
///
/// Exit status: 0 when the record begins with what the device has seen, 1 when it does not or the device keeps nothing
/// of it, 2 when the device was not asked.
///
/// Example: sabot device witness --config /etc/sabot/station.toml shoe
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct WitnessArgs {
    /// Which device.
    role: RoleName,
    /// The table's configuration, TOML: its keys, its record and the device's port.
    #[arg(long, short, value_name = "FILE")]
    config: PathBuf,
    /// Its port, where it is another than the configuration names.
    #[arg(long, value_name = "PORT")]
    port: Option<PathBuf>,
    /// How long to wait for the device, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    wait: u64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RoleName {
    Shoe,
    Shuffler,
    Chips,
    Keypad,
    Display,
}

#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{}: no device with the role `{role}` that speaks the link stands there; add one", config.display())]
    NoDevice { config: PathBuf, role: Role },
    #[error(transparent)]
    NotPaired(#[from] NotPaired),
    #[error("a code has 16 digits and letters, as on the housing; a device without one takes its key with --in-clear")]
    NoCode,
    #[error("{0}")]
    System(#[from] std::io::Error),
}

/// Asks for the code.
fn ask_code(role: Role) -> Result<Code, Refused> {
    crate::out::ask(format_args!("the code on the housing of the {role}: "));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Code::typed(&line).ok_or(Refused::NoCode)
}

/// The configuration, and the device of that role in it.
fn configured(file: &Path, role: RoleName) -> Result<(Config, LinkConfig), Refused> {
    let config = Config::load(file)?;
    let role = match role {
        RoleName::Shoe => Role::Shoe,
        RoleName::Shuffler => Role::Shuffler,
        RoleName::Chips => Role::Chips,
        RoleName::Keypad => Role::Keypad,
        RoleName::Display => Role::Display,
    };
    let own = |device: &DeviceConfig| match &device.driver {
        Driver::Own(link) => Some(link.clone()).filter(|link| link.role == role),
        Driver::Feig(_) | Driver::Scanner(_) | Driver::Camera(_) | Driver::Pad(_) => None,
    };
    let device = config.devices.iter().find_map(own);
    let device = device.ok_or_else(|| Refused::NoDevice { config: file.to_path_buf(), role })?;
    Ok((config, device))
}

/// Asks a device what it keeps of the record.
fn asked(args: &WitnessArgs) -> ExitCode {
    match witness(args) {
        Ok((said, is_borne_out)) => {
            say!("{said}");
            ExitCode::from(u8::from(!is_borne_out))
        }
        Err(error) => {
            say_err!("sabot device witness: {error}");
            ExitCode::from(2)
        }
    }
}

fn witness(args: &WitnessArgs) -> Result<(String, bool), Refused> {
    let (config, device) = configured(&args.config, args.role)?;
    super::log::to_stderr();
    let port = args.port.as_ref().unwrap_or(&device.port);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (serial, kept) = runtime.block_on(kept(&device, port, &config.keys, Duration::from_secs(args.wait)))?;
    let who = format!("the {} {serial}", device.role);
    Ok(match kept {
        None => (format!("{who} does not say what it keeps: its firmware is older"), false),
        Some(keeps) => {
            let (word, Some(kept)) = said_to(keeps, &config.journal)? else {
                return Ok((format!("{who} keeps no checkpoint: no station has shown it one"), false));
            };
            let record = config.journal.display();
            let is_other = matches!(word, Word::Other | Word::Unread { .. });
            let of = if is_other { "of a record".to_owned() } else { format!("of {record}") };
            let mut said = format!("{who} has seen {} lines {of}: {word}", kept.lines);
            // shown to another table since: what it keeps of this one is the answer that was looked for
            if word == Word::Other
                && let (word @ Word::BorneOut, Some(before)) =
                    said_to(Keeps { last: keeps.before, before: None }, &config.journal)?
            {
                said += &format!("\n  = before that it has seen {} lines of {record}: {word}", before.lines);
            }
            (said, word == Word::BorneOut)
        }
    })
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &DeviceArgs) -> ExitCode {
    let args = match &args.what {
        What::Pair(args) => args,
        What::Witness(args) => return asked(args),
        What::Conform(args) => return conform::run(args),
    };
    match pair_one(args) {
        Ok(said) => {
            say!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            say_err!("sabot device pair: {error}");
            let mistake = matches!(
                error,
                Refused::Config(_)
                    | Refused::NoDevice { .. }
                    | Refused::NoCode
                    | Refused::NotPaired(NotPaired::Keys(_))
            );
            ExitCode::from(if mistake { 2 } else { 1 })
        }
    }
}

fn pair_one(args: &PairArgs) -> Result<String, Refused> {
    let (config, device) = configured(&args.config, args.role)?;
    let role = device.role;
    super::log::to_stderr();
    let port = args.port.as_ref().unwrap_or(&device.port);
    let way = match &args.code {
        _ if args.in_clear => Way::InClear,
        Some(code) => Way::ByCode(code.clone()),
        None => Way::ByCode(ask_code(role)?),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let serial = runtime.block_on(pair(&device, port, &config.keys, way, Duration::from_secs(args.wait)))?;
    let kept_in = config.keys.display();
    Ok(if args.in_clear {
        format!(
            "the {role} {serial} is paired; its key is in {kept_in}. It went over the cable as it is: whoever tapped the \
             cable has it too"
        )
    } else {
        format!("the {role} {serial} is paired by its code; its key is in {kept_in}")
    })
}
