//! The houses' regulations. A regulation is settings, texts and articles; each article is one plain function over a
//! [`Scene`], found in the file of its own name.

mod article;
mod excerpt;
pub mod handbook;
mod index;
pub mod sala8;

pub use article::{Article, Bi, Case, Docket, Kind, Known, On, Raised, Reading, place_en, place_es};
pub use index::Index;

use crate::table::Cents;

/// A proportion, such as 3 to 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// Paid for …
    pub pays: u64,
    /// … so much staked.
    pub per: u64,
}

impl Rate {
    /// What a stake is paid, whole units only.
    #[must_use]
    pub const fn of(self, stake: Cents) -> Cents {
        stake.saturating_mul(self.pays) / self.per
    }
}

/// The figures of a regulation, and its readings of what the text leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Fewest decks in the shoe (M1).
    pub min_decks: u32,
    /// Fewest bets in a pass (D1).
    pub min_bets: usize,
    /// Fewest seated players in the first pass of a shoe (D1).
    pub min_seated: usize,
    /// The cut must be deeper than this, in cards (D6, Reading 9).
    pub cut_deeper_than: u32,
    /// Cards behind the cut card, fewest and most (D7, Reading 9).
    pub behind_cut_card: (u32, u32),
    /// The bank stands from here (D12).
    pub bank_stands: u8,
    /// A Black Jack pays (F1).
    pub blackjack: Rate,
    /// A Black Jack on a split ace pays (O3).
    pub split_ace_blackjack: Rate,
    /// Insurance pays (O4).
    pub insurance: Rate,
    /// Insurance is this part of the stake (O4).
    pub insurance_part: Rate,
}

/// A house's regulation.
#[derive(Debug)]
pub struct Regulation {
    /// Its identifier in a log's header.
    pub id: &'static str,
    /// What it is, in words.
    pub title: Bi,
    /// Its figures.
    pub settings: Settings,
    /// Its articles, in the order of the text.
    pub articles: &'static [&'static Article],
    /// The article that leaves to the room what no other provides for.
    pub not_provided_for: &'static Article,
}

/// Every regulation this crate knows.
pub static ALL: &[&Regulation] = &[&sala8::SALA_8];

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
