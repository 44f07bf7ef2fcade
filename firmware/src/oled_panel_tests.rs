use super::*;

extern crate std;
use std::boxed::Box;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::format;
use std::path::Path;
use std::rc::Rc;
use std::string::String;
use std::vec::Vec;

use embedded_graphics::mock_display::MockDisplay;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};
use sabot_wire::message::{LINE_CHARS, Lamp, Role, Show};

use crate::display::{Display, Parts, QUIET_MS};
use crate::testing::{FakePin, Rig, device};

/// The controller as far as it is used here: what arrives on the bus becomes a picture. Any other command fails the
/// test.
#[derive(Debug, Default)]
struct Chip {
    data: bool,
    args: Vec<u8>,
    /// First and last column and row of the window, and where in it the next byte goes.
    columns: (u8, u8),
    rows: (u8, u8),
    at: (u8, u8),
    memory: Vec<u8>,
    remap: u8,
    on: bool,
    /// Bytes of the longest transfer since it was looked at.
    longest: usize,
    /// The bus or the pin fail.
    broken: bool,
}

impl Chip {
    fn command(&mut self, byte: u8) {
        self.args.push(byte);
        let arguments = match self.args[0] {
            0x15 | 0x75 => 2,
            0x81 | 0xA0..=0xA2 | 0xA8 | 0xAD | 0xB1..=0xB3 | 0xBC | 0xBE | 0xBF => 1,
            0xB8 => 8,
            0x84..=0x86 | 0xA4 | 0xAE | 0xAF | 0xE3 => 0,
            unknown => panic!("no command: {unknown:#x}"),
        };
        if self.args.len() <= arguments {
            return;
        }
        match core::mem::take(&mut self.args)[..] {
            [0x15, from, to] if from <= to && to < 64 => (self.columns, self.at.0) = ((from, to), from),
            [0x75, from, to] if from <= to && to < 80 => (self.rows, self.at.1) = ((from, to), from),
            [0x15 | 0x75, ..] => panic!("no such window"),
            [0xA0, remap] => self.remap = remap,
            [0xAF] => self.on = true,
            _ => {}
        }
    }

    fn point(&mut self, byte: u8) {
        let (column, row) = self.at;
        self.memory.resize(64 * 80, 0);
        self.memory[usize::from(row) * 64 + usize::from(column)] = byte;
        self.at.0 += 1;
        if self.at.0 > self.columns.1 {
            self.at = (self.columns.0, row + 1);
        }
        if self.at.1 > self.rows.1 {
            self.at.1 = self.rows.0;
        }
    }

    /// What the eye sees, a letter a point.
    fn picture(&self) -> String {
        assert_eq!(self.remap, 0x52, "the left point is in the upper half of a byte, rows from the top");
        let mut art = String::new();
        for row in self.memory.chunks(64).take(64) {
            let greys = row.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            let line: String = greys.map(|grey| if self.on { letter(grey) } else { ' ' }).collect();
            art.push_str(line.trim_end());
            art.push('\n');
        }
        art
    }
}

fn letter(grey: u8) -> char {
    match grey {
        0 => ' ',
        4 => '.',
        9 => 'o',
        15 => '#',
        grey => char::from_digit(grey.into(), 16).expect("four bits"),
    }
}

/// The chip's end of the bus and of D/C.
#[derive(Debug, Clone, Default)]
struct Wire(Rc<RefCell<Chip>>);

#[derive(Debug)]
struct Broken;

impl spi::Error for Broken {
    fn kind(&self) -> spi::ErrorKind {
        spi::ErrorKind::Other
    }
}

impl digital::Error for Broken {
    fn kind(&self) -> digital::ErrorKind {
        digital::ErrorKind::Other
    }
}

impl spi::ErrorType for Wire {
    type Error = Broken;
}

impl digital::ErrorType for Wire {
    type Error = Broken;
}

impl SpiDevice for Wire {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Broken> {
        let mut chip = self.0.borrow_mut();
        for operation in operations {
            let Operation::Write(bytes) = operation else { panic!("the chip says nothing") };
            if chip.broken {
                return Err(Broken);
            }
            chip.longest = chip.longest.max(bytes.len());
            for &byte in bytes.iter() {
                if chip.data { chip.point(byte) } else { chip.command(byte) }
            }
        }
        Ok(())
    }
}

impl OutputPin for Wire {
    fn set_low(&mut self) -> Result<(), Broken> {
        self.0.borrow_mut().data = false;
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Broken> {
        self.0.borrow_mut().data = true;
        Ok(())
    }
}

fn on(wire: &Wire) -> OledPanel<'static, Wire, Wire> {
    OledPanel::new(Ssd0323::new(wire.clone(), wire.clone()), Box::leak(Box::default()))
}

fn panel() -> (OledPanel<'static, Wire, Wire>, Wire) {
    let wire = Wire::default();
    (on(&wire), wire)
}

/// Rounds until nothing is left to do, each a millisecond; then what is seen.
fn settled(panel: &mut OledPanel<'static, Wire, Wire>, wire: &Wire, now_ms: u32) -> String {
    for round in 0..11 {
        panel.work(now_ms + round);
    }
    assert!(panel.is_settled());
    wire.0.borrow().picture()
}

fn show(panel: &mut OledPanel<'static, Wire, Wire>, rows: &[&str]) {
    panel.clear();
    (0u8..).zip(rows).for_each(|(row, text)| panel.line(row, text));
}

/// The picture is the approved one, or is put beside it.
fn approved(name: &str, found: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures");
    let (approved, other) = (folder.join(format!("{name}.txt")), folder.join(format!("{name}.found.txt")));
    if std::fs::read_to_string(&approved).is_ok_and(|approved| approved == found) {
        let _ = std::fs::remove_file(other);
        return;
    }
    std::fs::write(&other, found).expect("the folder is there");
    panic!(
        "not the approved picture: compare {} with {}; move it there to approve",
        other.display(),
        approved.display()
    );
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
fn the_next_step_stands_large_and_what_follows_below() {
    let (mut panel, wire) = panel();
    show(&mut panel, &["carta para el casillero 3", "carta para el casillero 4"]);
    approved("due", &settled(&mut panel, &wire, 0));
    show(&mut panel, &["", "", "", "banca: Núñez"]);
    approved("lone", &settled(&mut panel, &wire, 100));
}

#[test]
fn a_finding_is_told_over_pages_that_turn() {
    let (mut panel, wire) = panel();
    show(&mut panel, &FINDING);
    let first = settled(&mut panel, &wire, 0);
    approved("finding-1", &first);
    assert_eq!(settled(&mut panel, &wire, PAGE_MS - 11), first);
    let second = settled(&mut panel, &wire, PAGE_MS);
    approved("finding-2", &second);
    assert_eq!(settled(&mut panel, &wire, 2 * PAGE_MS - 11), second);
    assert_eq!(settled(&mut panel, &wire, 2 * PAGE_MS), first);
    settled(&mut panel, &wire, 3 * PAGE_MS);
    panel.line(7, "otra");
    assert_eq!(settled(&mut panel, &wire, 3 * PAGE_MS + 20), first, "news are told from the first page");
}

#[test]
fn every_letter_of_spanish_has_its_sign() {
    let (mut panel, wire) = panel();
    show(&mut panel, &["¿ÁÉÍÓÚÜÑáéíóúüñ?", "¿Pagó? ¡Sí! ÁÉÍÓÚÜÑ", "áéíóúüñ ªº «» 50 €"]);
    approved("accents", &settled(&mut panel, &wire, 0));
}

/// No two letters look alike, none is missing, and none falls out of its cell.
#[test]
fn no_two_letters_look_alike_in_any_of_the_fonts() {
    let letters: Vec<char> = (' '..='~').chain("áéíóúüñÁÉÍÓÚÜÑ¿¡ªº«»€".chars()).collect();
    for font in HEADLINES.map(|(font, _)| font).into_iter().chain([&REST]) {
        let seen: BTreeSet<String> = letters
            .iter()
            .map(|letter| {
                let mut display = Box::new(MockDisplay::new());
                let style = MonoTextStyle::new(font, Gray4::WHITE);
                let text = format!("{letter}");
                Text::with_baseline(&text, Point::zero(), style, Baseline::Top).draw(&mut *display).expect("it fits");
                let cell = Rectangle::new(Point::zero(), font.character_size);
                assert_eq!(display.affected_area().intersection(&cell), display.affected_area(), "{letter}");
                format!("{display:?}")
            })
            .collect();
        assert_eq!(seen.len(), letters.len());
    }
}

#[test]
fn what_the_letters_lack_is_written_with_the_nearest() {
    let (mut panel, wire) = panel();
    show(&mut panel, &["“a” ‘b’ – c…", "d\u{a0}\n\te\u{7f}"]);
    let other = settled(&mut panel, &wire, 0);
    show(&mut panel, &["\"a\" 'b' - c.", "d   e"]);
    assert_eq!(settled(&mut panel, &wire, 100), other);
}

#[test]
fn the_first_row_is_whole_whatever_its_words() {
    let mut random = 1_u32;
    let mut next = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) % below
    };
    for _ in 0..20_000 {
        let length = next(LINE_CHARS as u32 + 1);
        let text: String = (0..length).map(|_| if next(7) == 0 { ' ' } else { 'ñ' }).collect();
        let words = |lines: &mut dyn Iterator<Item = &str>| lines.flat_map(str::chars).filter(|c| *c != ' ').count();
        let [.., (font, most)] = HEADLINES;
        let lines: Vec<_> = Wrapped::new(&text, columns(font)).collect();
        assert!(lines.len() <= most, "{text:?}");
        assert_eq!(words(&mut lines.into_iter()), words(&mut [text.as_str()].into_iter()));
    }
}

#[test]
fn texts_break_between_words_and_long_words_anywhere() {
    let lines = |text| Wrapped::new(text, 5).collect::<Vec<_>>();
    assert_eq!(lines(""), Vec::<&str>::new());
    assert_eq!(lines("   "), Vec::<&str>::new());
    assert_eq!(lines(" ñandú "), ["ñandú"]);
    assert_eq!(lines("ñandú es"), ["ñandú", "es"]);
    assert_eq!(lines("es de ñandú"), ["es de", "ñandú"]);
    assert_eq!(lines("a  ñandúes"), ["a", "ñandú", "es"]);
}

#[test]
fn a_round_sends_a_band_at_the_most_and_nothing_when_nothing_changed() {
    let (mut panel, wire) = panel();
    show(&mut panel, &FINDING);
    for now in 0..10 {
        panel.work(now);
        assert!(core::mem::take(&mut wire.0.borrow_mut().longest) <= 512);
        assert_eq!(wire.0.borrow().on, now == 9, "dark until the picture is whole");
    }
    (0u8..).zip(FINDING).for_each(|(row, text)| panel.line(row, text));
    panel.line(200, "no such row");
    panel.work(20);
    assert_eq!(wire.0.borrow().longest, 0);
}

#[test]
fn a_disturbance_is_healed_and_an_absent_panel_waited_for() {
    let (mut panel, wire) = panel();
    show(&mut panel, &FINDING[..1]);
    let sound = settled(&mut panel, &wire, 0);
    wire.0.borrow_mut().memory.fill(0x5A);
    wire.0.borrow_mut().remap = 0;
    assert_eq!(settled(&mut panel, &wire, REFRESH_MS), sound);
    wire.0.borrow_mut().broken = true;
    show(&mut panel, &FINDING[4..5]);
    (0..RETRY_MS).for_each(|ms| panel.work(REFRESH_MS + 100 + ms));
    assert_eq!(panel.faults(), 1, "not asked again at once");
    wire.0.replace(Chip::default());
    let other = settled(&mut panel, &wire, REFRESH_MS + 100 + RETRY_MS);
    assert_eq!(panel.faults(), 1);
    assert_ne!(other, sound);
}

/// Rule 9 of the wire protocol, from the host's bytes to the points of the panel and the pins.
#[test]
fn a_silent_host_is_shown_and_old_text_lamp_and_buzzer_are_not() {
    let mut rig = Rig::new(Role::Display);
    let wire = Wire::default();
    let (red, amber, green, buzzer) = <(FakePin, FakePin, FakePin, FakePin)>::default();
    let pins = || [&red, &amber, &green, &buzzer].map(|pin| pin.0.get());
    let parts = Parts {
        panel: on(&wire),
        red: red.clone(),
        amber: amber.clone(),
        green: green.clone(),
        buzzer: buzzer.clone(),
    };
    let mut display = Display::new(parts, rig.uart.clone(), device(Role::Display));
    (0..20).for_each(|now| display.poll(now));
    approved("silent", &wire.0.borrow().picture());
    assert_eq!(pins(), [false; 4]);

    (0u8..).zip(FINDING).for_each(|(row, text)| {
        rig.show(Show::Line { row, text: text.try_into().expect("short") });
    });
    rig.show(Show::Lamp(Lamp::Red));
    rig.show(Show::Buzz(u16::MAX));
    rig.run(20..100, |now| display.poll(now));
    approved("finding-1", &wire.0.borrow().picture());
    assert_eq!(pins(), [true, false, false, true]);

    // noise on the line is nobody's speech
    let mut noisy = |now| {
        rig.uart.0.borrow_mut().to_device.extend([0, 0x55, 0, 7]);
        display.poll(now);
    };
    (100..QUIET_MS).for_each(&mut noisy);
    assert_eq!(pins(), [true, false, false, true]);
    (QUIET_MS..100 + QUIET_MS + 20).for_each(&mut noisy);
    assert_eq!(pins(), [false; 4], "dark and silent");
    approved("silent", &wire.0.borrow().picture());

    rig.run(4000..4100, |now| display.poll(now));
    approved("finding-1", &wire.0.borrow().picture());
    assert_eq!(pins(), [true, false, false, false], "a buzz is sent once");
}
