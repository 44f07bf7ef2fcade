//! From what is seen of the tables to HTML.

use std::sync::LazyLock;

use askama::Template;

use sabot_law::table::answer::Lang;
use sabot_law::table::felt::Words;
use sabot_station::console::brief::{Alarm, Brief};
use sabot_station::console::{self, Ui};
use sabot_station::house_time::HouseTime;
use sabot_station::snapshot::{Face, Unseen};
use sabot_web::live::Drawn;

use crate::tables::{Part, Tables, View};

/// Changes whenever the page's own files do.
pub(crate) static VERSION: LazyLock<String> =
    LazyLock::new(|| console::version(&[include_str!("templates/page.html"), include_str!("templates/tiles.html")]));

/// How somebody looks at the tables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Way {
    pub(crate) lang: Lang,
    pub(crate) part: Part,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    ui: &'a Ui,
    version: &'a str,
    d: &'a Drawn,
    part: &'a Part,
}

#[derive(Template)]
#[template(path = "tiles.html")]
struct Tiles<'a> {
    ui: &'a Ui,
    tiles: Vec<Tile<'a>>,
}

#[derive(Template)]
#[template(source = "{% for words in troubles %}<p class=\"trouble blind\">{{ words }}</p>{% endfor %}", ext = "html")]
struct Troubles {
    troubles: Vec<String>,
}

/// How many tables have a face.
struct Count {
    face: Face,
    name: &'static str,
    tables: usize,
}

#[derive(Template)]
#[template(path = "counts.html")]
struct Counts<'a> {
    ui: &'a Ui,
    counts: Vec<Count>,
    /// How many are left out, and how many of those are not in order, where some are.
    left_out: Option<(usize, usize)>,
}

/// One table, every word chosen.
struct Tile<'a> {
    /// Its number in the configuration.
    n: usize,
    name: &'a str,
    /// Its house and its pit, where they are known.
    of: Option<(&'a str, &'a str)>,
    /// Where its station shows what is to be done about it; none where nobody says.
    href: Option<String>,
    face: Face,
    face_name: &'static str,
    /// What has to be read from afar: who must act; empty where nobody must.
    lead: &'static str,
    /// Why it is not heard, or the verdict in a sentence.
    says: String,
    /// For programs, and for people.
    since: (String, String),
    /// Of its house, where the station tells it.
    zone: Option<&'a str>,
    at_least: bool,
    /// It is not heard: what follows is old.
    is_old: bool,
    unseen: Vec<UnseenLine<'a>>,
    alarm: Option<AlarmModel<'a>>,
}

struct UnseenLine<'a> {
    what: &'a str,
    since: Option<(&'a str, String)>,
    not_judged: String,
}

struct AlarmModel<'a> {
    article: &'a str,
    place: &'a str,
    severity: &'static str,
    state: &'static str,
    text: &'a str,
    who: &'static str,
    /// Empty where nothing can be done.
    what: &'a str,
    taken_by: Option<&'a str>,
    /// How many findings are open, where it is not the only one.
    more: Option<usize>,
}

/// The regions of the page for somebody who looks at it so, and the window's title.
pub(crate) fn draw(tables: &Tables, Way { lang, part }: &Way) -> Result<Drawn, askama::Error> {
    let (lang, ui) = (*lang, Ui::of(*lang));
    let (shown, left): (Vec<_>, Vec<_>) = tables.worst_first().into_iter().partition(|(_, view)| part.has(view));
    let left_in_need = left.iter().filter(|(_, view)| view.face() >= Face::Act).count();
    let left_out = (!part.is_all()).then_some((left.len(), left_in_need)).filter(|(left, _)| *left > 0);
    let tiles: Vec<Tile<'_>> = shown.into_iter().map(|(n, view)| tile(n, view, lang)).collect();
    let (title, spoken) = (title(&tiles, ui), spoken(&tiles));
    let count = |face: Face| {
        let tables = tiles.iter().filter(|tile| tile.face == face).count();
        (tables > 0).then_some(Count { face, name: ui.face(face), tables })
    };
    let counts = Counts { ui, counts: Face::ALL.into_iter().rev().filter_map(count).collect(), left_out };
    let troubles: Vec<String> = tables.troubles.iter().map(|trouble| said(trouble.words(), lang)).collect();
    let title = if troubles.is_empty() || title.starts_with('⛔') { title } else { format!("⛔ {title}") };
    let troubles = Troubles { troubles }.render()?;
    let parts = [
        ("troubles", troubles),
        ("counts", counts.render()?),
        ("alert", spoken),
        ("tables", Tiles { ui, tiles }.render()?),
    ];
    Ok(Drawn { title, parts: parts.into() })
}

/// The whole page for somebody who looks at it so.
pub(crate) fn page(d: &Drawn, way: &Way) -> Result<String, askama::Error> {
    Page { ui: Ui::of(way.lang), version: &VERSION, d, part: &way.part }.render()
}

fn tile(n: usize, view: &View, lang: Lang) -> Tile<'_> {
    let (ui, brief) = (Ui::of(lang), view.brief.as_deref());
    let (since, at_least) = view.since();
    let lost = view.why();
    let face = view.face();
    let zone = brief.and_then(|brief| brief.time_zone.as_deref());
    let house: HouseTime = zone.and_then(|zone| zone.parse().ok()).unwrap_or_default();
    let here = house.words(&since);
    Tile {
        n,
        name: &view.name,
        of: view.of.as_ref().map(|(house, pit)| (house.as_str(), pit.as_str())),
        href: href(view, ui),
        face,
        face_name: ui.face(face),
        lead: match brief {
            _ if lost.is_some() => ui.no_contact,
            Some(brief) => lead(brief, ui),
            None => "",
        },
        is_old: lost.is_some() && brief.is_some(),
        says: lost
            .or_else(|| brief.map(|brief| brief.says.clone()))
            .map_or_else(String::new, |words| said(words, lang)),
        since: (since, here),
        zone,
        at_least,
        unseen: brief.iter().flat_map(|brief| &brief.unseen).map(|unseen| unseen_line(unseen, &house, lang)).collect(),
        alarm: brief.and_then(|brief| Some(alarm(brief.alarm.as_ref()?, brief.open, lang))),
    }
}

fn said(words: Words, lang: Lang) -> String {
    match lang {
        Lang::Es => words.es,
        Lang::En => words.en,
    }
}

/// Where somebody acts on it: the finding that wants attention first, else the station's page.
fn href(view: &View, ui: &Ui) -> Option<String> {
    let address = view.address.as_deref()?;
    let finding = view.brief.as_ref().and_then(|brief| brief.alarm.as_ref());
    let path = finding.map_or_else(String::new, |alarm| format!("findings/{}", alarm.finding));
    Some(format!("{address}/{path}?lang={}", ui.code))
}

fn lead(brief: &Brief, ui: &Ui) -> &'static str {
    match (brief.face, &brief.alarm) {
        (Face::Blind, _) if brief.stop => ui.stop,
        (Face::Blind, _) => ui.not_seen,
        (Face::Act, Some(Alarm { to_do: Some(step), .. })) => ui.who(step.who),
        (Face::Act, Some(alarm)) => ui.finding_state(alarm.state),
        (Face::Act, None) => ui.face_act,
        (Face::Look | Face::Clear, _) => "",
    }
}

fn alarm(alarm: &Alarm, open: usize, lang: Lang) -> AlarmModel<'_> {
    let ui = Ui::of(lang);
    AlarmModel {
        article: &alarm.provision,
        place: alarm.place.as_ref().map_or("", |place| place.get(lang)),
        severity: ui.severity(alarm.severity),
        state: ui.finding_state(alarm.state),
        text: alarm.text.get(lang),
        who: alarm.to_do.as_ref().map_or("", |step| ui.who(step.who)),
        what: alarm.to_do.as_ref().map_or("", |step| step.what.get(lang)),
        taken_by: alarm.taken_by.as_deref(),
        more: Some(open).filter(|open| *open > 1),
    }
}

fn unseen_line<'a>(unseen: &'a Unseen, house: &HouseTime, lang: Lang) -> UnseenLine<'a> {
    let since = unseen.since.as_deref().map(|since| (since, house.words(since)));
    UnseenLine { what: unseen.what.get(lang), since, not_judged: unseen.not_judged.join(" ") }
}

/// The window's title: the worst table is seen there too.
fn title(tiles: &[Tile<'_>], ui: &Ui) -> String {
    let worst = tiles.first().filter(|tile| tile.face >= Face::Act);
    let worst = worst.map(|tile| {
        let sign = if tile.face == Face::Blind { "⛔" } else { "⚠" };
        let article = tile.alarm.as_ref().map(|alarm| format!(" {}", alarm.article)).unwrap_or_default();
        format!("{sign} {}{article} · ", tile.name)
    });
    format!("{}{}", worst.unwrap_or_default(), ui.tables)
}

/// What a screen reader says when it changes: each table where somebody must act or that is not seen. It is HTML.
fn spoken(tiles: &[Tile<'_>]) -> String {
    let urgent = tiles.iter().filter(|tile| tile.face >= Face::Act);
    urgent.filter_map(|tile| Spoken { tile }.render().ok()).collect()
}

#[derive(Template)]
#[template(
    source = "{{ tile.name }}: {{ tile.face_name }}{% if let Some(a) = tile.alarm %}, {{ a.article }} {{ a.place }}{% endif %}. ",
    ext = "html"
)]
struct Spoken<'a> {
    tile: &'a Tile<'a>,
}
