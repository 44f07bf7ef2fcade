//! The page can be read in a dim room: the colours it names hold to WCAG AA.

use std::collections::HashMap;

const CSS: &str = include_str!("../../console/assets/console.css");

/// What is written on what: text, ground.
const PAIRS: &[(&str, &str)] = &[
    ("text", "room"),
    ("text", "panel"),
    ("text", "box"),
    ("text", "felt"),
    ("soft", "room"),
    ("soft", "panel"),
    ("soft", "box"),
    ("soft", "felt"),
    ("brass", "panel"),
    ("now-ink", "brass"),
    ("now-ink", "now"),
    ("now-ink", "warn"),
    ("now", "panel"),
    ("felt-deep", "text"),
    ("room", "text"),
    ("black-suit", "card"),
    ("red-suit", "card"),
    ("alarm-text", "alarm"),
    ("alarm", "alarm-text"),
    ("ok", "panel"),
    ("warn", "panel"),
    ("bad", "panel"),
];

/// Those by daylight. Cloth, cards and alarms keep the others.
const BY_DAY: &[(&str, &str)] = &[
    ("text", "room"),
    ("text", "panel"),
    ("soft", "room"),
    ("soft", "panel"),
    ("room", "text"),
    ("now", "room"),
    ("now", "panel"),
    ("brass", "room"),
    ("brass", "panel"),
    ("now-ink", "brass"),
    ("bad", "panel"),
    ("ok", "panel"),
    ("warn", "panel"),
    ("alarm-text", "alarm"),
    ("alarm", "alarm-text"),
];

/// `--name: #rrggbb;` of a style sheet; what stands later holds.
fn colours(css: &'static str) -> HashMap<&'static str, [f64; 3]> {
    let named = |line: &'static str| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
        let value = u32::from_str_radix(value.trim_end_matches(';'), 16).ok()?;
        Some((name, [16, 8, 0].map(|shift| f64::from((value >> shift) & 0xff) / 255.0)))
    };
    css.lines().filter_map(named).collect()
}

fn luminance(colour: [f64; 3]) -> f64 {
    let linear = |part: f64| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[test]
fn every_text_stands_out_from_its_ground_at_least_four_and_a_half_to_one() {
    let (by_night, by_day) = (CSS.split("@media print, (prefers-color-scheme: light)").next().unwrap(), CSS);
    assert!(by_night.len() < CSS.len(), "there are colours for daylight");
    for (css, pairs) in [(by_night, PAIRS), (by_day, BY_DAY)] {
        let colours = colours(css);
        for (text, ground) in pairs {
            let [text_light, ground_light] = [text, ground].map(|name| luminance(colours[*name]) + 0.05);
            let contrast = text_light.max(ground_light) / text_light.min(ground_light);
            assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
        }
    }
}

#[test]
fn nothing_moves_for_those_who_asked_for_stillness_and_nothing_is_fetched_from_elsewhere() {
    let still = CSS.split("@media (prefers-reduced-motion: no-preference)").next().unwrap();
    assert!(!still.contains("animation") && !still.contains("transition"));
    assert!(!CSS.contains("url(") && !CSS.contains("@import") && !CSS.contains("http"));
}
