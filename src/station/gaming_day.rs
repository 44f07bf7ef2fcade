//! The hour at which a house's day begins.

use jiff::civil::Time;
use jiff::{Timestamp, ToSpan};

use super::house_time::HouseTime;

/// When the house's day begins, on the wall of the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamingDay {
    /// The hour.
    pub begins: Time,
    /// Whose wall that is.
    pub house: HouseTime,
}

impl GamingDay {
    /// When the day ends in which a record was begun, both milliseconds since 1970. Where clocks are set forward over
    /// the hour, the day ends so much later; where the hour comes twice, at the first.
    #[must_use]
    pub fn ends(&self, began_ms: u64) -> Option<u64> {
        let began = Timestamp::from_millisecond(i64::try_from(began_ms).ok()?).ok()?;
        let zone = self.house.zone();
        let mut date = began.to_zoned_datetime(zone.clone()).date();
        loop {
            let ends = date.to_datetime(self.begins).to_zoned_datetime(zone.clone()).ok()?.timestamp();
            if ends > began {
                return u64::try_from(ends.as_millisecond()).ok();
            }
            date = date.checked_add(1.day()).ok()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sabot_journal::clock::{parse_utc, utc};

    fn ends(zone: &str, hour: i8, minute: i8, began: &str) -> String {
        let day = GamingDay { begins: Time::constant(hour, minute, 0, 0), house: zone.parse().unwrap() };
        let end = day.ends(parse_utc(&format!("{began}:00.000Z")).unwrap()).unwrap();
        utc(end).strip_suffix(":00.000Z").unwrap().to_owned()
    }

    #[test]
    fn a_day_ends_at_the_hour_on_the_wall_of_the_house_in_summer_and_in_winter() {
        assert_eq!(ends("UTC", 6, 0, "2026-11-24T22:00"), "2026-11-25T06:00");
        assert_eq!(ends("UTC", 6, 0, "2026-11-25T06:00"), "2026-11-26T06:00");
        assert_eq!(ends("Europe/Madrid", 6, 0, "2026-11-24T22:00"), "2026-11-25T05:00");
        assert_eq!(ends("Europe/Madrid", 6, 0, "2026-07-24T22:00"), "2026-07-25T04:00");
        assert_eq!(ends("America/Bogota", 0, 30, "2026-07-24T05:29"), "2026-07-24T05:30");
    }

    #[test]
    fn an_hour_that_does_not_come_is_later_and_of_one_that_comes_twice_the_first_counts() {
        // 29 March 2026: 02:00 is followed by 03:00; 25 October: 03:00 by 02:00
        assert_eq!(ends("Europe/Madrid", 2, 30, "2026-03-28T22:00"), "2026-03-29T01:30");
        assert_eq!(ends("Europe/Madrid", 2, 30, "2026-10-24T22:00"), "2026-10-25T00:30");
        assert_eq!(ends("Europe/Madrid", 2, 30, "2026-10-25T00:30"), "2026-10-26T01:30");
    }
}
