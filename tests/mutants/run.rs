//! Runs tests, one at a time in a process of its own, with a fault on or with none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::tree::Program;

/// A test, and what is known of it.
pub(crate) struct Test {
    program: usize,
    name: String,
    took: Duration,
    reaches: BTreeSet<usize>,
    caught: AtomicUsize,
}

/// What became of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// A test fails.
    Caught,
    /// A test that ends otherwise does not end.
    Endless,
    /// No test fails, and the reason is written down.
    Explained,
    /// No test fails.
    Missed,
    /// No test comes to it.
    Unreached,
}

/// So many of the likeliest tests are tried alone, then the rest of each program at once.
const ALONE: usize = 6;

/// The tests of the programs.
pub(crate) struct Tests {
    programs: Vec<Program>,
    tests: Vec<Test>,
}

impl Tests {
    /// Runs each test without a fault and notes which faults it comes to.
    ///
    /// Only those with `named` in their name are run. One that takes longer than `longest` is left out, and told.
    pub(crate) fn recorded(
        programs: Vec<Program>,
        named: &str,
        out: &Path,
        longest: Duration,
        jobs: usize,
    ) -> Result<Self, String> {
        let mut names = Vec::new();
        for (at, program) in programs.iter().enumerate() {
            let mut list = Command::new(&program.path);
            list.current_dir(&program.folder).args(["--list", "--format", "terse"]);
            let listed = crate::tree::output(&mut list)?;
            let tests = listed.lines().filter_map(|line| line.strip_suffix(": test"));
            names.extend(tests.filter(|name| name.contains(named)).map(|name| (at, name.to_string())));
        }
        let (tests, failed, next) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some((program, name)) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let file = out.join(format!("reached-{program}-{}", name.replace(['/', ':', ' '], "_")));
                        let mut command = command(&programs[*program], &[name]);
                        let began = Instant::now();
                        let passed = passes(command.env("SABOT_MUTANTS_REACHED", &file), longest);
                        let reached = std::fs::read_to_string(&file).unwrap_or_default();
                        let _ = std::fs::remove_file(&file);
                        if passed == Some(true) {
                            let reaches = reached.lines().filter_map(|line| line.parse().ok()).collect();
                            let (program, name, took) = (*program, name.clone(), began.elapsed());
                            let test = Test { program, name, took, reaches, caught: AtomicUsize::new(0) };
                            with(&tests, |tests| tests.push(test));
                        } else {
                            let why = if passed.is_none() { "takes too long" } else { "fails" };
                            with(&failed, |failed| failed.push(format!("{name}: {why} without a fault, left out")));
                        }
                    }
                });
            }
        });
        with(&failed, |failed| failed.iter().for_each(|each| println!("{each}")));
        let tests = tests.into_inner().map_err(|_| "a thread ended")?;
        if tests.is_empty() { Err("no test passes".into()) } else { Ok(Self { programs, tests }) }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.tests.len()
    }

    /// What becomes of a fault.
    pub(crate) fn judge(&self, id: usize) -> Outcome {
        let mut reaching: Vec<&Test> = self.tests.iter().filter(|test| test.reaches.contains(&id)).collect();
        reaching.sort_by_key(|test| test.took.as_micros() / (test.caught.load(Ordering::Relaxed) as u128 + 1));
        if reaching.is_empty() {
            return Outcome::Unreached;
        }
        let (alone, rest) = reaching.split_at(reaching.len().min(ALONE));
        for test in alone {
            if let Some(outcome) = self.fails(id, test.program, &[test]) {
                test.caught.fetch_add(1, Ordering::Relaxed);
                return outcome;
            }
        }
        let mut by_program: BTreeMap<usize, Vec<&Test>> = BTreeMap::new();
        rest.iter().for_each(|test| by_program.entry(test.program).or_default().push(test));
        by_program.into_iter().find_map(|(program, tests)| self.fails(id, program, &tests)).unwrap_or(Outcome::Missed)
    }

    fn fails(&self, id: usize, program: usize, tests: &[&Test]) -> Option<Outcome> {
        let took: Duration = tests.iter().map(|test| test.took).sum();
        let names: Vec<&String> = tests.iter().map(|test| &test.name).collect();
        let mut command = command(&self.programs[program], &names);
        match passes(command.env("SABOT_MUTANT", id.to_string()), took * 10 + Duration::from_secs(10)) {
            Some(true) => None,
            Some(false) => Some(Outcome::Caught),
            None => Some(Outcome::Endless),
        }
    }
}

fn command(program: &Program, names: &[impl AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command.env("INSTA_UPDATE", "no").env("PROPTEST_VERBOSE", "0");
    command.args(["--exact", "--test-threads", "1"]).args(names);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether it ends well; nothing where it does not end in time.
fn passes(command: &mut Command, longest: Duration) -> Option<bool> {
    let mut child: Child = command.spawn().ok()?;
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.success());
        }
        if began.elapsed() > longest {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn with<T, R>(shared: &Mutex<T>, act: impl FnOnce(&mut T) -> R) -> R {
    act(&mut shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}
