//! What has happened at a table, on its pages: findings with search, passes played back, the shift, the shoe, the
//! regulation, and who is signed in.

use std::process::Stdio;
use std::time::Instant;

use sabot_stall_guard::PATIENCE;
use tempfile::TempDir;

use crate::acts::Desk;
use crate::process::{Process, sabot};
use crate::processes::{answered, asked};

/// A table at which C7 is broken in each pass.
pub(crate) struct Dealt {
    pub(crate) address: String,
    /// It ends with this.
    _demo: Process,
    _folder: TempDir,
}

impl Dealt {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut demo = sabot(["demo", "--irregularity", "C7", "--speed", "20", "--listen", "127.0.0.1:0"]);
        let mut demo = Process::start(demo.env("TMPDIR", folder.path()).stdout(Stdio::piped()));
        let first = demo.lines().next().unwrap();
        let address = first.trim_start_matches("page").trim().trim_start_matches("http://").trim_end_matches('/');
        Self { address: address.to_owned(), _demo: demo, _folder: folder }
    }

    fn get(&self, path: &str) -> String {
        answered(&self.address, path)
    }

    /// What stands at an address once something does.
    pub(crate) fn once(&self, path: &str) -> String {
        let begin = Instant::now();
        loop {
            let answer = self.get(path);
            if answer.starts_with("HTTP/1.1 200") {
                return answer;
            }
            assert!(begin.elapsed() < PATIENCE, "{path}: {answer}");
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
}

/// The pictures of a pass: the bank of each.
fn banks(page: &str) -> Vec<&str> {
    let pictures = page.split("data-id=\"bank\"").skip(1);
    pictures.map(|rest| rest.split("</section>").next().unwrap()).collect()
}

#[test]
fn a_pass_is_played_back_once_it_is_over_and_what_lay_covered_is_a_back_until_it_was_uncovered() {
    let table = Dealt::start();
    let all = table.once("/passes/1?lang=en");
    let banks = banks(&all);
    let up = |bank: &str| bank.matches("class=\"card up").count();
    let covered = banks.iter().position(|bank| bank.contains("card back")).expect("the bank's second card lay covered");
    assert_eq!(up(banks[covered]), 1, "{}", banks[covered]);
    assert!(banks[covered..].iter().any(|bank| up(bank) >= 2 && !bank.contains("card back")), "it was uncovered");
    // so it is at each moment of that time, though it is known by now
    let step = all.split("<li>").find(|step| step.contains("card back")).unwrap();
    for line in step.split(" id=\"line-").skip(1).filter_map(|rest| rest.split('"').next()) {
        let moment = table.get(&format!("/moments/{line}?lang=en"));
        assert!(moment.contains("href=\"/passes/1?lang=en#line-"), "{line}: {moment}");
    }
    let last = step.rsplit(" id=\"line-").next().and_then(|rest| rest.split('"').next()).unwrap();
    let moment = table.get(&format!("/moments/{last}?lang=en"));
    assert!(moment.matches("data-id=\"bank\"").count() == 1 && moment.contains("card back"), "{last}: {moment}");
    // each line has an address, each step a page of its own
    let line = all.split(" id=\"line-").nth(3).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(all.contains(&format!("href=\"/passes/1?lang=en#line-{line}\"")), "{line}");
    let one = table.get(&format!("/passes/1?lang=en&step={}", covered + 1));
    assert!(one.matches("data-id=\"bank\"").count() == 1 && one.contains("card back"), "{one}");
    assert!(one.contains(&format!("step={}\"", covered)) && one.contains(&format!("step={}\"", covered + 2)), "{one}");
    let last = table.get("/passes/1?lang=en&step=99999");
    assert!(!last.contains("step-on") && last.contains("step-back"), "{last}");
    let ahead = table.get("/passes/99999?lang=en");
    assert!(ahead.starts_with("HTTP/1.1 404") && ahead.contains("not over yet"), "{ahead}");
    assert!(table.get("/passes/0").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_pass_that_goes_on_is_not_played_back() {
    let desk = Desk::in_play();
    let told = answered(&desk.address, "/passes/1?lang=en");
    assert!(told.starts_with("HTTP/1.1 404") && told.contains("not over yet"), "{told}");
    let findings = answered(&desk.address, "/findings?lang=en");
    assert!(findings.starts_with("HTTP/1.1 200") && !findings.contains("href=\"/passes/1"), "{findings}");
}

/// The pass that goes on is gone through moment by moment; what lies covered in it is a back at each of them.
#[test]
fn the_pass_that_goes_on_is_gone_back_through_and_what_lay_covered_at_a_moment_stays_so() {
    let desk = Desk::in_play();
    let at = |path: &str| answered(&desk.address, path);
    let table = at("/?lang=en");
    let now: u64 =
        table.split("href=\"/moments/").nth(1).and_then(|rest| rest.split('?').next()).unwrap().parse().unwrap();
    let lines = desk.record();
    assert!(now > 10 && lines.len() as u64 >= now, "{now} of {}", lines.len());
    let (mut covered, mut before) = (0, u64::MAX);
    let mut line = now;
    // back from now to where the pass begins, by the links alone
    loop {
        let page = at(&format!("/moments/{line}?lang=en"));
        assert!(page.starts_with("HTTP/1.1 200") && page.contains("not now"), "{line}: {page}");
        assert!(!page.contains("class=\"tick\""), "what is past is never green");
        let bank = banks(&page)[0];
        covered += usize::from(bank.contains("card back"));
        assert!(bank.matches("class=\"card up").count() < 2, "nobody has seen both cards of the bank: {bank}");
        assert!(line < before && page.contains(&format!("href=\"/moments/{line}?lang=en\" aria-current=\"true\"")));
        before = line;
        let Some(back) = page.split("rel=\"prev\" href=\"/moments/").nth(1) else { break };
        line = back.split('?').next().unwrap().parse().unwrap();
    }
    assert!(covered >= 1 && now - before > 8, "{covered} moments with a covered card, from {before} to {now}");
    // a form leads there too, and what the record does not have is said
    let chosen = at(&format!("/moments?at={before}&lang=es"));
    assert!(
        chosen.starts_with("HTTP/1.1 303") && chosen.contains(&format!("location: /moments/{before}?lang=es")),
        "{chosen}"
    );
    for (path, status) in [("/moments/0", 404), ("/moments/1", 404), ("/moments/99999", 404), ("/moments/x", 400)] {
        assert!(at(path).starts_with(&format!("HTTP/1.1 {status}")), "{path}: {}", at(path));
    }
}

#[test]
fn findings_are_searched_and_lead_to_their_article_and_their_pass_and_the_shift_is_told_in_figures() {
    let table = Dealt::start();
    table.once("/passes/1");
    let found = |q: &str| table.get(&format!("/findings?lang=es&q={q}")).matches("<li class=\"finding").count();
    assert!(found("c7") >= 1 && found("c7%20DESCUBIERTA") >= 1 && found("c7%20casillero") == 0);
    let page = table.get("/findings?lang=es&q=c7&state=cleared");
    assert!(
        page.contains("href=\"/regulation/C7?lang=es\"") && page.contains("href=\"/passes/1?lang=es#line-"),
        "{page}"
    );
    assert_eq!(table.get("/findings?state=breach&q=c7").matches("<li class=\"finding").count(), 0);
    let hostile = table.get("/findings?q=%22%3E%3Cscript%3E");
    assert!(hostile.starts_with("HTTP/1.1 200") && !hostile.contains("<script>"), "{hostile}");

    let article = table.get("/regulation/c7?lang=en");
    assert!(article.contains("id=\"C7\"") && article.matches("class=\"rule\"").count() == 1, "{article}");
    let some = table.get("/regulation?lang=en&q=insurance").matches("class=\"rule\"").count();
    let all = table.get("/regulation?lang=en").matches("class=\"rule\"").count();
    assert!(0 < some && some < all, "{some} of {all}");
    assert!(table.get("/regulation/Z99").starts_with("HTTP/1.1 404"));

    let shift = table.get("/shift?lang=en");
    for told in
        ["Passes by hour", "Findings by hour", "False alarms by device", "A device did not see", "<svg class=\"bar\""]
    {
        assert!(shift.contains(told), "{told}: {shift}");
    }
    let later = table.get("/shift?lang=en&from=2999-01-01T00%3A00");
    assert!(!later.contains("Passes by hour") && later.contains("nothing like that"), "{later}");
    let shoe = table.get("/shoe?lang=en");
    assert!(shoe.contains(" id=\"line-") && shoe.contains("drawn"), "{shoe}");
    assert!(table.get("/staff").starts_with("HTTP/1.1 404"), "nobody acts at this table");
}

#[test]
fn who_deals_and_who_inspects_is_said_by_those_who_may_and_told_to_those_who_are_signed_in() {
    let desk = Desk::with_a_finding();
    let (inspector, dealer) = (desk.as_one("I-4"), desk.as_one("D-9"));
    let says = |who: &str, act: &str| desk.posts("/staff?lang=en", who, &format!("act={act}"));
    for (who, act) in [(&inspector, "table_opened"), (&dealer, "deals"), (&inspector, "inspects")] {
        let answer = says(who, act);
        assert!(answer.starts_with("HTTP/1.1 303"), "{act}: {answer}");
    }
    for (who, act) in
        [(&inspector, "deals"), (&dealer, "inspects"), (&dealer, "table_closed"), (&dealer, "shift_begins")]
    {
        let answer = says(who, act);
        assert!(answer.starts_with("HTTP/1.1 409") && answer.contains("<b>Deals:</b> D-9"), "{act}: {answer}");
    }
    assert!(says("", "deals").starts_with("HTTP/1.1 409") && says(&dealer, "rests").starts_with("HTTP/1.1 400"));
    let told = asked(&desk.address, "/staff?lang=en", &inspector);
    for part in ["The table is open.", "<b>Deals:</b> D-9", "<b>Inspects:</b> I-4", "<b>D-9</b> dealer"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let stranger = answered(&desk.address, "/staff?lang=en");
    assert!(stranger.starts_with("HTTP/1.1 200") && !stranger.contains("D-9"), "{stranger}");

    assert!(says(&inspector, "table_closed").starts_with("HTTP/1.1 303"));
    let told = asked(&desk.address, "/staff?lang=en", &inspector);
    assert!(told.contains("The table is closed.") && !told.contains("<b>Deals:</b> D-9"), "{told}");
    let record = desk.record();
    let said = record.iter().filter(|line| line["device"] == "station" && line["status"] != "signed_in");
    let said: Vec<String> =
        said.map(|line| format!("{} {}", line["status"], line["detail"]).replace('"', "")).collect();
    for line in
        ["table_opened I-4 inspector", "deals D-9 dealer", "inspects I-4 inspector", "table_closed I-4 inspector"]
    {
        assert_eq!(said.iter().filter(|one| *one == line).count(), 1, "{line}: {said:?}");
    }
}
