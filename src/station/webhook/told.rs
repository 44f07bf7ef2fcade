//! What is sent: some lines of the record as JSON, and the signature over them.

use hmac::{Hmac, KeyInit, Mac};
use sabot_journal::clock::utc;
use sabot_law::table::Name;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::Sha256;

use super::Secret;
use crate::config::{Profile, WebhookConfig};
use crate::record_feed::Retold;

/// The answers that are about findings.
const ABOUT_FINDINGS: [&str; 4] = ["finding", "cleared", "breach", "withdrawn"];
/// What of a line is told beside them.
const OF_A_LINE: [&str; 4] = ["line", "at", "t", "began"];

#[derive(Serialize)]
struct Body<'a> {
    table: &'a str,
    /// The id of the line that was taken last; none where nothing was, or what came after it is gone.
    after: Option<&'a str>,
    lines: Vec<Value>,
}

/// The body of a delivery; none where the profile has none of these lines.
pub(super) fn body(table: &Name, after: Option<&str>, lines: &[Retold], profile: Profile) -> Option<String> {
    let lines: Vec<Value> = lines.iter().filter_map(|line| told(line, profile)).collect();
    if lines.is_empty() {
        return None;
    }
    serde_json::to_string(&Body { table, after, lines }).ok()
}

/// What a CloudEvent has beside what is sent as it is.
#[derive(Serialize)]
struct Event<'a> {
    specversion: &'static str,
    #[serde(rename = "type")]
    kind: String,
    source: String,
    id: &'a str,
    time: String,
    datacontenttype: &'static str,
    data: Value,
}

/// The same delivery as a CloudEvent in structured mode, made at a time, in milliseconds since 1970.
pub(super) fn cloud_event((table, to): (&Name, &WebhookConfig), id: &str, at: u64, body: &str) -> Option<String> {
    let event = Event {
        specversion: "1.0",
        kind: format!("sabot.{}", to.profile.word()),
        source: format!("/sabot/{}/webhooks/{}", sabot_web::in_address(table, b""), to.name),
        id,
        time: utc(at),
        datacontenttype: "application/json",
        data: serde_json::from_str(body).ok()?,
    };
    serde_json::to_string(&event).ok()
}

fn told(Retold { id, json }: &Retold, profile: Profile) -> Option<Value> {
    let mut line: Map<String, Value> = serde_json::from_str(json).ok()?;
    if profile == Profile::Findings {
        let mut answers = line.remove("answers")?;
        let all = answers.as_array_mut()?;
        all.retain(|answer| answer["out"].as_str().is_some_and(|out| ABOUT_FINDINGS.contains(&out)));
        if all.is_empty() {
            return None;
        }
        for answer in all.iter_mut().filter_map(Value::as_object_mut) {
            answer.remove("player");
        }
        line.retain(|field, _| OF_A_LINE.contains(&field.as_str()));
        line.insert("answers".to_owned(), answers);
    }
    line.insert("id".to_owned(), Value::from(id.as_str()));
    Some(Value::Object(line))
}

/// The signature over a body that is sent at a time, in seconds since 1970: HMAC-SHA-256 of both, a point between them.
pub(super) fn signature(Secret(secret): &Secret, at: u64, body: &[u8]) -> String {
    // a key of any length is one
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret) else { return String::new() };
    let mac = mac.chain_update(at.to_string()).chain_update(b".").chain_update(body).finalize().into_bytes();
    mac.iter().fold(format!("t={at},v1="), |text, byte| format!("{text}{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(json: &str) -> Retold {
        Retold { id: "7-00c0ffee".to_owned(), json: json.to_owned() }
    }

    #[test]
    fn who_is_told_of_findings_alone_is_told_neither_what_happened_nor_who_played() {
        let found = line(
            r#"{"line":7,"t":9,"entered":"D-9","event":{"ev":"request","player":"p-1"},"answers":[{"out":"settle","hand":"1"},{"out":"finding","n":1,"player":"p-1","text":"x"}]}"#,
        );
        let told = body(&Name::new("T"), Some("6-00000000"), &[found], Profile::Findings).unwrap();
        let wanted = r#"{"table":"T","after":"6-00000000","lines":[{"line":7,"t":9,"answers":[{"out":"finding","n":1,"text":"x"}],"id":"7-00c0ffee"}]}"#;
        assert_eq!(serde_json::from_str::<Value>(&told).unwrap(), serde_json::from_str::<Value>(wanted).unwrap());
        let quiet = [
            line(r#"{"line":7,"event":{"ev":"end"}}"#),
            line(r#"{"line":7,"event":{"ev":"end"},"answers":[{"out":"settle","hand":"1"}]}"#),
        ];
        assert_eq!(body(&Name::new("T"), None, &quiet, Profile::Findings), None);
        let all = body(&Name::new("T"), None, &quiet, Profile::Lines).unwrap();
        assert!(all.contains("\"ev\":\"end\"") && all.contains("\"after\":null"), "{all}");
    }

    /// The digits are those of `printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac Jefe`.
    #[test]
    fn a_signature_is_what_openssl_makes_of_time_point_and_body() {
        let told = signature(&Secret(b"Jefe".to_vec()), 1_700_000_000, br#"{"a":1}"#);
        assert_eq!(told, "t=1700000000,v1=fa5f6481efc59da48b19c9dc10196c9953e5651f8304b3a318b6b87d70272e0a");
    }
}
