//! A house's own regulation as a TOML file, described in `docs/own-regulation.md`, and the choice of a regulation by
//! identifier or file.

use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::Spanned;

use super::key_examples::{HOUSE, example};
use super::mistake::{ConfigError, Fault, FileKind, SourceFile, nearest, utf8};
use sabot_law::regulation::house::{RulesError, home};
use sabot_law::regulation::{self, Regulation};
use sabot_law::replay::Replay;
use sabot_law::table::rules::Title;
use sabot_law::table::settings::Changes;
use sabot_law::table::{Name, Rules, Settings};

/// A regulation somebody chose.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// Its identifier.
    pub id: Name,
    /// What a log's header says of it, where it is a house's own.
    pub rules: Option<Rules>,
    /// Itself.
    pub regulation: Regulation,
}

/// Why no regulation was chosen.
#[derive(Debug, thiserror::Error)]
pub enum NotChosen {
    /// The file cannot be read, or has a mistake.
    #[error(transparent)]
    FileKind(#[from] Box<ConfigError>),
    /// There is none of that identifier.
    #[error("{what}; known are {} (a file's name ends in .toml)", known.join(", "))]
    Unknown {
        /// What is wrong.
        what: String,
        /// The identifiers there are.
        known: Vec<String>,
    },
}

/// The regulation of an identifier, or of a file (relative to `folder`), whose name ends in `.toml`.
///
/// # Errors
/// When there is none, or the file has a mistake.
pub fn choose(text: &str, folder: &Path) -> Result<Chosen, NotChosen> {
    if Path::new(text).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        return Ok(load(&folder.join(text)).map_err(Box::new)?);
    }
    let Some(regulation) = regulation::find(text) else {
        let known = regulation::ALL.iter().map(|regulation| regulation.id.to_string()).collect();
        return Err(NotChosen::Unknown { what: format!("no regulation `{text}`"), known });
    };
    Ok(Chosen { id: Name::from(text), rules: None, regulation: regulation.clone() })
}

/// Reads the file of a house's own regulation.
///
/// # Errors
/// When it cannot be read, or with its first mistake.
pub fn load(path: &Path) -> Result<Chosen, ConfigError> {
    let bytes = std::fs::read(path).map_err(|why| ConfigError::ReadHouse { path: path.to_path_buf(), why })?;
    parse(path, utf8(path, &bytes)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    id: Spanned<String>,
    title: Spanned<Title>,
    base: Spanned<String>,
    #[serde(default)]
    without: Vec<Spanned<Name>>,
    #[serde(default)]
    with: Vec<Spanned<Name>>,
    #[serde(default)]
    settings: Changes,
}

/// Reads a text as if it stood in `path`.
///
/// # Errors
/// With the first mistake.
pub fn parse(path: &Path, text: &str) -> Result<Chosen, ConfigError> {
    let file = SourceFile { path, text, kind: FileKind::House };
    let raw: Raw = toml::from_str(text).map_err(|error| file.mistake(file.from_toml(&error)))?;
    let names = |list: &[Spanned<Name>]| list.iter().map(|name| name.get_ref().clone()).collect();
    let mut rules = Rules {
        title: raw.title.get_ref().clone(),
        base: Name::from(raw.base.get_ref().as_str()),
        without: names(&raw.without),
        with: names(&raw.with),
        settings: raw.settings.clone(),
        fingerprint: None,
    };
    if rules.title.es.trim().is_empty() || rules.title.en.trim().is_empty() {
        let fault =
            Fault::at(raw.title.span(), "`title`: it says nothing in one of the languages", example(HOUSE, "title"));
        return Err(file.mistake(fault));
    }
    let regulation =
        Regulation::of_house(raw.id.get_ref(), &rules).map_err(|wrong| file.mistake(fault(&wrong, &raw, &file)))?;
    rules.fingerprint = Some(fingerprint(&regulation).into());
    Ok(Chosen { id: Name::from(raw.id.get_ref().as_str()), rules: Some(rules), regulation })
}

/// What is wrong with the rules, where in the file.
fn fault(wrong: &RulesError, raw: &Raw, file: &SourceFile<'_>) -> Fault {
    let known = |known: &[String]| known.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
    let of_list = |key: &str, list: &[Spanned<Name>], nth: usize, why: &str, all: &[String]| {
        let all = known(all);
        let all: Vec<&str> = all.lines().collect();
        let (span, name) = list.get(nth).map_or((0..0, ""), |name| (name.span(), name.get_ref().as_str()));
        let is_meant = |path: &&&str| path.rsplit('/').next().is_some_and(|id| id.eq_ignore_ascii_case(name));
        let instead = match all.iter().find(is_meant) {
            Some(meant) if *meant != name => format!("write `{meant}`"),
            _ if why.ends_with("twice") || why.ends_with("already") => "remove it here".to_owned(),
            _ if why.ends_with("stays") => "remove it here; what you add stands before it".to_owned(),
            _ => nearest(name, &all),
        };
        Fault::at(span, format!("`{key}`: {why}"), instead)
    };
    match wrong {
        RulesError::Id(id, why) => Fault::at(
            raw.id.span(),
            format!("`id`: `{id}` cannot be the identifier of an own regulation: {why}"),
            example(HOUSE, "id"),
        ),
        RulesError::Base(base) => {
            let all: Vec<&str> = regulation::ALL.iter().map(|regulation| &*regulation.id).collect();
            Fault::at(raw.base.span(), format!("`base`: no regulation `{base}`"), nearest(base, &all))
        }
        RulesError::Without { nth, why, known } => of_list("without", &raw.without, *nth, why, known),
        RulesError::With { nth, why, known } => of_list("with", &raw.with, *nth, why, known),
        RulesError::Setting(wrong) => file.setting_fault(wrong),
    }
}

/// SHA-256 of what is judged by: the articles in order, each with the house it comes from, and every setting.
#[must_use]
pub fn fingerprint(regulation: &Regulation) -> String {
    let mut hash = Sha256::new();
    for article in regulation.articles.iter() {
        hash.update(format!("{}/{}\n", home(article), article.id));
    }
    for (name, _, value) in regulation.settings.list() {
        hash.update(format!("{name} = {value}\n"));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What of the rules a log is now held against is other than when it was made, once its header has been read.
#[must_use]
pub fn differences(replay: &Replay) -> Vec<String> {
    let Some(validator) = replay.validator() else { return Vec::new() };
    let (header, held) = (validator.header(), validator.regulation());
    let (id, rules) = match replay.own() {
        Some(own) => (&own.id, &own.rules),
        None => (&header.regulation, &header.rules),
    };
    if *id != header.regulation {
        return vec![format!("the log was made under `{id}` and is held against `{}`", header.regulation)];
    }
    let Some(rules) = rules else {
        let unsaid = header.rules.is_some();
        return unsaid.then(|| format!("the log does not say what `{id}` was when it was made")).into_iter().collect();
    };
    let noted = rules.fingerprint.as_deref();
    if noted.is_none_or(|noted| noted == fingerprint(held)) {
        return Vec::new();
    }
    let told = match Regulation::of_house(id, rules) {
        Ok(made) => between((&made, &made.settings), (held, &held.settings)),
        Err(wrong) => vec![wrong.to_string()],
    };
    if told.is_empty() {
        return vec![format!(
            "this version of sabot reads the rules of `{id}` otherwise than the one the log was made with: answers may differ"
        )];
    }
    let told = told.join("; ");
    vec![format!("`{id}` was otherwise when the log was made: {told}; without --regulation it is held against that")]
}

/// What one regulation has otherwise than another, each with its settings in force.
#[must_use]
pub fn between(
    (made, settings_then): (&Regulation, &Settings),
    (held, settings_now): (&Regulation, &Settings),
) -> Vec<String> {
    let only = |of: &Regulation, not: &Regulation| {
        let has = |id: &str| not.articles.iter().any(|article| article.id == id);
        let ids = of.articles.iter().map(|article| article.id).filter(|id| !has(id));
        ids.collect::<Vec<_>>().join(", ")
    };
    let mut told = Vec::new();
    for (words, ids) in [("articles it had then", only(made, held)), ("articles it has now", only(held, made))] {
        if !ids.is_empty() {
            told.push(format!("{words}: {ids}"));
        }
    }
    for ((name, _, then), (_, _, now)) in settings_then.list().into_iter().zip(settings_now.list()) {
        if then != now {
            told.push(format!("{name} was {then} and is {now}"));
        }
    }
    told
}

/// What is not wrong in a house's own rules and may still not be meant.
#[must_use]
pub fn notes(rules: &Rules, regulation: &Regulation) -> Vec<String> {
    let Some(base) = regulation::find(&rules.base) else { return Vec::new() };
    let left_out: Vec<_> = rules.without.iter().filter_map(|out| base.article(out)).collect();
    let mut notes = Vec::new();
    for name in rules.settings.names() {
        if base.settings.value(name) == regulation.settings.value(name) {
            notes.push(format!("`{name}` is so in `{}` already", rules.base));
        } else if !regulation.articles.iter().chain(&left_out).any(|article| article.goes_by(name)) {
            notes.push(format!("`{name}`: no article of this regulation speaks of it"));
        }
    }
    notes
}

#[cfg(test)]
#[path = "own_regulation_tests.rs"]
mod tests;
