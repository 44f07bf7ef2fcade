//! The keypad: fingers on a matrix.

use sabot_firmware::keys::{Function, Key};
use sabot_hil_tests::eventually;
use sabot_hil_tests::key_matrix::KeyMatrix;
use sabot_hil_tests::pins::pin;
use sabot_wire::message::{Choice, KeypadSaid, Observation, Role};

use crate::host::{Host, board};

#[test]
#[ignore = "wants QEMU and the images"]
fn keys_pressed_on_the_matrix_become_an_entry_and_nonsense_lights_the_lamp() {
    let board = board(Role::Keypad, "KP-0001");
    let mut host = Host::open(&board);
    host.online();
    let mut matrix = KeyMatrix::default();
    matrix.press(&board, &[Key::Function(Function::Stand), Key::Digit(3), Key::Next, Key::Next]);
    matrix.press(&board, &[Key::Digit(1), Key::Digit(2), Key::Enter]);
    let stand = KeypadSaid::Decide { box_no: 3, hand: 0, choice: Choice::Stand, by: Some(12) };
    host.expect([Observation::Keypad(stand)]);
    matrix.press(&board, &[Key::Enter]);
    let refused = |is: bool| eventually("the lamp of what is refused", || board.pins().is_high(pin('F', 0)) == is);
    refused(true); // an entry of nothing
    matrix.press(&board, &[Key::Function(Function::Close)]);
    refused(false);
    matrix.press(&board, &[Key::Enter]);
    host.expect([Observation::Keypad(KeypadSaid::CloseBets)]);
}
