//! The files of the repository, or of a sample.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Folders that are built or found, never committed.
const NOT_OURS: &[&str] = &[".git", "target", "corpus", "artifacts", "coverage"];

/// Each file's text by its path from the root. What is no text is there, and empty.
pub(crate) struct Tree(BTreeMap<String, String>);

impl Tree {
    /// The files of this repository.
    pub(crate) fn here() -> Self {
        let mut files = BTreeMap::new();
        read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")), "", &mut files);
        Self(files)
    }

    /// A sample: paths and texts.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
    }

    /// A file's text.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// Whether it is a file.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Whether it is a file or a folder.
    pub(crate) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        path.is_empty() || self.has_file(path) || self.0.keys().any(|file| is_under(file, path))
    }

    /// Every file and its text.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The files whose names end so.
    pub(crate) fn ending(&self, end: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(move |(path, _)| path.ends_with(end))
    }
}

fn read(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        if NOT_OURS.contains(&name.as_str()) || path == "demo" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{path}/"), files);
        } else {
            files.insert(path, String::from_utf8(fs::read(entry.path()).unwrap()).unwrap_or_default());
        }
    }
}

/// Whether a path lies in a folder.
pub(crate) fn is_under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// The folder of a path; empty for the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A path from a folder, without `.` and `..`.
pub(crate) fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Fails with what a rule has found, and the way out.
#[track_caller]
pub(crate) fn hold(faults: &[String], way_out: &str) {
    assert!(faults.is_empty(), "\n{}\n\n{} in all. {way_out}\n", faults.join("\n"), faults.len());
}

#[test]
fn paths_are_joined_as_a_shell_would() {
    assert_eq!(joined("docs/a", "../b/./c.md"), "docs/b/c.md");
    assert_eq!(joined("", "src/x.rs"), "src/x.rs");
}
