//! The houses' regulations. A regulation is settings, texts and articles; each article is one plain function over a
//! [`Context`](crate::procedure::context::Context), found in the file of its own name.

mod article;
pub mod club;
mod coverage;
pub mod croupier6;
pub mod everywhere;
mod figures;
pub mod house;
mod index;
mod keypad;
mod memory;
mod prelude;
pub mod sala8;
mod shared;
pub mod talla;

pub use article::{Article, Bi, Case, Findings, Kind, On, Raised, Reading};
pub use coverage::{Coverage, Equipment, Extent, Judged, Lack};
pub use figures::fill;
pub use index::Index;
pub use memory::Memory;

use alloc::borrow::Cow;

use crate::table::Settings;
use crate::table::answer::Lang;

/// A house's regulation.
#[derive(Debug, Clone)]
pub struct Regulation {
    /// Its identifier in a log's header.
    pub id: Cow<'static, str>,
    /// What it is, in words.
    pub title: Title,
    /// Its figures.
    pub settings: Settings,
    /// Its articles, in the order of the text.
    pub articles: Cow<'static, [&'static Article]>,
    /// The article that leaves to the room what no other provides for.
    pub not_provided_for: &'static Article,
}

/// What a regulation is, in words of both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    /// Spanish.
    pub es: Cow<'static, str>,
    /// English.
    pub en: Cow<'static, str>,
}

impl Title {
    /// From words known beforehand.
    #[must_use]
    pub const fn of(es: &'static str, en: &'static str) -> Self {
        Self { es: Cow::Borrowed(es), en: Cow::Borrowed(en) }
    }

    /// The words in one language.
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Es => &self.es,
            Lang::En => &self.en,
        }
    }
}

/// Every regulation this crate knows.
pub static ALL: &[&Regulation] = &[&sala8::SALA_8, &talla::TALLA, &club::CLUB, &croupier6::CROUPIER_6];

/// The regulation of that identifier.
#[must_use]
pub fn find(id: &str) -> Option<&'static Regulation> {
    ALL.iter().find(|regulation| regulation.id == id).copied()
}

impl Regulation {
    /// An article by its identifier.
    #[must_use]
    pub fn article(&self, id: &str) -> Option<&'static Article> {
        self.articles.iter().find(|article| article.id.eq_ignore_ascii_case(id)).copied()
    }
}
