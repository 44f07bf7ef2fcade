//! The files for monitoring systems, against the figures that a station gives.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::run;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/monitoring").join(name)
}

/// The figures that a text names.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let named = words.filter(|word| word.starts_with("sabot_"));
    named.map(|word| word.strip_suffix("_bucket").unwrap_or(word).to_owned()).collect()
}

#[test]
fn alerts_and_the_board_name_figures_that_the_documents_have() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/metrics.md")).unwrap();
    let told = named(&page.lines().filter(|line| line.starts_with("| `sabot_")).collect::<String>());
    assert!(told.contains("sabot_device_up") && told.contains("sabot_build_info"), "{told:?}");
    for name in ["alerts.yml", "alerts-test.yml", "grafana.json"] {
        let text = fs::read_to_string(file(name)).unwrap();
        let unknown: Vec<_> = named(&text).difference(&told).cloned().collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
    let board: serde_json::Value = serde_json::from_str(&fs::read_to_string(file("grafana.json")).unwrap()).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "panels need numbers of their own");
    assert!(
        panels.iter().all(|panel| panel["targets"][0]["expr"].as_str().is_some_and(|expr| expr.contains("sabot_")))
    );
}

#[test]
#[ignore = "needs promtool, of Debian's package prometheus; .ci/test runs it where that is"]
fn promtool_finds_the_alerts_sound_and_they_fire_when_they_should() {
    let checked = run(Command::new("promtool").args(["check", "rules"]).arg(file("alerts.yml")));
    assert_eq!(checked.status, 0, "{}{}", checked.out, checked.err);
    let tested = run(Command::new("promtool").args(["test", "rules", "alerts-test.yml"]).current_dir(file("")));
    assert_eq!(tested.status, 0, "{}{}", tested.out, tested.err);
}

/// Each question of the board as a rule of its own, which is what promtool reads.
fn questions() -> serde_json::Value {
    let board: serde_json::Value = serde_json::from_str(&fs::read_to_string(file("grafana.json")).unwrap()).unwrap();
    let targets = board["panels"].as_array().unwrap().iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    let rules: Vec<_> = targets
        .enumerate()
        .map(|(at, target)| serde_json::json!({ "record": format!("board:{at}"), "expr": target["expr"] }))
        .collect();
    serde_json::json!({ "groups": [{ "name": "board", "rules": rules }] })
}

#[test]
#[ignore = "needs promtool, and grafana-foundation-sdk of PyPI; .ci/test runs it where they are"]
fn prometheus_and_grafana_read_the_board_whole() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("board.json");
    fs::write(&rules, questions().to_string()).unwrap();
    let checked = run(Command::new("promtool").args(["check", "rules"]).arg(rules));
    assert_eq!(checked.status, 0, "{}{}", checked.out, checked.err);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/monitoring/board.py");
    let read = run(Command::new("python3").arg("-B").arg(script).arg(file("grafana.json")));
    assert_eq!(read.status, 0, "{}{}", read.out, read.err);
}
