//! The chip reader: a reader module, a multiplexer, chips on spots.

use sabot_hil_tests::felt::Felt;
use sabot_wire::message::{BetSpot, Chip, ChipsSaw, DeviceState, Observation, Role};

use crate::desk::{Desk, board};

const fn chip(n: u64) -> Chip {
    Chip { uid: 0xE004_0100_0000_0000 + n, value: 50_000 * n as u32 }
}

fn spot(box_no: u8, spot: BetSpot, chips: &[Chip]) -> Observation {
    let chips = chips.iter().copied().collect();
    Observation::Chips(ChipsSaw::Spot { box_no, hand: 0, spot, chips })
}

#[test]
#[ignore = "wants QEMU and the images"]
fn chips_are_told_where_they_lie_once_they_lie_still_and_not_again_after_a_reset() {
    let board = board(Role::Chips, "CH-0001");
    let felt = Felt::default();
    std::thread::scope(|scope| {
        scope.spawn(|| felt.run(&board));
        let test = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut desk = Desk::open(&board);
            desk.online();
            felt.lies(8, &[chip(2), chip(1)]);
            desk.expect([spot(3, BetSpot::Main, &[chip(1), chip(2)])]);
            felt.lies(27, &[chip(3)]);
            desk.expect([spot(7, BetSpot::Insurance, &[chip(3)])]);
            board.reset();
            assert_eq!(desk.online().0.boots, 2);
            felt.lies(8, &[]);
            desk.expect([spot(3, BetSpot::Main, &[])]);
            felt.mute();
            desk.expect([Observation::Device(DeviceState::ReadError)]);
        }));
        felt.end();
        if let Err(failure) = test {
            std::panic::resume_unwind(failure);
        }
    });
}
