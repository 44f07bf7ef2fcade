//! The shoe: scanner head, switches, lamp.

use std::io::Write as _;

use sabot_hil_tests::eventually;
use sabot_hil_tests::pins::{Pin, pin};
use sabot_wire::message::{Card, DeviceState, Observation, Role, ShoeSaw, Started};

use crate::host::{Host, board};

fn gate() -> Pin {
    pin('B', 0)
}

fn lid() -> Pin {
    pin('B', 1)
}

fn lamp() -> Pin {
    pin('F', 0)
}

fn drawn(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)))
}

const fn state(state: DeviceState) -> Observation {
    Observation::Device(state)
}

#[test]
#[ignore = "wants QEMU and the images"]
fn what_the_head_and_the_switches_see_reaches_the_station_in_order() {
    let board = board(Role::Shoe, "SH-0001");
    let mut host = Host::open(&board);
    let (hello, started) = host.online();
    assert_eq!((&hello.serial[..], hello.boots, hello.oldest, started), ("SH-0001", 1, 1, Started::Power));
    let mut head = board.sensor();
    board.pins().set(lid(), true);
    host.expect([state(DeviceState::LidOpen)]);
    board.pins().set(lid(), false);
    host.expect([state(DeviceState::LidClosed)]);
    head.write_all(b"LOAD 416 52\r\n7H\r\nKC\r\nNR\r\n17H\r\nCUT\r\nJAM\r\n").unwrap();
    host.expect([
        Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 52 }),
        drawn(19),
        drawn(51),
        drawn(255),
        drawn(255),
        Observation::Shoe(ShoeSaw::CutCard),
        state(DeviceState::Jam),
    ]);
    board.pins().set(gate(), true);
    host.expect([Observation::Shoe(ShoeSaw::Empty)]);
}

#[test]
#[ignore = "wants QEMU and the images"]
fn without_a_station_the_lamp_says_do_not_draw_and_later_every_card_comes_once() {
    let board = board(Role::Shoe, "SH-0001");
    let mut head = board.sensor();
    let mut sent = 0_u8;
    eventually("the lamp is lit", || {
        if !board.pins().is_high(lamp()) {
            writeln!(
                head,
                "{}S",
                ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"][usize::from(sent % 13)]
            )
            .unwrap();
            sent += 1;
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        board.pins().is_high(lamp())
    });
    assert!(sent > 40, "{sent} cards fill the ring");
    let mut host = Host::open(&board);
    host.online();
    let mut cards = 0;
    let mut states = Vec::new();
    while cards < sent || states.is_empty() {
        match host.saw() {
            Observation::Device(state) => states.push(state),
            saw => {
                assert_eq!(saw, drawn(cards % 13));
                cards += 1;
            }
        }
    }
    assert_eq!(states.first(), Some(&DeviceState::RingFull));
    eventually("the lamp is dark", || !board.pins().is_high(lamp()));
}
