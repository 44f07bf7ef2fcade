//! What must be so, waited for.

use sabot_law::table::Place;
use sabot_station::snapshot::{DeviceState, FindingState, FindingView};
use sabot_wire::message::{DISPLAY_ROWS, Lamp, Role, Show, ToDevice};

use crate::bench::Bench;
use crate::bench_file::DeviceKind;
use crate::eventually;

fn stands(view: &FindingView) -> bool {
    view.state != FindingState::Withdrawn
}

impl Bench {
    /// A finding under that provision at that place.
    ///
    /// # Panics
    /// When there is none in time.
    pub fn expect_finding(&self, provision: &str, place: Place) -> FindingView {
        let found = self.wait_for(|snapshot| {
            let of = |view: &&FindingView| view.finding.provision == provision && view.finding.place == Some(place);
            snapshot.findings.iter().find(of).cloned()
        });
        found.unwrap_or_else(|| panic!("no {provision} at {place}, but {}", self.findings()))
    }

    /// A finding under that provision, wherever it is.
    ///
    /// # Panics
    /// When there is none in time.
    pub fn expect_provision(&self, provision: &str) -> FindingView {
        let of = |view: &&FindingView| view.finding.provision == provision;
        let found = self.wait_for(|snapshot| snapshot.findings.iter().find(of).cloned());
        found.unwrap_or_else(|| panic!("no {provision}, but {}", self.findings()))
    }

    /// The newest finding under that provision stands so.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn expect_state(&self, provision: &str, state: FindingState) {
        let found = self.wait_for(|snapshot| {
            let view = snapshot.findings.iter().find(|view| view.finding.provision == provision)?;
            (view.state == state).then_some(())
        });
        found.unwrap_or_else(|| panic!("no {provision} is {state:?}, but {}", self.findings()));
    }

    /// Nothing was found so far, or it was withdrawn: a device that was away has told all it saw.
    ///
    /// # Panics
    /// When something was, and stands.
    pub fn expect_no_finding(&self) {
        let none = self.wait_for(|snapshot| (!snapshot.findings.iter().any(stands)).then_some(()));
        none.unwrap_or_else(|| panic!("found: {}", self.findings()));
    }

    /// Nothing was found so far but that a device which started anew may have missed something.
    ///
    /// # Panics
    /// When something was.
    pub fn expect_no_finding_but_of_absence(&self) {
        let tells_more = |view: &FindingView| view.finding.details.device.is_none() || !view.finding.remedy.is_empty();
        let found = |view: &FindingView| stands(view) && tells_more(view);
        assert!(!self.snapshot().findings.iter().any(found), "found: {}", self.findings());
    }

    /// The device stands so on the page.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn expect_device(&self, role: Role, state: DeviceState) {
        let found = self.wait_for(|snapshot| {
            let device = snapshot.devices.iter().find(|device| device.role == role.name())?;
            (device.state == state).then_some(())
        });
        found.unwrap_or_else(|| panic!("the {role} is not {state:?}:\n{}", self.devices()));
    }

    /// The display shows that text in one of its rows; a board in QEMU, has been told to show it.
    ///
    /// # Panics
    /// When it does not in time.
    pub fn expect_display(&self, text: &str) {
        eventually(&format!("the display shows `{text}`"), || self.rows().iter().any(|line| line.contains(text)));
    }

    /// The display's lamp is lit so; of a board in QEMU its pins are looked at.
    ///
    /// # Panics
    /// When it is not in time.
    pub fn expect_lamp(&self, lamp: Lamp) {
        let display = self.device(Role::Display);
        eventually(&format!("the display's lamp is {lamp:?}"), || {
            display.lit(lamp).unwrap_or_else(|| self.told_lamp() == Some(lamp))
        });
    }

    /// The shoe's lamp "do not draw" is lit, or is not.
    ///
    /// # Panics
    /// When that is not so in time, or the lamp cannot be looked at.
    pub fn expect_do_not_draw(&self, lit: bool) {
        let shoe = self.device(Role::Shoe);
        eventually(&format!("do not draw: {lit}"), || shoe.do_not_draw() == Some(lit));
    }

    /// What the display shows, or was told to show where it cannot be looked at.
    fn rows(&self) -> Vec<String> {
        if let Some(screen) = self.device(Role::Display).screen() {
            return screen.lines;
        }
        let mut rows = vec![String::new(); DISPLAY_ROWS];
        for said in self.said_to(Role::Display) {
            if let ToDevice::Show(Show::Line { row, text }) = said
                && let Some(line) = rows.get_mut(usize::from(row))
            {
                text.as_str().clone_into(line);
            }
        }
        rows
    }

    fn told_lamp(&self) -> Option<Lamp> {
        let lamp = |said: &ToDevice| if let ToDevice::Show(Show::Lamp(lamp)) = said { Some(*lamp) } else { None };
        self.said_to(Role::Display).iter().rev().find_map(lamp)
    }

    /// The station has counted damaged frames of that device; how many.
    ///
    /// # Panics
    /// When it has not in time.
    pub fn expect_bad_frames(&self, role: Role) -> u64 {
        let found = self.wait_for(|snapshot| {
            let device = snapshot.devices.iter().find(|device| device.role == role.name())?;
            (device.bad_frames > 0).then_some(device.bad_frames)
        });
        found.unwrap_or_else(|| panic!("no bad frame of the {role} is shown:\n{}", self.devices()))
    }

    /// The record holds every observation of every device exactly once, in the device's order, and its chain holds.
    ///
    /// # Panics
    /// When it does not; the message names the device and what is missing, doubled or out of order.
    pub fn expect_every_event_once_and_in_order(&self) {
        self.settle();
        let record = self.journal();
        record.expect_whole();
        for (role, count) in &self.notes().seen {
            // what a device at a real port saw before is not on this record
            let first = (self.bench_file.kind(*role) != DeviceKind::Port).then_some(1);
            record.expect_told_from(first, *role, *count);
        }
    }

    fn findings(&self) -> String {
        let snapshot = self.snapshot();
        let one = |view: &FindingView| {
            let place = view.finding.place.map_or_else(String::new, |place| format!(" at {place}"));
            format!("{}{place} on line {} ({:?})", view.finding.provision, view.finding.line, view.state)
        };
        let all: Vec<_> = snapshot.findings.iter().map(one).collect();
        if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
    }
}
