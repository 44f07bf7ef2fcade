use super::*;
use sabot_law::table::Answer;
use sabot_law::validator::Validator;

/// Deals passes to a validator; the log of the first pass in which anything is found.
fn first_finding(settings: Settings, passes: u64) -> Option<String> {
    let mut dealer = Dealer::new(settings.clone());
    let mut validator = Validator::new(dealer.header().clone()).unwrap();
    let (mut events, mut answers, mut line) = (Vec::new(), Vec::new(), 1);
    for pass in 1..=passes {
        dealer.next_pass(&mut events);
        for event in &events {
            line += 1;
            validator.step(line, event, &mut answers);
        }
        let found = answers.iter().find(|answer| matches!(answer, Answer::Finding(_)));
        if let Some(found) = found {
            let first = line + 1 - events.len() as u64;
            let log = (first..).zip(&events).map(|(n, event)| format!("{n} {}\n", serde_json::to_string(event).unwrap()));
            let found = serde_json::to_string(found).unwrap();
            let header = serde_json::to_string(dealer.header()).unwrap();
            return Some(format!("seed {} pass {pass}\n{header}\n{}{found}", settings.seed, log.collect::<String>()));
        }
        answers.clear();
    }
    None
}

#[test]
fn a_legal_pass_of_any_house_has_no_finding() {
    for house in HOUSES {
        for boxes in 3..=7 {
            let settings = Settings { seed: u64::from(boxes), boxes, ..Settings::of(house) };
            if let Some(log) = first_finding(settings, 600) {
                panic!("{}: {log}", house.id);
            }
        }
    }
}
