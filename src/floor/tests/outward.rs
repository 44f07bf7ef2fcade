//! What programs of a house read from the broker, and make of it, by the examples of the documentation.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use async_nats::HeaderMap;
use futures_util::StreamExt;
use sabot_floor::subjects::ID;
use serde_json::{Value, json};

use crate::engines::Nats;

/// Two lines of a record in one message, the second with a finding.
const LINES: &str = r#"{"ev":"reveal","at":"bank","t":2400,"chain":"00"}
{"ev":"draw","card":"3H","to":"bank","face":"up","t":2467,"answers":[{"out":"finding","n":1,"line":53,"pass":1,"provision":"C7","box":"bank","severity":"irregularity","text":"la segunda carta de la banca sali\u00f3 descubierta"}],"chain":"01"}"#;

struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An example, which listens.
fn example(name: &str, args: &[&str]) -> (Program, impl Iterator<Item = String> + use<>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples").join(name);
    let mut python = Command::new("python3");
    let mut child = python.arg("-B").arg(file).args(args).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().as_deref(), Some("listening"));
    (Program(child), lines)
}

/// The body of the next request, which is answered.
fn posted(listener: &TcpListener) -> (String, String) {
    let (mut stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let head: Vec<String> = reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
    let length = head.iter().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap()];
    reader.read_exact(&mut body).unwrap();
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
    (head.join("\n"), String::from_utf8(body).unwrap())
}

#[tokio::test]
#[ignore = "needs nats-server and python3"]
async fn a_finding_is_a_bookmark_for_video_systems_on_the_broker_and_at_an_address() {
    let nats = Nats::start();
    let client = async_nats::connect(nats.url()).await.unwrap();
    let mut published = client.subscribe("surveillance.casino.p1.*.bookmark").await.unwrap();
    client.flush().await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/bookmarks", listener.local_addr().unwrap());
    let url = nats.url();
    let broker = url.strip_prefix("nats://").unwrap();
    let of = ["--before", "20", "--after", "10", "--publish", "--post", &address];
    let (_program, mut printed) = example("bookmarks.py", &[&[broker, "sabot.casino.*.*.line"], &of[..]].concat());
    let (_reader, mut read) = example("floor.py", &[broker, "sabot.casino.*.*.line"]);
    let mut headers = HeaderMap::new();
    headers.insert(ID, "casino/p1/BJ-07/1795493375749/52-3f9a12bc");
    client.publish_with_headers("sabot.casino.p1.BJ-07.line", headers, LINES.into()).await.unwrap();
    client.flush().await.unwrap();
    let event: Value = serde_json::from_str(&printed.next().unwrap()).unwrap();
    assert_eq!(
        event,
        json!({ "specversion": "1.0", "type": "sabot.bookmark", "source": "/sabot/casino/p1/BJ-07",
            "id": "1795493375749-1", "time": "2026-11-24T04:09:38.216Z", "datacontenttype": "application/json",
            "data": { "table": "BJ-07", "from": "2026-11-24T04:09:18.216Z", "to": "2026-11-24T04:09:48.216Z",
                "line": 53, "pass": 1, "article": "C7", "box": "bank", "severity": "irregularity",
                "text": "la segunda carta de la banca sali\u{f3} descubierta" } })
    );
    let (head, body) = posted(&listener);
    assert!(head.contains("Content-Type: application/cloudevents+json"), "{head}");
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), event);
    let message = published.next().await.unwrap();
    assert_eq!(message.subject.as_str(), "surveillance.casino.p1.BJ-07.bookmark");
    assert_eq!(serde_json::from_slice::<Value>(&message.payload).unwrap(), event);
    let lines: Vec<String> = read.by_ref().take(3).collect();
    let wanted = ["casino/p1/BJ-07 52 reveal", "casino/p1/BJ-07 53 draw"];
    assert_eq!(lines[..2], wanted, "each line of a message has its number");
    assert!(lines[2].starts_with("  C7: "), "{lines:?}");
}
