//! Findings and where they stand.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::clocks;
use super::shipping::Shipping;
use super::silent::Silent;
use super::snapshot::{Attention, FindingState, FindingView, TableFigures, by_cause, in_order};
use super::synchronisation::Synchronisation;
use sabot_journal::clock::station_line;
use sabot_law::regulation::Regulation;
use sabot_law::table::answer::{Details, Finding, Lang, Text};
use sabot_law::table::due::attention;
use sabot_law::table::{Answer, BetSpot, Card, Event, LineNo, Name, Place, Remedy, Severity};
use serde::{Deserialize, Serialize};

/// Somebody has taken a finding, as the record says it.
pub(super) const TAKEN: &str = "taken";
/// Somebody has closed a finding, as the record says it.
pub(super) const CLOSED: &str = "closed";
/// Findings shown at the least, open ones always among them.
const KEPT: usize = 50;

/// Findings that nobody has closed are kept up to so many.
const UNCLOSED: usize = 200;

/// Findings as they are kept for the next start, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptFindings {
    list: Vec<KeptFinding>,
    raised: [u64; 3],
    by_article: BTreeMap<String, u64>,
    #[serde(default)]
    let_go: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptFinding {
    n: u64,
    line: LineNo,
    of: Option<LineNo>,
    pass: u64,
    provision: String,
    place: Option<Place>,
    severity: Severity,
    cards: Vec<Card>,
    remedy: Vec<KeptRemedy>,
    details: Details,
    es: String,
    en: String,
    state: FindingState,
    missing: Vec<KeptRemedy>,
    attention: Attention,
}

/// A part of a remedy, and the spot that its words name and answers leave out.
type KeptRemedy = (Remedy, BetSpot);

fn kept(remedies: Vec<Remedy>) -> Vec<KeptRemedy> {
    remedies.into_iter().map(|remedy| (remedy, remedy.side_spot().unwrap_or_default())).collect()
}

fn restored(remedies: Vec<KeptRemedy>) -> Vec<Remedy> {
    remedies.into_iter().map(|(remedy, spot)| remedy.on(spot)).collect()
}

/// The newest findings of a table, newest first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Findings {
    lang: Lang,
    /// There are people who can close them.
    closable: bool,
    /// Which are shown to nobody here.
    silent: Silent,
    list: VecDeque<FindingView>,
    raised: [u64; 3],
    by_article: BTreeMap<&'static str, u64>,
    /// Those that nobody has closed and that are not kept any more.
    let_go: u64,
}

impl Findings {
    pub(super) fn new(lang: Lang) -> Self {
        Self { lang, ..Self::default() }
    }

    /// What was found stays until somebody closes it, over passes and starts.
    pub(super) fn closable(self) -> Self {
        Self { closable: true, ..self }
    }

    /// Those for surveillance alone are kept apart.
    pub(super) fn without(self, silent: Silent) -> Self {
        Self { silent, ..self }
    }

    pub(super) const fn silent(&self) -> &Silent {
        &self.silent
    }

    /// Whether that finding is for surveillance alone.
    pub(super) fn is_hidden(&self, n: u64) -> bool {
        self.hidden().any(|view| view.finding.n == n)
    }

    /// Those for surveillance alone, newest first.
    pub(super) fn hidden(&self) -> impl Iterator<Item = &FindingView> {
        self.list.iter().filter(|view| self.silent.hides(&view.finding))
    }

    /// As they are kept.
    pub(super) fn kept(&self) -> KeptFindings {
        let list = self.list.iter().cloned().map(|view| {
            let Finding { n, line, of, pass, provision, place, severity, cards, remedy, details, .. } = view.finding;
            let (es, en, provision) = (view.es, view.en, provision.to_owned());
            let FindingView { state, missing, attention, .. } = view;
            let (remedy, missing) = (kept(remedy), kept(missing));
            KeptFinding {
                n,
                line,
                of,
                pass,
                provision,
                place,
                severity,
                cards,
                remedy,
                details,
                es,
                en,
                state,
                missing,
                attention,
            }
        });
        let by_article = self.by_article.iter().map(|(&id, &count)| (id.to_owned(), count)).collect();
        KeptFindings { list: list.collect(), raised: self.raised, by_article, let_go: self.let_go }
    }

    /// As they were kept; none where the regulation has not all of their provisions.
    pub(super) fn restored(self, kept: KeptFindings, regulation: &Regulation) -> Option<Self> {
        let view = |kept: KeptFinding| {
            let provision = regulation.article(&kept.provision)?.id;
            let KeptFinding { n, line, of, pass, place, severity, cards, remedy, details, es, en, .. } = kept;
            let remedy = restored(remedy);
            let text = Text { es: es.clone(), en: en.clone(), lang: self.lang };
            let finding = Finding { n, line, of, pass, provision, place, severity, cards, remedy, details, text };
            let KeptFinding { state, missing, attention, .. } = kept;
            let missing = restored(missing);
            Some(FindingView { es, en, state, missing, attention, ..FindingView::new(finding) })
        };
        let list = kept.list.into_iter().map(view).collect::<Option<VecDeque<_>>>()?;
        let counted = |(id, count): (String, u64)| Some((regulation.article(&id)?.id, count));
        let by_article = kept.by_article.into_iter().map(counted).collect::<Option<_>>()?;
        Some(Self { list, raised: kept.raised, by_article, let_go: kept.let_go, ..self })
    }

    /// Somebody sees to a finding, or has closed it.
    pub(super) fn attend(&mut self, n: u64, attention: Attention) {
        if let Some(view) = self.list.iter_mut().find(|view| view.finding.n == n) {
            view.attention = attention;
        }
    }

    /// It was not remedied, or could not be, and nobody has closed it.
    fn is_left(&self, view: &FindingView) -> bool {
        self.closable
            && matches!(view.state, FindingState::Noted | FindingState::Breach)
            && view.finding.severity > Severity::Notice
            && !matches!(view.attention, Attention::Closed { .. })
    }

    /// Takes an answer of the validator; the finding, where it is a new one that is shown.
    pub(super) fn take(&mut self, answer: Answer) -> Option<&Finding> {
        match answer {
            Answer::Finding(finding) => {
                self.add(*finding);
                return self.list.front().map(|view| &view.finding).filter(|finding| !self.silent.hides(finding));
            }
            Answer::Cleared { finding, .. } => self.set(finding, FindingState::Cleared, Vec::new()),
            Answer::Withdrawn { finding, .. } => self.set(finding, FindingState::Withdrawn, Vec::new()),
            Answer::Breach { finding, missing, .. } => self.set(finding, FindingState::Breach, missing),
            Answer::Settle(_) | Answer::Summary { .. } => {}
        }
        None
    }

    fn add(&mut self, mut finding: Finding) {
        finding.text.lang = self.lang;
        if !self.silent.hides(&finding) {
            self.raised[match finding.severity {
                Severity::Notice => 0,
                Severity::Irregularity => 1,
                Severity::Integrity => 2,
            }] += 1;
            *self.by_article.entry(finding.provision).or_default() += 1;
        }
        self.list.push_front(FindingView::new(finding));
        let may_go = |view: &FindingView| view.state != FindingState::Open && !self.is_left(view);
        let many = self.list.len() > UNCLOSED;
        if self.list.len() > KEPT
            && let Some(oldest) =
                self.list.iter().rposition(|view| may_go(view) || many && view.state != FindingState::Open)
            && oldest > 0
        {
            let gone = self.list.remove(oldest);
            self.lets_go(gone);
        }
    }

    /// One that nobody has closed goes: said, as from here on it stands in the record alone.
    fn lets_go(&mut self, gone: Option<FindingView>) {
        let is_told = |view: &FindingView| self.is_left(view) && !self.silent.hides(&view.finding);
        let Some(FindingView { finding, .. }) = gone.filter(is_told) else { return };
        self.let_go += 1;
        tracing::warn!(
            n = finding.n,
            provision = finding.provision,
            "nobody has closed this finding: over {UNCLOSED} are left, and it stands in the record alone"
        );
    }

    fn set(&mut self, n: u64, state: FindingState, missing: Vec<sabot_law::table::Remedy>) {
        if let Some(view) = self.list.iter_mut().find(|view| view.finding.n == n) {
            view.state = state;
            view.missing = missing;
        }
    }

    /// Those are open of which something is left to do, by their numbers, and no other.
    pub(super) fn left(&mut self, open: impl Iterator<Item = u64>) {
        let open: BTreeSet<u64> = open.collect();
        for view in &mut self.list {
            match (open.contains(&view.finding.n), view.state) {
                (true, _) => view.state = FindingState::Open,
                // it was over with its pass
                (false, FindingState::Open) => view.state = FindingState::Noted,
                (false, _) => {}
            }
        }
    }

    /// All that are kept and shown, newest first: at most 50, or as many as are open.
    pub(super) fn list(&self) -> impl Iterator<Item = &FindingView> {
        self.list.iter().filter(|view| !self.silent.hides(&view.finding))
    }

    /// How many were raised so far, those of a record that is continued included.
    pub(super) fn figures(&self) -> TableFigures {
        let by_article = self.by_article.iter().map(|(&id, &count)| (id, count)).collect();
        let synchronised = Synchronisation::last().known();
        let shipping = Shipping::last();
        TableFigures {
            findings: self.raised,
            by_article,
            let_go: self.let_go,
            synchronised,
            clocks: clocks::last(),
            shipping,
            ..TableFigures::default()
        }
    }

    /// The verdict stands on it: it is open, or was only noted or not remedied, until the next pass begins, or where
    /// there is somebody who can until it is closed.
    fn stands(&self, view: &FindingView, pass: u64) -> bool {
        let is_of_pass = matches!(view.state, FindingState::Noted | FindingState::Breach) && view.finding.pass == pass;
        let is_closed = matches!(view.attention, Attention::Closed { .. });
        view.state == FindingState::Open || (is_of_pass && !is_closed) || self.is_left(view)
    }

    /// These, with whether the verdict stands on them, in the order of attention.
    pub(super) fn in_order<'a>(&self, list: impl Iterator<Item = &'a FindingView>, pass: u64) -> Vec<FindingView> {
        in_order(list.map(|view| FindingView { stands: self.stands(view, pass), ..view.clone() }))
    }

    /// Those somebody at the table should look at: open ones first, then what else the verdict stands on, in the order
    /// of attention; together what has one cause.
    pub(super) fn current(&self, pass: u64) -> impl Iterator<Item = &FindingView> {
        let stands = self.list().filter(|view| self.stands(view, pass));
        let (mut open, mut noted): (Vec<_>, Vec<_>) = stands.partition(|view| view.state == FindingState::Open);
        for list in [&mut open, &mut noted] {
            list.sort_by_key(|view| attention(view.finding.severity, view.finding.n));
        }
        by_cause(open).chain(by_cause(noted)).map(|(view, _)| view)
    }
}

/// Takes out of an event what may not be told of findings that are hidden.
pub(super) fn silenced(silent: &Silent, event: &mut Event, is_hidden: impl Fn(u64) -> bool) {
    silent.of_event(event, &|event| concerned(event).is_some_and(&is_hidden));
}

/// The finding about which somebody does something: he takes it, closes it or rules on it.
fn concerned(event: &Event) -> Option<u64> {
    match event {
        Event::Rule { finding, .. } => *finding,
        _ => attended(event).map(|(finding, _)| finding),
    }
}

/// What a line of the record says of somebody's attention: to which finding, and how it is.
#[must_use]
pub fn attended(event: &Event) -> Option<(u64, Attention)> {
    let (status, detail) = station_line(event)?;
    let (finding, by) = detail?.strip_prefix("finding ")?.split_once(" by ")?;
    let (by, note) = by.split_once(": ").unwrap_or((by, ""));
    let by = Name::new(by.split(' ').next()?);
    let attention = match status {
        TAKEN => Attention::Taken { by },
        CLOSED => Attention::Closed { by, note: note.to_owned() },
        _ => return None,
    };
    Some((finding.parse().ok()?, attention))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(n: u64, remedy: Vec<Remedy>) -> Answer {
        let text = Text { es: format!("hallazgo {n}"), en: format!("finding {n}"), lang: Lang::Es };
        let provision = "C5";
        let severity = Severity::Irregularity;
        Answer::Finding(Box::new(Finding {
            n,
            line: n,
            pass: n / 10,
            provision,
            place: None,
            severity,
            cards: vec![],
            remedy,
            of: None,
            details: sabot_law::table::answer::Details::default(),
            text,
        }))
    }

    #[test]
    fn a_finding_is_open_until_it_is_cleared_or_breached_and_the_open_ones_come_first() {
        let mut findings = Findings::new(Lang::En);
        assert_eq!(findings.take(finding(10, vec![Remedy::Rule])).map(|finding| finding.n), Some(10));
        assert!(findings.take(finding(11, vec![])).is_some());
        let states = |findings: &Findings, pass| {
            findings.current(pass).map(|view| (view.finding.n, view.state)).collect::<Vec<_>>()
        };
        assert_eq!(states(&findings, 1), [(10, FindingState::Open), (11, FindingState::Noted)]);
        assert_eq!(states(&findings, 2), [(10, FindingState::Open)], "a notice is gone with its pass");
        assert!(findings.take(Answer::Breach { finding: 10, line: 12, missing: vec![Remedy::Rule] }).is_none());
        assert_eq!(states(&findings, 1), [(10, FindingState::Breach), (11, FindingState::Noted)]);
        findings.take(Answer::Cleared { finding: 10, line: 13, unseen: Vec::new() });
        assert_eq!(states(&findings, 1), [(11, FindingState::Noted)]);
        assert_eq!(
            findings.list().next().map(|view| view.finding.text.get(view.finding.text.lang)),
            Some("finding 11")
        );
    }

    #[test]
    fn the_gravest_comes_first_then_the_oldest_and_open_is_what_the_law_leaves_to_be_done() {
        let mut findings = Findings::new(Lang::En);
        for n in 10..14 {
            let Answer::Finding(mut one) = finding(n, vec![Remedy::Rule]) else { unreachable!() };
            one.severity = if n == 12 { Severity::Integrity } else { Severity::Irregularity };
            findings.take(Answer::Finding(one));
        }
        let open =
            |findings: &Findings| findings.current(1).map(|view| (view.finding.n, view.state)).collect::<Vec<_>>();
        assert_eq!(open(&findings), [12, 10, 11, 13].map(|n| (n, FindingState::Open)));
        findings.left([12, 10, 13].into_iter());
        assert_eq!(open(&findings)[2..], [(13, FindingState::Open), (11, FindingState::Noted)], "over with its pass");
        findings.take(Answer::Cleared { finding: 10, line: 12, unseen: Vec::new() });
        findings.left([12, 10].into_iter());
        assert_eq!(open(&findings)[1], (10, FindingState::Open), "what cleared it was struck out");
    }

    #[test]
    fn what_one_line_has_brought_about_stands_together_behind_the_first_of_it() {
        let mut findings = Findings::new(Lang::En);
        for (n, line) in [(10, 3), (11, 4), (12, 4), (13, 3), (14, 5)] {
            let Answer::Finding(mut one) = finding(n, vec![Remedy::Rule]) else { unreachable!() };
            (one.line, one.severity) = (line, if n == 12 { Severity::Integrity } else { Severity::Irregularity });
            findings.take(Answer::Finding(one));
        }
        let current: Vec<u64> = findings.current(1).map(|view| view.finding.n).collect();
        assert_eq!(current, [12, 11, 10, 13, 14]);
        let behind: Vec<_> =
            by_cause(findings.current(1)).filter_map(|(view, first)| Some((view.finding.n, first?))).collect();
        assert_eq!(behind, [(11, 12), (13, 10)]);
    }

    #[test]
    fn what_nobody_has_closed_stays_over_passes_where_somebody_can_and_a_notice_does_not() {
        let closed = || Attention::Closed { by: "I-4".into(), note: "paid back".to_owned() };
        let mut findings = Findings::new(Lang::En).closable();
        findings.take(finding(10, vec![Remedy::Rule]));
        findings.take(finding(11, vec![]));
        let Answer::Finding(mut notice) = finding(12, vec![]) else { unreachable!() };
        notice.severity = Severity::Notice;
        findings.take(Answer::Finding(notice));
        findings.take(Answer::Breach { finding: 10, line: 13, missing: vec![Remedy::Rule] });
        let current = |findings: &Findings, pass| {
            let mut numbers: Vec<u64> = findings.current(pass).map(|view| view.finding.n).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!((current(&findings, 1), current(&findings, 7)), (vec![10, 11, 12], vec![10, 11]));
        for n in 20..=200 {
            findings.take(finding(n, vec![]));
            findings.attend(n, closed());
        }
        assert_eq!(current(&findings, 30), [10, 11], "the others were closed");
        assert_eq!(findings.list().count(), KEPT);
        findings.attend(11, Attention::Taken { by: "I-4".into() });
        assert_eq!(current(&findings, 30), [10, 11], "taken is not closed");
        findings.attend(10, closed());
        assert_eq!(current(&findings, 30), [11]);
    }

    #[test]
    fn what_stands_comes_in_the_same_order_everywhere_and_what_is_over_behind_it_newest_first() {
        let mut findings = Findings::new(Lang::En).closable();
        for n in 10..18 {
            let Answer::Finding(mut one) = finding(n, [Remedy::Rule].repeat(usize::from(n < 13))) else {
                unreachable!()
            };
            one.severity = if n == 15 { Severity::Integrity } else { Severity::Irregularity };
            findings.take(Answer::Finding(one));
        }
        findings.take(Answer::Cleared { finding: 11, line: 20, unseen: Vec::new() });
        findings.attend(16, Attention::Closed { by: "I-4".into(), note: String::new() });
        let shown: Vec<u64> = findings.in_order(findings.list(), 7).iter().map(|view| view.finding.n).collect();
        assert_eq!(shown, [10, 12, 15, 13, 14, 17, 16, 11]);
        assert_eq!(findings.current(7).map(|view| view.finding.n).collect::<Vec<_>>(), shown[..6]);
    }

    #[test]
    fn what_nobody_has_closed_goes_only_where_too_many_are_left_and_that_is_counted_over_a_start_too() {
        let mut findings = Findings::new(Lang::En).closable();
        for n in 1..=UNCLOSED as u64 {
            findings.take(finding(n, vec![]));
        }
        assert_eq!(findings.figures().let_go, 0);
        findings.take(finding(900, vec![]));
        findings.take(finding(901, vec![]));
        assert_eq!((findings.figures().let_go, findings.list().count()), (2, UNCLOSED));
        let kept = serde_json::to_string(&findings.kept()).unwrap();
        let regulation = sabot_law::regulation::find("sala-8").unwrap();
        let again = Findings::new(Lang::En).closable();
        let again = again.restored(serde_json::from_str(&kept).unwrap(), regulation).unwrap();
        assert_eq!(again.figures().let_go, 2);
        let mut nobodys = Findings::new(Lang::En);
        (1..=900).for_each(|n| {
            nobodys.take(finding(n, vec![]));
        });
        assert_eq!(nobodys.figures().let_go, 0, "where nobody can close them none is left");
    }

    #[test]
    fn at_most_fifty_are_kept_but_never_an_open_one_given_up() {
        let mut findings = Findings::new(Lang::Es);
        findings.take(finding(1, vec![Remedy::Burn { place: Place::Bank, cards: 1 }]));
        for n in 2..=100 {
            findings.take(finding(n, vec![]));
        }
        assert_eq!(findings.list().count(), KEPT);
        assert_eq!(findings.list().last().map(|view| view.finding.n), Some(1));
        for n in 101..=200 {
            findings.take(finding(n, vec![Remedy::Rule]));
        }
        assert_eq!(findings.list().filter(|view| view.state == FindingState::Open).count(), 101);
    }
}
