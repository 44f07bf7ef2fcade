//! The scenarios, run one by one as the machine outside asks.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::rig::{self, Scenario};
use crate::{serial, tower};

/// A scenario that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

fn scenarios() -> impl Iterator<Item = &'static (&'static str, Scenario)> {
    tower::SCENARIOS.iter().chain(serial::SCENARIOS)
}

pub(crate) fn list() -> ExitCode {
    for (name, _) in scenarios() {
        println!("{name}");
    }
    ExitCode::SUCCESS
}

pub(crate) fn serve(tty: &str) -> ExitCode {
    rig::log_what_happens();
    let port = OpenOptions::new().read(true).write(true).open(tty).expect("the port to the machine outside");
    let mut answers = port.try_clone().expect("the port to the machine outside");
    writeln!(answers, "ready").expect("the port to the machine outside");
    for line in BufReader::new(port).lines().map_while(Result::ok) {
        let Some(name) = line.trim().strip_prefix("run ") else { continue };
        let verdict = match scenarios().find(|(known, _)| *known == name) {
            Some((_, scenario)) => run(name, *scenario),
            None => Some(Err("there is no such scenario".to_owned())),
        };
        let Some(verdict) = verdict else {
            let _ = writeln!(answers, "{name} failed: not done within {PATIENCE:?}");
            // what hangs may hold devices: the next scenario gets a new machine
            return ExitCode::FAILURE;
        };
        let verdict = match verdict {
            Ok(measured) => format!("ok: {measured}"),
            Err(why) => format!("failed: {}", why.replace('\n', "; ")),
        };
        if writeln!(answers, "{name} {verdict}").is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// Runs one; nothing when it hangs.
fn run(name: &str, scenario: Scenario) -> Option<Result<String, String>> {
    println!("== {name}");
    rig::forget_the_log();
    let begun = Instant::now();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || tell.send(catch_unwind(AssertUnwindSafe(scenario))));
    let done = told.recv_timeout(PATIENCE).ok()?;
    println!("== {name}: {:?}", begun.elapsed());
    Some(done.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
    }))
}
