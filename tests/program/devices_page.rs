//! The page of a table's devices, on the real station with its devices.

use crate::acts::Desk;
use crate::processes::answered;

/// What the page tells of a device.
fn told<'a>(page: &'a str, role: &str) -> &'a str {
    let from = page.split(&format!("<article id=\"device-{role}\"")).nth(1).unwrap_or_else(|| panic!("{role}: {page}"));
    from.split("</article>").next().unwrap()
}

#[test]
fn each_device_has_what_it_is_its_key_and_firmware_and_since_when_and_one_that_goes_what_is_not_judged_for_it() {
    let mut desk = Desk::in_play();
    let page = answered(&desk.address, "/devices?lang=en");
    for (role, what) in [
        ("shoe", "every card that leaves it"),
        ("shuffler", "sees the shuffle"),
        ("chips", "chips at each box"),
        ("keypad", "decisions and acts"),
        ("display", "It sees nothing"),
    ] {
        let told = told(&page, role);
        for part in
            [what, "Online", "since 20", "paired: what it says is sealed", "<dt>Firmware</dt>", "<dt>Start no.</dt>"]
        {
            assert!(told.contains(part), "{role} has no {part}: {told}");
        }
        assert!(!told.contains("not wholly judged"), "{told}");
    }
    assert!(page.contains("All devices are there."), "{page}");

    desk.shoe_goes();
    desk.table.until("the shoe is missed", || answered(&desk.address, "/devices?lang=en").contains("Not there: Shoe"));
    for (lang, parts) in [
        ("en", ["Absent", "the cards that leave it are not seen", "(since 20", "not wholly judged: "]),
        ("es", ["Ausente", "no se ven las cartas que salen", "(desde 20", "no se juzga del todo: "]),
    ] {
        let page = answered(&desk.address, &format!("/devices?lang={lang}"));
        let shoe = told(&page, "shoe");
        assert!(parts.iter().all(|part| shoe.contains(part)), "{parts:?}: {shoe}");
        assert!(shoe.contains("<dt>Firmware</dt>") || shoe.contains("<dt>Programa</dt>"), "who it was stays: {shoe}");
        assert!(!told(&page, "keypad").contains(parts[3]), "{page}");
    }
    // the page's own script asks for how they are now, and not for the record
    let now = answered(&desk.address, "/devices?now&lang=en");
    assert!(told(&now, "shoe").contains("Absent") && !now.contains("false-alarms"), "{now}");
    assert!(answered(&desk.address, "/?lang=en").contains("href=\"/devices?lang=en#device-shoe\""));
    assert!(answered(&desk.address, "/findings?lang=en").contains("href=\"/devices?lang=en\""));
    let hostile = answered(&desk.address, "/devices?lang=en&now=%22%3E%3Cscript%3E");
    assert!(hostile.starts_with("HTTP/1.1 200") && !hostile.contains("<script>"), "{hostile}");
}

#[test]
fn what_a_correction_withdrew_is_a_false_alarm_of_the_device_that_told_it() {
    let mut desk = Desk::in_play();
    let alarms = |desk: &Desk| {
        let page = answered(&desk.address, "/devices?lang=en");
        page.split("<section id=\"false-alarms\">").nth(1).unwrap().split("</section>").next().unwrap().to_owned()
    };
    assert!(alarms(&desk).contains("There is nothing like that."), "{}", alarms(&desk));
    let inspector = desk.as_one("I-4");
    // a card to box 1 that nobody asked for, as the shoe tells it: the line is struck
    desk.sees_all(&[r#"{"ev":"draw","card":"4S","to":"2"}"#]);
    desk.table.until("a finding", || desk.snapshot()["findings"][0]["state"] != serde_json::Value::Null);
    let drawn = desk.record().iter().rposition(|line| line["ev"] == "draw").unwrap() + 1;
    let struck = desk.posts(&format!("/correct/{drawn}/strike"), &inspector, "_step=sign");
    assert!(struck.starts_with("HTTP/1.1 303"), "{struck}");
    desk.table.until("it is withdrawn", || alarms(&desk).contains("<h3>Shoe: 1</h3>"));
    assert!(alarms(&desk).contains("state=withdrawn"), "{}", alarms(&desk));
}
