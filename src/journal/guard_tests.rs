//! What others do to a record while a station keeps it, on a real disk and through the thread that writes.

use std::fs::FileTimes;
use std::io::Write;
use std::time::SystemTime;

use sabot_stall_guard::PATIENCE;
use tempfile::TempDir;

use std::ops::ControlFlow;

use super::*;
use crate::tests::{draw, header, lines_of};
use crate::{Chain, Durable, Journal, open, verify};

/// A record that is kept: its header and some lines are on disk.
struct Kept {
    folder: TempDir,
    journal: Journal,
    durable: tokio::sync::watch::Receiver<Durable>,
}

impl Kept {
    const LINES: u32 = 20;

    async fn begin() -> Self {
        let folder = TempDir::new().unwrap();
        let (journal, _) = open(&folder.path().join("t.jsonl"), &header(), |_, _, _| {}).unwrap();
        let durable = journal.durable();
        let mut kept = Self { folder, journal, durable };
        for seq in 1..=Self::LINES {
            kept.journal.append(draw(seq));
        }
        kept.until(|durable| durable.line == u64::from(Self::LINES) + 1).await;
        kept
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("t.jsonl")
    }

    async fn until(&mut self, reached: impl FnMut(&Durable) -> bool) -> Durable {
        tokio::time::timeout(PATIENCE, self.durable.wait_for(reached)).await.expect("in time").unwrap().clone()
    }

    /// Waits until something is wrong; nothing that comes then is called durable.
    async fn is_hindered(&mut self) -> RecordFault {
        let before = self.until(|durable| durable.fault.is_some()).await;
        self.journal.append(draw(99));
        // as long as three looks: it could have been told by then
        tokio::time::sleep(READ_BACK_EVERY * 3).await;
        let after = self.durable.borrow().clone();
        assert_eq!((after.line, after.fault.is_some()), (before.line, true), "{after:?}");
        before.fault.unwrap()
    }

    /// Waits until what came meanwhile is durable; the record is whole then.
    async fn goes_on(&mut self) {
        let lines = self.journal.lines();
        self.until(|durable| durable.line == lines && durable.fault.is_none()).await;
        let verified = verify(fs::read(self.path()).unwrap().as_slice(), |_, _| ControlFlow::Continue(())).unwrap();
        assert_eq!((verified.lines, verified.fault, verified.torn), (lines, None, 0));
    }

    fn rescued(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
        files.filter(|path| path.to_str().unwrap().contains("rescued")).collect()
    }
}

/// The lines with the text of one changed, all chained anew: as long as before, and a good chain.
fn rewritten(path: &Path, at: usize) -> Vec<u8> {
    let (mut out, mut chain) = (Vec::new(), Chain::default());
    for (number, line) in lines_of(path).into_iter().enumerate() {
        let text = String::from_utf8(line).unwrap();
        let mut bare = format!("{}}}", text.rsplit_once(",\"chain\"").unwrap().0);
        if number == at {
            bare = bare.replace("\"8H\"", "\"2H\"").replace("\"KC\"", "\"2C\"");
        }
        chain = chain.append(bare.as_bytes(), &mut out);
    }
    assert_ne!(out, fs::read(path).unwrap());
    out
}

fn over(path: &Path, bytes: &[u8]) {
    OpenOptions::new().write(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[tokio::test]
async fn a_deleted_record_is_told_put_aside_and_gone_on_with_when_it_is_put_back() {
    let mut kept = Kept::begin().await;
    let written = fs::read(kept.path()).unwrap();
    fs::remove_file(kept.path()).unwrap();
    assert_eq!(kept.is_hindered().await, RecordFault::Gone);
    let rescued = kept.rescued();
    assert_eq!(rescued.len(), 1);
    assert_eq!(fs::read(&rescued[0]).unwrap(), written);
    fs::rename(&rescued[0], kept.path()).unwrap();
    kept.goes_on().await;
}

#[tokio::test]
async fn a_record_that_was_moved_away_is_told_and_gone_on_with_when_it_comes_back() {
    let mut kept = Kept::begin().await;
    let elsewhere = kept.folder.path().join("elsewhere");
    fs::rename(kept.path(), &elsewhere).unwrap();
    assert_eq!(kept.is_hindered().await, RecordFault::Gone);
    assert_eq!(kept.rescued(), Vec::<PathBuf>::new(), "nothing is lost");
    fs::rename(&elsewhere, kept.path()).unwrap();
    kept.goes_on().await;
}

#[tokio::test]
async fn a_record_with_other_content_under_its_name_is_told_and_never_written_into() {
    for other in [Vec::new(), b"{}\n".to_vec()] {
        let mut kept = Kept::begin().await;
        let beside = kept.folder.path().join("other");
        fs::write(&beside, &other).unwrap();
        fs::rename(&beside, kept.path()).unwrap();
        assert_eq!(kept.is_hindered().await, RecordFault::Replaced);
        assert_eq!((fs::read(kept.path()).unwrap(), kept.rescued().len()), (other, 1));
    }
    let mut kept = Kept::begin().await;
    let (beside, other) = (kept.folder.path().join("other"), rewritten(&kept.path(), 5));
    fs::write(&beside, &other).unwrap();
    fs::rename(&beside, kept.path()).unwrap();
    assert_eq!(kept.is_hindered().await, RecordFault::Replaced);
    assert_eq!(fs::read(kept.path()).unwrap(), other);
}

#[tokio::test]
async fn a_record_restored_from_a_true_copy_is_gone_on_with() {
    let mut kept = Kept::begin().await;
    let copy = kept.folder.path().join("copy");
    fs::copy(kept.path(), &copy).unwrap();
    fs::rename(&copy, kept.path()).unwrap();
    kept.journal.append(draw(50));
    kept.goes_on().await;
    assert_eq!(kept.rescued(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_record_that_was_cut_or_written_into_by_another_is_told_and_left_as_it_is() {
    let mut kept = Kept::begin().await;
    let written = fs::metadata(kept.path()).unwrap().len();
    OpenOptions::new().write(true).open(kept.path()).unwrap().set_len(100).unwrap();
    assert_eq!(kept.is_hindered().await, RecordFault::Shorter { written, found: 100 });
    assert_eq!(fs::metadata(kept.path()).unwrap().len(), 100);

    let mut kept = Kept::begin().await;
    OpenOptions::new().append(true).open(kept.path()).unwrap().write_all(b"{}\n").unwrap();
    assert_eq!(kept.is_hindered().await, RecordFault::Longer { written, found: written + 3 });
    assert!(fs::read(kept.path()).unwrap().ends_with(b"}\n{}\n"), "what the other wrote is evidence");
}

#[tokio::test]
async fn a_rewritten_record_is_told_with_its_line_though_its_chain_and_its_times_were_made_good() {
    let mut kept = Kept::begin().await;
    let written = fs::read(kept.path()).unwrap();
    let mut changed = written.clone();
    let at = lines_of(&kept.path())[..7].concat().len() + 30;
    changed[at] ^= 1;
    over(&kept.path(), &changed);
    assert_eq!(kept.is_hindered().await, RecordFault::Changed { line: 8 });
    over(&kept.path(), &written);
    kept.goes_on().await;

    let mut kept = Kept::begin().await;
    let modified = fs::metadata(kept.path()).unwrap().modified().unwrap();
    over(&kept.path(), &rewritten(&kept.path(), 5));
    File::options()
        .write(true)
        .open(kept.path())
        .unwrap()
        .set_times(FileTimes::new().set_modified(modified).set_accessed(SystemTime::now()))
        .unwrap();
    assert_eq!(kept.is_hindered().await, RecordFault::Changed { line: u64::from(Kept::LINES) + 1 });
}

#[tokio::test]
async fn a_record_that_was_only_touched_copied_or_given_other_rights_is_gone_on_with() {
    use std::os::unix::fs::PermissionsExt;

    let mut kept = Kept::begin().await;
    fs::set_permissions(kept.path(), fs::Permissions::from_mode(0o640)).unwrap();
    fs::hard_link(kept.path(), kept.folder.path().join("backup")).unwrap();
    File::options().write(true).open(kept.path()).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let durable = kept.durable.clone();
    for seq in 50..53 {
        kept.journal.append(draw(seq));
        kept.goes_on().await;
        tokio::time::sleep(READ_BACK_EVERY).await;
        assert_eq!(durable.borrow().fault, None);
    }
}

/// A record of several pieces on disk, and its file as the writing thread has it.
fn guarded() -> (TempDir, PathBuf, GuardedFile, Held) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.jsonl");
    let (mut journal, _) = open(&path, &header(), |_, _, _| {}).unwrap();
    for seq in 1..=2000 {
        journal.append(draw(seq));
    }
    assert_eq!(journal.close().fault, None);
    let file = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    let verified = verify(BufReader::new(&file), |_, _| ControlFlow::Continue(())).unwrap();
    let held = Held { bytes: verified.bytes, lines: verified.lines, chain: verified.chain };
    assert!(held.bytes > 3 * PIECE);
    let guarded = GuardedFile::new(file, &path, held.bytes).unwrap();
    (folder, path, guarded, held)
}

#[test]
fn a_change_that_no_time_betrays_is_found_by_reading_back() {
    let (_folder, path, mut guarded, held) = guarded();
    over(&path, &rewritten(&path, 1000));
    // as if it had come within the resolution of the station's own last write
    guarded.changed = changed(&fs::metadata(&path).unwrap());
    let looks = held.bytes / PIECE + 1;
    let found = (0..looks).find_map(|look| {
        guarded.read_back = Instant::now().checked_sub(READ_BACK_EVERY).unwrap();
        Some((look, guarded.look(&held).err()?))
    });
    let (look, fault) = found.expect("found in one time through");
    assert_eq!((look, fault), (looks - 1, RecordFault::Changed { line: held.lines }));
    assert_eq!(guarded.look(&held), Err(RecordFault::Changed { line: held.lines }), "until it is as it was");
}

#[test]
fn what_a_failed_write_left_behind_is_cut_off_and_what_another_wrote_is_not() {
    let (_folder, path, mut guarded, held) = guarded();
    guarded.append(b"half of a").unwrap();
    assert_eq!(guarded.look(&held), Ok(()), "a write has begun");
    guarded.cut(held.bytes).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), held.bytes);
    guarded.append(b"line\n").unwrap();
    guarded.sync().unwrap();
    guarded.cut(held.bytes).unwrap();
    assert!(fs::read(&path).unwrap().ends_with(b"line\n"), "it is durable");
}

#[test]
fn what_others_do_between_a_write_and_its_end_is_told_and_nothing_is_durable() {
    let (_folder, path, mut guarded, held) = guarded();
    guarded.append(b"line\n").unwrap();
    let aside = path.with_extension("aside");
    fs::rename(&path, &aside).unwrap();
    assert_eq!(guarded.sync(), Err(RecordFault::Gone));
    fs::rename(&aside, &path).unwrap();
    guarded.cut(held.bytes).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), held.bytes, "it is written again when the record is back");
    guarded.append(b"line\n").unwrap();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"other\n").unwrap();
    assert_eq!(guarded.sync(), Err(RecordFault::Longer { written: held.bytes + 5, found: held.bytes + 11 }));
}
