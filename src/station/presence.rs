//! The devices of a table: how they are, and what of that the record has been told.

use std::collections::{HashMap, HashSet};

use sabot_drivers::saw::{Pad, ReadRate};
use sabot_drivers::{Distrust, LineState, LinkReport, Quality, Resume};
use sabot_wire::HELD_BACK_MS;
use sabot_wire::clock::Clock;
use sabot_wire::host::{Missed, Withheld};
use sabot_wire::message::{DeviceHello, DeviceState as Says, Image, Observation, Role, ShufflerSaw, Started};
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, format_smolstr};

use super::about;
use super::absence::Absence;
use super::config::{DeviceConfig, Driver};
use super::device_warnings;
use super::snapshot::{ClockView, DeviceFigures, DeviceState, DeviceView, KeyState, ReadRateView};
use super::sourced_event::{DOOR_CLOSED, DOOR_OPEN, RING_FREE, RING_FULL, SourcedEvent, device_event};
use sabot_journal::SeenAt;
use sabot_law::table::felt::Words;
use sabot_law::table::{Event, Name};

/// Between the ports of readers on several lines, which are one device.
pub(crate) const BETWEEN_LINES: &str = ", ";
/// Between serial number and the rest, in what is recorded of a device that came.
const AFTER_SERIAL: &str = ", firmware ";
/// Before the hash of what it runs.
const BEFORE_IMAGE: &str = ", image ";
/// Before the number of its start.
const BEFORE_START: &str = ", start ";

/// Why a device is called away that is in session.
const STARTED_ANEW: &str = "it has started anew: it saw nothing meanwhile";
const FULL: &str = "its ring is full: what it would see now is lost";
const OUT_OF_ORDER: &str = "what it kept while no station heard it cannot be put in order";

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
    /// Which device was last in session, and which of its starts.
    start: Option<(Name, u32)>,
    /// What it is to run, where the configuration names it, and what the device ran that was last in session.
    pinned: Option<Image>,
    ran: Option<(Name, Image)>,
    /// Since the record calls it away.
    absence: Option<Absence>,
}

impl Device {
    /// One of which nothing has been heard.
    fn at(role: Role, port: String) -> Self {
        Self {
            role,
            view: DeviceView { role: role.name().to_owned(), port, ..DeviceView::default() },
            recorded: None,
            full: false,
            held_up: false,
            start: None,
            pinned: None,
            ran: None,
            absence: None,
        }
    }

    /// It runs this, and what that is found to be: a program that nobody is to have flashed.
    fn runs(&mut self, serial: &str, image: Image) -> Option<Status> {
        let ran = self.ran.replace((Name::new(serial), image));
        let ran = ran.filter(|(of, _)| of == serial).map(|(_, image)| image);
        let more = match (self.pinned, ran) {
            (_, Some(ran)) if ran == image => return None,
            (Some(pinned), _) if pinned == image => return None,
            (None, None) => return None,
            (Some(pinned), _) => format_smolstr!("the configuration names {pinned}"),
            (None, Some(ran)) => format_smolstr!("it ran {ran} before"),
        };
        Some(("swapped", Some(format_smolstr!("{serial}, another program: image {image}, and {more}"))))
    }

    /// The device is in session. What the record is to be told at once: one that is back and keeps what it sees tells
    /// that first.
    fn comes(&mut self, hello: &DeviceHello, detail: &str, keeps: bool) -> Option<&'static str> {
        let start = (Name::new(&hello.serial), hello.boots);
        let before = self.start.replace(start.clone());
        if before.as_ref().is_some_and(|before| *before != start) {
            self.hold(false, self.held_up); // it was another, or another start of it, that took no more
        }
        // one that starts tells of what is open, and nothing of what is not
        self.view.open &= before.as_ref() == Some(&start);
        let restarted = before.as_ref().filter(|_| keeps).is_some_and(|before| before.0 == start.0 && *before != start);
        match (&mut self.absence, before) {
            (Some(absence), Some(before)) if keeps && before.0 == start.0 => {
                absence.is_back(Name::new(detail), restarted);
                if !absence.is_unsaid() {
                    return None;
                }
                Some(if absence.say_if_broken() { "offline" } else { "online" })
            }
            (None, _) if restarted => {
                let mut absence = Absence::of(true); // nobody has looked while it started
                absence.is_back(Name::new(detail), true);
                self.absence = Some(absence);
                Some("offline")
            }
            _ => {
                self.absence = None;
                Some("online")
            }
        }
    }

    /// A status is recorded, or was before.
    fn goes(&mut self, status: &str) {
        if let Some(absence) = &mut self.absence {
            absence.goes_again(status == "offline");
        } else if status == "offline" {
            self.absence = Some(Absence::of(self.full));
        }
    }

    /// Takes over whether its lid or door is open; true when that is news.
    fn opens(&mut self, open: bool) -> bool {
        let news = std::mem::replace(&mut self.view.open, open) != open;
        self.date();
        news
    }

    /// Since when it is not as it should be.
    fn date(&mut self) {
        let view = &mut self.view;
        let is_well = view.state == DeviceState::Online && view.full.is_none() && !view.open;
        view.since = (!is_well).then(|| view.since.take().unwrap_or_else(about::now));
    }

    /// Takes over whether it takes no more; true when that is news.
    fn hold(&mut self, full: bool, held_up: bool) -> bool {
        if let Some(absence) = self.absence.as_mut().filter(|_| full) {
            absence.breaks(); // what came when it took no more was not seen
        }
        let news = (self.full, self.held_up) != (full, held_up);
        (self.full, self.held_up) = (full, held_up);
        self.view.full = match (full, held_up) {
            (true, _) => Some(device_warnings::full(self.role)),
            (_, true) => Some(device_warnings::held_up()),
            _ => None,
        };
        self.date();
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
        let mut devices: Vec<Device> = Vec::new();
        for config in configs {
            match devices.iter_mut().find(|device| device.role == config.role) {
                // readers on several lines are one device
                Some(Device { view, .. }) => view.port = format!("{}{BETWEEN_LINES}{}", view.port, config.place()),
                None => {
                    let mut device = Device::at(config.role, config.place());
                    if let Driver::Own(link) = &config.driver {
                        device.pinned = link.image;
                        device.view.about.key = KeyState::Unheard;
                        device.view.about.pinned = link.image.map(|image| image.to_string());
                    }
                    devices.push(device);
                }
            }
        }
        Self { devices, roles: HashMap::new() }
    }

    /// Takes note of how the devices were when the record was left. What others told while one was away is not known
    /// any more: nothing says that its own comes in order.
    pub(super) fn recall(&mut self, last: &LastSeen) {
        for device in &mut self.devices {
            device.start = last.online.get(&device.role).and_then(|(serial, start)| Some((serial.clone(), (*start)?)));
            device.ran = last.ran.get(&device.role).cloned();
            device.hold(last.full.contains(&device.role), false);
            let is_away = last.away.contains(&device.role);
            device.absence =
                is_away.then(|| Absence::of(true)).or_else(|| device.start.is_some().then(Absence::unsaid));
            device.view.open = last.open.contains(&device.role);
        }
    }

    /// A record is begun while the devices are there: what it is told of them. Those that are away are away in it from
    /// its first line on, and what they kept is of the day before.
    pub(super) fn day_begins(&mut self) -> Vec<Event> {
        let mut told = Vec::new();
        for Device { role, view, recorded, absence, full, .. } in &mut self.devices {
            let detail = Some(&view.detail).filter(|detail| !detail.is_empty()).map(Name::new);
            told.extend(recorded.map(|status| device_event(*role, status, detail)));
            told.extend(view.open.then(|| device_event(*role, DOOR_OPEN, None)));
            if *full {
                told.push(device_event(*role, RING_FULL, None));
                told.push(device_event(*role, "offline", Some(Name::new_static(FULL))));
            }
            *absence = absence.take().filter(|absence| !absence.is_unsaid()).map(|_| Absence::of(true));
        }
        told
    }

    /// Since the same moment, each device: stations that are compared start one after the other.
    #[cfg(test)]
    pub(super) fn at_one_time(&mut self) {
        let since = "2026-01-01T00:00:00.000Z".to_owned();
        self.devices.iter_mut().for_each(|device| device.view.about.since = Some(since.clone()));
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
        device.view.about.hear(report);
        let (state, detail, status) = match report {
            LinkReport::Absent(why) => (DeviceState::Absent, why.clone(), Some("offline")),
            // a port that opens says nothing yet, but one that has to be opened again was gone
            LinkReport::Connecting => (
                DeviceState::Connecting,
                String::new(),
                device.recorded.filter(|recorded| *recorded == "online").map(|_| "offline"),
            ),
            LinkReport::Online { hello, started, image, keeps } => {
                let mut detail = described(hello, started);
                if let Some(image) = image {
                    detail.push_str(&format!("{BEFORE_IMAGE}{image}"));
                }
                let status = device.comes(hello, &detail, *keeps);
                (DeviceState::Online, detail, status)
            }
            LinkReport::CaughtUp => {
                device.absence.iter_mut().for_each(Absence::has_caught_up);
                return None;
            }
            LinkReport::Refused { why, distrust } => (DeviceState::Refused, why.clone(), Some(refusal(*distrust))),
            LinkReport::Forged => return Some(("forged", None)),
            LinkReport::Advice(what) => return Some(("set_up", Some(Name::new(what)))),
            LinkReport::Withheld(what) => return Some(withheld(*what)),
            LinkReport::Late { age_ms } => return Some(late(*age_ms)),
            LinkReport::ClockWentBack => return Some(("clock_back", Some("its times are not used".into()))),
            LinkReport::Missed(missed) => {
                if matches!(missed, Missed::RingLost { .. }) {
                    device.hold(false, device.held_up); // it has begun a ring anew
                }
                device.absence.iter_mut().for_each(Absence::breaks);
                return Some(missed_events(*missed, device.start.as_ref()));
            }
            LinkReport::Quality(Quality::Poor(why)) => {
                device.view.poor = Some(device_warnings::poor(why));
                return Some(("link_poor", Some(format_smolstr!("{why}"))));
            }
            LinkReport::Quality(Quality::Good) => {
                device.view.poor = None;
                return Some(("link_good", None));
            }
            LinkReport::Saw(_) | LinkReport::Keeps(_) | LinkReport::Picture { .. } => return None,
        };
        if device.view.state != state || device.view.about.since.is_none() {
            device.view.about.since = Some(about::now());
        }
        device.view.state = state;
        device.date();
        device.view.detail.clone_from(&detail);
        let status = status?;
        if matches!(report, LinkReport::Online { .. }) && status == "offline" {
            device.recorded = Some(status);
            return Some((status, Some(Name::new_static(STARTED_ANEW))));
        }
        if status != "online" {
            device.goes(status);
        }
        // a device that says hello again has restarted, which is news; the rest is told once
        if status != "online" && device.recorded == Some(status) {
            return None;
        }
        device.recorded = Some(status);
        Some((status, Some(detail).filter(|detail| !detail.is_empty()).map(Name::from)))
    }

    /// What a link says of its device shows that it runs something else than it is to run, or than it ran: what the
    /// record is to be told of that.
    pub(super) fn runs(&mut self, role: Role, report: &LinkReport) -> Option<Status> {
        let LinkReport::Online { hello, image: Some(image), .. } = report else { return None };
        self.of(role)?.runs(&hello.serial, *image)
    }

    /// The device goes from a pass of which it has lost something: what it tells when it is back is not all of it.
    pub(super) fn has_lost(&mut self, role: Role) {
        self.of(role).and_then(|device| device.absence.as_mut()).into_iter().for_each(Absence::breaks);
    }

    /// The device is about to tell of an event that it kept while no station was there, and others have told of later
    /// ones: what the record is to be told before it.
    pub(super) fn out_of_order(&mut self, role: Role, seen: Option<SeenAt>) -> Option<Status> {
        let device = self.of(role)?;
        let absence = device.absence.as_mut().filter(|absence| absence.is_unsaid())?;
        absence.looks_at(seen);
        let is_broken = absence.say_if_broken();
        is_broken.then(|| {
            device.recorded = Some("offline");
            ("offline", Some(Name::new_static(OUT_OF_ORDER)))
        })
    }

    /// An event of a device is told: what that means for those that are away.
    pub(super) fn told(&mut self, told: &SourcedEvent) {
        if let Some(role) = lost_by(&told.event) {
            self.has_lost(role);
        }
        let Some(source) = &told.source else { return };
        let Some(role) = self.role_of(&source.origin.0) else { return };
        for device in &mut self.devices {
            let Some(absence) = &mut device.absence else { continue };
            if device.role == role {
                absence.tells(&told.event, source.seen);
            } else {
                absence.other_tells(&told.event, source.seen);
            }
        }
    }

    /// The device has told all that it kept while it was away, and nothing of that waits: what is recorded of it, and
    /// whether that was everything.
    pub(super) fn returned(&mut self, role: Role) -> Option<(Name, bool)> {
        let device = self.of(role).filter(|device| !device.full)?;
        let absence = device.absence.as_mut()?;
        let (returned, unsaid) = (absence.end()?, absence.is_unsaid());
        (device.absence, device.recorded) = (None, Some("online"));
        (!unsaid).then_some(returned)
    }

    /// Takes over what a link has found out; true when that is news to people.
    pub(super) fn count(&mut self, role: Role, line: &LineState) -> bool {
        let Some(device) = self.of(role) else { return false };
        let LineState { counters, quality, clock, read_rates, rounds } = line;
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
            replayed: counters.replayed,
            missing: counters.missing,
            reconnects: counters.reconnects,
            clock: clock.as_ref().map(clock_view),
            read_rates: read_rates.iter().map(read_rate_view).collect(),
            rounds: *rounds,
        };
        news
    }

    /// What the device says of itself: its ring is full or has room again, it is open or closed. True where that is
    /// news.
    pub(super) fn says(&mut self, role: Role, saw: &Observation) -> bool {
        let Some(device) = self.of(role) else { return false };
        match saw {
            Observation::Device(Says::RingFull) => device.hold(true, device.held_up),
            Observation::Device(Says::RingFree) => device.hold(false, device.held_up),
            Observation::Device(Says::LidOpen) | Observation::Shuffler(ShufflerSaw::DoorOpen) => device.opens(true),
            Observation::Device(Says::LidClosed) | Observation::Shuffler(ShufflerSaw::DoorClosed) => {
                device.opens(false)
            }
            _ => false,
        }
    }

    /// The device takes no more: what it would see from now on is not seen, and it is away to the record until it has
    /// room again. What the record is to be told of that.
    pub(super) fn fills(&mut self, role: Role, saw: &Observation) -> Option<Status> {
        let device = self.of(role)?;
        match saw {
            Observation::Device(Says::RingFull) if role != Role::Display => {
                let was_away = device.absence.as_ref().is_some_and(|absence| !absence.is_unsaid());
                device.absence.get_or_insert_with(|| Absence::of(true)).takes_no_more();
                (!was_away).then_some(("offline", Some(Name::new_static(FULL))))
            }
            Observation::Device(Says::RingFree) => {
                let detail = Name::new(&device.view.detail);
                device.absence.iter_mut().for_each(|absence| absence.is_here(detail.clone()));
                None
            }
            _ => None,
        }
    }

    /// The device has told as much as it may before the record has it, or may tell more again; true when that is news.
    pub(super) fn held_up(&mut self, role: Role, held_up: bool) -> bool {
        self.of(role).is_some_and(|device| device.hold(device.full, held_up))
    }

    /// The senses of the table that are away. Who looks at the display knows how that is.
    pub(super) fn away(&self) -> Vec<Role> {
        let away = |device: &&Device| device.role != Role::Display && device.view.state != DeviceState::Online;
        self.devices.iter().filter(away).map(|device| device.role).collect()
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

fn read_rate_view(rate: &ReadRate) -> ReadRateView {
    let ReadRate { at, tags, tries, reads, inventory_ms } = *rate;
    let spot = match at {
        Pad::Stake(stake) => stake.spot.to_string(),
        Pad::Cards(_) => "cards".to_owned(),
    };
    ReadRateView { place: at.place().to_string(), spot, tags, tries, reads, inventory_ms }
}

const fn clock_view(clock: &Clock) -> ClockView {
    let within = clock.within_ms;
    ClockView { offset_ms: clock.offset_ms(), error_ms: within, round_trip_ms: within.saturating_mul(2) }
}

/// What the record calls a refusal.
const fn refusal(distrust: Option<Distrust>) -> &'static str {
    match distrust {
        Some(Distrust::Unpaired) => "unpaired",
        Some(Distrust::Swapped) => "swapped",
        Some(Distrust::Downgraded) => "downgraded",
        None => "refused",
    }
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
    format!("{}{AFTER_SERIAL}{major}.{minor}.{patch}{BEFORE_START}{}{why}", hello.serial, hello.boots)
}

fn withheld(what: Withheld) -> Status {
    ("withheld", Some(Name::new(device_warnings::withheld(what).en)))
}

/// An event that came late; so late that it was held back on its way.
fn late(age_ms: u32) -> Status {
    let status = if age_ms > HELD_BACK_MS { "withheld" } else { "late" };
    (status, Some(format_smolstr!("seen {age_ms} ms before it came")))
}

/// Whose loss an event tells.
fn lost_by(event: &Event) -> Option<Role> {
    let Event::Device { device, status, .. } = event else { return None };
    let lost = matches!(status.as_str(), "events_missed" | "ring_lost");
    Role::ALL.into_iter().find(|role| lost && role.name() == device)
}

fn missed_events(missed: Missed, start: Option<&(Name, u32)>) -> Status {
    match missed {
        Missed::RingLost { last, .. } => ("ring_lost", Some(format_smolstr!("after event {last}"))),
        Missed::Forgotten { from, to } => ("events_missed", Some(format_smolstr!("{from} to {to}"))),
        Missed::WentBack { from, to } => {
            let serial = start.map_or("it", |(serial, _)| serial);
            let why = "its memory was put back, or another device has taken its place";
            ("swapped", Some(format_smolstr!("{serial}, start {to} after start {from} of the same ring: {why}")))
        }
    }
}

/// Which device was last on each port, and which of its starts, read from a record that is continued.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LastSeen {
    online: HashMap<Role, (Name, Option<u32>)>,
    /// Since that start, its ring was lost: a start of the new one is not known.
    #[serde(default)]
    lost: HashSet<Role>,
    ran: HashMap<Role, (Name, Image)>,
    away: HashSet<Role>,
    open: HashSet<Role>,
    /// Those that take no more.
    #[serde(default)]
    full: HashSet<Role>,
}

impl LastSeen {
    /// Devices have been in session.
    pub(super) fn has_met(&self) -> bool {
        !self.online.is_empty()
    }

    pub(super) fn recall(&mut self, event: &Event) {
        let Event::Device { device, status, detail, .. } = event else { return };
        let Some(role) = Role::ALL.into_iter().find(|role| role.name() == device) else { return };
        if status == DOOR_OPEN {
            self.open.insert(role);
        } else if status == DOOR_CLOSED {
            self.open.remove(&role);
        } else if status == "offline" {
            self.away.insert(role);
        } else if status == RING_FULL {
            self.full.insert(role);
        } else if status == RING_FREE {
            self.full.remove(&role);
        } else if status == "ring_lost" {
            self.full.remove(&role);
            self.lost.insert(role);
        } else if status == "online" {
            self.away.remove(&role);
            self.lost.remove(&role);
            if let Some((serial, rest)) = detail.as_ref().and_then(|detail| detail.split_once(AFTER_SERIAL)) {
                let start =
                    rest.split_once(BEFORE_START).and_then(|(_, rest)| rest.split([' ', ',']).next()?.parse().ok());
                let now = (Name::new(serial), start);
                if self.online.insert(role, now.clone()).is_some_and(|before| before != now) {
                    self.full.remove(&role);
                }
                if let Some(image) = rest.split_once(BEFORE_IMAGE).and_then(|(_, image)| Image::typed(image)) {
                    self.ran.insert(role, (Name::new(serial), image));
                }
            }
        }
    }

    /// Where the link to a device goes on: with the pinned device, or the one that was last there.
    pub(super) fn resume(&self, config: &DeviceConfig, last: &HashMap<Name, (u32, u32)>) -> Option<Resume> {
        let Driver::Own(link) = &config.driver else { return None };
        let serial =
            link.serial.clone().or_else(|| self.online.get(&config.role).map(|(serial, _)| serial.to_string()))?;
        let &(epoch, seq) = last.get(serial.as_str())?;
        let online = self.online.get(&config.role).filter(|(of, _)| *of == serial && !self.lost.contains(&config.role));
        let boots = online.and_then(|(_, start)| *start);
        Some(Resume { serial, epoch, seq, boots })
    }
}

#[cfg(test)]
#[path = "presence_tests.rs"]
mod tests;
