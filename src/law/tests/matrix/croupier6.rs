//! `croupier-6`: six decks, one uncovered card for the bank, hands served and asked from the left; no double, no split.
//!
//! Box 1 is dealt a Black Jack, box 2 an eleven, box 3 a pair, the bank a nine.

use super::house;

house! {
    id: "croupier-6", limits: "limits=10-1000 stake=50",
    events: "
        seat 4 P4
        seat 1 P9
        leave 2 P2
        request 5 P2
        authorize shuffle
        authorize next
        authorize deck_change
        bank_card P1 AH
        bank taken P1
        share P1 advance 50
        offer_cut P1
        shuffle 6
        shuffle 5
        cut 150
        cut 3
        load 312 52
        load 300 52
        bet 1 50 P1
        bet 1 80 P1
        bet 1 0
        bet 3 5 P3
        bet 4 50 P1
        bet 4 50 P9
        bet 2 double 50
        bet 3 split 50
        bet 1 insurance 25
        close
        draw 4S 1
        draw 4S 2
        draw 4S 3
        draw 4S 3b
        draw 4S 5
        draw 4S bank
        draw 4S bank down
        draw 4S 1 down
        draw 4S burn
        draw 4S discard
        draw 4S
        draw ?? 1
        cut_card
        ask 1 insurance
        ask 1 ace
        ask 1 card
        ask 2 card
        ask 2 double
        ask 3 split
        ask 1 surrender
        hit 1
        hit 2
        hit 3
        stand 1
        stand 2
        stand 2 P1
        stand 3
        double 2
        split 3
        insure 1
        decline 1
        surrender 1
        even_money 1
        ace 1 11
        ace 1 1
        ace 2 1
        total 2 11
        total 2 12
        total bank 17
        say next
        reveal bank
        reveal 1
        burn 1
        burn bank 1
        discard 1
        discard 2
        discard bank
        move 1 shoe
        consent 1 yes
        choose 1 play
        collect 2 50
        collect 3 50
        collect 1 50
        pay 1 75
        pay 1 50
        pay 2 50
        pay 3 50
        end
        rule void
        rule stands 1
        rule resume
        report K17 2
        report -
        strike 1
        device shoe empty
        device shoe jam
        device chips offline
    ",
    aside no_shoe_is_loaded: "seats 3";
    aside the_decks_are_shuffled_and_not_cut: "seats 3\nshuffle 6";
    then a_fresh_shoe_is_loaded: "six";
    then bets_are_open: "bets 1 2 3";
    aside bets_are_closed: "close";
    aside the_first_round_is_in_its_middle: "close\ndraw AH 1, 5C 2";
    aside the_bank_waits_for_its_card: "close\ndraw AH 1, 5C 2, 8H 3";
    aside both_rounds_are_done_before_the_bank_has_a_card: "close\ndraw AH 1, 5C 2, 8H 3, KC 1, 6D 2, 8D 3";
    then the_first_round_is_done: "close\ndraw AH 1, 5C 2, 8H 3, 9S bank";
    aside the_second_round_is_in_its_middle: "draw KC 1";
    found a_bet_comes_too_late: "draw KC 1\nbet 4 50 P1";
    then both_rounds_are_done: "draw KC 1, 6D 2, 8D 3";
    then a_box_is_at_its_turn: "ask 2 card";
    then a_card_is_asked_for: "hit 2";
    found the_shoe_has_run_empty: "cut_card\ndevice shoe empty";
    then a_hand_has_drawn_on: "draw 4C 2\ntotal 2 15";
    then a_hand_is_over_21: "ask 2 card\nhit 2\ndraw TC 2\ntotal 2 25";
    then every_box_is_played: "ask 3 card\nstand 3";
    aside the_bank_is_drawing: "draw 2C bank";
    then the_bank_is_final: "draw 2C bank, 8C bank\ntotal bank 19";
    then settlement_has_begun: "pay 1 75";
    then everything_is_settled: "collect 2 50, 3 50";
    aside the_felt_is_being_cleared: "discard 1, 2";
    then the_felt_is_clear: "discard 1, 2, 3, bank";
    then the_pass_is_over: "end";
}
