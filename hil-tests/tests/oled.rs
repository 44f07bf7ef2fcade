//! The pit display's image on the emulated board: driven by the station's own driver over the emulated UART, looked at
//! through the emulator, and compared with the approved pictures that the device library's own tests use.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sabot_drivers::link::{self, Link, LinkConfig, LinkReport};
use sabot_hil_tests::PATIENCE;
use sabot_hil_tests::qemu::Emulated;
use sabot_wire::message::{Lamp, Role, Show};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

/// Levels of PB0 to PB3.
const DARK: u8 = 0b0000;
const RED: u8 = 0b0001;
const AMBER: u8 = 0b0010;
const GREEN: u8 = 0b0100;
const BUZZER: u8 = 0b1000;

/// The host's end of the line. Dropping it closes the port.
struct Host {
    runtime: Runtime,
    link: Link,
    _stop: watch::Sender<bool>,
    reports: mpsc::Receiver<(Role, LinkReport)>,
}

impl Host {
    /// The driver on a port, in session with the display.
    fn on(port: &Path) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (sender, reports) = mpsc::channel(16);
        let (stop, stopped) = watch::channel(false);
        let config = LinkConfig { role: Role::Display, port: port.into(), baud: 115_200, serial: None };
        let link = {
            let _inside = runtime.enter();
            link::spawn(config, None, sender, stopped)
        };
        let mut host = Self { runtime, link, _stop: stop, reports };
        host.online();
        host
    }

    fn online(&mut self) {
        let mut said = Vec::new();
        let online = async {
            while let Some((_, report)) = self.reports.recv().await {
                if let LinkReport::Online(hello) = &report {
                    assert_eq!(hello.role, Role::Display);
                    return;
                }
                said.push(report);
            }
        };
        let online = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, online).await });
        online.unwrap_or_else(|_| panic!("the display does not come into session: {said:?}"));
    }

    fn rows(&self, rows: &[&str]) {
        let rows = rows.iter().copied().chain(std::iter::repeat(""));
        for (row, text) in (0..8).zip(rows) {
            self.link.show(Show::Line { row, text: text.try_into().unwrap() });
        }
    }
}

fn board() -> Emulated {
    let image = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/thumb/thumbv7m-none-eabi/release/display");
    assert!(image.exists(), "{} is not there: firmware/build makes it", image.display());
    Emulated::start(&image)
}

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware/pictures")
}

/// The panel shows the approved picture, or what it shows is put beside that one, as text and for the eye.
fn expect_picture(board: &mut Emulated, name: &str) {
    let approved = pictures().join(format!("{name}.txt"));
    let wanted = std::fs::read_to_string(&approved).unwrap();
    let begun = Instant::now();
    loop {
        let found = board.picture().to_string();
        if found == wanted {
            return;
        }
        if begun.elapsed() > PATIENCE {
            let beside = pictures().join(format!("{name}.board.found.txt"));
            std::fs::write(&beside, found).unwrap();
            let image = beside.with_extension("png");
            board.screenshot(&image);
            panic!("not {}, but {} ({})", approved.display(), beside.display(), image.display());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn expect_pins(board: &mut Emulated, wanted: u8) {
    let begun = Instant::now();
    loop {
        let found = board.pins('B') & 0b1111;
        if found == wanted {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "PB0 to PB3 are {found:04b}, not {wanted:04b}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

const FINDING: [&str; 8] = [
    "quemar 1 carta de la banca",
    "carta para la banca (cubierta)",
    "",
    "",
    "C7 BANCA",
    "la segunda carta de la banca salió",
    "descubierta: quemarla y servir otra",
    "cubierta",
];

#[test]
#[ignore = "needs qemu-system-arm and the display's image: .ci/test"]
fn the_emulated_panel_shows_the_approved_pictures_with_their_accents() {
    let mut board = board();
    expect_picture(&mut board, "silent");
    let host = Host::on(&board.port(0));
    host.rows(&["carta para el casillero 3", "carta para el casillero 4"]);
    expect_picture(&mut board, "due");
    host.rows(&["¿ÁÉÍÓÚÜÑáéíóúüñ?", "¿Pagó? ¡Sí! ÁÉÍÓÚÜÑ", "áéíóúüñ ªº «» 50 €"]);
    expect_picture(&mut board, "accents");
    host.rows(&FINDING);
    expect_picture(&mut board, "finding-1");
    expect_picture(&mut board, "finding-2");
    expect_picture(&mut board, "finding-1");
    let untouched = board.untouched_stack();
    assert!(untouched >= 512, "{untouched} bytes of the stack are left");
    println!("{untouched} bytes of the stack were never reached");
}

#[test]
#[ignore = "needs qemu-system-arm and the display's image: .ci/test"]
fn lamp_and_buzzer_follow_the_host_and_its_silence_is_shown() {
    let mut board = board();
    expect_pins(&mut board, DARK);
    let port = board.port(0);
    let host = Host::on(&port);
    host.rows(&FINDING);
    for (lamp, level) in [(Lamp::Green, GREEN), (Lamp::Amber, AMBER), (Lamp::Off, DARK), (Lamp::Red, RED)] {
        host.link.show(Show::Lamp(lamp));
        expect_pins(&mut board, level);
    }
    host.link.show(Show::Buzz(400));
    expect_pins(&mut board, RED | BUZZER);
    expect_pins(&mut board, RED);
    host.link.show(Show::Buzz(u16::MAX));
    expect_pins(&mut board, RED | BUZZER);
    expect_picture(&mut board, "finding-1");

    drop(host);
    expect_picture(&mut board, "silent");
    expect_pins(&mut board, DARK);

    let host = Host::on(&port);
    host.link.show(Show::Lamp(Lamp::Green));
    host.rows(&["carta para el casillero 3", "carta para el casillero 4"]);
    expect_picture(&mut board, "due");
    expect_pins(&mut board, GREEN);
}
