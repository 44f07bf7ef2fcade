//! Every way the simulated dealer of `talla` can break the book.

use crate::dealer::kind::{At, Kind, Mood, Plan, Row, When, kinds};
use crate::dealer::open::{Act, Remedy};
use At::{Bank, Hand, Next};
use Remedy::{Burn, None, Return, Rule};

const FIFTEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5), (Bank(0), 9)];
const NINETEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 9), (Bank(0), 9)];
const PAIR: &[(At, u8)] = &[(Hand(0, 0), 8), (Hand(0, 1), 8), (Bank(0), 9)];
/// Three cards that may be asked more of.
const DRAWS: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 2), (Next(0), 3), (Bank(0), 9)];
const BLACK_JACK: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 9)];
const BLACK_JACKS: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 10), (Bank(1), 1)];
const BLACK_JACK_AND_ACE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 1)];
const NINETEEN_AND_ACE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 9), (Bank(0), 1)];
const TWO_BLACK_JACKS: &[(At, u8)] =
    &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Hand(1, 0), 10), (Hand(1, 1), 1), (Bank(0), 9)];
const SPLIT_ACES: &[(At, u8)] = &[(Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 10), (Bank(0), 7)];
const SPLIT_ACES_AND_ACE: &[(At, u8)] = &[(Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 10), (Bank(0), 1)];

const OWN: Plan = Plan { when: When::Own, ..Plan::ANY };
/// Several players with a box each, as far as can be seen to: of one with several, no box is told.
const A_BOX_EACH: Plan = Plan { seats: Some((3, 7)), bets: Some((1, 3)), ..Plan::ANY };
const GIVES_UP: Plan = Plan::cards(FIFTEEN);
const REPORTED: Plan = Plan::of(Act::Reported, None);

/// Those for which the first hand gives up half.
pub(super) const GIVEN_UP: &[Kind] =
    &[R2_AMOUNT, R2_PAID, R2_UNCOLLECTED, R3_AMOUNT, R3_PAID, R3_UNCOLLECTED, X1_SURRENDERED, P1_SURRENDERED];

/// A break of the house's own for which chips go back.
const fn returned(plan: Plan) -> Plan {
    Plan { remedy: Return, ..plan }
}

/// A shared act with other cards than it has elsewhere.
const fn with(act: Act, remedy: Remedy, stack: &'static [(At, u8)]) -> Plan {
    Plan { stack, ..Plan::of(act, remedy) }
}

kinds! {
    /// A Black Jack paid another amount.
    B2_AMOUNT "T-B2/amount" Plan::of(Act::BlackJackAmount, None);
    /// A Black Jack not paid.
    B2_UNPAID "T-B2/unpaid" Plan::of(Act::BlackJackUnpaid, None);
    /// A loser against the bank's Black Jack collected in two parts.
    B2_PARTS "T-B2/collected" Plan::of(Act::CollectInPartsByBlackJack, None);
    /// A loser paid against the bank's Black Jack.
    B3_PAID "T-B3/paid" Plan::of(Act::PayLoserToBlackJack, None);
    /// A 21 of more cards paid against it.
    B3_PAID_21 "T-B3/paid_21" Plan::of(Act::Pay21AgainstBlackJack, None);
    /// A loser not collected against it.
    B3_UNCOLLECTED "T-B3/uncollected" Plan::of(Act::UncollectedByBlackJack, None);
    /// A 21 of more cards taken for its equal.
    B4_21 "T-B4/21_uncollected" Plan::of(Act::TwentyOneUncollected, None);
    /// A Black Jack collected against a 21 of more cards.
    B4_COLLECTED "T-B4/collected" Plan::of(Act::CollectBlackJackFrom21, None);
    /// A Black Jack paid against the bank's.
    B4_TIE_PAID "T-B4/tie_paid" Plan::of(Act::PayTiedBlackJack, None);
    /// A Black Jack collected against the bank's.
    B4_TIE_COLLECTED "T-B4/tie_collected" Plan::of(Act::CollectTiedBlackJack, None);
    /// The bank disposed of without a Black Jack.
    B5_NONE "T-B5/no_black_jack" A_BOX_EACH;
    /// The bank disposed of by who has it.
    B5_BANKER "T-B5/banker" Plan::ANY;
    /// The bank taken while the pass is dealt.
    B5_DEALING "T-B5/dealing" Plan { stack: BLACK_JACK, ..A_BOX_EACH };
    /// The bank taken when another has taken it already.
    B5_SECOND "T-B5/second" Plan { bets: Some((2, 7)), when: When::Own, ..Plan::cards(TWO_BLACK_JACKS) };
    /// The bank passed on by turn.
    B5_TURN "T-B5/turn" A_BOX_EACH;
    /// The bank taken in the first pass after it was drawn for.
    B6_FIRST "T-B6/first_pass" Plan { stack: BLACK_JACK, ..OWN };
    /// The bank taken when it had a Black Jack too.
    B7_BANK "T-B7/bank_too" Plan { stack: BLACK_JACKS, mood: Mood::StandPat, ..A_BOX_EACH };
    /// The bank taken on a Black Jack of a split.
    B8_SPLIT "T-B8/moved" Plan { stack: SPLIT_ACES, act: Act::OwnSplit, ..A_BOX_EACH };
    /// A Black Jack of a split paid double.
    B8_PAID "T-B8/paid" with(Act::SplitBlackJackAmount, None, SPLIT_ACES);
    /// A Black Jack of a split not paid.
    B8_UNPAID "T-B8/unpaid" Plan::of(Act::SplitBlackJackUnpaid, None);
    /// Such a one paid against the bank's.
    B9_PAID "T-B9/paid" Plan::of(Act::PayTiedSplitBlackJack, None);
    /// Such a one collected against the bank's.
    B9_COLLECTED "T-B9/collected" Plan::of(Act::CollectTiedSplitBlackJack, None);
    /// A Black Jack doubled.
    B10_DOUBLE "T-B10/double" returned(Plan::cards(BLACK_JACK));
    /// A card asked for with a Black Jack.
    B10_HIT "T-B10/hit" Plan::cards(BLACK_JACK);
    /// Chips to double a Black Jack.
    B10_CHIPS "T-B10/chips" returned(Plan::cards(BLACK_JACK));
    /// A double of a Black Jack paid single.
    B10_SINGLE_PAY "T-B10/single_pay" returned(Plan::pat(BLACK_JACK_AND_ACE));
    /// Not half of an even stake insured.
    S2_AMOUNT "T-S2/amount" returned(Plan::pat(NINETEEN_AND_ACE));
    /// Not half of an odd stake insured, rounded up.
    S3_AMOUNT "T-S3/amount" returned(Plan::pat(NINETEEN_AND_ACE));
    /// Insurance before everybody has played.
    S4_EARLY "T-S4/early" Plan::of(Act::InsureUntimely, Return);
    /// Insurance after the bank's second card.
    S4_LATE "T-S4/late" returned(Plan::pat(NINETEEN_AND_ACE));
    /// A hand not asked about insurance.
    S4_UNASKED "T-S4/unasked" with(Act::InsuranceUnasked, None, NINETEEN_AND_ACE);
    /// Insurance without an ace of the bank.
    S5_NO_ACE "T-S5/no_ace" Plan { mood: Mood::StandPat, ..Plan::of(Act::InsureNoAce, Return) };
    /// Chips of a bettor before the bet, told by a person.
    S6_REPORT "T-S6/reported" REPORTED;
    /// Insurance paid before the bank's second card.
    S7_PAID "T-S7/paid_early" Plan::of(Act::InsurancePaidEarly, None);
    /// Insurance collected before it.
    S7_COLLECTED "T-S7/collected_early" Plan::of(Act::InsuranceCollectedEarly, None);
    /// Insurance not settled when the bank draws on.
    S7_LATE "T-S7/late" Plan::of(Act::InsuranceLate, None);
    /// An insurance that won paid another amount.
    S8_AMOUNT "T-S8/amount" Plan::of(Act::InsuranceAmount, None);
    /// One that lost paid.
    S8_LOST_PAID "T-S8/lost_paid" Plan::of(Act::InsurancePaid, None);
    /// One that won collected.
    S8_COLLECTED "T-S8/collected" Plan::of(Act::InsuranceCollected, None);
    /// One that won not paid.
    S8_UNPAID "T-S8/unpaid" Plan::of(Act::InsuranceUnpaid, None);
    /// Single pay chosen without a Black Jack.
    S9_NONE "T-S9/no_black_jack" Plan::pat(NINETEEN_AND_ACE);
    /// Single pay chosen with one of a split.
    S9_SPLIT "T-S9/split" with(Act::OwnSplit, None, SPLIT_ACES_AND_ACE);
    /// Single pay chosen without an ace of the bank.
    S9_NO_ACE "T-S9/no_ace" Plan::cards(BLACK_JACK);
    /// Single pay chosen after the bank's second card.
    S9_LATE "T-S9/late" with(Act::OwnInsured, None, BLACK_JACK_AND_ACE);
    /// Single pay paid double.
    S9_PAID "T-S9/paid" Plan::pat(BLACK_JACK_AND_ACE);
    /// Single pay not paid.
    S9_UNPAID "T-S9/unpaid" Plan::pat(BLACK_JACK_AND_ACE);
    /// An insured Black Jack paid against the bank's.
    S10_PAID "T-S10/paid" Plan::of(Act::PayInsuredBlackJack, None);
    /// An insured Black Jack collected against the bank's.
    S10_COLLECTED "T-S10/collected" Plan::of(Act::CollectInsuredBlackJack, None);
    /// Three cards doubled.
    X1_LATE "T-X1/late" with(Act::DoubleLate, Return, DRAWS);
    /// Chips to double three cards.
    X1_LATE_CHIPS "T-X1/late_chips" with(Act::DoubleLateChips, Return, DRAWS);
    /// A double of a hand that has stood.
    X1_STOOD "T-X1/stood" returned(Plan::pat(NINETEEN));
    /// Chips to double one.
    X1_STOOD_CHIPS "T-X1/stood_chips" returned(Plan::pat(NINETEEN));
    /// A double of a hand given up.
    X1_SURRENDERED "T-X1/surrendered" returned(GIVES_UP);
    /// Other chips than the stake to double.
    X2_AMOUNT "T-X2/amount" Plan::of(Act::DoubleAmount, Return);
    /// A further card to a doubled hand.
    X4_CARD "T-X4/card" Plan::of(Act::CardToDoubled, Rule);
    /// A card asked for a doubled hand.
    X4_HIT "T-X4/hit" Plan::of(Act::OwnDoubled, None);
    /// A doubled hand doubled again.
    X4_DOUBLE "T-X4/double" Plan::of(Act::OwnDoubled, None);
    /// A hand of a split doubled.
    X5_DOUBLE "T-X5/double" Plan::of(Act::OwnSplit, Return);
    /// Chips to double one.
    X5_CHIPS "T-X5/chips" Plan::of(Act::OwnSplit, Return);
    /// A split ace doubled.
    X5_ACE "T-X5/ace" Plan::of(Act::DoubleSplitAce, Return);
    /// Chips to double one.
    X5_ACE_CHIPS "T-X5/ace_chips" Plan::of(Act::DoubleSplitAceChips, Return);
    /// A doubled card not laid crosswise, told by a person.
    X6_REPORT "T-X6/reported" REPORTED;
    /// A split chosen without a pair.
    P1_SPLIT "T-P1/split" Plan::of(Act::Split, Return);
    /// Chips to split no pair.
    P1_CHIPS "T-P1/chips" Plan::of(Act::SplitChips, Return);
    /// A split of three cards chosen.
    P1_LATE "T-P1/late" Plan::of(Act::OwnDrawn, Return);
    /// Chips to split three cards.
    P1_LATE_CHIPS "T-P1/late_chips" Plan::of(Act::OwnDrawn, Return);
    /// A pair split after it has stood.
    P1_STOOD "T-P1/stood" returned(Plan::pat(PAIR));
    /// Chips to split one.
    P1_STOOD_CHIPS "T-P1/stood_chips" returned(Plan::pat(PAIR));
    /// A hand split that was given up.
    P1_SURRENDERED "T-P1/surrendered" returned(GIVES_UP);
    /// A hand split that was paid single.
    P1_SINGLE_PAY "T-P1/single_pay" returned(Plan::pat(BLACK_JACK_AND_ACE));
    /// Other chips than the stake to split.
    P2_AMOUNT "T-P2/amount" Plan::of(Act::SplitAmount, Return);
    /// A fifth hand chosen.
    P3_BEYOND "T-P3/beyond" Plan::of(Act::SplitBeyond, Return);
    /// Chips for a fifth hand.
    P3_CHIPS "T-P3/chips" Plan::of(Act::SplitBeyondChips, Return);
    /// A further card to a split ace.
    P4_CARD "T-P4/card" Plan::of(Act::CardToSplitAce, Rule);
    /// A card asked for a split ace.
    P4_HIT "T-P4/hit" Plan::of(Act::HitSplitAce, None);
    /// A ten split from a figure.
    P5_SPLIT "T-P5/split" Plan { remedy: Return, ..Plan::ANY };
    /// Chips to split them.
    P5_CHIPS "T-P5/chips" Plan { remedy: Return, ..Plan::ANY };
    /// A split of the bank's, told by a person.
    P6_REPORT "T-P6/reported" REPORTED;
    /// Three cards given up.
    R1_LATE "T-R1/late" Plan::of(Act::OwnDrawn, None);
    /// A hand of a split given up.
    R1_SPLIT "T-R1/split" Plan::of(Act::OwnSplit, None);
    /// A doubled hand given up.
    R1_DOUBLED "T-R1/doubled" Plan::of(Act::OwnDoubled, None);
    /// A hand given up after the bank's second card.
    R1_BANK "T-R1/bank" Plan::pat(NINETEEN);
    /// A Black Jack given up.
    R1_BLACK_JACK "T-R1/black_jack" Plan::cards(BLACK_JACK);
    /// Not half of an even stake taken.
    R2_AMOUNT "T-R2/amount" GIVES_UP;
    /// A hand given up paid, the stake being even.
    R2_PAID "T-R2/paid" GIVES_UP;
    /// Half of an even stake not taken.
    R2_UNCOLLECTED "T-R2/uncollected" GIVES_UP;
    /// Not half of an odd stake taken, rounded up.
    R3_AMOUNT "T-R3/amount" GIVES_UP;
    /// A hand given up paid, the stake being odd.
    R3_PAID "T-R3/paid" GIVES_UP;
    /// Half of an odd stake not taken.
    R3_UNCOLLECTED "T-R3/uncollected" GIVES_UP;
    /// A surrender of the bank's, told by a person.
    R4_REPORT "T-R4/reported" REPORTED;
    /// The bank to another than who drew the highest card.
    T1_LOWER "T-T1/lower" OWN;
    /// The bank drawn for while somebody has it.
    T1_AGAIN "T-T1/again" Plan::ANY;
    /// A card drawn before there are bets.
    Q1_CARD "T-Q1/no_bets" Plan::of(Act::CardWithoutBets, Rule);
    /// Chips on an empty box when the bank has its first card.
    Q1_LATE "T-Q1/late" returned(Plan::FREE);
    /// Chips on an empty box during the play.
    Q1_PLAY "T-Q1/play" Plan::of(Act::BetInPlay, Return);
    /// A box passed over and then served, first delivery.
    Q2_FIRST "T-Q2/first" Plan::of(Act::PassedFirst, None);
    /// A box passed over and then served, second delivery.
    Q2_SECOND "T-Q2/second" Plan::of(Act::PassedSecond, None);
    /// A box's card dealt covered.
    Q2_BOX_DOWN "T-Q2/box_down" Plan::of(Act::BoxFaceDown, None);
    /// The bank's first card dealt covered.
    Q2_BANK_DOWN "T-Q2/bank_down" Plan::of(Act::BankFaceDown, None);
    /// The bank's second card dealt covered.
    Q2_SECOND_DOWN "T-Q2/bank_second_down" Plan::of(Act::BankSecondFaceDown, None);
    /// A later hand asked.
    Q3_ASK "T-Q3/ask" Plan::of(Act::AskAhead, None);
    /// A later hand decides.
    Q3_DECIDE "T-Q3/decide" Plan::of(Act::DecideAhead, None);
    /// A later hand is dealt to.
    Q3_DRAW "T-Q3/draw" Plan::of(Act::DrawAhead, None);
    /// A later hand settled first.
    Q3_SETTLE "T-Q3/settled" Plan::of(Act::SettleAhead, None);
    /// A forgotten bet of more than a chip.
    Q4_AMOUNT "T-Q4/amount" returned(Plan::FREE);
    /// A forgotten bet of two chips.
    Q4_CHIPS "T-Q4/chips" returned(Plan::FREE);
    /// A stake above the most.
    Q5_OVER "T-Q5/over" Plan { bets: Some((2, 7)), ..returned(Plan::ANY) };
    /// A hand over 21 paid.
    Q6_PAID "T-Q6/paid" Plan::of(Act::PayOver, None);
    /// A hand over 21 not collected.
    Q6_UNCOLLECTED "T-Q6/uncollected" Plan::of(Act::OverUncollected, None);
    /// A hand's total announced wrongly.
    Q6_TOTAL "T-Q6/total" Plan::of(Act::WrongTotal, None);
    /// A tie paid.
    Q7_PAID "T-Q7/paid" Plan::of(Act::PayTie, None);
    /// A tie collected.
    Q7_COLLECTED "T-Q7/collected" Plan::of(Act::CollectTie, None);
    /// The bank draws at 17 or more.
    Q8_BEYOND "T-Q8/beyond" Plan::of(Act::BankBeyond, Burn);
    /// A loser collected before the bank has 17.
    Q8_COLLECT "T-Q8/collect_early" Plan::of(Act::CollectEarly, None);
    /// A winner paid before the bank has its second card.
    Q8_PAY "T-Q8/pay_early" Plan::of(Act::PayEarly, None);
    /// The bank's total announced wrongly.
    Q9_TOTAL "T-Q9/total" Plan::of(Act::WrongBankTotal, None);
    /// The bank's second card while a hand plays.
    Q10_EARLY "T-Q10/early" Plan::of(Act::BankEarly, Burn);
    /// Cards or chips off the table, told by a person.
    N3_REPORT "T-N3/reported" REPORTED;
    /// New cards not under the deck, told by a person.
    N4_REPORT "T-N4/reported" REPORTED;
    /// A bet raised.
    N5_RAISED "T-N5/raised" Plan::of(Act::Raised, None);
    /// A bet lowered.
    N5_LOWERED "T-N5/lowered" Plan::of(Act::Lowered, None);
    /// A bet taken off.
    N5_REMOVED "T-N5/removed" Plan::of(Act::Removed, None);
    /// A double taken off when it has its card.
    N5_DOUBLE "T-N5/double" Plan::of(Act::OwnDoubled, None);
    /// The chips of a split lowered.
    N5_SPLIT "T-N5/split" Plan::of(Act::OwnSplit, None);
    /// A box without its first card.
    T0_FIRST "T0/omitted_first" Plan::of(Act::OmittedFirst, Rule);
    /// A box without its second card.
    T0_SECOND "T0/omitted_second" Plan::of(Act::OmittedSecond, Rule);
    /// A second card while a box waits for its first.
    T0_EARLY "T0/early" Plan::of(Act::SecondTooSoon, Rule);
    /// A third card in the delivery.
    T0_THIRD "T0/third" with(Act::ThirdInDelivery, Rule, BLACK_JACK);
    /// A card nobody asked for.
    T0_UNDECIDED "T0/undecided" Plan::of(Act::CardUndecided, Rule);
    /// A card to a hand that stood.
    T0_STOOD "T0/stood" Plan::of(Act::CardToStood, Rule);
    /// A card to a hand over 21.
    T0_OVER "T0/over" Plan::of(Act::CardToOver, Rule);
    /// A card to a Black Jack.
    T0_BLACK_JACK "T0/black_jack" Plan::of(Act::CardToBlackJack, Rule);
    /// A card during settlement.
    T0_SETTLEMENT "T0/settlement" Plan::of(Act::CardInSettlement, Rule);
    /// A card more often than there are decks.
    T0_CARD "T0/card" Plan { when: When::Exhausted, ..Plan::ANY };
    /// A decision by somebody else.
    T0_OTHER "T0/other" Plan::of(Act::DecidedByOther, Rule);
    /// A winner paid another amount.
    T0_AMOUNT "T0/amount" Plan::of(Act::WinnerAmount, Rule);
    /// A loser paid.
    T0_LOSER "T0/loser_paid" Plan::of(Act::PayLoser, Rule);
    /// A winner collected.
    T0_WINNER "T0/winner_collected" Plan::of(Act::CollectWinner, Rule);
    /// A Black Jack collected.
    T0_BLACK_JACK_COLLECTED "T0/black_jack_collected" Plan::of(Act::CollectBlackJack, Rule);
    /// A loser's stake taken in two parts.
    T0_PARTS "T0/collect_in_parts" Plan::of(Act::CollectInParts, Rule);
    /// A winner not paid.
    T0_UNPAID "T0/unpaid" Plan::of(Act::WinnerUnpaid, None);
    /// A loser not collected.
    T0_UNCOLLECTED "T0/uncollected" Plan::of(Act::LoserUncollected, None);
    /// Something nobody provided for, told by a person.
    T0_REPORT "T0/report" Plan::of(Act::ReportUnforeseen, Rule);
    /// A payment to nobody.
    T0_PAY "T0/pay_nobody" Plan::of(Act::PayNobody, Rule);
    /// A decision for nobody.
    T0_DECIDE "T0/decide_nobody" Plan::of(Act::DecideNobody, Rule);
    /// A card turned where none lies.
    T0_REVEAL "T0/reveal_nothing" Plan::of(Act::RevealNothing, Rule);
    /// A consent nobody asked for.
    T0_CONSENT "T0/consent" Plan::of(Act::ConsentUnasked, Rule);
    /// An option nobody offered.
    T0_CHOOSE "T0/choose" Plan::of(Act::ChooseUnoffered, Rule);
    /// A share of the bank.
    T0_SHARE "T0/share" Plan::ANY;
    /// The cut offered.
    T0_OFFER_CUT "T0/offer_cut" Plan::ANY;
    /// The end of no pass.
    T0_END "T0/end" Plan::of(Act::EndWithoutPass, Rule);
    /// A card taken back into the shoe.
    T0_BACK "T0/to_shoe" Plan::of(Act::CardToShoe, Rule);
}
