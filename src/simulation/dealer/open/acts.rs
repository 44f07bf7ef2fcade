//! What can be done against the book of any house without a covered card. A house lists under which of its clauses it
//! falls and how the finding ends; how it is done is written once, under `breaks`.

use crate::dealer::act::{Act, Remedy};
use crate::dealer::kind::{At, Mood, Plan, When};
use At::{Bank, Hand, Next};

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
