//! A monitor of four rules as one writes it by hand over serde_json: what it does not look at is skipped.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What it looks at of a line.
#[derive(Deserialize)]
struct Line<'a> {
    ev: &'a str,
    card: Option<&'a str>,
    to: Option<&'a str>,
    face: Option<&'a str>,
    amount: Option<u64>,
    spot: Option<&'a str>,
    #[serde(rename = "box")]
    at: Option<&'a str>,
}

/// A bet outside the limits; a card to a hand that is over 21; a card to the bank at 17 or more without an ace as
/// eleven; a pass that is not ended before the next bet.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    /// Each hand's total, aces as one.
    hands: BTreeMap<String, u32>,
    is_dealt: bool,
    pub(crate) found: u64,
}

fn value(card: &str) -> u32 {
    match card.as_bytes().first() {
        Some(b'A') => 1,
        Some(digit @ b'2'..=b'9') => u32::from(digit - b'0'),
        Some(b'T' | b'J' | b'Q' | b'K') => 10,
        _ => 0,
    }
}

impl Monitor {
    pub(crate) fn takes(&mut self, text: &[u8]) -> serde_json::Result<()> {
        let Line { ev, card, to, face, amount, spot, at } = serde_json::from_slice(text)?;
        match ev {
            "bet" if spot.is_none_or(|spot| spot == "main") && amount != Some(0) => {
                let is_wrong = self.is_dealt || amount.is_some_and(|amount| !(1000..=100_000_000).contains(&amount));
                self.found += u64::from(is_wrong);
            }
            "bet" if spot == Some("split") => self.split(at.unwrap_or_default()),
            "draw" if to == Some("burn") => {}
            "draw" => {
                self.is_dealt = true;
                let (Some(card), Some(to)) = (card, to) else { return Ok(()) };
                let hand = self.hands.get_mut(to);
                let before = hand.as_deref().copied().unwrap_or_default();
                let most = if to == "bank" { 17 } else { 22 };
                self.found += u64::from(face != Some("down") && before >= most);
                let after = before + value(card);
                match hand {
                    Some(hand) => *hand = after,
                    None => drop(self.hands.insert(to.to_owned(), after)),
                }
            }
            "end" => {
                self.hands.clear();
                self.is_dealt = false;
            }
            _ => {}
        }
        Ok(())
    }

    /// A pair becomes two hands of one card each.
    fn split(&mut self, at: &str) {
        if let Some(total) = self.hands.get_mut(at) {
            *total /= 2;
            let half = *total;
            self.hands.insert(format!("{at}b"), half);
        }
    }
}
