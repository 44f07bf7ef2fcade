//! Every act by every role: by who may, who may not, nobody, with a token that is over, from a foreign page, twice and
//! late. The routes of the page and the buttons on it say which acts there are, so that none is forgotten.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sabot_law::table::event::{Permit, Ruling};
use sabot_station::book::Book;
use sabot_station::history::service::Service;
use sabot_station::staff::Office;
use serde_json::Value;

use super::{Desk, PINS, add};
use crate::dealer::encoded;
use crate::processes::asked;

/// Whom the others know beside [`PINS`].
const MORE: [(&str, &str, &str); 3] =
    [("C-1", "table_chief", "660131"), ("V-1", "surveillance", "915523"), ("T-1", "technician", "247719")];

/// Who sees to findings, as docs/console.md says it.
const SEES: &[&str] = &["inspector", "table_chief", "room", "surveillance"];
const ENTERS: &[&str] = &["dealer", "inspector", "table_chief", "room"];
const CORRECTS: &[&str] = &["inspector", "table_chief", "room"];
const PERMITS: &[&str] = &["inspector", "room"];

/// An act of the page.
struct One {
    route: &'static str,
    /// The word of its button, where it is always the same.
    word: &'static str,
    may: &'static [&'static str],
    /// Brings the table to where it may be done; where it is sent, and what.
    ready: fn(&Walk, &str) -> (String, String),
    /// Done twice it is done twice, as one may inspect or ask twice.
    again: bool,
    /// Lines of the record.
    lines: usize,
}

const fn one(
    route: &'static str,
    word: &'static str,
    may: &'static [&'static str],
    ready: fn(&Walk, &str) -> (String, String),
) -> One {
    One { route, word, may, ready, again: false, lines: 1 }
}

const fn twice(one: One) -> One {
    One { again: true, ..one }
}

/// A second person has to sign it, by name and PIN in the same form.
const fn seconded(one: One) -> One {
    One { lines: 2, ..twice(one) }
}

/// At a table without a pass.
fn at_rest() -> Vec<One> {
    let permit = |permit: &Permit| {
        let may = if *permit == Permit::Shuffle { CORRECTS } else { PERMITS };
        twice(one("/acts", permit.word(), may, |_, word| ("/acts".into(), format!("act={word}"))))
    };
    let serve = |service: &Service| {
        let may: &[&str] = match service {
            Service::Deals => &["dealer"],
            Service::Inspects => &["inspector"],
            Service::Opens | Service::Closes | Service::Shift => CORRECTS,
        };
        twice(one("/staff", service.word(), may, |_, word| ("/staff".into(), format!("act={word}"))))
    };
    let mut all = vec![
        twice(one("/findings/{n}", "take", SEES, on_finding)),
        one("/findings/{n}", "close", SEES, |walk, _| {
            let (path, _) = on_finding(walk, "");
            walk.does("room", &path, "act=stands");
            (path, "act=close&note=seen".into())
        }),
        twice(one("/acts", "report", SEES, |_, _| ("/acts".into(), REPORT.into()))),
    ];
    all.push(twice(one("/log", Book::Service.word(), &["technician"], |_, word| {
        ("/log".into(), format!("act={word}&about=shoe&note=new+antenna"))
    })));
    all.push(seconded(one("/log", Book::DecksInspected.word(), &["dealer", "inspector"], |_, word| {
        ("/log".into(), format!("act={word}&note=eight+decks&second=C-1&second_pin=660131"))
    })));
    all.push(seconded(one("/log", Book::CardReplaced.word(), &["inspector", "table_chief"], |_, word| {
        ("/log".into(), format!("act={word}&note=bent&second=S-1&second_pin=771204"))
    })));
    // there is no bet that could be lost
    all.extend(Ruling::ALL.iter().filter(|ruling| **ruling != Ruling::Lose).map(rule));
    all.extend(Permit::ALL.iter().map(permit));
    all.extend(Service::ALL.iter().map(serve));
    all
}

fn rule(ruling: &Ruling) -> One {
    one("/findings/{n}", ruling.word(), &["room"], on_finding)
}

/// What no article provides for: the room decides.
const REPORT: &str = "act=report&place=bank&note=seen";

/// A new finding, of a bet where it is to be lost.
fn on_finding(walk: &Walk, word: &str) -> (String, String) {
    let place = if word == Ruling::Lose.word() { "3" } else { "bank" };
    (finding_at(walk, place), format!("act={word}&note=seen"))
}

/// The page of a new finding for the room.
fn finding_at(walk: &Walk, place: &str) -> String {
    walk.does("room", "/acts", &format!("act=report&place={place}&note=seen"));
    let newest =
        || walk.desk.snapshot()["findings"].as_array().unwrap().iter().filter_map(|one| one["n"].as_u64()).max();
    format!("/findings/{}", newest().unwrap())
}

/// While boxes play.
fn in_play() -> Vec<One> {
    vec![
        one("/dealer", "", ENTERS, touch),
        one("/dealer", "take_back", CORRECTS, |walk, _| {
            let (path, form) = touch(walk, "");
            walk.does("dealer", &path, &form);
            ("/dealer".into(), "act=take_back".into())
        }),
        twice(one("/dealer/more/{form}", "", ENTERS, |_, _| ("/dealer/more/ask".into(), ASK.into()))),
        one("/correct/{line}/{how}", "", CORRECTS, |walk, _| {
            (format!("/correct/{}/strike", walk.asks()), "_step=sign".into())
        }),
        twice(one("/correct/{line}/{how}/{form}", "", CORRECTS, |walk, _| {
            (format!("/correct/{}/instead/ask", walk.asks()), "box=2&about=card&_step=sign".into())
        })),
        twice(one("/correct/{line}/{how}/{form}", "", CORRECTS, |walk, _| {
            (format!("/correct/{}/after/ask", walk.asks()), "box=2&about=card&_step=sign".into())
        })),
        rule(&Ruling::Lose),
    ]
}

const ASK: &str = "box=1&about=card";

/// What the dealer's screen offers first, once nothing of before stands there.
fn touch(walk: &Walk, _: &str) -> (String, String) {
    if !walk.desk.snapshot()["last_entry"].is_null() {
        walk.does("room", "/dealer", "act=take_back");
    }
    let snapshot = walk.desk.snapshot();
    let offer = snapshot["offers"].as_array().unwrap().iter().find(|offer| offer["who"] == "dealer").unwrap();
    ("/dealer".into(), format!("act={}", encoded(&offer["events"].to_string())))
}

/// Somebody of each office, signed in.
pub(super) struct Walk {
    pub(super) desk: Desk,
    pub(super) people: Vec<(&'static str, String)>,
    /// The token of somebody who has signed out.
    over: String,
}

impl Walk {
    pub(super) fn of(desk: Desk) -> Self {
        for (badge, (name, role, pin)) in (20..).zip(MORE) {
            assert_eq!(add(&desk.table, name, role, badge, pin).status, 0);
        }
        let over = desk.signed_in("I-4", "402913");
        assert!(desk.posts("/sign-out", &over, "").starts_with("HTTP/1.1 303"));
        let people = PINS.iter().chain(&MORE).map(|(name, role, pin)| (*role, desk.signed_in(name, pin)));
        let people: Vec<_> = people.collect();
        let known: BTreeSet<&str> = people.iter().map(|(role, _)| *role).collect();
        assert_eq!(known, Office::ALL.iter().map(|office| office.word()).collect(), "somebody of each office");
        Self { desk, people, over }
    }

    pub(super) fn cookie(&self, role: &str) -> &str {
        &self.people.iter().find(|(of, _)| *of == role).unwrap().1
    }

    /// What makes an act possible is done.
    pub(super) fn does(&self, role: &str, path: &str, form: &str) {
        let answer = self.desk.posts(path, self.cookie(role), form);
        assert!(answer.starts_with("HTTP/1.1 303"), "{role} {path} {form}: {answer}");
    }

    /// The dealer asks; the line of the record that says so.
    fn asks(&self) -> usize {
        self.does("dealer", "/dealer/more/ask", ASK);
        self.desk.record().iter().rposition(|line| line["ev"] == "ask").unwrap() + 1
    }

    /// Lines of the record that somebody has brought about.
    fn acted(&self) -> usize {
        let by = |line: &Value| !line["by"].is_null() || !line["entered"].is_null();
        let told = |line: &Value| line["device"] == "station" && line["detail"].as_str().is_some_and(names_somebody);
        self.desk.record().iter().filter(|line| by(line) || told(line)).count()
    }

    /// What a page lets somebody press.
    fn offered(&self, role: &str, path: &str) -> Vec<String> {
        let page = asked(&self.desk.address, path, self.cookie(role));
        let words = page.split("name=\"act\" value=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
        words.collect()
    }

    fn walks(&self, act: &One) {
        let called = format!("{} {}", act.route, act.word);
        let (path, form) = (act.ready)(self, act.word);
        let before = self.acted();
        let is_done = |headers: &str| {
            let answer = self.desk.posts(&path, headers, &form);
            assert!(!answer.starts_with("HTTP/1.1 5"), "{called}: {answer}");
            answer.starts_with("HTTP/1.1 303")
        };
        for (role, cookie) in self.people.iter().filter(|(role, _)| !act.may.contains(role)) {
            assert!(!is_done(cookie), "{called}: done by {role}");
        }
        for nobody in ["", "Cookie: sabot=AAAA\r\n", &self.over] {
            assert!(!is_done(nobody), "{called}: done by {nobody:?}");
        }
        for from in ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
            let headers = format!("{}{from}\r\n", self.cookie(act.may[0]));
            let answer = self.desk.posts(&path, &headers, &form);
            assert!(answer.starts_with("HTTP/1.1 403"), "{called} {from}: {answer}");
        }
        assert_eq!(self.acted(), before, "{called}: nothing of it is recorded");
        for role in act.may {
            let (path, form) = (act.ready)(self, act.word);
            let before = self.acted();
            self.does(role, &path, &form);
            let again = self.desk.posts(&path, self.cookie(role), &form);
            assert_eq!(again.starts_with("HTTP/1.1 303"), act.again, "{called} by {role}, again: {again}");
            assert_eq!(self.acted(), before + act.lines * (1 + usize::from(act.again)), "{called} by {role}");
        }
    }
}

fn names_somebody(detail: &str) -> bool {
    PINS.iter().chain(&MORE).any(|(name, ..)| detail.split([' ', ',', ':']).any(|word| word == *name))
}

/// The routes of the page that are asked so: `get` or `post`.
pub(super) fn routes(method: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/station/console");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file());
    let texts: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    let routes = texts.iter().flat_map(|text| text.split(".route(\"").skip(1));
    let of = |route: &&str| route.lines().next().unwrap().contains(&format!("{method}("));
    routes.filter(of).map(|route| route.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn every_act_that_the_page_knows_is_walked() {
    let acts: Vec<One> = at_rest().into_iter().chain(in_play()).collect();
    let known = acts.iter().map(|act| act.route.to_owned());
    // who signs in acts on no table
    let known: BTreeSet<String> = known.chain(["/sign-in", "/sign-out"].map(str::to_owned)).collect();
    assert_eq!(known, routes("post"), "routes that take forms, and those that are walked");
    let (rest, play) = (Walk::of(Desk::with_a_finding()), Walk::of(Desk::in_play()));
    let (path, form) = touch(&play, "");
    play.does("dealer", &path, &form);
    for (walk, path, route) in [
        (&rest, "/findings/1", "/findings/{n}"),
        (&rest, "/acts", "/acts"),
        (&rest, "/staff", "/staff"),
        (&rest, "/log", "/log"),
        (&play, "/dealer", "/dealer"),
    ] {
        let words = walk.offered("room", path);
        assert!(!words.is_empty(), "{path}");
        for word in words.into_iter().filter(|word| !word.starts_with('[')) {
            assert!(acts.iter().any(|act| act.route == route && act.word == word), "{path}: {word} is not walked");
        }
    }
}

#[test]
fn every_act_at_rest_is_its_roles_own_once_and_from_the_stations_own_page() {
    let walk = Walk::of(Desk::start(""));
    at_rest().iter().for_each(|act| walk.walks(act));
    // late: somebody has closed it
    let (path, _) = on_finding(&walk, "");
    walk.does("room", &path, "act=stands");
    walk.does("room", &path, "act=close&note=seen");
    let before = walk.acted();
    for act in at_rest().iter().filter(|act| act.route == "/findings/{n}") {
        let late = walk.desk.posts(&path, walk.cookie("room"), &format!("act={}&note=seen", act.word));
        assert!(late.starts_with("HTTP/1.1 409"), "{}: {late}", act.word);
    }
    assert_eq!(walk.acted(), before);
    let findings = walk.desk.snapshot()["findings"].clone();
    let effect = findings.as_array().unwrap().iter().filter(|one| one["en"].as_str().unwrap().contains("no effect"));
    assert_eq!(effect.count(), 0, "what is refused is no finding");
}

#[test]
fn every_act_in_play_is_its_roles_own_once_and_from_the_stations_own_page() {
    let walk = Walk::of(Desk::in_play());
    in_play().iter().for_each(|act| walk.walks(act));
}

/// Late comes who presses what a page offered before somebody else acted.
#[test]
fn a_findings_page_offers_the_rulings_that_have_an_effect_and_no_other() {
    for (desk, place, void_and_lose) in [
        (Desk::start(""), "bank", [true, false]),
        (Desk::start(""), "3", [false, false]),
        (Desk::in_play(), "7", [false, false]),
        (Desk::in_play(), "3", [true, true]),
        (Desk::in_play(), "bank", [true, false]),
    ] {
        let walk = Walk::of(desk);
        let mut taken = Vec::new();
        for decision in Ruling::ALL {
            let path = finding_at(&walk, place);
            let offers = |word: &str| walk.offered("room", &path).iter().any(|offered| offered == word);
            let is_offered = offers(decision.word());
            let form = format!("act={}", decision.word());
            let answer = walk.desk.posts(&path, walk.cookie("room"), &form);
            let expected = if is_offered { "HTTP/1.1 303" } else { "HTTP/1.1 409" };
            assert!(answer.starts_with(expected), "{place} {decision:?}, offered: {is_offered}: {answer}");
            if is_offered {
                let left = Ruling::ALL.iter().filter(|other| offers(other.word())).count();
                assert_eq!(left, 0, "{place} {decision:?}: it is decided");
            }
            taken.push(is_offered);
        }
        let [void, stands, lose, resume] = taken[..] else { panic!("{taken:?}") };
        assert_eq!(([void, lose], stands, resume), (void_and_lose, true, true), "{place}");
    }
}

#[test]
fn nobody_is_signed_in_or_out_by_a_foreign_page() {
    let desk = Desk::start("");
    let cookie = desk.as_one("I-4");
    for from in ["Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        let signed = desk.posts("/sign-in", from, "name=I-4&pin=402913&next=%2F");
        assert!(signed.starts_with("HTTP/1.1 403") && !signed.contains("set-cookie"), "{from}: {signed}");
        assert!(desk.posts("/sign-out", &format!("{cookie}{from}"), "").starts_with("HTTP/1.1 403"), "{from}");
    }
    let reported = desk.posts("/acts", &cookie, REPORT);
    assert!(reported.starts_with("HTTP/1.1 303"), "he is still signed in: {reported}");
}
