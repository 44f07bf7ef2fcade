//! The files that the configuration names: the record and its disk, keys, registries, people, the certificate.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::statfs::{FsType, NFS_SUPER_MAGIC, TMPFS_MAGIC, statfs};
use nix::sys::statvfs::statvfs;
use sabot_drivers::keys::KeyFile;
use sabot_journal::note::{PrivateKey, Purpose};
use sabot_journal::{JournalError, Mark, Reader, bears_out, behind, may_be_torn, read_on};
use sabot_law::table::{Event, LineNo};
use sabot_web::tls::trust::Trust;
use sabot_web::tls::{self, Tls};

use super::{Line, State, now_ms};
use crate::config::{Config, Named, is_told_of};
use crate::house_time::HouseTime;
use crate::registry::{Chip, DeckCard, Kind, Registry};
use crate::staff::Staff;
use crate::webhook::Secret;
use crate::{StationError, days::Keeping};

/// Less room on the record's disk is soon too little, bytes.
const LITTLE: u64 = 2 << 30;
/// With less no shift is begun, bytes.
const TOO_LITTLE: u64 = 200 << 20;
/// A disk that takes longer to hold what was written makes devices wait.
const SLOW: Duration = Duration::from_millis(100);
/// The folder in memory that the unit makes when it starts.
const UNITS_OWN: &str = "/run/sabot";
/// A certificate that ends sooner is to be renewed, milliseconds.
const ENDS_SOON_MS: u64 = 30 * 86_400_000;

/// The file itself.
pub(super) fn configuration(path: &Path, config: &Config) -> Line {
    let header = &config.header;
    let found = format!(
        "table {}, regulation {}, {} devices, {} signals",
        header.table,
        header.regulation,
        config.devices.len(),
        config.signals.len()
    );
    let line = unless_others_write("configuration", path, &found);
    if let Some(line) = line {
        return line;
    }
    if config.test_mode {
        let found = format!("{found}; in test mode, which its record says at each start");
        return Line::warn("configuration", path.display(), found, "remove `test_mode` before money is played for");
    }
    Line::ok("configuration", path.display(), found)
}

/// What is to be told of a file that others may change.
fn unless_others_write(what: &'static str, path: &Path, found: &str) -> Option<Line> {
    let mode = fs::metadata(path).map_or(0, |file| file.permissions().mode());
    let found = format!("{found}; others may write it (mode {:o})", mode & 0o777);
    let way_out = || format!("chmod go-w {}", path.display());
    (mode & 0o022 != 0).then(|| Line::warn(what, path.display(), found, way_out()))
}

/// Who may act on the page.
fn staff(path: &Path) -> Line {
    let line = Line::of("staff", path, Staff::load(path), |staff| format!("{} people", staff.people().count()));
    if line.state != State::Ok {
        return line;
    }
    unless_others_write("staff", path, &line.found).unwrap_or(line)
}

/// What it means that nobody is named who may act.
fn nobody(config: &Config) -> Line {
    let keypad = if config.believes_badges() {
        "in test mode whoever stands at the keypad is believed in any office"
    } else {
        "an authorisation, a ruling, a report or a correction at the keypad is refused"
    };
    let way_out = "`sabot staff add staff.toml --name I-4 --role inspector --badge 4`, then `staff = \"staff.toml\"`";
    Line::warn("staff", "", format!("nobody is known: the page only shows, {keypad}"), way_out)
}

/// Everything that the configuration at `file` names and that is read. `runs` where the table's station has the record
/// open.
pub(super) fn all(config: &Config, file: &Path, runs: bool) -> Vec<Line> {
    let mut lines = disk(&config.journal);
    lines.extend(record(config, runs));
    lines.extend(keys(config));
    lines.extend(registry::<Chip>(config.chip_registry.as_deref()));
    lines.extend(registry::<DeckCard>(config.deck_registry.as_deref()));
    lines.push(match config.staff.as_deref() {
        Some(path) => staff(path),
        None => nobody(config),
    });
    lines.extend(config.tls.as_deref().map(|folder| certificate(folder, &config.house)));
    lines.extend(config.webhooks.iter().map(|hook| {
        Line::of("webhook", &hook.secret, Secret::load(&hook.secret), |_| {
            format!("{} is told of {}", hook.name, hook.profile)
        })
    }));
    let authorities = config.webhooks.iter().filter_map(|hook| hook.authority.as_deref());
    lines.extend(
        authorities
            .filter_map(|path| Trust::load(path).err().map(|error| Line::error("webhook", path.display(), &error))),
    );
    lines.extend(config.uplink.iter().flat_map(super::uplink::uplink));
    lines.extend(seal(config));
    for named in config.named().into_iter().filter(Named::is_gone) {
        let Some(way_out) = named.needed.as_ref() else { continue };
        let place = named.path.display().to_string();
        let found = format!("`{}`: there is no such file", named.key());
        match lines.iter_mut().find(|line| line.place == place) {
            // why it cannot be read is told already, and here is what to do
            Some(line) => line.way_out = Some(way_out.clone()),
            None => lines.push(Line::wrong("file", place, found, way_out.as_str())),
        }
    }
    for line in lines.iter_mut().filter(|line| line.state != State::Ok) {
        if let Some(number) = config.line_naming(file, Path::new(&line.place)) {
            line.found = format!("{} ({}:{number} names it)", line.found, file.display());
        }
    }
    lines
}

/// Where the keys of covered cards are to be kept, where there is no folder for them. That of the unit is made when it
/// starts.
fn seal(config: &Config) -> Option<Line> {
    let (path, folder) = (config.journal_seal.as_deref()?, config.seal_without_folder()?);
    let found = format!("there is no folder {}", folder.display());
    Some(if folder == Path::new(UNITS_OWN) {
        Line::warn("keys", path.display(), found, "it is made when the unit starts (`systemctl start sabot`)")
    } else {
        Line::wrong("keys", path.display(), found, format!("mkdir -p {}", folder.display()))
    })
}

/// The disk under the record: it takes what is written, holds it, and has room.
fn disk(record: &Path) -> Vec<Line> {
    let folder = record.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let writes = match holds(folder) {
        Ok(took) if took > SLOW => Line::warn(
            "disk",
            folder.display(),
            format!("takes {} ms until what was written is safe (fdatasync)", took.as_millis()),
            "a disk for the record alone, and an SSD, takes a few milliseconds",
        ),
        Ok(took) => Line::ok(
            "disk",
            folder.display(),
            format!("writes and holds (fdatasync in {:.1} ms)", took.as_secs_f64() * 1e3),
        ),
        Err(why) => Line::wrong(
            "disk",
            folder.display(),
            format!("cannot be written and held: {why}"),
            format!("the station's user must own it: `sudo chown sabot: {}`", folder.display()),
        ),
    };
    let mut lines = vec![writes];
    if let Ok(room) = statvfs(folder) {
        let free = room.blocks_available() * room.fragment_size();
        let found = format!("{:.1} GB free", free as f64 / 1e9);
        let way_out = "make room, or let old days go (`journal_keep_days`, docs/record.md)";
        lines.push(match free {
            free if free < TOO_LITTLE => Line::wrong("disk", folder.display(), found, way_out),
            free if free < LITTLE => Line::warn("disk", folder.display(), found, way_out),
            _ => Line::ok("disk", folder.display(), found),
        });
    }
    let kind: Option<FsType> = statfs(folder).ok().map(|system| system.filesystem_type());
    for (bad, why) in [
        (TMPFS_MAGIC, "is memory: the record is gone with the power"),
        (NFS_SUPER_MAGIC, "is on another machine: the record waits for the network"),
    ] {
        if kind == Some(bad) {
            lines.push(Line::warn("disk", folder.display(), why, "name a `journal` on a disk of this machine"));
        }
    }
    // what is written beside the record takes its place by being renamed
    let of = |path: &Path| fs::metadata(path).ok().map(|file| file.dev());
    if let (Some(file), Some(beside)) = (of(record), of(folder))
        && file != beside
    {
        let found = "lies on another filesystem than its folder, and what stands beside it could not take its place";
        lines.push(Line::wrong(
            "disk",
            record.display(),
            found,
            "name the file itself as `journal`, not a link or a mount",
        ));
    }
    lines
}

/// How long a folder's disk takes to hold a line.
fn holds(folder: &Path) -> io::Result<Duration> {
    let path = folder.join(format!(".sabot-check-{}", std::process::id()));
    let mut options = OpenOptions::new();
    let mut try_it = || -> io::Result<Duration> {
        let mut file: File = options.write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(&[b'\n'; 512])?;
        let began = Instant::now();
        file.sync_data()?;
        Ok(began.elapsed())
    };
    let tried = try_it();
    let removed = fs::remove_file(&path);
    let took = tried?;
    removed.map(|()| took)
}

/// Reads a record for its chain alone.
struct Unjudged;

impl Reader for Unjudged {
    fn restore(&mut self, _: &str) -> bool {
        false
    }

    fn take(&mut self, _: LineNo, _: u64, _: &Event) {}
}

/// The record itself, read whole; one that is being written is read as far as it is.
fn record(config: &Config, runs: bool) -> Vec<Line> {
    let path = &config.journal;
    let place = || path.display();
    let mut lines = Vec::new();
    let Ok(file) = fs::metadata(path) else {
        lines.push(not_there(path, runs));
        return lines;
    };
    let mode = file.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let found = format!("others may read it (mode {mode:o}), and it tells of bets and people");
        lines.push(Line::warn("record", place(), found, format!("chmod 600 {}", path.display())));
    }
    // why not is told with the keys
    let Ok(sealing) = crate::sealing(config) else { return lines };
    let read = |until| read_on(path, &config.header, &sealing, &Mark::default(), until, &mut Unjudged);
    let (read, is_torn) = match read(LineNo::MAX) {
        Err(JournalError::Broken { fault, .. }) if !runs && may_be_torn(path, fault.line) => {
            (read(fault.line - 1), true)
        }
        read => (read, false),
    };
    lines.push(match read {
        Err(error) => Line::error("record", path.display(), &error),
        Ok(mark) => match behind(mark.told()) {
            Some((shows, told)) if !runs => Line::wrong(
                "clock",
                path.display(),
                format!(
                    "the clock shows {}, and the record was told {} before",
                    config.house.second(shows),
                    config.house.second(told)
                ),
                "set the clock (`timedatectl`); if it is right now and was wrong then, start once with --accept-clock",
            ),
            _ => read_whole(config, &mark, is_torn, runs),
        },
    });
    lines
}

/// A record of which every line follows: whether a start would sign it, and whether something stands after it.
fn read_whole(config: &Config, mark: &Mark, is_torn: bool, runs: bool) -> Line {
    let place = config.journal.display();
    if let Some(refused) = unsigned(config, runs) {
        return Line::error("record", place, &refused);
    }
    let found = format!("{} lines, each follows from the one before", mark.lines);
    if is_torn {
        let found = format!("{found}; what stands after them is none");
        let way_out = "start the station: a power cut left that, and the start puts it aside and goes on";
        return Line::warn("record", place, found, way_out);
    }
    Line::ok("record", place, found)
}

/// A record that is missing, and whether it should be there.
fn not_there(path: &Path, runs: bool) -> Line {
    let put_back = "put it back under its name: it was deleted or moved";
    if runs {
        return Line::wrong("record", path.display(), "gone while the table's station runs", put_back);
    }
    if is_told_of(path) {
        let found = "not there, though files beside it tell of its lines: the station does not start";
        let way_out = format!("{put_back}; for a new record name another `journal`");
        return Line::wrong("record", path.display(), found, way_out);
    }
    Line::ok("record", path.display(), "not there yet: the first start begins it")
}

/// Why a start would refuse to sign the record; a key that does not read is told with the keys.
fn unsigned(config: &Config, runs: bool) -> Option<JournalError> {
    let key = config.journal_key.as_deref().filter(|_| !runs)?;
    bears_out(&config.journal, PrivateKey::load(key, Purpose::Station).ok()?.public()).err()
}

fn keys(config: &Config) -> Vec<Line> {
    let signs = match config.journal_key.as_deref() {
        Some(path) => Line::of("keys", path, PrivateKey::load(path, Purpose::Station), |key| {
            format!("signs the record as {}", key.public())
        }),
        None => Line::warn(
            "keys",
            "",
            "nothing signs the record: who can write the file can write it anew",
            "`sabot journal key` makes a key; name it as `journal_key` (docs/record.md)",
        ),
    };
    let paired = Line::of("keys", &config.keys, KeyFile::new(config.keys.clone()).load(), |keys| {
        format!("{} devices are paired", keys.len())
    });
    let unread = [crate::sealing(config).err(), Keeping::of(config).err()].into_iter().flatten();
    let others = unread.filter_map(|error| match &error {
        StationError::JournalReader { file, .. } | StationError::JournalWitness { file, .. } => {
            Some(Line::error("keys", file.display(), &error))
        }
        // that of the record's own key is told above
        _ => None,
    });
    [signs, paired].into_iter().chain(others).collect()
}

fn registry<K: Kind>(path: Option<&Path>) -> Option<Line> {
    let read = |registry: Registry<K>| format!("{} {}, {} cancelled", registry.len(), K::MANY, registry.cancelled());
    path.map(|path| Line::of("registry", path, Registry::load(path), read))
}

fn certificate(folder: &Path, house: &HouseTime) -> Line {
    let ends = Tls::load(folder).and_then(|_| tls::ends_ms(folder));
    let renew = "`sabot tls make` makes another, and the page takes it without a restart (docs/console.md)";
    match ends {
        Err(error) => Line::error("certificate", folder.display(), &error),
        Ok(ends) if ends <= now_ms() => {
            Line::wrong("certificate", folder.display(), format!("ended {}", house.second(ends)), renew)
        }
        Ok(ends) if ends <= now_ms().saturating_add(ENDS_SOON_MS) => {
            Line::warn("certificate", folder.display(), format!("ends {}", house.second(ends)), renew)
        }
        Ok(ends) => Line::ok("certificate", folder.display(), format!("good until {}", &house.second(ends)[..10])),
    }
}
