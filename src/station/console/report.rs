//! A report on one page that needs no station and no network.

use askama::Template;

use super::render::RenderError;
use super::ui_text::Ui;
use super::{CSS, PAPER_CSS, PDF_CSS};
use crate::report::Report;
use sabot_law::table::answer::Lang;

#[derive(Template)]
#[template(path = "report.html", config = "console/askama.toml")]
struct Page<'a> {
    ui: &'a Ui,
    css: &'a [&'a str],
    /// It becomes a paper that people sign.
    to_sign: bool,
    r: &'a Report,
}

/// Where a page has what it looks like from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// It stands in the page: a file that needs nothing else.
    Within,
    /// It is this server's.
    Linked,
    /// It stands in the page, which becomes a PDF.
    Paper,
}

impl Style {
    pub(super) const fn css(self) -> &'static [&'static str] {
        match self {
            Self::Within => &[CSS, PAPER_CSS],
            Self::Linked => &[],
            Self::Paper => &[PDF_CSS],
        }
    }
}

/// The page.
///
/// # Errors
/// [`RenderError`] when a template fails, which no report should bring about.
pub fn report(r: &Report, lang: Lang, style: Style) -> Result<String, RenderError> {
    Ok(Page { ui: Ui::of(lang), css: style.css(), to_sign: style == Style::Paper, r }.render()?)
}
