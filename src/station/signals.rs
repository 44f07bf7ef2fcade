//! Signals that were bought: which of them there are, what they show, and until when they ring.
//!
//! They show what the pit display shows, as much of it as they can: a tower its colour, a small display the texts. The
//! buzzer rings from a finding until somebody at the table has done something about it: made an entry on the keypad, or
//! turned an authority's key there, as each signal is configured. It is still, too, once nothing grave is left to look
//! at.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use sabot_drivers::LinkConfig;
use sabot_drivers::signal::codepage::CodePage;
use sabot_drivers::signal::pole::{self, Protocol};
use sabot_drivers::signal::{Attention, Buzzer, Level, Lights, Look, Picture, Signal, SignalConfig, SignalState, pns};
use sabot_wire::message::{KeypadSaid, Observation};
use serde::Deserialize;
use toml::Spanned;

use super::examples::{TABLE, example};
use super::findings::Findings;
use super::mistake::Fault;
use super::ports;
use super::view::{DeviceState, DeviceView};
use sabot_law::table::{Felt, Severity};

/// What rang, and who has acknowledged it.
#[derive(Debug, Default)]
pub(super) struct Alarm {
    attention: Attention,
}

impl Alarm {
    /// A finding was raised.
    pub(super) fn raised(&mut self, severity: Severity) {
        if severity > Severity::Notice {
            self.attention = Attention::New;
        }
    }

    /// Something was seen; an entry acknowledges. Gives whether that changed anything.
    pub(super) fn saw(&mut self, saw: &Observation) -> bool {
        let before = self.attention;
        match saw {
            Observation::Keypad(KeypadSaid::Authorize { .. }) => self.attention = Attention::None,
            Observation::Keypad(_) => self.attention = before.min(Attention::Unkeyed),
            _ => {}
        }
        self.attention != before
    }

    /// What is to be shown: how grave, what is unacknowledged, and these texts.
    pub(super) fn picture(
        &mut self,
        felt: &Felt,
        findings: &Findings,
        fault: bool,
        texts: impl IntoIterator<Item = String>,
    ) -> Picture {
        let level = level(felt, findings, fault);
        if level <= Level::Notice {
            self.attention = Attention::None;
        }
        Picture::new(level, self.attention, texts)
    }
}

fn level(felt: &Felt, findings: &Findings, fault: bool) -> Level {
    match findings.current(felt.pass).map(|view| view.finding.severity).max() {
        Some(Severity::Integrity) => Level::Integrity,
        Some(Severity::Irregularity) => Level::Irregularity,
        Some(Severity::Notice) => Level::Notice,
        None if fault => Level::Notice,
        None => Level::Calm,
    }
}

/// The signals as they are spawned.
#[derive(Debug, Default)]
pub(super) struct Signals(Vec<(DeviceView, Signal)>);

impl Signals {
    /// Those of a configuration, each by its task.
    pub(super) fn new(signals: Vec<(SignalConfig, Signal)>) -> Self {
        let mut named: Vec<(DeviceView, Signal)> = Vec::new();
        for (config, signal) in signals {
            let same = named.iter().filter(|(view, _)| view.role.split(' ').next() == Some(config.driver())).count();
            let role = if same == 0 { config.driver().to_owned() } else { format!("{} {}", config.driver(), same + 1) };
            let view = DeviceView { role, port: config.place(), ..DeviceView::default() };
            named.push((view, signal));
        }
        Self(named)
    }

    pub(super) fn show(&self, picture: &Picture) {
        for (_, signal) in &self.0 {
            signal.show(picture.clone());
        }
    }

    /// How each is, as the pit sees it.
    pub(super) fn views(&self) -> Vec<DeviceView> {
        let view = |(view, signal): &(DeviceView, Signal)| {
            let (state, detail) = match signal.state() {
                SignalState::Absent(why) => (DeviceState::Absent, why),
                SignalState::Connecting => (DeviceState::Connecting, String::new()),
                SignalState::Shows => (DeviceState::Online, String::new()),
                SignalState::Faulty(fault) => (DeviceState::Faulty, fault.to_string()),
            };
            let counters = signal.counters();
            let (bad_frames, repeats) = (counters.bad_answers, counters.corrected);
            DeviceView { state, detail, bad_frames, repeats, ..view.clone() }
        };
        self.0.iter().map(view).collect()
    }
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
}

/// The signals of a file; `devices` have their ports already.
pub(super) fn configured(
    raw: Vec<RawSignal>,
    folder: &Path,
    devices: &[LinkConfig],
) -> Result<Vec<SignalConfig>, Fault> {
    let mut signals: Vec<SignalConfig> = Vec::new();
    for raw in raw {
        let (place, span) = (raw.place(), raw.place_span());
        let signal = one(raw, folder)?;
        let taken_by_device =
            matches!(&signal, SignalConfig::Pole { port, .. } if devices.iter().any(|of| of.port == *port));
        if taken_by_device || signals.iter().any(|other| other.place() == signal.place()) {
            let what = format!("another device or signal is at {place} already");
            return Err(Fault::at(span, what, "each has a place of its own: name this one's, or remove one"));
        }
        signals.push(signal);
    }
    Ok(signals)
}

impl RawSignal {
    fn place_span(&self) -> std::ops::Range<usize> {
        let port = self.port.as_ref().map(Spanned::span);
        port.or(self.address.as_ref().map(Spanned::span)).unwrap_or_else(|| self.driver.span())
    }

    fn place(&self) -> String {
        let port = self.port.as_ref().map(|port| port.get_ref().display().to_string());
        let address = || self.address.as_ref().map(|address| address.get_ref().clone());
        port.or_else(address).unwrap_or_else(|| "that place".to_owned())
    }

    /// The first key that this driver has no use for.
    fn idle_key(&self) -> Option<(&'static str, std::ops::Range<usize>)> {
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
fn address(raw: Option<&Spanned<String>>, driver: std::ops::Range<usize>) -> Result<SocketAddr, Fault> {
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
    let named = [&colors.calm, &colors.notice, &colors.irregularity, &colors.integrity];
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
    Ok(SignalConfig::Pole { port: ports::named(&port, folder)?, baud, settings })
}

#[cfg(test)]
#[path = "signals_tests.rs"]
mod tests;
