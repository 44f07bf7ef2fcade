//! The scenario notation: what its words come to in a log, and what is said of a line that cannot be read.

use sabot_handbook::examples::{self, Case};
use sabot_handbook::scenario::{Notation, Scenario, write};
use sabot_law::regulation::ALL;

fn read(text: &str) -> Result<Vec<Scenario>, String> {
    Notation { file: "a.txt", house: "sala-8", own: &[] }.read(text).map_err(|why| why.to_string())
}

/// The log of some lines, without its header.
fn log(lines: &str) -> Vec<String> {
    let steps = read(&format!("== one\n{lines}\n")).unwrap().remove(0).steps;
    steps.into_iter().skip(1).map(|step| step.json).collect()
}

#[test]
fn each_event_becomes_the_line_of_log_it_stands_for() {
    for (written, json) in [
        ("request 4 P3 9000", r#"{"ev":"request","box":"4","player":"P3","t":9000}"#),
        ("authorize next", r#"{"ev":"authorize","by":"I-4","role":"inspector","what":"next_cards_for_bank"}"#),
        (
            "authorize shuffle table_chief by=J-1",
            r#"{"ev":"authorize","by":"J-1","role":"table_chief","what":"shuffle"}"#,
        ),
        ("shuffle 8", r#"{"ev":"shuffle","decks":8,"cards":416}"#),
        ("shuffle 2 6", r#"{"ev":"shuffle","decks":2,"cards":6}"#),
        ("cut 150", r#"{"ev":"cut","depth":150,"by":"P1"}"#),
        ("bet 1 50", r#"{"ev":"bet","box":"1","amount":50}"#),
        ("bet 2 insurance 25 P2", r#"{"ev":"bet","box":"2","spot":"insurance","amount":25,"player":"P2"}"#),
        (
            "bet 1 200 P1 C-17:100",
            r#"{"ev":"bet","box":"1","amount":200,"player":"P1","chips":[{"id":"C-17","value":100}]}"#,
        ),
        ("close", r#"{"ev":"close_bets"}"#),
        ("draw 8D", r#"{"ev":"draw","card":"8D"}"#),
        ("draw ?? 3b down", r#"{"ev":"draw","card":"??","to":"3b","face":"down"}"#),
        ("even_money 1", r#"{"ev":"decide","box":"1","choice":"even_money"}"#),
        ("stand 1 P2", r#"{"ev":"decide","box":"1","choice":"stand","by":"P2"}"#),
        ("total bank 17", r#"{"ev":"announce","what":"total","box":"bank","value":17}"#),
        ("say next", r#"{"ev":"announce","what":"next_cards_for_bank"}"#),
        ("burn bank 1", r#"{"ev":"move","from":"bank","to":"burn","cards":1}"#),
        ("move 1 shoe", r#"{"ev":"move","from":"1","to":"shoe"}"#),
        ("consent 2 no", r#"{"ev":"consent","box":"2","yes":false}"#),
        ("bank given P1 P3", r#"{"ev":"bank","how":"given","player":"P1","by":"P3"}"#),
        ("bank left - P2", r#"{"ev":"bank","how":"left","by":"P2"}"#),
        ("rule void 2 by=J-1", r#"{"ev":"rule","by":"J-1","role":"room","decision":"void","finding":2}"#),
        (
            "report - 2: swears, twice",
            r#"{"ev":"report","by":"I-4","role":"inspector","box":"2","note":"swears, twice"}"#,
        ),
        ("report C17", r#"{"ev":"report","by":"I-4","role":"inspector","provision":"C17","note":"seen"}"#),
        (
            "device chips chip_unknown 2 main E004",
            r#"{"ev":"device","device":"chips","status":"chip_unknown","detail":"2 main E004"}"#,
        ),
    ] {
        assert_eq!(log(written), [json], "{written}");
    }
}

#[test]
fn a_short_line_stands_for_its_events() {
    let open = ["seat 1 P1, 2 P2, 3 P3", "authorize shuffle", "shuffle 8", "cut 150", "load 416 52"];
    assert_eq!(log("open"), log(&open.join("\n")));
    assert_eq!(log("six"), log("seats 3\nshuffle 6\ncut 150\nload 312 52"));
    assert_eq!(log("pack P2 9"), log("shuffle 2\noffer_cut P2\ncut 40 P2\nload 104 9"));
    assert_eq!(log("pack 0"), log("shuffle 2\ncut 40\nload 104 0"));
    assert_eq!(log("bets 1 4:700"), log("bet 1 5000 P1, 4 700 P1"));
    let dealt = "draw 8H 1, 5C 3, 9S bank, TC 1, 9D 3, 8D bank";
    assert_eq!(log("bets 3 1\ndeal 8H 5C 9S TC 9D 8D"), log(&format!("bets 3 1\n{dealt}")));
    assert_eq!(log("bet 3 50\nbet 2 50\nbet 2 0\nbets 1\ndeal 8H 5C 9S")[4..], log("draw 8H 1, 5C 3, 9S bank"));
    let talla = read("== one\ntable regulation=talla\nbets 1 3\ndeal 8H 5C 9S TC 9D\n").unwrap().remove(0);
    let dealt: Vec<&str> = talla.steps[3..].iter().map(|step| step.written.as_str()).collect();
    assert_eq!(dealt, ["draw 8H 3", "draw 5C 1", "draw 9S bank", "draw TC 3", "draw 9D 1"]);
    let uncovered = "== one\ntable regulation=club\nbets 1\ndeal 8H 9S TC";
    assert!(read(&format!("{uncovered} 8D\n")).unwrap_err().contains("there are places for 3 cards"));
    assert_eq!(read(uncovered).unwrap()[0].steps.len(), 5);
}

#[test]
fn a_header_says_what_the_file_and_then_the_scenario_say() {
    let text = "table regulation=talla limits=10-500 stake=70 # all\n\n== one\nbets 2\n\n== two\ntable observes=nothing stake=80\nbets 2\n";
    let [one, two] = &read(text).unwrap()[..] else { panic!("two scenarios") };
    let header = r#"{"ev":"table","v":1,"table":"BJ-07","regulation":"talla","boxes":7,"limits":{"min":10,"max":500}"#;
    assert_eq!(one.log(), format!("{header}}}\n{{\"ev\":\"bet\",\"box\":\"2\",\"amount\":70,\"player\":\"P2\"}}\n"));
    assert_eq!(two.steps[0].json, format!("{header},\"observes\":[]}}"));
    assert!(two.steps[1].json.contains(r#""amount":80"#), "{}", two.steps[1].json);
    assert_eq!((one.line, two.line, two.steps[1].line), (3, 6, 8));
}

#[test]
fn answers_stand_beside_the_last_event_of_their_line_and_below_it() {
    let text = "== one\nstand 1, 2 => D9 2 notice | T-B1 bank burn\n# a remark\n  | settle 1 win 5 5 0\nend\n";
    let steps = &read(text).unwrap()[0].steps;
    let expected: Vec<_> = steps.iter().map(|step| step.expected.join(";")).collect();
    assert_eq!(expected, ["", "", "D9 2 notice;T-B1 bank burn;settle 1 win 5 5 0", ""]);
    assert_eq!(steps[2].written, "stand 2");
}

#[test]
fn what_cannot_be_read_is_told_with_file_line_and_word() {
    for (text, told) in [
        ("open\n", "a.txt:1: `open` stands before the first scenario"),
        ("| D9\n", "a.txt:1: `| D9` stands before the first scenario"),
        ("== one\nfly 1\n", "a.txt:2: `fly 1`: there is no such event in the notation"),
        ("== one\n\nseat 1\n", "a.txt:3: `seat 1`: the player is missing"),
        ("== one\nopen\ndraw 8X 1\n", "a.txt:3: `draw 8X 1`: `8X` cannot be read as the card: "),
        ("== one\nbet 1 many\n", "a.txt:2: `bet 1 many`: `many` cannot be read as the amount: "),
        (
            "== one\nask 1 why\n",
            "a.txt:2: `ask 1 why`: `why` cannot be read as the question: not a question: insurance",
        ),
        ("== one\nbets 8\n", "a.txt:2: `bets 8`: `8` cannot be read as a box: not a box"),
        ("== one\nend now\n", "a.txt:2: `end now`: nothing more is known of it than goes before `now`"),
        ("== one\nend by=P1\n", "a.txt:2: `end by=P1`: nothing more is known of it than goes before `P1`"),
        ("== one\nend: now\n", "a.txt:2: `end`: nothing more is known of it than goes before `now`"),
        ("== one\ndraw 8H 1 2\n", "a.txt:2: `draw 8H 1 2`: nothing more is known of it than goes before `2`"),
        (
            "== one\nconsent 1 maybe\n",
            "a.txt:2: `consent 1 maybe`: nothing more is known of it than goes before `maybe`",
        ),
        ("== one\ndeal 8H 9S TC\n", "a.txt:2: `deal 8H 9S TC`: there are places for 2 cards"),
        ("== one\nopen\ntable stake=5\n", "a.txt:3: `table` can only be a scenario's first line"),
        ("== one\ntable regulation=sala-9\n", "a.txt:2: `sala-9` is no regulation"),
        ("== one\ntable limits=10\n", "a.txt:2: `table limits=10`: `` cannot be read as the greatest bet"),
        (
            "table observes=smells\n",
            "a.txt:1: `table observes=smells`: `smells` cannot be read as a sight: not a sight: places faces turns moves",
        ),
    ] {
        let why = read(text).unwrap_err();
        assert!(why.starts_with(told), "{text}: {why}");
    }
}

#[test]
fn a_case_of_an_example_has_a_name_of_its_own() {
    let names = |text: &str| {
        let cases = examples::read("C7.txt", "sala-8", text).map_err(|why| why.to_string())?;
        Ok::<_, String>(cases.into_iter().map(|case| (case.name, case.violating)).collect::<Vec<_>>())
    };
    let named = |name: &str, violating| (name.to_string(), violating);
    let some = "== compliant\nopen\n== compliant: won\nopen\n== violating: two-cards\nopen\n";
    let all = vec![named("compliant", false), named("won", false), named("two-cards", true)];
    assert_eq!(names(some), Ok(all));
    for (text, told) in [
        ("== violating: won\n== compliant: won\n", "C7.txt:2: `won` is the name of an earlier case"),
        ("== lost\n", "C7.txt:1: `lost`: an example's name is `compliant`, `violating`, or"),
        ("== violating: Two cards\n", "C7.txt:1: `violating: Two cards`: an example's name is"),
    ] {
        assert!(names(text).unwrap_err().starts_with(told), "{:?}", names(text));
    }
}

#[test]
fn every_example_written_back_from_its_log_is_the_same_log_with_the_same_answers() {
    let articles = || ALL.iter().flat_map(|of| of.articles.iter().map(move |article| (&*of.id, article)));
    for (house, article) in articles() {
        for Case { scenario, .. } in examples::cases(article).unwrap() {
            let written = write::scenario("again", &scenario.log()).unwrap();
            let again = Notation { file: "a.txt", house, own: &[] }.read(&written);
            let again = again.unwrap_or_else(|why| panic!("{why}\n{written}")).remove(0);
            assert_eq!(values(&again), values(&scenario), "{house} {}\n{written}", article.id);
            assert_eq!(answers(&again), answers(&scenario), "{house} {}\n{written}", article.id);
        }
    }
}

fn values(of: &Scenario) -> Vec<serde_json::Value> {
    of.steps.iter().map(|step| serde_json::from_str(&step.json).unwrap()).collect()
}

fn answers(of: &Scenario) -> Vec<&[String]> {
    of.steps.iter().map(|step| &step.expected[..]).collect()
}
