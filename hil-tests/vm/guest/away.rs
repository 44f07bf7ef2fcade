//! What a scenario runs as another process: as another user, or as a program that is in the way. Each prints what it
//! sees and goes on until its standard input ends.

use std::io::Read;
use std::process::ExitCode;

use sabot_drivers::signal::{Look, SignalConfig, SignalState, spawn};
use sabot_drivers::transport::{Connect, SerialPort};
use tokio::sync::watch;

/// The tower's driver: a line whenever its state changes.
pub(crate) fn tower() -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (stop, stopped) = watch::channel(false);
    let tower = {
        let _in_runtime = runtime.enter();
        spawn(&SignalConfig::Lr6 { look: Look::default() }, stopped)
    };
    runtime.spawn(async move {
        let mut before = None;
        while let Some(state) = tower.wait_state(|state| before.as_ref() != Some(state)).await {
            match &state {
                SignalState::Absent(why) => println!("absent: {why}"),
                state => println!("{state:?}"),
            }
            before = Some(state);
        }
    });
    until_the_input_ends();
    drop(stop);
    ExitCode::SUCCESS
}

/// Opens a port once, and keeps it.
pub(crate) fn port(path: &str) -> ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let opened = runtime.block_on(SerialPort::new(path, 115_200).connect());
    match &opened {
        Ok(_) => println!("open"),
        Err(error) => println!("{error}"),
    }
    until_the_input_ends();
    ExitCode::SUCCESS
}

fn until_the_input_ends() {
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
