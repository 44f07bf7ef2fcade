//! `sabot journal`: looks after the record of a table.

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use sabot_journal::{self, Fault};

/// Checks the record of a table.
#[derive(Debug, Args)]
pub(crate) struct JournalArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Verify(VerifyArgs),
}

/// Checks that a record is what was written, and names the first line that is not
///
/// Every line carries a hash of itself and of the line before it, so that a changed, removed, added or moved line
/// shows. The record is only read, also while a station writes it. Lines missing at the very end leave no trace in the
/// file: note the last chain this prints, and ask for it later with --noted.
///
/// Exit status: 0 when the chain holds, 1 when it does not or the noted chain is not there, 2 when the file cannot be
/// read.
///
/// Example: sabot journal verify BJ-07.jsonl
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct VerifyArgs {
    /// The record: the file that `journal` names in the table's configuration.
    file: PathBuf,
    /// A chain noted earlier, 64 hexadecimal digits: it must be found in the record.
    #[arg(long, value_name = "CHAIN", value_parser = chain)]
    noted: Option<String>,
}

fn chain(text: &str) -> Result<String, &'static str> {
    let digits = text.len() == 64 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    if digits {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("a chain is 64 hexadecimal digits, as this command prints it")
    }
}

/// Why a record is not accepted.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("{0}")]
    Broken(#[from] Fault),
    #[error("the record is empty")]
    Empty,
    #[error(
        "the noted chain is not in it: lines that were there when it was noted are missing, or it is another record"
    )]
    NotFound,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &JournalArgs) -> ExitCode {
    let Command::Verify(VerifyArgs { file, noted }) = &args.command;
    match verify(file, noted.as_deref()) {
        Ok(verdict) => {
            println!("{}: {verdict}", file.display());
            ExitCode::SUCCESS
        }
        Err(refused) => {
            eprintln!("sabot journal verify: {}: {refused}", file.display());
            ExitCode::from(if matches!(refused, Refused::Read(_)) { 2 } else { 1 })
        }
    }
}

fn verify(file: &Path, noted: Option<&str>) -> Result<String, Refused> {
    let end = noted.map(|noted| format!("{noted}\"}}"));
    let mut found = None;
    let verified = sabot_journal::verify(BufReader::with_capacity(1 << 16, File::open(file)?), |number, line| {
        if end.as_ref().is_some_and(|end| line.ends_with(end.as_bytes())) {
            found = Some(number);
        }
        ControlFlow::Continue(())
    })?;
    if let Some(fault) = verified.fault {
        return Err(fault.into());
    }
    if verified.lines == 0 {
        return Err(Refused::Empty);
    }
    let mut verdict = format!("{} lines, the chain holds; last chain {}", verified.lines, verified.chain);
    if end.is_some() {
        let line = found.ok_or(Refused::NotFound)?;
        verdict.push_str(&format!("; the noted chain is that of line {line}"));
    }
    if verified.torn > 0 {
        let torn = verified.torn;
        verdict.push_str(&format!("; {torn} bytes after it are no whole line yet: a write under way, or cut short"));
    }
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_journal::Chain;

    fn record() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut chain = Chain::default();
        for n in 0..3 {
            chain = chain.append(format!("{{\"n\":{n}}}").as_bytes(), &mut bytes);
        }
        bytes
    }

    fn verdict(bytes: &[u8], noted: Option<&str>) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        verify(file.path(), noted).map_err(|refused| refused.to_string())
    }

    #[test]
    fn a_whole_record_is_told_with_its_last_chain() {
        let whole = verdict(&record(), None).unwrap();
        let last = whole.rsplit(' ').next().unwrap().to_owned();
        assert!(whole.starts_with("3 lines, the chain holds; last chain ") && last.len() == 64, "{whole}");
        assert!(verdict(&record(), Some(&last)).unwrap().ends_with("the noted chain is that of line 3"));
        let mut torn = record();
        torn.extend(b"{\"n\":3");
        assert!(verdict(&torn, None).unwrap().contains("6 bytes after it"));
    }

    #[test]
    fn lines_removed_at_the_end_are_missed_by_the_chain_alone_and_found_with_the_noted_one() {
        let last = verdict(&record(), None).unwrap().rsplit(' ').next().unwrap().to_owned();
        let shorter = record().split_inclusive(|&byte| byte == b'\n').take(2).collect::<Vec<_>>().concat();
        assert!(verdict(&shorter, None).is_ok());
        assert!(verdict(&shorter, Some(&last)).unwrap_err().contains("the noted chain is not in it"));
    }

    #[test]
    fn a_changed_line_is_named() {
        let mut changed = record();
        let second = changed.iter().position(|&byte| byte == b'\n').unwrap() + 6;
        changed[second] = b'7';
        assert!(verdict(&changed, None).unwrap_err().starts_with("line 2: the chain breaks"));
        assert_eq!(verdict(b"", None).unwrap_err(), "the record is empty");
    }
}
