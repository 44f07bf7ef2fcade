//! The images of the NUCLEO-F446RE. QEMU has no such board; its `netduinoplus2` carries a part of the same family, with
//! the same processor, USARTs and interrupts, and without pins, watchdog, flash commands and clock control. So the
//! start, the lines and the session are seen here, and the rest only on a board.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::ops::Range;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use object::Endianness;
use object::read::elf::{ElfFile32, ProgramHeader as _};
use sabot_firmware::provision::Page;
use sabot_hil_tests::board::{IMAGES, QEMU};
use sabot_hil_tests::pins::BoardPins;
use sabot_wire::message::{Card, Observation, Role, ShoeSaw, Started};
use tempfile::TempDir;

use crate::host::{Host, key};

const UNUSED_RAM_BYTES: u64 = 0x1_C000;
const FLASH: u32 = 0x0800_0000;
/// Two sectors of flash, which a new image leaves alone.
const KEPT: Range<u32> = 0x0800_8000..0x0801_0000;

/// The image of a role.
pub(crate) fn image(role: Role) -> PathBuf {
    Path::new(IMAGES).join(format!("nucleo-{role}"))
}

pub(crate) struct Nucleo {
    qemu: Child,
    pub(crate) port: PathBuf,
    /// No pins: QEMU's machine has none.
    pub(crate) pins: BoardPins,
    folder: TempDir,
}

impl Nucleo {
    pub(crate) fn start(role: Role) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let page = Page { serial: "NU-0001".try_into().unwrap(), key: Some(key()), code: None };
        std::fs::write(at("page"), page.write()).unwrap();
        let noise = std::fs::File::open("/dev/urandom").unwrap().take(UNUSED_RAM_BYTES);
        std::io::copy(&mut { noise }, &mut std::fs::File::create(at("noise")).unwrap()).unwrap();
        let listener = UnixListener::bind(at("qtest")).unwrap();
        let loaded = |name: &str, to: &str| format!("loader,file={},addr={to},force-raw=on", at(name).display());
        let mut qemu = Command::new(QEMU)
            .args(["-machine", "netduinoplus2", "-accel", "tcg", "-display", "none", "-icount", "shift=4", "-kernel"])
            .arg(image(role))
            .args(["-device", &loaded("page", "0x08008000"), "-device", &loaded("noise", "0x20004000")])
            .args(["-qtest", &format!("unix:{}", at("qtest").display()), "-qtest-log", "/dev/null"])
            .args(["-serial", &format!("unix:{},server=on,wait=off", at("usart1").display()), "-serial", "pty"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pins = BoardPins::over(listener.accept().unwrap().0, Vec::new());
        let mut told = String::new();
        BufReader::new(qemu.stdout.take().unwrap()).read_line(&mut told).unwrap();
        let port = told.split(' ').find(|word| word.starts_with("/dev/")).expect("QEMU names the port").into();
        Self { qemu, port, pins, folder }
    }

    fn sensor(&self) -> UnixStream {
        UnixStream::connect(self.folder.path().join("usart1")).unwrap()
    }
}

impl Drop for Nucleo {
    fn drop(&mut self) {
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

#[test]
#[ignore = "wants QEMU and the images"]
fn every_image_starts_and_has_a_session() {
    for role in Role::ALL {
        let board = Nucleo::start(role);
        let (hello, started) = Host::at(role, board.port.clone()).online();
        assert_eq!((&hello.serial[..], hello.boots, started), ("NU-0001", 1, Started::Power), "{role}");
    }
}

#[test]
#[ignore = "wants the images"]
fn no_image_lies_where_serial_number_and_key_are_kept() {
    for role in Role::ALL {
        let bytes = std::fs::read(image(role)).unwrap();
        let elf = ElfFile32::<Endianness>::parse(&*bytes).unwrap();
        let of = elf.endian();
        // where a programmer puts them, the first values of variables included
        let parts = elf.elf_program_headers().iter().filter(|part| part.p_filesz(of) > 0);
        let lies: Vec<_> = parts.map(|part| part.p_paddr(of)..part.p_paddr(of) + part.p_filesz(of)).collect();
        assert!(lies.iter().any(|part| part.contains(&FLASH)), "{role}: {lies:x?}");
        assert!(lies.iter().all(|part| part.end <= KEPT.start || part.start >= KEPT.end), "{role}: {lies:x?}");
    }
}

#[test]
#[ignore = "wants QEMU and the images"]
fn cards_that_the_head_sees_reach_the_station_in_order() {
    let board = Nucleo::start(Role::Shoe);
    let mut host = Host::at(Role::Shoe, board.port.clone());
    host.online();
    let mut head = board.sensor();
    let shoe = Observation::Shoe;
    for (line, saw) in [
        ("LOAD 416 52", ShoeSaw::Loaded { cards: 416, cut_card: 52 }),
        ("7H", ShoeSaw::Drawn(Card::from_code(19))),
        ("KC", ShoeSaw::Drawn(Card::from_code(51))),
        ("NR", ShoeSaw::Drawn(Card::UNREAD)),
        ("CUT", ShoeSaw::CutCard),
    ] {
        write!(head, "{line}\r\n").unwrap();
        host.expect([shoe(saw)]);
    }
}
