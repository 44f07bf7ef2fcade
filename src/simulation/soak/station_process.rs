//! A station as a process of its own, and the twins of its devices in this one.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sabot_wire::message::Role;
use serde::Deserialize;

use super::SoakError;
use super::record_check::RecordCheck;
use super::usage::Usage;
use crate::twin::{Twin, TwinError, paired_key};
use sabot_drivers::keys::DEFAULT_KEYS;
use sabot_law::table::Header;

/// How long the station may take to stop.
const STOPPING: Duration = Duration::from_secs(20);
/// Bytes of a twin's ring: the thieves' hundred observations a second fill our boards' while somebody holds them back.
const RING: usize = 16 * 1024;
/// How the page marks a device that is there.
const ONLINE: &str = "online";
/// How long a page may stay silent: it hears a pulse every second.
const PAGE_SILENCE: Duration = Duration::from_secs(10);

/// A folder with everything: ports, configuration, record, log.
#[derive(Debug)]
pub(super) struct SoakFolder(pub(super) PathBuf);

impl SoakFolder {
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn record(&self) -> PathBuf {
        self.path("record.jsonl")
    }

    /// Writes the table's configuration: those devices, and more in the words of `docs/station.toml`.
    pub(super) fn configure(&self, header: &Header, roles: &[Role], more: &str) -> Result<(), SoakError> {
        let text = |path: &Path| toml::Value::from(path.to_string_lossy().as_ref()).to_string();
        let mut toml = format!(
            "table = \"soak\"\ntest_mode = true\nregulation = \"{}\"\nboxes = {}\nlimits = {{ min = {}, max = {} }}\n\
             listen = \"127.0.0.1:0\"\njournal = {}\n",
            header.regulation,
            header.boxes,
            header.limits.min,
            header.limits.max,
            text(&self.record()),
        );
        toml.push_str(more);
        for role in roles {
            let _ = write!(toml, "\n[[device]]\nrole = \"{role}\"\nport = {}\n", text(&self.path(role.name())));
        }
        let path = self.path("station.toml");
        fs::write(&path, toml).map_err(|why| SoakError::File { path, why })
    }

    /// The twins of these roles, paired with the station, with room for the hundred observations a second of a soak.
    pub(super) fn twins(&self, roles: &[Role]) -> Result<Vec<Twin>, SoakError> {
        self.twins_at(roles, |role| role.name().to_owned())
    }

    /// The same, each at a port of that name.
    pub(super) fn twins_at(&self, roles: &[Role], port: impl Fn(Role) -> String) -> Result<Vec<Twin>, SoakError> {
        let start = |&role: &Role| {
            let key = paired_key(role, &self.path(DEFAULT_KEYS)).map_err(TwinError::from)?;
            let twin = Twin::start(role, &self.path(&port(role)), Some(key))?;
            twin.restart_with_ring(RING);
            Ok(twin)
        };
        roles.iter().map(start).collect()
    }
}

/// `sabot run`, in a process of its own that goes with this.
#[derive(Debug)]
pub(super) struct StationProcess {
    process: Child,
    address: String,
}

impl StationProcess {
    /// Starts it on the folder's configuration; it serves its page when this returns. What it logs is in `station.log`.
    pub(super) fn start(program: &Path, folder: &SoakFolder) -> Result<Self, SoakError> {
        let mut station = Self::spawn(program, folder)?;
        if !station.serves()? {
            station.stop()?;
            return Err(SoakError::NotServing(folder.path("station.log")));
        }
        Ok(station)
    }

    /// The same, which may not serve its page yet.
    pub(super) fn spawn(program: &Path, folder: &SoakFolder) -> Result<Self, SoakError> {
        let log = folder.path("station.log");
        let stderr = File::options().create(true).append(true).open(&log);
        let stderr = stderr.map_err(|why| SoakError::File { path: log, why })?;
        let process = Command::new(program)
            .args(["run", "--config"])
            .arg(folder.path("station.toml"))
            .env("RUST_LOG", "info")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()?;
        Ok(Self { process, address: String::new() })
    }

    /// Waits until it serves its page; false where it ends before.
    pub(super) fn serves(&mut self) -> io::Result<bool> {
        let mut first = String::new();
        if let Some(out) = self.process.stdout.take() {
            BufReader::new(out).read_line(&mut first)?;
        }
        let address = first.trim().rsplit_once("http://").map(|(_, address)| address.trim_end_matches('/').to_owned());
        self.address = address.unwrap_or_default();
        Ok(!self.address.is_empty())
    }

    /// Ends it as SIGKILL does, and waits; an error where it had ended by itself.
    pub(super) fn kill(&mut self) -> Result<(), SoakError> {
        if let Some(status) = self.process.try_wait()? {
            return Err(SoakError::Ended(status));
        }
        self.process.kill()?;
        let status = self.process.wait()?;
        if status.code().is_some() { Err(SoakError::Ended(status)) } else { Ok(()) }
    }

    /// The number of its process.
    pub(super) fn number(&self) -> u32 {
        self.process.id()
    }

    /// What it takes of the machine now.
    pub(super) fn usage(&self) -> io::Result<Usage> {
        Usage::of(self.process.id())
    }

    /// Opens the table's page, as a browser does, and tells the check which devices it shows as there, until the
    /// station ends.
    pub(super) fn open_page(&self, check: &Arc<RecordCheck>) -> Result<(), SoakError> {
        let mut page = TcpStream::connect(&self.address)?;
        page.set_read_timeout(Some(PAGE_SILENCE))?;
        let host = &self.address;
        write!(page, "GET /events HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\n\r\n")?;
        let mut answer = BufReader::new(page);
        let mut line = String::new();
        answer.read_line(&mut line)?;
        if !line.contains(" 200 ") {
            return Err(SoakError::NoPage(line.trim().to_owned()));
        }
        let check = Arc::clone(check);
        std::thread::Builder::new().name("page".to_owned()).spawn(move || {
            line.clear();
            while answer.read_line(&mut line).is_ok_and(|count| count > 0) {
                let at = Instant::now();
                line.strip_prefix("data:").into_iter().flat_map(devices).for_each(|(role, there)| {
                    check.shows(role, there, at);
                });
                line.clear();
            }
        })?;
        Ok(())
    }

    /// Part of one core it uses while nobody does anything to it, in per cent.
    pub(super) fn share_over(&self, time: Duration) -> Result<f64, SoakError> {
        let (before, since) = (self.usage()?, Instant::now());
        std::thread::sleep(time);
        Ok(self.usage()?.share_since(&before, since.elapsed()))
    }

    /// Why something did not happen: because the station has ended, where it has.
    pub(super) fn why(&mut self, why: SoakError) -> SoakError {
        match self.process.try_wait() {
            Ok(Some(status)) => SoakError::Ended(status),
            _ => why,
        }
    }

    /// Ends it as SIGTERM does, and waits.
    pub(super) fn stop(&mut self) -> Result<(), SoakError> {
        // a process that has ended by itself takes no signal; its status tells
        if let Ok(process) = i32::try_from(self.process.id()) {
            let _ = kill(Pid::from_raw(process), Signal::SIGTERM);
        }
        let until = Instant::now() + STOPPING;
        loop {
            match self.process.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(SoakError::Ended(status)),
                None if Instant::now() > until => return Err(SoakError::DoesNotEnd),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

impl Drop for StationProcess {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Which devices a picture shows, and whether as there; none where they have not changed.
fn devices(picture: &str) -> Vec<(Role, bool)> {
    #[derive(Default, Deserialize)]
    struct Parts {
        #[serde(default)]
        devices: String,
    }
    #[derive(Default, Deserialize)]
    struct PageUpdate {
        #[serde(default)]
        parts: Parts,
    }
    let parts = serde_json::from_str::<PageUpdate>(picture).unwrap_or_default().parts;
    let shown = |role: &Role| {
        let (_, after) = parts.devices.split_once(&format!("id=\"device-{role}\" class=\"device "))?;
        // other words may follow: that it should be looked at
        Some((*role, after.split(['"', ' ']).next()? == ONLINE))
    };
    Role::ALL.iter().filter_map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_tells_which_devices_are_there() {
        let item = |role: &str, class: &str| format!("<li id=\"device-{role}\" class=\"device {class}\" title=\"x\">");
        let html = format!("<ul>{}{}</ul>", item("shoe", "online warned"), item("keypad", "absent"));
        let picture = serde_json::json!({"version": "1", "title": "x", "parts": {"devices": html}}).to_string();
        assert_eq!(devices(&picture), [(Role::Shoe, true), (Role::Keypad, false)]);
        assert_eq!(devices(r#"{"version":"1","title":"x","parts":{"due":"x"}}"#), []);
        assert_eq!(devices(" 12"), [], "a pulse");
    }
}
