//! The devices of a table: how they are, and what of that the record has been told.

use std::collections::HashMap;

use sabot_drivers::{Distrust, LineState, LinkReport, Quality, Resume};
use sabot_wire::clock::Clock;
use sabot_wire::host::Missed;
use sabot_wire::message::{DeviceHello, Role, Started};
use smol_str::{SmolStr, format_smolstr};

use super::config::{DeviceConfig, Driver};
use super::device_warnings;
use super::snapshot::{ClockView, DeviceFigures, DeviceState, DeviceView};
use sabot_law::table::felt::Words;
use sabot_law::table::{Event, Name};

/// Between serial number and the rest, in what is recorded of a device that came.
const AFTER_SERIAL: &str = ", firmware ";

/// A status to be recorded, with its detail.
pub(super) type Status = (&'static str, Option<Name>);

#[derive(Debug)]
struct Device {
    role: Role,
    view: DeviceView,
    /// The last status recorded since the station started.
    recorded: Option<&'static str>,
    /// It has said that it takes no more.
    full: bool,
    /// It has told as much as it may before the record has it.
    held_up: bool,
}

impl Device {
    /// Takes over whether it takes no more; true when that is news.
    fn hold(&mut self, full: bool, held_up: bool) -> bool {
        let news = (self.full, self.held_up) != (full, held_up);
        (self.full, self.held_up) = (full, held_up);
        self.view.full = match (full, held_up) {
            (true, _) => Some(device_warnings::full(self.role)),
            (_, true) => Some(device_warnings::held_up()),
            _ => None,
        };
        news
    }
}

/// Every configured device.
#[derive(Debug)]
pub(super) struct Presence {
    devices: Vec<Device>,
    roles: HashMap<Name, Role>,
}

impl Presence {
    pub(super) fn new(configs: &[DeviceConfig]) -> Self {
        let device = |config: &DeviceConfig| Device {
            role: config.role,
            view: DeviceView { role: config.role.name().to_owned(), port: config.place(), ..DeviceView::default() },
            recorded: None,
            full: false,
            held_up: false,
        };
        Self { devices: configs.iter().map(device).collect(), roles: HashMap::new() }
    }

    pub(super) fn views(&self) -> Vec<DeviceView> {
        self.devices.iter().map(|device| device.view.clone()).collect()
    }

    /// The role of the device with a serial number, where it has been met since the station started.
    pub(super) fn role_of(&self, serial: &str) -> Option<Role> {
        self.roles.get(serial).copied()
    }

    pub(super) fn met(&mut self, serial: &str, role: Role) {
        if self.role_of(serial) != Some(role) {
            self.roles.insert(SmolStr::new(serial), role);
        }
    }

    /// Takes what a link says of its device; what the record is to be told of it, where that is news.
    pub(super) fn take(&mut self, role: Role, report: &LinkReport) -> Option<Status> {
        let device = self.of(role)?;
        let (state, detail, status) = match report {
            LinkReport::Absent(why) => (DeviceState::Absent, why.clone(), Some("offline")),
            // a port that opens says nothing yet, but one that has to be opened again was gone
            LinkReport::Connecting => (
                DeviceState::Connecting,
                String::new(),
                device.recorded.filter(|recorded| *recorded == "online").map(|_| "offline"),
            ),
            LinkReport::Online { hello, started } => (DeviceState::Online, described(hello, started), Some("online")),
            LinkReport::Refused { why, distrust } => {
                let status = match distrust {
                    Some(Distrust::Unpaired) => "unpaired",
                    Some(Distrust::Swapped) => "swapped",
                    Some(Distrust::Downgraded) => "downgraded",
                    None => "refused",
                };
                (DeviceState::Refused, why.clone(), Some(status))
            }
            LinkReport::Forged => return Some(("forged", None)),
            LinkReport::Missed(missed) => {
                if matches!(missed, Missed::RingLost { .. }) {
                    device.hold(false, device.held_up); // it has begun a ring anew
                }
                return Some(missed_events(*missed));
            }
            LinkReport::Quality(Quality::Poor(why)) => {
                device.view.poor = Some(device_warnings::poor(why));
                return Some(("link_poor", Some(format_smolstr!("{why}"))));
            }
            LinkReport::Quality(Quality::Good) => {
                device.view.poor = None;
                return Some(("link_good", None));
            }
            LinkReport::Saw(_) => return None,
        };
        device.view.state = state;
        device.view.detail.clone_from(&detail);
        let status = status?;
        // a device that says hello again has restarted, which is news; the rest is told once
        if status != "online" && device.recorded == Some(status) {
            return None;
        }
        device.recorded = Some(status);
        Some((status, Some(detail).filter(|detail| !detail.is_empty()).map(Name::from)))
    }

    /// Takes over what a link has found out; true when that is news to people.
    pub(super) fn count(&mut self, role: Role, line: &LineState) -> bool {
        let Some(device) = self.of(role) else { return false };
        let LineState { counters, quality, clock } = line;
        let view = &mut device.view;
        // that a line is poor is told by the link, once; here are its newest figures
        let poor = match (&view.poor, quality) {
            (Some(_), Quality::Poor(why)) => Some(device_warnings::poor(why)),
            (told, _) => told.clone(),
        };
        let shown = (counters.bad_frames, counters.repeats, poor);
        let news = (view.bad_frames, view.repeats, &view.poor) != (shown.0, shown.1, &shown.2);
        (view.bad_frames, view.repeats, view.poor) = shown;
        view.figures = DeviceFigures {
            events: counters.events,
            frames: counters.frames,
            gaps: counters.gaps,
            lost: counters.lost,
            unheard: counters.unheard,
            forged: counters.forged,
            reconnects: counters.reconnects,
            clock: clock.as_ref().map(clock_view),
        };
        news
    }

    /// The device says that its ring is full, or has room again; true when that is news.
    pub(super) fn full(&mut self, role: Role, full: bool) -> bool {
        self.of(role).is_some_and(|device| device.hold(full, device.held_up))
    }

    /// The device has told as much as it may before the record has it, or may tell more again; true when that is news.
    pub(super) fn held_up(&mut self, role: Role, held_up: bool) -> bool {
        self.of(role).is_some_and(|device| device.hold(device.full, held_up))
    }

    /// What the people at the table are to be told before anything else.
    pub(super) fn urgent(&self) -> impl Iterator<Item = Words> {
        let full = self.devices.iter().filter(|device| device.full);
        let held_up = self.devices.iter().any(|device| device.held_up && !device.full);
        full.map(|device| device_warnings::full_at_the_table(device.role))
            .chain(held_up.then(device_warnings::held_up_at_the_table))
    }

    fn of(&mut self, role: Role) -> Option<&mut Device> {
        self.devices.iter_mut().find(|device| device.role == role)
    }
}

const fn clock_view(clock: &Clock) -> ClockView {
    let within = clock.within_ms;
    ClockView { offset_ms: clock.offset_ms(), error_ms: within, round_trip_ms: within.saturating_mul(2) }
}

/// What a device says of itself, in words.
pub(crate) fn described(hello: &DeviceHello, started: &Started) -> String {
    let [major, minor, patch] = hello.firmware;
    let why = match started {
        Started::Power | Started::Unknown => String::new(),
        Started::Reset => " (reset)".to_owned(),
        Started::Watchdog => " (watchdog)".to_owned(),
        Started::Panic { file, line } => format!(" (panic at {file}:{line})"),
    };
    format!("{}{AFTER_SERIAL}{major}.{minor}.{patch}, start {}{why}", hello.serial, hello.boots)
}

fn missed_events(missed: Missed) -> Status {
    match missed {
        Missed::RingLost { last, .. } => ("ring_lost", Some(format_smolstr!("after event {last}"))),
        Missed::Forgotten { from, to } => ("events_missed", Some(format_smolstr!("{from} to {to}"))),
    }
}

/// Which device was last on each port, read from a record that is continued.
#[derive(Debug, Default)]
pub(super) struct LastSeen(HashMap<Role, Name>);

impl LastSeen {
    pub(super) fn recall(&mut self, event: &Event) {
        if let Event::Device { device, status, detail: Some(detail), .. } = event
            && status == "online"
            && let Some(role) = Role::ALL.into_iter().find(|role| role.name() == device)
            && let Some((serial, _)) = detail.split_once(AFTER_SERIAL)
        {
            self.0.insert(role, Name::new(serial));
        }
    }

    /// Where the link to a device goes on: with the pinned device, or the one that was last there.
    pub(super) fn resume(&self, config: &DeviceConfig, last: &HashMap<Name, (u32, u32)>) -> Option<Resume> {
        let Driver::Own(link) = &config.driver else { return None };
        let serial = link.serial.clone().or_else(|| self.0.get(&config.role).map(ToString::to_string))?;
        let &(epoch, seq) = last.get(serial.as_str())?;
        Some(Resume { serial, epoch, seq })
    }
}
