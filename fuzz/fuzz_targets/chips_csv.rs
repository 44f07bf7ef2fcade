//! The casino's table of chips: any text is chips or a mistake with its place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sabot_station::registry::{Chip, Registry, read_csv};

fuzz_target!(|text: &str| {
    match read_csv::<Chip>(text) {
        Ok(chips) => {
            let (mut registry, count) = (Registry::default(), chips.len());
            assert_eq!(registry.merge(chips), (count, 0), "no chip stands there twice");
            assert_eq!(registry.len(), count);
        }
        Err(mistake) => {
            assert!((1..=text.lines().count().max(1)).contains(&mistake.line), "{mistake}");
            assert!(mistake.column >= 1, "{mistake}");
        }
    }
});
