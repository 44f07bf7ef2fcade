//! Hands of a box that share its pads, as `docs/build/station.toml` has them: whose chips are those that come, or go.

use std::collections::{BTreeMap, BTreeSet};

use sabot_drivers::TagsSaw;
use sabot_drivers::saw::{Pad, Stake};
use sabot_handbook::examples;
use sabot_handbook::parts::header_with_bought;
use sabot_journal::Origin;
use sabot_law::regulation::{self, Regulation};
use sabot_law::table::answer::Severity;
use sabot_law::table::event::Kind;
use sabot_law::table::{BetSpot, Event, HandId, Header, Name, Place, Sight, line};
use sabot_law::validator::Validator;
use sabot_simulation::bought_felt::lines;
use sabot_simulation::deviations::Deviating;
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::workload::{HOUSES, House};
use sabot_wire::message::{Chip, ChipsSaw, Observation, Role};

use crate::bought_tests::{options, times, touched, written};
use crate::findings::Findings;
use crate::live_table::{LiveTable, MOST_TRIED};
use crate::observe::{Observer, Table};
use crate::sourced_event::{EventSource, SourcedEvent, device_event};

/// Examples by the book in which a box is split.
fn splits() -> impl Iterator<Item = (String, &'static Regulation, examples::Case)> {
    let articles = regulation::ALL.iter().flat_map(|house| house.articles.iter().map(move |article| (house, article)));
    articles.flat_map(|(house, article)| {
        let cases = examples::cases(article).unwrap().into_iter();
        let cases = cases.filter(|case| !case.violating && case.scenario.log().contains("\"split\""));
        cases.map(move |case| (format!("{}/{}", article.id, case.name), *house, case))
    })
}

/// What pads tell of chips goes to the station, all else as it is. `is_slow`: of what is done to stakes of hands that
/// were split off, one after the other, each pad has only seen how they lie at the end.
fn told(house: &Regulation, case: &examples::Case, is_slow: bool) -> LiveTable {
    let (header, max_hands, events) = read(house, case);
    told_events(&header, max_hands, &events, is_slow)
}

/// Its header, into how many hands a box may be split, its events.
fn read(house: &Regulation, case: &examples::Case) -> (Header, u8, Vec<Event>) {
    let log = case.scenario.log();
    let mut texts = log.lines();
    let header = line::header(texts.next().unwrap().as_bytes()).unwrap();
    let max_hands = house.settings.clone().changed(&header.settings).split.max_hands;
    let events = texts.map(|text| line::event(text.as_bytes()).unwrap()).collect();
    (header, max_hands, events)
}

fn told_events(header: &Header, max_hands: u8, events: &[Event], is_slow: bool) -> LiveTable {
    let mut pads = Pads::of(header, max_hands);
    let settles = |event: Option<&Event>| match event {
        Some(Event::Pay { hand, .. } | Event::Collect { hand, .. }) if hand.hand > 0 => Some(hand.box_no),
        _ => None,
    };
    for (nth, event) in events.iter().enumerate() {
        pads.happens(event);
        let is_passing =
            is_slow && settles(Some(event)).is_some() && settles(events.get(nth + 1)) == settles(Some(event));
        if !is_passing {
            pads.tell();
        }
    }
    pads.table
}

/// The station, and pads that tell it of chips.
struct Pads {
    table: LiveTable,
    observer: Observer,
    header: Header,
    sensors: TableSensors,
    /// What lies on pads that have not told it yet.
    waiting: Vec<((u8, BetSpot), Observation)>,
    /// What each pad told last.
    told: BTreeMap<(u8, u8), Vec<Chip>>,
    seq: u32,
}

impl Pads {
    fn of(header: &Header, max_hands: u8) -> Self {
        let header = header_with_bought(header);
        let spots = lines(header.boxes).into_iter().flatten();
        let spots = spots.filter_map(|pad| if let Pad::Stake(at) = pad { Some(at) } else { None });
        Self {
            table: LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default()),
            observer: Observer::new(&header, std::time::Duration::ZERO).with_spots(spots),
            sensors: TableSensors::sharing(max_hands),
            header,
            waiting: Vec::new(),
            told: BTreeMap::new(),
            seq: 0,
        }
    }

    /// All but what pads tell is told at once.
    fn happens(&mut self, event: &Event) {
        let mut seen = Vec::new();
        self.sensors.see(event, &mut seen);
        if !matches!(event.kind(), Kind::Bet | Kind::Pay | Kind::Collect)
            && let Some(event) = self.header.observes.told(event)
        {
            self.observer.person(event, None, 0, &mut self.table);
        }
        for (pad, saw) in seen.into_iter().filter_map(|saw| Some((pad(&saw)?, saw))) {
            self.waiting.retain(|(other, _)| *other != pad);
            self.waiting.push((pad, saw));
        }
    }

    fn source(&mut self) -> EventSource {
        self.seq += 1;
        EventSource { origin: Origin(Name::new_static("chips"), 1, self.seq), seen: None }
    }

    fn tell(&mut self) {
        for ((box_no, spot), saw) in std::mem::take(&mut self.waiting) {
            if let Observation::Chips(ChipsSaw::Spot { chips, .. }) = &saw {
                self.told.insert((box_no, spot as u8), chips.to_vec());
            }
            let source = self.source();
            self.observer.take(Role::Chips, &saw, source, 0, &mut self.table);
        }
    }

    fn reads(&mut self, saw: &TagsSaw) {
        let source = self.source();
        self.observer.tags(saw, source, 0, &mut self.table);
    }
}

/// Whose chips were seen there.
fn pad(saw: &Observation) -> Option<(u8, BetSpot)> {
    match saw {
        Observation::Chips(ChipsSaw::Spot { box_no, spot, .. }) => Some((*box_no, *spot)),
        _ => None,
    }
}

fn words(table: &LiveTable) -> String {
    table.unrecorded.iter().map(|(told, _)| serde_json::to_string(&told.event).unwrap() + "\n").collect()
}

#[test]
fn what_hands_that_share_pads_are_paid_or_bet_is_told_of_the_hand_whose_it_is() {
    let mut count = 0;
    for (name, house, case) in splits() {
        let table = told(house, &case, false);
        let found: Vec<_> = table.findings.list().map(|view| &view.finding).collect();
        assert!(found.is_empty(), "{name}: {found:?}\n{}\ntold:\n{}", case.scenario.log(), words(&table));
        assert!(!words(&table).contains("events_missed"), "{name}:\n{}", words(&table));
        count += 1;
    }
    assert!(count > 20, "{count} examples");
}

#[test]
fn what_a_shared_pad_cannot_tell_apart_accuses_nobody_and_is_said_not_to_have_been_seen() {
    let mut missed = 0;
    for (name, house, case) in splits() {
        let table = told(house, &case, true);
        let accused: Vec<_> = table
            .findings
            .list()
            .map(|view| &view.finding)
            .filter(|finding| finding.severity != Severity::Integrity)
            .collect();
        assert!(accused.is_empty(), "{name}: {accused:?}\n{}\ntold:\n{}", case.scenario.log(), words(&table));
        missed += usize::from(words(&table).contains("events_missed"));
    }
    assert!(missed > 0, "no pass in which two hands of a box were settled at once");
}

/// A pass of `club` that is written here, and is not in the handbook.
fn club(log: &str) -> (&'static Regulation, examples::Case) {
    let house = regulation::find("club").unwrap();
    let log = format!("== compliant: pass\n{log}");
    (house, examples::read("shared_pads_tests.rs", &house.id, &log).unwrap().remove(0))
}

/// What the station is told of one by the book.
fn told_of_club(log: &str) -> LiveTable {
    let (house, case) = club(log);
    told(house, &case, false)
}

fn found(table: &LiveTable) -> Vec<&str> {
    table.findings.list().map(|view| view.finding.provision).collect()
}

/// The same without what the chip reader is said not to have seen.
fn accused(table: &LiveTable) -> Vec<&str> {
    let findings = table.findings.list().map(|view| &view.finding);
    findings.filter(|finding| finding.severity != Severity::Integrity).map(|finding| finding.provision).collect()
}

fn is_missed(table: &LiveTable) -> bool {
    words(table).contains("events_missed")
}

/// Of four hands the first and the third win, and the second and the fourth lose.
const FOUR_HANDS: &str = "table limits=10-1000 stake=50 set=max_hands:4
bets 7
deal TS 7C TD
ask 7 split
bet 7 split 50
draw 9H 7
stand 7
draw TC 7b
ask 7b split
bet 7b split 50
draw 5S 7b
stand 7b
draw TH 7c
ask 7c split
bet 7c split 50
draw 9S 7c
stand 7c
draw 5H 7d
stand 7d
draw TD bank
";

#[test]
fn one_reading_of_a_payment_and_two_collections_accuses_no_hand_of_not_being_settled() {
    let (house, case) = club(&format!(
        "{FOUR_HANDS}pay 7 50\ncollect 7b 50\npay 7c 50\ncollect 7d 50\ndiscard 7, 7b, 7c, 7d, bank\nend\n"
    ));
    let quick = told(house, &case, false);
    assert!(found(&quick).is_empty() && !is_missed(&quick), "{:?}\n{}", found(&quick), words(&quick));
    let slow = told(house, &case, true);
    assert!(accused(&slow).is_empty() && is_missed(&slow), "{:?}\n{}", accused(&slow), words(&slow));
}

#[test]
fn a_pad_that_was_in_doubt_and_has_the_same_chips_again_has_not_seen_what_was_paid_and_collected() {
    let at = Stake { box_no: 7, hand: 0, spot: BetSpot::Split };
    for is_in_doubt in [false, true] {
        let (_, case) = club(FOUR_HANDS);
        let (header, max_hands, events) = read(regulation::find("club").unwrap(), &case);
        let mut pads = Pads::of(&header, max_hands);
        for event in &events {
            pads.happens(event);
            pads.tell();
        }
        let chips = pads.told[&(at.box_no, at.spot as u8)].clone();
        if is_in_doubt {
            pads.reads(&TagsSaw::InDoubt { at });
        }
        pads.reads(&TagsSaw::Stack { at, chips });
        assert_eq!(is_missed(&pads.table), is_in_doubt, "{}", words(&pads.table));
    }
}

#[test]
fn hands_that_were_not_settled_are_found_unless_others_of_the_pad_were_and_all_might_have_been() {
    let all = ["pay 7 50", "collect 7b 50", "pay 7c 50", "collect 7d 50"];
    for (left_out, is_found) in [(&[3][..], true), (&[1], true), (&[2], true), (&[1, 2, 3], true), (&[2, 3], false)] {
        let done: Vec<&str> = (0..).zip(all).filter(|(nth, _)| !left_out.contains(nth)).map(|(_, what)| what).collect();
        let (house, case) = club(&format!("{FOUR_HANDS}{}\ndiscard 7, 7b, 7c, 7d, bank\nend\n", done.join("\n")));
        let table = told(house, &case, false);
        // where a payment and a collection are left out the reading before may have been of all three
        let (accused, is_missed) = (accused(&table), is_missed(&table));
        assert_eq!((!accused.is_empty(), is_missed), (is_found, !is_found), "{done:?}: {accused:?}\n{}", words(&table));
    }
}

#[test]
fn a_stake_that_still_lies_there_when_all_of_the_pad_are_told_as_collected_is_said_not_to_have_been_seen() {
    // what is taken of the doubled hand is told as the other's, and its double as the whole of it
    for (collected, is_missed_of) in [("collect 7 50, 7c 50, 7b 100", false), ("collect 7 50, 7b 100", true)] {
        let table = told_of_club(&format!(
            "table limits=10-1000 stake=50 set=max_hands:4
bets 7
deal 8H QS 8S
ask 7 split
bet 7 split 50
draw 8D 7
ask 7 split
bet 7 split 100
draw TC 7
stand 7
draw 4S 7c
stand 7c
draw 3C 7b
ask 7b double
double 7b
bet 7b double 50
draw 8H 7b
draw JH bank
{collected}
discard 7, 7c, 7b, bank
end
"
        ));
        assert_eq!((accused(&table).len(), is_missed(&table)), (0, is_missed_of), "{}", words(&table));
    }
}

#[test]
fn where_a_double_goes_first_the_stake_of_its_hand_goes_with_the_next_that_is_collected() {
    let (house, case) = club(
        "table limits=10-1000 stake=50 set=max_hands:4
bets 7
deal 8H QS 8S
ask 7 split
bet 7 split 50
draw 8D 7
ask 7 split
bet 7 split 100
draw TC 7
stand 7
draw 3C 7c
ask 7c double
double 7c
bet 7c double 50
draw 8H 7c
draw 4S 7b
stand 7b
draw JH bank
collect 7 50, 7c 100, 7b 50
discard 7, 7c, 7b, bank
end
",
    );
    for is_slow in [false, true] {
        let table = told(house, &case, is_slow);
        let seen = (accused(&table).len(), is_missed(&table));
        assert_eq!(seen, (0, false), "{is_slow}: {:?}\n{}", accused(&table), words(&table));
    }
}

#[test]
fn a_double_is_told_of_the_hand_that_chose_it_where_one_that_has_stood_might_have_doubled() {
    let table = told_of_club(
        "table limits=10-1000 stake=50 set=max_hands:4
bets 7
deal 9S 7C 9H
ask 7 split
bet 7 split 50
draw AS 7
ask 7 double
decline 7
stand 7
draw 2S 7b
ask 7b double
double 7b
bet 7b double 50
draw 9C 7b
",
    );
    let told = words(&table);
    assert!(found(&table).is_empty() && told.contains(r#""box":"7b","spot":"double","amount":50"#), "{told}");
}

#[test]
fn the_bet_of_a_later_split_is_told_where_the_hand_of_an_earlier_one_is_settled_already() {
    let table = told_of_club(
        "table limits=10-1000 stake=50 set=max_hands:4
bets 7
deal TS 7C TD
ask 7 split
bet 7 split 50
draw 9H 7
stand 7
draw TC 7b
ask 7b split
bet 7b split 50
draw 5S 7b
hit 7b
draw TH 7b
collect 7b 50
draw TH 7c
ask 7c split
bet 7c split 50
draw 9S 7c
stand 7c
draw 8H 7d
stand 7d
",
    );
    let told = words(&table);
    assert!(found(&table).is_empty() && told.contains(r#""box":"7c","spot":"split","amount":50"#), "{told}");
}

/// Passes of a table of a house, by the book.
struct Dealt {
    header: Header,
    max_hands: u8,
    passes: Vec<Vec<Event>>,
}

impl Dealt {
    fn of(house: &'static House, seed: u64) -> Self {
        let mut dealt = Deviating::new(options(house, seed, 0.0));
        let mut judge = Validator::new(dealt.header().clone()).unwrap();
        let mut next = || {
            let mut pass = Vec::new();
            dealt.next_pass(&mut pass, |line, event, answers| judge.step(line, event, answers));
            pass.iter().map(touched).collect()
        };
        let passes = (0..20).map(|_| next()).collect();
        Self { header: dealt.header().clone(), max_hands: dealt.max_hands(), passes }
    }

    /// The station, once pads have told it of all.
    fn told(&self, is_slow: bool) -> LiveTable {
        told_events(&self.header, self.max_hands, &self.passes.concat(), is_slow)
    }
}

/// The passes in which a pad was not seen, and those in which somebody is accused.
fn passes_of(table: &LiveTable) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let is_missed = |event: &Event| matches!(event, Event::Device { status, .. } if status == "events_missed");
    let told = table.unrecorded.iter().filter(|(told, _)| is_missed(&told.event));
    let findings = table.findings.list().map(|view| &view.finding);
    let accused = findings.filter(|finding| finding.severity != Severity::Integrity);
    (told.map(|(_, judged)| judged.pass).collect(), accused.map(|finding| finding.pass).collect())
}

/// `SABOT_TIMES=100` deals 2,000 tables twice: 40,000 passes.
#[test]
fn passes_by_the_book_that_pads_tell_of_accuse_nobody_however_slow_they_are() {
    let missed = |is_slow| -> usize {
        let seeds = HOUSES.iter().flat_map(|&house| (0..5 * times()).map(move |seed| (house, seed)));
        let one = |(house, seed): (&'static House, u64)| {
            let dealt = Dealt::of(house, seed);
            let table = dealt.told(is_slow);
            let (missed, accused) = passes_of(&table);
            let shown = || {
                let pass = &dealt.passes[*accused.first().unwrap() as usize - 1];
                format!("{:?}\ndealt:\n{}\ntold:\n{}", found(&table), written(pass), words(&table))
            };
            assert!(accused.is_empty(), "{}, seed {seed}, slow {is_slow}: {}", house.id, shown());
            missed.len()
        };
        seeds.map(one).sum()
    };
    let (quick, slow) = (missed(false), missed(true));
    println!("a pad was not seen in {quick} of {} passes, and in {slow} where pads are slow", 400 * times());
}

/// A device may tell without an end, and what is tried costs more the longer a pass is.
#[test]
fn in_a_pass_without_an_end_nothing_is_tried_and_something_is_taken_to_be_found() {
    let (_, house, case) = splits().next().unwrap();
    let (header, _, _) = read(house, &case);
    let mut table = LiveTable::new(Validator::new(header).unwrap(), Findings::default());
    let spot = || device_event(Role::Chips, "spot", None);
    for _ in 0..MOST_TRIED {
        assert!(!table.would_find(&spot()), "{}", table.validator.kept_events());
        Table::apply(&mut table, SourcedEvent { event: spot(), source: None, paired: None, entered: None });
    }
    assert!(!table.would_find(&spot()));
    Table::apply(&mut table, SourcedEvent { event: spot(), source: None, paired: None, entered: None });
    assert!(table.would_find(&spot()), "{}", table.validator.kept_events());
}

/// Of each pass one settlement of a box that was split is left out; `nth` which.
fn leave_out(pass: &mut Vec<Event>, nth: usize) -> bool {
    let of_split = |event: &Event| match event {
        Event::Pay { hand, .. } | Event::Collect { hand, .. } => Some(*hand),
        _ => None,
    };
    let split: BTreeSet<u8> =
        pass.iter().filter_map(of_split).filter(|hand| hand.hand > 0).map(|hand| hand.box_no).collect();
    let at = |event: &Event| of_split(event).is_some_and(|hand| split.contains(&hand.box_no));
    let places: Vec<usize> = (0..pass.len()).filter(|at_| at(&pass[*at_])).collect();
    let Some(at) = places.get(nth % places.len().max(1)) else { return false };
    pass.remove(*at);
    true
}

/// What is found where each hand has pads of its own is found where they share them, or is said not to have been seen.
#[test]
fn a_settlement_that_is_left_out_is_found_or_said_not_to_have_been_seen() {
    for is_slow in [false, true] {
        let (mut all, mut seen, mut unseen) = (0, 0, 0);
        for (&house, seed) in HOUSES.iter().flat_map(|house| (0..5 * times()).map(move |seed| (house, seed))) {
            let mut dealt = Dealt::of(house, seed);
            let changed: Vec<bool> = (0..).zip(&mut dealt.passes).map(|(nth, pass)| leave_out(pass, nth)).collect();
            let changed: BTreeSet<u64> = (1..).zip(changed).filter(|(_, is)| *is).map(|(pass, _)| pass).collect();
            let header = header_with_bought(&dealt.header);
            let mut whole = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
            for event in dealt.passes.iter().flatten().filter_map(|event| header.observes.told(event)) {
                Table::apply(&mut whole, SourcedEvent { event, source: None, paired: None, entered: None });
            }
            let (_, due) = passes_of(&whole);
            let (missed, found) = passes_of(&dealt.told(is_slow));
            for pass in due.intersection(&changed) {
                all += 1;
                seen += usize::from(found.contains(pass));
                unseen += usize::from(!found.contains(pass) && missed.contains(pass));
                let is_silent = !found.contains(pass) && !missed.contains(pass);
                let log = &dealt.passes[*pass as usize - 1];
                assert!(!is_silent, "{}, seed {seed}, pass {pass}, slow {is_slow}\n{}", house.id, written(log));
            }
        }
        println!("slow {is_slow}: of {all} passes {seen} found, {unseen} not seen");
        assert!(seen > 0, "none found");
    }
}

/// A pair is opened. The first hand stands at 18, which nobody hears, and the next card is the second hand's: the
/// station tells it of the first, which is due one. Then the bank has 21, and collects these.
fn played_unheard(collected: &[u8]) -> LiveTable {
    let (house, case) = club("table limits=10-1000 stake=50\nbets 7\nclose\n");
    let (mut header, max_hands, mut events) = read(house, &case);
    header.observes = [Sight::Places, Sight::Moves, Sight::Bets].into_iter().collect();
    let hand = |hand| HandId { box_no: 7, hand };
    let draw = |card: &str, to: Place| Event::Draw { card: card.parse().unwrap(), to: Some(to), face: None };
    let spot = BetSpot::Split;
    events.extend([draw("8S", hand(0).into()), draw("6C", Place::Bank), draw("8H", hand(0).into())]);
    events.push(Event::Bet { hand: hand(0), spot, amount: 50, player: None, chips: Vec::new() });
    events.extend(["TD", "3H"].map(|card| draw(card, hand(0).into())));
    events.extend([draw("9S", hand(1).into()), draw("TC", Place::Bank), draw("5D", Place::Bank)]);
    let spot = BetSpot::Main;
    events.extend(collected.iter().map(|nth| Event::Collect { hand: hand(*nth), amount: 50, spot }));
    events.extend([hand(0).into(), hand(1).into(), Place::Bank].map(|from| Event::Move {
        from,
        to: Place::Discard,
        cards: None,
    }));
    events.push(Event::End {});
    told_events(&header, max_hands, &events, false)
}

#[test]
fn where_nobody_hears_who_stands_a_card_of_a_hand_that_shares_its_pad_may_have_been_the_next_hands() {
    let table = played_unheard(&[0, 1]);
    assert!(accused(&table).is_empty() && is_missed(&table), "{:?}\n{}", found(&table), words(&table));
    // what was told may be so: that is judged
    let table = played_unheard(&[1]);
    assert!(found(&table).is_empty() && !is_missed(&table), "{:?}\n{}", found(&table), words(&table));
}

#[path = "shared_pads_doubt_tests.rs"]
mod in_doubt;
