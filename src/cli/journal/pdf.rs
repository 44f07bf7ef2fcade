//! A page on standard output, or as PDF in a file. WeasyPrint makes the PDF from the same page: `pdf.py`, run by the
//! Python of the WeasyPrint that is installed, lets it fetch nothing and attaches the files that the page holds.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use sabot_station::console::report::Style;

const SCRIPT: &str = include_str!("pdf.py");
/// A pass of seven boxes takes some seconds, and a machine may be slow or busy.
const LIMIT: Duration = Duration::from_secs(300);
/// How often it is looked whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Of the first line of a program no more is read.
const FIRST_LINE: u64 = 1024;

/// A page that did not go where it should.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotPut {
    #[error("no PDF: WeasyPrint is not installed: sudo apt-get install weasyprint. {INSTEAD}")]
    NotInstalled,
    #[error("no PDF: {}: {why}. {INSTEAD}", program.display())]
    NotStarted { program: PathBuf, why: io::Error },
    #[error("no PDF: {0}. {INSTEAD}")]
    Failed(String),
    #[error("no PDF: WeasyPrint did not end within {} s and was stopped. {INSTEAD}", .0.as_secs())]
    Hangs(Duration),
    #[error("{}: {why}", file.display())]
    File { file: PathBuf, why: io::Error },
    #[error("standard output: {0}")]
    Out(io::Error),
}

const INSTEAD: &str = "Without --pdf the page is HTML, which a browser prints";

/// What a page has to look like that becomes a PDF, or does not.
pub(super) const fn style(pdf: Option<&Path>) -> Style {
    if pdf.is_some() { Style::Paper } else { Style::Within }
}

/// Writes a page into this file as PDF, or as it is to standard output, of which nobody need read more.
pub(super) fn put(page: &str, pdf: Option<&Path>) -> Result<(), NotPut> {
    let Some(file) = pdf else {
        return match io::stdout().write_all(page.as_bytes()) {
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => Err(NotPut::Out(why)),
            _ => Ok(()),
        };
    };
    let made = made(python().ok_or(NotPut::NotInstalled)?, page, LIMIT)?;
    fs::write(file, made).map_err(|why| NotPut::File { file: file.to_path_buf(), why })
}

/// The Python that runs the WeasyPrint on the path, as the program itself names it: another may not know the library.
fn python() -> Option<Command> {
    let first_line = |program: PathBuf| {
        let mut line = String::new();
        BufReader::new(fs::File::open(program).ok()?.take(FIRST_LINE)).read_line(&mut line).ok()?;
        Some(line)
    };
    let path = env::var_os("PATH")?;
    let line = env::split_paths(&path).find_map(|folder| first_line(folder.join("weasyprint")))?;
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let mut command = Command::new(words.next()?);
    // isolated: nothing of the folder or of variables becomes part of it
    command.args(words).args(["-I", "-c", SCRIPT]);
    Some(command)
}

/// What a program makes of a page, within this time.
fn made(mut program: Command, page: &str, limit: Duration) -> Result<Vec<u8>, NotPut> {
    let ends = Instant::now() + limit;
    let spawned = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|why| NotPut::NotStarted { program: program.get_program().into(), why })?;
    let (made, said) = (drained(child.stdout.take()), drained(child.stderr.take()));
    if let Some(mut pipe) = child.stdin.take() {
        let page = page.to_owned();
        // one that does not read it says why
        thread::spawn(move || drop(pipe.write_all(page.as_bytes())));
    }
    let status = ended(&mut child, ends).ok_or(NotPut::Hangs(limit))?;
    let all = |from: Receiver<Vec<u8>>| from.recv_timeout(ends.saturating_duration_since(Instant::now()));
    let (Ok(made), Ok(said)) = (all(made), all(said)) else { return Err(NotPut::Hangs(limit)) };
    if status.success() && made.starts_with(b"%PDF-") {
        return Ok(made);
    }
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
    Err(NotPut::Failed(last.map_or_else(|| format!("WeasyPrint failed: {status}"), str::to_owned)))
}

/// How it ended; none when it had to be stopped.
fn ended(child: &mut Child, ends: Instant) -> Option<ExitStatus> {
    while Instant::now() < ends {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(LOOK_EVERY);
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// All that comes from a pipe, once it has ended.
fn drained(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sends, comes) = channel();
    thread::spawn(move || {
        let mut all = Vec::new();
        if pipe.is_some_and(|mut pipe| pipe.read_to_end(&mut all).is_ok()) {
            let _ = sends.send(all);
        }
    });
    comes
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Result<Vec<u8>, String> {
        let mut program = Command::new("sh");
        program.args(["-c", script]);
        // more than a pipe holds
        made(program, &"page".repeat(100_000), limit).map_err(|why| why.to_string())
    }

    #[test]
    fn what_makes_no_pdf_is_told_by_its_last_words_and_what_hangs_is_stopped() {
        let long = Duration::from_secs(60);
        assert_eq!(shell("cat >/dev/null; echo %PDF-1.7", long).unwrap(), b"%PDF-1.7\n");
        let told = |script| shell(script, long).unwrap_err();
        assert!(told("echo one >&2; echo too old >&2; exit 1").starts_with("no PDF: too old. Without --pdf"));
        assert!(told("exit 3").contains("WeasyPrint failed: exit status: 3"), "it says nothing");
        assert!(told("echo page").contains("WeasyPrint failed"), "what it made is no PDF");
        let began = Instant::now();
        for hangs in ["exec sleep 600", "sleep 30 & exit 0", "exec >/dev/null 2>&1; exec sleep 600"] {
            let stopped = shell(hangs, Duration::from_millis(300)).unwrap_err();
            assert!(stopped.contains("did not end within"), "{hangs}: {stopped}");
        }
        assert!(began.elapsed() < Duration::from_secs(25), "it waited for what hangs");
    }
}
