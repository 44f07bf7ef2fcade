//! What was found, as data: how grave it is, what must be done about it, what it changes, and what became of it.

use serde_json::{Value, json};

use super::View;
use crate::log::{Card, Event, Place};

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing need be done.
    Notice,
    /// Something must be put right.
    Irregularity,
    /// Cards or equipment cannot be trusted.
    Integrity,
}

/// What a finding changes in the facts, until the room says that what lies, lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// The card drawn there counts for nothing.
    Misdealt,
    /// The bet or decision made there changes nothing.
    Ignored,
    /// The place's bet is void; without a place every bet of the pass.
    Void,
    /// The place's bet takes no part until it is put right.
    Refused,
    /// The cards moved there no longer count.
    Lost,
    /// The hand's stake is lost.
    NoClaim,
}

/// One part of a remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// These drawn cards of a place go to the burn tray.
    Burn(Place, Vec<usize>),
    /// These drawn cards of a place go back to the shoe.
    PutBack(Place, Vec<usize>),
    /// The bet is without effect from now on.
    VoidBet(Place),
    /// Of a spot no more is left than may lie there: nothing, or an amount in the range.
    ReturnBet(Place, &'static str, u64, u64),
    /// A card goes there.
    Serve(Place),
    /// This is authorised.
    Authorize(&'static str),
    /// This is announced.
    Announce(&'static str),
    /// The bettor is asked whether the delivery is to be completed.
    AskConsent(Place),
    /// The bettor takes one of these.
    Offer(Place, &'static [&'static str]),
    /// The bettor collects at once; with an amount, so much is taken back from him.
    Collect(Place, &'static str, Option<i64>),
    /// So much is still to be given to the bettor.
    Pay(Place, &'static str, i64),
    /// The card is named.
    Identify(Place),
    /// The room decides.
    Rule,
}

impl Part {
    /// As it stands in an answer.
    pub fn answer(&self) -> Value {
        match self {
            Self::Burn(place, cards) => json!({"do": "burn", "place": place.to_string(), "cards": cards.len()}),
            Self::PutBack(place, cards) => {
                json!({"do": "put_back", "place": place.to_string(), "cards": cards.len()})
            }
            Self::VoidBet(place) => json!({"do": "void_bet", "box": place.to_string()}),
            Self::ReturnBet(place, ..) => json!({"do": "return_bet", "box": place.to_string()}),
            Self::Serve(place) => json!({"do": "serve", "to": place.to_string()}),
            Self::Authorize(what) => json!({"do": "authorize", "what": what}),
            Self::Announce(what) => json!({"do": "announce", "what": what}),
            Self::AskConsent(place) => json!({"do": "ask_consent", "box": place.to_string()}),
            Self::Offer(place, options) => json!({"do": "offer", "box": place.to_string(), "options": options}),
            Self::Collect(place, _, None) => json!({"do": "collect", "box": place.to_string()}),
            Self::Collect(place, _, Some(amount)) => {
                json!({"do": "collect", "box": place.to_string(), "amount": amount})
            }
            Self::Pay(place, _, amount) => json!({"do": "pay", "box": place.to_string(), "amount": amount}),
            Self::Identify(place) => json!({"do": "identify", "place": place.to_string()}),
            Self::Rule => json!({"do": "rule"}),
        }
    }

    /// The sight by which it is seen to be done; none where every table sees it.
    pub fn seen_by(&self) -> Option<&'static str> {
        match self {
            Self::Burn(..) | Self::PutBack(..) => Some("moves"),
            Self::ReturnBet(..) | Self::Collect(..) | Self::Pay(..) => Some("bets"),
            Self::AskConsent(_) | Self::Offer(..) => Some("decisions"),
            Self::Serve(_) => Some("cards"),
            _ => None,
        }
    }
}

/// What a row found at an event.
#[derive(Debug, Clone)]
pub struct Found {
    /// The row's provision.
    pub provision: String,
    /// The place that it is about.
    pub place: Option<Place>,
    /// How grave it is.
    pub severity: Severity,
    /// Face-up cards that it names, at a draw the one drawn.
    pub cards: Vec<Card>,
    /// What must be done.
    pub remedy: Vec<Part>,
    /// What it changes in the facts.
    pub effect: Effect,
    /// A spot on which chips that are laid later are refused too.
    pub refuses: Option<(Place, &'static str)>,
    /// Seat and player that it names.
    pub seated: Option<(u64, String)>,
    /// What the bank was to give and gave, net.
    pub money: Option<(i64, i64)>,
    /// What it was to give is not known, and is no more than that.
    pub is_at_most: bool,
    /// The equipment that it names.
    pub device: Option<String>,
    /// The words of a report.
    pub note: Option<String>,
    /// Whether the event now cannot come before the rest of the remedy; `end` never can.
    pub breaks: fn(&View, &Finding) -> bool,
}

impl Found {
    /// About no place.
    pub fn new() -> Self {
        Self {
            provision: String::new(),
            place: None,
            severity: Severity::Irregularity,
            cards: Vec::new(),
            remedy: Vec::new(),
            effect: Effect::None,
            refuses: None,
            seated: None,
            money: None,
            is_at_most: false,
            device: None,
            note: None,
            breaks: |_, _| false,
        }
    }

    /// About a place.
    pub fn at(place: Place) -> Self {
        Self { place: Some(place), ..Self::new() }
    }

    /// A notice: nothing need be done.
    pub fn notice(self) -> Self {
        Self { severity: Severity::Notice, ..self }
    }

    /// Of this severity.
    pub fn integrity(self) -> Self {
        Self { severity: Severity::Integrity, ..self }
    }

    /// With this to be done, after what is to be done already.
    pub fn demands(mut self, parts: impl IntoIterator<Item = Part>) -> Self {
        self.remedy.extend(parts);
        self
    }

    /// With this change of the facts.
    pub fn with(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// Whether cards are to go where nobody may learn which they are.
    pub fn hides_cards(&self) -> bool {
        self.remedy.iter().any(|part| matches!(part, Part::Burn(..) | Part::PutBack(..)))
    }
}

impl Default for Found {
    fn default() -> Self {
        Self::new()
    }
}

/// What has become of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its remedy is not carried out, or it has none.
    Open,
    /// It is.
    Cleared,
    /// It was not in time.
    Breached,
}

/// Something found, numbered.
#[derive(Debug, Clone)]
pub struct Finding {
    /// From 1 on.
    pub n: usize,
    /// The event at which it was found.
    pub at: usize,
    /// The pass in which.
    pub pass: usize,
    /// What was found.
    pub what: Found,
    /// What has become of it.
    pub state: State,
    /// What was missing when it was breached.
    pub missing: Vec<Part>,
    /// What counts as done, though nobody could see it.
    pub unseen: Vec<Part>,
    /// What the room decided, at which event.
    pub ruled: Option<(String, usize)>,
}

impl Finding {
    /// Whether the room lets lie what lies.
    pub fn stands(&self) -> bool {
        self.ruled.as_ref().is_some_and(|(word, _)| word == "stands")
    }

    /// Whether the room has the pass go on.
    pub fn goes_on(&self) -> bool {
        self.ruled.as_ref().is_some_and(|(word, _)| word == "resume")
    }

    /// Whether something must still be done about it.
    pub fn is_open(&self) -> bool {
        self.state == State::Open && !self.what.remedy.is_empty()
    }

    /// Its answer.
    pub fn answer(&self, events: &[Event]) -> Value {
        let what = &self.what;
        let severity = match what.severity {
            Severity::Notice => "notice",
            Severity::Irregularity => "irregularity",
            Severity::Integrity => "integrity",
        };
        let mut answer = json!({
            "out": "finding", "n": self.n, "line": events[self.at].line, "pass": self.pass,
            "provision": what.provision, "severity": severity,
            "remedy": what.remedy.iter().map(Part::answer).collect::<Vec<_>>(),
        });
        let mut put = |field: &str, value: Option<Value>| {
            if let Some(value) = value {
                answer[field] = value;
            }
        };
        let cards: Vec<String> = what.cards.iter().map(Card::to_string).collect();
        // of a card that went nowhere no place is named
        let place = what.place.filter(|place| *place != Place::Shoe || events[self.at].place.is_some());
        put("box", place.map(|place| json!(place.to_string())));
        put("cards", (!cards.is_empty()).then(|| json!(cards)));
        put("seat", what.seated.as_ref().map(|(seat, _)| json!(seat)));
        put("player", what.seated.as_ref().map(|(_, player)| json!(player)));
        put("owed", what.money.filter(|_| !what.is_at_most).map(|(owed, _)| json!(owed)));
        put("done", what.money.map(|(_, done)| json!(done)));
        put("device", what.device.as_ref().map(|device| json!(device)));
        put("note", what.note.as_ref().map(|note| json!(note)));
        answer
    }
}
