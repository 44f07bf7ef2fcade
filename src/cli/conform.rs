//! `sabot device conform`: somebody's device, held against `docs/wire-protocol.md`.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::out::say_err;
use clap::Args;
use sabot_drivers::conform::{Enter, OUTSIDE, Outcome, Person, Report, Setup, examine};
use sabot_drivers::keys::{DEFAULT_KEYS, KeyFile};
use sabot_drivers::transport::SerialPort;
use sabot_journal::clock::utc;
use sabot_wire::pairing::Code;
use serde_json::{Value, json};

/// Columns of the report: it can be printed.
const PAPER: usize = 80;

/// Plays the station against a device and names its first mistake, with the section of docs/wire-protocol.md
///
/// For who builds a device. It goes through the page's rules on the line: frames, messages, sealing, sessions, events,
/// what must be ignored. It takes a minute, and asks the person at the device for what no line can do: to make an
/// event, to take its power away. Enter skips that, and the report says what was not shown. Before a device is paired
/// by its code nothing shows what it has seen: there Enter says that it is done.
///
/// Never on a device of a table: events that it holds are acknowledged, and gone.
///
/// The report has 80 columns and can be printed: sabot device conform --port PORT | lp
///
/// Exit status: 0 when nothing was against the page, 1 when something was, 2 when it could not be examined.
///
/// Example: sabot device conform --port /dev/ttyUSB0 --pair
/// Example: sabot device conform --port /dev/ttyUSB0 --code 7K2M-0QXV-93TD-HB5E
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ConformArgs {
    /// Its port, as in a station's configuration: /dev/ttyUSB0, or usb:SERIAL.
    #[arg(long, value_name = "PORT")]
    port: PathBuf,
    /// Speed of the port.
    #[arg(long, default_value_t = 115_200, value_parser = clap::value_parser!(u32).range(300..=4_000_000))]
    baud: u32,
    /// The file in which its key stands, or is to stand.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_KEYS)]
    keys: PathBuf,
    /// Give it a new key first. A device that has one takes it only while its pairing switch is held.
    #[arg(long)]
    pair: bool,
    /// The code on its housing: it is given its new key by it, and how it takes part in that is examined too.
    #[arg(long, value_name = "CODE", value_parser = crate::code)]
    code: Option<Code>,
    /// How long it may take to say hello, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    wait: u64,
    /// How long the person at the device may take, in seconds; 0: nobody is there.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(0..=3600))]
    person: u64,
    /// What the line and this machine may add to each time of the page, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 250, value_parser = clap::value_parser!(u64).range(50..=10_000))]
    slack: u64,
    /// Ping it until its counter is past 65,535: ten minutes and more at 115200 baud.
    #[arg(long)]
    long: bool,
    /// For machines: one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &ConformArgs) -> ExitCode {
    super::log::to_stderr();
    let report = match examined(args) {
        Ok(report) => report,
        Err(error) => {
            say_err!("sabot device conform: {error}");
            return ExitCode::from(2);
        }
    };
    let said = if args.json { format!("{:#}\n", object(&report)) } else { text(&report, args, &now()) };
    // who closed the pipe has read enough; the status still tells
    let _ = io::stdout().lock().write_all(said.as_bytes());
    ExitCode::from(match (&report.mistake, &report.over) {
        (Some(_), _) => 1,
        (None, Some(_)) => 2,
        (None, None) => 0,
    })
}

fn examined(args: &ConformArgs) -> io::Result<Report> {
    let (enter, enters) = mpsc::channel();
    if args.person > 0 {
        // it is not waited for: a terminal that nobody types at
        thread::spawn(move || io::stdin().lock().lines().map_while(Result::ok).try_for_each(|_| enter.send(())));
    }
    let mut ask = |what: &str, enter: Enter| {
        let says = match enter {
            Enter::Skips => "skip this",
            Enter::Done => "it is done",
        };
        if args.person > 0 {
            say_err!("{what} (Enter: {says}; within {} s)", args.person);
        }
    };
    let keys = KeyFile::new(args.keys.clone());
    let (wait, slack) = (Duration::from_secs(args.wait), Duration::from_millis(args.slack));
    let code = args.code.as_ref();
    let (pair, long) = (args.pair || code.is_some(), args.long);
    let setup = Setup { keys: &keys, pair, code, wait, slack, long };
    let person = Person { ask: &mut ask, enters: &enters, patience: Duration::from_secs(args.person) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(examine(SerialPort::new(&args.port, args.baud), setup, person)))
}

fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    utc(u64::try_from(since.as_millis()).unwrap_or_default())
}

/// Who the device says that it is.
fn device(report: &Report) -> Option<String> {
    let hello = report.device.as_ref()?;
    let [major, minor, patch] = hello.firmware;
    Some(format!("{} {}, firmware {major}.{minor}.{patch}, start {}", hello.role, hello.serial, hello.boots))
}

/// The report, as it is printed.
fn text(report: &Report, args: &ConformArgs, at: &str) -> String {
    let mut text = String::from("Held against docs/wire-protocol.md, version 4 of the device link\n");
    let device = device(report).unwrap_or_else(|| "a device that has not said who it is".to_owned());
    let port = args.port.display();
    paragraph(&mut text, "", &format!("{at}, at {port}"));
    paragraph(&mut text, "", &device);
    if report.paired {
        paragraph(&mut text, "", &format!("It was given a new key, which is in {}.", args.keys.display()));
    }
    text.push('\n');
    match (&report.mistake, &report.over) {
        (Some((duty, found)), _) => {
            let asked = duty.asked();
            paragraph(&mut text, "", &format!("WRONG, section {}: {}.", asked.section, asked.says));
            paragraph(&mut text, "       ", &format!("{found}."));
        }
        (None, Some(why)) => paragraph(&mut text, "", &format!("NOT EXAMINED to its end: {why}.")),
        (None, None) => paragraph(&mut text, "", "RIGHT: nothing on the line was against the page."),
    }
    text.push_str("\nDone, and how often it was seen\n");
    for (asked, outcome) in &report.outcomes {
        if let Outcome::Held(times) = outcome {
            let _ = writeln!(text, "{:<6} {:<62} {times:>8}", asked.section, asked.says);
        }
    }
    let mut whys: Vec<&str> = report.outcomes.iter().filter_map(|(_, outcome)| not_shown(outcome)).collect();
    whys.sort_unstable();
    whys.dedup();
    for why in whys {
        let _ = writeln!(text, "\nNot shown: {why}");
        for (asked, _) in report.outcomes.iter().filter(|(_, outcome)| not_shown(outcome) == Some(why)) {
            let _ = writeln!(text, "{:<6} {}", asked.section, asked.says);
        }
    }
    text.push_str("\nNot to be seen on a line\n");
    for (section, says) in OUTSIDE {
        let _ = writeln!(text, "{section:<6} {says}");
    }
    text
}

/// Why a duty was not shown.
const fn not_shown(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::NotShown(why) => Some(why),
        Outcome::Held(_) | Outcome::Wrong(_) => None,
    }
}

/// A paragraph, broken between words.
fn paragraph(text: &mut String, indent: &str, words: &str) {
    let mut width = 0;
    for word in words.split(' ') {
        let long = word.chars().count();
        if width > 0 && width + 1 + long <= PAPER {
            text.push(' ');
            width += 1 + long;
        } else {
            if width > 0 {
                text.push('\n');
            }
            text.push_str(indent);
            width = indent.len() + long;
        }
        text.push_str(word);
    }
    text.push('\n');
}

fn object(report: &Report) -> Value {
    let device = report.device.as_ref().map(|hello| {
        json!({ "role": hello.role.name(), "serial": hello.serial.as_str(), "firmware": hello.firmware,
                "protocol": hello.protocol, "boots": hello.boots })
    });
    let mistake = report.mistake.as_ref().map(|(duty, found)| {
        json!({ "duty": format!("{duty:?}"), "section": duty.asked().section, "asked": duty.asked().says, "found": found })
    });
    let duties = report.outcomes.iter().map(|(asked, outcome)| {
        let (shown, detail) = match outcome {
            Outcome::Held(times) => ("done", json!(times)),
            Outcome::Wrong(found) => ("wrong", json!(found)),
            Outcome::NotShown(why) => ("not_shown", json!(why)),
        };
        json!({ "duty": format!("{:?}", asked.duty), "section": asked.section, "asked": asked.says, shown: detail })
    });
    let outside = OUTSIDE.iter().map(|(section, says)| json!({ "section": section, "asked": says }));
    json!({
        "device": device, "mistake": mistake, "not_examined": report.over, "paired": report.paired,
        "duties": duties.collect::<Vec<_>>(), "not_on_a_line": outside.collect::<Vec<_>>(),
    })
}
