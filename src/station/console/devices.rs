//! The devices of a table: what each is, how it is and since when, what is not seen and not judged for it, how far it
//! is to be believed, and its false alarms. It works without scripts.

use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Place, words};
use serde::Deserialize;

use super::desk::{Asks, Served, Sheet, drawn};
use super::page_model::{DeviceModel, PageModel, UnseenModel};
use super::past::from_record;
use super::ui_text::Ui;
use crate::about;
use crate::history::findings::{Item, Wanted, found};
use crate::snapshot::{DeviceAbout, DeviceState, DeviceView, FindingState, KeyState, ReadRateView};
use sabot_web::PageLang;

/// Most false alarms that are listed of one device.
const LISTED: usize = 10;

pub(super) fn routes() -> Router<Served> {
    Router::new().route("/devices", get(devices))
}

/// What is written in the address.
#[derive(Debug, Deserialize)]
struct Asked {
    /// Only how the devices are now, for a page that has the rest.
    now: Option<String>,
}

#[derive(Template)]
#[template(path = "devices_sheet.html", config = "console/askama.toml")]
struct DevicesSheet<'a> {
    s: Sheet<'a>,
    as_of: String,
    /// Which are not there, in a sentence.
    brief: String,
    devices: Vec<Told<'a>>,
    /// By device; none where the record was not read.
    alarms: Option<Vec<Alarms>>,
    /// The record was to be read, and was not.
    not_read: bool,
}

/// A device as the page tells of it.
struct Told<'a> {
    d: DeviceModel,
    what: &'static str,
    since: Option<String>,
    unseen: Vec<UnseenModel<'a>>,
    /// What it is, with what it is called.
    facts: Vec<(&'static str, String)>,
    /// What people should look at, likewise.
    doubts: Vec<(&'static str, String)>,
    spots: Vec<Spot>,
}

/// How well the tags of a spot are read.
struct Spot {
    place: String,
    spot: String,
    tags: u32,
    /// Of a hundred times; none where nothing was to be read.
    read: Option<u64>,
    inventory_ms: u64,
}

/// The false alarms of a device: findings that a correction withdrew.
struct Alarms {
    device: String,
    count: usize,
    newest: Vec<Alarm>,
}

struct Alarm {
    item: Item,
    place: String,
    is_over: bool,
}

async fn devices(
    State(served): State<Served>,
    PageLang(lang): PageLang,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let (asks, ui) = (Asks::of(&served, lang, &headers), Ui::of(lang));
    let alarms = match asked.now {
        Some(_) => None,
        None => withdrawn(&served, &asks).await,
    };
    let page = PageModel::of(&asks.snapshot, lang);
    let unseen = |role: &str| page.unseen().filter(|one| one.device == Some(role)).collect();
    let views = &asks.snapshot.devices;
    let told = page.devices.iter().enumerate().map(|(n, model)| {
        let view = views.get(n);
        let unseen = view.map(|view| unseen(&view.role)).unwrap_or_default();
        told(model.clone(), view, unseen, &asks, ui)
    });
    let sheet = DevicesSheet {
        s: asks.sheet(ui.devices, "/devices".to_owned(), None),
        as_of: asks.snapshot.house.words(&about::now()),
        brief: brief(views, ui),
        devices: told.collect(),
        not_read: asked.now.is_none() && alarms.is_none(),
        alarms,
    };
    drawn(&None, &sheet)
}

/// Which devices are not there, in a sentence.
fn brief(devices: &[DeviceView], ui: &Ui) -> String {
    let away = devices.iter().filter(|view| view.state != DeviceState::Online);
    let away: Vec<&str> = away.map(|view| ui.device(&view.role)).collect();
    if away.is_empty() { ui.all_there.to_owned() } else { format!("{} {}", ui.not_there, away.join(", ")) }
}

fn told<'a>(
    d: DeviceModel,
    view: Option<&DeviceView>,
    unseen: Vec<UnseenModel<'a>>,
    asks: &Asks,
    ui: &'static Ui,
) -> Told<'a> {
    let Some(view) = view else {
        return Told {
            d,
            what: ui.is_floor,
            since: None,
            unseen,
            facts: Vec::new(),
            doubts: Vec::new(),
            spots: Vec::new(),
        };
    };
    let spots = view.figures.read_rates.iter().map(|rate| spot(rate, ui)).collect();
    Told {
        d,
        what: what(&view.role, ui),
        since: view.about.since.as_ref().map(|since| asks.snapshot.house.words(since)),
        unseen,
        facts: facts(view, ui, asks.lang),
        doubts: doubts(view, ui, asks.lang),
        spots,
    }
}

const fn key(key: KeyState, ui: &Ui) -> &'static str {
    match key {
        KeyState::None => ui.key_none,
        KeyState::Unheard => ui.key_unheard,
        KeyState::Sealed => ui.key_sealed,
        KeyState::Unpaired => ui.key_unpaired,
        KeyState::Swapped => ui.key_swapped,
        KeyState::Downgraded => ui.key_downgraded,
    }
}

/// What a device of this role sees or shows.
fn what(role: &str, ui: &Ui) -> &'static str {
    match role {
        "shoe" => ui.is_shoe,
        "shuffler" => ui.is_shuffler,
        "chips" => ui.is_chips,
        "keypad" => ui.is_keypad,
        "display" => ui.is_display,
        _ => ui.is_signal,
    }
}

fn facts(view: &DeviceView, ui: &'static Ui, lang: Lang) -> Vec<(&'static str, String)> {
    let DeviceAbout { serial, firmware, start, image, pinned, .. } = &view.about;
    let figures = &view.figures;
    let runs = image.as_ref().map(|image| match pinned {
        Some(pinned) if pinned == image => format!("{image}: {}", ui.image_pinned),
        Some(pinned) => format!("{image}: {} {pinned}", ui.image_other),
        None => format!("{image}: {}", ui.image_free),
    });
    let clock = figures.clock.map(|clock| {
        let (ahead, within) = (clock.offset_ms, clock.error_ms);
        format!("{ahead} ms ± {within} ms")
    });
    let rounds = figures.rounds.filter(|times| times.count() > 0).map(|times| {
        let mean = times.sum_us() / times.count() / 1000;
        format!("{mean} ms ({})", times.count())
    });
    let is_measured = figures.frames > 0;
    let counts = [(figures.events, ui.count_events), (figures.frames, ui.count_frames)];
    let counts = counts.map(|(n, words)| format!("{} {words}", number(n, lang))).join(", ");
    let told = [
        (ui.port, Some(view.port.clone())),
        (ui.serial, serial.clone()),
        (ui.firmware, firmware.clone()),
        (ui.start_no, start.map(|start| start.to_string())),
        (ui.image, runs),
        (ui.key, (what(&view.role, ui) != ui.is_signal).then(|| key(view.about.key, ui).to_owned())),
        (ui.clock, clock),
        (ui.rounds, rounds),
        (ui.told_so_far, is_measured.then_some(counts)),
    ];
    told.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// What is counted against a device and its line; what did not happen is left out.
fn doubts(view: &DeviceView, ui: &'static Ui, lang: Lang) -> Vec<(&'static str, String)> {
    let (about, figures) = (&view.about, &view.figures);
    let counts = [
        (ui.late, about.late),
        (ui.damaged_many, view.bad_frames),
        (ui.lost_frames, figures.lost),
        (ui.early, figures.gaps),
        (ui.repeats_many, view.repeats),
        (ui.unheard, figures.unheard),
        (ui.missing, figures.missing),
        (ui.forged, figures.forged),
        (ui.replayed, figures.replayed),
        (ui.reconnects, figures.reconnects),
    ];
    let withheld = about
        .withheld_last
        .as_ref()
        .map(|last| (ui.withheld, format!("{} ({}: {})", number(about.withheld, lang), ui.last, last.get(lang))));
    let clock_back = about.clock_back.then(|| (ui.clock, ui.clock_back.to_owned()));
    let counts = counts.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name, number(n, lang)));
    withheld.into_iter().chain(clock_back).chain(counts).collect()
}

/// A number as people write it.
fn number(n: u64, lang: Lang) -> String {
    words::money(n.saturating_mul(100)).get(lang).to_owned()
}

fn spot(rate: &ReadRateView, ui: &Ui) -> Spot {
    let ReadRateView { place, spot, tags, tries, reads, inventory_ms } = rate;
    let words = match spot.as_str() {
        "main" => ui.of_log("main"),
        "double" => ui.of_log("double"),
        "split" => ui.of_log("split"),
        "insurance" => ui.of_log("insurance"),
        "cards" => ui.spot_cards,
        other => other,
    };
    let read = (*tries > 0).then(|| reads.saturating_mul(100) / tries);
    Spot { place: place.clone(), spot: words.to_owned(), tags: *tags, read, inventory_ms: *inventory_ms }
}

/// The findings of the record that a correction withdrew, by the device that they came from. None where there is no
/// record, or it cannot be read.
async fn withdrawn(served: &Served, asks: &Asks) -> Option<Vec<Alarms>> {
    let (lang, ui) = (asks.lang, Ui::of(asks.lang));
    let all = from_record(served, asks, move |record| found(record, &Wanted::default(), lang)).await.ok()?;
    let mut by_device: Vec<Alarms> = Vec::new();
    let is_withdrawn = |item: &Item| item.state == Some(FindingState::Withdrawn);
    for item in all.into_iter().rev().filter(is_withdrawn) {
        let device = device_of(&item, &asks.snapshot.devices, ui);
        let place = item.place.as_deref().and_then(|place| place.parse::<Place>().ok());
        let place = place.map(|place| words::place(place).get(lang).to_owned()).unwrap_or_default();
        let at = by_device.iter().position(|alarms| alarms.device == device).unwrap_or_else(|| {
            by_device.push(Alarms { device, count: 0, newest: Vec::new() });
            by_device.len() - 1
        });
        let alarms = &mut by_device[at];
        alarms.count += 1;
        if alarms.newest.len() < LISTED {
            let is_over = asks.is_over(item.pass);
            alarms.newest.push(Alarm { item, place, is_over });
        }
    }
    by_device.sort_by_key(|alarms| std::cmp::Reverse(alarms.count));
    Some(by_device)
}

/// What people call the device that a finding came from. The record names it by its serial number, which another may
/// have had on that port before.
fn device_of(item: &Item, devices: &[DeviceView], ui: &Ui) -> String {
    let Some(named) = &item.device else { return ui.somebody_said.to_owned() };
    let is_it = |view: &&DeviceView| view.role == *named || view.about.serial.as_ref() == Some(named);
    match devices.iter().find(is_it) {
        Some(view) => ui.device(&view.role).to_owned(),
        None => ui.device(named).to_owned(),
    }
}
