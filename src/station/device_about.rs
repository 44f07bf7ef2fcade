//! Which device it is and how far it is to be believed, as its link tells.

use sabot_drivers::{Distrust, LinkReport};
use sabot_wire::message::{DeviceHello, Image};

use super::device_warnings;
use super::snapshot::{DeviceAbout, KeyState};

impl DeviceAbout {
    /// Takes over what a link says of its device.
    pub(super) fn hear(&mut self, report: &LinkReport) {
        match report {
            LinkReport::Online { hello, image, .. } => self.meet(hello, *image),
            // a maker's protocol has no key, whoever answers
            LinkReport::Refused { distrust: Some(why), .. } if self.key != KeyState::None => {
                self.key = match why {
                    Distrust::Unpaired => KeyState::Unpaired,
                    Distrust::Swapped => KeyState::Swapped,
                    Distrust::Downgraded => KeyState::Downgraded,
                };
            }
            LinkReport::Withheld(what) => {
                self.withheld += 1;
                self.withheld_last = Some(device_warnings::withheld(*what));
            }
            LinkReport::Late { .. } => self.late += 1,
            LinkReport::ClockWentBack => self.clock_back = true,
            _ => {}
        }
    }

    /// It is in session, and says this of itself.
    fn meet(&mut self, hello: &DeviceHello, image: Option<Image>) {
        let [major, minor, patch] = hello.firmware;
        // a clock is that of one start
        self.clock_back &= self.serial.as_deref() == Some(hello.serial.as_str()) && self.start == Some(hello.boots);
        self.serial = Some(hello.serial.to_string());
        self.firmware = Some(format!("{major}.{minor}.{patch}"));
        self.start = Some(hello.boots);
        self.image = image.map(|image| image.to_string());
        if self.key != KeyState::None {
            self.key = KeyState::Sealed;
        }
    }
}

#[cfg(test)]
mod tests {
    use sabot_wire::host::Withheld;
    use sabot_wire::message::{Role, Started};

    use super::*;
    use crate::presence::Presence;

    const RUNS: Image = Image([0xA7; 32]);

    #[test]
    fn what_makes_a_device_suspect_is_kept_for_who_looks_and_its_clock_only_until_it_starts_again() {
        let config = crate::table_task::tests::config(std::time::Duration::ZERO);
        let mut presence = Presence::new(&config.devices);
        let about = |presence: &Presence| {
            presence.views().into_iter().find(|view| view.role == "shoe").map(|view| view.about).unwrap()
        };
        assert_eq!((about(&presence).key, about(&presence).since), (KeyState::Unheard, None));
        let comes = |boots| {
            let hello = DeviceHello { boots, ..crate::table_task::tests::hello(Role::Shoe) };
            LinkReport::Online { hello, started: Started::Power, image: Some(RUNS), keeps: true }
        };
        for report in [comes(4), LinkReport::ClockWentBack, LinkReport::Late { age_ms: 9 }, comes(4)] {
            presence.take(Role::Shoe, &report);
        }
        for (from, to) in [(3, 3), (4, 7)] {
            presence.take(Role::Shoe, &LinkReport::Withheld(Withheld::Events { from, to }));
        }
        let told = about(&presence);
        assert_eq!((told.key, told.start, told.image), (KeyState::Sealed, Some(4), Some(RUNS.to_string())));
        assert_eq!((told.withheld, told.late, told.clock_back), (2, 1, true));
        assert_eq!(told.withheld_last.unwrap().es, "eventos 4 a 7");
        assert!(told.since.is_some());
        presence.take(Role::Shoe, &comes(5));
        assert!(!about(&presence).clock_back, "a clock is that of one start");
        for (distrust, key) in [
            (Distrust::Unpaired, KeyState::Unpaired),
            (Distrust::Downgraded, KeyState::Downgraded),
            (Distrust::Swapped, KeyState::Swapped),
        ] {
            presence.take(Role::Shoe, &LinkReport::Refused { why: "?".into(), distrust: Some(distrust) });
            assert_eq!(about(&presence).key, key);
        }
        presence.take(Role::Shoe, &LinkReport::Absent("unplugged".into()));
        assert_eq!(about(&presence).key, KeyState::Swapped, "what is away is as it was heard last");
    }
}
