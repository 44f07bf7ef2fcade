//! The table through its devices against the table as it was dealt: events, as sensors see them, must make the same
//! findings as the events themselves.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use sabot_wire::message::{KeypadSaid, Observation, Role};

use super::*;
use crate::findings::Findings;
use sabot_law::table::event::Face;
use sabot_law::table::{Answer, BetSpot, Card, Event, Header, Place, Sight};
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Deviation, Options};
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::twin::role_of;
use sabot_simulation::workload::{Dealer, HOUSES, House, Settings};

/// Passes that are tried until one deviates.
const TRIES: usize = 20;

type Found = (u64, &'static str, Option<Place>, Severity);

fn live_table(header: &Header) -> LiveTable {
    LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default())
}

fn found(table: &LiveTable) -> Vec<Found> {
    let of = |view: &crate::snapshot::FindingView| {
        let finding = &view.finding;
        (finding.pass, finding.provision, finding.place, finding.severity)
    };
    table.findings.list().map(of).collect()
}

/// What a table and its devices made of a pass.
struct Pass {
    dealt: Vec<Event>,
    told: Vec<Event>,
    found: Vec<Found>,
    found_by_devices: Vec<Found>,
}

/// A table, and the same seen by devices.
struct BothWays {
    table: Deviating,
    judge: Validator,
    direct: LiveTable,
    seen: LiveTable,
    observer: Observer,
    sensors: TableSensors,
    seqs: [u32; 5],
    now: u64,
    line: LineNo,
    /// On which line of the record through the devices that stands which was dealt on a line.
    told: HashMap<LineNo, LineNo>,
}

impl BothWays {
    fn of(options: Options) -> Self {
        let table = Deviating::new(options);
        let header = table.header();
        let (direct, mut seen) = (live_table(header), live_table(header));
        let mut observer = Observer::new(header, Duration::from_secs(1));
        for role in Role::ALL {
            observer.device(role, "online", None, 0, &mut seen);
        }
        let judge = Validator::new(header.clone()).unwrap();
        let sensors = TableSensors::of(table.max_hands());
        Self { table, judge, direct, seen, observer, sensors, seqs: [0; 5], now: 0, line: 1, told: HashMap::new() }
    }

    /// Tells the next pass to its end, both ways.
    fn pass(&mut self) -> Pass {
        let mut dealt = Vec::new();
        self.table.next_pass(&mut dealt, |line, event, answers| self.judge.step(line, event, answers));
        self.seen.unrecorded.clear();
        for event in &dealt {
            self.line += 1;
            self.direct.step(self.line, event);
            self.happens(event);
        }
        let told = self.seen.unrecorded.iter().map(|(told, _)| told.event.clone()).collect();
        Pass { dealt, told, found: found(&self.direct), found_by_devices: found(&self.seen) }
    }

    /// Chooses how the next pass deviates, so that the devices can tell it; whether it does.
    fn deviates(&mut self, house: &House) -> bool {
        let judge = self.judge.clone();
        self.table.next_pass_that(TRIES, |trial| can_be_told(house, judge.clone(), trial))
    }

    fn happens(&mut self, event: &Event) {
        let mut observations = Vec::new();
        let mut event = event.clone();
        if let Event::Correct { line, after, .. } = &mut event {
            // who corrects reads the line's number from the record
            line.iter_mut().chain(after).for_each(|line| *line = self.told.get(line).copied().unwrap_or(*line));
        }
        self.sensors.see(&event, &mut observations);
        for saw in observations {
            let role = role_of(&saw);
            self.seqs[role as usize] += 1;
            let origin = Origin(Name::new(role.name()), 1, self.seqs[role as usize]);
            self.observer.take(role, &saw, EventSource { origin, seen: None }, self.now, &mut self.seen);
        }
        // nothing waits into the next event
        self.now += 2000;
        self.observer.tick(self.now, &mut self.seen);
        self.told.insert(self.line, self.seen.lines);
    }
}

impl Pass {
    fn is_alike(&self) -> bool {
        self.found == self.found_by_devices
    }

    /// Whether chips that were paid, collected or laid to a split were told as such. Those laid to a bet that cannot be
    /// settled yet look like a raised bet, those taken from it like one that is taken back, and what is changed on a
    /// split's spot once it was settled like what its winner does with it.
    fn chips_are_told(&self) -> bool {
        let moved = |events: &[Event]| -> Vec<_> {
            let chips = |event: &Event| match event {
                Event::Collect { hand, amount, .. } | Event::Pay { hand, amount, .. } => Some((*hand, *amount)),
                Event::Bet { hand, spot: BetSpot::Split, amount, .. } => Some((*hand, *amount)),
                _ => None,
            };
            events.iter().filter_map(chips).collect()
        };
        moved(&self.dealt) == moved(&self.told)
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |events: &[Event]| events.iter().map(as_line).collect::<Vec<_>>().join("\n");
        writeln!(f, "dealt, {:?}:\n{}", self.found, lines(&self.dealt))?;
        writeln!(f, "through the devices, {:?}:\n{}", self.found_by_devices, lines(&self.told))
    }
}

fn as_line(event: &Event) -> String {
    serde_json::to_string(event).unwrap()
}

/// What a person enters though the table is not to see what bettors decide: who sits where, and what is done between
/// passes.
fn is_between_passes(saw: &Observation) -> bool {
    let Observation::Keypad(said) = saw else { return true };
    matches!(
        said,
        KeypadSaid::Seat { .. }
            | KeypadSaid::Leave { .. }
            | KeypadSaid::Request { .. }
            | KeypadSaid::Bettor { .. }
            | KeypadSaid::Authorize { .. }
            | KeypadSaid::Cut { .. }
    )
}

#[test]
fn a_table_that_does_not_see_decisions_takes_no_touch_in_a_pass_and_ends_it_itself() {
    const PASSES: u64 = 200;
    for house in HOUSES.iter().filter(|house| ["sala-8", "croupier-6"].contains(&house.id)) {
        let mut dealer = Dealer::new(Settings { seen_by_devices: true, ..Settings::of(house) });
        let mut header = dealer.header().clone();
        header.observes = [Sight::Places, Sight::Faces, Sight::Turns, Sight::Moves, Sight::Bets].into_iter().collect();
        let mut table = live_table(&header);
        let mut observer = Observer::new(&header, Duration::from_secs(1)).ending_passes(true);
        Role::ALL.into_iter().for_each(|role| observer.device(role, "online", None, 0, &mut table));
        let (mut sensors, mut events, mut now, mut seq) = (TableSensors::of(dealer.max_hands()), Vec::new(), 0, 0);
        for pass in 1..=PASSES {
            dealer.next_pass(&mut events);
            for event in &events {
                let mut seen = Vec::new();
                sensors.see(event, &mut seen);
                for saw in seen.iter().filter(|saw| is_between_passes(saw)) {
                    seq += 1;
                    let origin = Origin(Name::new(role_of(saw).name()), 1, seq);
                    observer.take(role_of(saw), saw, EventSource { origin, seen: None }, now, &mut table);
                }
                now += 2000;
                observer.tick(now, &mut table);
            }
            assert_eq!(found(&table), [], "{} pass {pass}: {events:?}", house.id);
            assert!(!table.validator.state().pass.is_open(), "{} pass {pass} has not ended: {events:?}", house.id);
            assert_eq!(table.validator.state().pass_no, pass, "{}", house.id);
        }
    }
}

fn options(house: &'static House, seed: u64) -> Options {
    Options::seen_by_devices(Settings { seed, ..Settings::of(house) })
}

#[test]
fn by_the_book_the_devices_of_every_house_tell_nothing_that_is_found() {
    for (house, seed) in HOUSES.iter().flat_map(|house| (0..4).map(move |seed| (*house, seed))) {
        let mut table = BothWays::of(options(house, seed));
        for _ in 0..150 {
            let pass = table.pass();
            assert!(pass.found.is_empty() && pass.is_alike(), "{}, seed {seed}\n{pass}", house.id);
        }
    }
}

/// Whether something is found in the pass, and the devices can tell all of it. The keypad tells of no card that lies
/// covered or not on the felt, nor who declared an ace; chips that move out of time look like other things.
fn can_be_told(house: &House, mut judge: Validator, mut table: Deviating) -> bool {
    let (mut answers, mut is_found) = (Vec::new(), false);
    while !table.is_between_passes() {
        let (line, event) = table.next_event();
        let pass = &judge.state().pass;
        let covered = |at: Place| pass.lying_at(at).iter().any(|held| held.down);
        let cannot_be_told = match &event {
            Event::Correct { event, .. } => match event.as_deref() {
                Some(Event::Draw { card, to, face }) => {
                    let secret = to.map_or_else(|| pass.lying().any(|held| held.down), covered);
                    *card == Card::UNREAD
                        || matches!(to, Some(Place::Burn | Place::Discard | Place::Shoe))
                        || (secret && *face != Some(Face::Up))
                }
                _ => false,
            },
            Event::Reveal { at, card: Some(_) } => {
                let unread = pass.lying_at(*at).iter().any(|held| held.card == Card::UNREAD);
                covered(*at) || !unread
            }
            Event::Ace { by, .. } => by.is_some(),
            // told without its face, it lies as is prescribed
            Event::Draw { to: Some(Place::Bank), face, .. } => face.is_none() && house.covers_bank(),
            _ => false,
        };
        if cannot_be_told {
            return false;
        }
        judge.step(line, &event, &mut answers);
        table.answered(&answers);
        let chips = matches!(event, Event::Collect { .. } | Event::Pay { .. });
        for answer in answers.drain(..) {
            match answer {
                Answer::Finding(_) if chips => return false,
                Answer::Breach { .. } => return false,
                Answer::Finding(_) => is_found = true,
                _ => {}
            }
        }
    }
    is_found
}

#[test]
fn what_deviates_is_found_through_the_devices_as_it_was_made() {
    let (mut differ, mut alike, mut chips) = (String::new(), 0, 0);
    for (house, &way) in HOUSES.iter().flat_map(|house| Deviation::SEEN_BY_DEVICES.iter().map(move |way| (*house, way)))
    {
        for seed in 0..12 {
            let mut table = BothWays::of(Options { deviations: vec![way], ..options(house, seed) });
            table.pass();
            if !table.deviates(house) {
                continue;
            }
            let pass = table.pass();
            match (pass.is_alike(), pass.chips_are_told()) {
                (true, _) => alike += 1,
                (false, false) => chips += 1,
                (false, true) => differ += &format!("== {}, {way}, seed {seed}\n{pass}", house.id),
            }
        }
    }
    println!("{alike} passes found alike, {chips} otherwise for their chips");
    assert!(differ.is_empty(), "{differ}");
    assert!(chips * 20 < alike, "{chips} of {alike}");
}

#[test]
fn nothing_is_lost_between_the_sensors_and_the_record() {
    let mut dealer = Dealer::new(Settings { seed: 9, ..Settings::of(HOUSES[0]) });
    let mut seen = live_table(dealer.header());
    let mut observer = Observer::new(dealer.header(), Duration::from_secs(1));
    let mut sensors = TableSensors::default();
    let (mut events, mut observations) = (Vec::new(), Vec::new());
    let mut given: Vec<Origin> = Vec::new();
    for _ in 0..20 {
        dealer.next_pass(&mut events);
        events.iter().for_each(|event| sensors.see(event, &mut observations));
    }
    for (seq, saw) in (1..).zip(&observations) {
        let origin = Origin(Name::new_static("one"), 1, seq);
        given.push(origin.clone());
        observer.take(role_of(saw), saw, EventSource { origin, seen: None }, u64::from(seq) * 10, &mut seen);
    }
    observer.tick(u64::MAX / 2, &mut seen);
    let origins = |(told, _): (SourcedEvent, _)| told.source.map(|source| source.origin).into_iter().chain(told.paired);
    let mut told: Vec<Origin> = seen.unrecorded.into_iter().flat_map(origins).collect();
    told.sort_by_key(|origin| origin.2);
    assert_eq!(told, given);
    assert!(observations.iter().any(|saw| matches!(saw, Observation::Chips(_))));
}
