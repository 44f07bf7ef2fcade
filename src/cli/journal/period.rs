//! Times on the wall, as options name them.

use clap::Args;
use sabot_journal::clock::parse_utc;

/// Times on the wall, as an option names them.
#[derive(Debug, Args)]
pub(super) struct Period {
    /// Not before this time: 2026-11-24, 2026-11-24T22:41 or 2026-11-24T22:41:07, UTC.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<u64>,
    /// Before this time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    to: Option<u64>,
}

impl Period {
    /// From when and before when, milliseconds since 1970.
    pub(super) fn bounds(&self) -> (u64, u64) {
        (self.from.unwrap_or(0), self.to.unwrap_or(u64::MAX))
    }

    /// Whether a time, milliseconds since 1970, is in it.
    pub(super) fn holds(&self, at: u64) -> bool {
        self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at < to)
    }
}

/// A time, milliseconds since 1970.
fn time(text: &str) -> Result<u64, String> {
    const FORM: &str = "0000-00-00T00:00:00.000Z";
    let bare = text.strip_suffix('Z').unwrap_or(text);
    let whole = FORM.get(bare.len()..).map(|rest| format!("{bare}{rest}"));
    whole
        .filter(|_| matches!(bare.len(), 10 | 16 | 19))
        .and_then(|whole| parse_utc(&whole))
        .ok_or_else(|| "a time reads 2026-11-24, 2026-11-24T22:41 or 2026-11-24T22:41:07, in UTC".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_day_a_minute_or_a_second() {
        assert_eq!(time("1970-01-02"), Ok(86_400_000));
        assert_eq!(time("1970-01-01T00:01Z"), Ok(60_000));
        assert_eq!(time("1970-01-01T00:01:02"), Ok(62_000));
        for wrong in ["", "22:41", "2026-13-01", "2026-11-24T22", "2026-11-24 22:41", "mañana"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
