//! `sabot check`: whether everything that a table's station needs is in order.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::out::say_err;
use sabot_station::check::{self, Report, State};

/// Looks at everything that a table's station needs, before it is started and while it runs
///
/// The configuration, the page's address, each device and its port, the user and his group, the machine's clock and
/// whether it is synchronised, the disk (room, that it holds what was written, that it is the record's own), the
/// record, keys, registries, people, the certificate, the way to the floor. A line each: ok, warn or WRONG, with the
/// place, and under it the way out. Nothing is changed: a small file is written beside the record and removed. Ports
/// are opened as `sabot devices` opens them, and not while the table's station runs. Run it as the user that runs the
/// station.
///
/// Exit status: 0 when nothing is wrong, 1 when something is, 2 when the configuration cannot be used.
///
/// Example: sudo -u sabot sabot check /etc/sabot/station.toml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CheckArgs {
    /// The table's configuration, TOML; docs/station.toml explains every key.
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// One JSON document: {"table", "state": "ok"|"warn"|"wrong", "lines": [{"what", "state", "place", "found",
    /// "way_out"}]}.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &CheckArgs) -> ExitCode {
    super::log::to_stderr();
    match looked(args) {
        Ok(Report { table: None, .. }) => ExitCode::from(2),
        Ok(Report { state: State::Wrong, .. }) => ExitCode::from(1),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            say_err!("sabot check: {error}");
            ExitCode::from(1)
        }
    }
}

fn looked(args: &CheckArgs) -> io::Result<Report> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = runtime.block_on(check::check(&args.config, super::version::committed_ms()));
    runtime.shutdown_background();
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{}", check::text(&report))?;
    }
    out.flush()?;
    Ok(report)
}
