//! What a person at the table may enter next: what is due first, then what else the facts provide for. Everybody may
//! see it: nothing here follows from a covered card.

use alloc::vec;
use alloc::vec::Vec;

use super::due::Due;
use super::duties::Duties;
use super::duty::{Duty, Part, is_for_room};
use super::hand::Hand;
use super::state::State;
use crate::table::due::Who;
use crate::table::event::{Announcement, Authority, BankChange, Choice, Permit, Question, Ruling, Share};
use crate::table::felt::Phase;
use crate::table::settings::{Banker, Insured, Surrender};
use crate::table::{BetSpot, Cents, Event, HandId, Moved, Name, Place};

/// Events that one touch enters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// Who does them.
    pub who: Who,
    /// The events, in order.
    pub events: Vec<Event>,
    /// They are due, and not only possible.
    pub is_due: bool,
}

/// Of so many open findings, in the order of attention, the remedies are offered; the others follow as these are done.
const REMEDIES: usize = 16;

/// What may be entered, each once, in the order in which it is likely.
#[derive(Default)]
struct Offers {
    all: Vec<Entered>,
    /// What comes next is due.
    is_due: bool,
}

impl Offers {
    fn by(&mut self, who: Who, events: Vec<Event>) {
        let is_new = !self.all.iter().any(|offered| offered.events == events);
        if is_new && !events.is_empty() {
            self.all.push(Entered { who, events, is_due: self.is_due });
        }
    }

    fn add(&mut self, event: Event) {
        self.by(Who::Dealer, vec![event]);
    }

    fn all(&mut self, before: &[Event], event: Event) {
        let mut events = before.to_vec();
        events.push(event);
        self.by(Who::Dealer, events);
    }
}

const fn decide(hand: HandId, choice: Choice) -> Event {
    Event::Decide { hand, choice, by: None }
}

const fn ace(hand: HandId, value: u8) -> Event {
    Event::Ace { hand, value, by: None }
}

const fn moved(from: Place, to: Place, left: Option<usize>) -> Event {
    Event::Move {
        from,
        to,
        cards: match left {
            Some(left) => Some(Moved::Count(left)),
            None => None,
        },
    }
}

/// By whoever signs it.
const fn authorize(what: Permit) -> Event {
    Event::Authorize { by: Name::new_static(""), role: Authority::Inspector, what }
}

impl State {
    /// What people at the table may enter next, the likeliest first. `late`: a card went to that hand that nothing
    /// asked for, and it may be said yet that it did.
    #[must_use]
    pub fn offers(&self, duties: &Duties, late: Option<HandId>) -> Vec<Entered> {
        let mut offers = Offers { is_due: true, ..Offers::default() };
        for duty in duties.in_order().take(REMEDIES) {
            duty.parts.iter().for_each(|part| self.offer_part(duty, *part, &mut offers));
        }
        let mut all = Offers { is_due: true, ..Offers::default() };
        late.into_iter().for_each(|id| all.add(decide(id, Choice::Hit)));
        for due in self.next_due(duties) {
            self.offer_due(due, &mut all);
        }
        all.is_due = false;
        self.offer_play(&mut all);
        self.offer_questions(&mut all);
        self.offer_settling(&mut all);
        self.offer_between(&mut all);
        self.offer_totals(&mut all);
        if !self.pass.is_dealt() {
            let permits = [Permit::DeckChange, Permit::Shuffle];
            permits.into_iter().for_each(|what| all.by(Who::Inspector, vec![authorize(what)]));
        }
        // a remedy is entered whatever the equipment sees; what else it does not see has no need to be
        let is_heeded = |event: &Event| event.sight().is_none_or(|sight| self.observes.sees(sight));
        for Entered { who, events, is_due } in all.all {
            if events.last().is_some_and(is_heeded) {
                offers.is_due = is_due;
                offers.by(who, events);
            }
        }
        offers.all
    }

    fn offer_part(&self, duty: &Duty, part: Part, offers: &mut Offers) {
        match part {
            Part::Burn { place, left } => offers.add(moved(place, Place::Burn, Some(left))),
            Part::PutBack { place, left } => offers.add(moved(place, Place::Shoe, Some(left))),
            Part::Return { hand, spot, back } => {
                offers.add(Event::Bet { hand, spot, amount: back, player: None, chips: Vec::new() });
            }
            Part::Authorize(what) => offers.by(Who::Inspector, vec![authorize(what)]),
            Part::Announce(_) => {
                offers.add(Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None });
            }
            Part::AskConsent(hand) => {
                [true, false].into_iter().for_each(|yes| offers.add(Event::Consent { hand, yes }))
            }
            Part::Offer(hand, options) => {
                options.into_iter().for_each(|option| offers.add(Event::Choose { hand, option }));
            }
            Part::Pay { hand, spot, amount } => offers.add(Event::Pay { hand, amount, spot }),
            Part::TakeBack { hand, spot, amount } => offers.add(Event::Collect { hand, amount, spot }),
            Part::Rule => {
                let (by, role) = (Name::new_static(""), Name::new_static(""));
                let rule = |decision| Event::Rule {
                    by: by.clone(),
                    role: role.clone(),
                    decision,
                    finding: Some(duty.finding),
                };
                let may_be = |decision: &Ruling| self.may_be_ruled(*decision, duty.place, is_for_room(&duty.asked));
                let decisions = Ruling::ALL.iter().copied().filter(may_be);
                decisions.for_each(|decision| offers.by(Who::Room, vec![rule(decision)]));
            }
            // what is said is done at once; a card comes by itself, and is named in a form; what is owed is due as well
            Part::Void(_) | Part::Serve(_) | Part::Identify(_) | Part::Collect(_) => {}
        }
    }

    fn offer_due(&self, due: Due, offers: &mut Offers) {
        match due {
            Due::Duty(_) | Due::Card(..) | Due::Chips(..) | Due::Load | Due::Bets | Due::Cut | Due::DrawBank => {}
            Due::Shuffle if !self.permits.has(Permit::Shuffle) => {
                offers.by(Who::Inspector, vec![authorize(Permit::Shuffle)]);
            }
            Due::Shuffle | Due::Reshuffle { .. } => {}
            Due::OfferCut => self.cut_falls_to().into_iter().for_each(|player| {
                offers.add(Event::OfferCut { player: player.clone() });
            }),
            Due::Turn => {
                let next = self.bankers.banker().and_then(|banker| self.seating.banks_after(banker));
                next.into_iter().for_each(|player| offers.add(bank(BankChange::Turn, Some(player), None)));
            }
            Due::Ask(id, about) => self.offer_answers(id, about, &[], offers),
            Due::Reveal(at) => offers.add(Event::Reveal { at, card: None }),
            Due::Collect(hand, spot, amount) => offers.add(Event::Collect { hand, amount, spot }),
            Due::Pay(hand, spot, amount) => offers.add(Event::Pay { hand, amount, spot }),
            Due::Clear(from) => offers.add(moved(from, Place::Discard, None)),
            Due::End => offers.add(Event::End {}),
        }
    }

    /// The question, where it is seen whether it was asked, and it was not: another card is asked about again.
    fn unasked(&self, id: HandId, about: Question) -> Option<Event> {
        let is_again = about != Question::Card && self.pass.hand(id).is_none_or(|hand| hand.was_asked(about));
        (self.observes.asks && !is_again).then_some(Event::Ask { hand: id, about })
    }

    /// The same where the dealer has to ask.
    fn must_ask(&self, id: HandId, about: Question) -> Option<Event> {
        let must = match about {
            Question::Insurance => true,
            Question::Double => self.settings.double.is_offered,
            Question::Ace => self.settings.play.ace_is_declared,
            Question::Split => self.asks_pairs(),
            Question::Card | Question::Surrender => false,
        };
        self.unasked(id, about).filter(|_| must)
    }

    /// What a bettor may answer, with the question before it.
    fn offer_answers(&self, id: HandId, about: Question, before: &[Event], offers: &mut Offers) {
        let choices: &[Choice] = match about {
            Question::Insurance => &[Choice::Decline, Choice::Insure],
            Question::Double => &[Choice::Double, Choice::Decline],
            Question::Split => &[Choice::Split, Choice::Decline],
            Question::Surrender => &[Choice::Surrender, Choice::Decline],
            // who has asked for a card gets it first
            Question::Card if self.pass.hand(id).is_some_and(|hand| hand.wants_card) => &[Choice::Stand],
            Question::Card => &[Choice::Hit, Choice::Stand],
            Question::Ace => &[],
        };
        let mut with = before.to_vec();
        with.extend(self.must_ask(id, about));
        choices.iter().for_each(|choice| offers.all(&with, decide(id, *choice)));
        if about == Question::Ace {
            [11, 1].into_iter().for_each(|value| offers.all(&with, ace(id, value)));
            for (value, choice) in [(11, Choice::Stand), (1, Choice::Hit), (11, Choice::Hit), (1, Choice::Stand)] {
                let declared: Vec<Event> = with.iter().cloned().chain([ace(id, value)]).collect();
                offers.all(&declared, decide(id, choice));
            }
        }
    }

    /// What the hands whose turn comes may choose. Who is named before those that went before says that they stand.
    fn offer_play(&self, offers: &mut Offers) {
        if !matches!(self.phase(), Phase::Play | Phase::Bank) {
            return;
        }
        // chips that lie there before it is said what they are for
        let laid = self.pass.hands().filter(|(_, hand)| hand.waits_for_double());
        laid.for_each(|(id, _)| offers.add(decide(id, Choice::Double)));
        let mut before = Vec::new();
        for (id, hand) in self.pass.unfinished() {
            if hand.is_covered() || hand.count() < 2 {
                break;
            }
            let has_to_say = self.offer_choices(id, hand, &before, offers);
            if has_to_say {
                break;
            }
            before.push(decide(id, Choice::Stand));
        }
        for (id, hand) in self.pass.hands() {
            if self.may_draw_at_21(hand) {
                self.offer_answers(id, Question::Card, &[], offers);
            }
            if hand.one_card_only && self.may_open(id, hand) {
                offers.add(decide(id, Choice::Split));
            }
        }
    }

    /// What a hand may choose; whether it has to answer before it may stand.
    fn offer_choices(&self, id: HandId, hand: &Hand, before: &[Event], offers: &mut Offers) -> bool {
        let settings = &self.settings;
        let declares = settings.play.ace_is_declared && hand.has_early_ace() && hand.ace.is_none();
        let is_pair = self.may_open(id, hand);
        if is_pair && (declares || hand.was_asked(Question::Split)) {
            self.offer_answers(id, Question::Split, before, offers);
        }
        if declares {
            self.offer_answers(id, Question::Ace, before, offers);
            return true;
        }
        let doubles = hand.may_be_doubled(settings);
        if hand.is_to_be_offered_double(settings) && self.observes.asks {
            self.offer_answers(id, Question::Double, before, offers);
            if is_pair && !hand.was_asked(Question::Split) {
                self.offer_answers(id, Question::Split, before, offers);
            }
            return true;
        }
        self.offer_answers(id, Question::Card, before, offers);
        if doubles {
            self.offer_answers(id, Question::Double, before, offers);
        }
        if is_pair {
            self.offer_answers(id, Question::Split, before, offers);
        }
        if settings.stakes.surrender != Surrender::Never && hand.count() == 2 && !hand.split {
            self.offer_answers(id, Question::Surrender, before, offers);
        }
        false
    }

    /// Insurance where it is open, and questions alone: who answers does so afterwards.
    fn offer_questions(&self, offers: &mut Offers) {
        let own_aces = self.settings.insurance.when == Insured::OwnAce;
        for (id, hand) in self.pass.live_hands() {
            let may_insure_own = own_aces && hand.begins_with_ace() && hand.count() < 2;
            let may_insure = self.may_insure() && self.pass.bank.shows_ace();
            if self.may_take_single_pay(hand) {
                offers.add(decide(id, Choice::EvenMoney));
            }
            if (may_insure_own || may_insure) && hand.insurance == 0 {
                self.offer_answers(id, Question::Insurance, &[], offers);
                offers.by(Who::Dealer, self.unasked(id, Question::Insurance).into_iter().collect());
            }
        }
        if self.phase() != Phase::Play {
            return;
        }
        let about = [Question::Double, Question::Split, Question::Ace, Question::Card, Question::Surrender];
        let at_21 = self.pass.hands().filter(|(_, hand)| self.may_draw_at_21(hand));
        for (id, hand) in self.pass.unfinished().chain(at_21) {
            let is_open = |about: &Question| match about {
                Question::Double => hand.count() == 2,
                Question::Split => self.may_open(id, hand),
                Question::Ace => hand.has_early_ace(),
                Question::Surrender => self.settings.stakes.surrender != Surrender::Never && hand.count() == 2,
                Question::Card => true,
                Question::Insurance => false,
            };
            for about in about.into_iter().filter(|about| !hand.is_covered() && is_open(about)) {
                offers.by(Who::Dealer, self.unasked(id, about).into_iter().collect());
            }
        }
    }

    /// A Black Jack that may be paid single, against the bank's ace.
    fn may_take_single_pay(&self, hand: &Hand) -> bool {
        let bank = &self.pass.bank;
        let is_open = self.settings.pays.even_money && bank.shows_ace() && bank.served < 2;
        is_open && hand.is_blackjack() && !hand.split
    }

    /// What is settled, turned up and cleared before it is due, and the end.
    fn offer_settling(&self, offers: &mut Offers) {
        if !self.pass.is_open() {
            return;
        }
        if !self.pass.is_dealt() {
            if !self.pass.is_closed() {
                offers.add(Event::CloseBets {});
            }
            offers.add(Event::End {});
            return;
        }
        if !self.delivered() {
            return;
        }
        for (id, hand) in self.pass.hands() {
            for spot in BetSpot::SETTLED {
                match self.money_due(id, hand, spot) {
                    Some(Due::Pay(hand, spot, amount)) => offers.add(Event::Pay { hand, amount, spot }),
                    Some(Due::Collect(hand, spot, amount)) => offers.add(Event::Collect { hand, amount, spot }),
                    _ => {}
                }
            }
        }
        let covered = self.pass.hands().filter(|(_, hand)| hand.is_covered()).map(|(id, _)| Place::from(id));
        let bank = Some(Place::Bank).filter(|_| self.pass.bank.is_covered());
        bank.into_iter().chain(covered).for_each(|at| offers.add(Event::Reveal { at, card: None }));
        let lie = self.pass.hands().filter(|(_, hand)| !hand.cards.is_empty()).map(|(id, _)| Place::from(id));
        let bank = Some(Place::Bank).filter(|_| !self.pass.bank.cards.is_empty());
        let is_settling = self.phase() == Phase::Settlement;
        lie.chain(bank.filter(|_| is_settling)).for_each(|from| offers.add(moved(from, Place::Discard, None)));
        offers.add(Event::End {});
    }

    /// Where players bank: who does so next, who cuts, what is advanced and divided.
    fn offer_between(&self, offers: &mut Offers) {
        // what bets are owed, and so whether the bank may move or is out of funds, tells a card that nobody has seen
        let hides = self.pass.bank.is_hidden() || self.pass.hands().any(|(_, hand)| hand.valued().covered);
        match self.settings.delivery.banker {
            Banker::House => {}
            _ if hides => {}
            Banker::OnBlackJack if self.bank_may_move() => self.offer_claims(offers),
            Banker::OnBlackJack => {}
            Banker::ByTurn => self.offer_common_bank(offers),
        }
    }

    /// What whoever had a Black Jack does with the bank, and who drew for it.
    fn offer_claims(&self, offers: &mut Offers) {
        let (everybody, banker) = (self.seating.in_order(self.settings.delivery.first_box), self.bankers.banker());
        let claims = self.claims();
        let open = claims.iter().filter(|claim| !claim.waived && !self.has_bank_moved());
        for player in open.filter_map(|claim| claim.player.as_ref()) {
            offers.add(bank(BankChange::Taken, Some(player), None));
            offers.add(bank(BankChange::Left, None, Some(player)));
            offers.add(bank(BankChange::Returned, None, Some(player)));
            for other in everybody.iter().filter(|other| *other != player && Some(*other) != banker) {
                offers.add(bank(BankChange::Given, Some(other), Some(player)));
            }
        }
        let drew = self.bankers.drew().filter(|player| self.bankers.drew_highest(player));
        drew.for_each(|player| offers.add(bank(BankChange::Drawn, Some(player), None)));
    }

    /// Whom the bank passes to, and the cut; what is advanced to it, and everybody's part.
    fn offer_common_bank(&self, offers: &mut Offers) {
        let everybody = self.participants();
        for player in &everybody {
            if let Some(amount) = self.account.share().filter(|_| self.may_advance(player)) {
                offers.add(share(player, Share::Advance, amount));
            }
        }
        if self.pass.is_dealt() {
            return;
        }
        if self.supply.shuffled().is_some() && !self.supply.is_cut() {
            let banks = |player: &Name| self.bankers.banker() == Some(player);
            let cuts = self.cut_falls_to().into_iter().chain(self.at_bankers_left()).chain(&everybody);
            let waits = cuts.filter(|player| !banks(player) && !self.supply.cut_offered().contains(player));
            waits.for_each(|player| offers.add(Event::OfferCut { player: player.clone() }));
        }
        let division = self.division();
        for player in &everybody {
            offers.add(bank(BankChange::Turn, Some(player), None));
            let part = division.part();
            let due = [part, part + 1].into_iter().filter(|amount| *amount > 0 && division.is_due(player, *amount));
            due.for_each(|amount| offers.add(share(player, Share::Dividend, amount)));
        }
    }

    /// The totals that all can see.
    fn offer_totals(&self, offers: &mut Offers) {
        if !self.delivered() {
            return;
        }
        let total = |place: Place, points: u8| Event::Announce {
            what: Announcement::Total,
            place: Some(place),
            value: Some(points.into()),
        };
        let bank = &self.pass.bank;
        let points = bank.total().filter(|_| !bank.is_hidden() && !bank.cards.is_empty());
        points.into_iter().for_each(|points| offers.add(total(Place::Bank, points)));
        for (id, hand) in self.pass.hands().filter(|(_, hand)| !hand.is_covered() && !hand.cards.is_empty()) {
            let Some([high, low]) = hand.called(&self.settings) else { continue };
            offers.add(total(id.into(), high));
            if low != high {
                offers.add(total(id.into(), low));
            }
        }
    }
}

fn bank(how: BankChange, player: Option<&Name>, by: Option<&Name>) -> Event {
    Event::Bank { how, player: player.cloned(), by: by.cloned(), amount: None }
}

fn share(player: &Name, what: Share, amount: Cents) -> Event {
    Event::Share { player: player.clone(), what, amount }
}
