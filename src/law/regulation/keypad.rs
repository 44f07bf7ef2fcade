//! The numbers by which a keypad names the articles of a regulation.
//!
//! A number is the article's own: the same in its house and in every regulation that takes it over. A test holds that
//! no two articles of any house have the same.

use alloc::vec::Vec;

use super::{Article, Regulation};
use crate::table::event::keypad_number;

impl Regulation {
    /// The numbers of its articles on a keypad, from the least.
    #[must_use]
    pub fn keypad_numbers(&self) -> Vec<(u16, &'static Article)> {
        let numbered = |article: &&'static Article| keypad_number(article.id).map(|number| (number, *article));
        let mut all: Vec<_> = self.articles.iter().filter_map(numbered).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all
    }

    /// The article that a number on the keypad means.
    #[must_use]
    pub fn on_keypad(&self, number: u16) -> Option<&'static Article> {
        self.articles.iter().find(|article| keypad_number(article.id) == Some(number)).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::format;

    use super::*;
    use crate::regulation::{ALL, find};
    use crate::table::Rules;
    use crate::table::rules::Title;

    #[test]
    fn no_two_articles_of_any_house_have_the_same_number() {
        let mut of = BTreeMap::new();
        for house in ALL {
            assert_eq!(house.keypad_numbers().len(), house.articles.len(), "{}", house.id);
            for (number, article) in house.keypad_numbers() {
                let before = of.insert(number, article.id);
                assert_eq!(before, None, "{number} is {} too", article.id);
                assert_eq!(house.on_keypad(number), Some(article));
                assert_eq!(keypad_number(&format!("{}/{}", house.id, article.id)), Some(number));
            }
        }
    }

    #[test]
    fn the_numbers_printed_for_keypads_stay() {
        for (id, number) in [
            ("M1", 1301),
            ("C17", 317),
            ("c17", 317),
            ("T0", 2000),
            ("T-T1", 2001),
            ("T-Q10", 1710),
            ("talla/T-S1", 1901),
            ("croupier-6/K17", 1117),
            ("G25", 725),
        ] {
            assert_eq!(keypad_number(id), Some(number), "{id}");
        }
        for id in ["", "C", "17", "C100", "Ñ1", "C-17", "!", "C70000"] {
            assert_eq!(keypad_number(id), None, "{id}");
        }
    }

    #[test]
    fn an_article_taken_over_from_another_house_keeps_its_number() {
        let rules = Rules {
            title: Title { es: "Casa".into(), en: "House".into() },
            base: "sala-8".into(),
            without: ["D10".into()].into(),
            with: ["talla/T-R1".into(), "croupier-6/K17".into()].into(),
            settings: crate::table::settings::Changes::default(),
            fingerprint: None,
        };
        let own = Regulation::of_house("casa", &rules).unwrap();
        let id = |number| own.on_keypad(number).map(|article| article.id);
        assert_eq!((id(1801), id(1117), id(317), id(410)), (Some("T-R1"), Some("K17"), Some("C17"), None));
        assert_eq!(find("sala-8").unwrap().on_keypad(1801), None);
    }
}
