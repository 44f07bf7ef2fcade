//! The deck that a camera was shown: one sheet of pictures, which any viewer shows.

use std::path::{Path, PathBuf};

use sabot_words::Card;
use serde::{Deserialize, Serialize};

use crate::frame::{BadPicture, Frame, MAX_SIDE};

/// Cards of a deck.
const CARDS: usize = 52;
/// The sheet has thirteen columns: a row each suit, then what is no card.
const COLUMNS: usize = 13;
const ROWS: usize = 5;
/// How far around its place at rest an index is looked for, in hundredths of its size.
const REACH: usize = 35;
/// An index has so many pixels across at the least.
const MIN_SIDE: usize = 16;

/// A part of a picture, pixels from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rect {
    /// From the left.
    pub x: usize,
    /// From the top.
    pub y: usize,
    /// Width.
    pub width: usize,
    /// Height.
    pub height: usize,
}

/// Where what is where in the camera's pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Width and height of a picture.
    pub picture: (usize, usize),
    /// Where the corner index of a card at rest is, with a little paper around.
    pub index: Rect,
    /// Where the mark is that is seen beside the cards in every picture.
    pub mark: Rect,
}

/// What was shown to a camera that learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shown {
    /// A card's face.
    Card(Card),
    /// A card's back.
    Back,
    /// The cut card.
    Cut,
    /// The mouth with nothing in it.
    Nothing,
}

/// A deck that was learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deck {
    geometry: Geometry,
    /// The area of each card's picture, in the order of their numbers, then of the back, the cut card and the mouth.
    areas: Vec<Frame>,
    mark: Frame,
}

/// Why there is no deck.
#[derive(Debug, thiserror::Error)]
pub enum DeckError {
    /// The file cannot be read or written.
    #[error("{path}: {why}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// It is no sheet of ours.
    #[error("{path} is no deck: {why}; make one with `sabot deck learn`")]
    NoDeck {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A picture is none.
    #[error("{what}: {why}")]
    Picture {
        /// Whose.
        what: String,
        /// Why.
        why: BadPicture,
    },
    /// A part does not fit.
    #[error("{what} {why}")]
    Part {
        /// The index or the mark.
        what: &'static str,
        /// How it does not fit, and the way out.
        why: String,
    },
    /// Not all was shown.
    #[error("not shown: {0}; show every card, the back, the cut card and the empty mouth once")]
    Missing(String),
    /// A picture of another size.
    #[error("{what} is {found:?} pixels large, and the first was {expected:?}: let the camera's setting be")]
    Size {
        /// Whose.
        what: String,
        /// The size of this.
        found: (usize, usize),
        /// The size of the others.
        expected: (usize, usize),
    },
    /// A picture is of no use.
    #[error("{what} {why}")]
    Useless {
        /// Whose.
        what: String,
        /// Why, and the way out.
        why: String,
    },
    /// A suit is seen in part.
    #[error(
        "the suit sign of the {suit} goes on beyond the {side} edge of what is named as the index: name a larger \
             part, with paper all around rank and suit sign; where pictures show no more, move the camera away, or take \
             cards with a smaller index"
    )]
    CutOff {
        /// Which.
        suit: &'static str,
        /// At which edge.
        side: &'static str,
    },
    /// Two cards cannot be told apart.
    #[error("{0} and {1} look alike: was one of them shown in place of the other? show both again, each by itself")]
    Alike(String, String),
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Card(card) => card.fmt(f),
            Self::Back => f.write_str("back"),
            Self::Cut => f.write_str("cut"),
            Self::Nothing => f.write_str("nothing"),
        }
    }
}

impl Shown {
    /// All that is shown to a camera that learns, in the order of the sheet: the suits, each from the ace on.
    pub fn all() -> impl Iterator<Item = Self> {
        let cards = (0..).map_while(Card::from_index).map(Self::Card);
        cards.chain([Self::Back, Self::Cut, Self::Nothing])
    }

    /// By the word that names it, as in the name of a file.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::all().find(|shown| shown.to_string() == word)
    }
}

impl Rect {
    const fn ends(&self) -> (usize, usize) {
        (self.x.saturating_add(self.width), self.y.saturating_add(self.height))
    }

    const fn is_inside(&self, (width, height): (usize, usize)) -> bool {
        let (right, bottom) = self.ends();
        right <= width && bottom <= height
    }
}

impl Geometry {
    /// The index, and around it all that it is looked for in.
    #[must_use]
    pub fn area(&self) -> Rect {
        let Rect { x, y, width, height } = self.index;
        let (dx, dy) = (width * REACH / 100, height * REACH / 100);
        let (left, top) = (x.saturating_sub(dx), y.saturating_sub(dy));
        let right = (x + width + dx).min(self.picture.0);
        let bottom = (y + height + dy).min(self.picture.1);
        Rect { x: left, y: top, width: right.saturating_sub(left), height: bottom.saturating_sub(top) }
    }

    fn check(&self) -> Result<(), DeckError> {
        let part = |what, why: String| Err(DeckError::Part { what, why });
        for (what, rect) in [("the index", self.index), ("the mark", self.mark)] {
            if !rect.is_inside(self.picture) {
                let (width, height) = self.picture;
                return part(what, format!("reaches beyond the picture, which has {width} x {height} pixels"));
            }
            if rect.width < MIN_SIDE || rect.height < MIN_SIDE {
                let why = format!("is under {MIN_SIDE} pixels across: move the camera closer, or use larger pictures");
                return part(what, why);
            }
        }
        let area = self.area();
        if area.width * COLUMNS > MAX_SIDE || area.height * ROWS > MAX_SIDE {
            return part("the index", "is so large that no sheet holds the deck: use smaller pictures".to_owned());
        }
        if self.mark.width > area.width || self.mark.height > area.height {
            return part("the mark", "is larger than the index with its surroundings: name a part of it".to_owned());
        }
        Ok(())
    }
}

impl Deck {
    /// A deck of what was shown, every card's picture whole.
    pub(crate) fn of(geometry: Geometry, shown: impl Fn(Shown) -> Option<Frame>) -> Result<Self, DeckError> {
        geometry.check()?;
        let missing: Vec<String> =
            Shown::all().filter(|what| shown(*what).is_none()).map(|what| what.to_string()).collect();
        if !missing.is_empty() {
            return Err(DeckError::Missing(missing.join(", ")));
        }
        let area = geometry.area();
        let cut = |frame: Frame, part: Rect| frame.crop(part.x, part.y, part.width, part.height);
        let areas = Shown::all().filter_map(&shown).map(|frame| cut(frame, area)).collect();
        let mark = shown(Shown::Nothing).map(|frame| cut(frame, geometry.mark));
        let mark = mark.ok_or_else(|| DeckError::Missing(Shown::Nothing.to_string()))?;
        Ok(Self { geometry, areas, mark })
    }

    /// Where what is.
    #[must_use]
    pub const fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The area of a card's picture, or of what else was shown.
    pub(crate) fn area(&self, shown: Shown) -> Option<&Frame> {
        Shown::all().position(|other| other == shown).and_then(|nth| self.areas.get(nth))
    }

    pub(crate) const fn mark(&self) -> &Frame {
        &self.mark
    }

    /// The cards and their areas.
    pub(crate) fn cards(&self) -> impl Iterator<Item = (Card, &Frame)> {
        (0..).map_while(Card::from_index).zip(&self.areas).take(CARDS)
    }

    /// Writes it as a sheet: a PNG of thirteen cards a row, spades, hearts, diamonds, clubs, and below them the back,
    /// the cut card, the mouth and the mark. Where what is in a picture stands in the PNG as text.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), DeckError> {
        let picture = |why| DeckError::Picture { what: path.display().to_string(), why };
        let Rect { width, height, .. } = self.geometry.area();
        let black = vec![0; width * COLUMNS * height * ROWS];
        let mut sheet = Frame::new(width * COLUMNS, height * ROWS, black).map_err(picture)?;
        for (nth, area) in self.areas.iter().chain([&self.mark]).enumerate() {
            sheet.paste(nth % COLUMNS * width, nth / COLUMNS * height, area);
        }
        let text = toml::to_string(&self.geometry)
            .map_err(|why| DeckError::NoDeck { path: path.to_owned(), why: why.to_string() })?;
        let bytes = sheet.png(&text).map_err(picture)?;
        std::fs::write(path, bytes).map_err(|why| DeckError::File { path: path.to_owned(), why })
    }

    /// Reads it again.
    ///
    /// # Errors
    /// When the file cannot be read, or is none that [`Deck::save`] has written.
    pub fn load(path: &Path) -> Result<Self, DeckError> {
        let no_deck = |why: String| DeckError::NoDeck { path: path.to_owned(), why };
        let bytes = std::fs::read(path).map_err(|why| DeckError::File { path: path.to_owned(), why })?;
        if !bytes.starts_with(b"\x89PNG") {
            return Err(no_deck("it is no PNG".to_owned()));
        }
        let (sheet, text) = Frame::of_png(&bytes).map_err(|why| no_deck(why.to_string()))?;
        let text = text.ok_or_else(|| no_deck("nothing in it says where the index is".to_owned()))?;
        let geometry: Geometry = toml::from_str(&text).map_err(|why| no_deck(why.message().to_owned()))?;
        geometry.check().map_err(|why| no_deck(why.to_string()))?;
        let Rect { width, height, .. } = geometry.area();
        if sheet.size() != (width * COLUMNS, height * ROWS) {
            return Err(no_deck("its size is not that of what it says".to_owned()));
        }
        let cell = |nth: usize, width_of, height_of| {
            sheet.crop(nth % COLUMNS * width, nth / COLUMNS * height, width_of, height_of)
        };
        let count = Shown::all().count();
        let areas = (0..count).map(|nth| cell(nth, width, height)).collect();
        Ok(Self { geometry, areas, mark: cell(count, geometry.mark.width, geometry.mark.height) })
    }
}
