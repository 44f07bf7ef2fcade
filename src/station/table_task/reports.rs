//! What a link reports, taken into the table.

use super::*;
use crate::device_witness::Told;
use sabot_wire::message::Observation;

impl<L: Links> TableTask<L> {
    /// Takes one report of a link.
    pub(super) fn report(&mut self, role: Role, report: LinkReport) {
        let report = match report {
            LinkReport::Picture { serial, epoch, seq, jpeg } => {
                return self.pictures.comes(Origin(Name::from(serial), epoch, seq), jpeg);
            }
            report => report,
        };
        let now = self.clock.now();
        if role == Role::Keypad && matches!(report, LinkReport::Absent(_) | LinkReport::Connecting) {
            self.observer.tell_end(now, &mut self.table); // it was told before the keypad went
            self.tell();
        }
        self.witnessing.iter().for_each(|witnessing| witnessing.hears(role, &report));
        if let Some((status, detail)) = self.presence.runs(role, &report) {
            self.observer.note_device(role, status, detail, &mut self.table);
            self.tell();
        }
        if matches!(report, LinkReport::CaughtUp) {
            self.has_told(role);
        }
        if let LinkReport::Saw(seen) = report {
            self.hears(role, seen, now);
        } else if let Some((status, detail)) = self.presence.take(role, &report) {
            // what it goes from blind it has lost something of already
            let goes = status == "offline";
            if goes && self.table.validator.state().blindness.devices().any(|blind| blind == role.name()) {
                self.presence.has_lost(role);
            }
            match report {
                LinkReport::Missed(_)
                | LinkReport::Quality(_)
                | LinkReport::Forged
                | LinkReport::Advice(_)
                | LinkReport::Withheld(_)
                | LinkReport::Late { .. }
                | LinkReport::ClockWentBack => self.observer.note_device(role, status, detail, &mut self.table),
                _ => self.observer.device(role, status, detail, now, &mut self.table),
            }
            if goes && matches!(report, LinkReport::Online { .. }) {
                self.observer.returns(role, now); // it started anew, and is there
            }
            self.tell();
        } else {
            if matches!(report, LinkReport::Online { .. }) {
                self.observer.returns(role, now);
            }
            self.refresh();
        }
        self.welcome();
    }

    /// Keeps the pictures of findings' cards.
    pub(crate) fn keeping(self, pictures: CardPictures) -> Self {
        Self { pictures, ..self }
    }

    /// Has the devices keep what is signed of the record.
    pub(crate) fn witnessed(self, witnessing: Option<Witnessing>) -> Self {
        Self { witnessing, ..self }
    }

    /// What a device keeps of the record is not what the record says.
    pub(super) fn witness_told(&mut self, (role, status, detail): Told) {
        self.observer.note_device(role, status, Some(Name::from(detail)), &mut self.table);
        self.tell();
    }

    /// Notes which devices have told as much as they may before the record has it; true when that is news.
    pub(super) fn hold_up(&mut self) -> bool {
        let mut news = false;
        for role in Role::ALL {
            news |= self.presence.held_up(role, self.unwritten.holds_up(role));
        }
        news
    }

    /// Takes an event of a device. One that means nothing is missed, and its device is told from a bad cable.
    pub(super) fn saw(&mut self, role: Role, seen: Seen, now: u64) {
        let Seen { serial, epoch, seq, saw, when, .. } = seen;
        self.presence.met(&serial, role);
        let seen = when.map(|when| self.clock.seen_at(&when));
        let tells = saw.as_ref().is_some_and(|saw| !matches!(saw, Saw::Link(Observation::Device(_))));
        if let Some((status, detail)) = tells.then(|| self.presence.out_of_order(role, seen)).flatten() {
            self.observer.note_device(role, status, detail, &mut self.table);
        }
        let source = EventSource { origin: Origin(Name::from(serial), epoch, seq), seen };
        let Some(saw) = saw else {
            self.observer.senseless(role, source, &mut self.table);
            let missed = LinkReport::Missed(Missed::Forgotten { from: seq, to: seq });
            if let Some((status, detail)) = self.presence.take(role, &missed) {
                self.observer.note_device(role, status, detail, &mut self.table);
            }
            return self.tell();
        };
        let saw = match saw {
            Saw::Link(saw) => saw,
            Saw::Tags(saw) => {
                self.observer.tags(&saw, source, now, &mut self.table);
                return self.tell();
            }
            Saw::Key(key) => return self.key(key),
        };
        let is_news = self.presence.says(role, &saw);
        // what this entry itself is found to be is acknowledged by a later one
        let acknowledged = self.alarm.saw(&saw);
        self.observer.take(role, &saw, source, now, &mut self.table);
        if let Some((status, detail)) = self.presence.fills(role, &saw) {
            self.observer.note_device(role, status, detail, &mut self.table);
        }
        self.try_pin();
        self.tell();
        if acknowledged {
            self.signal(&self.table.felt());
        }
        if is_news {
            self.refresh();
        }
    }
}
