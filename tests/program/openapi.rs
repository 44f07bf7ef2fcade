//! The document of the interfaces for programs, held against what real processes answer.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::acts::Desk;
use crate::door::Table;
use crate::pit::Pit;
use crate::processes::answered;

const DOCUMENT: &str = "/api/v1/openapi.json";

fn json_of(address: &str, path: &str) -> Value {
    let answer = answered(address, path);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-type: application/json\r\n"), "{path}: {head}");
    serde_json::from_str(body).unwrap_or_else(|why| panic!("{path}: {why}: {body}"))
}

/// The same where nothing may stand that is not described: programs get what they are told of, and are told of all.
fn strict(schema: &Value) -> Value {
    match schema {
        Value::Array(all) => all.iter().map(strict).collect(),
        Value::Object(fields) => {
            let mut fields: serde_json::Map<_, _> = fields.iter().map(|(key, of)| (key.clone(), strict(of))).collect();
            if fields.contains_key("properties") && fields["type"] == "object" {
                fields.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            Value::Object(fields)
        }
        other => other.clone(),
    }
}

/// Holds what was answered against its schema.
fn hold(document: &Value, schema: &Value, told: &Value, of: &str) {
    let whole = json!({ "allOf": [strict(schema)], "components": strict(&document["components"]) });
    let validator = jsonschema::validator_for(&whole).unwrap_or_else(|why| panic!("{of}: {why}"));
    let wrong: Vec<String> =
        validator.iter_errors(told).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{of}: {wrong:#?}\n{told:#}");
}

/// Holds the events of a stream against theirs, until each kind has come.
fn hold_events(document: &Value, events: &Value, address: &str, path: &str) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    assert!(head.contains(&"content-type: text/event-stream".to_owned()), "{path}: {head:?}");
    let (mut missing, mut name) = (events.as_object().unwrap().clone(), String::new());
    while !missing.is_empty() {
        let line = lines.next().unwrap();
        if let Some(event) = line.strip_prefix("event: ") {
            event.clone_into(&mut name);
        }
        if let Some(data) = line.strip_prefix("data: ") {
            let schema = &events[&name];
            assert!(schema.is_object(), "{path}: an event that is not described: {name}");
            hold(document, schema, &serde_json::from_str(data).unwrap(), &format!("{path}, {name}"));
            missing.remove(&name);
        }
    }
}

#[test]
fn every_interface_answers_as_its_document_says_and_nothing_that_it_does_not_say() {
    let desk = Desk::with_a_finding();
    let blind = Table::with("listen = \"127.0.0.1:0\"");
    let (_station, blind) = blind.starts();
    let tables = [("P", &desk.address), ("BJ-07", &blind)].map(|(name, at)| (name, format!("http://{at}")));
    let nobody = ("Q", "http://127.0.0.1:1".to_owned());
    let tables: Vec<(&str, &str)> = tables.iter().chain([&nobody]).map(|(name, at)| (*name, at.as_str())).collect();
    let pit = Pit::start("listen = \"127.0.0.1:0\"", &tables);
    pit.until_heard(&["P", "BJ-07"]);
    let document = json_of(&desk.address, DOCUMENT);
    assert_eq!(document, json_of(&pit.address, DOCUMENT), "one document for both programs");
    assert!(jsonschema::meta::is_valid(&document["components"]["schemas"]["Verdict"]));
    let mut held = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let ok = &item["get"]["responses"]["200"]["content"];
        for tag in item["get"]["tags"].as_array().unwrap() {
            let programs = if tag == "pit" { vec![&pit.address] } else { vec![&desk.address, &blind] };
            for address in programs {
                if let Some(schema) = ok.get("application/json") {
                    hold(&document, &schema["schema"], &json_of(address, path), path);
                } else {
                    let path = if path == "/api/v1/events" { "/api/v1/events?after=0" } else { path };
                    hold_events(&document, &ok["text/event-stream"]["x-events"], address, path);
                }
                held += 1;
            }
        }
    }
    assert!(held >= 11, "{held}");
}
