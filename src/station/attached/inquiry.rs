//! Asking the devices that the configuration names, each once, until something changes.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sabot_drivers::ask::{self, Answer};
use sabot_drivers::feig::{FeigConfig, Place};
use sabot_drivers::scanner::ScannerConfig;
use sabot_drivers::signal::SignalConfig;
use sabot_drivers::transport::{PortName, SerialPort, Sysfs, lock_holder};
use sabot_drivers::{LinkConfig, transport};
use sabot_wire::host::{Expect, Refusal};
use sabot_wire::message::{DeviceHello, Role, Started};
use tokio::task::JoinHandle;

use super::Kind;
use crate::config::Config;
use crate::described;
use sabot_drivers::keys::KeyFile;

/// What was wrong is asked again after so long. What was fine is not: opening a port resets some boards.
const AGAIN: Duration = Duration::from_secs(5);

/// Whether to wait for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Until every device that was asked has answered, or has had its time.
    Wait,
    /// Whatever is known now.
    Now,
}

/// A device that the configuration names.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// As the station's page names it.
    pub(super) role: String,
    pub(super) driver: &'static str,
    /// As the station's page names it.
    pub(super) port: String,
    pub(super) way: Way,
}

/// How it is asked.
#[derive(Debug, Clone)]
pub(super) enum Way {
    /// With where the keys are.
    Link(LinkConfig, PathBuf),
    Feig(FeigConfig),
    Scanner(ScannerConfig),
    Signal(SignalConfig),
    Lr6,
}

/// What came of asking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) says: Option<String>,
    pub(super) wrong: Option<String>,
}

/// Every device of a configuration, in its order.
pub(super) fn wanted(config: &Config) -> Vec<Wanted> {
    let device = |device: &LinkConfig| {
        let (driver, way) = match (device.role, &config.feig, &config.scanner) {
            (Role::Chips, Some(feig), _) => ("feig", Way::Feig(feig.clone())),
            (Role::Shoe, _, Some(scanner)) => ("scanner", Way::Scanner(scanner.clone())),
            _ => ("link", Way::Link(device.clone(), config.keys.clone())),
        };
        Wanted { role: device.role.name().to_owned(), driver, port: device.port.display().to_string(), way }
    };
    let mut all: Vec<Wanted> = config.devices.iter().map(device).collect();
    for signal in &config.signals {
        let driver = signal.driver();
        let same = all.iter().filter(|other| other.driver == driver).count();
        let role = if same == 0 { driver.to_owned() } else { format!("{driver} {}", same + 1) };
        let way = match signal {
            SignalConfig::Lr6 { .. } => Way::Lr6,
            other => Way::Signal(other.clone()),
        };
        all.push(Wanted { role, driver, port: signal.place(), way });
    }
    all
}

impl Wanted {
    /// Its serial port, where it is at one, and the speed.
    pub(super) fn serial(&self) -> Option<(&Path, u32)> {
        match &self.way {
            Way::Link(link, _) => Some((&link.port, link.baud)),
            Way::Scanner(scanner) => Some((&scanner.port, scanner.baud)),
            Way::Feig(FeigConfig { place: Place::Serial(port, baud), .. })
            | Way::Signal(SignalConfig::Pole { port, baud, .. }) => Some((port, *baud)),
            Way::Feig(_) | Way::Signal(_) | Way::Lr6 => None,
        }
    }

    pub(super) fn kind(&self, at: Option<&Path>) -> Kind {
        match (&self.way, self.serial()) {
            (Way::Lr6, _) => Kind::Usb,
            (_, None) => Kind::Tcp,
            _ if at.is_some_and(|at| at.starts_with("/dev/pts")) => Kind::Pty,
            _ => Kind::Serial,
        }
    }
}

/// What a port is now: another number, another node, another time of making are another device.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Node(u64, u64, u64, i64, i64);

#[derive(Debug)]
struct Inquiry {
    node: Option<Node>,
    began: Instant,
    running: Option<JoinHandle<Outcome>>,
    outcome: Option<Outcome>,
}

/// What was asked, and what came of it.
#[derive(Debug)]
pub(super) struct Inquiries {
    sysfs: Sysfs,
    of: HashMap<String, Inquiry>,
}

impl Inquiries {
    pub(super) fn new(sysfs: Sysfs) -> Self {
        Self { sysfs, of: HashMap::new() }
    }

    /// Asks the device, unless that was done and nothing has changed since. While somebody has its port it is not asked.
    pub(super) fn begin(&mut self, one: &Wanted) {
        let path = one.serial().and_then(|(port, _)| PortName::of(port).ok()?.resolve(&self.sysfs).ok());
        let real = path.and_then(|path| path.canonicalize().ok());
        let node = real.as_deref().and_then(node);
        let now = Instant::now();
        let held = real.as_deref().and_then(lock_holder).filter(|holder| holder.pid != Some(std::process::id()));
        if let Some(holder) = held {
            let busy = transport::OpenError::InUse { place: one.port.clone(), holder };
            let outcome = Some(Outcome { says: None, wrong: Some(busy.to_string()) });
            // whoever lets go of it may have left another device there
            let asked = Inquiry { node: None, began: now - AGAIN, running: None, outcome };
            self.of.insert(one.port.clone(), asked);
            return;
        }
        let before = self.of.remove(&one.port);
        let kept = before.as_ref().is_some_and(|before| {
            let wrong = before.outcome.as_ref().is_some_and(|outcome| outcome.wrong.is_some());
            let is_recent = now < before.began + AGAIN;
            let holds = match (one.serial(), &node) {
                // nothing to open: looking again costs nothing
                (Some(_), None) => false,
                (Some(_), Some(_)) => before.node == node && (is_recent || !wrong),
                // of what is on no port nobody tells that it has changed
                (None, _) => is_recent,
            };
            before.running.is_some() || holds
        });
        let inquiry = match before {
            Some(before) if kept => before,
            before => Inquiry {
                // what was wrong is still so until something answers; another device is not fine because one was
                outcome: before.and_then(|before| before.outcome.filter(|was| was.wrong.is_some())),
                node,
                began: now,
                running: Some(tokio::spawn(outcome(one.clone(), self.sysfs.clone()))),
            },
        };
        self.of.insert(one.port.clone(), inquiry);
    }

    /// What came of asking; nothing while the device has not answered for the first time.
    pub(super) async fn outcome(&mut self, one: &Wanted, patience: Patience) -> Option<Outcome> {
        let inquiry = self.of.get_mut(&one.port)?;
        if let Some(running) = inquiry.running.take_if(|running| patience == Patience::Wait || running.is_finished()) {
            let failed = |error: tokio::task::JoinError| Outcome { says: None, wrong: Some(error.to_string()) };
            inquiry.outcome = Some(running.await.unwrap_or_else(failed));
        }
        inquiry.outcome.clone()
    }
}

fn node(real: &Path) -> Option<Node> {
    let of = real.metadata().ok()?;
    Some(Node(of.dev(), of.ino(), of.rdev(), of.ctime(), of.ctime_nsec()))
}

async fn outcome(one: Wanted, sysfs: Sysfs) -> Outcome {
    let port = |port: &Path, baud| SerialPort::new(port, baud).looked_up_in(sysfs);
    let answer = match &one.way {
        Way::Link(link, _) => ask::link(port(&link.port, link.baud)).await,
        Way::Feig(feig) => ask::feig(feig).await,
        Way::Scanner(ScannerConfig { port: path, baud, .. })
        | Way::Signal(SignalConfig::Pole { port: path, baud, .. }) => ask::opens(port(path, *baud)).await,
        Way::Signal(SignalConfig::Pns { address, .. }) => ask::pns(*address).await,
        Way::Signal(SignalConfig::Lr6 { .. }) | Way::Lr6 => return lr6().await,
    };
    let (says, wrong) = match answer {
        Ok(Answer::Hello(hello)) => (Some(described(&hello, &Started::Unknown)), refusal(&one.way, &hello)),
        Ok(Answer::There) => (Some(there(one.driver).to_owned()), None),
        Ok(Answer::Refused(why)) => (None, Some(why)),
        Ok(Answer::Silent { noise: true }) => {
            (None, Some("what comes from the port makes no sense: check the speed, and what is plugged in".to_owned()))
        }
        Ok(Answer::Silent { noise: false }) => {
            (None, Some("nothing answers, though the port is open: check power and cable".to_owned()))
        }
        Ok(Answer::Closed(why)) => (None, Some(format!("the port closed while the device was asked ({why})"))),
        Err(error) => (None, Some(error.to_string())),
    };
    Outcome { says, wrong }
}

fn there(driver: &str) -> &'static str {
    match driver {
        "patlite-pns" => "answers with what it shows",
        "scanner" => "its port opens; a scanner speaks when a card passes",
        _ => "its port opens; a pole display answers nothing",
    }
}

/// Why the device is not the configured one.
fn refusal(way: &Way, hello: &DeviceHello) -> Option<String> {
    // bought equipment was compared by its own session
    let Way::Link(link, keys) = way else { return None };
    let serial = link.serial.as_deref().and_then(|serial| serial.try_into().ok());
    if let Some(refusal) = (Expect { role: link.role, serial }).refusal(hello) {
        return Some(refusal.to_string());
    }
    match KeyFile::new(keys.clone()).load() {
        Ok(keys) if keys.contains_key(hello.serial.as_str()) => None,
        Ok(_) => Some(Refusal::Unpaired { serial: hello.serial.clone() }.to_string()),
        Err(error) => Some(error.to_string()),
    }
}

async fn lr6() -> Outcome {
    let found = tokio::task::spawn_blocking(ask::lr6).await;
    let (says, wrong) = match found {
        Ok(Ok(true)) => (Some("is enumerated, and may be opened; it answers nothing".to_owned()), None),
        Ok(Ok(false)) => {
            (None, Some("not there: no USB device 191a:8003 is enumerated (is it plugged in?)".to_owned()))
        }
        Ok(Err(error)) => (None, Some(error.to_string())),
        Err(error) => (None, Some(error.to_string())),
    };
    Outcome { says, wrong }
}
