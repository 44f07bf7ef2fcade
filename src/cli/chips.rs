//! `sabot chips`: the registry of the house's chips.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use sabot_station::registry::Chip;

use crate::registry::{self, Table};

/// The registry of the house's chips: what each is worth, and whether it is good
///
/// A table whose configuration names a registry (chip_registry) holds every chip it sees against it: one that is
/// unknown, cancelled, on two spots at once or of another value than its tag says is an integrity finding.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ChipsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Import(ImportArgs),
}

/// Takes over chips from a table of comma-separated values
///
/// The first line names the columns, in any order, parted by commas, semicolons or tabs: uid (16 hexadecimal digits),
/// value (a whole number of cents), and where wanted state (valid or cancelled; empty is valid) and table (empty is
/// any). Chips that the registry has already are changed, none is removed: a withdrawn chip is one that is cancelled.
/// Nothing is changed where the table has a mistake. A station reads the registry when it starts.
///
/// Exit status: 0 when all was taken over, 2 when the table or a file has a mistake.
///
/// Example: sabot chips import chips.csv --registry /etc/sabot/chips.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct ImportArgs {
    #[command(flatten)]
    table: Table,
    /// The registry; it is made where it is not there.
    #[arg(long, value_name = "FILE", default_value = "chips.jsonl")]
    registry: PathBuf,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &ChipsArgs) -> ExitCode {
    let What::Import(args) = &args.what;
    registry::import::<Chip>(&args.table, &args.registry)
}
