//! `sabot device`: one device of a table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use sabot_wire::message::Role;

use super::conform::{self, ConformArgs};
use sabot_station::config::{Config, ConfigError, DeviceConfig, Driver};
use sabot_station::pairing::{NotPaired, pair};

/// One device of a table: gives it its key, or examines whether it speaks the link as the page says
#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Pair(PairArgs),
    Conform(ConformArgs),
}

/// Gives a device the key by which it and the station know each other
///
/// Everything that a device and its station say to each other is sealed with a key that only these two hold. This draws
/// one, gives it to the device on the port that the configuration names, has the device prove that it holds it, and
/// writes it into the station's keys. A station that runs knows it at once; but it holds the port, so pair a spare on
/// another port or with the station stopped.
///
/// The key goes over the cable as it is: pair where nobody can tap the cable. A device that has a key takes another one
/// only while its pairing switch is held (a twin: type pair).
///
/// Exit status: 0 when it is paired, 1 when it is not, 2 when the configuration or the keys have a mistake.
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
    #[error("{0}")]
    System(#[from] std::io::Error),
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &DeviceArgs) -> ExitCode {
    let args = match &args.what {
        What::Pair(args) => args,
        What::Conform(args) => return conform::run(args),
    };
    match pair_one(args) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("sabot device pair: {error}");
            let mistake =
                matches!(error, Refused::Config(_) | Refused::NoDevice { .. } | Refused::NotPaired(NotPaired::Keys(_)));
            ExitCode::from(if mistake { 2 } else { 1 })
        }
    }
}

fn pair_one(args: &PairArgs) -> Result<String, Refused> {
    let config = Config::load(&args.config)?;
    let role = match args.role {
        RoleName::Shoe => Role::Shoe,
        RoleName::Shuffler => Role::Shuffler,
        RoleName::Chips => Role::Chips,
        RoleName::Keypad => Role::Keypad,
        RoleName::Display => Role::Display,
    };
    let own = |device: &DeviceConfig| match &device.driver {
        Driver::Own(link) => Some(link.clone()).filter(|link| link.role == role),
        Driver::Feig(_) | Driver::Scanner(_) | Driver::Pad(_) => None,
    };
    let device = config.devices.iter().find_map(own);
    let device = device.ok_or_else(|| Refused::NoDevice { config: args.config.clone(), role })?;
    super::log_to_stderr();
    let port = args.port.as_ref().unwrap_or(&device.port);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let serial = runtime.block_on(pair(&device, port, &config.keys, Duration::from_secs(args.wait)))?;
    Ok(format!("the {role} {serial} is paired; its key is in {}", config.keys.display()))
}
