//! A table of bought parts, played: passes by the book of every house, in which nothing is found, and examples of the
//! handbook, in which what the parts see is found and shown. Longer and in all examples the same is played in time that
//! is not the machine's, by the station's own tests.

use std::time::Instant;

use sabot_handbook::examples;
use sabot_hil_tests::bought::{BoughtBench, Part, example};
use sabot_hil_tests::{Need, Scenario};
use sabot_law::regulation;
use sabot_law::validator::Validator;
use sabot_simulation::deviations::{Deviating, Options};
use sabot_simulation::workload::{HOUSES, House, Settings};
use sabot_station::snapshot::Face;

/// Of each kind of part an example that is found by it: a card that lies elsewhere, one that was drawn too much or not,
/// chips that were moved, an answer that was not asked for.
const FOUND: [(&str, &str, &str); 6] = [
    ("sala-8", "C4", "completed"),
    ("sala-8", "C5", "stood"),
    ("sala-8", "C8", "double"),
    ("sala-8", "C13", "play-begun"),
    ("sala-8", "C14", "one-card"),
    ("sala-8", "C16", "raised"),
];

fn by_the_book(house: &'static House) {
    let settings = Settings { seed: 3, boxes: 3, ..Settings::of(house) };
    let mut dealt = Deviating::new(Options { rate: 0.0, blind: 0.0, ..Options::seen_by_devices(settings) });
    let mut judge = Validator::new(dealt.header().clone()).expect("a table of that house");
    let mut events = Vec::new();
    dealt.next_pass(&mut events, |line, event, answers| judge.step(line, event, answers));
    let mut rig = BoughtBench::of(dealt.header(), dealt.max_hands(), 1, &events);
    rig.plays(&events);
    assert_eq!(rig.found(), [""; 0], "{events:?}");
    assert!(rig.entered.0 > 0, "no key of the pad was of use: {:?}", rig.entered);
    rig.expect_tower("green");
    rig.expect_whole_record();
}

fn finds(house: &str, article: &'static str, name: &str) {
    let regulation = regulation::find(house).expect("a house");
    let case = examples::case(regulation.article(article).expect("an article"), name).expect("an example");
    let (header, events) = example(&case);
    let max_hands = regulation.settings.clone().changed(&header.settings).split.max_hands;
    let mut rig = BoughtBench::of(&header, max_hands, 1, &events);
    rig.plays(&events);
    assert!(rig.found().contains(&article), "{article} is not found, but {:?}", rig.found());
    rig.expect_pole_tells_the_finding();
    rig.expect_whole_record();
}

/// What is to be shown while a part is pulled out. A signal sees nothing: the table is judged without it.
const PULLED: [(&str, Part, Face); 5] = [
    ("the_scanner", Part::Scanner, Face::Blind),
    ("a_line_of_readers", Part::Readers(0), Face::Blind),
    ("the_pad", Part::Pad, Face::Blind),
    ("the_tower", Part::Tower, Face::Look),
    ("the_pole_display", Part::Pole, Face::Look),
];

fn nothing_is_green_without(part: Part, face: Face) {
    let settings = Settings { boxes: 2, ..Settings::of(HOUSES[0]) };
    let dealt = Deviating::new(Options { rate: 0.0, blind: 0.0, ..Options::seen_by_devices(settings) });
    let mut rig = BoughtBench::of(dealt.header(), dealt.max_hands(), 1, &[]);
    rig.expect_face(Face::Clear);
    rig.expect_tower("green");
    let began = Instant::now();
    rig.pulls(part);
    rig.expect_face(face);
    if part != Part::Tower {
        rig.expect_tower_not("green");
    }
    println!("{part:?}: nothing was green after {} ms", began.elapsed().as_millis());
    rig.puts_back(part);
    rig.expect_whole_record();
}

pub(crate) fn all() -> Vec<Scenario> {
    let book = HOUSES.iter().map(|&house| Scenario {
        name: format!("a_pass_of_{}_by_the_book_on_bought_parts_finds_nothing", house.id.replace('-', "_")),
        needs: &[Need::Bought],
        run: Box::new(move || by_the_book(house)),
    });
    let found = FOUND.into_iter().map(|(house, article, name)| Scenario {
        name: format!("{}_{}_is_found_by_bought_parts", article.to_lowercase(), name.replace('-', "_")),
        needs: &[Need::Bought],
        run: Box::new(move || finds(house, article, name)),
    });
    let pulled = PULLED.into_iter().map(|(name, part, face)| Scenario {
        name: format!("nothing_is_green_while_{name}_is_pulled_out"),
        needs: &[Need::Bought],
        run: Box::new(move || nothing_is_green_without(part, face)),
    });
    book.chain(found).chain(pulled).collect()
}
