use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::{Replay, Stream};
use crate::table::answer::Lang;

const LOG: &[u8] = include_bytes!("../../tests/program/logs/worked-example.jsonl");

/// A log that comes in pieces of so many bytes: what is answered, the findings, and why it stopped.
fn replayed(log: &[u8], piece: usize) -> (String, u64, Option<String>) {
    let mut stream = Stream::new(Replay::new(Lang::Es, None));
    let mut out = Vec::new();
    let fed = log.chunks(piece).try_for_each(|bytes| stream.feed(bytes, &mut out));
    let ended = fed.and_then(|()| stream.finish(&mut out));
    (String::from_utf8(out).unwrap(), stream.findings(), ended.err().map(|why| why.to_string()))
}

#[test]
fn where_the_bytes_are_cut_makes_no_difference() {
    let whole = replayed(LOG, LOG.len());
    assert_eq!((whole.0.lines().count(), whole.1, &whole.2), (7, 2, &None));
    for piece in [1, 2, 7, 100, 4096] {
        assert_eq!(replayed(LOG, piece), whole, "in pieces of {piece}");
    }
}

#[test]
fn ends_of_lines_may_be_those_of_any_system_and_the_last_may_lack() {
    let whole = replayed(LOG, LOG.len());
    let text = str::from_utf8(LOG).unwrap();
    let crlf = text.replace('\n', "\r\n");
    for log in [crlf.as_str(), text.trim_end()] {
        for piece in [3, 4096] {
            assert_eq!(replayed(log.as_bytes(), piece), whole);
        }
    }
}

#[test]
fn a_line_that_cannot_be_read_ends_it_and_the_answers_before_it_stand() {
    let lines: Vec<&str> = str::from_utf8(LOG).unwrap().lines().collect();
    let (head, _) = lines.split_at(20);
    let log = [&head.join("\n"), "nonsense", lines[21]].join("\n");
    for piece in [1, 5, 4096] {
        let (answers, findings, why) = replayed(log.as_bytes(), piece);
        assert_eq!((answers.lines().count(), findings), (2, 2));
        let why = why.unwrap();
        assert!(why.starts_with("line 21: "), "{why}");
    }
    assert_eq!(
        replayed(b"", 1),
        (String::new(), 0, Some(r#"line 1: no header: a log begins with a line whose `ev` is "table""#.into()))
    );
}

#[test]
fn a_finding_that_was_withdrawn_is_none() {
    let lines = [
        r#"{"ev":"table","v":2,"table":"T","regulation":"croupier-6","boxes":7,"limits":{"min":1,"max":9999}}"#,
        r#"{"ev":"bet","box":"1","amount":100}"#,
        r#"{"ev":"close_bets"}"#,
        r#"{"ev":"bet","box":"2","amount":100}"#,
        r#"{"ev":"correct","by":"I","role":"inspector","line":4}"#,
    ];
    let findings = |log: &str| replayed(log.as_bytes(), 64).1;
    assert_eq!((findings(&lines[..4].join("\n")), findings(&lines.join("\n"))), (1, 0));
}
