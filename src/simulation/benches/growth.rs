//! Whether an answer takes longer because a pass is long: the time for 100,000 events of a kind beside that for 50,000.
//!
//! `cargo bench -p sabot-simulation --bench growth` (`EVENTS`, 100,000 unless told otherwise) has each kind judged
//! twice, best of three. A ratio of 2 says that an event costs the same however many there were before it; one of 4
//! that each is held against all of them. `--profile dev` does as well. `corrections after many findings` copies the
//! findings for each correction, and is for `EVENTS=10000`.

#![allow(clippy::expect_used, clippy::cast_precision_loss, reason = "a benchmark")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use sabot_law::table::{Event, line};
use sabot_law::validator::Validator;

/// Events of a kind: what begins, what is repeated, what ends.
struct Kind {
    name: &'static str,
    house: &'static str,
    begin: &'static [&'static str],
    repeat: &'static [&'static str],
    end: &'static [&'static str],
}

const DEALT: &[&str] = &[
    r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
    r#"{"ev":"bet","box":"2","amount":5000,"player":"P2"}"#,
    r#"{"ev":"draw","card":"8H","to":"1"}"#,
    r#"{"ev":"draw","card":"9C","to":"2"}"#,
    r#"{"ev":"draw","card":"9S","to":"bank"}"#,
    r#"{"ev":"draw","card":"TC","to":"1"}"#,
    r#"{"ev":"draw","card":"TD","to":"2"}"#,
];

/// The same where boxes are dealt to from the right.
const DEALT_RIGHT: &[&str] = &[
    r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
    r#"{"ev":"bet","box":"2","amount":5000,"player":"P2"}"#,
    r#"{"ev":"draw","card":"9C","to":"2"}"#,
    r#"{"ev":"draw","card":"8H","to":"1"}"#,
    r#"{"ev":"draw","card":"9S","to":"bank"}"#,
    r#"{"ev":"draw","card":"TD","to":"2"}"#,
    r#"{"ev":"draw","card":"TC","to":"1"}"#,
];

/// Play has begun.
const IN_PLAY: &[&str] = &[
    r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
    r#"{"ev":"draw","card":"8H","to":"1"}"#,
    r#"{"ev":"draw","card":"9S","to":"bank"}"#,
    r#"{"ev":"draw","card":"TC","to":"1"}"#,
    r#"{"ev":"draw","card":"2D","to":"bank","face":"down"}"#,
    r#"{"ev":"ask","box":"1","about":"card"}"#,
];

/// The same, and a card to a hand that asked for none.
const UNASKED: &[&str] = &[
    r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
    r#"{"ev":"draw","card":"8H","to":"1"}"#,
    r#"{"ev":"draw","card":"9S","to":"bank"}"#,
    r#"{"ev":"draw","card":"TC","to":"1"}"#,
    r#"{"ev":"draw","card":"2D","to":"bank","face":"down"}"#,
    r#"{"ev":"ask","box":"1","about":"card"}"#,
    r#"{"ev":"draw","card":"2C","to":"1"}"#,
];

const UNDUE: &[&str] = &[r#"{"ev":"draw","card":"2H","to":"7"}"#];
const UNREAD: &[&str] = &[r#"{"ev":"draw","card":"??","to":"7"}"#];
/// The line before it did not happen.
const CORRECT_LAST: &str = r#"{"ev":"correct","by":"I-1","role":"inspector","line":0}"#;
const END: &[&str] = &[r#"{"ev":"end"}"#];

const KINDS: &[Kind] = &[
    Kind { name: "cards without an end", house: "sala-8", begin: DEALT, repeat: UNDUE, end: END },
    Kind { name: "cards without an end", house: "talla", begin: DEALT_RIGHT, repeat: UNDUE, end: END },
    Kind { name: "cards without an end", house: "club", begin: DEALT_RIGHT, repeat: UNDUE, end: END },
    Kind { name: "cards without an end", house: "croupier-6", begin: DEALT, repeat: UNDUE, end: END },
    Kind { name: "unread cards", house: "sala-8", begin: DEALT, repeat: UNREAD, end: END },
    Kind { name: "unread cards", house: "croupier-6", begin: DEALT, repeat: UNREAD, end: END },
    Kind {
        name: "the bank's card uncovered",
        house: "sala-8",
        begin: DEALT,
        repeat: &[r#"{"ev":"draw","card":"2H","to":"bank","face":"up"}"#],
        end: END,
    },
    Kind {
        name: "the bank's cards thrown away",
        house: "sala-8",
        begin: DEALT,
        repeat: &[r#"{"ev":"draw","card":"2H","to":"bank"}"#, r#"{"ev":"move","from":"bank","to":"discard"}"#],
        end: END,
    },
    Kind {
        name: "chips refused",
        house: "sala-8",
        begin: DEALT,
        repeat: &[
            r#"{"ev":"bet","box":"3","amount":5000,"player":"P3"}"#,
            r#"{"ev":"bet","box":"3","amount":0,"player":"P3"}"#,
        ],
        end: END,
    },
    Kind {
        name: "keys after cards",
        house: "sala-8",
        begin: DEALT,
        repeat: &[r#"{"ev":"draw","card":"2H","to":"1"}"#, r#"{"ev":"decide","box":"1","choice":"hit"}"#],
        end: END,
    },
    Kind {
        name: "paid and taken back",
        house: "sala-8",
        begin: &[
            r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
            r#"{"ev":"draw","card":"8H","to":"1"}"#,
            r#"{"ev":"draw","card":"9S","to":"bank"}"#,
            r#"{"ev":"draw","card":"TC","to":"1"}"#,
            r#"{"ev":"draw","card":"TD","to":"bank","face":"down"}"#,
            r#"{"ev":"decide","box":"1","choice":"stand"}"#,
            r#"{"ev":"reveal","at":"bank"}"#,
            r#"{"ev":"collect","box":"1","amount":5000}"#,
        ],
        repeat: &[r#"{"ev":"pay","box":"1","amount":5000}"#, r#"{"ev":"collect","box":"1","amount":5000}"#],
        end: END,
    },
    Kind {
        name: "reports",
        house: "sala-8",
        begin: DEALT,
        repeat: &[r#"{"ev":"report","by":"I-1","role":"inspector","note":"seen"}"#],
        end: END,
    },
    Kind {
        name: "reports, then rulings",
        house: "sala-8",
        begin: DEALT,
        repeat: &[
            r#"{"ev":"report","by":"I-1","role":"inspector","note":"seen","provision":"C20"}"#,
            r#"{"ev":"rule","by":"R-1","role":"room","decision":"resume"}"#,
        ],
        end: END,
    },
    Kind {
        name: "shares",
        house: "club",
        begin: &[],
        repeat: &[r#"{"ev":"share","player":"P1","what":"advance","amount":5000}"#],
        end: &[],
    },
    Kind {
        name: "shares and dividends",
        house: "club",
        begin: &[],
        repeat: &[
            r#"{"ev":"share","player":"P1","what":"advance","amount":5000}"#,
            r#"{"ev":"share","player":"P1","what":"dividend","amount":5000}"#,
        ],
        end: &[],
    },
    Kind {
        name: "a correction in a long pass",
        house: "sala-8",
        begin: DEALT,
        repeat: UNDUE,
        end: &[r#"{"ev":"correct","by":"I-1","role":"inspector","line":9}"#, r#"{"ev":"end"}"#],
    },
    Kind {
        name: "a correction after a long pass",
        house: "sala-8",
        begin: DEALT,
        repeat: &[r#"{"ev":"ask","box":"1","about":"card"}"#],
        end: &[r#"{"ev":"end"}"#, r#"{"ev":"correct","by":"I-1","role":"inspector","line":9}"#],
    },
    Kind {
        name: "lines corrected as they are told",
        house: "sala-8",
        begin: DEALT,
        repeat: &[r#"{"ev":"ask","box":"1","about":"card"}"#, CORRECT_LAST],
        end: END,
    },
    Kind {
        name: "lines put in, each after the last",
        house: "sala-8",
        begin: DEALT,
        repeat: &[
            r#"{"ev":"ask","box":"1","about":"card"}"#,
            r#"{"ev":"correct","by":"I-1","role":"inspector","after":0,"event":{"ev":"ask","box":"1","about":"card"}}"#,
        ],
        end: END,
    },
    Kind {
        name: "findings corrected as they come",
        house: "sala-8",
        begin: DEALT,
        repeat: &[r#"{"ev":"draw","card":"2H","to":"7"}"#, CORRECT_LAST],
        end: END,
    },
    Kind {
        name: "corrections after many findings",
        house: "sala-8",
        begin: DEALT,
        repeat: &[
            r#"{"ev":"draw","card":"2H","to":"7"}"#,
            r#"{"ev":"ask","box":"1","about":"card"}"#,
            r#"{"ev":"draw","card":"2H","to":"7"}"#,
            r#"{"ev":"ask","box":"1","about":"card"}"#,
            CORRECT_LAST,
        ],
        end: END,
    },
    Kind {
        name: "late keys among findings",
        house: "sala-8",
        begin: IN_PLAY,
        repeat: &[
            r#"{"ev":"draw","card":"2H","to":"7"}"#,
            r#"{"ev":"draw","card":"??","to":"1"}"#,
            r#"{"ev":"decide","box":"1","choice":"hit"}"#,
        ],
        end: END,
    },
    Kind {
        name: "late lines placed among findings",
        house: "sala-8",
        begin: IN_PLAY,
        repeat: &[
            r#"{"ev":"draw","card":"2H","to":"7"}"#,
            r#"{"ev":"device","device":"keypad","status":"offline"}"#,
            r#"{"ev":"draw","card":"??","to":"1"}"#,
            r#"{"ev":"decide","box":"1","choice":"hit"}"#,
            r#"{"ev":"device","device":"keypad","status":"online","complete":true}"#,
        ],
        end: END,
    },
    Kind {
        name: "late keys that explain nothing",
        house: "sala-8",
        begin: UNASKED,
        repeat: &[r#"{"ev":"decide","box":"1","choice":"double"}"#],
        end: END,
    },
    Kind {
        name: "burned among findings",
        house: "sala-8",
        begin: DEALT,
        repeat: &[
            r#"{"ev":"draw","card":"2H","to":"7"}"#,
            r#"{"ev":"draw","card":"2H","to":"6"}"#,
            r#"{"ev":"move","from":"6","to":"burn"}"#,
        ],
        end: END,
    },
    Kind {
        name: "named among findings",
        house: "sala-8",
        begin: DEALT,
        repeat: &[
            r#"{"ev":"draw","card":"2H","to":"7"}"#,
            r#"{"ev":"draw","card":"??","to":"6"}"#,
            r#"{"ev":"reveal","at":"6","card":"2H"}"#,
            r#"{"ev":"move","from":"6","to":"burn"}"#,
        ],
        end: END,
    },
    Kind {
        name: "away and back, again and again",
        house: "sala-8",
        begin: DEALT,
        repeat: &[
            r#"{"ev":"device","device":"keypad","status":"offline"}"#,
            r#"{"ev":"ask","box":"1","about":"card"}"#,
            r#"{"ev":"device","device":"keypad","status":"online","complete":true}"#,
        ],
        end: END,
    },
    Kind {
        name: "away for a long pass, all told",
        house: "sala-8",
        begin: &[
            r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
            r#"{"ev":"device","device":"keypad","status":"offline"}"#,
        ],
        repeat: &[r#"{"ev":"ask","box":"1","about":"card"}"#, r#"{"ev":"draw","card":"2H","to":"7"}"#],
        end: &[r#"{"ev":"device","device":"keypad","status":"online","complete":true}"#, r#"{"ev":"end"}"#],
    },
    Kind {
        name: "away for a long pass, let pass",
        house: "sala-8",
        begin: &[
            r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
            r#"{"ev":"device","device":"keypad","status":"offline"}"#,
        ],
        repeat: UNDUE,
        end: &[r#"{"ev":"rule","by":"R-1","role":"room","decision":"resume","finding":1}"#, r#"{"ev":"end"}"#],
    },
];

impl Kind {
    fn events(&self, count: usize) -> Vec<Event> {
        let read = |text: &&str| line::event(text.as_bytes()).expect("a line of the log");
        let repeated: Vec<Event> = self.repeat.iter().map(read).collect();
        let mut events: Vec<Event> = self.begin.iter().map(read).collect();
        events.extend(repeated.iter().cycle().take(count).cloned());
        events.extend(self.end.iter().map(read));
        for (number, event) in (2..).zip(&mut events) {
            if let Event::Correct { line: Some(line @ 0), .. } | Event::Correct { after: Some(line @ 0), .. } = event {
                *line = number - 1;
            }
        }
        events
    }

    /// The best of three.
    fn time(&self, count: usize) -> Duration {
        let header = format!(
            r#"{{"ev":"table","v":2,"table":"T","regulation":"{}","boxes":7,"limits":{{"min":1000,"max":9000}}}}"#,
            self.house
        );
        let header = line::header(header.as_bytes()).expect("a header");
        let events = self.events(count);
        let once = || {
            let mut table = Validator::new(header.clone()).expect("a known regulation");
            let mut answers = Vec::new();
            let start = Instant::now();
            for (number, event) in (2..).zip(&events) {
                table.step(number, black_box(event), &mut answers);
                answers.clear();
            }
            start.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap_or_default()
    }
}

fn main() {
    let count = std::env::var("EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let only = std::env::var("ONLY").ok();
    println!("{:32} {:10} {:>10} {:>10} {:>6}", "events", "house", count / 2, count, "ratio");
    for kind in KINDS.iter().filter(|kind| only.as_ref().is_none_or(|only| kind.name.contains(only))) {
        let (half, whole) = (kind.time(count / 2), kind.time(count));
        let ratio = whole.as_secs_f64() / half.as_secs_f64().max(1e-9);
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        println!("{:32} {:10} {:>10} {:>10} {ratio:6.2}", kind.name, kind.house, ms(half), ms(whole));
    }
}
