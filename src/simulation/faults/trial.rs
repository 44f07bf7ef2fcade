//! A validator that is told everything beside one that is told it with faults. Which validator is not known here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::fault::{Fault, Kind, Table, Undo};
use crate::workload::Dealer;
use sabot_law::table::answer::{Finding, Settle};
use sabot_law::table::event::Ruling;
use sabot_law::table::{Answer, BetSpot, Cents, Event, HandId, LineNo, Name, Outcome, Remedy, Severity, event};

/// The most corrections and rulings that a pass is to be put right with.
const CORRECTIONS: usize = 2;

/// Why a pass was not put right.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unhealed {
    /// More was lost than the corrections can tell; with all of it told the pass is right.
    TooMuch {
        /// The accounts are true all the same.
        owed: bool,
    },
    /// A bet's account is not the true one.
    Account,
    /// Something is still found, under this provision.
    Found(&'static str),
}

impl fmt::Display for Unhealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMuch { owed: true } => {
                write!(f, "the accounts are true, and more was lost than {CORRECTIONS} tell")
            }
            Self::TooMuch { owed: false } => write!(f, "more was lost than {CORRECTIONS} corrections or rulings tell"),
            Self::Account => f.write_str("an account is not the true one"),
            Self::Found(provision) => write!(f, "{provision} is still found"),
        }
    }
}

/// What came of one pass with a fault and of the one after it.
#[derive(Debug, Clone, Serialize)]
pub struct Case {
    /// Which pass, from 1.
    pub pass: u64,
    /// What went wrong.
    #[serde(rename = "fault")]
    pub kind: Kind,
    /// What it hit first.
    #[serde(serialize_with = "as_debug")]
    pub hit: event::Kind,
    /// Its first line in the log with faults.
    pub first: LineNo,
    /// Its last line.
    pub last: LineNo,
    /// The last line of the pass after it.
    pub after: LineNo,
    /// Provisions of irregularities found though the book was kept, and still held at its end.
    pub accused: Vec<&'static str>,
    /// Those of irregularities found though the book was kept, and withdrawn before its end.
    pub suspected: Vec<&'static str>,
    /// A payment or collection was ordered, or a bet reckoned, that was not owed.
    pub wrong_payment: bool,
    /// A good bet was void.
    pub voided: bool,
    /// A bet's account could not be known.
    pub unknown: bool,
    /// Provisions found as a matter of integrity though the cards were good.
    pub mistrusted: Vec<&'static str>,
    /// What was answered to the pass after it and would not have been without the fault: provisions, and `settle`.
    pub touched: Vec<&'static str>,
    /// Whether it could be put right.
    #[serde(skip)]
    pub healed: Result<(), Unhealed>,
    /// Both passes as they happened.
    #[serde(skip)]
    pub happened: Vec<Event>,
    /// Both as they were told.
    #[serde(skip)]
    pub told: Vec<Event>,
    /// What puts the first right.
    #[serde(skip)]
    pub healing: Healing,
}

fn as_debug<S: serde::Serializer>(kind: &event::Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{kind:?}"))
}

/// What a bet was owed, as far as it is reckoned.
type Account = (Outcome, Option<Cents>, Option<Cents>, Option<Cents>);

/// What answers come to.
#[derive(Debug, Clone, Default)]
struct Said {
    findings: BTreeMap<u64, Finding>,
    withdrawn: Vec<Finding>,
    accounts: BTreeMap<(HandId, BetSpot), Account>,
}

impl Said {
    fn hear(&mut self, answers: &[Answer]) {
        for answer in answers {
            match answer {
                Answer::Finding(finding) => {
                    self.findings.insert(finding.n, (**finding).clone());
                }
                Answer::Withdrawn { finding, .. } => self.withdrawn.extend(self.findings.remove(finding)),
                Answer::Settle(settle) => self.settle(settle),
                // of a card that could not be read nothing is left once it was told
                Answer::Cleared { finding, .. } if self.is_unread(*finding) => drop(self.findings.remove(finding)),
                Answer::Cleared { .. } | Answer::Breach { .. } | Answer::Summary { .. } => {}
            }
        }
    }

    fn is_unread(&self, finding: u64) -> bool {
        let remedy = self.findings.get(&finding).map(|finding| &finding.remedy[..]);
        matches!(remedy, Some([Remedy::Identify { .. }]))
    }

    /// A pass's later account of a bet replaces the earlier one; one without stake, pay and loss says that there is
    /// none.
    fn settle(&mut self, settle: &Settle) {
        let account = (settle.outcome, settle.stake, settle.pay, settle.lost);
        if account == (Outcome::Void, Some(0), Some(0), Some(0)) {
            self.accounts.remove(&(settle.hand, settle.spot));
        } else {
            self.accounts.insert((settle.hand, settle.spot), account);
        }
    }

    /// The finding that a device was blind.
    fn blindness(&self) -> Option<u64> {
        let is_blind = |finding: &&Finding| {
            finding.details.device.is_some() && finding.severity == Severity::Integrity && finding.remedy.is_empty()
        };
        self.findings.values().find(is_blind).map(|finding| finding.n)
    }

    /// Findings not of equipment that others do not have.
    fn beyond<'a>(&'a self, others: &'a Self) -> impl Iterator<Item = &'a Finding> {
        self.findings.values().filter(others.has_not())
    }

    /// Irregularities among those taken back that others were not told of.
    fn suspected<'a>(&'a self, others: &'a Self) -> impl Iterator<Item = &'a Finding> {
        let is_grave = |finding: &&Finding| finding.severity == Severity::Irregularity;
        self.withdrawn.iter().filter(is_grave).filter(others.has_not())
    }

    /// Whether a finding is not of equipment, and not among these.
    fn has_not(&self) -> impl Fn(&&Finding) -> bool + use<> {
        let what = |finding: &Finding| (finding.provision, finding.place);
        let known: BTreeSet<_> = self.findings.values().map(what).collect();
        move |finding| finding.details.device.is_none() && !known.contains(&what(finding))
    }

    /// Whether another account than the true one is said of a bet, and it is not said to be unknown.
    fn reckons_wrongly(&self, truth: &Self) -> bool {
        self.accounts.iter().any(|(bet, account)| {
            !matches!(account.0, Outcome::Unknown | Outcome::Void) && truth.accounts.get(bet) != Some(account)
        })
    }

    fn orders_money(&self, truth: &Self) -> bool {
        self.beyond(truth).any(|finding| {
            finding.remedy.iter().any(|part| matches!(part, Remedy::Pay { .. } | Remedy::Collect { .. }))
        })
    }

    fn voids(&self, truth: &Self) -> bool {
        let is_void = |outcome: Option<&Account>| outcome.is_some_and(|account| account.0 == Outcome::Void);
        self.accounts.iter().any(|(bet, account)| is_void(Some(account)) && !is_void(truth.accounts.get(bet)))
    }
}

/// What people say of a pass with a fault to put it right.
#[derive(Debug, Clone, Default)]
pub struct Healing {
    /// The room, before it ends.
    pub ruling: Option<Event>,
    /// An inspector, after it.
    pub corrections: Vec<Event>,
}

/// How a validator takes the event on a line, and adds what it answers.
pub type Step<V> = fn(&mut V, LineNo, &Event, &mut Vec<Answer>);

/// A dealer by the book, and the two validators.
#[derive(Debug)]
pub struct Trial<V> {
    dealer: Dealer,
    table: Table,
    seed: u64,
    passes: u64,
    /// Told everything as it happened, up to this line.
    clean: (V, LineNo),
    /// Told it with faults.
    faulty: (V, LineNo),
    step: Step<V>,
    only: Option<Kind>,
    /// Each fault is the first: what earlier ones left behind is forgotten.
    pub apart: bool,
}

impl<V: Clone> Trial<V> {
    /// Of a dealer by the book, before a validator of his table, with faults that follow from the seed, all of one kind
    /// where one is given.
    pub fn new(dealer: Dealer, validator: V, step: Step<V>, seed: u64, only: Option<Kind>) -> Self {
        let header = dealer.header();
        let table = Table { boxes: header.boxes, chip: header.limits.min };
        let (clean, faulty) = ((validator.clone(), 1), (validator, 1));
        Self { dealer, table, seed, passes: 0, clean, faulty, step, only, apart: false }
    }

    /// The dealer.
    #[must_use]
    pub const fn dealer(&self) -> &Dealer {
        &self.dealer
    }

    /// Deals until a pass can have a fault, and the pass after that one.
    pub fn next_case(&mut self) -> Case {
        if self.apart {
            self.faulty = self.clean.clone();
        }
        let (mut events, mut told, mut happened) = (Vec::new(), Vec::new(), Vec::new());
        let (fault, pass) = loop {
            self.dealer.next_pass(&mut events);
            self.passes += 1;
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.passes);
            let fault = match self.only {
                Some(kind) => Fault::of(kind, &mut rng, self.table, &events),
                None => Fault::any(&mut rng, self.table, &events),
            };
            if let Some(fault) = fault {
                break (fault, self.passes);
            }
            hear(self.step, &mut self.clean, &events);
            hear(self.step, &mut self.faulty, &events);
            told.extend_from_slice(&events);
            happened.append(&mut events);
        };
        let truth = hear(self.step, &mut self.clean, &events);
        let (first, before) = (self.faulty.1 + 1, self.faulty.clone());
        let said = hear(self.step, &mut self.faulty, &fault.told);
        let last = self.faulty.1;
        let (healed, healing) = self.heal(&fault, &before, &truth, &said);
        happened.append(&mut events);
        self.dealer.next_pass(&mut events);
        self.passes += 1;
        let true_after = hear(self.step, &mut self.clean, &events);
        let after = hear(self.step, &mut self.faulty, &events);
        told.extend(fault.told);
        told.extend_from_slice(&events);
        happened.append(&mut events);
        let graver = |severity| {
            let found = said.beyond(&truth).filter(move |finding| finding.severity == severity);
            found.map(|finding| finding.provision).collect()
        };
        let mut touched: Vec<_> = after.beyond(&true_after).map(|finding| finding.provision).collect();
        touched.extend((after.accounts != true_after.accounts).then_some("settle"));
        Case {
            pass,
            kind: fault.kind,
            hit: fault.hit,
            first,
            last,
            after: self.faulty.1,
            accused: graver(Severity::Irregularity),
            suspected: said.suspected(&truth).map(|finding| finding.provision).collect(),
            mistrusted: graver(Severity::Integrity),
            wrong_payment: said.reckons_wrongly(&truth) || said.orders_money(&truth),
            voided: said.voids(&truth),
            unknown: said.accounts.values().any(|account| account.0 == Outcome::Unknown),
            touched,
            healed,
            happened,
            told,
            healing,
        }
    }

    /// Says what puts a pass right in as few words, or what the best of them leaves wrong. Where a device was away the
    /// room may let that pass before the end, and one correction is left.
    fn heal(&self, fault: &Fault, before: &(V, LineNo), truth: &Said, said: &Said) -> (Result<(), Unhealed>, Healing) {
        let (first, end) = (before.1 + 1, fault.told.iter().rposition(|event| matches!(event, Event::End {})));
        let ruling = said.blindness().map(resume);
        let ruled = |undo: &[Undo]| {
            let corrections = corrections(undo, first, end.filter(|_| ruling.is_some()));
            Healing { ruling: ruling.clone(), corrections }
        };
        let plain = |undo: &[Undo]| Healing { ruling: None, corrections: corrections(undo, first, None) };
        // part of what was lost would only be another faulty pass
        let mut few = vec![plain(if fault.undo.len() > CORRECTIONS { &[] } else { &fault.undo })];
        if ruling.is_some() {
            few.push(ruled(&[]));
            few.extend(fault.undo.iter().map(|undo| ruled(core::slice::from_ref(undo))));
        }
        let mut best: Option<(Result<(), Unhealed>, Healing)> = None;
        for healing in few {
            let left = self.try_healing(fault, before, truth, &healing);
            if best.as_ref().is_none_or(|(least, _)| rank(&left) < rank(least)) {
                best = Some((left, healing));
            }
            if best.as_ref().is_some_and(|(left, _)| left.is_ok()) {
                break;
            }
        }
        let (left, healing) = best.unwrap_or_else(|| (Ok(()), Healing::default()));
        let is_all = fault.undo.len() + usize::from(ruling.is_some()) <= CORRECTIONS;
        if left.is_ok() || is_all {
            return (left, healing);
        }
        // however many it takes: told whole, it is right
        let whole = self.try_healing(fault, before, truth, &ruled(&fault.undo));
        let owed = !matches!(left, Err(Unhealed::Account));
        (whole.and(Err(Unhealed::TooMuch { owed })), healing)
    }

    /// Tells the pass with what puts it right, and says what that leaves wrong.
    fn try_healing(
        &self,
        fault: &Fault,
        before: &(V, LineNo),
        truth: &Said,
        healing: &Healing,
    ) -> Result<(), Unhealed> {
        let mut validator = before.clone();
        let end = fault.told.iter().rposition(|event| matches!(event, Event::End {})).unwrap_or(fault.told.len());
        let (pass, rest) = fault.told.split_at(end);
        let told: Vec<Event> =
            pass.iter().chain(&healing.ruling).chain(rest).chain(&healing.corrections).cloned().collect();
        let healed = hear(self.step, &mut validator, &told);
        match healed.beyond(truth).next() {
            _ if healed.accounts != truth.accounts => Err(Unhealed::Account),
            Some(finding) => Err(Unhealed::Found(finding.provision)),
            None => Ok(()),
        }
    }
}

/// How wrong a pass is.
const fn rank(left: &Result<(), Unhealed>) -> u8 {
    match left {
        Ok(()) => 0,
        Err(Unhealed::Found(_)) => 1,
        Err(_) => 2,
    }
}

/// The room says that what stands in the log is all there was.
fn resume(finding: u64) -> Event {
    Event::Rule {
        by: Name::new_static("R-1"),
        role: Name::new_static("room"),
        decision: Ruling::Resume,
        finding: Some(finding),
    }
}

/// What is answered to these events, the next ones of the log.
fn hear<V>(step: Step<V>, (validator, line): &mut (V, LineNo), events: &[Event]) -> Said {
    let (mut said, mut answers) = (Said::default(), Vec::new());
    for event in events {
        *line += 1;
        answers.clear();
        step(validator, *line, event, &mut answers);
        said.hear(&answers);
    }
    said
}

/// What an inspector says right after a pass that began at that line; `ruled` is where in it the room has ruled.
fn corrections(undo: &[Undo], first: LineNo, ruled: Option<usize>) -> Vec<Event> {
    let line = |at: usize| first + at as LineNo + LineNo::from(ruled.is_some_and(|ruled| at > ruled));
    let said = undo.iter().map(|undo| match undo {
        Undo::Strike(at) => (Some(line(*at)), None, None),
        Undo::Replace(at, event) => (Some(line(*at)), None, Some(event)),
        Undo::Insert(at, event) => (None, Some(line(*at) - 1), Some(event)),
    });
    said.map(|(line, after, event)| Event::Correct {
        by: Name::new_static("I-1"),
        role: Name::new_static("inspector"),
        line,
        after,
        event: event.cloned().map(Box::new),
    })
    .collect()
}
