//! Before any tag is asked for: what each reader is, and how it is set up.

use super::super::NO_SERIAL;
use super::super::message::{self, READS_ISO_15693};
use super::super::setup_check::{Impossible, Pages};
use super::{NAMELESS, Session, Step, named};
use crate::link::machine::Distrust;

impl Session {
    pub(super) fn told_info(&mut self, now: u64, info: message::Info) {
        if info.tags & READS_ISO_15693 == 0 {
            return self.refuse(
                now,
                format!("a reader of model {:02X} answers that reads no ISO 15693 tags", info.model),
                None,
            );
        }
        if let Some(reader) = self.readers.get_mut(self.turn) {
            reader.pages = Pages::default();
        }
        if self.turn == 0 {
            self.firmware = info.version;
            self.step = Step::DeviceId;
        } else {
            self.next_page(now, None);
        }
    }

    pub(super) fn told_id(&mut self, now: u64, id: Option<u32>) {
        self.serial = id.map_or_else(|| NAMELESS.to_owned(), |id| format!("{NAMELESS}-{id:08X}"));
        if let Some(pinned) = self.setup.serial.as_ref().filter(|pinned| **pinned != self.serial) {
            let why = format!("the reader {} answers where {pinned} is configured", self.serial);
            return self.refuse(now, why, Some(Distrust::Swapped));
        }
        if id.is_none() {
            tracing::warn!(line = self.line, "{NO_SERIAL}");
        } else if let Some(why) = self.known.refuses(&self.serial, &self.line) {
            return self.refuse(now, why, Some(Distrust::Swapped));
        }
        self.next_page(now, None);
    }

    /// Asks for the next page of the reader's configuration; after the last, holds them against what is needed.
    pub(super) fn next_page(&mut self, now: u64, before: Option<u8>) {
        if let Some(page) = Pages::next(&self.setup, before) {
            self.step = Step::Config(page);
            return;
        }
        let Some(reader) = self.readers.get_mut(self.turn) else { return };
        (reader.response_ms, reader.ont) = (reader.pages.response_ms(), reader.pages.is_ont());
        let name = named(reader.address);
        match reader.pages.check(&self.setup) {
            Ok(advice) => {
                self.advice.extend(advice.into_iter().map(|what| format!("the reader{name}: {what}")));
                self.next_question(now);
            }
            Err(Impossible(what)) => self.refuse(now, format!("the reader{name}: {what}"), None),
        }
    }
}
