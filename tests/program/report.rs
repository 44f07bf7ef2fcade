//! The report of a shift, held against what the record is answered.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::acts::Desk;
use crate::dossier::Signed;
use crate::process::{Ended, run, sabot};

/// The rows of a page, by what each is about; where two are called alike, the last.
fn rows(page: &str) -> BTreeMap<String, String> {
    let cells = |row: &str| -> Vec<String> {
        row.split("<td>").skip(1).map(|cell| cell.split("</td>").next().unwrap().to_owned()).collect()
    };
    let rows = page.split("<tr>").skip(1).map(|row| cells(row.split("</tr>").next().unwrap()));
    rows.map(|cells| (cells[0].clone(), cells.last().unwrap().clone())).collect()
}

fn report(of: &mut std::process::Command) -> Ended {
    run(of.args(["--lang", "en"]))
}

#[test]
fn a_report_counts_what_the_record_is_answered_and_no_more_than_the_time_asked_for() {
    let signed = Signed::new();
    let of = |args: &[&str]| report(sabot(["journal", "report", "record"]).args(args).current_dir(signed.0.path()));
    let whole = of(&[]);
    assert_eq!((whole.status, whole.err.as_str()), (0, ""));
    let replayed = run(sabot(["replay", "record"]).current_dir(signed.0.path()));
    let summary: Value = serde_json::from_str(replayed.out.lines().last().unwrap()).unwrap();
    let told = rows(&whole.out);
    let counted = |what: &str| told.get(what).map(String::as_str);
    assert_eq!(counted("Passes"), Some(summary["passes"].to_string().as_str()));
    assert_eq!(counted("Cards drawn"), Some(summary["draws"].to_string().as_str()));
    assert_eq!((counted("C7"), counted("cleared"), counted("bank")), (Some("1"), Some("1"), Some("1")), "{told:?}");
    assert_eq!(counted("nobody said who it was"), Some("1"));
    assert!(counted("Until they were remedied").unwrap().starts_with("half within "), "{told:?}");
    assert!(whole.out.contains("Shift report BJ-01") && !whole.out.contains("<script"), "{}", whole.out);

    let twice = report(sabot(["journal", "report", "record", "record"]).current_dir(signed.0.path()));
    assert_eq!(rows(&twice.out)["C7"], "1", "a record given twice counts once");
    let later = of(&["--from", "2100-01-01"]);
    assert!(later.status == 1 && later.err.contains("tell nothing of that time"), "{}", later.err);
    assert_eq!(report(sabot(["journal", "report"]).arg(signed.0.path().join("nowhere"))).status, 2);
}

#[test]
fn a_report_names_the_dealer_who_was_signed_in_and_how_long_a_device_did_not_see() {
    let mut desk = Desk::in_play();
    desk.as_one("D-9");
    desk.table.until("who deals is on disk", || desk.record().iter().any(|line| line["status"] == "signed_in"));
    desk.draws(r#"{"ev":"draw","card":"3S","to":"1"}"#);
    let taken = desk.posts("/findings/1", &desk.as_one("I-4"), "act=take");
    assert!(taken.starts_with("HTTP/1.1 303"), "{taken}");
    desk.shoe_goes();
    desk.table.until("it is away, and somebody acted since", || {
        let record = desk.record();
        let status = |wanted: &str| record.iter().position(|line| line["status"] == wanted);
        status("taken").is_some() && status("offline").is_some()
    });
    desk.as_one("S-1");
    desk.table.until("a line follows", || desk.record().last().unwrap()["status"] == "signed_in");
    let record = desk.record();
    let told = rows(&report(sabot(["journal", "report"]).arg(desk.table.path("record"))).out);
    assert_eq!((&told["D-9"], told["C6"].as_str()), (&told["Findings"], "1"), "{told:?}");
    assert!(told["Until somebody took them"].starts_with("half within "), "{told:?}");
    let time = |line: &Value| line["t"].as_u64().unwrap();
    let away = record.iter().find(|line| line["status"] == "offline").unwrap();
    let blind = time(record.last().unwrap()) - time(away);
    assert_eq!(told["A device did not see"], format!("{} s", blind.div_ceil(1000)), "{told:?}");
}
