//! The pit display: what its panel shows is taken from the emulator and compared with the approved pictures, which the
//! device library's own tests use too; its lamps and its buzzer are looked at on their pins.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use sabot_hil_tests::board::Board;
use sabot_hil_tests::pins::{Pin, pin};
use sabot_hil_tests::{PATIENCE, eventually};
use sabot_wire::message::{Lamp, Role, Show};

use crate::host::{Host, board};

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

struct Panel(Board);

impl Panel {
    fn start() -> Self {
        Self(board(Role::Display, "DI-0001"))
    }

    fn host(&self) -> Host {
        let mut host = Host::open(&self.0);
        host.online();
        host
    }

    /// The panel shows the approved picture, or what it shows is put beside that one, as text and as an image.
    fn expect_picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware/pictures");
        let approved = folder.join(format!("{name}.txt"));
        let wanted = std::fs::read_to_string(&approved).unwrap();
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.0.screen();
            let found = letters(&screen);
            if found == wanted {
                return;
            }
            if Instant::now() > end {
                let beside = folder.join(format!("{name}.board.found.txt"));
                let image = beside.with_extension("ppm");
                std::fs::write(&beside, found).unwrap();
                std::fs::write(&image, screen).unwrap();
                panic!("not {}, but {} ({})", approved.display(), beside.display(), image.display());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Red, amber, green lamp and buzzer.
    fn expect_pins(&self, wanted: [bool; 4]) {
        const PINS: [fn() -> Pin; 4] = [|| pin('B', 0), || pin('B', 1), || pin('B', 2), || pin('B', 3)];
        eventually(&format!("red, amber, green, buzzer: {wanted:?}"), || {
            PINS.map(|pin| self.0.pins().is_high(pin())) == wanted
        });
    }
}

fn show(host: &Host, rows: &[&str]) {
    let rows = rows.iter().copied().chain(std::iter::repeat(""));
    for (row, text) in (0..8).zip(rows) {
        host.show(Show::Line { row, text: text.try_into().unwrap() });
    }
}

/// A letter a point, as the approved pictures have it: space 0, `.` 4, `o` 9, `#` 15, another grey its digit. The
/// emulator shows each point as a square of 4 by 4.
fn letters(screen: &[u8]) -> String {
    let points = screen.strip_prefix(b"P6\n512 256\n255\n").expect("a pixmap of the panel");
    let mut letters = String::new();
    for row in points.chunks_exact(512 * 3).step_by(4) {
        let letter = |rgb: &[u8]| match rgb[0] >> 4 {
            0 => ' ',
            4 => '.',
            9 => 'o',
            15 => '#',
            grey => char::from_digit(grey.into(), 16).expect("four bits"),
        };
        let line: String = row.chunks_exact(3).step_by(4).map(letter).collect();
        writeln!(letters, "{}", line.trim_end()).unwrap();
    }
    letters
}

#[test]
#[ignore = "wants QEMU and the images"]
fn the_panel_shows_the_approved_pictures_with_their_accents() {
    let panel = Panel::start();
    panel.expect_picture("silent");
    let host = panel.host();
    show(&host, &["carta para el casillero 3", "carta para el casillero 4"]);
    panel.expect_picture("due");
    show(&host, &["¿ÁÉÍÓÚÜÑáéíóúüñ?", "¿Pagó? ¡Sí! ÁÉÍÓÚÜÑ", "áéíóúüñ ªº «» 50 €"]);
    panel.expect_picture("accents");
    show(&host, &FINDING);
    for page in ["finding-1", "finding-2", "finding-1"] {
        panel.expect_picture(page);
    }
}

#[test]
#[ignore = "wants QEMU and the images"]
fn lamp_and_buzzer_follow_the_host_and_its_silence_is_shown() {
    const DARK: [bool; 4] = [false; 4];
    const RED: [bool; 4] = [true, false, false, false];
    const AMBER: [bool; 4] = [false, true, false, false];
    const GREEN: [bool; 4] = [false, false, true, false];
    const RED_AND_BUZZER: [bool; 4] = [true, false, false, true];
    let panel = Panel::start();
    panel.expect_pins(DARK);
    let host = panel.host();
    show(&host, &FINDING);
    for (lamp, pins) in [(Lamp::Green, GREEN), (Lamp::Amber, AMBER), (Lamp::Off, DARK), (Lamp::Red, RED)] {
        host.show(Show::Lamp(lamp));
        panel.expect_pins(pins);
    }
    host.show(Show::Buzz(400));
    panel.expect_pins(RED_AND_BUZZER);
    panel.expect_pins(RED);
    host.show(Show::Buzz(u16::MAX));
    panel.expect_pins(RED_AND_BUZZER);
    panel.expect_picture("finding-1");

    drop(host);
    panel.expect_picture("silent");
    panel.expect_pins(DARK);

    let host = panel.host();
    host.show(Show::Lamp(Lamp::Green));
    show(&host, &["carta para el casillero 3", "carta para el casillero 4"]);
    panel.expect_picture("due");
    panel.expect_pins(GREEN);
}
