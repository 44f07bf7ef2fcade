//! Prints what one FEIG reader sees over its antenna: `cargo run -p sabot-drivers --example feig -- /dev/ttyUSB0`.

use std::collections::HashMap;

use sabot_drivers::feig::records::AntennaByte;
use sabot_drivers::feig::{
    CardTags, ChipValues, DEFAULT_BAUD, DEFAULT_HOLD_MS, DEFAULT_POLL_MS, FeigLine, Hysteresis, Place, ReaderLines,
    Setup, Spot, Timing, Values, spawn,
};
use sabot_drivers::saw::{Pad, Stake};
use sabot_wire::message::BetSpot;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).ok_or("the reader's port, such as /dev/ttyUSB0")?;
    let at = Pad::Stake(Stake { box_no: 1, hand: 0, spot: BetSpot::Main });
    // what a tag is worth; one that is not here is worth nothing
    let values: ChipValues = HashMap::from([(0xE004_0150_0000_0001, 500)]).into_iter().collect();
    let setup = Setup {
        spots: vec![Spot { at, reader: None, antenna: None }],
        values: Values::Known(values),
        cards: CardTags::default(),
        buffered: false,
        serial: None,
        poll_ms: DEFAULT_POLL_MS,
        hold_ms: DEFAULT_HOLD_MS,
        antennas: AntennaByte::Number,
        hysteresis: Hysteresis::DEFAULT,
        timing: Timing::serial(DEFAULT_BAUD),
    };
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let (reports, mut told) = tokio::sync::mpsc::channel(16);
    let line = FeigLine { place: Place::Serial(port.into(), DEFAULT_BAUD), setup };
    let _link = spawn(vec![line], &ReaderLines::default(), reports, stopped);
    while let Some((_, report)) = told.recv().await {
        println!("{report:?}");
    }
    Ok(())
}
