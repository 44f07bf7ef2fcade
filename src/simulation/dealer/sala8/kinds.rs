//! Every way the simulated dealer of `sala-8` can break the book, and what a pass must look like for it.

use crate::dealer::kind::{At, Kind, Mood, Plan, Row, When, kinds};
use At::{Bank, Hand, Last, Next};

const PAIR: &[(At, u8)] = &[(Hand(0, 0), 8), (Hand(0, 1), 8)];
const ACES: &[(At, u8)] = &[(Hand(0, 0), 1), (Hand(0, 1), 1)];
const ELEVEN: &[(At, u8)] = &[(Hand(0, 0), 6), (Hand(0, 1), 5)];
const FIFTEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5)];
const SOFT: &[(At, u8)] = &[(Hand(0, 0), 8), (Hand(0, 1), 1)];
const ACE_FIRST: &[(At, u8)] = &[(Hand(0, 0), 1)];
const NO_ACE: &[(At, u8)] = &[(Hand(0, 0), 9), (Hand(0, 1), 7)];
const WIN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 9), (Bank(0), 10), (Bank(1), 8)];
const TIE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 8), (Bank(0), 10), (Bank(1), 8)];
const WIN_LOSE: &[(At, u8)] =
    &[(Hand(0, 0), 10), (Hand(0, 1), 9), (Hand(1, 0), 10), (Hand(1, 1), 7), (Bank(0), 10), (Bank(1), 8)];
const TWO_PLAY: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5), (Hand(1, 0), 9), (Hand(1, 1), 3)];
const LAST_WAITS: &[(At, u8)] = &[(Last(0), 10), (Last(1), 5), (Bank(0), 10), (Bank(1), 4), (Next(0), 5)];

kinds! {
    /// A shuffle of seven decks.
    M1_SHUFFLE "M1/shuffle" Plan::SHOE;
    /// A shoe of seven decks.
    M1_LOAD "M1/load" Plan::SHOE;
    /// A card more often than there are decks.
    M1_CARD "M1/card" Plan { when: When::Exhausted, ..Plan::ANY };
    /// Two bets.
    D1_BETS "D1/bets" Plan { seats: Some((1, 2)), bets: Some((2, 2)), when: When::MidShoe, ..Plan::ANY };
    /// A new shoe for two seated players.
    D1_PLAYERS "D1/players" Plan { seats: Some((2, 2)), bets: Some((3, 6)), ..Plan::SHOE };
    /// A bet below the minimum.
    D2_UNDER "D2/under" Plan::FOUR;
    /// A bet above the maximum.
    D2_OVER "D2/over" Plan::FOUR;
    /// A bet by a player who stands.
    D3_STANDING "D3/standing" Plan::FREE;
    /// A bet added to somebody else's.
    D3_OTHER "D3/other" Plan { seats: Some((2, 7)), ..Plan::ANY };
    /// A decision by somebody else.
    D4_DECIDE "D4/decide" Plan { seats: Some((2, 7)), ..Plan::cards(FIFTEEN) };
    /// An ace declared by somebody else.
    D4_ACE "D4/ace" Plan { seats: Some((2, 7)), ..Plan::cards(SOFT) };
    /// A shuffle nobody authorised.
    D5_UNAUTHORIZED "D5/unauthorized" Plan::SHOE;
    /// A second shuffle on one authorisation.
    D5_REUSED "D5/reused" Plan::SHOE;
    /// A shoe loaded without a cut.
    D5_UNCUT "D5/uncut" Plan::SHOE;
    /// A cut at fifty or less.
    D6_SHALLOW "D6/shallow" Plan::SHOE;
    /// The cut card too near the end.
    D7_NEAR "D7/near" Plan::SHOE;
    /// The cut card too far from the end.
    D7_FAR "D7/far" Plan::SHOE;
    /// Another pass after the cut card.
    D7_LATE "D7/late" Plan { when: When::AfterCutCard, bets: Some((3, 4)), mood: Mood::StandPat, ..Plan::ANY };
    /// The shoe runs empty.
    D7_EMPTY "D7/empty" Plan { when: When::CutCardNear, bets: Some((5, 7)), ..Plan::ANY };
    /// A box passed over and then served, first delivery.
    D8_FIRST "D8/first" Plan::ANY;
    /// A box passed over and then served, second delivery.
    D8_SECOND "D8/second" Plan::ANY;
    /// A box's card dealt covered.
    D8_BOX_DOWN "D8/box_down" Plan::ANY;
    /// The bank's first card dealt covered.
    D8_BANK_DOWN "D8/bank_down" Plan::ANY;
    /// A later hand asked.
    D9_ASK "D9/ask" Plan::cards(TWO_PLAY);
    /// A later hand decides.
    D9_DECIDE "D9/decide" Plan::cards(TWO_PLAY);
    /// A later hand is dealt to.
    D9_DRAW "D9/draw" Plan::cards(TWO_PLAY);
    /// A card asked for at 21.
    D9_HIT_AT_21 "D9/hit_at_21" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 1)]);
    /// A wrong total announced.
    D9_TOTAL "D9/total" Plan::cards(&[(Hand(0, 0), 3), (Hand(0, 1), 5)]);
    /// A winner paid before the losers are collected.
    D9_PAY_FIRST "D9/pay_first" Plan::pat(WIN_LOSE);
    /// Cards of a later box cleared first.
    D9_CLEAR_ORDER "D9/clear_order" Plan::ANY;
    /// The bank's cards cleared before the last box's.
    D9_BANK_FIRST "D9/bank_first" Plan::ANY;
    /// Cards left on the table.
    D9_LEFT "D9/left" Plan::ANY;
    /// An undeclared ace stands.
    D10_STAND "D10/stand" Plan::cards(SOFT);
    /// An undeclared ace takes a card.
    D10_HIT "D10/hit" Plan::cards(&[(Hand(0, 0), 3), (Hand(0, 1), 1)]);
    /// An ace declared anew.
    D10_SECOND "D10/second" Plan::cards(SOFT);
    /// The bank draws at 17 or more.
    D12_DRAW "D12/draw" Plan::pat(WIN);
    /// A stake collected before the bank has 17.
    D12_COLLECT "D12/collect" Plan::pat(&[
        (Hand(0, 0), 10), (Hand(0, 1), 2), (Bank(0), 10), (Bank(1), 4), (Next(0), 5),
    ]);
    /// A tie paid.
    D14_PAY_TIE "D14/pay_tie" Plan::pat(TIE);
    /// A loser paid.
    D14_PAY_LOSER "D14/pay_loser" Plan::pat(WIN_LOSE);
    /// A tie collected.
    D14_COLLECT_TIE "D14/collect_tie" Plan::pat(TIE);
    /// A winner collected.
    D14_COLLECT_WINNER "D14/collect_winner" Plan::pat(WIN);
    /// A winner not paid.
    D14_UNSETTLED "D14/unsettled" Plan::pat(WIN);
    /// A Black Jack paid wrongly.
    F1_AMOUNT "F1/amount" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 10), (Bank(1), 8)]);
    /// A winner paid wrongly.
    F2_AMOUNT "F2/amount" Plan::pat(WIN);
    /// A doubled winner paid single.
    F2_DOUBLED "F2/doubled" Plan::cards(&[
        (Hand(0, 0), 6), (Hand(0, 1), 5), (Next(0), 10), (Bank(0), 10), (Bank(1), 8),
    ]);
    /// Chips to double without eleven.
    O1_CHIPS "O1/chips" Plan::cards(FIFTEEN);
    /// Doubling chosen without eleven.
    O1_DECIDE "O1/decide" Plan::cards(FIFTEEN);
    /// A double that is not the stake.
    O1_AMOUNT "O1/amount" Plan::cards(ELEVEN);
    /// The double's card dealt uncovered.
    O1_FACE_UP "O1/face_up" Plan::cards(ELEVEN);
    /// Chips to open without a pair.
    O2_CHIPS "O2/chips" Plan::cards(FIFTEEN);
    /// Opening chosen without a pair.
    O2_DECIDE "O2/decide" Plan::cards(FIFTEEN);
    /// A second bet that is not the stake.
    O2_AMOUNT "O2/amount" Plan::cards(PAIR);
    /// A second opening.
    O2_SECOND "O2/second" Plan::cards(&[(Hand(0, 0), 8), (Hand(0, 1), 8), (Next(0), 8)]);
    /// A second bet on opened aces that is not the stake.
    O3_AMOUNT "O3/amount" Plan::cards(ACES);
    /// A second opening of aces.
    O3_SECOND "O3/second" Plan::cards(&[(Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 1)]);
    /// A Black Jack on an opened ace paid as another.
    O3_PAY "O3/pay" Plan::cards(&[
        (Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 10), (Bank(0), 10), (Bank(1), 8),
    ]);
    /// Insurance without an ace.
    O4_NO_ACE "O4/no_ace" Plan::cards(NO_ACE);
    /// Insurance after the second card.
    O4_LATE "O4/late" Plan::cards(&[(Hand(0, 0), 1), (Hand(0, 1), 5)]);
    /// Insurance that is not half the stake.
    O4_AMOUNT "O4/amount" Plan::cards(ACE_FIRST);
    /// Insurance paid wrongly.
    O4_PAY "O4/pay" Plan::cards(&[(Hand(0, 0), 1), (Hand(0, 1), 10), (Bank(0), 10), (Bank(1), 8)]);
    /// A seated player does not bet.
    C1 "C1/no_bet" Plan { seats: Some((4, 7)), bets: Some((4, 7)), ..Plan::ANY };
    /// A bet on a box another player has asked for first.
    C2_LATER "C2/asked_later" Plan::FREE;
    /// A bet on a box asked for at once by another who sits nearer to number one.
    C2_AT_ONCE "C2/asked_at_once" Plan::FREE;
    /// Chips on an empty box during the delivery.
    C3_DELIVERY "C3/delivery" Plan::FREE;
    /// Chips on an empty box during play.
    C3_PLAY "C3/play" Plan { stack: FIFTEEN, ..Plan::FREE };
    /// One card only; the bettor refuses a late one.
    C4_REFUSED "C4/refused" Plan::FOUR;
    /// One card only; the bettor takes the late one.
    C4_AGREED "C4/agreed" Plan::FOUR;
    /// One card only, in the last box.
    C4_LAST "C4/last" Plan::FOUR;
    /// A card drawn before there are bets.
    C5_IDLE "C5/no_bets" Plan::MID;
    /// A second card while a box waits for its first.
    C5_EARLY "C5/early" Plan::ANY;
    /// A card to a hand that stood.
    C5_STOOD "C5/stood" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 9)]);
    /// A card to a hand at 21.
    C5_AT_21 "C5/at_21" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 5), (Next(0), 6)]);
    /// A card nobody asked for.
    C5_UNDECIDED "C5/undecided" Plan::cards(FIFTEEN);
    /// A card during settlement.
    C5_SETTLEMENT "C5/settlement" Plan::pat(WIN);
    /// A third card during the delivery.
    C6_DELIVERY "C6/delivery" Plan { stack: NO_ACE, ..Plan::FOUR };
    /// A third card after it.
    C6_AFTER "C6/after" Plan { stack: NO_ACE, ..Plan::FOUR };
    /// The bank's second card uncovered.
    C7 "C7/face_up" Plan::ANY;
    /// An ace not asked about insurance.
    C8_INSURANCE "C8/insurance" Plan::cards(ACE_FIRST);
    /// An eleven not asked about doubling.
    C8_DOUBLE "C8/double" Plan::cards(ELEVEN);
    /// A doubled hand passed over, and withdrawn.
    C9_WITHDRAW "C9/withdraw" Plan { bets: Some((4, 7)), ..Plan::cards(&[
        (Hand(0, 0), 6), (Hand(0, 1), 5), (Hand(1, 0), 10), (Hand(1, 1), 4),
    ]) };
    /// A doubled hand passed over, that takes the next card.
    C9_NEXT_CARD "C9/next_card" Plan::cards(&[(Hand(0, 0), 6), (Hand(0, 1), 5), (Hand(1, 0), 10), (Hand(1, 1), 4)]);
    /// A box without a card.
    C10 "C10/passed" Plan::FOUR;
    /// The last box without a card.
    C10_LAST "C10/last" Plan::FOUR;
    /// A hand not played when the bank is done, that plays.
    C11_PLAY "C11/play" Plan::pat(LAST_WAITS);
    /// A hand not played when the bank is done, that withdraws.
    C11_WITHDRAW "C11/withdraw" Plan::pat(LAST_WAITS);
    /// A hand not played when settlement begins.
    C11_SETTLE "C11/settlement" Plan::pat(&[
        (Hand(0, 0), 10), (Hand(0, 1), 7), (Last(0), 10), (Last(1), 5), (Bank(0), 10), (Bank(1), 9),
    ]);
    /// A hand not played when the bank goes over.
    C11_OVER "C11/bank_over" Plan::pat(&[
        (Last(0), 10), (Last(1), 5), (Bank(0), 10), (Bank(1), 6), (Next(0), 10),
    ]);
    /// The bank's card uncovered during play.
    C12 "C12/uncovered" Plan::cards(FIFTEEN);
    /// The bank without its first card.
    C13_FIRST "C13/first_card" Plan::ANY;
    /// The bank without its second card.
    C13_SECOND "C13/second_card" Plan::cards(FIFTEEN);
    /// One card of the bank in the discard tray.
    C14_ONE "C14/one" Plan::cards(FIFTEEN);
    /// Both cards of the bank in the discard tray.
    C14_ALL "C14/all" Plan::cards(FIFTEEN);
    /// A bettor's cards in the discard tray.
    C15 "C15/discarded" Plan { bets: Some((4, 7)), ..Plan::cards(&[
        (Hand(0, 0), 10), (Hand(0, 1), 9), (Hand(1, 0), 10), (Hand(1, 1), 5), (Hand(2, 0), 10), (Hand(2, 1), 10),
    ]) };
    /// A bet raised.
    C16_RAISE "C16/raised" Plan::ANY;
    /// A bet lowered.
    C16_LOWER "C16/lowered" Plan::ANY;
    /// A bet taken off.
    C16_REMOVE "C16/removed" Plan::ANY;
    /// A note of what no sensor sees.
    C17 "C17/reported" Plan::ANY;
    /// A card to the bank when everybody is over.
    C18 "C18/draw" Plan { mood: Mood::Reckless, bets: Some((3, 3)), ..Plan::cards(&[
        (Hand(0, 0), 10), (Hand(0, 1), 5), (Hand(1, 0), 10), (Hand(1, 1), 4), (Hand(2, 0), 10), (Hand(2, 1), 3),
        (Bank(0), 10), (Bank(1), 4), (Next(0), 10), (Next(1), 10), (Next(2), 10),
    ]) };
    /// Decks shuffled while a shoe is in play.
    C19_SHUFFLE "C19/shuffle" Plan::MID;
    /// The same on the word of the table chief.
    C19_CHIEF "C19/chief" Plan::MID;
    /// Another shoe loaded while one is in play.
    C19_LOAD "C19/load" Plan { seats: Some((3, 7)), ..Plan::MID };
    /// Something nobody provided for.
    C20 "C20/report" Plan::ANY;
}
