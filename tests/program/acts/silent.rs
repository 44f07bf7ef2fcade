//! Findings for surveillance alone: no address of the station tells anybody else of one, and no face shows it. The
//! routes of the page say which addresses there are.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use sabot_law::replay::Replay;
use sabot_law::table::Answer;
use sabot_law::table::answer::Lang;
use sabot_station::history::{Record, read};

use super::Desk;
use super::walk::{Walk, routes};
use crate::process::{run, sabot};
use crate::processes::asked;
use crate::webhook::{SECRET, TAKEN, delivered, secret, webhook};

/// What is sent to who watches, until it has pulsed twice.
fn heard(address: &str, path: &str, cookie: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n{cookie}\r\n").unwrap();
    let (mut text, mut buffer) = (String::new(), [0; 16_384]);
    while text.matches("event: pulse").count() < 2 {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "{path} ends: {text}");
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    text
}

/// A text as people read it on a page.
fn plain(page: &str) -> String {
    page.replace("&#39;", "'").replace("&#34;", "\"")
}

/// The addresses of a route, of findings, lines and passes that there are.
fn addresses(route: &str, lines: usize) -> Vec<String> {
    let filled = |n: usize, line: usize| {
        let fields = [("{n}", n.to_string()), ("{line}", line.to_string()), ("{pass}", "1".to_owned())];
        let words = [("{how}", "instead"), ("{form}", "reveal"), ("{article}", "C12")].map(|(a, b)| (a, b.to_owned()));
        fields.into_iter().chain(words).fold(route.to_owned(), |path, (field, value)| path.replace(field, &value))
    };
    let mut all: Vec<String> =
        (2..=3).flat_map(|n| (lines - 2..=lines).map(move |line| (n, line))).map(|(n, line)| filled(n, line)).collect();
    all.dedup();
    all.sort();
    all.dedup();
    all.iter().flat_map(|path| ["es", "en"].map(|lang| format!("{path}?lang={lang}"))).collect()
}

/// What each finding says, in both languages, and what was noted of it.
fn texts(desk: &Desk) -> Vec<String> {
    let mut texts = vec!["entre ellos".to_owned(), "solo la sala".to_owned()];
    let replay = Replay::new(Lang::Es, None);
    let of = |answer: Answer| match answer {
        Answer::Finding(finding) => Some([finding.text.es, finding.text.en]),
        _ => None,
    };
    let each = |told: sabot_station::history::Told, _: &_| {
        texts.extend(told.answers.into_iter().filter_map(of).flatten());
        Ok(())
    };
    read(&Record::whole(&desk.table.path("record")), replay, each).unwrap();
    texts
}

/// The last of them asks something of the room.
const ARTICLES: [&str; 3] = ["C12", "C17", "C20"];
const SILENT: &str = "silent = [\"C12\", \"C17\", \"C20\"]\nsilent_told_to = [\"surveillance\", \"room\"]";
const KNOW: [&str; 2] = ["surveillance", "room"];

#[test]
fn a_finding_for_surveillance_alone_is_told_to_nobody_else_at_any_address() {
    let folder = tempfile::tempdir().unwrap();
    let key = secret(folder.path(), SECRET);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let hook = webhook(&listener.local_addr().unwrap().to_string(), &key, "findings");
    let walk = Walk::of(Desk::starting(SILENT, &hook).dealt());
    let (desk, address) = (&walk.desk, walk.desk.address.as_str());
    // the bank's covered card is seen while box 1 still plays
    walk.does("inspector", "/dealer/more/reveal", "at=bank");
    walk.does("surveillance", "/acts", "act=report&provision=C17&place=2&note=entre+ellos");
    // the room has to rule on what no article provides for
    walk.does("surveillance", "/acts", "act=report&place=2&note=solo+la+sala");
    walk.does("surveillance", "/findings/3", "act=take");
    let lines = desk.record().len();
    let texts = texts(desk);
    assert_eq!(texts.len(), 8, "two notes, and three findings in two languages: {texts:?}");
    let told = |answer: &str| texts.iter().find(|secret| plain(answer).contains(*secret)).cloned();

    let others = walk.people.iter().filter(|(role, _)| !KNOW.contains(role));
    for (role, cookie) in others.map(|(role, cookie)| (*role, cookie.as_str())).chain([("nobody", "")]) {
        for route in routes("get").iter().filter(|route| !route.starts_with("/assets/")) {
            for path in addresses(route, lines) {
                let is_stream = ["/events", "/api/v1/verdicts", "/api/v1/events"].contains(&route.as_str());
                // who sends no cookie, and one who does: what is streamed takes its time
                if is_stream && !["nobody", "inspector"].contains(&role) {
                    continue;
                }
                // the interfaces have both languages beside each other
                if route.starts_with("/api/") && path.ends_with("lang=en") {
                    continue;
                }
                let path = if route == "/api/v1/events" { "/api/v1/events?after=0".to_owned() } else { path };
                let answer = if is_stream { heard(address, &path, cookie) } else { asked(address, &path, cookie) };
                assert!(!answer.starts_with("HTTP/1.1 5"), "{role} {path}: {answer}");
                assert_eq!(told(&answer), None, "{role} {path}: {answer}");
                let is_named = ARTICLES.iter().any(|id| {
                    ["provision\":", "article="].iter().any(|key| answer.contains(&format!("{key}\"{id}\"")))
                });
                assert!(!is_named && !answer.contains("finding 3"), "{role} {path}: {answer}");
            }
        }
        let struck = desk.posts(&format!("/correct/{}/strike", lines - 1), cookie, "");
        assert_eq!(told(&struck), None, "{role}: what a correction would change: {struck}");
    }
    let clear = ["\"face\":\"clear\"", "\"alarm\":null"];
    let verdict = || asked(address, "/api/v1/verdict", "");
    desk.table.until("the table is clear", || clear.iter().all(|part| verdict().contains(part)));
    let shown = desk.shown_at_the_pit();
    assert!(!shown.is_empty() && !ARTICLES.iter().any(|id| shown.contains(id)), "{shown}");
    assert!(!ARTICLES.iter().any(|id| desk.table.log().contains(&format!("provision=\"{id}\""))));

    // surveillance has them: on its page, by its webhook, in the record
    for (n, lang) in ["es", "en"].into_iter().enumerate() {
        let page = asked(address, &format!("/findings?lang={lang}"), walk.cookie("surveillance"));
        for text in texts[2 + n..].iter().step_by(2) {
            assert!(plain(&page).contains(text), "{text}: {page}");
        }
    }
    let first = delivered(&listener, TAKEN).body.to_string();
    assert!(first.contains("\"C12\""), "{first}");
    // what was not answered in time comes again
    while !delivered(&listener, TAKEN).body.to_string().contains("\"C17\"") {}
    let found = run(sabot(["journal", "find", "--article", "C12"]).arg(desk.table.path("record")));
    assert!(found.status == 0 && found.out.contains("C12"), "{} {}", found.out, found.err);
}

#[test]
fn whoever_may_know_leads_the_remedy_of_a_silent_finding_and_nobody_else_learns_of_it() {
    let walk = Walk::of(Desk::starting(SILENT, "").dealt());
    let (desk, address) = (&walk.desk, walk.desk.address.as_str());
    let before = desk.snapshot();
    walk.does("surveillance", "/acts", "act=report&place=2&note=solo+la+sala");
    let silent = |role: &str| plain(&asked(address, "/silent?lang=en", walk.cookie(role)));
    for role in KNOW {
        let page = silent(role);
        assert!(page.contains("C20") && page.contains("part open") && page.contains("/findings/1?lang=en"), "{page}");
        let sheet = asked(address, "/findings/1?lang=en", walk.cookie(role));
        assert!(sheet.contains("part open") && sheet.contains("value=\"stands\""), "{sheet}");
    }
    // nothing is due at the table that was not due before, and what may be entered there is the same
    let after = desk.snapshot();
    for same in ["/felt", "/offers", "/verdict", "/findings"] {
        assert_eq!(after.pointer(same), before.pointer(same), "{same}");
    }
    for role in ["dealer", "inspector", "table_chief", "auditor", "technician"] {
        let refused = desk.posts("/findings/1", walk.cookie(role), "act=take");
        assert!(refused.starts_with("HTTP/1.1 404"), "{role}: {refused}");
        assert!(silent(role).starts_with("HTTP/1.1 404"), "{role}");
    }
    walk.does("surveillance", "/findings/1", "act=take");
    assert!(silent("room").contains("Taken by V-1"));
    walk.does("room", "/findings/1", "act=stands");
    let page = silent("surveillance");
    assert!(page.contains("finding cleared") && !page.contains("part open"), "{page}");
    walk.does("surveillance", "/findings/1", "act=close&note=ruled");
    assert!(silent("surveillance").contains("ruled"));

    // who follows the record is told that there were lines, and not what; so is who comes in the middle of it
    let events = |after: usize| heard(address, &format!("/api/v1/events?after={after}"), "");
    let lines = desk.record().len();
    for told in [events(0), events(lines - 2)] {
        assert!(told.matches("\"status\":\"surveillance\"").count() >= 2, "{told}");
        let secrets = ["\"finding\":1", "finding 1", "solo la sala", "ruled", "\"cleared\"", "C20"];
        assert!(!secrets.iter().any(|secret| told.contains(secret)), "{told}");
    }
    let found = run(sabot(["journal", "find", "--article", "C20"]).arg(desk.table.path("record")));
    assert!(found.status == 0 && found.out.contains("C20"), "{} {}", found.out, found.err);
}
