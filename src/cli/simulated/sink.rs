//! A file of JSON lines being written, or standard output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub(super) struct Unwritten {
    pub(super) file: PathBuf,
    pub(super) why: io::Error,
}

impl Unwritten {
    /// Whoever reads it has had enough.
    pub(super) fn is_broken_pipe(&self) -> bool {
        self.why.kind() == io::ErrorKind::BrokenPipe
    }
}

/// A file being written; `-` is standard output.
pub(super) struct Sink {
    file: PathBuf,
    out: Box<dyn Write>,
}

impl Sink {
    pub(super) fn open(file: &Path) -> Result<Self, Unwritten> {
        let out: Box<dyn Write> = if file.as_os_str() == "-" {
            Box::new(BufWriter::new(io::stdout()))
        } else {
            let opened = File::create(file).map_err(|why| Unwritten { file: file.into(), why })?;
            Box::new(BufWriter::with_capacity(1 << 16, opened))
        };
        Ok(Self { file: file.into(), out })
    }

    pub(super) fn line(&mut self, value: &impl serde::Serialize) -> Result<(), Unwritten> {
        let written = serde_json::to_writer(&mut self.out, value).map_err(io::Error::from);
        written.and_then(|()| self.out.write_all(b"\n")).map_err(|why| Unwritten { file: self.file.clone(), why })
    }

    pub(super) fn flush(mut self) -> Result<(), Unwritten> {
        self.out.flush().map_err(|why| Unwritten { file: self.file, why })
    }
}
