//! The package on a bare Debian, as `docs/install.md` says. It needs a root of its own, which is changed:
//!
//! ```text
//! debootstrap --variant=minbase --include=systemd-sysv,dbus bookworm /tmp/bare
//! SABOT_BARE=/tmp/bare cargo test -p sabot --test program bare -- --ignored --test-threads 1
//! ```

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Ended, run};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A bare Debian in a folder.
struct Debian {
    root: PathBuf,
    /// Its systemd, where it was booted.
    booted: Option<Booted>,
}

/// A Debian that runs in a container of its own. It is switched off when it is dropped.
struct Booted {
    container: Child,
    init: String,
}

impl Drop for Booted {
    fn drop(&mut self) {
        // its init ends everything that it started, and the container with it
        let told = Command::new("kill").args(["-s", "RTMIN+4", &self.init]).status();
        if !told.is_ok_and(|status| status.success()) {
            let _ = self.container.kill();
        }
        let _ = self.container.wait();
    }
}

impl Debian {
    /// The folder that the environment names.
    fn named() -> Self {
        let root = std::env::var_os("SABOT_BARE").expect("SABOT_BARE names a root made by debootstrap");
        Self { root: PathBuf::from(root), booted: None }
    }

    /// Starts its systemd.
    fn boot(&mut self) {
        let mut container = Command::new("systemd-nspawn");
        container.args(["--quiet", "--boot", "--console=pipe", "--register=no", "--keep-unit", "--directory"]);
        let container = container.arg(&self.root).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let children = format!("/proc/{0}/task/{0}/children", container.id());
        let mut booted = Booted { container, init: String::new() };
        wait_for("a first process", || {
            booted.init = fs::read_to_string(&children).unwrap_or_default().trim().to_owned();
            !booted.init.is_empty()
        });
        self.booted = Some(booted);
        wait_for("a system that runs", || {
            self.runs("systemctl is-system-running || true", "").0.starts_with("running")
        });
    }

    /// What comes of a shell's commands there, with these lines typed, and whether they went well.
    fn runs(&self, commands: &str, typed: &str) -> (String, bool) {
        let mut shell = Command::new(if self.booted.is_some() { "nsenter" } else { "chroot" });
        match &self.booted {
            Some(booted) => shell.args(["--all", "--target", &booted.init]),
            None => shell.arg(&self.root),
        };
        shell.args(["/bin/bash", "-euo", "pipefail", "-c", commands]).env_clear();
        shell.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C");
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
        let ended = child.wait_with_output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
        let went_well = ended.status.success();
        (if went_well { out.into_owned() } else { format!("{out}{err}") }, went_well)
    }

    /// What comes of commands that have to go well.
    fn inside(&self, commands: &str, typed: &str) -> String {
        let (told, went_well) = self.runs(commands, typed);
        assert!(went_well, "{commands}: {told}");
        told
    }

    /// Builds the package and installs it, as the page says. It is told what the program says of its version.
    fn install(&self) -> String {
        let Ended { status, out, err } = run(Command::new(here("packaging/deb")).args(["--profile", "dev"]));
        assert_eq!(status, 0, "{out}{err}");
        let package = out.trim().lines().last().unwrap().to_owned();
        let name = Path::new(&package).file_name().unwrap().to_str().unwrap().to_owned();
        fs::copy(&package, self.root.join("root").join(&name)).unwrap();
        fs::copy("/etc/resolv.conf", self.root.join("etc/resolv.conf")).unwrap();
        let install = of_page("sudo apt-get install ./").replace("./sabot_0.1.0-1_amd64.deb", &format!("./{name}"));
        let install = install.replace("install ", "install -y --reinstall ");
        self.inside(&format!("cd /root; apt-get update -qq; {install}"), "")
    }

    /// Sets a table up in the place of any before, as the page says, but for the devices, which nobody has here.
    fn set_up(&self) -> String {
        self.inside("rm -rf /var/lib/sabot/* /etc/sabot/*", "");
        let setup = of_page("sudo chown sabot: /etc/sabot");
        let setup = setup.replace("--records /var/lib/sabot", "--records /var/lib/sabot --no-commission --lang en");
        let typed = "BJ-07\nsala-8\n7\n50000 5000000\nes\n127.0.0.1:0\n/dev/sabot-shoe\n-\n-\n-\n-\nI-4\ninspector\n\
                     739154\n\n";
        self.inside(&setup, typed)
    }
}

/// Waits until something is so.
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(120);
    while !is_so() {
        assert!(Instant::now() < until, "waited two minutes for {what}");
        thread::sleep(Duration::from_millis(200));
    }
}

/// The commands of the page that begin so, as somebody runs them who is root and has no sudo.
fn of_page(begins: &str) -> String {
    let page = fs::read_to_string(here("docs/install.md")).unwrap();
    let block = page.split("```sh\n").find(|block| block.starts_with(begins)).unwrap().split("```").next().unwrap();
    let plain = block.lines().map(|line| line.split("  #").next().unwrap().trim_end());
    let as_root = plain.map(|line| line.replace("sudo -u sabot ", "runuser -u sabot -- ").replace("sudo ", ""));
    as_root.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "needs root, and a bare Debian in SABOT_BARE"]
fn on_a_bare_debian_the_package_installs_and_a_table_is_set_up_as_the_page_says() {
    let debian = Debian::named();
    let told = debian.install();
    assert!(told.contains("\nsala-8 "), "{told}");
    let told = debian.set_up();
    assert!(told.contains("Written: /etc/sabot/station.toml") && !told.contains("739154"), "{told}");
    // whoever runs the unit may read all of it and write the record, and nobody else may read a key
    let check = "runuser -u sabot -- sabot check /etc/sabot/station.toml || true";
    let told = debian.inside(check, "");
    let wrong: Vec<&str> = told.lines().filter(|line| line.starts_with("WRONG")).collect();
    assert!(wrong.iter().all(|line| line.contains("sabot-shoe")), "{told}");
    let rights = debian.inside("stat -c '%U %a' /etc/sabot/staff.toml /var/lib/sabot /var/lib/sabot/record.key", "");
    assert_eq!(rights, "root 640\nsabot 700\nsabot 600\n");
    // it serves until it is stopped, and its record verifies
    // a record that nobody has begun yet cannot be verified: a machine that does something else besides is given time
    let serves =
        "timeout --signal=TERM 20 runuser -u sabot -- sabot run --config /etc/sabot/station.toml || [ $? = 124 ]";
    assert!(debian.inside(serves, "").contains("http://127.0.0.1:"));
    let verify = "sabot journal key /var/lib/sabot/record.key > /root/record.vkey; \
                  sabot journal verify /var/lib/sabot/record.jsonl --key /root/record.vkey";
    debian.inside(verify, "");
    // removed, it leaves records, keys and configuration
    debian.inside("apt-get purge -y sabot", "");
    assert!(
        debian.root.join("var/lib/sabot/record.jsonl").exists() && debian.root.join("etc/sabot/station.toml").exists()
    );
}

#[test]
#[ignore = "needs root, systemd-nspawn, and a bare Debian with systemd in SABOT_BARE"]
fn a_live_systemd_starts_reloads_watches_and_stops_a_station() {
    let mut debian = Debian::named();
    debian.boot();
    debian.install();
    debian.set_up();
    let told =
        |what: &str| debian.inside(&format!("systemctl show sabot --value --property {what}"), "").trim().to_owned();
    let log = || debian.inside("journalctl --unit sabot --output cat --no-pager", "");
    // it counts as started once it says that it is ready
    debian.inside(of_page("sudo systemctl enable --now sabot").lines().next().unwrap(), "");
    assert_eq!((told("ActiveState"), told("StatusText")), ("active".into(), "table BJ-07".into()), "{}", log());
    assert!(log().contains("Started sabot.service"), "{}", log());
    // a reload goes on with the same process
    let before = told("MainPID");
    debian.inside("systemctl reload sabot", "");
    wait_for("the reload", || log().contains("read again"));
    assert_eq!(told("MainPID"), before, "{}", log());
    // one that was killed, or stands still, is started again
    debian.inside("kill -KILL $(systemctl show sabot --value --property MainPID)", "");
    wait_for("a restart after a kill", || told("NRestarts") == "1" && told("ActiveState") == "active");
    debian.inside("kill -STOP $(systemctl show sabot --value --property MainPID)", "");
    wait_for("the watchdog", || told("NRestarts") == "2" && told("ActiveState") == "active");
    assert!(log().contains("Failed with result 'watchdog'"), "{}", log());
    // a stop is a good end, and the record holds
    debian.inside("systemctl stop sabot", "");
    assert_eq!((told("ActiveState"), told("Result")), ("inactive".into(), "success".into()), "{}", log());
    debian.inside("sabot journal verify /var/lib/sabot/record.jsonl && systemctl disable sabot", "");
}
