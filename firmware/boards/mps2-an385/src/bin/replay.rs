//! `sabot replay` on the bare processor: a table log of the host's in, the validator's answers on the host's standard
//! output, and the same words and exit status as the command's where the log cannot be read.
//!
//! The host's command line says what to do: `replay LOG [--lang es|en] [--spent]`. `--spent` writes to standard error
//! what the run took.
#![no_std]
#![no_main]

extern crate alloc;

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::panic::PanicInfo;

use cortex_m_rt::entry;
use cortex_m_semihosting::hio;
use sabot_law::replay::{Replay, ReplayError, Stream};
use sabot_law::table::answer::Lang;
use sabot_mps2_an385::heap;
use sabot_mps2_an385::host::{self, File};
use sabot_mps2_an385::spent::{self, Clock};

/// Read at a time, bytes.
const PIECE: usize = 4096;
const USAGE: &str = "usage: replay LOG [--lang es|en] [--spent]";
const CANNOT: u8 = 2;
const PANICKED: u8 = 101;

/// What the command line asks for.
#[derive(Default)]
struct Asked {
    log: String,
    lang: Lang,
    spent: bool,
}

impl Asked {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut asked = Self::default();
        while let Some(word) = words.next() {
            match word {
                "--lang" => asked.lang = words.next()?.parse().ok()?,
                "--spent" => asked.spent = true,
                log if asked.log.is_empty() && !log.starts_with("--") => asked.log = log.into(),
                _ => return None,
            }
        }
        (!asked.log.is_empty()).then_some(asked)
    }
}

/// Why a replay stopped.
enum Stopped {
    Log(ReplayError),
    Open,
    Read,
    Write,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(why) => write!(f, "{why}"),
            Self::Open => f.write_str("the host cannot open it"),
            Self::Read => f.write_str("the host cannot read it"),
            Self::Write => f.write_str("the host does not take the answers"),
        }
    }
}

fn replay(asked: &Asked) -> Result<Stream, Stopped> {
    let mut out = hio::hstdout().map_err(|()| Stopped::Write)?;
    let mut log = File::open(&asked.log).ok_or(Stopped::Open)?;
    let mut stream = Stream::new(Replay::new(asked.lang, None));
    let (mut room, mut answers) = (vec![0; PIECE], Vec::new());
    loop {
        let bytes = log.read(&mut room).ok_or(Stopped::Read)?;
        let ended = bytes.is_empty();
        let fed = if ended { stream.finish(&mut answers) } else { stream.feed(bytes, &mut answers) };
        out.write_all(&answers).map_err(|()| Stopped::Write)?;
        answers.clear();
        fed.map_err(Stopped::Log)?;
        if ended {
            return Ok(stream);
        }
    }
}

/// Standard error; what cannot be told there cannot be told at all.
fn tell(text: fmt::Arguments<'_>) {
    if let Ok(mut error) = hio::hstderr() {
        let _ = writeln!(error, "{text}");
    }
}

#[entry]
fn main() -> ! {
    heap::init();
    let clock = cortex_m::Peripherals::take().map(|processor| Clock::start(processor.SYST));
    let Some(asked) = host::command_line().as_deref().and_then(Asked::read) else {
        tell(format_args!("{USAGE}"));
        host::exit(CANNOT)
    };
    match replay(&asked) {
        Ok(stream) => {
            if asked.spent {
                let (lines, ticks) = (stream.replay().line(), clock.map_or(0, |clock| clock.ticks()));
                let (heap, stack) = (heap::most(), spent::stack());
                tell(format_args!("{lines} lines, {ticks} ticks, {heap} bytes allocated, {stack} bytes of stack"));
            }
            host::exit(0)
        }
        Err(stopped) => {
            tell(format_args!("sabot replay: {}: {stopped}", asked.log));
            host::exit(CANNOT)
        }
    }
}

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    // without the heap, which may be what there is no more of
    if let Ok(mut error) = hio::hstderr() {
        let _ = writeln!(error, "sabot replay: {info}");
    }
    host::exit(PANICKED)
}
