//! The configuration of a table: a TOML file, described key by key in `docs/station.toml`.
//!
//! A mistake in it is answered with the file, the line, the line itself and what to write instead.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sabot_drivers::LinkConfig;
use sabot_drivers::feig::{self, FeigConfig, Place};
use sabot_drivers::keys::DEFAULT_KEYS;
use sabot_drivers::scanner::ScannerConfig;
use sabot_drivers::signal::SignalConfig;
use sabot_wire::message::{Role, SERIAL_BYTES};
use serde::Deserialize;
use toml::Spanned;

use super::examples::{TABLE, example};
use super::house::{self, Chosen, NotChosen};
use super::mistake::{Fault, File, Source, nearest, utf8};
use super::ports;
use super::readers::{self, RawDriver, RawFeig, RawSpot};
use super::scanner::{self, NotConfigured, RawProtocol, RawScanner};
use super::signals::{self, RawSignal};
use sabot_law::table::answer::Lang;
use sabot_law::table::place::MAX_BOXES;
use sabot_law::table::settings::Changes;
use sabot_law::table::{Header, Limits, Name, Observes};

pub use super::mistake::{ConfigError, Mistake};

/// Bits a second where a device names none.
pub const DEFAULT_BAUD: u32 = 115_200;
/// How long a drawn card waits for an antenna where the file does not say.
pub const DEFAULT_PLACE_WAIT: Duration = Duration::from_millis(1500);
const MAX_PLACE_WAIT_MS: u64 = 10_000;

/// A table, as its file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Name, regulation, boxes, limits and what is observed: the first line of the table's log.
    pub header: Header,
    /// Language of the pit display.
    pub lang: Lang,
    /// Where the page is served.
    pub listen: SocketAddr,
    /// The record.
    pub journal: PathBuf,
    /// How long a drawn card waits to be seen somewhere on the felt.
    pub place_wait: Duration,
    /// At most one of each role.
    pub devices: Vec<LinkConfig>,
    /// Where the device with the role of the chip reader is one of FEIG's: how it is spoken to.
    pub feig: Option<FeigConfig>,
    /// Where the device with the role of the shoe is a card scanner: how it is spoken to.
    pub scanner: Option<ScannerConfig>,
    /// The keys of the devices, which `sabot device pair` writes.
    pub keys: PathBuf,
    /// The registry of the house's chips.
    pub chip_registry: Option<PathBuf>,
    /// Lamps and small displays beside the pit display.
    pub signals: Vec<SignalConfig>,
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or with its first mistake.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let bytes = std::fs::read(path).map_err(|why| ConfigError::Read { path: path.to_path_buf(), why })?;
        let text = utf8(path, &bytes)?;
        let config = Self::parse(path, text)?;
        let file = Source { path, text, kind: File::Table };
        file.journal_fault(&config.journal).map_or(Ok(config), |fault| Err(file.mistake(fault)))
    }

    /// Reads a text as if it stood in `path`.
    ///
    /// # Errors
    /// With the first mistake.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let file = Source { path, text, kind: File::Table };
        let raw = toml::from_str::<Raw>(text).map_err(|error| file.mistake(file.from_toml(&error)))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let chosen = match house::chosen(raw.regulation.get_ref(), folder) {
            Ok(chosen) => chosen,
            Err(NotChosen::File(error)) => return Err(*error),
            Err(NotChosen::Unknown { what, known }) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let instead = nearest(raw.regulation.get_ref(), &known);
                return Err(file.mistake(Fault::at(raw.regulation.span(), what, instead)));
            }
        };
        check(raw, chosen, folder, &file).map_err(|wrong| match wrong {
            NotConfigured::Fault(fault) => file.mistake(fault),
            NotConfigured::Cards(error) => error,
        })
    }
}

/// Reads a file of settings alone, as `sabot replay --settings` takes it: the names of a `[settings]` table.
///
/// # Errors
/// When it cannot be read, or with its first mistake.
pub fn settings(path: &Path) -> Result<Changes, ConfigError> {
    let bytes = std::fs::read(path).map_err(|why| ConfigError::ReadSettings { path: path.to_path_buf(), why })?;
    let text = utf8(path, &bytes)?;
    let file = Source { path, text, kind: File::Settings };
    toml::from_str(text).map_err(|error| file.mistake(file.from_toml(&error)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    table: Spanned<String>,
    regulation: Spanned<String>,
    boxes: Option<Spanned<u8>>,
    limits: Spanned<RawLimits>,
    observes: Option<Observes>,
    lang: Option<RawLang>,
    listen: Option<Spanned<String>>,
    journal: Spanned<PathBuf>,
    place_wait_ms: Option<Spanned<u64>>,
    keys: Option<PathBuf>,
    chip_registry: Option<PathBuf>,
    #[serde(default)]
    settings: Changes,
    #[serde(default)]
    device: Vec<RawDevice>,
    #[serde(default)]
    signal: Vec<RawSignal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    min: u64,
    max: u64,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum RawLang {
    Es,
    En,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDevice {
    role: Spanned<RawRole>,
    port: Spanned<PathBuf>,
    baud: Option<Spanned<u32>>,
    serial: Option<Spanned<String>>,
    driver: Option<Spanned<RawDriver>>,
    spots: Option<Spanned<Vec<Spanned<RawSpot>>>>,
    buffered: Option<Spanned<bool>>,
    value_block: Option<Spanned<u8>>,
    poll_ms: Option<Spanned<u64>>,
    hold_ms: Option<Spanned<u64>>,
    protocol: Option<Spanned<RawProtocol>>,
    cards: Option<Spanned<PathBuf>>,
    duplicate_ms: Option<Spanned<u64>>,
    no_read: Option<Spanned<String>>,
    ack: Option<Spanned<bool>>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum RawRole {
    Shoe,
    Shuffler,
    Chips,
    Keypad,
    Display,
}

fn check(raw: Raw, chosen: Chosen, folder: &Path, file: &Source<'_>) -> Result<Config, NotConfigured> {
    let boxes = match raw.boxes {
        None => u8::try_from(MAX_BOXES).unwrap_or(7),
        Some(boxes) if (1..=MAX_BOXES).contains(&usize::from(*boxes.get_ref())) => *boxes.get_ref(),
        Some(boxes) => {
            return Err(Fault::at(boxes.span(), "a table has 1 to 7 boxes", "write for example `boxes = 7`").into());
        }
    };
    if raw.table.get_ref().trim().is_empty() {
        return Err(Fault::at(raw.table.span(), "the table has no name", example(TABLE, "table")).into());
    }
    let limits = raw.limits.get_ref();
    if limits.max == 0 || limits.min > limits.max {
        let what = format!("no bet lies between a min of {} and a max of {}", limits.min, limits.max);
        let instead = if limits.max == 0 {
            example(TABLE, "limits")
        } else {
            format!("the wrong way round? write `limits = {{ min = {}, max = {} }}`", limits.max, limits.min)
        };
        return Err(Fault::at(raw.limits.span(), what, instead).into());
    }
    let header = Header {
        v: 1,
        table: Name::from(raw.table.get_ref().trim()),
        regulation: chosen.id,
        boxes,
        limits: Limits { min: limits.min, max: limits.max },
        observes: raw.observes.unwrap_or_default(),
        settings: raw.settings,
        rules: chosen.rules,
    };
    if let Err(wrong) = chosen.regulation.settings.changed(&header.settings).check() {
        return Err(file.setting_fault(&wrong).into());
    }
    if raw.journal.get_ref().as_os_str().is_empty() {
        return Err(Fault::at(raw.journal.span(), "the journal has no name", example(TABLE, "journal")).into());
    }
    let chip_registry = raw.chip_registry.map(|path| folder.join(path));
    let mut bought = Bought::default();
    let devices = devices(raw.device, folder, (boxes, chip_registry.is_some()), &mut bought)?;
    Ok(Config {
        header,
        lang: match raw.lang {
            Some(RawLang::En) => Lang::En,
            Some(RawLang::Es) | None => Lang::Es,
        },
        listen: listen(raw.listen.as_ref())?,
        journal: folder.join(raw.journal.get_ref()),
        place_wait: place_wait(raw.place_wait_ms.as_ref())?,
        signals: signals::configured(raw.signal, folder, &devices)?,
        devices,
        feig: bought.feig,
        scanner: bought.scanner,
        keys: folder.join(raw.keys.unwrap_or_else(|| PathBuf::from(DEFAULT_KEYS))),
        chip_registry,
    })
}

fn listen(raw: Option<&Spanned<String>>) -> Result<SocketAddr, Fault> {
    let Some(raw) = raw else { return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, 8080))) };
    raw.get_ref().parse().map_err(|_| {
        Fault::at(raw.span(), format!("`{}` is no address with a port", raw.get_ref()), example(TABLE, "listen"))
    })
}

fn place_wait(raw: Option<&Spanned<u64>>) -> Result<Duration, Fault> {
    match raw {
        None => Ok(DEFAULT_PLACE_WAIT),
        Some(ms) if *ms.get_ref() <= MAX_PLACE_WAIT_MS => Ok(Duration::from_millis(*ms.get_ref())),
        Some(ms) => Err(Fault::at(
            ms.span(),
            format!("a card may wait at most {MAX_PLACE_WAIT_MS} milliseconds"),
            example(TABLE, "place_wait_ms"),
        )),
    }
}

/// Devices that are bought, and speak no link.
#[derive(Default)]
struct Bought {
    feig: Option<FeigConfig>,
    scanner: Option<ScannerConfig>,
}

fn devices(
    raw: Vec<RawDevice>,
    folder: &Path,
    of_table: (u8, bool),
    bought: &mut Bought,
) -> Result<Vec<LinkConfig>, NotConfigured> {
    if raw.is_empty() {
        let instead = "add for example\n    [[device]]\n    role = \"shoe\"\n    port = \"/dev/sabot-shoe\"";
        return Err(Fault::at(0..0, "the table has no device", instead).into());
    }
    let mut roles: Vec<Role> = Vec::new();
    let mut taken: HashMap<PathBuf, Role> = HashMap::new();
    let mut configured = |mut device: RawDevice| {
        let driver = device.driver.take();
        let of_feig = RawFeig {
            spots: device.spots.take(),
            buffered: device.buffered.take(),
            value_block: device.value_block.take(),
            poll_ms: device.poll_ms.take(),
            hold_ms: device.hold_ms.take(),
        };
        let of_scanner = RawScanner {
            protocol: device.protocol.take(),
            cards: device.cards.take(),
            duplicate_ms: device.duplicate_ms.take(),
            no_read: device.no_read.take(),
            ack: device.ack.take(),
        };
        let (span, port) = (device.role.span(), device.port.get_ref().clone());
        let baud = device.baud.as_ref().map(|baud| *baud.get_ref());
        let mut link = one_device(device, folder, &mut roles, &mut taken)?;
        let named = driver.as_ref().map_or(RawDriver::Link, |driver| *driver.get_ref());
        let stray = [
            of_feig.stray().filter(|_| named != RawDriver::Feig),
            of_scanner.stray().filter(|_| named != RawDriver::Scanner),
        ];
        if let Some(stray) = stray.into_iter().flatten().next() {
            return Err(stray.into());
        }
        if let (Some(driver), Some((name, role, what))) = (driver, named.is_for())
            && role != link.role
        {
            let what = format!("the driver `{name}` reads {what}, and this is the {}", link.role.name());
            let instead = format!("write `role = \"{}\"`, or remove the driver", role.name());
            return Err(Fault::at(driver.span(), what, instead).into());
        }
        match named {
            RawDriver::Link => {}
            RawDriver::Feig => {
                let place = readers::place(&port, baud, folder);
                if let Place::Tcp(address) = &place {
                    link.port = PathBuf::from(address);
                }
                link.baud = baud.unwrap_or(feig::DEFAULT_BAUD);
                bought.feig = Some(readers::feig(&of_feig, place, link.serial.clone(), of_table, span)?);
            }
            RawDriver::Scanner => {
                let scanner = scanner::scanner(&of_scanner, &link, baud, folder, span)?;
                link.baud = scanner.baud;
                bought.scanner = Some(scanner);
            }
        }
        Ok(link)
    };
    raw.into_iter().map(&mut configured).collect()
}

fn one_device(
    device: RawDevice,
    folder: &Path,
    roles: &mut Vec<Role>,
    taken: &mut HashMap<PathBuf, Role>,
) -> Result<LinkConfig, Fault> {
    let role = match device.role.get_ref() {
        RawRole::Shoe => Role::Shoe,
        RawRole::Shuffler => Role::Shuffler,
        RawRole::Chips => Role::Chips,
        RawRole::Keypad => Role::Keypad,
        RawRole::Display => Role::Display,
    };
    if roles.contains(&role) {
        let what = format!("a second device with the role `{}`", role.name());
        let free: Vec<&str> = Role::ALL.into_iter().filter(|role| !roles.contains(role)).map(Role::name).collect();
        let instead =
            format!("a table has one of each: remove one, or give this one another role ({})", free.join(", "));
        return Err(Fault::at(device.role.span(), what, instead));
    }
    roles.push(role);
    let port = ports::named(&device.port, folder)?;
    if let Some(other) = taken.insert(port.clone(), role) {
        let what = format!("the port of the device with the role `{}`", other.name());
        return Err(Fault::at(device.port.span(), what, "each device has a port of its own: name this one's"));
    }
    if let Some(baud) = device.baud.as_ref().filter(|baud| !(300..=4_000_000).contains(baud.get_ref())) {
        return Err(Fault::at(baud.span(), "no speed a serial port runs at", example(TABLE, "baud")));
    }
    if let Some(serial) = device.serial.as_ref().filter(|serial| !(1..=SERIAL_BYTES).contains(&serial.get_ref().len()))
    {
        let what = format!("a serial number has 1 to {SERIAL_BYTES} characters");
        return Err(Fault::at(serial.span(), what, "write it as printed on the housing, or leave the key out"));
    }
    Ok(LinkConfig {
        role,
        port,
        baud: device.baud.map_or(DEFAULT_BAUD, Spanned::into_inner),
        serial: device.serial.map(Spanned::into_inner),
    })
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
