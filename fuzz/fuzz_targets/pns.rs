//! Answers of a PATLITE tower: acknowledgements, states and nonsense, at any times.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_drivers::signal::pns::{ACK, NAK, Pns};
use sabot_drivers::signal::{Attention, Level, Look, Session, SignalContent};
use sabot_fuzz::Script;

fuzz_target!(|data: &[u8]| {
    let mut script = Script::new(data);
    let (mut session, mut now) = (Pns::new(Look::default()), 0);
    session.opened(now);
    while !script.is_over() {
        now += script.pause_ms();
        let mut request = Vec::new();
        let sent = session.transmit(now, &mut request);
        assert!(request.len() <= 256);
        let heard = match script.byte() % 8 {
            0 => session.receive(now, script.bytes()),
            1 => session.receive(now, &[NAK]),
            2 => {
                let level = Level::ALL[usize::from(script.byte()) % Level::ALL.len()];
                session.show(&SignalContent::new(level, Attention::None, [String::new()]));
                Ok(())
            }
            // what the last request asks for
            3 => session.receive(now, &std::array::from_fn::<u8, 6, _>(|_| script.byte() % 6)),
            4 => session.receive(now, &std::array::from_fn::<u8, 15, _>(|_| script.byte() % 6)),
            5 if request.get(2) == Some(&b'S') => session.receive(now, request.get(6..).unwrap_or_default()),
            _ => session.receive(now, &[ACK]),
        };
        if sent.is_err() || heard.is_err() {
            session.opened(now);
        }
        let _ = (session.wake_at(), session.there(), session.fault(), session.corrected());
    }
});
