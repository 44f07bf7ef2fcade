//! `schema-v4.txt` is the shape of `src/message` and of the words it uses: neither changes without the other.
use std::collections::HashMap;

use sabot_wire::Version;
use sabot_wire::frame::crc32c;
use sabot_wire::message::Role;

const SOURCE: &str = concat!(
    include_str!("../../../../src/words/card.rs"),
    include_str!("../../../../src/words/place.rs"),
    include_str!("../../../../src/words/speech.rs"),
    include_str!("../../src/message/mod.rs"),
    include_str!("../../src/message/keypad.rs"),
    include_str!("../../src/message/key.rs"),
    include_str!("../../src/message/talk.rs"),
);

/// The parts of a card, a hand, and what a share that is none stands for: no message has them of themselves.
const PARTS: [&str; 4] = ["Rank", "Suit", "HandId", "Signature"];

/// The source without comments, attributes, `use`, tests and the words for people, as tokens.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in source.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        if line.starts_with("#[") || line.starts_with("use ") {
            continue;
        }
        // `Hit = "hit",`
        let line = line.split_once(" = \"").map_or(line.to_owned(), |(variant, _)| format!("{variant},"));
        let mut word = String::new();
        for c in line.chars().chain([' ']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                tokens.push(std::mem::take(&mut word));
            }
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
        }
    }
    tokens
}

/// The tokens from an opening bracket to its partner, both left out, and how many were read.
fn bracketed(tokens: &[String]) -> &[String] {
    let mut depth = 0;
    for (n, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &tokens[1..n];
        }
    }
    panic!("a bracket is not closed")
}

fn join(tokens: &[String], constants: &HashMap<String, String>) -> String {
    let mut text = String::new();
    for token in tokens.iter().filter(|token| *token != "pub") {
        let token = constants.get(token).unwrap_or(token);
        match token.as_str() {
            // the schema's name of a card; after anything else it is a question's variant
            "Card" if text.ends_with([':', '(', '<']) || text.ends_with(": ") => text.push_str("CardCode"),
            "," | ":" | ";" => text = format!("{}{token} ", text.trim_end()),
            "{" => text.push_str(" { "),
            "}" => text = format!("{} }}", text.trim_end().trim_end_matches(',')),
            _ => text.push_str(token),
        }
    }
    text.trim().trim_end_matches(',').to_owned()
}

fn shape(source: &str) -> String {
    let tokens = tokens(source);
    let mut constants = HashMap::new();
    let mut types = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        match rest[0].as_str() {
            "const" if rest[2] == ":" && rest[3] == "usize" => {
                let value: Vec<String> = rest[5..].iter().take_while(|token| *token != ";").cloned().collect();
                let value: usize = value
                    .split(|token| token == "*")
                    .map(|factor| constants.get(&factor[0]).unwrap_or(&factor[0]).parse::<usize>().expect("a number"))
                    .product();
                constants.insert(rest[1].clone(), value.to_string());
            }
            "impl" => {
                let open = rest.iter().position(|token| token == "{").expect("a body");
                at += open + bracketed(&rest[open..]).len() + 1;
            }
            kind @ ("enum" | "struct") if rest[2] != ";" => {
                let body = join(bracketed(&rest[2..]), &constants);
                let body = match (kind, rest[2].as_str()) {
                    ("enum", _) => variants(&body),
                    (_, "{") => format!("{{ {body} }}"),
                    _ => body,
                };
                types.push((rest[1].clone(), body));
                at += 2 + bracketed(&rest[2..]).len() + 1;
            }
            _ => {}
        }
        at += 1;
    }
    in_order(types)
}

/// The types as the schema lists them: in its order, what it does not know at the end.
fn in_order(mut types: Vec<(String, String)>) -> String {
    let hand = types.iter().find(|(name, _)| name == "HandId").map_or_else(String::new, |(_, body)| format!(" {body}"));
    types.retain(|(name, _)| !PARTS.contains(&name.as_str()));
    for (name, body) in &mut types {
        if name == "Card" {
            *name = "CardCode".to_owned();
        }
        *body = body.replace("(HandId)", &hand);
    }
    let place = |name: &str| {
        sabot_wire::SCHEMA_4_TEXT.lines().position(|line| line.split(" = ").next() == Some(name)).unwrap_or(usize::MAX)
    };
    types.sort_by_key(|(name, _)| place(name));
    types.iter().map(|(name, body)| format!("{name} = {body}\n")).collect()
}

/// Commas between variants become bars; those within one stay.
fn variants(body: &str) -> String {
    let mut depth = 0;
    let mut text = String::new();
    for c in body.chars() {
        match c {
            '{' | '(' | '<' | '[' => depth += 1,
            '}' | ')' | '>' | ']' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 { text.push_str(" |") } else { text.push(c) }
    }
    text
}

#[test]
fn the_schema_text_is_the_shape_of_the_messages() {
    let shape = shape(SOURCE);
    assert_eq!(shape, now(), "src/message has this shape:\n{shape}");
}

/// The schema of version 4.
fn now() -> String {
    sabot_wire::SCHEMA_4_TEXT.to_owned()
}

#[test]
fn version_4_exchanges_shares_and_says_what_runs_and_nothing_has_moved() {
    let exchange = "Exchange { to: Nonce, share: Point, proof: [u8; 16] }";
    let mut expected = Vec::new();
    for line in sabot_wire::SCHEMA_3_TEXT.lines() {
        match line.split_once(" = ").expect("Name = shape").0 {
            "ToHost" => expected.push(format!("{line} | {exchange} | Running {{ ready: Ready, image: Image }}")),
            "ToDevice" => expected.push(format!("{line} | {exchange}")),
            "Nonce" => expected.extend([line, "Point = [u8; 32]", "Image = [u8; 32]"].map(str::to_owned)),
            _ => expected.push(line.to_owned()),
        }
    }
    assert_eq!(now().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn version_3_says_what_keypads_have_learned_and_what_the_newest_event_is_and_nothing_has_moved() {
    let newest = sabot_wire::KEYPAD_SCHEMA_TEXTS.last().expect("one at least");
    let (said, new) = newest.split_once('\n').expect("two lines");
    let then: Vec<_> = sabot_wire::SCHEMA_TEXT.lines().chain([new.trim_end()]).collect();
    let more = |line: &str| match line.split_once(" = ").expect("Name = shape").0 {
        "KeypadSaid" => said.to_owned(),
        "ToHost" => format!("{line} | Clock {{ ping: u32, at_ms: u32, newest: u32 }}"),
        _ => line.to_owned(),
    };
    let mut expected: Vec<_> = then.iter().map(|line| more(line)).collect();
    let mut found: Vec<_> = sabot_wire::SCHEMA_3_TEXT.lines().map(str::to_owned).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn what_a_keypad_has_learned_stands_behind_what_it_said() {
    let texts = [&[sabot_wire::SCHEMA_TEXT][..], &sabot_wire::KEYPAD_SCHEMA_TEXTS].concat();
    let said = |text: &'static str| text.lines().find(|line| line.starts_with("KeypadSaid = ")).expect("a keypad");
    for pair in texts.windows(2) {
        let [before, now] = [said(pair[0]), said(pair[1])];
        assert!(now.strip_prefix(before).is_some_and(|more| more.starts_with(" | ")), "{now}");
    }
}

#[test]
fn a_keypad_that_has_learned_less_is_understood_and_no_other_device_says_what_keypads_do() {
    let known = [&[sabot_wire::SCHEMA][..], &sabot_wire::KEYPAD_SCHEMAS].concat();
    assert!(known.iter().all(|schema| Version::Two.understands(Role::Keypad, *schema)));
    assert!(!Version::Two.understands(Role::Keypad, sabot_wire::SCHEMA ^ 1));
    assert!(sabot_wire::KEYPAD_SCHEMAS.iter().all(|schema| !Version::Two.understands(Role::Shoe, *schema)));
    assert!(Role::ALL.iter().all(|role| Version::Two.understands(*role, Version::Two.schema_of(*role))));
}

#[test]
fn a_changed_message_has_another_shape() {
    for (old, new) in [
        ("CutCard,", "Cut,"),                               // a name
        ("value: u32,", "value: u64,"),                     // a type
        ("MAX_CHIPS: usize = 20", "MAX_CHIPS: usize = 21"), // a bound
        ("    DoorOpen,\n", ""),                            // a variant
        ("        Hit = \"hit\",\n", ""),                   // a word
        ("pub box_no: u8", "pub box_no: u16"),              // a hand's part
        ("pub struct Card(u8)", "pub struct Card(u16)"),    // a card's code
    ] {
        let changed = SOURCE.replace(old, new);
        assert_ne!(changed, SOURCE, "{old} is in the source");
        assert_ne!(shape(&changed), now(), "{old} -> {new}");
    }
}

#[test]
fn the_schema_hashes_of_all_versions_are_frozen() {
    assert!(!sabot_wire::SCHEMA_TEXT.contains('\r'), "schema-v2.txt must be checked out with plain line ends");
    assert_eq!(format!("{:08x}", crc32c(include_bytes!("../../schema-v1.txt"))), "6cfea7de");
    assert_eq!(format!("{:08x}", sabot_wire::SCHEMA), "552999bc");
    assert_eq!(format!("{:08x}", sabot_wire::SCHEMA_3), "e6ea2724");
    assert_eq!(format!("{:08x}", sabot_wire::SCHEMA_4), "c97ba247");
    assert_eq!(sabot_wire::KEYPAD_SCHEMAS.map(|schema| format!("{schema:08x}")), ["32686b88", "bab78b00"]);
}
