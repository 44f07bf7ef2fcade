//! `sabot soak`: cables pulled and put back thousands of times, a station killed thousands of times, and what one takes
//! while it rests.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Args, ValueEnum};
use tokio::signal::unix::SignalKind;

use crate::out::say_err;
use crate::run::stop_signal;
use sabot_simulation::soak::{
    self, AtRest, Attack, Boxes, CycleTimes, Idle, KillOutcome, KillPlan, Longest, SoakError, SoakOutcome, SoakPlan,
    ThiefOutcome, ThiefPlan,
};
use sabot_wire::message::Role;

/// A device must be shown as gone within this.
const GONE_WITHIN: Duration = Duration::from_secs(1);
/// And as back within this.
const BACK_WITHIN: Duration = Duration::from_secs(3);
/// What a device saw and is kept from the record must be told as missing within this.
const TOLD_WITHIN: Duration = Duration::from_secs(2);
/// Cables pulled where nothing else is said, and what thieves do.
const CYCLES: u64 = 10_000;
const ATTACKS: u64 = 400;
/// Kills after which it is said how far it is.
const KILLS_A_WORD: u64 = 100;
/// Per cent of one core that a station may use while nothing happens and a device is away.
const AWAY_SHARE: f64 = 5.0;
/// Cycles after which a station has met every kind of pass and outage.
const WARM_AFTER: u64 = 20;
/// Cycles after which its memory has its size: while a device is away it keeps up to 1,024 events of ended passes, and
/// each of its threads that has judged them anew keeps the room for that.
const GROWN_AFTER: u64 = 1000;
/// KiB that a station's memory may differ from then to the end; a leak of 128 bytes a cycle exceeds it in 10,000.
const GROWTH_KIB: u64 = 1024;
/// Per cent of one core that a station may use while it rests.
const IDLE_SHARE: f64 = 2.0;
/// KiB of memory that a station may have had.
const MOST_KIB: u64 = 40 * 1024;

/// Pulls the cables of all devices thousands of times and holds the record against what they saw
///
/// The station is `sabot run` in a process of its own, with its record on disk; the devices are their own firmware on
/// pseudo-terminals. A table goes on all the time, at about 100 observations a second, while five cables are pulled and
/// put back, overlapping; one time in eight a device loses its power as well. At the end: how long the page took to
/// show that a device is gone and that it is back, what is lost or doubled, the station's memory and handles after the
/// warm-up and at the end, and what it uses of a core while a device is away. With --idle nothing is pulled: a station
/// with every device and an open page rests and is measured, with a chip reader of our own and with seven of FEIG's.
///
/// With --no-cell it is the memory of the devices that nothing feeds, as on a board without a cell: the loss of power
/// takes the ring with it. What a device held then is lost, and each time the record has to say so; how much it was is
/// said at the end.
///
/// With --thief no cable is pulled: somebody without a key stands in the middle of each. He keeps frames back, damages
/// some to seem a bad cable, plays them again, changes their order, invents some, cuts the cable or makes an end start
/// anew, and floods the line. At the end: what is lost, doubled or invented on record, and the longest that what a
/// device saw was neither on record nor told as missing. It is held to two seconds without what the machine took of it:
/// the most that one thread of the station, of a device or of a thief waited for a processor meanwhile, and the most
/// that the disk took to keep one byte.
///
/// With --kills the cables stay, and the station is killed (SIGKILL) at random moments, a quarter of them before it
/// serves its page, and started again: its record is on disk and signed. After each kill, what the devices were told is
/// safe is looked for in the record. At the end, or when it is interrupted: what is lost or doubled, and whether chain
/// and signatures hold to the last line.
///
/// It ends by itself. Exit status: 0 when everything is within its bounds, 1 when something is not or there is no
/// result, 2 when an option makes no sense.
///
/// Example: sabot soak --cycles 1000 --seed 7
/// Example: sabot soak --kills 10000 --minutes 15
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SoakArgs {
    /// Cables pulled and put back, of all devices together: 10,000 where nothing is said, which take about ten minutes.
    /// With --thief, what thieves do: 400, which take about four.
    #[arg(long, value_name = "N", value_parser = super::count, allow_negative_numbers = true)]
    cycles: Option<u64>,
    /// What the table does, and which cable is out when and for how long, follow from it; the system's own timing does
    /// not.
    #[arg(long, value_name = "N", default_value = "1", value_parser = super::seed, allow_negative_numbers = true)]
    seed: u64,
    /// The loss of power takes a device's ring with it.
    #[arg(long, conflicts_with_all = ["thief", "kills", "idle"])]
    no_cell: bool,
    /// Put somebody in the middle of each cable instead of pulling it.
    #[arg(long, conflicts_with_all = ["away", "idle"])]
    thief: bool,
    /// Kill the station so many times instead of pulling cables: about three a second.
    #[arg(long, value_name = "N", value_parser = super::count, conflicts_with_all = ["cycles", "thief", "away", "idle"])]
    kills: Option<u64>,
    /// Of the kills begin none after so many minutes; how many there were is said.
    #[arg(long, value_name = "N", value_parser = super::count, requires = "kills")]
    minutes: Option<u64>,
    /// Measure the processor so long with each device away, and with all of them.
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = super::count)]
    away: u64,
    /// Pull nothing: measure a resting station so long, twice.
    #[arg(long, value_name = "SECONDS", value_parser = super::count, conflicts_with_all = ["cycles", "seed", "away"])]
    idle: Option<u64>,
    /// At rest, the boxes are seen by this: own, feig, or both one after the other.
    #[arg(long, value_name = "own|feig|both", default_value = "both", requires = "idle")]
    boxes: Seen,
    /// Keep ports, record and log in this new folder; without it they are kept only where something is wrong.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// What sees the boxes at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Seen {
    Own,
    Feig,
    Both,
}

/// Runs the command.
#[must_use]
pub(crate) fn run(args: &SoakArgs) -> ExitCode {
    crate::log::to_stderr();
    let folder = match new_folder(args.folder.as_deref()) {
        Ok(folder) => folder,
        Err((path, why)) => {
            say_err!("sabot soak: --folder: {}: {why}", path.display());
            return ExitCode::from(2);
        }
    };
    let done = match args.idle {
        Some(seconds) => rest(Duration::from_secs(seconds), args.boxes, &folder),
        None if args.thief => steal(args, &folder),
        None if args.kills.is_some() => kill(args, &folder),
        None => soak_through(args, &folder),
    };
    let missed = match done {
        Ok(missed) => missed,
        Err(error) => vec![error.to_string()],
    };
    for words in &missed {
        say(&format!("MISSED: {words}"));
    }
    if missed.is_empty() {
        say("everything is within its bounds");
        if args.folder.is_none() {
            let _ = fs::remove_dir_all(&folder);
        }
        return ExitCode::SUCCESS;
    }
    say(&format!("record and log are in {}", folder.display()));
    ExitCode::FAILURE
}

/// A folder that was not there.
fn new_folder(named: Option<&Path>) -> Result<PathBuf, (PathBuf, io::Error)> {
    let path = match named {
        Some(path) => std::path::absolute(path).map_err(|why| (path.to_path_buf(), why))?,
        None => std::env::temp_dir().join(format!("sabot-soak-{}", std::process::id())),
    };
    fs::create_dir(&path).map_err(|why| (path.clone(), why))?;
    Ok(path)
}

/// A reader that has gone away is no reason to end.
fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn soak_through(args: &SoakArgs, folder: &Path) -> Result<Vec<String>, SoakError> {
    let cycles = args.cycles.unwrap_or(CYCLES);
    let no_cell = if args.no_cell { " --no-cell" } else { "" };
    let again = format!("sabot soak --cycles {cycles} --seed {} --away {}{no_cell}", args.seed, args.away);
    say(&format!("{again}\nrecord, ports and log: {}", folder.display()));
    let plan = SoakPlan {
        cycles,
        seed: args.seed,
        program: std::env::current_exe()?,
        folder: folder.to_path_buf(),
        away: Duration::from_secs(args.away),
        loses_rings: args.no_cell,
    };
    let outcome = soak::run(&plan, &*stopped()?, |rest| {
        let AtRest { cycles, usage, elapsed } = rest;
        let seconds = elapsed.as_secs();
        say(&format!("{cycles:>7} cycles, {seconds:>4} s: {} KiB, {} handles", usage.memory_kib, usage.handles));
    })?;
    tell(&outcome);
    say(&format!("again: {again}"));
    Ok(judge(&outcome))
}

/// A table whose station is killed again and again.
fn kill(args: &SoakArgs, folder: &Path) -> Result<Vec<String>, SoakError> {
    let (kills, seed) = (args.kills.unwrap_or_default(), args.seed);
    let again = format!("sabot soak --kills {kills} --seed {seed}");
    say(&format!("{again}\nrecord, ports and log: {}", folder.display()));
    let at_most = args.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
    let program = std::env::current_exe()?;
    let plan = KillPlan { kills, at_most, seed, program, folder: folder.to_path_buf() };
    let outcome = soak::run_with_kills(&plan, &*stopped()?, |so_far| {
        if so_far.kills.is_multiple_of(KILLS_A_WORD) {
            say(&format!("{:>7} kills, {:>4} s", so_far.kills, so_far.elapsed.as_secs()));
        }
    })?;
    tell_kills(&outcome);
    say(&format!("again: {again}"));
    Ok(judge_kills(&outcome))
}

fn tell_kills(outcome: &KillOutcome) {
    let KillOutcome { kills, in_its_start, under_load, seen, lines, checkpoints, faults, .. } = outcome;
    let seconds = outcome.elapsed.as_secs();
    say(&format!(
        "{kills} kills in {seconds} s, {in_its_start} of them before the page was served, {under_load} while a device held \
         what was not acknowledged"
    ));
    say(&format!(
        "{seen} observations seen; {} lost, {} doubled or out of order, {} otherwise wrong; {} acknowledged and not in the \
         record after a kill",
        faults.lost, faults.doubled, faults.wrong, outcome.acknowledged_lost
    ));
    say(&format!(
        "{lines} lines on record, {checkpoints} checkpoints; {} faults found by verification",
        outcome.unverified.len()
    ));
}

/// What was not kept, in words.
fn judge_kills(outcome: &KillOutcome) -> Vec<String> {
    let mut missed = outcome.faults.words.clone();
    let faults = &outcome.faults;
    if (faults.lost, faults.doubled, faults.wrong) != (0, 0, 0) {
        missed.push("the record is not what the devices saw".to_owned());
    }
    if outcome.acknowledged_lost > 0 {
        let lost = outcome.acknowledged_lost;
        missed.push(format!("{lost} observations were acknowledged and not in the record after a kill"));
    }
    missed.extend(outcome.unverified.iter().map(|why| format!("the record does not verify: {why}")));
    missed
}

/// A table with a thief on each cable.
fn steal(args: &SoakArgs, folder: &Path) -> Result<Vec<String>, SoakError> {
    let attacks = args.cycles.unwrap_or(ATTACKS);
    let again = format!("sabot soak --thief --cycles {attacks} --seed {}", args.seed);
    say(&format!("{again}\nrecord, ports and log: {}", folder.display()));
    let program = std::env::current_exe()?;
    let plan = ThiefPlan { attacks, seed: args.seed, program, folder: folder.to_path_buf() };
    let outcome = soak::run_with_thieves(&plan, &*stopped()?)?;
    tell_thieves(&outcome);
    say(&format!("again: {again}"));
    Ok(judge_thieves(&outcome))
}

fn tell_thieves(outcome: &ThiefOutcome) {
    say("\nwhat the thieves did");
    for (attack, count) in Attack::ALL.iter().zip(outcome.deeds.attacks) {
        say(&format!("{count:>8}  {}", attack.name()));
    }
    let words = |(what, count): (&_, &u64)| format!("{what} {count}");
    let told: Vec<String> = outcome.words.iter().map(words).collect();
    say(&format!("\n{} frames kept back, {} sent by them", outcome.deeds.kept, outcome.deeds.sent));
    say(&format!("on record of devices: {}", told.join(", ")));
    let faults = &outcome.faults;
    say(&format!(
        "{} observations seen; {} lost, {} doubled or out of order, {} otherwise wrong; {} lines on record, {} s",
        outcome.seen,
        faults.lost,
        faults.doubled,
        faults.wrong,
        outcome.lines,
        outcome.elapsed.as_secs()
    ));
    let (unsaid, own) = (&outcome.unsaid, &outcome.own);
    say(&format!("neither on record nor told as missing, the longest: {}", each(unsaid, |unsaid| unsaid.took)));
    let waited = each(unsaid, |unsaid| unsaid.waited);
    say(&format!("of that, one thread waited for a processor at the most: {waited}"));
    say(&format!("and the disk took for one byte: {}", each(unsaid, |unsaid| unsaid.disk)));
    say(&format!("what the machine did not take of any such time, the longest: {}", each(own, Longest::own)));
}

/// A part of the longest time of each device, in words.
fn each(of: &[(Role, Longest)], part: impl Fn(&Longest) -> Duration) -> String {
    let words = of.iter().map(|(role, longest)| format!("{role} {} ms", part(longest).as_millis()));
    words.collect::<Vec<_>>().join(", ")
}

/// Which bounds were missed, in words.
fn judge_thieves(outcome: &ThiefOutcome) -> Vec<String> {
    let mut missed = outcome.faults.words.clone();
    let faults = &outcome.faults;
    if (faults.lost, faults.doubled, faults.wrong) != (0, 0, 0) {
        missed.push("the record is not what the devices saw".to_owned());
    }
    for (role, own) in outcome.own.iter().filter(|(_, own)| own.own() > TOLD_WITHIN) {
        missed.push(format!(
            "what the {role} saw was neither on record nor told as missing for {} ms, of which the machine took {}: more \
             than {}",
            own.took.as_millis(),
            own.machine().as_millis(),
            TOLD_WITHIN.as_millis()
        ));
    }
    missed
}

/// Becomes true when somebody stops the soak.
fn stopped() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = Arc::clone(&stop);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            if let Ok(mut signal) =
                stop_signal(&[SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()])
            {
                let _ = signal.wait_for(|stop| *stop).await;
                stopping.store(true, Ordering::Relaxed);
            }
        });
    })?;
    Ok(stop)
}

fn tell(outcome: &SoakOutcome) {
    let mut all = CycleTimes::default();
    say("\nmilliseconds until shown on the page       gone:  p50    p99    max    back:  p50    p99    max");
    for (role, cycled) in &outcome.times {
        all.add(cycled);
        say(&row(&role.to_string(), &cycled.gone.shown, &cycled.back.shown));
    }
    say(&row("all", &all.gone.shown, &all.back.shown));
    say(&row("on record", &all.gone.recorded, &all.back.recorded));
    let [gone, back] = outcome.longest.map(|longest| longest.waited.as_millis());
    say(&format!(
        "of the longest, one thread of the station waited for a processor: gone {gone} ms, back {back} ms at the most"
    ));
    say("\nat rest       cycles     memory KiB  handles");
    for AtRest { cycles, usage, .. } in &outcome.at_rest {
        say(&format!("{cycles:>20} {:>14} {:>8}", usage.memory_kib, usage.handles));
    }
    let faults = &outcome.faults;
    say(&format!(
        "\n{} observations seen; {} lost, {} doubled or out of order, {} otherwise wrong; {} lines on record",
        outcome.seen, faults.lost, faults.doubled, faults.wrong, outcome.lines
    ));
    if outcome.lost_with_rings > 0 {
        say(&format!("{} of them went with rings that were lost with the power, each told", outcome.lost_with_rings));
    }
    say(&format!("processor, per cent of one core: {:.1} during the cycles", outcome.busy));
    for (role, share) in &outcome.away {
        let who = role.map_or_else(|| "all five".to_owned(), |role| format!("the {role}"));
        say(&format!("{share:>8.1} with {who} away and nothing else going on"));
    }
}

fn row(name: &str, gone: &[Duration], back: &[Duration]) -> String {
    let ms = |delays: &[Duration], part| format!("{:>6.0}", 1000.0 * quantile(delays, part).as_secs_f64());
    let three = |delays: &[Duration]| [50, 99, 100].map(|part| ms(delays, part)).join(" ");
    format!("{name:<10} {:>6} cycles                      {}           {}", gone.len(), three(gone), three(back))
}

/// The least delay that `part` per cent of all do not exceed.
fn quantile(delays: &[Duration], part: usize) -> Duration {
    let mut sorted = delays.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() * part).div_ceil(100).max(1) - 1;
    sorted.get(at).copied().unwrap_or_default()
}

/// Which bounds were missed, in words.
fn judge(outcome: &SoakOutcome) -> Vec<String> {
    let mut missed = outcome.faults.words.clone();
    let faults = &outcome.faults;
    if (faults.lost, faults.doubled, faults.wrong) != (0, 0, 0) {
        missed.push("the record is not what the devices saw".to_owned());
    }
    if outcome.gone_unasked > 0 {
        missed.push(format!("{} times a device was on record as gone that was there", outcome.gone_unasked));
    }
    for (role, cycled) in &outcome.times {
        let late = |delays: &[Duration], bound| delays.iter().filter(|delay| **delay > bound).count();
        let (gone, back) = (late(&cycled.gone.shown, GONE_WITHIN), late(&cycled.back.shown, BACK_WITHIN));
        if gone > 0 {
            missed.push(format!(
                "the {role} was shown as gone too late {gone} times: more than {} ms",
                GONE_WITHIN.as_millis()
            ));
        }
        if back > 0 {
            missed.push(format!(
                "the {role} was shown as back too late {back} times: more than {} ms",
                BACK_WITHIN.as_millis()
            ));
        }
    }
    let warm = outcome.at_rest.iter().find(|rest| rest.cycles >= WARM_AFTER);
    if let (Some(warm), Some(end)) = (warm, outcome.at_rest.last()) {
        let (before, after) = (warm.usage, end.usage);
        if after.handles > before.handles {
            missed.push(format!("{} handles after the warm-up, {} at the end", before.handles, after.handles));
        }
        if after.memory_kib > MOST_KIB {
            missed.push(format!("{} KiB at the end: more than {MOST_KIB}", after.memory_kib));
        }
    }
    let grown = outcome.at_rest.iter().find(|rest| rest.cycles >= GROWN_AFTER);
    if let (Some(grown), Some(end)) = (grown, outcome.at_rest.last())
        && end.usage.memory_kib > grown.usage.memory_kib + GROWTH_KIB
    {
        let (before, after, cycles) = (grown.usage.memory_kib, end.usage.memory_kib, grown.cycles);
        missed.push(format!("{before} KiB after {cycles} cycles, {after} at the end"));
    }
    for (role, share) in &outcome.away {
        if *share >= AWAY_SHARE {
            let who = role.map_or_else(|| "every device".to_owned(), |role| format!("the {role}"));
            missed.push(format!("{share:.1} % of a core with {who} away"));
        }
    }
    missed
}

fn rest(time: Duration, seen: Seen, folder: &Path) -> Result<Vec<String>, SoakError> {
    say(&format!("a station at rest, every device there, a page open, over {} s each", time.as_secs()));
    say("boxes seen by                 % of a core   memory KiB   most so far   handles");
    let program = std::env::current_exe()?;
    let mut missed = Vec::new();
    let all = [(Seen::Own, Boxes::Own, "our own chip reader"), (Seen::Feig, Boxes::Feig, "seven FEIG readers")];
    for (one, boxes, name) in all.into_iter().filter(|(one, ..)| seen == Seen::Both || seen == *one) {
        let folder = folder.join(if one == Seen::Own { "own" } else { "feig" });
        fs::create_dir(&folder)?;
        let idle = soak::idle(boxes, time, &program, folder)?;
        let usage = idle.usage;
        say(&format!(
            "{name:<28} {:>12.2} {:>12} {:>13} {:>9}",
            idle.share, usage.memory_kib, usage.peak_kib, usage.handles
        ));
        missed.extend(judge_idle(&idle, name));
    }
    Ok(missed)
}

fn judge_idle(idle: &Idle, name: &str) -> Vec<String> {
    let mut missed = Vec::new();
    if idle.share >= IDLE_SHARE {
        missed.push(format!("{name}: {:.2} % of a core at rest", idle.share));
    }
    if idle.usage.peak_kib >= MOST_KIB {
        missed.push(format!("{name}: {} KiB", idle.usage.peak_kib));
    }
    missed
}

#[cfg(test)]
mod tests {

    use super::*;
    use std::collections::BTreeMap;

    use sabot_simulation::soak::{Deeds, Delays, Faults, Usage};

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// The record may be later than the page.
    fn delays(worst: u64) -> Delays {
        Delays { shown: vec![ms(worst), ms(3)], recorded: vec![ms(worst + 2), ms(5)], longest_at: None }
    }

    fn outcome() -> SoakOutcome {
        let usage = Usage { memory_kib: 10_000, peak_kib: 12_000, handles: 20, processor: ms(10) };
        let rest = |cycles| AtRest { cycles, usage, elapsed: ms(cycles) };
        SoakOutcome {
            times: vec![(Role::Shoe, CycleTimes { gone: delays(1000), back: delays(3000) })],
            longest: [Longest::default(); 2],
            at_rest: vec![rest(5), rest(20), rest(1000), rest(2000)],
            seen: 10,
            lost_with_rings: 0,
            lines: 20,
            faults: Faults::default(),
            gone_unasked: 0,
            busy: 50.0,
            away: vec![(Some(Role::Shoe), 4.9), (None, 4.9)],
        }
    }

    #[test]
    fn what_is_within_its_bounds_is_not_missed_and_the_rest_is() {
        assert_eq!(judge(&outcome()), Vec::<String>::new());
        let missed = |change: fn(&mut SoakOutcome)| {
            let mut outcome = outcome();
            change(&mut outcome);
            judge(&outcome).join("; ")
        };
        assert!(missed(|o| o.faults.lost = 1).contains("record"));
        assert!(missed(|o| o.faults.doubled = 1).contains("record"));
        assert!(missed(|o| o.faults.wrong = 1).contains("record"));
        assert!(missed(|o| o.gone_unasked = 2).contains("2 times"));
        assert!(missed(|o| o.times[0].1.gone.shown.push(ms(1001))).contains("gone too late 1 times"));
        assert!(missed(|o| o.times[0].1.back.shown.push(ms(3001))).contains("back too late 1 times"));
        assert!(missed(|o| o.at_rest[3].usage.handles = 21).contains("21 at the end"));
        assert!(missed(|o| o.at_rest[3].usage.memory_kib += GROWTH_KIB + 1).contains("KiB after 1000 cycles"));
        // before it has its size its memory may still grow
        assert_eq!(missed(|o| (o.at_rest[0].usage.memory_kib, o.at_rest[1].usage.memory_kib) = (0, 0)), "");
        assert!(missed(|o| o.at_rest[2].usage.memory_kib -= GROWTH_KIB + 1).contains("KiB"));
        assert!(
            missed(|o| o.at_rest.iter_mut().for_each(|rest| rest.usage.memory_kib = MOST_KIB + 1))
                .contains("more than")
        );
        assert!(missed(|o| o.away[0].1 = 5.0).contains("the shoe away"));
        assert!(missed(|o| o.away[1].1 = 5.0).contains("every device away"));
    }

    #[test]
    fn what_thieves_may_not_do_is_missed() {
        let outcome = ThiefOutcome {
            deeds: Deeds::default(),
            seen: 10,
            lines: 20,
            faults: Faults::default(),
            unsaid: vec![(Role::Shoe, Longest { took: TOLD_WITHIN, ..Longest::default() })],
            own: vec![(Role::Shoe, Longest { took: TOLD_WITHIN, ..Longest::default() })],
            words: BTreeMap::default(),
            elapsed: ms(1),
        };
        assert_eq!(judge_thieves(&outcome), Vec::<String>::new());
        let late = |waited| ThiefOutcome {
            own: vec![(Role::Shoe, Longest { took: ms(3000), waited: ms(waited), disk: ms(400) })],
            ..outcome.clone()
        };
        assert_eq!(judge_thieves(&late(600)), Vec::<String>::new(), "the machine took the rest");
        assert!(judge_thieves(&late(599)).join("").contains("the shoe saw was neither on record nor told"));
        let faults = Faults { wrong: 1, ..Faults::default() };
        assert!(judge_thieves(&ThiefOutcome { faults, ..outcome }).join("").contains("not what the devices saw"));
    }

    #[test]
    fn what_kills_may_not_do_is_missed() {
        assert_eq!(judge_kills(&KillOutcome { kills: 9, ..KillOutcome::default() }), Vec::<String>::new());
        let faults = Faults { lost: 1, ..Faults::default() };
        let lost = judge_kills(&KillOutcome { faults, acknowledged_lost: 2, ..KillOutcome::default() }).join("; ");
        assert!(
            lost.contains("not what the devices saw") && lost.contains("2 observations were acknowledged"),
            "{lost}"
        );
        let broken = KillOutcome { unverified: vec!["line 7".to_owned()], ..KillOutcome::default() };
        assert!(judge_kills(&broken).join("").contains("does not verify: line 7"));
    }

    #[test]
    fn an_idle_station_is_held_to_its_bounds() {
        let idle = Idle { share: 1.99, usage: Usage { peak_kib: MOST_KIB - 1, ..Usage::default() } };
        assert_eq!(judge_idle(&idle, "x"), Vec::<String>::new());
        assert_eq!(judge_idle(&Idle { share: 2.0, ..idle }, "x").len(), 1);
        let usage = Usage { peak_kib: MOST_KIB, ..Usage::default() };
        assert_eq!(judge_idle(&Idle { usage, ..idle }, "x").len(), 1);
    }

    #[test]
    fn quantiles_are_delays_that_were_measured() {
        let delays: Vec<Duration> = (1..=100).rev().map(ms).collect();
        assert_eq!([50, 99, 100].map(|part| quantile(&delays, part)), [ms(50), ms(99), ms(100)]);
        assert_eq!(quantile(&[ms(7)], 50), ms(7));
        assert_eq!(quantile(&[], 99), Duration::ZERO);
    }
}
