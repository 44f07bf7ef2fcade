//! From a snapshot to HTML: the page once, its parts again and again.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use askama::Template;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::page_model::PageModel;
use super::ui_text::Ui;
use super::{CSS, ICON, JS};
use crate::snapshot::Snapshot;
use sabot_law::table::answer::Lang;

/// The page could not be drawn: a template failed.
#[derive(Debug, thiserror::Error)]
#[error("the page could not be drawn: {0}")]
pub struct RenderError(#[from] askama::Error);

/// Changes whenever the page's own files do, so that an open page knows it is older than its station.
pub(super) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for text in [
        env!("CARGO_PKG_VERSION"),
        CSS,
        JS,
        ICON,
        include_str!("templates/page.html"),
        include_str!("templates/dealer.html"),
    ] {
        hash.update(text.as_bytes());
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
});

/// The regions of the page that change; each name is the region's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Parts {
    pub(super) fault: String,
    pub(super) status: String,
    pub(super) due: String,
    pub(super) felt: String,
    pub(super) findings: String,
    pub(super) devices: String,
    pub(super) offers: String,
}

/// A snapshot in one language: the regions of the page and the window's title.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) parts: Parts,
    pub(super) title: String,
}

/// The newest snapshot in each language, drawn once for everybody who watches.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    spanish: Mutex<Option<(Arc<Snapshot>, Arc<Drawn>)>>,
    english: Mutex<Option<(Arc<Snapshot>, Arc<Drawn>)>>,
}

impl Pictures {
    /// A snapshot as somebody sees it who reads that language.
    pub(super) fn of(&self, snapshot: &Arc<Snapshot>, lang: Lang) -> Result<Arc<Drawn>, RenderError> {
        let newest = match lang {
            Lang::Es => &self.spanish,
            Lang::En => &self.english,
        };
        let mut newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, drawn)) = &*newest
            && Arc::ptr_eq(of, snapshot)
        {
            return Ok(Arc::clone(drawn));
        }
        let (parts, title) = Parts::of(snapshot, lang)?;
        let drawn = Arc::new(Drawn { parts, title });
        *newest = Some((Arc::clone(snapshot), Arc::clone(&drawn)));
        Ok(drawn)
    }
}

/// What the page is sent when something changes: only the regions that did.
#[derive(Debug, Serialize)]
pub(super) struct Update<'a> {
    pub(super) version: &'a str,
    pub(super) title: &'a str,
    pub(super) parts: Changed<'a>,
}

/// Regions that differ from what the page has.
#[derive(Debug, Serialize)]
pub(super) struct Changed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    felt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    devices: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offers: Option<&'a str>,
}

macro_rules! part {
    ($name:ident, $path:literal) => {
        #[derive(Template)]
        #[template(path = $path, config = "console/askama.toml")]
        struct $name<'a> {
            p: &'a PageModel<'a>,
        }
    };
}
part!(Fault, "fault.html");
part!(Status, "status.html");
part!(Due, "due.html");
part!(FeltPart, "felt.html");
part!(Findings, "findings.html");
part!(Devices, "devices.html");
part!(Offers, "offers.html");

#[derive(Template)]
#[template(path = "page.html", config = "console/askama.toml")]
struct Page<'a> {
    ui: &'a Ui,
    title: &'a str,
    version: &'a str,
    parts: &'a Parts,
    can_act: bool,
}

impl Parts {
    /// The regions of a snapshot in one language, and the window's title.
    pub(super) fn of(snapshot: &Snapshot, lang: Lang) -> Result<(Self, String), RenderError> {
        let p = &PageModel::of(snapshot, lang);
        let parts = Self {
            fault: Fault { p }.render()?,
            status: Status { p }.render()?,
            due: Due { p }.render()?,
            felt: FeltPart { p }.render()?,
            findings: Findings { p }.render()?,
            devices: Devices { p }.render()?,
            offers: Offers { p }.render()?,
        };
        Ok((parts, p.title()))
    }

    /// What differs from the regions a page already has.
    pub(super) fn since<'a>(&'a self, old: Option<&Self>) -> Changed<'a> {
        let pick = |part: fn(&Self) -> &String| {
            let now = part(self);
            (old.map(part) != Some(now)).then_some(now.as_str())
        };
        Changed {
            fault: pick(|parts| &parts.fault),
            status: pick(|parts| &parts.status),
            due: pick(|parts| &parts.due),
            felt: pick(|parts| &parts.felt),
            findings: pick(|parts| &parts.findings),
            devices: pick(|parts| &parts.devices),
            offers: pick(|parts| &parts.offers),
        }
    }
}

/// The whole page in one language, as a browser first gets it. `can_act`: it leads to the acts.
///
/// # Errors
/// [`RenderError`] when a template fails, which no snapshot should bring about.
pub fn page(snapshot: &Snapshot, lang: Lang, can_act: bool) -> Result<String, RenderError> {
    let (parts, title) = Parts::of(snapshot, lang)?;
    Ok(Page { ui: Ui::of(lang), title: &title, version: &VERSION, parts: &parts, can_act }.render()?)
}
