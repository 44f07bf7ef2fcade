//! Tests of the rig that run on whichever bench is chosen, and say what they need of it.

use std::cell::RefCell;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use sabot_stall_guard::rerun_if_stalled;
use sabot_wire::message::Role;

use crate::bench_file::{BenchFile, CHOOSES, DeviceKind, USUAL};

/// So many tables of bought parts are played at once.
const BOUGHT_AT_ONCE: usize = 4;

thread_local! {
    static RUNNING: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What a test needs of its bench, and not every bench has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Somebody sees where each card goes, whether it is covered, and when it is turned up or taken away: what a pass
    /// to its end wants.
    Places,
    /// Sensors see at once what they are made to see, so that times can be compared.
    PromptSensors,
    /// The shoe's ring holds hundreds of cards.
    LongRing,
    /// Devices can be restarted by the test itself.
    Restarts,
    /// A table of bought parts, which is driven by verbs of its own.
    Bought,
}

impl Need {
    /// Why the bench has it not; `None` where it has.
    fn lacking(self, bench_file: &BenchFile) -> Option<String> {
        let kinds = |of: &[Role], kind| of.iter().copied().find(|role| bench_file.kind(*role) == kind);
        match self {
            Self::Places => (bench_file.kind(Role::Chips) == DeviceKind::Qemu).then(|| {
                "the board's chip reader sees no tagged cards: not where they go, nor what is turned up or cleared"
                    .to_owned()
            }),
            Self::PromptSensors => (!bench_file.kind(Role::Keypad).is_twin())
                .then(|| "keys pressed one by one take longer than this test allows".to_owned()),
            Self::LongRing => (!bench_file.kind(Role::Shoe).is_twin())
                .then(|| "a board's ring holds some hundred cards; `--test boards` fills it".to_owned()),
            Self::Bought => (!bench_file.is_bought()).then(|| format!("it is of bought parts: {CHOOSES}=bought")),
            Self::Restarts => kinds(&Role::ALL, DeviceKind::Port)
                .map(|role| format!("the {role} is at a real port: people restart it")),
        }
    }
}

/// A test of the rig.
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it needs.
    pub needs: &'static [Need],
    /// What it does; a panic fails it.
    pub run: Box<dyn Fn() + Send>,
}

/// Test functions as [`Scenario`]s, each with its needs: `scenarios! { a_test [Need::Places] }`.
#[macro_export]
macro_rules! scenarios {
    ($($name:ident [$($need:expr),*])*) => {
        vec![$($crate::Scenario { name: stringify!($name).to_owned(), needs: &[$($need),*], run: Box::new($name) }),*]
    };
}

/// Runs them on the chosen bench, as `cargo test` would. What the bench has not is counted as ignored, and said.
#[must_use]
pub fn run(scenarios: impl IntoIterator<Item = Scenario>) -> ExitCode {
    let bench_file = match BenchFile::chosen() {
        Ok(file) => file,
        Err(error) => {
            eprintln!("no bench: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut arguments = Arguments::from_args();
    if Role::ALL.iter().any(|role| bench_file.kind(*role) == DeviceKind::Port) {
        arguments.test_threads = Some(1); // there is one of each
    }
    if Role::ALL.iter().any(|role| bench_file.kind(*role) == DeviceKind::Qemu) {
        // four or five emulators each, which rest most of the time; and a watchdog that a starved one would feed too
        // late
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        arguments.test_threads.get_or_insert(cores);
    }
    if bench_file.is_bought() {
        // a dealer waits there most of the time
        arguments.test_threads.get_or_insert(BOUGHT_AT_ONCE);
    }
    println!("bench: {} ({CHOOSES} names another)", bench_file.name);
    let missing = bench_file.missing();
    let trial = |Scenario { name, needs, run }| {
        let is_other = bench_file.is_bought() && !needs.contains(&Need::Bought);
        let ours =
            is_other.then(|| "bought parts have no ring, and see neither faces nor what is turned up".to_owned());
        let lacks = || needs.iter().find_map(|need| need.lacking(&bench_file));
        let why = missing.clone().or(ours).or_else(lacks);
        let named: String = name;
        Trial::ignorable_test(named.clone(), move || scenario(&named, why, &*run))
    };
    let trials = scenarios.into_iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn scenario(name: &str, lacks: Option<String>, run: &dyn Fn()) -> Result<Completion, Failed> {
    if let Some(why) = lacks {
        return Ok(Completion::ignored_with(why));
    }
    RUNNING.set(Some(name.to_owned()));
    rerun_if_stalled(name, run);
    Ok(Completion::Completed)
}

/// The command that runs this thread's test again, on this bench.
pub(crate) fn again(bench_file: &BenchFile) -> String {
    let binary = std::env::current_exe().ok();
    let binary =
        binary.as_deref().and_then(|path| path.file_stem()?.to_str()?.rsplit_once('-')).map_or("rig", |it| it.0);
    let of_thread = || std::thread::current().name().map(str::to_owned);
    let name = RUNNING.with_borrow(Clone::clone).or_else(of_thread).unwrap_or_default();
    let bench = if bench_file.name == USUAL { String::new() } else { format!("{CHOOSES}={} ", bench_file.name) };
    format!("{bench}cargo test -p sabot-hil-tests --test {binary} -- --exact {name}")
}
