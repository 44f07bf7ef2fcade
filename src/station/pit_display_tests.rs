use super::super::device_warnings;
use super::*;
use sabot_law::table::answer::{Finding, Text};
use sabot_law::table::{Answer, Place, Remedy};

fn words(es: &str, en: &str) -> Words {
    Words { es: es.to_owned(), en: en.to_owned() }
}

fn c7() -> Answer {
    Answer::Finding(Box::new(Finding {
        n: 1,
        line: 19,
        pass: 1,
        provision: "C7",
        place: Some(Place::Bank),
        severity: Severity::Irregularity,
        cards: vec![],
        remedy: vec![Remedy::Burn { place: Place::Bank, cards: 1 }, Remedy::Serve { to: Place::Bank }],
        of: None,
        details: sabot_law::table::answer::Details::default(),
        text: Text {
            es: "la segunda carta de la banca salió descubierta: quemarla y servir otra cubierta".to_owned(),
            en: "the bank's second card was dealt face up".to_owned(),
            lang: Lang::Es,
        },
    }))
}

fn felt(due: &[&str]) -> Felt {
    Felt { pass: 1, due: due.iter().map(|due| words(due, due)).collect(), ..Felt::default() }
}

/// What is sent: `row text`, `lamp`, `buzz`.
fn sent(display: &mut PitDisplay, felt: &Felt, findings: &Findings, news: Option<Severity>) -> Vec<String> {
    let mut out = Vec::new();
    let lamp = if findings.list().count() == 0 { Lamp::Green } else { Lamp::Red };
    display.update((felt, findings, lamp), news, &[], |show| {
        out.push(match show {
            Show::Line { row, text } => format!("{row} {text}"),
            Show::Lamp(lamp) => format!("{lamp:?}"),
            Show::Buzz(ms) => format!("buzz {ms}"),
        });
    });
    out
}

#[test]
fn a_finding_lights_the_lamp_buzzes_and_says_what_to_do_first_and_everything_once() {
    let mut findings = Findings::new(Lang::Es);
    let mut display = PitDisplay::new(Lang::Es);
    assert_eq!(
        sent(&mut display, &felt(&["carta para la banca"]), &findings, None),
        ["Green", "0 carta para la banca"]
    );
    findings.take(c7());
    let due = felt(&["quemar 1 carta de la banca", "carta para la banca (cubierta)"]);
    assert_eq!(
        sent(&mut display, &due, &findings, Some(Severity::Irregularity)),
        [
            "Red",
            "buzz 800",
            "0 quemar 1 carta de la banca",
            "1 carta para la banca (cubierta)",
            "4 C7 BANCA",
            "5 la segunda carta de la banca salió",
            "6 descubierta: quemarla y servir otra",
            "7 cubierta",
        ]
    );
}

#[test]
fn of_two_open_findings_the_one_is_told_that_wants_attention_first() {
    let mut findings = Findings::new(Lang::Es);
    findings.take(c7());
    for (n, severity) in [(2, Severity::Irregularity), (3, Severity::Integrity)] {
        let Answer::Finding(mut finding) = c7() else { unreachable!() };
        (finding.n, finding.provision, finding.severity) = (n, if n == 2 { "C5" } else { "C17" }, severity);
        findings.take(Answer::Finding(finding));
        let rows = PitDisplay::new(Lang::Es).rows(&felt(&[]), &findings, &[]);
        let first = if n == 2 { "C7 BANCA (+1)" } else { "C17 BANCA (+2)" };
        assert!(rows.iter().any(|row| row.as_str() == first), "{rows:?}");
    }
}

#[test]
fn only_what_changed_is_sent() {
    let findings = Findings::new(Lang::Es);
    let mut display = PitDisplay::new(Lang::Es);
    sent(&mut display, &felt(&["carta para el casillero 1"]), &findings, None);
    assert!(sent(&mut display, &felt(&["carta para el casillero 1"]), &findings, None).is_empty());
    assert_eq!(
        sent(&mut display, &felt(&["carta para el casillero 2"]), &findings, None),
        ["0 carta para el casillero 2"]
    );
}

#[test]
fn a_cleared_finding_is_taken_away_and_a_breach_stays_with_what_is_missing() {
    let mut findings = Findings::new(Lang::En);
    let mut display = PitDisplay::new(Lang::En);
    findings.take(c7());
    sent(&mut display, &felt(&[]), &findings, None);
    findings.take(Answer::Breach { finding: 1, line: 20, missing: vec![Remedy::Serve { to: Place::Bank }] });
    assert_eq!(
        sent(&mut display, &felt(&[]), &findings, None),
        ["5 C7 BANK: NOT DONE", "6 deal a card to the bank"],
        "the words stay in row 7"
    );
    findings.take(Answer::Cleared { finding: 1, line: 21, unseen: Vec::new() });
    assert_eq!(sent(&mut display, &felt(&[]), &findings, None), ["5 ", "6 ", "7 "]);
}

#[test]
fn a_record_that_cannot_be_written_is_shown_before_anything_else() {
    let mut display = PitDisplay::new(Lang::Es);
    let mut out = Vec::new();
    display.update(
        (&felt(&["x"]), &Findings::new(Lang::Es), Lamp::Red),
        None,
        &[device_warnings::unwritten_at_the_table()],
        |show| out.push(show),
    );
    assert!(out.contains(&Show::Lamp(Lamp::Red)));
    assert!(out.iter().any(|show| matches!(show, Show::Line { row: 0, text } if text.starts_with("REGISTRO"))));
    assert!(out.iter().any(|show| matches!(show, Show::Line { row: 1, text } if text == "x")));
}

#[test]
fn what_is_due_now_is_told_whole_beside_the_longest_finding() {
    let now = "pedir al inspector que autorice: próximas cartas para la banca";
    let then = "anunciar: próximas cartas para la banca";
    let mut findings = Findings::new(Lang::Es);
    let Answer::Finding(mut finding) = c7() else { unreachable!() };
    finding.text.es = "palabras ".repeat(60);
    findings.take(Answer::Finding(finding));
    let rows = PitDisplay::new(Lang::Es).rows(&felt(&[now, then, "dar carta a la banca"]), &findings, &[]);
    let rows: Vec<&str> = rows.iter().map(|row| row.as_str()).collect();
    assert_eq!(rows[..2].join(" "), now);
    assert_eq!(rows[2..4], [then, "C7 BANCA"]);
    assert!(rows[7].ends_with("..."), "{rows:?}");
}

#[test]
fn at_most_four_things_are_due_on_the_display_each_whole() {
    let rows = PitDisplay::new(Lang::Es).rows(&felt(&["a", "b", "c", "d", "e"]), &Findings::new(Lang::Es), &[]);
    assert_eq!(rows.iter().filter(|row| !row.is_empty()).count(), 4);
    let long = "pagar ".repeat(50);
    let rows = PitDisplay::new(Lang::Es).rows(&felt(&["a", &long]), &Findings::new(Lang::Es), &[]);
    assert_eq!(rows.iter().filter(|row| !row.is_empty()).count(), 1, "{rows:?}");
}

#[test]
fn long_texts_break_between_words_and_end_in_dots() {
    let laid = |text: &str, rows: usize| {
        cut(folded(text), rows).iter().map(|line| line.as_str().to_owned()).collect::<Vec<_>>()
    };
    let forty = "a".repeat(40);
    assert_eq!(laid(&forty, 1), [forty.as_str()]);
    assert_eq!(laid(&format!("{forty}b"), 1), [format!("{}...", "a".repeat(37))]);
    assert_eq!(laid(&format!("{forty} b"), 2), [forty.as_str(), "b"]);
    assert_eq!(laid(&format!("{forty}b"), 2), [forty.as_str(), "b"]);
    assert_eq!(laid("", 2), Vec::<String>::new());
    assert_eq!(laid(&"é".repeat(40), 1), ["é".repeat(40)]);
    for text in ["ñandú ".repeat(40), "€".repeat(200), "日本 ".repeat(60), "x".repeat(500)] {
        for rows in 1..4 {
            let lines = laid(&text, rows);
            assert_eq!(lines.len(), rows);
            assert!(lines.iter().all(|line| line.chars().count() <= LINE_CHARS && line.len() <= LINE_BYTES));
            assert!(lines.last().unwrap().ends_with("..."), "{lines:?}");
            assert!(lines.iter().all(|line| !line.is_empty()));
        }
    }
}

#[test]
fn where_players_bank_the_last_row_says_who_until_something_is_to_be_told() {
    let mut findings = Findings::new(Lang::Es);
    let mut display = PitDisplay::new(Lang::Es);
    let mut felt = felt(&["carta para la banca"]);
    felt.banker = Some("P3".into());
    let last = DISPLAY_ROWS - 1;
    let rows = sent(&mut display, &felt, &findings, None);
    assert_eq!(rows, ["Green", "0 carta para la banca", &format!("{last} banca: P3")]);
    findings.take(c7());
    let told = sent(&mut display, &felt, &findings, None);
    assert!(told.iter().all(|row| !row.contains("banca: P3")), "{told:?}");
}
