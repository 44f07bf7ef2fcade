//! What a table with some equipment can judge of a regulation, from what each case declares that must be known.

use alloc::vec::Vec;

use serde::Serialize;

use super::Regulation;
use super::article::{Article, Case};
use crate::procedure::blindness::Blindness;
use crate::procedure::known::{Fact, Facts};
use crate::table::{Observes, Settings, Sight};

/// How much of an article is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Every case, all through a pass.
    Wholly,
    /// Some cases, or only up to where it must be guessed whose card is whose.
    InPart,
    /// None of its cases.
    NotAtAll,
    /// It has no case: it is computed for others to be held against, or a person reports a breach.
    Never,
}

/// How far a case is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// All through a pass.
    Throughout,
    /// Until it must be guessed whose card is whose.
    UntilGuess,
    /// Never.
    No,
}

/// What must be added for something to be judged: one of several sets of sights, all of the devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// Each set is enough, and none of its sights can be left out.
    pub ways: Vec<Vec<Sight>>,
    /// Devices without sights of their own.
    pub devices: Vec<&'static str>,
}

/// What a table can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equipment {
    observes: Observes,
    missing: Blindness,
}

impl Equipment {
    /// A table with every device that sees so much.
    #[must_use]
    pub fn seeing(observes: Observes) -> Self {
        Self { observes, missing: Blindness::default() }
    }

    /// What is left of it without the devices that are not named. A device that is missing is one that is never online.
    #[must_use]
    pub fn with_devices_only(self, named: &[&str]) -> Self {
        let missing = Blindness::without(named);
        Self { observes: missing.of(self.observes), missing }
    }

    /// The sights it has.
    #[must_use]
    pub const fn observes(self) -> Observes {
        self.observes
    }

    /// How far a case is judged that needs so much.
    #[must_use]
    pub fn judges(self, needs: Facts, settings: &Settings) -> Judged {
        let always = Facts::unknown_to(self.observes).and(self.missing.unknown());
        let guesses_rounds = !settings.delivery.strict_rounds && !self.observes.places;
        let guessed = if guesses_rounds { Facts::HANDS } else { Facts::unknown_in_play(self.observes) };
        if needs.meets(always) {
            Judged::No
        } else if needs.meets(guessed) {
            Judged::UntilGuess
        } else {
            Judged::Throughout
        }
    }

    /// What it lacks for a case to be judged throughout that needs so much.
    #[must_use]
    pub fn lacks(self, needs: Facts, settings: &Settings) -> Lack {
        let is_enough = |sights: &Observes| Self::seeing(*sights).judges(needs, settings) == Judged::Throughout;
        let more = Observes::subsets().filter(|sights| self.observes.seen().all(|sight| sights.sees(sight)));
        let enough: Vec<Observes> = more.filter(is_enough).collect();
        let is_least = |one: &&Observes| {
            let is_within = |other: &Observes| other != *one && other.seen().all(|sight| one.sees(sight));
            !enough.iter().any(is_within)
        };
        let added = |one: &Observes| one.seen().filter(|sight| !self.observes.sees(*sight)).collect();
        let ways = enough.iter().filter(is_least).map(added).collect();
        Lack { ways, devices: self.missing.devices_of(needs) }
    }
}

/// What a table can judge of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// The article.
    pub article: &'static Article,
    /// How much of it.
    pub extent: Extent,
    /// Each of its cases, and how far.
    pub cases: Vec<(&'static Case, Judged)>,
}

impl Regulation {
    /// What a table can judge of each article.
    #[must_use]
    pub fn coverage(&self, equipment: Equipment) -> Vec<Coverage> {
        self.articles.iter().map(|article| self.coverage_of(article, equipment)).collect()
    }

    fn coverage_of(&self, article: &'static Article, equipment: Equipment) -> Coverage {
        let judged = |case: &&'static Case| (*case, equipment.judges(article.needs_for(case), &self.settings));
        let cases: Vec<_> = article.cases.iter().map(judged).collect();
        let all = |wanted: Judged| cases.iter().all(|(_, judged)| *judged == wanted);
        // what every house finds under this article, such as that a device is away, needs no sight
        let finds_more = article == self.not_provided_for;
        let extent = if cases.is_empty() && !finds_more {
            Extent::Never
        } else if all(Judged::Throughout) {
            Extent::Wholly
        } else if all(Judged::No) && !finds_more {
            Extent::NotAtAll
        } else {
            Extent::InPart
        };
        Coverage { article, extent, cases }
    }

    /// What must be seen for a case of an article to be judged throughout. A table always has a shoe.
    #[must_use]
    pub fn must_be_seen(&self, article: &Article, case: &Case) -> Lack {
        let needs = article.needs_for(case);
        let lack = Equipment::seeing(Observes::NONE).lacks(needs, &self.settings);
        Lack { devices: if needs.has(Fact::Shuffles) { Vec::from(["shuffler"]) } else { lack.devices }, ..lack }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::regulation::{ALL, croupier6::CROUPIER_6, sala8::SALA_8};

    fn extent(house: &Regulation, id: &str, equipment: Equipment) -> Extent {
        house.coverage(equipment).into_iter().find(|one| one.article.id == id).unwrap().extent
    }

    fn seeing(sights: &[Sight]) -> Equipment {
        Equipment::seeing(sights.iter().copied().collect())
    }

    #[test]
    fn who_sees_everything_judges_everything_that_has_a_case() {
        for house in ALL {
            for one in house.coverage(Equipment::seeing(Observes::ALL)) {
                let wanted = if one.article.cases.is_empty() { Extent::Never } else { Extent::Wholly };
                assert_eq!(one.extent, wanted, "{} {}", house.id, one.article.id);
            }
        }
    }

    #[test]
    fn a_sight_more_never_judges_less() {
        let rank =
            |judged: Judged| [Judged::No, Judged::UntilGuess, Judged::Throughout].iter().position(|j| *j == judged);
        for house in ALL {
            for observes in Observes::subsets() {
                for sight in Sight::ALL.iter().filter(|sight| !observes.sees(**sight)) {
                    let mut more = observes;
                    more.set(*sight, true);
                    let (less, more) =
                        (house.coverage(Equipment::seeing(observes)), house.coverage(Equipment::seeing(more)));
                    for (less, more) in less.iter().zip(&more) {
                        let all = less.cases.iter().zip(&more.cases);
                        assert!(all.clone().all(|(one, other)| rank(one.1) <= rank(other.1)), "{}", less.article.id);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_lacking_is_enough_and_nothing_of_it_too_much() {
        let hands = |equipment: Equipment| equipment.lacks(Facts::HANDS, &SALA_8.settings).ways;
        assert_eq!(hands(seeing(&[])), [vec![Sight::Places], vec![Sight::Bets, Sight::Decisions]]);
        assert_eq!(hands(seeing(&[Sight::Bets])), [[Sight::Places], [Sight::Decisions]]);
        assert_eq!(Equipment::seeing(Observes::NONE).lacks(Facts::HANDS, &CROUPIER_6.settings).ways, [[Sight::Places]]);
    }

    #[test]
    fn a_table_judges_wholly_in_part_or_not_at_all() {
        let places_and_faces = seeing(&[Sight::Places, Sight::Faces]);
        for (id, wanted) in [
            ("C7", Extent::Wholly),
            ("D8", Extent::InPart),
            ("C8", Extent::NotAtAll),
            ("M2", Extent::Never),
            ("C17", Extent::Never),
        ] {
            assert_eq!(extent(&SALA_8, id, places_and_faces), wanted, "{id}");
        }
        // in play nobody can tell who got a card
        assert_eq!(extent(&SALA_8, "C7", seeing(&[Sight::Faces, Sight::Bets])), Extent::InPart);
        assert_eq!(extent(&CROUPIER_6, "K13", seeing(&[Sight::Bets, Sight::Decisions])), Extent::InPart);
        assert_eq!(extent(&SALA_8, "F1", seeing(&[Sight::Bets, Sight::Decisions])), Extent::Wholly);
    }

    #[test]
    fn without_a_device_its_sights_and_its_facts_are_missing() {
        let all = Equipment::seeing(Observes::ALL);
        let keypad_alone = all.with_devices_only(&["shoe", "keypad", "shuffler"]);
        assert_eq!(
            keypad_alone.observes(),
            [Sight::Asks, Sight::Decisions, Sight::Announcements].into_iter().collect::<Observes>()
        );
        let no_shuffler = all.with_devices_only(&["shoe", "chips", "keypad"]);
        assert_eq!(extent(&SALA_8, "D5", no_shuffler), Extent::NotAtAll);
        assert_eq!(no_shuffler.lacks(Facts::of(&[Fact::Shuffles]), &SALA_8.settings).devices, ["shuffler"]);
        let no_shoe = all.with_devices_only(&["chips", "keypad", "shuffler"]);
        assert_eq!(extent(&SALA_8, "D12", no_shoe), Extent::NotAtAll);
        assert_eq!(no_shoe.lacks(Facts::HANDS, &SALA_8.settings).devices, ["shoe"]);
    }

    #[test]
    fn what_every_house_finds_under_its_last_article_needs_no_sight() {
        for house in ALL {
            let nothing = Equipment::seeing(Observes::NONE).with_devices_only(&[]);
            assert_eq!(extent(house, house.not_provided_for.id, nothing), Extent::InPart, "{}", house.id);
        }
    }
}
