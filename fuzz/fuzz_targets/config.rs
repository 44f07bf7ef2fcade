//! The station's configuration: any text is a configuration or a mistake that can be shown.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sabot_station::config::Config;

fuzz_target!(|text: &str| {
    // files that a text names are looked for in a folder that is not there
    if text.contains("/dev/") || text.contains("/proc/") || text.contains("..") {
        return;
    }
    match Config::parse(Path::new("/nonexistent/station.toml"), text) {
        Ok(config) => assert!(config.devices.len() <= 5, "a device of each role at the most"),
        Err(mistake) => assert!(!mistake.to_string().is_empty()),
    }
});
