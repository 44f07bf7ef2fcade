//! From a snapshot to HTML: the page once, its parts again and again.

use std::sync::LazyLock;

use askama::Template;
use sha2::{Digest, Sha256};

use super::page_model::PageModel;
use super::ui_text::Ui;
use super::{CSS, ICON, JS, MOMENTS_JS, PAPER_CSS, RENEWED_JS};
use crate::snapshot::Snapshot;
use sabot_law::table::answer::Lang;
use sabot_web::live::Drawn;

/// The page could not be drawn: a template failed.
#[derive(Debug, thiserror::Error)]
#[error("the page could not be drawn: {0}")]
pub struct RenderError(#[from] askama::Error);

/// Changes whenever the page's own files do, so that an open page knows it is older than its station.
pub(super) static VERSION: LazyLock<String> =
    LazyLock::new(|| version(&[include_str!("templates/page.html"), include_str!("templates/dealer.html")]));

/// The version of pages that are drawn by these templates.
#[must_use]
pub fn version(templates: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in [env!("CARGO_PKG_VERSION"), CSS, PAPER_CSS, JS, MOMENTS_JS, RENEWED_JS, ICON].iter().chain(templates) {
        hash.update(text.as_bytes());
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
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
part!(Settlement, "settlement.html");
part!(Findings, "findings.html");
part!(Devices, "devices.html");
part!(Offers, "offers.html");

#[derive(Template)]
#[template(path = "page.html", config = "console/askama.toml")]
struct Page<'a> {
    ui: &'a Ui,
    version: &'a str,
    /// Whose clocks people read, by the name of the time zone.
    zone: &'a str,
    d: &'a Drawn,
    can_act: bool,
}

/// The regions of a snapshot in one language, and the window's title.
pub(super) fn draw(snapshot: &Snapshot, lang: Lang) -> Result<Drawn, RenderError> {
    let p = &PageModel::of(snapshot, lang);
    let parts = [
        ("fault", Fault { p }.render()?),
        ("status", Status { p }.render()?),
        ("due", Due { p }.render()?),
        ("felt", FeltPart { p }.render()?),
        ("settlement", Settlement { p }.render()?),
        ("findings", Findings { p }.render()?),
        ("devices", Devices { p }.render()?),
        ("offers", Offers { p }.render()?),
    ];
    Ok(Drawn { title: p.title(), parts: parts.into() })
}

/// The felt alone, as it may stand many times on one page.
pub(super) fn felt(p: &PageModel<'_>) -> Result<String, RenderError> {
    // what a page follows by its name stands on it once
    Ok(FeltPart { p }.render()?.replace(" id=\"", " data-id=\""))
}

/// What each bet is owed and was given, as the bank settles; nothing while it does not.
pub(super) fn settlement(p: &PageModel<'_>) -> Result<String, RenderError> {
    Ok(Settlement { p }.render()?)
}

/// The whole page in one language, as a browser first gets it. `can_act`: it leads to the acts.
///
/// # Errors
/// [`RenderError`] when a template fails, which no snapshot should bring about.
pub fn page(snapshot: &Snapshot, lang: Lang, can_act: bool) -> Result<String, RenderError> {
    let d = &draw(snapshot, lang)?;
    Ok(Page { ui: Ui::of(lang), version: &VERSION, zone: snapshot.house.name(), d, can_act }.render()?)
}
