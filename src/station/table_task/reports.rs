//! What a link reports, taken into the table.

use super::*;

impl<L: Links> TableTask<L> {
    /// Takes one report of a link.
    pub(super) fn report(&mut self, role: Role, report: LinkReport) {
        let now = self.clock.now();
        if let Some((status, detail)) = self.presence.runs(role, &report) {
            self.observer.note_device(role, status, detail, &mut self.table);
            self.tell(now);
        }
        if let LinkReport::Saw(seen) = report {
            self.saw(role, seen, now);
        } else if let Some((status, detail)) = self.presence.take(role, &report) {
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
            self.tell(now);
        } else {
            if matches!(report, LinkReport::Online { .. }) {
                self.observer.returns(role, now);
            }
            self.refresh();
        }
        self.welcome(now);
    }

    /// Takes an event of a device. One that means nothing is missed, and its device is told from a bad cable.
    fn saw(&mut self, role: Role, seen: Seen, now: u64) {
        let Seen { serial, epoch, seq, saw, when, .. } = seen;
        self.presence.met(&serial, role);
        let seen = when.map(|when| self.clock.seen_at(&when));
        let source = EventSource { origin: Origin(Name::from(serial), epoch, seq), seen };
        let Some(saw) = saw else {
            self.observer.senseless(role, source, &mut self.table);
            let missed = LinkReport::Missed(Missed::Forgotten { from: seq, to: seq });
            if let Some((status, detail)) = self.presence.take(role, &missed) {
                self.observer.note_device(role, status, detail, &mut self.table);
            }
            return self.tell(now);
        };
        let saw = match saw {
            Saw::Link(saw) => saw,
            Saw::Tags(saw) => {
                self.observer.tags(&saw, source, now, &mut self.table);
                return self.tell(now);
            }
            Saw::Key(key) => return self.key(key),
        };
        let is_news = self.presence.says(role, &saw);
        // what this entry itself is found to be is acknowledged by a later one
        let acknowledged = self.alarm.saw(&saw);
        self.observer.take(role, &saw, source, now, &mut self.table);
        self.try_pin();
        self.tell(now);
        if acknowledged {
            self.signal(&self.table.felt());
        }
        if is_news {
            self.refresh();
        }
    }
}
