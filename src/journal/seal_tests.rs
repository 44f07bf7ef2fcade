//! Covered cards in the record: what stands in it and when, who can open what, and what becomes of lost keys.

use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::audit::{AuditFault, Trust, audit};
use super::failing_disk::{Disk, on_sealing};
use super::reader_key::ReaderKey;
use super::tests::header;
use super::*;
use sabot_law::table::event::Face;
use sabot_law::table::{Card, Event, LineNo, Place};

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn record(event: Event) -> Record {
    Record::of(event, 1)
}

fn draw(text: &str, to: Place) -> Record {
    record(Event::Draw { card: card(text), to: Some(to), face: None })
}

/// The same, of a card that lies covered.
fn covered(text: &str, to: Place) -> Record {
    let covering = Covering { covers: Some(card(text)), ..Covering::default() };
    let event = Event::Draw { card: card(text), to: Some(to), face: Some(Face::Down) };
    Record { covering, ..record(event) }
}

fn uncovers(event: Event, what: &[(LineNo, &str)]) -> Record {
    let uncovers = what.iter().map(|(line, text)| (*line, card(text))).collect();
    Record { covering: Covering { uncovers, ..Covering::default() }, ..record(event) }
}

fn load() -> Record {
    record(Event::Load { cards: 416, cut_card: 52 })
}

fn reveal() -> Event {
    Event::Reveal { at: Place::Bank, card: None }
}

/// Keeps what it reads.
struct Kept<'a>(&'a mut Vec<Event>);

impl Reader for Kept<'_> {
    fn restore(&mut self, _: &str) -> bool {
        false
    }

    fn take(&mut self, _: LineNo, _: u64, event: &Event) {
        self.0.push(event.clone());
    }
}

/// A record whose station may hold keys.
struct Table {
    folder: TempDir,
    sealing: Sealing,
}

impl Table {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), sealing: Sealing::default() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("record")
    }

    fn keys(&self) -> PathBuf {
        self.folder.path().join("record.seal")
    }

    /// Writes lines in one start of the station, the first after the header being line 2; what it has read before.
    fn writes(&self, records: impl IntoIterator<Item = Record>) -> (Recovered, Vec<Event>) {
        let mut read = Vec::new();
        let with = With { sealing: self.sealing.clone(), ..With::default() };
        let (mut journal, held) = open_with(&self.path(), &header(), with, &mut Kept(&mut read)).unwrap();
        for record in records {
            journal.append(record);
        }
        assert_eq!(journal.close().fault, None);
        (held, read)
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    /// As a reader of logs has it.
    fn opened(&self, readers: Vec<ReaderKey>) -> std::io::Result<String> {
        let mut text = String::new();
        let mut log = Unsealed::with(BufReader::new(fs::File::open(self.path())?), readers);
        log.read_to_string(&mut text)?;
        Ok(text)
    }

    fn opened_line(&self, line: usize, readers: Vec<ReaderKey>) -> String {
        self.opened(readers).unwrap().lines().nth(line - 1).unwrap().to_owned()
    }
}

/// The card that a line of a log tells.
fn told(line: &str) -> &str {
    line.split("\"card\":\"").nth(1).unwrap().get(..2).unwrap()
}

#[test]
fn a_covered_card_stands_in_the_record_from_the_line_that_uncovers_it() {
    let table = Table::new();
    table.writes([load(), draw("TD", Place::Bank), covered("8D", Place::Bank)]);
    let text = table.text();
    assert!(!text.contains("8D") && text.contains(r#"{"ev":"draw","card":"??","to":"bank","face":"down""#), "{text}");
    table.writes([uncovers(reveal(), &[(4, "8D")])]);
    assert!(table.text().lines().last().unwrap().contains(r#""seal":{"opens":[[4,"8D",""#), "{}", table.text());
    assert_eq!(told(&table.opened_line(4, vec![])), "8D");
    assert_eq!(told(&table.opened_line(3, vec![])), "TD");
    assert_eq!(audit(&table.path(), &[], &Trust::default()).unwrap().covered, (1, 1));
}

#[test]
fn a_burned_card_is_told_with_the_next_load_and_its_key_is_then_kept_nowhere() {
    let table = Table::new();
    table.writes([load(), covered("5C", Place::Burn), covered("8D", Place::Bank)]);
    table.writes([uncovers(Event::End {}, &[(4, "8D")]), draw("AS", Place::Bank), record(Event::End {})]);
    assert!(!table.text().contains("5C"), "{}", table.text());
    assert!(table.keys().exists());
    table.writes([load()]);
    let text = table.text();
    assert!(text.lines().last().unwrap().contains(r#""seal":{"keys":[""#), "{text}");
    assert_eq!(told(&table.opened_line(3, vec![])), "5C");
    assert!(!table.keys().exists(), "the key is public");
    assert_eq!(audit(&table.path(), &[], &Trust::default()).unwrap().covered, (2, 2));
}

#[test]
fn a_shoe_that_is_loaded_in_mid_pass_opens_nothing_that_lies_covered() {
    let table = Table::new();
    table.writes([load(), covered("8D", Place::Bank), load(), covered("9H", Place::Bank)]);
    assert!(!table.text().contains(r#""keys":"#), "{}", table.text());
    table.writes([uncovers(reveal(), &[(3, "8D"), (5, "9H")]), record(Event::End {}), load()]);
    let opened = table.opened(vec![]).unwrap();
    assert_eq!(opened.lines().filter(|line| line.contains("draw")).map(told).collect::<Vec<_>>(), ["8D", "9H"]);
}

#[test]
fn a_station_started_in_mid_pass_knows_the_covered_card_again_and_goes_on_under_another_key() {
    let table = Table::new();
    table.writes([load(), covered("8D", Place::Bank)]);
    let first = fs::read_to_string(table.keys()).unwrap();
    let (held, read) = table.writes([covered("5C", Place::Burn)]);
    assert!(held.lost.is_empty() && matches!(&read[1], Event::Draw { card, .. } if *card == self::card("8D")));
    let both = fs::read_to_string(table.keys()).unwrap();
    assert!(both.starts_with(&first) && both.lines().count() == 2, "a key that was read seals nothing more");
    table.writes([uncovers(Event::End {}, &[(3, "8D")]), load()]);
    assert_eq!([3, 4].map(|line| told(&table.opened_line(line, vec![])).to_owned()), ["8D", "5C"]);
}

#[test]
fn a_covered_card_whose_key_is_lost_counts_as_not_read_and_the_record_says_so() {
    let table = Table::new();
    table.writes([load(), covered("5C", Place::Burn), record(Event::End {}), covered("8D", Place::Bank)]);
    fs::remove_file(table.keys()).unwrap();
    let (held, read) = table.writes([]);
    assert_eq!(held.lost, [5], "what is burned is missed by nobody");
    assert!(matches!(&read[3], Event::Draw { card: Card::UNREAD, .. }), "{:?}", read[3]);
    let lost = Covering { lost: vec![5], ..Covering::default() };
    table.writes([Record { covering: lost, ..record(Event::CutCard {}) }]);
    let (held, _) = table.writes([record(Event::End {}), load(), load()]);
    assert!(held.lost.is_empty(), "it was told");
    assert_eq!(told(&table.opened_line(5, vec![])), "??", "as the station went on with it");
    assert_ne!(told(&table.opened_line(3, vec![])), "??", "any card stands for what was never opened");
    assert_eq!(audit(&table.path(), &[], &Trust::default()).unwrap().covered, (2, 0));
}

#[test]
fn a_reader_opens_what_is_covered_and_nobody_else_does() {
    let mut table = Table::new();
    let key = |name: &str| ReaderKey::create(&table.folder.path().join(name), name).unwrap();
    let (auditor, other) = (key("auditor"), key("other"));
    table.sealing.readers = vec![auditor.public().clone()];
    table.writes([load(), covered("8D", Place::Bank), covered("9H", Place::Burn)]);
    fs::remove_file(table.keys()).unwrap();
    let load_again = |name: &str| vec![ReaderKey::load(&table.folder.path().join(name)).unwrap()];
    assert_eq!(told(&table.opened_line(3, load_again("auditor"))), "8D");
    assert_eq!(told(&table.opened_line(4, load_again("auditor"))), "9H");
    // the other one claims to be the auditor
    let text = fs::read_to_string(table.path()).unwrap();
    fs::write(table.path(), text.replace(r#"[["auditor","#, r#"[["other","#)).unwrap();
    let any = told(&table.opened_line(3, vec![])).to_owned();
    assert_eq!(told(&table.opened_line(3, load_again("other"))), any);
    assert_eq!(format!("{auditor:?}"), format!("ReaderKey({})", auditor.public()));
    assert_ne!(auditor.public(), other.public());
    let again: reader_key::ReaderPublicKey = auditor.public().to_string().parse().unwrap();
    assert_eq!(again, *auditor.public());
    assert!(format!("{}x", auditor.public()).parse::<reader_key::ReaderPublicKey>().is_err());
}

#[test]
fn another_card_than_the_one_sealed_is_found_though_the_record_is_chained_anew() {
    let table = Table::new();
    table.writes([load(), covered("8D", Place::Bank), uncovers(reveal(), &[(3, "8D")])]);
    let good = table.text();
    for (changed, why) in [
        (good.replace(r#"[[3,"8D","#, r#"[[3,"9D","#), "line 4 opens another card than the one that line 3 has sealed"),
        (good.replace(r#"[[3,"8D","#, r#"[[2,"8D","#), "line 4 opens the card of line 2, where none is sealed"),
    ] {
        let mut anew = Vec::new();
        changed.lines().fold(Chain::default(), |chain, line| {
            chain.append(format!("{}}}", line.split(",\"chain\"").next().unwrap()).as_bytes(), &mut anew)
        });
        fs::write(table.path(), anew).unwrap();
        let faults = audit(&table.path(), &[], &Trust::default()).unwrap().faults;
        assert!(
            matches!(&faults[..], [AuditFault::Opening(_)]) && faults[0].to_string().starts_with(why),
            "{faults:?}"
        );
        assert!(table.opened(vec![]).unwrap_err().to_string().starts_with(why));
        let refused = open(&table.path(), &header(), |_, _, _| {}).unwrap_err();
        assert!(matches!(refused, JournalError::Opened { .. }), "{refused}");
    }
}

#[test]
fn no_line_is_written_under_a_key_that_is_not_kept() {
    let (disk, folder) = (Disk::default(), tempfile::tempdir().unwrap());
    let keys = folder.path().join("away/keys");
    let mut journal = on_sealing(&disk, 1, &keys);
    let durable = journal.durable();
    journal.append(covered("8D", Place::Bank));
    wait_for(|| durable.borrow().fault.is_some());
    assert!(disk.with(|disk| disk.cached.is_empty()));
    let fault = durable.borrow().fault.clone().unwrap().to_string();
    assert!(fault.contains("away/keys"), "{fault}");
    fs::create_dir(folder.path().join("away")).unwrap();
    wait_for(|| durable.borrow().line == 2);
    assert_eq!(fs::read_to_string(&keys).unwrap().lines().count(), 1);
    assert_eq!(mode(&keys), 0o600);
}

fn wait_for(mut until: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !until() {
        assert!(start.elapsed() < sabot_stall_guard::PATIENCE, "it never came");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
