//! Covered, burned and undealt cards, looked for in everything that leaves a station: its log at the finest level, the
//! page, the live stream, the snapshot, and everything said to the display, by who holds its key.
//!
//! The secret cards of these passes are all sevens and no other card is one, so that any mention is one of them.
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sabot_drivers::transport::Faults;
use sabot_hil_tests::script::STAKE;
use sabot_hil_tests::{Bench, PATIENCE, Setup, Spot, place};
use sabot_station::console;
use sabot_station::record_feed::RecordFeed;
use sabot_station::snapshot::FindingState;
use sabot_wire::message::{BetSpot, Choice, Question, Role, ToDevice};
use tokio::sync::watch;

/// Everything written to it, for all to read.
#[derive(Debug, Clone, Default)]
struct Heap(Arc<Mutex<Vec<u8>>>);

impl Heap {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    fn take(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut *self.0.lock().unwrap())).into_owned()
    }
}

impl Write for Heap {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A station, its page, and somebody who reads everything.
struct Reader {
    rig: Bench,
    address: SocketAddr,
    live: Vec<Heap>,
    log: Heap,
    heard: usize,
    _page: (tokio::runtime::Runtime, watch::Sender<bool>),
}

impl Reader {
    fn start() -> Self {
        let log = Heap::default();
        let writer = log.clone();
        let all = tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::TRACE);
        all.with_ansi(false).with_writer(move || writer.clone()).init();
        let rig = Bench::with(&Setup { cables: Some(Faults::NONE), ..Setup::default() });
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (stop, stopped) = watch::channel(false);
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let access = console::Access { record: Some(RecordFeed::of(rig.journal_file())), ..console::Access::default() };
        runtime.spawn(console::serve(listener, rig.snapshots(), access, stopped));
        let live = ["es", "en"].map(|lang| listen(address, lang)).to_vec();
        Self { rig, address, live, log, heard: 0, _page: (runtime, stop) }
    }

    /// Everything that can be read now and was not read before.
    fn read(&mut self) -> String {
        let line = self.rig.snapshot().line;
        let mut all = String::new();
        for path in ["/?lang=es", "/?lang=en", "/api/snapshot", "/healthz"] {
            all.push_str(&get(self.address, path));
        }
        // the streams have told this line once they pulse with it: nothing changes any more
        let until = Instant::now() + PATIENCE;
        let pulse = format!("event: pulse\ndata: {line}\n");
        for live in &self.live {
            while !live.text().contains(&pulse) {
                assert!(Instant::now() < until, "no pulse for line {line} in {}", live.text());
                std::thread::sleep(Duration::from_millis(5));
            }
            all.push_str(&live.take());
        }
        let said = self.rig.said_to(Role::Display);
        assert!(said.len() > self.heard, "the display is told something all the time");
        for message in &said[self.heard..] {
            if let ToDevice::Show(show) = message {
                all.push_str(&format!("{show:?}\n"));
            }
        }
        self.heard = said.len();
        all
    }

    fn reads_no_seven(&mut self, when: &str) {
        let all = self.read();
        let found = sevens(&all);
        assert!(found.is_empty(), "{when}: {found:?}");
    }
}

fn get(address: SocketAddr, path: &str) -> String {
    let mut page = TcpStream::connect(address).unwrap();
    page.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(page, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // the date of the head has sevens of its own
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

/// The live stream of a page, read to the end by a thread.
fn listen(address: SocketAddr, lang: &str) -> Heap {
    let mut page = TcpStream::connect(address).unwrap();
    write!(page, "GET /events?lang={lang} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let heap = Heap::default();
    let mut into = heap.clone();
    std::thread::spawn(move || io::copy(&mut page, &mut into));
    heap
}

/// Where a text has the name of a card, or the beginning of one such as `7 of `.
fn named(text: &str, name: &str) -> Vec<usize> {
    let alone = |&at: &usize| {
        // 17 is no seven, and a longer word or number (a folder's name, say) is no card
        let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let next = text[at + name.len()..].chars().next();
        let after = name.len() == 2 && next.is_some_and(|c| c.is_alphanumeric() || c == '-');
        !before && !after
    };
    text.match_indices(name).map(|(at, _)| at).filter(alone).collect()
}

/// Where a text names a seven in any of the ways in which cards are named.
fn sevens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for suit in ["S", "H", "D", "C", " de ", " of ", "♠", "♥", "♦", "♣"] {
        for at in named(text, &format!("7{suit}")) {
            let from = text.floor_char_boundary(at.saturating_sub(60));
            let to = text.ceil_char_boundary((at + 60).min(text.len()));
            found.push(text[from..to].to_owned());
        }
    }
    // the card's rank alone, as the page draws it; the live stream escapes the quotes
    for drawn in [r#"aria-hidden="true"><b>7<"#, r#"<b aria-hidden="true">7<"#] {
        let escaped = drawn.replace('"', r#"\""#);
        found.extend(text.match_indices(drawn).chain(text.match_indices(&escaped)).map(|(_, found)| found.to_owned()));
    }
    found
}

/// Which of these cards a text names.
fn any_of<'a>(names: &[&'a str], text: &str) -> Option<&'a str> {
    names.iter().copied().find(|name| !named(text, name).is_empty())
}

/// Any card at all, as the log's `8H` or as a derived `Debug` writes it.
fn cards_in(log: &str) -> Vec<&str> {
    let words = log.split(|c: char| !c.is_alphanumeric());
    let card = |word: &&str| matches!(word.as_bytes(), [rank, suit] if b"A23456789TJQK".contains(rank) && b"SHDC".contains(suit));
    let shown = ["Drawn", "Held", "Draw", "Card", "origin"];
    words.filter(|word| card(word) || shown.contains(word)).collect()
}

#[test]
fn a_covered_burned_or_undue_card_is_nowhere_to_be_read_before_it_is_uncovered() {
    let mut reader = Reader::start();
    reader.rig.up_to_the_delivery();
    for (card, to) in [("6H", 1), ("TC", 2), ("8H", 3), ("9S", 0), ("5C", 1), ("9C", 2), ("QS", 3)] {
        reader.rig.deal(card).to(if to == 0 { Spot::Bank } else { Spot::Box(to) });
    }
    // the bank's second card uncovered: everybody saw it, and yet it is to be burned and no longer shown
    reader.rig.deal("7S").to(Spot::Bank);
    reader.rig.expect_finding("C7", place("bank"));
    reader.reads_no_seven("C7, before it is burned");
    reader.rig.burn(Spot::Bank, 1);
    reader.rig.deal("7H").down().to(Spot::Bank);
    reader.rig.expect_state("C7", FindingState::Cleared);
    reader.reads_no_seven("burned, and the bank's second card covered");
    reader.rig.ask(1, Question::Double);
    reader.rig.decide(1, Choice::Double);
    reader.rig.lay(1, BetSpot::Double, STAKE);
    reader.rig.deal("7D").down().to(Spot::Box(1));
    reader.reads_no_seven("doubled");
    reader.rig.decide(2, Choice::Stand);
    // nobody asked for it
    reader.rig.deal("7C").to(Spot::Box(2));
    reader.rig.expect_finding("C5", place("2"));
    reader.reads_no_seven("C5, before it is burned");
    reader.rig.burn(Spot::Box(2), 1);
    reader.rig.expect_state("C5", FindingState::Cleared);
    reader.rig.decide(3, Choice::Stand);
    reader.reads_no_seven("everybody has played");
    reader.rig.reveal_bank();
    let bank = reader.read();
    let others = ["7S", "7D", "7C", "7 de diamante", "7 of diamonds", "7 of clubs", "7 of spades"];
    assert!(bank.contains("\"7H\"") && bank.contains("7 of hearts"), "once uncovered it is shown: {bank}");
    assert_eq!(any_of(&others, &bank), None, "{bank}");
    reader.rig.deal("8S").to(Spot::Bank);
    reader.rig.reveal(Spot::Box(1));
    let doubled = reader.read();
    assert!(doubled.contains("\"7D\"") && doubled.contains("7 of diamonds"), "{doubled}");
    assert_eq!(any_of(&["7S", "7C", "7 of clubs", "7 of spades"], &doubled), None, "{doubled}");
    let log = reader.log.text();
    assert!(log.contains("the record is open") && log.contains("provision=\"C7\""), "nothing was logged: {log}");
    assert_eq!(cards_in(&log), Vec::<&str>::new(), "{log}");
}

#[test]
fn the_search_finds_a_seven_however_it_is_named() {
    for text in
        ["\"7D\"", "Up(7S)", "el 7 de pique", "7 of hearts", "7♦", "<span aria-hidden=\"true\"><b>7</b>", "card=7C "]
    {
        assert_eq!(sevens(text).len(), 1, "{text}");
    }
    for text in ["17 of 20", "BJ-07", "7Days", "Box 7-C", "title=\"7\">7<", "/.tmpVfu7CA/ports"] {
        assert_eq!(sevens(text), Vec::<String>::new(), "{text}");
    }
    assert_eq!(cards_in("saw Shoe(Drawn(7S)) 8H, P2 I-4"), ["Drawn", "7S", "8H"]);
}
