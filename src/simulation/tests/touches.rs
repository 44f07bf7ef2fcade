//! How often a dealer touches his screen in a pass by the book. Where people enter nothing but what the bettors decide,
//! and the end, what chips tell of doubling, splitting and insurance nobody enters, and nothing is found for it.
//! `SABOT_PASSES=N` measures over so many passes of each house.

use sabot_law::table::event::{Choice, Kind};
use sabot_law::table::{Answer, Event, Observes, Sight};
use sabot_law::validator::Validator;
use sabot_simulation::workload::{Dealer, HOUSES, House, Settings};

/// What stands in the goal for a table that sees decisions.
const MOST: usize = 25;

/// What a table sees, and what a dealer enters there.
struct Equipment {
    words: &'static str,
    sees: &'static [Sight],
    /// His questions and announcements are entered too, every choice, and that no more bets are taken.
    enters_words: bool,
    /// No pass takes more touches and forms than so many, but for one in 1,000.
    most: usize,
}

/// Equipment that sees cards and chips, and the parts that are bought: as `docs/build/station.toml` has them, and
/// without the sights `asks` and `announcements`.
const EQUIPMENT: [Equipment; 3] = [
    Equipment {
        words: "cards and chips are seen",
        sees: &[Sight::Places, Sight::Faces, Sight::Turns, Sight::Moves, Sight::Bets, Sight::Decisions],
        enters_words: false,
        most: MOST,
    },
    Equipment {
        words: "bought parts, decisions",
        sees: &[Sight::Places, Sight::Moves, Sight::Bets, Sight::Decisions],
        enters_words: false,
        most: MOST,
    },
    Equipment {
        words: "bought parts, decisions, questions and announcements",
        sees: &[Sight::Places, Sight::Moves, Sight::Bets, Sight::Asks, Sight::Decisions, Sight::Announcements],
        enters_words: true,
        most: 100,
    },
];

/// How often a dealer has entered something.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entered {
    /// By one touch, with all that is offered under it.
    touches: usize,
    /// By a form: it was not offered.
    forms: usize,
}

impl Entered {
    const fn all(self) -> usize {
        self.touches + self.forms
    }
}

/// A dealer at a table with such equipment.
struct Table {
    validator: Validator,
    enters_words: bool,
    declares_aces: bool,
    line: u64,
}

impl Table {
    fn of(dealer: &Dealer, equipment: &Equipment) -> Self {
        let mut header = dealer.header().clone();
        header.observes = equipment.sees.iter().copied().collect::<Observes>();
        let validator = Validator::new(header).unwrap();
        let declares_aces = validator.settings().play.ace_is_declared;
        Self { validator, enters_words: equipment.enters_words, declares_aces, line: 1 }
    }

    /// Whether a person has to enter it: `None` where this equipment tells nothing of it.
    fn is_entered(&self, event: &Event) -> Option<bool> {
        match event {
            Event::Decide { choice: Choice::Decline | Choice::Double | Choice::Split | Choice::Insure, .. }
            | Event::CloseBets {}
                if !self.enters_words =>
            {
                None
            }
            Event::Ace { .. } if !self.declares_aces => None,
            event => match event.kind() {
                Kind::Ask | Kind::Announce if self.enters_words => Some(true),
                Kind::Ask | Kind::Announce | Kind::Request => None,
                Kind::Decide | Kind::Ace | Kind::CloseBets | Kind::End => Some(true),
                _ => Some(false),
            },
        }
    }

    /// What is entered in a pass, and what is found in it.
    fn pass(&mut self, events: &[Event]) -> (Entered, Vec<Answer>) {
        let told = events.iter().filter(|event| self.is_entered(event).is_some()).map(unnamed);
        let observes = self.validator.header().observes;
        let told: Vec<Event> = told.filter_map(|event| observes.told(&event)).collect();
        let (mut entered, mut answers, mut next) = (Entered::default(), Vec::new(), 0);
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
                match longest {
                    Some(events) => (entered.touches, together) = (entered.touches + 1, events.len()),
                    None if self.enters_words => entered.forms += 1,
                    None => panic!("{:?} is not offered: {offers:#?}", rest[0]),
                }
            }
            for event in &rest[..together] {
                self.line += 1;
                self.validator.step(self.line, event, &mut answers);
            }
            next += together;
        }
        answers.retain(|answer| matches!(answer, Answer::Finding(_)));
        (entered, answers)
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

/// What is entered in each pass, the fewest first.
fn entered(house: &'static House, equipment: &Equipment, passes: usize) -> Vec<Entered> {
    let mut dealer = Dealer::new(Settings::of(house));
    let (mut table, mut events) = (Table::of(&dealer, equipment), Vec::new());
    let pass = |n| {
        dealer.next_pass(&mut events);
        let (entered, findings) = table.pass(&events);
        assert!(findings.is_empty(), "{}, {} pass {n}: {findings:?}\n{events:#?}", equipment.words, house.id);
        entered
    };
    let mut all: Vec<Entered> = (1..=passes).map(pass).collect();
    all.sort_by_key(|entered| entered.all());
    all
}

#[test]
fn a_pass_by_the_book_takes_no_more_touches_than_it_may() {
    let passes = std::env::var("SABOT_PASSES").map_or(1_000, |passes| passes.parse().unwrap());
    for (equipment, house) in EQUIPMENT.iter().flat_map(|equipment| HOUSES.iter().map(move |house| (equipment, house)))
    {
        let all = entered(house, equipment, passes);
        let over = all.iter().filter(|entered| entered.all() > equipment.most).count();
        let [median, of_100, most] = [passes / 2, passes * 99 / 100, passes - 1].map(|nth| all[nth].all());
        let forms = all.iter().map(|entered| entered.forms).max().unwrap_or_default();
        println!(
            "{}, {}: {passes} passes of 7 boxes: median {median}, 99 of 100 {of_100}, most {most}; more than {}: \
             {over}; by forms {forms} at most",
            equipment.words, house.id, equipment.most
        );
        // a box that is split thrice and draws small cards takes more
        assert!(over * 1_000 <= passes, "{}, {}: {over} of {passes} take more", equipment.words, house.id);
    }
}
