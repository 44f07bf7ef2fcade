//! The machine: the page's address, who runs the program and what he may, the clock.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use nix::unistd::{Group, Uid, getegid, getgroups};

use super::{Line, before_build, now_ms};
use crate::about;
use crate::clocks::ClockConfig;
use crate::config::Config;
use crate::house_time::HouseTime;
use crate::inventory::Inventory;
use crate::synchronisation::Synchronisation;

/// The group that may use serial ports; packaging/udev/60-sabot.rules gives it the devices.
const GROUP: &str = "dialout";
const RULES: &str = "60-sabot.rules";
/// Where udev looks for rules.
const RULE_FOLDERS: [&str; 3] = ["/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"];

/// The program that looks, which is the one that runs where it is the same file.
pub(super) fn program(config: &Config) -> Line {
    let hash = about::program().unwrap_or_default();
    match about::is_the_one(config.program.as_deref()) {
        Err(other) => Line::error("program", "", &other),
        Ok(()) if config.program.is_some() => Line::ok("program", "", format!("{hash}, as the configuration names it")),
        Ok(()) => Line::ok("program", "", format!("{hash}; the configuration names none")),
    }
}

/// The address of the page is free, or the table's station has it.
pub(super) fn page(config: &Config, runs: bool) -> Line {
    let address = config.listen;
    match TcpListener::bind(address) {
        _ if runs => Line::ok("page", address, "the table's station runs and answers there"),
        Ok(_) => Line::ok("page", address, "free, and may be used"),
        Err(why) => Line::wrong(
            "page",
            address,
            why.to_string(),
            "name another address as `listen`, or stop who has this one (`ss -ltnp` tells)",
        ),
    }
}

/// Who runs the check, which should be who runs the station.
pub(super) fn user(inventory: &Inventory) -> Vec<Line> {
    let mut ports = inventory.devices.iter().filter(|device| device.role.is_some()).peekable();
    if ports.peek().is_none() {
        return Vec::new();
    }
    let mut lines = vec![in_group()];
    let by_name = ports.any(|device| device.port.starts_with("/dev/sabot-"));
    let has_rules = RULE_FOLDERS.iter().any(|folder| Path::new(folder).join(RULES).exists());
    if by_name && !has_rules {
        lines.push(Line::warn(
            "user",
            RULES,
            "udev has no rules of sabot, and nothing makes /dev/sabot-shoe and the like",
            "install the package, or copy packaging/udev/*.rules to /etc/udev/rules.d and run `udevadm control \
             --reload && udevadm trigger`",
        ));
    }
    lines
}

fn in_group() -> Line {
    let way_out =
        "`sudo usermod --append --groups dialout USER`, and sign in again; the package's own user `sabot` is in it";
    if Uid::effective().is_root() {
        return Line::warn(
            "user",
            "root",
            "may use every port and file, and tells nothing of what the station's user may",
            "check as the station's user: `sudo -u sabot sabot check FILE`",
        );
    }
    match (Group::from_name(GROUP), getgroups()) {
        (Ok(Some(group)), Ok(mine)) if mine.contains(&group.gid) || getegid() == group.gid => {
            Line::ok("user", GROUP, "this user is in the group that has the serial ports")
        }
        (Ok(Some(_)), Ok(_)) => {
            Line::warn("user", GROUP, "this user is not in the group that has the serial ports", way_out)
        }
        _ => Line::warn("user", GROUP, "this machine has no such group", "`sudo groupadd --system dialout`"),
    }
}

/// The clock is right, as far as a machine can know.
pub(super) fn clock(built_ms: Option<u64>, house: &HouseTime) -> Vec<Line> {
    let set = "set it (`timedatectl`), and have systemd-timesyncd or chrony keep it right";
    let shows = match built_ms.and_then(before_build) {
        Some((shows, built)) => {
            let found = format!("shows {}, and this program is of {}", house.second(shows), house.second(built));
            Line::wrong("clock", "", found, set)
        }
        None => Line::ok("clock", "", format!("shows {}", house.second(now_ms()))),
    };
    let synchronised = match Synchronisation::look() {
        Synchronisation::Yes => Line::ok("clock", kept_by(), "synchronised"),
        Synchronisation::No => Line::warn("clock", kept_by(), "not synchronised", set),
        Synchronisation::Unknown => Line::warn("clock", kept_by(), "nobody says whether it is synchronised", set),
    };
    vec![shows, synchronised]
}

/// The house's other clocks answer.
pub(super) async fn clocks(named: &[ClockConfig]) -> Vec<Line> {
    let mut lines = Vec::new();
    for clock in named {
        let what = format!("{} at {}", clock.name, clock.address);
        lines.push(match clock.ahead_ms().await {
            Ok(ms) => Line::ok("clock", what, format!("answers; it is {ms:+} ms from this machine's")),
            Err(why) => Line::warn("clock", what, why, "name in `clocks` what answers by NTP (UDP, port 123)"),
        });
    }
    lines
}

/// Who keeps the clock, by what the programs that do so leave under /run.
fn kept_by() -> &'static str {
    let there = |path: &str| fs::metadata(path).is_ok();
    if there("/run/chrony") {
        "chrony"
    } else if there("/run/systemd/timesync") {
        "systemd-timesyncd"
    } else {
        "no time service found"
    }
}
