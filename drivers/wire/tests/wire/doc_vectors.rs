//! `docs/wire-protocol.md` says what the code does: its schema, its numbers, its kinds of vectors.
use sabot_wire::frame::{MAX_BODY, MAX_DRAWN_FRAME, MAX_FRAME};
use sabot_wire::seal::{LENGTHS, SEAL_BYTES};

use crate::vectors::KINDS;

const DOC: &str = include_str!("../../../../docs/wire-protocol.md");

/// The inside of the fenced block of this name.
fn block(name: &str) -> &'static str {
    let (_, rest) = DOC.split_once(&format!("```{name}\n")).expect("the block begins");
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn the_kinds_of_vectors_of_the_document_are_those_there_are() {
    let (_, section) = DOC.split_once("## 9. Vectors").expect("a section");
    let rows = section.split("\n## ").next().expect("its text").lines();
    let named = rows.filter_map(|row| row.strip_prefix("| `")?.split(['`', ' ']).next());
    assert_eq!(named.collect::<Vec<_>>(), KINDS);
}

#[test]
fn the_schema_of_the_document_is_the_schema() {
    assert_eq!(block("schema"), sabot_wire::SCHEMA_4_TEXT);
    assert!(DOC.contains(&format!("`{:08x}`", sabot_wire::SCHEMA_4)));
}

#[test]
fn the_tags_of_the_document_are_those_of_the_schema() {
    for (kind, part) in [
        ("Shoe", "ShoeSaw"),
        ("Shuffler", "ShufflerSaw"),
        ("Chips", "ChipsSaw"),
        ("Keypad", "KeypadSaid"),
        ("Device", "DeviceState"),
    ] {
        let row = DOC.lines().find(|line| line.starts_with(&format!("| `{kind}` | "))).expect("a row of tags");
        let listed = row.rsplit_once(" | `").expect("variants").1;
        let shape = sabot_wire::SCHEMA_4_TEXT
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{part} = ")))
            .expect("a type of the schema");
        let names = shape.split(" | ").map(|variant| variant.split([' ', '(']).next().expect("a name"));
        let expected: Vec<_> = names.enumerate().map(|(tag, name)| format!("{name}` {tag}")).collect();
        assert_eq!(listed.trim_end_matches(" |"), expected.join(", `"), "{kind}");
    }
}

#[test]
fn the_numbers_of_the_document_are_the_constants() {
    use sabot_wire as wire;
    let flat = DOC.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = |text: String| assert!(flat.contains(&text), "the document does not say: {text}");
    says(format!("The longest body is {MAX_BODY} bytes"));
    says(format!("the longest frame with its zeros {MAX_FRAME}"));
    says(format!("More than {} bytes collected", MAX_FRAME - 2));
    says(format!("at most {MAX_DRAWN_FRAME} bytes on the wire"));
    says(format!("and every {} ms until `open`", wire::DEVICE_HELLO_MS));
    says(format!("at most {} that are not acknowledged", wire::WINDOW));
    says(format!("for {} ms after the last event", wire::RESEND_MS));
    says(format!("up to {} ms; an acknowledgement that forgets something", wire::RESEND_MAX_MS));
    says(format!("and again every {} ms until a device answers", wire::HOST_HELLO_MS));
    says(format!("at most every {} ms", wire::GAP_HELLO_MS));
    says(format!("After {} ms of silence** ping; after {} ms", wire::PING_MS, wire::SILENCE_MS));
    says(format!("all of it every {} ms", wire::REFRESH_MS));
    says(format!("sealed {}, the longest frame", MAX_BODY + SEAL_BYTES));
    says(format!("and every {} ms whatever comes, every {} ms while", wire::WATCH_MS, wire::ASK_MS));
    says(format!("last showed that {} ms ago, and {} have gone out since", wire::WITHHELD_MS, wire::PROOFS));
    says(format!("{} ms after the last of them, and {} ms later at the most", wire::AGAIN_MS, wire::AGAIN_MOST_MS));
    says(format!("one every {} ms and ten at the most", wire::ASK_LEAST_MS));
    says(format!("more than {} ms before it came", wire::LATE_MS));
    let lengths = LENGTHS.map(|length| length.to_string()).join(", ");
    let (most, last) = lengths.rsplit_once(", ").expect("several lengths");
    says(format!("the next of the lengths {most} and {last} bytes"));
    says(format!("and every {} ms for its clock", wire::CLOCK_MS));
    says(format!("and {} ms after a new answer or share", wire::EXCHANGE_MS));
    says(format!("challenge every {} ms; after {} ms begin anew", wire::CHALLENGE_MS, wire::HANDSHAKE_MS));
}
