//! What this program is: version, commit, and the hashes of the regulations it knows.

use std::fmt::Write as _;
use std::sync::OnceLock;

use sabot_journal::clock::utc;
use sabot_law::regulation::ALL;
use sabot_station::about;

/// What the program was built from.
#[derive(Debug, Clone, Copy)]
pub struct Build {
    /// The commit of its source, where that is known.
    pub commit: Option<&'static str>,
    /// When that was committed, seconds since 1970.
    pub committed: Option<u64>,
}

static BUILD: OnceLock<Build> = OnceLock::new();

/// Is told once, before anything is asked.
pub(crate) fn built_from(build: Build) {
    let _ = BUILD.set(build);
}

/// When the source of this program was committed, milliseconds since 1970: no clock that is right shows less.
pub(crate) fn committed_ms() -> Option<u64> {
    BUILD.get()?.committed?.checked_mul(1000)
}

/// Version and commit in one line.
pub(crate) fn short() -> String {
    let build = BUILD.get();
    let commit = build.and_then(|build| build.commit).unwrap_or("unknown");
    let day = committed_ms().map(|ms| format!(" of {}", &utc(ms)[..10])).unwrap_or_default();
    format!("{} (commit {commit}{day})", env!("CARGO_PKG_VERSION"))
}

/// Version and commit, then a regulation a line with the hash that a record's start has for it as it is written.
pub(crate) fn long() -> String {
    let mut text = short();
    for regulation in ALL {
        let _ = write!(text, "\n{:<11} {}", regulation.id, about::regulation_hash(regulation, &regulation.settings));
    }
    text
}
