//! How often a dealer touches his screen in a pass by the book, where people enter nothing but what the bettors decide,
//! and the end. What chips tell of doubling, splitting and insurance nobody enters, and nothing is found for it.
//! `SABOT_PASSES=N` measures over so many passes of each house.

use sabot_law::table::event::{Choice, Kind};
use sabot_law::table::{Answer, Event, Observes, Sight};
use sabot_law::validator::Validator;
use sabot_simulation::workload::{Dealer, HOUSES, House, Settings};

/// What stands in the goal for this equipment.
const MOST: usize = 25;

/// A dealer at a table whose equipment sees cards and chips.
struct Table {
    validator: Validator,
    declares_aces: bool,
    line: u64,
}

impl Table {
    fn of(dealer: &Dealer) -> Self {
        let mut header = dealer.header().clone();
        let seen = [Sight::Places, Sight::Faces, Sight::Turns, Sight::Moves, Sight::Bets, Sight::Decisions];
        header.observes = seen.into_iter().collect::<Observes>();
        let validator = Validator::new(header).unwrap();
        let declares_aces = validator.settings().play.ace_is_declared;
        Self { validator, declares_aces, line: 1 }
    }

    /// Whether a person has to enter it: `None` where this equipment tells nothing of it.
    fn is_entered(&self, event: &Event) -> Option<bool> {
        match event {
            Event::Decide { choice: Choice::Decline | Choice::Double | Choice::Split | Choice::Insure, .. } => None,
            Event::CloseBets {} => None,
            Event::Ace { .. } if !self.declares_aces => None,
            event => match event.kind() {
                Kind::Ask | Kind::Announce | Kind::Request => None,
                Kind::Decide | Kind::Ace | Kind::CloseBets | Kind::End => Some(true),
                _ => Some(false),
            },
        }
    }

    /// Touches in a pass, and what is found in it.
    fn pass(&mut self, events: &[Event]) -> (usize, Vec<Answer>) {
        let told: Vec<Event> = events.iter().filter(|event| self.is_entered(event).is_some()).map(unnamed).collect();
        let (mut touches, mut answers, mut next) = (0, Vec::new(), 0);
        while next < told.len() {
            let rest = &told[next..];
            let mut together = 1;
            if self.is_entered(&rest[0]) == Some(true) {
                let offers = self.validator.offers();
                let fits = |offered: &[Event]| rest.get(..offered.len()) == Some(offered);
                let longest = offers
                    .iter()
                    .map(|offer| &offer.events[..])
                    .filter(|events| fits(events))
                    .max_by_key(|events| events.len());
                together = longest.unwrap_or_else(|| panic!("{:?} is not offered: {offers:#?}", rest[0])).len();
                touches += 1;
            }
            for event in &rest[..together] {
                self.line += 1;
                self.validator.step(self.line, event, &mut answers);
            }
            next += together;
        }
        answers.retain(|answer| matches!(answer, Answer::Finding(_)));
        (touches, answers)
    }
}

/// Nobody enters who spoke.
fn unnamed(event: &Event) -> Event {
    let mut event = event.clone();
    if let Event::Decide { by, .. } | Event::Ace { by, .. } = &mut event {
        *by = None;
    }
    event
}

/// Touches of each pass, in order.
fn touches(house: &'static House, passes: usize) -> Vec<usize> {
    let mut dealer = Dealer::new(Settings::of(house));
    let (mut table, mut events) = (Table::of(&dealer), Vec::new());
    let pass = |n| {
        dealer.next_pass(&mut events);
        let (touches, findings) = table.pass(&events);
        assert!(findings.is_empty(), "{} pass {n}: {findings:?}\n{events:#?}", house.id);
        touches
    };
    let mut all: Vec<usize> = (1..=passes).map(pass).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_pass_by_the_book_takes_no_more_touches_than_it_may() {
    let passes = std::env::var("SABOT_PASSES").map_or(1_000, |passes| passes.parse().unwrap());
    for house in HOUSES {
        let all = touches(house, passes);
        let (median, most) = (all[passes / 2], all[passes - 1]);
        let over = all.iter().filter(|touches| **touches > MOST).count();
        let of_100 = all[passes * 99 / 100];
        println!(
            "{}: {passes} passes of 7 boxes: median {median}, 99 of 100 {of_100}, most {most}; more than {MOST}: {over}",
            house.id
        );
        // a box that is split thrice and draws small cards takes more
        assert!(over * 1_000 <= passes, "{}: {over} of {passes} passes take more than {MOST} touches", house.id);
    }
}
