//! Corrections and late entries: the history as somebody says that it really was, judged again from its first line.
//! What is told is the difference.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::facts::found::{Effect, Finding, Part, State};
use crate::facts::house::{House, begins_in_mid_pass};
use crate::houses::Regulation;
use crate::judge::{Court, breach, is_of_pass};
use crate::log::{Event, Header, Kind, MISTAKE, Place};
use crate::unseen::WAYS;

/// An event of the history as it stands.
#[derive(Clone)]
struct Told {
    /// The line by which a correction names it.
    line: usize,
    /// The line after which it was put in.
    after: Option<usize>,
    event: Event,
    is_struck: bool,
}

/// The history, and which event a correction put in.
#[derive(Clone, Default)]
struct History {
    told: Vec<Told>,
    put_in: BTreeMap<usize, usize>,
}

/// Judges a log with its corrections: the court at its end, and what was answered.
pub fn judge<'a>(regulation: &'a Regulation, header: &'a Header, log: &[Event]) -> (Court<'a>, Vec<Value>) {
    let (mut court, mut answers) = (Court::new(regulation, header), Vec::new());
    let house = &regulation.house;
    let (mut history, mut heard) = (History::default(), History::default());
    for event in log {
        let changed = match event.kind {
            Kind::Correct => history.corrected(house, event),
            Kind::Move => history.taken_back(&court, event),
            Kind::Device => history.seen_again(event),
            Kind::Draw | Kind::End => history.begun_before(house, event),
            _ => None,
        };
        if let Some(changed) = changed {
            let (again, anew) = changed.judged(&court);
            answers.extend(differences(&court, &again, event));
            (history, heard, court) = (changed, anew, again);
        } else {
            let told = Told { line: event.line, after: None, event: event.clone(), is_struck: false };
            answers.extend(heard.hear(&mut court, &told));
            history.told.push(told);
        }
    }
    (court, answers)
}

impl History {
    /// The whole history judged afresh, and as it was heard; what was told before keeps its number.
    fn judged<'a>(&self, told: &Court<'a>) -> (Court<'a>, Self) {
        let (mut court, mut heard) = (self.court(told), Self::default());
        for told in self.told.iter().filter(|told| !told.is_struck) {
            heard.hear(&mut court, told);
        }
        court.number_anew(told.names.len());
        (court, heard)
    }

    /// The court before the first event, which has told what this one has.
    fn court<'a>(&self, told: &Court<'a>) -> Court<'a> {
        let mut court = told.afresh();
        court.begun_before = self.begins_in_mid_pass(&told.regulation.house);
        court
    }

    /// One event more, and the answers to it: a choice that comes late is heard before the card that it provides for.
    fn hear(&mut self, court: &mut Court, told: &Told) -> Vec<Value> {
        let event = &told.event;
        let is_choice = event.is_choice();
        if let Some((again, changed)) = is_choice.then(|| self.explained(court, event)).flatten() {
            let answers = differences(court, &again, event);
            (*court, *self) = (again, changed);
            return answers;
        }
        let house = &court.regulation.house;
        let before = (!house.sees("bets") && house.sees("decisions")).then(|| court.clone());
        self.told.push(told.clone());
        let answers = court.hear(event.clone());
        let is_found = |answer: &Value| answer["out"] == "finding";
        let Some(before) = before.filter(|_| answers.iter().any(is_found)) else { return answers };
        let Some((again, changed)) = self.otherwise(court) else { return answers };
        (*court, *self) = (again, changed);
        differences(&before, court, event)
    }

    /// The same with a card that was taken for a double's taken for another, where fewer and no others are accused so.
    fn otherwise<'a>(&self, court: &Court<'a>) -> Option<(Court<'a>, Self)> {
        let is_its = |at: &usize, event: &Event| event.line == self.told[*at].line;
        let is_doubled = |at: &usize| court.events.iter().any(|event| event.kind == Kind::Bet && is_its(at, event));
        let is_undue = |at: &usize| court.findings.iter().any(|found| is_its(at, &court.events[found.at]));
        let is_unasked = |at: &usize| self.told[*at].event.kind == Kind::Draw && (is_doubled(at) || is_undue(at));
        let told = (0..self.told.len()).rev().take_while(|at| self.told[*at].event.kind != Kind::End);
        let ways = told.filter(is_unasked).flat_map(|at| WAYS.map(|way| (at, way)));
        ways.filter(|(at, way)| *way == "split" || is_doubled(at)).find_map(|(at, way)| {
            let mut changed = self.clone();
            changed.told[at].event.word = way.to_owned();
            let again = changed.replayed(court);
            let is_old = |found: &Finding| court.findings.iter().any(|other| other.n == found.n);
            let is_milder = again.findings.len() < court.findings.len() && again.findings.iter().all(is_old);
            is_milder.then_some((again, changed))
        })
    }

    /// The history judged afresh as it was heard.
    fn replayed<'a>(&self, told: &Court<'a>) -> Court<'a> {
        let mut court = self.court(told);
        for told in &self.told {
            court.hear(told.event.clone());
        }
        court.number_anew(told.names.len());
        court
    }

    fn begins_in_mid_pass(&self, house: &House) -> bool {
        let told = self.told.iter().filter(|told| !told.is_struck);
        let events: Vec<Event> = told.map(|told| told.event.clone()).collect();
        !begins_in_mid_pass(house, &events).is_empty()
    }

    /// The history with its first card, or the end of a pass without one, which tells that what came before it was of a
    /// pass that began before the log.
    fn begun_before(&self, house: &House, draw: &Event) -> Option<Self> {
        let is_told = self.told.iter().any(|told| !told.is_struck && is_of_pass(&told.event));
        let has_drawn = self.told.iter().any(|told| !told.is_struck && told.event.kind == Kind::Draw);
        let mut changed = self.clone();
        changed.told.push(Told { line: draw.line, after: None, event: draw.clone(), is_struck: false });
        (is_told && !has_drawn && changed.begins_in_mid_pass(house)).then_some(changed)
    }

    /// The history in which a device has missed nothing: what it missed was told by now.
    fn seen_again(&self, event: &Event) -> Option<Self> {
        let device = event.device.clone().filter(|_| event.complete && event.word == "online")?;
        let is_its = |told: &Told| told.event.device.as_ref() == Some(&device);
        let last = self.told.iter().rposition(|told| is_its(told) && told.event.word == "online").unwrap_or(0);
        let missed = (last..self.told.len()).filter(|at| is_its(&self.told[*at]) && self.told[*at].event.blinds());
        // who is away until now tells of all that time
        let lasts = |at: &usize| self.may_change(*at + 1) || self.told[*at].event.word == "offline";
        let missed: Vec<usize> = missed.filter(lasts).collect();
        if missed.is_empty() {
            return None;
        }
        let mut changed = self.clone();
        missed.into_iter().for_each(|at| changed.told[at].event.complete = true);
        changed.told.push(Told { line: event.line, after: None, event: event.clone(), is_struck: false });
        Some(changed)
    }

    /// The history in which a card that is burned or put back at once came by mistake, to where it is taken from: where
    /// bets, places or choices are not seen, and nobody was accused of it.
    fn taken_back(&self, court: &Court, event: &Event) -> Option<Self> {
        let view = court.view();
        let last = self.told.last().filter(|told| !told.is_struck && told.event.kind == Kind::Draw)?;
        let draw = view.now.checked_sub(1).filter(|at| view.events[*at].line == last.line)?;
        let goes_back = matches!(event.to, Some(Place::Burn | Place::Shoe));
        let is_unseen = ["bets", "places", "decisions"].iter().any(|sight| !view.sees(sight));
        let told = view.at(view.events.iter().position(|event| event.line == last.line)?);
        let is_it = || match view.sees("places") {
            true => {
                let is_due = (view.house.plan.is_due)(&told);
                !is_due && view.with(event, |then| then.at(view.now).taken() == [draw])
            }
            false => view.events[draw].place.is_some(),
        };
        if !goes_back || !is_unseen || view.findings.iter().any(|found| found.at == draw) || !is_it() {
            return None;
        }
        let mut changed = self.clone();
        let told = changed.told.last_mut()?;
        (told.event.word, told.event.place) = (MISTAKE.to_owned(), event.place);
        changed.told.push(Told { line: event.line, after: None, event: event.clone(), is_struck: false });
        Some(changed)
    }

    /// The history as a correction would have it, if it may.
    fn corrected(&self, house: &House, correct: &Event) -> Option<Self> {
        let (line, after, event) = &correct.corrects;
        let barred =
            |kind: Kind| [Kind::Authorize, Kind::Rule, Kind::Report, Kind::Device, Kind::Correct].contains(&kind);
        let named = (*line).or(*after)?;
        let named = self.put_in.get(&named).copied().unwrap_or(named);
        let at = self.told.iter().position(|told| told.line == named && !told.is_struck);
        // before all that is told comes the header
        let next = at.map(|at| at + 1).or((*after == Some(1)).then_some(0))?;
        let may = house.list("may_correct").contains(&correct.role) && self.may_change(next);
        let changes = line.and(at);
        let is_barred = changes.is_some_and(|at| barred(self.told[at].event.kind));
        if !may || is_barred || event.as_ref().is_some_and(|event| barred(event.kind)) {
            return None;
        }
        let mut changed = self.clone();
        match (changes, event) {
            (Some(at), Some(event)) => {
                changed.told[at].event = Event { line: changed.told[at].event.line, ..(**event).clone() };
                changed.put_in.insert(correct.line, named);
            }
            (Some(at), None) => changed.told[at].is_struck = true,
            (None, Some(event)) => {
                let event = Event { line: correct.line, ..(**event).clone() };
                let later = changed.told[next..].iter().take_while(|told| told.after == Some(named)).count();
                let told = Told { line: correct.line, after: Some(named), event, is_struck: false };
                changed.told.insert(next + later, told);
            }
            (None, None) => return None,
        }
        Some(changed)
    }

    /// Since the last `end` but one, until the next pass's first card.
    fn may_change(&self, next: usize) -> bool {
        let ends = |told: &&Told| !told.is_struck && told.event.kind == Kind::End;
        let later = &self.told[next..];
        let Some(end) = later.iter().position(|told| ends(&told)) else { return true };
        let is_next = |told: &&Told| !told.is_struck && told.event.kind == Kind::Draw;
        later.iter().filter(ends).count() == 1 && !later[end..].iter().any(|told| is_next(&told))
    }

    /// The history with a choice before the card that it provides for, where it came late and nothing was drawn or
    /// burned since.
    fn explained<'a>(&self, court: &Court<'a>, choice: &Event) -> Option<(Court<'a>, Self)> {
        let house = &court.regulation.house;
        let is_card = |told: &Told| {
            let event = &told.event;
            let is_burn = event.kind == Kind::Move && event.to == Some(Place::Burn);
            !told.is_struck && (event.kind == Kind::Draw || is_burn)
        };
        let at = self.told.iter().rposition(is_card)?;
        let card = court.events.iter().rfind(|event| event.line == self.told[at].event.line)?;
        let undue = |court: &Court| {
            let finds = |found: &Finding| {
                let is_undue = ["C5", "G24", house.silent].contains(&found.what.provision.as_str())
                    && found.what.effect == Effect::Misdealt;
                is_undue && court.events[found.at].line == card.line && found.is_open()
            };
            court.findings.iter().any(|found| finds(found) && found.ruled.is_none())
        };
        // a card that went nowhere in particular may have been for him who chose
        let place = card.place.or(choice.place);
        let is_served = place.is_some_and(|place| {
            let view = court.view();
            view.is_split(place) || view.dealt(place).len() >= 2
        });
        if !house.yes("late_entries") || !is_served || card.kind != Kind::Draw || place != choice.place || !undue(court)
        {
            return None;
        }
        let mut changed = self.clone();
        // what else was chosen for the hand since the card is made before it too
        let chooses = |told: &Told| told.event.is_choice() && told.event.place == choice.place && !told.is_struck;
        let (chosen, rest): (Vec<Told>, Vec<Told>) = changed.told.split_off(at).into_iter().partition(chooses);
        let choice = Told { line: choice.line, after: None, event: choice.clone(), is_struck: false };
        changed.told.extend(chosen.into_iter().chain([choice]).chain(rest));
        let again = changed.replayed(court);
        // the choice must provide for the card: nothing is found about it instead, but that it is still to be named, or
        // that the chips of a double are missing
        let is_beside =
            |found: &Finding| matches!(found.what.remedy[..], [Part::Identify(_) | Part::ReturnBet(_, "double", ..)]);
        let about = |court: &Court| {
            let about = court.findings.iter().filter(|found| court.events[found.at].line == card.line);
            about
                .filter(|found| !is_beside(found))
                .map(|found| (found.what.provision.clone(), found.what.place))
                .collect::<Vec<_>>()
        };
        let told = about(court);
        let is_explained = !undue(&again) && about(&again).iter().all(|found| told.contains(found));
        is_explained.then_some((again, changed))
    }
}

/// What judging again changes of what was told.
fn differences(told: &Court, again: &Court, by: &Event) -> Vec<Value> {
    let line = by.line;
    let find = |court: &Court, n: usize| court.findings.iter().find(|finding| finding.n == n).cloned();
    let gone = told.findings.iter().filter(|finding| find(again, finding.n).is_none());
    // a card that could not be read, and that its line tells now
    let names = |event: &Event| event.kind == Kind::Draw && event.card.is_some_and(|card| card.rank > 0);
    let is_named = |finding: &&Finding| {
        let is_unread = finding.what.remedy.iter().any(|part| matches!(part, Part::Identify(_)));
        let at = told.events[finding.at].line;
        is_unread && again.events.iter().any(|event| event.line == at && names(event))
    };
    let (named, withdrawn): (Vec<&Finding>, Vec<&Finding>) = gone.partition(is_named);
    let withdrawn = withdrawn.iter().map(|finding| json!({"out": "withdrawn", "finding": finding.n, "line": line}));
    let mut answers: Vec<Value> = withdrawn.collect();
    let burns = |event: &&Event| event.kind == Kind::Move && matches!(event.to, Some(Place::Burn | Place::Shoe));
    let burned = again.events.iter().filter(burns).map(|event| event.line).max();
    for finding in &again.findings {
        let was = find(told, finding.n);
        if was.is_none() {
            let mut answer = finding.answer(&again.events);
            let of = again.events[finding.at].line;
            answer["line"] = json!(line);
            if of != line || by.kind == Kind::Correct {
                answer["of"] = json!(of);
            }
            // what may have been burned since is named no more
            if burned.is_some_and(|burned| burned > of) {
                answer.as_object_mut().map(|fields| fields.remove("cards"));
            }
            answers.push(answer);
        }
    }
    let named = named.iter().filter(|finding| finding.is_open());
    answers.extend(named.map(|finding| json!({"out": "cleared", "finding": finding.n, "line": line})));
    for finding in &again.findings {
        let was = find(told, finding.n);
        if was.is_none_or(|was| was.state != finding.state) {
            match finding.state {
                State::Open => {}
                State::Cleared => answers.push(json!({"out": "cleared", "finding": finding.n, "line": line})),
                State::Breached => answers.push(breach(finding.n, line, &finding.missing)),
            }
        }
    }
    // an account that is gone although the end at which it was told still stands
    let has_ended = |account: &Value| {
        again.events.iter().any(|event| event.kind == Kind::End && account["line"] == json!(event.line))
    };
    let gone = told.settled.iter().filter(|(bet, _)| !again.settled.contains_key(bet));
    for (_, account) in gone.filter(|(_, account)| has_ended(account)) {
        let mut account = account.clone();
        let nothing = json!({"line": line, "outcome": "void", "stake": 0, "pay": 0, "lost": 0});
        for (field, value) in nothing.as_object().into_iter().flatten() {
            account[field] = value.clone();
        }
        answers.push(account);
    }
    // as at an `end`: box by box, the main bet first
    let mut settled: Vec<_> = again.settled.iter().collect();
    settled.sort_by_key(|((pass, hand, spot), _)| (*pass, hand, spot != "main"));
    for (bet, account) in settled {
        let same = |was: &Value| without_line(was) == without_line(account);
        if !told.settled.get(bet).is_some_and(same) {
            let mut account = account.clone();
            account["line"] = json!(line);
            answers.push(account);
        }
    }
    answers
}

fn without_line(account: &Value) -> Value {
    let mut account = account.clone();
    account["line"] = Value::Null;
    account
}
