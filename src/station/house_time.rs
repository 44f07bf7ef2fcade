//! Times as the clocks of the house show them.

use std::str::FromStr;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use sabot_journal::clock::{parse_utc, utc};

/// Milliseconds of an hour.
const HOUR_MS: u64 = 3_600_000;

/// The time zone of a house: universal time where none is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseTime(TimeZone);

impl Default for HouseTime {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

/// No time zone has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no time zone is called `{0}`: names are those of the IANA database, such as Europe/Madrid")]
pub struct NoTimeZone(String);

impl FromStr for HouseTime {
    type Err = NoTimeZone;

    fn from_str(name: &str) -> Result<Self, NoTimeZone> {
        TimeZone::get(name).map(Self).map_err(|_| NoTimeZone(name.to_owned()))
    }
}

/// A time, milliseconds since 1970, to the second, universal time, as ISO 8601 writes it.
#[must_use]
pub fn second(at: u64) -> String {
    let text = utc(at);
    text.get(..19).map_or_else(|| text.clone(), |whole| format!("{whole}Z"))
}

impl HouseTime {
    /// The name of its time zone.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// Its time zone.
    pub(crate) const fn zone(&self) -> &TimeZone {
        &self.0
    }

    /// A time, milliseconds since 1970, to the second, as ISO 8601 writes it. The offset from universal time stands
    /// in it, which tells the two hours apart that have one name when clocks are set back.
    #[must_use]
    pub fn second(&self, at: u64) -> String {
        self.shown(at, "%Y-%m-%dT%H:%M:%S%:z")
    }

    /// What people read of words in which times stand as the record has them, universal time to the millisecond.
    #[must_use]
    pub fn words(&self, text: &str) -> String {
        let word = |word: &str| {
            let (time, after) = word.split_at(word.trim_end_matches([',', ';', ')']).len());
            parse_utc(time).map_or_else(|| word.to_owned(), |at| self.second(at) + after)
        };
        text.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }

    /// The hour in which a time is, as its beginning.
    #[must_use]
    pub fn hour(&self, at: u64) -> String {
        self.shown(at, "%Y-%m-%dT%H:00%:z")
    }

    /// When that hour began, milliseconds since 1970. Not everywhere it begins with an hour of universal time.
    #[must_use]
    pub fn hour_began(&self, at: u64) -> u64 {
        let ahead = self.zoned(at).map_or(0, |zoned| i64::from(zoned.offset().seconds()) * 1000);
        let since = at.saturating_add_signed(ahead) % HOUR_MS;
        at.saturating_sub(since)
    }

    /// A day, a minute or a second, milliseconds since 1970: `2026-11-24`, `2026-11-24T22:41`, `2026-11-24T22:41:07`.
    /// A time of day may name its offset (`Z`, `+01:00`), and is the house's where it does not: of two hours that have
    /// one name the first, and for one that clocks leave out as much later.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<u64> {
        let offset = text.rfind(['Z', '+']).or_else(|| text.rfind('-').filter(|at| *at > 10)).unwrap_or(text.len());
        let bare = text.get(..offset)?;
        let has_form = match bare.len() {
            10 => offset == text.len(),
            16 | 19 => bare.as_bytes().get(10) == Some(&b'T'),
            _ => false,
        };
        let civil = bare.parse::<DateTime>().ok().filter(|_| has_form)?;
        let time = if offset < text.len() {
            text.parse::<Timestamp>().ok()?
        } else {
            civil.to_zoned_datetime(self.0.clone()).ok()?.timestamp()
        };
        // before 1970 is before everything
        Some(u64::try_from(time.as_millisecond()).unwrap_or(0))
    }

    fn zoned(&self, at: u64) -> Option<ZonedDateTime> {
        let time = Timestamp::from_millisecond(i64::try_from(at).ok()?).ok()?;
        Some(time.to_zoned_datetime(self.0.clone()))
    }

    fn shown(&self, at: u64, form: &str) -> String {
        // a year beyond 9999 has no time of day
        let Some(zoned) = self.zoned(at) else { return second(at) };
        zoned.strftime(form).to_string().replace("+00:00", "Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn madrid() -> HouseTime {
        "Europe/Madrid".parse().unwrap()
    }

    fn at_utc(text: &str) -> u64 {
        HouseTime::default().parse(text).unwrap()
    }

    #[test]
    fn the_two_hours_of_one_name_are_told_apart() {
        // 25 October 2026: 03:00 is followed by 02:00
        let times = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"].map(at_utc);
        let shown = ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", "2026-10-25T03:30:00+01:00"];
        assert_eq!(times.map(|at| madrid().second(at)), shown);
        assert_eq!(shown.map(|text| madrid().parse(text).unwrap()), times);
        assert_eq!(madrid().parse("2026-10-25T02:30"), Some(times[0]), "without its offset it is the first");
        assert_eq!(HouseTime::default().second(times[0]), second(times[0]), "universal time reads as ever");
    }

    #[test]
    fn times_within_words_are_those_of_the_house_and_nothing_else_changes() {
        let text = "no space, since 2026-11-24T22:41:07.123Z, at 2026-11-25T00:00:00.000Z no  2026-11-24 1Z";
        let shown = "no space, since 2026-11-24T23:41:07+01:00, at 2026-11-25T01:00:00+01:00 no  2026-11-24 1Z";
        assert_eq!(madrid().words(text), shown);
        assert_eq!((madrid().name(), HouseTime::default().name()), ("Europe/Madrid", "UTC"));
    }

    #[test]
    fn an_hour_that_does_not_come_is_as_much_later() {
        // 29 March 2026: 02:00 is followed by 03:00
        assert_eq!(madrid().parse("2026-03-29T02:30"), Some(at_utc("2026-03-29T01:30Z")));
        assert_eq!(madrid().parse("2026-03-29"), Some(at_utc("2026-03-28T23:00Z")));
    }

    #[test]
    fn an_hour_begins_where_the_clock_of_the_house_strikes() {
        let kathmandu: HouseTime = "Asia/Kathmandu".parse().unwrap();
        let at = at_utc("2026-11-24T20:10:00Z");
        assert_eq!(kathmandu.second(at), "2026-11-25T01:55:00+05:45");
        assert_eq!(kathmandu.hour(at), "2026-11-25T01:00+05:45");
        assert_eq!(kathmandu.hour_began(at), at_utc("2026-11-24T19:15Z"));
    }

    #[test]
    fn a_time_of_a_form_is_a_minute() {
        assert_eq!(at_utc("1970-01-01T00:01"), 60_000);
        assert_eq!(madrid().parse("1970-01-01"), Some(0), "an hour before there were any");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for wrong in [
            "",
            "22:41",
            "2026-13-01",
            "2026-11-24T22",
            "2026-11-24 22:41",
            "2026-11-24Z",
            "mañana a las 10:00",
            "-",
            "Z",
        ] {
            assert_eq!(madrid().parse(wrong), None, "{wrong}");
        }
        assert!("Madrid".parse::<HouseTime>().is_err());
    }
}
