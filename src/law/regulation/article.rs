//! What an article is made of, and the findings that its check raises.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::figures::fill;
use super::memory::{Address, Known, Memory};
use super::prelude::is_returning;
use crate::procedure::apply::Effect;
use crate::procedure::context::{Context, Role};
use crate::procedure::duty::{Part, is_for_room};
use crate::procedure::known::{Fact, Facts};
use crate::procedure::mistakes::{Mistake, MistakeKind};
use crate::table::answer::{Details, Lang, Text};
use crate::table::event::{Choice, Permit, Taken};
use crate::table::settings::Misdealt;
use crate::table::words;
use crate::table::{BetSpot, Card, Cents, Event, HandId, Name, Outcome, Place, Settings, Severity};

/// Words in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bi {
    /// Spanish.
    pub es: &'static str,
    /// English.
    pub en: &'static str,
}

impl Bi {
    /// The words in one language.
    #[must_use]
    pub const fn get(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::Es => self.es,
            Lang::En => self.en,
        }
    }
}

/// What an article has to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum On {
    /// Every event of a kind.
    Event(crate::table::event::Kind),
    /// A card drawn in a role.
    Card(Role),
    /// A bet on a spot.
    Bet(BetSpot),
    /// A choice, for whichever hand.
    Decide(Choice),
    /// The event that closes the bets.
    Close,
    /// The first event of play.
    Play,
}

/// Whether and how an article is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A breach gives a finding.
    Enforced,
    /// The validator computes it and checks it.
    Valuation,
    /// No sensor sees it: a person reports it.
    Reported,
}

/// How the project reads what the text leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Its number in the list of readings.
    pub number: u8,
    /// What is read.
    pub words: Bi,
}

/// One way an article is broken. Each is a static beside its article, and is equal to itself alone.
#[derive(Debug)]
pub struct Case {
    /// What a finding says in Spanish, `{place}` standing for where.
    pub es: &'static str,
    /// The same in English.
    pub en: &'static str,
}

impl Case {
    /// The words in one language.
    #[must_use]
    pub const fn get(&self, lang: Lang) -> &'static str {
        Bi { es: self.es, en: self.en }.get(lang)
    }
}

impl PartialEq for Case {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Case {}

/// One article of a regulation. Each is a static in a file of its own, and is equal to itself alone.
#[derive(Debug)]
pub struct Article {
    /// Its identifier, such as `C7`.
    pub id: &'static str,
    /// Whether a breach is seen, computed or reported.
    pub kind: Kind,
    /// How grave a breach is.
    pub severity: Severity,
    /// The cases that are graver, or less grave.
    pub case_severities: &'static [(&'static Case, Severity)],
    /// A name for it.
    pub title: Bi,
    /// What it says, in our words.
    pub gist: Bi,
    /// At which events a breach is found.
    pub raised: Bi,
    /// What must be done about it, and in which order.
    pub remedy: Bi,
    /// The figures of [`crate::table::Settings`] it goes by.
    pub settings: &'static [&'static str],
    /// The source file it stands in.
    pub file: &'static str,
    /// How gaps are read.
    pub readings: &'static [Reading],
    /// The ways it is broken.
    pub cases: &'static [&'static Case],
    /// What it has to look at.
    pub on: &'static [On],
    /// What must be known for a breach to be found.
    pub needs: Facts,
    /// The cases that need something else.
    pub cases_needing: &'static [(&'static Case, Facts)],
    /// Looks at a context and writes what it finds to the findings.
    pub check: fn(&Context<'_>, &mut Findings<'_>),
    /// Its case of a bet that was not given what it was owed. The context's facts are those after the event.
    pub money: fn(&Context<'_>, &Mistake<'_>) -> Option<&'static Case>,
    /// What is to be done about it, by how much the bank still has to give.
    pub put_right: fn(HandId, BetSpot, i64) -> Part,
}

impl PartialEq for Article {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Article {}

impl Article {
    /// The fields that an article of this source file need not write, where a breach gives a finding.
    #[must_use]
    pub const fn enforced(file: &'static str) -> Self {
        const NONE: Bi = Bi { es: "", en: "" };
        Self {
            id: "",
            kind: Kind::Enforced,
            severity: Severity::Irregularity,
            case_severities: &[],
            title: NONE,
            gist: NONE,
            raised: NONE,
            remedy: NONE,
            settings: &[],
            file,
            readings: &[],
            cases: &[],
            on: &[],
            needs: Facts::HANDS,
            cases_needing: &[],
            check: |_, _| {},
            money: |_, _| None,
            put_right: Part::money,
        }
    }

    /// The same where the validator computes what the article says.
    #[must_use]
    pub const fn valuation(file: &'static str) -> Self {
        Self { kind: Kind::Valuation, ..Self::enforced(file) }
    }

    /// The same where no sensor sees a breach.
    #[must_use]
    pub const fn reported(file: &'static str) -> Self {
        Self { kind: Kind::Reported, severity: Severity::Notice, needs: Facts::NONE, ..Self::enforced(file) }
    }

    /// How grave one of its cases is.
    #[must_use]
    pub fn severity_of(&self, case: &Case) -> Severity {
        let own = self.case_severities.iter().find(|(other, _)| *other == case);
        own.map_or(self.severity, |(_, severity)| *severity)
    }

    /// How grave its breaches may be, the gravest first.
    pub fn severities(&self) -> impl Iterator<Item = Severity> {
        let own = self.cases.iter().map(|case| self.severity_of(case));
        let all: BTreeSet<_> = own.chain(self.cases.is_empty().then_some(self.severity)).map(Reverse).collect();
        all.into_iter().map(|Reverse(severity)| severity)
    }

    /// What must be known for one of its cases to be found.
    #[must_use]
    pub fn needs_for(&self, case: &Case) -> Facts {
        let own = self.cases_needing.iter().find(|(other, _)| *other == case);
        own.map_or(self.needs, |(_, needs)| *needs)
    }

    /// Whether it goes by that setting: it lists it, or its words tell its figure.
    #[must_use]
    pub fn goes_by(&self, setting: &str) -> bool {
        let readings = self.readings.iter().map(|reading| reading.words);
        let cases = self.cases.iter().map(|case| Bi { es: case.es, en: case.en });
        let mut words = [self.gist, self.raised, self.remedy].into_iter().chain(cases).chain(readings);
        let names = |text: &str| {
            text.split('{')
                .skip(1)
                .any(|rest| rest.strip_prefix(setting).is_some_and(|after| after.starts_with(['}', ':', '|'])))
        };
        self.settings.contains(&setting) || words.any(|words| names(words.en) || names(words.es))
    }
}

/// A breach, as an article found it.
#[derive(Debug, Clone)]
pub struct Raised {
    /// Under which article.
    pub article: &'static Article,
    /// Which of its cases.
    pub case: &'static Case,
    /// Where.
    pub place: Option<Place>,
    /// How grave.
    pub severity: Severity,
    /// Uncovered cards it names, beside the one that was drawn.
    pub cards: Vec<Card>,
    /// What must be done.
    pub parts: Vec<Part>,
    /// What it makes of the facts.
    pub effects: Vec<Effect>,
    /// What letting what lies be makes of the facts, where its remedy does not say it.
    pub stands: Vec<Effect>,
    /// What going on makes of the facts.
    pub resumes: Option<Effect>,
    /// What else it names.
    pub details: Details,
    /// How the device was that it names.
    status: Option<Name>,
    /// The bet that was not given what it was owed: once it is, nothing is left to do.
    pub bet: Option<(HandId, BetSpot)>,
}

/// What is found at an event, and what was found before in the pass.
#[derive(Debug)]
pub struct Findings<'a> {
    pub(super) memory: &'a Memory,
    /// Findings of the whole log so far.
    found: u64,
    pub(super) article: &'static Article,
    /// Findings of this event.
    pub raised: &'a mut Vec<Raised>,
    /// Whether the event counts for nothing though nothing new is found.
    pub ignores_event: bool,
}

impl<'a> Findings<'a> {
    /// Findings are written to `raised`. `memory` is what was found before in the pass, `found` how much in all.
    #[must_use]
    pub const fn new(memory: &'a Memory, found: u64, raised: &'a mut Vec<Raised>, article: &'static Article) -> Self {
        Self { memory, found, article, raised, ignores_event: false }
    }

    /// Raises the first of an article's cases for a bet that was not given what it was owed; false where it has none.
    pub fn judge_money(&mut self, article: &'static Article, context: &Context<'_>, mistake: &Mistake<'_>) -> bool {
        self.article = article;
        let place = Place::from(mistake.id);
        match (article.money)(context, mistake) {
            // at the end one finding tells that a hand was not settled, nor its insurance
            Some(case) if mistake.kind == MistakeKind::Unsettled && self.has_raised(case, place) => true,
            Some(case) => {
                self.raise(case, place).put_right(mistake);
                true
            }
            None => false,
        }
    }

    /// Whether the event itself gave that finding.
    fn has_raised(&self, case: &'static Case, place: Place) -> bool {
        self.raised.iter().any(|raised| raised.case == case && raised.place == Some(place))
    }

    /// Whether the event itself gave a finding by which the drawn card counts for nothing.
    #[must_use]
    pub fn names_card(&self) -> bool {
        self.raised.iter().any(|raised| raised.effects.contains(&Effect::NotDue))
    }

    /// Runs one article's check.
    pub fn judge(&mut self, article: &'static Article, context: &Context<'_>) {
        /// What a choice may be told without.
        const TOLD: Facts = Facts::of(&[Fact::Decisions, Fact::Bets]);
        self.article = article;
        let others = self.raised.len();
        (article.check)(context, self);
        if self.raised.len() == others {
            return;
        }
        let is_observed = context.state.observes_event(context.event);
        for raised in self.raised.split_off(others) {
            let (needs, unknown) = (article.needs_for(raised.case), context.state.unknown());
            if is_observed && !needs.meets(unknown) {
                self.raised.push(raised);
            } else if context.event.is_choice() && raised.is_without_effect() && !needs.but(TOLD).meets(unknown) {
                // what is only told has no more effect than what is heard, and accuses nobody
                self.ignore_event();
            }
        }
    }

    /// Raises a finding under one of the cases that the article lists.
    pub fn raise(&mut self, case: &'static Case, place: impl Into<Option<Place>>) -> &mut Raised {
        debug_assert!(self.article.cases.contains(&case), "{} does not list `{}`", self.article.id, case.en);
        self.raise_unlisted(case, place)
    }

    /// Raises a finding under a case that every house has, whatever its articles list.
    pub(super) fn raise_unlisted(&mut self, case: &'static Case, place: impl Into<Option<Place>>) -> &mut Raised {
        self.raised.push(Raised {
            article: self.article,
            case,
            place: place.into(),
            severity: self.article.severity_of(case),
            cards: Vec::new(),
            parts: Vec::new(),
            effects: Vec::new(),
            stands: Vec::new(),
            resumes: None,
            details: Details::default(),
            status: None,
            bet: None,
        });
        let last = self.raised.len() - 1;
        &mut self.raised[last]
    }

    /// Raises a finding unless the case was already found there in this pass.
    pub fn raise_once(&mut self, case: &'static Case, place: impl Into<Option<Place>>) -> Option<&mut Raised> {
        let place = place.into();
        (!self.knows(case, place)).then(|| self.raise(case, place))
    }

    /// Raises a case for chips that may not lie on a spot, and has them returned but for what may stay. What is done
    /// while they are still to be returned is the same breach.
    pub fn refuse_chips(
        &mut self,
        case: &'static Case,
        context: &Context<'_>,
        hand: HandId,
        spot: BetSpot,
        stays: Cents,
    ) {
        if is_returning(context, hand, spot) {
            self.ignore_event();
        } else {
            let raised = self.raise(case, Place::from(hand)).give_back(hand, spot, stays).no_effect();
            if let Event::Decide { choice, .. } = context.event {
                raised.stands(Effect::Chosen(hand, *choice));
            }
        }
    }

    /// Whether a case was already found there in this pass.
    #[must_use]
    pub fn knows(&self, case: &'static Case, place: impl Into<Option<Place>>) -> bool {
        self.memory.has(Address::of(case), place.into())
    }

    /// Whether a case was already found anywhere in this pass.
    #[must_use]
    pub fn knows_anywhere(&self, case: &'static Case) -> bool {
        self.memory.has_anywhere(Address::of(case))
    }

    /// Whether any case of this article was already found there in this pass.
    #[must_use]
    pub fn knows_any(&self, place: impl Into<Option<Place>>) -> bool {
        self.knows_article(self.article, place)
    }

    /// Whether any case of an article was already found there in this pass.
    #[must_use]
    pub fn knows_article(&self, article: &'static Article, place: impl Into<Option<Place>>) -> bool {
        self.memory.has(Address::of(article), place.into())
    }

    /// Whether going on with what was ruled on has a card served again.
    #[must_use]
    pub fn serves_again(&self, ruled: Option<u64>) -> bool {
        let known = ruled.and_then(|finding| self.memory.finding(finding));
        known.is_some_and(|known| matches!(known.resumes, Some(Effect::ServedAgain(_))))
    }

    /// Whether a finding is of an earlier pass.
    #[must_use]
    pub fn is_past(&self, finding: u64) -> bool {
        (1..=self.found).contains(&finding) && self.memory.finding(finding).is_none()
    }

    /// The event goes on with a breach already found. It counts for nothing, and nothing is said again.
    pub fn ignore_event(&mut self) {
        self.ignores_event = true;
    }
}

impl Raised {
    /// Graver, or less grave, than its article says.
    pub(super) fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }

    fn is_without_effect(&self) -> bool {
        self.effects.contains(&Effect::NoEffect)
    }

    /// The drawn card goes away for it, and nobody may learn which it is.
    pub(crate) fn hides_cards(&self) -> bool {
        self.parts.iter().any(Part::hides_cards)
    }

    /// Names a player and his seat.
    pub fn seat(&mut self, seat: u8, player: &Name) -> &mut Self {
        (self.details.seat, self.details.player) = (Some(seat), Some(player.clone()));
        self
    }

    /// The drawn card counts for nothing and must be burned.
    pub fn burn_drawn(&mut self, place: Place) -> &mut Self {
        self.effects.push(Effect::NotDue);
        self.burn(place, 1)
    }

    /// The drawn card counts for nothing; the house says what becomes of it.
    pub fn misdealt(&mut self, context: &Context<'_>, place: Place) -> &mut Self {
        self.effects.push(Effect::NotDue);
        self.part(match context.settings.delivery.misdealt {
            Misdealt::Burn => Part::Burn { place, left: 1 },
            Misdealt::Back => Part::PutBack { place, left: 1 },
            Misdealt::Room => Part::Rule,
        })
    }

    /// The drawn card counts for nothing until the room has decided.
    pub fn leave_to_room(&mut self) -> &mut Self {
        self.effects.push(Effect::NotDue);
        self.part(Part::Rule)
    }

    /// Cards must be burned.
    pub fn burn(&mut self, place: Place, cards: usize) -> &mut Self {
        self.part(Part::Burn { place, left: cards })
    }

    /// The bet of a box is without effect.
    pub fn void(&mut self, box_no: u8) -> &mut Self {
        self.effects.push(Effect::Out(box_no));
        self.part(Part::Void(HandId::first(box_no)))
    }

    /// Chips go back, but for what may lie there.
    pub fn give_back(&mut self, hand: HandId, spot: BetSpot, back: Cents) -> &mut Self {
        self.part(Part::Return { hand, spot, back })
    }

    /// That many cards are due at a place.
    pub fn serve(&mut self, place: Place, cards: usize) -> &mut Self {
        for _ in 0..cards {
            self.part(Part::Serve(place));
        }
        self
    }

    /// "Next cards for the bank": authorised, announced (where words are heard), served.
    pub fn next_cards_for_bank(&mut self, context: &Context<'_>, cards: usize) -> &mut Self {
        self.part(Part::Authorize(Permit::NextCardsForBank));
        if context.state.observes.announcements {
            self.part(Part::Announce(Permit::NextCardsForBank));
        }
        self.serve(Place::Bank, cards)
    }

    /// The bettor chooses.
    pub fn offer(&mut self, hand: HandId, options: [Taken; 2]) -> &mut Self {
        self.part(Part::Offer(hand, options))
    }

    /// What was owed and done, and what puts it right: nothing any more once the pass is over with nothing done.
    fn put_right(&mut self, mistake: &Mistake<'_>) {
        let Mistake { id, spot, owed, given, to_give, kind, .. } = *mistake;
        self.details.owed = (owed.outcome != Outcome::Unknown).then(|| owed.net());
        self.details.done = Some(given);
        if kind != MistakeKind::Unsettled {
            self.bet = Some((id, spot));
            self.part((self.article.put_right)(id, spot, to_give));
        }
    }

    /// One more thing that must be done.
    pub fn part(&mut self, part: Part) -> &mut Self {
        self.parts.push(part);
        self
    }

    /// What going on makes of the facts.
    pub const fn resumes(&mut self, effect: Effect) -> &mut Self {
        self.resumes = Some(effect);
        self
    }

    /// What letting what lies be makes of the facts, where its remedy does not say it.
    pub fn stands(&mut self, effect: Effect) -> &mut Self {
        self.stands.push(effect);
        self
    }

    /// Tells what a person noted.
    pub fn note(&mut self, note: &Name) -> &mut Self {
        self.details.note = Some(note.clone());
        self
    }

    /// Names a device, and keeps in mind how it was.
    pub fn device(&mut self, device: &Name, status: &Name) -> &mut Self {
        self.details.device = Some(device.clone());
        self.status = Some(status.clone());
        self
    }

    /// What is kept in mind of it as the finding of that number; `left` is the card it says counts for nothing.
    #[must_use]
    pub fn known(&self, finding: u64, left: Option<(Place, Card)>) -> Known {
        let of_card = left.map(|(place, card)| Effect::Counts(place, card));
        let of_parts = self.parts.iter().filter_map(|part| part.let_be());
        Known {
            finding,
            article: Address::of(self.article),
            case: Address::of(self.case),
            place: self.place,
            stands: of_card.into_iter().chain(of_parts).chain(self.stands.iter().copied()).collect(),
            resumes: self.resumes,
            is_for_room: is_for_room(&self.parts),
            is_decided: false,
            status: self.details.device.clone().zip(self.status.clone()),
        }
    }

    /// What it makes of the facts.
    pub fn effect(&mut self, effect: Effect) -> &mut Self {
        self.effects.push(effect);
        self
    }

    /// The event counts for nothing.
    pub fn no_effect(&mut self) -> &mut Self {
        self.effect(Effect::NoEffect)
    }

    /// What it says, in both languages, with the house's figures.
    #[must_use]
    pub fn text(&self, lang: Lang, settings: &Settings) -> Text {
        let words = |lang| {
            let device = self.details.device.as_ref().map(|device| words::device(device, lang));
            let title = self.article.title.get(lang);
            let case = self.case.get(lang).replace("{title}", title).replace("{device}", &device.unwrap_or_default());
            // the article of the device contracts with what stands before it
            let case = case.replace(" de el ", " del ");
            fill(&case, settings, lang).into_owned()
        };
        let place = self.place.map(words::place);
        let named = |words: &str, place: Option<&str>| match place {
            Some(place) => words.replace("{place}", place),
            None => words.replace(" ({place})", "").replace("{place}", "—"),
        };
        let (es, en) = (place.as_ref().map(|place| place.es.as_str()), place.as_ref().map(|place| place.en.as_str()));
        Text { es: named(&words(Lang::Es), es), en: named(&words(Lang::En), en), lang }
    }
}
