//! Every way the simulated dealer of `club` can break the book.

use crate::dealer::kind::{At, Kind, Mood, Plan, Row, When, kinds};
use crate::dealer::open::{Act, Remedy};
use At::{Bank, Hand, Next};
use Remedy::{None, PutBack, Return, Rule, Serve};

const FIFTEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5)];
const TEN: &[(At, u8)] = &[(Hand(0, 0), 6), (Hand(0, 1), 4)];
const GOES_OVER: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 4), (Next(0), 10)];
const BLACK_JACK: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 10)];
/// The bank goes over, so that everybody who stands wins.
const BANK_OVER: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 9), (Bank(0), 10), (Bank(1), 6), (Bank(2), 10)];
/// Many small cards, so that a shoe that is nearly out runs out.
const SMALL: &[(At, u8)] = &[(Next(0), 2), (Next(1), 2), (Next(2), 3), (Next(3), 2), (Next(4), 3), (Next(5), 2)];

const TWO: Plan = Plan { bets: Some((2, 7)), ..Plan::ANY };
const STAKE: Plan = Plan { remedy: Return, ..TWO };
const THREE: Plan = Plan { bets: Some((3, 7)), when: When::NewShoe, ..Plan::ANY };
const OWN: Plan = Plan { when: When::Own, ..Plan::ANY };
const LATER: Plan = Plan { when: When::Later, ..Plan::ANY };
const RUNS_OUT: Plan = Plan { when: When::Later, mood: Mood::Reckless, stack: SMALL, ..Plan::ANY };

kinds! {
    /// One deck shuffled.
    G1_SHUFFLE "G1/shuffle" Plan::SHOE;
    /// One deck loaded.
    G1_LOAD "G1/load" Plan::SHOE;
    /// A card more often than there are decks.
    G1_CARD "G1/card" Plan { when: When::Exhausted, ..Plan::ANY };
    /// A hand's total announced wrongly.
    G2_TOTAL "G2/total" Plan::of(Act::WrongTotal, None);
    /// The bank's total announced wrongly.
    G2_BANK "G2/bank_total" Plan::of(Act::WrongBankTotal, None);
    /// A hand over 21 paid.
    G3_PAID "G3/paid" Plan::of(Act::PayOver, None);
    /// A Black Jack paid another amount.
    G4_BLACK_JACK "G4/black_jack" Plan::of(Act::BlackJackAmount, None);
    /// A winner paid another amount.
    G4_AMOUNT "G4/amount" Plan::of(Act::WinnerAmount, None);
    /// A tie paid.
    G4_TIE_PAID "G4/tie_paid" Plan::of(Act::PayTie, None);
    /// A tie collected.
    G4_TIE_COLLECTED "G4/tie_collected" Plan::of(Act::CollectTie, None);
    /// A Black Jack against the bank's paid.
    G4_BLACK_JACKS_PAID "G4/black_jacks_paid" Plan::of(Act::PayTiedBlackJack, None);
    /// A Black Jack against the bank's collected.
    G4_BLACK_JACKS_COLLECTED "G4/black_jacks_collected" Plan::of(Act::CollectTiedBlackJack, None);
    /// A loser paid.
    G4_LOSER "G4/loser_paid" Plan::of(Act::PayLoser, None);
    /// A 21 of more cards paid against the bank's Black Jack.
    G4_PAY_21 "G4/pay_21" Plan::of(Act::Pay21AgainstBlackJack, None);
    /// A winner collected.
    G4_WINNER "G4/winner_collected" Plan::of(Act::CollectWinner, None);
    /// A Black Jack collected.
    G4_BLACK_JACK_COLLECTED "G4/black_jack_collected" Plan::of(Act::CollectBlackJack, None);
    /// A later hand settled first.
    G5_ORDER "G5/order" Plan::of(Act::SettleAhead, None);
    /// A box passed over and then served, first delivery.
    G6_FIRST "G6/first" Plan::of(Act::PassedFirst, None);
    /// A box passed over and then served, second delivery.
    G6_SECOND "G6/second" Plan::of(Act::PassedSecond, None);
    /// A box's card dealt covered.
    G6_BOX_DOWN "G6/box_down" Plan::of(Act::BoxFaceDown, None);
    /// The bank's first card dealt covered.
    G6_BANK_DOWN "G6/bank_down" Plan::of(Act::BankFaceDown, None);
    /// The bank's second card dealt covered.
    G6_SECOND_DOWN "G6/bank_second_down" Plan::of(Act::BankSecondFaceDown, None);
    /// A Black Jack that the bank cannot tie not paid at once.
    G7_LATE "G7/late" Plan::of(Act::BlackJackLate, None);
    /// One that it can tie paid before its second card.
    G7_EARLY "G7/early" Plan::of(Act::BlackJackEarly, None);
    /// A later hand asked.
    G8_ASK "G8/ask" Plan::of(Act::AskAhead, None);
    /// A later hand decides.
    G8_DECIDE "G8/decide" Plan::of(Act::DecideAhead, None);
    /// A later hand is dealt to.
    G8_DRAW "G8/draw" Plan::of(Act::DrawAhead, None);
    /// The bank draws at 17 or more.
    G10_BEYOND "G10/beyond" Plan::of(Act::BankBeyond, PutBack);
    /// A loser collected before the bank has 17.
    G10_COLLECT "G10/collect_early" Plan::of(Act::CollectEarly, None);
    /// A winner paid before the bank has its second card.
    G10_PAY "G10/pay_early" Plan::of(Act::PayEarly, None);
    /// A play ended with cards of the bank's to come.
    G10_END "G10/end" Plan::of(Act::BreakOff, Serve);
    /// A hand not over collected though the bank is.
    G11_COLLECTED "G11/collected" Plan::of(Act::CollectFromOverBank, None);
    /// A double chosen without 9, 10 or 11.
    G12_DOUBLE "G12/double" Plan::of(Act::Double, Return);
    /// Chips to double without them.
    G12_CHIPS "G12/chips" Plan::of(Act::DoubleChips, Return);
    /// A double of three cards chosen.
    G12_LATE "G12/late" Plan::of(Act::DoubleLate, Return);
    /// Chips to double three cards.
    G12_LATE_CHIPS "G12/late_chips" Plan::of(Act::DoubleLateChips, Return);
    /// Other chips than the stake.
    G12_AMOUNT "G12/amount" Plan::of(Act::DoubleAmount, Return);
    /// A third card without the question.
    G12_UNASKED "G12/unasked" Plan::of(Act::DoubleUnasked, None);
    /// A split chosen without a pair.
    G13_SPLIT "G13/split" Plan::of(Act::Split, Return);
    /// Chips to split no pair.
    G13_CHIPS "G13/chips" Plan::of(Act::SplitChips, Return);
    /// Other chips than the stake.
    G13_AMOUNT "G13/amount" Plan::of(Act::SplitAmount, Return);
    /// A card asked for a split ace.
    G14_HIT "G14/hit" Plan::of(Act::HitSplitAce, None);
    /// A split ace doubled.
    G14_DOUBLE "G14/double" Plan::of(Act::DoubleSplitAce, Return);
    /// Chips to double a split ace.
    G14_CHIPS "G14/chips" Plan::of(Act::DoubleSplitAceChips, Return);
    /// An ace with a ten of a split paid as a Black Jack.
    G15_PAID "G15/paid" Plan::of(Act::SplitBlackJackAmount, None);
    /// Insurance without an ace of the bank.
    G16_NO_ACE "G16/no_ace" Plan::of(Act::InsureNoAce, Return);
    /// Insurance when others have drawn.
    G16_LATE "G16/late" Plan::of(Act::InsureUntimely, Return);
    /// More than half insured.
    G16_AMOUNT "G16/more_than_half" Plan::of(Act::InsureAmount, Return);
    /// Insurance paid before the bank's second card.
    G16_EARLY "G16/paid_early" Plan::of(Act::InsurancePaidEarly, None);
    /// An insurance that won paid another amount.
    G16_PAY "G16/pay" Plan::of(Act::InsuranceAmount, None);
    /// One that lost paid.
    G16_LOST_PAID "G16/lost_paid" Plan::of(Act::InsurancePaid, None);
    /// One that won collected.
    G16_COLLECTED "G16/collected" Plan::of(Act::InsuranceCollected, None);
    /// One that won not paid.
    G16_UNPAID "G16/unpaid" Plan::of(Act::InsuranceUnpaid, None);
    /// One that lost not collected.
    G16_UNCOLLECTED "G16/uncollected" Plan::of(Act::InsuranceUncollected, None);
    /// The cut offered to another than whose it is.
    G17_FIRST "G17/first_offer" THREE;
    /// Offered again to another than who sits at the banker's left.
    G17_SECOND "G17/second_offer" Plan { when: When::Later, ..THREE };
    /// A cut by somebody to whom it was not offered.
    G17_CUT_BY "G17/cut_by" THREE;
    /// A shoe that was not cut.
    G17_NO_CUT "G17/no_cut" Plan::SHOE;
    /// A play from a shoe whose cut card has come out.
    G17_OLD_SHOE "G17/not_shuffled" Plan { when: When::AfterCutCard, ..Plan::ANY };
    /// Chips on an empty box during the delivery.
    G18_DELIVERY "G18/delivery" Plan::of(Act::BetInDelivery, Return);
    /// Chips on an empty box during the play.
    G18_PLAY "G18/play" Plan::of(Act::BetInPlay, Return);
    /// A bet raised.
    G18_RAISED "G18/raised" Plan::of(Act::Raised, None);
    /// A bet lowered.
    G18_LOWERED "G18/lowered" Plan::of(Act::Lowered, None);
    /// A bet taken off.
    G18_REMOVED "G18/removed" Plan::of(Act::Removed, None);
    /// A winner not paid.
    G19_UNPAID "G19/unpaid" Plan::of(Act::WinnerUnpaid, None);
    /// A Black Jack not paid.
    G19_BLACK_JACK "G19/black_jack" Plan::of(Act::BlackJackUnpaid, None);
    /// A loser not collected.
    G19_UNCOLLECTED "G19/uncollected" Plan::of(Act::LoserUncollected, None);
    /// A hand over 21 not collected.
    G19_OVER "G19/over" Plan::of(Act::OverUncollected, None);
    /// Cards cleared before those of an earlier place.
    G20_ORDER "G20/order" Plan::of(Act::ClearAhead, None);
    /// Cards left on the felt.
    G20_LEFT "G20/left" Plan::of(Act::LeftOnFelt, None);
    /// A retired card taken back into the shoe.
    G20_BACK "G20/to_shoe" Plan::of(Act::CardToShoe, None);
    /// Retired cards shuffled in a play though cards are left.
    G21_NOT_EMPTY "G21/not_empty" RUNS_OUT;
    /// Not all retired cards shuffled.
    G21_COUNT "G21/count" RUNS_OUT;
    /// Retired cards put in the shoe without a shuffle.
    G21_UNSHUFFLED "G21/unshuffled" RUNS_OUT;
    /// A play for which the cards do not suffice broken off.
    G21_UNFINISHED "G21/unfinished" RUNS_OUT;
    /// A play begun though its first card was the cut card.
    G22_BEGUN "G22/begun" LATER;
    /// The bank draws though nobody plays.
    G23_IDLE "G23/idle" Plan::of(Act::BankIdle, PutBack);
    /// A card drawn before there are bets.
    G24_NO_BETS "G24/no_bets" Plan::of(Act::CardWithoutBets, PutBack);
    /// A second card while a box waits for its first.
    G24_EARLY "G24/early" Plan::of(Act::SecondTooSoon, PutBack);
    /// A third card in the delivery.
    G24_THIRD "G24/third" Plan::of(Act::ThirdInDelivery, PutBack);
    /// A card nobody asked for.
    G24_UNDECIDED "G24/undecided" Plan::of(Act::CardUndecided, PutBack);
    /// A card to a hand that stood.
    G24_STOOD "G24/stood" Plan::of(Act::CardToStood, PutBack);
    /// A card to a hand over 21.
    G24_OVER "G24/over" Plan::of(Act::CardToOver, PutBack);
    /// A further card to a doubled hand.
    G24_DOUBLED "G24/doubled" Plan::of(Act::CardToDoubled, PutBack);
    /// A further card to a split ace.
    G24_SPLIT_ACE "G24/split_ace" Plan::of(Act::CardToSplitAce, PutBack);
    /// A card to a Black Jack.
    G24_BLACK_JACK "G24/black_jack" Plan { stack: BLACK_JACK, ..Plan::of(Act::CardToBlackJack, PutBack) };
    /// The bank's second card while a hand plays.
    G24_BANK_EARLY "G24/bank_early" Plan::of(Act::BankEarly, PutBack);
    /// A card during settlement.
    G24_SETTLEMENT "G24/settlement" Plan::of(Act::CardInSettlement, PutBack);
    /// Another card comes out than the one put back.
    G24_ANOTHER "G24/another" Plan { remedy: Rule, ..Plan::cards(FIFTEEN) };
    /// A ruling on an earlier play.
    G25_RULING "G25/ruling" Plan::cards(FIFTEEN);
    /// An eighth participant.
    A1_EIGHTH "A1/eighth" Plan::of(Act::SeatEighth, None);
    /// Three decks shuffled.
    A2_SHUFFLE "A2/shuffle" Plan::SHOE;
    /// Three decks loaded.
    A2_LOAD "A2/load" Plan::SHOE;
    /// The cut card elsewhere.
    A3_CUT_CARD "A3/cut_card" Plan::SHOE;
    /// The bank to another than whose turn it is.
    A4_TURN "A4/turn" LATER;
    /// The same banker for another shoe.
    A4_SAME "A4/same" LATER;
    /// A turn more when everybody has had one.
    A4_ROUND "A4/round_over" LATER;
    /// The bank passed on before the cut card.
    A4_MID_SHOE "A4/mid_shoe" OWN;
    /// The bank passed on in a play.
    A4_IN_PLAY "A4/in_play" Plan::cards(FIFTEEN);
    /// The bank moved otherwise than by turn.
    A4_KIND "A4/kind" Plan::ANY;
    /// A stake below the least.
    A5_UNDER "A5/under" STAKE;
    /// A stake above the most.
    A5_OVER "A5/over" STAKE;
    /// A stake that is no multiple of ten.
    A5_MULTIPLE "A5/multiple" STAKE;
    /// An insurance that is no multiple of five.
    A5_INSURANCE "A5/insurance" Plan::of(Act::InsureMultiple, Return);
    /// A participant who does not play.
    A6_IDLE "A6/idle" TWO;
    /// Another advance than the first one's.
    A7_ADVANCE "A7/advance" OWN;
    /// An advance while the bank has funds.
    A7_AGAIN "A7/again" OWN;
    /// A participant who has not advanced.
    A7_MISSING "A7/missing" OWN;
    /// A new session without advances.
    A7_NONE "A7/none" LATER;
    /// More paid than the bank holds.
    A7_BEYOND "A7/beyond_funds" Plan { when: When::Later, mood: Mood::StandPat, stack: BANK_OVER, ..Plan::ANY };
    /// An unequal part of the bank.
    A7_DIVIDEND "A7/dividend" Plan { when: When::Later, mood: Mood::Reckless, ..Plan::ANY };
    /// A box without its first card.
    G0_FIRST "G0/omitted_first" Plan::of(Act::OmittedFirst, Rule);
    /// A box without its second card.
    G0_SECOND "G0/omitted_second" Plan::of(Act::OmittedSecond, Rule);
    /// A decision by somebody else.
    G0_OTHER "G0/other" Plan::of(Act::DecidedByOther, Rule);
    /// Half given up.
    G0_SURRENDER "G0/surrender" Plan::cards(FIFTEEN);
    /// Single pay chosen.
    G0_EVEN_MONEY "G0/even_money" Plan::cards(FIFTEEN);
    /// A card asked for with a Black Jack.
    G0_BLACK_JACK "G0/black_jack" Plan::cards(BLACK_JACK);
    /// A card asked for over 21.
    G0_OVER "G0/over" Plan::cards(GOES_OVER);
    /// A card asked for by a doubled hand.
    G0_DOUBLED "G0/doubled" Plan::cards(TEN);
    /// A card to draw for the bank.
    G0_BANK_CARD "G0/bank_card" Plan::ANY;
    /// Something nobody provided for, told by a person.
    G0_REPORT "G0/report" Plan::of(Act::ReportUnforeseen, Rule);
    /// A stake collected in two parts.
    G0_PARTS "G0/collect_in_parts" Plan::of(Act::CollectInParts, Rule);
    /// A card turned up where none lies.
    G0_REVEAL "G0/reveal_nothing" Plan::of(Act::RevealNothing, Rule);
    /// A payment to nobody.
    G0_PAY "G0/pay_nobody" Plan::of(Act::PayNobody, Rule);
    /// A decision for nobody.
    G0_DECIDE "G0/decide_nobody" Plan::of(Act::DecideNobody, Rule);
    /// A consent nobody asked for.
    G0_CONSENT "G0/consent" Plan::of(Act::ConsentUnasked, Rule);
    /// An option nobody offered.
    G0_CHOOSE "G0/choose" Plan::of(Act::ChooseUnoffered, Rule);
    /// The end of no play.
    G0_END "G0/end" Plan::of(Act::EndWithoutPass, Rule);
}
