//! The dealer's screen of the real station: passes by the book are entered as a browser sends them, and what may not be
//! entered is refused with the way out.

use sabot_law::table::event::Kind;
use sabot_law::table::{Event, line};
use sabot_simulation::table_sensors::TableSensors;
use sabot_simulation::workload::{Dealer, HOUSES, Settings};
use sabot_wire::message::{KeypadSaid, Observation};
use serde_json::Value;

use crate::acts::Desk;
use crate::processes::answered;

/// Bytes of a form's field.
pub(crate) fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// Somebody at the dealer's screen.
struct Screen<'a> {
    desk: &'a mut Desk,
    dealer: String,
    inspector: String,
    sensors: TableSensors,
    /// Observations that the devices made.
    seen: usize,
    touches: usize,
}

impl Screen<'_> {
    /// What is offered that happens next, the longest.
    fn offered(&self, rest: &[Value]) -> Option<Vec<Value>> {
        let snapshot = self.desk.snapshot();
        let offers = snapshot["offers"].as_array().unwrap().iter().filter(|offer| offer["who"] == "dealer");
        let events = offers.map(|offer| offer["events"].as_array().unwrap());
        let fits = |events: &&Vec<Value>| rest.get(..events.len()) == Some(&events[..]);
        events.filter(fits).max_by_key(|events| events.len()).cloned()
    }

    /// Touches what happens next once the screen, which shows a line after it is on record, offers it: how many events
    /// that enters.
    fn touch(&mut self, rest: &[Value]) -> usize {
        self.desk.table.until(&format!("the screen offers {}", rest[0]), || self.offered(rest).is_some());
        let events = self.offered(rest).unwrap();
        let form = format!("act={}", encoded(&Value::from(events.clone()).to_string()));
        let answer = self.desk.posts("/dealer", &self.dealer, &form);
        assert!(answer.starts_with("HTTP/1.1 303"), "{form}: {answer}");
        self.touches += 1;
        events.len()
    }

    fn fills_in(&self, form: &str, event: &Value) {
        let fields = event.as_object().unwrap().iter().filter(|(name, _)| *name != "ev");
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let fields: Vec<String> = fields.map(|(name, value)| format!("{name}={}", encoded(&text(value)))).collect();
        let answer = self.desk.posts(&format!("/dealer/more/{form}"), &self.dealer, &fields.join("&"));
        assert!(answer.starts_with("HTTP/1.1 303"), "{form} {event}: {answer}");
    }

    /// The devices see it, and the record has it.
    fn see(&mut self, event: &Event) {
        let mut seen = Vec::new();
        self.sensors.see(event, &mut seen);
        // whose a bet is, nobody sees: a badge is read
        seen.retain(|saw| !matches!(saw, Observation::Keypad(said) if !matches!(said, KeypadSaid::Bettor { .. })));
        seen.iter().for_each(|saw| self.desk.table.sees(saw));
        self.seen += seen.len();
        let told = |line: &Value| usize::from(!line["origin"].is_null()) + usize::from(!line["paired"].is_null());
        self.desk
            .table
            .until("what the devices saw", || self.desk.record().iter().map(told).sum::<usize>() == self.seen);
    }

    fn deals(&mut self, events: &[Event]) {
        let written: Vec<Value> = events.iter().map(|event| serde_json::to_value(unnamed(event)).unwrap()).collect();
        let mut next = 0;
        while let Some(event) = events.get(next) {
            let entered = match event.kind() {
                Kind::Decide | Kind::Ace | Kind::Ask | Kind::Announce | Kind::CloseBets | Kind::End => {
                    self.touch(&written[next..])
                }
                Kind::Seat | Kind::Leave | Kind::Request | Kind::Cut => {
                    let form = written[next]["ev"].as_str().unwrap().to_owned();
                    self.fills_in(&form, &written[next]);
                    1
                }
                Kind::Authorize => {
                    let what = written[next]["what"].as_str().unwrap();
                    let answer = self.desk.posts("/acts", &self.inspector, &format!("act={what}"));
                    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
                    1
                }
                _ => 1,
            };
            events[next..next + entered].iter().for_each(|event| self.see(event));
            next += entered;
        }
    }
}

/// Nobody enters who spoke.
fn unnamed(event: &Event) -> Event {
    let mut event = event.clone();
    if let Event::Decide { by, .. } | Event::Ace { by, .. } = &mut event {
        *by = None;
    }
    event
}

#[test]
fn passes_by_the_book_are_entered_by_touch_and_stand_in_the_record_with_who_did() {
    let mut desk = Desk::start("");
    let (dealer, inspector) = (desk.as_one("D-9"), desk.as_one("I-4"));
    let (mut book, mut events) =
        (Dealer::new(Settings { seen_by_devices: true, ..Settings::of(HOUSES[0]) }), Vec::new());
    let mut screen =
        Screen { desk: &mut desk, dealer, inspector, sensors: TableSensors::default(), seen: 0, touches: 0 };
    for _ in 0..2 {
        book.next_pass(&mut events);
        screen.deals(&events);
    }
    println!("{} touches, asks and totals among them", screen.touches);
    assert_eq!(desk.snapshot()["findings"], serde_json::json!([]), "a pass by the book has no finding");
    let record = desk.record();
    let entered: Vec<&Value> = record.iter().filter(|line| !line["entered"].is_null()).collect();
    assert!(entered.iter().all(|line| line["entered"] == "D-9" && line["origin"].is_null()), "{entered:?}");
    for ev in ["seat", "cut", "close_bets", "ask", "decide", "end"] {
        let of_people = record.iter().filter(|line| line["ev"] == ev).all(|line| line["entered"] == "D-9");
        assert!(of_people && record.iter().any(|line| line["ev"] == ev), "{ev}");
    }
    assert!(record.iter().filter(|line| line["ev"] == "authorize").all(|line| line["by"] == "I-4"));
}

#[test]
fn what_may_not_be_entered_is_refused_and_changes_nothing() {
    let desk = Desk::start("");
    let (dealer, inspector, auditor) = (desk.as_one("D-9"), desk.as_one("I-4"), desk.as_one("A-2"));
    let act = |event: &str| format!("act={}", encoded(&format!("[{event}]")));
    let lines = || desk.record().iter().filter(|line| line["ev"] != "device").count();
    let before = lines();
    let end = act(r#"{"ev":"end"}"#);
    for (who, form, told) in [
        ("", &end, "Sign in to act."),
        (&auditor[..], &end, "That is for: dealer, inspector, table_chief, room."),
        (&dealer[..], &end, "The table has gone on"),
        (&dealer[..], &act(r#"{"ev":"draw","card":"8H","to":"1"}"#), "That is not entered here."),
        (&dealer[..], &act(r#"{"ev":"authorize","by":"D-9","role":"inspector","what":"shuffle"}"#), "not entered here"),
        (&dealer[..], &act(r#"{"ev":"rule","by":"D-9","role":"room","decision":"void"}"#), "not entered here"),
        (&dealer[..], &"act=take_back".to_owned(), "That is for: inspector, table_chief, room."),
        (&inspector[..], &"act=take_back".to_owned(), "There is nothing to take back"),
    ] {
        let answer = desk.posts("/dealer?lang=en", who, form);
        assert!(answer.starts_with("HTTP/1.1 409") && answer.contains(told), "{form}: {answer}");
    }
    for (form, fields, told) in [
        ("seat", "seat=x&player=P1", "field `seat`"),
        ("seat", "seat=1", "field `player`"),
        ("seat", "seat=1&player=P123456789012345678901234567890", "up to 24 characters"),
        ("request", "box=9&player=P1", "box"),
        ("decide", "box=3&choice=fly", "field `choice`"),
        ("card", "at=bank&card=8H", "no unread card"),
        ("card", "at=burn&card=8H", "field `at`: a card is turned up at the bank or at a box"),
    ] {
        let answer = desk.posts(&format!("/dealer/more/{form}?lang=en"), &dealer, fields);
        assert!(answer.starts_with("HTTP/1.1 409") && answer.contains(told), "{form} {fields}: {answer}");
    }
    for (form, fields, told) in [
        ("seat", "seat=x&player=P1", "asiento: falta, o no puede ser eso."),
        ("decide", "box=3&choice=fly", "qué elige: falta, o no puede ser eso."),
    ] {
        let answer = desk.posts(&format!("/dealer/more/{form}?lang=es"), &dealer, fields);
        assert!(answer.contains(told) && !answer.contains("field `"), "{form} {fields}: {answer}");
    }
    for nonsense in ["act=", "act=fly", "act=%5B%5D1", "x=1"] {
        let answer = desk.posts("/dealer", &dealer, nonsense);
        assert!(answer.starts_with("HTTP/1.1 4"), "{nonsense}: {answer}");
    }
    assert!(desk.posts("/dealer/more/fly", &dealer, "").starts_with("HTTP/1.1 404"));
    assert_eq!(lines(), before);
}

#[test]
fn a_covered_card_is_told_by_no_entry_of_the_dealer_before_play_has_come_to_it() {
    let desk = Desk::in_play();
    let (dealer, inspector) = (desk.as_one("D-9"), desk.as_one("I-4"));
    let opened = || desk.record().iter().any(|line| !line["seal"]["opens"].is_null());
    for (form, fields) in [("reveal", "at=bank"), ("end", "")] {
        let answer = desk.posts(&format!("/dealer/more/{form}?lang=en"), &dealer, fields);
        assert!(answer.contains("That is for: inspector, table_chief, room."), "{form}: {answer}");
    }
    let end = format!("act={}", encoded(r#"[{"ev":"reveal","at":"bank"}]"#));
    assert!(desk.posts("/dealer?lang=en", &dealer, &end).starts_with("HTTP/1.1 409"));
    assert!(!opened());
    assert!(desk.posts("/dealer/more/reveal?lang=en", &inspector, "at=bank").starts_with("HTTP/1.1 303"));
    desk.table.until("the inspector has signed that it was turned up", opened);
}

#[test]
fn a_dealer_takes_back_his_own_last_entry_where_the_house_lets_him_and_only_while_nothing_followed() {
    let desk = Desk::start("[settings]\nmay_correct = [\"inspector\", \"dealer\"]\n");
    let (dealer, inspector) = (desk.as_one("D-9"), desk.as_one("I-4"));
    let seat = |who: &str, player: &str| {
        let answer = desk.posts("/dealer/more/seat", who, &format!("seat=1&player={player}"));
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    };
    let take_back = |who: &str| desk.posts("/dealer?lang=en", who, "act=take_back");
    seat(&dealer, "P1");
    let page = answered(&desk.address, "/dealer?lang=en");
    assert!(page.contains("Take back: P1 sits at 1") && page.contains("(D-9)"), "{page}");
    assert!(take_back(&dealer).starts_with("HTTP/1.1 303"));
    assert!(take_back(&dealer).contains("There is nothing to take back"));
    seat(&dealer, "P2");
    seat(&inspector, "P3");
    assert!(take_back(&dealer).contains("Somebody else entered that."));
    assert!(take_back(&inspector).starts_with("HTTP/1.1 303"));
    let record = desk.record();
    let corrections: Vec<&Value> = record.iter().filter(|line| line["ev"] == "correct").collect();
    let struck = |line: &Value| record[usize::try_from(line["line"].as_u64().unwrap()).unwrap() - 1]["player"].clone();
    let told: Vec<(Value, Value, Value)> =
        corrections.iter().map(|line| (line["by"].clone(), line["role"].clone(), struck(line))).collect();
    let expected = [("D-9", "dealer", "P1"), ("I-4", "inspector", "P3")];
    let expected = expected.map(|(by, role, player)| (Value::from(by), Value::from(role), Value::from(player)));
    assert_eq!(told, expected);
    let page = answered(&desk.address, "/");
    assert!(page.contains("title=\"P2\"") && !page.contains("title=\"P1\""), "{page}");
    assert!(line::event(corrections[0].to_string().as_bytes()).is_ok());
}
