//! How long a board computes for a session, in instructions.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use sabot_hil_tests::PATIENCE;
use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::{Expect, Host, Report};
use sabot_wire::message::{Key, Role};

use crate::host::{board, key};
use crate::nucleo::Nucleo;

/// Nanoseconds that an instruction takes in QEMU with `-icount shift=4`.
const INSTRUCTION_NS: u64 = 16;
/// What a handshake may take a Cortex-M3.
const AT_MOST: Duration = Duration::from_millis(300);
/// The time in which this test does not get round to answering is the board's too: the shortest of so many counts.
const TIMES: usize = 12;

/// A board whose instructions are counted.
struct Counted {
    /// Nanoseconds in QEMU of a millisecond that the board counts.
    counted_ms: u64,
    /// Cycles a second of the part.
    hertz: u64,
    /// Cycles that an instruction is taken to last in the mean.
    cycles: u64,
}

/// A Cortex-M3 takes one cycle for most instructions, two for a load, three to five for a long multiplication.
const LM3S: Counted = Counted { counted_ms: 1_000_000, hertz: 50_000_000, cycles: 3 };
/// A Cortex-M4, whose flash makes each instruction wait two cycles at the most. QEMU has no PLL, so the image counts
/// 16,000 cycles for a millisecond, of a processor that makes 168 million a second there.
const NUCLEO: Counted = Counted { counted_ms: 95_238, hertz: 64_000_000, cycles: 4 };

/// A host at a board's port, for which no time passes: what its clock then shows is the board's.
struct Frozen {
    host: Host<Key>,
    port: File,
}

/// A board's port, raw, which is read without waiting.
fn open(port: &Path) -> File {
    let flags = (OFlag::O_NONBLOCK | OFlag::O_NOCTTY).bits();
    let port = File::options().read(true).write(true).custom_flags(flags).open(port).unwrap();
    let mut mode = tcgetattr(&port).unwrap();
    cfmakeraw(&mut mode);
    tcsetattr(&port, SetArg::TCSANOW, &mode).unwrap();
    port
}

impl Frozen {
    fn exchange(&mut self) -> Vec<Report> {
        let (mut told, mut out) = (Vec::new(), [0; MAX_FRAME]);
        while let Some(frame) = self.host.transmit(0, &mut out) {
            self.port.write_all(frame).unwrap();
        }
        let mut came = [0; 1024];
        let mut input = match self.port.read(&mut came) {
            Ok(count) => &came[..count],
            Err(error) if error.kind() == ErrorKind::WouldBlock => &[],
            Err(error) => panic!("{error}"),
        };
        while let Some(report) = self.host.receive(0, &mut input) {
            told.push(report);
        }
        told
    }

    /// Makes a session; what the board's clock shows once it has, in milliseconds.
    fn session(&mut self) -> u32 {
        self.host.closed();
        self.host.opened(0);
        let until = Instant::now() + PATIENCE;
        while !self.exchange().iter().any(|report| matches!(report, Report::Online { .. })) {
            assert!(Instant::now() < until, "no session");
        }
        self.host.clock().expect("it says its time").age_ms(0, 0)
    }
}

/// Has a board make sessions, and holds the shortest against the bound.
fn counts(part: &str, port: &Path, board: &Counted) {
    let expect = Expect { role: Role::Shoe, serial: None };
    let mut host = Frozen { host: Host::new(expect, key(), &[7; 32], None), port: open(port) };
    let clocks: Vec<u32> = (0..=TIMES).map(|_| host.session()).collect();
    let took = clocks.windows(2).map(|two| u64::from(two[1] - two[0])).min().unwrap();
    let instructions = (took + 1) * board.counted_ms / INSTRUCTION_NS;
    let bound = Duration::from_micros(instructions * board.cycles / (board.hertz / 1_000_000));
    println!(
        "a handshake of {part}: at most {instructions} instructions, {bound:?} at {} MHz and {} cycles each",
        board.hertz / 1_000_000,
        board.cycles
    );
    assert!(instructions > 1_000_000, "it multiplied: {clocks:?}");
    assert!(bound < AT_MOST, "{part}: {bound:?}, {clocks:?}");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_handshake_takes_a_board_less_than_300_ms() {
    let lm3s = board(Role::Shoe, "SH-1");
    counts("the LM3S6965 board", &lm3s.port(), &LM3S);
    let nucleo = Nucleo::start(Role::Shoe);
    counts("the Nucleo", &nucleo.port, &NUCLEO);
}
