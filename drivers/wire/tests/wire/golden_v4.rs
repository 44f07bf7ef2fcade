//! DO NOT EDIT: REVERT YOUR CHANGE.
//!
//! The bytes of version 4 of the link as devices in the field send and expect them: what it adds to version 3, and a
//! whole session with its keys. When a test here fails, the wire format was changed: take the change back, or make a
//! new version beside this one.
use crate::version_4::common::ends::key;
use crate::version_4::common::pair::{any_shoe, drawn, host_with, shoe_with};
use sabot_wire::frame::{Decoder, Got, MAX_FRAME, crc32c};
use sabot_wire::host::Report;
use sabot_wire::message::{Lamp, Show, ToDevice};
use sabot_wire::tap;

/// S the host's secret number, H to the host, D to the device: the frames of the session below, one a line.
const SESSION: &str = include_str!("../golden_v4_session.txt");

#[test]
fn the_golden_file_itself_is_untouched() {
    assert_eq!(crc32c(SESSION.as_bytes()), 0xd920_bdca);
}

/// A shoe with key 0B.. in its third start, which has drawn 9H, and a host that has 0C.. for entropy, until all is
/// acknowledged.
#[test]
fn a_whole_session_has_the_same_bytes_as_ever() {
    tap::listen();
    let mut host = host_with(any_shoe(), key(0x0B), 0x0C, None);
    let mut shoe = shoe_with(vec![0; 1500], 3, 0xAABB_CCDD, Some(key(0x0B)));
    shoe.observe(40, &drawn(21)).expect("room");
    let mut lines = String::new();
    let (mut out, mut share) = ([0; MAX_FRAME], None);
    let mut note = |way: char, frame: &[u8]| {
        let hex: String = frame.iter().map(|byte| format!("{byte:02x}")).collect();
        lines.push_str(&format!("{way} {hex}\n"));
    };
    for now in 50..60 {
        while let Some(frame) = shoe.transmit(now, &mut out) {
            note('H', frame);
            let mut line = frame;
            while let Some(report) = host.receive(now.into(), &mut line) {
                match report {
                    Report::Saw { epoch, seq, .. } => {
                        host.durable(epoch, seq);
                        host.show(Show::Lamp(Lamp::Green));
                    }
                    Report::Online { .. } => {}
                    other => panic!("{other:?}"),
                }
            }
        }
        while let Some(frame) = host.transmit(now.into(), &mut out) {
            note('D', frame);
            let mut said = frame;
            if let Some(Got::Clear(ToDevice::Exchange { share: said, .. })) = Decoder::new().next(&mut said, None) {
                share = Some(said);
            }
            let mut line = frame;
            while shoe.receive(now, &mut line).is_some() {}
        }
    }
    assert!(shoe.ring().is_empty());
    let once = tap::once_of(&share.expect("a share")).expect("its secret");
    let hex: String = once.iter().map(|byte| format!("{byte:02x}")).collect();
    let lines = format!("S {hex}\n{lines}");
    assert_eq!(lines, SESSION, "the session:\n{lines}");
}
