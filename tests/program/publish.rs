//! The crates that are of use to others: they can be given away as they are.

use std::path::Path;
use std::process::Command;

use crate::process::{Ended, run};

/// In the order in which they are published.
const CRATES: [&str; 4] = ["sabot-words", "sabot-wire", "sabot-camera", "sabot-drivers"];

/// Packs them into a folder.
fn packed(target: &Path, options: &[&str]) -> Ended {
    let mut pack = Command::new(env!("CARGO"));
    pack.args(["package", "--offline", "--allow-dirty"]).args(options).arg("--target-dir").arg(target);
    let pack = pack.args(CRATES.iter().flat_map(|name| ["--package", name]));
    let packed = run(pack.current_dir(env!("CARGO_MANIFEST_DIR")));
    assert_eq!(packed.status, 0, "{}", packed.err);
    packed
}

#[test]
#[ignore = "compiles them anew, with all that they need: more than a minute, and 0.8 GB while it runs"]
fn what_is_packed_compiles_where_there_is_nothing_else_of_this_repository() {
    let said = packed(tempfile::tempdir().unwrap().path(), &[]).err;
    for name in CRATES {
        assert!(said.contains(&format!("Verifying {name} v")), "{said}");
    }
    // each is built with the others as they were packed
    assert!(said.contains("Unpacking sabot-words v") && said.contains("tmp-registry"), "{said}");
}

#[test]
fn the_crates_of_use_to_others_are_packed_with_what_a_registry_asks_for() {
    let (root, target) = (Path::new(env!("CARGO_MANIFEST_DIR")), tempfile::tempdir().unwrap());
    packed(target.path(), &["--no-verify"]);
    for name in CRATES {
        let archive = target.path().join(format!("package/{name}-{}.crate", env!("CARGO_PKG_VERSION")));
        let unpacked = run(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(target.path()));
        assert_eq!(unpacked.status, 0, "{}", unpacked.err);
        let folder = target.path().join(format!("{name}-{}", env!("CARGO_PKG_VERSION")));
        let manifest: toml::Table = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        let package = manifest["package"].as_table().unwrap();
        for key in ["description", "license", "readme", "keywords", "categories", "rust-version"] {
            assert!(package.contains_key(key), "{name} has no `{key}`");
        }
        assert!(folder.join("README.md").exists(), "{name}");
        // a path is of this repository alone
        let text = manifest.get("dependencies").map(ToString::to_string).unwrap_or_default();
        assert!(!text.contains("path = "), "{name}: {text}");
    }
    assert!(target.path().join(format!("sabot-drivers-{}/examples/feig.rs", env!("CARGO_PKG_VERSION"))).exists());
    let all = run(Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root));
    let all: serde_json::Value = serde_json::from_str(&all.out).unwrap();
    let public = all["packages"].as_array().unwrap().iter().filter(|package| package["publish"].is_null());
    let mut public: Vec<&str> = public.map(|package| package["name"].as_str().unwrap()).collect();
    public.sort_unstable();
    assert_eq!(public, ["sabot-camera", "sabot-drivers", "sabot-wire", "sabot-words"]);
}
