//! The levers of a camera.

use sabot_camera::Shown;

use crate::levers::{self, TwinLever, entry, on_off};

/// What happens before the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lever {
    /// A card is drawn.
    Draw(Shown),
    /// A hand is on the lens, or no more.
    Cover(bool),
    /// It sends the same picture again and again, or no more.
    Freeze(bool),
}

type Entry = levers::Lever<TwinLever<Lever>>;

/// All of them.
pub const LEVERS: &[Entry] = &[
    entry("draw CARD", "a card is drawn: AS, TH, back (its face hidden) or cut", |word| {
        let what = Shown::named(word).filter(|what| *what != Shown::Nothing)?;
        Some(TwinLever::Device(Lever::Draw(what)))
    }),
    entry("cover on|off", "a hand is on the lens", |word| Some(TwinLever::Device(Lever::Cover(on_off(word)?)))),
    entry("freeze on|off", "it sends the same picture again and again", |word| {
        Some(TwinLever::Device(Lever::Freeze(on_off(word)?)))
    }),
    Entry::MUTE,
    Entry::UNMUTE,
    Entry::UNPLUG,
    Entry::PLUG,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levers::read;

    #[test]
    fn lines_are_levers() {
        let draw = |name| TwinLever::Device(Lever::Draw(Shown::named(name).unwrap()));
        assert_eq!(read(LEVERS, "draw TH"), Ok(draw("TH")));
        assert_eq!(read(LEVERS, "draw back"), Ok(draw("back")));
        assert_eq!(read(LEVERS, "cover on"), Ok(TwinLever::Device(Lever::Cover(true))));
        for bad in ["draw", "draw 10H", "draw nothing", "freeze", "restart"] {
            assert!(read(LEVERS, bad).is_err(), "{bad}");
        }
    }
}
