//! `club`: two decks, a bank owned in common that passes on with each shoe, misdealt cards put back into it.
//!
//! P4 banks. Box 3 is dealt an eleven, box 2 a pair, box 1 a Black Jack, the bank an ace.

use super::house;

house! {
    id: "club", limits: "limits=10-500 stake=50",
    events: "
        seat 5 P5
        seat 1 P9
        leave 2 P2
        request 5 P2
        authorize shuffle
        authorize next
        authorize deck_change
        bank_card P1 AH
        bank turn P4
        bank turn P3
        bank turn P1
        bank taken P1
        bank left - P4
        bank sold P1 P4 500
        share P1 advance 200
        share P2 advance 100
        share P4 dividend 200
        offer_cut P1
        offer_cut P3
        shuffle 2
        shuffle 1
        shuffle 2 6
        cut 40 P1
        cut 3 P1
        cut 40 P3
        load 104 12
        load 104 6
        load 100 12
        bet 3 50 P3
        bet 3 80 P3
        bet 3 0
        bet 3 55 P3
        bet 3 600 P3
        bet 4 50 P4
        bet 5 50 P9
        bet 2 split 50
        bet 3 split 50
        bet 3 double 50
        bet 3 double 30
        bet 2 double 50
        bet 3 insurance 25
        bet 2 insurance 20
        bet 1 insurance 30
        close
        draw 4S 3
        draw 4S 2
        draw 4S 2b
        draw 4S 1
        draw 4S 5
        draw 4S bank
        draw 4S bank down
        draw 4S 1 down
        draw 4S burn
        draw 4S discard
        draw 4S
        draw ?? 3
        cut_card
        ask 3 insurance
        ask 2 insurance
        ask 1 insurance
        ask 3 double
        ask 2 split
        ask 2 double
        ask 2 card
        ask 1 card
        ask 1 surrender
        hit 3
        hit 2
        hit 2b
        hit 1
        stand 3
        stand 2
        stand 2b
        stand 1
        stand 3 P2
        double 3
        double 2
        split 2
        split 1
        insure 3
        decline 3
        decline 2
        surrender 3
        even_money 1
        ace 1 11
        ace 3 1
        total 3 11
        total 3 12
        say next
        reveal bank
        reveal 1
        burn 3
        burn bank 1
        discard 3
        discard 1
        discard bank
        move 3 shoe 1
        move discard shoe
        consent 1 yes
        choose 1 withdraw
        collect 2 50
        collect 3 100
        collect 3 25 insurance
        pay 1 75
        pay 1 50
        pay 3 100
        pay 2b 50
        pay 3 50 insurance
        end
        rule void
        rule stands 1
        rule resume
        report G19
        report -
        strike 1
        device shoe empty
        device shoe jam
        device chips offline
    ",
    aside nobody_banks_yet: "seats 4";
    aside the_bank_is_owned_in_common: "seats 4\nshare P1 advance 500, P2 advance 500, P3 advance 500, P4 advance 500";
    aside the_decks_are_shuffled_and_the_cut_is_not_offered: "seats 4\nbank turn P4\nshuffle 2";
    aside the_cut_is_offered: "seats 4\nbank turn P4\nshuffle 2\noffer_cut P1";
    then a_fresh_shoe_is_loaded:
        "seats 4\nshare P1 advance 500, P2 advance 500, P3 advance 500, P4 advance 500\nbank turn P4\npack P1 12";
    then bets_are_open: "bets 3 2 1";
    aside bets_are_closed: "close";
    aside the_first_card_is_the_cut_card: "close\ncut_card";
    aside the_first_round_is_in_its_middle: "close\ndraw 5C 3, 8C 2";
    aside the_bank_waits_for_its_card: "close\ndraw 5C 3, 8C 2, AH 1";
    then the_first_round_is_done: "close\ndraw 5C 3, 8C 2, AH 1, AS bank";
    found a_misdealt_card_is_to_go_back: "draw 6D 3, 2C 3";
    then the_second_round_is_in_its_middle: "draw 6D 3, 8D 2";
    then both_rounds_are_done: "draw KC 1";
    then insurance_is_decided:
        "ask 3 insurance\ninsure 3\nbet 3 insurance 25\nask 2 insurance\ndecline 2\nask 1 insurance\ndecline 1";
    aside a_card_is_asked_for: "ask 3 double\nhit 3";
    aside the_cut_card_is_out: "cut_card";
    aside the_shoe_has_run_empty: "cut_card\nask 3 double\nhit 3\ndevice shoe empty";
    then a_double_waits_for_its_card: "ask 3 double\ndouble 3\nbet 3 double 50";
    then a_split_is_opened: "draw 9C 3\nask 2 split\nsplit 2\nbet 2 split 50";
    then the_second_hand_of_a_split_is_at_its_turn: "draw TH 2\nask 2 card\nstand 2\ndraw TC 2b";
    then every_box_is_played: "ask 2b card\nstand 2b";
    then the_bank_has_its_second_card: "draw 2D bank";
    then insurance_is_settled: "collect 3 25 insurance";
    then the_bank_is_final: "draw 6C bank";
    then settlement_has_begun: "pay 3 100";
    then everything_is_settled: "collect 2 50, 2b 50\npay 1 75";
    aside the_felt_is_being_cleared: "discard 3, 2";
    then the_felt_is_clear: "discard 3, 2, 2b, 1, bank";
    then the_play_is_over: "end";
    aside the_retired_cards_are_shuffled:
        "bets 3 2 1\nclose\ndraw TS 3, 9H 2, 8S 1, 7S bank, 2D 3\ncut_card\ndevice shoe empty\nshuffle 2 12";
    then the_cut_card_came_out_in_a_play_that_is_over:
        "bets 3 2 1\nclose\ndraw TS 3, 9H 2, 8S 1, 7S bank\ncut_card\ndraw 9D 3, JS 2, TD 1\nask 3 card\n\
        stand 3\nask 2 card\nstand 2\nask 1 card\nstand 1\ndraw KD bank\npay 3 50, 2 50, 1 50\n\
        discard 3, 2, 1, bank\nend";
    aside the_next_bank_has_its_turn: "bank turn P3";
}
