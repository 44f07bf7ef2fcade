//! The public format: its worked example, line by line, and how bad input is answered.

use std::io::Write as _;
use std::process::Stdio;

use crate::process::sabot;
use serde_json::{Value, json};

struct Ran {
    status: i32,
    answers: Vec<Value>,
    errors: String,
}

fn replay(log: &str, options: &[&str]) -> Ran {
    let mut child = sabot(["replay", "-"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(log.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    Ran {
        status: out.status.code().unwrap(),
        answers: String::from_utf8(out.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
        errors: String::from_utf8(out.stderr).unwrap(),
    }
}

const WORKED: &str = include_str!("logs/worked-example.jsonl");

#[test]
fn the_worked_example_is_answered_as_the_format_says() {
    let ran = replay(WORKED, &["--lang", "en"]);
    assert_eq!((ran.status, ran.errors.as_str()), (0, ""));
    let text = |n: usize| ran.answers[n]["text"].clone();
    assert_eq!(
        ran.answers,
        [
            json!({"out":"finding","n":1,"line":18,"pass":1,"provision":"D8","box":"2","severity":"notice",
                "cards":["QH"],"remedy":[],"text":text(0)}),
            json!({"out":"finding","n":2,"line":19,"pass":1,"provision":"C4","box":"2","severity":"irregularity",
                "remedy":[{"do":"ask_consent","box":"2"}],"text":text(1)}),
            json!({"out":"cleared","finding":2,"line":21}),
            json!({"out":"settle","line":30,"pass":1,"box":"1","spot":"main","outcome":"win","stake":5000,"pay":5000,"lost":0}),
            json!({"out":"settle","line":30,"pass":1,"box":"2","spot":"main","outcome":"void","stake":5000,"pay":0,"lost":0}),
            json!({"out":"settle","line":30,"pass":1,"box":"3","spot":"main","outcome":"win","stake":5000,"pay":5000,"lost":0}),
            json!({"out":"summary","passes":1,"draws":7,"findings":{"D8":1,"C4":1}}),
        ]
    );
    assert!(text(0).as_str().unwrap().contains("passed over"));
}

#[test]
fn findings_speak_spanish_unless_asked_otherwise_and_strict_tells_by_the_exit_status() {
    let ran = replay(WORKED, &["--strict"]);
    assert_eq!(ran.status, 1);
    assert!(ran.answers[0]["text"].as_str().unwrap().contains("casillero 2"));
    let clean: String = WORKED.lines().take(12).map(|line| format!("{line}\n")).collect();
    assert_eq!(replay(&clean, &["--strict"]).status, 0);
}

#[test]
fn every_cut_of_the_log_gives_a_beginning_of_the_answers_of_the_whole() {
    let whole = replay(WORKED, &[]).answers;
    for cut in [9, 18, 19, 20, 22, 29] {
        let head: String = WORKED.lines().take(cut).map(|line| format!("{line}\n")).collect();
        let mut answers = replay(&head, &[]).answers;
        assert_eq!(answers.pop().unwrap()["out"], "summary");
        assert_eq!(answers, whole[..answers.len()]);
    }
}

#[test]
fn a_malformed_line_names_line_and_field_and_the_answers_up_to_there_stand() {
    let mut lines: Vec<&str> = WORKED.lines().collect();
    lines[20] = r#"{"ev":"move","from":"2","to":"burnt"}"#;
    let ran = replay(&lines.join("\n"), &[]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.answers.len(), 2);
    assert!(ran.errors.contains("line 21: field `to`: `burnt` is not a place"), "{}", ran.errors);
}

#[test]
fn what_no_log_can_say_is_refused_with_the_place_and_a_way_out() {
    let header = WORKED.lines().next().unwrap();
    for (log, words) in [
        (String::new(), "no header"),
        (r#"{"ev":"seat","seat":1,"player":"P"}"#.to_string(), "line 1"),
        (header.replace("sala-8", "sala-9"), "field `regulation`: no regulation `sala-9`; known are sala-8"),
        (
            header.replace("\"boxes\":7", "\"boxes\":3") + "\n" + r#"{"ev":"request","box":"4","player":"P"}"#,
            "line 2: field `box`: this table has boxes 1 to 3, not 4",
        ),
        (
            format!("{header}\n{}\n{}", r#"{"ev":"end","t":9}"#, r#"{"ev":"end","t":8}"#),
            "line 3: field `t`: 8 is before 9",
        ),
        (format!("{header}\nnonsense"), "line 2"),
    ] {
        let ran = replay(&log, &[]);
        assert_eq!(ran.status, 2, "{log}");
        assert!(ran.errors.contains(words), "{words} not in {}", ran.errors);
    }
}
