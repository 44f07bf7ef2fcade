//! What can be done against the book of any house without a covered card. A house lists under which of its clauses it
//! falls and how the finding ends; how it is done is written once, under `breaks`.

use crate::simulate::croupier::kind::{At, Mood, Plan, When};
use At::{Bank, Hand, Next};

/// How a finding ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(dead_code)] // until a house burns
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
}

/// A way to break the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(in super::super) enum Act {
    /// One the house does for itself, at a point of its own.
    #[default]
    Own,

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
    /// A card to a Black Jack.
    CardToBlackJack,
    /// The bank's second card while a hand plays.
    BankEarly,
    /// A hand's total announced wrongly.
    WrongTotal,
    /// The bank's total announced wrongly.
    WrongBankTotal,

    // the bank and the settlement
    /// The bank draws though it stands.
    BankBeyond,
    /// A loser collected before the bank is done.
    CollectEarly,
    /// A winner paid before the bank has its second card.
    PayEarly,
    /// A card to a settled hand.
    CardInSettlement,
    /// A hand that loses by total paid.
    PayLoser,
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
    /// A Black Jack that wins collected.
    CollectBlackJack,
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
    /// A loser not collected.
    LoserUncollected,
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
const BANK_SIXTEEN: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 2), (Bank(0), 10), (Bank(1), 6), (Bank(2), 3)];
/// 21 of three cards against a Black Jack: the first hand alone may draw.
const TWENTY_ONE: &[(At, u8)] = &[(Hand(0, 0), 10), (Hand(0, 1), 5), (Next(0), 6), (Bank(0), 10), (Next(1), 1)];

impl Plan {
    /// The pass in which something is done, and how the finding ends.
    pub(in super::super) const fn of(act: Act, remedy: Remedy) -> Self {
        let (stack, mood): (&'static [(At, u8)], Mood) = match act {
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
            Act::PayLoser | Act::LoserUncollected | Act::CollectInParts => (LOSE, Mood::StandPat),
            Act::PayTie | Act::CollectTie => (TIE, Mood::StandPat),
            Act::PayTiedBlackJack | Act::CollectTiedBlackJack => (BLACK_JACKS, Mood::StandPat),
            Act::CollectBlackJack | Act::BlackJackAmount | Act::BlackJackUnpaid => (BLACK_JACK_WINS, Mood::StandPat),
            Act::Pay21AgainstBlackJack => (TWENTY_ONE, Mood::StandPat),
            _ => (&[], Mood::Usual),
        };
        let bets = match act {
            Act::PassedFirst | Act::PassedSecond | Act::OmittedFirst | Act::OmittedSecond => Some((3, 7)),
            Act::SecondTooSoon | Act::AskAhead | Act::DecideAhead | Act::DrawAhead => Some((2, 7)),
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
