//! What the page draws.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sabot_law::table::answer::Lang;
use sabot_law::table::felt::{FeltHand, HandState, Shown};
use sabot_law::table::{BetSpot, Card, Felt, HandId, Phase, Remedy};
use sabot_station::console;
use sabot_station::snapshot::{Face, FindingState, Snapshot};

use super::samples::{self, felt_box};

const LANGS: [Lang; 2] = [Lang::Es, Lang::En];

fn page(snapshot: &Snapshot, lang: Lang) -> String {
    console::page(snapshot, lang, true).unwrap()
}

/// The text of the first element with this opening, up to the next tag.
fn after<'a>(page: &'a str, opening: &str) -> &'a str {
    let at = page.find(opening).unwrap_or_else(|| panic!("{opening} is not in the page")) + opening.len();
    page[at..].split('<').next().unwrap()
}

#[test]
fn what_is_due_comes_first_and_the_rest_in_order() {
    let page = page(&samples::rich_play(), Lang::Es);
    assert_eq!(after(&page, "<p class=\"first\">"), "quemar 1 carta de la banca");
    let then = page.find("servir 1 carta cubierta a la banca").unwrap();
    assert!(then < page.find("preguntar al casillero 3b").unwrap());
}

#[test]
fn where_a_player_banks_the_bank_bears_the_name_and_a_hand_given_up_says_so() {
    let mut snapshot = samples::rich_play();
    assert!(!page(&snapshot, Lang::Es).contains("Banca <span class=\"who\">"));
    snapshot.felt.banker = Some("P6".into());
    snapshot.felt.boxes[0].hands[0].state = HandState::Surrendered;
    for (lang, state) in [(Lang::Es, "Se rindió"), (Lang::En, "Gave up")] {
        let page = page(&snapshot, lang);
        let bank = page.find("<section id=\"bank\"").unwrap();
        assert_eq!(after(&page[bank..], "<span class=\"who\">"), "P6");
        assert!(page.contains("class=\"hand surrendered\"") && page.contains(state), "{state}");
    }
}

#[test]
fn the_validators_c7_is_told_as_due_as_an_open_finding_and_cleared_when_done() {
    let told = |log: &str, lang| page(&samples::after_log(log), lang);
    for (lang, burn) in [(Lang::Es, "quemar 1 carta de la banca"), (Lang::En, "burn 1 card of the bank")] {
        let open = told(samples::C7_LOG, lang);
        assert_eq!(after(&open, "<p class=\"first\">"), burn);
        let item = &open[open.find("class=\"finding open irregularity\" data-n=\"1\">").unwrap()..];
        assert!(item.contains("<h3><a href=\"/findings/1?lang="), "{item}");
        assert_eq!(after(item, "<b class=\"article\">"), "C7");
        let done = r#"{"ev":"move","from":"bank","to":"burn","cards":1}
{"ev":"draw","card":"4S","to":"bank","face":"down"}"#;
        let cleared = told(&format!("{}{done}", samples::C7_LOG), lang);
        assert!(
            cleared.contains("class=\"finding cleared irregularity\"") && cleared.contains("class=\"alarm clear\"")
        );
        assert!(!cleared.contains("4 de pique") && !cleared.contains("4 of spades"));
    }
}

/// The steps of the first finding in the list, a line each, as they are read.
fn steps(page: &str) -> Vec<String> {
    let list = page[page.find("<li id=\"finding-").unwrap()..].split("</ol>").next().unwrap();
    let step = |item: &str| {
        let text: String = item.split('<').map(|tag| tag.split_once('>').map_or("", |(_, text)| text)).collect();
        format!("{}: {text}", item.split('"').next().unwrap())
    };
    list.split("<li class=\"part ").skip(1).map(|item| step(item.split("</li>").next().unwrap())).collect()
}

#[test]
fn a_remedy_is_told_step_by_step_with_who_must_act_and_what_is_done_marked_in_words() {
    let burned = format!("{}{}", samples::C7_LOG, r#"{"ev":"move","from":"bank","to":"burn","cards":1}"#);
    let at = |log: &str, lang| steps(&page(&samples::after_log(log), lang));
    let burn = "open: quemar 1 carta de la banca pagador";
    let serve = "open: dar carta a la banca pagador";
    assert_eq!(at(samples::C7_LOG, Lang::Es), [burn, serve]);
    assert_eq!(at(&burned, Lang::Es), ["done: quemar 1 carta de la banca pagador ✓ hecho", serve]);
    assert_eq!(
        at(&burned, Lang::En),
        ["done: burn 1 card of the bank dealer ✓ done", "open: deal a card to the bank dealer"]
    );
    let forged = format!("{}{}", samples::C7_LOG, r#"{"ev":"device","device":"shoe","status":"forged"}"#);
    assert_eq!(at(&forged, Lang::En), ["open: the room decides room"], "the gravest comes first");
}

#[test]
fn of_money_the_page_tells_what_was_owed_what_was_given_and_what_is_left_now() {
    let mut snapshot = samples::rich_play();
    snapshot.findings[0].finding.details.owed = Some(5_000);
    snapshot.findings[0].finding.details.done = Some(-10_000);
    snapshot.findings[0].finding.remedy =
        vec![Remedy::Pay { hand: HandId::first(1), amount: 15_000, spot: BetSpot::Main }];
    snapshot.felt.remedies = samples::untouched(&snapshot.findings);
    snapshot.felt.remedies[0].steps[0].remedy =
        Remedy::Pay { hand: HandId::first(1), amount: 12_000, spot: BetSpot::Main };
    for (lang, money, step) in [
        (Lang::Es, "Correspondía: pagar 50 · Se hizo: retirar 100", "open: pagar 120 al casillero 1 pagador"),
        (Lang::En, "Owed: pay 50 · Given: collect 100", "open: pay 120 to box 1 dealer"),
    ] {
        let page = page(&snapshot, lang);
        assert_eq!(after(&page, "<p class=\"money\">"), money);
        assert_eq!(steps(&page), [step]);
    }
}

/// The rows of the settlement, each as it is read.
fn accounts(page: &str) -> Vec<String> {
    let table = page.split("<table class=\"accounts\">").nth(1).unwrap_or_default().split("</tbody>").next().unwrap();
    let text = |row: &str| {
        let text = row.split('<').map(|tag| tag.split_once('>').map_or("", |(_, text)| text.trim()));
        text.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ")
    };
    table.split("<tr id=").skip(1).map(|row| text(row.split("</tr>").next().unwrap())).collect()
}

#[test]
fn while_the_bank_settles_each_box_has_what_it_is_owed_what_it_was_given_and_what_is_left_in_figures() {
    let log = samples::settlement_log();
    let settled = format!(
        "{log}{}",
        r#"{"ev":"collect","box":"2","amount":5000}
{"ev":"pay","box":"1","amount":2000}
"#
    );
    for (lang, before, after) in [
        (
            Lang::Es,
            ["1 | gana | pagar 50 | – | pagar 50", "2 | pierde | retirar 50 | – | retirar 50"],
            ["1 | gana | pagar 50 | pagado 20 | pagar 30", "2 | pierde | retirar 50 | retirado 50 | ✓ | listo"],
        ),
        (
            Lang::En,
            ["1 | wins | pay 50 | – | pay 50", "2 | loses | collect 50 | – | collect 50"],
            ["1 | wins | pay 50 | paid 20 | pay 30", "2 | loses | collect 50 | collected 50 | ✓ | done"],
        ),
    ] {
        let told = |log: &str| accounts(&page(&samples::after_log(log), lang));
        assert_eq!(told(&log)[..2], before);
        assert_eq!(told(&settled)[..2], after);
        assert_eq!(told(&settled).len(), 3);
        assert_eq!(told(samples::C7_LOG), Vec::<String>::new(), "nothing is settled in play");
    }
}

#[test]
fn an_open_finding_is_on_top_of_newer_ones_and_raised_beside_what_is_due() {
    let mut snapshot = samples::rich_play();
    let words = ("Otra cosa.", "Something else.");
    snapshot.findings.insert(0, samples::finding(9, "D8", Some(HandId::first(1).into()), FindingState::Noted, words));
    for (lang, state, remedy) in
        [(Lang::Es, "Abierto", "quemar 1 carta de la banca"), (Lang::En, "Open", "burn 1 card of the bank")]
    {
        let page = page(&snapshot, lang);
        assert!(page.find("id=\"finding-4\"").unwrap() < page.find("id=\"finding-9\"").unwrap());
        let list = &page[page.find("id=\"finding-4\"").unwrap()..page.find("id=\"finding-9\"").unwrap()];
        assert!(list.contains(state) && list.contains(remedy) && list.contains("C7"), "{list}");
        assert!(page.contains("class=\"alarm raised irregularity\""));
        assert!(page.contains("<title>⛔ ⚠ C7"));
    }
}

#[test]
fn findings_of_one_cause_stand_together_and_say_so() {
    let mut snapshot = samples::rich_play();
    let mut other = snapshot.findings[0].clone();
    (other.finding.n, other.finding.provision) = (9, "C18");
    snapshot.findings.insert(0, other);
    for (lang, words) in [(Lang::Es, "Por lo mismo que el n.º 4"), (Lang::En, "By the same as no. 4")] {
        let page = page(&snapshot, lang);
        assert_eq!(page.matches(words).count(), 1, "{page}");
        let ids: Vec<_> = page.split("id=\"finding-").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(ids[..2], ["4", "9"], "it stands behind the one that was first");
    }
}

#[test]
fn a_finding_shows_where_it_stands() {
    let page = page(&samples::rich_play(), Lang::En);
    for (id, class, words) in [
        ("finding-4", "open", "To do"),
        ("finding-3", "breach", "Left undone"),
        ("finding-2", "cleared", "Done"),
        ("finding-1", "noted", "passed over"),
    ] {
        let from =
            page.find(&format!("id=\"{id}\" class=\"finding {class} ")).unwrap_or_else(|| panic!("{id} {class}"));
        let item = &page[from..from + page[from..].find("</li>\n").unwrap_or(page.len() - from)];
        assert!(item.contains(words), "{id}: {item}");
    }
}

#[test]
fn a_finding_flags_the_place_it_is_about_only_while_it_is_open() {
    let mut snapshot = samples::rich_play();
    let bank = |page: &str| after(page, "id=\"bank\" class=\"bank").split('>').next().unwrap().contains("flagged");
    assert!(bank(&page(&snapshot, Lang::Es)));
    snapshot.findings[0].state = FindingState::Cleared;
    assert!(!bank(&page(&snapshot, Lang::Es)));
}

#[test]
fn what_is_not_seen_is_a_banner_with_since_when_and_what_is_not_judged_for_it() {
    let mut snapshot = samples::calm_delivery();
    for lang in LANGS {
        let calm = page(&snapshot, lang);
        assert!(!calm.contains("banner fault") && calm.contains("class=\"tick\""), "all is seen");
    }
    snapshot.verdict = samples::blind("sabot: no se ve", "shoe: not seen", true);
    for (lang, what, stop, not_judged) in [
        (Lang::Es, "sabot: no se ve", "detener el reparto", "no se juzga del todo: M1 M3"),
        (Lang::En, "shoe: not seen", "stop dealing", "not wholly judged: M1 M3"),
    ] {
        let blind = page(&snapshot, lang);
        let banner = blind.split("<div class=\"banner fault blind\"").nth(1).unwrap();
        let banner = banner.split("</div>").next().unwrap();
        for words in [what, stop, not_judged, "<time datetime=\"2026-11-24T03:04:05.678Z\">"] {
            assert!(banner.contains(words), "{words}: {banner}");
        }
        let at_home = Snapshot { house: "Europe/Madrid".parse().unwrap(), ..snapshot.clone() };
        assert!(page(&at_home, lang).contains("data-zone=\"Europe/Madrid\""));
        assert!(page(&at_home, lang).contains(">2026-11-24T04:04:05+01:00</time>"), "without a script too");
        assert!(!blind.contains("class=\"tick\""), "nothing green over what is not seen");
        assert!(blind.contains("<title>⛔ "));
    }
}

#[test]
fn only_a_clear_verdict_has_a_tick() {
    let mut snapshot = samples::calm_delivery();
    for face in Face::ALL {
        snapshot.verdict.face = face;
        assert_eq!(page(&snapshot, Lang::Es).contains("class=\"tick\""), face == Face::Clear, "{face:?}");
    }
}

#[test]
fn a_device_that_is_absent_says_so_in_words() {
    let snapshot = samples::rich_play();
    for (lang, absent) in [(Lang::Es, "Ausente"), (Lang::En, "Absent")] {
        let page = page(&snapshot, lang);
        let shuffler = &page[page.find("id=\"device-shuffler\"").unwrap()..];
        assert!(shuffler[..shuffler.find("</li>").unwrap()].contains(absent));
        assert!(page.contains("no se puede abrir el puerto"));
    }
}

#[test]
fn a_device_with_a_poor_line_or_a_full_one_says_so_in_the_readers_language_though_it_is_online() {
    let mut snapshot = samples::calm_delivery();
    assert!(!page(&snapshot, Lang::Es).contains("warned"));
    snapshot.devices[0].poor = Some(samples::due("el cable o su conector está fallando", "the cable is going bad"));
    snapshot.devices[1].full = Some(samples::due("lleno: no toma nada más", "full: takes nothing more"));
    for (lang, cable, full, online) in [
        (Lang::Es, "el cable o su conector está fallando", "lleno: no toma nada más", "En línea"),
        (Lang::En, "the cable is going bad", "full: takes nothing more", "Online"),
    ] {
        let page = page(&snapshot, lang);
        for (device, words) in [("shoe", cable), ("shuffler", full)] {
            let at = page.find(&format!("<li id=\"device-{device}\" class=\"device online warned\"")).unwrap();
            let shown = page[at..].split("</li>").next().unwrap();
            assert!(
                shown.contains(&format!("<span class=\"warning\">{words}</span>")) && shown.contains(online),
                "{shown}"
            );
        }
        assert_eq!(page.matches("warned").count(), 2);
    }
}

#[test]
fn whatever_comes_from_outside_is_text_and_never_markup() {
    const EVIL: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;";
    let mut snapshot = samples::worst_evening();
    snapshot.table = EVIL.into();
    snapshot.regulation = EVIL.into();
    snapshot.verdict = samples::blind(EVIL, EVIL, true);
    snapshot.felt.due = vec![samples::due(EVIL, EVIL); 3];
    for box_ in &mut snapshot.felt.boxes {
        box_.seated = Some(EVIL.into());
        box_.bettor = Some(EVIL.into());
    }
    for view in &mut snapshot.findings {
        view.es = EVIL.into();
        view.en = EVIL.into();
    }
    for device in &mut snapshot.devices {
        device.role = EVIL.into();
        device.port = EVIL.into();
        device.detail = EVIL.into();
    }
    for lang in LANGS {
        let page = page(&snapshot, lang);
        assert!(!page.contains("<script>") && !page.contains("<img"));
        assert_eq!(page.matches("<script").count(), 1, "its own, by address");
        assert!(!page.contains(" style=") && !page.contains("<style"), "the policy would refuse it");
        assert!(page.contains("&#60;script&#62;") || page.contains("&lt;script&gt;"));
    }
}

/// A hand whose cards are drawn with the way each lies: true is covered.
fn lying() -> impl Strategy<Value = Vec<(u8, bool)>> {
    prop::collection::vec((0..52u8, any::<bool>()), 0..8)
}

fn shown(lying: &[(u8, bool)]) -> Vec<Shown> {
    let card = |&(index, covered): &(u8, bool)| match covered {
        true => Shown::Covered,
        false => Shown::Up(Card::from_index(index).unwrap()),
    };
    lying.iter().map(card).collect()
}

/// How a card is read aloud on the page.
fn aloud(index: u8, lang: Lang) -> String {
    let card = Card::from_index(index).unwrap().to_string();
    let rank = match (&card[..1], lang) {
        ("T", _) => "10",
        ("A", Lang::Es) => "as",
        ("A", Lang::En) => "ace",
        (rank, _) => rank,
    };
    let suits = match lang {
        Lang::Es => [("S", "pique"), ("H", "corazón"), ("D", "diamante"), ("C", "trébol")],
        Lang::En => [("S", "spades"), ("H", "hearts"), ("D", "diamonds"), ("C", "clubs")],
    };
    let suit = suits.iter().find(|(code, _)| *code == &card[1..]).unwrap().1;
    let of = if lang == Lang::Es { "de" } else { "of" };
    format!("{rank} {of} {suit}")
}

/// Every card a page names, and how often.
fn named(page: &str, class: &str) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for element in page.split(&format!("<span class=\"card {class}")).skip(1) {
        let label = element.split("aria-label=\"").nth(1).unwrap().split('"').next().unwrap();
        *names.entry(label.to_string()).or_default() += 1;
    }
    names
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// The station's picture holds no covered value; this holds the drawing to it: what is named is what lies
    /// uncovered, no less and no more, and a card that lies only covered is nowhere in any form, in the page or the
    /// JSON.
    #[test]
    fn a_covered_card_is_in_no_form_in_what_is_sent(
        hands in prop::collection::vec(lying(), 1..7), bank in lying(), phase in 0..6usize,
    ) {
        let phases = [Phase::Idle, Phase::Bets, Phase::Delivery, Phase::Play, Phase::Bank, Phase::Settlement];
        let boxes = hands.iter().zip(1..).map(|(cards, box_no)| {
            let hand = FeltHand {
                id: HandId::first(box_no),
                cards: shown(cards),
                total: None,
                state: HandState::Doubled,
                stake: 100,
                insurance: 0,
            };
            felt_box(box_no, "P", "P", vec![hand])
        });
        let felt = Felt { boxes: boxes.collect(), bank: shown(&bank), phase: phases[phase], ..Felt::default() };
        let snapshot = Snapshot { felt, ..Snapshot::default() };
        let all: Vec<(u8, bool)> = hands.iter().flatten().chain(&bank).copied().collect();
        for lang in LANGS {
            let page = page(&snapshot, lang);
            let mut uncovered: BTreeMap<String, usize> = BTreeMap::new();
            for &(index, _) in all.iter().filter(|(_, covered)| !covered) {
                *uncovered.entry(aloud(index, lang)).or_default() += 1;
            }
            prop_assert_eq!(named(&page, "up"), uncovered);
            let backs = page.matches("<span class=\"card back\"").count();
            prop_assert_eq!(backs, all.iter().filter(|(_, covered)| *covered).count());
            for back in page.split("<span class=\"card back\"").skip(1) {
                let inside = back.split("</span>").next().unwrap();
                prop_assert!(!inside.contains("suit") && !inside.contains("<b"), "{}", inside);
            }
        }
        let json = serde_json::to_string(&snapshot).unwrap();
        for &(index, _) in all.iter().filter(|(index, covered)| *covered && !all.contains(&(*index, false))) {
            let code = format!("\"{}\"", Card::from_index(index).unwrap());
            prop_assert!(!json.contains(&code));
            for lang in LANGS {
                let name = format!("\"{}\"", aloud(index, lang));
                let page = page(&snapshot, lang);
                prop_assert!(!page.contains(&name));
            }
        }
    }
}
