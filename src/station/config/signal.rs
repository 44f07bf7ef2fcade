//! The keys of a `[[signal]]`: a signal tower or a small display of another maker.

use std::net::SocketAddr;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sabot_drivers::signal::codepage::CodePage;
use sabot_drivers::signal::pole::{self, Protocol};
use sabot_drivers::signal::{Buzzer, Lights, Look, SignalConfig, pns};
use serde::Deserialize;
use toml::Spanned;

use super::DeviceConfig;
use super::key_examples::{TABLE, example};
use super::mistake::Fault;
use super::port_name;

/// How the page and `sabot devices` name the signals: by driver, and by number where a driver drives several.
pub(crate) fn signal_names(signals: &[&SignalConfig]) -> Vec<String> {
    let name = |(at, signal): (usize, &&SignalConfig)| {
        let driver = signal.driver();
        let same = signals[..at].iter().filter(|other| other.driver() == driver).count();
        if same == 0 { driver.to_owned() } else { format!("{driver} {}", same + 1) }
    };
    signals.iter().enumerate().map(name).collect()
}

/// A `[[signal]]` as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSignal {
    driver: Spanned<RawDriver>,
    address: Option<Spanned<String>>,
    port: Option<Spanned<PathBuf>>,
    baud: Option<Spanned<u32>>,
    code_page: Option<Spanned<u16>>,
    brightness: Option<Spanned<u8>>,
    buzzer: Option<Spanned<RawBuzzer>>,
    colors: Option<Spanned<RawColors>>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
enum RawDriver {
    #[serde(rename = "patlite-pns")]
    Pns,
    #[serde(rename = "patlite-lr6")]
    Lr6,
    #[serde(rename = "escpos")]
    EscPos,
    #[serde(rename = "cd5220")]
    Cd5220,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum RawBuzzer {
    Off,
    UntilEntry,
    UntilKey,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawColors {
    calm: Option<Spanned<String>>,
    notice: Option<Spanned<String>>,
    irregularity: Option<Spanned<String>>,
    integrity: Option<Spanned<String>>,
    blind: Option<Spanned<String>>,
}

/// The signals of a file; `devices` have their ports already.
pub(super) fn configured(
    raw: Vec<RawSignal>,
    folder: &Path,
    devices: &[DeviceConfig],
) -> Result<Vec<SignalConfig>, Fault> {
    let mut signals: Vec<SignalConfig> = Vec::new();
    for raw in raw {
        let (place, span) = (raw.place(), raw.place_span());
        let signal = one(raw, folder)?;
        let taken_by_device = match &signal {
            SignalConfig::Pole { port, .. } => {
                devices.iter().any(|device| device.serial_line().is_some_and(|(other, _)| other == port))
            }
            SignalConfig::Pns { .. } | SignalConfig::Lr6 { .. } => false,
        };
        if taken_by_device || signals.iter().any(|other| other.place() == signal.place()) {
            let what = format!("another device or signal is at {place} already");
            return Err(Fault::at(span, what, "each has a place of its own: name this one's, or remove one"));
        }
        signals.push(signal);
    }
    Ok(signals)
}

impl RawSignal {
    fn place_span(&self) -> Range<usize> {
        let port = self.port.as_ref().map(Spanned::span);
        port.or(self.address.as_ref().map(Spanned::span)).unwrap_or_else(|| self.driver.span())
    }

    fn place(&self) -> String {
        let port = self.port.as_ref().map(|port| port.get_ref().display().to_string());
        let address = || self.address.as_ref().map(|address| address.get_ref().clone());
        port.or_else(address).unwrap_or_else(|| "that place".to_owned())
    }

    /// The first key that this driver has no use for.
    fn idle_key(&self) -> Option<(&'static str, Range<usize>)> {
        let driver = *self.driver.get_ref();
        let tower = matches!(driver, RawDriver::Pns | RawDriver::Lr6);
        let keys = [
            ("address", self.address.as_ref().map(Spanned::span), driver == RawDriver::Pns),
            ("port", self.port.as_ref().map(Spanned::span), !tower),
            ("baud", self.baud.as_ref().map(Spanned::span), !tower),
            ("code_page", self.code_page.as_ref().map(Spanned::span), !tower),
            ("brightness", self.brightness.as_ref().map(Spanned::span), !tower),
            ("buzzer", self.buzzer.as_ref().map(Spanned::span), tower),
            ("colors", self.colors.as_ref().map(Spanned::span), tower),
        ];
        keys.into_iter().find_map(|(key, span, used)| span.filter(|_| !used).map(|span| (key, span)))
    }
}

fn one(raw: RawSignal, folder: &Path) -> Result<SignalConfig, Fault> {
    if let Some((key, span)) = raw.idle_key() {
        let what = format!("this driver has no `{key}`");
        return Err(Fault::at(span, what, "remove the key; docs/station.toml shows which driver has which"));
    }
    let driver = raw.driver.span();
    match raw.driver.get_ref() {
        RawDriver::Pns => Ok(SignalConfig::Pns { address: address(raw.address.as_ref(), driver)?, look: look(&raw)? }),
        RawDriver::Lr6 => Ok(SignalConfig::Lr6 { look: look(&raw)? }),
        RawDriver::EscPos => display(raw, Protocol::EscPos, folder),
        RawDriver::Cd5220 => display(raw, Protocol::Cd5220, folder),
    }
}

/// An address with a port; the port may be left out.
fn address(raw: Option<&Spanned<String>>, driver: Range<usize>) -> Result<SocketAddr, Fault> {
    let Some(raw) = raw else {
        return Err(Fault::at(driver, "the tower has no address", example(TABLE, "address")));
    };
    let text = raw.get_ref().trim();
    let whole = text.parse().ok().or_else(|| Some(SocketAddr::new(text.parse().ok()?, pns::PORT)));
    whole.ok_or_else(|| Fault::at(raw.span(), format!("`{text}` is no network address"), example(TABLE, "address")))
}

fn look(raw: &RawSignal) -> Result<Look, Fault> {
    let mut look = Look::default();
    if let Some(buzzer) = &raw.buzzer {
        look.buzzer = match buzzer.get_ref() {
            RawBuzzer::Off => Buzzer::Off,
            RawBuzzer::UntilEntry => Buzzer::UntilEntry,
            RawBuzzer::UntilKey => Buzzer::UntilKey,
        };
    }
    let Some(colors) = raw.colors.as_ref().map(Spanned::get_ref) else { return Ok(look) };
    let named = [&colors.calm, &colors.notice, &colors.irregularity, &colors.integrity, &colors.blind];
    for (lights, raw) in look.lights.iter_mut().zip(named) {
        if let Some(raw) = raw {
            *lights = raw.get_ref().parse::<Lights>().map_err(|error| {
                Fault::at(raw.span(), error.to_string(), "for example `irregularity = \"red blinking\"`")
            })?;
        }
    }
    Ok(look)
}

fn display(raw: RawSignal, protocol: Protocol, folder: &Path) -> Result<SignalConfig, Fault> {
    let Some(port) = raw.port.filter(|port| !port.get_ref().as_os_str().is_empty()) else {
        return Err(Fault::at(
            raw.driver.span(),
            "the display has no port",
            "add for example `port = \"/dev/sabot-pole\"`",
        ));
    };
    if let Some(baud) = raw.baud.as_ref().filter(|baud| !(300..=115_200).contains(baud.get_ref())) {
        return Err(Fault::at(baud.span(), "no speed such a display runs at", "write for example `baud = 9600`"));
    }
    let mut settings = pole::Settings::usual(protocol);
    if let Some(page) = &raw.code_page {
        settings.page = match page.get_ref() {
            850 => CodePage::Pc850,
            437 => CodePage::Pc437,
            0 => CodePage::Ascii,
            _ => {
                return Err(Fault::at(
                    page.span(),
                    "no code page that is known here",
                    "write 850, 437, or 0 for plain letters",
                ));
            }
        };
    }
    if let Some(brightness) = &raw.brightness {
        if !(1..=4).contains(brightness.get_ref()) {
            return Err(Fault::at(brightness.span(), "a brightness is 1 to 4", example(TABLE, "brightness")));
        }
        settings.brightness = *brightness.get_ref();
    }
    let baud = raw.baud.map_or(pole::BAUD, Spanned::into_inner);
    Ok(SignalConfig::Pole { port: port_name::named(&port, folder)?, baud, settings })
}

#[cfg(test)]
#[path = "signal_tests.rs"]
mod tests;
