use sabot_wire::message::{DeviceHello, Started};

use super::*;

fn online(serial: &str) -> LinkReport {
    let hello = DeviceHello {
        protocol: sabot_wire::PROTOCOL,
        role: Role::Chips,
        serial: serial.try_into().unwrap(),
        firmware: [1, 4, 0],
        schema: sabot_wire::SCHEMA_4,
        boots: 0,
        epoch: 1,
        oldest: 1,
    };
    LinkReport::Online { hello, started: Started::Unknown, image: None, keeps: false }
}

fn absent(why: &str) -> LinkReport {
    LinkReport::Absent(why.to_owned())
}

#[test]
fn readers_on_two_lines_are_there_when_both_are_and_away_when_either_is() {
    let mut all = All::new(vec!["/dev/one".to_owned(), "10.0.0.5:10001".to_owned()]);
    assert_eq!(all.hear(0, LinkReport::Connecting), [LinkReport::Connecting]);
    assert_eq!(all.hear(0, online("FEIG-1")), [], "the other is not there yet");
    assert_eq!(all.hear(1, absent("refused")), [absent("10.0.0.5:10001: refused")]);
    assert_eq!(all.hear(1, absent("refused")), [], "once");
    assert_eq!(all.hear(1, online("FEIG-2")), [online("FEIG-1")]);
    assert_eq!(all.hear(0, absent("gone")), [absent("/dev/one: gone")]);
    // what the other line sees is told all the same
    assert_eq!(all.hear(1, LinkReport::CaughtUp), [LinkReport::CaughtUp]);
    assert_eq!(all.hear(0, online("FEIG-1")), [online("FEIG-1")]);
    // one that has restarted has missed something
    assert_eq!(all.hear(1, online("FEIG-2")), [online("FEIG-1")]);
}
