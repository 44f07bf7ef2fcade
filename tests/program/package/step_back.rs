//! From one package to the next in mid-shift, and a step back, by the commands of docs/upgrade.md: in this machine's
//! own system, with everything that changes kept in a folder apart.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{built, done, here, simulated};
use crate::process::{Ended, Process, recorded, recorded_until, run};

/// This machine's system, of which only a copy is written.
struct Copied {
    folder: TempDir,
    /// Whose view of the file systems has the copy.
    holder: Process,
}

impl Copied {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for part in ["upper", "work", "root"] {
            fs::create_dir(folder.path().join(part)).unwrap();
        }
        // what a user may enter, who is not root
        fs::set_permissions(folder.path().join("upper"), fs::Permissions::from_mode(0o755)).unwrap();
        let mounts = "mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root && \
                      mount --rbind /dev root/dev && mount -t proc proc root/proc && echo mounted && exec sleep infinity";
        let mut unshare = Command::new("unshare");
        unshare.args(["--mount", "--propagation", "private", "sh", "-c", mounts]).current_dir(folder.path());
        let mut holder = Process::start(unshare.stdout(Stdio::piped()));
        assert_eq!(holder.lines().next().as_deref(), Some("mounted"), "needs root, and overlayfs");
        Self { folder, holder }
    }

    /// A path there, as this test sees it.
    fn path(&self, path: &str) -> PathBuf {
        let seen = PathBuf::from(format!("/proc/{}/root{}", self.holder.0.id(), self.folder.path().display()));
        seen.join("root").join(path.trim_start_matches('/'))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--mount=/proc/{}/ns/mnt", self.holder.0.id())).arg("chroot");
        command.arg(self.folder.path().join("root")).args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command.env("LC_ALL", "C").stdin(Stdio::null());
        command
    }

    fn shell(&self, command: &str) -> String {
        let Ended { status, out, err } = run(&mut self.command(&["sh", "-euc", command]));
        assert_eq!(status, 0, "{command}: {out}{err}");
        out
    }

    /// Starts something as the station's user.
    fn start(&self, args: &[&str], stdin: Stdio) -> Process {
        let user = ["setpriv", "--reuid=sabot", "--regid=sabot", "--init-groups"];
        let log = fs::File::options().append(true).create(true).open(self.folder.path().join("log")).unwrap();
        let mut command = self.command(&[&user[..], args].concat());
        Process::start(command.stdin(stdin).stdout(Stdio::piped()).stderr(log))
    }

    /// Starts the program that is installed as the unit does, until it serves.
    fn station(&self) -> Process {
        let mut station = self.start(&["sabot", "run", "--config", "/etc/sabot/station.toml"], Stdio::null());
        let first = station.lines().next().unwrap_or_default();
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap();
        assert!(first.contains("://"), "{first}: {log}");
        station
    }

    /// The table of the pages, with one device.
    fn set_up(&self) {
        let own = |name: &str| format!("/var/lib/sabot/{name}");
        let text = format!(
            "table = \"BJ-07\"\nregulation = \"sala-8\"\nlimits = {{ min = 1, max = 100000000 }}\n\
             listen = \"{}\"\njournal = \"{}\"\njournal_key = \"{}\"\nkeys = \"{}\"\n\
             [[device]]\nrole = \"shoe\"\nport = \"{}\"\n",
            // by its page `check` knows the station that holds the devices' ports
            TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap(),
            own("BJ-07.jsonl"),
            own("BJ-07.key"),
            own("keys.toml"),
            own("shoe")
        );
        fs::write(self.path("etc/sabot/station.toml"), text).unwrap();
        let as_user = "setpriv --reuid=sabot --regid=sabot --init-groups sabot";
        self.shell(&format!("{as_user} journal key {} --name BJ-07 >/root/BJ-07.vkey", own("BJ-07.key")));
    }
}

/// The blocks of commands under the heads of the page that are about a switch, for packages of these names.
fn blocks_of_the_page() -> Vec<Vec<String>> {
    let page = fs::read_to_string(here("docs/upgrade.md")).unwrap();
    let (_, part) = page.split_once("## Before it is switched").unwrap();
    let (part, _) = part.split_once("## A backup").unwrap();
    let here = |line: &str| {
        let plain = line.split("  #").next().unwrap().trim();
        let as_user = plain.replace("sudo -u sabot ", "setpriv --reuid=sabot --regid=sabot --init-groups ");
        let as_root = as_user.replace("sudo ", "").replace("./sabot_0.1.0-1_amd64.deb", "/root/before.deb");
        let named = as_root.replace("./sabot_0.2.0-1_amd64.deb", "/root/next.deb");
        named.replace("apt-get install", "apt-get install --yes --quiet --no-install-recommends")
    };
    let blocks = part.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks.map(|block| block.lines().map(here).collect()).collect()
}

fn hash(program: &Path) -> String {
    done(Command::new("sha256sum").arg(program)).split(' ').next().unwrap().to_owned()
}

#[test]
#[ignore = "needs root, overlayfs, and what the package's test needs; .ci/test runs it where they are"]
fn a_station_goes_to_the_next_package_in_mid_shift_and_back_and_its_record_goes_on() {
    let (before, next) = (built("1", "a-commit-before"), built("2", "the-next-commit"));
    let system = Copied::new();
    system.shell("apt-get purge --yes sabot >/dev/null 2>&1 || true");
    for (package, name) in [(before, "before"), (next, "next")] {
        fs::copy(package, system.path(&format!("root/{name}.deb"))).unwrap();
    }
    fs::copy(simulated(), system.path("usr/local/bin/simulated")).unwrap();
    system.shell("apt-get install --yes --quiet --no-install-recommends /root/before.deb");
    system.set_up();
    let twin = ["simulated", "twin", "shoe", "--stay", "/var/lib/sabot/shoe", "--keys", "/var/lib/sabot/keys.toml"];
    let mut twin = system.start(&twin, Stdio::piped());
    let mut shoe = twin.stdin();
    writeln!(shoe, "{{\"Shoe\":{{\"Loaded\":{{\"cards\":416,\"cut_card\":52}}}}}}").unwrap();
    let folder = system.path("var/lib/sabot");
    symlink("BJ-07.jsonl", folder.join("record")).unwrap();
    let mut drawn = ["KS", "7D", "2C", "QH", "9S"].into_iter();
    let mut draws = |when: &str| {
        let card = drawn.next().unwrap();
        writeln!(shoe, "{{\"Shoe\":{{\"Drawn\":\"{card}\"}}}}").unwrap();
        let is_there = |line: &serde_json::Value| line.to_string().contains(&format!("\"{card}\""));
        recorded_until(&folder, when, |lines| lines.iter().any(is_there));
    };
    let mut station = system.station();
    draws("the first program records");
    let hash_of_before = hash(&system.path("usr/bin/sabot"));
    let mut ran = vec![hash_of_before.clone()];
    for block in blocks_of_the_page() {
        for command in &block {
            if command == "systemctl restart sabot" {
                draws("the program that runs goes on while another one is installed");
                station.signal("-TERM");
                assert!(station.ends().success());
                station = system.station();
                ran.push(hash(&system.path("usr/bin/sabot")));
            } else {
                let told = system.shell(command);
                let alike = !command.contains("upgrade-check") || told.ends_with(" are answered alike, 0 otherwise\n");
                assert!(alike, "{command}: {told}");
            }
        }
    }
    draws("the program of before goes on");
    station.signal("-TERM");
    assert!(station.ends().success());
    // to the next, a step back with what the package kept, and a step back by the package of before
    let hash_of_next = ran[1].clone();
    assert!(hash_of_next != hash_of_before, "two programs");
    assert_eq!(ran, [&hash_of_before, &hash_of_next, &hash_of_before, &hash_of_before].map(Clone::clone));
    let lines = recorded(&folder.join("BJ-07.jsonl"));
    let detail = |line: &serde_json::Value| line["detail"].as_str().unwrap_or_default().to_owned();
    let started = lines.iter().filter(|line| line["status"] == "start").map(detail);
    let program = |detail: String| detail.split(' ').skip_while(|word| *word != "program").nth(1).map(str::to_owned);
    let started: Vec<String> = started.filter_map(program).collect();
    assert_eq!(started, ran);
    assert_eq!(system.shell("dpkg-query --show --showformat '${Version}' sabot"), "0.1.0-1");
    system.shell("sabot journal verify /var/lib/sabot/BJ-07.jsonl --key /root/BJ-07.vkey --closed");
    // what was kept goes with the package; records and configuration stay
    system.shell("apt-get purge --yes --quiet sabot; test ! -e /usr/lib/sabot; test -s /var/lib/sabot/BJ-07.jsonl");
}
