//! `sabot commission`, with a technician who reads what is asked and does it at the twins: real ports, real processes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::process::{Ended, Process, run, sabot, station};
use sabot_simulation::feig::{FeigTwin, Lever as Felt, Port};
use sabot_simulation::scanner::{Lever, Protocol, ScannerTwin};
use sabot_simulation::twin::Twin;
use sabot_stall_guard::PATIENCE;
use sabot_wire::message::{
    BetSpot, Card, Chip, ChipsSaw, Face, KeypadSaid, Lamp, Observation, Place, Role, ShoeSaw, ShufflerSaw,
};
use sabot_wire::pairing::Code;

/// Somebody at the terminal of `sabot commission`.
struct Technician {
    process: Process,
    types: ChildStdin,
    lines: Receiver<String>,
    read: Vec<String>,
}

impl Technician {
    fn begins(config: &Path, args: &[&str]) -> Self {
        let mut command = sabot(["commission", "--lang", "en", "--config"]);
        command.arg(config).args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process::start(&mut command);
        let (types, said) = (process.stdin(), process.lines());
        let (tell, lines) = channel();
        std::thread::spawn(move || said.into_iter().try_for_each(|line| tell.send(line)));
        Self { process, types, lines, read: Vec::new() }
    }

    /// Reads on until a line holds this, and gives that line.
    fn reads(&mut self, wanted: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("not said: {wanted}\n{}", self.read.join("\n")));
            self.read.push(line.clone());
            if line.contains(wanted) {
                return line;
            }
        }
    }

    /// What he is asked to do next.
    fn asked(&mut self) -> String {
        self.reads("> ").trim_start_matches("> ").to_owned()
    }

    fn types(&mut self, line: &str) {
        writeln!(self.types, "{line}").unwrap();
    }

    /// How it ends, and all that was said.
    /// Types the code of a device that has one.
    fn pairs(&mut self, role: Role) {
        self.reads(&format!("> the code on the housing of the {role}"));
        self.types(if role == Role::Shoe { CODE } else { "" });
        self.reads(&format!("ok {role} TWIN-{}: paired", role.name().to_uppercase()));
    }

    fn ends(mut self) -> (i32, String) {
        let status = self.process.ends().code().unwrap();
        self.read.extend(self.lines.try_iter());
        self.read.extend(self.lines.recv_timeout(Duration::from_secs(1)));
        (status, self.read.join("\n"))
    }
}

/// "draw 5H and lay it on box 2 (3/20)" in its parts.
fn card_and_place(asked: &str) -> (Card, Option<Place>) {
    let words = asked.trim_start_matches("draw ").split(" (").next().unwrap();
    let (card, place) = words.split_once(" and lay it on ").map_or((words, None), |(card, at)| (card, Some(at)));
    let place = place.map(|place| match place {
        "burn tray" => Place::Burn,
        "discard tray" => Place::Discard,
        place => place.trim_start_matches("box ").parse().unwrap(),
    });
    (card.parse().unwrap(), place)
}

/// "lay chips on box 2, double" in its parts.
fn box_and_spot(asked: &str) -> (u8, BetSpot) {
    let (box_no, spot) = asked.trim_start_matches("lay chips on box ").split_once(", ").unwrap();
    (box_no.parse().unwrap(), if spot == "main bet" { BetSpot::Main } else { spot.parse().unwrap() })
}

/// What the station's record says after a start, and what an auditor finds in it.
fn runs(folder: &Path, devices: usize) -> (String, Ended) {
    begins(&folder.join("station.toml"), &folder.join("record"), devices)
}

/// The same of a record with a name of its own.
pub(crate) fn begins(config: &Path, path: &Path, devices: usize) -> (String, Ended) {
    let (mut station, _) = station(config, "warn");
    let record = || fs::read_to_string(path).unwrap_or_default();
    let began = std::time::Instant::now();
    while record().matches("\"status\":\"online\"").count() < devices {
        assert!(began.elapsed() < PATIENCE, "{}", record());
        std::thread::sleep(Duration::from_millis(20));
    }
    // what a device kept comes at once
    std::thread::sleep(Duration::from_millis(500));
    station.signal("-INT");
    station.ends();
    (record(), run(sabot(["replay", "--lang", "en"]).arg(path)))
}

/// The code on the shoe's housing; the others have none.
const CODE: &str = "K7QM2D4XR9TB3WHC";

/// Five devices of ours, none of which has a key.
pub(crate) struct Ours {
    pub(crate) folder: tempfile::TempDir,
    twins: Vec<Twin>,
}

impl Ours {
    /// With the configuration of their table.
    fn start() -> Self {
        let table = Self::attached();
        let mut config = "table = \"C\"\nregulation = \"sala-8\"\nboxes = 2\nlimits = { min = 1, max = 9000 }\n\
                          listen = \"127.0.0.1:0\"\njournal = \"record\"\n"
            .to_owned();
        for role in Role::ALL {
            config += &format!("[[device]]\nrole = \"{role}\"\nport = \"{role}\"\n");
        }
        fs::write(table.folder.path().join("station.toml"), config).unwrap();
        table
    }

    /// At ports that are called by their roles.
    pub(crate) fn attached() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let start = |role: Role| {
            let link = folder.path().join(role.name());
            match role {
                Role::Shoe => Twin::start_with_code(role, &link, None, Code::typed(CODE).unwrap()).unwrap(),
                _ => Twin::start(role, &link, None).unwrap(),
            }
        };
        let twins = Role::ALL.into_iter().map(start).collect();
        Self { folder, twins }
    }

    fn twin(&self, role: Role) -> &Twin {
        self.twins.iter().find(|twin| twin.role() == role).unwrap()
    }

    fn sees(&self, role: Role, saw: Observation) {
        self.twin(role).saw(saw).unwrap();
    }

    fn spot(&self, box_no: u8, spot: BetSpot, chips: &[Chip]) {
        let chips = chips.iter().copied().collect();
        self.sees(Role::Chips, Observation::Chips(ChipsSaw::Spot { box_no, hand: 0, spot, chips }));
    }

    fn draws(&self, card: &str) {
        self.sees(Role::Shoe, Observation::Shoe(ShoeSaw::Drawn(card.parse().unwrap())));
    }

    fn arrives(&self, place: Place) {
        let face = Some(Face::Up);
        self.sees(Role::Chips, Observation::Chips(ChipsSaw::CardArrived { place, face }));
    }

    fn shows(&self, wanted: impl FnMut(&sabot_simulation::twin::Screen) -> bool) {
        assert!(
            self.twin(Role::Display).wait_screen(PATIENCE, wanted).is_some(),
            "{:?}",
            self.twin(Role::Display).screen()
        );
    }

    /// Does what is asked, up to the end or until something holds this.
    fn obeys(&self, technician: &mut Technician, until: &str) -> String {
        loop {
            let asked = technician.asked();
            if asked.contains(until) {
                return asked;
            }
            self.obey(technician, &asked);
        }
    }

    fn obey(&self, technician: &mut Technician, asked: &str) {
        if let Some(word) = self.does(asked) {
            technician.types(word);
        }
    }

    /// Does what is asked for; what is to be answered, where that is more.
    pub(crate) fn does(&self, asked: &str) -> Option<&'static str> {
        if let Some(of) = asked.strip_prefix("the code on the housing of the ") {
            return Some(if of.starts_with("shoe") { CODE } else { "" });
        } else if asked.starts_with("pit display: ") {
            for lamp in [Lamp::Red, Lamp::Amber, Lamp::Green] {
                self.shows(|screen| screen.lamp == lamp);
            }
            return Some("y");
        } else if asked.starts_with("press a key") {
            self.sees(Role::Keypad, Observation::Keypad(KeypadSaid::CloseBets));
        } else if asked.starts_with("open the door") {
            self.sees(Role::Shuffler, Observation::Shuffler(ShufflerSaw::DoorOpen));
        } else if asked.starts_with("close it") {
            self.sees(Role::Shuffler, Observation::Shuffler(ShufflerSaw::DoorClosed));
        } else if asked.starts_with("draw ") {
            let (card, place) = card_and_place(asked);
            self.draws(&card.to_string());
            self.arrives(place.unwrap());
        } else if asked.starts_with("lay chips") {
            let (box_no, spot) = box_and_spot(asked);
            self.spot(box_no, spot, &[Chip { uid: u64::from(box_no), value: 500 }]);
        } else if asked.starts_with("take everything off the felt") {
            for box_no in [1, 2] {
                BetSpot::ALL.iter().for_each(|&spot| self.spot(box_no, spot, &[]));
            }
        } else {
            panic!("asked for: {asked}");
        }
        None
    }
}

#[test]
fn a_table_that_was_commissioned_begins_a_record_without_a_finding_also_when_the_technician_went_home_in_between() {
    let table = Ours::start();
    let config = table.folder.path().join("station.toml");
    // a device has seen something before anybody came
    table.draws("KS");
    let mut first = Technician::begins(&config, &[]);
    let asked = table.obeys(&mut first, "draw 6");
    // the wrong card, one that is not read, one that lies elsewhere
    let (card, place) = card_and_place(&asked);
    table.draws("QS");
    first.reads(&format!("NO: QS was read, not {card}: draw {card}"));
    table.shows(|screen| screen.lamp == Lamp::Red);
    table.draws("??");
    first.reads("NO: a card passed that could not be read");
    let elsewhere = [Place::Bank, "2".parse().unwrap()].into_iter().find(|other| Some(*other) != place).unwrap();
    table.arrives(elsewhere);
    first.reads("sees it: lay it where it is asked for, or look to the antennas' wires and `spots`");
    table.draws(&card.to_string());
    first.reads("ok 6");
    table.shows(|screen| screen.lamp == Lamp::Green);
    table.arrives(place.unwrap());
    table.obeys(&mut first, "draw 9");
    first.types("stop");
    let (status, said) = first.ends();
    assert_eq!(status, 1, "{said}");
    assert_eq!(said.matches(": paired").count(), 5, "{said}");

    let mut second = Technician::begins(&config, &[]);
    let asked = table.obeys(&mut second, "draw 9");
    table.twin(Role::Keypad).unplug();
    assert!(
        !second.read.iter().any(|line| line.contains("paired") || line.contains("press a key")),
        "{:?}",
        second.read
    );
    second.reads("NO: keypad: ");
    table.twin(Role::Keypad).plug();
    second.reads("ok keypad: is back");
    table.obey(&mut second, &asked);
    let asked = table.obeys(&mut second, "take everything off the felt");
    table.obey(&mut second, &asked);
    second.reads("Done. The sheet");
    let (status, said) = second.ends();
    assert_eq!(status, 0, "{said}");
    assert!(!table.folder.path().join("record").exists(), "the record begins with `sabot run`, and not before");
    for sheet in ["record.commission.html", "record.commission.txt"] {
        let sheet = fs::read_to_string(table.folder.path().join(sheet)).unwrap();
        for word in ["TWIN-SHOE", "TWIN-CHIPS", "read and seen", "chips: 1, 5", "All that the table has was tried"] {
            assert!(sheet.contains(word), "{word}: {sheet}");
        }
        assert!(!sheet.contains("src=") && !sheet.contains("href="), "it needs nothing else: {sheet}");
    }

    let (record, replayed) = runs(table.folder.path(), 5);
    assert!(!replayed.out.contains("\"out\":\"finding\""), "{}{record}", replayed.out);
    for seen in ["\"ev\":\"draw\"", "\"ev\":\"bet\"", "\"ev\":\"close_bets\"", "missed"] {
        assert!(!record.contains(seen), "{seen} of the trial is in the record: {record}");
    }
    let late = run(sabot(["commission", "--config"]).arg(&config));
    assert_eq!(late.status, 2);
    assert!(late.err.contains("has begun") && late.err.contains("`journal`"), "{}", late.err);
}

#[test]
fn what_stands_in_the_way_is_told_with_the_device_and_a_way_out() {
    let table = Ours::start();
    let config = table.folder.path().join("station.toml");
    table.twin(Role::Shuffler).unplug();
    let mut technician = Technician::begins(&config, &[]);
    technician.reads("NO: shuffler, port ");
    technician.reads("no such port");
    technician.reads("> mend what is marked NO, and press Enter");
    table.twin(Role::Shuffler).plug();
    technician.types("");
    Role::ALL.into_iter().for_each(|role| technician.pairs(role));
    technician.asked();
    technician.types("stop");
    assert_eq!(technician.ends().0, 1);

    // another station has paired the shoe meanwhile, or the keys were lost
    fs::remove_file(table.folder.path().join("keys.toml")).unwrap();
    let mut technician = Technician::begins(&config, &[]);
    technician.reads("> the code on the housing of the shoe");
    technician.types("no code");
    technician.reads("> the code on the housing of the shoe");
    technician.types(CODE);
    technician.reads("hold its pairing switch, where it has a key");
    technician.reads("mend that, and once more:");
    Role::ALL.into_iter().for_each(|role| table.twin(role).allow_pairing());
    Role::ALL.into_iter().for_each(|role| technician.pairs(role));
    technician.asked();
    technician.types("stop");
    assert_eq!(technician.ends().0, 1);
}

/// A table of bought parts: scanner, FEIG readers under two boxes and the bank, tagged cards, tower, pole display.
struct Bought {
    folder: tempfile::TempDir,
    scanner: ScannerTwin,
    felt: FeigTwin,
    _tower: Process,
    _pole: Process,
}

/// The tag of a card.
fn tag(card: Card) -> u64 {
    0xE004_0200_0000_0000 | u64::from(card.code())
}

/// The tag of a chip in which no value stands: nobody knows it.
const UNKNOWN_CHIP: u64 = 0xE004_0150_0000_00FF;
const CHIP: u64 = 0xE004_0150_0000_0001;
const FOREIGN_CARD: u64 = 0xE004_0299_0000_0001;

impl Bought {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let cards = (0..52).filter_map(Card::from_index);
        let lines: String = cards.map(|card| format!("{:016X},D-1,{card},valid\n", tag(card))).collect();
        fs::write(at("decks.csv"), format!("uid,deck,card,state\n{lines}")).unwrap();
        fs::write(at("chips.csv"), format!("uid,value,state\n{CHIP:016X},500,valid\n")).unwrap();
        for (registry, table) in [("decks", "decks.csv"), ("chips", "chips.csv")] {
            let ended = run(sabot([registry, "import", table]).current_dir(folder.path()));
            assert_eq!(ended.status, 0, "{}", ended.err);
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let symbols = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cards.toml");
        let config = format!(
            "table = \"B\"\nregulation = \"sala-8\"\nboxes = 2\nlimits = {{ min = 1, max = 9000 }}\n\
             listen = \"127.0.0.1:0\"\njournal = \"record\"\nobserves = [\"places\", \"bets\"]\n\
             deck_registry = \"decks.jsonl\"\nchip_registry = \"chips.jsonl\"\n\
             [[device]]\nrole = \"shoe\"\ndriver = \"scanner\"\nport = \"scanner\"\nprotocol = \"ssi\"\ncards = {symbols:?}\n\
             duplicate_ms = 50\n\
             [[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = \"felt\"\npoll_ms = 20\n\
             spots = [{{ box = 1, reader = 0 }}, {{ box = 2, reader = 1 }}, {{ place = \"bank\", reader = 2 }}]\n\
             [[signal]]\ndriver = \"patlite-pns\"\naddress = \"{port}\"\n\
             [[signal]]\ndriver = \"escpos\"\nport = \"pole\"\n"
        );
        fs::write(at("station.toml"), config).unwrap();
        let scanner = ScannerTwin::start(at("scanner"), Protocol::Ssi, 1).unwrap();
        let felt = FeigTwin::start(&Port::Serial(at("felt")), 3, 1).unwrap();
        let keeps = |mut command: std::process::Command| Process::start(command.stdin(Stdio::piped()));
        let tower = keeps(sabot(["twin", "patlite", "--listen", &port]));
        let pole = keeps(sabot(["twin", "pole", "--protocol", "escpos", "--port", at("pole").to_str().unwrap()]));
        let began = std::time::Instant::now();
        while !at("pole").exists() || std::net::TcpStream::connect(&port).is_err() {
            assert!(began.elapsed() < PATIENCE);
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { folder, scanner, felt, _tower: tower, _pole: pole }
    }

    fn draws(&self, card: Card) {
        let text = fs::read_to_string(format!("{}/docs/cards.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let is_it = |(_, known): &(&String, &toml::Value)| known.as_str() == Some(&card.to_string());
        let (symbol, _) = table["cards"].as_table().unwrap().iter().find(is_it).unwrap();
        self.scanner.pull(Lever::Scan(symbol.clone()));
    }

    fn lays(&self, reader: u8, uid: u64) {
        self.felt.pull(Felt::Put { uid, reader, antenna: 1, value: 0 });
    }

    fn obey(&self, technician: &mut Technician, asked: &str) {
        if asked.contains("do its lights change") {
            technician.types("y");
        } else if asked.starts_with("draw ") {
            let (card, place) = card_and_place(asked);
            self.draws(card);
            let reader = ["1", "2", "bank"].iter().position(|known| *known == place.unwrap().to_string()).unwrap();
            self.lays(u8::try_from(reader).unwrap(), tag(card));
        } else if asked.starts_with("lay chips") {
            let (box_no, _) = box_and_spot(asked);
            self.felt.pull(Felt::Take(Some(CHIP)));
            self.lays(box_no - 1, CHIP);
        } else if asked.starts_with("take everything off") {
            self.felt.pull(Felt::Take(None));
        } else {
            panic!("asked for: {asked}");
        }
    }
}

#[test]
fn a_table_of_bought_parts_is_commissioned_and_what_was_left_out_is_on_the_sheet_and_asked_for_again() {
    let table = Bought::start();
    let config = table.folder.path().join("station.toml");
    let mut technician = Technician::begins(&config, &[]);
    let mut is_first = true;
    let last = loop {
        let asked = technician.asked();
        if asked.starts_with("draw AS") {
            table.lays(2, FOREIGN_CARD);
            technician.reads("NO: bank: `deck_registry` has no such card, or it is cancelled: `sabot decks import`");
            table.lays(1, FOREIGN_CARD);
            technician.reads("NO: box 2, main bet: a tag that is neither in `deck_registry` nor in `chip_registry`");
            table.felt.pull(Felt::Take(Some(FOREIGN_CARD)));
        }
        if asked == "lay chips on box 1, main bet" && std::mem::take(&mut is_first) {
            table.lays(0, UNKNOWN_CHIP);
            technician.reads("of these `chip_registry` has 1 not, or cancelled: `sabot chips import`");
            table.felt.pull(Felt::Take(Some(UNKNOWN_CHIP)));
        }
        if asked.starts_with("lay chips on box 2") {
            break asked;
        }
        table.obey(&mut technician, &asked);
    };
    technician.types("skip");
    technician.reads("say why");
    technician.types("skip its antenna comes tomorrow");
    while !technician.read.iter().any(|line| line.contains("missing. The sheet")) {
        let line = technician.reads("");
        if let Some(asked) = line.strip_prefix("> ") {
            table.obey(&mut technician, asked);
        }
    }
    let (status, said) = technician.ends();
    assert_eq!(status, 1, "{said}");
    let sheet = || fs::read_to_string(table.folder.path().join("record.commission.txt")).unwrap();
    assert!(
        sheet().contains("its antenna comes tomorrow") && sheet().contains("NOT commissioned: 1 missing"),
        "{}",
        sheet()
    );

    let mut again = Technician::begins(&config, &[]);
    assert_eq!(again.asked(), last);
    table.obey(&mut again, &last);
    while !again.read.iter().any(|line| line.contains("Done. The sheet")) {
        let line = again.reads("");
        if let Some(asked) = line.strip_prefix("> ") {
            table.obey(&mut again, asked);
        }
    }
    let (status, said) = again.ends();
    assert_eq!(status, 0, "{said}");
    assert!(!sheet().contains("tomorrow") && sheet().contains("patlite-pns"), "{}", sheet());
    let tags = [format!("{CHIP:016X}"), format!("{:016X}", tag(Card::from_index(0).unwrap())), "E004".to_owned()];
    assert!(tags.iter().all(|tag| !sheet().contains(tag) && !said.contains(tag)), "{said}");

    let (record, replayed) = runs(table.folder.path(), 2);
    assert!(!replayed.out.contains("\"out\":\"finding\""), "{}{record}", replayed.out);
    assert!(!record.contains("\"ev\":\"draw\""), "{record}");
}
