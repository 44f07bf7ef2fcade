//! Lights a PATLITE tower on the network, red and blinking, and says how it is:
//! `cargo run -p sabot-drivers --example patlite -- ADDRESS`.

use sabot_drivers::signal::{Attention, Level, Look, SignalConfig, SignalContent, SignalState, spawn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("the tower's address, such as 192.168.10.1:10000")?.parse()?;
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let tower = spawn(&SignalConfig::Pns { address, look: Look::default() }, stopped);
    tower.show(SignalContent::new(Level::Integrity, Attention::None, []));
    let state = tower.wait_state(|state| matches!(state, SignalState::Shows | SignalState::Faulty(_))).await;
    println!("{state:?}");
    Ok(())
}
