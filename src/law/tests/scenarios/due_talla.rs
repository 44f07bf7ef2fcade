//! What the table is told to do next, step by step, where delivery and play begin at the dealer's right and each hand
//! is settled in its turn: who follows it breaks nothing.

use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;

use super::steps;

/// `event -> what is then due`, a line each; what is due is the first thing named, in English.
fn follow(log: &str) {
    let mut replay = Replay::new(Lang::En, None);
    for line in log.trim().lines() {
        let (events, due) = line.split_once("->").unwrap_or((line, ""));
        let begun = replay.validator().is_some();
        for step in steps("talla", events).iter().skip(usize::from(begun)) {
            let mut answers = Vec::new();
            replay.feed(step.json.as_bytes(), &mut answers).unwrap();
            let findings: Vec<_> =
                answers.iter().filter(|answer| format!("{answer:?}").starts_with("Finding")).collect();
            assert!(findings.is_empty(), "{line}: {findings:?}");
        }
        if !due.is_empty() {
            let felt = replay.validator().unwrap().felt();
            assert_eq!(felt.due.first().map(|words| words.en.as_str()), Some(due.trim()), "after `{events}`");
        }
    }
}

#[test]
fn a_pass_from_the_right_with_a_box_split_into_four() {
    follow(
        "open
bet 1 50 P1, 2 50 P2, 3 50 P3
close -> card for box 3
draw 5C 3 -> card for box 2
draw 8C 2 -> card for box 1
draw TD 1 -> card for the bank
draw 6S bank -> card for box 3
draw 6D 3 -> card for box 2
draw 8D 2 -> card for box 1
draw QH 1 -> ask: card or stand? box 3
double 3
bet 3 double 50 -> card for box 3
draw 2H 3 -> ask: card or stand? box 2
split 2
bet 2 split 50 -> card for box 2
draw 8H 2 -> ask: card or stand? box 2
split 2
bet 2 split 100 -> card for box 2
draw TC 2 -> ask: card or stand? box 2
stand 2 -> card for box 2c
draw 8S 2c
split 2c
bet 2c split 50 -> card for box 2c
draw 9H 2c
stand 2c -> card for box 2d
draw 3H 2d
hit 2d -> card for box 2d
draw 9D 2d
stand 2d -> card for box 2b
draw JC 2b
stand 2b -> ask: card or stand? box 1
stand 1 -> card for the bank
draw KS bank -> card for the bank
draw 2D bank -> collect box 3: 1
collect 3 100 -> collect box 2c: 0.50
collect 2c 50 -> pay box 2d: 0.50
pay 2d 50 -> pay box 1: 0.50
pay 1 50 -> clear the cards of box 3
discard 3 -> clear the cards of box 2
discard 2, 2c, 2d, 2b -> clear the cards of box 1
discard 1 -> clear the cards of the bank
discard bank -> end of the pass",
    );
}

#[test]
fn split_aces_get_their_card_each_and_nothing_is_asked_of_them() {
    follow(
        "open
bet 1 50 P1, 2 50 P2
close
draw AC 2, TD 1, 6S bank, AD 2, QH 1 -> ask: card or stand? box 2
split 2
bet 2 split 50 -> card for box 2
draw 5H 2 -> card for box 2b
draw 9H 2b -> ask: card or stand? box 1
stand 1 -> card for the bank",
    );
}

#[test]
fn a_forgotten_bet_is_dealt_to_in_its_place() {
    follow(
        "open
bet 1 50 P1, 2 50 P2
close
draw 5C 2 -> card for box 1
bet 3 100 P3 -> card for box 3
draw 6C 3 -> card for box 1
draw 7C 1 -> card for the bank",
    );
}

#[test]
fn insurance_is_offered_when_all_have_played_and_settled_before_the_bank_draws_on() {
    follow(
        "open
bet 1 400 P1, 2 400 P2, 3 300 P3
close
draw TD 3, AH 2, 8C 1, AS bank, 6H 3, KD 2
even_money 2 -> card for box 1
draw 9C 1 -> pay box 2: 4
pay 2 400 -> ask: card or stand? box 3
surrender 3 -> collect box 3: 2
collect 3 200 -> ask: card or stand? box 1
stand 1 -> ask: insurance? box 1
ask 1 insurance -> card for the bank
insure 1
bet 1 insurance 200 -> card for the bank
draw 2C bank -> collect the insurance of box 1: 2
collect 1 200 insurance -> card for the bank
draw 7D bank -> collect box 1: 4
collect 1 400 -> clear the cards of box 3
discard 3, 2, 1, bank -> end of the pass",
    );
}

#[test]
fn what_insurance_won_is_paid_before_anything_else() {
    follow(
        "open
bet 1 400 P1, 2 400 P2
close
draw AH 2, TD 1, AS bank, KD 2, 9C 1 -> ask: card or stand? box 1
stand 1 -> ask: insurance? box 2
ask 2 insurance
bet 2 insurance 200 -> ask: insurance? box 1
ask 1 insurance
decline 1 -> card for the bank
draw KH bank -> pay the insurance of box 2: 4
pay 2 400 insurance -> collect box 1: 4
collect 1 400 -> clear the cards of box 2
discard 2, 1, bank -> end of the pass",
    );
}

#[test]
fn with_everybody_out_of_play_the_bank_takes_no_card() {
    follow(
        "open
bet 1 400 P1, 2 400 P2
close
draw TH 2, TD 1, AS bank, 6D 2, 6C 1 -> ask: card or stand? box 2
surrender 2
collect 2 200
hit 1
draw KC 1 -> collect box 1: 4
collect 1 400 -> clear the cards of box 2",
    );
}

#[test]
fn a_bank_that_was_returned_is_drawn_for_before_bets_are_open() {
    follow(
        "open
bet 2 50 P2
draw TD 2, 7S bank, 9H 2
stand 2
draw TS bank
pay 2 50
discard 2, bank
end -> bets are open
bet 2 50 P2
draw AD 2, 9S bank, KH 2, 9D bank
pay 2 100
discard 2, bank
end -> bets are open
bank returned - P2 -> draw for the bank
bank_card P1 9H, P2 KS -> draw for the bank
bank drawn P2 -> bets are open",
    );
}

#[test]
fn a_doubled_hand_gets_its_card_before_insurance_is_offered() {
    follow(
        "open
bet 1 50 P1, 2 50 P2
draw 5C 2, TD 1, AS bank, 6D 2, 9C 1
double 2
bet 2 double 50 -> card for box 2",
    );
}
