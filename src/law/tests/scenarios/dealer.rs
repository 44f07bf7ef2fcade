//! A dealer who always does what is due first, and bettors who answer him.

use sabot_law::procedure::due::Due;
use sabot_law::procedure::duty::{Duty, Part};
use sabot_law::table::answer::{Finding, Lang};
use sabot_law::table::due::{DueStep, Next, ToDo};
use sabot_law::table::event::{Announcement, Authority, Choice, Question, Ruling};
use sabot_law::table::{Answer, BetSpot, Card, Event, HandId, Header, Moved, Name, Place, Remedy, line};
use sabot_law::validator::Validator;

use super::steps;

/// A table, the cards that come next, and how its people answer.
#[derive(Clone)]
pub(super) struct Dealer {
    pub(super) table: Validator,
    line: u64,
    /// What happened, as the log writes it.
    pub(super) log: Vec<String>,
    deck: Vec<Card>,
    /// How the room decides, where it may.
    pub(super) ruling: Ruling,
    /// Who answers: pairs are opened and doubles taken by some bettors and not by others.
    bold: bool,
}

/// What an event by the dealer came to.
pub(super) struct Done {
    pub(super) step: DueStep,
    pub(super) found: Vec<Finding>,
}

fn role(name: &'static str) -> Name {
    Name::new_static(name)
}

/// Cards in an order that depends on `seed` alone: two decks, as the shortest house has.
fn deck(seed: u64) -> Vec<Card> {
    let all: Vec<Card> = "A23456789TJQK"
        .chars()
        .flat_map(|rank| "SHDC".chars().map(move |suit| format!("{rank}{suit}").parse().unwrap()))
        .collect();
    let mut cards = [all.clone(), all].concat();
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    for last in (1..cards.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = (state >> 33) as usize % (last + 1);
        cards.swap(last, other);
    }
    cards
}

impl Dealer {
    /// A table of a house with bets on three boxes, before the first card. No shoe is told, so that nothing but the
    /// pass is judged.
    pub(super) fn of(house: &str, seed: u64) -> Self {
        let written = steps(house, "bets 1 2 3\nclose");
        let header: Header = line::header(written[0].json.as_bytes()).unwrap();
        let table = Validator::new(header).unwrap().in_language(Lang::En);
        let mut dealer = Self {
            table,
            line: 1,
            log: Vec::new(),
            deck: deck(seed),
            ruling: Ruling::Resume,
            bold: seed.is_multiple_of(2),
        };
        dealer.log.push(written[0].json.clone());
        for step in &written[1..] {
            dealer.happens(&line::event(step.json.as_bytes()).unwrap());
        }
        dealer
    }

    /// Something happens: what is found.
    pub(super) fn happens(&mut self, event: &Event) -> Vec<Finding> {
        self.line += 1;
        self.log.push(serde_json::to_string(event).unwrap());
        let mut answers = Vec::new();
        self.table.step(self.line, event, &mut answers);
        let findings = answers.into_iter().filter_map(|answer| match answer {
            Answer::Finding(finding) => Some(*finding),
            _ => None,
        });
        findings.collect()
    }

    /// What is due first.
    pub(super) fn due(&self) -> Option<DueStep> {
        self.table.due(self.line).due.into_iter().next()
    }

    /// Nothing more is to be done about the pass.
    pub(super) fn is_over(&self) -> bool {
        !self.table.state().pass.is_open()
    }

    /// Does what is due first, with the bettor's answer to it.
    pub(super) fn obeys(&mut self) -> Option<Done> {
        let step = self.due()?;
        let events = match step.what {
            ToDo::Remedy(remedy) => self.carries_out(remedy, step.finding),
            ToDo::Next(next) => self.goes_on(next),
        };
        let found = events.into_iter().flat_map(|event| self.happens(&event)).collect();
        Some(Done { step, found })
    }

    /// The duty that asks for a part.
    fn asked(&self, is_it: impl Fn(&Part) -> bool) -> Option<(&Duty, Part)> {
        let mut duties = self.table.duties().in_order();
        duties.find_map(|duty| duty.parts.iter().find(|part| is_it(part)).map(|part| (duty, *part)))
    }

    fn carries_out(&mut self, remedy: Remedy, finding: Option<u64>) -> Vec<Event> {
        vec![match remedy {
            Remedy::Burn { place, cards } => moved(place, Place::Burn, Some(cards)),
            Remedy::PutBack { place, cards } => return self.puts_back(place, cards),
            Remedy::Serve { to } => self.draws(to),
            Remedy::ReturnBet { hand, spot } => {
                let is_it =
                    |part: &Part| matches!(part, Part::Return { hand: h, spot: s, .. } if (*h, *s) == (hand, spot));
                let back = match self.asked(is_it) {
                    Some((_, Part::Return { back, .. })) => back,
                    _ => 0,
                };
                Event::Bet { hand, spot, amount: back, player: None, chips: Vec::new() }
            }
            Remedy::Authorize { what } => Event::Authorize { by: role("I"), role: Authority::Inspector, what },
            Remedy::Announce { .. } => {
                Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None }
            }
            Remedy::AskConsent { hand } => Event::Consent { hand, yes: self.bold },
            Remedy::Offer { hand, options } => Event::Choose { hand, option: options[usize::from(self.bold)] },
            Remedy::Collect { hand, amount: Some(amount), spot } => Event::Collect { hand, amount, spot },
            Remedy::Pay { hand, amount, spot } => Event::Pay { hand, amount, spot },
            // a bank over 21 pays at once whom it left unfinished
            Remedy::Collect { hand, amount: None, .. } => {
                let due = self.table.state().due(self.table.duties());
                let is_his = |due: &Due| match due {
                    Due::Pay(id, spot, amount) if *id == hand => Some((*spot, *amount)),
                    _ => None,
                };
                let (spot, amount) = due.iter().find_map(is_his).unwrap_or((BetSpot::Main, 50));
                Event::Pay { hand, amount, spot }
            }
            Remedy::Rule => {
                let place = finding.and_then(|finding| self.table.duties().of(finding)?.place);
                let decision = match (self.ruling, place) {
                    (Ruling::Lose, Some(Place::Hand(_))) => Ruling::Lose,
                    (Ruling::Lose, _) => Ruling::Resume,
                    (ruling, _) => ruling,
                };
                Event::Rule { by: role("R"), role: role("room"), decision, finding }
            }
            Remedy::Identify { .. } | Remedy::VoidBet { .. } => return Vec::new(),
        }]
    }

    fn goes_on(&mut self, next: Next) -> Vec<Event> {
        vec![match next {
            Next::CloseBets {} => Event::CloseBets {},
            Next::Bet { chips: Some(chips) } => {
                let (hand, spot, amount) = (chips.hand, chips.spot, chips.amount);
                Event::Bet { hand, spot, amount, player: None, chips: Vec::new() }
            }
            Next::Ask { hand, about } => return self.asks(hand, about),
            Next::Reveal { at } => Event::Reveal { at, card: None },
            Next::Collect { hand, amount, spot } => Event::Collect { hand, amount, spot },
            Next::Pay { hand, amount, spot } => Event::Pay { hand, amount, spot },
            Next::Move { from, to } => moved(from, to, None),
            Next::End {} => Event::End {},
            Next::Shuffle {} => Event::Shuffle { decks: 2, cards: 104 },
            Next::OfferCut {} | Next::Cut {} | Next::Load {} | Next::Bank { .. } | Next::Bet { chips: None } => {
                return Vec::new();
            }
        }]
    }

    /// A question, and what the bettor answers: by his cards, and the bold one doubles, opens and insures.
    fn asks(&self, hand: HandId, about: Question) -> Vec<Event> {
        let says = |choice| Event::Decide { hand, choice, by: None };
        let of = self.table.state().pass.hand(hand);
        let points = of.and_then(|hand| hand.points()).unwrap_or(21);
        let takes = |choice| says(if self.bold { choice } else { Choice::Decline });
        let mut events = vec![Event::Ask { hand, about }];
        events.push(match about {
            Question::Insurance => takes(Choice::Insure),
            Question::Double => takes(Choice::Double),
            Question::Split => takes(Choice::Split),
            Question::Surrender => says(Choice::Decline),
            Question::Ace => Event::Ace { hand, value: if points > 16 { 11 } else { 1 }, by: None },
            Question::Card => {
                // where doubling is not asked about, it is a bettor's own word
                let doubles = self.bold
                    && !self.table.settings().double.is_offered
                    && of.is_some_and(|hand| hand.may_be_doubled(self.table.settings()))
                    && (9..12).contains(&points);
                says(if doubles {
                    Choice::Double
                } else if points < 14 {
                    Choice::Hit
                } else {
                    Choice::Stand
                })
            }
        });
        if about == Question::Insurance && self.bold {
            let amount = of.map_or(0, |hand| self.table.settings().insured(hand.stake));
            events.push(Event::Bet { hand, spot: BetSpot::Insurance, amount, player: None, chips: Vec::new() });
        }
        events
    }

    /// A card comes for a place.
    pub(super) fn draws(&mut self, to: Place) -> Event {
        Event::Draw { card: self.deck.remove(0), to: Some(to), face: None }
    }

    /// The next card has come.
    pub(super) fn loses_card(&mut self) {
        self.deck.remove(0);
    }

    /// Cards go back into the shoe: they are the next to come.
    fn puts_back(&mut self, place: Place, cards: usize) -> Vec<Event> {
        let lying = self.table.state().pass.lying_at(place);
        let misdealt: Vec<Card> = lying.iter().filter(|held| held.misdealt).map(|held| held.card).collect();
        let back = misdealt[misdealt.len().saturating_sub(cards)..].to_vec();
        self.deck.splice(0..0, back);
        vec![moved(place, Place::Shoe, Some(cards))]
    }
}

pub(super) fn moved(from: Place, to: Place, cards: Option<usize>) -> Event {
    Event::Move { from, to, cards: cards.map(Moved::Count) }
}
