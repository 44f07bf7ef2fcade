//! A table of cards with tags: `sabot run`, a scanner at the shoe and FEIG readers under the felt, whose twins miss
//! tags and take their time.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::process::{Process, recorded, recorded_until, run, sabot, station};
use sabot_simulation::feig::{FeigTwin, Lever as Felt, Port};
use sabot_simulation::scanner::{Lever, Protocol, ScannerTwin};
use sabot_stall_guard::{PATIENCE, rerun_if_stalled};
use serde_json::Value;

const RANKS: &str = "A23456789TJQK";
/// Antennas are read by one reader each, on one line: boxes 3 and 4, the bank, and the trays.
const PLACES: [&str; 5] = ["3", "4", "bank", "burn", "discard"];
/// The tag of a chip, in which its value stands.
const CHIP: u64 = 0xE004_0150_0000_0001;
/// A tag that no registry has.
const FOREIGN: u64 = 0xE004_0100_0000_0001;

/// The tag of a card in one of two decks.
fn tag(deck: u64, card: &str) -> u64 {
    let (rank, suit) = card.split_at(1);
    let nth = RANKS.find(rank).unwrap() + 13 * "SHDC".find(suit).unwrap();
    0xE004_0200_0000_0000 | deck << 8 | nth as u64
}

fn cards() -> impl Iterator<Item = String> {
    "SHDC".chars().flat_map(|suit| RANKS.chars().map(move |rank| format!("{rank}{suit}")))
}

/// What is dealt to two boxes.
const DEALT: [(&str, &str); 6] = [("9H", "3"), ("TC", "4"), ("KS", "bank"), ("8D", "3"), ("9C", "4"), ("4H", "bank")];
/// What sees a pass without a person's entry.
const ALL_BY_TAGS: &str = r#""places", "moves", "bets""#;

/// The table, its twins and its station.
struct Table {
    folder: tempfile::TempDir,
    scanner: ScannerTwin,
    felt: FeigTwin,
    station: Process,
    address: String,
}

impl Table {
    /// With these sights.
    fn seeing(observes: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        import(folder.path());
        let symbols = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cards.toml");
        let config = format!(
            "table = \"T\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 100000000 }}\nlisten = \"127.0.0.1:0\"\n\
             journal = \"record\"\nobserves = [{observes}]\ndeck_registry = \"decks.jsonl\"\nplace_wait_ms = 4000\n\
             [[device]]\nrole = \"shoe\"\ndriver = \"scanner\"\nport = \"scanner\"\nprotocol = \"ssi\"\ncards = {symbols:?}\n\
             duplicate_ms = 50\n\
             [[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = \"felt\"\npoll_ms = 20\nspots = [{{ box = 3, reader = 0 }}, \
             {{ box = 4, reader = 1 }}, {{ place = \"bank\", reader = 2 }}, {{ place = \"burn\", reader = 3 }}, \
             {{ place = \"discard\", reader = 4 }}]\nvalue_block = 4\n"
        );
        fs::write(at("station.toml"), config).unwrap();
        let scanner = ScannerTwin::start(at("scanner"), Protocol::Ssi, 1).unwrap();
        let felt = FeigTwin::start(&Port::Serial(at("felt")), 5, 1).unwrap();
        let (station, address) = station(&at("station.toml"), "trace");
        let table = Self { folder, scanner, felt, station, address };
        // empty spots are told once they are sure
        table.until("both devices are there", |record| count(record, "online") == 2 && count(record, "spot") == 2);
        table.scanner.pull(Lever::Scan("LOAD-8-52-7F".to_owned()));
        table.until("the shoe is loaded", |record| record.iter().any(|line| line["ev"] == "load"));
        table
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn record(&self) -> Vec<Value> {
        recorded(&self.folder.path().join("record"))
    }

    fn until(&self, what: &str, so: impl Fn(&[Value]) -> bool) {
        recorded_until(self.folder.path(), what, so);
    }

    /// A card leaves the shoe.
    fn draws(&self, card: &str) {
        let table: toml::Table =
            fs::read_to_string(format!("{}/docs/cards.toml", env!("CARGO_MANIFEST_DIR"))).unwrap().parse().unwrap();
        let is_it = |(_, known): &(&String, &toml::Value)| known.as_str() == Some(card);
        let (symbol, _) = table["cards"].as_table().unwrap().iter().find(is_it).unwrap();
        self.scanner.pull(Lever::Scan(symbol.clone()));
    }

    fn lays(&self, place: &str, uid: u64) {
        let reader = u8::try_from(PLACES.iter().position(|known| *known == place).unwrap()).unwrap();
        self.felt.pull(Felt::Put { uid, reader, antenna: 1, value: 0 });
    }

    /// A card is carried elsewhere, as a hand does it.
    fn carries(&self, card: &str, place: &str) {
        self.felt.pull(Felt::Take(Some(tag(1, card))));
        std::thread::sleep(Duration::from_millis(300));
        self.lays(place, tag(1, card));
    }

    /// The chips over both boxes are these, and the record has it.
    fn chips(&self, of_box: u64, event: &str) {
        for reader in [0, 1] {
            self.felt.pull(Felt::Put { uid: CHIP + of_box + u64::from(reader), reader, antenna: 1, value: 5000 });
        }
        let is_told = |line: &&Value| line["ev"] == event && line["amount"] == 5000;
        self.until(event, |record| record.iter().filter(is_told).count() == 2);
    }

    /// The cards of a pass in which the bank has 14 and its second card lies covered.
    fn deals_a_pass(&self) {
        self.chips(0, "bet");
        for (card, place) in DEALT {
            self.deals(card, place);
        }
    }

    /// Provision and place of each finding after the first card: that nobody authorised the shoe is found there.
    fn found(&self) -> Vec<(String, String)> {
        let path = self.folder.path().join("record");
        let replayed = run(&mut sabot(["replay", path.to_str().unwrap()]));
        let answers = replayed.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let dealt = self.record().iter().position(|line| line["ev"] == "draw").unwrap() as u64;
        let findings = answers.filter(|answer| answer["out"] == "finding" && answer["line"].as_u64() > Some(dealt + 1));
        let word = |finding: &Value, field: &str| finding[field].as_str().unwrap_or_default().to_owned();
        findings.map(|finding| (word(&finding, "provision"), word(&finding, "box"))).collect()
    }

    /// A card is dealt, as a hand does it.
    fn deals(&self, card: &str, place: &str) {
        let before = draws(&self.record()).len();
        self.draws(card);
        std::thread::sleep(Duration::from_millis(300));
        self.lays(place, tag(1, card));
        self.until("the card is told", |record| draws(record).len() > before);
    }
}

/// A card is drawn past the antenna of the shoe, whose twin is this.
fn passes(shoe: &FeigTwin, uid: u64) {
    shoe.pull(Felt::Put { uid, reader: 0, antenna: 1, value: 0 });
    std::thread::sleep(Duration::from_millis(250));
    shoe.pull(Felt::Take(Some(uid)));
}

#[test]
fn an_antenna_at_the_shoe_tells_which_card_left_and_the_felts_where_that_very_card_lies() {
    rerun_if_stalled("an_antenna_at_the_shoe_tells_which_card_left", || {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        import(folder.path());
        let config = "table = \"T\"\nregulation = \"sala-8\"\nlimits = { min = 1, max = 100000000 }\n\
                      listen = \"127.0.0.1:0\"\njournal = \"record\"\nobserves = [\"places\", \"bets\"]\n\
                      deck_registry = \"decks.jsonl\"\nplace_wait_ms = 4000\n\
                      [[device]]\nrole = \"shoe\"\ndriver = \"feig\"\nport = \"mouth\"\n\
                      [[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = \"felt\"\npoll_ms = 20\nvalue_block = 4\n\
                      spots = [{ box = 3, reader = 0 }, { place = \"bank\", reader = 1 }]\n";
        fs::write(at("station.toml"), config).unwrap();
        let shoe = FeigTwin::start(&Port::Serial(at("mouth")), 1, 2).unwrap();
        let felt = FeigTwin::start(&Port::Serial(at("felt")), 2, 1).unwrap();
        let log = fs::File::create(at("log")).unwrap();
        let mut run = sabot(["run", "--config", at("station.toml").to_str().unwrap()]);
        let _station = Process(run.env("RUST_LOG", "trace").stderr(log).spawn().unwrap());
        let text = |name: &str| fs::read_to_string(at(name)).unwrap_or_default();
        let record = || recorded(&at("record"));
        let until = |what: &str, so: &dyn Fn(&[Value]) -> bool| recorded_until(folder.path(), what, so);
        until("both are there", &|record| count(record, "online") == 2 && count(record, "spot") == 1);
        let lays = |reader: u8, uid: u64| felt.pull(Felt::Put { uid, reader, antenna: 1, value: 0 });
        // without a bet the pass is not known to begin, nor which card is covered
        felt.pull(Felt::Put { uid: CHIP, reader: 0, antenna: 1, value: 5000 });
        until("a bet", &|record| record.iter().any(|line| line["ev"] == "bet"));
        for (nth, (card, reader)) in (1..).zip([("9H", 0), ("KS", 1), ("8D", 0), ("4H", 1)]) {
            passes(&shoe, tag(1, card));
            lays(reader, tag(1, card));
            until("the card is told", &|record| draws(record).len() == nth);
        }
        let told = draws(&record());
        let told: Vec<(&str, &str)> = told.iter().map(|(card, to)| (card.as_str(), to.as_str())).collect();
        assert_eq!(told, [("9H", "3"), ("KS", "bank"), ("8D", "3"), ("??", "bank")], "{}", text("record"));
        passes(&shoe, FOREIGN);
        until("a foreign card leaves the shoe", &|record| {
            record.iter().any(|line| line["device"] == "shoe" && line["status"] == "card_unknown")
        });
        assert!(!text("log").contains("4H") && !text("log").contains(&format!("{:016X}", tag(1, "4H"))));
        drop(shoe);
        until("the shoe is away", &|record| {
            record.iter().any(|line| line["device"] == "shoe" && line["status"] == "offline")
        });
    });
}

/// The house's registry: deck D-1 is good, of D-2 every card was withdrawn.
fn import(folder: &Path) {
    import_decks(folder, &[(1, "valid"), (2, "cancelled")]);
}

fn import_decks(folder: &Path, decks: &[(u64, &str)]) {
    let line = |&(deck, state): &(u64, &str)| {
        cards().map(|card| format!("{:016X},D-{deck},{card},{state}\n", tag(deck, &card))).collect::<String>()
    };
    let table = format!("uid,deck,card,state\n{}", decks.iter().map(line).collect::<String>());
    fs::write(folder.join("decks.csv"), table).unwrap();
    let ended = run(sabot(["decks", "import", "decks.csv"]).current_dir(folder));
    assert_eq!(ended.status, 0, "{}", ended.err);
}

/// Card and place of each draw of a record.
fn draws(record: &[Value]) -> Vec<(String, String)> {
    let word = |line: &Value, field: &str| line[field].as_str().unwrap_or_default().to_owned();
    let draws = record.iter().filter(|line| line["ev"] == "draw");
    draws.map(|line| (word(line, "card"), word(line, "to"))).collect()
}

/// From where, to where and which of each move of a record.
fn moves(record: &[Value]) -> Vec<String> {
    let moves = record.iter().filter(|line| line["ev"] == "move");
    moves.map(|line| format!("{} {} {}", line["from"], line["to"], line["cards"]).replace('"', "")).collect()
}

fn count(record: &[Value], status: &str) -> usize {
    record.iter().filter(|line| line["ev"] == "device" && line["status"] == status).count()
}

#[test]
fn readers_under_the_felt_tell_where_each_card_of_the_shoe_came_to_lie() {
    let table = Table::seeing(r#""places""#);
    for (reader, uid) in [(0, CHIP), (1, CHIP + 1)] {
        table.felt.pull(Felt::Put { uid, reader, antenna: 1, value: 5000 });
    }
    table.until("both have bet", |record| record.iter().filter(|line| line["amount"] == 5000).count() == 2);
    for (card, place) in [("9H", "3"), ("TC", "4"), ("KS", "bank"), ("8D", "3"), ("6C", "4")] {
        table.deals(card, place);
    }
    // the bank's second card lies covered: its antenna knows it, and nobody else does
    table.deals("4H", "bank");
    // two leave the shoe before an antenna speaks, and the second lies first
    table.draws("2S");
    table.draws("QD");
    table.lays("burn", tag(1, "QD"));
    table.until("the tray has told", |record| record.iter().any(|line| line["detail"] == "burn"));
    table.lays("4", tag(1, "2S"));
    table.until("both are told", |record| draws(record).len() == 8);
    let told = draws(&table.record());
    let told: Vec<(&str, &str)> = told.iter().map(|(card, to)| (card.as_str(), to.as_str())).collect();
    let known = [("9H", "3"), ("TC", "4"), ("KS", "bank"), ("8D", "3"), ("6C", "4")];
    let (covered, burned) = (("??", "bank"), ("??", "burn"));
    assert_eq!(told, [&known[..], &[covered, ("2S", "4"), burned]].concat(), "{}", table.file("record"));
    let (log, record) = (table.file("log"), table.file("record"));
    assert!(log.len() > 1000);
    for card in ["4H", "QD"] {
        let secret = [card.to_owned(), format!("{:016X}", tag(1, card)), tag(1, card).to_string()];
        for secret in secret {
            assert!(!log.contains(&secret) && !record.contains(&secret), "{secret} in {log}\n{record}");
        }
    }
}

#[test]
fn foreign_withdrawn_and_doubled_cards_are_found_where_they_lie() {
    rerun_if_stalled("foreign_withdrawn_and_doubled_cards_are_found_where_they_lie", are_found_where_they_lie);
}

fn are_found_where_they_lie() {
    let table = Table::seeing(r#""places""#);
    let found = |status: &'static str, place: &'static str| {
        move |record: &[Value]| record.iter().any(|line| line["status"] == status && line["detail"] == place)
    };
    table.lays("bank", FOREIGN);
    table.until("a foreign card", found("card_unknown", "bank"));
    table.lays("3", tag(2, "AS"));
    table.until("a withdrawn one", found("card_cancelled", "3"));
    table.deals("9H", "3");
    table.lays("4", tag(1, "9H"));
    table.until("the same at two places", found("card_doubled", "4"));
    let path = table.folder.path().join("record");
    let replayed = run(&mut sabot(["replay", path.to_str().unwrap()]));
    let answers: Vec<Value> = replayed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let findings: Vec<&Value> = answers.iter().filter(|answer| answer["severity"] == "integrity").collect();
    let places: Vec<&str> = findings.iter().map(|finding| finding["box"].as_str().unwrap()).collect();
    assert_eq!(places, ["bank", "3", "4"], "{findings:?}");
    assert!(
        findings.iter().all(|finding| finding["provision"] == "C20" && finding["device"] == "chips"),
        "{findings:?}"
    );
    assert!(!table.file("log").contains(&format!("{FOREIGN:016X}")));
}

#[test]
fn a_deck_that_is_taken_over_in_mid_shift_is_known_to_readers_and_station_without_a_restart() {
    let table = Table::seeing(r#""places""#);
    let found = |status: &'static str, place: &'static str| {
        move |record: &[Value]| record.iter().any(|line| line["status"] == status && line["detail"] == place)
    };
    table.lays("bank", tag(3, "9H"));
    table.until("a deck that nobody knows", found("card_unknown", "bank"));
    import_decks(table.folder.path(), &[(3, "valid"), (1, "cancelled")]);
    table.station.signal("-HUP");
    let told = |line: &Value| line["detail"].as_str().is_some_and(|told| told.starts_with("156 cards, 104 cancelled"));
    table.until("it is read", |record| record.iter().any(|line| line["status"] == "reloaded" && told(line)));
    // over a box a tag that is in no card would be a chip's
    table.draws("TC");
    table.lays("4", tag(3, "TC"));
    table.until("the card is known where it lies", |record| draws(record) == [("TC".to_owned(), "4".to_owned())]);
    table.lays("3", tag(1, "AS"));
    table.until("what was good is withdrawn", found("card_cancelled", "3"));
    // what a monitoring system is told of it
    for (figure, at_least) in
        [("sabot_device_poll_round_seconds_count", 10.0), ("sabot_journal_sync_seconds_count", 5.0)]
    {
        let began = Instant::now();
        let counted = || {
            let metrics = crate::reload::get(&table.address, "/metrics");
            let line = metrics.lines().find(|line| line.starts_with(figure)).map(str::to_owned);
            line.and_then(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok()).unwrap_or(0.0)
        };
        while counted() < at_least {
            assert!(began.elapsed() < PATIENCE, "{figure}: {}", counted());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn cards_that_the_dealer_clears_by_the_book_are_told_in_order_and_end_the_pass() {
    rerun_if_stalled("cards_that_the_dealer_clears_by_the_book_are_told_in_order_and_end_the_pass", || {
        let table = Table::seeing(ALL_BY_TAGS);
        table.felt.pull(Felt::Miss(30));
        table.deals_a_pass();
        table.deals("TS", "bank");
        table.chips(2, "pay");
        let of = |place: &'static str| DEALT.iter().filter(move |(_, at)| *at == place).map(|(card, _)| *card);
        for card in of("3").chain(of("4")).chain(of("bank")).chain(["TS"]) {
            table.carries(card, "discard");
        }
        table.until("the pass has ended", |record| record.iter().any(|line| line["ev"] == "end"));
        assert_eq!(moves(&table.record()), ["3 discard null", "4 discard null", "bank discard null"]);
        assert_eq!(table.found(), [], "{}", table.file("record"));
    });
}

#[test]
fn a_card_that_is_taken_to_another_box_is_found_and_so_is_a_covered_one_in_the_discard_tray() {
    let table = Table::seeing(ALL_BY_TAGS);
    table.deals_a_pass();
    table.carries("8D", "4");
    table.until("the card has moved", |record| moves(record) == ["3 4 [8D]"]);
    table.carries("4H", "discard");
    table.until("the covered one too", |record| moves(record) == ["3 4 [8D]", "bank discard 1"]);
    let found = table.found();
    assert_eq!(found, [("C20".to_owned(), "3".to_owned()), ("C14".to_owned(), "bank".to_owned())]);
    let (log, record) = (table.file("log"), table.file("record"));
    let secret = ["4H".to_owned(), format!("{:016X}", tag(1, "4H")), tag(1, "4H").to_string()];
    for secret in secret {
        assert!(!log.contains(&secret) && !record.contains(&secret), "{secret} in {log}\n{record}");
    }
}
