//! A house: its figures, its rows, and where a card is due that nobody saw go anywhere.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::View;
use crate::log::{AuditError, Header, Place};
use crate::money::Account;
use crate::rows::Row;

mod club;
mod club_accounts;
mod club_bank;
mod club_bets;
mod club_money;
#[cfg(test)]
mod club_tests;
mod croupier6;
mod croupier6_accounts;
mod croupier6_bets;
mod croupier6_money;
#[cfg(test)]
mod croupier6_tests;
mod sala8;
mod sala8_accounts;
mod sala8_bets;
mod sala8_money;
mod talla;
mod talla_accounts;
mod talla_bank;
mod talla_bets;
mod talla_money;
#[cfg(test)]
mod talla_tests;

type Unfinished = fn(&View, Place) -> bool;
type Due = fn(&View) -> Option<Place>;
type Accounts = fn(&View, Place, &str, bool) -> Option<Account>;

/// A regulation by which a log is judged.
pub struct House {
    /// The rows of which each event is held against.
    pub rows: Vec<&'static Row>,
    /// Where the next card belongs.
    pub due: Due,
    /// Whether a hand may still play.
    pub is_unfinished: Unfinished,
    /// What a spot is owed (`money::account`).
    pub account: Accounts,
    /// Its article for what is not provided for.
    pub silent: &'static str,
    settings: BTreeMap<String, Value>,
    sights: Vec<String>,
    left_out: Vec<String>,
    added: Vec<String>,
}

/// Articles that make sense in another house and are read there.
const ADDED: &[&str] = &["talla/T-R1", "talla/T-R2", "talla/T-R3", "croupier-6/K1"];

/// Whether a row is one of this article of its house.
fn names(article: &str, row: &Row) -> bool {
    article.split_once('/').is_some_and(|(_, provision)| provision == row.provision)
}

const SIGHTS: &[&str] = &["places", "faces", "turns", "moves", "bets", "asks", "decisions", "announcements"];

/// Those of a log of version 1 are always seen.
const SEEN_IN_1: &[&str] = &["turns", "moves", "bets"];

impl House {
    /// The house that the header names, with the figures that the header changes.
    pub fn of(header: &Header) -> Result<Self, AuditError> {
        let error = |field: &str, what: String| AuditError { line: 1, field: field.to_owned(), what };
        let rules = header.rules.as_ref();
        let base = rules.map_or(header.regulation.as_str(), |rules| &rules.base);
        let (due, is_unfinished, account): (Due, Unfinished, Accounts) = match base {
            "sala-8" => (sala8::due, |view, hand| view.is_unfinished(hand), sala8_accounts::account),
            "talla" => (talla::due, talla::is_unfinished, talla_accounts::account),
            "club" => (club::due, club::is_unfinished, club_accounts::account),
            "croupier-6" => (croupier6::due, croupier6::is_unfinished, croupier6_accounts::account),
            other => return Err(error("regulation", format!("`{other}` is not audited"))),
        };
        let (mut rows, silent, settings): (Vec<_>, _, _) = match base {
            "talla" => (talla::rows(), "T0", include_str!("talla.settings")),
            "club" => (club::rows(), "G0", include_str!("club.settings")),
            "croupier-6" => (croupier6::rows(), "K0", include_str!("croupier6.settings")),
            _ => (sala8::rows(), "C20", include_str!("sala8.settings")),
        };
        let added: Vec<String> = rules.map(|rules| rules.with.clone()).unwrap_or_default();
        // they stand before the article that leaves things to the room
        let last = rows.iter().position(|row| row.provision == silent).unwrap_or(rows.len());
        let others = || talla::rows().into_iter().chain(croupier6::rows());
        let is_added =
            |row: &&Row| added.iter().any(|article| ADDED.contains(&article.as_str()) && names(article, row));
        rows.splice(last..last, others().filter(is_added));
        let mut settings: BTreeMap<String, Value> = settings
            .lines()
            .filter_map(|line| line.split_once(" = "))
            .filter_map(|(name, value)| Some((name.to_owned(), serde_json::from_str(value).ok()?)))
            .collect();
        for (name, value) in rules.iter().flat_map(|rules| &rules.settings).chain(&header.settings) {
            let known = settings.get_mut(name).ok_or_else(|| error("settings", format!("`{name}` is unknown")))?;
            known.clone_from(value);
        }
        let all = || SIGHTS.iter().map(|sight| (*sight).to_owned()).collect();
        let mut sights: Vec<String> = header.observes.clone().unwrap_or_else(all);
        let unknown = |sight: &&String| {
            let known = SIGHTS.contains(&sight.as_str());
            !known || header.v == 1 && header.observes.is_some() && SEEN_IN_1.contains(&sight.as_str())
        };
        if let Some(sight) = sights.iter().find(unknown) {
            return Err(error("observes", format!("`{sight}` is no sight of version {}", header.v)));
        }
        if header.v == 1 {
            sights.extend(SEEN_IN_1.iter().map(|sight| (*sight).to_owned()));
        }
        let left_out = rules.map(|rules| rules.without.clone()).unwrap_or_default();
        Ok(Self { rows, due, is_unfinished, account, silent, settings, sights, left_out, added })
    }

    /// Whether a house's own regulation leaves this article out.
    pub fn leaves_out(&self, article: &str) -> bool {
        self.left_out.iter().any(|left| left == article)
    }

    /// Whether a house's own regulation takes this article from another, as it is named there: `"talla/T-R1"`.
    pub fn adds(&self, article: &str) -> bool {
        self.added.iter().any(|added| added == article)
    }

    /// An article taken from another regulation that is not read here.
    pub fn unread_article(&self) -> Option<&str> {
        self.added.iter().map(String::as_str).find(|article| !ADDED.contains(article))
    }

    /// Whether the table's equipment sees this.
    pub fn sees(&self, sight: &str) -> bool {
        !SIGHTS.contains(&sight) || self.sights.iter().any(|seen| seen == sight)
    }

    /// A figure.
    pub fn figure(&self, setting: &str) -> u64 {
        self.settings.get(setting).and_then(Value::as_u64).unwrap_or(0)
    }

    /// A yes or a no.
    pub fn yes(&self, setting: &str) -> bool {
        self.settings.get(setting).and_then(Value::as_bool) == Some(true)
    }

    /// Whether a setting is this word.
    pub fn is(&self, setting: &str, word: &str) -> bool {
        self.settings.get(setting).and_then(Value::as_str) == Some(word)
    }

    /// A word.
    pub fn word(&self, setting: &str) -> &str {
        self.settings.get(setting).and_then(Value::as_str).unwrap_or_default()
    }

    /// A list of words.
    pub fn list(&self, setting: &str) -> Vec<String> {
        let list = self.settings.get(setting).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
    }

    /// Least and most.
    pub fn range(&self, setting: &str) -> (u64, u64) {
        let list = self.settings.get(setting).and_then(Value::as_array);
        let figure = |at: usize| list.and_then(|list| list.get(at)).and_then(Value::as_u64).unwrap_or(0);
        (figure(0), figure(1))
    }

    /// A part, such as `"3:2"`.
    pub fn ratio(&self, setting: &str) -> (u64, u64) {
        let text = self.settings.get(setting).and_then(Value::as_str).unwrap_or("0:1");
        let (left, right) = text.split_once(':').unwrap_or(("0", "1"));
        (left.parse().unwrap_or(0), right.parse().unwrap_or(1).max(1))
    }
}
