//! Every way the croupier can break the book, and what a pass must look like for it.

use core::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

/// A card the pass needs: where, counted as the book deals.
#[derive(Debug, Clone, Copy)]
pub(super) enum At {
    /// Hand by its place in the deal, its first (0) or second (1) card.
    Hand(usize, usize),
    /// The last hand's first or second card.
    Last(usize),
    /// The bank's.
    Bank(usize),
    /// A card after both deliveries.
    Next(usize),
}

/// How bettors play a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mood {
    /// As people do.
    #[default]
    Usual,
    /// Everybody stands on the first two cards.
    StandPat,
    /// Everybody draws until 21 or over.
    Reckless,
}

/// When a break is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum When {
    /// In any pass.
    #[default]
    Any,
    /// When a shoe is prepared.
    NewShoe,
    /// Between passes, the cut card still inside.
    MidShoe,
    /// After a pass in which the cut card came out.
    AfterCutCard,
    /// In a pass in which the cut card will come out.
    CutCardNear,
    /// When some card has come out of every deck.
    Exhausted,
}

/// What the pass of a break looks like.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Plan {
    /// When it can be.
    pub(super) when: When,
    /// Least and most seated players.
    pub(super) seats: Option<(usize, usize)>,
    /// Least and most bets.
    pub(super) bets: Option<(usize, usize)>,
    /// An empty box is needed.
    pub(super) empty_box: bool,
    /// How bettors play.
    pub(super) mood: Mood,
    /// Which cards come where, in points (ace 1).
    pub(super) stack: &'static [(At, u8)],
}

impl Plan {
    const ANY: Self =
        Self { when: When::Any, seats: None, bets: None, empty_box: false, mood: Mood::Usual, stack: &[] };
    const SHOE: Self = Self { when: When::NewShoe, ..Self::ANY };
    const MID: Self = Self { when: When::MidShoe, ..Self::ANY };
    const FOUR: Self = Self { bets: Some((4, 7)), ..Self::ANY };
    const FREE: Self = Self { empty_box: true, seats: Some((2, 6)), ..Self::ANY };

    const fn cards(stack: &'static [(At, u8)]) -> Self {
        Self { stack, ..Self::ANY }
    }

    const fn pat(stack: &'static [(At, u8)]) -> Self {
        Self { stack, mood: Mood::StandPat, ..Self::ANY }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident $clause:literal $plan:expr;)+) => {
        /// A clause of a provision, and the way to break it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind { $($(#[$doc])* $variant,)+ }

        impl Kind {
            /// Every kind, in the order of the provisions.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The provision and which clause of it: `C5/stood`.
            #[must_use]
            pub const fn clause(self) -> &'static str {
                match self { $(Self::$variant => $clause,)+ }
            }

            pub(super) const fn plan(self) -> Plan {
                match self { $(Self::$variant => $plan,)+ }
            }
        }
    };
}

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
    M1Shuffle "M1/shuffle" Plan::SHOE;
    /// A shoe of seven decks.
    M1Load "M1/load" Plan::SHOE;
    /// A card more often than there are decks.
    M1Card "M1/card" Plan { when: When::Exhausted, ..Plan::ANY };
    /// Two bets.
    D1Bets "D1/bets" Plan { seats: Some((1, 2)), bets: Some((2, 2)), when: When::MidShoe, ..Plan::ANY };
    /// A new shoe for two seated players.
    D1Players "D1/players" Plan { seats: Some((2, 2)), bets: Some((3, 6)), ..Plan::SHOE };
    /// A bet below the minimum.
    D2Under "D2/under" Plan::FOUR;
    /// A bet above the maximum.
    D2Over "D2/over" Plan::FOUR;
    /// A bet by a player who stands.
    D3Standing "D3/standing" Plan::FREE;
    /// A bet added to somebody else's.
    D3Other "D3/other" Plan { seats: Some((2, 7)), ..Plan::ANY };
    /// A decision by somebody else.
    D4Decide "D4/decide" Plan { seats: Some((2, 7)), ..Plan::cards(FIFTEEN) };
    /// An ace declared by somebody else.
    D4Ace "D4/ace" Plan { seats: Some((2, 7)), ..Plan::cards(SOFT) };
    /// A shuffle nobody authorised.
    D5Unauthorized "D5/unauthorized" Plan::SHOE;
    /// A second shuffle on one authorisation.
    D5Reused "D5/reused" Plan::SHOE;
    /// A shoe loaded without a cut.
    D5Uncut "D5/uncut" Plan::SHOE;
    /// A cut at fifty or less.
    D6Shallow "D6/shallow" Plan::SHOE;
    /// The cut card too near the end.
    D7Near "D7/near" Plan::SHOE;
    /// The cut card too far from the end.
    D7Far "D7/far" Plan::SHOE;
    /// Another pass after the cut card.
    D7Late "D7/late" Plan { when: When::AfterCutCard, bets: Some((3, 4)), mood: Mood::StandPat, ..Plan::ANY };
    /// The shoe runs empty.
    D7Empty "D7/empty" Plan { when: When::CutCardNear, bets: Some((5, 7)), ..Plan::ANY };
    /// A box passed over and then served, first delivery.
    D8First "D8/first" Plan::ANY;
    /// A box passed over and then served, second delivery.
    D8Second "D8/second" Plan::ANY;
    /// A box's card dealt covered.
    D8BoxDown "D8/box_down" Plan::ANY;
    /// The bank's first card dealt covered.
    D8BankDown "D8/bank_down" Plan::ANY;
    /// A later hand asked.
    D9Ask "D9/ask" Plan::cards(TWO_PLAY);
    /// A later hand decides.
    D9Decide "D9/decide" Plan::cards(TWO_PLAY);
    /// A later hand is dealt to.
    D9Draw "D9/draw" Plan::cards(TWO_PLAY);
    /// A card asked for at 21.
    D9HitAt21 "D9/hit_at_21" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 1)]);
    /// A wrong total announced.
    D9Total "D9/total" Plan::cards(&[(Hand(0, 0), 3), (Hand(0, 1), 5)]);
    /// A winner paid before the losers are collected.
    D9PayFirst "D9/pay_first" Plan::pat(WIN_LOSE);
    /// Cards of a later box cleared first.
    D9ClearOrder "D9/clear_order" Plan::ANY;
    /// The bank's cards cleared before the last box's.
    D9BankFirst "D9/bank_first" Plan::ANY;
    /// Cards left on the table.
    D9Left "D9/left" Plan::ANY;
    /// An undeclared ace stands.
    D10Stand "D10/stand" Plan::cards(SOFT);
    /// An undeclared ace takes a card.
    D10Hit "D10/hit" Plan::cards(&[(Hand(0, 0), 3), (Hand(0, 1), 1)]);
    /// An ace declared anew.
    D10Second "D10/second" Plan::cards(SOFT);
    /// The bank draws at 17 or more.
    D12Draw "D12/draw" Plan::pat(WIN);
    /// A stake collected before the bank has 17.
    D12Collect "D12/collect" Plan::pat(&[
        (Hand(0, 0), 10), (Hand(0, 1), 2), (Bank(0), 10), (Bank(1), 4), (Next(0), 5),
    ]);
    /// A tie paid.
    D14PayTie "D14/pay_tie" Plan::pat(TIE);
    /// A loser paid.
    D14PayLoser "D14/pay_loser" Plan::pat(WIN_LOSE);
    /// A tie collected.
    D14CollectTie "D14/collect_tie" Plan::pat(TIE);
    /// A winner collected.
    D14CollectWinner "D14/collect_winner" Plan::pat(WIN);
    /// A winner not paid.
    D14Unsettled "D14/unsettled" Plan::pat(WIN);
    /// A Black Jack paid wrongly.
    F1Amount "F1/amount" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 1), (Bank(0), 10), (Bank(1), 8)]);
    /// A winner paid wrongly.
    F2Amount "F2/amount" Plan::pat(WIN);
    /// A doubled winner paid single.
    F2Doubled "F2/doubled" Plan::cards(&[
        (Hand(0, 0), 6), (Hand(0, 1), 5), (Next(0), 10), (Bank(0), 10), (Bank(1), 8),
    ]);
    /// Chips to double without eleven.
    O1Chips "O1/chips" Plan::cards(FIFTEEN);
    /// Doubling chosen without eleven.
    O1Decide "O1/decide" Plan::cards(FIFTEEN);
    /// A double that is not the stake.
    O1Amount "O1/amount" Plan::cards(ELEVEN);
    /// The double's card dealt uncovered.
    O1FaceUp "O1/face_up" Plan::cards(ELEVEN);
    /// Chips to open without a pair.
    O2Chips "O2/chips" Plan::cards(FIFTEEN);
    /// Opening chosen without a pair.
    O2Decide "O2/decide" Plan::cards(FIFTEEN);
    /// A second bet that is not the stake.
    O2Amount "O2/amount" Plan::cards(PAIR);
    /// A second opening.
    O2Second "O2/second" Plan::cards(&[(Hand(0, 0), 8), (Hand(0, 1), 8), (Next(0), 8)]);
    /// A second bet on opened aces that is not the stake.
    O3Amount "O3/amount" Plan::cards(ACES);
    /// A second opening of aces.
    O3Second "O3/second" Plan::cards(&[(Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 1)]);
    /// A Black Jack on an opened ace paid as another.
    O3Pay "O3/pay" Plan::cards(&[
        (Hand(0, 0), 1), (Hand(0, 1), 1), (Next(0), 10), (Bank(0), 10), (Bank(1), 8),
    ]);
    /// Insurance without an ace.
    O4NoAce "O4/no_ace" Plan::cards(NO_ACE);
    /// Insurance after the second card.
    O4Late "O4/late" Plan::cards(&[(Hand(0, 0), 1), (Hand(0, 1), 5)]);
    /// Insurance that is not half the stake.
    O4Amount "O4/amount" Plan::cards(ACE_FIRST);
    /// Insurance paid wrongly.
    O4Pay "O4/pay" Plan::cards(&[(Hand(0, 0), 1), (Hand(0, 1), 10), (Bank(0), 10), (Bank(1), 8)]);
    /// A seated player does not bet.
    C1 "C1/no_bet" Plan { seats: Some((4, 7)), bets: Some((4, 7)), ..Plan::ANY };
    /// A bet on a box another player has asked for first.
    C2Later "C2/asked_later" Plan::FREE;
    /// A bet on a box asked for at once by another who sits nearer to number one.
    C2AtOnce "C2/asked_at_once" Plan::FREE;
    /// Chips on an empty box during the delivery.
    C3Delivery "C3/delivery" Plan::FREE;
    /// Chips on an empty box during play.
    C3Play "C3/play" Plan { stack: FIFTEEN, ..Plan::FREE };
    /// One card only; the bettor refuses a late one.
    C4Refused "C4/refused" Plan::FOUR;
    /// One card only; the bettor takes the late one.
    C4Agreed "C4/agreed" Plan::FOUR;
    /// One card only, in the last box.
    C4Last "C4/last" Plan::FOUR;
    /// A card drawn before there are bets.
    C5Idle "C5/no_bets" Plan::MID;
    /// A second card while a box waits for its first.
    C5Early "C5/early" Plan::ANY;
    /// A card to a hand that stood.
    C5Stood "C5/stood" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 9)]);
    /// A card to a hand at 21.
    C5At21 "C5/at_21" Plan::cards(&[(Hand(0, 0), 10), (Hand(0, 1), 5), (Next(0), 6)]);
    /// A card nobody asked for.
    C5Undecided "C5/undecided" Plan::cards(FIFTEEN);
    /// A card during settlement.
    C5Settlement "C5/settlement" Plan::pat(WIN);
    /// A third card during the delivery.
    C6Delivery "C6/delivery" Plan { stack: NO_ACE, ..Plan::FOUR };
    /// A third card after it.
    C6After "C6/after" Plan { stack: NO_ACE, ..Plan::FOUR };
    /// The bank's second card uncovered.
    C7 "C7/face_up" Plan::ANY;
    /// An ace not asked about insurance.
    C8Insurance "C8/insurance" Plan::cards(ACE_FIRST);
    /// An eleven not asked about doubling.
    C8Double "C8/double" Plan::cards(ELEVEN);
    /// A doubled hand passed over, and withdrawn.
    C9Withdraw "C9/withdraw" Plan { bets: Some((4, 7)), ..Plan::cards(&[
        (Hand(0, 0), 6), (Hand(0, 1), 5), (Hand(1, 0), 10), (Hand(1, 1), 4),
    ]) };
    /// A doubled hand passed over, that takes the next card.
    C9NextCard "C9/next_card" Plan::cards(&[(Hand(0, 0), 6), (Hand(0, 1), 5), (Hand(1, 0), 10), (Hand(1, 1), 4)]);
    /// A box without a card.
    C10 "C10/passed" Plan::FOUR;
    /// The last box without a card.
    C10Last "C10/last" Plan::FOUR;
    /// A hand not played when the bank is done, that plays.
    C11Play "C11/play" Plan::pat(LAST_WAITS);
    /// A hand not played when the bank is done, that withdraws.
    C11Withdraw "C11/withdraw" Plan::pat(LAST_WAITS);
    /// A hand not played when settlement begins.
    C11Settle "C11/settlement" Plan::pat(&[
        (Hand(0, 0), 10), (Hand(0, 1), 7), (Last(0), 10), (Last(1), 5), (Bank(0), 10), (Bank(1), 9),
    ]);
    /// A hand not played when the bank goes over.
    C11Over "C11/bank_over" Plan::pat(&[
        (Last(0), 10), (Last(1), 5), (Bank(0), 10), (Bank(1), 6), (Next(0), 10),
    ]);
    /// The bank's card uncovered during play.
    C12 "C12/uncovered" Plan::cards(FIFTEEN);
    /// The bank without its first card.
    C13First "C13/first_card" Plan::ANY;
    /// The bank without its second card.
    C13Second "C13/second_card" Plan::cards(FIFTEEN);
    /// One card of the bank in the discard tray.
    C14One "C14/one" Plan::cards(FIFTEEN);
    /// Both cards of the bank in the discard tray.
    C14All "C14/all" Plan::cards(FIFTEEN);
    /// A bettor's cards in the discard tray.
    C15 "C15/discarded" Plan { bets: Some((4, 7)), ..Plan::cards(&[
        (Hand(0, 0), 10), (Hand(0, 1), 9), (Hand(1, 0), 10), (Hand(1, 1), 5), (Hand(2, 0), 10), (Hand(2, 1), 10),
    ]) };
    /// A bet raised.
    C16Raise "C16/raised" Plan::ANY;
    /// A bet lowered.
    C16Lower "C16/lowered" Plan::ANY;
    /// A bet taken off.
    C16Remove "C16/removed" Plan::ANY;
    /// A note of what no sensor sees.
    C17 "C17/reported" Plan::ANY;
    /// A card to the bank when everybody is over.
    C18 "C18/draw" Plan { mood: Mood::Reckless, bets: Some((3, 3)), ..Plan::cards(&[
        (Hand(0, 0), 10), (Hand(0, 1), 5), (Hand(1, 0), 10), (Hand(1, 1), 4), (Hand(2, 0), 10), (Hand(2, 1), 3),
        (Bank(0), 10), (Bank(1), 4), (Next(0), 10), (Next(1), 10), (Next(2), 10),
    ]) };
    /// Decks shuffled while a shoe is in play.
    C19Shuffle "C19/shuffle" Plan::MID;
    /// The same on the word of the table chief.
    C19Chief "C19/chief" Plan::MID;
    /// Another shoe loaded while one is in play.
    C19Load "C19/load" Plan { seats: Some((3, 7)), ..Plan::MID };
    /// Something nobody provided for.
    C20 "C20/report" Plan::ANY;
}

impl Kind {
    /// The provision it breaks.
    #[must_use]
    pub fn provision(self) -> &'static str {
        let clause = self.clause();
        clause.split_once('/').map_or(clause, |(provision, _)| provision)
    }

    /// Whether it can be broken only when a shoe is nearly dealt out.
    #[must_use]
    pub const fn waits_for_end_of_shoe(self) -> bool {
        matches!(self.plan().when, When::AfterCutCard | When::CutCardNear | When::Exhausted)
    }

    /// The kind of that clause.
    #[must_use]
    pub fn named(clause: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.clause() == clause)
    }

    /// Every kind an identifier means: one clause (`C5/stood`) or all of a provision (`C5`).
    ///
    /// # Errors
    /// When nothing the croupier can break bears that name.
    pub fn meant_by(id: &str) -> Result<Vec<Self>, UnknownKind> {
        let named = |kind: &Self| kind.clause().eq_ignore_ascii_case(id) || kind.provision().eq_ignore_ascii_case(id);
        let meant: Vec<Self> = Self::ALL.iter().copied().filter(named).collect();
        if meant.is_empty() { Err(UnknownKind(id.into())) } else { Ok(meant) }
    }
}

/// A name of no provision the croupier can break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[rustfmt::skip]
#[error("`{0}` is nothing the croupier can break: give a provision of sala-8 such as C7, or one clause of it such as C5/stood; sabot simulate --list names all")]
pub struct UnknownKind(String);

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::named(text).ok_or_else(|| UnknownKind(text.into()))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.clause())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
