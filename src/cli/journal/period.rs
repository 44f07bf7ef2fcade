//! Times on the wall, as options name them.

use std::path::Path;

use clap::Args;
use sabot_station::history::house_of;
use sabot_station::house_time::HouseTime;

/// Whose clocks are meant.
#[derive(Debug, Args)]
pub(crate) struct House {
    /// Time zone in which times are shown, and asked for; a name of the IANA database, such as Europe/Madrid.
    /// Left out: that of the table, as the record tells it; else universal time.
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<HouseTime>,
}

impl House {
    /// The one that is named, or else the record's.
    pub(crate) fn of(&self, record: &Path) -> HouseTime {
        self.time_zone.clone().or_else(|| house_of(record)).unwrap_or_default()
    }

    /// The one that is named, where no record tells of one.
    pub(crate) fn named(&self) -> HouseTime {
        self.time_zone.clone().unwrap_or_default()
    }
}

/// Times on the wall, as an option names them.
#[derive(Debug, Args)]
pub(crate) struct Period {
    /// Not before this time: 2026-11-24, 2026-11-24T22:41 or 2026-11-24T22:41:07, in the time zone; or with its offset,
    /// 2026-10-25T02:30+01:00, where an hour comes twice. Without it the first of the two is meant.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<String>,
    /// Before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<String>,
    #[command(flatten)]
    pub(crate) house: House,
}

impl Period {
    /// From when and before when by the clocks of a house, milliseconds since 1970.
    pub(crate) fn bounds(&self, house: &HouseTime) -> (u64, u64) {
        let bound = |text: &Option<String>| text.as_deref().and_then(|text| house.parse(text));
        (bound(&self.from).unwrap_or(0), bound(&self.to).unwrap_or(u64::MAX))
    }
}

/// A time that reads as one.
fn time(text: &str) -> Result<String, String> {
    HouseTime::default().parse(text).map(|_| text.to_owned()).ok_or_else(|| {
        "a time reads 2026-11-24, 2026-11-24T22:41, 2026-11-24T22:41:07 or 2026-11-24T22:41+01:00".to_owned()
    })
}
