//! How far the record is shipped to the house's floor, as the uplink tells that this program runs beside the table. The
//! table does not wait for it; people and programs that look after the station are told.

use std::sync::{Mutex, PoisonError};

use sabot_law::table::LineNo;
use serde::Serialize;

/// What was told last. One program runs one table.
static LAST: Mutex<Option<Shipping>> = Mutex::new(None);

/// How it goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Shipping {
    /// The broker is reached.
    pub connected: bool,
    /// Lines of the record that is written which a sink has signed for; 0 while an older one is on its way.
    pub kept: LineNo,
    /// Why lines are not shipped, or what a sink has against them.
    pub trouble: Option<String>,
}

impl Shipping {
    /// As it was told last; none where nothing is shipped.
    #[must_use]
    pub fn last() -> Option<Self> {
        LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells it to who looks.
    pub fn tell(self) {
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    /// Lines that no sink has signed for, of so many.
    #[must_use]
    pub fn waiting(&self, lines: LineNo) -> LineNo {
        lines.saturating_sub(self.kept)
    }
}
