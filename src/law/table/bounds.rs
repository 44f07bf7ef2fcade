//! What settings may be: figures within what the game knows, and pairs the right way round.

use alloc::format;
use alloc::string::{String, ToString};

use super::place::{MAX_BOXES, MAX_HANDS};
use super::settings::{Rate, Settings, Span};

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}`: {what}; {instead}")]
pub struct OutOfBounds {
    /// Its name.
    pub name: &'static str,
    /// The setting it does not go with, where it is a pair.
    pub other: Option<&'static str>,
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub instead: String,
}

/// The greatest figure on either side of a rate.
const MOST: u64 = 100;

impl Settings {
    /// The first setting that cannot be, where there is one.
    ///
    /// # Errors
    /// With that setting, what is wrong with it and what to write instead.
    pub fn check(&self) -> Result<(), OutOfBounds> {
        self.figures()?;
        self.rates()?;
        self.pairs()
    }

    fn figures(&self) -> Result<(), OutOfBounds> {
        let most_boxes = MAX_BOXES as u64;
        let figures = [
            ("min_decks", u64::from(self.decks.min), 1, u64::from(u32::MAX)),
            ("min_bets", self.seating.min_bets as u64, 0, most_boxes),
            ("max_seated", self.seating.max_seated as u64, 1, most_boxes + 1),
            ("bank_stands", u64::from(self.bank.stands), 12, 21),
            ("max_hands", u64::from(self.split.max_hands), 1, MAX_HANDS as u64),
            ("chip", self.stakes.chip, 1, u64::MAX),
            ("bet_multiple", self.stakes.bet_multiple, 1, u64::MAX),
            ("insurance_multiple", self.stakes.insurance_multiple, 1, u64::MAX),
        ];
        for (name, value, least, most) in figures {
            if value < least || value > most {
                let instead = if most >= u64::from(u32::MAX) {
                    format!("write a whole number from {least}")
                } else {
                    format!("write a whole number from {least} to {most}")
                };
                return Err(OutOfBounds { name, other: None, what: format!("{value} is out of range"), instead });
            }
        }
        Ok(())
    }

    fn rates(&self) -> Result<(), OutOfBounds> {
        let rates = [
            ("blackjack", self.pays.blackjack),
            ("split_ten_blackjack", self.pays.split_ten_blackjack),
            ("split_ace_blackjack", self.pays.split_ace_blackjack),
            ("insurance", self.insurance.pays),
            ("insurance_part", self.insurance.part),
        ];
        for (name, rate) in rates {
            let Rate { pays, per } = rate;
            let within = (1..=MOST).contains(&pays) && (1..=MOST).contains(&per);
            if !within || (name == "insurance_part" && pays > per) {
                let (what, instead) = if within {
                    (format!("{rate} is more than the stake"), "write a part of it such as \"1:2\"".to_string())
                } else {
                    (format!("{rate} is out of range"), format!("write two numbers from 1 to {MOST} such as \"3:2\""))
                };
                return Err(OutOfBounds { name, other: None, what, instead });
            }
        }
        Ok(())
    }

    fn pairs(&self) -> Result<(), OutOfBounds> {
        for (name, Span(least, most)) in
            [("behind_cut_card", self.shoe.behind_cut_card), ("max_to_min", self.stakes.max_to_min)]
        {
            // no maximum is less than its minimum
            if name == "max_to_min" && most == 0 {
                let what = format!("[{least}, {most}] is out of range");
                let instead = "write two whole numbers such as [4, 50]".to_string();
                return Err(OutOfBounds { name, other: None, what, instead });
            }
            if least > most {
                let instead = format!("the wrong way round? write `{name} = [{most}, {least}]`");
                return Err(OutOfBounds {
                    name,
                    other: None,
                    what: format!("nothing lies from {least} to {most}"),
                    instead,
                });
            }
        }
        let pairs = [
            ("min_decks", u64::from(self.decks.min), "max_decks", u64::from(self.decks.max)),
            ("min_seated", self.seating.min_seated as u64, "max_seated", self.seating.max_seated as u64),
        ];
        for (name, least, other, most) in pairs {
            if least > most {
                return Err(OutOfBounds {
                    name,
                    other: Some(other),
                    what: format!("{least} is more than `{other}`, which is {most}"),
                    instead: format!("write a `{name}` of {most} at the most, or a greater `{other}`"),
                });
            }
        }
        Ok(())
    }
}
