//! Doubles, splits and insurances that may not be, and those that are settled wrongly.

use super::*;

impl Open<'_> {
    /// Whether a break needs a pair to be split.
    pub(in super::super) fn break_wants_split(&self) -> bool {
        self.armed.is_some_and(|kind| {
            matches!(
                kind.plan().act,
                Act::SplitAmount
                    | Act::SplitBeyond
                    | Act::SplitBeyondChips
                    | Act::HitSplitAce
                    | Act::CardToSplitAce
                    | Act::DoubleSplitAce
                    | Act::DoubleSplitAceChips
                    | Act::SplitBlackJackAmount
                    | Act::SplitBlackJackUnpaid
                    | Act::PayTiedSplitBlackJack
                    | Act::CollectTiedSplitBlackJack
                    | Act::OwnSplit
            )
        })
    }

    /// Whether a break needs a hand to be doubled.
    pub(in super::super) fn break_wants_double(&self) -> bool {
        let wants = |kind: Kind| matches!(kind.plan().act, Act::DoubleAmount | Act::CardToDoubled | Act::OwnDoubled);
        self.armed.is_some_and(wants)
    }

    /// Whether a break needs a hand to be insured.
    pub(in super::super) fn break_wants_insurance(&self) -> bool {
        self.armed.is_some_and(|kind| {
            matches!(
                kind.plan().act,
                Act::InsurancePaidEarly
                    | Act::InsuranceAmount
                    | Act::InsurancePaid
                    | Act::InsuranceCollected
                    | Act::InsuranceUnpaid
                    | Act::InsuranceUncollected
                    | Act::InsuranceCollectedEarly
                    | Act::InsuranceLate
                    | Act::PayInsuredBlackJack
                    | Act::CollectInsuredBlackJack
                    | Act::OwnInsured
            )
        })
    }

    /// At a hand's turn: what its two cards do not allow, in words or in chips.
    pub(in super::super) fn break_undue_choice(&mut self, hand: usize, kind: Kind) {
        let Hand { cards, split, .. } = &self.hands[hand];
        let (two, pair) = (cards.len() == 2 && !split, naive::is_pair(cards));
        let splits = pair && (self.rules.pairs == Pairs::Value || law::both_or_neither_figure(cards));
        let of_box = self.hands.iter().filter(|one| one.id.box_no == self.hands[hand].id.box_no).count();
        let fits = match kind.plan().act {
            // a pair may be split, and then doubled after all
            Act::Double | Act::DoubleChips => two && !pair && !self.may_double(hand),
            Act::Split | Act::SplitChips => two && !pair,
            Act::SplitBeyond | Act::SplitBeyondChips => splits && of_box == self.rules.max_hands,
            _ => false,
        };
        if fits {
            self.chooses_or_lays(hand, kind);
        }
    }

    /// At a later question: a double of more than two cards.
    pub(in super::super) fn break_late_double(&mut self, hand: usize) {
        let Hand { ref cards, double, split, .. } = self.hands[hand];
        // of a split, where none may be doubled, it is a breach of that
        let late = cards.len() > 2 && double == 0 && (!split || self.rules.double_after_split);
        if let Some(kind) = self.armed.filter(|_| late)
            && matches!(kind.plan().act, Act::DoubleLate | Act::DoubleLateChips)
        {
            self.chooses_or_lays(hand, kind);
        }
    }

    /// The word, with nothing to return; or chips, and their return.
    fn chooses_or_lays(&mut self, hand: usize, kind: Kind) {
        if !self.takes(kind) {
            return;
        }
        let Hand { id, stake, .. } = self.hands[hand];
        let spot = match kind.plan().act {
            Act::DoubleChips | Act::DoubleLateChips | Act::DoubleSplitAceChips => Some(BetSpot::Double),
            Act::SplitChips | Act::SplitBeyondChips => Some(BetSpot::Split),
            _ => None,
        };
        if let Some(spot) = spot {
            let lying = if spot == BetSpot::Split { self.hands[hand].split_by } else { 0 };
            self.put(id, spot, lying + stake, None);
            let row = self.found(kind, Some(id.into()));
            return self.returns_but(row, id, spot, lying);
        }
        let choice = match kind.plan().act {
            Act::Split | Act::SplitBeyond => Choice::Split,
            Act::HitSplitAce => Choice::Hit,
            _ => Choice::Double,
        };
        self.decide(hand, choice);
        let row = self.found(kind, Some(id.into()));
        if kind.plan().remedy == Remedy::Return {
            self.nothing_to_return(row);
        }
    }

    /// A split ace has its one card.
    pub(in super::super) fn break_split_ace(&mut self, hand: usize) -> Flow {
        let Some(kind) = self.armed else { return Ok(()) };
        match kind.plan().act {
            Act::HitSplitAce | Act::DoubleSplitAce | Act::DoubleSplitAceChips => self.chooses_or_lays(hand, kind),
            Act::CardToSplitAce if self.takes(kind) => {
                let place = self.hands[hand].id.into();
                self.undue_card(kind, place, NOT_TO_COUNT)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A doubled hand has its one card.
    pub(in super::super) fn break_doubled(&mut self, hand: usize) -> Flow {
        match self.commits(Act::CardToDoubled) {
            Some(kind) => {
                let place = self.hands[hand].id.into();
                self.undue_card(kind, place, NOT_TO_COUNT)
            }
            None => Ok(()),
        }
    }

    /// A card asked for, and dealt, by a hand that nobody asked about doubling; whether it was.
    pub(in super::super) fn break_double_unasked(&mut self, hand: usize) -> Flow<bool> {
        let Some(kind) = self.commits(Act::DoubleUnasked) else { return Ok(false) };
        self.ask(hand, Question::Card)?;
        self.decide(hand, Choice::Hit);
        self.draw_to_hand(hand, Face::Up)?;
        let place = self.hands[hand].id.into();
        self.found(kind, Some(place));
        let total = self.hands[hand].total();
        self.announce_total(place, total);
        Ok(true)
    }

    /// Chips other than the stake, taken off again.
    pub(in super::super) fn break_choice_amount(&mut self, hand: usize, spot: BetSpot) {
        let act = if spot == BetSpot::Split { Act::SplitAmount } else { Act::DoubleAmount };
        if let Some(kind) = self.commits(act) {
            let Hand { id, stake, split_by, .. } = self.hands[hand];
            let unit = self.settings.house.unit;
            let lying = if spot == BetSpot::Split { split_by } else { 0 };
            self.unremedied = false;
            let amount = if self.chance(50) { stake - unit.min(stake / 2) } else { stake + unit };
            self.put(id, spot, lying + amount, None);
            let row = self.found(kind, Some(id.into()));
            self.returns_but(row, id, spot, lying);
        }
    }

    /// Before insurance is offered, or instead of that where the bank shows no ace.
    pub(in super::super) fn break_insure_no_ace(&mut self) {
        if self.intends(Act::InsureNoAce).is_none() || self.bank_shows_ace() {
            return;
        }
        let Some(hand) = (0..self.hands.len()).find(|&hand| self.is_in_play(hand)) else { return };
        if let Some(kind) = self.commits(Act::InsureNoAce) {
            let (id, amount) = (self.hands[hand].id, self.insurance_of(hand));
            self.undue_chips(kind, id, BetSpot::Insurance, amount, None);
        }
    }

    /// At a hand's turn: insurance when others have drawn already, or when it has not been offered yet.
    pub(in super::super) fn break_insure_untimely(&mut self, hand: usize) {
        let late = self.rules.insurance == Insured::BeforePlay;
        let has_drawn = self.hands[..hand].iter().any(|one| one.cards.len() > 2);
        let Hand { id, insurance, .. } = self.hands[hand];
        if self.bank_shows_ace()
            && insurance == 0
            && (!late || has_drawn)
            && let Some(kind) = self.commits(Act::InsureUntimely)
        {
            let amount = self.insurance_of(hand);
            // chips that lie there when their time comes are good
            self.unremedied &= late;
            self.undue_chips(kind, id, BetSpot::Insurance, amount, None);
        }
    }

    /// Insurance offered and taken, with chips that may not lie there.
    pub(in super::super) fn break_insure_amount(&mut self, hand: usize) -> bool {
        let Some(kind) = self.commits_one(&[Act::InsureAmount, Act::InsureMultiple]) else { return false };
        let half = self.insurance_of(hand);
        let amount = match kind.plan().act {
            Act::InsureAmount => half + self.rules.insurance_unit,
            _ => half - 1,
        };
        let id = self.hands[hand].id;
        self.decide(hand, Choice::Insure);
        self.undue_chips(kind, id, BetSpot::Insurance, amount, None);
        true
    }

    /// Before the bank's second card: an insurance is paid.
    pub(in super::super) fn break_insurance_early(&mut self) {
        let insured = |hand: &Hand| hand.insurance > 0 && !hand.void;
        let Some(hand) = self.hands.iter().position(insured) else { return };
        let Hand { id, insurance, .. } = self.hands[hand];
        let spot = BetSpot::Insurance;
        let kind = if self.affords(2 * insurance)
            && let Some(kind) = self.commits(Act::InsurancePaidEarly)
        {
            self.pay_out(id, 2 * insurance, spot);
            kind
        } else if let Some(kind) = self.commits(Act::InsuranceCollectedEarly) {
            self.emit(Event::Collect { hand: id, amount: insurance, spot });
            kind
        } else {
            return;
        };
        self.found(kind, Some(id.into()));
        self.hands[hand].insurance_settled = true;
    }

    /// A hand that nobody asks about insurance.
    pub(in super::super) fn break_insurance_unasked(&mut self, hand: usize) -> bool {
        let Some(kind) = self.commits(Act::InsuranceUnasked) else { return false };
        let place = self.hands[hand].id.into();
        self.at_play.push((kind, place));
        true
    }

    /// An insurance is settled otherwise than it should be, or not at all; whether it was.
    pub(in super::super) fn break_insurance(&mut self, hand: usize, owed: Owed) -> bool {
        let Some(kind) = self.armed else { return false };
        let Hand { id, insurance, .. } = self.hands[hand];
        let (won, spot) = (owed.pay > 0, BetSpot::Insurance);
        let pays = match kind.plan().act {
            Act::InsuranceAmount if won => Some(insurance),
            Act::InsurancePaid if !won => Some(2 * insurance),
            Act::InsuranceCollected | Act::InsuranceUnpaid if won => None,
            Act::InsuranceUncollected if !won => None,
            Act::InsuranceLate if self.bank.len() == 2 && self.bank_total() < 17 => None,
            _ => return false,
        };
        if pays.is_some_and(|amount| !self.affords(amount)) || !self.takes(kind) {
            return false;
        }
        match (pays, kind.plan().act) {
            (Some(amount), _) => {
                self.pay_out(id, amount, spot);
                self.found(kind, Some(id.into()));
            }
            (None, Act::InsuranceCollected) => {
                self.emit(Event::Collect { hand: id, amount: insurance, spot });
                self.found(kind, Some(id.into()));
            }
            (None, Act::InsuranceLate) => {
                self.at_play.push((kind, id.into()));
                self.hands[hand].insurance_settled = false;
            }
            _ => self.at_end.push((kind, Some(id.into()))),
        }
        true
    }
}
