//! `sabot decks`: the registry of the house's cards with tags.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use sabot_station::registry::{DeckCard, Registry, RegistryError, decks};

use crate::out::{say, say_err};
use crate::registry::{self, Table};

/// The registry of the house's cards with tags: which card of which deck each tag is in, and whether it is good
///
/// Cards with tags (ISO 15693) are told apart by their identifiers; the registry says what each of them is.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct DecksArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Import(ImportArgs),
    List(ListArgs),
}

/// Takes over cards from a table of comma-separated values
///
/// The first line names the columns, in any order, parted by commas, semicolons or tabs: uid (16 hexadecimal digits),
/// deck (its name), card (rank and suit, as in TH), and where wanted state (valid or cancelled; empty is valid) and
/// table (empty is any). A card may also be one that is shown to the shoe in place of words: cut, empty, or load with
/// the cards in the shoe and those behind the cut card, as in "load 416 80".
/// Cards that the registry has already are changed, none is removed: a deck that is withdrawn is one whose cards are
/// cancelled. Nothing is changed where the table has a mistake, or would make two good tags the same card of a deck.
/// A station reads the registry when it starts.
///
/// Exit status: 0 when all was taken over, 2 when the table or a file has a mistake.
///
/// Example: sabot decks import decks.csv --registry /etc/sabot/decks.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct ImportArgs {
    #[command(flatten)]
    table: Table,
    /// The registry; it is made where it is not there.
    #[arg(long, value_name = "FILE", default_value = "decks.jsonl")]
    registry: PathBuf,
}

/// Prints every deck of the registry, and which of its 52 cards are missing
///
/// Exit status: 0 when every deck is whole, 1 when one is not, 2 when the registry cannot be read.
///
/// Example: sabot decks list --registry /etc/sabot/decks.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct ListArgs {
    /// The registry.
    #[arg(long, value_name = "FILE", default_value = "decks.jsonl")]
    registry: PathBuf,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &DecksArgs) -> ExitCode {
    match &args.what {
        What::Import(args) => registry::import::<DeckCard>(&args.table, &args.registry),
        What::List(args) => list(&args.registry).unwrap_or_else(|why| {
            say_err!("sabot decks list: {why}");
            ExitCode::from(2)
        }),
    }
}

fn list(path: &Path) -> Result<ExitCode, RegistryError> {
    let decks = decks(&Registry::load(path)?);
    for (name, deck) in &decks {
        say!("{name}: {deck}");
    }
    Ok(if decks.values().all(|deck| deck.is_whole()) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
