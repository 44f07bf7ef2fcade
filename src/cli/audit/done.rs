//! Which records an audit is done with: a file of JSON lines, the first of which is the question.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::judged::Judged;
use super::source::Record;

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum DoneError {
    #[error("{}: {why}", file.display())]
    Io { file: PathBuf, why: io::Error },
    #[error(
        "{}: it holds the answers to another question (regulation, settings, time, language, keys or version of sabot)\n  \
         = ask the same, name another file, or remove this one",
        .0.display()
    )]
    Other(PathBuf),
}

#[derive(Serialize, Deserialize)]
struct First {
    question: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    /// As the record was: one that has grown is read again.
    size: u64,
    judged: Judged,
}

/// Records that are done.
pub(super) struct Done {
    file: Option<(PathBuf, File)>,
    known: HashMap<String, Line>,
}

impl Done {
    /// Reads what is done; with no file nothing is remembered.
    pub(super) fn open(path: Option<&Path>, question: &str) -> Result<Self, DoneError> {
        let Some(path) = path else { return Ok(Self { file: None, known: HashMap::new() }) };
        let failed = |why| DoneError::Io { file: path.to_path_buf(), why };
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.map_err(failed)?;
        let (mut known, mut whole) = (HashMap::new(), 0);
        let (mut lines, mut text) = (BufReader::new(&file), Vec::new());
        loop {
            text.clear();
            let read = lines.read_until(b'\n', &mut text).map_err(failed)? as u64;
            // a line that was cut off while it was written is written anew
            if !text.ends_with(b"\n") {
                break;
            }
            if whole == 0 {
                let first: Option<First> = serde_json::from_slice(&text).ok();
                if first.is_none_or(|first| first.question != question) {
                    return Err(DoneError::Other(path.to_path_buf()));
                }
            } else if let Ok(line) = serde_json::from_slice::<Line>(&text) {
                known.insert(line.judged.record.clone(), line);
            }
            whole += read;
        }
        // what is no file of ours is not written over
        if whole == 0 && !text.is_empty() {
            return Err(DoneError::Other(path.to_path_buf()));
        }
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::Start(whole)).map_err(failed)?;
        let mut done = Self { file: Some((path.to_path_buf(), file)), known };
        if whole == 0 {
            done.write(&First { question: question.to_owned() })?;
        }
        Ok(done)
    }

    /// Whether a record is done, as it is now.
    pub(super) fn has(&self, record: &Record) -> bool {
        self.known.get(&record.name).is_some_and(|line| line.size == record.size)
    }

    /// What became of it.
    pub(super) fn take(&mut self, record: &Record) -> Option<Judged> {
        self.known.remove(&record.name).map(|line| line.judged)
    }

    /// Remembers a record.
    pub(super) fn add(&mut self, record: &Record, judged: &Judged) -> Result<(), DoneError> {
        if self.file.is_none() {
            return Ok(());
        }
        self.write(&Line { size: record.size, judged: judged.clone() })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), DoneError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let failed = |why| DoneError::Io { file: path.clone(), why };
        let mut text = serde_json::to_vec(line).map_err(|why| failed(why.into()))?;
        text.push(b'\n');
        file.write_all(&text).map_err(failed)
    }
}
