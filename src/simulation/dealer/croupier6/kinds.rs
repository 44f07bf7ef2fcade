//! Every way the simulated dealer of `croupier-6` can break the book.

use crate::dealer::kind::{At, Kind, Plan, Row, When, kinds};
use crate::dealer::open::{Act, Remedy};
use At::{Hand, Next};
use Remedy::{None, Return, Rule, Serve};

const FIFTEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5)];
const PAIR: &[(At, u8)] = &[(Hand(0, 0), 8), (Hand(0, 1), 8)];
const BLACK_JACK: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1)];
const GOES_OVER: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 4), (Next(0), 10)];

kinds! {
    /// A shuffle of five decks, or seven.
    K1_SHUFFLE "K1/shuffle" Plan::SHOE;
    /// A shoe of five decks.
    K1_LOAD "K1/load" Plan::SHOE;
    /// A card more often than there are decks.
    K1_CARD "K1/card" Plan { when: When::Exhausted, ..Plan::ANY };
    /// A loser paid.
    K2_PAY_LOSER "K2/pay_loser" Plan::of(Act::PayLoser, None);
    /// A 21 of more cards paid against the bank's Black Jack.
    K2_PAY_21 "K2/pay_21" Plan::of(Act::Pay21AgainstBlackJack, None);
    /// A winner collected.
    K2_COLLECT_WINNER "K2/collect_winner" Plan::of(Act::CollectWinner, None);
    /// A winner paid another amount.
    K2_AMOUNT "K2/amount" Plan::of(Act::WinnerAmount, None);
    /// A winner not paid.
    K2_UNPAID "K2/unpaid" Plan::of(Act::WinnerUnpaid, None);
    /// A loser not collected.
    K2_UNCOLLECTED "K2/uncollected" Plan::of(Act::LoserUncollected, None);
    /// A bet by a player who stands.
    K3_STANDING "K3/standing" Plan::of(Act::BetStanding, Return);
    /// An eighth player.
    K3_EIGHTH "K3/eighth" Plan::of(Act::SeatEighth, None);
    /// A seat beyond the seventh.
    K3_SEAT "K3/seat" Plan::of(Act::SeatBeyond, None);
    /// A bet added to somebody else's.
    K4_OTHER "K4/other" Plan::of(Act::BetOnOthers, Return);
    /// A box passed over and then served, first delivery.
    K5_FIRST "K5/first" Plan::of(Act::PassedFirst, None);
    /// A box passed over and then served, second delivery.
    K5_SECOND "K5/second" Plan::of(Act::PassedSecond, None);
    /// A later hand asked.
    K5_ASK "K5/ask" Plan::of(Act::AskAhead, None);
    /// A later hand decides.
    K5_DECIDE "K5/decide" Plan::of(Act::DecideAhead, None);
    /// A later hand is dealt to.
    K5_DRAW "K5/draw" Plan::of(Act::DrawAhead, None);
    /// A card drawn before there are bets.
    K6_CARD "K6/no_bets" Plan::of(Act::CardWithoutBets, Rule);
    /// Chips on an empty box after the close.
    K7_CLOSED "K7/after_close" Plan::of(Act::BetAfterClose, Return);
    /// Chips on an empty box during the delivery.
    K7_DELIVERY "K7/delivery" Plan::of(Act::BetInDelivery, Return);
    /// Chips on an empty box during the play.
    K7_PLAY "K7/play" Plan::of(Act::BetInPlay, Return);
    /// A bet raised.
    K7_RAISED "K7/raised" Plan::of(Act::Raised, Return);
    /// A bet lowered.
    K7_LOWERED "K7/lowered" Plan::of(Act::Lowered, None);
    /// A bet taken off.
    K7_REMOVED "K7/removed" Plan::of(Act::Removed, None);
    /// A hand's total announced wrongly.
    K8_TOTAL "K8/total" Plan::of(Act::WrongTotal, None);
    /// The bank's total announced wrongly.
    K8_BANK "K8/bank_total" Plan::of(Act::WrongBankTotal, None);
    /// A box's card dealt covered.
    K9_BOX_DOWN "K9/box_down" Plan::of(Act::BoxFaceDown, None);
    /// The bank's first card dealt covered.
    K9_BANK_DOWN "K9/bank_down" Plan::of(Act::BankFaceDown, None);
    /// The bank's second card dealt covered.
    K9_SECOND_DOWN "K9/bank_second_down" Plan::of(Act::BankSecondFaceDown, None);
    /// Doubling chosen.
    K10_DOUBLE "K10/double" Plan::cards(FIFTEEN);
    /// Splitting chosen.
    K10_SPLIT "K10/split" Plan::cards(PAIR);
    /// Insurance chosen.
    K10_INSURE "K10/insure" Plan::cards(FIFTEEN);
    /// Half given up.
    K10_SURRENDER "K10/surrender" Plan::cards(FIFTEEN);
    /// Single pay chosen.
    K10_EVEN_MONEY "K10/even_money" Plan::cards(BLACK_JACK);
    /// A card asked for with a Black Jack.
    K10_BLACK_JACK "K10/black_jack" Plan::cards(BLACK_JACK);
    /// A card asked for over 21.
    K10_OVER "K10/over" Plan::cards(GOES_OVER);
    /// Chips to double.
    K10_DOUBLE_CHIPS "K10/double_chips" Plan::cards(FIFTEEN);
    /// Chips to split.
    K10_SPLIT_CHIPS "K10/split_chips" Plan::cards(PAIR);
    /// Chips to insure.
    K10_INSURANCE_CHIPS "K10/insurance_chips" Plan::cards(FIFTEEN);
    /// A hand over 21 paid.
    K11_PAID "K11/paid" Plan::of(Act::PayOver, None);
    /// A hand over 21 not collected.
    K11_UNCOLLECTED "K11/uncollected" Plan::of(Act::OverUncollected, None);
    /// A tie paid.
    K12_PAID "K12/paid" Plan::of(Act::PayTie, None);
    /// A tie collected.
    K12_COLLECTED "K12/collected" Plan::of(Act::CollectTie, None);
    /// A Black Jack paid another amount.
    K13_AMOUNT "K13/amount" Plan::of(Act::BlackJackAmount, None);
    /// A Black Jack collected.
    K13_COLLECTED "K13/collected" Plan::of(Act::CollectBlackJack, None);
    /// A Black Jack not paid.
    K13_UNPAID "K13/unpaid" Plan::of(Act::BlackJackUnpaid, None);
    /// A Black Jack against the bank's paid.
    K14_PAID "K14/paid" Plan::of(Act::PayTiedBlackJack, None);
    /// A Black Jack against the bank's collected.
    K14_COLLECTED "K14/collected" Plan::of(Act::CollectTiedBlackJack, None);
    /// The bank draws at 17 or more.
    K15_BEYOND "K15/beyond" Plan::of(Act::BankBeyond, Rule);
    /// A loser collected before the bank has 17.
    K15_COLLECT "K15/collect_early" Plan::of(Act::CollectEarly, None);
    /// A winner paid before the bank has its second card.
    K15_PAY "K15/pay_early" Plan::of(Act::PayEarly, None);
    /// The pass ended with the bank below 17.
    K15_END "K15/end" Plan::of(Act::EndEarly, Serve);
    /// A decision by somebody else.
    K16_OTHER "K16/other" Plan::of(Act::DecidedByOther, None);
    /// A note of what no sensor sees.
    K17_REPORT "K17/reported" Plan::of(Act::Reported, None);
    /// A box without its first card.
    K0_FIRST "K0/omitted_first" Plan::of(Act::OmittedFirst, Rule);
    /// A box without its second card.
    K0_SECOND "K0/omitted_second" Plan::of(Act::OmittedSecond, Rule);
    /// A second card while a box waits for its first.
    K0_EARLY "K0/early" Plan::of(Act::SecondTooSoon, Rule);
    /// A third card in the delivery.
    K0_THIRD "K0/third" Plan::of(Act::ThirdInDelivery, Rule);
    /// A card nobody asked for.
    K0_UNDECIDED "K0/undecided" Plan::of(Act::CardUndecided, Rule);
    /// A card to a hand that stood.
    K0_STOOD "K0/stood" Plan::of(Act::CardToStood, Rule);
    /// A card to a hand over 21.
    K0_OVER "K0/over" Plan::of(Act::CardToOver, Rule);
    /// A card to a Black Jack.
    K0_BLACK_JACK "K0/black_jack" Plan::of(Act::CardToBlackJack, Rule);
    /// The bank's second card while a hand plays.
    K0_BANK_EARLY "K0/bank_early" Plan::of(Act::BankEarly, Rule);
    /// A card during settlement.
    K0_SETTLEMENT "K0/settlement" Plan::of(Act::CardInSettlement, Rule);
    /// Something nobody provided for, told by a person.
    K0_REPORT "K0/report" Plan::of(Act::ReportUnforeseen, Rule);
    /// A payment to nobody.
    K0_PAY "K0/pay_nobody" Plan::of(Act::PayNobody, Rule);
    /// A decision for nobody.
    K0_DECIDE "K0/decide_nobody" Plan::of(Act::DecideNobody, Rule);
    /// A loser's stake taken in two parts.
    K0_PARTS "K0/collect_in_parts" Plan::of(Act::CollectInParts, Rule);
    /// A card turned where none lies.
    K0_REVEAL "K0/reveal_nothing" Plan::of(Act::RevealNothing, Rule);
    /// A consent nobody asked for.
    K0_CONSENT "K0/consent" Plan::of(Act::ConsentUnasked, Rule);
    /// An option nobody offered.
    K0_CHOOSE "K0/choose" Plan::of(Act::ChooseUnoffered, Rule);
    /// The bank taken by a player.
    K0_BANK "K0/bank" Plan::ANY;
    /// A card dealt for the bank.
    K0_BANK_CARD "K0/bank_card" Plan::ANY;
    /// A share of the bank.
    K0_SHARE "K0/share" Plan::ANY;
    /// The cut offered.
    K0_OFFER_CUT "K0/offer_cut" Plan::ANY;
    /// The end of no pass.
    K0_END "K0/end" Plan::of(Act::EndWithoutPass, Rule);
    /// A card taken back into the shoe.
    K0_BACK "K0/to_shoe" Plan::of(Act::CardToShoe, Rule);
}
