//! The dossier of a finding: one page that needs no station and no network, made from pictures as a table's page is.

use std::collections::BTreeMap;

use askama::Template;
use base64ct::{Base64, Encoding};

use super::page_model::{FindingModel, PageModel, finding};
use super::render::{RenderError, felt};
use super::report::Style;
use super::ui_text::Ui;
use crate::history::step::{Step, StepLine};
use crate::snapshot::FindingView;
use sabot_law::table::LineNo;
use sabot_law::table::answer::Lang;

/// What is told of a finding, in the language in which the page is drawn. Times are those on the wall.
#[derive(Debug)]
pub struct Dossier {
    /// Name of the table.
    pub table: String,
    /// Title of its regulation.
    pub regulation: String,
    /// The finding, and what became of it.
    pub finding: FindingView,
    /// When it was found.
    pub at: String,
    /// Title of the article.
    pub title: String,
    /// What the article says.
    pub gist: String,
    /// What was done by people about it, in its pass and afterwards.
    pub acts: Vec<Act>,
    /// What each bet of the pass was owed.
    pub accounts: Vec<String>,
    /// The pass, step by step.
    pub steps: Vec<Step>,
    /// The pictures of its cards that are kept, each a JPEG, by the line that drew the card.
    pub cards: BTreeMap<LineNo, Vec<u8>>,
    /// Where the video recorder has it.
    pub camera: Option<Camera>,
    /// The lines of the record as they stand, and the proof that they are in it.
    pub evidence: Evidence,
}

/// What a person did.
#[derive(Debug)]
pub struct Act {
    /// When.
    pub at: String,
    /// Who, as the record calls him.
    pub by: String,
    /// What.
    pub what: String,
    /// Which line tells it.
    pub line: LineNo,
}

/// A time of a video recorder.
#[derive(Debug)]
pub struct Camera {
    /// From, by its clock.
    pub from: String,
    /// To, by its clock.
    pub to: String,
    /// Where it is seen.
    pub link: String,
}

/// Lines of a record as they stand.
#[derive(Debug)]
pub struct Evidence {
    /// The first and the last of them.
    pub lines: (LineNo, LineNo),
    /// Themselves.
    pub text: String,
    /// The proof of the last one, to which the chain leads from the first; none where they are not signed.
    pub proof: Option<Proof>,
    /// The record tells other answers than were given to its lines now.
    pub differs: bool,
}

/// The proof of a line.
#[derive(Debug)]
pub struct Proof {
    /// Itself.
    pub text: String,
    /// Which record it leads to.
    pub origin: String,
}

struct StepModel<'a> {
    lines: &'a [StepLine],
    picture: String,
    /// The cards that these lines drew, as a camera saw them: the line, and the JPEG in base64.
    cards: Vec<(LineNo, String)>,
    /// The finding is about one of these lines.
    is_about: bool,
}

#[derive(Template)]
#[template(path = "dossier.html", config = "console/askama.toml")]
struct Page<'a> {
    ui: &'a Ui,
    css: &'a [&'a str],
    /// It becomes a paper that people sign.
    to_sign: bool,
    d: &'a Dossier,
    f: FindingModel,
    steps: Vec<StepModel<'a>>,
    /// Name of the files that it holds, without their endings.
    name: String,
    lines: String,
    proof: String,
}

/// The page.
///
/// # Errors
/// [`RenderError`] when a template fails, which no dossier should bring about.
pub fn dossier(d: &Dossier, lang: Lang, style: Style) -> Result<String, RenderError> {
    let f = finding(&d.finding, &[], lang);
    let steps = d.steps.iter().map(|Step { lines, picture }| {
        let is_about = lines.iter().any(|line| line.line == f.about);
        let card = |line: &StepLine| Some((line.line, Base64::encode_string(d.cards.get(&line.line)?)));
        let cards = lines.iter().filter_map(card).collect();
        Ok(StepModel { lines, picture: felt(&PageModel::of(picture, lang))?, cards, is_about })
    });
    let steps = steps.collect::<Result<_, RenderError>>()?;
    let lines = Base64::encode_string(d.evidence.text.as_bytes());
    let proof = d.evidence.proof.as_ref().map(|proof| Base64::encode_string(proof.text.as_bytes()));
    let name = format!("{}-{}", d.table, d.finding.finding.n);
    let (ui, css, proof) = (Ui::of(lang), style.css(), proof.unwrap_or_default());
    Ok(Page { ui, css, to_sign: style == Style::Paper, d, f, steps, name, lines, proof }.render()?)
}
