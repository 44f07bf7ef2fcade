//! A record that is signed while it is written, and everything that somebody would do to it.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::audit::{AuditFault, CheckpointFault, Report, Trust, audit};
use super::blocks::Blocks;
use super::checkpoint::{Checkpoint, Checkpoints, Next, Stated, checkpoints_of, witnessed_of};
use super::note::{Note, PrivateKey, PublicKey, Purpose};
use super::offer::Offer;
use super::open::Each;
use super::proof::{Proof, ProofError};
use super::synced::synced_of;
use super::tests::{draw, header, lines_of};
use super::witness::{WitnessError, cosign, cosign_offer, seen};
use super::*;
use sabot_law::table::Event;

const NAME: &str = "casino.example/BJ-07";

/// A folder with a station's key, a witness's folder, and a record.
pub(super) struct Table {
    folder: TempDir,
    pub(super) key: PublicKey,
}

impl Table {
    pub(super) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let key = PrivateKey::create(&folder.path().join("key"), NAME, Purpose::Station).unwrap().public().clone();
        fs::create_dir(folder.path().join("stick")).unwrap();
        Self { folder, key }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn record(&self) -> PathBuf {
        self.path("t.jsonl")
    }

    pub(super) fn open(&self) -> Result<Journal, JournalError> {
        self.opens("key", false).map(|(journal, _)| journal)
    }

    /// A start with a key.
    pub(super) fn opens(&self, key: &str, accept_unsigned: bool) -> Result<(Journal, Recovered), JournalError> {
        let key = Some(PrivateKey::load(&self.path(key), Purpose::Station).unwrap());
        let with = With { key, accept_unsigned, ..With::default() };
        open_with(&self.record(), &header(), with, &mut Each(|_, _, _: &Event| {}))
    }

    /// Deals passes of so many lines each, the header not counted, then stops.
    pub(super) fn deal(&self, passes: &[u32]) {
        let mut journal = self.open().unwrap();
        let mut durable = journal.durable();
        let mut seq = self.next_seq();
        for &lines in passes {
            for _ in 1..lines {
                journal.append(draw(seq));
                seq += 1;
            }
            let t = u64::from(seq) * 10;
            let end = journal.append(Record::of(Event::End {}, t));
            while durable.borrow_and_update().line < end {
                std::thread::yield_now();
            }
        }
        assert_eq!(journal.close().fault, None);
    }

    /// The number of the shoe's next event.
    pub(super) fn next_seq(&self) -> u32 {
        let drawn = lines_of(&self.record()).iter().filter(|line| line.starts_with(b"{\"ev\":\"draw\"")).count();
        u32::try_from(drawn).unwrap() + 1
    }

    pub(super) fn trust(&self) -> Trust {
        Trust { stations: vec![self.key.clone()], witnesses: Vec::new(), closed: true }
    }

    pub(super) fn audit(&self, trust: &Trust) -> Report {
        let record = self.record();
        audit(&record, &[checkpoints_of(&record), witnessed_of(&record)], trust).unwrap()
    }

    fn faults(&self, trust: &Trust) -> Vec<String> {
        self.audit(trust).faults.iter().map(ToString::to_string).collect()
    }

    fn stick(&self, name: &str) -> PrivateKey {
        let path = self.path(name);
        PrivateKey::create(&path, name, Purpose::Witness)
            .or_else(|_| PrivateKey::load(&path, Purpose::Witness))
            .unwrap()
    }

    pub(super) fn witness(&self) -> Result<Option<u64>, WitnessError> {
        let seen = cosign(&self.record(), &self.path("stick"), &self.key, &self.stick("stick-1"), 1_764_000_000);
        seen.map(|witnessed| witnessed.before)
    }

    pub(super) fn sizes(&self) -> Vec<u64> {
        stated(&checkpoints_of(&self.record())).iter().map(|stated| stated.checkpoint.size).collect()
    }

    /// Rewrites lines of the record and chains it anew, as somebody does who knows how.
    pub(super) fn rewrite(&self, change: impl FnOnce(&mut Vec<String>)) {
        let mut lines = lines_of(&self.record())
            .into_iter()
            .map(|line| {
                let line = String::from_utf8(line).unwrap();
                format!("{}}}", line.rsplit_once(",\"chain\"").unwrap().0)
            })
            .collect();
        change(&mut lines);
        let (mut bytes, mut chain) = (Vec::new(), Chain::default());
        for line in lines {
            chain = chain.append(line.as_bytes(), &mut bytes);
        }
        fs::write(self.record(), bytes).unwrap();
    }
}

fn stated(path: &Path) -> Vec<Stated> {
    let bytes = fs::read(path).unwrap();
    let mut file = Checkpoints::new(bytes.as_slice());
    let mut all = Vec::new();
    while let Next::Stated(stated) = file.next().unwrap() {
        all.push(*stated);
    }
    all
}

#[test]
fn a_record_is_signed_at_each_passs_end_and_when_it_is_closed_and_verifies() {
    let table = Table::new();
    table.deal(&[4, 5]);
    assert_eq!(table.sizes().last(), Some(&10));
    assert!(table.sizes().contains(&5), "{:?}", table.sizes());
    let mut journal = table.open().unwrap();
    journal.append(draw(table.next_seq()));
    let _ = journal.close();
    assert_eq!(table.sizes().last(), Some(&11), "what no pass's end covers is signed when the record is closed");
    let report = table.audit(&table.trust());
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!((report.signed, report.checkpoints), (11, table.sizes().len() as u64));
    let stated = stated(&checkpoints_of(&table.record())).pop().unwrap();
    let began: serde_json::Value = serde_json::from_slice(&lines_of(&table.record())[0]).unwrap();
    assert_eq!(stated.checkpoint.origin, format!("{NAME}/{}", began["began"]));
}

#[test]
fn a_record_that_is_opened_and_not_continued_is_not_signed_again() {
    let table = Table::new();
    table.deal(&[4]);
    let before = table.sizes();
    let _ = table.open().unwrap().close();
    assert_eq!(table.sizes(), before);
}

#[test]
fn a_record_begun_without_a_key_is_taken_over_whole() {
    let table = Table::new();
    let (mut journal, _) = open(&table.record(), &header(), |_, _, _| {}).unwrap();
    for seq in 1..=20 {
        journal.append(draw(seq));
    }
    let _ = journal.close();
    assert_eq!(
        table.faults(&table.trust()),
        [format!("it has no checkpoint of the key {NAME}: it was not signed, or its checkpoints were removed")]
    );
    let refused = table.open().unwrap_err();
    assert!(matches!(refused, JournalError::Unsigned { lines: 21, .. }), "{refused}");
    assert!(bears_out(&table.record(), &table.key).is_err());
    let (journal, held) = table.opens("key", true).unwrap();
    let _ = journal.close();
    assert_eq!((table.sizes(), held.unsigned), (vec![21], Some((1, 21))));
    assert!(table.faults(&table.trust()).is_empty());
}

#[test]
fn whoever_rewrites_a_record_with_its_chain_is_found_by_verify_and_refused_by_the_station() {
    type Change = fn(&mut Vec<String>);
    let changes: [(&str, Change); 6] = [
        ("a card", |lines| lines[3] = lines[3].replace("\"card\":\"", "\"card\":\"2C\",\"was\":\"")),
        ("a line less", |lines| drop(lines.remove(3))),
        ("a line more", |lines| lines.insert(3, lines[3].clone())),
        ("two lines swapped", |lines| lines.swap(2, 3)),
        ("half of it", |lines| lines.truncate(5)),
        ("the last line", |lines| drop(lines.pop())),
    ];
    for (what, change) in changes {
        let table = Table::new();
        table.deal(&[4, 5]);
        table.rewrite(change);
        let chain = verify(fs::read(table.record()).unwrap().as_slice(), |_, _| std::ops::ControlFlow::Continue(()));
        assert_eq!(chain.unwrap().fault, None, "{what}: the chain alone does not show it");
        let faults = table.audit(&table.trust()).faults;
        let is_told = |fault: &AuditFault| {
            use CheckpointFault::{Beyond, Root};
            matches!(fault, AuditFault::Checkpoint { why: Root { .. } | Beyond { .. }, .. })
        };
        assert!(faults.iter().any(is_told), "{what}: {faults:?}");
        let before = fs::read(checkpoints_of(&table.record())).unwrap();
        let refused = table.open().unwrap_err();
        assert!(matches!(refused, JournalError::Contradicts { .. }), "{what}: {refused}");
        assert_eq!(fs::read(checkpoints_of(&table.record())).unwrap(), before, "what was signed is kept");
    }
}

#[test]
fn the_lines_that_a_rewriter_may_have_touched_are_named() {
    let table = Table::new();
    table.deal(&[4]);
    table.deal(&[5]);
    table.rewrite(|lines| lines[7] = lines[7].replace("SH-1", "SH-2"));
    let told = table.faults(&table.trust()).join("\n");
    assert!(told.contains("lines 6 to 10 of the record are not those that were signed"), "{told}");
}

#[test]
fn a_time_that_goes_back_and_a_line_that_does_not_read_are_named() {
    let table = Table::new();
    table.deal(&[6]);
    table.rewrite(|lines| {
        lines[3] = lines[3].replace("\"t\":", "\"t\":9");
        lines[5] = "{\"ev\":\"nonsense\",\"t\":9999}".to_owned();
    });
    let told = table.faults(&Trust::default()).join("\n");
    assert!(told.contains("line 5: its time is ") && told.contains("line 6: "), "{told}");
}

#[test]
fn checkpoints_are_held_to_the_key_the_record_and_the_order() {
    let table = Table::new();
    table.deal(&[4]);
    table.deal(&[5]);
    let path = checkpoints_of(&table.record());
    let good = fs::read_to_string(&path).unwrap();
    let (mut notes, other) = (stated(&path), table.stick("other"));
    let text = notes[0].note.text.replace(NAME, "elsewhere");
    let stranger = Note { signatures: vec![other.sign(&text, 1)], text };
    let key = PrivateKey::load(&table.path("key"), Purpose::Station).unwrap();
    let moved = Checkpoint { origin: format!("{NAME}/1"), ..notes[0].checkpoint.clone() }.to_string();
    let moved = Note { signatures: vec![key.sign(&moved, 0)], text: moved };
    notes.reverse();
    let reversed: String = notes.iter().map(|stated| format!("{}\n", stated.note)).collect();
    for (what, file, told) in [
        ("a digit", good.replacen(&format!("\n{}\n", 10), "\n11\n", 1), "is not good"),
        ("a stranger", format!("{stranger}\n{good}"), "bears no signature of a key that was given"),
        ("another record's", format!("{moved}\n{good}"), "a checkpoint of another record"),
        ("order", reversed, "fewer lines than the one before"),
        ("nonsense", format!("one\n\ntwo\n\n{good}"), "this is no checkpoint"),
        ("none", String::new(), "it has no checkpoint of the key"),
    ] {
        fs::write(&path, file).unwrap();
        let faults = table.faults(&table.trust()).join("\n");
        assert!(faults.contains(told), "{what}: {faults}");
    }
}

#[test]
fn a_checkpoint_that_a_power_cut_tore_is_no_fault_and_the_next_one_stands_for_it() {
    let table = Table::new();
    table.deal(&[4]);
    table.deal(&[5]);
    let path = checkpoints_of(&table.record());
    let whole = fs::read(&path).unwrap();
    let trust = Trust { closed: false, ..table.trust() };
    for cut in 1..90 {
        fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        assert!(table.faults(&trust).is_empty(), "{cut} bytes torn off");
        let _ = table.open().unwrap().close();
        assert_eq!(fs::read(&path).unwrap(), whole, "{cut} bytes torn off");
    }
}

#[test]
fn a_record_that_is_lost_does_not_begin_anew_under_the_old_ones_checkpoints() {
    let table = Table::new();
    table.deal(&[4]);
    fs::remove_file(table.record()).unwrap();
    let refused = table.open().unwrap_err().to_string();
    assert!(refused.contains("5 lines of it were on disk and 0 are there"), "{refused}");
    fs::remove_file(synced_of(&table.record())).unwrap();
    let refused = table.open().unwrap_err().to_string();
    assert!(refused.contains("checkpoints are those of another record"), "{refused}");
}

#[test]
fn a_witness_cosigns_what_grows_and_names_a_shorter_record_and_a_fork() {
    let table = Table::new();
    table.deal(&[4]);
    assert_eq!(table.witness().unwrap(), None);
    let (old, signed) = (fs::read(table.record()).unwrap(), fs::read(checkpoints_of(&table.record())).unwrap());
    table.deal(&[5]);
    assert_eq!(table.witness().unwrap(), Some(5));
    let trust = Trust { witnesses: vec![table.stick("stick-1").public().clone()], ..table.trust() };
    let report = table.audit(&trust);
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!(report.seen, [("stick-1".to_owned(), Some((10, 1_764_000_000)))]);

    // the station's own machine goes back to yesterday: every signature there is good
    fs::write(table.record(), old).unwrap();
    fs::write(checkpoints_of(&table.record()), signed).unwrap();
    assert!(matches!(table.witness(), Err(WitnessError::Shorter { seen: 10, signed: 5 })));
    assert!(table.faults(&table.trust()).join("\n").contains("lines were removed at its end"));
    fs::remove_file(witnessed_of(&table.record())).unwrap();
    assert!(table.faults(&table.trust()).is_empty(), "without the witness nothing shows it");
    assert!(table.faults(&trust).join("\n").contains("the witness stick-1 has cosigned no checkpoint"));

    // and deals another night, with the station's own key
    fs::remove_file(synced_of(&table.record())).unwrap();
    table.deal(&[7]);
    assert!(matches!(table.witness(), Err(WitnessError::Fork { seen: 10 })));
    assert!(table.faults(&table.trust()).is_empty(), "without the witness nothing shows it");
    let kept = fs::read_dir(table.path("stick")).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> = kept.collect();
    let report = audit(&table.record(), &kept, &table.trust()).unwrap();
    assert!(!report.faults.is_empty(), "what the witness keeps shows it too");
}

#[test]
fn the_last_checkpoint_is_offered_however_many_there_are() {
    let table = Table::new();
    table.deal(&[2; 150]);
    let length = fs::metadata(checkpoints_of(&table.record())).unwrap().len();
    assert!(length > 1 << 14, "{length} bytes are read from the middle");
    let offer = Offer::of(&table.record(), 0).unwrap().expect("it is signed");
    assert_eq!(Some(&offer.checkpoint.size), table.sizes().last());
}

#[test]
fn a_witness_elsewhere_is_offered_what_it_can_hold_against_what_it_saw_and_no_line() {
    let table = Table::new();
    let far = |old: Option<u64>| {
        let (folder, key) = (table.path("stick"), table.stick("pit"));
        let first = Offer::of(&table.record(), 0).unwrap().expect("it is signed");
        let seen = seen(&folder, &first, &table.key, key.public()).unwrap();
        let offer = Offer::of(&table.record(), old.unwrap_or(seen)).unwrap().expect("it leads there");
        let text = offer.to_string();
        assert!(!text.contains("draw"), "{text}");
        let offer = Offer::parse(&text).expect("what is written is read");
        cosign_offer(offer, &folder, &table.key, &key, 1_764_000_000).map(|witnessed| witnessed.before)
    };
    table.deal(&[4]);
    assert_eq!(far(None).unwrap(), None);
    assert_eq!(far(None).unwrap(), Some(5), "nothing new is cosigned again");
    let mut before = 5;
    // blocks are 256 lines; with them and without
    let blocks = PathBuf::from(format!("{}.blocks", table.record().display()));
    for (lines, has_blocks) in [(3, true), (300, true), (700, false), (1, true), (256, true), (40, false)] {
        table.deal(&[lines]);
        let kept = fs::read(&blocks).unwrap();
        if !has_blocks {
            fs::write(&blocks, vec![0xA5; kept.len()]).unwrap();
        }
        assert_eq!(far(None).unwrap(), Some(before), "{lines} more");
        fs::write(&blocks, kept).unwrap();
        before += u64::from(lines);
    }
    assert!(matches!(far(Some(7)), Err(WitnessError::Offered(_))), "another beginning than it saw");
    let another = TempDir::new().unwrap();
    let stranger = PrivateKey::create(&another.path().join("key"), NAME, Purpose::Station).unwrap();
    let offer = Offer::of(&table.record(), before).unwrap().unwrap();
    let refused = cosign_offer(offer, &table.path("stick"), stranger.public(), &table.stick("pit"), 1);
    assert!(refused.is_err(), "another key of the same name");
    let kept = fs::read_dir(table.path("stick")).unwrap().map(|entry| entry.unwrap().path());
    let trust = Trust { witnesses: vec![table.stick("pit").public().clone()], ..table.trust() };
    let kept: Vec<PathBuf> = kept.collect();
    assert!(audit(&table.record(), &kept, &trust).unwrap().faults.is_empty());

    // a line is changed, and all of it signed anew with the station's own key
    let (record, checkpoints) = (table.record(), checkpoints_of(&table.record()));
    table.rewrite(|lines| lines[3] = lines[3].replacen("\"t\":", "\"t\": ", 1));
    for gone in [checkpoints, synced_of(&record), blocks] {
        fs::remove_file(gone).unwrap();
    }
    assert!(matches!(table.open(), Err(JournalError::Unsigned { .. })), "only who rules the machine has it signed");
    drop(table.opens("key", true).unwrap().0.close());
    table.deal(&[4]);
    assert!(table.faults(&table.trust()).is_empty(), "without the witness nothing shows it");
    assert!(matches!(far(None), Err(WitnessError::Fork { .. })));
    fs::remove_file(checkpoints_of(&record)).unwrap();
    assert!(Offer::of(&record, before).unwrap().is_none(), "nothing is signed");
}

#[test]
fn a_witness_whose_memory_was_changed_says_so() {
    let table = Table::new();
    table.deal(&[4]);
    table.witness().unwrap();
    let kept = fs::read_dir(table.path("stick")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&kept).unwrap();
    for changed in [text.replacen("\n5\n", "\n4\n", 1), String::new()] {
        fs::write(&kept, changed).unwrap();
        assert!(matches!(table.witness(), Err(WitnessError::Memory(_))));
    }
}

#[test]
fn every_line_has_a_proof_that_holds_for_it_alone() {
    let table = Table::new();
    table.deal(&[6, 7]);
    let lines = lines_of(&table.record());
    let bytes = fs::read(table.record()).unwrap();
    let last = stated(&checkpoints_of(&table.record())).pop().unwrap();
    for (index, line) in lines.iter().enumerate() {
        let number = index as u64 + 1;
        let proof = Proof::make(&mut Cursor::new(&bytes), &Blocks::default(), number, &last).unwrap().unwrap();
        assert_eq!(Proof::parse(&proof.to_string()).as_ref(), Ok(&proof));
        let line = line.strip_suffix(b"\n").unwrap();
        let keys = [table.key.clone()];
        assert_eq!(proof.check(line, &keys), Ok(vec![None]));
        assert_eq!(proof.check(&line[1..], &keys), Err(ProofError::Line(number)));
        let mut other = proof.clone();
        other.line = number % lines.len() as u64 + 1;
        assert_eq!(other.check(line, &keys), Err(ProofError::Line(other.line)));
        let strange = [table.stick("stick-1").public().clone()];
        assert_eq!(proof.check(line, &strange), Err(ProofError::Stranger("stick-1".to_owned())));
        let size = last.checkpoint.size;
        let longer = Proof::parse(&proof.to_string().replace(&format!("\n{size}\n"), "\n15\n")).unwrap();
        assert_eq!(longer.check(line, &keys), Err(ProofError::Forged(NAME.to_owned())));
    }
    let none = Proof::make(&mut Cursor::new(&bytes), &Blocks::default(), lines.len() as u64 + 1, &last).unwrap();
    assert_eq!(none.unwrap_err(), ProofError::Record(last.checkpoint.size));
    let extra = Proof::make(&mut Cursor::new(&bytes), &Blocks::default(), 2, &last).unwrap().unwrap().to_string();
    assert!(Proof::parse(&extra.replacen("index", "extra AAAA\nindex", 1)).is_ok());
    for wrong in ["", "c2sp.org/tlog-proof@v1\n", &extra.replacen("index ", "index 0", 1), &extra.replace("@v1", "@v2")]
    {
        assert_eq!(Proof::parse(wrong), Err(ProofError::Form));
    }
}

#[test]
fn a_record_goes_on_under_another_key_and_both_verify_it() {
    let table = Table::new();
    table.deal(&[4]);
    let second = PrivateKey::create(&table.path("key2"), "casino.example/BJ-07-2", Purpose::Station).unwrap();
    let second = second.public().clone();
    assert!(matches!(table.opens("key2", false), Err(JournalError::Unsigned { .. })));
    let (mut journal, _) = table.opens("key2", true).unwrap();
    journal.append(draw(table.next_seq()));
    assert_eq!(journal.close().fault, None);
    let both = Trust { stations: vec![table.key.clone(), second], ..table.trust() };
    assert!(table.faults(&both).is_empty(), "{:?}", table.faults(&both));
    assert_eq!(table.audit(&both).signed, 6);
    assert!(table.faults(&table.trust()).join("\n").contains("bears no signature of a key that was given"));
    table.rewrite(|lines| lines[2] = lines[2].replace("SH-1", "SH-2"));
    assert!(table.faults(&both).join("\n").contains("not those that were signed"));
}

fn line(event: &str, t: u64) -> Record {
    let event = sabot_law::table::line::event(event.as_bytes()).unwrap();
    Record::of(event, t)
}

/// A line of the station's own, at a time of the record and with one on the wall.
pub(super) fn of_station(status: &str, t: u64, unix_ms: u64) -> Record {
    let at = clock::at(unix_ms);
    line(
        &format!(r#"{{"ev":"device","device":"station","status":"{status}","detail":"sabot 0 {at} synchronised"}}"#),
        t,
    )
}

/// What is to be known of a record of these lines, told with the milliseconds from its beginning.
fn remarks(lines: &[(&str, u64, u64)]) -> Vec<String> {
    let table = Table::new();
    let (mut journal, _) = open(&table.record(), &header(), |_, _, _| {}).unwrap();
    let first: serde_json::Value = serde_json::from_slice(&lines_of(&table.record())[0]).unwrap();
    let began = first["began"].as_u64().unwrap();
    for &(status, t, wall) in lines {
        journal.append(of_station(status, t, began + wall));
    }
    let _ = journal.close();
    let report = table.audit(&Trust::default());
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    report.remarks.iter().map(|remark| remark.told(clock::utc)).collect()
}

#[test]
fn a_wrong_clock_at_one_start_and_a_start_without_a_stop_are_told() {
    const DAY: u64 = 86_400_000;
    let calm = [("start", 0, 0), ("clock", 60_000, 60_010), ("stop", 70_000, 70_010), ("start", DAY, DAY)];
    assert_eq!(remarks(&calm), Vec::<String>::new());
    // a year ahead at one start, right at the next
    let ahead =
        [("start", 0, 0), ("stop", 9, 9), ("start", 365 * DAY, 365 * DAY), ("stop", 365 * DAY + 9, 365 * DAY + 9)];
    let back =
        remarks(&[&ahead[..], &[("start", 365 * DAY + 9, DAY), ("clock", 365 * DAY + 60_009, DAY + 60_000)]].concat());
    let [told] = back.as_slice() else { panic!("what follows is right again: {back:?}") };
    assert!(told.starts_with("line 6: the station's clock shows ") && told.contains(" 31449600 s less"), "{told}");
    let set = remarks(&[("start", 0, 0), ("clock", 60_000, 120_000), ("clock", 120_000, 180_000)]);
    assert!(set.len() == 1 && set[0].starts_with("line 3: the station's clock was set forward by 60 s"), "{set:?}");
    let cut = remarks(&[("start", 0, 0), ("start", 9, 9), ("stop", 10, 10), ("start", 11, 11)]);
    assert!(cut.len() == 1 && cut[0].starts_with("line 3: the station starts, and had not stopped"), "{cut:?}");
}

#[test]
fn the_count_of_time_goes_on_rightly_after_a_start_with_a_wrong_clock() {
    const YEAR: u64 = 365 * 86_400_000;
    let table = Table::new();
    let (mut journal, _) = open(&table.record(), &header(), |_, _, _| {}).unwrap();
    let first: serde_json::Value = serde_json::from_slice(&lines_of(&table.record())[0]).unwrap();
    let began = first["began"].as_u64().unwrap();
    // once a year ahead; then right, eight hours ago
    journal.append(of_station("start", YEAR, began + YEAR));
    journal.append(of_station("start", YEAR + 1, began - 8 * 3_600_000));
    let _ = journal.close();
    let (journal, recovered) = open(&table.record(), &header(), |_, _, _| {}).unwrap();
    let _ = journal.close();
    let since = recovered.now - YEAR;
    assert!((28_800_000..29_000_000).contains(&since), "eight hours later, and not at the same time still: {since}");
}

#[test]
fn observations_that_are_missing_or_told_twice_are_named_unless_a_line_says_why() {
    let told = |lines: &[Record]| {
        let table = Table::new();
        let (mut journal, _) = open(&table.record(), &header(), |_, _, _| {}).unwrap();
        lines.iter().for_each(|line| {
            journal.append(line.clone());
        });
        let _ = journal.close();
        table.faults(&Trust::default())
    };
    let lost = line(r#"{"ev":"device","device":"shoe","status":"events_missed","detail":"4 to 5"}"#, 35);
    let chips = line(r#"{"ev":"device","device":"chips","status":"events_missed","detail":"2 to 2"}"#, 35);
    let seqs = |seqs: &[u32]| seqs.iter().map(|&seq| draw(seq)).collect::<Vec<_>>();
    assert_eq!(told(&seqs(&[1, 2, 3, 4])), Vec::<String>::new());
    let missing = "between events 3 and 5 of the device SH-1 some are missing";
    assert!(told(&seqs(&[1, 2, 3, 5]))[0].contains(missing));
    assert!(told(&seqs(&[1, 2, 2]))[0].contains("event 2 of the device SH-1 was told before"));
    assert_eq!(told(&[draw(3), lost, chips, draw(6)]), Vec::<String>::new());
}

#[test]
fn with_blocks_a_proof_reads_its_own_part_of_the_record_alone_and_wrong_blocks_do_no_harm() {
    let table = Table::new();
    table.deal(&[700]);
    table.deal(&[601]);
    let bytes = fs::read(table.record()).unwrap();
    let blocks = || Blocks::of(&table.record());
    let last = stated(&checkpoints_of(&table.record())).pop().unwrap();
    let make = |bytes: &[u8], blocks: &Blocks, line| Proof::make(&mut Cursor::new(bytes), blocks, line, &last).unwrap();
    for line in [1, 255, 256, 257, 512, 513, 1024, 1025, 1279, 1280, 1281, 1301, 1302] {
        assert_eq!(make(&bytes, &blocks(), line), make(&bytes, &Blocks::default(), line), "line {line}");
    }
    // the third block cannot be read, and is not needed
    let mut unread = bytes.clone();
    let start = lines_of(&table.record())[..600].concat().len();
    unread[start] ^= 1;
    assert!(make(&unread, &blocks(), 300).is_ok());
    assert_eq!(make(&unread, &Blocks::default(), 300), Err(ProofError::Record(1302)));
    assert_eq!(make(&unread, &blocks(), 601), Err(ProofError::Record(1302)));
    let path = super::files::beside(&table.record(), ".blocks");
    let whole = fs::read(&path).unwrap();
    assert_eq!(whole.len(), 5 * 40);
    for at in 0..whole.len() {
        let mut wrong = whole.clone();
        wrong[at] ^= 1;
        fs::write(&path, wrong).unwrap();
        assert_eq!(make(&bytes, &blocks(), 300), make(&bytes, &Blocks::default(), 300), "byte {at}");
    }
    for shorter in [0, 39, 40, 100] {
        fs::write(&path, &whole[..shorter]).unwrap();
        assert!(make(&bytes, &blocks(), 1000).is_ok(), "{shorter} bytes of blocks");
    }
    let _ = table.open().unwrap().close();
    assert_eq!(fs::read(&path).unwrap(), whole, "written anew when the record is opened");
}
