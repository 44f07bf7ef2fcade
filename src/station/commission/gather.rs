//! Finds the devices of the configuration, gives each of ours its key, and has all of them in session.

use std::collections::BTreeSet;
use std::time::Duration;

use sabot_drivers::LinkConfig;
use sabot_wire::message::Role;

use super::desk::{Desk, Teller, Wants};
use super::watched::{Seen, Watched};
use super::{CommissionError, registries};
use crate::config::{Config, Driver};
use crate::inventory::{Device, Inventory, Lacks, Patience, State, Survey};
use crate::pairing::{NotPaired, Way, pair};
use sabot_drivers::link::pair::PairError;

/// How long a device is waited for that is to be paired: a board may take seconds to listen.
const PAIR_WITHIN: Duration = Duration::from_secs(10);

/// The devices in session, each paired.
///
/// # Errors
/// When the technician leaves, the station runs, or a registry cannot be read.
pub(super) async fn gather<T: Teller>(config: &Config, desk: &mut Desk<T>) -> Result<Watched, CommissionError> {
    let mut to_pair = BTreeSet::new();
    loop {
        let inventory = Survey::new(Some(config.clone()), None).look(Patience::Wait).await;
        if let Some(address) = inventory.station {
            return Err(CommissionError::Runs { address });
        }
        if !all_found(config, &inventory, desk, &mut to_pair)? {
            desk.done().await?;
            continue;
        }
        for link in own(config).filter(|link| to_pair.contains(&link.role)) {
            pair_it(config, link, desk).await?;
        }
        to_pair.clear();
        let mut watched = Watched::start(config, registries(config)?);
        match in_session(&mut watched, desk).await? {
            None => return Ok(watched),
            Some(role) => {
                watched.stop();
                to_pair.insert(role);
            }
        }
    }
}

fn own(config: &Config) -> impl Iterator<Item = &LinkConfig> {
    config.devices.iter().filter_map(|device| match &device.driver {
        Driver::Own(link) => Some(link),
        Driver::Feig(_) | Driver::Scanner(_) | Driver::Camera(_) | Driver::Pad(_) => None,
    })
}

/// Says what was found, and whether all was that the configuration names. Those that lack but a key are in `to_pair`.
fn all_found<T: Teller>(
    config: &Config,
    inventory: &Inventory,
    desk: &mut Desk<T>,
    to_pair: &mut BTreeSet<Role>,
) -> Result<bool, CommissionError> {
    let mut is_all = true;
    for device in inventory.devices.iter().filter(|device| device.role.is_some()) {
        let may_be_paired = matches!(device.lacks, Some(Lacks::Key | Lacks::SameKey));
        let is_fine = device.state != State::Wrong || may_be_paired;
        is_all &= is_fine;
        if device.lacks == Some(Lacks::Key) {
            to_pair
                .extend(own(config).map(|link| link.role).filter(|role| Some(role.name()) == device.role.as_deref()));
        }
        let line = found(device, desk);
        if is_fine { desk.good(line)? } else { desk.wrong(line)? }
    }
    if is_all {
        return Ok(true);
    }
    for device in inventory.devices.iter().filter(|device| device.state == State::Unused) {
        let usb = device.usb.as_ref().map(|usb| format!(" ({} {})", usb.id, usb.name)).unwrap_or_default();
        let line = desk.words("conectado, y sin papel", "attached, and in no role");
        desk.aside(format!("{line}: {}{usb}", device.port))?;
    }
    let ask = desk.words("arregle lo que está marcado con NO", "mend what is marked NO");
    desk.ask(ask, Wants::Word)?;
    Ok(false)
}

fn found<T: Teller>(device: &Device, desk: &Desk<T>) -> String {
    let role = device.role.as_deref().unwrap_or_default();
    let mut line = format!("{role}, port {}", device.port);
    if let Some(says) = &device.says {
        line += &format!(": {says}");
    }
    match device.lacks {
        Some(Lacks::Key) => line += &desk.words("; todavía sin clave", "; has no key yet"),
        Some(Lacks::SameKey) => line += &desk.words("; tiene otra clave", "; holds another key"),
        Some(Lacks::Serial | Lacks::Standing) | None => {
            device.wrong.iter().for_each(|wrong| line += &format!("\n    {wrong}"))
        }
    }
    device.notes.iter().for_each(|note| line += &format!("\n    {note}"));
    line
}

/// Gives one device its key, however often that takes.
async fn pair_it<T: Teller>(config: &Config, link: &LinkConfig, desk: &mut Desk<T>) -> Result<(), CommissionError> {
    loop {
        let way = desk.code(link.role).await?.map_or(Way::InClear, Way::ByCode);
        match pair(link, &link.port, &config.keys, way, PAIR_WITHIN).await {
            Ok(serial) => {
                let role = link.role;
                let line = desk.words(format!("{role} {serial}: emparejado"), format!("{role} {serial}: paired"));
                return desk.good(line);
            }
            Err(NotPaired::Keys(error)) => return Err(error.into()),
            // what else it is refused for shows as it comes into session
            Err(NotPaired::Device { role, why: PairError::Taken(why), .. }) => {
                let line = desk.words(
                    format!("{role}: tiene su clave nueva, y todavía no entra en sesión: {why}"),
                    format!("{role}: holds its new key, and is not in session yet: {why}"),
                );
                return desk.wrong(line);
            }
            Err(error) => {
                let line = desk.words("arréglelo, y otra vez:", "mend that, and once more:");
                desk.wrong(format!("{error}\n{line}"))?;
            }
        }
    }
}

/// Waits until every device is in session; or gives the one that is there and holds another key.
async fn in_session<T: Teller>(watched: &mut Watched, desk: &mut Desk<T>) -> Result<Option<Role>, CommissionError> {
    while !watched.are_here() {
        let seen = tokio::select! {
            seen = watched.next() => seen.ok_or(CommissionError::Left)?,
            typed = desk.typed() => {
                typed?;
                continue;
            }
        };
        match seen {
            Seen::Here(role) => {
                let says = watched.of(role).map(|(_, says)| says.to_owned()).unwrap_or_default();
                let line = desk.words(format!("{role} en sesión: {says}"), format!("{role} in session: {says}"));
                desk.good(line)?;
            }
            Seen::Away(role, why) => desk.wrong(format!("{role}: {why}"))?,
            Seen::Advice(role, what) => desk.wrong(format!("{role}: {what}"))?,
            Seen::Refused(role, why, is_keyless) => {
                desk.wrong(format!("{role}: {why}"))?;
                if is_keyless {
                    let ask = desk.words(
                        "si es el aparato que debe ser: mantenga su interruptor de emparejar",
                        "if it is the device that belongs there: hold its pairing switch",
                    );
                    desk.ask(ask, Wants::Word)?;
                    desk.done().await?;
                    return Ok(Some(role));
                }
            }
            // what was seen before the trial is not of it
            _ => {}
        }
    }
    Ok(None)
}
