//! The configuration of a table: a TOML file, described key by key in `docs/station.toml`.
//!
//! A mistake in it is answered with the file, the line, the line itself and what to write instead.

pub mod broker;
mod camera;
mod device;
mod feig;
mod key_examples;
mod mistake;
mod named_files;
pub mod own_regulation;
pub mod pit;
mod port_name;
mod scanner;
mod sights;
mod signal;
mod uplink;
mod webhook;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::civil::Time;
use sabot_drivers::keys::DEFAULT_KEYS;
use sabot_drivers::signal::SignalConfig;
use serde::Deserialize;
use toml::Spanned;

use super::clocks::ClockConfig;
use super::digest;
use super::gaming_day::GamingDay;
use super::house_time::{HouseTime, NoTimeZone};
use super::second::{Seconds, Weighty};
use super::silent::{MAY_KNOW, Silent};
use super::staff::Office;
use device::RawDevice;
use feig::Around;
use key_examples::{TABLE, example};
use mistake::{Fault, FileKind, NotConfigured, SourceFile, nearest, utf8};
use own_regulation::{Chosen, NotChosen};
use sabot_law::table::answer::Lang;
use sabot_law::table::place::MAX_BOXES;
use sabot_law::table::settings::Changes;
use sabot_law::table::{Header, Limits, Name, Sight};
use sabot_web::{InClear, in_clear};
use signal::RawSignal;
use uplink::RawUplink;
use webhook::RawWebhook;

pub use device::{DeviceConfig, Driver};
pub use mistake::{ConfigError, Mistake};
pub(crate) use named_files::{Named, is_told_of};
pub use sights::{Unseen, UnseenTouches, unseen, unseen_touches};
pub(crate) use signal::signal_names;
pub use uplink::UplinkConfig;
pub use webhook::{Format, Profile, WebhookConfig};

/// Bits a second where a device names none.
pub const DEFAULT_BAUD: u32 = 115_200;
/// How long a drawn card waits for an antenna where the file does not say.
pub const DEFAULT_PLACE_WAIT: Duration = Duration::from_millis(1500);
/// The port of a table's page where the file names none.
const DEFAULT_PORT: u16 = 8080;
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
    /// The private key that signs the record, which `sabot journal key` makes.
    pub journal_key: Option<PathBuf>,
    /// The public keys of those who may open covered cards before they are uncovered.
    pub journal_readers: Vec<PathBuf>,
    /// Where the keys are kept that open covered cards at the next start; beside the record where none is named.
    pub journal_seal: Option<PathBuf>,
    /// When the house's day begins; none where one record holds all of them.
    pub gaming_day: Option<GamingDay>,
    /// Whose clocks people read.
    pub house: HouseTime,
    /// Clocks that the station's is held against, in the order of their names.
    pub clocks: Vec<ClockConfig>,
    /// How many days a closed day is kept; none where all are.
    pub journal_keep_days: Option<u64>,
    /// How many days the pictures of findings' cards are kept; none where as long as the record.
    pub pictures_keep_days: Option<u64>,
    /// Public keys of witnesses, one of which must have seen what is removed.
    pub journal_witnesses: Vec<PathBuf>,
    /// Where the record is shipped; none where it stays here.
    pub uplink: Option<UplinkConfig>,
    /// Who is told of the record's lines by HTTP.
    pub webhooks: Vec<WebhookConfig>,
    /// SHA-256 of the file, in hexadecimal digits.
    pub digest: String,
    /// Its text.
    pub text: String,
    /// SHA-256 of the program's file, with which alone the station runs; none where nobody says.
    pub program: Option<String>,
    /// Nobody plays for money at this table; its record says so.
    pub test_mode: bool,
    /// How long a drawn card waits to be seen somewhere on the felt.
    pub place_wait: Duration,
    /// At most one of each role.
    pub devices: Vec<DeviceConfig>,
    /// The keys of the devices, which `sabot device pair` writes.
    pub keys: PathBuf,
    /// The registry of the house's chips.
    pub chip_registry: Option<PathBuf>,
    /// The registry of the house's cards with tags.
    pub deck_registry: Option<PathBuf>,
    /// The people who may act on the page.
    pub staff: Option<PathBuf>,
    /// Acts that a second person has to sign.
    pub second_person: Seconds,
    /// Articles whose findings are for surveillance alone.
    pub silent: Silent,
    /// Names under which the page is asked for, beside its address.
    pub hosts: Vec<String>,
    /// The folder of the page's certificate, which `sabot tls make` makes.
    pub tls: Option<PathBuf>,
    /// Lamps and small displays beside the pit display.
    pub signals: Vec<SignalConfig>,
    /// The clock is gone by though the record was told of a later time; no file says so.
    pub accept_clock: bool,
    /// A record is signed to which no checkpoint of the key lies; no file says so.
    pub accept_unsigned: bool,
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
        let file = SourceFile { path, text, kind: FileKind::Table };
        file.journal_fault(&config.journal).map_or(Ok(config), |fault| Err(file.mistake(fault)))
    }

    /// Whether an office that is entered at the keypad counts though nobody has signed.
    #[must_use]
    pub fn believes_badges(&self) -> bool {
        self.staff.is_none() && self.test_mode
    }

    /// Reads a text as if it stood in `path`.
    ///
    /// # Errors
    /// With the first mistake.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let file = SourceFile { path, text, kind: FileKind::Table };
        let raw = toml::from_str::<Raw>(text).map_err(|error| file.mistake(file.from_toml(&error)))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let chosen = match own_regulation::choose(raw.regulation.get_ref(), folder) {
            Ok(chosen) => chosen,
            Err(NotChosen::FileKind(error)) => {
                return Err(file.not_configured(NotConfigured::unread(*error, raw.regulation.span())));
            }
            Err(NotChosen::Unknown { what, known }) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let instead = nearest(raw.regulation.get_ref(), &known);
                return Err(file.mistake(Fault::at(raw.regulation.span(), what, instead)));
            }
        };
        check(raw, chosen, folder, &file).map_err(|wrong| file.not_configured(wrong))
    }
}

/// Reads a file of settings alone, as `sabot replay --settings` takes it: the names of a `[settings]` table.
///
/// # Errors
/// When it cannot be read, or with its first mistake.
pub fn settings(path: &Path) -> Result<Changes, ConfigError> {
    let bytes = std::fs::read(path).map_err(|why| ConfigError::ReadSettings { path: path.to_path_buf(), why })?;
    let text = utf8(path, &bytes)?;
    let file = SourceFile { path, text, kind: FileKind::Settings };
    toml::from_str(text).map_err(|error| file.mistake(file.from_toml(&error)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    table: Spanned<String>,
    regulation: Spanned<String>,
    boxes: Option<Spanned<u8>>,
    limits: Spanned<RawLimits>,
    observes: Option<Spanned<Vec<Sight>>>,
    lang: Option<RawLang>,
    listen: Option<Spanned<String>>,
    journal: Spanned<PathBuf>,
    journal_key: Option<PathBuf>,
    #[serde(default)]
    journal_readers: Vec<PathBuf>,
    journal_seal: Option<PathBuf>,
    gaming_day: Option<Spanned<String>>,
    time_zone: Option<Spanned<String>>,
    #[serde(default)]
    clocks: BTreeMap<String, Spanned<String>>,
    journal_keep_days: Option<u64>,
    pictures_keep_days: Option<u64>,
    #[serde(default)]
    journal_witnesses: Vec<PathBuf>,
    uplink: Option<RawUplink>,
    #[serde(default)]
    webhook: Vec<RawWebhook>,
    program: Option<Spanned<String>>,
    #[serde(default)]
    test_mode: bool,
    place_wait_ms: Option<Spanned<u64>>,
    keys: Option<PathBuf>,
    chip_registry: Option<PathBuf>,
    deck_registry: Option<PathBuf>,
    staff: Option<PathBuf>,
    second_person: Option<Spanned<BTreeMap<Weighty, Vec<Office>>>>,
    #[serde(default)]
    silent: Vec<Spanned<String>>,
    silent_told_to: Option<Vec<Spanned<Office>>>,
    #[serde(default)]
    hosts: Vec<String>,
    tls: Option<PathBuf>,
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

fn check(raw: Raw, chosen: Chosen, folder: &Path, file: &SourceFile<'_>) -> Result<Config, NotConfigured> {
    let boxes = boxes(raw.boxes.as_ref())?;
    let table = table_name(&raw.table)?;
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
    let silent = silent(&raw.silent, raw.silent_told_to, &chosen)?;
    let around = Around { boxes, knows_chips: raw.chip_registry.is_some(), knows_cards: raw.deck_registry.is_some() };
    let devices = device::devices(raw.device, folder, around)?;
    let header = Header {
        // the one that has a word for every sight
        v: 2,
        table,
        regulation: chosen.id,
        boxes,
        limits: Limits { min: limits.min, max: limits.max },
        observes: sights::observed(raw.observes.as_ref(), &devices, around)?,
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
    let deck_registry = raw.deck_registry.map(|path| folder.join(path));
    let listen = listen(raw.listen.as_ref(), DEFAULT_PORT, raw.tls.is_some())?;
    let house = house(raw.time_zone.as_ref())?;
    Ok(Config {
        header,
        lang: if matches!(raw.lang, Some(RawLang::En)) { Lang::En } else { Lang::Es },
        listen,
        journal: folder.join(raw.journal.get_ref()),
        journal_key: raw.journal_key.map(|path| folder.join(path)),
        journal_readers: raw.journal_readers.into_iter().map(|path| folder.join(path)).collect(),
        journal_seal: raw.journal_seal.map(|path| folder.join(path)),
        gaming_day: gaming_day(raw.gaming_day.as_ref(), &house)?,
        house,
        clocks: clocks(&raw.clocks)?,
        journal_keep_days: raw.journal_keep_days,
        pictures_keep_days: raw.pictures_keep_days,
        journal_witnesses: raw.journal_witnesses.into_iter().map(|path| folder.join(path)).collect(),
        uplink: raw.uplink.map(|uplink| uplink::uplink(uplink, &raw.table, folder)).transpose()?,
        webhooks: webhook::webhooks(raw.webhook, folder)?,
        digest: digest::of_text(file.text),
        text: file.text.to_owned(),
        program: raw.program.map(program).transpose()?,
        test_mode: raw.test_mode,
        place_wait: place_wait(raw.place_wait_ms.as_ref())?,
        signals: signal::configured(raw.signal, folder, &devices)?,
        devices,
        keys: folder.join(raw.keys.unwrap_or_else(|| PathBuf::from(DEFAULT_KEYS))),
        chip_registry,
        deck_registry,
        second_person: seconds(raw.second_person, raw.staff.is_some())?,
        staff: raw.staff.map(|path| folder.join(path)),
        silent,
        hosts: raw.hosts,
        tls: raw.tls.map(|path| folder.join(path)),
        accept_clock: false,
        accept_unsigned: false,
    })
}

/// What the table is called.
fn table_name(name: &Spanned<String>) -> Result<Name, Fault> {
    let wrong = |what| Err(Fault::at(name.span(), what, example(TABLE, "table")));
    if name.get_ref().trim().is_empty() {
        return wrong("the table has no name");
    }
    if name.get_ref().chars().any(char::is_control) {
        return wrong("the table's name has a character in it that no screen shows and that may steer a terminal");
    }
    Ok(Name::from(name.get_ref().trim()))
}

/// The hash of a program: SHA-256, in hexadecimal digits.
fn program(hash: Spanned<String>) -> Result<String, Fault> {
    let text = hash.get_ref();
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    let what = "`program` is no SHA-256 in 64 hexadecimal digits";
    Err(Fault::at(hash.span(), what, "`sha256sum $(command -v sabot)` tells it"))
}

/// Articles whose findings are for surveillance alone: the regulation must have them. Told to nobody at the table.
fn silent(
    articles: &[Spanned<String>],
    told_to: Option<Vec<Spanned<Office>>>,
    chosen: &Chosen,
) -> Result<Silent, Fault> {
    let may_know = |office: Spanned<Office>| {
        let what = || format!("`{}` is at the table, and nobody there is told", office.get_ref());
        let way_out = format!("write some of {}", MAY_KNOW.map(Office::word).join(", "));
        if MAY_KNOW.contains(office.get_ref()) {
            Ok(*office.get_ref())
        } else {
            Err(Fault::at(office.span(), what(), way_out))
        }
    };
    let told_to =
        told_to.map(|offices| offices.into_iter().map(may_know).collect::<Result<Vec<_>, _>>()).transpose()?;
    let known = |named: &Spanned<String>| {
        let article = chosen.regulation.article(named.get_ref());
        let what = || format!("the regulation has no article `{}`", named.get_ref());
        let fault = || Fault::at(named.span(), what(), "`sabot regulation list` lists the articles");
        article.map(|article| Name::new_static(article.id)).ok_or_else(fault)
    };
    let articles = articles.iter().map(known).collect::<Result<_, _>>()?;
    let told_to = told_to.unwrap_or_else(|| vec![Office::Surveillance]);
    Ok(Silent::under(articles, told_to, chosen.regulation.not_provided_for.id))
}

/// How many betting boxes the table has; as many as there can be where nothing is said.
fn boxes(told: Option<&Spanned<u8>>) -> Result<u8, Fault> {
    match told {
        None => Ok(MAX_BOXES as u8),
        Some(boxes) if (1..=MAX_BOXES).contains(&usize::from(*boxes.get_ref())) => Ok(*boxes.get_ref()),
        Some(boxes) => Err(Fault::at(boxes.span(), "a table has 1 to 7 boxes", "write for example `boxes = 7`")),
    }
}

/// The house's time; universal time where no zone is named.
fn house(zone: Option<&Spanned<String>>) -> Result<HouseTime, Fault> {
    let Some(name) = zone else { return Ok(HouseTime::default()) };
    let unknown = |why: NoTimeZone| Fault::at(name.span(), why.to_string(), example(TABLE, "time_zone"));
    name.get_ref().parse().map_err(unknown)
}

/// The house's clocks, whose names are words of the record.
fn clocks(named: &BTreeMap<String, Spanned<String>>) -> Result<Vec<ClockConfig>, Fault> {
    let clock = |(name, address): (&String, &Spanned<String>)| {
        let fault = |what| Fault::at(address.span(), what, example(TABLE, "clocks"));
        let is_word =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        if !is_word {
            return Err(fault(format!("a clock is called by letters, digits, `-` and `_`, and not {name:?}")));
        }
        ClockConfig::of(name, address.get_ref())
            .ok_or_else(|| fault(format!("`{}` is no host with a port or without", address.get_ref())))
    };
    named.iter().map(clock).collect()
}

/// `06:00`, hours and minutes, in the house's time zone.
fn gaming_day(hour: Option<&Spanned<String>>, house: &HouseTime) -> Result<Option<GamingDay>, Fault> {
    let Some(raw) = hour else { return Ok(None) };
    let number = |text: &str, below: i8| {
        let is_number = text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
        text.parse::<i8>().ok().filter(|number| is_number && *number < below)
    };
    let begins = raw.get_ref().split_once(':').and_then(|(h, m)| Time::new(number(h, 24)?, number(m, 60)?, 0, 0).ok());
    let fault =
        || Fault::at(raw.span(), format!("`{}` is no time of day", raw.get_ref()), example(TABLE, "gaming_day"));
    Ok(Some(GamingDay { begins: begins.ok_or_else(fault)?, house: house.clone() }))
}

/// Acts that a second person signs: somebody has to be known who may.
fn seconds(raw: Option<Spanned<BTreeMap<Weighty, Vec<Office>>>>, has_staff: bool) -> Result<Seconds, Fault> {
    let Some(raw) = raw else { return Ok(Seconds::default()) };
    if !has_staff {
        let way_out = "name the people in `staff`, who sign";
        return Err(Fault::at(raw.span(), "nobody is known who could sign", way_out));
    }
    if raw.get_ref().values().any(Vec::is_empty) {
        return Err(Fault::at(raw.span(), "nobody may be the second person", example(TABLE, "second_person")));
    }
    Ok(Seconds(raw.into_inner()))
}

/// Where a page is served: where nothing is said, on this machine's own address at that port.
fn listen(raw: Option<&Spanned<String>>, port: u16, has_tls: bool) -> Result<SocketAddr, Fault> {
    let Some(raw) = raw else { return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))) };
    let address = raw.get_ref().parse().map_err(|_| {
        Fault::at(raw.span(), format!("`{}` is no address with a port", raw.get_ref()), example(TABLE, "listen"))
    })?;
    in_clear(address, has_tls).map_err(|what| Fault::at(raw.span(), what.to_string(), InClear::WAY_OUT))?;
    Ok(address)
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

#[cfg(test)]
mod tests;
