//! The Debian package, as a casino installs it: built, unpacked into a root of its own, and looked at with the tools of
//! those who will use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::process::{Ended, run};

mod step_back;

/// How exposed a unit may be by `systemd-analyze security`, in tenths; docs/install.md tells the figure.
const EXPOSURE: u32 = 16;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn done(command: &mut Command) -> String {
    let Ended { status, out, err } = run(command);
    assert_eq!(status, 0, "{command:?}: {out}{err}");
    out
}

/// The program of the tests, with the simulation, as it was before a package's own took its place.
fn simulated() -> &'static Path {
    static KEPT: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let keep = || {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("simulated");
        fs::copy(env!("CARGO_BIN_EXE_sabot"), &kept).unwrap();
        (folder, kept)
    };
    &KEPT.get_or_init(keep).1
}

/// Builds the package in that revision, with a program that says it is of that commit; where it is.
fn built(revision: &str, commit: &str) -> PathBuf {
    static BUILDS: Mutex<()> = Mutex::new(());
    let _alone = BUILDS.lock().unwrap_or_else(PoisonError::into_inner);
    simulated();
    let mut deb = Command::new(here("packaging/deb"));
    let told = done(deb.args(["--profile", "dev", "--revision", revision]).env("SABOT_COMMIT", commit));
    // cargo-deb keeps one package alone
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{commit}-{revision}.deb"));
    fs::copy(told.trim().lines().last().unwrap(), &kept).unwrap();
    kept
}

/// The package unpacked; its fields.
fn installed(root: &Path) -> String {
    let package = built("1", "a-commit-before");
    done(Command::new("dpkg-deb").arg("--extract").arg(&package).arg(root));
    done(Command::new("dpkg-deb").arg("--control").arg(&package).arg(root.join("DEBIAN")));
    done(Command::new("dpkg-deb").arg("--field").arg(&package))
}

#[test]
#[ignore = "needs cargo-deb, libusb-1.0-0-dev and systemd's tools; .ci/test runs it where they are"]
fn the_package_has_what_a_station_needs_and_systemd_finds_its_unit_sound_and_little_exposed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let fields = installed(root);
    for depends in ["libusb-1.0-0", "libc6", "adduser"] {
        assert!(fields.lines().any(|line| line.starts_with("Depends:") && line.contains(depends)), "{fields}");
    }
    let program = root.join("usr/bin/sabot");
    assert!(done(Command::new(&program).arg("--version")).contains("\nsala-8 "));
    let help = done(Command::new(&program).arg("--help"));
    assert!(help.contains("commission") && !help.contains("demo") && !help.contains("twin"), "{help}");
    documents(root, &program);
    unit(root);
    scripts(root);
}

fn documents(root: &Path, program: &Path) {
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_else(|why| panic!("{path}: {why}"));
    for command in ["sabot", "sabot-run", "sabot-check", "sabot-journal-verify"] {
        let page = root.join(format!("usr/share/man/man1/{command}.1.gz"));
        let shown = done(Command::new("sh").arg("-c").arg("zcat \"$0\"").arg(&page));
        assert!(shown.contains(".TH ") && shown.contains(".SH SYNOPSIS"), "{command}: {shown}");
    }
    let words = "source \"$0\"; COMP_WORDS=(sabot che); COMP_CWORD=1; _sabot sabot che sabot; echo \"${COMPREPLY[@]}\"";
    let completion = root.join("usr/share/bash-completion/completions/sabot");
    assert_eq!(done(Command::new("bash").args(["-c", words]).arg(completion)).trim(), "check");
    assert!(text("usr/share/zsh/vendor-completions/_sabot").starts_with("#compdef sabot"));
    assert!(text("usr/share/fish/vendor_completions.d/sabot.fish").contains("complete -c sabot"));
    assert_eq!(
        text("usr/lib/udev/rules.d/60-sabot.rules"),
        fs::read_to_string(here("packaging/udev/60-sabot.rules")).unwrap()
    );
    let notices = text("usr/share/doc/sabot/THIRD-PARTY-NOTICES");
    assert!(notices.contains("\ntokio 1.") && notices.contains("Permission is hereby granted"), "no licences");
    let sbom: serde_json::Value = serde_json::from_str(&text("usr/share/doc/sabot/sbom.cdx.json")).unwrap();
    assert_eq!((&sbom["bomFormat"], &sbom["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let has = |name: &str| sbom["components"].as_array().unwrap().iter().any(|one| one["name"] == name);
    assert!(has("rusb") && has("rusqlite") && !has("cortex-m"), "{sbom}");
    // libusb is the machine's: nothing of it is in the program
    let linked = done(Command::new("ldd").arg(program));
    assert!(linked.contains("libusb-1.0.so.0"), "{linked}");
    let documents = root.join("usr/share/doc/sabot");
    for page in ["docs/install.md", "docs/station.toml", "docs/handbook/sala-8.es.md", "monitoring/alerts.yml"] {
        assert!(is_there(&documents.join(page)), "{page} is not there");
    }
    let mut followed = 0;
    for folder in ["", "docs", "docs/build", "docs/handbook"] {
        for page in fs::read_dir(documents.join(folder)).unwrap().map(|page| page.unwrap().path()) {
            if page.extension().is_some_and(|kind| kind == "md") {
                followed += links(&page);
            }
        }
    }
    assert!(followed > 100, "{followed}");
}

/// A file as it is, or packed.
fn is_there(file: &Path) -> bool {
    file.exists() || PathBuf::from(format!("{}.gz", file.display())).exists()
}

/// Each link of a page leads to something that the package has, or into the source, which it has not; how many there
/// are.
fn links(page: &Path) -> usize {
    let text = fs::read_to_string(page).unwrap();
    let targets = text.split("](").skip(1).map(|rest| rest.trim_start().split([')', '#']).next().unwrap());
    let is_example = |target: &str| target.contains("handbook/") && !target.ends_with(".md");
    let of_source = |target: &&str| target.contains("src/") || target.contains("tests/") || is_example(target);
    let own = targets.filter(|target| !target.is_empty() && !target.starts_with("http"));
    let has_houses =
        |target: &&str| page.parent().is_some_and(|folder| folder.ends_with("handbook")) && !target.contains('.');
    let mut count = 0;
    for target in own.filter(|target| !of_source(target) && !has_houses(target)) {
        assert!(is_there(&page.parent().unwrap().join(target)), "{}: {target} is not there", page.display());
        count += 1;
    }
    count
}

fn unit(root: &Path) {
    let in_root = |tool: &[&str]| {
        let mut analyze = Command::new("systemd-analyze");
        analyze.args(tool).arg(format!("--root={}", root.display())).arg("sabot.service");
        analyze
    };
    // what a unit of any machine needs beside it, and that belongs to the system
    let units = root.join("usr/lib/systemd/system");
    assert!(units.join("sabot.service").exists() || root.join("lib/systemd/system/sabot.service").exists());
    let unit = fs::read_to_string(here("packaging/systemd/sabot.service")).unwrap();
    let page = unit.lines().find_map(|line| line.split("file:/").nth(1)).unwrap();
    assert!(is_there(&root.join(page)), "the unit names {page}");
    fs::create_dir_all(root.join("bin")).unwrap();
    fs::copy("/bin/sh", root.join("bin/sh")).unwrap();
    let Ended { err, .. } = run(&mut in_root(&["verify", "--man=no", "--recursive-errors=no"]));
    assert!(!err.contains("sabot.service:"), "{err}");
    let told = done(&mut in_root(&["security", "--offline=true", "--no-pager"]));
    let level = told.lines().last().and_then(|line| line.split("sabot.service: ").nth(1)).unwrap();
    let figure = level.split(' ').next().unwrap();
    let tenths: u32 = figure.replace('.', "").parse().unwrap();
    assert!(tenths <= EXPOSURE, "{told}");
    let page = fs::read_to_string(here("docs/install.md")).unwrap();
    assert!(page.contains(&format!("`{figure}`")), "docs/install.md tells another figure than {level}");
}

fn scripts(root: &Path) {
    for script in ["preinst", "postinst", "postrm", "prerm"] {
        done(Command::new("sh").arg("-n").arg(root.join("DEBIAN").join(script)));
    }
    let postinst = fs::read_to_string(root.join("DEBIAN/postinst")).unwrap();
    assert!(postinst.contains("adduser") && !postinst.contains("#DEBHELPER#"), "{postinst}");
    // an upgrade does not stop a table in mid-shift
    let prerm = fs::read_to_string(root.join("DEBIAN/prerm")).unwrap();
    assert!(prerm.contains("remove") && !prerm.contains("stop-on-upgrade"), "{prerm}");
}
