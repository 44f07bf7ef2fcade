//! Which cards a `move` takes, and what it leaves.

use sabot_law::replay::Replay;
use sabot_law::table::Place;
use sabot_law::table::answer::Lang;

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
