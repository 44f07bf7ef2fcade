//! The articles' examples: a file of scenarios an article, `docs/handbook/<house>/<article>.txt`.
//!
//! Each scenario is a case, `compliant` or `violating`, by that name alone or, after a colon, one of its own. The first
//! violating case is the one the handbook shows.

use include_dir::{Dir, include_dir};

use sabot_law::regulation::Article;
use sabot_law::regulation::house::home;

use crate::scenario::{Fault, Notation, Scenario, ScenarioError};

/// The files of each house.
static HOUSES: [(&str, Dir<'_>); 4] = [
    ("sala-8", include_dir!("$CARGO_MANIFEST_DIR/../../docs/handbook/sala-8")),
    ("talla", include_dir!("$CARGO_MANIFEST_DIR/../../docs/handbook/talla")),
    ("club", include_dir!("$CARGO_MANIFEST_DIR/../../docs/handbook/club")),
    ("croupier-6", include_dir!("$CARGO_MANIFEST_DIR/../../docs/handbook/croupier-6")),
];

/// A case of an article's example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its name, such as `replaced`.
    pub name: String,
    /// The article is broken in it.
    pub violating: bool,
    /// What happens, and what is answered.
    pub scenario: Scenario,
}

/// Why there is no such case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCase {
    /// The article has no such case.
    #[error("`{article}` has no example `{case}`; there are {known}")]
    Unknown {
        /// The article.
        article: String,
        /// The case asked for.
        case: String,
        /// Those there are.
        known: String,
    },
    /// Its file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ScenarioError),
}

/// Where an article's examples are, from the top of the project.
#[must_use]
pub fn file(article: &Article) -> String {
    format!("docs/handbook/{}/{}.txt", home(article), article.id)
}

/// An article's cases, in the order of its file.
///
/// # Errors
/// When the file cannot be read.
pub fn cases(article: &Article) -> Result<Vec<Case>, ScenarioError> {
    let house = home(article);
    let folder = HOUSES.iter().find(|(id, _)| *id == house).map(|(_, folder)| folder);
    let found = folder.and_then(|folder| folder.get_file(format!("{}.txt", article.id)));
    read(&file(article), house, found.and_then(include_dir::File::contents_utf8).unwrap_or_default())
}

/// An article's case by its name.
///
/// # Errors
/// When there is none of that name, or the file cannot be read.
pub fn case(article: &Article, name: &str) -> Result<Case, NoCase> {
    let all = cases(article)?;
    let known = all.iter().map(|case| case.name.as_str()).collect::<Vec<_>>().join(", ");
    let found = all.into_iter().find(|case| case.name == name);
    found.ok_or_else(|| NoCase::Unknown { article: article.id.to_string(), case: name.to_string(), known })
}

/// The case that the handbook shows of an article.
pub(crate) fn shown(article: &Article) -> Result<Option<Case>, ScenarioError> {
    Ok(cases(article)?.into_iter().find(|case| case.violating))
}

/// Reads a file of examples.
///
/// # Errors
/// With the first line that cannot be read.
pub fn read(file: &str, house: &str, text: &str) -> Result<Vec<Case>, ScenarioError> {
    let mut cases: Vec<Case> = Vec::new();
    for scenario in (Notation { file, house, own: &[] }).read(text)? {
        let wrong = |why| ScenarioError { file: file.to_string(), line: scenario.line, why };
        let (kind, name) = scenario.name.split_once(": ").unwrap_or((&scenario.name, &scenario.name));
        let sound = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if !["compliant", "violating"].contains(&kind) || !name.chars().all(sound) {
            return Err(wrong(Fault::Name(scenario.name.clone())));
        }
        if cases.iter().any(|earlier| earlier.name == name) {
            return Err(wrong(Fault::Twice(name.to_string())));
        }
        cases.push(Case { name: name.to_string(), violating: kind == "violating", scenario });
    }
    Ok(cases)
}
