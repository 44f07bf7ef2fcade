//! The chip reader: a reader module, a multiplexer, chips on spots.

use sabot_hil_tests::reader_module::ReaderModule;
use sabot_wire::message::{BetSpot, Chip, ChipsSaw, DeviceState, Observation, Role};

use crate::host::{Host, board};

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
    let reader = ReaderModule::default();
    std::thread::scope(|scope| {
        scope.spawn(|| reader.run(&board));
        let test = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut host = Host::open(&board);
            host.online();
            reader.lies(8, &[chip(2), chip(1)]);
            host.expect([spot(3, BetSpot::Main, &[chip(1), chip(2)])]);
            reader.lies(27, &[chip(3)]);
            host.expect([spot(7, BetSpot::Insurance, &[chip(3)])]);
            board.reset();
            assert_eq!(host.online().0.boots, 2);
            reader.lies(8, &[]);
            host.expect([spot(3, BetSpot::Main, &[])]);
            reader.mute();
            host.expect([Observation::Device(DeviceState::ReadError)]);
        }));
        reader.end();
        if let Err(failure) = test {
            std::panic::resume_unwind(failure);
        }
    });
}
