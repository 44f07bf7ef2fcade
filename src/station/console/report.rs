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
    css: [&'a str; 2],
    r: &'a Report,
}

/// The page.
///
/// # Errors
/// [`RenderError`] when a template fails, which no report should bring about.
pub fn report(r: &Report, lang: Lang) -> Result<String, RenderError> {
    Ok(Page { ui: Ui::of(lang), css: [CSS, PAPER_CSS], r }.render()?)
}
