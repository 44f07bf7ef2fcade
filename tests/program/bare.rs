//! The package on a bare Debian, as `docs/install.md` says. It needs a root of its own, which is changed:
//!
//! ```text
//! debootstrap --variant=minbase bookworm /tmp/bare
//! SABOT_BARE=/tmp/bare cargo test -p sabot --test program bare -- --ignored
//! ```

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{Ended, run};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What comes of a shell's commands there, with these lines typed.
fn inside(root: &Path, commands: &str, typed: &str) -> String {
    let mut shell = Command::new("chroot");
    shell.arg(root).args(["/bin/bash", "-euo", "pipefail", "-c", commands]).env_clear();
    shell.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C");
    let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let ended = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{commands}: {out}{err}");
    out.into_owned()
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
    let root = PathBuf::from(std::env::var_os("SABOT_BARE").expect("SABOT_BARE names a root made by debootstrap"));
    let Ended { status, out, err } = run(Command::new(here("packaging/deb")).args(["--profile", "dev"]));
    assert_eq!(status, 0, "{out}{err}");
    let package = out.trim().lines().last().unwrap().to_owned();
    let name = Path::new(&package).file_name().unwrap().to_str().unwrap().to_owned();
    fs::copy(&package, root.join("root").join(&name)).unwrap();
    fs::copy("/etc/resolv.conf", root.join("etc/resolv.conf")).unwrap();
    let install = of_page("sudo apt-get install ./").replace("./sabot_0.1.0-1_amd64.deb", &format!("./{name}"));
    let told =
        inside(&root, &format!("cd /root; apt-get update -qq; {}", install.replace("install ", "install -y ")), "");
    assert!(told.contains("\nsala-8 "), "{told}");
    // as the page says, but for the devices, which nobody has here
    let setup = of_page("sudo chown sabot: /etc/sabot").replace("/var/lib/sabot ", "/var/lib/sabot --no-commission ");
    let setup = if setup.contains("--no-commission") {
        setup
    } else {
        setup.replace("--records /var/lib/sabot", "--records /var/lib/sabot --no-commission --lang en")
    };
    let typed =
        "BJ-07\nsala-8\n7\n50000 5000000\nes\n127.0.0.1:0\n/dev/sabot-shoe\n-\n-\n-\n-\nI-4\ninspector\n739154\n\n";
    let told = inside(&root, &setup, typed);
    assert!(told.contains("Written: /etc/sabot/station.toml") && !told.contains("739154"), "{told}");
    // whoever runs the unit may read all of it and write the record, and nobody else may read a key
    let check = "runuser -u sabot -- sabot check /etc/sabot/station.toml || true";
    let told = inside(&root, check, "");
    let wrong: Vec<&str> = told.lines().filter(|line| line.starts_with("WRONG")).collect();
    assert!(wrong.iter().all(|line| line.contains("sabot-shoe")), "{told}");
    let rights = inside(&root, "stat -c '%U %a' /etc/sabot/staff.toml /var/lib/sabot /var/lib/sabot/record.key", "");
    assert_eq!(rights, "root 640\nsabot 700\nsabot 600\n");
    // it serves until it is stopped, and its record verifies
    let serves =
        "timeout --signal=TERM 3 runuser -u sabot -- sabot run --config /etc/sabot/station.toml || [ $? = 124 ]";
    assert!(inside(&root, serves, "").contains("http://127.0.0.1:"));
    let verify = "sabot journal key /var/lib/sabot/record.key > /root/record.vkey; \
                  sabot journal verify /var/lib/sabot/record.jsonl --key /root/record.vkey";
    inside(&root, verify, "");
    // removed, it leaves records, keys and configuration
    inside(&root, "apt-get purge -y sabot", "");
    assert!(root.join("var/lib/sabot/record.jsonl").exists() && root.join("etc/sabot/station.toml").exists());
}
