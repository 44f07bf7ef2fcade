//! PINs that are entered on the keypad. Trying one takes its time, and the table goes on meanwhile.

use std::sync::Arc;

use sabot_wire::message::Signature;
use tokio::sync::mpsc;

use super::{Links, TableTask};
use crate::pins::{NotKnown, Pins};
use crate::staff::Person;

/// A badge whose PIN was tried, and whose it is.
pub(super) type Tried = (u16, Result<Person, NotKnown>);

/// Tries PINs.
pub(super) struct Trying {
    pins: Arc<Pins>,
    tell: mpsc::UnboundedSender<Tried>,
    tried: Option<mpsc::UnboundedReceiver<Tried>>,
}

impl Trying {
    /// Where it is told what came of them; to be asked for once.
    pub(super) const fn tried(&mut self) -> Option<mpsc::UnboundedReceiver<Tried>> {
        self.tried.take()
    }
}

impl<L: Links> TableTask<L> {
    /// Knows people by their PINs.
    pub(crate) fn knowing(self, people: Option<Arc<Pins>>) -> Self {
        let trying = people.map(|pins| {
            let (tell, tried) = mpsc::unbounded_channel();
            Trying { pins, tell, tried: Some(tried) }
        });
        Self { trying, ..self }
    }

    /// Tries the PIN that was entered, where one was.
    pub(super) fn try_pin(&mut self) {
        let (Some(signature), Some(Trying { pins, tell, .. })) = (self.observer.take_signature(), &self.trying) else {
            return;
        };
        let Signature { badge, digits, pin } = signature;
        let (pins, tell, pin) = (pins.clone(), tell.clone(), format!("{pin:0width$}", width = usize::from(digits)));
        tokio::spawn(async move {
            let known = pins.with_badge(badge, pin).await;
            // the table has ended meanwhile
            let _ = tell.send((badge, known));
        });
    }

    /// A PIN was tried.
    pub(super) fn tried(&mut self, (badge, known): Tried) {
        let now = self.clock.now();
        self.observer.signed(badge, known, now, &mut self.table);
        self.tell();
        self.refresh();
    }
}
