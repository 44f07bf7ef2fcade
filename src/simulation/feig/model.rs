//! A FEIG reader's side of its protocol, written from its manual: tags in fields, requests in, replies out.

use std::collections::VecDeque;

use sabot_drivers::feig::frame::{Decoder, Form, Frame};
use sabot_drivers::feig::message::{ANY_READER, ISO_15693, KEEP_ALIVE, READS_ISO_15693};

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
/// A tag that stays in the field is recorded anew after so long, milliseconds.
const VALID_MS: u64 = 500;
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
}

/// Readers on one line, addressed from 0.
#[derive(Debug)]
pub(super) struct Bus {
    readers: Vec<Reader>,
    decoder: Decoder,
    serial_line: bool,
    last_ms: u64,
    /// The next byte is the first of a frame.
    fresh: bool,
    /// Silence before the frame that is coming, milliseconds.
    idle_ms: u64,
    /// A tag already seen stays silent until the field is reset.
    ont: bool,
    /// The readers watch by themselves.
    buffered: bool,
    /// They answer everything but what they are with this status.
    status: Option<u8>,
    /// They read ISO 15693 tags.
    iso_15693: bool,
}

impl Bus {
    pub(super) fn new(readers: u8, serial_line: bool) -> Self {
        Self {
            readers: (0..readers.max(1)).map(|_| Reader::default()).collect(),
            decoder: Decoder::new(if serial_line { GAP_MS } else { NETWORK_GAP_MS }),
            serial_line,
            last_ms: 0,
            fresh: true,
            idle_ms: 0,
            ont: false,
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

    fn answer(&mut self, now: u64, request: &Frame) -> Option<Vec<u8>> {
        let at = if request.address == ANY_READER { 0 } else { usize::from(request.address) };
        let address = u8::try_from(at).ok()?;
        let is_known = self.readers.len() > at;
        let body = is_known.then(|| self.body(now, at, request))?;
        let frame = |form| Frame { form, address, command: request.command, body: body.clone() };
        frame(request.form).encode().or_else(|_| frame(Form::Advanced).encode()).ok()
    }

    /// Status and data of the reply.
    fn body(&mut self, now: u64, at: usize, request: &Frame) -> Vec<u8> {
        if let (Some(status), false) = (self.status, request.command == 0x66) {
            return vec![status];
        }
        let (ont, buffered, iso) = (self.ont, self.buffered, self.iso_15693);
        let Some(reader) = self.readers.get_mut(at) else { return vec![UNKNOWN_COMMAND] };
        match (request.command, request.body.as_slice()) {
            (0x66, [0x00]) => {
                let tags = if iso { READS_ISO_15693 } else { 0x0001 };
                [&[0, 1, 4, 0, 0, 0x50][..], &tags.to_be_bytes(), &[1, 0, 1, 0]].concat()
            }
            (0x66, [0x80]) => [&[0][..], &(0x00C0_FFE0 + at as u32).to_be_bytes(), &[0; 12]].concat(),
            (0x52, [_]) => vec![0],
            (0x69, []) => {
                reader.tags.iter_mut().for_each(|tag| tag.silent = false);
                vec![0]
            }
            (0xB0, _) if buffered => vec![UNKNOWN_COMMAND],
            (0xB0, [0x01, mode]) => reader.inventory(mode & 0x80 != 0, ont),
            (0xB0, [0x23, mode, data @ ..]) => reader.blocks(mode & 0x07, data),
            (0x22, [high, low]) if buffered => reader.read_buffer(now, u16::from_be_bytes([*high, *low])),
            (0x32, []) if buffered => {
                reader.buffer.drain(..reader.read.min(reader.buffer.len()));
                reader.read = 0;
                vec![0]
            }
            (0x66 | 0x52 | 0x69 | 0xB0, _) => vec![0x81],
            (0x22 | 0x32, _) if buffered => vec![0x81],
            _ => vec![UNKNOWN_COMMAND],
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
                    eprintln!("there is no reader {reader} on this line");
                }
            }
            Lever::Take(uid) => self.take(uid),
            Lever::Ont(on) => self.ont = on,
            Lever::Buffered(on) => self.buffered = on,
            Lever::Status(status) => self.status = status,
            Lever::Iso(on) => self.iso_15693 = on,
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
        let mut replies = Vec::new();
        while let Some(next) = self.decoder.next_frame() {
            self.fresh = true;
            // a bad frame gets no reply, nor one that came without silence before it
            let Ok(frame) = next else { continue };
            if self.serial_line && self.idle_ms < IDLE_MS {
                continue;
            }
            replies.extend(self.answer(now, &frame));
        }
        replies
    }

    fn sent(&mut self, now: u64) {
        self.last_ms = now;
    }

    fn tick(&mut self, _: u64) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn restart(&mut self) {
        self.decoder.restart();
        for reader in &mut self.readers {
            (reader.read, reader.overflowed) = (0, false);
            reader.buffer.clear();
            reader.rest.clear();
            reader.tags.iter_mut().for_each(|tag| (tag.silent, tag.recorded) = (false, None));
        }
    }
}

impl Reader {
    fn inventory(&mut self, more: bool, ont: bool) -> Vec<u8> {
        if !more {
            let mut uids: Vec<u64> = self.tags.iter().filter(|tag| !tag.silent).map(|tag| tag.uid).collect();
            // twins of one chip in one field answer as one
            uids.sort_unstable();
            uids.dedup();
            self.rest = uids.into();
        }
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

    fn scan(&mut self, now: u64) {
        for tag in &mut self.tags {
            if tag.recorded.is_some_and(|at| now < at + VALID_MS) {
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

    fn read_buffer(&mut self, now: u64, sets: u16) -> Vec<u8> {
        self.scan(now);
        let count = self.buffer.len().min(usize::from(sets));
        self.read = count;
        if count == 0 {
            return vec![0x92];
        }
        let status = if std::mem::take(&mut self.overflowed) { 0x93 } else { 0x00 };
        let mut body = vec![status, 0x11];
        body.extend((count as u16).to_be_bytes());
        for (uid, antenna) in self.buffer.iter().take(count) {
            body.extend([0, 14, ISO_15693, 0, 8]);
            body.extend(uid.to_be_bytes());
            body.push(*antenna);
        }
        body
    }
}
