//! `sabot journal key`: makes the key that signs, and prints the one that verifies.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use sabot_journal::note::{KeyError, KeyFileError, PrivateKey, Purpose};
use sabot_journal::reader_key::ReaderKey;

/// Makes the key of a station, a witness or a reader and prints its public key, or prints that of a key there is
///
/// The private key goes into FILE, for its owner alone, and is never shown; name FILE as `journal_key` in the table's
/// configuration. The public key is what verifies: give it to whoever is to verify the record, and keep it where the
/// station's machine cannot change it.
///
/// Exit status: 0 when the public key was printed, 1 when FILE is there already or cannot be used.
///
/// Example: sabot journal key BJ-07.key --name casino.example/BJ-07 > BJ-07.vkey
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct KeyArgs {
    /// The file of the private key. It is made with --name, and read without.
    file: PathBuf,
    /// Name of the key, without spaces: of whom it is, as an address such as casino.example/BJ-07. Makes a new key.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The new key is a witness's, and not a station's.
    #[arg(long, requires = "name")]
    witness: bool,
    /// The new key is a reader's, who may open covered cards, and not a station's.
    #[arg(long, requires = "name", conflicts_with = "witness")]
    reader: bool,
}

pub(super) fn run(args: &KeyArgs) -> ExitCode {
    let purpose = if args.witness { Purpose::Witness } else { Purpose::Station };
    let public = match &args.name {
        Some(name) if args.reader => ReaderKey::create(&args.file, name).map(|key| key.public().to_string()),
        Some(name) => PrivateKey::create(&args.file, name, purpose).map(|key| key.public().to_string()),
        None => public_of(&args.file),
    };
    super::told("key", public.map(|public| format!("{public}\n")))
}

/// The public key of a private one, whatever it is for.
fn public_of(file: &Path) -> Result<String, KeyFileError> {
    match PrivateKey::load_any(file) {
        Err(KeyFileError::Key { why: KeyError::Kind, .. }) => ReaderKey::load(file).map(|key| key.public().to_string()),
        key => key.map(|key| key.public().to_string()),
    }
}
