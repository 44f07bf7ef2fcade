//! Which faults the tests catch: every fault of a crate is put into one build, and each is switched on in turn.
//!
//! A fault is one place of the code changed: a comparison, a condition, a part of a condition, a statement or an arm
//! left out, what a function gives back. Only the tests that come to a place are run for it, the likeliest first.
//! Faults that are none stand with the reason in `tests/mutants/explained.txt`.

mod change;
mod explained;
mod find;
mod run;
mod tree;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Parser;

use crate::change::Mutant;
use crate::explained::Row;
use crate::run::{Outcome, Tests};
use crate::tree::{Tree, output};

/// Puts every fault of a crate into one build and tells which of them its tests catch.
///
/// Ends with 0 when all were caught or are explained in tests/mutants/explained.txt, 2 when some were missed or a row
/// of that file explains nothing any more, 1 when it could not run.
#[derive(Parser)]
struct Arguments {
    /// The package whose code is changed
    package: String,
    /// Packages whose tests are run (the package's own, and for `sabot-law` those of `sabot-handbook`)
    #[arg(long, value_name = "PACKAGE")]
    tests: Vec<String>,
    /// Only every N-th fault from the K-th on
    #[arg(long, value_name = "K/N", value_parser = share)]
    sample: Option<(usize, usize)>,
    /// Only lines that differ from this commit
    #[arg(long, value_name = "COMMIT")]
    since: Option<String>,
    /// Only files whose path has this in it
    #[arg(long, value_name = "TEXT")]
    file: Option<String>,
    /// At most so many, evenly spread
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Only what the last run missed
    #[arg(long)]
    again: bool,
    /// Only tests whose name has this in it
    #[arg(long, value_name = "TEXT", default_value = "")]
    named: String,
    /// A test that takes longer is left out
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    longest: u64,
    /// Print the faults and run nothing
    #[arg(long)]
    list: bool,
}

/// Where a run leaves what it missed.
const MISSED: &str = "missed.txt";

fn share(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(from, of)| Some((from.parse().ok()?, of.parse().ok()?)));
    parts.filter(|(from, of)| from < of).ok_or("K/N, K from 0 to N - 1".into())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("mutants: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let workspace = PathBuf::from(output(Command::new("git").args(["rev-parse", "--show-toplevel"]))?.trim());
    let out = workspace.join("target/mutants");
    let mut rows = explained::rows(&workspace)?;
    let mut tree = Tree::copied(&workspace, &out, &arguments.package)?;
    rows.retain(|row| row.is_in(tree.sources()));
    tree.put_in(&workspace, &arguments.tests)?;
    let chosen = chosen(arguments, &workspace, &tree.mutants)?;
    let all = tree.mutants.len();
    println!("{} of {all} faults are tried; {} more do not compile", chosen.len(), tree.dropped());
    if arguments.list || chosen.is_empty() {
        chosen.iter().for_each(|id| println!("{}", shown(&tree.mutants[id - 1])));
        return Ok(ExitCode::SUCCESS);
    }
    let jobs = std::thread::available_parallelism().map_or(2, usize::from);
    let longest = Duration::from_secs(arguments.longest);
    let tests = Tests::recorded(tree.programs(&tests_of(arguments))?, &arguments.named, &out, longest, jobs)?;
    println!("{} tests", tests.len());
    let outcomes = judged(&chosen, &tests, &tree.mutants, &rows, jobs);
    let many = |outcome| outcomes.values().filter(|other| **other == outcome).count();
    let missed: Vec<_> = outcomes.iter().filter(|(_, outcome)| **outcome >= Outcome::Missed).collect();
    let lines: Vec<String> = missed.iter().map(|(id, what)| told(&tree.mutants[*id - 1], **what)).collect();
    let file = out.join(MISSED);
    std::fs::write(&file, lines.join("\n") + "\n").map_err(|why| format!("{}: {why}", file.display()))?;
    let idle: Vec<_> = rows.iter().filter(|row| is_idle(row, &tree.mutants, &outcomes)).collect();
    idle.iter().for_each(|row| println!("EXPLAINS NOTHING {}", row.shown()));
    let (caught, endless, explained) = (many(Outcome::Caught), many(Outcome::Endless), many(Outcome::Explained));
    println!(
        "{} faults: {caught} caught, {endless} without an end, {explained} explained, {} missed, \
         {} where no test comes: target/mutants/{MISSED}",
        chosen.len(),
        many(Outcome::Missed),
        many(Outcome::Unreached)
    );
    Ok(if missed.is_empty() && idle.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Whether all that a row is about was tried, and none of it was missed.
fn is_idle(row: &Row, mutants: &[Mutant], outcomes: &BTreeMap<usize, Outcome>) -> bool {
    let mut about = (1..=mutants.len()).filter(|id| row.explains(&mutants[id - 1]));
    about.all(|id| matches!(outcomes.get(&id), Some(Outcome::Caught | Outcome::Endless)))
}

fn tests_of(arguments: &Arguments) -> Vec<String> {
    match (&arguments.tests[..], arguments.package.as_str()) {
        ([], "sabot-law") => vec!["sabot-law".into(), "sabot-handbook".into()],
        ([], package) => vec![package.into()],
        (tests, _) => tests.to_vec(),
    }
}

/// The numbers of the faults that are asked for.
fn chosen(arguments: &Arguments, workspace: &Path, mutants: &[Mutant]) -> Result<Vec<usize>, String> {
    let touched = arguments.since.as_ref().map(|commit| touched(workspace, commit)).transpose()?;
    let missed = workspace.join("target/mutants").join(MISSED);
    let missed = arguments.again.then(|| std::fs::read_to_string(&missed).map_err(|why| format!("{MISSED}: {why}")));
    let missed = missed.transpose()?;
    let is_asked_for = |mutant: &Mutant| {
        let is_touched = |lines: &Vec<RangeInclusive<usize>>| lines.iter().any(|lines| lines.contains(&mutant.line));
        touched.as_ref().is_none_or(|touched| touched.get(&mutant.file).is_some_and(is_touched))
            && missed.as_ref().is_none_or(|missed| missed.lines().any(|line| line.ends_with(&shown(mutant))))
            && arguments.file.as_ref().is_none_or(|file| mutant.file.contains(file))
    };
    let mut ids: Vec<usize> = (1..=mutants.len()).filter(|id| is_asked_for(&mutants[id - 1])).collect();
    if let Some((from, of)) = arguments.sample {
        ids = ids.into_iter().skip(from).step_by(of).collect();
    }
    if let Some(most) = arguments.most {
        ids = ids.iter().copied().step_by(ids.len().div_ceil(most.max(1)).max(1)).collect();
    }
    Ok(ids)
}

/// The lines of each file that differ from a commit.
fn touched(workspace: &Path, commit: &str) -> Result<BTreeMap<String, Vec<RangeInclusive<usize>>>, String> {
    let mut git = Command::new("git");
    let told = output(git.current_dir(workspace).args(["diff", "--unified=0", "--no-color", commit, "--", "*.rs"]))?;
    let (mut touched, mut file): (BTreeMap<_, Vec<_>>, _) = (BTreeMap::new(), String::new());
    for line in told.lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = path.into();
        } else if let Some(added) = line.strip_prefix("@@ ").and_then(|line| line.split(' ').nth(1)) {
            let (from, many) =
                added.trim_start_matches('+').split_once(',').unwrap_or((added.trim_start_matches('+'), "1"));
            if let (Ok(from), Ok(many)) = (from.parse::<usize>(), many.parse::<usize>()) {
                touched.entry(file.clone()).or_default().push(from..=from + many.saturating_sub(1));
            }
        }
    }
    Ok(touched)
}

fn judged(chosen: &[usize], tests: &Tests, mutants: &[Mutant], rows: &[Row], jobs: usize) -> BTreeMap<usize, Outcome> {
    let (outcomes, next) = (Mutex::new(BTreeMap::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(id) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let is_explained = || rows.iter().any(|row| row.explains(&mutants[id - 1]));
                    let outcome = match tests.judge(*id) {
                        Outcome::Missed | Outcome::Unreached if is_explained() => Outcome::Explained,
                        outcome => outcome,
                    };
                    if outcome >= Outcome::Missed {
                        println!("{}", told(&mutants[id - 1], outcome));
                    }
                    outcomes.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(*id, outcome);
                }
            });
        }
    });
    outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn told(mutant: &Mutant, outcome: Outcome) -> String {
    let how = if outcome == Outcome::Unreached { "NO TEST COMES TO" } else { "MISSED" };
    format!("{how} {}", shown(mutant))
}

fn shown(mutant: &Mutant) -> String {
    format!("{}:{}:{} {}", mutant.file, mutant.line, mutant.column, mutant.words())
}
