//! Parts of remedies that wait for what nobody sees. They count as done at the next event of dealing, play or
//! settlement: what they make of the facts has happened before it.

use alloc::vec::Vec;

use super::betting_box::Standing;
use super::cards::GoneUnseen;
use super::context::EventMeaning;
use super::duties::Duties;
use super::duty::{Duty, Part};
use super::hand::Hand;
use super::hand_index::Status;
use super::known::{Fact, Facts};
use super::pass::Milestone;
use super::state::State;
use crate::table::event::Taken;
use crate::table::{BetSpot, Event, HandId, Moved, Place};

impl Part {
    /// What must be known for it to be seen done; `None` where a person enters it, or may always do so.
    const fn seen_by(self) -> Option<Fact> {
        Some(match self {
            Self::Burn { .. } | Self::PutBack { .. } => Fact::Moves,
            Self::Return { .. } | Self::Collect(_) | Self::Pay { .. } | Self::TakeBack { .. } => Fact::Bets,
            Self::AskConsent(_) | Self::Offer(..) => Fact::Decisions,
            Self::Announce(_) => Fact::Announcements,
            Self::Serve(_) => Fact::Cards,
            Self::Void(_) | Self::Authorize(_) | Self::Identify(_) | Self::Rule => return None,
        })
    }

    /// What happened where it was carried out: a table that sees it tells of it so.
    const fn happened(self) -> Option<Event> {
        let (from, to, left) = match self {
            Self::Burn { place, left } => (place, Place::Burn, left),
            Self::PutBack { place, left } => (place, Place::Shoe, left),
            _ => return None,
        };
        Some(Event::Move { from, to, cards: Some(Moved::Count(left)) })
    }
}

/// What tells that nobody sees some parts any more, and what of them.
pub struct Unseen<'a> {
    event: &'a Event,
    unknown: Facts,
    /// The hand that gets a card.
    served: Option<HandId>,
    /// Whose card is burned, or whose chips are taken off.
    taken_back: Option<HandId>,
    /// Cards of the hand whose cards are burned.
    lying: usize,
    /// What happened unseen.
    happened: Vec<(u64, Event)>,
    /// The hands whose bettors may have withdrawn.
    offered: Vec<HandId>,
}

impl State {
    /// What is known before an event of what nobody saw; `None` where that tells nothing.
    #[must_use]
    pub fn unseen<'a>(&self, event: &'a Event) -> Option<Unseen<'a>> {
        let taken_back = self.takes_back(event);
        if !event.goes_on() && taken_back.is_none() {
            return None;
        }
        let unknown = self.unknown();
        let served = match event {
            Event::Draw { to, .. } => to.or_else(|| self.card_goes()),
            _ => None,
        };
        let served = if let Some(Place::Hand(id)) = served { Some(id) } else { None };
        let lying = taken_back.and_then(|id| self.pass.hand(id)).map_or(0, Hand::count);
        let is_some = unknown != Facts::NONE;
        is_some.then(|| Unseen { event, unknown, served, taken_back, lying, happened: Vec::new(), offered: Vec::new() })
    }

    /// Whose good card is burned, or whose chips are taken off their spot: that tells of his answer.
    fn takes_back(&self, event: &Event) -> Option<HandId> {
        match event {
            // a card that had to be burned anyway goes first
            Event::Move { from: Place::Hand(id), to: Place::Burn, .. } => {
                let lies_undue = self.pass.lying_at((*id).into()).iter().any(|held| held.misdealt);
                (!lies_undue).then_some(*id)
            }
            Event::Bet { hand: id, spot: BetSpot::Main, amount: 0, .. } => Some(*id),
            _ => None,
        }
    }

    /// Cards that must have been burned or put back unseen are where they belong, and who was offered to withdraw may
    /// have.
    pub fn take_as_done(&mut self, unseen: &Unseen<'_>) {
        for (finding, event) in &unseen.happened {
            let meaning = EventMeaning::read(self, &Duties::default(), event);
            if let Event::Move { from, to, .. } = *event {
                let lying = self.pass.lying_at(from).iter().enumerate();
                let cards = lying.filter(|(n, _)| meaning.removal.takes(*n)).map(|(_, held)| *held).collect();
                self.pass.gone_unseen.push(GoneUnseen { finding: *finding, from, to, cards });
            }
            self.happened_unseen(event, &meaning);
        }
        for id in &unseen.offered {
            self.pass.change_hand(*id, |hand| hand.may_be_withdrawn = true);
        }
    }

    /// The room lets lie what a finding is about: the cards that nobody saw taken away for it still lie there.
    pub fn lies_after_all(&mut self, finding: u64) {
        let gone = core::mem::take(&mut self.pass.gone_unseen);
        let (back, others) = gone.into_iter().partition(|gone| gone.finding == finding);
        self.pass.gone_unseen = others;
        for GoneUnseen { from, to, cards, .. } in Vec::into_iter(back) {
            match (to, self.pass.burned.checked_sub(cards.len())) {
                (Place::Shoe, _) => self.supply.stayed_out(from, &cards),
                (_, Some(burned)) => self.pass.burned = burned,
                // they were taken from the tray since
                (_, None) => continue,
            }
            self.pass.change_cards(from, |lying| cards.iter().for_each(|held| lying.push(*held)));
            if let Place::Hand(id) = from {
                self.pass.change_hand(id, |hand| hand.put_away = false);
            }
        }
    }

    /// Whether an event tells of cards that counted as moved already: it takes no others, unless some must still go.
    pub fn tells_of_gone(&mut self, event: &Event) -> bool {
        let Event::Move { from, to, cards } = event else { return false };
        let is_it = |gone: &GoneUnseen| {
            (gone.from, gone.to) == (*from, *to)
                && match cards {
                    None => true,
                    Some(Moved::Count(count)) => *count == gone.cards.len(),
                    Some(Moved::Cards(cards)) => cards.iter().eq(gone.cards.iter().map(|held| &held.card)),
                }
        };
        let must_go = || self.pass.lying_at(*from).iter().any(|held| held.misdealt);
        let Some(n) = self.pass.gone_unseen.iter().position(is_it).filter(|_| !must_go()) else { return false };
        self.pass.gone_unseen.remove(n);
        true
    }

    /// What tells of a bettor's answer that nobody heard: who did not agree to another card has his burned, or plays
    /// without it until the bank plays; who withdrew takes his chips.
    pub(super) fn infer_answers(&mut self, event: &Event) {
        match event {
            Event::Move { to: Place::Burn, .. } => {
                let refuses = self.takes_back(event).filter(|id| self.delivered() && self.lacks_second(*id));
                refuses.into_iter().for_each(|id| self.pass.take_out(id.box_no));
            }
            Event::Bet { hand, spot: BetSpot::Main, amount: 0, .. } => {
                let may_be = self.may_be_offered(*hand, Taken::Withdraw);
                self.pass.change_hand(*hand, |hand| hand.may_be_withdrawn |= may_be);
                self.withdraw(*hand);
            }
            Event::End {} => {
                let ids: Vec<HandId> = self.pass.hands().map(|(id, _)| id).collect();
                for id in ids {
                    self.withdraw(id);
                    if self.lacks_second(id) {
                        self.pass.take_out(id.box_no);
                    }
                }
            }
            _ => {}
        }
    }

    /// What nobody sees hides whether a bettor may choose so: the bank may be defined and his hand unfinished (C11), or
    /// the card of his double went elsewhere (C9).
    #[must_use]
    pub fn may_be_offered(&self, id: HandId, option: Taken) -> bool {
        let is_open = |hand: &&Hand| !hand.void && !hand.is_touched(BetSpot::Main) && self.settings.bank_is_covered();
        let Some(hand) = self.pass.hand(id).filter(is_open) else { return false };
        let (unknown, bank) = (self.unknown(), &self.pass.bank);
        let has_stood = |hand: &Hand| hand.stood && !self.observes.decisions && !hand.may_be_over();
        let plays = !hand.is_finished() || has_stood(hand);
        // a card drawn makes it so, or settlement shows it
        let is_told = bank.cards.tally().count > 2 || self.pass.has(Milestone::Settlement) || !self.observes.bets;
        let is_defined = || self.bank_is_final() && bank.total().is_none_or(|total| total <= 21);
        let may_be_defined = || is_told && if bank.is_covered() { !self.observes.turns } else { is_defined() };
        let hides_bank = unknown.meets(Facts::of(&[Fact::Turns, Fact::Bets, Fact::Decisions]));
        let hides_card = unknown.meets(Facts::of(&[Fact::Places, Fact::Choices, Fact::Hands]));
        match option {
            Taken::NextCard => hides_card && hand.doubled,
            _ if hides_card && hand.doubled => option == Taken::Withdraw,
            _ => hides_bank && plays && bank.served >= 2 && may_be_defined(),
        }
    }

    /// Who takes what a double is offered has not got its card: the one that nobody saw go anywhere went elsewhere.
    pub(super) fn infer_elsewhere(&mut self, event: &Event) {
        if let Event::Choose { hand, option: Taken::Withdraw | Taken::NextCard } = event
            && !self.observes.places
            && self.pass.hand(*hand).is_some_and(Hand::has_double_card)
        {
            self.pass.forget(Facts::HANDS);
        }
    }

    /// Where it is known who has which cards.
    fn lacks_second(&self, id: HandId) -> bool {
        if self.unknown().has(Fact::Hands) {
            return false;
        }
        let betting_box = self.pass.betting_box(id.box_no).filter(|b| b.standing == Standing::In);
        betting_box.is_some() && self.pass.hands_with(Status::Second).any(|hand| hand == id)
    }

    /// A bettor took the offer to withdraw, as far as nothing speaks against it.
    fn withdraw(&mut self, id: HandId) {
        let untouched = |hand: &Hand| hand.paid == 0 && hand.collected == 0;
        if self.pass.hand(id).is_some_and(|hand| hand.may_be_withdrawn && untouched(hand)) {
            self.pass.change_hand(id, |hand| hand.void = true);
        }
    }
}

impl Unseen<'_> {
    /// Whether cards that go somewhere count as moved before the event.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.unknown.has(Fact::Moves) && self.event.goes_on()
    }

    /// Whether nobody sees a part, and it counts as done before the event.
    fn is_done(&self, part: Part) -> bool {
        let is_unseen = part.seen_by().is_some_and(|fact| self.unknown.has(fact));
        let whose = match part {
            Part::AskConsent(id) | Part::Offer(id, _) => Some(id),
            _ => None,
        };
        is_unseen && (self.event.goes_on() || (whose.is_some() && whose == self.taken_back))
    }
}

impl Duty {
    /// Counts as done what nobody sees, and keeps in mind what that was.
    pub fn take_as_done(&mut self, unseen: &mut Unseen<'_>) {
        let (mut answer, finding) = (None, self.finding);
        self.parts.retain(|part| {
            if !unseen.is_done(*part) {
                return true;
            }
            let name = part.remedy().name();
            if !self.unseen.contains(&name) {
                self.unseen.push(name);
            }
            unseen.happened.extend(part.happened().map(|event| (finding, event)));
            match part {
                // a card to a box whose consent nobody sees means yes
                Part::AskConsent(id) if unseen.served == Some(*id) => answer = Some(Part::Serve((*id).into())),
                // and its card burned means no
                Part::AskConsent(id) if unseen.taken_back == Some(*id) => {
                    answer = Some(Part::Burn { place: (*id).into(), left: unseen.lying });
                }
                // the card tells that he took it
                Part::Offer(id, options) if options.contains(&Taken::Withdraw) && unseen.served != Some(*id) => {
                    unseen.offered.push(*id);
                }
                _ => {}
            }
            false
        });
        self.parts.extend(answer);
    }
}
