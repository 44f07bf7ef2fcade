//! What a command says on standard output. Whoever reads it may have had enough, as `head` has: that is no fault, and
//! changes neither what the command does nor its exit status.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Writes and ends the line.
macro_rules! say {
    ($($text:tt)*) => { $crate::out::write(format_args!("{}\n", format_args!($($text)*))) };
}
pub(crate) use say;

/// Writes to standard output, of which nobody need read more.
pub(crate) fn write(text: Arguments<'_>) {
    let mut out = io::stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("sabot: standard output: {why}");
            std::process::exit(2)
        }
        _ => {}
    }
}
