//! `talla`: a bank that moves among the players, boxes served and played from the right, insurance after play.
//!
//! Box 3 is dealt a Black Jack, box 2 a pair, box 1 an eleven, the bank an ace.

use super::house;

house! {
    id: "talla", limits: "limits=100-50000 stake=400",
    events: "
        seat 4 P5
        seat 1 P9
        leave 2 P2
        request 5 P2
        authorize shuffle
        authorize next
        authorize deck_change
        bank_card P1 AH
        bank drawn P4
        bank drawn P2
        bank taken P3
        bank taken P2
        bank left - P3
        bank given P1 P3
        bank sold P1 P3 5000
        bank returned - P3
        bank turn P1
        share P1 advance 5000
        offer_cut P1
        shuffle 2
        shuffle 1
        cut 40
        cut 3
        load 104 0
        load 100 0
        bet 3 400 P3
        bet 3 800 P3
        bet 3 0
        bet 1 60000 P1
        bet 4 100 P1
        bet 4 400 P9
        bet 1 400 P4
        bet 2 split 400
        bet 3 split 400
        bet 1 double 400
        bet 1 double 300
        bet 2 double 400
        bet 1 insurance 200
        bet 2 insurance 200
        bet 3 insurance 200
        bet 3 insurance 300
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
        draw ?? 1
        cut_card
        ask 3 insurance
        ask 1 insurance
        ask 2 split
        ask 1 double
        ask 1 card
        ask 3 card
        ask 1 surrender
        hit 3
        hit 2
        hit 2b
        hit 1
        stand 3
        stand 2
        stand 2b
        stand 1
        stand 1 P2
        double 1
        double 3
        split 2
        split 1
        insure 1
        decline 1
        decline 3
        surrender 2
        surrender 1
        even_money 3
        even_money 1
        ace 3 11
        ace 1 1
        total 1 11
        total 1 12
        say next
        reveal bank
        reveal 1
        burn 1
        burn bank 1
        discard 3
        discard 1
        discard bank
        move 1 shoe
        consent 1 yes
        choose 1 withdraw
        collect 1 400
        collect 2 400
        collect 3 200 insurance
        pay 3 800
        pay 3 400
        pay 1 800
        pay 2b 400
        pay 3 400 insurance
        end
        rule void
        rule stands 1
        rule resume
        report T-N3
        report T-X6 1
        report -
        strike 1
        device shoe empty
        device shoe jam
        device chips offline
    ",
    aside no_deck_is_loaded: "seats 3";
    aside cards_are_drawn_for_the_bank: "seats 3\nbank_card P1 9H, P2 QS, P3 QD, P4 AC";
    aside the_bank_has_been_drawn_for: "seats 3\nbank_card P1 9H, P2 QS, P3 QD, P4 AC\nbank drawn P4";
    aside the_deck_is_shuffled_and_not_cut: "seats 3\nbank_card P1 9H, P2 QS, P3 QD, P4 AC\nbank drawn P4\nshuffle 2";
    then a_fresh_deck_is_loaded: "seats 3\nbank_card P1 9H, P2 QS, P3 QD, P4 AC\nbank drawn P4\npack 0";
    then bets_are_open: "bets 3 2 1";
    aside bets_are_closed: "close";
    aside the_first_round_is_in_its_middle: "close\ndraw AH 3, 8C 2";
    aside the_bank_waits_for_its_first_card: "close\ndraw AH 3, 8C 2, 5D 1";
    then the_first_round_is_done: "close\ndraw AH 3, 8C 2, 5D 1, AS bank";
    aside the_second_round_is_in_its_middle: "draw KD 3";
    then both_rounds_are_done: "draw KD 3, 8D 2, 6H 1";
    aside a_card_is_asked_for: "hit 2";
    aside single_pay_is_taken: "even_money 3";
    aside half_is_given_up: "surrender 2";
    aside the_deck_has_run_empty: "hit 2\ndevice shoe empty";
    found the_banks_second_card_comes_too_early: "draw 9D bank";
    then a_split_is_opened: "split 2\nbet 2 split 400";
    then the_second_hand_of_a_split_is_at_its_turn: "draw TC 2\nstand 2\ndraw 9H 2b";
    then a_double_waits_for_its_card: "stand 2b\ndouble 1\nbet 1 double 400";
    then every_box_is_played_and_insurance_is_open: "draw TH 1";
    aside insurance_waits_for_its_chips: "ask 3 insurance\ninsure 3";
    then insurance_is_decided:
        "ask 3 insurance\ninsure 3\nbet 3 insurance 200\nask 2 insurance\ndecline 2\nask 2b insurance\n\
        decline 2b\nask 1 insurance\ndecline 1";
    then the_bank_has_its_second_card: "draw 2C bank";
    then insurance_is_settled: "collect 3 200 insurance";
    then the_bank_is_final: "draw 5C bank";
    then settlement_has_begun: "pay 3 800";
    then everything_is_settled: "collect 2b 400\npay 1 800";
    aside the_felt_is_being_cleared: "discard 3, 2";
    then the_felt_is_clear: "discard 3, 2, 2b, 1, bank";
    then the_pass_is_over: "end";
    then a_black_jack_may_take_the_bank:
        "bets 3 2\nclose\ndraw AD 3, 9C 2, 9S bank, KC 3, TD 2\nstand 2\ndraw 9D bank\npay 3 800, 2 400\n\
        discard 3, 2, bank\nend";
    aside the_bank_is_taken: "bank taken P3";
    aside the_bank_is_left: "bank left - P3";
    aside the_bank_is_returned_to_the_deck: "bank returned - P3";
}
