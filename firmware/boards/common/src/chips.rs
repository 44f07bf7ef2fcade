//! What a chip reader's table is like, on whichever board it runs.

use sabot_firmware::chips::Spot;
use sabot_firmware::sabot_wire::message::BetSpot;

/// Spots of a chip reader.
pub const SPOTS: usize = 28;

/// The block of a chip that tells its value.
pub const VALUE_BLOCK: u8 = 4;

/// Where each antenna lies: four spots a box.
#[must_use]
pub fn spots() -> [Spot; SPOTS] {
    const OF_A_BOX: [BetSpot; 4] = [BetSpot::Main, BetSpot::Double, BetSpot::Split, BetSpot::Insurance];
    core::array::from_fn(|at| Spot { box_no: (at / 4 + 1) as u8, hand: 0, spot: OF_A_BOX[at % 4] })
}
