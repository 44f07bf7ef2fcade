//! What people are shown of the lines of a pass, and of corrections that they try, tells no covered card.

use sabot_law::table::Header;
use sabot_simulation::workload::HOUSES;

use super::*;
use crate::dealt::dealt;
use crate::findings::Findings;

fn table_of(header: &Header, events: &[Event]) -> LiveTable {
    let mut table = LiveTable::new(Validator::new(header.clone()).unwrap(), Findings::default());
    (2..).zip(events).for_each(|(line, event)| drop(table.step(line, event)));
    table
}

/// Corrections that somebody could try in order to learn a card: of each line, and cards turned up that are not.
fn tries(lines: &[PassLine]) -> Vec<Amendment> {
    let up = |told: &PassLine| match told.event {
        Event::Draw { card, to, .. } => Some(Event::Draw { card, to, face: Some(Face::Up) }),
        _ => None,
    };
    let mut all = Vec::new();
    for told in lines {
        all.push(Amendment::Strike(told.line));
        all.push(Amendment::Instead(told.line, told.event.clone()));
        all.push(Amendment::After(told.line, Event::Reveal { at: Place::Bank, card: None }));
        all.extend(up(told).map(|event| Amendment::Instead(told.line, event)));
        if let Event::Draw { card, face, .. } = told.event {
            all.push(Amendment::Instead(told.line, Event::Draw { card, to: Some(Place::Bank), face }));
        }
    }
    all
}

/// All that is shown, and what each try shows.
fn shown(table: &LiveTable) -> (Vec<PassLine>, Vec<Result<Preview, Refused>>) {
    let lines = table.pass_lines();
    let (by, role) = (Name::new_static("I-4"), Name::new_static("inspector"));
    let one = |amendment| {
        table.correction(by.clone(), role.clone(), amendment).and_then(|correction| table.preview(&correction))
    };
    let previews = tries(&lines).into_iter().map(one).collect();
    (lines, previews)
}

/// Cards of the same suit, some ranks from this one.
fn ranks_beside(card: Card) -> impl Iterator<Item = Card> {
    let at = card.index().unwrap() as u8;
    [1, 5, 9].into_iter().filter_map(move |more| Card::from_index(at / 13 * 13 + (at + more) % 13))
}

#[test]
fn tables_that_differ_in_a_covered_card_show_the_same_lines_and_the_same_changes() {
    let (mut compared, mut told, mut refused) = (0, 0, 0);
    for house in HOUSES {
        for seed in 0..2 {
            let (header, events) = dealt(house, seed, 4, None);
            for (at, event) in events.iter().enumerate() {
                let line = at as u64 + 2;
                let Event::Draw { card, to, face } = *event else { continue };
                for other in ranks_beside(card) {
                    let mut others = events.clone();
                    others[at] = Event::Draw { card: other, to, face };
                    let (mut here, mut there) = (table_of(&header, &events[..at]), table_of(&header, &others[..at]));
                    // from the draw on, until somebody may know the card
                    for (line_now, (event, other)) in (line..).zip(events[at..].iter().zip(&others[at..])) {
                        here.step(line_now, event);
                        there.step(line_now, other);
                        if !here.tells_secret(line) || !there.tells_secret(line) {
                            break;
                        }
                        let at = format!("{}, seed {seed}, line {line} at {line_now}: {card}", house.id);
                        let ((lines, here), (others, there)) = (shown(&here), shown(&there));
                        assert_eq!(lines, others, "{at}");
                        for (tried, (here, there)) in tries(&lines).iter().zip(here.iter().zip(&there)) {
                            assert_eq!(here, there, "{at}: {tried:?}");
                            told += usize::from(here.is_ok());
                            refused += usize::from(*here == Err(Refused::Uncovers));
                        }
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 25 && told > 1000 && refused > 100, "{compared} moments, {told} previews, {refused} refused");
}

#[test]
fn a_covered_card_stays_the_same_where_its_line_is_corrected() {
    let (header, events) = dealt(HOUSES[0], 1, 4, None);
    let mut table = table_of(&header, &[]);
    let mut kept = 0;
    for (line, event) in (2..).zip(&events) {
        table.step(line, event);
        let Event::Draw { card, face, .. } = *event else { continue };
        if !table.tells_secret(line) {
            continue;
        }
        let moved = Event::Draw { card: Card::UNREAD, to: Some(Place::Hand("2".parse().unwrap())), face };
        let (by, role) = (Name::new_static("I-4"), Name::new_static("inspector"));
        let correction = table.correction(by, role, Amendment::Instead(line, moved)).unwrap();
        let Event::Correct { event: Some(event), .. } = correction else { panic!("{correction:?}") };
        assert!(matches!(*event, Event::Draw { card: same, .. } if same == card));
        kept += 1;
    }
    assert!(kept > 2, "{kept}");
}
