use super::*;
use crate::config::{Config, Mistake};
use sabot_law::regulation::fill;
use sabot_law::replay::Over;
use sabot_law::table::answer::Lang;

const GOOD: &str = r#"id = "casa-sur"
title = { es = "Reglamento", en = "Regulation" }
base = "sala-8"
without = ["D10", "C17"]
with = ["talla/T-R1"]

[settings]
min_decks = 6
bank_stands = 18
behind_cut_card = [60, 90]
surrender = "late"
"#;

fn good() -> Chosen {
    parse(Path::new("/etc/sabot/house.toml"), GOOD).unwrap_or_else(|error| panic!("{error}"))
}

/// The mistake after `from` was replaced by `to` in a good file.
fn after(from: &str, to: &str) -> Mistake {
    assert!(GOOD.contains(from), "nothing would be replaced");
    match parse(Path::new("/etc/sabot/house.toml"), &GOOD.replacen(from, to, 1)) {
        Err(ConfigError::Mistake(mistake)) => *mistake,
        other => panic!("a mistake was expected, not {other:?}"),
    }
}

#[test]
fn a_house_begins_with_its_base_leaves_out_adds_and_changes() {
    let Chosen { id, rules, regulation } = good();
    assert_eq!((id.as_str(), &*regulation.id), ("casa-sur", "casa-sur"));
    let ids: Vec<&str> = regulation.articles.iter().map(|article| article.id).collect();
    let base = &sabot_law::regulation::sala8::SALA_8;
    assert_eq!(ids.len(), base.articles.len() - 2 + 1);
    assert!(!ids.contains(&"D10") && !ids.contains(&"C17"));
    assert_eq!(ids[ids.len() - 2..], ["T-R1", "C20"], "what is added stands before what leaves it to the room");
    let settings = &regulation.settings;
    assert_eq!(
        (settings.decks.min, settings.bank.stands, settings.seating.min_bets),
        (6, 18, base.settings.seating.min_bets)
    );
    assert_eq!(rules.unwrap().fingerprint.unwrap().len(), 64);
}

#[test]
fn a_mistake_is_told_as_a_person_reads_it() {
    let expected = "/etc/sabot/house.toml:8:1: unknown key `min_deks`\n\
                    8 | min_deks = 6\n\
                    \x20 | ^^^^^^^^\n\
                    \x20 = write `min_decks` (there are: ";
    let told = after("min_decks", "min_deks").to_string();
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn every_mistake_names_its_line_and_key_and_a_way_out() {
    type Case = (&'static str, &'static str, (usize, usize), &'static str, &'static str);
    let cases: &[Case] = &[
        ("without =", "wihtout =", (4, 1), "unknown key `wihtout`", "write `without`"),
        ("base = \"sala-8\"\n", "", (1, 1), "`base` is missing", "add for example `base = \"sala-8\"`"),
        ("\"sala-8\"", "\"sala8\"", (3, 8), "`base`: no regulation `sala8`", "write `sala-8`"),
        ("\"casa-sur\"", "\"talla\"", (1, 6), "`id`: `talla` cannot be", "id = \"casa-sur\""),
        ("\"casa-sur\"", "\"Casa Sur\"", (1, 6), "lower-case letters", "id = \"casa-sur\""),
        ("\"Regulation\"", "\" \"", (2, 9), "`title`: it says nothing", "title = {"),
        ("\"D10\"", "\"D99\"", (4, 12), "`without`: `sala-8` has no article `D99`", "write `D9`"),
        ("\"D10\"", "\"d10\"", (4, 12), "has no article `d10`", "write `D10`"),
        ("\"C17\"", "\"D10\"", (4, 19), "`without`: D10 is left out twice", "remove it"),
        ("\"C17\"", "\"C20\"", (4, 19), "C20 says what is done", "remove it"),
        ("talla/T-R1", "talla/T-R11", (5, 9), "`with`: there is no article `talla/T-R11`", "write `talla/T-R1`"),
        ("talla/T-R1", "T-R1", (5, 9), "there is no article `T-R1`", "write `talla/T-R1`"),
        ("talla/T-R1", "sala-8/D12", (5, 9), "`with`: D12 is there already", "remove it"),
        ("\"talla/T-R1\"]", "\"talla/T-R1\", \"talla/T-R1\"]", (5, 23), "T-R1 is there already", "remove it"),
        (
            "min_decks = 6",
            "min_decks = \"six\"",
            (8, 13),
            "`min_decks`: string \"six\" where a whole number",
            "settings",
        ),
        ("bank_stands = 18", "bank_stands = 11", (9, 15), "`bank_stands`: 11 is out of range", "from 12 to 21"),
        ("bank_stands = 18", "bank_stands = 300", (9, 15), "`bank_stands`: integer `300`", "settings"),
        ("bank_stands = 18", "max_hands = 9", (9, 13), "`max_hands`: 9 is out of range", "from 1 to 8"),
        (
            "bank_stands = 18",
            "max_decks = 5",
            (8, 13),
            "`min_decks`: 6 is more than `max_decks`",
            "greater `max_decks`",
        ),
        ("min_decks = 6", "max_decks = 5", (8, 13), "`max_decks`: 8 is more than", "greater `max_decks`"),
        ("bank_stands = 18", "blackjack = \"3 to 2\"", (9, 13), "`blackjack`: `3 to 2` is no proportion", "settings"),
        ("bank_stands = 18", "blackjack = \"0:2\"", (9, 13), "`blackjack`: 0:2 is out of range", "such as \"3:2\""),
        ("bank_stands = 18", "insurance_part = \"3:2\"", (9, 18), "is more than the stake", "such as \"1:2\""),
        ("[60, 90]", "[90, 60]", (10, 19), "nothing lies from 90 to 60", "`behind_cut_card = [60, 90]`"),
        ("\"late\"", "\"lat\"", (11, 13), "`surrender`: `lat` is not a rule of surrender", "write `late`"),
        ("bank_stands = 18", "bank_hits_soft_17 = 1", (9, 21), "where true or false belongs", "settings"),
        ("min_decks = 6", "min_decks = 6\nmin_decks = 7", (9, 1), "`min_decks` stands here twice", "remove one"),
        ("base = ", "base == ", (3, 7), "", "base = \"sala-8\""),
    ];
    for (from, to, at, what, instead) in cases {
        let mistake = after(from, to);
        assert_eq!((mistake.line, mistake.column), *at, "{to}: {mistake}");
        assert!(mistake.what.contains(what), "{to}: {mistake}");
        assert!(mistake.instead.contains(instead), "{to}: {mistake}");
    }
}

#[test]
fn the_documented_example_is_what_its_page_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/house.toml");
    let Chosen { id, rules, regulation } = load(&file).unwrap_or_else(|error| panic!("{error}"));
    let rules = rules.unwrap();
    assert_eq!((id.as_str(), rules.base.as_str()), ("casa-sur", "sala-8"));
    assert_eq!(notes(&rules, &regulation), Vec::<String>::new());
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/own-regulation.md")).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        assert!(page.contains(line), "docs/own-regulation.md does not show `{line}`");
    }
}

#[test]
fn a_setting_no_article_speaks_of_and_one_that_is_so_already_are_noted() {
    let noted = |line: &str| {
        let text = GOOD.replace("bank_stands = 18", line);
        let Chosen { rules, regulation, .. } = parse(Path::new("f"), &text).unwrap();
        notes(&rules.unwrap(), &regulation)
    };
    assert_eq!(noted("bank_stands = 18"), Vec::<String>::new());
    assert_eq!(noted("bank_stands = 17"), ["`bank_stands` is so in `sala-8` already"]);
    assert_eq!(noted("bet_multiple = 500"), ["`bet_multiple`: no article of this regulation speaks of it"]);
    // D10 speaks of it, and was left out on purpose
    assert_eq!(noted("ace_is_declared = false"), Vec::<String>::new());
}

#[test]
fn texts_tell_the_houses_figures() {
    let regulation = good().regulation;
    let case = |id: &str, nth: usize, lang| {
        let case = regulation.article(id).unwrap().cases[nth];
        fill(case.get(lang), &regulation.settings, lang).into_owned()
    };
    assert_eq!(case("M1", 0, Lang::Es), "menos mazos que los seis exigidos");
    assert_eq!(case("D7", 0, Lang::En), "the cut card does not leave 60 to 90 cards behind it");
    assert_eq!(case("D12", 0, Lang::En), "the bank drew at 18 or more: the card is burned");
}

#[test]
fn the_fingerprint_is_that_of_what_is_judged_by() {
    let of = |text: &str| parse(Path::new("f"), text).unwrap().rules.unwrap().fingerprint.unwrap();
    assert_eq!(of(GOOD), of(&GOOD.replace("casa-sur", "casa-este").replace("Reglamento", "Otro")));
    assert_ne!(of(GOOD), of(&GOOD.replace("min_decks = 6", "min_decks = 7")));
    assert_ne!(of(GOOD), of(&GOOD.replace("\"D10\", ", "")));
}

/// What is told of a log with these rules, held against those of `with` or its own.
fn told(rules: &Rules, with: Option<&str>) -> Vec<String> {
    let over = with.map(|text| {
        let Chosen { id, rules, .. } = parse(Path::new("f"), text).unwrap();
        Over { id, rules }
    });
    let rules = serde_json::to_string(rules).unwrap();
    let header = format!(
        r#"{{"ev":"table","v":1,"table":"T","regulation":"casa-sur","boxes":3,"limits":{{"max":9}},"rules":{rules}}}"#
    );
    let mut replay = Replay::new(Lang::Es, over);
    replay.feed(header.as_bytes(), &mut Vec::new()).unwrap();
    differences(&replay)
}

#[test]
fn a_log_held_against_other_rules_than_it_was_made_under_is_told() {
    let rules = good().rules.unwrap();
    assert_eq!(told(&rules, None), Vec::<String>::new());
    assert_eq!(told(&rules, Some(GOOD)), Vec::<String>::new());
    let other = GOOD.replace("bank_stands = 18", "bank_stands = 19").replace("\"C17\"", "\"C19\"");
    let words = told(&rules, Some(&other)).join("\n");
    for part in ["articles it had then: C19", "articles it has now: C17", "bank_stands was 18 and is 19"] {
        assert!(words.contains(part), "{words}");
    }
    assert!(told(&rules, Some(&GOOD.replace("casa-sur", "casa-este"))).join("").contains("held against `casa-este`"));
    let noted = Rules { fingerprint: Some("0".repeat(64).into()), ..rules };
    assert!(told(&noted, None).join("").contains("this version of sabot reads the rules"), "{:?}", told(&noted, None));
}

#[test]
fn a_tables_configuration_names_the_file_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("house.toml"), GOOD).unwrap();
    let table = |regulation: &str, more: &str| {
        format!(
            "table = \"T\"\nregulation = \"{regulation}\"\nlimits = {{ min = 1, max = 2 }}\njournal = \"r\"\n{more}\
             [[device]]\nrole = \"shoe\"\nport = \"p\"\n"
        )
    };
    let read = |text: &str| Config::parse(&folder.path().join("station.toml"), text);
    let config = read(&table("house.toml", "")).unwrap();
    assert_eq!(config.header.regulation, "casa-sur");
    assert_eq!(config.header.rules, good().rules);
    let missing = read(&table("none.toml", "")).unwrap_err().to_string();
    assert!(missing.contains("none.toml") && missing.contains("docs/own-regulation.md"), "{missing}");
    let beyond = read(&table("house.toml", "[settings]\nmax_decks = 5\n")).unwrap_err().to_string();
    assert!(beyond.contains("station.toml:6:13: `max_decks`: 6 is more than"), "{beyond}");
    std::fs::write(folder.path().join("house.toml"), GOOD.replace("min_decks", "min_deks")).unwrap();
    let wrong = read(&table("house.toml", "")).unwrap_err().to_string();
    assert!(wrong.contains("house.toml:8:1: unknown key `min_deks`"), "{wrong}");
}
