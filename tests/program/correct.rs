//! "That is not how it was": lines of the pass on the page, what a correction would change, and its signature.

use sabot_law::table::line;
use sabot_simulation::table_sensors::TableSensors;
use serde_json::Value;

use crate::acts::Desk;
use crate::process::{run, sabot};

impl Desk {
    fn gets(&self, path: &str, cookie: &str) -> String {
        crate::processes::asked(&self.address, path, cookie)
    }

    /// The shoe and the antennas see a card.
    pub(crate) fn draws(&mut self, event: &str) {
        let (mut seen, before) = (Vec::new(), self.told());
        TableSensors::default().see(&line::event(event.as_bytes()).unwrap(), &mut seen);
        seen.iter().for_each(|saw| self.table.sees(saw));
        self.table.until("the card", || self.told() == before + seen.len());
    }

    fn line_of(&self, is: impl Fn(&Value) -> bool) -> usize {
        1 + self.record().iter().position(is).expect("a line of the record")
    }
}

#[test]
fn an_inspector_sees_what_a_correction_would_change_before_he_signs_it() {
    let mut desk = Desk::in_play();
    let asked = desk.posts("/dealer/more/ask", &desk.as_one("D-9"), "box=1&about=card");
    assert!(asked.starts_with("HTTP/1.1 303"), "{asked}");
    // the dealer forgot the key: nobody is known to have asked for this card
    desk.draws(r#"{"ev":"draw","card":"3S","to":"1"}"#);
    desk.table.until("a finding", || desk.snapshot()["findings"][0]["provision"] == "C5");
    let inspector = desk.as_one("I-4");
    let page = desk.gets("/correct?lang=en", &inspector);
    assert!(page.contains("box 1: a card, 3 of spades") && page.contains("bank: a covered card<"), "{page}");
    assert!(!page.contains("7 of diamonds"), "the covered card");

    let drawn = desk.line_of(|line| line["ev"] == "draw" && line["card"] == "3S");
    let (missing, form) = (format!("/correct/{}/after/decide?lang=en", drawn - 1), "box=1&choice=hit&by=");
    let lines = desk.record().len();
    let preview = desk.posts(&missing, &inspector, form);
    assert!(preview.contains("withdrawn: no. 1, C5, "), "{preview}");
    assert!(preview.contains("name=\"choice\" value=\"hit\"") && preview.contains("value=\"sign\""), "{preview}");
    assert_eq!(desk.record().len(), lines, "nothing is done by looking");
    let signed = desk.posts(&missing, &inspector, &format!("{form}&_step=sign"));
    assert!(signed.starts_with("HTTP/1.1 303"), "{signed}");
    desk.table.until("it is withdrawn", || desk.snapshot()["findings"][0]["state"] == "withdrawn");
    let correction = || desk.record().into_iter().find(|line| line["ev"] == "correct");
    desk.table.until("it is on disk", || correction().is_some());
    let correction = correction().unwrap();
    assert_eq!((&correction["by"], &correction["role"]), (&"I-4".into(), &"inspector".into()));
    assert_eq!(correction["after"], drawn as u64 - 1);

    // what was put in can be struck again, and the finding comes back
    let put_in = desk.line_of(|line| line["ev"] == "correct");
    let strike = format!("/correct/{put_in}/strike?lang=en");
    let preview = desk.posts(&strike, &inspector, "");
    assert!(preview.contains("found: C5, "), "{preview}");
    // another card on the same line: box 1 has 8, 10 and this one
    let instead = format!("/correct/{drawn}/instead/draw?lang=en");
    let preview = desk.posts(&instead, &inspector, "card=5S&to=1&face=up");
    assert!(preview.contains("What would change"), "{preview}");
    assert_eq!(run(&mut sabot(["journal", "verify", desk.table.path("record").to_str().unwrap()])).status, 0);
}

#[test]
fn nobody_learns_a_covered_card_by_correcting_and_nobody_corrects_who_may_not() {
    let desk = Desk::in_play();
    let inspector = desk.as_one("I-4");
    let covered = desk.line_of(|line| line["ev"] == "draw" && line["face"] == "down");
    let sheet = desk.gets(&format!("/correct/{covered}?lang=en"), &inspector);
    assert!(sheet.contains("value=\"??\" selected") && sheet.contains("value=\"bank\" selected"), "{sheet}");
    let instead = format!("/correct/{covered}/instead/draw?lang=en");
    let up = desk.posts(&instead, &inspector, "card=%3F%3F&to=bank&face=up");
    assert!(up.starts_with("HTTP/1.1 409") && up.contains("It would uncover a card"), "{up}");
    assert!(up.contains("value=\"sign\""), "who saw it lie open may sign: {up}");
    let guessed = desk.posts(&instead, &inspector, "card=2C&to=bank&face=down");
    assert!(guessed.starts_with("HTTP/1.1 409") && !guessed.contains("value=\"sign\""), "{guessed}");
    let told = desk.posts(&format!("/correct/{covered}/after/card?lang=en"), &inspector, "at=bank&card=2C");
    assert!(told.starts_with("HTTP/1.1 409") && !told.contains("value=\"sign\""), "{told}");

    let strike = format!("/correct/{covered}/strike?lang=en");
    for (who, step) in [("D-9", "try"), ("D-9", "sign"), ("A-2", "sign")] {
        let refused = desk.posts(&strike, &desk.as_one(who), &format!("_step={step}"));
        assert!(refused.contains("That is for: inspector, table_chief, room."), "{who}: {refused}");
    }
    let nobody = desk.posts(&strike, "", "_step=sign");
    assert!(!nobody.starts_with("HTTP/1.1 303"), "{nobody}");
    assert!(!desk.gets("/correct?lang=en", "").contains("a covered card"), "who has not signed in sees no lines");
    for missing in ["/correct/1", "/correct/99999", "/correct/x", "/correct/3/fly", "/correct/3/after/nothing"] {
        let answer = desk.posts(&format!("{missing}?lang=en"), &inspector, "_step=sign");
        assert!(answer.starts_with("HTTP/1.1 4"), "{missing}: {answer}");
    }
    assert!(desk.record().iter().all(|line| line["ev"] != "correct"));
}
