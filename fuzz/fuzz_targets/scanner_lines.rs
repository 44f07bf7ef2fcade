//! The session with a card scanner that sends lines: anything comes, at any time, the cable goes out, the disk is slow.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_drivers::link::machine::Machine;
use sabot_drivers::scanner::{Protocol, TextSession};
use sabot_fuzz::Script;
use sabot_fuzz::scanner::{Told, comes, does, setup, symbol};

const ACK: &[u8] = &[0x06];
const NAK: &[u8] = &[0x15];

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let kind = script.byte();
    let ack = kind & 8 != 0;
    let mut session = TextSession::new(setup(Protocol::Lines { ack }, kind), ack);
    let (mut told, mut now) = (Told::default(), 0);
    // ends of lines that no answer has come to
    let mut ends = 0;
    session.opened(now);
    while !script.is_over() {
        now += script.pause_ms();
        let mut bytes = match script.byte() % 8 {
            0 => script.bytes().to_vec(),
            1 => {
                session.closed();
                told.closed();
                session.opened(now);
                ends = 0;
                continue;
            }
            2 | 3 => {
                told.to_disk(u32::from(script.byte()), &mut session);
                Vec::new()
            }
            4 => b"NR\r".to_vec(),
            _ => symbol(script.byte() % 10).into_bytes(),
        };
        if script.byte() & 1 == 0 {
            bytes.push(b'\n');
        }
        ends += bytes.iter().filter(|byte| matches!(byte, b'\r' | b'\n')).count();
        comes(&mut session, &mut told, now, &bytes);
        for answer in does(&mut session, &mut told, now) {
            assert!(ack, "where lines are not acknowledged nothing is sent");
            assert!(answer == ACK || answer == NAK, "one of the two answers");
            assert!(ends > 0, "an answer to a line");
            if answer == ACK {
                assert!(told.all_durable(), "acknowledged when it is on disk");
                ends = 0;
            }
        }
    }
    assert_eq!(session.counters().events as usize, told.events.len());
});
