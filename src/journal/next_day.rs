//! From one gaming day to the next, while the record is written: the thread that writes puts the day away and goes on
//! with the next record. Lines of that wait meanwhile, and nothing of them is told to be durable.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::mpsc::Receiver;

use tokio::sync::watch;

use super::days::close;
use super::fault::RecordFault;
use super::guarded_file::GuardedFile;
use super::record::{After, Record};
use super::signer::Signer;
use super::writer::{Changed, Durable, Given, NextDay, RETRY, With, Writer, drain, tell};
use sabot_law::table::Header;

/// Opens the record that was begun.
type Opens = fn(&Path, &Header, With) -> io::Result<Writer<GuardedFile>>;

/// Writes day after day, until nothing more can come.
pub(super) fn write(mut writer: Writer<GuardedFile>, (mut records, mut told, days): Given, opens: Opens) {
    let mut queue = VecDeque::new();
    while let Some(before) = writer.run(&records, &told, &mut queue) {
        let Ok(Changed { day, records: next, told: tell_next }) = days.try_recv() else { return };
        let before_told = std::mem::replace(&mut told, tell_next);
        records = next;
        let Some(after) = ends(before, day, (&records, &told), (&before_told, opens), &mut queue) else { return };
        writer = after;
    }
}

/// Ends a day; the writer of the next, or none where nobody waits for it any more and it still fails.
fn ends(
    mut before: Writer<GuardedFile>,
    day: NextDay,
    (records, told): (&Receiver<Record>, &watch::Sender<Durable>),
    (before_told, opens): (&watch::Sender<Durable>, Opens),
    queue: &mut VecDeque<Record>,
) -> Option<Writer<GuardedFile>> {
    let NextDay { last_line, record, header, began, devices: last, sealing } = day;
    let mut group = Vec::new();
    before.write_group(vec![last_line], &mut group, records, told, queue)?;
    // who follows the record reads it to its end
    let _ = before_told.send(Durable { line: before.held.lines, bytes: before.held.bytes, fault: None });
    let mut signer = before.signer.take();
    signer.iter_mut().for_each(|signer| signer.ends(&group));
    let after = After { lines: before.held.lines, chain: before.held.chain, last };
    // Meanwhile the day stays locked: no other station begins the next one.
    retried(records, told, queue, || close(&record, &header, &after, began))?;
    tracing::info!("{}: the gaming day is closed, with {} lines", record.display(), after.lines);
    let key = signer.map(Signer::into_key);
    let next = retried(records, told, queue, || {
        let with = With { key: key.clone(), sealing: sealing.clone(), accept_clock: true, ..With::default() };
        opens(&record, &header, with)
    })?;
    let _ = told.send(Durable { line: next.held.lines, bytes: next.held.bytes, fault: None });
    Some(next.counting(before.syncs))
}

/// Tries until it is done, and tells why it is not; none where nobody waits for it any more.
fn retried<T>(
    records: &Receiver<Record>,
    told: &watch::Sender<Durable>,
    queue: &mut VecDeque<Record>,
    mut attempt: impl FnMut() -> io::Result<T>,
) -> Option<T> {
    loop {
        match attempt() {
            Ok(done) => return Some(done),
            Err(why) => tell(told, Some(RecordFault::NotClosed(why.to_string()))),
        }
        if drain(records, queue) {
            return None;
        }
        std::thread::sleep(RETRY);
    }
}

#[cfg(test)]
#[path = "next_day_tests.rs"]
mod tests;
