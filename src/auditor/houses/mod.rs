//! A regulation: the rows of its text, with those that it takes from others, and the house that facts are asked of.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::facts::house::{House, Plan, SIGHTS};
use crate::log::{AuditError, Header};
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
mod everywhere;
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

/// One of the regulations that others begin with or take articles from.
struct Text {
    id: &'static str,
    /// Its article for what is not provided for.
    silent: &'static str,
    /// Those of bets or of cards first, as the house's text puts them.
    rows: &'static [&'static [Row]],
    /// Every setting with its value, one a line.
    settings: &'static str,
    plan: Plan,
}

const TEXTS: [Text; 4] = [
    Text {
        id: "sala-8",
        silent: "C20",
        rows: &[sala8_bets::ROWS, sala8::ROWS, sala8_money::ROWS],
        settings: include_str!("sala8.settings"),
        plan: Plan {
            due: sala8::due,
            is_due: sala8::is_due,
            waiting: |view| view.waiting(),
            have_played: sala8::have_played,
            is_unfinished: |view, hand| view.is_unfinished(hand),
            account: sala8_accounts::account,
        },
    },
    Text {
        id: "talla",
        silent: "T0",
        rows: &[talla_bank::ROWS, talla_bets::ROWS, talla::ROWS, talla_money::ROWS],
        settings: include_str!("talla.settings"),
        plan: Plan {
            due: talla::due,
            is_due: talla::is_due,
            waiting: talla::waiting,
            have_played: talla::have_played,
            is_unfinished: talla::is_unfinished,
            account: talla_accounts::account,
        },
    },
    Text {
        id: "club",
        silent: "G0",
        rows: &[club::ROWS, club_bank::ROWS, club_bets::ROWS, club_money::ROWS],
        settings: include_str!("club.settings"),
        plan: Plan {
            due: club::due,
            is_due: club::is_due,
            waiting: club::waiting,
            have_played: club::have_played,
            is_unfinished: club::is_unfinished,
            account: club_accounts::account,
        },
    },
    Text {
        id: "croupier-6",
        silent: "K0",
        rows: &[croupier6_bets::ROWS, croupier6::ROWS, croupier6_money::ROWS],
        settings: include_str!("croupier6.settings"),
        plan: Plan {
            due: croupier6::due,
            is_due: croupier6::is_due,
            waiting: croupier6::waiting,
            have_played: croupier6::have_played,
            is_unfinished: croupier6::is_unfinished,
            account: croupier6_accounts::account,
        },
    },
];

/// Those of a log of version 1 are always seen.
const SEEN_IN_1: &[&str] = &["turns", "moves", "bets"];

/// A row in a regulation.
#[derive(Clone, Copy)]
pub struct Placed {
    /// It.
    pub row: &'static Row,
    /// Of another text: only articles that are taken from there are found by it.
    pub is_added: bool,
}

/// A regulation by which a log is judged.
pub struct Regulation {
    /// What facts ask of it.
    pub house: House,
    /// The rows that each event is held against, those of other texts before what is left to the room.
    pub rows: Vec<Placed>,
}

impl Regulation {
    /// The one that the header names, with the articles and figures that the header changes.
    pub fn of(header: &Header) -> Result<Self, AuditError> {
        let error = |field: &str, what: String| AuditError { line: 1, field: field.to_owned(), what };
        let rules = header.rules.as_ref();
        let base = rules.map_or(header.regulation.as_str(), |rules| &rules.base);
        let text = TEXTS.iter().find(|text| text.id == base);
        let text = text.ok_or_else(|| error("regulation", format!("`{base}` is not audited")))?;
        let mut settings: BTreeMap<String, Value> = text
            .settings
            .lines()
            .filter_map(|line| line.split_once(" = "))
            .filter_map(|(name, value)| Some((name.to_owned(), serde_json::from_str(value).ok()?)))
            .collect();
        for (name, value) in rules.iter().flat_map(|rules| &rules.settings).chain(&header.settings) {
            let known = settings.get_mut(name).ok_or_else(|| error("settings", format!("`{name}` is unknown")))?;
            known.clone_from(value);
        }
        let sights = sights(header).map_err(|what| error("observes", what))?;
        let (left_out, added) = rules.map(|rules| (rules.without.clone(), rules.with.clone())).unwrap_or_default();
        let house = House { plan: text.plan, base: text.id, silent: text.silent, settings, sights, left_out, added };
        let rows = text.with_rows_of_others(&house);
        Ok(Self { house, rows })
    }
}

/// What the table's equipment sees, by the header.
fn sights(header: &Header) -> Result<Vec<String>, String> {
    let all = || SIGHTS.iter().map(|sight| (*sight).to_owned()).collect();
    let mut sights: Vec<String> = header.observes.clone().unwrap_or_else(all);
    let unknown = |sight: &&String| {
        let known = SIGHTS.contains(&sight.as_str());
        !known || header.v == 1 && header.observes.is_some() && SEEN_IN_1.contains(&sight.as_str())
    };
    if let Some(sight) = sights.iter().find(unknown) {
        return Err(format!("`{sight}` is no sight of version {}", header.v));
    }
    if header.v == 1 {
        sights.extend(SEEN_IN_1.iter().map(|sight| (*sight).to_owned()));
    }
    Ok(sights)
}

impl Text {
    fn rows(&self) -> impl Iterator<Item = &'static Row> + use<> {
        self.rows.iter().copied().flatten()
    }

    fn with_rows_of_others(&self, house: &House) -> Vec<Placed> {
        let own = self.rows().map(|row| Placed { row, is_added: false });
        let mut rows: Vec<Placed> = own.collect();
        let is_of_the_room = |row: &Row| row.provision == self.silent || row.provision.is_empty();
        let last = rows.iter().rposition(|placed| !is_of_the_room(placed.row)).map_or(0, |at| at + 1);
        let takes_from = |text: &&Text| house.added.iter().any(|path| path.starts_with(text.id));
        let others = TEXTS.iter().filter(|text| text.id != self.id).filter(takes_from);
        let added = others.flat_map(Text::rows).map(|row| Placed { row, is_added: true });
        rows.splice(last..last, added);
        rows.extend(everywhere::ROWS.iter().map(|row| Placed { row, is_added: false }));
        rows
    }
}
