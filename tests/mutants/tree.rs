//! A copy of the workspace in which every fault stands, switched off, and its build.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::change::{Mutant, write};
use crate::find::{Source, crate_of};

/// What the crate has beside its own code: whether a fault is on, and which were reached.
const SWITCH: &str = r#"
#[doc(hidden)]
#[allow(missing_docs, clippy::all)]
pub mod mutants {
    extern crate std;
    use self::std::{env, fs::File, io::Write, sync::{Mutex, OnceLock}};
    use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

    static ON: OnceLock<usize> = OnceLock::new();
    static REACHED: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    static IS_REACHED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];

    pub fn is_on(id: usize) -> bool {
        let on = *ON.get_or_init(|| env::var("SABOT_MUTANT").ok().and_then(|on| on.parse().ok()).unwrap_or(0));
        if on == 0 && !IS_REACHED[id].load(Relaxed) && !IS_REACHED[id].swap(true, Relaxed) {
            let file = || File::options().append(true).create(true).open(env::var_os("SABOT_MUTANTS_REACHED")?).ok();
            let reached = REACHED.get_or_init(|| Some(Mutex::new(file()?))).as_ref();
            if let Some(Ok(mut file)) = reached.map(Mutex::lock) {
                let _ = file.write_all(self::std::format!("{id}\n").as_bytes());
            }
        }
        on == id
    }
}
"#;

/// A program of tests.
pub(crate) struct Program {
    /// The file.
    pub(crate) path: PathBuf,
    /// Where its package lies, in which it runs.
    pub(crate) folder: PathBuf,
}

/// The copy.
pub(crate) struct Tree {
    folder: PathBuf,
    builds: PathBuf,
    /// The root file of the changed crate, from the root of the workspace.
    root: String,
    package: String,
    constant: BTreeSet<String>,
    dropped: BTreeSet<String>,
    /// The faults, from number 1 on.
    pub(crate) mutants: Vec<Mutant>,
    places: BTreeMap<String, Vec<(usize, Range<usize>)>>,
}

impl Tree {
    /// A copy of what git knows or would add, in `out`.
    pub(crate) fn copied(workspace: &Path, out: &Path, package: &str) -> Result<Self, String> {
        let folder = out.join("tree");
        let listed =
            output(Command::new("git").current_dir(workspace).args(["ls-files", "-co", "--exclude-standard"]))?;
        for file in listed.lines().filter(|file| workspace.join(file).is_file()) {
            put(&folder.join(file), &std::fs::read(workspace.join(file)).map_err(|why| format!("{file}: {why}"))?)?;
        }
        let mut tree = Self {
            folder,
            builds: out.join("build"),
            root: String::new(),
            package: package.into(),
            constant: BTreeSet::new(),
            dropped: BTreeSet::new(),
            mutants: Vec::new(),
            places: BTreeMap::new(),
        };
        tree.root = tree.root_of(workspace, package)?;
        Ok(tree)
    }

    fn root_of(&self, workspace: &Path, package: &str) -> Result<String, String> {
        let mut cargo = Command::new("cargo");
        let told = output(cargo.current_dir(workspace).args(["metadata", "--no-deps", "--format-version", "1"]))?;
        let told: Value = serde_json::from_str(&told).map_err(|why| format!("cargo metadata: {why}"))?;
        let packages = told["packages"].as_array().into_iter().flatten();
        let target = packages
            .filter(|known| known["name"] == package)
            .flat_map(|known| known["targets"].as_array().into_iter().flatten())
            .find(|target| target["kind"][0] == "lib");
        let root = target.and_then(|target| target["src_path"].as_str()).map(Path::new);
        let root = root.and_then(|root| root.strip_prefix(workspace).ok());
        root.map(|root| root.display().to_string()).ok_or(format!("{package}: no library of this workspace"))
    }

    /// Puts every fault in, and leaves out again what does not compile. What other packages need constant stays so.
    pub(crate) fn put_in(&mut self, workspace: &Path, tests: &[String]) -> Result<(), String> {
        let package = self.package.clone();
        let mut check = vec!["check", "--lib", "--package", &package];
        tests.iter().for_each(|package| check.extend(["--package", package]));
        loop {
            self.write(crate_of(workspace, &self.root, &self.constant)?)?;
            let told = self.cargo(&check)?;
            let errors: Vec<&Value> = told.iter().filter(|line| line["message"]["level"] == "error").collect();
            if errors.is_empty() {
                return Ok(());
            }
            let known = (self.dropped.len(), self.constant.len());
            errors.iter().for_each(|error| self.leave_out(&error["message"]));
            println!("{} faults do not compile, {} functions are constant", self.dropped.len(), self.constant.len());
            if known == (self.dropped.len(), self.constant.len()) {
                let told: Vec<&str> = errors.iter().filter_map(|error| error["message"]["rendered"].as_str()).collect();
                return Err(format!("what does not compile is no fault that was put in:\n{}", told.join("\n")));
            }
        }
    }

    fn write(&mut self, sources: Vec<Source>) -> Result<(), String> {
        self.mutants.clear();
        for source in sources {
            let first = self.mutants.len() + 1;
            let kept = source.mutants.into_iter().filter(|mutant| !self.dropped.contains(&name(mutant)));
            self.mutants.extend(kept);
            let numbered: Vec<_> =
                self.mutants[first - 1..].iter().enumerate().map(|(at, one)| (first + at, one)).collect();
            let (mut text, places) = write(&source.text, &numbered);
            if source.path == self.root {
                text.push_str(SWITCH);
            }
            put(&self.folder.join(&source.path), text.as_bytes())?;
            self.places.insert(source.path, places);
        }
        Ok(())
    }

    /// The innermost fault that an error stands in; or the function that must be constant.
    fn leave_out(&mut self, error: &Value) {
        if error["code"]["code"] == "E0015" {
            let words = error["message"].as_str().unwrap_or_default();
            let path = words.split('`').nth(1).unwrap_or_default();
            let function =
                path.rsplit("::").find(|part| !part.is_empty() && !part.starts_with('<')).unwrap_or_default();
            if !path.contains("mutants::is_on") {
                self.constant.insert(function.into());
                return;
            }
        }
        let mut spans: Vec<&Value> = error["spans"].as_array().into_iter().flatten().collect();
        spans.sort_by_key(|span| span["is_primary"] != true);
        for span in spans {
            let number = |name: &str| span[name].as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or_default();
            let (from, to) = (number("byte_start"), number("byte_end"));
            let places = self.places.get(span["file_name"].as_str().unwrap_or_default());
            let around = places.into_iter().flatten().filter(|(_, place)| place.start <= from && to <= place.end);
            if let Some((id, _)) = around.min_by_key(|(_, place)| place.len()) {
                self.dropped.insert(name(&self.mutants[id - 1]));
                return;
            }
        }
    }

    /// The folder of the changed code, from the root of the workspace.
    pub(crate) fn sources(&self) -> &Path {
        Path::new(&self.root).parent().unwrap_or(Path::new(""))
    }

    /// How many faults do not compile.
    pub(crate) fn dropped(&self) -> usize {
        self.dropped.len()
    }

    /// The programs of tests of some packages.
    pub(crate) fn programs(&self, packages: &[String]) -> Result<Vec<Program>, String> {
        let mut arguments = vec!["test", "--no-run", "--release"];
        packages.iter().for_each(|package| arguments.extend(["--package", package]));
        let told = self.cargo(&arguments)?;
        let program = |line: &Value| {
            let folder = Path::new(line["manifest_path"].as_str()?).parent()?.to_path_buf();
            Some(Program { path: line["executable"].as_str()?.into(), folder })
        };
        let programs: Vec<_> = told.iter().filter(|line| line["profile"]["test"] == true).filter_map(program).collect();
        if programs.is_empty() { Err("the tests do not compile".into()) } else { Ok(programs) }
    }

    fn cargo(&self, arguments: &[&str]) -> Result<Vec<Value>, String> {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.builds).args(arguments);
        // as fast as it can be, and as strict as the tests
        cargo.env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true");
        cargo.env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true");
        cargo.args(["--quiet", "--message-format", "json"]).stderr(Stdio::inherit());
        let told = cargo.output().map_err(|why| format!("cargo: {why}"))?.stdout;
        Ok(String::from_utf8_lossy(&told).lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

/// A fault's name, which stays when others are left out.
fn name(mutant: &Mutant) -> String {
    format!("{}:{}:{} {}", mutant.file, mutant.line, mutant.column, mutant.what)
}

/// Writes what is not there already, so that cargo builds only what changed.
fn put(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder.and_then(|()| std::fs::write(path, bytes)).map_err(|why| format!("{}: {why}", path.display()))
}

/// What a command prints.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.stderr(Stdio::inherit()).output().map_err(|why| format!("{name}: {why}"))?;
    if done.status.success() { Ok(String::from_utf8_lossy(&done.stdout).into()) } else { Err(format!("{name} failed")) }
}
