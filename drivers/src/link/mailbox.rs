//! What the handle leaves for the task, and the task for the handle: the newest of everything, in bounded memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sabot_wire::message::{DISPLAY_ROWS, Show};
use sabot_wire::witness::Checkpoint;
use tokio::sync::Notify;

use super::LineState;
use super::machine::Machine;

/// Epochs of which an acknowledgement can wait at once: the device's, and those of devices it was swapped with.
const EPOCHS: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Mailbox {
    orders: Mutex<Orders>,
    line: Mutex<LineState>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Orders {
    // the highest sequence number of each epoch
    acks: Vec<(u32, u32)>,
    // one of a kind and row
    shows: Vec<Show>,
    // the newest
    witness: Option<Option<Checkpoint>>,
}

impl Mailbox {
    pub(super) fn ack(&self, epoch: u32, seq: u32) {
        let mut orders = lock(&self.orders);
        match orders.acks.iter_mut().find(|(of, _)| *of == epoch) {
            Some((_, highest)) => *highest = seq.max(*highest),
            None => {
                if orders.acks.len() == EPOCHS {
                    orders.acks.remove(0);
                }
                orders.acks.push((epoch, seq));
            }
        }
        drop(orders);
        self.wake.notify_one();
    }

    pub(super) fn show(&self, show: Show) {
        if let Show::Line { row, .. } = show
            && usize::from(row) >= DISPLAY_ROWS
        {
            return;
        }
        let mut orders = lock(&self.orders);
        match orders.shows.iter_mut().find(|other| replaces(&show, other)) {
            Some(older) => *older = show,
            None => orders.shows.push(show),
        }
        drop(orders);
        self.wake.notify_one();
    }

    pub(super) fn witness(&self, shown: Option<Checkpoint>) {
        lock(&self.orders).witness = Some(shown);
        self.wake.notify_one();
    }

    /// Hands everything that waits to the session.
    pub(super) fn hand_over(&self, host: &mut impl Machine) {
        let mut orders = lock(&self.orders);
        for (epoch, seq) in orders.acks.drain(..) {
            host.durable(epoch, seq);
        }
        for show in orders.shows.drain(..) {
            host.show(show);
        }
        if let Some(shown) = orders.witness.take() {
            host.witness(shown);
        }
    }

    /// Waits until there is something to hand over.
    pub(super) async fn wait(&self) {
        self.wake.notified().await;
    }

    pub(super) fn line(&self) -> LineState {
        lock(&self.line).clone()
    }

    /// Sets what the link has found out of its line.
    pub(super) fn set_line(&self, line: LineState) {
        *lock(&self.line) = line;
    }
}

fn replaces(newer: &Show, older: &Show) -> bool {
    match (newer, older) {
        (Show::Line { row: a, .. }, Show::Line { row: b, .. }) => a == b,
        (Show::Lamp(_), Show::Lamp(_)) | (Show::Buzz(_), Show::Buzz(_)) => true,
        _ => false,
    }
}

/// Every holder leaves the data whole, so that a panic elsewhere spoils nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_wire::message::Lamp;

    #[test]
    fn the_newest_of_each_replaces_the_older_so_that_nothing_grows() {
        let mailbox = Mailbox::default();
        for n in 0..100u8 {
            mailbox.show(Show::Line { row: n % 3, text: heapless::String::new() });
            mailbox.show(Show::Line { row: 200, text: heapless::String::new() });
            mailbox.show(Show::Lamp(if n == 99 { Lamp::Red } else { Lamp::Green }));
            mailbox.show(Show::Buzz(u16::from(n)));
            mailbox.ack(7, 200 - u32::from(n));
            mailbox.ack(u32::from(n), 1);
        }
        let orders = lock(&mailbox.orders);
        assert_eq!(orders.shows.len(), 5);
        assert!(orders.shows.contains(&Show::Lamp(Lamp::Red)) && orders.shows.contains(&Show::Buzz(99)));
        assert!(orders.acks.len() <= EPOCHS);
        assert!(orders.acks.iter().filter(|(epoch, _)| *epoch == 7).all(|&(_, seq)| seq > 100));
    }
}
