//! The keypad: fingers on a matrix.

use sabot_firmware::keys::{Function, Key};
use sabot_hil_tests::eventually;
use sabot_hil_tests::matrix::Matrix;
use sabot_hil_tests::wires::pin;
use sabot_wire::message::{Choice, KeypadSaid, Observation, Role};

use crate::desk::{Desk, board};

#[test]
#[ignore = "wants QEMU and the images"]
fn keys_pressed_on_the_matrix_become_an_entry_and_nonsense_lights_the_lamp() {
    let board = board(Role::Keypad, "KP-0001");
    let mut desk = Desk::open(&board);
    desk.online();
    let mut matrix = Matrix::default();
    matrix.press(&board, &[Key::Function(Function::Stand), Key::Digit(3), Key::Next, Key::Next]);
    matrix.press(&board, &[Key::Digit(1), Key::Digit(2), Key::Enter]);
    let stand = KeypadSaid::Decide { box_no: 3, hand: 0, choice: Choice::Stand, by: Some(12) };
    desk.expect([Observation::Keypad(stand)]);
    matrix.press(&board, &[Key::Enter]);
    let refused = |is: bool| eventually("the lamp of what is refused", || board.wires().is_high(pin('F', 0)) == is);
    refused(true); // an entry of nothing
    matrix.press(&board, &[Key::Function(Function::Close)]);
    refused(false);
    matrix.press(&board, &[Key::Enter]);
    desk.expect([Observation::Keypad(KeypadSaid::CloseBets)]);
}
