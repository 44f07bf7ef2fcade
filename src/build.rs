//! What the program is built from: the commit and its time, which `sabot --version` tells. A source without its
//! repository is told by the variables SABOT_COMMIT and SOURCE_DATE_EPOCH, else by nothing.

use std::path::Path;
use std::process::Command;

fn main() {
    for (variable, format, told) in
        [("SABOT_COMMIT", "%H", "SABOT_COMMIT"), ("SOURCE_DATE_EPOCH", "%ct", "SABOT_COMMITTED")]
    {
        println!("cargo::rerun-if-env-changed={variable}");
        let value = std::env::var(variable).ok().or_else(|| git(&["log", "-1", &format!("--format={format}")]));
        println!("cargo::rustc-env={told}={}", value.unwrap_or_default());
    }
    // HEAD itself stays the same while its branch grows; its log does not
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    println!("cargo::rerun-if-changed=src/build.rs");
}

/// What git says in one line; nothing where there is no git, or no repository.
fn git(args: &[&str]) -> Option<String> {
    let said = Command::new("git").args(args).output().ok().filter(|said| said.status.success())?;
    Some(String::from_utf8(said.stdout).ok()?.trim().to_owned()).filter(|said| !said.is_empty())
}
