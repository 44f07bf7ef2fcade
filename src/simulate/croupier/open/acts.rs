//! What can be done against the book of any house without a covered card. A house lists under which of its clauses it
//! falls and how the finding ends; how it is done is written once, under `breaks`.

use crate::simulate::croupier::kind::{At, Mood, Plan, When};
use At::{Bank, Hand, Next};

/// How a finding ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(in super::super) enum Remedy {
    /// Nothing has to be done about it.
    #[default]
    None,
    /// The room decides.
    Rule,
    /// The chips, or what of them is too much, go back to the bettor.
    Return,
    /// The card is burned.
    Burn,
    /// The card goes back to the shoe, to come out again.
    PutBack,
    /// A card is due, and does not come any more.
    Serve,
}

/// A way to break the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(in super::super) enum Act {
    /// One the house does for itself, at a point of its own.
    #[default]
    Own,
    /// The same on a hand that came of a split.
    OwnSplit,
    /// On one that was doubled.
    OwnDoubled,
    /// On one that has drawn a card and stands.
    OwnDrawn,
    /// On one that is insured.
    OwnInsured,

    // people and bets
    /// A bet by a player who stands.
    BetStanding,
    /// A bet added to somebody else's.
    BetOnOthers,
    /// A player sits down beyond the last seat, others being free.
    SeatBeyond,
    /// A player sits down where seven others sit.
    SeatEighth,
    /// A card drawn before there are bets.
    CardWithoutBets,
    /// Chips on an empty box after the close, before the first card.
    BetAfterClose,
    /// Chips on an empty box during the delivery.
    BetInDelivery,
    /// Chips on an empty box during the play.
    BetInPlay,
    /// A bet raised after the close.
    Raised,
    /// A bet lowered after it.
    Lowered,
    /// A bet taken off after it.
    Removed,

    // the deliveries
    /// A box passed over and then served, first delivery.
    PassedFirst,
    /// The same in the second.
    PassedSecond,
    /// A box without its first card.
    OmittedFirst,
    /// A box without its second card.
    OmittedSecond,
    /// A box's card dealt covered.
    BoxFaceDown,
    /// The bank's first card dealt covered.
    BankFaceDown,
    /// The bank's second card dealt covered.
    BankSecondFaceDown,
    /// A second card while a box waits for its first.
    SecondTooSoon,
    /// A third card in the delivery.
    ThirdInDelivery,

    // the play
    /// A later hand asked.
    AskAhead,
    /// A later hand decides.
    DecideAhead,
    /// A later hand is dealt to.
    DrawAhead,
    /// Somebody else decides.
    DecidedByOther,
    /// A card nobody asked for.
    CardUndecided,
    /// A card to a hand that stood.
    CardToStood,
    /// A card to a hand over 21.
    CardToOver,
    /// A further card to a doubled hand.
    CardToDoubled,
    /// A further card to a split ace.
    CardToSplitAce,
    /// A card to a Black Jack.
    CardToBlackJack,
    /// The bank's second card while a hand plays.
    BankEarly,
    /// A hand's total announced wrongly.
    WrongTotal,
    /// The bank's total announced wrongly.
    WrongBankTotal,

    // doubles, splits, insurance
    /// A double chosen for two cards that may not be doubled.
    Double,
    /// Chips to double such cards.
    DoubleChips,
    /// A double chosen for more than two cards.
    DoubleLate,
    /// Chips to double more than two cards.
    DoubleLateChips,
    /// Other chips than the stake to double.
    DoubleAmount,
    /// A third card without the question.
    DoubleUnasked,
    /// A split chosen without a pair.
    Split,
    /// Chips to split no pair.
    SplitChips,
    /// Other chips than the stake to split.
    SplitAmount,
    /// A split chosen where the box has its hands.
    SplitBeyond,
    /// Chips to split where it has them.
    SplitBeyondChips,
    /// A card asked for a split ace that has its card.
    HitSplitAce,
    /// Such an ace doubled.
    DoubleSplitAce,
    /// Chips to double such an ace.
    DoubleSplitAceChips,
    /// Insurance where the bank shows no ace.
    InsureNoAce,
    /// Insurance when its time has not come, or is over.
    InsureUntimely,
    /// A hand not asked about insurance when the bank takes its second card.
    InsuranceUnasked,
    /// Another insurance than is allowed.
    InsureAmount,
    /// An insurance that is no multiple of what it must be.
    InsureMultiple,
    /// Insurance paid before the bank's second card.
    InsurancePaidEarly,
    /// Insurance collected before it.
    InsuranceCollectedEarly,
    /// One that lost, when the bank takes its third card, not collected yet.
    InsuranceLate,
    /// An insurance that won paid another amount.
    InsuranceAmount,
    /// One that lost paid.
    InsurancePaid,
    /// One that won collected.
    InsuranceCollected,
    /// One that won not paid.
    InsuranceUnpaid,
    /// One that lost not collected.
    InsuranceUncollected,

    // the bank and the settlement
    /// The bank draws though nobody plays against it.
    BankIdle,
    /// The pass broken off though the bank has cards to take.
    BreakOff,
    /// The bank draws though it stands.
    BankBeyond,
    /// A loser collected before the bank is done.
    CollectEarly,
    /// A winner paid before the bank has its second card.
    PayEarly,
    /// The pass ended with the bank below 17.
    EndEarly,
    /// A card to a settled hand.
    CardInSettlement,
    /// A hand that loses by total paid.
    PayLoser,
    /// One that loses to the bank's Black Jack.
    PayLoserToBlackJack,
    /// A hand over 21 paid.
    PayOver,
    /// A tie paid.
    PayTie,
    /// A Black Jack against the bank's paid.
    PayTiedBlackJack,
    /// A 21 of more cards paid against the bank's Black Jack.
    Pay21AgainstBlackJack,
    /// A winner collected.
    CollectWinner,
    /// A hand that is not over collected though the bank is.
    CollectFromOverBank,
    /// An ace with a ten of a split paid another amount.
    SplitBlackJackAmount,
    /// Such a one not paid.
    SplitBlackJackUnpaid,
    /// Such a one against the bank's Black Jack paid.
    PayTiedSplitBlackJack,
    /// Such a one collected.
    CollectTiedSplitBlackJack,
    /// A Black Jack against the bank's paid besides its insurance.
    PayInsuredBlackJack,
    /// Such a one collected.
    CollectInsuredBlackJack,
    /// A later hand settled before an earlier one.
    SettleAhead,
    /// Cards cleared before those of an earlier place.
    ClearAhead,
    /// Cards left on the felt.
    LeftOnFelt,
    /// A Black Jack that wins collected.
    CollectBlackJack,
    /// One collected against a bank's 21 of more cards.
    CollectBlackJackFrom21,
    /// A tie collected.
    CollectTie,
    /// A Black Jack against the bank's collected.
    CollectTiedBlackJack,
    /// A winner paid another amount.
    WinnerAmount,
    /// A Black Jack paid another amount.
    BlackJackAmount,
    /// A winner not paid.
    WinnerUnpaid,
    /// A Black Jack not paid.
    BlackJackUnpaid,
    /// A Black Jack that the bank cannot tie not paid at once.
    BlackJackLate,
    /// One that it can tie paid before its second card.
    BlackJackEarly,
    /// A loser not collected.
    LoserUncollected,
    /// One that loses to the bank's Black Jack not collected.
    UncollectedByBlackJack,
    /// A 21 of more cards not collected against the bank's Black Jack.
    TwentyOneUncollected,
    /// A hand over 21 not collected.
    OverUncollected,

    // what a person says, and what nobody provided for
    /// A note of what no sensor sees.
    Reported,
    /// A report that names no provision.
    ReportUnforeseen,
    /// A payment to a box without a bet.
    PayNobody,
    /// A decision for a box without a bet.
    DecideNobody,
    /// A loser's stake taken in two parts.
    CollectInParts,
    /// The same, lost to the bank's Black Jack.
    CollectInPartsByBlackJack,
    /// A card turned where none lies.
    RevealNothing,
    /// A consent nobody asked for.
    ConsentUnasked,
    /// An option nobody offered.
    ChooseUnoffered,
    /// A pass ended that had not begun.
    EndWithoutPass,
    /// A card taken back into the shoe.
    CardToShoe,
}

const FIFTEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5)];
const TWO_PLAY: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5), (Hand(1, 0), 9), (Hand(1, 1), 3)];
const BLACK_JACK: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1)];
const BLACK_JACK_WINS: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 10), (Bank(1), 8)];
const BLACK_JACKS: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 10), (Bank(1), 1)];
const TOTAL_TOLD: &[(At, u8)] = &[(Hand(0, 0), 3), (Hand(0, 1), 5)];
const GOES_OVER: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 4), (Next(0), 10)];
const WIN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 9), (Bank(0), 10), (Bank(1), 8)];
const TIE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 8), (Bank(0), 10), (Bank(1), 8)];
const LOSE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 7), (Bank(0), 10), (Bank(1), 8)];
const LOSE_TO_BLACK_JACK: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 7), (Bank(0), 10), (Bank(1), 1)];
const BLACK_JACK_AND_21: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 10), (Bank(1), 5), (Bank(2), 6)];
const BANK_SIXTEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 2), (Bank(0), 10), (Bank(1), 6), (Bank(2), 3)];
/// A tie, if the bank's hand were taken as it lies.
const SIXTEENS: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 6), (Bank(0), 10), (Bank(1), 6)];
/// 21 of three cards against a Black Jack: the first hand alone may draw.
const TWENTY_ONE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5), (Next(0), 6), (Bank(0), 10), (Next(1), 1)];

const BLACK_JACK_AT_ONCE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 7)];
const TEN: &[(At, u8)] = &[(Hand(0, 0), 6), (Hand(0, 1), 4)];
const PAIR: &[(At, u8)] = &[(Hand(0, 0), 8), (Hand(0, 1), 8)];
const FOUR_HANDS: &[(At, u8)] =
    &[(Hand(0, 0), 8), (Hand(0, 1), 8), (Next(0), 8), (Next(1), 8), (Next(2), 8), (Bank(0), 9)];
const ACES: &[(At, u8)] = &[(Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 5), (Bank(0), 9)];
const SPLIT_TENS: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 10), (Next(0), 1), (Bank(0), 7)];
const NO_ACE: &[(At, u8)] = &[(Bank(0), 9)];
const ACE: &[(At, u8)] = &[(Bank(0), 1)];
/// The bank shows an ace, and hands may draw.
const ACE_AND_PLAY: &[(At, u8)] =
    &[(Bank(0), 1), (Hand(0, 0), 10), (Hand(0, 1), 2), (Hand(1, 0), 10), (Hand(1, 1), 5), (Next(0), 5)];
const INSURANCE_WINS: &[(At, u8)] = &[(Bank(0), 1), (Bank(1), 10), (Hand(0, 0), 10), (Hand(0, 1), 9)];
const INSURANCE_LOSES: &[(At, u8)] = &[(Bank(0), 1), (Bank(1), 8), (Hand(0, 0), 10), (Hand(0, 1), 9)];
const ACE_AND_THREE: &[(At, u8)] = &[(Bank(0), 1), (Bank(1), 3), (Hand(0, 0), 10), (Hand(0, 1), 9)];
const BLACK_JACKS_INSURED: &[(At, u8)] = &[(Bank(0), 1), (Bank(1), 10), (Hand(0, 0), 10), (Hand(0, 1), 1)];
const SPLIT_ACES: &[(At, u8)] = &[(Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 10), (Bank(0), 7)];
/// The only box splits, and the bank's second card comes after a card to each of its hands.
const SPLIT_ACES_TIE: &[(At, u8)] =
    &[(Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 10), (Next(1), 5), (Next(2), 1), (Bank(0), 10)];
const PAIR_AND_FIVE: &[(At, u8)] = &[(Hand(0, 0), 8), (Hand(0, 1), 8), (Next(0), 5), (Bank(0), 9)];
const DRAWS: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 2), (Next(0), 3), (Bank(0), 9)];
const BANK_OVER: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 9), (Bank(0), 10), (Bank(1), 6), (Bank(2), 10)];

/// What lies where when something is done in the delivery, the play or the settlement, and how bettors play.
const fn cards_for(act: Act) -> (&'static [(At, u8)], Mood) {
    match act {
        Act::AskAhead | Act::DecideAhead | Act::DrawAhead => (TWO_PLAY, Mood::Usual),
        Act::DecidedByOther | Act::CardUndecided | Act::BankEarly | Act::BetInPlay => (FIFTEEN, Mood::Usual),
        Act::OmittedSecond | Act::DecideNobody => (FIFTEEN, Mood::Usual),
        Act::CardToStood => (&[(Hand(0, 0), 10), (Hand(0, 1), 9)], Mood::StandPat),
        Act::CardToBlackJack => (BLACK_JACK, Mood::Usual),
        Act::WrongTotal => (TOTAL_TOLD, Mood::Usual),
        Act::CardToOver | Act::PayOver | Act::OverUncollected => (GOES_OVER, Mood::Usual),
        Act::BankBeyond | Act::BankSecondFaceDown | Act::WrongBankTotal | Act::PayEarly => (WIN, Mood::StandPat),
        Act::CardInSettlement | Act::CollectWinner | Act::WinnerAmount | Act::WinnerUnpaid => (WIN, Mood::StandPat),
        Act::CollectEarly => (BANK_SIXTEEN, Mood::StandPat),
        Act::EndEarly => (SIXTEENS, Mood::StandPat),
        Act::PayLoser | Act::LoserUncollected | Act::CollectInParts => (LOSE, Mood::StandPat),
        Act::PayLoserToBlackJack | Act::UncollectedByBlackJack | Act::CollectInPartsByBlackJack => {
            (LOSE_TO_BLACK_JACK, Mood::StandPat)
        }
        Act::CollectBlackJackFrom21 => (BLACK_JACK_AND_21, Mood::StandPat),
        Act::PayTie | Act::CollectTie => (TIE, Mood::StandPat),
        Act::PayTiedBlackJack | Act::CollectTiedBlackJack => (BLACK_JACKS, Mood::StandPat),
        Act::CollectBlackJack | Act::BlackJackAmount | Act::BlackJackUnpaid => (BLACK_JACK_WINS, Mood::StandPat),
        Act::Pay21AgainstBlackJack | Act::TwentyOneUncollected => (TWENTY_ONE, Mood::StandPat),
        Act::CollectFromOverBank => (BANK_OVER, Mood::StandPat),
        Act::BlackJackLate => (BLACK_JACK_AT_ONCE, Mood::Usual),
        Act::BlackJackEarly => (BLACK_JACK_WINS, Mood::StandPat),
        Act::BankIdle => (GOES_OVER, Mood::Reckless),
        Act::SettleAhead => (&[], Mood::StandPat),
        _ => cards_to_choose(act),
    }
}

/// The same where something is chosen or insured.
const fn cards_to_choose(act: Act) -> (&'static [(At, u8)], Mood) {
    match act {
        Act::Double | Act::DoubleChips | Act::DoubleLate | Act::DoubleLateChips => (FIFTEEN, Mood::Usual),
        Act::DoubleAmount | Act::DoubleUnasked | Act::CardToDoubled => (TEN, Mood::Usual),
        Act::Split | Act::SplitChips => (FIFTEEN, Mood::Usual),
        Act::SplitAmount => (PAIR, Mood::Usual),
        Act::SplitBeyond | Act::SplitBeyondChips => (FOUR_HANDS, Mood::Usual),
        Act::HitSplitAce | Act::CardToSplitAce => (ACES, Mood::Usual),
        Act::DoubleSplitAce | Act::DoubleSplitAceChips => (ACES, Mood::Usual),
        Act::SplitBlackJackAmount => (SPLIT_TENS, Mood::Usual),
        Act::InsureNoAce => (NO_ACE, Mood::Usual),
        Act::InsureAmount | Act::InsureMultiple => (ACE, Mood::Usual),
        Act::InsuranceUnasked | Act::OwnInsured => (ACE, Mood::StandPat),
        Act::InsuranceLate => (ACE_AND_THREE, Mood::StandPat),
        Act::PayInsuredBlackJack | Act::CollectInsuredBlackJack => (BLACK_JACKS_INSURED, Mood::StandPat),
        Act::SplitBlackJackUnpaid => (SPLIT_ACES, Mood::Usual),
        Act::PayTiedSplitBlackJack | Act::CollectTiedSplitBlackJack => (SPLIT_ACES_TIE, Mood::Usual),
        Act::OwnSplit => (PAIR_AND_FIVE, Mood::Usual),
        Act::OwnDoubled => (TEN, Mood::Usual),
        Act::OwnDrawn => (DRAWS, Mood::Usual),
        Act::InsureUntimely => (ACE_AND_PLAY, Mood::Usual),
        Act::InsurancePaidEarly | Act::InsuranceAmount => (INSURANCE_WINS, Mood::StandPat),
        Act::InsuranceCollected | Act::InsuranceUnpaid => (INSURANCE_WINS, Mood::StandPat),
        Act::InsurancePaid | Act::InsuranceUncollected | Act::InsuranceCollectedEarly => {
            (INSURANCE_LOSES, Mood::StandPat)
        }
        _ => (&[], Mood::Usual),
    }
}

impl Plan {
    /// The pass in which something is done, and how the finding ends.
    pub(in super::super) const fn of(act: Act, remedy: Remedy) -> Self {
        let (stack, mood) = cards_for(act);
        let bets = match act {
            Act::PassedFirst | Act::PassedSecond | Act::OmittedFirst | Act::OmittedSecond => Some((3, 7)),
            Act::EndEarly => Some((1, 1)),
            Act::SecondTooSoon | Act::AskAhead | Act::DecideAhead | Act::DrawAhead => Some((2, 7)),
            Act::InsureUntimely | Act::ClearAhead | Act::BlackJackEarly => Some((2, 7)),
            Act::SettleAhead => Some((3, 7)),
            Act::PayTiedSplitBlackJack | Act::CollectTiedSplitBlackJack => Some((1, 1)),
            Act::BankIdle => Some((1, 3)),
            _ => None,
        };
        let (seats, empty_box) = match act {
            Act::BetStanding | Act::BetAfterClose | Act::BetInDelivery | Act::BetInPlay | Act::PayNobody => {
                (Some((2, 6)), true)
            }
            Act::DecideNobody | Act::RevealNothing => (Some((2, 6)), true),
            Act::BetOnOthers | Act::DecidedByOther => (Some((2, 7)), false),
            Act::SeatBeyond => (Some((1, 6)), false),
            Act::SeatEighth => (Some((7, 7)), false),
            _ => (None, false),
        };
        let when = match act {
            Act::CardWithoutBets => When::MidShoe,
            _ => When::Any,
        };
        Self { when, seats, bets, empty_box, mood, stack, act, remedy }
    }
}
