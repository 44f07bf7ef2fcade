//! What a station wants shown, and how a signal of its configuration shows it: the same for every make.

use std::fmt;
use std::str::FromStr;

/// Paragraphs a picture holds at the most.
pub const PARAGRAPHS: usize = 6;
/// Characters a paragraph holds at the most.
pub const PARAGRAPH_CHARS: usize = 160;

/// How grave the matter is. In the order of gravity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Level {
    /// Nothing is to be looked at.
    #[default]
    Calm,
    /// To be known.
    Notice,
    /// The procedure was broken.
    Irregularity,
    /// The equipment or the cards cannot be trusted.
    Integrity,
    /// Something is not seen or not recorded.
    Blind,
}

impl Level {
    /// Every level, the calmest first.
    pub const ALL: [Self; 5] = [Self::Calm, Self::Notice, Self::Irregularity, Self::Integrity, Self::Blind];
}

/// What nobody has acknowledged yet. In the order of urgency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Attention {
    /// Nothing.
    #[default]
    None,
    /// Somebody has made an entry since; no authority has turned a key.
    Unkeyed,
    /// Nobody has done anything since.
    New,
}

/// What is to be shown, whole. A newer one replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SignalContent {
    /// How grave it is.
    pub level: Level,
    /// What nobody has acknowledged.
    pub attention: Attention,
    paragraphs: Vec<String>,
}

impl SignalContent {
    /// A picture with these texts, the most important first. Those that are empty or more than [`PARAGRAPHS`] are left
    /// out, and each is cut after [`PARAGRAPH_CHARS`] characters.
    pub fn new(level: Level, attention: Attention, texts: impl IntoIterator<Item = String>) -> Self {
        let texts = texts.into_iter().map(|text| text.trim().chars().take(PARAGRAPH_CHARS).collect::<String>());
        let paragraphs = texts.filter(|text| !text.is_empty()).take(PARAGRAPHS).collect();
        Self { level, attention, paragraphs }
    }

    /// Its texts.
    #[must_use]
    pub fn paragraphs(&self) -> &[String] {
        &self.paragraphs
    }
}

/// What one colour does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Light {
    /// Dark.
    #[default]
    Off,
    /// Lit.
    On,
    /// Blinking.
    Blink,
}

/// What a tower's colours do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lights {
    /// Red.
    pub red: Light,
    /// Amber (yellow on some makes).
    pub amber: Light,
    /// Green.
    pub green: Light,
    /// Blue.
    pub blue: Light,
    /// White.
    pub white: Light,
}

impl Lights {
    /// In the order in which every tower here counts them: red, amber, green, blue, white.
    #[must_use]
    pub const fn in_order(&self) -> [Light; 5] {
        [self.red, self.amber, self.green, self.blue, self.white]
    }
}

/// A text that names no lights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no light: write `off`, or colours such as `red`, `red blinking` or `red, blue blinking`")]
pub struct NoLights(String);

impl FromStr for Lights {
    type Err = NoLights;

    /// Reads `off`, or colours with commas between: `red, blue blinking`.
    fn from_str(text: &str) -> Result<Self, NoLights> {
        let mut lights = Self::default();
        if text.trim() == "off" {
            return Ok(lights);
        }
        for part in text.split(',') {
            let mut words = part.split_whitespace();
            let light = match words.next() {
                Some("red") => &mut lights.red,
                Some("amber" | "yellow") => &mut lights.amber,
                Some("green") => &mut lights.green,
                Some("blue") => &mut lights.blue,
                Some("white") => &mut lights.white,
                _ => return Err(NoLights(part.trim().to_owned())),
            };
            *light = match (words.next(), words.next()) {
                (None, _) => Light::On,
                (Some("blinking"), None) => Light::Blink,
                _ => return Err(NoLights(part.trim().to_owned())),
            };
        }
        Ok(lights)
    }
}

/// As [`Lights::from_str`] reads it.
impl fmt::Display for Lights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for (name, light) in ["red", "amber", "green", "blue", "white"].into_iter().zip(self.in_order()) {
            match light {
                Light::Off => continue,
                Light::On => write!(f, "{comma}{name}")?,
                Light::Blink => write!(f, "{comma}{name} blinking")?,
            }
            comma = ", ";
        }
        if comma.is_empty() { f.write_str("off") } else { Ok(()) }
    }
}

/// When a buzzer sounds. A notice never rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Buzzer {
    /// Never.
    Off,
    /// From a finding until anything is entered at the table.
    #[default]
    UntilEntry,
    /// From a finding until an authority's key is turned.
    UntilKey,
}

/// How a tower shows pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Lights of each level, in the order of [`Level::ALL`].
    pub lights: [Lights; 5],
    /// When it sounds.
    pub buzzer: Buzzer,
}

impl Default for Look {
    fn default() -> Self {
        let dark = Lights::default();
        let lights = [
            Lights { green: Light::On, ..dark },
            Lights { amber: Light::On, ..dark },
            Lights { red: Light::On, ..dark },
            Lights { red: Light::Blink, ..dark },
            Lights { red: Light::On, amber: Light::Blink, ..dark },
        ];
        Self { lights, buzzer: Buzzer::default() }
    }
}

impl Look {
    /// The lights of a picture, and whether the buzzer sounds.
    #[must_use]
    pub fn of(&self, picture: &SignalContent) -> (Lights, bool) {
        let lights = match picture.level {
            Level::Calm => self.lights[0],
            Level::Notice => self.lights[1],
            Level::Irregularity => self.lights[2],
            Level::Integrity => self.lights[3],
            Level::Blind => self.lights[4],
        };
        let sounds = match self.buzzer {
            Buzzer::Off => false,
            Buzzer::UntilEntry => picture.attention == Attention::New,
            Buzzer::UntilKey => picture.attention >= Attention::Unkeyed,
        };
        (lights, sounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lights_are_read_as_they_are_written_and_nonsense_is_named() {
        for text in ["off", "red", "red blinking, blue", "amber, green blinking, white"] {
            assert_eq!(text.parse::<Lights>().unwrap().to_string(), text);
        }
        assert_eq!(" yellow ,red".parse::<Lights>().unwrap().to_string(), "red, amber");
        for text in ["", "pink", "red flashing", "red blinking twice", "red,"] {
            assert!(text.parse::<Lights>().unwrap_err().to_string().contains("is no light"), "{text}");
        }
    }

    #[test]
    fn a_buzzer_sounds_until_what_it_is_configured_for() {
        let sounds = |buzzer, attention| {
            Look { buzzer, ..Look::default() }.of(&SignalContent::new(Level::Integrity, attention, [])).1
        };
        let at = |buzzer| [Attention::None, Attention::Unkeyed, Attention::New].map(|now| sounds(buzzer, now));
        assert_eq!(at(Buzzer::Off), [false, false, false]);
        assert_eq!(at(Buzzer::UntilEntry), [false, false, true]);
        assert_eq!(at(Buzzer::UntilKey), [false, true, true]);
    }

    #[test]
    fn a_picture_is_bounded() {
        let texts = (0..50).map(|n| if n == 1 { " ".to_owned() } else { "ñ".repeat(1000) });
        let picture = SignalContent::new(Level::Calm, Attention::None, texts);
        assert_eq!(picture.paragraphs().len(), PARAGRAPHS);
        assert!(picture.paragraphs().iter().all(|text| text.chars().count() == PARAGRAPH_CHARS));
    }
}
