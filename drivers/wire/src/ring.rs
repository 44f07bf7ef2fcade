//! The events a device keeps until the host has them on disk, in memory that outlives a reset.
//!
//! The ring owns nothing but its bytes: a board puts those in RAM that its start-up code does not clear, or in a
//! [`Memory`] that also outlives the power, and [`Ring::restore`] finds the events again after a reset. A reset in the
//! middle of a change loses nothing that was whole before: an entry is written first and then entered in the **older**
//! of two headers, each with a number and a checksum, so that the newest sound header always describes sound entries.
//! The count of the device's starts stands there too: under one epoch it never goes back.
//!
//! ```text
//! header A (36 bytes) | header B | checkpoints A, B, C (64 bytes each) | entries, round and round
//! header: magic, number, epoch, first sequence number, count, start, used, starts of the device, CRC-32C
//!         (u32 each, little-endian)
//! checkpoint: number (u32) | record (16 bytes) | lines (u64) | root (32 bytes) | CRC-32C
//! entry:  length (u16) | postcard body of the event | CRC-32C of the body
//! ```

use core::sync::atomic::{Ordering, compiler_fence};

use crate::frame::{MAX_CHECKED, MAX_STATE_CHECKED, crc32c, encode_body, verified};
use crate::message::Observation;
use crate::witness::{Checkpoint, Keeps, RECORD_BYTES, ROOT_BYTES};

const MAGIC: u32 = u32::from_le_bytes(*b"SBR4");
const WORDS: usize = 9;
const HEADER: usize = WORDS * 4;
/// Bytes of a checkpoint that is kept.
const KEPT: usize = 4 + RECORD_BYTES + 8 + ROOT_BYTES + 4;
/// Places for checkpoints: of the last record, of the one before, and one to write the next into.
const PLACES: usize = 3;
/// Bytes before the entries.
const FRONT: usize = 2 * HEADER + PLACES * KEPT;
const LENGTH: usize = 2;
/// Bytes of the longest entry.
const MAX_ENTRY: usize = LENGTH + MAX_CHECKED;
/// Free bytes below which the ring counts as full: room for one more event of any kind, for saying that the ring is
/// full, and for saying that it has room again.
pub(crate) const HEADROOM: usize = MAX_ENTRY + 2 * (LENGTH + MAX_STATE_CHECKED);
/// Least bytes of memory a ring works in.
pub const MIN_RING: usize = FRONT + 2 * HEADROOM;

/// Where a ring lies.
///
/// Bytes that are the memory itself need nothing more. One that keeps a copy elsewhere, such as in FRAM, takes over
/// each change as it is told: an event first, then the header that enters it. So a power cut between the two leaves the
/// ring as it was before.
pub trait Memory: AsRef<[u8]> + AsMut<[u8]> {
    /// So many bytes from `at` on were changed.
    fn changed(&mut self, _at: usize, _length: usize) {}
}

impl<const N: usize> Memory for [u8; N] {}
impl Memory for &mut [u8] {}
impl<const N: usize> Memory for &mut [u8; N] {}
#[cfg(not(target_os = "none"))]
impl Memory for alloc::vec::Vec<u8> {}

/// The memory is too small for a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a ring of events needs at least {MIN_RING} bytes of memory, not {0}")]
pub struct RingTooSmall(pub usize);

/// No room for an event; nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the ring of unacknowledged events is full")]
pub struct RingIsFull;

/// What [`Ring::restore`] found in the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restored {
    /// A sound ring with this many events.
    Sound(u32),
    /// No ring at all: a new device, or memory that lost its power.
    Fresh,
    /// A ring that does not hold together. It was given up; the new epoch tells the host.
    Damaged,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Header {
    number: u32,
    epoch: u32,
    /// Sequence number of the oldest event held, or of the next to come.
    first: u32,
    count: u32,
    start: u32,
    used: u32,
    /// How often the device has started, this start included once it is entered.
    boots: u32,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().ok()?);
        }
        let [magic, number, epoch, first, count, start, used, boots, crc] = words;
        let sound = magic == MAGIC && crc == crc32c(bytes.get(..HEADER - 4)?);
        sound.then_some(Self { number, epoch, first, count, start, used, boots })
    }

    fn write(&self, bytes: &mut [u8]) {
        let words = [MAGIC, self.number, self.epoch, self.first, self.count, self.start, self.used, self.boots];
        for (word, bytes) in words.iter().zip(bytes.chunks_exact_mut(4)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        if let Some((body, crc)) = bytes.split_last_chunk_mut::<4>() {
            *crc = crc32c(body).to_le_bytes();
        }
    }
}

/// A checkpoint as it is kept: the sound one with the highest number is the last, and of those of another record the
/// one with the highest number is the one before.
#[derive(Debug, Clone, Copy)]
struct Kept<'m> {
    number: u32,
    record: &'m [u8; RECORD_BYTES],
    lines: u64,
    root: &'m [u8; ROOT_BYTES],
}

impl<'m> Kept<'m> {
    fn read(bytes: &'m [u8]) -> Option<Self> {
        let (number, rest) = verified(bytes)?.split_first_chunk()?;
        let (record, rest) = rest.split_first_chunk()?;
        let (lines, root) = rest.split_first_chunk()?;
        let (number, lines) = (u32::from_le_bytes(*number), u64::from_le_bytes(*lines));
        let root = root.try_into().ok()?;
        (lines > 0).then_some(Self { number, record, lines, root })
    }

    const fn checkpoint(&self) -> Checkpoint {
        Checkpoint { record: *self.record, lines: self.lines, root: *self.root }
    }

    fn write(&self, bytes: &mut [u8]) {
        if let Some((body, crc)) = bytes.split_last_chunk_mut::<4>() {
            let parts = [&self.number.to_le_bytes()[..], self.record, &self.lines.to_le_bytes(), self.root];
            body.iter_mut().zip(parts.into_iter().flatten()).for_each(|(place, byte)| *place = *byte);
            *crc = crc32c(body).to_le_bytes();
        }
    }
}

/// A place in the ring: the event with this sequence number begins at this byte.
#[derive(Debug, Clone, Copy)]
struct Mark {
    seq: u32,
    at: u32,
}

/// A ring of unacknowledged events in memory `M`: an array, or a `&'static mut [u8]` that start-up code leaves alone.
#[derive(Debug)]
pub struct Ring<M> {
    memory: M,
    header: Header,
    /// Where the last read event began, so that reading on does not walk from the oldest.
    mark: Mark,
}

impl<M: Memory> Ring<M> {
    /// Finds the ring in `memory`, or makes an empty one there with `fresh_epoch`.
    ///
    /// `fresh_epoch` must be a number this device has never used: its boot count where that is kept in flash, or a
    /// random one.
    ///
    /// # Errors
    /// When the memory is smaller than [`MIN_RING`].
    pub fn restore(memory: M, fresh_epoch: u32) -> Result<(Self, Restored), RingTooSmall> {
        let bytes = memory.as_ref();
        if bytes.len() < MIN_RING || u32::try_from(bytes.len()).is_err() {
            return Err(RingTooSmall(bytes.len()));
        }
        let newest = newest_header(bytes);
        let blank = Header { number: 0, epoch: fresh_epoch, first: 1, count: 0, start: 0, used: 0, boots: 0 };
        let header = newest.unwrap_or(blank);
        let mut ring = Self { memory, header, mark: Mark { seq: header.first, at: header.start } };
        if newest.is_some() && ring.holds_together() {
            return Ok((ring, Restored::Sound(header.count)));
        }
        let found = if newest.is_some() { Restored::Damaged } else { Restored::Fresh };
        ring.commit(Header { number: header.number.wrapping_add(1), ..blank });
        ring.mark = Mark { seq: blank.first, at: blank.start };
        Ok((ring, found))
    }

    /// Gives up what it holds and begins another epoch, which this device has never used.
    pub fn begin_anew(&mut self, fresh_epoch: u32) {
        let Header { number, boots, .. } = self.header;
        let number = number.wrapping_add(1);
        self.commit(Header { number, epoch: fresh_epoch, first: 1, count: 0, start: 0, used: 0, boots });
        self.mark = Mark { seq: 1, at: 0 };
    }

    /// Enters a start of the device and gives its number: `counted`, as the device counts its starts elsewhere, or one
    /// more than the last that was entered here, where that is higher. So within an epoch it never goes back, whatever
    /// becomes of the other count.
    #[inline(never)]
    pub(crate) fn starts(&mut self, counted: u32) -> u32 {
        let header = self.header;
        let boots = counted.max(header.boots.saturating_add(1));
        self.commit(Header { number: header.number.wrapping_add(1), boots, ..header });
        boots
    }

    /// The checkpoints that count, each with its place: the last, and the one before.
    fn kept(&self) -> [Option<(usize, Kept<'_>)>; 2] {
        let last = self.newest_kept(None);
        [last, last.and_then(|(_, last)| self.newest_kept(Some(last.record)))]
    }

    /// The newest checkpoint that is not of this record.
    #[inline(never)]
    fn newest_kept(&self, but: Option<&[u8; RECORD_BYTES]>) -> Option<(usize, Kept<'_>)> {
        let places = self.memory.as_ref().get(2 * HEADER..FRONT)?;
        let mut newest: Option<(usize, Kept<'_>)> = None;
        for (at, place) in places.chunks_exact(KEPT).enumerate() {
            let Some(kept) = Kept::read(place).filter(|kept| but != Some(kept.record)) else { continue };
            if newest.is_none_or(|(_, newest)| kept.number.wrapping_sub(newest.number) as i32 > 0) {
                newest = Some((at, kept));
            }
        }
        newest
    }

    /// The checkpoints of the host's records that are kept.
    #[must_use]
    pub fn keeps(&self) -> Keeps {
        let [last, before] = self.kept().map(|kept| kept.map(|(_, kept)| kept.checkpoint()));
        Keeps { last, before }
    }

    /// Keeps a checkpoint that the host shows, unless a later one of the same record is kept. It lasts as long as the
    /// events, and longer than their epoch.
    #[inline(never)]
    pub fn witness(&mut self, shown: &Checkpoint) {
        let kept = self.kept();
        let same = kept.iter().flatten().find(|(_, kept)| *kept.record == shown.record);
        if shown.lines <= same.map_or(0, |(_, kept)| kept.lines) {
            return;
        }
        let number = kept[0].map_or(0, |(_, last)| last.number.wrapping_add(1));
        // neither of the two that count: a reset in the middle leaves both
        let is_free = |at: &usize| kept.iter().flatten().all(|(taken, _)| taken != at);
        let at = 2 * HEADER + (0..PLACES).find(is_free).unwrap_or_default() * KEPT;
        let Checkpoint { record, lines, root } = shown;
        if let Some(place) = self.memory.as_mut().get_mut(at..at + KEPT) {
            Kept { number, record, lines: *lines, root }.write(place);
        }
        self.memory.changed(at, KEPT);
    }

    fn data(&self) -> &[u8] {
        self.memory.as_ref().get(FRONT..).unwrap_or_default()
    }

    /// Bytes for entries.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.data().len()
    }

    /// Bytes not taken.
    #[must_use]
    pub fn free(&self) -> usize {
        self.capacity().saturating_sub(self.header.used as usize)
    }

    /// Number of the ring; it changes when the ring was lost.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.header.epoch
    }

    /// Oldest event held, or the next to come where none is held.
    #[must_use]
    pub const fn oldest(&self) -> u32 {
        self.header.first
    }

    /// Sequence number of the next event to come.
    #[must_use]
    pub const fn next(&self) -> u32 {
        self.header.first.saturating_add(self.header.count)
    }

    /// Events held.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.header.count
    }

    /// Whether every event was acknowledged.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.header.count == 0
    }

    /// The memory, as a reset would find it now.
    #[must_use]
    pub const fn memory(&self) -> &M {
        &self.memory
    }

    /// The memory, for a restart that hands it over.
    #[must_use]
    pub fn into_memory(self) -> M {
        self.memory
    }

    /// Keeps an event and gives its sequence number.
    ///
    /// # Errors
    /// When there is no room for it; nothing was changed then.
    pub fn push(&mut self, at_ms: u32, saw: &Observation) -> Result<u32, RingIsFull> {
        let seq = self.next();
        if seq == u32::MAX {
            return Err(RingIsFull); // four thousand million events: only a new epoch helps
        }
        let mut entry = [0; MAX_ENTRY];
        let event = EventRef::Event { seq, at_ms, saw };
        let checked = encode_body(&event, entry.get_mut(LENGTH..).unwrap_or_default()).map_err(|_| RingIsFull)?;
        let length = u16::try_from(checked).map_err(|_| RingIsFull)?;
        if let Some(place) = entry.first_chunk_mut::<LENGTH>() {
            *place = length.to_le_bytes();
        }
        let whole = LENGTH + checked;
        if whole > self.free() {
            return Err(RingIsFull);
        }
        self.write_at(self.wrapped(self.header.start, self.header.used), entry.get(..whole).unwrap_or_default());
        let header = self.header;
        let used = header.used + u32::from(length) + LENGTH as u32;
        self.commit(Header { number: header.number.wrapping_add(1), count: header.count + 1, used, ..header });
        Ok(seq)
    }

    /// Forgets every event up to and with `seq` of `epoch`, and gives how many. Another epoch, or a sequence number
    /// that was never given out, forgets nothing.
    pub fn forget(&mut self, epoch: u32, seq: u32) -> u32 {
        let old = self.header;
        if epoch != old.epoch || seq < old.first || seq >= self.next() {
            return 0;
        }
        let mut header = old;
        while header.first <= seq {
            let whole = self.length_at(header.start) + LENGTH as u32;
            header.start = self.wrapped(header.start, whole);
            header.used = header.used.saturating_sub(whole);
            header.first += 1;
            header.count -= 1;
        }
        header.number = old.number.wrapping_add(1);
        self.commit(header);
        if self.mark.seq < header.first {
            self.mark = Mark { seq: header.first, at: header.start };
        }
        header.first - old.first
    }

    /// Copies an event's body with its checksum into `out` and gives its length; `None` when the ring does
    /// not hold it.
    pub fn read(&mut self, seq: u32, out: &mut [u8; MAX_CHECKED]) -> Option<usize> {
        if seq < self.header.first || seq >= self.next() {
            return None;
        }
        let mut mark = self.mark;
        if mark.seq > seq || mark.seq < self.header.first {
            mark = Mark { seq: self.header.first, at: self.header.start };
        }
        while mark.seq < seq {
            mark.at = self.wrapped(mark.at, self.length_at(mark.at) + LENGTH as u32);
            mark.seq += 1;
        }
        self.mark = mark;
        let length = self.length_at(mark.at) as usize;
        self.read_at(self.wrapped(mark.at, LENGTH as u32), out.get_mut(..length)?);
        Some(length)
    }

    fn wrapped(&self, at: u32, by: u32) -> u32 {
        // in 32 bits: a microcontroller divides no others by itself
        let capacity = self.capacity() as u32;
        let to_the_end = capacity.saturating_sub(at);
        if by < to_the_end { at + by } else { (by - to_the_end) % capacity }
    }

    fn length_at(&self, at: u32) -> u32 {
        let mut length = [0; LENGTH];
        self.read_at(at, &mut length);
        u32::from(u16::from_le_bytes(length))
    }

    fn read_at(&self, at: u32, out: &mut [u8]) {
        let data = self.data();
        for (byte, from) in out.iter_mut().zip(data.iter().cycle().skip(at as usize)) {
            *byte = *from;
        }
    }

    fn write_at(&mut self, at: u32, bytes: &[u8]) {
        let data = self.memory.as_mut().get_mut(FRONT..).unwrap_or_default();
        let (early, late) = data.split_at_mut_checked(at as usize).unwrap_or_default();
        let before_the_end = late.len().min(bytes.len());
        for (place, byte) in late.iter_mut().chain(early).zip(bytes) {
            *place = *byte;
        }
        self.memory.changed(FRONT + at as usize, before_the_end);
        if before_the_end < bytes.len() {
            self.memory.changed(FRONT, bytes.len() - before_the_end);
        }
    }

    /// Enters a change: into the header not in use, after everything it describes.
    fn commit(&mut self, header: Header) {
        compiler_fence(Ordering::SeqCst);
        let at = if header.number.is_multiple_of(2) { 0 } else { HEADER };
        if let Some(place) = self.memory.as_mut().get_mut(at..at + HEADER) {
            header.write(place);
        }
        self.memory.changed(at, HEADER);
        compiler_fence(Ordering::SeqCst);
        self.header = header;
    }

    /// Whether the header describes entries that are all there, whole, and numbered without a gap.
    fn holds_together(&mut self) -> bool {
        let header = self.header;
        let capacity = self.capacity() as u64;
        if u64::from(header.start) >= capacity || u64::from(header.used) > capacity || header.first == 0 {
            return false;
        }
        let mut at = header.start;
        let mut walked = 0;
        let mut checked = [0; MAX_CHECKED];
        for n in 0..header.count {
            let length = self.length_at(at);
            walked += u64::from(length) + LENGTH as u64;
            let Some(place) = checked.get_mut(..length as usize).filter(|_| walked <= u64::from(header.used)) else {
                return false;
            };
            self.read_at(self.wrapped(at, LENGTH as u32), place);
            match head_of(place) {
                Some(EventHead::Event { seq }) if header.first.checked_add(n) == Some(seq) => {}
                _ => return false,
            }
            at = self.wrapped(at, length + LENGTH as u32);
        }
        walked == u64::from(header.used)
    }
}

/// [`ToHost::Event`](crate::message::ToHost::Event) without owning the observation.
#[derive(serde::Serialize)]
enum EventRef<'a> {
    Event { seq: u32, at_ms: u32, saw: &'a Observation },
}

/// How [`ToHost::Event`](crate::message::ToHost::Event) begins. Its checksum holds for the rest; reading that too would
/// cost a device kilobytes of code.
#[derive(serde::Deserialize)]
enum EventHead {
    Event { seq: u32 },
}

fn head_of(checked: &[u8]) -> Option<EventHead> {
    postcard::take_from_bytes(verified(checked)?).ok().map(|(head, _rest)| head)
}

fn newest_header(bytes: &[u8]) -> Option<Header> {
    let a = bytes.get(..HEADER).and_then(Header::read);
    let b = bytes.get(HEADER..2 * HEADER).and_then(Header::read);
    match (a, b) {
        (Some(a), Some(b)) if (b.number.wrapping_sub(a.number) as i32) < 0 => Some(a),
        (a, b) => b.or(a),
    }
}
