use std::collections::HashMap;

use sabot_drivers::TagsSaw;
use sabot_wire::message::{Authority, Card, Choice, Face, Permit, Place, Question, Ruling, Taken};

use super::*;
use crate::placement::{EARLY_MS, LATE_MS, SKEW_MS};
use sabot_journal::{Origin, SeenAt};
use sabot_law::table::{Limits, LineNo, Moved, Observes};

const WAIT: u64 = 1500;

/// A table that does what it is told and notes it down.
#[derive(Default)]
struct Felt {
    settling: bool,
    /// A hand that is decided before the others.
    decided: Option<HandId>,
    bank_drew: bool,
    /// A hand that has a Black Jack.
    blackjack: Option<HandId>,
    spots: HashMap<(HandId, BetSpot), Cents>,
    void: Option<HandId>,
    undue_double: bool,
    undue_insurance: bool,
    bank_is_covered: bool,
    unread: Option<Place>,
    bettors: HashMap<u8, Name>,
    due: Option<Place>,
    lying: Vec<(Place, Card)>,
    clears: bool,
    burns: Option<Place>,
    lines: LineNo,
    /// No bet may be lowered any more.
    bets_stand: bool,
    may_correct: Vec<&'static str>,
    /// What was told: the event as the log writes it, then the origins.
    log: Vec<String>,
}

impl Table for Felt {
    fn is_settling(&self, hand: HandId) -> bool {
        self.settling || self.decided == Some(hand)
    }

    fn split_off(&self, hand: HandId) -> Option<Cents> {
        (hand.hand == 1).then(|| self.on_spot(HandId::first(hand.box_no), BetSpot::Split))
    }

    fn is_in_play(&self, hand: HandId) -> bool {
        self.void != Some(hand)
    }

    fn bettor(&self, box_no: u8) -> Option<Name> {
        self.bettors.get(&box_no).cloned()
    }

    fn doubled(&self, hand: HandId) -> Cents {
        if self.undue_double { 0 } else { self.on_spot(hand, BetSpot::Double) }
    }

    fn insured(&self, hand: HandId) -> bool {
        !self.undue_insurance && self.on_spot(hand, BetSpot::Insurance) > 0
    }

    fn bank_must_have_turned(&self) -> bool {
        self.bank_drew
    }

    fn is_paid_blackjack(&self, hand: HandId, amount: Cents) -> bool {
        self.blackjack == Some(hand) && amount * 2 == self.on_spot(hand, BetSpot::Main) * 3
    }

    fn article(&self, number: u16) -> Option<&'static str> {
        sabot_law::regulation::sala8::SALA_8.on_keypad(number).map(|article| article.id)
    }

    fn is_covered(&self, at: Option<Place>) -> bool {
        at.is_none_or(|at| at == Place::Bank) && self.bank_is_covered
    }

    fn is_unread(&self, at: Place) -> bool {
        self.unread == Some(at)
    }

    fn on_spot(&self, hand: HandId, spot: BetSpot) -> Cents {
        self.spots.get(&(hand, spot)).copied().unwrap_or(0)
    }

    fn hands(&self, box_no: u8) -> Vec<HandId> {
        vec![HandId::first(box_no)]
    }

    fn may_have_stood(&self, _: HandId) -> bool {
        false
    }

    fn would_explain(&self, _: &Event) -> bool {
        false
    }

    fn would_find(&self, event: &Event) -> bool {
        self.bets_stand && matches!(event, Event::Bet { .. })
    }

    fn finds_unsettled(&self, _: u8, _: &Event) -> bool {
        false
    }

    fn may_lie_split(&self, _: u8) -> Cents {
        0
    }

    fn card_due(&self) -> Option<Place> {
        self.due
    }

    fn lying(&self, at: Place, card: Card) -> usize {
        self.lying.iter().filter(|lying| **lying == (at, card)).count()
    }

    fn held(&self, at: Place, card: Card) -> Option<(Place, bool)> {
        self.held_at(at, card)
    }

    fn held_at(&self, hand: Place, card: Card) -> Option<(Place, bool)> {
        let is_covered = hand == Place::Bank && self.bank_is_covered;
        (self.lying(hand, card) > 0).then_some((hand, is_covered))
    }

    fn to_clear(&self) -> Option<Place> {
        self.lying.iter().map(|(at, _)| *at).filter(|_| self.clears).min()
    }

    fn burns(&self, from: Place) -> bool {
        self.burns == Some(from)
    }

    fn is_over(&self) -> bool {
        false
    }

    fn line(&self) -> LineNo {
        self.lines
    }

    fn may_correct(&self, office: &str) -> bool {
        self.may_correct.contains(&office)
    }

    fn apply(&mut self, told: SourcedEvent) {
        self.lines += 1;
        match told.event {
            Event::Bet { hand, spot, amount, .. } => {
                self.spots.insert((hand, spot), amount);
            }
            // a card whose place is not seen goes where one is due
            Event::Draw { card, to, .. } => self.lying.extend(to.or(self.due).map(|at| (at, card))),
            Event::Move { from, ref cards, .. } => {
                let taken = |card: &Card| match cards {
                    Some(Moved::Cards(cards)) => cards.contains(card),
                    _ => true,
                };
                self.lying.retain(|(at, card)| *at != from || !taken(card));
            }
            Event::End {} => {
                self.lying.clear();
                self.spots.clear();
                self.settling = false;
            }
            _ => {}
        }
        let seqs: Vec<String> = (told.source.iter().map(|source| &source.origin))
            .chain(&told.paired)
            .map(|Origin(who, _, seq)| format!("{who}{seq}"))
            .collect();
        self.log.push(format!("{} {}", serde_json::to_string(&told.event).unwrap(), seqs.join("+")));
    }
}

fn header(observes: Observes) -> Header {
    Header {
        v: 1,
        table: Name::new("BJ-07"),
        regulation: Name::new("sala-8"),
        boxes: 5,
        limits: Limits { min: 1, max: 1000 },
        observes,
        settings: sabot_law::table::settings::Changes::default(),
        rules: None,
    }
}

struct Bench {
    observer: Observer,
    felt: Felt,
    now: u64,
    seqs: HashMap<Role, u32>,
}

impl Bench {
    fn seeing(observes: Observes) -> Self {
        let observer = Observer::new(&header(observes), Duration::from_millis(WAIT));
        let mut bench = Self { observer, felt: Felt::default(), now: 0, seqs: HashMap::new() };
        for role in [Role::Shoe, Role::Chips, Role::Keypad, Role::Shuffler] {
            bench.link(role, "online");
        }
        bench.felt.log.clear();
        bench.now = SKEW_MS; // they have met before
        bench
    }

    fn new() -> Self {
        Self::seeing(Observes::ALL)
    }

    fn link(&mut self, role: Role, status: &str) {
        self.observer.device(role, status, None, self.now, &mut self.felt);
    }

    /// A device tells of something, at a time that is not known.
    fn saw(&mut self, role: Role, saw: Observation) -> &mut Self {
        self.saw_at(role, saw, None)
    }

    /// The same, seen so many milliseconds ago.
    fn saw_ago(&mut self, ms: i64, role: Role, saw: Observation) -> &mut Self {
        let at_ms = i64::try_from(self.now).unwrap() - ms;
        self.saw_at(role, saw, Some(SeenAt { at_ms, error_ms: 2 }))
    }

    fn saw_at(&mut self, role: Role, saw: Observation, seen: Option<SeenAt>) -> &mut Self {
        let seq = self.seqs.entry(role).or_default();
        *seq += 1;
        let origin = Origin(Name::new(&role.name()[..2]), 1, *seq);
        self.observer.take(role, &saw, EventSource { origin, seen }, self.now, &mut self.felt);
        self
    }

    /// A bought reader tells of tags.
    fn tags(&mut self, saw: &TagsSaw) -> &mut Self {
        self.tags_at(saw, None)
    }

    /// The same, of what is so since so many milliseconds ago.
    fn tags_ago(&mut self, ms: i64, saw: &TagsSaw) -> &mut Self {
        let at_ms = i64::try_from(self.now).unwrap() - ms;
        self.tags_at(saw, Some(SeenAt { at_ms, error_ms: 1 }))
    }

    fn tags_at(&mut self, saw: &TagsSaw, seen: Option<SeenAt>) -> &mut Self {
        let seq = self.seqs.entry(Role::Chips).or_default();
        *seq += 1;
        let source = EventSource { origin: Origin(Name::new("ch"), 1, *seq), seen };
        self.observer.tags(saw, source, self.now, &mut self.felt);
        self
    }

    fn drawn_ago(&mut self, ms: i64, card: u8) -> &mut Self {
        self.saw_ago(ms, Role::Shoe, Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card))))
    }

    fn arrived_ago(&mut self, ms: i64, box_no: u8) -> &mut Self {
        let place = place(box_no);
        self.saw_ago(ms, Role::Chips, Observation::Chips(ChipsSaw::CardArrived { place, face: None }))
    }

    fn drawn(&mut self, card: u8) -> &mut Self {
        self.saw(Role::Shoe, Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card))))
    }

    fn arrives(&mut self, place: Place) -> &mut Self {
        self.saw(Role::Chips, Observation::Chips(ChipsSaw::CardArrived { place, face: Some(Face::Up) }))
    }

    fn spot(&mut self, box_no: u8, spot: BetSpot, values: &[u32]) -> &mut Self {
        let chips = values.iter().zip(0xE004_0100..).map(|(&value, uid)| wire::Chip { uid, value }).collect();
        self.saw(Role::Chips, Observation::Chips(ChipsSaw::Spot { box_no, hand: 0, spot, chips }))
    }

    fn said(&mut self, said: KeypadSaid) -> &mut Self {
        self.saw(Role::Keypad, Observation::Keypad(said))
    }

    fn after(&mut self, ms: u64) -> &mut Self {
        self.now += ms;
        self.observer.tick(self.now, &mut self.felt);
        self
    }

    #[track_caller]
    fn tells(&mut self, expected: &[&str]) {
        assert_eq!(std::mem::take(&mut self.felt.log), expected);
    }
}

fn place(box_no: u8) -> Place {
    Place::Hand(HandId { box_no, hand: 0 })
}

const EIGHT_OF_SPADES: u8 = 7;
const TEN_OF_HEARTS: u8 = 22;

/// What can come over the links, in any order.
#[derive(Debug, Clone)]
enum Comes {
    Drawn(Option<i64>, u8),
    Arrives(Option<i64>, u8),
    Turned,
    Spot(u8, u32),
    Said,
    Link(Role, bool),
    Time(u64),
}

fn anything() -> impl proptest::strategy::Strategy<Value = Vec<Comes>> {
    use proptest::prelude::*;
    let ago = proptest::option::of(0i64..3000);
    let one = prop_oneof![
        4 => (ago.clone(), 0u8..52).prop_map(|(ago, card)| Comes::Drawn(ago, card)),
        4 => (ago, 0u8..8).prop_map(|(ago, box_no)| Comes::Arrives(ago, box_no)),
        1 => Just(Comes::Turned),
        1 => (0u8..8, 0u32..3).prop_map(|(box_no, value)| Comes::Spot(box_no, value)),
        1 => Just(Comes::Said),
        2 => (any::<bool>(), any::<bool>())
            .prop_map(|(shoe, there)| Comes::Link(if shoe { Role::Shoe } else { Role::Chips }, there)),
        2 => (0u64..4000).prop_map(Comes::Time),
    ];
    proptest::collection::vec(one, 0..60)
}

proptest::proptest! {
    #[test]
    fn whatever_comes_each_observation_is_told_once_and_each_devices_in_its_order(comes in anything()) {
        let mut bench = Bench::new();
        let mut cards = Vec::new();
        for (n, come) in comes.into_iter().enumerate() {
            match come {
                Comes::Drawn(ago, card) => {
                    cards.push(format!(r#""card":"{}""#, Card::from_index(card).unwrap()));
                    match ago {
                        Some(ms) => bench.drawn_ago(ms, card),
                        None => bench.drawn(card),
                    };
                }
                Comes::Arrives(ago, box_no) => {
                    match ago {
                        Some(ms) => bench.arrived_ago(ms, box_no),
                        None => bench.arrives(place(box_no)),
                    };
                }
                Comes::Turned => {
                    bench.saw(Role::Chips, Observation::Chips(ChipsSaw::CardTurned { place: Place::Bank }));
                }
                Comes::Spot(box_no, value) => {
                    bench.felt.settling = n % 2 == 0;
                    bench.spot(box_no, BetSpot::Main, &[value]);
                }
                Comes::Said => {
                    bench.said(KeypadSaid::EndPass);
                }
                Comes::Link(role, there) => bench.link(role, if there { "online" } else { "offline" }),
                Comes::Time(ms) => {
                    bench.after(ms);
                }
            }
        }
        while let Some(deadline) = bench.observer.deadline() {
            bench.now = bench.now.max(deadline);
            bench.after(0);
        }
        let mut told: HashMap<&str, Vec<u32>> = HashMap::new();
        for line in &bench.felt.log {
            let origins = line.rsplit_once(' ').unwrap().1;
            for origin in origins.split('+').filter(|origin| !origin.is_empty()) {
                told.entry(&origin[..2]).or_default().push(origin[2..].parse().unwrap());
            }
        }
        for (role, seq) in &bench.seqs {
            let told = told.get(&role.name()[..2]).cloned().unwrap_or_default();
            proptest::prop_assert_eq!(told, (1..=*seq).collect::<Vec<_>>(), "{}", role);
        }
        let drawn: Vec<&String> = bench.felt.log.iter().filter(|line| line.contains(r#""ev":"draw""#)).collect();
        proptest::prop_assert_eq!(drawn.len(), cards.len());
        for (line, card) in drawn.iter().zip(&cards) {
            proptest::prop_assert!(line.contains(card));
        }
    }
}

#[path = "observe_chips_tests.rs"]
mod chips_tests;
#[path = "observe_entries_tests.rs"]
mod entries_tests;
#[path = "observe_places_tests.rs"]
mod places_tests;
#[path = "observe_tags_tests.rs"]
mod tags_tests;
