//! A line of the public table log, read by the quick reader and by serde alone: both say the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_law::table::line;

fuzz_target!(|text: &[u8]| {
    let _ = line::header(text);
    match (line::timed(text), line::timed_by_serde(text)) {
        (Ok((event, t)), Ok(other)) => {
            assert_eq!((&event, t), (&other.0, other.1));
            let written = serde_json::to_vec(&event).expect("an event is written");
            assert_eq!(line::event(&written).as_ref(), Ok(&event), "{}", String::from_utf8_lossy(&written));
        }
        (Err(_), Err(why)) => assert!(!why.to_string().is_empty()),
        (quick, serde) => panic!("quick {quick:?}, serde {serde:?}"),
    }
});
