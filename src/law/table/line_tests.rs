use super::*;

fn why(line: &str) -> String {
    event(line.as_bytes()).unwrap_err().to_string()
}

#[test]
fn an_error_names_the_field_and_what_it_should_hold() {
    assert_eq!(why(r#"{"ev":"draw"}"#), "field `card`: missing");
    assert!(why(r#"{"ev":"draw","card":"1X"}"#).starts_with("field `card`: `1X` is not a card"));
    assert!(why(r#"{"ev":"pay","box":"bank","amount":1}"#).starts_with("field `box`: `bank` is not a box"));
    assert!(why(r#"{"ev":"pay","box":"1","amount":-1}"#).starts_with("field `amount`: "));
    assert_eq!(why(r#"{"ev":"ace","box":"1","value":2}"#), "field `value`: an ace is 1 or 11, not 2");
    assert_eq!(
        why(r#"{"ev":"fly"}"#),
        "field `ev`: `fly` is no event of this format; docs/table-log.md tells them all"
    );
    assert!(why(r#"{"ev":"end","ev":"end"}"#).starts_with("field `ev`: given twice"));
    assert!(why("7").contains("a JSON object"));
    assert_eq!(
        why(r#"{"ev":"pay","box":"1","amount":-1}"#),
        "field `amount`: integer `-1` where a whole number belongs, not negative and not too great (column 33)"
    );
    assert_eq!(
        why(r#"{"ev":"correct","by":"I","role":"room","after":1,"event":{"ev":"end","t":"x"}}"#),
        "field `event`: field `t`: string \"x\" where a whole number belongs, not negative and not too great (column 76)"
    );
    let long = why(&format!(r#"{{"ev":"draw","card":"8H","to":"{}"}}"#, "y".repeat(100_000)));
    assert!(long.len() < 300 && long.contains("yyy...` is not a place"), "{long}");
    let long = why(&format!(r#"{{"ev":"{}"}}"#, "y".repeat(100_000)));
    assert!(long.len() < 300 && long.contains("yyy...` is no event"), "{long}");
    assert!(why("").contains("EOF"));
}

#[test]
fn an_amount_that_cannot_be_reckoned_with_is_refused() {
    let most = r#"{"ev":"pay","box":"1","amount":1000000000000000}"#;
    assert!(event(most.as_bytes()).is_ok());
    for line in [
        r#"{"ev":"pay","box":"1","amount":1000000000000001}"#,
        r#"{"ev":"collect","box":"1","amount":9223372036854775807}"#,
        r#"{"ev":"bet","box":"1","amount":1000000000000001}"#,
        r#"{"ev":"share","player":"P1","what":"advance","amount":1000000000000001}"#,
        r#"{"ev":"bank","how":"sold","player":"P2","by":"P1","amount":1000000000000001}"#,
    ] {
        assert!(why(line).starts_with("field `amount`: "), "{line}: {}", why(line));
    }
    let chips = r#"{"ev":"bet","box":"1","amount":1,"chips":[{"id":"E0","value":1000000000000001}]}"#;
    assert!(why(chips).starts_with("field `chips`: 1000000000000001 is more than"), "{}", why(chips));
}

#[test]
fn a_word_that_is_none_of_its_field_is_answered_with_those_that_are() {
    for (line, words) in [
        (r#"{"ev":"share","player":"P1","what":"bribe","amount":5}"#, "a share is an advance or a dividend"),
        (r#"{"ev":"announce","what":"bribe"}"#, "announced are total or next_cards_for_bank"),
        (r#"{"ev":"authorize","what":"bribe"}"#, "to be authorized are shuffle, next_cards_for_bank or deck_change"),
    ] {
        assert_eq!(why(line), format!("field `what`: {words}"));
    }
}

#[test]
fn an_event_reads_back_as_it_is_written() {
    for line in [
        r#"{"ev":"draw","card":"8H","to":"3b","face":"down"}"#,
        r#"{"ev":"bet","box":"1","amount":5000,"player":"P1"}"#,
        r#"{"ev":"bet","box":"1","spot":"double","amount":5000}"#,
        r#"{"ev":"move","from":"2","to":"burn","cards":["8D"]}"#,
        r#"{"ev":"move","from":"2","to":"burn","cards":3}"#,
        r#"{"ev":"close_bets"}"#,
        r#"{"ev":"announce","what":"total","box":"bank","value":17}"#,
        r#"{"ev":"rule","by":"R","role":"room","decision":"void","finding":2}"#,
        r#"{"ev":"bank_card","player":"P1","card":"AH"}"#,
        r#"{"ev":"bank","how":"sold","player":"P2","by":"P1","amount":5000}"#,
        r#"{"ev":"bank","how":"returned","by":"P1"}"#,
        r#"{"ev":"share","player":"P1","what":"advance","amount":5000}"#,
        r#"{"ev":"offer_cut","player":"P1"}"#,
        r#"{"ev":"correct","by":"I-4","role":"inspector","line":12}"#,
        r#"{"ev":"correct","by":"I-4","role":"inspector","after":12,"event":{"ev":"end"}}"#,
        r#"{"ev":"device","device":"shoe","status":"online","complete":true}"#,
    ] {
        let read = event(line.as_bytes()).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
    }
}

#[test]
fn unknown_fields_are_passed_over_and_the_time_is_read() {
    let (read, t) = timed(br#"{"ev":"end","t":17,"origin":{"x":[1]}}"#).unwrap();
    assert_eq!((read, t), (Event::End {}, Some(17)));
}

#[test]
fn a_hand_is_settled_as_a_whole_and_cards_are_turned_up_where_they_lie_covered() {
    let wrong = |line: &str| event(line.as_bytes()).unwrap_err().to_string();
    for (line, field) in [
        (r#"{"ev":"pay","box":"1","amount":10,"spot":"double"}"#, "field `spot`"),
        (r#"{"ev":"collect","box":"1","amount":10,"spot":"split"}"#, "field `spot`"),
        (r#"{"ev":"reveal","at":"burn","card":"AS"}"#, "field `at`"),
    ] {
        assert!(wrong(line).starts_with(field), "{line}: {}", wrong(line));
    }
}

#[test]
fn a_header_is_checked() {
    let good =
        br#"{"ev":"table","v":1,"table":"BJ-07","regulation":"sala-8","boxes":7,"limits":{"min":1000,"max":100000}}"#;
    assert!(header(good).unwrap().observes.places);
    assert!(header(br#"{"ev":"seat"}"#).unwrap_err().to_string().contains("no header"));
    let with = |field: &str| {
        let line = format!(
            r#"{{"ev":"table","v":2,"table":"B","regulation":"sala-8","boxes":7,"limits":{{"max":1}},{field}}}"#
        );
        header(line.as_bytes()).unwrap_err().to_string()
    };
    assert!(with(r#""observes":["faces","smells"]"#).starts_with("field `observes[1]`: `smells` is not a sight"));
    let of_version_1 = good.strip_suffix(b"}").unwrap();
    let of_version_1 = header(&[of_version_1, br#","observes":["moves"]}"#].concat()).unwrap_err().to_string();
    assert!(of_version_1.starts_with("field `observes`: `moves` belongs to version 2"), "{of_version_1}");
    assert!(with(r#""settings":{"late_entries":"maybe"}"#).starts_with("field `settings.late_entries`: string"));
    assert!(with(r#""settings":{"bank_stands":null}"#).starts_with("field `settings.bank_stands`: null where"));
    assert!(with(r#""settings":{"late_entries":null}"#).starts_with("field `settings.late_entries`: null where"));
    assert!(with(r#""observes":null"#).starts_with("field `observes`: null where"));
    assert!(with(r#""rules":7"#).starts_with("field `rules`: integer `7` where an object belongs"));
    assert_eq!(with(r#""rules":{"base":"talla"}"#), "field `rules.title`: missing");
    assert!(with(r#""settings":{"no_such":1}"#).starts_with("field `settings.no_such`: unknown field `no_such`"));
    let without = |field: &str| {
        let mut fields: serde_json::Value = serde_json::from_slice(good).unwrap();
        fields.as_object_mut().unwrap().remove(field);
        header(&serde_json::to_vec(&fields).unwrap()).unwrap_err().to_string()
    };
    for field in ["v", "table", "regulation", "boxes", "limits"] {
        assert_eq!(without(field), format!("field `{field}`: missing"));
    }
    // a list of its fields is no object
    let span = |value: &str| with(&format!(r#""settings":{{"behind_cut_card":{value}}}"#));
    let field = "field `settings.behind_cut_card`";
    assert!(
        span("40").starts_with(&format!("{field}: integer `40` where a list `[least, most]` belongs")),
        "{}",
        span("40")
    );
    assert!(
        span("[40]").starts_with(&format!("{field}: invalid length 1, expected a list `[least, most]`")),
        "{}",
        span("[40]")
    );
    assert!(with(r#""settings":[6]"#).starts_with("field `settings`: sequence where an object belongs"));
    let listed = br#"{"ev":"table","v":1,"table":"B","regulation":"sala-8","boxes":7,"limits":[1000,5000]}"#;
    assert!(header(listed).unwrap_err().to_string().starts_with("field `limits`: sequence where an object belongs"));
    assert!(with(r#""rules":{"no_such":1}"#).starts_with("field `rules.no_such`: unknown field `no_such`"));
    assert!(header(&[BYTE_ORDER_MARK, good].concat()).unwrap_err().to_string().contains("byte order mark"));
    assert!(
        header(br#"{"ev":"table","v":1,"table":"B","regulation":"sala-8","boxes":9,"limits":{"max":1}}"#)
            .unwrap_err()
            .to_string()
            .contains("boxes")
    );
}
