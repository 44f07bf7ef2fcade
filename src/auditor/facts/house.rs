//! What facts ask of a house: its figures, its sights, which articles are in force, and how its passes go.

use std::collections::BTreeMap;

use serde_json::Value;

use super::View;
use crate::log::{Event, Kind, Place};

/// How a pass goes in a house: what the articles themselves do not say.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Where the next card belongs.
    pub due: fn(&View) -> Option<Place>,
    /// Whether anything asks for the card that is drawn.
    pub is_due: fn(&View) -> bool,
    /// Who waits for a card of the delivery, in order.
    pub waiting: fn(&View) -> Vec<Place>,
    /// Whether nobody waits for a card any more, and nobody may still play.
    pub have_played: fn(&View) -> bool,
    /// Whether a hand may still play.
    pub is_unfinished: fn(&View, Place) -> bool,
    /// What a spot is owed (`money::account`).
    pub account: fn(&View, Place, &str, bool) -> Option<Account>,
}

/// What became of a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// As `settle` calls it.
    pub outcome: &'static str,
    /// What was bet.
    pub stake: u64,
    /// What the bank gives on top of the stake.
    pub pay: u64,
    /// What the bank keeps of it.
    pub lost: u64,
    /// The provision by which it is paid.
    pub by: &'static str,
}

impl Account {
    /// With `lost` as the outcome says.
    pub fn new(outcome: &'static str, stake: u64, pay: u64, by: &'static str) -> Self {
        let lost = if outcome == "lose" { stake } else { 0 };
        Self { outcome, stake, pay, lost, by }
    }

    /// What the bank gives, net.
    pub fn owed(&self) -> i64 {
        let signed = |amount: u64| i64::try_from(amount).unwrap_or(i64::MAX);
        signed(self.pay) - signed(self.lost)
    }
}

/// A house as a log's header names it.
pub struct House {
    /// How its passes go.
    pub plan: Plan,
    /// The regulation that it begins with.
    pub base: &'static str,
    /// Its article for what is not provided for.
    pub silent: &'static str,
    /// By name, those that the header changes included.
    pub settings: BTreeMap<String, Value>,
    /// What the table's equipment sees.
    pub sights: Vec<String>,
    /// Articles of the base that are not in force.
    pub left_out: Vec<String>,
    /// Articles of others that are, as `"talla/T-R1"`.
    pub added: Vec<String>,
}

/// Everything that equipment may see.
pub const SIGHTS: &[&str] = &["places", "faces", "turns", "moves", "bets", "asks", "decisions", "announcements"];

/// The regulation in whose text an article stands, by the letter of its identifier.
fn home(provision: &str) -> Option<&'static str> {
    Some(match provision.chars().next()? {
        'M' | 'D' | 'F' | 'O' | 'C' => "sala-8",
        'T' => "talla",
        'G' | 'A' => "club",
        'K' => "croupier-6",
        _ => return None,
    })
}

impl House {
    /// Whether an article is in force here: one of the base that is not left out, or one that is added.
    pub fn has(&self, provision: &str) -> bool {
        let is_own = home(provision) == Some(self.base) && !self.left_out.iter().any(|left| left == provision);
        is_own || self.added_as(provision).is_some()
    }

    /// Which of the added articles this is, in their order.
    pub fn added_as(&self, provision: &str) -> Option<usize> {
        let home = home(provision)?;
        self.added.iter().position(|added| added.split_once('/') == Some((home, provision)))
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

/// From the first draw of a log that begins in the middle of a pass to its first end nothing is judged; nor of one that
/// begins while it is paid, none of whose cards is told.
pub fn begins_in_mid_pass(house: &House, events: &[Event]) -> std::ops::Range<usize> {
    let begins = events.iter().position(|event| event.kind == Kind::Draw).unwrap_or(events.len());
    let end = events[..begins].iter().position(|event| event.kind == Kind::End);
    let settles = |event: &Event| matches!(event.kind, Kind::Collect | Kind::Pay | Kind::Move);
    let begins = end.filter(|end| events[..*end].iter().any(settles)).unwrap_or(begins);
    let is_seen = |event: &Event| event.kind == Kind::Load || event.kind == Kind::Bet && event.number > 0;
    if !house.sees("bets") || events[..begins].iter().any(is_seen) {
        return 0..0;
    }
    begins
        ..events[begins..].iter().position(|event| event.kind == Kind::End).map_or(events.len(), |end| begins + end + 1)
}
