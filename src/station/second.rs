//! Acts that need a second person's signature, where a house asks for it: which, and who may be the second.

use std::collections::BTreeMap;

use sabot_law::table::{Event, Name};
use sabot_wire::message::KeypadSaid;
use smol_str::format_smolstr;

use crate::refused::Refused;
use crate::sourced_event::of_station;
use crate::staff::{Office, Person};

/// A second person has signed the act on the next line, as the record says it.
const SECONDED: &str = "seconded";

sabot_words::words! {
    "an act that a second person can be asked for";
    /// What a second person may have to sign.
    pub enum Weighty {
        /// An authorisation.
        Authorize = "authorize",
        /// A ruling: a pass or bet made void among them.
        Rule = "rule",
        /// A correction.
        Correct = "correct",
        /// A report.
        Report = "report",
        /// A finding that is closed.
        Close = "close",
        /// Decks that were inspected.
        DecksInspected = "decks_inspected",
        /// A card that was replaced.
        CardReplaced = "card_replaced",
    }
}

/// Which acts need a second person, and in which offices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seconds(pub BTreeMap<Weighty, Vec<Office>>);

impl Seconds {
    /// Whether an act needs one.
    #[must_use]
    pub fn asks(&self, what: Weighty) -> bool {
        !self.offices(what).is_empty()
    }

    /// The offices of which the second person has to hold one; none where there need be no such person.
    fn offices(&self, what: Weighty) -> &[Office] {
        self.0.get(&what).map_or(what.without_a_word(), Vec::as_slice)
    }

    /// What the record is told of the second person, where one is needed.
    ///
    /// # Errors
    /// Where nobody has signed beside who acts, or who did is not asked for.
    pub(crate) fn signed(
        &self,
        what: Option<Weighty>,
        by: &Name,
        second: Option<&Person>,
    ) -> Result<Option<Event>, Refused> {
        let Some(what) = what.filter(|what| self.asks(*what)) else { return Ok(None) };
        let offices = self.offices(what);
        let words = || offices.iter().map(|office| office.word().to_owned()).collect();
        let second = second.ok_or_else(|| Refused::Second(words()))?;
        let office = second.roles.iter().find(|office| offices.contains(office) && second.name != *by);
        let office = office.ok_or_else(|| Refused::Second(words()))?;
        Ok(Some(of_station(SECONDED, &format_smolstr!("{what} by {by}: {} {office}", second.name))))
    }
}

impl Weighty {
    /// Who signs beside who acts where the house says nothing of it.
    const fn without_a_word(self) -> &'static [Office] {
        match self {
            Self::DecksInspected => &[Office::Inspector, Office::TableChief],
            Self::CardReplaced => &[Office::TableChief, Office::Room],
            _ => &[],
        }
    }

    /// What an entry in somebody's name is.
    pub(crate) const fn of_entry(said: &KeypadSaid) -> Option<Self> {
        match said {
            KeypadSaid::Authorize { .. } => Some(Self::Authorize),
            KeypadSaid::Rule { .. } => Some(Self::Rule),
            KeypadSaid::Correct { .. } => Some(Self::Correct),
            KeypadSaid::Report { .. } => Some(Self::Report),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::staff::PinHash;

    #[test]
    fn nobody_is_his_own_second_whatever_offices_he_holds() {
        let pin = PinHash::of("402913").unwrap();
        let person = |name: &'static str, roles: &[Office]| Person {
            name: Name::new_static(name),
            roles: roles.to_vec(),
            pin: pin.clone(),
            badge: None,
        };
        let seconds = Seconds([(Weighty::Rule, vec![Office::Inspector])].into());
        let signed = |second: Option<&Person>| seconds.signed(Some(Weighty::Rule), &Name::new_static("R-1"), second);
        let himself = person("R-1", &[Office::Room, Office::Inspector]);
        assert!(matches!(signed(Some(&himself)), Err(Refused::Second(_))));
        assert!(matches!(signed(Some(&person("D-2", &[Office::Dealer]))), Err(Refused::Second(_))));
        assert!(matches!(signed(None), Err(Refused::Second(_))));
        assert!(matches!(signed(Some(&person("I-4", &[Office::Inspector]))), Ok(Some(_))));
    }
}
