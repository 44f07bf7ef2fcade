//! `sala-8`: eight decks, a covered second card for the bank, boxes served and played from the left.
//!
//! Box 1 is dealt an ace and a seven, box 2 an eleven, box 3 a pair, the bank nine and five.

use super::house;

house! {
    id: "sala-8", limits: "limits=10-1000 stake=50",
    events: "
        seat 4 P4
        seat 1 P9
        leave 2 P2
        request 5 P2
        authorize shuffle
        authorize next
        authorize next table_chief
        authorize deck_change
        shuffle 8
        shuffle 7
        cut 150
        cut 50
        load 416 52
        load 416 30
        bet 1 50 P1
        bet 1 80 P1
        bet 1 0
        bet 3 5 P3
        bet 4 50 P1
        bet 4 50 P9
        bet 2 double 50
        bet 2 double 30
        bet 1 double 50
        bet 3 split 50
        bet 1 split 50
        bet 1 insurance 25
        bet 2 insurance 25
        close
        draw 4S 1
        draw 4S 2
        draw 4S 3
        draw 4S 3b
        draw 4S 5
        draw 4S bank
        draw 4S bank up
        draw 4S 1 down
        draw 4S burn
        draw 4S discard
        draw 4S
        draw ?? 1
        cut_card
        ask 1 insurance
        ask 1 ace
        ask 1 card
        ask 2 double
        ask 3 split
        ask 3 card
        ask 1 surrender
        hit 1
        hit 2
        hit 3
        stand 1
        stand 1 P2
        stand 2
        stand 3
        stand 3b
        double 1
        double 2
        split 3
        split 1
        insure 1
        decline 1
        surrender 1
        even_money 1
        ace 1 11
        ace 1 1
        ace 2 1
        total 1 18
        total 1 17
        say next
        reveal bank
        reveal 2
        reveal 1
        burn 1
        burn bank 1
        discard 1
        discard 2
        discard bank
        move 1 shoe
        consent 1 yes
        consent 1 no
        choose 2 withdraw
        choose 1 play
        collect 1 50
        collect 2 100
        collect 1 25 insurance
        pay 1 50
        pay 2 100
        pay 2 50
        pay 3b 50
        pay 1 50 insurance
        end
        rule void
        rule stands 1
        report C17 1
        report -
        strike 1
        bank taken P1
        bank_card P1 AH
        share P1 advance 50
        offer_cut P1
        device shoe empty
        device shoe jam
        device chips offline
    ",
    aside no_shoe_is_loaded: "seat 1 P1, 2 P2, 3 P3";
    aside the_decks_are_shuffled_and_not_cut: "seat 1 P1, 2 P2, 3 P3\nauthorize shuffle\nshuffle 8";
    then a_fresh_shoe_is_loaded: "open";
    then bets_are_open: "bets 1 2 3";
    aside bets_are_closed: "close";
    aside the_first_delivery_is_in_its_middle: "close\ndraw AH 1, 5C 2";
    then the_first_delivery_is_done: "close\ndraw AH 1, 5C 2, 8H 3, 9S bank";
    then the_second_delivery_is_in_its_middle: "ask 1 insurance\ndecline 1\ndraw 7C 1";
    then both_deliveries_are_done: "draw 6D 2, 8D 3, 5D bank";
    then a_box_is_at_its_turn: "ask 1 ace\nace 1 11\nask 1 card";
    aside a_card_is_asked_for: "hit 1";
    found the_shoe_has_run_empty: "hit 1\ncut_card\ndevice shoe empty";
    then a_double_waits_for_its_card: "stand 1\nask 2 double\ndouble 2\nbet 2 double 50";
    then a_split_has_just_been_opened: "draw 9C 2\nask 3 card\nsplit 3\nbet 3 split 50";
    then every_box_is_played: "draw TH 3\nask 3 card\nstand 3\ndraw 3H 3b\nask 3b card\nhit 3b\ndraw TC 3b";
    then the_bank_has_just_been_uncovered: "reveal bank";
    aside the_bank_is_drawing: "draw 2C bank";
    then the_bank_is_final: "draw 2C bank, 3D bank\nreveal 2";
    then settlement_has_begun: "collect 1 50";
    then everything_is_settled: "collect 3 50\npay 2 100, 3b 50";
    aside the_felt_is_being_cleared: "discard 1, 2";
    then the_felt_is_clear: "discard 1, 2, 3, 3b, bank";
    then the_pass_is_over: "end";
}
