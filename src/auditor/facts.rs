//! What is so at an event: every fact is a scan over the events before it and the findings so far.

mod bets;
pub mod found;
mod given;
pub mod house;
mod out;
mod play;
pub mod remedy;
pub mod sight;
mod totals;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use self::found::{Effect, Finding, Part};
use self::house::{House, begins_in_mid_pass};
use crate::log::{Card, Event, Header, Kind, MISTAKE, Place, Taken};

/// The history before event `now`. `then` is the same with that event.
pub struct View<'a> {
    /// The regulation's figures and rows.
    pub house: &'a House,
    /// The first line.
    pub header: &'a Header,
    /// The whole log; nothing from `now` on is looked at.
    pub events: &'a [Event],
    /// How many events have happened.
    pub now: usize,
    /// What has been found.
    pub findings: &'a [Finding],
    memo: &'a Memo,
    known: OnceCell<Rc<Known>>,
}

/// What was so before each event, as far as it was asked for: it is asked for again and again, and stays the same
/// until something is found, cleared, breached or ruled at or before that event.
#[derive(Clone, Default)]
pub struct Memo {
    known: RefCell<Vec<Option<Rc<Known>>>>,
}

impl Memo {
    /// Nothing is remembered of it from an event on.
    pub fn forget_from(&self, now: usize) {
        self.known.borrow_mut().truncate(now);
    }

    fn before(&self, now: usize) -> Rc<Known> {
        let mut known = self.known.borrow_mut();
        if known.len() <= now {
            known.resize_with(now + 1, || None);
        }
        Rc::clone(known[now].get_or_insert_default())
    }
}

/// What is remembered of the history before one event.
#[derive(Default)]
struct Known {
    begun: OnceCell<usize>,
    piles: OnceCell<Piles>,
    hands: OnceCell<Vec<Place>>,
    playing: OnceCell<Vec<Place>>,
    blind: OnceCell<Vec<&'static str>>,
    voided: OnceCell<Option<usize>>,
    /// By place: the events of [`View::void_at`] and [`View::settled_at`], stakes and totals.
    void: ByPlace<Option<usize>>,
    settled: ByPlace<Option<usize>>,
    stakes: ByPlace<u64>,
    totals: ByPlace<Option<u8>>,
}

/// A fact of some places.
struct ByPlace<T>(RefCell<Vec<(Place, T)>>);

impl<T> Default for ByPlace<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T: Copy> ByPlace<T> {
    fn of(&self, place: Place, fact: impl FnOnce() -> T) -> T {
        let known = self.0.borrow().iter().find(|(known, _)| *known == place).map(|(_, fact)| *fact);
        known.unwrap_or_else(|| {
            let fact = fact();
            self.0.borrow_mut().push((place, fact));
            fact
        })
    }
}

/// Cards by place, as indices of their draws.
#[derive(Clone, Default)]
struct Piles {
    /// Those that count there, those cleared away at the end too.
    dealt: BTreeMap<Place, Vec<usize>>,
    /// Those that lie there, undue ones too.
    lying: BTreeMap<Place, Vec<usize>>,
    /// Card, where it went, at which event.
    gone: Vec<(usize, Place, usize)>,
    /// A hand opened, the new one beside it, at which event.
    opened: Vec<(Place, Place, usize)>,
}

impl<'a> View<'a> {
    /// The history before event `now`.
    pub fn new(
        house: &'a House,
        header: &'a Header,
        events: &'a [Event],
        now: usize,
        findings: &'a [Finding],
        memo: &'a Memo,
    ) -> Self {
        Self { house, header, events, now, findings, memo, known: OnceCell::new() }
    }

    /// The history with the event itself.
    pub fn then(&self) -> Self {
        self.at(self.now + 1)
    }

    /// The history before another event.
    pub fn at(&self, now: usize) -> Self {
        Self { now, known: OnceCell::new(), ..*self }
    }

    /// What is so if another event comes before the one that happens.
    pub fn with<T>(&self, event: &Event, fact: impl FnOnce(&View) -> T) -> T {
        let events = [&self.events[..self.now], std::slice::from_ref(event)].concat();
        fact(&View::new(self.house, self.header, &events, self.now + 1, self.findings, &Memo::default()))
    }

    fn known(&self) -> &Known {
        self.known.get_or_init(|| self.memo.before(self.now))
    }

    /// The event that happens.
    pub fn event(&self) -> &'a Event {
        &self.events[self.now]
    }

    /// The events since the last `end`, before now.
    pub fn pass(&self) -> Range<usize> {
        let last_end = || self.last_in(0..self.now, |event| event.kind == Kind::End);
        *self.known().begun.get_or_init(|| last_end().map_or(0, |end| end + 1))..self.now
    }

    fn last_in(&self, range: Range<usize>, is: impl Fn(&Event) -> bool) -> Option<usize> {
        range.rev().find(|&at| is(&self.events[at]))
    }

    /// The last event of the pass that is so.
    pub fn last(&self, is: impl Fn(&Event) -> bool) -> Option<usize> {
        self.last_in(self.pass(), is)
    }

    /// The first event of the pass that is so.
    pub fn first(&self, is: impl Fn(&Event) -> bool) -> Option<usize> {
        self.pass().find(|&at| is(&self.events[at]))
    }

    /// Whether the pass has such an event.
    pub fn has(&self, is: impl Fn(&Event) -> bool) -> bool {
        self.first(is).is_some()
    }

    /// Whether there was one since event `from`, that one left out.
    pub fn since(&self, from: usize, is: impl Fn(&Event) -> bool) -> bool {
        (from + 1..self.now).any(|at| is(&self.events[at]))
    }

    /// How many passes have begun, one that this event begins included.
    pub fn pass_number(&self) -> usize {
        let mut is_open = false;
        let events = &self.events[..(self.now + 1).min(self.events.len())];
        // one that began before the log does not count
        let unjudged = begins_in_mid_pass(self.house, events);
        let begins = |(at, event): &(usize, &Event)| {
            let is_first =
                event.kind == Kind::Bet && event.number > 0 || event.kind == Kind::Draw && !self.house.sees("bets");
            let begins = is_first && !is_open && !unjudged.contains(at);
            is_open = (is_open || begins) && event.kind != Kind::End;
            begins
        };
        events.iter().enumerate().filter(begins).count()
    }

    /// The findings of the pass.
    pub fn found(&self) -> impl DoubleEndedIterator<Item = &'a Finding> + use<'a> {
        let from = self.pass().start;
        let now = self.now;
        self.findings.iter().filter(move |finding| (from..=now).contains(&finding.at))
    }

    /// Whether the pass has this provision found about this place.
    pub fn is_found(&self, provision: &str, place: Place) -> bool {
        self.found().any(|finding| finding.what.provision == provision && finding.what.place == Some(place))
    }

    /// Whether the option that was taken at an event had been offered, and not been taken yet.
    pub fn is_offered(&self, at: usize) -> bool {
        let event = &self.events[at];
        let is_answer = |part: &Part| match part {
            Part::Offer(place, options) => event.place == Some(*place) && options.contains(&event.word.as_str()),
            _ => false,
        };
        let is_taken = |from: usize| {
            (from + 1..at).any(|other| self.events[other].is(Kind::Choose, event.place.unwrap_or(Place::Shoe)))
        };
        self.found().any(|found| found.at < at && found.what.remedy.iter().any(is_answer) && !is_taken(found.at))
    }

    /// The cards that this event takes away.
    pub fn taken(&self) -> Vec<usize> {
        let then = self.then();
        let gone = then.piles().gone.iter().filter(|(_, _, at)| *at == self.now);
        gone.map(|(draw, _, _)| *draw).collect()
    }

    /// Whether what happened at this event changes nothing, as a finding about it says.
    pub fn is_ignored(&self, at: usize) -> bool {
        let by = |effect: Effect| move |finding: &Finding| finding.what.effect == effect && !finding.stands();
        // a bet that the room has lost is one
        let is_lost = |finding: &Finding| {
            let returns =
                |part: &Part| matches!(*part, Part::ReturnBet(hand, "main", _, 0) if self.is_ruled_lost(hand));
            finding.what.remedy.iter().any(returns)
        };
        let late = |finding: &Finding| {
            finding.at < at
                && finding.what.refuses.is_some_and(|(place, spot)| self.is_refused_bet(finding, at, place, spot))
        };
        self.events[at].is_vain()
            || self.findings.iter().any(|finding| finding.at == at && by(Effect::Ignored)(finding) && !is_lost(finding))
            || self.found().any(|finding| late(finding) && !finding.stands())
    }

    /// Whether the card has come for which chips would lie on that spot: none that come later count.
    pub fn is_past_chips(&self, place: Place, spot: &str) -> bool {
        let has_two = |half: &Place| half.number() == place.number() && self.dealt(*half).len() > 1;
        let is_unpaid = self.on_spot(place, spot) == 0;
        is_unpaid
            && match spot {
                "double" => self.dealt(place).len() > 2,
                "insurance" if self.house.is("insurance_when", "own_ace") => self.dealt(place).len() > 1,
                "insurance" if self.house.is("insurance_when", "before_play") => {
                    let dealt = |hand: &Place| if self.is_split(*hand) { 1 } else { 2 };
                    self.hands().iter().any(|hand| self.dealt(*hand).len() > dealt(hand))
                }
                "split" if self.house.figure("max_hands") <= 2 => {
                    self.is_split(place) && self.hands().iter().any(has_two)
                }
                _ => false,
            }
    }

    /// Whether chips are laid that a finding refuses: other than may lie there, since the spot was put right.
    fn is_refused_bet(&self, found: &Finding, at: usize, place: Place, spot: &str) -> bool {
        let is_here = |event: &Event| event.is(Kind::Bet, place) && event.spot == spot;
        let is_within =
            |part: &Part, number| matches!(*part, Part::ReturnBet(.., least, most) if (least..=most).contains(&number));
        let is_past = self.at(at).is_past_chips(place, spot);
        let may_lie =
            |number: u64| number > 0 && !is_past && found.what.remedy.iter().any(|part| is_within(part, number));
        let is_put_right = |event: &Event| is_here(event) && (event.number == 0 || may_lie(event.number));
        // what came without its chips has none any more
        let was_right = found.what.effect != Effect::None && self.at(at).since(found.at, is_put_right);
        // nor do words count that were refused before
        let may_none = found.what.remedy.iter().all(|part| !matches!(part, Part::ReturnBet(_, _, _, 1..)));
        let was_said = self.events[found.at].kind == Kind::Decide && may_none;
        let is_said = was_said && self.events[at].says(Kind::Decide, place, spot);
        (is_here(&self.events[at]) || is_said) && !may_lie(self.events[at].number) && !was_right
    }

    /// Whether a row above has found that the card now drawn counts for nothing.
    pub fn is_claimed(&self) -> bool {
        self.findings.iter().any(|found| found.at == self.now && found.what.effect == Effect::Misdealt)
    }

    /// Whether the card drawn at this event counts where it lies.
    pub fn counts(&self, at: usize) -> bool {
        self.events[at].word != MISTAKE
            && !self
                .findings
                .iter()
                .any(|found| found.at == at && found.what.effect == Effect::Misdealt && !found.stands())
    }

    /// The index of a card's draw and where it lies: burned ones and those put away have gone.
    fn piles(&self) -> &Piles {
        self.known().piles.get_or_init(|| {
            let is_known = |now: &usize| self.memo.before(*now).piles.get().is_some();
            let known = (self.pass().start + 1..self.now).rfind(is_known);
            let mut piles = known.map(|now| self.at(now).piles().clone()).unwrap_or_default();
            (known.unwrap_or(self.pass().start)..self.now).for_each(|at| self.pile(&mut piles, at));
            piles
        })
    }

    /// What an event does to the piles.
    fn pile(&self, piles: &mut Piles, at: usize) {
        let event = &self.events[at];
        match (event.kind, event.place) {
            (Kind::Draw, place) => {
                let place = place.unwrap_or(Place::Shoe);
                piles.lying.entry(place).or_default().push(at);
                if self.counts(at) {
                    piles.dealt.entry(place).or_default().push(at);
                }
            }
            (Kind::Move, Some(from)) => self.put_away(piles, at, from),
            (Kind::Decide, Some(hand)) if event.word == "split" => {
                // the word for chips that were laid before opens nothing more
                let is_said = |at: usize| self.events[at].says(Kind::Decide, hand, "split") && !self.is_ignored(at);
                let said = (self.pass().start..=at).filter(|at| is_said(*at)).count();
                if said > piles.opened.iter().filter(|(from, ..)| *from == hand).count() {
                    self.open(piles, at, hand);
                }
            }
            (Kind::Bet, Some(hand)) if event.spot == "split" && event.number > self.at(at).on_spot(hand, "split") => {
                self.open(piles, at, hand)
            }
            _ => {}
        }
    }

    fn put_away(&self, piles: &mut Piles, at: usize, from: Place) {
        let event = &self.events[at];
        // a card that went nowhere is taken from wherever somebody takes it
        let nowhere =
            if self.sees("places") { Vec::new() } else { std::mem::take(piles.lying.entry(Place::Shoe).or_default()) };
        let lying = piles.lying.entry(from).or_default();
        lying.extend(nowhere);
        let is_for_undue = matches!(event.to, Some(Place::Burn | Place::Shoe));
        let has_undue = lying.iter().any(|draw| !self.counts(*draw));
        let taken: Vec<usize> = match &event.taken {
            // without a number only the undue cards are burned or put back
            Taken::All if is_for_undue && has_undue => lying.extract_if(.., |draw| !self.counts(*draw)).collect(),
            Taken::All => std::mem::take(lying),
            Taken::Last(count) => {
                // those that must be burned or put back go first
                let first = |draw: &usize| is_for_undue && !self.counts(*draw);
                let mut order: Vec<usize> = lying.iter().copied().filter(first).collect();
                // what goes back goes in the other way round
                if event.to == Some(Place::Shoe) || self.house.is("burned_first", "last") {
                    order.reverse();
                }
                // one that counts as gone already goes only where no other has to
                let is_gone_unseen =
                    |draw: &usize| self.findings.iter().any(|found| found.at == *draw && !found.unseen.is_empty());
                order.sort_by_key(is_gone_unseen);
                order.extend(lying.iter().copied().filter(|draw| !first(draw)).rev());
                order.truncate(*count);
                lying.retain(|draw| !order.contains(draw));
                order
            }
            Taken::Named(cards) => {
                let mut take = |is: &dyn Fn(usize) -> bool| {
                    // each name is one card: the last, of those that must be burned or put back where there are some
                    let undue = |draw: &usize| is_for_undue && !self.counts(*draw) && is(*draw);
                    let nth = lying.iter().rposition(undue).or_else(|| lying.iter().rposition(|draw| is(*draw)))?;
                    Some(lying.remove(nth))
                };
                let (read, unread): (Vec<Card>, Vec<Card>) = cards.iter().partition(|card| card.rank > 0);
                let mut taken = Vec::new();
                for card in read {
                    // a name that no card has is that of one that could not be read
                    let named = take(&|draw| self.card(draw) == Some(card));
                    taken.extend(named.or_else(|| take(&|draw| self.card(draw).is_none())));
                }
                taken.extend(unread.iter().filter_map(|_| take(&|_| true)));
                taken
            }
        };
        // a hand that the room lets keep its claim keeps its cards
        let is_kept = |found: &Finding| found.stands() && from != Place::Bank;
        let mut here = self.findings.iter().filter(|found| found.at == at && found.what.effect == Effect::Lost);
        let is_lost = here.clone().any(|found| !is_kept(found));
        let is_kept = here.any(is_kept);
        let may_leave = from != Place::Bank || self.house.is("bank_second_card", "covered");
        let is_taken = event.to != Some(Place::Discard) && may_leave && self.at(at).settled_at(from).is_none();
        if is_lost || is_taken && !is_kept {
            piles.dealt.entry(from).or_default().retain(|draw| !taken.contains(draw));
        }
        if event.to == Some(Place::Discard) {
            piles.lying.entry(Place::Discard).or_default().extend(&taken);
        }
        piles.gone.extend(taken.into_iter().map(|draw| (draw, event.to.unwrap_or(Place::Discard), at)));
    }

    fn open(&self, piles: &mut Piles, at: usize, hand: Place) {
        let (Place::Hand(number, _), Some(&[_, second, ref more @ ..])) =
            (hand, piles.dealt.get(&hand).map(Vec::as_slice))
        else {
            return;
        };
        // what nobody saw may be told by later cards
        let is_told = self.sees("bets") || self.sees("decisions");
        if self.is_ignored(at) || is_told && !more.is_empty() {
            return;
        }
        let hands = piles.opened.iter().filter(|(from, _, _)| from.number() == Some(number)).count();
        let new = Place::Hand(number, u8::try_from(hands + 1).unwrap_or(7));
        for pile in [&mut piles.dealt, &mut piles.lying] {
            pile.entry(hand).or_default().retain(|draw| *draw != second);
            pile.entry(new).or_default().push(second);
        }
        piles.opened.push((hand, new, at));
    }

    /// The draws of the cards that count at a place, in order.
    pub fn dealt(&self, place: Place) -> &[usize] {
        self.piles().dealt.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The draws of the cards that lie at a place, undue ones included.
    pub fn lying(&self, place: Place) -> &[usize] {
        self.piles().lying.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The hands where cards lie, and the bank.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let lying = self.piles().lying.iter().filter(|(place, cards)| **place <= Place::Bank && !cards.is_empty());
        lying.map(|(place, _)| *place)
    }

    /// Whether this card was put there, after that event.
    pub fn is_gone(&self, draw: usize, to: Place) -> bool {
        self.piles().gone.iter().any(|(gone, place, _)| (*gone, *place) == (draw, to))
    }

    /// Whether this card was taken to the discard tray by itself, or while somebody played.
    pub fn is_taken_alone(&self, draw: usize) -> bool {
        let is_it = |(gone, to, _): &&(usize, Place, usize)| (*gone, *to) == (draw, Place::Discard);
        let is_lost = |at: usize| self.findings.iter().any(|found| found.at == at && found.what.effect == Effect::Lost);
        let is_early = |at: usize| {
            let then = self.at(at);
            let plays = |hand: Place| (self.house.plan.is_unfinished)(&then, hand) || then.waits_for_double(hand);
            let is_hand = self.events[at].place.is_some_and(|place| place.number().is_some());
            is_lost(at) || is_hand && then.playing().iter().any(|hand| plays(*hand))
        };
        let mut taken = self.piles().gone.iter().filter(is_it).map(|(_, _, at)| *at);
        taken.any(|at| self.events[at].taken != Taken::All || is_early(at))
    }

    /// The hand beside which this one was opened, and at which event.
    pub fn opened_from(&self, hand: Place) -> Option<(Place, usize)> {
        self.piles().opened.iter().find(|(_, new, _)| *new == hand).map(|(from, _, at)| (*from, *at))
    }

    /// How many hands were opened from this one.
    pub fn opened_beside(&self, hand: Place) -> usize {
        self.piles().opened.iter().filter(|(from, _, _)| *from == hand).count()
    }

    /// Whether a hand is one of several in its box.
    pub fn is_split(&self, hand: Place) -> bool {
        self.piles().opened.iter().any(|(from, _, _)| from.number() == hand.number())
    }

    /// The rank of the box's first pair that was opened, from either card.
    pub fn pair_opened(&self, hand: Place) -> Option<u8> {
        let (first, new, _) = self.piles().opened.iter().find(|(from, _, _)| from.number() == hand.number())?;
        let rank = |half: &Place| self.card(*self.dealt(*half).first()?).map(|card| card.rank);
        rank(first).or_else(|| rank(new))
    }

    /// The card of a draw, if it could be read or a `reveal` named it.
    pub fn card(&self, draw: usize) -> Option<Card> {
        let drawn = self.events[draw].card.filter(|card| card.rank > 0);
        let named = || self.names().find(|(named, _)| *named == draw).and_then(|(_, at)| self.events[at].card);
        drawn.or_else(named)
    }

    /// Cards that could not be read, each with the `reveal` that named it: the oldest of a place is named first.
    pub fn names(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let unread = |at: &usize| {
            let event = &self.events[*at];
            event.kind == Kind::Draw && event.card.is_some_and(|card| card.rank == 0)
        };
        self.pass().filter(unread).filter_map(move |draw| {
            let place = self.events[draw].place;
            let is_here = |at: &usize| self.events[*at].place == place;
            let names = |at: &usize| {
                is_here(at)
                    && self.events[*at].kind == Kind::Reveal
                    && self.events[*at].card.is_some_and(|card| card.rank > 0)
            };
            let earlier = self.pass().take_while(|at| *at < draw).filter(unread).filter(is_here).count();
            let first = self.pass().filter(unread).find(is_here)?;
            (first..self.now).filter(names).nth(earlier).filter(|at| *at > draw).map(|at| (draw, at))
        })
    }

    /// The hands that were bet on or dealt to, in the order of play.
    pub fn hands(&self) -> &[Place] {
        self.known().hands.get_or_init(|| self.in_order())
    }

    fn in_order(&self) -> Vec<Place> {
        let mut hands: Vec<Place> = self.boxes().collect();
        if self.house.is("first_box", "right") {
            hands.reverse();
        }
        hands.retain(|hand| self.stake(*hand) > 0 || !self.dealt(*hand).is_empty());
        for (from, new, _) in &self.piles().opened {
            let beside = hands.iter().position(|hand| hand == from).map_or(hands.len(), |at| at + 1);
            hands.insert(beside, *new);
        }
        hands
    }

    /// What a place's turn goes by when cards are dealt and cleared: the bank's is the last.
    pub fn order(&self, place: Place) -> (u8, usize) {
        // a hand opened again stands beside its own
        let beside = || self.hands().iter().position(|hand| *hand == place).unwrap_or(usize::MAX);
        match place {
            Place::Hand(number, _) if self.house.is("first_box", "right") => (8 - number, beside()),
            Place::Hand(number, _) => (number, beside()),
            _ => (u8::MAX, 0),
        }
    }

    /// The hands that play, in order.
    pub fn playing(&self) -> &[Place] {
        let plays = || self.hands().iter().copied().filter(|hand| self.plays(*hand)).collect();
        self.known().playing.get_or_init(plays)
    }

    /// Whether a hand has a bet that takes part.
    pub fn plays(&self, hand: Place) -> bool {
        self.stake(hand.first_hand()) > 0 && !self.is_void(hand)
    }
}
