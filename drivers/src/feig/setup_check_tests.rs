use sabot_wire::message::BetSpot;

use super::*;
use crate::feig::records::AntennaByte;
use crate::feig::{CardTags, ChipValues, Hysteresis, Spot, Timing, Values};
use crate::saw::Stake;

fn setup(buffered: bool, antenna: Option<u8>) -> Setup {
    let at = Stake { box_no: 1, hand: 0, spot: BetSpot::Main };
    Setup {
        spots: vec![Spot { at: at.into(), reader: None, antenna }],
        values: Values::Known(ChipValues::default()),
        cards: CardTags::default(),
        buffered,
        serial: None,
        poll_ms: 100,
        hold_ms: 2000,
        antennas: AntennaByte::Number,
        hysteresis: Hysteresis::DEFAULT,
        timing: Timing::TCP,
    }
}

/// The pages with these bytes set.
fn pages(bytes: &[(u8, usize, u8)]) -> Pages {
    let mut all = Pages::default();
    for page in 0..16 {
        let mut data = [0; PAGE];
        for &(_, at, byte) in bytes.iter().filter(|(of, ..)| *of == page) {
            data[at] = byte;
        }
        all.take(page, &data).unwrap();
    }
    all
}

/// A reader as it should be.
const GOOD: [(u8, usize, u8); 5] = [(1, 7, 10), (3, 1, 0x08), (4, 4, 0x0B), (11, 0, 0x11), (12, 1, 5)];

fn with(byte: (u8, usize, u8)) -> Pages {
    pages(&[&GOOD[..], &[byte]].concat())
}

fn advice(pages: &Pages, setup: &Setup) -> Vec<String> {
    pages.check(setup).unwrap_or_else(|Impossible(why)| panic!("{why}"))
}

#[test]
fn a_reader_that_is_set_up_as_it_should_be_gets_no_advice() {
    for setup in [setup(false, None), setup(true, None), setup(true, Some(1))] {
        assert_eq!(advice(&pages(&GOOD), &setup), Vec::<String>::new());
    }
    assert_eq!((pages(&GOOD).response_ms(), pages(&GOOD).is_ont()), (1000, false));
}

#[test]
fn what_does_not_fit_is_said_with_what_to_change() {
    let polled = setup(false, None);
    for (byte, words) in [
        ((1, 7, 30), "TR-RESPONSE-TIME is 3.0 s"),
        ((1, 7, 3), "a full stack is not read in that time"),
        ((4, 4, 0x1B), "16 timeslots"),
        ((4, 4, 0x2B), "AFI"),
        ((5, 11, 1), "ONT"),
    ] {
        let told = advice(&with(byte), &polled);
        assert!(told.len() == 1 && told[0].contains(words) && told[0].contains("CFG"), "{byte:?}: {told:?}");
    }
    let valid = with((12, 1, 0x37));
    assert!(advice(&valid, &setup(true, None))[0].contains("VALID-TIME is 5.5 s"));
    assert_eq!(valid.hold_ms(&setup(true, None)), 6500);
    let multiplexed = advice(&with((15, 0, 1)), &setup(true, Some(1)));
    assert!(multiplexed[0].contains("multiplexer"), "{multiplexed:?}");
}

#[test]
fn a_reader_that_cannot_see_the_tags_is_refused() {
    let why = |pages: Pages, setup: &Setup| pages.check(setup).err().map(|Impossible(why)| why).unwrap_or_default();
    assert!(why(with((3, 1, 0x01)), &setup(false, None)).contains("driver for ISO 15693"));
    assert!(why(with((11, 0, 0x10)), &setup(true, None)).contains("no identifiers"));
    assert!(why(with((11, 0, 0x01)), &setup(true, Some(2))).contains("no antenna"));
}

#[test]
fn one_that_keeps_its_pages_to_itself_is_taken_as_it_leaves_the_factory() {
    let silent = Pages::default();
    assert_eq!((silent.response_ms(), silent.is_ont()), (FACTORY_RESPONSE_MS, true));
    assert_eq!(advice(&silent, &setup(true, Some(1))), Vec::<String>::new());
    assert_eq!(silent.hold_ms(&setup(true, None)), 2000);
    let mut short = Pages::default();
    assert_eq!(short.take(1, &[0; PAGE - 1]), Err(ReplyFault::Short));
    assert_eq!(short.take(1, &[0; PAGE + 1]), Err(ReplyFault::Long));
}

#[test]
fn the_pages_are_asked_for_one_after_the_other() {
    let all = |setup: &Setup| {
        let mut asked = vec![];
        while let Some(page) = Pages::next(setup, asked.last().copied()) {
            asked.push(page);
        }
        asked
    };
    assert_eq!(all(&setup(false, None)), [1, 3, 4, 5]);
    assert_eq!(all(&setup(true, None)), [1, 3, 4, 11, 12, 15]);
}
