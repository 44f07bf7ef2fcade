//! Which cards a `move` takes, and what it leaves.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::{Answer, Place};

use crate::scenarios::steps;

/// What lies at a place after some lines, and in the burn tray.
fn lying(regulation: &str, lines: &str, at: &str) -> (String, usize) {
    let mut replay = Replay::new(Lang::En, None);
    for step in steps(regulation, lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    let pass = &replay.validator().unwrap().state().pass;
    let place: Place = at.parse().unwrap();
    let cards = pass.lying_at(place).iter().map(|held| held.card.to_string());
    (cards.collect::<Vec<_>>().join(" "), pass.burned)
}

/// Box 2 has two cards that count and two that came undue between and after them.
const UNDUE: &str = "open
bets 1 2 3
close
draw 8H 1, 5C 2, TD 3, 9S bank, TC 1
draw 9D 2
draw QH 3, 8D bank
stand 1
draw 5C 2
draw 7S 2
";

#[test]
fn a_move_takes_those_it_names_or_so_many_or_what_is_to_go() {
    for (moved, left) in [
        // what a finding wants burned, of those the last first
        (r#""to":"burn""#, "5C 9D"),
        (r#""to":"burn","cards":1"#, "5C 9D 5C"),
        (r#""to":"burn","cards":2"#, "5C 9D"),
        (r#""to":"burn","cards":3"#, "5C"),
        (r#""to":"burn","cards":9"#, ""),
        // elsewhere the last dealt, whatever they are
        (r#""to":"discard""#, ""),
        (r#""to":"discard","cards":1"#, "5C 9D 5C"),
        (r#""to":"discard","cards":3"#, "5C"),
        (r#""to":"discard","cards":0"#, "5C 9D 5C 7S"),
        // of two equal cards the undue one is burned, and the other discarded
        (r#""to":"burn","cards":["5C"]"#, "5C 9D 7S"),
        (r#""to":"discard","cards":["5C"]"#, "9D 5C 7S"),
        (r#""to":"burn","cards":["5C","5C"]"#, "9D 7S"),
        (r#""to":"burn","cards":["9D"]"#, "5C 5C 7S"),
        (r#""to":"discard","cards":["7S","9D"]"#, "5C 5C"),
        (r#""to":"burn","cards":["KS"]"#, "5C 9D 5C 7S"),
    ] {
        let lines = format!("{UNDUE}{{\"ev\":\"move\",\"from\":\"2\",{moved}}}");
        let burned = if moved.contains("burn") { 4 - left.split_whitespace().count() } else { 0 };
        assert_eq!(lying("sala-8", &lines, "2"), (left.to_owned(), burned), "{moved}");
    }
}

#[test]
fn a_card_in_the_burn_tray_goes_back_where_such_cards_do_and_nowhere_else() {
    let burned = "bets 7 5\ndraw TS 7\ndraw 9H burn\ndraw 2H burn\n";
    for (regulation, moved, left) in [
        // the first stays where it lies once another was drawn
        ("club", "move burn shoe", 1),
        ("club", "move burn shoe 2", 0),
        ("club", "move burn discard", 2),
        ("sala-8", "move burn shoe", 2),
    ] {
        assert_eq!(
            lying(regulation, &format!("{burned}{moved}"), "7"),
            ("TS".to_owned(), left),
            "{regulation} {moved}"
        );
    }
}

/// The findings that a last line, in JSON, clears.
fn cleared(lines: &str, last: &str) -> Vec<u64> {
    let mut replay = Replay::new(Lang::En, None);
    let mut answers = Vec::new();
    for step in steps("sala-8", lines) {
        replay.feed(step.json.as_bytes(), &mut answers).unwrap();
    }
    answers.clear();
    replay.feed(last.as_bytes(), &mut answers).unwrap();
    let cleared = answers.iter().filter_map(|answer| match answer {
        Answer::Cleared { finding, .. } => Some(*finding),
        _ => None,
    });
    cleared.collect()
}

#[test]
fn a_good_card_that_is_named_stands_for_none_that_had_to_be_burned() {
    let lines = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 6C 9H 8S\nstand 1\ndraw 3D 1\n";
    let burns = |cards: &str| cleared(lines, &format!(r#"{{"ev":"move","from":"1","to":"burn","cards":{cards}}}"#));
    assert_eq!(burns(r#"["TC"]"#), [0; 0]);
    for cards in [r#"["3D"]"#, r#"["TC","3D"]"#, "1", "2"] {
        assert_eq!(burns(cards), [1], "{cards}");
    }
}

#[test]
fn of_two_cards_that_could_not_be_read_the_one_that_is_turned_up_is_named() {
    let lines = "open\nbets 1 2 3\nclose\ndraw 8H 1, 5C 2, TD 3\ndraw ?? bank\ndraw TC 1, 7C 2, 9H 3\ndraw ?? bank\n";
    let reveals = r#"{"ev":"reveal","at":"bank","card":"8S"}"#;
    assert_eq!(cleared(&format!("{lines}stand 1, 2, 3\n"), reveals), [2]);
}
