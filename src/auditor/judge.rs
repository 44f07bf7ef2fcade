//! Event by event: what is found, what is cleared, what is breached, and at `end` the accounts.

use serde_json::{Value, json};

use crate::facts::View;
use crate::houses::House;
use crate::log::{Event, Header, Kind};
use crate::money::account;
use crate::rows::{Finding, Found, Part, State};

/// What is answered at each event, and what was found in all.
pub struct Judgement {
    /// The index of the event, and an answer to it.
    pub answers: Vec<(usize, Value)>,
    /// Everything found.
    pub findings: Vec<Finding>,
    /// How many passes began.
    pub passes: usize,
}

/// Judges a whole history as it stands. It knows nothing of corrections.
pub fn judge(house: &House, header: &Header, log: &[Event]) -> Judgement {
    let mut events = log.to_vec();
    let (mut findings, mut answers): (Vec<Finding>, Vec<(usize, Value)>) = (Vec::new(), Vec::new());
    let unseen = begins_in_mid_pass(house, &events);
    for now in 0..events.len() {
        if unseen.contains(&now) {
            if now == unseen.start {
                let what = Found { provision: "C20".to_owned(), ..Found::new().notice() };
                findings.push(Finding {
                    n: findings.len() + 1,
                    at: now,
                    pass: 0,
                    what,
                    state: State::Open,
                    ruled: None,
                });
                answers.push((now, findings[findings.len() - 1].answer(&events)));
            }
            continue;
        }
        place_card(house, header, &mut events, now, &findings);
        rule(house, header, &events, now, &mut findings);
        find(house, header, &events, now, &mut findings);
        let fresh = findings.iter().filter(|finding| finding.at == now);
        answers.extend(fresh.map(|finding| (now, finding.answer(&events))));
        answers.extend(follow(house, header, &events, now, &mut findings).into_iter().map(|answer| (now, answer)));
        if events[now].kind == Kind::End {
            let view = View::new(house, header, &events, now, &findings);
            answers.extend(settle(&view).into_iter().map(|answer| (now, answer)));
        }
    }
    let passes = View::new(house, header, &events, events.len(), &findings).pass_number();
    Judgement { answers, findings, passes }
}

/// From the first draw of a log that begins in the middle of a pass to its first end nothing is judged.
fn begins_in_mid_pass(house: &House, events: &[Event]) -> std::ops::Range<usize> {
    let first = |kinds: &[Kind]| events.iter().position(|event| kinds.contains(&event.kind)).unwrap_or(events.len());
    let begins = first(&[Kind::Draw]);
    if !house.sees("bets") || first(&[Kind::Load, Kind::Bet]) < begins {
        return 0..0;
    }
    begins
        ..events[begins..].iter().position(|event| event.kind == Kind::End).map_or(events.len(), |end| begins + end + 1)
}

/// A card goes where one is due, unless it was seen to go elsewhere.
fn place_card(house: &House, header: &Header, events: &mut [Event], now: usize, findings: &[Finding]) {
    if events[now].kind == Kind::Draw && events[now].place.is_none() {
        let view = View::new(house, header, events, now, findings);
        let place = (house.due)(&view);
        events[now].place = place;
    }
}

/// The room decides a finding: the one it names, the only one that waits for it, or the only open one.
fn rule(house: &House, header: &Header, events: &[Event], now: usize, findings: &mut [Finding]) {
    let event = &events[now];
    if event.kind != Kind::Rule || !house.list("may_rule").contains(&event.role) {
        return;
    }
    let Some(n) = reached(&View::new(house, header, events, now, findings)) else { return };
    if let Some(finding) = findings.iter_mut().find(|finding| finding.n == n) {
        finding.ruled = Some((event.word.clone(), now));
    }
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
        "lose" => meant.what.place.is_some_and(|place| place.number().is_some()),
        "resume" => !is_remedied,
        _ => true,
    };
    applies.then_some(meant.n)
}

/// Row by row: a row sees what those above it found at the same event.
fn find(house: &House, header: &Header, events: &[Event], now: usize, findings: &mut Vec<Finding>) {
    for row in house.rows.iter().filter(|row| row.on.contains(&events[now].kind)) {
        if !row.needs.iter().all(|sight| house.sees(sight)) {
            continue;
        }
        let view = View::new(house, header, events, now, findings);
        let found = (row.find)(&view);
        let pass = if found.is_empty() { 0 } else { view.pass_number() };
        for mut what in found {
            if what.provision.is_empty() {
                row.provision.clone_into(&mut what.provision);
            }
            let n = findings.len() + 1;
            findings.push(Finding { n, at: now, pass, what, state: State::Open, ruled: None });
        }
    }
}

/// What the event clears and breaches of what is open.
fn follow(house: &House, header: &Header, events: &[Event], now: usize, findings: &mut [Finding]) -> Vec<Value> {
    let (mut states, mut answers) = (Vec::new(), Vec::new());
    let then = View::new(house, header, events, now + 1, findings);
    let (before, is_end) = (then.at(now), events[now].kind == Kind::End);
    let line = events[now].line;
    let begun = then.at(now).pass().start;
    let is_given_up = before.voided_at().is_some() || then.voided_at().is_some() && !is_end;
    for (at, finding) in findings.iter().enumerate().filter(|(_, finding)| finding.is_open()) {
        // at `end` the pass is looked at as it was before it
        let mut missing = finding.missing(if is_end { &before } else { &then });
        let lies = |part: &Part| !matches!(part, Part::ReturnBet(place, spot, ..) if before.chips(*place, spot) == 0);
        missing.retain(|part| !is_end || lies(part));
        let is_decided = finding.ruled.as_ref().is_some_and(|(_, ruled)| *ruled == now);
        if missing.is_empty() || is_decided || is_given_up && finding.at >= begun {
            states.push((at, State::Cleared));
            answers.push(json!({"out": "cleared", "finding": finding.n, "line": line}));
        } else if is_end && (finding.at < now || before.has(|event| event.kind == Kind::Bet))
            || finding.at < now && (finding.what.breaks)(&before, finding)
        {
            states.push((at, State::Breached));
            let missing: Vec<Value> = missing.iter().map(Part::answer).collect();
            answers.push(json!({"out": "breach", "finding": finding.n, "line": line, "missing": missing}));
        }
    }
    for (at, state) in states {
        findings[at].state = state;
    }
    answers
}

/// What each bet of the pass was owed.
fn settle(view: &View) -> Vec<Value> {
    let answer = |hand, spot: &str| {
        let account = account(view, hand, spot, true)?;
        let mut answer = json!({
            "out": "settle", "line": view.event().line, "pass": view.pass_number(), "box": hand.to_string(),
            "spot": spot, "outcome": account.outcome, "stake": account.stake,
        });
        if account.outcome != "unknown" {
            answer["pay"] = json!(account.pay);
            answer["lost"] = json!(account.lost);
        }
        Some(answer)
    };
    let hands = crate::money::accounted(view);
    hands.into_iter().flat_map(|hand| [answer(hand, "main"), answer(hand, "insurance")]).flatten().collect()
}
