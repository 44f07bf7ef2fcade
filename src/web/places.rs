//! How many connections there may be: in all, and of one address, so that no stranger takes every place.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What the page's port may take of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections at one time; more wait to be accepted.
    pub connections: usize,
    /// Connections of one address of the network at one time; more are closed at once. This machine's own address is
    /// not counted: a proxy before the station asks from there for everybody.
    pub of_one_address: usize,
    /// Pages that are live at one time; more are told so. Less than the connections, so that a health check still gets
    /// in.
    pub live: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 1200, of_one_address: 48, live: 1024 }
    }
}

/// File handles that the station keeps for its record, its devices and itself.
const OWN_HANDLES: u64 = 200;

impl Limits {
    /// As much of them as the system gives file handles for: the process takes all that it may have.
    #[must_use]
    pub fn within_handles(self) -> Self {
        let Ok((now, most)) = getrlimit(Resource::RLIMIT_NOFILE) else { return self };
        let enough = (self.connections as u64 + OWN_HANDLES).max(now).min(most);
        if let Err(error) = setrlimit(Resource::RLIMIT_NOFILE, enough, most) {
            tracing::debug!(%error, "the process keeps its number of file handles");
        }
        let handles = getrlimit(Resource::RLIMIT_NOFILE).map_or(0, |(now, _)| now);
        let connections = usize::try_from(handles.saturating_sub(OWN_HANDLES)).unwrap_or(usize::MAX);
        let connections = self.connections.min(connections.max(self.of_one_address));
        Self { connections, live: self.live.min(connections * 5 / 6), ..self }
    }
}

/// Places for connections.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    free: Arc<Semaphore>,
    of_one: usize,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A place of the whole, for whoever comes next.
pub(crate) type Free = Option<OwnedSemaphorePermit>;

/// A connection's place; free again when it is dropped.
pub(crate) struct Place {
    _free: Free,
    from: Option<IpAddr>,
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Places {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            free: Arc::new(Semaphore::new(limits.connections)),
            of_one: limits.of_one_address,
            taken: Arc::default(),
        }
    }

    /// A place, as soon as one is free.
    pub(crate) async fn next(&self) -> Free {
        // the semaphore is never closed
        Arc::clone(&self.free).acquire_owned().await.ok()
    }

    /// The place of a connection from there; none when that address has its share already.
    pub(crate) fn take(&self, free: Free, from: IpAddr) -> Option<Place> {
        let from = whose(from);
        if let Some(from) = from {
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            let count = taken.entry(from).or_default();
            if *count >= self.of_one {
                return None;
            }
            *count += 1;
        }
        Some(Place { _free: free, from, taken: Arc::clone(&self.taken) })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(from) = self.from else { return };
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&from) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&from);
            }
        }
    }
}

/// Whose share a connection counts against. Who has a network of IPv6 has all of its addresses.
fn whose(from: IpAddr) -> Option<IpAddr> {
    let from = from.to_canonical();
    match from {
        from if from.is_loopback() => None,
        IpAddr::V4(_) => Some(from),
        IpAddr::V6(from) => Some(Ipv6Addr::from_bits(from.to_bits() >> 64 << 64).into()),
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn places() -> Places {
        Places::new(Limits { connections: 5, of_one_address: 2, live: 1 })
    }

    async fn take(places: &Places, from: &str) -> Option<Place> {
        places.take(places.next().await, from.parse().unwrap())
    }

    #[tokio::test]
    async fn an_address_that_has_its_share_gets_no_more_and_keeps_nobody_else_out() {
        let places = places();
        let (first, _second) = (take(&places, "10.0.0.7").await, take(&places, "10.0.0.7").await);
        assert!(take(&places, "10.0.0.7").await.is_none(), "a third");
        assert!(take(&places, "::ffff:10.0.0.7").await.is_none(), "by another name");
        assert!(take(&places, "10.0.0.8").await.is_some());
        drop(first);
        assert!(take(&places, "10.0.0.7").await.is_some(), "a place given back");
    }

    #[tokio::test]
    async fn a_network_of_ipv6_is_one_address() {
        let places = places();
        let taken = [take(&places, "2001:db8::1").await, take(&places, "2001:db8::2").await];
        assert!(taken.iter().all(Option::is_some));
        assert!(take(&places, "2001:db8:0:0:f::1").await.is_none());
        assert!(take(&places, "2001:db8:0:1::1").await.is_some());
    }

    #[tokio::test]
    async fn this_machine_has_every_place_and_the_next_waits() {
        let places = places();
        let mut taken = Vec::new();
        for _ in 0..5 {
            taken.push(take(&places, "127.0.0.1").await.expect("a place"));
        }
        assert!(at_once(places.next()).is_none(), "the sixth waits");
        taken.pop();
        assert!(at_once(places.next()).is_some_and(|free| places.take(free, "::1".parse().unwrap()).is_some()));
        assert!(places.taken.lock().unwrap().is_empty());
    }

    /// What a future has already.
    fn at_once<F: Future>(future: F) -> Option<F::Output> {
        match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }
}
