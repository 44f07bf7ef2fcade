//! A record played again: after each line the picture that the page shows then. What lay covered then is covered.

use sabot_law::replay::Replay;
use sabot_law::table::Event;
use sabot_law::table::answer::Lang;
use sabot_law::validator::Validator;

use super::{NotRead, Record, Told, read};
use crate::findings::{Findings, attended};
use crate::snapshot::{DeviceState, DeviceView, Snapshot, Verdict};
use crate::verdict::Facts;

/// A line as it is played.
#[derive(Debug)]
pub struct Played {
    /// What the page shows after it.
    pub picture: Snapshot,
    /// The pass that it belongs to.
    pub pass: u64,
    /// When it was, milliseconds since 1970; 0 where the log tells no times.
    pub at: u64,
    /// The same, as the clocks of the house show it.
    pub second: String,
}

/// What is known while lines go by.
struct Player {
    findings: Findings,
    /// Devices that the record has told of.
    devices: Vec<DeviceView>,
}

/// Reads a record and gives each line to `each`; of lines before the pass `from` nothing is drawn.
///
/// # Errors
/// When the record or one of its lines does not read, or `each` fails.
pub fn played(
    record: &Record,
    (replay, lang): (Replay, Lang),
    from: u64,
    mut each: impl FnMut(Played) -> Result<(), NotRead>,
) -> Result<(), NotRead> {
    let mut player = Player { findings: Findings::new(lang), devices: Vec::new() };
    read(record, replay, |told, validator| {
        player.take(&told, validator);
        if told.pass < from {
            return Ok(());
        }
        let (pass, at, second) = (told.pass, told.at, told.second());
        each(Played { picture: player.picture(&told, validator), pass, at, second })
    })?;
    Ok(())
}

impl Player {
    fn take(&mut self, told: &Told, validator: &Validator) {
        if let Some((finding, attention)) = attended(&told.event) {
            self.findings.attend(finding, attention);
        }
        for answer in &told.answers {
            self.findings.take(answer.clone());
        }
        self.findings.left(validator.duties().iter().map(|duty| duty.finding));
        let Event::Device { device, status, .. } = &told.event else { return };
        let state = match status.as_str() {
            "online" => DeviceState::Online,
            "offline" => DeviceState::Absent,
            "refused" => DeviceState::Refused,
            _ => return,
        };
        if let Some(known) = self.devices.iter_mut().find(|known| known.role == device.as_str()) {
            known.state = state;
        } else {
            self.devices.push(DeviceView { role: device.to_string(), state, ..DeviceView::default() });
        }
    }

    fn picture(&self, told: &Told, validator: &Validator) -> Snapshot {
        let (felt, header) = (told.felt(validator), validator.header());
        let (findings, devices) = (&self.findings, self.devices.as_slice());
        let verdict = Verdict::of(&Facts { felt: &felt, validator, findings, devices, record: None, refused: false });
        Snapshot {
            table: header.table.to_string(),
            house: told.house.clone(),
            regulation: header.regulation.to_string(),
            line: told.line,
            verdict,
            findings: findings.in_order(findings.list(), felt.pass),
            felt,
            devices: self.devices.clone(),
            figures: self.findings.figures(),
            ..Snapshot::default()
        }
    }
}
