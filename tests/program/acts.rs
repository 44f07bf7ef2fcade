//! People act on a table's page: the real station, forms as a browser sends them, and what the record holds of it.

mod silent;
mod walk;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use sabot_law::table::line;
use sabot_simulation::table_sensors::TableSensors;
use sabot_wire::message::{Amend, Authority, KeypadSaid, Observation, Permit, Role, Ruling, Signature};
use serde_json::Value;

use crate::process::{Ended, Process, run, sabot, station};
use crate::processes::{Table, answered};

const PINS: [(&str, &str, &str); 4] = [
    ("I-4", "inspector", "402913"),
    ("S-1", "room", "771204"),
    ("D-9", "dealer", "318072"),
    ("A-2", "auditor", "550912"),
];

/// Adds a person; the PIN comes by standard input.
pub(crate) fn add(table: &Table, name: &str, role: &str, badge: u16, pin: &str) -> Ended {
    let (file, badge) = (table.path("staff.toml"), badge.to_string());
    let mut adds = sabot(["staff", "add", "--name", name, "--role", role, "--badge", badge.as_str()]);
    adds.arg(file);
    with_input(&mut adds, pin)
}

fn with_input(command: &mut Command, line: &str) -> Ended {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{line}").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { status: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// What a page answers to whose browser sends this cookie.
fn asked_with(address: &str, path: &str, cookie: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{cookie}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A table with people, and its page.
pub(crate) struct Desk {
    pub(crate) table: Table,
    pub(crate) station: Process,
    pub(crate) address: String,
    sensors: TableSensors,
}

impl Desk {
    /// `more` stands at the end of its configuration.
    pub(crate) fn start(more: &str) -> Self {
        Self::starting("", more)
    }

    /// `first` stands at its beginning.
    pub(crate) fn starting(first: &str, more: &str) -> Self {
        let table = Table::start();
        for (badge, (name, role, pin)) in (4..).zip(PINS) {
            assert_eq!(add(&table, name, role, badge, pin).status, 0);
        }
        let config = table.path("station.toml");
        let text = fs::read_to_string(&config).unwrap();
        fs::write(&config, format!("staff = \"staff.toml\"\n{first}\n{text}\n{more}")).unwrap();
        let (station, address) = station(&config, "info");
        Self { table, station, address, sensors: TableSensors::default() }
    }

    /// The same, with more of a configuration.
    fn asking_second(second: &str) -> Self {
        let mut desk = Self::starting(&format!("second_person = {second}"), "");
        desk.reports();
        desk
    }

    /// Somebody reports what no article provides for: an open finding, number 1, for the room to decide.
    pub(crate) fn with_a_finding() -> Self {
        Self::with_a_finding_and("")
    }

    /// The same, with more of a configuration.
    pub(crate) fn with_a_finding_and(more: &str) -> Self {
        let mut desk = Self::start(more);
        desk.reports();
        desk
    }

    /// A table in play at which what somebody has reported is for surveillance alone, and the cookie of who may know.
    pub(crate) fn with_silent_findings() -> (Self, String) {
        let desk = Self::starting("silent = [\"C17\", \"C20\"]\nsilent_told_to = [\"surveillance\"]", "").dealt();
        assert_eq!(add(&desk.table, "V-1", "surveillance", 9, "915523").status, 0);
        let cookie = desk.signed_in("V-1", "915523");
        for act in ["act=report&provision=C17&place=2&note=entre+ellos", "act=report&place=2&note=solo+la+sala"] {
            let answer = desk.posts("/acts", &cookie, act);
            assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        }
        (desk, cookie)
    }

    fn reports(&mut self) {
        let desk = self;
        let role = Authority::Inspector;
        let report = KeypadSaid::Report { badge: 4, role, note: 2, article: None, box_no: None };
        desk.table.sees(&Observation::Keypad(report));
        desk.signs(4, "402913");
        desk.table.until("a finding", || desk.finding(1)["state"] != Value::Null);
    }

    /// A badge and a PIN are typed on the keypad.
    fn signs(&mut self, badge: u16, pin: &str) {
        let digits = u8::try_from(pin.len()).unwrap();
        let said = Signature { badge, digits, pin: pin.parse().unwrap() }.said().unwrap();
        self.table.sees(&Observation::Keypad(said));
    }

    /// What is typed on the keypad, and the status and detail that the record then has of it beside what it had.
    fn types(&mut self, said: KeypadSaid, told: &str) {
        self.told_of_keypad(told, |desk| desk.table.sees(&Observation::Keypad(said)));
    }

    fn signs_and(&mut self, badge: u16, pin: &str, told: &str) {
        self.told_of_keypad(told, |desk| desk.signs(badge, pin));
    }

    fn told_of_keypad(&mut self, told: &str, does: impl FnOnce(&mut Self)) {
        let before = self.record().len();
        does(self);
        let said = |line: &Value| match line["status"].as_str() {
            Some(status) => format!("{status}: {}", line["detail"].as_str().unwrap_or_default()),
            None => {
                format!("{} by {}", line["ev"].as_str().unwrap_or_default(), line["by"].as_str().unwrap_or_default())
            }
        };
        let is_told = || self.record().iter().skip(before).any(|line| said(line) == told);
        self.table.until(told, is_told);
    }

    fn shown_at_the_pit(&self) -> String {
        let all = fs::read_to_string(self.table.path("display.shown")).unwrap_or_default();
        all.rsplit("--- lamp").next().unwrap_or_default().to_owned()
    }

    /// A table in play: three boxes, two cards each, the bank's second covered. Box 1 is asked.
    pub(crate) fn in_play() -> Self {
        Self::in_play_with("")
    }

    /// The same, with more of a configuration.
    pub(crate) fn in_play_with(more: &str) -> Self {
        Self::start(more).dealt()
    }

    fn dealt(mut self) -> Self {
        self.sees_all(&[
            r#"{"ev":"load","cards":416,"cut_card":52}"#,
            r#"{"ev":"bet","box":"1","amount":50000}"#,
            r#"{"ev":"bet","box":"2","amount":50000}"#,
            r#"{"ev":"bet","box":"3","amount":50000}"#,
            r#"{"ev":"draw","card":"8H","to":"1"}"#,
            r#"{"ev":"draw","card":"5C","to":"2"}"#,
            r#"{"ev":"draw","card":"TD","to":"3"}"#,
            r#"{"ev":"draw","card":"9S","to":"bank"}"#,
            r#"{"ev":"draw","card":"TC","to":"1"}"#,
            r#"{"ev":"draw","card":"9D","to":"2"}"#,
            r#"{"ev":"draw","card":"QH","to":"3"}"#,
            r#"{"ev":"draw","card":"7D","to":"bank","face":"down"}"#,
        ]);
        self.table.until("it is box 1's turn", || self.snapshot()["felt"]["phase"] == "play");
        self
    }

    /// The devices see these events of a log, one after the other.
    pub(crate) fn sees_all(&mut self, events: &[&str]) {
        let mut count = self.told();
        for event in events {
            let mut seen = Vec::new();
            self.sensors.see(&line::event(event.as_bytes()).unwrap(), &mut seen);
            seen.iter().for_each(|saw| self.table.sees(saw));
            count += seen.len();
            self.table.until("what the devices saw", || self.told() == count);
        }
    }

    /// How many observations of devices the record tells.
    pub(crate) fn told(&self) -> usize {
        let of = |line: &Value| usize::from(!line["origin"].is_null()) + usize::from(!line["paired"].is_null());
        self.record().iter().map(of).sum()
    }

    /// The shoe is killed.
    pub(crate) fn shoe_goes(&mut self) {
        self.table.kills(Role::Shoe);
    }

    pub(crate) fn snapshot(&self) -> Value {
        let answer = answered(&self.address, "/api/snapshot");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    fn finding(&self, n: u64) -> Value {
        let findings = self.snapshot()["findings"].clone();
        let mut findings = findings.as_array().unwrap().iter();
        findings.find(|finding| finding["n"] == n).cloned().unwrap_or(Value::Null)
    }

    /// Sends a form; the whole answer.
    pub(crate) fn posts(&self, path: &str, headers: &str, form: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, length) = (&self.address, form.len());
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n{headers}\r\n{form}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Signs somebody in; the header that his browser sends from then on.
    fn signed_in(&self, name: &str, pin: &str) -> String {
        let answer = self.posts("/sign-in?lang=en", "", &format!("name={name}&pin={pin}&next=%2Ffindings%2F1"));
        assert!(answer.starts_with("HTTP/1.1 303") && answer.contains("location: /findings/1?lang=en\r\n"), "{answer}");
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        format!("Cookie: {}\r\n", cookie.split(';').next().unwrap())
    }

    pub(crate) fn as_one(&self, name: &str) -> String {
        let (_, _, pin) = PINS.iter().find(|(person, ..)| *person == name).unwrap();
        self.signed_in(name, pin)
    }

    pub(crate) fn record(&self) -> Vec<Value> {
        let told = self.snapshot()["line"].as_u64().unwrap();
        let text = || fs::read_to_string(self.table.path("record")).unwrap_or_default();
        self.table.until("what the page shows is on disk", || text().lines().count() as u64 >= told);
        text().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// What the station's own lines of that status say, once there are so many.
    fn lines(&self, status: &str, count: usize) -> Vec<String> {
        let of = |line: &&Value| line["device"] == "station" && line["status"] == status;
        let told = || {
            self.record()
                .iter()
                .filter(of)
                .map(|line| line["detail"].as_str().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        self.table.until(status, || told().len() >= count);
        told()
    }
}

#[test]
fn a_finding_is_taken_ruled_on_and_closed_and_stays_so_when_the_station_starts_again() {
    let mut desk = Desk::with_a_finding();
    let (inspector, room) = (desk.as_one("I-4"), desk.as_one("S-1"));
    let page = answered(&desk.address, "/?lang=en");
    assert!(page.contains("href=\"/findings/1?lang=en\""), "the alarm leads to the finding");
    let taken = desk.posts("/findings/1?lang=en", &inspector, "act=take");
    assert!(taken.starts_with("HTTP/1.1 303"), "{taken}");
    assert_eq!(desk.finding(1)["attention"], serde_json::json!({"is": "taken", "by": "I-4"}));
    let early = desk.posts("/findings/1?lang=en", &inspector, "act=close&note=ready");
    assert!(early.starts_with("HTTP/1.1 409") && early.contains("Its remedy is still due"), "{early}");
    let not_his = desk.posts("/findings/1?lang=en", &inspector, "act=stands");
    assert!(not_his.starts_with("HTTP/1.1 409") && not_his.contains("That is for: room."), "{not_his}");
    let ruled = desk.posts("/findings/1?lang=en", &room, "act=stands");
    assert!(ruled.starts_with("HTTP/1.1 303"), "{ruled}");
    assert_eq!(desk.finding(1)["state"], "cleared");
    let note = "note=%3Cb%3Evisto%3C%2Fb%3E+en+la+c%C3%A1mara";
    let closed = desk.posts("/findings/1?lang=en", &inspector, &format!("act=close&{note}"));
    assert!(closed.starts_with("HTTP/1.1 303"), "{closed}");
    let sheet = answered(&desk.address, "/findings/1?lang=en");
    assert!(
        sheet.contains("Closed by I-4: &#60;b&#62;visto") || sheet.contains("Closed by I-4: &lt;b&gt;visto"),
        "{sheet}"
    );
    let again = desk.posts("/findings/1?lang=en", &inspector, "act=take");
    assert!(again.starts_with("HTTP/1.1 409") && again.contains("closed already"), "{again}");
    desk.station.signal("-TERM");
    assert!(desk.station.ends().success());
    (desk.station, desk.address) = station(&desk.table.path("station.toml"), "info");
    desk.table.until("it is back", || answered(&desk.address, "/api/snapshot").contains("\"is\":\"closed\""));
    let stale = desk.posts("/findings/1?lang=en", &inspector, "act=take");
    assert!(stale.starts_with("HTTP/1.1 409") && stale.contains("Sign in to act."), "{stale}");
    assert_eq!(desk.lines("taken", 1), ["finding 1 by I-4 inspector"]);
    assert_eq!(desk.lines("closed", 1), ["finding 1 by I-4 inspector: <b>visto</b> en la cámara"]);
    assert_eq!(desk.lines("signed_in", 2), ["I-4 inspector", "S-1 room"]);
    let ruling = desk.record().into_iter().find(|line| line["ev"] == "rule").unwrap();
    let said = ["by", "role", "decision"].map(|field| ruling[field].as_str().unwrap().to_owned());
    assert_eq!((said.join(" "), &ruling["finding"]), ("S-1 room stands".to_owned(), &Value::from(1)));
    assert_eq!(run(&mut sabot(["journal", "verify", desk.table.path("record").to_str().unwrap()])).status, 0);
}

#[test]
fn each_act_is_its_roles_own_and_nobody_elses() {
    let desk = Desk::with_a_finding();
    let people = PINS.map(|(name, _, pin)| (name, desk.signed_in(name, pin)));
    let report = "act=report&provision=C17&place=1&note=seen";
    for (path, form, may) in [
        ("/acts", "act=shuffle", &["I-4", "S-1"][..]),
        ("/acts", "act=next_cards_for_bank", &["I-4", "S-1"]),
        ("/acts", report, &["I-4", "S-1"]),
        ("/findings/1", "act=take", &["I-4", "S-1"]),
        ("/findings/1", "act=resume", &["S-1"]),
    ] {
        for (name, cookie) in &people {
            let answer = desk.posts(path, cookie, form);
            let done = answer.starts_with("HTTP/1.1 303");
            assert!(done || answer.starts_with("HTTP/1.1 409"), "{name} {form}: {answer}");
            assert_eq!(done, may.contains(name), "{name} {form}: {answer}");
        }
        let nobody = desk.posts(path, "", form);
        assert!(
            nobody.starts_with("HTTP/1.1 409") && nobody.contains("Para actuar hay que entrar."),
            "{form}: {nobody}"
        );
        let invented = desk.posts(path, "Cookie: sabot=AAAA\r\n", form);
        assert!(invented.starts_with("HTTP/1.1 409"), "{form}: {invented}");
    }
    let reports = || desk.record().into_iter().filter(|line| line["ev"] == "report" && line["box"] == "1").count();
    desk.table.until("both reports", || reports() == 2);
    for nonsense in ["act=fly", "act=", "act=report&place=99&note=x", "note=x"] {
        let answer = desk.posts("/acts", &people[0].1, nonsense);
        assert!(answer.starts_with("HTTP/1.1 4"), "{nonsense}: {answer}");
    }
    let unknown = desk.posts("/acts?lang=en", &people[0].1, "act=report&provision=Z9&note=x");
    assert!(unknown.contains("The regulation has no such article."), "{unknown}");
}

#[test]
fn the_keypad_believes_a_badge_once_its_pin_has_come_and_only_in_an_office_of_whose_it_is() {
    let mut desk = Desk::with_a_finding();
    let authorises = |badge, role| KeypadSaid::Authorize { badge, role, what: Permit::Shuffle };
    let rules = |badge| KeypadSaid::Rule { badge, role: Authority::Room, decision: Ruling::Stands, finding: Some(1) };
    desk.types(authorises(59_999, Authority::Inspector), "bad_report: badge 59999 belongs to no inspector");
    desk.types(authorises(4, Authority::Room), "bad_report: badge 4 belongs to no room");
    desk.types(authorises(6, Authority::Inspector), "bad_report: badge 6 belongs to no inspector");
    desk.types(rules(4), "bad_report: badge 4 belongs to no room");
    desk.signs_and(4, "402913", "bad_report: nothing of badge 4 waits for a PIN");

    desk.types(rules(5), "claims: rule S-1 room");
    desk.table.until("it is asked for", || desk.shown_at_the_pit().contains("FIRMAR: AUTH 5 NEXT PIN ENTER"));
    desk.signs_and(4, "402913", "bad_report: nothing of badge 4 waits for a PIN");
    desk.signs_and(5, "402913", "wrong_pin: S-1");
    desk.table.until("it is told", || desk.shown_at_the_pit().contains("TECLADO: PIN equivocado"));
    assert_eq!(desk.finding(1)["state"], "open");
    desk.signs_and(5, "771204", "rule by S-1");
    desk.table.until("it is ruled on", || desk.finding(1)["state"] == "cleared");
    desk.table.until("nothing is asked", || !desk.shown_at_the_pit().contains("FIRMAR"));

    desk.types(authorises(5, Authority::Room), "claims: authorize S-1 room");
    desk.types(authorises(4, Authority::Inspector), "unsigned: S-1");
    desk.signs_and(5, "771204", "bad_report: nothing of badge 5 waits for a PIN");
    for _ in 1..5 {
        desk.signs_and(4, "000001", "wrong_pin: I-4");
    }
    desk.signs_and(4, "000001", "locked_out: I-4");
    let page = desk.posts("/sign-in?lang=en", "", "name=I-4&pin=402913&next=%2F");
    assert!(page.contains("Too many wrong PINs"), "one lock for both: {page}");
    desk.types(authorises(4, Authority::Inspector), "claims: authorize I-4 inspector");
    desk.signs_and(4, "402913", "unsigned: I-4");
    let of = |kind: &str| desk.record().iter().filter(|line| line["ev"] == kind).count();
    assert_eq!((of("authorize"), of("rule"), of("report"), of("share")), (0, 1, 1, 0));
    for file in ["record", "log", "display.shown", "staff.toml"] {
        let text = fs::read_to_string(desk.table.path(file)).unwrap();
        assert!(["402913", "771204", "000001"].iter().all(|pin| !text.contains(pin)), "a PIN stands in {file}");
    }
}

#[test]
fn an_act_that_a_second_person_has_to_sign_counts_with_both_and_the_record_names_them() {
    let mut desk = Desk::asking_second(r#"{ rule = ["inspector"], close = ["room"], correct = ["room"] }"#);
    let (inspector, room) = (desk.as_one("I-4"), desk.as_one("S-1"));
    let get = |path: &str, cookie: &str| asked_with(&desk.address, path, cookie);
    let asks = |sheet: String| sheet.matches("name=\"second_pin\"").count();
    assert_eq!(asks(get("/findings/1?lang=en", &room)), 1, "of a ruling; it cannot be closed yet");
    assert_eq!(asks(get("/acts?lang=en", &room)), 0);
    for (second, told) in [
        ("", "Somebody else has to sign it too: inspector."),
        ("&second=S-1&second_pin=771204", "Somebody else has to sign it too: inspector."),
        ("&second=D-9&second_pin=318072", "Somebody else has to sign it too: inspector."),
        ("&second=I-4&second_pin=771204", "Name or PIN is wrong."),
    ] {
        let answer = desk.posts("/findings/1?lang=en", &room, &format!("act=stands{second}"));
        assert!(answer.starts_with("HTTP/1.1 409") && answer.contains(told), "{second}: {answer}");
        assert!(!answer.contains("771204") && !answer.contains("318072"), "{answer}");
    }
    assert_eq!(desk.finding(1)["state"], "open");
    let ruled = desk.posts("/findings/1?lang=en", &room, "act=stands&second=I-4&second_pin=402913");
    assert!(ruled.starts_with("HTTP/1.1 303"), "{ruled}");
    let closed = desk.posts("/findings/1?lang=en", &inspector, "act=close&note=seen&second=S-1&second_pin=771204");
    assert!(closed.starts_with("HTTP/1.1 303"), "{closed}");
    assert_eq!(desk.lines("seconded", 2), ["rule by S-1: I-4 inspector", "close by I-4: S-1 room"]);
    let record = desk.record();
    let after = |status: &str, detail: &str| {
        let at = record.iter().position(|line| line["status"] == status && line["detail"] == detail).unwrap();
        record[at + 1].clone()
    };
    assert_eq!(after("seconded", "rule by S-1: I-4 inspector")["ev"], "rule", "on the line before the act");
    assert_eq!(after("seconded", "close by I-4: S-1 room")["status"], "closed");

    let line = record.len();
    let correct = KeypadSaid::Correct { badge: 4, role: Authority::Inspector, line: 2, how: Amend::Strike };
    desk.types(correct, "claims: correct I-4 inspector");
    desk.signs_and(4, "402913", "signs: I-4");
    desk.table.until("another", || desk.shown_at_the_pit().contains("OTRA FIRMA: AUTH credencial NEXT PIN"));
    desk.signs_and(6, "318072", "signs: D-9");
    desk.table.until("not his", || desk.shown_at_the_pit().contains("TECLADO: También tiene que firmar"));
    desk.signs_and(5, "771204", "correct by I-4");
    let record = desk.record();
    let seconded = |line: &&Value| line["status"] == "seconded";
    assert_eq!(record[line..].iter().find(seconded).unwrap()["detail"], "correct by I-4: S-1 room");
    for file in ["record", "log", "display.shown"] {
        let text = fs::read_to_string(desk.table.path(file)).unwrap();
        assert!(PINS.iter().all(|(_, _, pin)| !text.contains(pin)), "a PIN stands in {file}");
    }
    let config = desk.table.path("station.toml");
    let text = fs::read_to_string(&config).unwrap();
    for (from, to, told) in [
        ("staff = \"staff.toml\"\n", "", "nobody is known who could sign"),
        ("[\"room\"]", "[]", "nobody may be the second person"),
        ("rule = ", "rules = ", "a second person can be asked for"),
    ] {
        fs::write(desk.table.path("other.toml"), text.replacen(from, to, 1)).unwrap();
        let ended = run(&mut sabot(["run", "--config", desk.table.path("other.toml").to_str().unwrap()]));
        assert!(ended.status == 2 && ended.err.contains(told), "{}", ended.err);
    }
}

#[test]
fn a_foreign_page_a_foreign_name_and_a_guessed_pin_do_nothing() {
    let desk = Desk::with_a_finding();
    let room = desk.as_one("S-1");
    for foreign in
        ["Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n"]
    {
        let answer = desk.posts("/findings/1", &format!("{room}{foreign}"), "act=stands");
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    let mut stream = TcpStream::connect(&desk.address).unwrap();
    write!(stream, "GET /api/snapshot HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 421") && !answer.contains("sala-8"), "{answer}");
    for tries in 1..=5 {
        let answer = desk.posts("/sign-in?lang=en", "", "name=I-4&pin=000001&next=%2F");
        let told = if tries < 5 { "Name or PIN is wrong." } else { "Too many wrong PINs" };
        assert!(answer.starts_with("HTTP/1.1 409") && answer.contains(told), "{tries}: {answer}");
    }
    for elsewhere in ["%2F%09%2Fevil.example", "%2F%0B%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example"] {
        let page = desk.posts("/sign-in?lang=en", "", &format!("name=I-5&pin=1&next={elsewhere}"));
        assert!(!page.contains("evil.example"), "{elsewhere}: {page}");
    }
    let right = desk.posts("/sign-in?lang=en", "", "name=I-4&pin=402913&next=%2F");
    assert!(right.starts_with("HTTP/1.1 409") && right.contains("Too many wrong PINs"), "{right}");
    assert_eq!(desk.lines("locked_out", 1).len(), 1);
    assert_eq!(desk.finding(1)["state"], "open");
    for file in ["record", "log", "staff.toml"] {
        let text = fs::read_to_string(desk.table.path(file)).unwrap();
        assert!(
            PINS.iter().all(|(_, _, pin)| !text.contains(pin)) && !text.contains("000001"),
            "a PIN stands in {file}"
        );
    }
}

#[test]
fn who_leaves_the_list_is_signed_out_and_who_signs_out_is_gone() {
    let desk = Desk::with_a_finding();
    let (inspector, room) = (desk.as_one("I-4"), desk.as_one("S-1"));
    let out = desk.posts("/sign-out", &room, "");
    assert!(out.starts_with("HTTP/1.1 303"), "{out}");
    assert!(desk.posts("/findings/1", &room, "act=take").starts_with("HTTP/1.1 409"));
    let text = fs::read_to_string(desk.table.path("staff.toml")).unwrap();
    let others = text.split("\n\n").filter(|person| !person.contains("I-4")).collect::<Vec<_>>().join("\n\n");
    fs::write(desk.table.path("staff.toml"), others).unwrap();
    assert!(desk.posts("/findings/1", &inspector, "act=take").starts_with("HTTP/1.1 409"));
    assert_eq!(desk.lines("signed_out", 1), ["S-1 room"]);
}

#[test]
fn a_list_of_people_is_made_checked_and_refused_with_its_mistake() {
    let table = Table::start();
    assert_eq!(
        add(&table, "I-4", "inspector", 4, "402913").out.trim(),
        format!("{}: I-4 was added", table.path("staff.toml").display())
    );
    for (name, badge, pin, told) in [
        ("I-4", 5, "771204", "I-4 is there already"),
        ("I 5", 5, "771204", "`name` is 1 to 24"),
        ("I-5", 4, "771204", "badge 4 is somebody's already"),
        ("I-5", 5, "1234", "6 to 12 digits"),
        ("I-5", 5, "123456", "guessed first"),
    ] {
        let ended = add(&table, name, "room", badge, pin);
        assert!(ended.status == 2 && ended.err.contains(told) && !ended.err.contains(pin), "{}", ended.err);
    }
    let path = table.path("staff.toml");
    let check = || run(&mut sabot(["staff", "check", path.to_str().unwrap()]));
    assert_eq!((check().status, check().out.as_str()), (0, "I-4: inspector\n"));
    let hash = with_input(&mut sabot(["staff", "hash"]), "771204");
    assert!(hash.out.starts_with("$argon2id$") && !hash.out.contains("771204"), "{}", hash.out);
    fs::write(&path, "[[person]]\nname = \"I-4\"\nroles = [\"room\"]\npin = \"402913\"\n").unwrap();
    let ended = check();
    assert!(
        ended.status == 2 && ended.err.contains(":4: `pin` is no hash") && !ended.err.contains("402913"),
        "{}",
        ended.err
    );
    let config = table.path("station.toml");
    let text = fs::read_to_string(&config).unwrap();
    let ended = |text: String| {
        fs::write(&config, text).unwrap();
        run(&mut sabot(["run", "--config", config.to_str().unwrap()]))
    };
    let refused = ended(format!("staff = \"staff.toml\"\n{text}"));
    assert!(refused.status == 1 && refused.err.contains(":4: `pin` is no hash"), "{}", refused.err);
    let in_clear = ended(format!("staff = \"staff.toml\"\n{}", text.replace("127.0.0.1:0", "0.0.0.0:0")));
    assert!(
        in_clear.status == 2 && in_clear.err.contains("PINs of people would cross the network in clear"),
        "{}",
        in_clear.err
    );
}
