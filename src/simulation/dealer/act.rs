//! What can be done against the book of any house without a covered card, and how its finding ends.

/// How a finding ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Remedy {
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
pub(super) enum Act {
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
