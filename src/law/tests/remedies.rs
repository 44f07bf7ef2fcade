//! What is told of open findings' remedies, step by step: the same to every reader.

use std::collections::BTreeSet;

use sabot_law::table::due::{DueStep, OpenRemedy, Progress, RemedyStep, attention};
use sabot_law::table::{Answer, Event, Place, Remedy, line};
use sabot_law::validator::Validator;

use crate::scenarios::read;

/// What is open after the last line: `[x]` a step that is done, `[~]` one that nobody could see, `[ ]` one left.
fn open(header: &str, lines: &str) -> String {
    let table = format!("table limits=10-1000 stake=50 {header}\n== one\n{lines}\n");
    let scenario = read("lines", &table).remove(0);
    let mut table = Validator::new(line::header(scenario.steps[0].json.as_bytes()).unwrap()).unwrap();
    for (n, step) in (2..).zip(&scenario.steps[1..]) {
        table.step(n, &line::event(step.json.as_bytes()).unwrap(), &mut Vec::new());
    }
    table.felt().remedies.iter().map(written).collect::<Vec<_>>().join(" | ")
}

fn written(open: &OpenRemedy) -> String {
    let step = |step: &RemedyStep| {
        let mark = match step.progress {
            Progress::Open => ' ',
            Progress::Done => 'x',
            Progress::Unseen => '~',
        };
        let mut json = serde_json::to_value(step).unwrap();
        let fields = json.as_object_mut().unwrap();
        let who = fields.remove("who").unwrap();
        fields.remove("progress");
        let what = fields.remove("do").unwrap();
        let more: String = fields.values().map(|value| format!(" {value}")).collect();
        format!("[{mark}] {} {}{more}", who.as_str().unwrap(), what.as_str().unwrap())
    };
    let steps: Vec<String> = open.steps.iter().map(step).collect();
    format!("{}: {}", open.finding, steps.join(", ")).replace('"', "")
}

/// What is open after each of these lines, told one after the other.
fn fares(header: &str, before: &str, lines: &[(&str, &str)]) {
    let mut told = before.to_owned();
    for (line, expected) in lines {
        told = format!("{told}\n{line}");
        assert_eq!(open(header, &told), *expected, "after {line}");
    }
}

const DEALT: &str = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D QH";

#[test]
fn a_step_carried_out_is_marked_and_the_rest_is_left_until_nothing_is() {
    fares(
        "",
        DEALT,
        &[
            ("draw 8D bank up", "1: [ ] dealer burn 1 bank, [ ] dealer serve bank"),
            ("burn bank", "1: [x] dealer burn 1 bank, [ ] dealer serve bank"),
            ("draw 4S bank", ""),
        ],
    );
    let unburned = format!("{DEALT}\ndraw 8D bank up\ndraw 4S bank");
    assert_eq!(open("", &unburned), "1: [ ] dealer burn 1 bank, [x] dealer serve bank");
}

#[test]
fn of_cards_so_many_are_marked_as_were_moved_and_a_bet_is_void_at_once() {
    fares(
        "",
        "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC 9D",
        &[
            ("draw 2S 2", "1: [x] dealer void_bet 2, [ ] dealer burn 3 2"),
            ("burn 2 2", "1: [x] dealer void_bet 2, [x] dealer burn 2 2, [ ] dealer burn 1 2"),
            ("burn 2", ""),
        ],
    );
}

#[test]
fn the_undue_card_that_is_named_is_burned_else_the_oldest_and_in_talla_the_last() {
    let left = |house: &str, dealt: &str, burned: &str| {
        let lines = format!("open\nbets 2 1\nclose\ndeal {dealt}\ndraw 4C bank\ndraw 5C bank");
        let header = format!("regulation={house}");
        let burned = match burned.strip_prefix("named ") {
            Some(card) => format!(r#"{{"ev":"move","from":"bank","to":"burn","cards":["{card}"]}}"#),
            None => burned.to_owned(),
        };
        let (both, one) = (open(&header, &lines), open(&header, &format!("{lines}\n{burned}")));
        let findings: Vec<&str> = both.split(" | ").collect();
        assert_eq!(findings.len(), 2, "{house}: {both}");
        findings.iter().position(|finding| *finding == one)
    };
    for (burned, of) in [("burn bank 1", 0), ("named 4C", 1), ("named 5C", 0)] {
        assert_eq!(left("talla", "8H 5C 9S TC 9D", burned), Some(of), "talla: {burned}");
    }
    for (burned, of) in [("burn bank 1", 1), ("named 4C", 1), ("named 5C", 0)] {
        assert_eq!(left("sala-8", "5C 8H 9S 9D TC QH", burned), Some(of), "sala-8: {burned}");
    }
}

#[test]
fn who_must_act_is_told_with_each_step_and_of_two_equal_ones_the_first_is_done_first() {
    let asked = "[x] inspector authorize next_cards_for_bank";
    let said = format!("{asked}, [x] dealer announce next_cards_for_bank");
    fares(
        "",
        &format!("{DEALT} 8D\nstand 1"),
        &[
            (
                "discard bank",
                "1: [ ] inspector authorize next_cards_for_bank, [ ] dealer announce next_cards_for_bank, \
                 [ ] dealer serve bank, [ ] dealer serve bank",
            ),
            (
                "authorize next",
                &format!(
                    "1: {asked}, [ ] dealer announce next_cards_for_bank, [ ] dealer serve bank, [ ] dealer serve bank"
                ),
            ),
            ("say next", &format!("1: {said}, [ ] dealer serve bank, [ ] dealer serve bank")),
            ("draw 9C bank", &format!("1: {said}, [x] dealer serve bank, [ ] dealer serve bank")),
            ("draw 8C bank", ""),
        ],
    );
}

#[test]
fn a_bettors_answer_is_a_step_done_and_what_follows_from_it_the_next() {
    let late = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC\ndraw QH 3\ndraw 8D bank";
    let asked = "2: [x] dealer ask_consent 2, ";
    fares("", late, &[("consent 2 yes", &format!("{asked}[ ] dealer serve 2")), ("draw 9D 2", "")]);
    fares("", late, &[("consent 2 no", &format!("{asked}[ ] dealer burn 1 2")), ("burn 2", "")]);
}

#[test]
fn money_is_told_as_it_is_left_to_give_or_to_take_back() {
    fares(
        "",
        &format!("{DEALT} 8D\nstand 1, 2, 3\nreveal bank"),
        &[
            ("collect 1 50", "1: [ ] dealer pay 100 1"),
            ("pay 1 30", "1: [ ] dealer pay 70 1"),
            ("pay 1 90", "1: [ ] dealer collect 20 1"),
            ("collect 1 20", ""),
        ],
    );
}

#[test]
fn what_nobody_could_see_is_told_so_beside_what_is_left() {
    let blind = "v=2 observes=places,faces,turns,bets,asks,decisions,announcements";
    fares(
        blind,
        DEALT,
        &[
            ("draw 8D bank up", "1: [ ] dealer burn 1 bank, [ ] dealer serve bank"),
            ("stand 1", "1: [~] dealer burn 1 bank, [ ] dealer serve bank"),
        ],
    );
}

#[test]
fn the_gravest_comes_first_and_what_is_decided_or_withdrawn_is_open_no_more() {
    let late = "open\nbets 1 2 3\nclose\ndeal 8H 5C TD 9S TC\ndraw QH 3\ndraw 8D bank\ndevice shoe forged";
    fares(
        "",
        late,
        &[("", "3: [ ] room rule | 2: [ ] dealer ask_consent 2"), ("rule stands 3", "2: [ ] dealer ask_consent 2")],
    );
    let up = format!("{DEALT}\ndraw 8D bank up");
    assert_eq!(open("", &format!("{up}\nstrike 1")), "");
}

/// Every log of the handbooks and of the edge tables.
fn logs() -> Vec<(String, String)> {
    let mut logs = Vec::new();
    for house in sabot_law::regulation::ALL {
        for article in house.articles.iter() {
            let cases = sabot_handbook::examples::cases(article).unwrap();
            let name = |case: &str| format!("{} {}/{case}", house.id, article.id);
            logs.extend(cases.iter().map(|case| (name(&case.name), case.scenario.log())));
        }
    }
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios/tables")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let scenarios = read(&name, &std::fs::read_to_string(&path).unwrap());
        logs.extend(scenarios.iter().map(|one| (format!("{name}: {}", one.name), one.log())));
    }
    logs
}

#[test]
fn in_every_log_the_steps_left_are_what_is_due_in_its_order_and_nothing_that_is_over_is_open() {
    let mut kinds = BTreeSet::new();
    for (name, log) in logs() {
        let mut lines = log.lines();
        let mut table = Validator::new(line::header(lines.next().unwrap().as_bytes()).unwrap()).unwrap();
        let mut over = BTreeSet::new();
        for (n, json) in (2..).zip(lines) {
            let (event, mut answers) = (line::event(json.as_bytes()).unwrap(), Vec::new());
            table.step(n, &event, &mut answers);
            for answer in &answers {
                match answer {
                    Answer::Cleared { finding, .. }
                    | Answer::Withdrawn { finding, .. }
                    | Answer::Breach { finding, .. } => {
                        over.insert(*finding);
                    }
                    _ => {}
                }
            }
            let is_corrected = matches!(event, Event::Correct { .. });
            let remedies = table.felt().remedies;
            let at = format!("{name}, line {n}: {:?}", remedies.iter().map(written).collect::<Vec<_>>());
            // a card that the bank draws on with waits until all have their cards and have played
            let comes_later = table.state().bank_waits_to_draw();
            let waits = |open: &&OpenRemedy| {
                comes_later && matches!(open.steps[..], [RemedyStep { remedy: Remedy::Serve { to: Place::Bank }, .. }])
            };
            let open: Vec<String> = remedies
                .iter()
                .filter(|open| !waits(open))
                .flat_map(|open| open.steps.iter().map(|step| (open.finding, step)))
                .filter(|(_, step)| step.progress == Progress::Open)
                .map(|(finding, step)| {
                    kinds.insert(step.remedy.name());
                    serde_json::to_string(&DueStep::of_finding(step.remedy, finding)).unwrap()
                })
                .collect();
            let due = table.due(n).due;
            let due: Vec<String> = due.iter().map(|step| serde_json::to_string(step).unwrap()).collect();
            assert!(
                due.len() >= open.len() && due.len() <= open.len() + 1 && due[..open.len()] == open,
                "{at} {due:?}"
            );
            for open in &remedies {
                assert!(open.steps.iter().any(|step| step.progress == Progress::Open), "{at}");
                assert!(is_corrected || !over.contains(&open.finding), "{at}");
            }
            let order = |open: &OpenRemedy| {
                let duty = table.duties().iter().find(|duty| duty.finding == open.finding).unwrap();
                attention(duty.severity, duty.finding)
            };
            assert!(remedies.is_sorted_by_key(order), "{at}");
        }
    }
    let all = [
        "announce",
        "ask_consent",
        "authorize",
        "burn",
        "collect",
        "identify",
        "offer",
        "pay",
        "put_back",
        "return_bet",
        "rule",
        "serve",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all, "a bet is void at once: that is never left");
}
