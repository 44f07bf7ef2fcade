//! What waits: for its time, for what others have seen, for the devices that were away.

use super::*;

impl<L: Links> TableTask<L> {
    /// Takes note of how the devices were when the record was left that is continued. What they kept meanwhile is put
    /// in order before it is told.
    pub(crate) fn recalling(mut self, last: &LastSeen, devices: &[DeviceConfig]) -> Self {
        self.presence.recall(last);
        self.backlog = last.has_met().then(|| Backlog::new(devices, self.clock.now()));
        self
    }

    /// When something that waits has waited long enough.
    pub(super) fn deadline(&self) -> Option<u64> {
        self.observer.deadline().into_iter().chain(self.backlog.as_ref().map(Backlog::deadline)).min()
    }

    /// Time has passed: what waited long enough goes.
    pub(super) fn tick(&mut self) {
        let now = self.clock.now();
        if let Some(backlog) = self.backlog.as_mut().filter(|backlog| backlog.deadline() <= now) {
            backlog.give_up();
            self.tell_kept(true);
        }
        self.observer.tick(now, &mut self.table);
        self.tell();
        self.tell_kept(true);
        self.welcome();
    }

    /// A device tells of an event, which waits for those of others that were seen before it.
    pub(super) fn hears(&mut self, role: Role, seen: Seen, now: u64) {
        let Some(backlog) = &mut self.backlog else { return self.saw(role, seen, now) };
        let at = seen.when.map(|when| self.clock.seen_at(&when));
        backlog.push(role, seen, at, now);
        self.tell_kept(true);
    }

    /// The device has told all that it kept.
    pub(super) fn has_told(&mut self, role: Role) {
        if let Some(backlog) = &mut self.backlog {
            backlog.has_told(role);
            self.tell_kept(true);
        }
    }

    /// Tells what no device can have seen anything before; all, where nobody is to wait for that.
    pub(super) fn tell_kept(&mut self, waits: bool) {
        while let Some((role, seen)) =
            self.backlog.as_mut().and_then(|backlog| backlog.next(waits, |role| self.observer.holds(role)))
        {
            self.saw(role, seen, self.clock.now());
        }
        self.backlog.take_if(|backlog| backlog.is_over());
    }

    /// Tells of the devices that are back, once what they kept has been told.
    pub(super) fn welcome(&mut self) {
        for role in Role::ALL {
            let waits = self.backlog.as_ref().is_some_and(|backlog| backlog.holds(role));
            if !waits
                && !self.observer.holds(role)
                && let Some((detail, complete)) = self.presence.returned(role)
            {
                self.observer.returned(role, detail, complete, &mut self.table);
                self.tell();
            }
        }
    }
}
