//! What is due next at a table whose bank plays last and uncovered, where Black Jacks are paid at once.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;

use super::steps;

/// What the display says is due after some lines of a scenario of the club.
fn due(lines: &[&str]) -> String {
    let mut replay = Replay::new(Lang::En, None);
    for step in steps("club", &lines.join("\n")) {
        replay.feed(step.json.as_bytes(), &mut Vec::new()).unwrap();
    }
    let due = replay.validator().unwrap().felt().due;
    due.iter().map(|words| words.en.as_str()).collect::<Vec<_>>().join(" · ")
}

#[test]
fn a_black_jack_the_bank_cannot_match_is_to_be_paid_before_anything_else() {
    let dealt = ["bets 7 5", "deal AS 9H 8C KC 9D"];
    assert_eq!(due(&dealt), "pay box 7: 0.75");
    assert_eq!(due(&[&dealt[..], &["pay 7 75"]].concat()), "ask: split? box 5");
    assert_eq!(due(&[&dealt[..], &["pay 7 75", "stand 5"]].concat()), "card for the bank");
    assert_eq!(due(&["bets 7 5", "deal AS AD 8C KC KD", "pay 7 75"]), "pay box 5: 0.75", "with nobody to play");
    assert_eq!(due(&["bets 7 5", "deal AS AD 8C KC KD", "pay 7 75", "pay 5 75"]), "clear the cards of box 7");
}

#[test]
fn one_it_may_match_waits_for_the_banks_second_card() {
    let waits = ["bets 7 5", "deal AS 9H TC KC 9D"];
    assert_eq!(due(&waits), "ask: split? box 5");
    assert_eq!(due(&[&waits[..], &["stand 5"]].concat()), "card for the bank");
    assert_eq!(due(&[&waits[..], &["stand 5", "draw 4H bank"]].concat()), "pay box 7: 0.75");
    let paid = [&waits[..], &["stand 5", "draw 4H bank", "pay 7 75"]].concat();
    assert_eq!(due(&paid), "card for the bank");
    assert_eq!(due(&[&waits[..], &["stand 5", "draw AH bank"]].concat()), "collect box 5: 0.50", "the Black Jacks tie");
}

#[test]
fn insurance_is_asked_about_before_play_and_decided_by_the_banks_second_card() {
    let ace = ["bets 7 5", "deal TS 9H AC 9C 9D"];
    assert_eq!(due(&ace), "ask: insurance? box 7");
    assert_eq!(due(&[&ace[..], &["bet 7 insurance 25"]].concat()), "ask: insurance? box 5");
    let play = [&ace[..], &["bet 7 insurance 25", "ask 5 insurance", "decline 5"]].concat();
    assert_eq!(due(&play), "ask: card or stand? box 7");
    let decided = [&play[..], &["stand 7, 5", "draw 3H bank"]].concat();
    assert_eq!(due(&decided), "collect the insurance of box 7: 0.25", "before the bank draws on");
}

#[test]
fn the_banks_second_card_decides_an_insurance_though_every_hand_is_over() {
    let insured = ["bets 7", "deal TS AC 9C", "bet 7 insurance 25", "hit 7", "draw 9D 7"];
    assert_eq!(due(&insured), "card for the bank");
    assert_eq!(due(&[&insured[..3], &["stand 7"]].concat()), "card for the bank");
    assert_eq!(
        due(&["bets 7", "deal TS AC 9C", "ask 7 insurance", "decline 7", "hit 7", "draw 9D 7"]),
        "collect box 7: 0.50"
    );
}

#[test]
fn split_and_doubled_hands_are_served_and_asked_in_their_order() {
    let split = ["bets 7 5", "deal 8S 9H 6C 8D 9D", "split 7", "bet 7 split 50"];
    assert_eq!(due(&split), "card for box 7");
    assert_eq!(due(&[&split[..], &["draw 3S 7"]].concat()), "ask: double? box 7");
    let chosen = [&split[..], &["draw 3S 7", "ask 7 double", "double 7"]].concat();
    assert_eq!(due(&chosen), "chips to double, box 7: 0.50");
    assert_eq!(due(&[&chosen[..], &["bet 7 double 50"]].concat()), "card for box 7");
    let doubled = [&split[..], &["draw 3S 7", "ask 7 double", "double 7", "bet 7 double 50", "draw TS 7"]].concat();
    assert_eq!(due(&doubled), "card for box 7b");
    let aces = ["bets 7", "deal AS 6C AD", "split 7", "bet 7 split 50", "draw 2S 7", "draw 3S 7b"];
    assert_eq!(due(&aces), "card for the bank", "a split ace gets one card");
}

#[test]
fn bets_are_settled_from_the_right_winners_and_losers_alike() {
    let played = ["bets 7 5 3", "deal TS 9H TD 8C 9C 7D TH", "stand 7, 5, 3", "draw 9D bank"];
    assert_eq!(due(&played), "pay box 7: 0.50 · collect box 5: 0.50 · pay box 3: 0.50");
}

#[test]
fn a_bet_settled_too_early_ends_neither_play_nor_the_banks() {
    let early = ["bets 7 5", "deal TS 9H 8C 9C 6D", "stand 7", "pay 7 50"];
    assert_eq!(due(&early), "ask: card or stand? box 5", "the bank's card waits");
    assert_eq!(due(&[&early[..], &["stand 5"]].concat()), "card for the bank");
    assert_eq!(due(&[&early[..], &["stand 5", "draw 2H bank"]].concat()), "card for the bank");
}

#[test]
fn a_pair_is_told_that_it_may_be_opened_before_anything_else_is_asked() {
    let pair = ["bets 7 5", "deal 8S 9H 6C 8D 9D"];
    assert_eq!(due(&pair), "ask: split? box 7");
    assert_eq!(due(&[&pair[..], &["ask 7 split", "decline 7"]].concat()), "ask: card or stand? box 7");
    let fives = ["bets 7", "deal 5S 6C 5D"];
    assert_eq!(due(&fives), "ask: split? box 7");
    assert_eq!(due(&[&fives[..], &["ask 7 split", "decline 7"]].concat()), "ask: double? box 7");
}

#[test]
fn a_hand_whose_cards_were_put_away_is_dealt_no_others_while_another_plays() {
    let away = ["bets 7 5", "deal 8S 5H 9C TC 7H", "discard 7"];
    assert!(due(&away).ends_with("ask: card or stand? box 5"), "{}", due(&away));
    assert_eq!(due(&[&away[..], &["rule resume"]].concat()), "ask: card or stand? box 5");
}

#[test]
fn the_banks_second_card_that_the_room_lets_lie_comes_before_those_of_the_boxes() {
    let early = ["bets 7 5", "deal 9S 5H 6C", "draw 8D bank", "rule stands"];
    assert_eq!(due(&early), "card for box 7");
    assert_eq!(due(&[&early[..], &["draw TD 7"]].concat()), "card for box 5");
    assert_eq!(due(&[&early[..], &["draw TD 7", "draw 7D 5"]].concat()), "ask: card or stand? box 7");
}
