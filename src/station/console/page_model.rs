//! A snapshot as the page shows it: every word chosen, every class named, so that the templates only place things.

use super::brief::first;
use super::ui_text::{Ui, rank_sign};
use crate::entered::of_dealer;
use crate::shipping::Shipping;
use crate::snapshot::{Attention, DeviceState, DeviceView, Face, FindingState, FindingView, Snapshot, by_cause};
use sabot_law::table::answer::{Details, Lang};
use sabot_law::table::due::{OpenRemedy, Progress, RemedyStep, Who, attention};
use sabot_law::table::event::Ruling;
use sabot_law::table::felt::{FeltAccount, FeltBox, FeltHand, HandState, Shown};
use sabot_law::table::offer::Offer;
use sabot_law::table::{BetSpot, Card, LineNo, Phase, Place, Remedy, Severity, words};

/// Things due that are listed after the first.
const THEN: usize = 3;

/// One card on the felt.
pub(super) struct CardModel {
    /// `up`, `back` or `unread`.
    pub(super) kind: &'static str,
    /// `s`, `h`, `d` or `c`; empty where the card may not or cannot be seen.
    pub(super) suit: &'static str,
    /// Printed in the corner; empty as above.
    pub(super) rank: &'static str,
    /// Read aloud.
    pub(super) label: String,
}

/// One hand of a box.
pub(super) struct HandModel {
    pub(super) id: String,
    pub(super) cards: Vec<CardModel>,
    pub(super) total: String,
    pub(super) state: &'static str,
    pub(super) state_class: &'static str,
    pub(super) stake: String,
    /// Empty where there is none.
    pub(super) insurance: String,
}

/// One box of the table.
pub(super) struct BoxModel {
    pub(super) no: u8,
    /// Who plays it, or that it is free.
    pub(super) name: String,
    /// Where the bettor of a box sits, if not at it.
    pub(super) note: String,
    /// Articles of open findings here, such as `C4 C6`; empty where there are none.
    pub(super) flags: String,
    pub(super) taken: bool,
    pub(super) turn: bool,
    pub(super) hands: Vec<HandModel>,
}

/// The bank.
pub(super) struct BankModel {
    /// The player who banks; empty where the house does, or nobody yet.
    pub(super) banker: String,
    pub(super) cards: Vec<CardModel>,
    pub(super) total: String,
    pub(super) turn: bool,
    pub(super) flags: String,
}

/// A part of an open finding's remedy.
pub(super) struct StepModel {
    pub(super) what: String,
    /// Who has to do it.
    pub(super) who: &'static str,
    /// `open`, `done` or `unseen`.
    pub(super) class: &'static str,
    /// That it is done, in words; empty where it is not.
    pub(super) done: &'static str,
}

/// One finding.
pub(super) struct FindingModel {
    /// Who sees to it, in words; empty while nobody does.
    pub(super) attention: String,
    pub(super) closed: bool,
    pub(super) n: u64,
    pub(super) line: u64,
    /// The line that it concerns.
    pub(super) about: u64,
    /// The number of the one before it that has the same cause.
    pub(super) same_as: Option<u64>,
    pub(super) pass: u64,
    pub(super) article: &'static str,
    /// Empty where it is nowhere in particular.
    pub(super) place: String,
    pub(super) severity: &'static str,
    pub(super) severity_class: &'static str,
    pub(super) state: &'static str,
    pub(super) state_class: &'static str,
    pub(super) open: bool,
    pub(super) text: String,
    pub(super) cards: Vec<CardModel>,
    /// What the bank was to give and what it gave when it was found; empty where it is about no money.
    pub(super) money: String,
    /// The remedy of an open one as it stands now.
    pub(super) steps: Vec<StepModel>,
    pub(super) remedy_title: &'static str,
    pub(super) remedy: Vec<String>,
    pub(super) missing: Vec<String>,
    /// How it may be decided.
    pub(super) rulings: Vec<Ruling>,
}

/// One device.
#[derive(Clone)]
pub(super) struct DeviceModel {
    pub(super) name: String,
    pub(super) key: String,
    pub(super) port: String,
    pub(super) state: &'static str,
    pub(super) state_class: &'static str,
    /// What it says of itself while all is well, and how often it repeated itself.
    pub(super) about: String,
    /// What is wrong, in words; empty where nothing is.
    pub(super) detail: String,
    /// Damaged frames, in words; empty where there were none.
    pub(super) shed: String,
    /// What people should see to though it works: that it takes no more, that its line is poor.
    pub(super) warnings: Vec<String>,
}

/// What a bet is owed as the bank settles, and what it was given so far.
pub(super) struct AccountModel {
    /// For the page to follow it by.
    pub(super) id: String,
    pub(super) hand: String,
    /// The insurance and not the main bet.
    pub(super) is_insurance: bool,
    /// How it ended, or that nobody can know yet.
    pub(super) outcome: &'static str,
    /// Each empty where nothing is known, or nobody sees chips.
    pub(super) owed: String,
    pub(super) given: String,
    pub(super) left: String,
    pub(super) is_done: bool,
}

/// Something that is not seen or not recorded.
pub(super) struct UnseenModel<'a> {
    /// The role of the device; none where it is the record.
    pub(super) device: Option<&'a str>,
    pub(super) what: &'a str,
    /// For programs, and for people.
    pub(super) since: Option<(&'a str, String)>,
    /// Articles, with a space between.
    pub(super) not_judged: String,
}

/// Something that may be entered by one touch.
pub(super) struct OfferModel {
    /// It is due, and not only possible.
    pub(super) is_due: bool,
    /// The key of a numeric pad that enters it: 1 to 9.
    pub(super) key: Option<usize>,
    /// Its events, as the log writes them.
    pub(super) value: String,
    /// A box, or the bank; empty where it happens at no single place.
    pub(super) place: String,
    pub(super) verb: String,
    /// What it says as well; mostly empty.
    pub(super) before: String,
}

/// Something that the dealer waits for, and where whoever does it does it.
pub(super) struct WaitModel {
    pub(super) who: &'static str,
    pub(super) verb: String,
    pub(super) href: String,
}

/// What was entered last.
pub(super) struct LastModel {
    pub(super) words: String,
    pub(super) by: String,
}

/// A step of the pass in the header.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) now: bool,
    pub(super) done: bool,
}

/// Everything the page shows.
pub(super) struct PageModel<'a> {
    pub(super) ui: &'static Ui,
    lang: Lang,
    pub(super) snapshot: &'a Snapshot,
    pub(super) phase: &'static str,
    pub(super) idle: bool,
    pub(super) steps: Vec<Step>,
    pub(super) due: Option<&'a str>,
    pub(super) then: Vec<&'a str>,
    pub(super) boxes: Vec<BoxModel>,
    pub(super) bank: BankModel,
    /// Bets as the bank settles them; none while it does not.
    pub(super) accounts: Vec<AccountModel>,
    /// Open findings first, then what else stands, in the order of attention; then what is over, the newest first;
    /// together what has one cause.
    pub(super) findings: Vec<FindingModel>,
    pub(super) open: usize,
    /// The verdict in a sentence.
    pub(super) verdict: String,
    /// Since when it is so: for programs, and for people.
    pub(super) since: Option<(&'a str, String)>,
    pub(super) devices: Vec<DeviceModel>,
    /// What the dealer may enter now, the likeliest first.
    pub(super) offers: Vec<OfferModel>,
    pub(super) waits: Vec<WaitModel>,
    pub(super) last: Option<LastModel>,
}

impl<'a> PageModel<'a> {
    /// The snapshot in one language.
    pub(super) fn of(snapshot: &'a Snapshot, lang: Lang) -> Self {
        let ui = Ui::of(lang);
        let felt = &snapshot.felt;
        let mut due = felt.due.iter().map(|words| words.get(lang));
        let is_open = |view: &&FindingView| view.state == FindingState::Open;
        let mut open: Vec<&FindingView> = snapshot.findings.iter().filter(is_open).collect();
        open.sort_by_key(|view| attention(view.finding.severity, view.finding.n));
        let rest = snapshot.findings.iter().filter(|view| !is_open(view));
        let model = |(view, same_as)| FindingModel { same_as, ..finding(view, &felt.remedies, lang) };
        Self {
            ui,
            snapshot,
            open: open.len(),
            phase: ui.phase(felt.phase),
            idle: felt.phase == Phase::Idle,
            steps: steps(felt.phase, ui),
            due: due.next(),
            then: due.take(THEN).collect(),
            boxes: felt.boxes.iter().map(|box_| box_model(box_, snapshot, ui)).collect(),
            bank: BankModel {
                banker: felt.banker.as_ref().map(ToString::to_string).unwrap_or_default(),
                cards: cards(&felt.bank, ui),
                total: total(felt.bank_total),
                turn: felt.phase == Phase::Bank,
                flags: flags(&snapshot.findings, |place| place == Place::Bank),
            },
            accounts: felt.accounts.iter().map(|one| account(one, ui)).collect(),
            verdict: snapshot.verdict.sentence().get(lang).to_owned(),
            since: snapshot.verdict.since.as_deref().map(|since| (since, snapshot.house.words(since))),
            lang,
            findings: by_cause(open).chain(by_cause(rest)).map(model).collect(),
            devices: snapshot
                .devices
                .iter()
                .map(|view| device(view, lang))
                .chain(snapshot.figures.shipping.as_ref().map(|shipping| uplink(shipping, snapshot.line, ui)))
                .collect(),
            offers: of_dealer(&snapshot.offers).enumerate().map(|(n, offer)| offer_model(n, offer, lang)).collect(),
            waits: waits(snapshot, lang),
            last: snapshot
                .last_entry
                .as_ref()
                .map(|last| LastModel { words: last.words.get(lang).to_owned(), by: last.by.to_string() }),
        }
    }

    /// The open finding that wants attention first.
    pub(super) fn alarm(&self) -> Option<&FindingModel> {
        self.findings.first().filter(|finding| finding.open)
    }

    /// What keeps the table red though nothing can be done about it any more but to close it; none where one is open.
    pub(super) fn unclosed(&self) -> Option<&FindingModel> {
        let first = first(self.snapshot).filter(|view| view.finding.severity > Severity::Notice)?;
        self.findings.iter().find(|finding| finding.n == first.finding.n && !finding.open)
    }

    /// How many bets are not settled yet, in words; empty where nobody knows.
    pub(super) fn unsettled(&self) -> String {
        match self.accounts.iter().filter(|account| !account.left.is_empty()).count() {
            0 if self.accounts.iter().all(|account| account.is_done) => format!(": {}", self.ui.all_settled),
            0 => String::new(),
            1 => format!(": 1 {}", self.ui.unsettled_one),
            many => format!(": {many} {}", self.ui.unsettled_many),
        }
    }

    /// The window's title: an open finding is seen there too.
    pub(super) fn title(&self) -> String {
        let table = format!("{} {}", self.ui.table, self.snapshot.table);
        let blind = if self.snapshot.verdict.face == Face::Blind { "⛔ " } else { "" };
        let article = self.alarm().map(|finding| format!("⚠ {} · ", finding.article)).unwrap_or_default();
        format!("{blind}{article}{table}")
    }

    /// Something is not seen or not recorded.
    pub(super) fn is_blind(&self) -> bool {
        self.snapshot.verdict.face == Face::Blind
    }

    /// Dealing has to stop.
    pub(super) fn stops(&self) -> bool {
        self.snapshot.verdict.stop()
    }

    /// The verdict's face, a class of the page.
    pub(super) fn face(&self) -> &'static str {
        self.snapshot.verdict.face.name()
    }

    /// What is not seen or not recorded.
    pub(super) fn unseen(&self) -> impl Iterator<Item = UnseenModel<'a>> + '_ {
        self.snapshot.verdict.unseen.iter().map(|unseen| UnseenModel {
            device: unseen.device.as_deref(),
            what: unseen.what.get(self.lang),
            since: unseen.since.as_deref().map(|since| (since, self.snapshot.house.words(since))),
            not_judged: unseen.not_judged.join(" "),
        })
    }
}

/// Keys of a numeric pad that enter something.
const KEYS: usize = 9;

fn offer_model(n: usize, offer: &Offer, lang: Lang) -> OfferModel {
    let place = match offer.place {
        Some(Place::Hand(hand)) => hand.to_string(),
        Some(place) => words::place(place).get(lang).to_owned(),
        None => String::new(),
    };
    OfferModel {
        is_due: offer.is_due,
        key: Some(n + 1).filter(|key| *key <= KEYS),
        value: serde_json::to_string(&offer.events).unwrap_or_default(),
        place,
        verb: offer.verb.get(lang).to_owned(),
        before: offer.before.get(lang).to_owned(),
    }
}

/// What others than the dealer have to do about open findings.
fn waits(snapshot: &Snapshot, lang: Lang) -> Vec<WaitModel> {
    let mut waits: Vec<WaitModel> = Vec::new();
    let of = |open: &'_ OpenRemedy| open.steps.iter().map(|step| (open.finding, *step)).collect::<Vec<_>>();
    for (finding, step) in snapshot.felt.remedies.iter().flat_map(of) {
        if step.who != Who::Dealer && step.progress == Progress::Open {
            let verb = words::remedy(&step.remedy).get(lang).to_owned();
            let href = match step.remedy {
                Remedy::Identify { .. } => "/dealer/more/card".to_owned(),
                Remedy::Authorize { .. } => "/acts".to_owned(),
                _ => format!("/findings/{finding}"),
            };
            waits.push(WaitModel { who: Ui::of(lang).who(step.who), verb, href });
        }
    }
    waits
}

fn steps(now: Phase, ui: &Ui) -> Vec<Step> {
    const ORDER: [Phase; 5] = [Phase::Bets, Phase::Delivery, Phase::Play, Phase::Bank, Phase::Settlement];
    let at = ORDER.iter().position(|&phase| phase == now);
    let step =
        |(index, &phase)| Step { name: ui.phase(phase), now: at == Some(index), done: at.is_some_and(|at| index < at) };
    ORDER.iter().enumerate().map(step).collect()
}

fn box_model(box_: &FeltBox, snapshot: &Snapshot, ui: &Ui) -> BoxModel {
    let who = box_.bettor.as_ref().or(box_.seated.as_ref());
    let sits_at = |name| snapshot.felt.boxes.iter().find(|seat| seat.seated.as_ref() == Some(name));
    let elsewhere = who.and_then(sits_at).map(|seat| seat.box_no).filter(|&seat| seat != box_.box_no);
    BoxModel {
        no: box_.box_no,
        name: who.map_or_else(|| ui.free.to_string(), ToString::to_string),
        note: elsewhere.map(|seat| format!("{} {seat}", ui.bets_from)).unwrap_or_default(),
        flags: flags(&snapshot.findings, |place| matches!(place, Place::Hand(hand) if hand.box_no == box_.box_no)),
        taken: who.is_some(),
        turn: box_.hands.iter().any(|hand| hand.state == HandState::Turn),
        hands: box_.hands.iter().map(|hand| hand_model(hand, ui)).collect(),
    }
}

fn hand_model(hand: &FeltHand, ui: &Ui) -> HandModel {
    HandModel {
        id: hand.id.to_string(),
        cards: cards(&hand.cards, ui),
        total: total(hand.total),
        state: ui.hand_state(hand.state),
        state_class: match hand.state {
            HandState::Waiting => "waiting",
            HandState::Turn => "turn",
            HandState::Stood => "stood",
            HandState::Doubled => "doubled",
            HandState::Blackjack => "blackjack",
            HandState::Surrendered => "surrendered",
            HandState::Over => "over",
            HandState::Void => "void",
        },
        stake: ui.money(hand.stake),
        insurance: if hand.insurance == 0 { String::new() } else { ui.money(hand.insurance) },
    }
}

fn total(total: Option<u8>) -> String {
    total.map_or_else(|| "–".into(), |total| total.to_string())
}

fn cards(cards: &[Shown], ui: &Ui) -> Vec<CardModel> {
    let card = |shown: &Shown| match *shown {
        Shown::Covered => CardModel { kind: "back", suit: "", rank: "", label: ui.covered.into() },
        Shown::Up(card) => up(card, ui),
    };
    cards.iter().map(card).collect()
}

fn up(card: Card, ui: &Ui) -> CardModel {
    let suit = card.suit().map_or("", |suit| ["s", "h", "d", "c"][usize::from(suit.index()) % 4]);
    let kind = if suit.is_empty() { "unread" } else { "up" };
    CardModel { kind, suit, rank: rank_sign(card), label: ui.card(card) }
}

/// Articles of the open findings at a place, in the order of attention, each once.
fn flags(findings: &[FindingView], here: impl Fn(Place) -> bool) -> String {
    let mut articles: Vec<&str> = Vec::new();
    for view in findings.iter().filter(|view| view.state == FindingState::Open) {
        if view.finding.place.is_some_and(&here) && !articles.contains(&view.finding.provision) {
            articles.push(view.finding.provision);
        }
    }
    articles.join(" ")
}

fn step(step: &RemedyStep, lang: Lang) -> StepModel {
    let ui = Ui::of(lang);
    let (class, done) = match step.progress {
        Progress::Open => ("open", ""),
        Progress::Done => ("done", ui.step_done),
        Progress::Unseen => ("unseen", ui.step_unseen),
    };
    StepModel { what: words::remedy(&step.remedy).get(lang).to_string(), who: ui.who(step.who), class, done }
}

/// What was to be given and what was, as a pair of sums: "correspondía pagar 50; se hizo: retirar 50".
fn money(details: &Details, ui: &Ui) -> String {
    let (Some(owed), Some(done)) = (details.owed, details.done) else { return String::new() };
    format!("{}: {} · {}: {}", ui.owed, sum(owed, ui), ui.given, sum(done, ui))
}

/// A sum that the bank gives, or takes where it is below 0.
fn sum(net: i64, ui: &Ui) -> String {
    match net {
        0 => ui.no_money.to_owned(),
        net => format!("{} {}", if net > 0 { ui.paid } else { ui.collected }, ui.money(net.unsigned_abs())),
    }
}

fn account(of: &FeltAccount, ui: &Ui) -> AccountModel {
    let FeltAccount { hand, spot, outcome, owed, paid, collected, left } = of;
    let given = [(*paid, ui.was_paid), (*collected, ui.was_collected)];
    let given = given.iter().filter(|(amount, _)| *amount > 0);
    let given: Vec<String> = given.map(|(amount, word)| format!("{word} {}", ui.money(*amount))).collect();
    AccountModel {
        id: format!("account-{hand}-{}", if *spot == BetSpot::Insurance { "insurance" } else { "main" }),
        hand: hand.to_string(),
        is_insurance: *spot == BetSpot::Insurance,
        outcome: outcome.map_or(ui.not_known, |outcome| ui.outcome(outcome)),
        owed: owed.map(|owed| sum(owed, ui)).unwrap_or_default(),
        given: given.join(", "),
        left: left.filter(|left| *left != 0).map(|left| sum(left, ui)).unwrap_or_default(),
        is_done: *left == Some(0),
    }
}

/// A finding, with what of its remedy stands open.
pub(super) fn finding(view: &FindingView, remedies: &[OpenRemedy], lang: Lang) -> FindingModel {
    let ui = Ui::of(lang);
    let stands = remedies.iter().filter(|open| open.finding == view.finding.n).flat_map(|open| &open.steps);
    let in_words = |remedy: &Remedy| words::remedy(remedy).get(lang).to_string();
    let finding = &view.finding;
    FindingModel {
        attention: match &view.attention {
            Attention::New => String::new(),
            Attention::Taken { by } => format!("{} {by}", ui.taken_by),
            Attention::Closed { by, note } => format!("{} {by}: {note}", ui.closed_by),
        },
        closed: matches!(view.attention, Attention::Closed { .. }),
        n: finding.n,
        line: finding.line,
        about: finding.of.unwrap_or(finding.line),
        same_as: None,
        pass: finding.pass,
        article: finding.provision,
        place: finding.place.map(|place| words::place(place).get(lang).to_string()).unwrap_or_default(),
        severity: ui.severity(finding.severity),
        severity_class: match finding.severity {
            Severity::Notice => "notice",
            Severity::Irregularity => "irregularity",
            Severity::Integrity => "integrity",
        },
        state: ui.finding_state(view.state),
        state_class: match view.state {
            FindingState::Noted => "noted",
            FindingState::Open => "open",
            FindingState::Cleared => "cleared",
            FindingState::Breach => "breach",
            FindingState::Withdrawn => "cleared",
        },
        open: view.state == FindingState::Open,
        text: match lang {
            Lang::Es => view.es.clone(),
            Lang::En => view.en.clone(),
        },
        cards: finding.cards.iter().map(|&card| up(card, ui)).collect(),
        money: money(&finding.details, ui),
        steps: stands.map(|one| step(one, lang)).collect(),
        remedy_title: match view.state {
            FindingState::Open => ui.to_do,
            FindingState::Cleared => ui.was_done,
            FindingState::Breach | FindingState::Noted | FindingState::Withdrawn => ui.was_due,
        },
        remedy: finding.remedy.iter().map(in_words).collect(),
        missing: view.missing.iter().map(in_words).collect(),
        rulings: view.rulings.clone(),
    }
}

/// The way to the floor stands beside the devices: whoever looks after these looks after it.
fn uplink(shipping: &Shipping, lines: LineNo, ui: &'static Ui) -> DeviceModel {
    let (state, state_class) = match (&shipping.trouble, shipping.connected) {
        (_, false) => (ui.absent, "absent"),
        (Some(_), true) => (ui.refused, "refused"),
        (None, true) => (ui.online, "online"),
    };
    let waiting = shipping.waiting(lines);
    let unsigned = if waiting == 1 { ui.unsigned_one } else { ui.unsigned_many };
    DeviceModel {
        name: ui.floor.to_owned(),
        key: "uplink".to_owned(),
        port: "[uplink]".to_owned(),
        state,
        state_class,
        // the sink's own words are for who looks after it
        about: shipping.trouble.clone().unwrap_or_default(),
        detail: if waiting > 0 { format!("{waiting} {unsigned}") } else { String::new() },
        shed: String::new(),
        warnings: Vec::new(),
    }
}

fn device(view: &DeviceView, lang: Lang) -> DeviceModel {
    let ui = Ui::of(lang);
    let well = view.state == DeviceState::Online;
    let count = |n: u64, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{n} {many}")),
    };
    // a repeat was kept from the log as it should be: it is told with the port, not shown as a fault
    let told = if well { view.detail.as_str() } else { "" };
    let repeats = count(view.repeats, ui.repeats_one, ui.repeats_many);
    let about = [Some(told.to_string()).filter(|told| !told.is_empty()), repeats];
    DeviceModel {
        name: ui.device(&view.role).to_string(),
        key: view.role.clone(),
        port: view.port.clone(),
        state: ui.device_state(view.state),
        state_class: match view.state {
            DeviceState::Absent => "absent",
            DeviceState::Connecting => "connecting",
            DeviceState::Online => "online",
            // shown alike: the detail says which
            DeviceState::Refused | DeviceState::Faulty => "refused",
        },
        about: about.into_iter().flatten().collect::<Vec<_>>().join(" · "),
        detail: if well { String::new() } else { view.detail.clone() },
        shed: count(view.bad_frames, ui.damaged_one, ui.damaged_many).unwrap_or_default(),
        warnings: view.full.iter().chain(&view.poor).map(|words| words.get(lang).to_owned()).collect(),
    }
}
