//! What people may enter next, in their words.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;
use sabot_law::table::due::Who;
use sabot_law::table::offer::Offer;

use crate::scenarios::steps;

/// What is offered after the last line, the first so many: who does it, where that is not the dealer, place, verb, and
/// what goes before.
fn offered(regulation: &str, lines: &str, most: usize) -> Vec<String> {
    let mut replay = Replay::new(Lang::En, None);
    for step in steps(regulation, lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    let offers = replay.validator().unwrap().offers();
    let written = offers.into_iter().take(most).map(|offer| {
        let who = match offer.who {
            Who::Dealer => "",
            Who::Inspector => "inspector: ",
            Who::Room => "room: ",
        };
        let place = offer.place.map(|place| format!("{place} ")).unwrap_or_default();
        let before = if offer.before.en.is_empty() { String::new() } else { format!(" ({})", offer.before.en) };
        format!("{who}{place}{}{before}", offer.verb.en)
    });
    written.collect()
}

const DEALT: &str = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D QH 7D";

#[test]
fn who_speaks_is_one_touch_and_says_that_those_before_him_stand() {
    assert_eq!(
        offered("sala-8", DEALT, 6),
        [
            "1 hits",
            "1 stands",
            "2 hits (1 stands)",
            "2 stands (1 stands)",
            "3 hits (1, 2 stand)",
            "3 stands (1, 2 stand)"
        ]
    );
    assert_eq!(offered("sala-8", &format!("{DEALT}\nhit 1"), 1), ["1 stands"], "his card comes first");
    assert_eq!(offered("sala-8", &format!("{DEALT}\nstand 1, 2, 3"), 1), ["bank uncover"]);
}

#[test]
fn a_question_that_must_be_asked_goes_with_its_answer_and_an_ace_with_what_follows_it() {
    let ace = "open\nbets 1 2 3\nclose\ndeal AH 5C TD 9S";
    assert_eq!(offered("sala-8", ace, 3), ["1 declines", "1 insures", "1 ask: insurance?"]);
    let play = format!("{ace}\nask 1 insurance\ndecline 1\ndraw 6C 1, 9D 2, QH 3, 7D bank");
    let ace = ["1 ace counts 11", "1 ace counts 1", "1 stands (ace counts 11)", "1 hits (ace counts 1)"];
    assert_eq!(offered("sala-8", &play, 4), ace);
    let eleven = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S 3C 9D QH 7D";
    assert_eq!(offered("sala-8", eleven, 2), ["1 doubles", "1 declines"]);
}

#[test]
fn a_card_that_nothing_asked_for_may_be_asked_for_late() {
    let early = format!("{DEALT}\nstand 1\ndraw 4S 2");
    assert!(offered("sala-8", &early, 99).contains(&"2 hits".to_owned()));
    let over = format!("{DEALT}\nstand 1\ndraw KS 2");
    assert_eq!(offered("sala-8", &over, 2), ["2 burn 1", "2 hits"]);
    assert!(!offered("sala-8", &format!("{over}\nhit 2"), 99).contains(&"2 burn 1".to_owned()));
}

#[test]
fn remedies_are_offered_to_whoever_carries_them_out() {
    let dealt = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC\n";
    let late = format!("{dealt}draw QH 3\ndraw 8D bank\n");
    assert_eq!(offered("sala-8", &late, 2), ["2 agrees to completing", "2 does not agree"]);
    let lost = format!("{dealt}draw 9D 2\ndraw QH 3\ndraw 8D bank\ndiscard bank\n");
    let told = ["inspector: authorise: next cards for the bank", "announce: next cards for the bank"];
    assert_eq!(offered("sala-8", &lost, 2), told);
    let seen = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D 3H 5D\nstand 1, 2\nreveal bank\ndraw 6C bank";
    assert_eq!(offered("sala-8", seen, 2), ["3 plays", "3 withdraws"]);
    let rulings = offered("sala-8", &format!("{DEALT}\ndevice shoe forged"), 3);
    assert!(rulings.iter().all(|ruling| ruling.starts_with("room: rule: ") && ruling.ends_with("(1)")), "{rulings:?}");
    // a bet that is not there can be neither returned nor lost, and of the bank's place none can be lost
    for (place, decisions) in [
        ("3", &["void", "stands", "loses", "resume"][..]),
        ("7", &["stands", "resume"]),
        ("bank", &["void", "stands", "resume"]),
    ] {
        let offered = offered("sala-8", &format!("{DEALT}\nreport - {place}"), 99);
        let rulings: Vec<&str> =
            offered.iter().filter(|offer| offer.starts_with("room: rule: ")).map(String::as_str).collect();
        let expected: Vec<String> = decisions.iter().map(|decision| format!("room: rule: {decision} (1)")).collect();
        assert_eq!(rulings, expected, "{place}");
    }
}

#[test]
fn what_the_table_does_not_see_nobody_has_to_enter_but_a_remedy() {
    let played = DEALT.replace("open", "table v=2 observes=places,faces\nopen");
    assert_eq!(offered("sala-8", &played, 9), ["end of the pass"]);
    let uncovered =
        "table v=2 observes=places,faces\nopen\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D QH\ndraw 8D bank up";
    assert_eq!(offered("sala-8", uncovered, 1), ["bank burn 1"]);
}

/// Whether something that begins so is among what may be entered, and where: an event of the log.
fn place_of(regulation: &str, lines: &str, event: &str) -> Option<usize> {
    let mut replay = Replay::new(Lang::En, None);
    for step in steps(regulation, lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    let offers = replay.validator().unwrap().offers();
    let written = |offer: &Offer| serde_json::to_string(offer.events.last().unwrap()).unwrap().replace('"', "");
    offers.iter().map(written).position(|written| written.contains(event))
}

#[test]
fn the_bank_and_its_shares_are_offered_to_whom_they_fall() {
    for (regulation, lines, event, is_offered) in [
        // who was paid out is owed nothing more, and the next session begins with advances
        ("club", "seat 1 P1\nshare P1 dividend 100", "player:P1,what:dividend", false),
        ("club", "share P1 advance 9000\nshare P3 dividend 3000", "player:P1,what:advance", true),
        // insurance that has won may take more than the bank holds
        (
            "club",
            "share P3 advance 10\nbets 7\ndraw TD 7, AS bank\nbet 7 insurance 20\ndraw 9D 7\nstand 7\ndraw KD bank",
            "player:P3,what:advance",
            true,
        ),
        // the bank moves once all is paid, whatever has been cleared
        (
            "talla",
            "bet 2 400 P2\ndraw AD 2, AS bank, KD 2\nbet 2 insurance 200\ndraw QH bank",
            "how:taken,player:P2",
            false,
        ),
        ("talla", "bet 1 50 P1\ndraw AD 1, 9S bank, KH 1, 9D bank", "how:taken,player:P1", false),
        ("talla", "bet 1 50 P1\ndraw AD 1, 9S bank, KH 1, 9D bank\ndiscard 2", "how:taken,player:P1", false),
        ("talla", "bet 1 50 P1\ndraw AD 1, 9S bank, KH 1, 9D bank\npay 1 100", "how:taken,player:P1", true),
    ] {
        assert_eq!(place_of(regulation, lines, event).is_some(), is_offered, "{regulation}: {lines}: {event}");
    }
}

#[test]
fn players_are_named_from_where_play_begins() {
    let seated = "seat 2 P2, 5 P5, 1 P1";
    let turn = |player: &str| place_of("club", seated, &format!("how:turn,player:{player}")).unwrap();
    assert!(turn("P5") < turn("P2") && turn("P2") < turn("P1"), "at the right");
}
