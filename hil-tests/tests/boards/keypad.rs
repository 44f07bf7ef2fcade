//! The keypad: fingers on a matrix.

use sabot_firmware::keys::{Function, Key};
use sabot_hil_tests::board::pin;
use sabot_hil_tests::matrix::Matrix;
use sabot_wire::message::{Choice, KeypadSaid, Observation, Role};

use crate::desk::{Desk, board};

#[test]
#[ignore = "wants QEMU and the images"]
fn keys_pressed_on_the_matrix_become_an_entry_and_nonsense_lights_the_lamp() {
    let board = board(Role::Keypad, "KP-0001");
    let mut desk = Desk::open(&board);
    desk.online();
    let matrix = Matrix::on(&board);
    for key in
        [Key::Function(Function::Stand), Key::Digit(3), Key::Next, Key::Next, Key::Digit(1), Key::Digit(2), Key::Enter]
    {
        matrix.press(key);
    }
    let stand = KeypadSaid::Decide { box_no: 3, hand: 0, choice: Choice::Stand, by: Some(12) };
    desk.expect([Observation::Keypad(stand)]);
    matrix.press(Key::Enter);
    assert!(board.is_high(pin('F', 0)), "an entry of nothing is refused");
    matrix.press(Key::Function(Function::Close));
    assert!(!board.is_high(pin('F', 0)));
    matrix.press(Key::Enter);
    desk.expect([Observation::Keypad(KeypadSaid::CloseBets)]);
}
