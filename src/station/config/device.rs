//! The `[[device]]` tables of a configuration: the role of each device, and the driver that speaks to it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sabot_drivers::LinkConfig;
use sabot_drivers::camera::CameraConfig;
use sabot_drivers::feig::{FeigLine, Place};
use sabot_drivers::pad::PadConfig;
use sabot_drivers::scanner::ScannerConfig;
use sabot_wire::message::{Image, Role, SERIAL_BYTES};
use serde::Deserialize;
use toml::Spanned;

use super::DEFAULT_BAUD;
use super::camera::{self, RawCamera, RawOut};
use super::feig::{self, Around, RawFeig, RawPresence, RawSpot};
use super::key_examples::{TABLE, example};
use super::mistake::{Fault, NotConfigured};
use super::port_name;
use super::scanner::{self, RawProtocol, RawScanner};

/// A device of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceConfig {
    /// What it is at the table.
    pub role: Role,
    /// How it is spoken to.
    pub driver: Driver,
}

/// What speaks to a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// This project's link, to a device of our own.
    Own(LinkConfig),
    /// FEIG chip readers on one line.
    Feig(FeigLine),
    /// A card scanner.
    Scanner(ScannerConfig),
    /// A camera that reads cards.
    Camera(CameraConfig),
    /// A numeric pad.
    Pad(PadConfig),
}

impl DeviceConfig {
    /// Its driver, as the file writes it.
    #[must_use]
    pub const fn driver_name(&self) -> &'static str {
        match self.driver {
            Driver::Own(_) => "link",
            Driver::Feig(_) => "feig",
            Driver::Scanner(_) => "scanner",
            Driver::Camera(_) => "camera",
            Driver::Pad(_) => "pad",
        }
    }

    /// Its serial port, where it is at one, and the speed.
    #[must_use]
    pub fn serial_line(&self) -> Option<(&Path, u32)> {
        match &self.driver {
            Driver::Own(LinkConfig { port, baud, .. })
            | Driver::Feig(FeigLine { place: Place::Serial(port, baud), .. })
            | Driver::Scanner(ScannerConfig { port, baud, .. }) => Some((port, *baud)),
            Driver::Feig(FeigLine { place: Place::Tcp(_), .. }) | Driver::Camera(_) | Driver::Pad(_) => None,
        }
    }

    /// The line of FEIG readers that it is.
    pub(crate) const fn feig_line(&self) -> Option<&FeigLine> {
        if let Driver::Feig(line) = &self.driver { Some(line) } else { None }
    }

    /// Where it is: its serial port, or its host and port on the network.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.driver {
            Driver::Feig(FeigLine { place: Place::Tcp(address), .. }) => address.clone(),
            Driver::Own(LinkConfig { port, .. })
            | Driver::Feig(FeigLine { place: Place::Serial(port, _), .. })
            | Driver::Scanner(ScannerConfig { port, .. })
            | Driver::Camera(CameraConfig { port, .. })
            | Driver::Pad(PadConfig { port }) => port.display().to_string(),
        }
    }
}

/// A `[[device]]` as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDevice {
    role: Spanned<RawRole>,
    port: Spanned<PathBuf>,
    baud: Option<Spanned<u32>>,
    serial: Option<Spanned<String>>,
    image: Option<Spanned<String>>,
    driver: Option<Spanned<RawDriver>>,
    spots: Option<Spanned<Vec<Spanned<RawSpot>>>>,
    buffered: Option<Spanned<bool>>,
    value_block: Option<Spanned<u8>>,
    poll_ms: Option<Spanned<u64>>,
    hold_ms: Option<Spanned<u64>>,
    multiplexer: Option<Spanned<bool>>,
    presence: Option<Spanned<RawPresence>>,
    protocol: Option<Spanned<RawProtocol>>,
    cards: Option<Spanned<PathBuf>>,
    duplicate_ms: Option<Spanned<u64>>,
    no_read: Option<Spanned<String>>,
    ack: Option<Spanned<bool>>,
    deck: Option<Spanned<PathBuf>>,
    out: Option<Spanned<RawOut>>,
    exposure_us: Option<Spanned<u32>>,
    gain: Option<Spanned<i32>>,
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

impl From<RawRole> for Role {
    fn from(role: RawRole) -> Self {
        match role {
            RawRole::Shoe => Self::Shoe,
            RawRole::Shuffler => Self::Shuffler,
            RawRole::Chips => Self::Chips,
            RawRole::Keypad => Self::Keypad,
            RawRole::Display => Self::Display,
        }
    }
}

/// The driver of a device.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum RawDriver {
    Link,
    Feig,
    Scanner,
    Camera,
    Pad,
}

impl RawDriver {
    /// Its name, the roles it is for and what it reads there; nothing where it is for every role.
    const fn is_for(self) -> Option<(&'static str, &'static [Role], &'static str)> {
        match self {
            Self::Link => None,
            Self::Feig => Some(("feig", &[Role::Chips, Role::Shoe], "tags of chips and cards")),
            Self::Scanner => Some(("scanner", &[Role::Shoe], "cards")),
            Self::Camera => Some(("camera", &[Role::Shoe], "cards")),
            Self::Pad => Some(("pad", &[Role::Keypad], "keys")),
        }
    }
}

/// The devices of a file.
pub(super) fn devices(raw: Vec<RawDevice>, folder: &Path, around: Around) -> Result<Vec<DeviceConfig>, NotConfigured> {
    if raw.is_empty() {
        let instead = "add for example\n    [[device]]\n    role = \"shoe\"\n    port = \"/dev/sabot-shoe\"";
        return Err(Fault::at(0..0, "the table has no device", instead).into());
    }
    let mut roles: Vec<(Role, RawDriver)> = Vec::new();
    let mut taken: HashMap<PathBuf, Role> = HashMap::new();
    let mut devices: Vec<DeviceConfig> = Vec::new();
    for raw in raw {
        let span = raw.spots.as_ref().map_or_else(|| raw.role.span(), Spanned::span);
        let link = raw.link(folder, &mut roles, &mut taken)?;
        devices.push(DeviceConfig { role: link.role, driver: raw.driver(link, folder, around)? });
        let lines: Vec<&FeigLine> = devices.iter().filter_map(DeviceConfig::feig_line).collect();
        if let Some(at) = feig::watched_twice(&lines) {
            let what = format!("the spot {at} is watched by readers on another line already");
            return Err(Fault::at(span, what, "remove one of them").into());
        }
    }
    Ok(devices)
}

impl RawDevice {
    /// What every device has. The link is the driver of a device that names none.
    fn link(
        &self,
        folder: &Path,
        roles: &mut Vec<(Role, RawDriver)>,
        taken: &mut HashMap<PathBuf, Role>,
    ) -> Result<LinkConfig, Fault> {
        let role = Role::from(*self.role.get_ref());
        let is_taken = |role: &Role| roles.iter().any(|(taken, _)| taken == role);
        let driver = self.named_driver();
        // readers on several lines are one device
        let is_one_of_several = role == Role::Chips && driver == RawDriver::Feig;
        if is_taken(&role) && !(is_one_of_several && roles.contains(&(role, RawDriver::Feig))) {
            let what = format!("a second device with the role `{}`", role.name());
            let free: Vec<&str> = Role::ALL.into_iter().filter(|role| !is_taken(role)).map(Role::name).collect();
            let instead =
                format!("a table has one of each: remove one, or give this one another role ({})", free.join(", "));
            return Err(Fault::at(self.role.span(), what, instead));
        }
        roles.push((role, driver));
        let port = port_name::named(&self.port, folder)?;
        if let Some(other) = taken.insert(port.clone(), role) {
            let what = format!("the port of the device with the role `{}`", other.name());
            return Err(Fault::at(self.port.span(), what, "each device has a port of its own: name this one's"));
        }
        if let Some(baud) = self.baud.as_ref().filter(|baud| !(300..=4_000_000).contains(baud.get_ref())) {
            return Err(Fault::at(baud.span(), "no speed a serial port runs at", example(TABLE, "baud")));
        }
        let wrong_length = |serial: &&Spanned<String>| !(1..=SERIAL_BYTES).contains(&serial.get_ref().len());
        if let Some(serial) = self.serial.as_ref().filter(wrong_length) {
            let what = format!("a serial number has 1 to {SERIAL_BYTES} characters");
            return Err(Fault::at(serial.span(), what, "write it as printed on the housing, or leave the key out"));
        }
        let serial = self.serial.as_ref().map(|serial| serial.get_ref().clone());
        let image = match &self.image {
            None => None,
            Some(text) => Some(Image::typed(text.get_ref()).ok_or_else(|| {
                let way_out = "write the image's hash as the build prints it, or leave the key out";
                Fault::at(text.span(), "an image's hash has 64 hexadecimal digits", way_out)
            })?),
        };
        Ok(LinkConfig { role, port, baud: self.baud().unwrap_or(DEFAULT_BAUD), serial, image })
    }

    fn named_driver(&self) -> RawDriver {
        self.driver.as_ref().map_or(RawDriver::Link, |driver| *driver.get_ref())
    }

    fn baud(&self) -> Option<u32> {
        self.baud.as_ref().map(|baud| *baud.get_ref())
    }

    /// The driver that the file names, with the keys that only this driver has.
    fn driver(self, link: LinkConfig, folder: &Path, around: Around) -> Result<Driver, NotConfigured> {
        let (span, baud, named) = (self.role.span(), self.baud(), self.named_driver());
        let of_line = self.baud.as_ref().map(Spanned::span).or_else(|| self.serial.as_ref().map(Spanned::span));
        let without = [(RawDriver::Pad, "pad"), (RawDriver::Camera, "camera")].into_iter().find(|(of, _)| *of == named);
        if let (Some(span), Some((_, name))) = (of_line, without) {
            let what = format!("a {name} has neither a speed nor a serial number that it tells");
            return Err(Fault::at(span, what, format!("remove the key, and name the {name} by its port")).into());
        }
        if let Some(image) = self.image.as_ref().filter(|_| named != RawDriver::Link) {
            let what = "a device that others make does not tell what it runs";
            return Err(Fault::at(image.span(), what, "remove the key").into());
        }
        let of_feig = RawFeig {
            role: link.role,
            spots: self.spots,
            buffered: self.buffered,
            value_block: self.value_block,
            poll_ms: self.poll_ms,
            hold_ms: self.hold_ms,
            multiplexer: self.multiplexer,
            presence: self.presence,
        };
        let of_scanner = RawScanner {
            protocol: self.protocol,
            cards: self.cards,
            duplicate_ms: self.duplicate_ms,
            no_read: self.no_read,
            ack: self.ack,
        };
        let of_camera = RawCamera { deck: self.deck, out: self.out, exposure_us: self.exposure_us, gain: self.gain };
        let stray = [
            of_feig.stray().filter(|_| named != RawDriver::Feig),
            of_scanner.stray().filter(|_| named != RawDriver::Scanner),
            of_camera.stray().filter(|_| named != RawDriver::Camera),
        ];
        if let Some(stray) = stray.into_iter().flatten().next() {
            return Err(stray.into());
        }
        if let (Some(driver), Some((name, roles, what))) = (self.driver, named.is_for())
            && !roles.contains(&link.role)
        {
            let what = format!("the driver `{name}` reads {what}, and this is the {}", link.role.name());
            let roles: Vec<String> = roles.iter().map(|role| format!("`role = \"{}\"`", role.name())).collect();
            let instead = format!("write {}, or remove the driver", roles.join(" or "));
            return Err(Fault::at(driver.span(), what, instead).into());
        }
        Ok(match named {
            RawDriver::Link => Driver::Own(link),
            RawDriver::Feig => {
                let place = feig::place(self.port.get_ref(), baud, folder);
                Driver::Feig(feig::feig(&of_feig, place, link.serial, around, span)?)
            }
            RawDriver::Scanner => Driver::Scanner(scanner::scanner(&of_scanner, &link, baud, folder, span)?),
            RawDriver::Camera => Driver::Camera(camera::camera(&of_camera, &link, folder, span)?),
            RawDriver::Pad => Driver::Pad(PadConfig { port: link.port }),
        })
    }
}
