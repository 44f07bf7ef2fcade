//! What `sabot replay --due` writes after each event.

use sabot_law::replay::Replay;
use sabot_law::table::BetSpot;
use sabot_law::table::answer::Lang;
use sabot_law::validator::Validator;

use crate::scenarios::steps;

/// What is due after the last line, as it is written.
fn due(regulation: &str, lines: &str) -> String {
    let mut replay = Replay::new(Lang::En, None);
    for step in steps(regulation, lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    let due = replay.validator().unwrap().due(replay.line());
    assert_eq!(due.line, replay.line());
    let written = serde_json::to_value(&due).unwrap();
    assert_eq!(written["out"], "due");
    let steps = written["due"].as_array().unwrap().iter().map(|step| serde_json::to_string(step).unwrap());
    steps.collect::<Vec<_>>().join(" ").replace('"', "")
}

#[test]
fn the_next_step_of_a_pass_is_told_in_the_words_of_the_log() {
    let mut lines = String::new();
    for (line, written) in [
        ("shuffle 8", "{do:cut,who:dealer}"),
        ("cut 150", "{do:load,who:dealer}"),
        ("load 416 52", "{do:bet,who:dealer}"),
        ("bet 1 50 P1", "{do:close_bets,who:dealer}"),
        ("close", "{do:serve,to:1,who:dealer}"),
        ("draw 8H 1", "{do:serve,to:bank,who:dealer}"),
        ("draw 9S bank", "{do:serve,to:1,who:dealer}"),
        ("draw 7C 1", "{do:serve,to:bank,who:dealer}"),
        ("draw 7D bank", "{about:card,box:1,do:ask,who:dealer}"),
        ("hit 1", "{do:serve,to:1,who:dealer}"),
        ("draw 4C 1", "{about:card,box:1,do:ask,who:dealer}"),
        ("stand 1", "{at:bank,do:reveal,who:dealer}"),
        ("reveal bank", "{do:serve,to:bank,who:dealer}"),
        ("draw 2C bank", "{amount:50,box:1,do:pay,who:dealer}"),
        ("pay 1 50", "{do:move,from:1,to:discard,who:dealer}"),
        ("discard 1", "{do:move,from:bank,to:discard,who:dealer}"),
        ("discard bank", "{do:end,who:dealer}"),
        ("end", "{do:bet,who:dealer}"),
    ] {
        lines += line;
        lines.push('\n');
        assert_eq!(due("sala-8", &lines), written, "after {line}");
    }
}

#[test]
fn the_chips_that_open_a_hand_again_are_told_with_those_that_opened_it_before() {
    let dealt = [("talla", "bets 7\nclose\ndeal KS 5H KD\n"), ("club", "bets 7\nclose\ndeal KS 5H JD\nask 7 split\n")];
    for (house, dealt) in dealt {
        let mut lines = dealt.to_owned();
        for (amount, card) in [(50, "KC"), (100, "KH"), (150, "2S")] {
            lines += "split 7\n";
            let chips = format!("{{amount:{amount},box:7,do:bet,spot:split,who:dealer}}");
            assert_eq!(due(house, &lines), chips, "{house}: {lines}");
            lines += &format!("bet 7 split {amount}\n");
            assert_eq!(due(house, &lines), "{do:serve,to:7,who:dealer}", "{house}: {lines}");
            lines += &format!("draw {card} 7\nask 7 split\n");
        }
    }
}

#[test]
fn insurance_is_asked_about_before_the_dealers_card_that_a_finding_asks_for() {
    let early = "bets 1 2\nclose\ndeal 9S 8S AD 9H TH\nstand 2\nstand 1\npay 1 50\n";
    let (serve, ask) = ("{do:serve,to:bank,who:dealer}", "{about:insurance,box:2,do:ask,who:dealer}");
    assert_eq!(due("talla", early), format!("{ask} {serve}"));
    let asked = format!("{early}ask 2 insurance\n");
    assert_eq!(due("talla", &asked), format!("{} {serve}", ask.replace('2', "1")));
    assert_eq!(due("talla", &format!("{asked}ask 1 insurance\n")), serve);
}

#[test]
fn insurance_is_open_at_a_club_until_a_card_of_play_comes() {
    let ace = "bets 1 2\nclose\ndeal TS 9S AD 4H 8C\nask 2 insurance\n";
    let ask = "{about:insurance,box:1,do:ask,who:dealer}";
    for said in ["stand 2", "hit 2", "ask 2 card"] {
        assert_eq!(due("club", &format!("{ace}{said}\n")), ask, "{said}");
    }
    assert_eq!(due("club", &format!("{ace}hit 2\nask 1 insurance\n")), "{do:serve,to:2,who:dealer}");
    assert_eq!(due("club", &format!("{ace}hit 2\ndraw 2C 2\n")), "{about:card,box:2,do:ask,who:dealer}");
    assert_eq!(due("club", &format!("{ace}stand 2\nstand 1\n")), ask, "it was not told in time, and is open still");
}

#[test]
fn remedies_come_first_the_gravest_and_then_the_oldest_with_who_must_act() {
    let dealt = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC\n";
    let late = format!("{dealt}draw QH 3\ndraw 8D bank\n");
    assert_eq!(due("sala-8", &late), "{box:2,do:ask_consent,who:dealer} {about:card,box:1,do:ask,who:dealer}");
    let tampered = format!("{late}device shoe forged\n");
    assert_eq!(
        due("sala-8", &tampered),
        "{do:rule,finding:3,who:room} {box:2,do:ask_consent,who:dealer} {about:card,box:1,do:ask,who:dealer}"
    );
    let lost = format!("{dealt}draw 9D 2\ndraw QH 3\ndraw 8D bank\ndiscard bank\n");
    assert_eq!(
        due("sala-8", &lost),
        "{do:authorize,what:next_cards_for_bank,who:inspector} {do:announce,what:next_cards_for_bank,who:dealer} \
         {do:serve,to:bank,who:dealer} {do:serve,to:bank,who:dealer}"
    );
}

#[test]
fn a_remedy_about_another_spot_names_it_and_the_words_that_it_asks_for_clear_it() {
    let insured = "open\nbets 1 2 3\ndraw AH 1\nask 1 insurance\ninsure 1\nbet 1 insurance 25\n\
        draw 5C 2, TD 3, 9S bank, KC 1, 9D 2, QH 3, 8D bank\npay 1 30 insurance\n";
    let first = |lines: &str| due("sala-8", lines).split(' ').next().unwrap_or_default().to_owned();
    assert_eq!(first(insured), "{amount:20,box:1,do:pay,spot:insurance,who:dealer}");
    let paid = format!("{insured}pay 1 20 insurance\n");
    assert_eq!(first(&paid), "{about:card,box:2,do:ask,who:dealer}");
    let doubled = "open\nbets 1 2 3\ndeal 8H 5C TD 9S TC 9D QH 8D\nbet 1 double 50\n";
    assert_eq!(first(doubled), "{box:1,do:return_bet,spot:double,who:dealer}");
    let back = format!("{doubled}bet 1 double 0\n");
    assert_eq!(first(&back), "{about:card,box:1,do:ask,who:dealer}");
}

#[test]
fn a_shuffle_is_authorised_before_it_is_due() {
    assert_eq!(due("sala-8", "seat 1 P1"), "{do:authorize,what:shuffle,who:inspector}");
    assert_eq!(due("sala-8", "authorize shuffle"), "{do:shuffle,who:dealer}");
}

#[test]
fn a_pair_is_asked_first_whether_it_splits_and_an_ace_among_two_cards_what_it_counts() {
    let asked = |cards: &str, more: &str| {
        let lines = format!("open\nbets 1 2 3\nclose\n{cards}stand 1\n{more}");
        due("sala-8", &lines).split_once(',').map(|(about, _)| about.to_owned())
    };
    let dealt = |first: &str, second: &str| {
        let asks = if first.starts_with('A') { "ask 2 insurance\ndecline 2\n" } else { "" };
        format!("deal 8H {first} TD 9S\n{asks}draw TC 1, {second} 2, QH 3, 8D bank\n")
    };
    for (first, second, more, about) in [
        ("8C", "8S", "", "split"),
        ("8C", "8S", "ask 2 split\ndecline 2\n", "card"),
        ("AC", "AS", "", "split"),
        ("AC", "AS", "ask 2 split\ndecline 2\n", "ace"),
        ("AC", "5S", "", "ace"),
        ("5C", "AS", "", "ace"),
        ("AC", "5S", "ask 2 ace\nace 2 11\n", "card"),
        ("5C", "6S", "", "double"),
    ] {
        assert_eq!(asked(&dealt(first, second), more), Some(format!("{{about:{about}")), "{first} {second} {more}");
    }
}

#[test]
fn nothing_is_ordered_paid_or_collected_while_its_facts_are_in_doubt() {
    let unread = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S ?? TS QH 8D\nstand 1, 2, 3\nreveal bank\ncollect 2 50\n";
    assert_eq!(due("sala-8", unread), "{do:identify,place:1,who:inspector} {amount:50,box:3,do:pay,who:dealer}");
    let reported = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC TS QH 8D\nstand 1, 2, 3\nreveal bank\nreport - 2\n";
    assert_eq!(due("sala-8", reported), "{do:rule,finding:1,who:room} {amount:50,box:1,do:pay,who:dealer}");
    // where it is about no box the room may void every bet
    for about_all in ["report -", "device shoe tamper"] {
        assert_eq!(
            due("sala-8", &reported.replace("report - 2", about_all)),
            "{do:rule,finding:1,who:room}",
            "{about_all}"
        );
    }
}

#[test]
fn nothing_is_due_that_a_bettor_has_yet_to_choose_and_insurance_is_asked_before_a_late_second_card() {
    let late = "open\nbets 1 2 3\nclose\ndraw 8H 1, AC 2, TD 3, 9S bank, TC 1, QH 3, 8D bank\n";
    // C4: he has not agreed yet
    assert_eq!(due("sala-8", late), "{box:2,do:ask_consent,who:dealer} {about:card,box:1,do:ask,who:dealer}");
    let agreed = format!("{late}consent 2 yes\n");
    let serve = "{do:serve,to:2,who:dealer}";
    assert_eq!(due("sala-8", &agreed), format!("{{about:insurance,box:2,do:ask,who:dealer}} {serve}"));
    assert_eq!(due("sala-8", &format!("{agreed}ask 2 insurance\ndecline 2")), serve);
    // nobody has played: what is next is his card alone, not before he agrees
    let all = "open\nbets 1 2 3\nclose\ndraw 8H 1, 5C 2, TD 3, 9S bank\nask 1 card\n";
    let asks = [1, 2, 3].map(|hand| format!("{{box:{hand},do:ask_consent,who:dealer}}")).join(" ");
    let words = "{do:authorize,what:next_cards_for_bank,who:inspector} \
        {do:announce,what:next_cards_for_bank,who:dealer}";
    assert_eq!(due("sala-8", all), format!("{asks} {words} {{do:serve,to:bank,who:dealer}}"));
    // so where play began before the bank had any card
    let aces = "open\nbets 1 2 3\nclose\ndraw AC 1, 5C 2, TD 3\nask 2 card\nconsent 1 yes\n";
    let aces = due("sala-8", aces);
    assert!(aces.contains("{about:insurance,box:1,do:ask,who:dealer} {do:serve,to:1,who:dealer}"), "{aces}");
    // C9: he may withdraw
    let passed_over = "open\nbets 1 2 3\nclose\ndeal 5H 5C TD 9S 6C 8C QH 8D\nask 1 double\nbet 1 double 50\n\
        double 1\nhit 2\ndraw 3D 2\nstand 2, 3\n";
    let offer = "{box:1,do:offer,options:[withdraw,next_card],who:dealer}";
    assert_eq!(due("sala-8", passed_over), offer);
    assert_eq!(due("sala-8", &format!("{passed_over}choose 1 next_card")), "{do:serve,to:1,who:dealer}");
}

#[test]
fn the_bank_is_defined_though_what_was_settled_too_early_is_cleared_already() {
    let early = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S 3C 4H QH 4D\nstand 1, 2, 3\n";
    let paid = "pay 1 50, 2 50, 3 50\ndiscard 1\n";
    // covered it is turned up, whatever lies there
    for covered in ["4D", "8D"] {
        let lines = format!("{early}{paid}").replace("4D", covered);
        assert_eq!(due("sala-8", &lines), "{at:bank,do:reveal,who:dealer}", "{covered}");
    }
    // below its standing total it draws on, until it has it
    let below = format!("{early}reveal bank\n{paid}draw 2D bank\n");
    assert_eq!(due("sala-8", &below), "{do:serve,to:bank,who:dealer}");
    let lost = [1, 2].map(|hand| format!("{{amount:100,box:{hand},do:collect,who:dealer}}")).join(" ");
    let clear = "{do:move,from:2,to:discard,who:dealer}";
    assert_eq!(due("sala-8", &format!("{below}draw 3D bank\n")), format!("{lost} {clear}"));
    // nothing is drawn for whom no card lies any more at the bank
    let end = "{do:end,who:dealer}";
    assert_eq!(due("sala-8", &format!("{below}discard 2, 3, bank\n")), end);
}

#[test]
fn a_pass_is_over_when_nothing_is_left_of_it_but_its_end() {
    let lines = "open\nbets 1 2 3\nclose\ndraw 8H 1, 9H 2, TH 3, 9S bank, TC 1, TD 2, TS 3, 8D bank\n\
        stand 1\nstand 2\nstand 3\nreveal bank\npay 1 50, 2 50, 3 50\ndiscard 1, 2, 3, bank\nend";
    let mut replay = Replay::new(Lang::En, None);
    let mut over = Vec::new();
    for step in steps("sala-8", lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
        over.push(replay.validator().unwrap().is_over());
    }
    let (end, cleared) = (over.len() - 1, over.len() - 2);
    let is_over = |at: &usize| over[*at];
    assert_eq!((0..over.len()).filter(is_over).collect::<Vec<_>>(), [cleared], "{end} is the end");
    let open = lines.replace("bank\nend", "bank\ndevice shoe tamper");
    assert!(!table("sala-8", &open).is_over(), "a remedy is open");
}

#[test]
fn the_next_step_follows_from_what_the_table_sees_and_from_what_the_room_let_lie() {
    const BETS: &str = "bet 1 50 P1, 2 50 P2, 3 50 P3\ndraw 8H 1, 5C 2, TD 3, TC 1\nrule stands\n";
    const ELEVEN: &str = "bet 1 50 P1, 2 50 P2, 3 50 P3\ndraw 5H 1, 8C 2, TD 3, 9S bank, 6C 1, 8D 2, QH 3, 8D bank\n";
    let observes = |sights: &str, lines: &str| format!("table v=2 observes={sights}\n{lines}");
    for (regulation, lines, next) in [
        // nobody hears that insurance was offered, or that an ace was declared
        ("sala-8", observes("places,turns,announcements", "draw AH 1, 9S bank"), "{do:serve,to:1,who:dealer}"),
        (
            "sala-8",
            observes("places,turns,announcements", "draw AH 1, 9S bank, KC 1, 8D bank"),
            "{at:bank,do:reveal,who:dealer}",
        ),
        (
            "sala-8",
            "device keypad offline\nbet 3 50 P3\ndraw AH 3, 6D 3\nace 3 11\nhit 3\ndraw 6S 3".to_owned(),
            "{amount:50,box:3,do:collect,who:dealer}",
        ),
        // chips are not seen, and a hand is settled once
        (
            "club",
            observes("places,moves,asks,decisions,announcements", "draw AS 7, 8C bank, KC 7\ncollect 7 50"),
            "{do:serve,to:bank,who:dealer}",
        ),
        ("croupier-6", observes("moves,asks", "draw JC 1 up\ndiscard 2c"), "{do:serve,to:bank,who:dealer}"),
        // a card lies covered that must not
        (
            "talla",
            observes("places,faces,moves,announcements", "draw 7H 1 up\ndraw 6S up\ndraw AD down"),
            "{at:1,do:reveal,who:dealer}",
        ),
        // what was paid too early is judged by the bank all the same
        (
            "sala-8",
            "bet 3 50 P3\ndraw TD 3, 9S bank, QH 3, 8D bank\npay 3 50\ndiscard 1".to_owned(),
            "{at:bank,do:reveal,who:dealer}",
        ),
        // the room lets the bank be before the boxes have their cards
        ("sala-8", BETS.to_owned(), "{do:serve,to:2,who:dealer}"),
        ("sala-8", format!("{BETS}draw 9D 2, QH 3"), "{about:card,box:1,do:ask,who:dealer}"),
        // chips come before the card of a double or a split, and are due no more once that is refused
        ("sala-8", format!("{ELEVEN}double 1"), "{amount:50,box:1,do:bet,spot:double,who:dealer}"),
        ("sala-8", format!("{ELEVEN}double 1\nbet 1 double 50"), "{do:serve,to:1,who:dealer}"),
        (
            "sala-8",
            format!("{ELEVEN}double 1\nbet 1 double 50\ndraw 2C 1 down"),
            "{about:split,box:2,do:ask,who:dealer}",
        ),
        ("sala-8", format!("{ELEVEN}stand 1\nsplit 2"), "{amount:50,box:2,do:bet,spot:split,who:dealer}"),
        ("sala-8", format!("{ELEVEN}stand 1\nsplit 2\nbet 2 split 50"), "{do:serve,to:2,who:dealer}"),
        ("sala-8", format!("device chips offline\n{ELEVEN}double 1"), "{do:serve,to:1,who:dealer}"),
        // nothing is cleared before the bank has what it lost
        (
            "sala-8",
            format!("{ELEVEN}stand 1, 2, 3\nreveal bank\ndiscard bank\nauthorize next\nsay next\ndraw KC bank"),
            "{do:serve,to:bank,who:dealer}",
        ),
        // no bank has turns where a Black Jack moves it
        (
            "talla",
            "load 208 53\nbank drawn P2\nbet 2 50 P1\ndraw 2H 3\nend\nshuffle 3\nload 156 40".to_owned(),
            "{do:bet,who:dealer}",
        ),
    ] {
        assert_eq!(due(regulation, &lines), next, "{regulation}: {lines}");
    }
}

/// The table after the last line.
fn table(regulation: &str, lines: &str) -> Validator {
    let mut replay = Replay::new(Lang::En, None);
    for step in steps(regulation, lines) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    replay.validator().unwrap().clone()
}

#[test]
fn chips_settle_a_bet_from_when_the_bank_is_seen_or_no_longer_needed() {
    const DEALT: &str = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D QH 8D\n";
    const UNTURNED: &str = "table v=2 observes=places,faces,moves,bets,asks,decisions,announcements\n";
    // the first card of box 3 came while the shoe was away
    const UNSEEN: &str = "table v=2\nopen\nbets 1 2 3\nclose\ndraw 8H 1, 9C 2\ndevice shoe offline\ndevice shoe online\n\
                          draw 9S bank, TC 1, TS 2, QH 3\ndraw 8D bank down\nstand 1, 2, 3\n";
    for (regulation, lines, settled) in [
        ("sala-8", DEALT.to_owned(), &[][..]),
        ("sala-8", format!("{DEALT}stand 1, 2, 3\n"), &[]),
        ("sala-8", format!("{DEALT}stand 1, 2, 3\nreveal bank\n"), &["1", "2", "3"]),
        // a dealer who turns the bank's card too early may settle too early
        ("sala-8", format!("{DEALT}reveal bank\n"), &["1", "2", "3"]),
        // a box seems to lack a card
        ("sala-8", UNSEEN.to_owned(), &[]),
        ("sala-8", format!("{UNSEEN}reveal bank 8D\n"), &["1", "2", "3"]),
        // nobody sees when the card is turned
        ("sala-8", format!("{UNTURNED}{DEALT}"), &[]),
        ("sala-8", format!("{UNTURNED}{DEALT}stand 1, 2, 3\n"), &["1", "2", "3"]),
        // the bank plays against nobody
        ("sala-8", "bet 1 50 P1\ndeal 8H 9S 7C 7D\nhit 1\ndraw KC 1\n".to_owned(), &["1"]),
        // its one card lies up from the beginning
        ("club", "bets 7 5\ndeal TS 9H 8C 9C 6D\n".to_owned(), &[]),
        ("club", "bets 7 5\ndeal AS 9H 8C KC 9D\n".to_owned(), &["7"]),
        ("club", "bets 7 5\ndeal TS 9H 8C 9C 6D\nhit 5\ndraw TD 5\n".to_owned(), &["5"]),
    ] {
        let table = table(regulation, &lines);
        let settling = table.state().pass.hands().map(|(id, _)| id).filter(|id| table.is_settling(*id));
        let mut settling: Vec<String> = settling.map(|id| id.to_string()).collect();
        settling.sort();
        assert_eq!(settling, settled, "{regulation}: {lines}");
    }
}

#[test]
fn what_lies_on_a_spot_is_known_and_whether_it_counts() {
    let table = table("sala-8", "open\nbets 1 2:70 3\nclose\ndeal 8H 5C TD 9S TC 9D QH 8D\nreport - 2\nrule void");
    let hand = |box_no: &str| box_no.parse().unwrap();
    assert_eq!(["1", "2", "4"].map(|box_no| table.on_spot(hand(box_no), BetSpot::Main)), [50, 70, 0]);
    assert_eq!(table.on_spot(hand("2"), BetSpot::Double), 0);
    assert_eq!(["1", "2", "4"].map(|box_no| table.is_in_play(hand(box_no))), [true, false, false]);
}

#[test]
fn nothing_is_due_for_a_hand_whose_cards_are_in_the_shoe() {
    let gone = "bets 2\nclose\ndraw 5C 2\ndraw 5H bank\nmove 2 shoe\n";
    assert_eq!(due("club", gone), "{do:move,from:bank,to:discard,who:dealer}", "the only card is in the shoe");
    assert_eq!(due("talla", &format!("{gone}rule resume\n")), "{do:move,from:bank,to:discard,who:dealer}");
    let half = "bets 2\nclose\ndraw TH 2\ndraw 9C bank\ndraw QS 2\nsplit 2\nbet 2 split 50\nmove 2b shoe\n";
    assert_eq!(due("club", &format!("{half}draw 8C 2\nstand 2\n")), "{do:serve,to:bank,who:dealer}");
}

#[test]
fn cards_that_have_all_come_out_are_shuffled_before_the_next_is_due() {
    let out = "shuffle 2\nload 4 2\nbets 2\nclose\ndraw TH 2\ndraw 6C bank\ndraw 9C 2\nstand 2\n";
    assert!(due("club", out).ends_with("{do:serve,to:bank,who:dealer}"), "{}", due("club", out));
    let all = format!("{out}draw 2C bank\n");
    assert!(due("club", &all).ends_with("{do:shuffle,who:dealer}"), "{}", due("club", &all));
    let device = format!("{all}draw 3C bank\n");
    assert!(due("club", &device).ends_with("{do:serve,to:bank,who:dealer}"), "more came: {}", due("club", &device));
}

#[test]
fn no_cards_are_due_to_be_cleared_while_nobody_knows_what_a_bet_is_owed_that_was_given_nothing() {
    let identify = |place: &str| format!("{{do:identify,place:{place},who:inspector}}");
    let clear = |place: &str| format!("{{do:move,from:{place},to:discard,who:dealer}}");
    let unread = "bets 1 2 3\nclose\ndeal 8H 5C TD 9S ?? 9D QH 8D\nstand 1, 2, 3\nreveal bank\n";
    let rest = format!("{unread}collect 2 50\npay 3 50\n");
    assert_eq!(due("sala-8", &rest), identify("1"), "the hand with the unread card may have won");
    assert_eq!(due("sala-8", &format!("{rest}pay 1 50\n")), format!("{} {}", identify("1"), clear("1")));
    assert_eq!(due("sala-8", &format!("{rest}correct 10 draw TC 1\n")), "{amount:50,box:1,do:pay,who:dealer}");
    let bank = "bets 1 2\nclose\ndeal 8H TD ?? TC QH 8D\nstand 1, 2\nreveal bank\n";
    assert_eq!(due("sala-8", bank), identify("bank"), "nor has any bet anything due against a bank that is unread");
    let blind = unread.replace("??", "TC") + "device shoe events_missed\n";
    assert_eq!(due("sala-8", &blind), "", "nor where the shoe may have missed a card");
    assert_eq!(due("sala-8", &format!("{blind}pay 1 50, 3 50\ncollect 2 50\n")), clear("1"));
    for (house, boxes, places) in [("talla", "2 1", "2 1"), ("club", "2 1", "2 1"), ("croupier-6", "1 2", "1 2")] {
        let cards = format!("bets {boxes}\nclose\ndeal TH 8D 9S ?? QH\nstand {}\n", places.replace(' ', ", "));
        let settled = format!("{cards}draw 8S bank\npay {} 50\n", &places[2..]);
        assert_eq!(due(house, &settled), identify(&places[..1]), "{house}");
    }
}

#[test]
fn what_began_before_the_log_is_taken_to_go_on() {
    let bet = "{do:bet,who:dealer}";
    let mut lines = String::new();
    for line in ["draw TH 1", "draw 9H 2", "draw 8S bank"] {
        lines += &format!("{line}\n");
        assert_eq!(due("sala-8", &lines), "", "of a pass begun before it nothing is due after {line}");
    }
    assert_eq!(due("sala-8", &format!("{lines}discard 1, 2, bank\n")), "{do:end,who:dealer}");
    assert_eq!(due("sala-8", &format!("{lines}end\n")), bet);
    let pass = "bets 1\nclose\ndeal TH 9S 8H\n";
    for (house, bank) in [("talla", "8S"), ("club", "8S"), ("croupier-6", "8S")] {
        let whole = format!("{pass}stand 1\ndraw {bank} bank\npay 1 50\ndiscard 1, bank\n");
        assert_eq!(due(house, &format!("{whole}end\n")), bet, "{house}: a shoe in play goes on");
        assert_ne!(due(house, &format!("{whole}cut_card\nend\n")), bet, "{house}: unless its cut card is out");
    }
}

#[test]
fn no_card_is_due_in_a_pass_that_the_shoe_has_not_seen_whole() {
    for (house, dealt) in [("sala-8", "bets 1 2 3\nclose\ndeal TH 9S 8H\n"), ("club", "bets 2 1\nclose\ndeal TH 9S\n")]
    {
        assert!(due(house, dealt).contains("do:serve"), "{house}");
        assert_eq!(due(house, &format!("{dealt}device shoe offline\n")), "", "{house}");
    }
}
