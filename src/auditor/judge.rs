//! Event by event: what is found, what is cleared, what is breached, and at `end` the accounts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::facts::found::{Effect, Finding, Found, Part, Severity, State};
use crate::facts::house::{House, begins_in_mid_pass};
use crate::facts::{Memo, View};
use crate::houses::{Placed, Regulation};
use crate::log::{Card, Event, Header, Kind, MISTAKE, Place};
use crate::money::{account, owed};
use crate::rows::reached;
use crate::unseen::{self, UNSEEN};

/// Who judges, event by event, and what was found so far.
#[derive(Clone)]
pub struct Court<'a> {
    /// The regulation.
    pub regulation: &'a Regulation,
    /// The first line.
    pub header: &'a Header,
    /// The history as it stands: as told, or as corrected.
    pub events: Vec<Event>,
    /// Everything found in it.
    pub findings: Vec<Finding>,
    /// What each bet was owed by the last account of its pass.
    pub settled: BTreeMap<(u64, String, String), Value>,
    /// The names of all findings ever told, the first of them number 1.
    pub names: Vec<String>,
    /// Whether what is told before the first draw may be of a pass that began before the log did.
    pub begun_before: bool,
    memo: Memo,
}

impl<'a> Court<'a> {
    /// Before the first event.
    pub fn new(regulation: &'a Regulation, header: &'a Header) -> Self {
        let (events, findings, settled, names, begun_before, memo) = Default::default();
        Self { regulation, header, events, findings, settled, names, begun_before, memo }
    }

    /// The same before its first event, which has told what this one has.
    pub fn afresh(&self) -> Self {
        Self { names: self.names.clone(), ..Self::new(self.regulation, self.header) }
    }

    /// Findings that were never told leave no holes in the numbers after the first so many.
    pub fn number_anew(&mut self, told: usize) {
        let mut fresh: Vec<usize> = self.findings.iter().map(|found| found.n).filter(|n| *n > told).collect();
        fresh.sort_unstable();
        let names = fresh.iter().map(|n| self.names[n - 1].clone()).collect::<Vec<_>>();
        self.names.truncate(told);
        self.names.extend(names);
        for found in &mut self.findings {
            found.n = fresh.iter().position(|n| *n == found.n).map_or(found.n, |nth| told + nth + 1);
        }
    }

    fn house(&self) -> &'a House {
        &self.regulation.house
    }

    /// The history before the next event.
    pub fn view(&self) -> View<'_> {
        self.at(self.events.len())
    }

    /// The history before another event.
    fn at(&self, now: usize) -> View<'_> {
        View::new(self.house(), self.header, &self.events, now, &self.findings, &self.memo)
    }

    /// The answers to one event more.
    pub fn hear(&mut self, event: Event) -> Vec<Value> {
        self.events.push(event);
        // what was so before it may be seen otherwise from it
        self.memo.forget_from(self.events.len() - 1);
        self.place_card(self.events.len() - 1);
        for _ in 0..unseen::MOST {
            let Some(event) = unseen::before(&self.at(self.events.len() - 1)) else { break };
            self.events.insert(self.events.len() - 1, event);
        }
        let now = self.events.len() - 1;
        let unseen = begins_in_mid_pass(self.house(), &self.events);
        // what people and the equipment say of it is heard
        let is_said = |event: &Event| matches!(event.kind, Kind::Rule | Kind::Device | Kind::Report | Kind::Correct);
        let is_before = self.begun_before && now < unseen.start && self.events.iter().any(is_of_pass);
        if (is_before || unseen.contains(&now)) && !is_said(&self.events[now]) {
            let what = Found { provision: self.house().silent.to_owned(), ..Found::new().notice() };
            if now == unseen.start && self.events[now].kind == Kind::Draw {
                self.note(what, 0);
            }
            return self.name(now);
        }
        self.rule(now);
        let mut answers = self.let_pass(now);
        answers.extend(self.find(now));
        answers.extend(self.follow(now));
        if self.events[now].kind == Kind::End {
            let accounts = settle(&self.at(now));
            let word = |account: &Value, field: &str| account[field].as_str().unwrap_or_default().to_owned();
            for account in &accounts {
                let bet = (account["pass"].as_u64().unwrap_or(0), word(account, "box"), word(account, "spot"));
                self.settled.insert(bet, account.clone());
            }
            answers.extend(accounts);
        }
        answers
    }

    /// Row by row: a row sees what those above it found at the same event.
    fn find(&mut self, now: usize) -> Vec<Value> {
        let (house, kind) = (self.house(), self.events[now].kind);
        if self.events[now].word == MISTAKE {
            return Vec::new();
        }
        for Placed { row, is_added } in self.regulation.rows.iter().filter(|placed| placed.row.on.contains(&kind)) {
            let view = self.at(now);
            let lacking: Vec<_> = row.needs.iter().filter(|sight| !view.sees(sight)).collect();
            let is_told = |sight: &str| view.event().is_choice() && matches!(sight, "decisions" | "bets");
            if !lacking.iter().all(|sight| is_told(sight)) {
                continue;
            }
            let found = (row.find)(&view);
            let is_unheard = view.event().is_choice() && !view.sees("decisions");
            if is_unheard || !lacking.is_empty() {
                // a choice that is only told has no more effect than one that is heard
                if found.iter().any(|what| what.effect == Effect::Ignored) {
                    self.events[now].word = MISTAKE.to_owned();
                    self.memo.forget_from(now);
                }
                continue;
            }
            let pass = if found.is_empty() { 0 } else { view.pass_number() };
            let hears = view.sees("announcements");
            for what in found {
                let named =
                    [what.provision.as_str(), row.provision, house.silent].into_iter().find(|name| !name.is_empty());
                let provision = named.unwrap_or_default().to_owned();
                let is_same = |found: &Finding| {
                    found.at == now && (&found.what.provision, found.what.place) == (&provision, what.place)
                };
                // what a row of another text finds too is one finding
                let is_new = || house.added_as(&provision).is_some() && !self.findings.iter().any(is_same);
                if !house.has(&provision) || *is_added && !is_new() {
                    continue;
                }
                // unheard words need not be said
                let may_ask = |part: &Part| hears || !matches!(part, Part::Announce(_));
                let remedy = what.remedy.into_iter().filter(may_ask).collect();
                self.note(Found { provision, remedy, ..what }, pass);
            }
        }
        self.name(now)
    }

    /// Numbers what was found at the last event, article by article; what was told before keeps its number.
    fn name(&mut self, now: usize) -> Vec<Value> {
        let from = self.findings.iter().position(|finding| finding.at == now).unwrap_or(self.findings.len());
        let mut fresh = self.findings.split_off(from);
        let shown = shown(&self.at(now)).filter(|_| !fresh.iter().any(|finding| finding.what.hides_cards()));
        fresh.iter_mut().for_each(|finding| finding.what.cards.extend(shown));
        let house = self.house();
        fresh.sort_by_key(|finding| (rank(&finding.what.provision, house), finding.what.remedy.is_empty()));
        for mut finding in fresh {
            let what = &finding.what;
            let place = what.place.map(|place| place.to_string());
            let line = self.events[now].line;
            let name = |copy: usize| {
                format!("{} {place:?} {line} {:?} {:?} {copy}", what.provision, what.seated, what.severity)
            };
            let is_taken = |name: &String| self.findings.iter().any(|finding| self.names[finding.n - 1] == *name);
            let name = (0..).map(name).find(|name| !is_taken(name)).unwrap_or_default();
            let known = self.names.iter().position(|told| *told == name);
            finding.n = known.unwrap_or(self.names.len()) + 1;
            if known.is_none() {
                self.names.push(name);
            }
            self.findings.push(finding);
        }
        self.findings[from..].iter().map(|finding| finding.answer(&self.events)).collect()
    }

    /// Writes down what was found at the last event; it is numbered with all that is found there.
    fn note(&mut self, what: Found, pass: usize) {
        let at = self.events.len() - 1;
        let (n, state, ruled) = (usize::MAX, State::Open, None);
        let (missing, unseen) = Default::default();
        self.findings.push(Finding { n, at, pass, what, state, missing, unseen, ruled });
        self.memo.forget_from(at);
    }

    /// A card goes where one is due, unless it was seen to go elsewhere; without a bet nowhere.
    fn place_card(&mut self, now: usize) {
        let is_bet = |view: &View| !view.house.sees("bets") || view.has(|event| event.kind == Kind::Bet);
        if self.events[now].kind == Kind::Draw && self.events[now].place.is_none() && is_bet(&self.at(now)) {
            self.events[now].place = (self.house().plan.due)(&self.at(now));
        }
    }

    /// The room decides a finding: the one it names, the only one that waits for it, or the only open one.
    fn rule(&mut self, now: usize) {
        let event = &self.events[now];
        if event.kind != Kind::Rule || !self.house().list("may_rule").contains(&event.role) {
            return;
        }
        let Some(n) = reached(&self.at(now)) else { return };
        let word = event.word.clone();
        if let Some(finding) = self.findings.iter_mut().find(|finding| finding.n == n) {
            finding.ruled = Some((word, now));
            self.memo.forget_from(finding.at);
        }
    }

    /// What the event clears and breaches of what is open.
    fn follow(&mut self, now: usize) -> Vec<Value> {
        let followed = followed(&self.at(now + 1));
        self.note_followed(followed)
    }

    /// What the event clears because what nobody can see was done before it.
    fn let_pass(&mut self, now: usize) -> Vec<Value> {
        let passed = done_unseen(&self.at(now + 1));
        passed.iter().for_each(|(at, done)| self.findings[*at].unseen.extend(done.iter().cloned()));
        let mut cleared = followed(&self.at(now + 1));
        let is_passed = |at: usize| passed.iter().any(|(passed, done)| *passed == at && !done.is_empty());
        cleared.retain(|(at, state, ..)| *state == State::Cleared && is_passed(*at));
        self.note_followed(cleared)
    }

    fn note_followed(&mut self, followed: Vec<(usize, State, Vec<Part>, Value)>) -> Vec<Value> {
        let mut answers = Vec::new();
        for (at, state, missing, answer) in followed {
            (self.findings[at].state, self.findings[at].missing) = (state, missing);
            self.memo.forget_from(self.findings[at].at);
            answers.push(answer);
        }
        answers
    }
}

/// The card drawn at an event, where it lies face up for all to see; where it is not known who has which cards, only
/// one that was seen to.
fn shown(view: &View) -> Option<Card> {
    let event = view.event();
    let is_seen_up = event.face_down == Some(false) && view.sees("faces");
    let lies_up = event.face_down != Some(true) && !view.then().is_covered(view.now);
    let is_known = view.sees("hands") && !begins_in_mid_pass(view.house, view.events).contains(&view.now);
    let stays = event.kind == Kind::Draw && event.place != Some(Place::Burn);
    let is_shown = stays && lies_up && (is_seen_up || is_known);
    event.card.filter(|card| is_shown && card.rank > 0)
}

/// Where an article stands: by family and number as in the catalogue, then those that are added, and last the one for
/// what is not provided for.
fn rank(provision: &str, house: &House) -> (usize, usize) {
    const FAMILIES: [&str; 16] =
        ["M", "D", "F", "O", "C", "T-B", "T-S", "T-X", "T-P", "T-R", "T-T", "T-Q", "T-N", "G", "A", "K"];
    let (family, number) = provision.split_at(provision.find(|c: char| c.is_ascii_digit()).unwrap_or(provision.len()));
    let family = FAMILIES.iter().position(|known| *known == family).unwrap_or(FAMILIES.len());
    match (house.added_as(provision), number.parse().unwrap_or(0)) {
        (Some(nth), _) => (FAMILIES.len(), nth),
        (None, number) if number > 0 && provision != house.silent => (family, number),
        _ => (usize::MAX, 0),
    }
}

/// Whether an event is of the play, settlement, clearing or end of a pass.
pub fn is_of_pass(event: &Event) -> bool {
    matches!(event.kind, Kind::Ask | Kind::Decide | Kind::Ace | Kind::Reveal | Kind::Announce)
        || matches!(event.kind, Kind::Consent | Kind::Choose)
        || matches!(event.kind, Kind::Collect | Kind::Pay | Kind::Move | Kind::End)
}

/// Whether an event is one of dealing, play or settlement.
fn goes_on(event: &Event) -> bool {
    match event.kind {
        Kind::Draw | Kind::Ask | Kind::Decide | Kind::Ace | Kind::Reveal => true,
        Kind::Collect | Kind::Pay | Kind::End => true,
        Kind::Announce => event.word == "total",
        Kind::Bet => event.spot != "main",
        Kind::Move => event.to == Some(Place::Discard),
        _ => false,
    }
}

/// What counts as done by the event before `then`, because nobody can see it and the pass went on.
fn done_unseen(then: &View) -> Vec<(usize, Vec<Part>)> {
    let now = then.now - 1;
    let before = then.at(now);
    let is_unseen = |part: &Part| part.seen_by().is_some_and(|sight| !before.sees(sight));
    let open = then
        .findings
        .iter()
        .enumerate()
        .filter(|_| goes_on(&then.events[now]))
        .filter(|(_, finding)| finding.is_open() && finding.at < now);
    open.map(|(at, finding)| (at, finding.missing(&before).into_iter().filter(is_unseen).collect())).collect()
}

/// What becomes of open findings by the event before `then`: the finding, its state, what it lacks, and the answer.
fn followed(then: &View) -> Vec<(usize, State, Vec<Part>, Value)> {
    let now = then.now - 1;
    let (before, is_end, line) = (then.at(now), then.events[now].kind == Kind::End, then.events[now].line);
    let begun = before.pass().start;
    let is_given_up = before.voided_at().is_some() || then.voided_at().is_some() && !is_end;
    let is_left = |at: &usize| (then.events[*at].kind, &*then.events[*at].word) == (Kind::End, UNSEEN);
    let left = begun.checked_sub(1).filter(|at| !is_end && is_left(at));
    // an `end` of nothing ends no pass
    let has_pass = before.has(|event| matches!(event.kind, Kind::Bet | Kind::Draw));
    let is_too_late = |finding: &Finding| {
        left.is_some_and(|left| finding.at < left)
            || is_end && has_pass && (finding.at < now || before.has(|event| event.kind == Kind::Bet))
    };
    let mut followed = Vec::new();
    for (at, finding) in then.findings.iter().enumerate().filter(|(_, finding)| finding.is_open()) {
        let may_breach = finding.what.severity != Severity::Notice;
        // at `end` the pass is looked at as it was before it, and so is one that was left behind
        let last = left.filter(|left| finding.at < *left).map(|left| then.at(left));
        let mut missing = finding.missing(last.as_ref().unwrap_or(if is_end { &before } else { then }));
        // of what was said without chips no more lies there than may
        let lies = |part: &Part| match part {
            Part::ReturnBet(place, spot, least, most) => {
                let left = before.chips(*place, spot);
                left > 0 && !(least..=most).contains(&&left)
            }
            _ => true,
        };
        missing.retain(|part| !is_end || lies(part));
        let is_decided = finding.ruled.as_ref().is_some_and(|(_, ruled)| *ruled == now);
        let was_there = before.voided_at().is_none_or(|at| finding.at <= at);
        if missing.is_empty() || is_decided || is_given_up && finding.at >= begun && was_there {
            let mut cleared = json!({"out": "cleared", "finding": finding.n, "line": line});
            let is_inferred =
                |part: &&Part| finding.unseen.contains(part) || is_answered_unseen(then, finding.at, part);
            // a consent that nobody heard, and what follows one
            let mut parts = finding.what.remedy.clone();
            parts.extend(finding.parts(then).into_iter().filter(|part| !finding.what.remedy.contains(part)));
            let unseen = parts.iter().filter(|_| !is_given_up).filter(is_inferred);
            let mut unseen: Vec<Value> = unseen.map(|part| part.answer()["do"].clone()).collect();
            unseen.dedup();
            if !unseen.is_empty() {
                cleared["unseen"] = json!(unseen);
            }
            followed.push((at, State::Cleared, Vec::new(), cleared));
        } else if may_breach && (is_too_late(finding) || finding.at < now && (finding.what.breaks)(&before, finding)) {
            let breach = breach(finding.n, line, &missing);
            followed.push((at, State::Breached, missing, breach));
        }
    }
    followed
}

/// Whether an answer that a finding waits for was heard by nobody: it stands at the line of the event that tells of it.
fn is_answered_unseen(then: &View, from: usize, part: &Part) -> bool {
    let (kind, place) = match *part {
        Part::AskConsent(place) => (Kind::Consent, place),
        Part::Offer(place, _) => (Kind::Choose, place),
        _ => return false,
    };
    let answer = (from + 1..then.now).find(|at| then.events[*at].is(kind, place));
    answer.is_some_and(|at| then.events.get(at + 1).is_some_and(|next| next.line == then.events[at].line))
}

/// What a breach says.
pub fn breach(n: usize, line: usize, missing: &[Part]) -> Value {
    let missing: Vec<Value> = missing.iter().map(Part::answer).collect();
    json!({"out": "breach", "finding": n, "line": line, "missing": missing})
}

/// What each bet of the pass was owed.
fn settle(view: &View) -> Vec<Value> {
    let answer = |hand, spot: &str| {
        let mut account = account(view, hand, spot, true)?;
        // the second card of an insured ace comes before it can be a guess who has which
        let is_own = spot == "insurance" && view.house.is("insurance_when", "own_ace") && !view.is_split(hand);
        let knows_hands = if is_own { !view.is_blind("shoe") } else { view.sees("hands") };
        let is_unseen = !knows_hands || !view.sees("bets") && view.house.sees("bets");
        let is_decided = view.is_void(hand) || account.outcome == "surrender";
        // what had its chips before the bank decided anything is known
        let was_settled = |at| {
            let then = view.at(at);
            let moved = then.moved(hand, spot).next().filter(|moved| !view.at(*moved).bank_is_final());
            moved.is_some() && (owed(&then, hand, spot).is_some() || then.may_be_paid_early(hand))
        };
        if is_unseen && !is_decided && !view.unknown_from().is_some_and(was_settled) {
            account.outcome = "unknown";
        }
        let mut answer = json!({
            "out": "settle", "line": view.event().line, "pass": view.pass_number(), "box": hand.to_string(),
            "spot": spot, "outcome": account.outcome,
        });
        if !view.house.sees("bets") {
            return Some(answer);
        }
        answer["stake"] = json!(account.stake);
        if account.outcome != "unknown" {
            answer["pay"] = json!(account.pay);
            answer["lost"] = json!(account.lost);
        }
        Some(answer)
    };
    if !view.house.sees("bets") && !view.house.sees("places") {
        return Vec::new();
    }
    // of a bet that nobody saw while its device was away nobody knows the amount
    let is_unseen = |hand: Place| view.has(|event| event.says(Kind::Bet, hand.first_hand(), UNSEEN));
    let hands = crate::money::accounted(view).into_iter();
    let hands = hands.filter(|hand| !view.house.sees("bets") || !is_unseen(*hand));
    hands.flat_map(|hand| [answer(hand, "main"), answer(hand, "insurance")]).flatten().collect()
}
