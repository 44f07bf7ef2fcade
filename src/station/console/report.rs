//! A report on one page that needs no station and no network.

use askama::Template;

use super::render::RenderError;
use super::ui_text::Ui;
use super::{CSS, PAPER_CSS};
use crate::report::Report;
use sabot_law::table::answer::Lang;

#[derive(Template)]
#[template(path = "report.html", config = "console/askama.toml")]
struct Page<'a> {
    ui: &'a Ui,
    css: &'a [&'a str],
    r: &'a Report,
}

/// Where a page has what it looks like from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// It stands in the page: a file that needs nothing else.
    Within,
    /// It is this server's.
    Linked,
}

/// The page.
///
/// # Errors
/// [`RenderError`] when a template fails, which no report should bring about.
pub fn report(r: &Report, lang: Lang, style: Style) -> Result<String, RenderError> {
    let css: &[&str] = if style == Style::Within { &[CSS, PAPER_CSS] } else { &[] };
    Ok(Page { ui: Ui::of(lang), css, r }.render()?)
}
