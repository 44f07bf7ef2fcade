//! `sabot setup`: a table from nothing, as somebody answers at a real terminal, and on its page.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use sabot_stall_guard::PATIENCE;

use crate::process::{Process, run, sabot};

const PIN: &str = "739154";

/// Somebody at a terminal: what he types is shown there by the terminal itself, where the program lets it be.
struct Terminal {
    types: File,
    says: Receiver<Vec<u8>>,
    shown: String,
    looked: usize,
    process: Process,
}

impl Terminal {
    fn begins(args: &[&str]) -> Self {
        let pair = nix::pty::openpty(None, None).unwrap();
        let end = || Stdio::from(pair.slave.try_clone().unwrap());
        let process = Process::start(sabot(args).stdin(end()).stdout(end()).stderr(end()));
        let (types, mut hears) = (File::from(pair.master.try_clone().unwrap()), File::from(pair.master));
        let (tell, says) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = hears.read(&mut bytes) {
                if tell.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { types, says, shown: String::new(), looked: 0, process }
    }

    /// Waits until this is shown, after what was waited for before.
    fn reads(&mut self, wanted: &str) {
        let began = Instant::now();
        loop {
            if let Some(at) = self.shown[self.looked..].find(wanted) {
                self.looked += at + wanted.len();
                return;
            }
            let more = self.says.recv_timeout(PATIENCE.saturating_sub(began.elapsed()));
            let more = more.unwrap_or_else(|_| panic!("not shown: {wanted}\n{}", self.shown));
            self.shown.push_str(&String::from_utf8_lossy(&more));
        }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.types, "{line}").unwrap();
    }

    fn answers(&mut self, question: &str, answer: &str) {
        self.reads(question);
        self.reads("]: ");
        self.types(answer);
    }
}

fn checked(config: &Path) -> (i32, String) {
    let checked = run(&mut sabot(["check", config.to_str().unwrap()]));
    (checked.status, checked.out)
}

/// Nobody but its owner reads any of the files, and none of them tells a PIN.
fn nothing_is_told(folder: &Path) {
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files.iter().filter(|file| file.is_file()) {
        assert!(!fs::read_to_string(file).unwrap_or_default().contains(PIN), "{}", file.display());
    }
    for name in ["station.toml", "staff.toml", "record.key"] {
        assert_eq!(fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o077, 0, "{name}");
    }
    assert!(fs::read_to_string(folder.join("staff.toml")).unwrap().contains("$argon2id$"));
}

/// A shoe that has no key yet, once it has its port.
fn unpaired_shoe(port: &Path) -> Process {
    let twin = Process::start(sabot(["twin", "shoe", "--stay"]).arg(port).stdin(Stdio::piped()));
    let began = Instant::now();
    while !port.exists() {
        assert!(began.elapsed() < PATIENCE, "the twin makes no port");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    twin
}

/// One PIN is given twice differently, one name is none, and the last is there already.
fn people_are_asked_for(terminal: &mut Terminal) {
    for (name, again) in [("I-4", "739155"), ("I 4", PIN), ("I-4", PIN), ("I-4", PIN)] {
        terminal.reads("Enter: nobody more): ");
        terminal.types(name);
        terminal.reads("His role: ");
        terminal.types("inspector");
        terminal.reads("PIN, 6 to 12 digits: ");
        terminal.types(PIN);
        terminal.reads("the same again: ");
        terminal.types(again);
        if again != PIN {
            terminal.reads("the two PINs are not the same");
        } else if name != "I-4" {
            terminal.reads("a pseudonym");
        }
    }
}

#[test]
fn a_table_is_set_up_from_nothing_at_a_terminal_and_goes_on_to_be_commissioned() {
    let home = tempfile::tempdir().unwrap();
    let (folder, port) = (home.path().join("table"), home.path().join("shoe.port"));
    let mut twin = unpaired_shoe(&port);
    let mut shoe = twin.stdin();
    let args = ["setup", folder.to_str().unwrap(), "--lang", "en"];
    let mut terminal = Terminal::begins(&args);
    terminal.answers("Name of the table [BJ-01", "BJ-12");
    terminal.answers("Regulation", "sala-9");
    terminal.reads("sala-8");
    terminal.answers("Regulation", "");
    terminal.answers("Betting boxes", "8");
    terminal.reads("boxes = 8");
    terminal.answers("Betting boxes", "6");
    terminal.answers("Least and greatest bet", "1000 50000");
    terminal.answers("Language of the display", "en");
    terminal.answers("Address of the page", "127.0.0.1:0");
    terminal.answers("Port of the shoe", "77777");
    terminal.reads("No port has that number");
    for device in ["shoe", "shuffler", "chip reader", "keypad", "display"] {
        terminal.answers(&format!("Port of the {device}"), "-");
    }
    terminal.reads("A table has one device at the least");
    terminal.answers("Port of the shoe", port.to_str().unwrap());
    for device in ["shuffler", "chip reader", "keypad", "display"] {
        terminal.answers(&format!("Port of the {device}"), "-");
    }
    terminal.reads("Enter: nobody more): ");
    terminal.types("I-4");
    terminal.reads("His role: ");
    terminal.types("king");
    terminal.reads("`king` is no role");
    people_are_asked_for(&mut terminal);
    terminal.reads("names are given once");
    terminal.reads("Enter: nobody more): ");
    terminal.types("");
    terminal.reads("Written: ");
    terminal.reads("Public key of the record: sabot/BJ-12+");
    terminal.reads("configuration");
    // it goes on to the commissioning, whose questions are answered at the same terminal
    terminal.reads("> the code on the housing of the shoe");
    terminal.types("");
    terminal.reads("ok shoe TWIN-SHOE: paired");
    // every card that is asked for is drawn
    for nth in 1..=20 {
        terminal.reads("> draw ");
        terminal.reads(&format!(" ({nth}/20)"));
        let card =
            terminal.shown[..terminal.looked].rsplit("> draw ").next().unwrap().split(' ').next().unwrap().to_owned();
        writeln!(shoe, "{{\"Shoe\":{{\"Drawn\":\"{card}\"}}}}").unwrap();
    }
    terminal.reads("The sheet: ");
    assert_eq!(terminal.process.ends().code(), Some(0), "{}", terminal.shown);
    assert!(folder.join("record.commission.txt").exists());
    assert!(!terminal.shown.contains(PIN) && !terminal.shown.contains("739155"), "{}", terminal.shown);
    nothing_is_told(&folder);
    let (_, told) = checked(&folder.join("station.toml"));
    assert!(told.lines().any(|line| line.starts_with("ok") && line.contains("table BJ-12")), "{told}");
    // a second time nothing is touched
    let before = fs::read(folder.join("station.toml")).unwrap();
    let again = run(&mut sabot(args));
    assert!(again.status == 2 && again.err.contains("is there already"), "{again:?}");
    assert_eq!(fs::read(folder.join("station.toml")).unwrap(), before);
}

#[test]
fn who_leaves_in_mid_setup_leaves_nothing_behind_and_the_page_is_served_to_this_machine_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("table");
    let left = run(sabot(["setup", folder.to_str().unwrap(), "--lang", "en"]).stdin(Stdio::null()));
    assert!(left.status == 2 && left.err.contains("nothing was written") && !folder.exists(), "{left:?}");
    // a folder that cannot be is told before anything is asked
    fs::write(home.path().join("file"), "").unwrap();
    let nowhere = run(sabot(["setup"]).arg(home.path().join("file/table")).stdin(Stdio::null()));
    assert!(nowhere.status == 2 && nowhere.out.is_empty() && nowhere.err.contains("not a directory"), "{nowhere:?}");
    let away = run(&mut sabot(["setup", folder.to_str().unwrap(), "--browser", "--listen", "0.0.0.0:0"]));
    assert!(away.status == 2 && away.err.contains("PINs and codes are entered there"), "{away:?}");
}

/// `sabot setup --browser` in a folder, and the address that it prints.
pub(crate) fn in_browser(folder: &Path) -> (Process, impl Iterator<Item = String> + use<>, String) {
    let args = ["setup", folder.to_str().unwrap(), "--browser", "--no-commission", "--lang", "en"];
    let mut process = Process::start(sabot(args).stdout(Stdio::piped()));
    let mut lines = process.lines();
    let address = lines.next().unwrap();
    (process, lines, address)
}

#[test]
fn the_page_is_at_an_address_that_nobody_guesses_and_takes_its_answers_once() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("table");
    let (mut process, lines, address) = in_browser(&folder);
    let (host, token) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    assert!(host.starts_with("127.0.0.1:") && token.len() == 32, "{address}");
    assert!(crate::reload::get(host, &format!("/{token}")).contains("A new table"));
    for guess in ["/", "/setup", &format!("/{}", "0".repeat(32))] {
        assert!(crate::reload::get(host, guess).starts_with("HTTP/1.1 404"), "{guess}");
    }
    let post = |form: &str, from: &str| {
        let mut stream = std::net::TcpStream::connect(host).unwrap();
        write!(
            stream,
            "POST /{token} HTTP/1.1\r\nHost: {host}\r\nOrigin: {from}\r\nConnection: close\r\nContent-Type: \
             application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let own = format!("http://{host}");
    let form = format!("table=BJ-12&boxes=7&shoe=/dev/nowhere&name0=I-4&role0=inspector&pin0={PIN}");
    assert!(post(&form, "http://evil.example").starts_with("HTTP/1.1 403"));
    let refused = post(&form.replace("boxes=7", "boxes=9"), &own);
    assert!(refused.contains("boxes = 9") && !refused.contains(PIN) && !folder.exists(), "{refused}");
    let guessed = post(&form.replace(PIN, "123456"), &own);
    assert!(guessed.contains("id=\"refused\"") && !guessed.contains("123456"), "{guessed}");
    let taken = post(&form, &own);
    assert!(taken.contains("id=\"written\"") && !taken.contains(PIN), "{taken}");
    let told: Vec<String> = lines.collect();
    assert_eq!(process.ends().code(), Some(0), "{told:?}");
    assert!(told.iter().any(|line| line.contains("Written: ")) && !told.concat().contains(PIN), "{told:?}");
    nothing_is_told(&folder);
}
