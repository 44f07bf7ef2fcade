//! Faults that no test notices and that are none: what is written in `tests/mutants/explained.txt`.

use std::path::Path;

use crate::change::Mutant;

/// Where they are written, from the root of the workspace.
const EXPLAINED: &str = "tests/mutants/explained.txt";

/// One row: which faults it explains.
pub(crate) struct Row {
    /// Its line, from 1.
    line: usize,
    file: String,
    /// How the faults begin as they are shown: the function, a colon, the words.
    begins: String,
}

impl Row {
    /// Whether it is about this fault.
    pub(crate) fn explains(&self, mutant: &Mutant) -> bool {
        self.file == mutant.file && mutant.words().starts_with(&self.begins)
    }

    /// Whether its file is in this folder.
    pub(crate) fn is_in(&self, folder: &Path) -> bool {
        Path::new(&self.file).starts_with(folder)
    }

    /// In words, with its place.
    pub(crate) fn shown(&self) -> String {
        format!("{EXPLAINED}:{} {} {}", self.line, self.file, self.begins)
    }
}

/// All rows; none where nothing is written.
pub(crate) fn rows(workspace: &Path) -> Result<Vec<Row>, String> {
    let text = match std::fs::read_to_string(workspace.join(EXPLAINED)) {
        Ok(text) => text,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(format!("{EXPLAINED}: {why}")),
    };
    read(&text).map_err(|(line, why)| format!("{EXPLAINED}:{line}: {why}"))
}

/// A file's name, then its rows, each with the reason on an indented line below.
fn read(text: &str) -> Result<Vec<Row>, (usize, &'static str)> {
    let (mut rows, mut file, mut waits): (Vec<Row>, Option<&str>, bool) = (Vec::new(), None, false);
    for (at, line) in text.lines().enumerate() {
        let (line, number, is_reason) = (line.trim_end(), at + 1, line.starts_with([' ', '\t']));
        match line {
            "" => {}
            comment if comment.starts_with('#') => {}
            _ if is_reason && !waits => return Err((number, "a reason belongs on the line below a fault")),
            _ if is_reason => waits = false,
            _ if waits => return Err((number - 1, "the reason is missing: write it on the next line, indented")),
            path if path.ends_with(".rs") => file = Some(path),
            begins => {
                let file = file.ok_or((number, "the file's name is missing above the fault"))?.to_string();
                let begins = begins.to_string();
                if rows.iter().any(|row| row.file == file && row.begins == begins) {
                    return Err((number, "this stands above already"));
                }
                rows.push(Row { line: number, file, begins });
                waits = true;
            }
        }
    }
    let last = text.lines().count();
    if waits { Err((last, "the reason is missing: write it on the next line, indented")) } else { Ok(rows) }
}
