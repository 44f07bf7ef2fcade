//! What the record says of time. `t` only counts milliseconds on; what the clock on the wall showed, the station tells
//! with lines of its own, at each start and each minute. So a clock that was wrong once spoils no time after it.

use sabot_law::table::Event;
use serde::{Deserialize, Serialize};

/// The device by which the station speaks of itself.
pub const STATION: &str = "station";
/// It has started.
pub const START: &str = "start";
/// A minute has passed.
pub const CLOCK: &str = "clock";
/// It stops.
pub const STOP: &str = "stop";
/// Something kept the record from growing, and does no more.
pub const RECORD_FAULT: &str = "record_fault";
/// The key of a shoe is lost, and with it cards that lie covered.
pub const SEALS_LOST: &str = "seals_lost";
/// A start has found lines that nothing had signed.
pub const SIGNED_LATE: &str = "signed_late";
/// The gaming day is over: the record ends here, and the next one begins.
pub const DAY_CLOSED: &str = "day_closed";
/// What was read so far is kept for the next start.
pub const STATE_KEPT: &str = "state_kept";

/// What people are shown first has changed: the face of the table, and why.
pub const VERDICT: &str = "verdict";
/// It has taken over files that were changed, without a restart.
pub const RELOADED: &str = "reloaded";
/// It was to do so, and one of them cannot be used: what it went by stays.
pub const NOT_RELOADED: &str = "not_reloaded";

/// The clock by which the video recorder writes times into its pictures, where a house names it.
pub const VIDEO: &str = "video";

/// What stands before the name of a clock of the house.
const CLOCK_NAMED: &str = "clock-";
/// What stands behind it where the clock did not answer.
const UNHEARD: &str = "unheard";
/// What stands before the time on the wall.
const AT: &str = "at ";
const DAY_MS: u64 = 86_400_000;

/// When something was told: by the record's count, and on the wall.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// Milliseconds since the record was begun, by its own count.
    pub t: u64,
    /// Milliseconds since 1970.
    pub unix_ms: u64,
}

impl Anchor {
    /// What the wall should show at a later time of the record.
    #[must_use]
    pub fn wall_at(self, t: u64) -> u64 {
        self.unix_ms.saturating_add(t.saturating_sub(self.t))
    }

    /// What the record counts when the wall shows this; never less than its last line's time.
    #[must_use]
    pub fn continued(self, last_t: u64, unix_ms: u64) -> u64 {
        last_t.saturating_add(unix_ms.saturating_sub(self.wall_at(last_t)))
    }

    /// What a line of the station's own says of the time on the wall.
    #[must_use]
    pub fn told(event: &Event, t: u64) -> Option<Self> {
        let detail = station_line(event)?.1?;
        let at = detail.rfind(AT)? + AT.len();
        let unix_ms = parse_utc(detail.get(at..)?.split(' ').next()?)?;
        Some(Self { t, unix_ms })
    }
}

/// A line of the station's own: its status and detail.
#[must_use]
pub fn station_line(event: &Event) -> Option<(&str, Option<&str>)> {
    match event {
        Event::Device { device, status, detail, .. } if device == STATION => Some((status, detail.as_deref())),
        _ => None,
    }
}

/// The words for a time on the wall, milliseconds since 1970: `at 2026-11-24T04:20:11.532Z`.
#[must_use]
pub fn at(unix_ms: u64) -> String {
    format!("{AT}{}", utc(unix_ms))
}

/// The words for a clock of the house, by how many milliseconds it is ahead of the station's: `clock-video +1240 ms`,
/// or `clock-video unheard`.
#[must_use]
pub fn ahead(name: &str, ms: Option<i64>) -> String {
    ms.map_or_else(|| format!("{CLOCK_NAMED}{name} {UNHEARD}"), |ms| format!("{CLOCK_NAMED}{name} {ms:+} ms"))
}

/// By how many milliseconds a line of the station's own says that a clock of the house is ahead.
#[must_use]
pub fn told_ahead(event: &Event, name: &str) -> Option<i64> {
    let mut words = station_line(event)?.1?.split(' ');
    words.find(|word| word.strip_prefix(CLOCK_NAMED) == Some(name))?;
    words.next()?.parse().ok()
}

/// A time on the wall, milliseconds since 1970, as ISO 8601 writes it.
#[must_use]
pub fn utc(unix_ms: u64) -> String {
    // in eras of 400 years, whose year begins in March, so that a leap day is the last of one
    let (days, ms) = (unix_ms / DAY_MS + 719_468, unix_ms % DAY_MS);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, january) = (day - (153 * month + 2) / 5 + 1, month >= 10);
    let month = if january { month - 9 } else { month + 3 };
    let year = era * 400 + year + u64::from(january);
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1000)
}

/// Reads what [`utc`] writes.
#[must_use]
pub fn parse_utc(text: &str) -> Option<u64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let years = if month > 2 { year } else { year.checked_sub(1)? };
    let (era, year_of_era) = (years / 400, years % 400);
    let day_of_year =
        (153 * (if month > 2 { month.checked_sub(3)? } else { month + 9 }) + 2) / 5 + day.checked_sub(1)?;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let ms = (number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?) * 1000 + number(20, 23)?;
    let unix_ms = days.checked_sub(719_468)?.checked_mul(DAY_MS)?.checked_add(ms)?;
    // what does not come back as it was is no time
    (utc(unix_ms) == text).then_some(unix_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_law::table::Name;

    #[test]
    fn times_are_told_as_the_calendar_has_them_and_read_back() {
        for (seconds, told) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399, "2000-02-28T23:59:59.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000Z"),
            (1_764_042_330, "2025-11-25T03:45:30.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(utc(seconds * 1000), told);
            assert_eq!(parse_utc(told), Some(seconds * 1000));
        }
        assert_eq!(parse_utc("2025-11-25T03:45:30.123Z"), Some(1_764_042_330_123));
        for wrong in ["", "2025-02-29T00:00:00.000Z", "2025-13-01T00:00:00.000Z", "1969-12-31T00:00:00.000Z", "now"] {
            assert_eq!(parse_utc(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_line_of_the_station_tells_the_time_on_the_wall_and_no_other_line_does() {
        let line = |device: &str, detail: &str| Event::Device {
            device: Name::new(device),
            status: Name::new(START),
            detail: Some(Name::new(detail)),
            complete: false,
        };
        let told = Anchor::told(&line(STATION, "sabot 1 at 2025-11-25T03:45:30.000Z synchronised"), 7);
        assert_eq!(told, Some(Anchor { t: 7, unix_ms: 1_764_042_330_000 }));
        assert_eq!(Anchor::told(&line("shoe", "at 2025-11-25T03:45:30.000Z"), 7), None);
        assert_eq!(Anchor::told(&line(STATION, "at noon"), 7), None);
        let both = format!("{} {} {}", ahead("house", None), ahead("video", Some(-1240)), at(7));
        assert_eq!(both, "clock-house unheard clock-video -1240 ms at 1970-01-01T00:00:00.007Z");
        assert_eq!(Anchor::told(&line(STATION, &both), 7), Some(Anchor { t: 7, unix_ms: 7 }));
        assert_eq!(told_ahead(&line(STATION, &both), VIDEO), Some(-1240));
        assert_eq!(told_ahead(&line(STATION, &both), "house"), None);
        assert_eq!(told_ahead(&line("shoe", &both), VIDEO), None);
    }

    #[test]
    fn the_count_goes_on_by_the_wall_and_never_back() {
        let anchor = Anchor { t: 1000, unix_ms: 50_000 };
        assert_eq!(anchor.continued(1500, 60_000), 11_000);
        assert_eq!(anchor.continued(1500, 40_000), 1500, "a clock that was set back");
        assert_eq!(anchor.continued(1500, 50_500), 1500);
    }
}
