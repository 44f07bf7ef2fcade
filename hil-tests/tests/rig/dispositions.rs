//! Every complementary disposition from C4 to C15, from the sensor heads to the finding on the pit display. What is
//! played are the handbook's own examples.

use sabot_hil_tests::{Bench, Example, Need, Scenario};
use sabot_law::table::Severity;
use sabot_station::snapshot::FindingState;
use sabot_wire::message::Lamp;

/// Of each provision an example, in which it is remedied where it can be.
const EXAMPLES: [&str; 12] = [
    "C4/completed",
    "C5/stood",
    "C6/burned",
    "C7/replaced",
    "C8/double",
    "C9/next-card",
    "C10/returned",
    "C11/played-on",
    "C12/violating",
    "C13/play-begun",
    "C14/one-card",
    "C15/violating",
];

fn plays(provision: &str, name: &str) {
    let example = Example::read("sala-8", provision, name);
    let (line, _, place) = example.found.iter().find(|(_, of, _)| of == provision).expect("the example's finding");
    let rig = Bench::start();
    let mut played = rig.play();
    rig.play_on(&example, &mut played, line - 1);
    let before = rig.snapshot().findings.iter().any(|view| view.finding.provision == provision);
    assert!(!before, "{provision} before line {line}");
    rig.play_on(&example, &mut played, *line);
    let found = rig.expect_finding(provision, place.expect("a place"));
    rig.expect_display(provision);
    let notice = found.finding.severity == Severity::Notice;
    rig.expect_lamp(if notice { Lamp::Amber } else { Lamp::Red });
    if let Some((line, _)) = example.cleared.iter().find(|(_, of)| of == provision) {
        rig.play_on(&example, &mut played, *line);
        rig.expect_state(provision, FindingState::Cleared);
    }
    rig.expect_every_event_once_and_in_order();
}

pub(crate) fn all() -> Vec<Scenario> {
    let scenario = |name: &'static str| {
        let (provision, case) = name.split_once('/').expect("an article and its example");
        Scenario {
            name: format!("{}_is_found_and_shown", provision.to_lowercase()),
            needs: &[Need::Places],
            run: Box::new(move || plays(provision, case)),
        }
    };
    EXAMPLES.into_iter().map(scenario).collect()
}
