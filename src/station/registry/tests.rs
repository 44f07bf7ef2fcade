use super::*;

const A: u64 = 0xE004_0100_0000_000A;
const B: u64 = 0xE004_0100_0000_000B;

fn entry(value: u32, state: State, table: Option<&str>) -> Entry<Chip> {
    Entry { what: Chip { value }, state, table: table.map(Name::new) }
}

fn registry() -> Registry<Chip> {
    let mut registry = Registry::default();
    registry.merge([
        (A, entry(5000, State::Valid, None)),
        (B, entry(5000, State::Cancelled, None)),
        (3, entry(100, State::Valid, Some("BJ-08"))),
    ]);
    registry
}

#[test]
fn a_table_of_chips_is_read_however_it_is_written() {
    let comma = "uid,value,state,table\nE00401000000000A,5000,,\nE00401000000000B,100,cancelled,BJ-07\n";
    let semicolon = "\u{feff}Value;\"UID\";Table;State\r\n5000;E00401000000000A;;valid\r\n\r\n100;e00401000000000b;\"BJ-07\";Cancelled\r\n";
    let chips = vec![(A, entry(5000, State::Valid, None)), (B, entry(100, State::Cancelled, Some("BJ-07")))];
    assert_eq!(read_csv(comma).unwrap(), chips);
    assert_eq!(read_csv(semicolon).unwrap(), chips);
}

#[test]
fn a_mistake_is_told_with_its_line_and_column() {
    let of = |text: &str| read_csv::<Chip>(text).unwrap_err();
    let at = |text: &str| (of(text).line, of(text).column);
    assert_eq!(at(""), (1, 1));
    assert_eq!(at("uid,worth\n"), (1, 5));
    assert_eq!(at("uid,value,uid\n"), (1, 11));
    assert_eq!(at("uid,state\n"), (1, 1));
    assert_eq!(at("uid,value\nE00401000000000A,5000\nE0,1\n"), (3, 1));
    assert_eq!(at("uid,value\nE00401000000000A,50.00\n"), (2, 18));
    assert_eq!(at("uid,value\nE00401000000000A,0\n"), (2, 18));
    assert_eq!(at("uid,value,state\nE00401000000000A,5,lost\n"), (2, 20));
    assert_eq!(at("uid,value\nE00401000000000A,5,6\n"), (2, 20));
    assert_eq!(at("uid,value\nE00401000000000A\n"), (2, 17));
    assert_eq!(at("uid,value\nE00401000000000A,\"5\n"), (2, 18));
    assert_eq!(at("uid,value\nE00401000000000A,\"5\"6\n"), (2, 18));
    assert_eq!(at("\n\nuid,table,value\nE00401000000000A,\"Mesa\nñ, 1\",5,6\n"), (5, 9));
    let twice = of("uid,value\nE00401000000000A,5\nE00401000000000A,6\n");
    assert_eq!(twice.to_string(), "line 3, column 1: `uid`: the chip stands in line 2 already");
}

#[test]
fn a_registry_is_the_same_after_its_file_and_a_second_import_changes_only_what_differs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("chips.jsonl");
    let mut registry = registry();
    registry.save(&path).unwrap();
    assert_eq!(Registry::<Chip>::load(&path).unwrap(), registry);
    let again = [
        (A, entry(5000, State::Cancelled, None)),
        (B, entry(5000, State::Cancelled, None)),
        (9, entry(1, State::Valid, None)),
    ];
    assert_eq!(registry.merge(again), (1, 1));
    assert_eq!((registry.len(), registry.cancelled(), registry.values()), (4, 2, HashMap::from([(3, 100), (9, 1)])));
    std::fs::write(&path, format!("{}\n{{\"uid\":\"1\",\"value\":1,\"state\":\"valid\"}}\n", Registry::<Chip>::head()))
        .unwrap();
    assert!(matches!(Registry::<Chip>::load(&path), Err(RegistryError::Line { line: 2, .. })));
    std::fs::write(&path, "uid,value\n").unwrap();
    assert!(matches!(Registry::<Chip>::load(&path), Err(RegistryError::Line { line: 1, .. })));
    assert!(matches!(Registry::<Chip>::load(&dir.path().join("none")), Err(RegistryError::Read { .. })));
}

fn card(uid: u64, deck: &str, card: &str, state: State) -> (u64, Entry<DeckCard>) {
    (uid, Entry { what: DeckCard::read(&[deck, card]).unwrap(), state, table: None })
}

#[test]
fn a_table_of_cards_is_read_and_its_registry_is_the_same_after_its_file() {
    let text = "uid,deck,card,state\nE00401000000000A,D-1,QS,\nE00401000000000B,D-1,load 416 80,\n\
                E00401000000000C,D-1,cut,cancelled\nE00401000000000D,D-1,empty,\n";
    let cards = vec![
        card(A, "D-1", "QS", State::Valid),
        card(B, "D-1", "load 416 80", State::Valid),
        card(A + 2, "D-1", "cut", State::Cancelled),
        card(A + 3, "D-1", "empty", State::Valid),
    ];
    assert_eq!(read_csv::<DeckCard>(text).unwrap(), cards);
    let mut registry = Registry::default();
    assert_eq!(registry.merge(cards), (4, 0));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("decks.jsonl");
    registry.save(&path).unwrap();
    assert_eq!(Registry::<DeckCard>::load(&path).unwrap(), registry);
    let first = std::fs::read_to_string(&path).unwrap().lines().nth(1).unwrap().to_owned();
    assert_eq!(first, r#"{"uid":"E00401000000000A","deck":"D-1","card":"QS","state":"valid"}"#);
    let no_chips = Registry::<Chip>::load(&path).unwrap_err().to_string();
    assert!(no_chips.contains("no registry of chips"), "{no_chips}");
}

#[test]
fn a_mistake_in_a_table_of_cards_is_told_with_its_line_and_column() {
    let at = |text: &str| {
        let mistake = read_csv::<DeckCard>(text).unwrap_err();
        (mistake.line, mistake.column)
    };
    assert_eq!(at("uid,card\n"), (1, 1));
    assert_eq!(at("uid,deck,card\nE00401000000000A,,QS\n"), (2, 18));
    for wrong in ["1S", "??", "load 80 416", "load 416", "cut card", ""] {
        assert_eq!(at(&format!("uid,deck,card\nE00401000000000A,D,{wrong}\n")), (2, 20), "{wrong}");
    }
}

#[test]
fn a_deck_is_whole_or_names_what_it_lacks_and_no_card_is_good_twice() {
    let all = (0..52).filter_map(table_card).map(|name| card(u64::from(name.0), "D-1", &name.1, State::Valid));
    let mut registry: Registry<DeckCard> = Registry::default();
    registry.merge(all);
    assert!(decks(&registry)["D-1"].is_whole());
    assert_eq!(registry.twice(), None);
    let queen = (0..52).filter_map(table_card).find(|(_, name)| name == "QS").unwrap().0;
    registry.merge([card(u64::from(queen), "D-1", "QS", State::Cancelled), card(99, "words", "cut", State::Valid)]);
    assert_eq!(decks(&registry)["D-1"].to_string(), "51 cards, 0 others, 1 cancelled; NOT WHOLE, without QS");
    assert_eq!(decks(&registry)["words"].to_string(), "0 cards, 1 others, 0 cancelled");
    registry.merge([card(100, "D-1", "QS", State::Valid)]);
    assert!(decks(&registry)["D-1"].is_whole());
    registry.merge([card(101, "D-1", "QS", State::Valid)]);
    assert_eq!(registry.twice().as_deref(), Some("QS of deck D-1"));
}

fn table_card(at: u8) -> Option<(u8, String)> {
    sabot_law::table::Card::from_index(at).map(|card| (at, card.to_string()))
}
