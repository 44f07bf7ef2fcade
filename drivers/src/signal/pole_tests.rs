use super::*;
use crate::signal::model::pole::PoleModel;
use crate::signal::{Attention, Level};

fn picture(texts: &[&str]) -> SignalContent {
    SignalContent::new(Level::Notice, Attention::None, texts.iter().map(|text| (*text).to_owned()))
}

fn sent(pole: &mut Pole, now: u64) -> Vec<u8> {
    let mut out = Vec::new();
    pole.transmit(now, &mut out).unwrap();
    out
}

fn shown(display: &PoleModel) -> [String; 2] {
    display.rows().map(|row| row.trim_end().to_owned())
}

#[test]
fn the_bytes_are_those_of_the_facts() {
    let mut pole = Pole::new(Settings { brightness: 3, ..Settings::usual(Protocol::EscPos) });
    pole.show(&picture(&["¿Á é ñ!", "Ñ"]));
    pole.opened(0);
    let mut expected = b"\x1b\x40\x1b\x74\x02\x1f\x58\x03\x0c\x1f\x24\x01\x01\xa8\xb5 \x82 \xa4!".to_vec();
    expected.extend(b" ".repeat(13));
    expected.extend(b"\x1f\x24\x01\x02\xa5");
    expected.extend(b" ".repeat(19));
    assert_eq!(sent(&mut pole, 0), expected);

    let mut pole = Pole::new(Settings::usual(Protocol::Cd5220));
    pole.show(&picture(&["hola"]));
    pole.opened(0);
    let out = sent(&mut pole, 0);
    assert_eq!(&out[..14], b"\x1b\x40\x1b\x2a\x04\x0c\x1b\x6c\x01\x01hola");
    assert_eq!(&out[30..34], b"\x1b\x6c\x01\x02");
}

#[test]
fn spanish_reads_right_and_capitals_lose_their_accent_where_the_letters_are_not_there() {
    let text = "¿Qué? ¡Acción!";
    for (protocol, capitals) in [(Protocol::EscPos, "ÁÉÍÓÚÑ áéíóúñü"), (Protocol::Cd5220, "AÉIOUÑ áéíóúñü")]
    {
        let (mut pole, mut display) = (Pole::new(Settings::usual(protocol)), PoleModel::new(protocol));
        pole.show(&picture(&[text, "ÁÉÍÓÚÑ áéíóúñü"]));
        pole.opened(0);
        display.receive(&sent(&mut pole, 0));
        assert_eq!(shown(&display), [text, capitals]);
    }
}

#[test]
fn what_does_not_fit_is_shown_in_turn_and_comes_round_again() {
    let mut pole = Pole::new(Settings::usual(Protocol::EscPos));
    let mut display = PoleModel::new(Protocol::EscPos);
    pole.show(&picture(&["C5 BANCA", "la banca ha recibido una carta que no le corresponde"]));
    pole.opened(0);
    let mut seen = Vec::new();
    for now in 0..=3 {
        display.receive(&sent(&mut pole, now * TURN_MS));
        seen.push(shown(&display));
    }
    assert_eq!(seen[0], ["C5 BANCA", "la banca ha recibido"]);
    assert_eq!(seen[1], ["una carta que no le", "corresponde"]);
    assert_eq!((&seen[2], &seen[3]), (&seen[0], &seen[1]));
    pole.show(&picture(&["C6"]));
    display.receive(&sent(&mut pole, 3 * TURN_MS + 1));
    assert_eq!(shown(&display), ["C6", ""], "what is newer is shown at once, from its beginning");
}

#[test]
fn a_display_that_lost_its_power_or_bytes_is_right_again_after_some_seconds() {
    for protocol in [Protocol::EscPos, Protocol::Cd5220] {
        let mut pole = Pole::new(Settings { brightness: 2, ..Settings::usual(protocol) });
        pole.show(&picture(&["mañana", "sí"]));
        pole.opened(0);
        let healthy = sent(&mut pole, 0);
        let mut wanted = PoleModel::new(protocol);
        wanted.receive(&healthy);
        assert_eq!(sent(&mut pole, AGAIN_MS - 1), []);
        let again = sent(&mut pole, AGAIN_MS);
        let half_commands: [&[u8]; 7] = [b"", b"\x1b", b"\x1f", b"\x1f$", b"\x1f$\x01", b"\x1bl\x01", b"\x1bQA"];
        for half in half_commands {
            let mut display = PoleModel::new(protocol);
            display.receive(half);
            display.receive(&again);
            assert_eq!(shown(&display), ["mañana", "sí"], "{protocol:?} after {half:02x?}");
            assert_eq!(display.brightness(), 2);
        }
    }
}

#[test]
fn now_and_then_the_display_is_begun_anew() {
    let mut pole = Pole::new(Settings::usual(Protocol::EscPos));
    pole.opened(0);
    let begun = (0..=u64::from(2 * ANEW_EVERY))
        .filter(|n| sent(&mut pole, n * AGAIN_MS).windows(2).any(|pair| pair == [ESC, b'@']))
        .count();
    assert_eq!(begun, 3);
}

#[test]
fn nothing_sent_is_longer_than_promised_and_no_text_becomes_a_command() {
    let wild: String = (0..160).filter_map(char::from_u32).collect();
    for protocol in [Protocol::EscPos, Protocol::Cd5220] {
        let mut pole = Pole::new(Settings::usual(protocol));
        pole.show(&picture(&[&wild, &"x".repeat(160), &"a b ".repeat(40)]));
        pole.opened(0);
        sent(&mut pole, 0);
        for turn in 1..100 {
            assert!(sent(&mut pole, turn * 1250).len() <= 256);
        }
        assert!(pole.parts.len() <= PARTS);
        assert!(pole.parts.iter().flatten().flatten().all(|&byte| byte >= 0x20), "{protocol:?}");
    }
}
