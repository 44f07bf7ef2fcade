//! The house's chips: what each is worth.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Kind, Registry};

/// A chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chip {
    /// What it is worth, in the smallest unit of the currency.
    pub value: u32,
}

impl Kind for Chip {
    const ONE: &'static str = "chip";
    const MANY: &'static str = "chips";
    const IMPORT: &'static str = "sabot chips import";
    const COLUMNS: &'static [&'static str] = &["value"];

    fn read(columns: &[&str]) -> Result<Self, (usize, String)> {
        let text = columns.first().copied().unwrap_or_default();
        let value = text.parse().ok().filter(|&value: &u32| value > 0);
        let what = || format!("`value`: `{text}` is no whole number of the smallest unit, from 1 to {}", u32::MAX);
        value.map(|value| Self { value }).ok_or_else(|| (0, what()))
    }
}

impl Registry<Chip> {
    /// What each chip is worth, as its tag's reader needs it: a withdrawn one nothing.
    #[must_use]
    pub fn values(&self) -> HashMap<u64, u32> {
        self.good().map(|(uid, chip)| (uid, chip.value)).collect()
    }
}
