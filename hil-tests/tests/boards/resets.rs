//! What a board keeps through a reset, and what it says of how the last start ended.

use std::io::Write as _;

use sabot_drivers::keys::KeyFile;
use sabot_drivers::link::pair::{pair, pair_by_code};
use sabot_drivers::transport::SerialPort;
use sabot_hil_tests::PATIENCE;
use sabot_hil_tests::board::{Board, image};
use sabot_hil_tests::pins::STACK_END;
use sabot_wire::message::{Card, Observation, Role, ShoeSaw, Started};
use sabot_wire::pairing::Code;
use sabot_wire::witness::Checkpoint;

use crate::host::{Host, board, key};
use crate::stack::expect_spare;

/// Control of the processor's millisecond timer.
const SYST_CSR: u32 = 0xE000_E010;

fn drawn(card: u8) -> Observation {
    Observation::Shoe(ShoeSaw::Drawn(Card::from_code(card)))
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_reset_keeps_the_ring_and_counts_the_start() {
    let board = board(Role::Shoe, "SH-0001");
    let mut head = board.sensor();
    let mut host = Host::open(&board);
    let (first, started) = host.online();
    assert_eq!((first.boots, started), (1, Started::Power));
    let checkpoint = Checkpoint { record: [3; 16], lines: 70_000, root: [9; 32] };
    assert_eq!((host.keeps(None), host.keeps(Some(checkpoint))), (None, Some(checkpoint)));
    drop(host);
    // nobody is there any more: the cards wait in the ring, through two resets
    head.write_all(b"AS\r2S\r3S\r").unwrap();
    board.wait_ms(100);
    board.reset();
    board.wait_ms(100); // two resets that follow at once are one
    board.reset();
    let mut host = Host::open(&board);
    let (hello, started) = host.online();
    assert_eq!((hello.epoch, hello.boots, started), (first.epoch, 3, Started::Unknown), "QEMU does not tell a button");
    host.expect([drawn(0), drawn(1), drawn(2)]);
    head.write_all(b"4S\r").unwrap();
    host.expect([drawn(3)]);
    assert_eq!(host.keeps(None), Some(checkpoint), "and what it has seen of the record");
}

#[test]
#[ignore = "wants QEMU and the images"]
fn without_power_the_ring_is_lost_and_its_epoch_is_another_one() {
    let board = board(Role::Shoe, "SH-0001");
    let (first, _) = Host::open(&board).online();
    let board = board.power_cycle();
    let (second, started) = Host::open(&board).online();
    assert_eq!((second.boots, started), (1, Started::Power));
    assert_ne!(first.epoch, second.epoch);
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_board_whose_clock_stands_still_is_reset_by_its_watchdog_and_says_so() {
    let board = board(Role::Shoe, "SH-0001");
    let mut head = board.sensor();
    let mut host = Host::open(&board);
    host.online();
    head.write_all(b"AS\r").unwrap();
    host.expect([drawn(0)]);
    board.pins().write(SYST_CSR, 0);
    let (hello, started) = host.online();
    assert_eq!((hello.boots, started), (2, Started::Watchdog));
    head.write_all(b"2S\r").unwrap();
    host.expect([drawn(1)]);
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_stack_that_has_reached_its_end_is_a_panic_and_the_next_hello_names_its_place() {
    let board = board(Role::Keypad, "KP-0001");
    let mut host = Host::open(&board);
    host.online();
    board.pins().write(STACK_END + 4, 0);
    let (hello, started) = host.online();
    assert_eq!(hello.boots, 2);
    let Started::Panic { file, line } = started else { panic!("started by {started:?}") };
    assert!(file.ends_with("lib.rs") && line > 0, "{file}:{line}");
    // said once
    board.reset();
    assert_eq!(host.online().1, Started::Unknown);
}

#[test]
#[ignore = "wants QEMU and the images"]
fn a_new_board_is_paired_and_keeps_its_key_through_a_reset() {
    let board = Board::start(Role::Shuffler, "MX-0001", None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let place = SerialPort::new(board.port(), 115_200);
    let hello = runtime.block_on(pair(place, Role::Shuffler, None, key(), key(), PATIENCE)).unwrap();
    assert_eq!(&hello.serial[..], "MX-0001");
    drop(runtime);
    board.reset();
    assert_eq!(Host::open(&board).online().0.boots, 2);
}

#[test]
#[ignore = "wants QEMU and the images"]
fn every_new_board_is_paired_by_its_code_has_stack_to_spare_for_it_and_keeps_its_key_through_a_reset() {
    for role in Role::ALL {
        let board = Board::new_with_code(role, "NEW-0001", Code::new([7; 10]));
        let folder = tempfile::tempdir().unwrap();
        let keys = || KeyFile::new(folder.path().join("keys.toml"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let place = || SerialPort::new(board.port(), 115_200);
        let by = |code| runtime.block_on(pair_by_code(place(), role, None, Code::new(code), keys(), PATIENCE));
        let wrong = by([8; 10]).unwrap_err();
        assert!(wrong.to_string().contains("does not know the code"), "{wrong}");
        assert_eq!(&by([7; 10]).unwrap().serial[..], "NEW-0001");
        drop(runtime);
        expect_spare(&image(role), board.pins());
        keys().took_next("NEW-0001").unwrap();
        board.reset();
        let key = keys().load().unwrap().remove("NEW-0001").unwrap();
        assert_eq!(Host::with_key(role, board.port(), key).online().0.boots, 2);
    }
}
