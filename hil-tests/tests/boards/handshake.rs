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

/// Nanoseconds of the board's time that an instruction takes in QEMU with `-icount shift=4`.
const NS: u64 = 16;
/// Ticks a second of the Cortex-M3 on the LM3S6965 board.
const HERTZ: u64 = 50_000_000;
/// What a handshake may take there.
const AT_MOST: Duration = Duration::from_millis(300);
/// Ticks that an instruction is taken to last in the mean. A Cortex-M3 takes one for most, two for a load, three to
/// five for a long multiplication.
const TICKS: u64 = 3;
/// The time in which this test does not get round to answering is the board's too: the shortest of so many counts.
const TIMES: usize = 12;

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

#[test]
#[ignore = "wants QEMU and the images"]
fn a_handshake_takes_a_cortex_m3_less_than_300_ms() {
    let board = board(Role::Shoe, "SH-1");
    let expect = Expect { role: Role::Shoe, serial: None };
    let mut host = Frozen { host: Host::new(expect, key(), &[7; 32], None), port: open(&board.port()) };
    let clocks: Vec<u32> = (0..=TIMES).map(|_| host.session()).collect();
    let took = clocks.windows(2).map(|two| u64::from(two[1] - two[0])).min().unwrap();
    let instructions = (took + 1) * 1_000_000 / NS;
    let at_one = Duration::from_nanos(instructions * (1_000_000_000 / HERTZ));
    println!(
        "a handshake: at most {instructions} instructions, {} ms at {} MHz and one tick each",
        at_one.as_millis(),
        HERTZ / 1_000_000
    );
    assert!(took > 10, "it multiplied: {clocks:?}");
    assert!(at_one * u32::try_from(TICKS).unwrap() < AT_MOST, "{clocks:?}");
}
