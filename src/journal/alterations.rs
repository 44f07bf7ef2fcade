//! Everything that somebody could do to a signed record, a thousand times over with other lines each time, and who
//! finds it: the chain alone, the station's key, the witness. `SABOT_ALTERATIONS` says how many.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::audit::{Report, Trust, audit_of};
use super::chain::Chain;
use super::checkpoint::{Checkpoint, Checkpoints, Next, origin};
use super::note::{Note, PrivateKey, Purpose};
use super::tree::{Tree, leaf};

/// How many are tried where nobody says.
const USUALLY: u64 = 1000;
/// Passes of the record, and lines of each.
const PASSES: usize = 6;
const LINES: usize = 8;
/// What the witness has seen: all but the last pass.
const SEEN: usize = PASSES - 1;

/// What somebody can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Power {
    /// Writes into the file with an editor.
    Edits,
    /// Chains it anew.
    Chains,
    /// Removes checkpoints and cosignatures too.
    Removes,
    /// Has the station's private key, and signs anew.
    Signs,
}

/// What is done to lines, and what a table of it is told with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Byte,
    Field,
    Drop,
    Double,
    Insert,
    Swap,
    Move,
    Replace,
    Time,
    CutLines,
    CutBytes,
}

const CHANGES: [Change; 11] = [
    Change::Byte,
    Change::Field,
    Change::Drop,
    Change::Double,
    Change::Insert,
    Change::Swap,
    Change::Move,
    Change::Replace,
    Change::Time,
    Change::CutLines,
    Change::CutBytes,
];

/// Numbers that follow from a seed (SplitMix64).
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    /// A line after the header, up to `end`.
    fn line(&mut self, end: usize) -> usize {
        1 + self.below(end - 1)
    }
}

/// A record with its checkpoints, in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Files {
    record: Vec<u8>,
    checkpoints: String,
    witnessed: String,
}

/// Who signs.
struct Keys {
    station: PrivateKey,
    witness: PrivateKey,
}

impl Keys {
    fn new() -> Self {
        let folder = tempfile::TempDir::new().unwrap();
        let key = |name: &str, purpose| {
            PrivateKey::create(&folder.path().join(format!("{purpose:?}")), name, purpose).unwrap()
        };
        Self { station: key("casino.example/T", Purpose::Station), witness: key("stick", Purpose::Witness) }
    }

    fn trust(&self, key: bool, witness: bool) -> Trust {
        let stations = if key { vec![self.station.public().clone()] } else { Vec::new() };
        let witnesses = if witness { vec![self.witness.public().clone()] } else { Vec::new() };
        Trust { stations, witnesses, closed: key }
    }

    /// A checkpoint of the first `size` lines, as the station signs it.
    fn checkpoint(&self, lines: &[Vec<u8>], size: usize) -> Note {
        let mut tree = Tree::default();
        lines.iter().take(size).for_each(|line| tree.push(leaf(line)));
        let checkpoint = Checkpoint { origin: origin(self.station.public(), 1), size: tree.size(), root: tree.root() };
        let text = checkpoint.to_string();
        Note { signatures: vec![self.station.sign(&text, 0)], text }
    }

    /// The files of these lines, signed at each pass's end. What the witness has seen is as it was.
    fn signed(&self, bare: &[String]) -> Files {
        let record = chained(bare);
        let lines = split(&record);
        // and when the station stops
        let ends = (1..PASSES).map(|pass| (1 + pass * LINES).min(lines.len())).chain([lines.len()]);
        let notes: Vec<Note> = ends.map(|size| self.checkpoint(&lines, size)).collect();
        let mut seen = notes[SEEN - 1].clone();
        seen.signatures.push(self.witness.sign(&seen.text, 1_764_000_000));
        let checkpoints = notes.iter().map(|note| format!("{note}\n")).collect();
        Files { record, checkpoints, witnessed: format!("{seen}\n") }
    }
}

fn split(record: &[u8]) -> Vec<Vec<u8>> {
    record.split_inclusive(|&byte| byte == b'\n').map(|line| line.trim_ascii_end().to_vec()).collect()
}

/// The lines chained.
fn chained(bare: &[String]) -> Vec<u8> {
    let (mut bytes, mut chain) = (Vec::new(), Chain::default());
    for line in bare {
        chain = chain.append(line.as_bytes(), &mut bytes);
    }
    bytes
}

/// The lines of a record before they are chained.
fn bare() -> Vec<String> {
    let header =
        r#"{"ev":"table","v":1,"table":"T","regulation":"sala-8","boxes":7,"limits":{"min":1,"max":90000},"began":1}"#;
    let mut lines = vec![header.to_owned()];
    let (cards, mut seq, mut seen) = (["8H", "5C", "TD", "AS", "KC"], 0, 0);
    for pass in 0..PASSES {
        for line in 1..LINES {
            seq += 1;
            let (t, card, amount) = (seq * 100, cards[(seq + pass) % 5], 1000 * line);
            if line % 3 == 0 {
                seen += 1;
                lines.push(format!(
                    r#"{{"ev":"pay","box":"{line}","amount":{amount},"t":{t},"origin":["C-1",1,{seen}]}}"#
                ));
            } else {
                lines.push(format!(r#"{{"ev":"draw","card":"{card}","t":{t}}}"#));
            }
        }
        lines.push(format!(r#"{{"ev":"end","t":{}}}"#, seq * 100 + 1));
    }
    lines
}

/// Does something to lines before `end`; they are not chained.
fn alter(change: Change, chance: &mut Chance, lines: &mut Vec<String>, end: usize) {
    let (at, other) = (chance.line(end), chance.line(end));
    match change {
        Change::Byte => {
            let mut bytes = lines[at].clone().into_bytes();
            let place = chance.below(bytes.len());
            bytes[place] = b'a' + u8::try_from(chance.below(26)).unwrap();
            lines[at] = String::from_utf8(bytes).unwrap();
        }
        Change::Field => {
            let line = &lines[at];
            let digits: Vec<usize> = line.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
            let (place, digit) = (digits[chance.below(digits.len())], 1 + u8::try_from(chance.below(9)).unwrap());
            let mut bytes = line.clone().into_bytes();
            bytes[place] = b'0' + (bytes[place] - b'0' + digit) % 10;
            lines[at] = String::from_utf8(bytes).unwrap();
        }
        Change::Drop => drop(lines.remove(at)),
        Change::Double => lines.insert(at, lines[at].clone()),
        Change::Insert => lines.insert(at, format!(r#"{{"ev":"pay","box":"1","amount":{}}}"#, chance.below(90_000))),
        Change::Swap => lines.swap(at, other),
        Change::Move => {
            let line = lines.remove(at);
            lines.insert(other, line);
        }
        Change::Replace => lines[at] = lines[other].clone(),
        Change::Time => {
            let by = 1 + chance.below(9);
            lines[at] = lines[at].replace("\"t\":", &format!("\"t\":{by}"));
        }
        Change::CutLines => lines.truncate(at),
        Change::CutBytes => {
            lines.truncate(at + 1);
            let cut = 1 + chance.below(lines[at].len() - 1);
            lines[at].truncate(cut);
        }
    }
}

/// The record as it is after somebody with this power has done that, signed where the power allows it.
fn altered(power: Power, change: Change, chance: &mut Chance, keys: &Keys, whole: &Files, lines: &[String]) -> Files {
    let mut files = whole.clone();
    if power == Power::Edits {
        let mut written: Vec<String> =
            split(&whole.record).into_iter().map(|line| String::from_utf8(line).unwrap()).collect();
        let cut = change == Change::CutBytes;
        let end = written.len();
        alter(change, chance, &mut written, end);
        let mut text = written.join("\n");
        if !cut {
            text.push('\n');
        }
        files.record = text.into_bytes();
        return files;
    }
    let end = if power == Power::Chains { lines.len() } else { 1 + SEEN * LINES };
    let mut bare = lines.to_vec();
    alter(change, chance, &mut bare, end);
    if change == Change::CutBytes {
        bare.pop();
    }
    match power {
        Power::Edits | Power::Chains => files.record = chained(&bare),
        Power::Removes => {
            // the record ends with a pass, as if the station had stopped there: no checkpoint is of more lines
            bare = lines[..1 + chance.line(SEEN) * LINES].to_vec();
            files.record = chained(&bare);
            let (mut held, mut kept) = (Checkpoints::new(whole.checkpoints.as_bytes()), String::new());
            while let Next::Stated(stated) = held.next().unwrap() {
                if stated.checkpoint.size <= bare.len() as u64 {
                    kept.push_str(&format!("{}\n", stated.note));
                }
            }
            files.checkpoints = kept;
            files.witnessed = String::new();
        }
        Power::Signs => {
            let signed = keys.signed(&bare);
            (files.record, files.checkpoints) = (signed.record, signed.checkpoints);
            if chance.below(2) == 0 {
                files.witnessed = String::new();
            }
        }
    }
    files
}

fn report(files: &Files, trust: &Trust) -> Report {
    let beside = [("checkpoints", &files.checkpoints), ("witnessed", &files.witnessed)];
    let sources = beside.into_iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes()));
    audit_of(files.record.as_slice(), sources, trust).unwrap()
}

#[test]
fn whatever_is_done_to_a_signed_record_somebody_finds() {
    let count = std::env::var("SABOT_ALTERATIONS").map_or(USUALLY, |text| text.parse().unwrap());
    let (keys, lines) = (Keys::new(), bare());
    let whole = keys.signed(&lines);
    let (alone, key, witness) = (keys.trust(false, false), keys.trust(true, false), keys.trust(true, true));
    for trust in [&alone, &key, &witness] {
        assert!(report(&whole, trust).faults.is_empty(), "{:?}", report(&whole, trust).faults);
    }
    let seen = chained(&lines[..=SEEN * LINES]);
    let mut found: BTreeMap<(Power, Change), [u64; 4]> = BTreeMap::new();
    let (mut done, mut seed) = (0, 0);
    while done < count {
        seed += 1;
        let mut chance = Chance(seed);
        let power = [Power::Edits, Power::Chains, Power::Removes, Power::Signs][chance.below(4)];
        let change = if power == Power::Removes { Change::CutLines } else { CHANGES[chance.below(CHANGES.len())] };
        let files = altered(power, change, &mut chance, &keys, &whole, &lines);
        // what the witness has not seen, whoever has the key may still tell as he likes
        if files.record == whole.record || power == Power::Signs && files.record.starts_with(&seen) {
            continue;
        }
        done += 1;
        let [tried, by_chain, by_key, by_witness] = found.entry((power, change)).or_default();
        let sees = |trust: &Trust| u64::from(!report(&files, trust).faults.is_empty());
        *tried += 1;
        *by_chain += sees(&alone);
        *by_key += sees(&key);
        *by_witness += sees(&witness);
        assert_eq!(tried, by_witness, "seed {seed}: {power:?} {change:?} is found by nobody");
        // whoever writes the files without the key is always found by the key, unless he cuts checkpoints off too
        assert!(power > Power::Chains || tried == by_key, "seed {seed}: {power:?} {change:?} is not found by the key");
    }
    println!(
        "{:10} {:10} {:>9} {:>11} {:>9} {:>13}",
        "power", "change", "tried", "chain alone", "the key", "the witness"
    );
    for ((power, change), [tried, by_chain, by_key, by_witness]) in &found {
        let (power, change) = (format!("{power:?}"), format!("{change:?}"));
        println!("{power:10} {change:10} {tried:>9} {by_chain:>11} {by_key:>9} {by_witness:>13}");
    }
    let sum = |wanted: fn(&Power) -> bool| {
        let of = found.iter().filter(|((power, _), _)| wanted(power)).map(|(_, counts)| *counts);
        of.fold([0; 4], |sum: [u64; 4], more| std::array::from_fn(|at| sum[at] + more[at]))
    };
    let [tried, by_chain, ..] = sum(|power| *power == Power::Chains);
    assert!(by_chain < tried, "the chain alone does not find who chains anew");
    for power in [|power: &Power| *power == Power::Removes, |power: &Power| *power == Power::Signs] {
        let [tried, _, by_key, _] = sum(power);
        assert!(by_key < tried, "it takes the witness");
    }
    assert_eq!(found.len(), 2 * CHANGES.len() + 1 + CHANGES.len(), "every power and every change was tried");
}
