//! A FEIG reader's side of its protocol, written from its manual: tags in fields, requests in, replies out.

use std::collections::VecDeque;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sabot_drivers::feig::frame::{Decoder, Form, Frame};
use sabot_drivers::feig::message::{ANY_READER, ISO_15693, KEEP_ALIVE, READS_ISO_15693};

use super::air::Air;
use super::levers::Lever;
use crate::third_party::Model;

/// A reader gives a frame up when nothing of it came for so long, milliseconds.
const GAP_MS: u64 = 12;
/// A network keeps no such time: what is left of a frame after so long is none, milliseconds.
const NETWORK_GAP_MS: u64 = 1000;
/// It needs so much silence before a frame, milliseconds.
const IDLE_MS: u64 = 5;
/// Tags that fit in one reply; for more the host asks again.
const TAGS_A_REPLY: usize = 10;
/// Records a buffer holds.
const BUFFER: usize = 200;
/// A reader that watches by itself rests so long between two looks, milliseconds.
const REST_MS: u64 = 10;
/// A byte on the line at 38400 baud, with start, parity and stop, microseconds.
const BYTE_US: u64 = 286;
/// A reader that knows its answer takes so long to give it, milliseconds.
const THINK_MS: u64 = 6;
/// How long the field is off for a reset, milliseconds.
const RESET_MS: u64 = 15;
/// Pages of the configuration, and bytes of each.
const PAGES: usize = 64;
const PAGE: usize = 14;
/// Of a page: no such page.
const NO_PAGE: u8 = 0x15;
/// The pages as a reader is set up for a table: 38400 baud, even parity, an answer within a second; ISO 15693 alone; 16
/// slots, block size 4; records of identifier and antenna; a record each half second.
const SET_UP: [(usize, usize, u8); 10] = [
    (1, 2, 8),
    (1, 3, 1),
    (1, 7, 10),
    (3, 1, 0x08),
    (4, 4, 0x0B),
    (4, 13, 4),
    (5, 0, 2),
    (11, 0, 0x11),
    (12, 1, 5),
    (12, 2, 1),
];
/// Blocks of a tag, of four bytes each.
const BLOCKS: usize = 8;
/// The status for commands a reader does not know, or not in its present mode.
const UNKNOWN_COMMAND: u8 = 0x80;

/// A tag in a field.
#[derive(Debug, Clone)]
struct Tag {
    uid: u64,
    antenna: u8,
    blocks: [[u8; 4]; BLOCKS],
    /// Told to be silent until the field is reset.
    silent: bool,
    recorded: Option<u64>,
}

#[derive(Debug, Default)]
struct Reader {
    tags: Vec<Tag>,
    /// Tags of the running inventory that wait for "more".
    rest: VecDeque<u64>,
    buffer: VecDeque<(u64, u8)>,
    /// Records handed out since the buffer was last cleared.
    read: usize,
    overflowed: bool,
    /// When it looks again by itself.
    looks_ms: u64,
}

/// The field a reader sees its tags in.
#[derive(Debug)]
struct Field {
    air: Air,
    random: ChaCha8Rng,
    /// A hand lies on the spots of this reader.
    hand: Option<u8>,
}

impl Field {
    /// The tags that a reader finds now, and how long that takes, milliseconds.
    fn look<'a>(&mut self, at: usize, tags: impl Iterator<Item = &'a Tag> + Clone) -> (Vec<u64>, u64) {
        let is_under_hand = self.hand.is_some_and(|hand| usize::from(hand) == at);
        let mut uids = Vec::new();
        for tag in tags.clone() {
            let beside = tags.clone().filter(|other| other.antenna == tag.antenna).count();
            let is_missed = self.air.misses(&mut self.random, u32::try_from(beside).unwrap_or(u32::MAX), is_under_hand);
            if !is_missed {
                uids.push(tag.uid);
            }
        }
        // twins of one chip in one field answer as one
        uids.sort_unstable();
        uids.dedup();
        let took = self.air.inventory_ms(&uids);
        (uids, took)
    }
}

/// Readers on one line, addressed from 0.
#[derive(Debug)]
pub(super) struct Bus {
    readers: Vec<Reader>,
    decoder: Decoder,
    serial_line: bool,
    /// The serial number of the reader with the lowest address: of another seed it is another.
    first_id: u32,
    last_ms: u64,
    /// The next byte is the first of a frame.
    fresh: bool,
    /// Silence before the frame that is coming, milliseconds.
    idle_ms: u64,
    field: Field,
    /// The configuration, the same for all.
    pages: [[u8; PAGE]; PAGES],
    /// Answers that are not given yet, with when they are.
    answers: VecDeque<(u64, Vec<u8>)>,
    /// The readers watch by themselves.
    buffered: bool,
    /// They answer everything but what they are with this status.
    status: Option<u8>,
    /// They read ISO 15693 tags.
    iso_15693: bool,
}

impl Bus {
    pub(super) fn new(readers: u8, serial_line: bool, seed: u64) -> Self {
        let mut pages = [[0; PAGE]; PAGES];
        for (page, at, byte) in SET_UP {
            pages[page][at] = byte;
        }
        Self {
            readers: (0..readers.max(1)).map(|_| Reader::default()).collect(),
            decoder: Decoder::new(if serial_line { GAP_MS } else { NETWORK_GAP_MS }),
            serial_line,
            first_id: 0x00C0_FFE0u32.wrapping_add((seed as u32).wrapping_sub(1) << 8),
            last_ms: 0,
            fresh: true,
            idle_ms: 0,
            field: Field { air: Air::GOOD, random: ChaCha8Rng::seed_from_u64(seed), hand: None },
            pages,
            answers: VecDeque::new(),
            buffered: false,
            status: None,
            iso_15693: true,
        }
    }

    /// A chip is laid down; `value` stands in its blocks. One that lies elsewhere stays there: twins of a chip are how
    /// a forger works.
    fn put(&mut self, reader: u8, antenna: u8, uid: u64, value: u32) -> bool {
        let Some(reader) = self.readers.get_mut(usize::from(reader)) else { return false };
        let blocks = [value.to_be_bytes(); BLOCKS];
        reader.tags.retain(|tag| (tag.uid, tag.antenna) != (uid, antenna));
        reader.tags.push(Tag { uid, antenna, blocks, silent: false, recorded: None });
        true
    }

    /// A chip is taken away from wherever it lies; none: all of them.
    fn take(&mut self, uid: Option<u64>) {
        for reader in &mut self.readers {
            reader.tags.retain(|tag| uid.is_some_and(|uid| uid != tag.uid));
        }
    }

    /// What every reader sends unasked, to show that it lives.
    fn keep_alive(&self) -> Vec<u8> {
        let alive =
            |address| Frame { form: Form::Advanced, address, command: KEEP_ALIVE, body: vec![0, 0, 0] }.encode();
        (0..self.readers.len()).filter_map(|at| alive(u8::try_from(at).ok()?).ok()).flatten().collect()
    }

    fn set_bit(&mut self, page: usize, at: usize, bit: u8, on: bool) {
        let byte = &mut self.pages[page][at];
        *byte = *byte & !(1 << bit) | u8::from(on) << bit;
    }

    /// The answer to a request, and when it is given.
    fn answer(&mut self, now: u64, request: &Frame) -> Option<(u64, Vec<u8>)> {
        let at = if request.address == ANY_READER { 0 } else { usize::from(request.address) };
        let address = u8::try_from(at).ok()?;
        let is_known = self.readers.len() > at;
        let (body, took) = is_known.then(|| self.body(now, at, request))?;
        let frame = |form| Frame { form, address, command: request.command, body: body.clone() };
        let bytes = frame(request.form).encode().or_else(|_| frame(Form::Advanced).encode()).ok()?;
        let on_the_line = if self.serial_line { bytes.len() as u64 * BYTE_US / 1000 } else { 0 };
        Some((now + THINK_MS + took + on_the_line, bytes))
    }

    /// Status and data of the reply, and how long the reader works for them, milliseconds.
    fn body(&mut self, now: u64, at: usize, request: &Frame) -> (Vec<u8>, u64) {
        if let (Some(status), false) = (self.status, [0x66, 0x80].contains(&request.command)) {
            return (vec![status], 0);
        }
        let (buffered, iso) = (self.buffered, self.iso_15693);
        let Some(reader) = self.readers.get_mut(at) else { return (vec![UNKNOWN_COMMAND], 0) };
        let at_once = match (request.command, request.body.as_slice()) {
            (0xB0, [0x01, mode]) if !buffered => return self.inventory(at, mode & 0x80 != 0),
            (0x69, []) => {
                reader.tags.iter_mut().for_each(|tag| tag.silent = false);
                return (vec![0], RESET_MS);
            }
            (0x66, [0x00]) => {
                let tags = if iso { READS_ISO_15693 } else { 0x0001 };
                [&[0, 1, 4, 0, 0, 0x50][..], &tags.to_be_bytes(), &[1, 0, 1, 0]].concat()
            }
            (0x66, [0x80]) => [&[0][..], &(self.first_id + at as u32).to_be_bytes(), &[0; 12]].concat(),
            (0x80, [page]) => match self.pages.get(usize::from(page & 0x7F)) {
                Some(page) => [&[0][..], page].concat(),
                None => vec![NO_PAGE],
            },
            (0x52, [_]) => vec![0],
            (0xB0, _) if buffered => vec![UNKNOWN_COMMAND],
            (0xB0, [0x23, mode, data @ ..]) => reader.blocks(mode & 0x07, data),
            (0x22, [high, low]) if buffered => {
                let sets = u16::from_be_bytes([*high, *low]);
                self.watch(now);
                self.readers.get_mut(at).map_or_else(Vec::new, |reader| reader.read_buffer(sets, &self.pages))
            }
            (0x32, []) if buffered => {
                reader.buffer.drain(..reader.read.min(reader.buffer.len()));
                reader.read = 0;
                vec![0]
            }
            (0x66 | 0x52 | 0x69 | 0x80 | 0xB0, _) => vec![0x81],
            (0x22 | 0x32, _) if buffered => vec![0x81],
            _ => vec![UNKNOWN_COMMAND],
        };
        (at_once, 0)
    }

    /// An inventory takes as long as the tags do, and is broken off when the reader may look no longer.
    fn inventory(&mut self, at: usize, more: bool) -> (Vec<u8>, u64) {
        let limit = u64::from(u16::from_be_bytes([self.pages[1][6], self.pages[1][7]])) * 100;
        let ont = self.pages[5][11] & 1 == 1;
        let Some(reader) = self.readers.get_mut(at) else { return (vec![UNKNOWN_COMMAND], 0) };
        let mut took = 0;
        if !more {
            let (found, needed) = self.field.look(at, reader.tags.iter().filter(|tag| !tag.silent));
            reader.rest = found.into();
            took = needed;
            if needed > limit {
                reader.rest.clear();
                return (vec![0x83], limit);
            }
        }
        (reader.reply(ont), took)
    }

    /// Readers that watch by themselves look when it is time.
    fn watch(&mut self, now: u64) {
        let valid = u64::from(u16::from_be_bytes([self.pages[12][0], self.pages[12][1]])) * 100;
        for (at, reader) in self.readers.iter_mut().enumerate() {
            if now >= reader.looks_ms {
                let (found, took) = self.field.look(at, reader.tags.iter());
                reader.record(now, &found, valid);
                reader.looks_ms = now + took + REST_MS;
            }
        }
    }
}

impl Model for Bus {
    type Lever = Lever;

    fn obey(&mut self, _: u64, lever: Lever) -> Vec<Vec<u8>> {
        match lever {
            Lever::Put { uid, reader, antenna, value } => {
                let is_there = self.put(reader, antenna, uid, value);
                if !is_there {
                    tracing::warn!(reader, "there is no such reader on this line");
                }
            }
            Lever::Take(uid) => self.take(uid),
            Lever::Ont(on) => self.set_bit(5, 11, 0, on),
            Lever::Buffered(on) => self.buffered = on,
            Lever::Status(status) => self.status = status,
            Lever::Iso(on) => self.iso_15693 = on,
            Lever::Cfg { page, at, byte } => {
                if let Some(place) =
                    self.pages.get_mut(usize::from(page)).and_then(|page| page.get_mut(usize::from(at)))
                {
                    *place = byte;
                }
            }
            Lever::Miss(per_mille) => self.field.air.miss = per_mille,
            Lever::Stack(per_mille) => self.field.air.stack = per_mille,
            Lever::Hand(reader) => self.field.hand = reader,
            Lever::HighRate(is_fast) => self.field.air.is_fast = is_fast,
            Lever::Alive => return vec![self.keep_alive()],
        }
        Vec::new()
    }

    fn receive(&mut self, now: u64, bytes: &[u8]) -> Vec<Vec<u8>> {
        let idle = now.saturating_sub(self.last_ms);
        if self.fresh || idle >= GAP_MS {
            self.idle_ms = idle;
        }
        (self.last_ms, self.fresh) = (now, false);
        self.decoder.push(now, bytes);
        while let Some(next) = self.decoder.next_frame() {
            self.fresh = true;
            // a bad frame gets no reply, nor one that came without silence before it
            let Ok(frame) = next else { continue };
            if self.serial_line && self.idle_ms < IDLE_MS {
                continue;
            }
            // one that works on a request hears no other
            if self.answers.is_empty() {
                let answer = self.answer(now, &frame);
                self.answers.extend(answer);
            }
        }
        Vec::new()
    }

    fn sent(&mut self, now: u64) {
        self.last_ms = now;
    }

    fn tick(&mut self, now: u64) -> Vec<Vec<u8>> {
        if self.buffered {
            self.watch(now);
        }
        let due = self.answers.iter().take_while(|(at, _)| *at <= now).count();
        self.answers.drain(..due).map(|(_, bytes)| bytes).collect()
    }

    fn restart(&mut self) {
        self.decoder.restart();
        self.answers.clear();
        for reader in &mut self.readers {
            (reader.read, reader.overflowed, reader.looks_ms) = (0, false, 0);
            reader.buffer.clear();
            reader.rest.clear();
            reader.tags.iter_mut().for_each(|tag| (tag.silent, tag.recorded) = (false, None));
        }
    }
}

impl Reader {
    /// The next tags of an inventory that fit in a reply.
    fn reply(&mut self, ont: bool) -> Vec<u8> {
        let some: Vec<u64> = self.rest.drain(..self.rest.len().min(TAGS_A_REPLY)).collect();
        if ont {
            self.tags.iter_mut().filter(|tag| some.contains(&tag.uid)).for_each(|tag| tag.silent = true);
        }
        if some.is_empty() {
            return vec![0x01];
        }
        let mut body = vec![if self.rest.is_empty() { 0x00 } else { 0x94 }, some.len() as u8];
        for uid in some {
            body.extend([ISO_15693, 0]);
            body.extend(uid.to_be_bytes());
        }
        body
    }

    fn blocks(&self, mode: u8, data: &[u8]) -> Vec<u8> {
        let (uid, range) = if mode == 1 { data.split_at_checked(8).unwrap_or((&[], &[])) } else { (&[][..], data) };
        let &[first, count] = range else { return vec![0x81] };
        let uid = <[u8; 8]>::try_from(uid).ok().map(u64::from_be_bytes);
        let tag = self.tags.iter().find(|tag| uid.is_none_or(|uid| uid == tag.uid));
        let Some(tag) = tag else { return vec![0x01] };
        let Some(blocks) = tag.blocks.get(usize::from(first)..usize::from(first) + usize::from(count)) else {
            return vec![0x95, 0x10]; // the tag has no such block
        };
        let mut body = vec![0x00, count, 4];
        for block in blocks {
            body.push(0);
            body.extend(block);
        }
        body
    }

    /// Puts what was found into the buffer: each tag again when its Valid-Time is over.
    fn record(&mut self, now: u64, found: &[u64], valid_ms: u64) {
        for tag in self.tags.iter_mut().filter(|tag| found.contains(&tag.uid)) {
            if tag.recorded.is_some_and(|at| now < at + valid_ms) {
                continue;
            }
            tag.recorded = Some(now);
            if self.buffer.len() < BUFFER {
                self.buffer.push_back((tag.uid, tag.antenna));
            } else {
                self.overflowed = true;
            }
        }
    }

    /// Records as `TR-DATA1` and `TR-DATA2` of the configuration ask for them.
    fn read_buffer(&mut self, sets: u16, pages: &[[u8; PAGE]; PAGES]) -> Vec<u8> {
        let count = self.buffer.len().min(usize::from(sets));
        self.read = count;
        if count == 0 {
            return vec![0x92];
        }
        let status = if std::mem::take(&mut self.overflowed) { 0x93 } else { 0x00 };
        let [fields, more_fields, ..] = pages[11];
        let mut body = vec![status, fields];
        if fields & 0x80 != 0 {
            body.push(more_fields);
        }
        body.extend((count as u16).to_be_bytes());
        for &(uid, antenna) in self.buffer.iter().take(count) {
            let mut record = Vec::new();
            if fields & 0x01 != 0 {
                let afi: &[u8] = if fields & 0x80 != 0 && more_fields & 0x04 != 0 { &[0, 0] } else { &[] };
                record.extend([ISO_15693, 0, 8 + afi.len() as u8]);
                record.extend(afi);
                record.extend(uid.to_be_bytes());
            }
            if fields & 0x10 != 0 {
                let by_multiplexer = pages[15][0] & 1 == 1;
                record.push(if by_multiplexer { 1 << antenna.saturating_sub(1).min(7) } else { antenna });
            }
            body.extend((record.len() as u16 + 2).to_be_bytes());
            body.extend(record);
        }
        body
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
