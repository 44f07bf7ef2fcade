//! Clocks that the station's own is held against: the house's, and that of the video recorder. Each is asked by NTP
//! once a minute, and the record tells by how much it is ahead; no clock is set by it.

use std::net::Ipv6Addr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rsntp::{AsyncSntpClient, Config, SntpDuration};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// A clock is waited for so long.
const PATIENCE: Duration = Duration::from_secs(1);
/// Each is asked so often; one that was not heard the last time is told as such.
const EVERY: Duration = Duration::from_secs(60);
/// The port of NTP.
const PORT: u16 = 123;
/// A clock that is further away than this is told in the log, milliseconds.
const FAR_MS: u64 = 1000;

/// A clock of the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockConfig {
    /// What the house calls it: `video` is the video recorder's.
    pub name: String,
    /// Host and port.
    pub address: String,
}

impl ClockConfig {
    /// Reads an address: a name or number, and a port where it is not 123. `None` where it is none.
    pub(crate) fn of(name: &str, address: &str) -> Option<Self> {
        let is_host = |host: &str| {
            !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
        };
        let (host, port) = match address.parse::<Ipv6Addr>() {
            Ok(number) => (format!("[{number}]"), PORT),
            Err(_) => {
                let (host, port) = match address.rsplit_once(':') {
                    Some((host, port)) => (host, port.parse().ok().filter(|port| *port > 0)?),
                    None => (address, PORT),
                };
                let number = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
                let is_number = number.is_some_and(|number| number.parse::<Ipv6Addr>().is_ok());
                (host.to_owned(), (is_number || is_host(host)).then_some(port)?)
            }
        };
        Some(Self { name: name.to_owned(), address: format!("{host}:{port}") })
    }

    /// By how many milliseconds it is ahead of this machine's.
    ///
    /// # Errors
    /// In words, where it does not answer, or not as the protocol has it.
    pub(crate) async fn ahead_ms(&self) -> Result<i64, String> {
        let client = AsyncSntpClient::with_config(Config::default().timeout(PATIENCE));
        // the library waits for an answer; a name that nobody resolves is waited for by us
        let asked = tokio::time::timeout(2 * PATIENCE, client.synchronize(self.address.as_str())).await;
        let answer = asked.map_err(|_| "its name is not resolved".to_owned())?;
        answer.map(|heard| signed_ms(&heard.clock_offset())).map_err(|why| why.to_string())
    }
}

fn signed_ms(ahead: &SntpDuration) -> i64 {
    let ms = ahead.abs_as_std_duration().map_or(u128::MAX, |time| time.as_millis());
    let ms = i64::try_from(ms).unwrap_or(i64::MAX);
    if ahead.signum() < 0 { -ms } else { ms }
}

/// A clock as it was found last.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Clock {
    /// What the house calls it.
    pub name: String,
    /// By how many milliseconds it is ahead of this machine's; none where it did not answer.
    pub ahead_ms: Option<i64>,
}

/// As they were found last in this program.
static LAST: Mutex<Vec<Clock>> = Mutex::new(Vec::new());

/// The house's clocks as they were found last; none before they were asked.
#[must_use]
pub fn last() -> Vec<Clock> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Asks all of them at once, for two seconds at most.
pub(crate) async fn look(clocks: Vec<ClockConfig>) -> Vec<Clock> {
    let before = last();
    let mut asked = JoinSet::new();
    for clock in clocks {
        asked.spawn(async move { (clock.ahead_ms().await, clock) });
    }
    let mut found = Vec::new();
    while let Some(Ok((ahead, clock))) = asked.join_next().await {
        let now = Clock { name: clock.name.clone(), ahead_ms: ahead.as_ref().ok().copied() };
        if before.iter().find(|was| was.name == now.name).is_none_or(|was| is_news(was, &now)) {
            told(&clock, &ahead);
        }
        found.push(now);
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    LAST.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&found);
    found
}

/// Whether the log has not told it yet.
fn is_news(was: &Clock, is: &Clock) -> bool {
    let kind = |clock: &Clock| clock.ahead_ms.map(|ahead| ahead.unsigned_abs() > FAR_MS);
    kind(was) != kind(is)
}

fn told(clock: &ClockConfig, ahead: &Result<i64, String>) {
    let ClockConfig { name, address } = clock;
    match ahead {
        Ok(ms) if ms.unsigned_abs() > FAR_MS => {
            tracing::warn!(clock = name, address, ahead_ms = ms, "a clock of the house and this machine's differ");
        }
        Ok(ms) => tracing::info!(clock = name, address, ahead_ms = ms, "a clock of the house is heard"),
        Err(why) => tracing::warn!(clock = name, address, why, "a clock of the house does not answer"),
    }
}

/// Asks them again and again.
pub(crate) async fn watch(clocks: Vec<ClockConfig>, mut shutdown: watch::Receiver<bool>) {
    while !clocks.is_empty() {
        tokio::select! {
            _ = shutdown.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        look(clocks.clone()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_port_or_none() {
        let of = |address: &str| ClockConfig::of("video", address).map(|clock| clock.address);
        for (address, read) in [
            ("nvr.casino.example", "nvr.casino.example:123"),
            ("192.0.2.20", "192.0.2.20:123"),
            ("192.0.2.20:1123", "192.0.2.20:1123"),
            ("2001:db8::1", "[2001:db8::1]:123"),
            ("[2001:db8::1]:1123", "[2001:db8::1]:1123"),
        ] {
            assert_eq!(of(address).as_deref(), Some(read));
        }
        for wrong in ["", ":123", "nvr:", "nvr:0", "nvr:70000", "http://nvr", "[nvr]:1", "a b", "nvr:1:2"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
