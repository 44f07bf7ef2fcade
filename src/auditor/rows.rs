//! What a row of a house is, what it finds, and when what it demands is done.

use serde_json::{Value, json};

use crate::facts::View;
use crate::log::{Card, Event, Kind, Place};

/// One clause of a regulation.
pub struct Row {
    /// Its identifier in the catalogue.
    pub provision: &'static str,
    /// The kinds of events at which it can be broken.
    pub on: &'static [Kind],
    /// The sights without which it is not judged.
    pub needs: &'static [&'static str],
    /// What an event breaks of it, from the history before the event.
    pub find: fn(&View) -> Vec<Found>,
}

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

    /// The drawn card counts for nothing until the room lets it lie.
    pub fn for_the_room(place: Place) -> Self {
        Self::at(place).with(Effect::Misdealt).demands([Part::Rule])
    }

    /// The drawn card counts for nothing, and is to go where the house has such cards go.
    pub fn misdealt(self, view: &View) -> Self {
        let (place, card) = (target(view), vec![view.now]);
        let goes = match view.house.word("misdealt") {
            "burn" => Part::Burn(place, card),
            "back" => Part::PutBack(place, card),
            _ => Part::Rule,
        };
        let is_before_the_next = matches!(goes, Part::PutBack(..));
        let found = self.with(Effect::Misdealt).demands([goes]);
        if is_before_the_next { Self { breaks: |view, _| view.event().kind == Kind::Draw, ..found } } else { found }
    }

    /// Whether cards are to go where nobody may learn which they are.
    pub fn hides_cards(&self) -> bool {
        self.remedy.iter().any(|part| matches!(part, Part::Burn(..) | Part::PutBack(..)))
    }

    /// The drawn card is to be burned, and counts for nothing.
    pub fn burned(self, view: &View) -> Self {
        let place = target(view);
        self.with(Effect::Misdealt).demands([Part::Burn(place, vec![view.now])])
    }
}

impl Default for Found {
    fn default() -> Self {
        Self::new()
    }
}

/// This finding, or none.
pub fn found_if(is_found: bool, found: Found) -> Vec<Found> {
    is_found.then_some(found).into_iter().collect()
}

/// What a spot lacks or has too much of.
pub fn difference(hand: Place, spot: &'static str, owed: i64, done: i64) -> Found {
    let part =
        if owed > done { Part::Pay(hand, spot, owed - done) } else { Part::Collect(hand, spot, Some(done - owed)) };
    Found { money: Some((owed, done)), ..Found::at(hand).demands([part]) }
}

/// The place that the event is about; the shoe where it names none.
pub fn target(view: &View) -> Place {
    view.event().place.unwrap_or(Place::Shoe)
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

    /// The parts that are to be done by now: a consent, once given or refused, is followed by others.
    pub fn parts(&self, view: &View) -> Vec<Part> {
        let said = |place: Place| {
            (self.at..view.now).find(|&at| view.events[at].is(Kind::Consent, place)).map(|at| view.events[at].yes)
        };
        let follow = |part: &Part| match *part {
            Part::AskConsent(place) => match said(place) {
                Some(true) => vec![Part::Serve(place)],
                Some(false) => vec![Part::Burn(place, view.at(self.at).lying(place).to_vec()), Part::VoidBet(place)],
                None => vec![part.clone()],
            },
            _ => vec![part.clone()],
        };
        self.what.remedy.iter().flat_map(follow).collect()
    }

    /// The parts of the remedy that are still to be done.
    pub fn missing(&self, view: &View) -> Vec<Part> {
        let mut served = 0;
        let mut is_left = |part: &Part| match *part {
            Part::Serve(place) => {
                served += 1;
                // neither a card that came too early, nor one that goes back or waits for the room, serves anybody
                let is_no_service = |at: usize| {
                    let goes_back = |part: &Part| matches!(part, Part::PutBack(..));
                    let is_undue = |what: &Found| {
                        let waits = what.effect == Effect::Misdealt && what.remedy == [Part::Rule];
                        what.provision == "T-Q10" || waits || what.remedy.iter().any(goes_back)
                    };
                    let at = |found: &&Finding| found.at == at;
                    view.findings.iter().filter(at).any(|found| is_undue(&found.what) && !found.stands())
                };
                let drawn = (self.at + 1..view.now).filter(|at| view.events[*at].is(Kind::Draw, place));
                // what an earlier finding still asked for is served first
                let drawn = drawn.filter(|at| !is_no_service(*at)).count();
                served > drawn.saturating_sub(self.owed_before(view, place))
            }
            _ => !self.is_done(part, view),
        };
        // a hand without claim gets no card and chooses nothing any more
        let is_moot = |part: &Part| match part {
            Part::AskConsent(hand) | Part::Offer(hand, _) | Part::Serve(hand) => {
                view.has_no_claim(*hand) || view.is_ruled_lost(*hand)
            }
            _ => false,
        };
        let left = self.parts(view).into_iter();
        let left = left.filter(|part| is_left(part) && !is_moot(part) && !self.unseen.contains(part));
        left.map(|part| self.remaining(part, view)).collect()
    }

    /// How many cards for a place earlier findings still asked for when this was found.
    fn owed_before(&self, view: &View, place: Place) -> usize {
        let lacks = |found: &Finding| {
            let asked = found.what.remedy.iter().filter(|part| **part == Part::Serve(place)).count();
            let drawn = (found.at + 1..=self.at).filter(|at| view.events[*at].is(Kind::Draw, place)).count();
            asked.saturating_sub(drawn)
        };
        let is_earlier =
            |found: &&Finding| found.at < self.at && found.state != State::Breached && found.ruled.is_none();
        view.found().filter(is_earlier).map(lacks).sum()
    }

    /// Cards that are still to be burned, and money that is still to be moved: some of it may have been by now.
    fn remaining(&self, part: Part, view: &View) -> Part {
        if let Part::Burn(place, cards) = &part {
            let left = cards.iter().copied().filter(|draw| !view.is_gone(*draw, Place::Burn));
            return Part::Burn(*place, left.collect());
        }
        let (Part::Pay(place, spot, _) | Part::Collect(place, spot, Some(_)), Some((owed, _))) =
            (&part, self.what.money)
        else {
            return part;
        };
        match owed - view.done(*place, spot) {
            less if less < 0 => Part::Collect(*place, spot, Some(-less)),
            more => Part::Pay(*place, spot, more),
        }
    }

    fn is_done(&self, part: &Part, view: &View) -> bool {
        let since = |is: &dyn Fn(&Event) -> bool| view.since(self.at, is);
        match *part {
            Part::Burn(_, ref cards) => cards
                .iter()
                .all(|draw| view.is_gone(*draw, Place::Burn) || view.events[*draw].place == Some(Place::Burn)),
            Part::PutBack(_, ref cards) => cards.iter().all(|draw| view.is_gone(*draw, Place::Shoe)),
            Part::VoidBet(_) => true,
            Part::ReturnBet(place, spot, least, most) => {
                let is_changed = |event: &Event| event.is(Kind::Bet, place) && event.spot == spot;
                // of a range only multiples may lie
                let unit = if spot == "main" { view.house.figure("bet_multiple").max(1) } else { 1 };
                let may_lie =
                    |left: u64| (least..=most).contains(&left) && (least == most || left.is_multiple_of(unit));
                let was = view.at(self.at + 1).chips(place, spot);
                let (was_wrong, left) = (was > 0 && !may_lie(was), view.chips(place, spot));
                (left == 0 || may_lie(left)) && (was_wrong || since(&is_changed))
            }
            Part::Serve(_) => false,
            Part::Authorize(what) => self.authorized(view, what).is_some(),
            Part::Announce(what) => {
                let granted = self.authorized(view, "next_cards_for_bank").unwrap_or(0);
                view.since(granted.max(self.at), |event| event.kind == Kind::Announce && event.word == what)
            }
            Part::AskConsent(_) => false,
            Part::Offer(place, _) => since(&|event| event.is(Kind::Choose, place)),
            Part::Collect(place, _, None) => since(&|event| event.is(Kind::Pay, place)),
            Part::Collect(place, spot, _) | Part::Pay(place, spot, _) => {
                self.what.money.is_some_and(|(owed, _)| view.done(place, spot) == owed)
            }
            Part::Identify(_) => view.names().any(|(draw, _)| draw == self.at),
            // money that was put right needs no decision
            Part::Rule => {
                let place = self.what.place.unwrap_or(Place::Bank);
                self.what.money.is_some_and(|(owed, _)| view.done(place, "main") == owed)
            }
        }
    }

    /// The authorisation that serves this finding: one given before it serves one finding alone, the earliest first;
    /// one given afterwards serves all that wait for it.
    fn authorized(&self, view: &View, what: &'static str) -> Option<usize> {
        // what was breached for lack of it has used none
        let lacked = |finding: &Finding| finding.missing.contains(&Part::Authorize(what));
        let asks = |finding: &&Finding| finding.what.remedy.contains(&Part::Authorize(what)) && !lacked(finding);
        let used = view.findings.iter().take_while(|finding| finding.n < self.n).filter(asks).count();
        let before = granted(view, what).nth(used).filter(|at| *at < self.at);
        before.or_else(|| granted(view, what).find(|at| *at > self.at))
    }
}

/// The events that authorise something, by who may.
pub fn granted<'a>(view: &'a View, what: &'a str) -> impl Iterator<Item = usize> + 'a {
    let may = move |role: &str| match what {
        "shuffle" => ["inspector", "table_chief", "room"].contains(&role),
        _ => ["inspector", "room"].contains(&role),
    };
    let is = move |event: &Event| event.kind == Kind::Authorize && event.word == what && may(&event.role);
    (0..view.now).filter(move |&at| is(&view.events[at]))
}

/// Whether the room has a card served again that was burned, or put back, because of a finding that is withdrawn.
pub fn is_served_again(view: &View, place: Place) -> bool {
    let resumed = |found: &Finding| {
        let (decision, at) = found.ruled.as_ref()?;
        let is_taken = matches!(view.events[found.at].to, Some(Place::Burn | Place::Shoe));
        let is_card = is_taken && found.what.remedy == [Part::Rule];
        (decision == "resume" && is_card && found.what.place == Some(place)).then_some(*at)
    };
    view.found().filter_map(resumed).any(|at| !view.since(at, |event| event.is(Kind::Draw, place)))
}

/// The number of the finding that a ruling decides.
pub fn reached(view: &View) -> Option<usize> {
    let event = view.event();
    let is_undecided = |finding: &&Finding| finding.is_open() && finding.ruled.is_none();
    let waits = |finding: &&Finding| finding.what.remedy.contains(&Part::Rule);
    let open = || view.findings.iter().filter(is_undecided);
    let only = |mut found: Box<dyn Iterator<Item = &Finding> + '_>| match (found.next(), found.next()) {
        (Some(finding), None) => Some(finding.clone()),
        _ => None,
    };
    let meant = match event.finding {
        Some(n) => view.findings.iter().find(|finding| finding.n == n && finding.ruled.is_none()).cloned(),
        None if open().any(|finding| waits(&finding)) => only(Box::new(open().filter(waits))),
        None => only(Box::new(open())),
    }?;
    let is_remedied = !meant.what.remedy.is_empty() && !waits(&&meant);
    let applies = match event.word.as_str() {
        // a bet that is not there is neither returned nor lost
        "void" | "lose" if meant.what.place.is_some_and(|place| place.number().is_some()) => {
            meant.what.place.is_some_and(|place| view.has_bet_to_rule_on(place))
        }
        "lose" => false,
        "resume" => !is_remedied,
        _ => true,
    };
    applies.then_some(meant.n)
}
