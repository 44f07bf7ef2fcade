//! Who serves a table: who deals, who inspects, whether it is open, in which shift.

use sabot_journal::clock::station_line;
use sabot_law::replay::Replay;
use sabot_law::table::answer::Lang;

use super::{NotRead, Record, Told, read};
use crate::staff::Office;

sabot_words::words! {
    "a change of who serves the table";
    /// What somebody says of his service, as the record has it.
    pub enum Service {
        /// He deals from now on; who dealt is relieved.
        Deals = "deals",
        /// He inspects from now on.
        Inspects = "inspects",
        /// The table is open.
        Opens = "table_opened",
        /// The table is closed: nobody deals or inspects any more.
        Closes = "table_closed",
        /// A shift begins.
        Shift = "shift_begins",
    }
}

impl Service {
    /// The offices that may say so.
    #[must_use]
    pub const fn offices(self) -> &'static [Office] {
        match self {
            Self::Deals => &[Office::Dealer],
            Self::Inspects => &[Office::Inspector],
            Self::Opens | Self::Closes | Self::Shift => &[Office::Inspector, Office::TableChief, Office::Room],
        }
    }
}

/// Who deals after a line of the station's own; nobody is the empty name.
pub(super) fn deals(dealer: &mut String, status: &str, detail: &str) {
    let who = detail.split(' ').next().unwrap_or_default();
    match status {
        "signed_in" if detail.split([' ', ',']).skip(1).any(|role| role == "dealer") => who.clone_into(dealer),
        status if status == Service::Deals.word() => who.clone_into(dealer),
        status if status == Service::Closes.word() => dealer.clear(),
        "signed_out" if who == dealer => dealer.clear(),
        _ => {}
    }
}

/// Somebody, and since when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Since {
    /// Who, as the record calls him.
    pub by: String,
    /// Since when.
    pub at: String,
}

/// Who serves a table, as was said last.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Serving {
    /// Who deals.
    pub deals: Option<Since>,
    /// Who inspects.
    pub inspects: Option<Since>,
    /// Whether the table was opened, or closed, and by whom.
    pub open: Option<(bool, Since)>,
    /// Who began the shift.
    pub shift: Option<Since>,
}

impl Serving {
    fn take(&mut self, Told { event, .. }: &Told, at: String) {
        let Some((status, Some(detail))) = station_line(event) else { return };
        let by = detail.split(' ').next().unwrap_or_default().to_owned();
        let since = Since { by, at };
        match status.parse() {
            Ok(Service::Deals) => self.deals = Some(since),
            Ok(Service::Inspects) => self.inspects = Some(since),
            Ok(Service::Opens) => self.open = Some((true, since)),
            Ok(Service::Closes) => *self = Self { open: Some((false, since)), ..Self::default() },
            Ok(Service::Shift) => self.shift = Some(since),
            Err(_) => {}
        }
    }
}

/// Who serves the table at the end of its record.
///
/// # Errors
/// When it does not read.
pub fn serving(record: &Record) -> Result<Serving, NotRead> {
    let mut serving = Serving::default();
    read(record, Replay::new(Lang::default(), None), |told, _| {
        serving.take(&told, told.second());
        Ok(())
    })?;
    Ok(serving)
}
