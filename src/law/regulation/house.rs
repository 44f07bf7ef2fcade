//! A house's own regulation: the settings and articles of one there is, with articles of others, and figures changed.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{ALL, Article, Regulation, Title};
use crate::table::bounds::OutOfBounds;
use crate::table::{Name, Rules};

/// Why rules make no regulation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// Its identifier is no name, or that of a house.
    #[error("`{0}` cannot be the identifier of an own regulation: {1}")]
    Id(String, &'static str),
    /// There is no such regulation to begin with.
    #[error("`base`: no regulation `{0}`")]
    Base(Name),
    /// An article to be left out that cannot be.
    #[error("`without`: {why}")]
    Without {
        /// Which of them, from 0.
        nth: usize,
        /// Why not.
        why: String,
        /// What may be left out.
        known: Vec<String>,
    },
    /// An article to be added that cannot be.
    #[error("`with`: {why}")]
    With {
        /// Which of them, from 0.
        nth: usize,
        /// Why not.
        why: String,
        /// What may be added.
        known: Vec<String>,
    },
    /// A setting that cannot be.
    #[error("{0}")]
    Setting(#[from] OutOfBounds),
}

impl Regulation {
    /// The regulation of a house's own rules: what it takes of its base in the order of the text, then what it adds,
    /// then the base's article on what no other provides for.
    ///
    /// # Errors
    /// With the first thing in them that cannot be.
    pub fn of_house(id: &str, rules: &Rules) -> Result<Self, RulesError> {
        check_id(id)?;
        let base = super::find(&rules.base).ok_or_else(|| RulesError::Base(rules.base.clone()))?;
        let mut articles = base.articles.to_vec();
        for (nth, out) in rules.without.iter().enumerate() {
            let at = articles.iter().position(|article| article.id == out.as_str());
            let last = out.as_str() == base.not_provided_for.id;
            let Some(at) = at.filter(|_| !last) else {
                let known: Vec<String> = articles.iter().map(|article| article.id.to_string()).collect();
                let why = if last {
                    format!("{out} says what is done where no article provides for it, and stays")
                } else if base.article(out).is_some_and(|article| article.id == out.as_str()) {
                    format!("{out} is left out twice")
                } else {
                    format!("`{}` has no article `{out}`", base.id)
                };
                let known = known.into_iter().filter(|id| id != base.not_provided_for.id).collect();
                return Err(RulesError::Without { nth, why, known });
            };
            articles.remove(at);
        }
        articles.retain(|article| article.id != base.not_provided_for.id);
        for (nth, path) in rules.with.iter().enumerate() {
            articles.push(added(path, &articles).map_err(|(why, known)| RulesError::With { nth, why, known })?);
        }
        articles.push(base.not_provided_for);
        let settings = base.settings.clone().changed(&rules.settings);
        settings.check()?;
        Ok(Self {
            id: Cow::Owned(id.to_string()),
            title: Title { es: Cow::Owned(rules.title.es.clone()), en: Cow::Owned(rules.title.en.clone()) },
            settings,
            articles: Cow::Owned(articles),
            not_provided_for: base.not_provided_for,
        })
    }
}

/// The house whose article this is.
#[must_use]
pub fn home(article: &Article) -> &'static str {
    ALL.iter().find(|house| house.articles.contains(&article)).map_or("", |house| &house.id)
}

/// An identifier is lower-case letters, digits and hyphens, and none of a house's.
fn check_id(id: &str) -> Result<(), RulesError> {
    let sound = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if !id.starts_with(|first: char| first.is_ascii_lowercase()) || !id.chars().all(sound) || id.len() > 40 {
        let why = "it has lower-case letters, digits and hyphens, and begins with a letter";
        return Err(RulesError::Id(id.to_string(), why));
    }
    if super::find(id).is_some() {
        return Err(RulesError::Id(id.to_string(), "it is that of a regulation there is"));
    }
    Ok(())
}

/// An article of another house, as `talla/T-R1`; else why not, and what there is.
fn added(path: &str, articles: &[&'static Article]) -> Result<&'static Article, (String, Vec<String>)> {
    let of = |house: &&Regulation| {
        let listed = house.articles.iter().filter(|article| **article != house.not_provided_for);
        listed.map(|article| (format!("{}/{}", house.id, article.id), *article)).collect::<Vec<_>>()
    };
    let all: Vec<(String, &'static Article)> = ALL.iter().flat_map(of).collect();
    let known = || {
        let free = all.iter().filter(|(_, one)| articles.iter().all(|own| own.id != one.id));
        free.map(|(path, _)| path.clone()).collect()
    };
    let Some((_, article)) = all.iter().find(|(known, _)| known == path) else {
        return Err((format!("there is no article `{path}` to be added"), known()));
    };
    if articles.iter().any(|own| own.id == article.id) {
        return Err((format!("{} is there already", article.id), known()));
    }
    Ok(article)
}
