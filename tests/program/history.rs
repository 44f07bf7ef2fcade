//! The page of all records that sinks keep: searched, counted, and read by the pass.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use sabot_floor::store::sqlite::Sqlite;
use sabot_floor::store::{Advance, Head, KeptLine, Store};
use sabot_floor::subjects::TableId;
use sabot_journal::Chain;
use sabot_journal::tree::Tree;
use serde_json::Value;

use crate::process::{Process, dealt, sabot};
use crate::processes::answered;

/// When the evening of [`EVENING`] began: 2026-11-24T04:09:35Z.
const EPOCH: u64 = 1_795_493_375_000;

const EVENING: [&str; 7] = [
    r#"{"ev":"table","v":2,"table":"BJ-08","regulation":"sala-8","boxes":7,"limits":{"min":1000,"max":100000}}"#,
    r#"{"ev":"bet","box":"2","amount":5000,"player":"Ana <b>","t":1000}"#,
    r#"{"ev":"draw","card":"8H","to":"2","face":"up","t":2000}"#,
    r#"{"ev":"draw","card":"KS","to":"bank","face":"down","t":2500}"#,
    r#"{"ev":"pay","box":"2","amount":700,"t":3000,"answers":[{"out":"finding","n":1,"pass":1,"provision":"E1","box":"2","severity":"irregularity","player":"Ana <b>","owed":-500,"done":700,"text":"se pagó de más"}]}"#,
    r#"{"ev":"end","t":4000,"answers":[{"out":"breach","finding":1}]}"#,
    r#"{"ev":"authorize","by":"I-4","role":"inspector","what":"shuffle","t":5000}"#,
];

/// The program, with nothing but records to show.
pub(crate) struct History {
    _folder: tempfile::TempDir,
    _process: Process,
    pub(crate) address: String,
}

impl History {
    /// Of records that are kept so; a file is one of this folder.
    pub(crate) fn of(kept: &str, files: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let kept = kept.replace("sqlite = \"", &format!("sqlite = \"{}/", files.display()));
        let config = format!(
            "listen = \"127.0.0.1:0\"\n[history]\nlisten = \"127.0.0.1:0\"\ntime_zone = \"Europe/Madrid\"\n{kept}\n\
             [[table]]\nname = \"BJ-07\"\naddress = \"http://127.0.0.1:1\"\n"
        );
        fs::write(folder.path().join("pit.toml"), config).unwrap();
        let mut command = sabot(["pit"]);
        command.arg(folder.path().join("pit.toml")).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Process::start(&mut command);
        let address = process.lines().find_map(|line| Some(line.strip_prefix("history: http://")?.to_owned()));
        Self { _folder: folder, _process: process, address: address.unwrap().trim_end_matches('/').to_owned() }
    }

    /// A page and its head.
    pub(crate) fn page(&self, path: &str) -> String {
        answered(&self.address, path)
    }

    /// Two tables: one that was dealt, and [`EVENING`].
    pub(crate) fn of_two_tables() -> (Self, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        dealt(folder.path(), &["--passes", "2", "--irregularity", "C7"]);
        let text = fs::read_to_string(folder.path().join("record")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let began = serde_json::from_str::<Value>(lines[0]).unwrap()["began"].as_u64().unwrap();
        let advances = [advance("BJ-07", began, &lines), advance("BJ-08", EPOCH, &EVENING)];
        let file = folder.path().join("floor.sqlite");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let kept = runtime.block_on(async { Sqlite::open(&file).unwrap().commit(&advances).await });
        assert_eq!(kept.unwrap(), [true, true]);
        (Self::of("sqlite = \"floor.sqlite\"", folder.path()), folder)
    }
}

fn advance(table: &str, epoch: u64, lines: &[&str]) -> Advance {
    let kept = |(line, text): (u64, &&str)| {
        let read: Value = serde_json::from_str(text).unwrap();
        let at_ms = epoch + read["t"].as_u64().unwrap_or(0);
        KeptLine { line, at_ms, ev: read["ev"].as_str().unwrap().to_owned(), text: (*text).into() }
    };
    let head = Head { epoch, lines: lines.len() as u64, chain: Chain::default(), signed: 0, tree: Tree::default() };
    let table = TableId::new("casino", "planta-1", table).unwrap();
    Advance { table, before: None, head, lines: (1..).zip(lines).map(kept).collect(), checkpoints: Vec::new() }
}

/// Of which tables the findings of a page are.
fn tables(page: &str) -> Vec<&str> {
    page.split("<span class=\"where\">").skip(1).map(|of| &of["casino/planta-1/".len()..][..5]).collect()
}

#[test]
fn every_record_is_searched_by_article_person_time_money_and_table_and_counted() {
    let (history, _folder) = History::of_two_tables();
    let all = history.page("/?lang=en");
    assert!(all.starts_with("HTTP/1.1 200") && all.contains("<span class=\"state\">Cleared</span>"), "{all}");
    assert_eq!(tables(&all), ["BJ-07", "BJ-08"], "the newest first");
    assert_eq!(tables(&history.page("/?lang=en&article=c7")), ["BJ-07"]);
    let wrong = history.page("/?lang=en&money=12&table=BJ-08");
    assert_eq!(tables(&wrong), ["BJ-08"]);
    for words in [
        "<b class=\"article\">E1</b>",
        "planta-1/BJ-08 · box 2",
        "<span class=\"state\">Breach</span>",
        "Owed: collect 5 · Given: pay 7",
        "2026-11-24T05:09:38+01:00 · Ana &#60;b&#62; · no. 1",
        "/pass?lang=en&#38;table=casino/planta-1/BJ-08&#38;epoch=1795493375000&#38;line=5#line-5",
    ] {
        assert!(wrong.contains(words), "{words}: {wrong}");
    }
    assert_eq!(tables(&history.page("/?lang=en&money=13&table=BJ-08")), [""; 0]);
    // by the house's clock, an hour ahead
    let from = |time: &str| tables(&history.page(&format!("/?table=BJ-08&from=2026-11-24T{time}&to=2026-11-25"))).len();
    assert_eq!((from("05:09:38"), from("05:09:39")), (1, 0));
    let ana = history.page("/?lang=es&person=Ana+%3Cb%3E");
    assert_eq!(tables(&ana), ["BJ-08", "BJ-08"], "her finding, and her bet: {ana}");
    assert!(ana.contains("casillero 2: "), "{ana}");
    assert_eq!(tables(&history.page("/?person=I-4&table=BJ-08")), ["BJ-08"]);
    assert!(history.page("/?money=x").starts_with("HTTP/1.1 400"));
    assert!(history.page("/?lang=en&from=now").ends_with("now: is no time"));

    let report = history.page("/report?lang=en&table=BJ-08");
    for words in
        ["<td>Passes</td><td>1</td>", "<td>Findings</td><td>1</td>", "wrongly</td><td>12</td>", "2026-11-24T05:00"]
    {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert!(report.contains("<rect width=\"100.0\""), "bars");
    assert!(history.page("/report?lang=es").contains("Por mesa: hallazgos / pases"));
}

#[test]
fn a_pass_is_read_line_by_line_and_a_covered_card_stays_covered() {
    let (history, folder) = History::of_two_tables();
    let table = "/pass?lang=en&table=casino/planta-1/BJ-08&epoch=1795493375000&line=";
    let pass = history.page(&format!("{table}3"));
    for words in ["id=\"line-1\"", "id=\"line-6\"", ", 8H", "! E1: se pagó de más", "Pass after"] {
        assert!(pass.contains(words), "{words}: {pass}");
    }
    assert!(!pass.contains("id=\"line-7\"") && !pass.contains("Pass before"), "{pass}");
    let next = history.page(&format!("{table}7"));
    assert!(next.contains("id=\"line-7\"") && next.contains("Pass before") && !next.contains("Pass after"), "{next}");
    for nowhere in [format!("{table}9"), table.replace("BJ-08", "BJ-09") + "1", "/pass?table=x&epoch=1&line=1".into()] {
        assert!(history.page(&nowhere).starts_with("HTTP/1.1 404"), "{nowhere}");
    }
    assert!(history.page("/nothing").starts_with("HTTP/1.1 404"));
    // a database that is gone is told, and asked again
    fs::rename(folder.path().join("floor.sqlite"), folder.path().join("gone")).unwrap();
    let other = History::of("sqlite = \"floor.sqlite\"", folder.path());
    assert!(other.page("/?lang=en").ends_with("The database does not answer."));
    fs::rename(folder.path().join("gone"), folder.path().join("floor.sqlite")).unwrap();
    assert_eq!(tables(&other.page("/?article=E1")), ["BJ-08"]);
}
