//! Which events of which devices have come, while devices come and go on one port.

use heapless::{String, Vec};

use super::report::{Missed, Resume};
use crate::Version;
use crate::message::{DeviceHello, SERIAL_BYTES};

/// Devices whose last event is remembered.
const REMEMBERED: usize = 4;

/// How far one device has been heard.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) serial: String<SERIAL_BYTES>,
    pub(super) epoch: u32,
    /// Last event reported.
    pub(super) delivered: u32,
    /// Last event the caller has called durable.
    pub(super) durable: u32,
    /// How often it had started when it was last here, where that is known.
    pub(super) boots: Option<u32>,
    /// The start of it that the caller remembers, or one before its last.
    pub(super) least: Option<u32>,
    /// In that start it sent an event numbered 0.
    pub(super) misnumbers: bool,
    /// The version it spoke when it was last here, where that is known.
    pub(super) version: Option<Version>,
}

/// The devices that were met, the most recent first.
#[derive(Debug)]
pub(super) struct KnownDevices(Vec<Known, REMEMBERED>);

impl KnownDevices {
    pub(super) fn resumed(resume: impl IntoIterator<Item = Resume>) -> Self {
        let known = |Resume { serial, epoch, seq, boots: least }| {
            let (delivered, durable) = (seq, seq);
            Known { serial, epoch, delivered, durable, boots: None, least, misnumbers: false, version: None }
        };
        Self(resume.into_iter().take(REMEMBERED).map(known).collect())
    }

    pub(super) fn first(&self) -> Option<&Known> {
        self.0.first()
    }

    pub(super) fn first_mut(&mut self) -> Option<&mut Known> {
        self.0.first_mut()
    }

    /// Every event up to and with `seq` of `epoch` is durable. Whether that is news to the device that was met last.
    pub(super) fn durable(&mut self, epoch: u32, seq: u32) -> bool {
        let Some(at) = self.0.iter().position(|known| known.epoch == epoch) else { return false };
        let Some(known) = self.0.get_mut(at) else { return false };
        let is_news = seq > known.durable && seq <= known.delivered;
        if is_news {
            known.durable = seq;
        }
        is_news && at == 0
    }

    /// Whether the device has sent an event numbered 0 since it started.
    pub(super) fn misnumbers(&self, hello: &DeviceHello) -> bool {
        let is_it = |known: &&Known| known.serial == hello.serial && known.boots == Some(hello.boots);
        self.0.iter().find(is_it).is_some_and(|known| known.misnumbers)
    }

    /// The version that the device with this serial number last spoke here.
    pub(super) fn spoke(&self, serial: &str) -> Option<Version> {
        self.0.iter().find(|known| known.serial == serial)?.version
    }

    /// Puts the device first and says what will never come from it. Since a start, its events have numbers from `fresh`
    /// on, above those that came before that start; where they have not, it has lost its ring and uses an epoch a
    /// second time. Where they have, and this start has a lower number than one that was here, that is said besides:
    /// nothing is taken again for it.
    pub(super) fn remember(
        &mut self,
        hello: &DeviceHello,
        fresh: u32,
        has_restarted: bool,
        version: Version,
    ) -> [Option<Missed>; 2] {
        let before = hello.oldest.saturating_sub(1);
        let anew = Known {
            serial: hello.serial.clone(),
            epoch: hello.epoch,
            delivered: before,
            durable: before,
            boots: Some(hello.boots),
            least: None,
            misnumbers: false,
            version: Some(version),
        };
        let Some(at) = self.0.iter().position(|known| known.serial == hello.serial) else {
            if self.0.is_full() {
                self.0.pop();
            }
            let _ = self.0.insert(0, anew);
            return [None, None];
        };
        if let Some(upto) = self.0.get_mut(..=at) {
            upto.rotate_right(1);
        }
        let Some(known) = self.0.first_mut() else { return [None, None] };
        let is_new_start = has_restarted || known.boots.is_some_and(|boots| boots != hello.boots);
        if known.epoch != hello.epoch || is_new_start && fresh <= known.delivered {
            let missed = Missed::RingLost { epoch: known.epoch, last: known.delivered };
            *known = anew;
            return [Some(missed), None];
        }
        let highest = known.boots.max(known.least).filter(|from| hello.boots < *from);
        let went_back = highest.map(|from| Missed::WentBack { from, to: hello.boots });
        // once it is said, this start is the one to go on from
        (known.boots, known.least) = (Some(hello.boots), None);
        known.version = Some(version);
        if before <= known.delivered {
            return [None, went_back];
        }
        let missed = Missed::Forgotten { from: known.delivered + 1, to: before };
        known.delivered = before;
        known.durable = before;
        [Some(missed), went_back]
    }
}
