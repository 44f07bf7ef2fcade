//! Asking the devices that the configuration names, each once, until something changes.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sabot_drivers::LinkConfig;
use sabot_drivers::camera::CameraPort;
use sabot_drivers::feig::ReaderLines;
use sabot_drivers::keys::{KeyFile, KeysError};
use sabot_drivers::pad::PadPort;
use sabot_drivers::probe::{self, Answer};
use sabot_drivers::signal::SignalConfig;
use sabot_drivers::transport::{OpenError, PortName, SerialPort, Sysfs, lock_holder};
use sabot_wire::host::{Expect, Refusal};
use sabot_wire::message::{DeviceHello, Started};
use tokio::task::JoinHandle;

use super::Kind;
use crate::config::{Config, DeviceConfig, Driver, signal_names};
use crate::described;

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
pub(super) struct Configured {
    /// As the station's page names it.
    pub(super) role: String,
    /// As the station's page names it.
    pub(super) port: String,
    pub(super) kind: ConfiguredKind,
    /// Where the keys of the devices are.
    keys: PathBuf,
}

#[derive(Debug, Clone)]
pub(super) enum ConfiguredKind {
    Device(DeviceConfig),
    Signal(SignalConfig),
}

/// What came of asking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) says: Option<String>,
    pub(super) wrong: Option<String>,
    /// It is not to be trusted: it lacks this.
    pub(super) lacks: Option<Lacks>,
    /// The serial number that a FEIG reader tells.
    pub(super) reader: Option<String>,
}

/// What a device lacks that is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacks {
    /// The station has no key of it.
    Key,
    /// It does not hold the key that the station has of it.
    SameKey,
    /// It is another than the one whose serial number the configuration pins.
    Serial,
    /// It is refused whatever key it holds: of another role or version, without a name, or with that of another.
    Standing,
}

/// A device that is not to be trusted: in a record it would be a finding of tampering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distrusted {
    /// Its role in the configuration.
    pub role: String,
    /// The port as the configuration names it.
    pub port: String,
    /// What it says of itself: kind, serial number, version. Nothing where it was refused before it could.
    pub says: Option<String>,
    /// What it lacks.
    pub lacks: Lacks,
    /// What is wrong, in words.
    pub wrong: String,
}

impl Outcome {
    fn of(says: Option<String>, wrong: Option<String>) -> Self {
        Self { says, wrong, ..Self::default() }
    }

    /// What came of asking at a port, held against the readers that were met before.
    pub(super) fn among(self, known: &ReaderLines, port: &str) -> Self {
        match self.reader.as_deref().and_then(|serial| known.refuses(serial, port)) {
            Some(wrong) => Self { wrong: Some(wrong), lacks: Some(Lacks::Standing), ..self },
            None => self,
        }
    }
}

/// Every device and signal of a configuration, in its order.
pub(super) fn configured(config: &Config) -> Vec<Configured> {
    let one = |role: String, port, kind| Configured { role, port, kind, keys: config.keys.clone() };
    let device = |device: &DeviceConfig| {
        one(device.role.name().to_owned(), device.place(), ConfiguredKind::Device(device.clone()))
    };
    let signals: Vec<&SignalConfig> = config.signals.iter().collect();
    let signal =
        |(role, signal): (String, &SignalConfig)| one(role, signal.place(), ConfiguredKind::Signal(signal.clone()));
    let signals = signal_names(&signals).into_iter().zip(signals).map(signal);
    config.devices.iter().map(device).chain(signals).collect()
}

impl Configured {
    /// Its driver, as the file writes it.
    pub(super) fn driver(&self) -> &'static str {
        match &self.kind {
            ConfiguredKind::Device(device) => device.driver_name(),
            ConfiguredKind::Signal(signal) => signal.driver(),
        }
    }

    pub(super) const fn is_lr6(&self) -> bool {
        matches!(self.kind, ConfiguredKind::Signal(SignalConfig::Lr6 { .. }))
    }

    const fn is_pad(&self) -> bool {
        matches!(self.kind, ConfiguredKind::Device(DeviceConfig { driver: Driver::Pad(_), .. }))
    }

    /// That it has more readers on its line than tell in time.
    pub(super) fn crowded(&self) -> Option<String> {
        match &self.kind {
            ConfiguredKind::Device(device) => device.feig_line()?.crowded(),
            ConfiguredKind::Signal(_) => None,
        }
    }

    /// Its serial port, where it is at one, and the speed.
    pub(super) fn serial_line(&self) -> Option<(&Path, u32)> {
        match &self.kind {
            ConfiguredKind::Device(device) => device.serial_line(),
            ConfiguredKind::Signal(SignalConfig::Pole { port, baud, .. }) => Some((port, *baud)),
            ConfiguredKind::Signal(SignalConfig::Pns { .. } | SignalConfig::Lr6 { .. }) => None,
        }
    }

    /// How it is reached, the port behind its name being `at`.
    pub(super) fn reached_by(&self, at: Option<&Path>) -> Kind {
        match self.serial_line() {
            None if self.is_lr6() || self.is_pad() => Kind::Usb,
            None => Kind::Tcp,
            Some(_) if at.is_some_and(|at| at.starts_with("/dev/pts")) => Kind::Pty,
            Some(_) => Kind::Serial,
        }
    }
}

/// What a port is now: another number, another node, another time of making are another device.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Node(u64, u64, u64, i64, i64);

#[derive(Debug)]
struct Probe {
    node: Option<Node>,
    began: Instant,
    running: Option<JoinHandle<Outcome>>,
    outcome: Option<Outcome>,
}

/// What was asked, and what came of it.
#[derive(Debug)]
pub(super) struct Probes {
    sysfs: Sysfs,
    of: HashMap<String, Probe>,
}

impl Probes {
    pub(super) fn new(sysfs: Sysfs) -> Self {
        Self { sysfs, of: HashMap::new() }
    }

    /// Asks the device, unless that was done and nothing has changed since. While somebody has its port it is not
    /// asked.
    pub(super) fn begin(&mut self, one: &Configured) {
        let path = one.serial_line().and_then(|(port, _)| PortName::of(port).ok()?.resolve(&self.sysfs).ok());
        let real = path.and_then(|path| path.canonicalize().ok());
        let node = real.as_deref().and_then(node);
        let now = Instant::now();
        let holder = real.as_deref().and_then(lock_holder).filter(|holder| holder.pid != Some(std::process::id()));
        if let Some(holder) = holder {
            let busy = OpenError::InUse { place: one.port.clone(), holder };
            let outcome = Some(Outcome::of(None, Some(busy.to_string())));
            // whoever lets go of it may have left another device there
            let asked = Probe { node: None, began: now - AGAIN, running: None, outcome };
            self.of.insert(one.port.clone(), asked);
            return;
        }
        let before = self.of.remove(&one.port);
        let kept = before.as_ref().is_some_and(|before| {
            let wrong = before.outcome.as_ref().is_some_and(|outcome| outcome.wrong.is_some());
            let is_recent = now < before.began + AGAIN;
            let holds = match (one.serial_line(), &node) {
                // nothing to open: looking again costs nothing
                (Some(_), None) => false,
                (Some(_), Some(_)) => before.node == node && (is_recent || !wrong),
                // of what is on no port nobody tells that it has changed
                (None, _) => is_recent,
            };
            before.running.is_some() || holds
        });
        let probe = match before {
            Some(before) if kept => before,
            before => Probe {
                // what was wrong is still so until something answers; another device is not fine because one was
                outcome: before.and_then(|before| before.outcome.filter(|was| was.wrong.is_some())),
                node,
                began: now,
                running: Some(tokio::spawn(outcome(one.clone(), self.sysfs.clone()))),
            },
        };
        self.of.insert(one.port.clone(), probe);
    }

    /// What came of asking; nothing while the device has not answered for the first time.
    pub(super) async fn outcome(&mut self, one: &Configured, patience: Patience) -> Option<Outcome> {
        let probe = self.of.get_mut(&one.port)?;
        if let Some(running) = probe.running.take_if(|running| patience == Patience::Wait || running.is_finished()) {
            let failed = |error: tokio::task::JoinError| Outcome::of(None, Some(error.to_string()));
            probe.outcome = Some(running.await.unwrap_or_else(failed));
        }
        probe.outcome.clone()
    }
}

fn node(real: &Path) -> Option<Node> {
    let of = real.metadata().ok()?;
    Some(Node(of.dev(), of.ino(), of.rdev(), of.ctime(), of.ctime_nsec()))
}

async fn outcome(one: Configured, sysfs: Sysfs) -> Outcome {
    let port = |port: &Path, baud| SerialPort::new(port, baud).looked_up_in(sysfs);
    let (answer, there) = match &one.kind {
        ConfiguredKind::Device(DeviceConfig { driver: Driver::Own(link), .. }) => {
            let keys = KeyFile::new(one.keys.clone());
            (probe::link(port(&link.port, link.baud), expected(link), keys).await, "")
        }
        ConfiguredKind::Device(DeviceConfig { driver: Driver::Feig(feig), .. }) => (probe::feig(feig).await, ""),
        ConfiguredKind::Device(DeviceConfig { driver: Driver::Scanner(scanner), .. }) => {
            let answer = probe::opens(port(&scanner.port, scanner.baud)).await;
            (answer, "its port opens; a scanner speaks when a card passes")
        }
        ConfiguredKind::Device(DeviceConfig { driver: Driver::Camera(camera), .. }) => {
            (probe::opens(CameraPort::of(camera)).await, "its pictures can be had; a camera tells when a card passes")
        }
        ConfiguredKind::Device(DeviceConfig { driver: Driver::Pad(pad), .. }) => {
            (probe::opens(PadPort::new(&pad.port)).await, "its device file opens; a pad speaks when a key is pressed")
        }
        ConfiguredKind::Signal(SignalConfig::Pole { port: path, baud, .. }) => {
            (probe::opens(port(path, *baud)).await, "its port opens; a pole display answers nothing")
        }
        ConfiguredKind::Signal(SignalConfig::Pns { address, .. }) => {
            (probe::pns(*address).await, "answers with what it shows")
        }
        ConfiguredKind::Signal(SignalConfig::Lr6 { .. }) => return lr6().await,
    };
    let reader = match (&one.kind, &answer) {
        (
            ConfiguredKind::Device(DeviceConfig { driver: Driver::Feig(_), .. }),
            Ok(Answer::Hello(hello) | Answer::Advised(hello, _)),
        ) => Some(hello.serial.to_string()),
        _ => None,
    };
    let (says, wrong) = match answer {
        Ok(Answer::Hello(hello)) => {
            let says = Some(described(&hello, &Started::Unknown));
            return match refusal(&one, &hello) {
                Ok(None) => Outcome { reader, ..Outcome::of(says, None) },
                Ok(Some(refusal)) => {
                    let lacks = match refusal {
                        Refusal::Unpaired { .. } => Some(Lacks::Key),
                        Refusal::Serial { .. } => Some(Lacks::Serial),
                        _ => Some(Lacks::Standing),
                    };
                    Outcome { lacks, ..Outcome::of(says, Some(refusal.to_string())) }
                }
                Err(error) => Outcome::of(says, Some(error.to_string())),
            };
        }
        Ok(Answer::OtherKey(hello)) => {
            let says = Some(described(&hello, &Started::Unknown));
            let wrong = Some(Refusal::Key { serial: hello.serial }.to_string());
            return Outcome { lacks: Some(Lacks::SameKey), ..Outcome::of(says, wrong) };
        }
        Ok(Answer::Advised(hello, what)) => (Some(described(&hello, &Started::Unknown)), Some(what)),
        Ok(Answer::There) => (Some(there.to_owned()), None),
        Ok(Answer::Refused(why)) => (None, Some(why)),
        Ok(Answer::Swapped(why)) => return Outcome { lacks: Some(Lacks::Serial), ..Outcome::of(None, Some(why)) },
        Ok(Answer::Silent { noise: true }) => {
            (None, Some("what comes from the port makes no sense: check the speed, and what is plugged in".to_owned()))
        }
        Ok(Answer::Silent { noise: false }) => {
            (None, Some("nothing answers, though the port is open: check power and cable".to_owned()))
        }
        Ok(Answer::Closed(why)) => (None, Some(format!("the port closed while the device was asked ({why})"))),
        Err(error) => (None, Some(error.to_string())),
    };
    Outcome { reader, ..Outcome::of(says, wrong) }
}

/// Those devices that are attached and not to be trusted: of ours those with which the station shares no key, of ours
/// and of FEIG's those that are others than the configuration pins, and readers that answer on two lines. Nothing else
/// can be asked who it is without taking something from it. Must be called within a tokio runtime; a device that is
/// silent takes [`probe::LINK_WITHIN`].
pub async fn distrusted(config: &Config) -> Vec<Distrusted> {
    let has_lines = config.devices.iter().filter_map(DeviceConfig::feig_line).nth(1).is_some();
    let says_who_it_is = |one: &Configured| match &one.kind {
        ConfiguredKind::Device(DeviceConfig { driver: Driver::Own(_), .. }) => true,
        ConfiguredKind::Device(DeviceConfig { driver: Driver::Feig(line), .. }) => {
            has_lines || line.setup.serial.is_some()
        }
        _ => false,
    };
    let asked = configured(config).into_iter().filter(says_who_it_is).map(|one| {
        let asking = tokio::spawn(outcome(one.clone(), Sysfs::default()));
        (one, asking)
    });
    let (mut distrusted, readers) = (Vec::new(), ReaderLines::default());
    for (one, asking) in asked.collect::<Vec<_>>() {
        let Ok(outcome) = asking.await else { continue };
        if let Outcome { lacks: Some(lacks), says, wrong, .. } = outcome.among(&readers, &one.port) {
            let wrong = wrong.unwrap_or_default();
            distrusted.push(Distrusted { role: one.role, port: one.port, says, lacks, wrong });
        }
    }
    distrusted
}

/// The device that belongs there.
fn expected(link: &LinkConfig) -> Expect {
    Expect { role: link.role, serial: link.serial.as_deref().and_then(|serial| serial.try_into().ok()) }
}

/// Why the device is not the configured one.
fn refusal(one: &Configured, hello: &DeviceHello) -> Result<Option<Refusal>, KeysError> {
    // the session of a third party's device has compared it already
    let ConfiguredKind::Device(DeviceConfig { driver: Driver::Own(link), .. }) = &one.kind else { return Ok(None) };
    if let Err(refusal) = expected(link).version(hello) {
        return Ok(Some(refusal));
    }
    let has_key = KeyFile::new(one.keys.clone()).load()?.contains_key(hello.serial.as_str());
    Ok((!has_key).then(|| Refusal::Unpaired { serial: hello.serial.clone() }))
}

async fn lr6() -> Outcome {
    let found = tokio::task::spawn_blocking(probe::lr6).await;
    let (says, wrong) = match found {
        Ok(Ok(true)) => (Some("is enumerated, and may be opened; it answers nothing".to_owned()), None),
        Ok(Ok(false)) => {
            (None, Some("not there: no USB device 191a:8003 is enumerated (is it plugged in?)".to_owned()))
        }
        Ok(Err(error)) => (None, Some(error.to_string())),
        Err(error) => (None, Some(error.to_string())),
    };
    Outcome::of(says, wrong)
}
