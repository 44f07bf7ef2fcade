//! Pictures of a table, as a station would take them.
#![allow(dead_code, reason = "two test programs take what they need")]

use sabot_law::table::answer::{Answer, Details, Finding, Lang, Text};
use sabot_law::table::due::{OpenRemedy, Progress, RemedyStep, Who};
use sabot_law::table::felt::{FeltBox, FeltHand, HandState, Shown, Words};
use sabot_law::table::{BetSpot, Card, Felt, HandId, Phase, Place, Remedy, Severity, line};
use sabot_law::validator::Validator;
use sabot_station::snapshot::{
    ClockView, DeviceAbout, DeviceFigures, DeviceState, DeviceView, Face, FindingState, FindingView, KeyState,
    ReadRateView, Snapshot, Unseen, Verdict,
};

/// Cards as the log writes them, `##` a covered one: `"8H ##"`.
pub(crate) fn cards(codes: &str) -> Vec<Shown> {
    let card = |code: &str| match code {
        "##" => Shown::Covered,
        code => Shown::Up(code.parse().unwrap()),
    };
    codes.split_whitespace().map(card).collect()
}

pub(crate) fn hand(id: &str, codes: &str, total: u8, state: HandState, stake: u64) -> FeltHand {
    let total = (total > 0).then_some(total);
    FeltHand { id: id.parse().unwrap(), cards: cards(codes), total, state, stake: stake * 100, insurance: 0 }
}

pub(crate) fn felt_box(box_no: u8, seated: &str, bettor: &str, hands: Vec<FeltHand>) -> FeltBox {
    let name = |text: &str| (!text.is_empty()).then(|| text.into());
    FeltBox { box_no, seated: name(seated), bettor: name(bettor), hands }
}

pub(crate) fn due(es: &str, en: &str) -> Words {
    Words { es: es.into(), en: en.into() }
}

/// A finding; `words` in Spanish and English.
pub(crate) fn finding(
    n: u64,
    provision: &'static str,
    place: Option<Place>,
    state: FindingState,
    words: (&str, &str),
) -> FindingView {
    let severity = match state {
        FindingState::Noted => Severity::Notice,
        _ => Severity::Irregularity,
    };
    let text = Text { es: words.0.into(), en: words.1.into(), lang: Lang::Es };
    let finding = Finding {
        n,
        line: 40 + 7 * n,
        pass: 10 + n,
        provision,
        place,
        severity,
        cards: vec![],
        remedy: vec![],
        of: None,
        details: Details::default(),
        text,
    };
    FindingView { state, ..FindingView::new(finding) }
}

/// The remedies of the open ones, nothing of them done yet.
pub(crate) fn untouched(findings: &[FindingView]) -> Vec<OpenRemedy> {
    let step =
        |remedy: &Remedy| RemedyStep { who: Who::carries_out(remedy), remedy: *remedy, progress: Progress::Open };
    let open = findings.iter().filter(|view| view.state == FindingState::Open);
    open.map(|view| OpenRemedy { finding: view.finding.n, steps: view.finding.remedy.iter().map(step).collect() })
        .collect()
}

/// C7: the bank's second card came uncovered.
pub(crate) fn c7(n: u64, state: FindingState) -> FindingView {
    let words = (
        "La segunda carta de la banca salió descubierta: se quema y se sirve otra cubierta. Nadie puede retirar ni reclamar.",
        "The bank's second card came uncovered: it is burned and another is dealt covered. Nobody may withdraw or claim it.",
    );
    let mut view = finding(n, "C7", Some(Place::Bank), state, words);
    view.finding.cards = vec!["9C".parse::<Card>().unwrap()];
    view.finding.remedy = vec![Remedy::Burn { place: Place::Bank, cards: 1 }, Remedy::Serve { to: Place::Bank }];
    view
}

pub(crate) fn device(role: &str, state: DeviceState, detail: &str) -> DeviceView {
    let port = format!("/dev/serial/by-role/{role}");
    DeviceView { role: role.into(), port, state, detail: detail.into(), ..DeviceView::default() }
}

pub(crate) fn devices() -> Vec<DeviceView> {
    ["shoe", "shuffler", "chips", "keypad", "display"]
        .map(|role| device(role, DeviceState::Online, "SB-1042 · firmware 0.1.0"))
        .into()
}

/// Nobody sits yet.
pub(crate) fn empty_table() -> Snapshot {
    let boxes = (1..=7).map(|box_no| felt_box(box_no, "", "", vec![])).collect();
    Snapshot {
        table: "BJ-07".into(),
        regulation: "sala-8".into(),
        line: 1,
        felt: Felt {
            boxes,
            due: vec![due("tomar asiento: faltan 3 jugadores", "take seats: 3 players are missing")],
            ..Felt::default()
        },
        devices: devices(),
        verdict: Verdict { face: Face::Clear, ..Verdict::default() },
        ..Snapshot::default()
    }
}

/// A delivery without a fault.
pub(crate) fn calm_delivery() -> Snapshot {
    let waiting = |id: &str, codes: &str, total| vec![hand(id, codes, total, HandState::Waiting, 500)];
    let mut snapshot = empty_table();
    snapshot.line = 118;
    snapshot.felt = Felt {
        pass: 12,
        phase: Phase::Delivery,
        boxes: vec![
            felt_box(1, "P1", "P1", waiting("1", "8H TC", 18)),
            felt_box(2, "P2", "P2", waiting("2", "5C 9D", 14)),
            felt_box(3, "P3", "P3", waiting("3", "QD 2S", 12)),
            felt_box(4, "P4", "P4", waiting("4", "AS", 11)),
            felt_box(5, "", "P4", waiting("5", "7D", 7)),
            felt_box(6, "P6", "P6", vec![]),
            felt_box(7, "", "", vec![]),
        ],
        banker: None,
        bank: cards("6S"),
        bank_total: Some(6),
        burned: 0,
        discarded: 131,
        drawn: 140,
        cut_card_out: false,
        due: vec![
            due("servir la segunda carta al casillero 4", "deal the second card to box 4"),
            due("servir la segunda carta al casillero 5", "deal the second card to box 5"),
            due("servir a la banca, cubierta", "deal to the bank, covered"),
        ],
        accounts: vec![],
        remedies: vec![],
    };
    snapshot.findings = vec![finding(
        1,
        "D8",
        Some(HandId::first(2).into()),
        FindingState::Noted,
        ("El casillero 2 fue salteado en el segundo reparto.", "Box 2 was passed over in the second delivery."),
    )];
    snapshot
}

/// In the middle of a pass that has everything: a split, a doubled covered card, an open C7, an absent device.
pub(crate) fn rich_play() -> Snapshot {
    let mut snapshot = empty_table();
    let mut insured = hand("1", "AS 6D", 17, HandState::Stood, 1_000);
    insured.insurance = 50_000;
    snapshot.line = 243;
    snapshot.felt = Felt {
        pass: 13,
        phase: Phase::Play,
        boxes: vec![
            felt_box(1, "P1", "P1", vec![insured]),
            felt_box(2, "P2", "P2", vec![hand("2", "5C 6D ##", 0, HandState::Doubled, 2_000)]),
            felt_box(
                3,
                "P3",
                "P3",
                vec![hand("3", "8H TC", 18, HandState::Stood, 500), hand("3b", "8S 3D 4C", 15, HandState::Turn, 500)],
            ),
            felt_box(4, "P4", "P4", vec![hand("4", "AH KS", 21, HandState::Blackjack, 2_500)]),
            felt_box(5, "", "P4", vec![hand("5", "TD 6C KH", 26, HandState::Over, 500)]),
            felt_box(6, "P6", "P6", vec![hand("6", "2S 3H 2D 4S 5D", 16, HandState::Waiting, 12_500)]),
            felt_box(7, "P7", "P7", vec![hand("7", "7C 7D", 14, HandState::Waiting, 50_000)]),
        ],
        banker: None,
        bank: cards("TS 9C"),
        bank_total: Some(19),
        burned: 1,
        discarded: 156,
        drawn: 187,
        cut_card_out: true,
        due: vec![
            due("quemar 1 carta de la banca", "burn 1 card of the bank"),
            due("servir 1 carta cubierta a la banca", "deal 1 covered card to the bank"),
            due("preguntar al casillero 3b si pide carta", "ask box 3b whether it wants a card"),
        ],
        accounts: vec![],
        remedies: vec![],
    };
    snapshot.findings =
        vec![c7(4, FindingState::Open), missed_box(3), burned_card(2), calm_delivery().findings.remove(0)];
    snapshot.felt.remedies = untouched(&snapshot.findings);
    snapshot.devices[1] = device("shuffler", DeviceState::Absent, "no se puede abrir el puerto: no existe");
    snapshot.verdict = blind("mezcladora: no se ve la mezcla", "shuffler: shuffling is not seen", false);
    snapshot.devices[2].bad_frames = 3;
    snapshot.devices[2].repeats = 1;
    snapshot
}

/// Something is not seen, since a time, and for it an article is not judged.
pub(crate) fn blind(es: &str, en: &str, stop: bool) -> Verdict {
    let since = Some("2026-11-24T03:04:05.678Z".to_owned());
    let unseen =
        vec![Unseen { device: None, what: due(es, en), since, not_judged: vec!["M1".into(), "M3".into()], stop }];
    Verdict { face: Face::Blind, unseen, ..Verdict::default() }
}

fn missed_box(n: u64) -> FindingView {
    let words = (
        "El casillero 6 quedó con una sola carta y el apostador no aceptó completarla.",
        "Box 6 was left with one card and its bettor did not agree to complete it.",
    );
    let hand = HandId::first(6);
    let mut view = finding(n, "C4", Some(hand.into()), FindingState::Breach, words);
    view.finding.remedy = vec![Remedy::Burn { place: hand.into(), cards: 1 }, Remedy::VoidBet { hand }];
    view.missing = vec![Remedy::Burn { place: hand.into(), cards: 1 }];
    view
}

fn burned_card(n: u64) -> FindingView {
    let words = ("Se extrajo una carta fuera de tiempo.", "A card was drawn out of time.");
    let mut view = finding(n, "C5", Some(HandId::first(1).into()), FindingState::Cleared, words);
    view.finding.remedy = vec![Remedy::Burn { place: HandId::first(1).into(), cards: 1 }];
    view
}

/// The worst evening: faults everywhere, the bank drawing long, names that are too long.
pub(crate) fn worst_evening() -> Snapshot {
    let mut snapshot = rich_play();
    let full = "no queda espacio en el disco (/var/lib/sabot/journal.jsonl)";
    snapshot.figures.unwritable = true;
    snapshot.verdict.unseen.insert(0, blind(full, full, true).unseen.remove(0));
    snapshot.felt.phase = Phase::Bank;
    snapshot.felt.bank = cards("2S 2H 3D AC 2D 3C 2C 5S");
    snapshot.felt.bank_total = Some(20);
    snapshot.felt.due.truncate(0);
    snapshot.felt.boxes[3].bettor = Some("Maximiliana Fernández de la Torre".into());
    snapshot.felt.boxes[0].hands = vec![hand("1", "2S 2H AD AC 3D 3C 2C 2D 4H", 20, HandState::Stood, 1_234_567)];
    // a split on a box whose bettor sits elsewhere, stakes in the millions
    snapshot.felt.boxes[4].hands = vec![
        hand("5", "8H TC", 18, HandState::Stood, 1_500_000),
        hand("5b", "8S 3D 4C 2D", 17, HandState::Turn, 2_345_678),
    ];
    snapshot.felt.boxes[4].hands[0].insurance = 75_000_000;
    snapshot.findings.insert(
        0,
        finding(
            5,
            "C3",
            Some(HandId::first(4).into()),
            FindingState::Open,
            ("Se apostó después de la primera carta.", "A bet came after the first card."),
        ),
    );
    snapshot.findings[0].finding.remedy = vec![Remedy::ReturnBet { hand: HandId::first(4), spot: BetSpot::Main }];
    snapshot.felt.remedies = untouched(&snapshot.findings);
    snapshot.devices[0] = device("shoe", DeviceState::Refused, "contesta como «chips»: la configuración dice «shoe»");
    snapshot.devices[4] = device("display", DeviceState::Connecting, "el puerto está abierto; todavía no saludó");
    snapshot
}

/// The bank has to settle: box 1 wins, box 2 loses, box 3 wins.
pub(crate) fn settlement_log() -> String {
    let dealt = C7_LOG.replace(
        r#""to":"bank","face":"up"}
"#,
        r#""to":"bank","face":"down"}
"#,
    );
    let first = dealt.replacen(r#""to":"bank","face":"down"}"#, r#""to":"bank","face":"up"}"#, 1);
    let stand = |no: u8| format!("{{\"ev\":\"decide\",\"box\":\"{no}\",\"choice\":\"stand\"}}\n");
    let stands: String = (1..=3).map(stand).collect();
    format!("{first}{stands}{{\"ev\":\"reveal\",\"at\":\"bank\"}}\n")
}

/// The worst that a devices page can have to tell: every device suspect, every spot read badly, long words everywhere.
pub(crate) fn worst_devices() -> Snapshot {
    let mut snapshot = worst_evening();
    for view in &mut snapshot.devices {
        view.about = DeviceAbout {
            since: Some("2026-11-24T03:04:05.678Z".into()),
            serial: Some("SH-000123456789".into()),
            firmware: Some("10.20.30".into()),
            start: Some(4_000_000_000),
            image: Some("a7".repeat(32)),
            pinned: Some("3c".repeat(32)),
            key: KeyState::Swapped,
            withheld: 1_234_567,
            withheld_last: Some(due("eventos 4000000000 a 4000000001", "events 4000000000 to 4000000001")),
            late: 12_345,
            clock_back: true,
        };
        let many = 4_000_000_000;
        let rate = |place: u8| ReadRateView {
            place: place.to_string(),
            spot: "insurance".into(),
            tags: 40,
            tries: many,
            reads: many / 3,
            inventory_ms: 12_345,
        };
        view.figures = DeviceFigures {
            events: many,
            frames: many,
            gaps: many,
            lost: many,
            unheard: many,
            forged: many,
            missing: many,
            replayed: many,
            reconnects: many,
            clock: Some(ClockView { offset_ms: -4_000_000_000, error_ms: 12_345, round_trip_ms: 24_690 }),
            read_rates: (1..=7).map(rate).collect(),
            rounds: None,
        };
        view.full = Some(due("lleno: no extraer cartas", "full: draw no card"));
    }
    for (unseen, device) in snapshot.verdict.unseen.iter_mut().zip(["shoe", "shuffler"]) {
        unseen.device = Some(device.into());
        unseen.not_judged = (1..=60).map(|n| format!("C{n}").into()).collect();
    }
    snapshot
}

/// The table after these lines of a log, as the validator tells it.
pub(crate) fn after_log(log: &str) -> Snapshot {
    let mut lines = log.lines().map(str::as_bytes);
    let mut table = Validator::new(line::header(lines.next().unwrap()).unwrap()).unwrap();
    let mut answers = Vec::new();
    for (event, n) in lines.zip(2..) {
        table.step(n, &line::event(event).unwrap(), &mut answers);
    }
    let mut findings: Vec<FindingView> = Vec::new();
    for answer in answers {
        match answer {
            Answer::Finding(finding) => {
                findings.insert(0, FindingView::new(*finding));
            }
            Answer::Cleared { finding: n, .. } => {
                findings
                    .iter_mut()
                    .filter(|view| view.finding.n == n)
                    .for_each(|view| view.state = FindingState::Cleared);
            }
            _ => {}
        }
    }
    Snapshot { felt: table.felt(), findings, ..empty_table() }
}

/// A pass in which the bank's second card comes uncovered (C7), as far as that card.
pub(crate) const C7_LOG: &str = r#"{"ev":"table","v":1,"table":"BJ-07","regulation":"sala-8","boxes":7,"limits":{"min":1000,"max":100000}}
{"ev":"seat","seat":1,"player":"P1"}
{"ev":"seat","seat":2,"player":"P2"}
{"ev":"seat","seat":3,"player":"P3"}
{"ev":"authorize","by":"I-4","role":"inspector","what":"shuffle"}
{"ev":"shuffle","decks":8,"cards":416}
{"ev":"cut","depth":150,"by":"P1"}
{"ev":"load","cards":416,"cut_card":52}
{"ev":"bet","box":"1","amount":5000,"player":"P1"}
{"ev":"bet","box":"2","amount":5000,"player":"P2"}
{"ev":"bet","box":"3","amount":5000,"player":"P3"}
{"ev":"close_bets"}
{"ev":"draw","card":"8H","to":"1","face":"up"}
{"ev":"draw","card":"5C","to":"2","face":"up"}
{"ev":"draw","card":"TD","to":"3","face":"up"}
{"ev":"draw","card":"9S","to":"bank","face":"up"}
{"ev":"draw","card":"TC","to":"1","face":"up"}
{"ev":"draw","card":"7D","to":"2","face":"up"}
{"ev":"draw","card":"QH","to":"3","face":"up"}
{"ev":"draw","card":"8D","to":"bank","face":"up"}
"#;
