//! What a casino's station is built from.

use std::process::Command;

#[test]
fn without_default_features_the_program_depends_on_no_simulation_and_no_firmware() {
    let tree = ["tree", "--package", "sabot", "--no-default-features", "--edges", "normal", "--prefix", "none"];
    let output = Command::new(env!("CARGO")).args(tree).arg("--offline").output().unwrap();
    let crates = String::from_utf8(output.stdout).unwrap();
    assert!(crates.contains("sabot-station v"), "{crates}{}", String::from_utf8_lossy(&output.stderr));
    for absent in ["sabot-simulation v", "sabot-firmware v", "rusb v"] {
        assert!(!crates.contains(absent), "{absent} in\n{crates}");
    }
}
