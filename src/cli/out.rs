//! What a command says on standard output and standard error. Whoever reads it may have had enough, as `head` has: that
//! is no fault, and changes neither what the command does nor its exit status.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes and ends the line.
macro_rules! say {
    ($($text:tt)*) => { $crate::out::write(format_args!("{}\n", format_args!($($text)*))) };
}
pub(crate) use say;

/// Writes to standard error and ends the line.
macro_rules! say_err {
    ($($text:tt)*) => { $crate::out::write_err(format_args!("{}\n", format_args!($($text)*))) };
}
pub(crate) use say_err;

/// Writes to standard output, of which nobody need read more.
pub(crate) fn write(text: Arguments<'_>) {
    let mut out = io::stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            say_err!("sabot: standard output: {why}");
            std::process::exit(2)
        }
        _ => {}
    }
}

/// Writes to standard error, where nobody may be left to read: there is nowhere else to say so.
pub(crate) fn write_err(text: Arguments<'_>) {
    let mut err = io::stderr().lock();
    let _ = err.write_fmt(text).and_then(|()| err.flush());
}

/// Asks somebody at the terminal, who answers on the same line.
pub(crate) fn ask(question: Arguments<'_>) {
    write_err(question);
}
