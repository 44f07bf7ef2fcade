//! A whole table log under each regulation: what can be read is judged, whatever it says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;

const HOUSES: [&str; 4] = ["sala-8", "talla", "club", "croupier-6"];

fuzz_target!(|data: &[u8]| {
    let Some((&house, log)) = data.split_first() else { return };
    let (mut replay, mut answers) = (Replay::new(Lang::Es, None), Vec::new());
    if house < 0xF0 {
        let house = HOUSES[usize::from(house) % HOUSES.len()];
        let head = format!(
            r#"{{"ev":"table","v":1,"table":"F","regulation":"{house}","boxes":7,"limits":{{"min":100,"max":1000000}},"observes":["places","faces","asks","decisions","announcements"]}}"#
        );
        replay.feed(head.as_bytes(), &mut answers).expect("a header");
    }
    for line in log.split(|&byte| byte == b'\n') {
        // a line that cannot be read is told, and the next one is tried
        let _ = replay.feed(line, &mut answers);
        for answer in answers.drain(..) {
            serde_json::to_vec(&answer).expect("an answer is written");
        }
    }
    let _ = replay.finish(&mut answers);
});
