//! Whoever connects to the page means harm: the table and the other readers of the page notice nothing.

use std::time::Duration;

use sabot_stall_guard::{PATIENCE, Stopwatch};
use sabot_station::console;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::http::Served;
use super::samples;

/// Everything that comes back, as far as it comes.
async fn answers(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("an end in time");
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn says(served: &Served, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    // the answer may come, and the connection be shut, before all is said
    let _ = stream.write_all(request).await;
    answers(&mut stream).await
}

#[tokio::test]
async fn other_methods_and_paths_that_climb_out_get_nothing() {
    let served = Served::start(samples::calm_delivery()).await;
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"] {
        for path in ["/", "/api/snapshot", "/events"] {
            let request = format!(
                "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            );
            let answer = says(&served, request.as_bytes()).await;
            let refused = ["405", "400", "404"].iter().any(|code| answer.starts_with(&format!("HTTP/1.1 {code}")));
            assert!(refused && !answer.contains("BJ-"), "{method} {path}: {answer}");
        }
    }
    for path in [
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2fjournal.jsonl",
        "//etc/passwd",
        "/assets/console.css%00.js",
        "/record",
        "/api",
        "/api/snapshot/",
        "http://elsewhere/etc/passwd",
    ] {
        let (head, body) = served.get(path, "").await;
        assert!(
            ["404", "400", "421"].iter().any(|code| head.starts_with(&format!("http/1.1 {code}"))),
            "{path}: {head}"
        );
        assert!(body.len() < 200, "{path}: {body}");
    }
}

#[tokio::test]
async fn heads_too_large_are_refused_and_pipelined_requests_answered_in_turn() {
    let served = Served::start(samples::calm_delivery()).await;
    let many = (0..2000).map(|n| format!("X-{n}: {n}\r\n")).collect::<String>();
    let long = format!("X: {}\r\n", "x".repeat(2_000_000));
    for headers in [many, long] {
        let answer = says(&served, format!("GET / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n").as_bytes()).await;
        // the rest of what was said may take the refusal with it
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{}", &answer[..answer.len().min(200)]);
    }
    let address = format!("GET /?lang={} HTTP/1.1\r\nHost: localhost\r\n\r\n", "e".repeat(100_000));
    let answer = says(&served, address.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    let mut pipeline = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(500);
    pipeline.push_str("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!(says(&served, pipeline.as_bytes()).await.matches("HTTP/1.1 200").count(), 501);
    let smuggled = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert!(!says(&served, smuggled.as_bytes()).await.contains("HTTP/1.1 200"));
    let endless =
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 18446744073709551615\r\n\r\nabc";
    let answer = says(&served, endless.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
}

/// More than the page lets in, most of them silent: those that leave make room, and the station is never held up.
#[tokio::test]
async fn a_crowd_of_connections_waits_its_turn_and_the_snapshots_go_on() {
    let limits = sabot_web::Limits { connections: 96, of_one_address: 48, live: 64 };
    let access = console::Access { limits, ..console::Access::default() };
    let served = Served::with(samples::calm_delivery(), access).await;
    let mut crowd = Vec::new();
    for n in 0..400 {
        // beyond the queue of the system a connection hangs or is refused
        let Ok(Ok(mut stream)) = timeout(Duration::from_millis(50), TcpStream::connect(served.address)).await else {
            break;
        };
        let request: &[u8] =
            if n % 2 == 0 { b"GET / HTTP/1.1\r\nHo" } else { b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n" };
        stream.write_all(request).await.unwrap();
        crowd.push(stream);
    }
    assert!(crowd.len() > limits.connections, "only {} came", crowd.len());
    let began = Stopwatch::start();
    for _ in 0..10_000 {
        served.snapshots.send_replace(std::sync::Arc::new(samples::empty_table()));
    }
    assert!(began.elapsed() < Duration::from_secs(10), "who tells the pages waits for none");
    drop(crowd);
    assert!(served.get("/healthz", "").await.0.starts_with("http/1.1 200"));
}

#[tokio::test]
async fn live_pages_that_go_away_in_the_middle_give_their_places_back() {
    let limits = sabot_web::Limits { live: 64, ..sabot_web::Limits::default() };
    let access = console::Access { limits, ..console::Access::default() };
    let served = Served::with(samples::calm_delivery(), access).await;
    for round in 0..5 {
        for n in 0..limits.live {
            let mut page = TcpStream::connect(served.address).await.unwrap();
            page.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
            if n % 2 == round % 2 {
                let mut some = [0; 100];
                timeout(PATIENCE, page.read(&mut some)).await.unwrap().unwrap();
            }
            page.set_zero_linger().unwrap();
        }
    }
    let free = async {
        loop {
            let mut page = served.ask("/events", "").await;
            let mut head = [0; 12];
            page.read_exact(&mut head).await.unwrap();
            if &head == b"HTTP/1.1 200" {
                return;
            }
        }
    };
    timeout(PATIENCE, free).await.expect("a place comes free");
}
