//! A station whose table rests: cards and bets lie, every device is there, a page is open, and nothing happens.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sabot_wire::message::{Observation, Role, ShoeSaw};

use super::record_check::RecordCheck;
use super::station_process::{SoakFolder, StationProcess};
use super::table_load::TableLoad;
use super::usage::Usage;
use super::{PATIENCE, REST, SoakError};
use crate::feig::{FeigTwin, Lever, Port};

/// What sees the seven boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boxes {
    /// The chip reader of our own, an antenna under each spot.
    Own,
    /// Seven bought readers on one line, asked all the time.
    Feig,
}

/// What an idle station takes.
#[derive(Debug, Clone, Copy)]
pub struct Idle {
    /// Part of one core, in per cent.
    pub share: f64,
    /// At the end.
    pub usage: Usage,
}

/// Boxes of the felt.
const BOXES: u8 = 7;
/// Cards that lie before the table rests: the first delivery.
const CARDS: usize = 8;

/// Measures a station at rest for so long, in a new folder that is there already. `program` is the one whose `run` is
/// the station.
///
/// # Errors
/// When there is nothing to measure: a station or a device that does not come up.
pub fn idle(boxes: Boxes, time: Duration, program: &std::path::Path, folder: PathBuf) -> Result<Idle, SoakError> {
    let folder = SoakFolder(folder);
    let mut load = TableLoad::new(1);
    let (roles, readers, more): (Vec<Role>, _, _) = match boxes {
        Boxes::Own => (Role::ALL.to_vec(), None, String::new()),
        Boxes::Feig => {
            let roles = Role::ALL.into_iter().filter(|role| *role != Role::Chips).collect();
            let port = folder.path(Role::Chips.name());
            (roles, Some(FeigTwin::start(&Port::Serial(port.clone()), BOXES, 1)?), feig(&port))
        }
    };
    for reader in readers.iter().flat_map(|_| 0..BOXES) {
        let uid = 0xE004_0150_0000_0000 + u64::from(reader);
        readers.iter().for_each(|twin| twin.pull(Lever::Put { uid, reader, antenna: 1, value: 50_000 }));
    }
    folder.configure(load.header(), &roles, &more)?;
    let twins = folder.twins(&roles)?;
    let mut station = StationProcess::start(program, &folder)?;
    let check = Arc::new(RecordCheck::default());
    station.open_page(&check)?;
    for role in Role::ALL {
        let there = check.wait(role, PATIENCE, |now| now.shown.filter(|(there, _)| *there));
        there.ok_or(SoakError::NotResumed(role))?;
    }
    // a shoe, bets, the first delivery
    let (mut cards, mut rest) = (0, false);
    for saw in load.pass() {
        cards += usize::from(matches!(saw, Observation::Shoe(ShoeSaw::Drawn(_))));
        rest |= cards > CARDS;
        if !rest {
            load.show(&twins, &check, saw)?;
        }
    }
    if let Some(twin) = twins.iter().find(|twin| !twin.wait_idle(PATIENCE)) {
        return Err(SoakError::Stuck(twin.role()));
    }
    std::thread::sleep(REST);
    let (before, since) = (station.usage()?, Instant::now());
    std::thread::sleep(time);
    let usage = station.usage()?;
    let share = usage.share_since(&before, since.elapsed());
    station.stop()?;
    Ok(Idle { share, usage })
}

/// The seven readers, in the words of the configuration.
fn feig(port: &std::path::Path) -> String {
    let spots: Vec<String> =
        (0..BOXES).map(|reader| format!("{{ box = {}, reader = {reader} }}", reader + 1)).collect();
    let port = toml::Value::from(port.to_string_lossy().as_ref()).to_string();
    format!(
        "observes = [\"bets\", \"asks\", \"decisions\", \"announcements\"]\n\
         \n[[device]]\nrole = \"chips\"\ndriver = \"feig\"\nport = {port}\nvalue_block = 5\nspots = [{}]\n",
        spots.join(", ")
    )
}
