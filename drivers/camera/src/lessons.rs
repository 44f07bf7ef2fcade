//! Learning a deck: every card is shown once.

use std::collections::BTreeMap;
use std::path::Path;

use crate::deck::{Deck, DeckError, Geometry, Shown};
use crate::frame::Frame;
use crate::margin::cut_off;
use crate::plane::Plane;
use crate::reader::{Reader, Seen};
use crate::view::View;

/// Paper is so bright at the least, of 255, and at the most.
const DARK: f32 = 70.0;
const BRIGHT: f32 = 245.0;
/// A plain cut card has so much of paper's brightness at the most: else paper between pips would be one.
const CUT_BESIDE_PAPER: f32 = 0.78;
/// A card is taken once so many pictures in a row hardly differ.
const STILL: u32 = 4;
/// How much two pictures of the same differ, in steps of brightness, and those of card and empty mouth.
const SAME: f32 = 4.0;
const OTHER: f32 = 12.0;
/// Points across, as pictures are compared here.
const POINTS: usize = 32;

/// What was shown so far.
#[derive(Debug)]
pub struct Lessons {
    geometry: Geometry,
    frames: BTreeMap<Shown, Frame>,
    last: Option<Plane>,
    still: u32,
    /// What was taken must leave before the next is.
    leaves: bool,
}

impl Lessons {
    /// Nothing was shown yet.
    #[must_use]
    pub fn new(geometry: Geometry) -> Self {
        Self { geometry, frames: BTreeMap::new(), last: None, still: 0, leaves: false }
    }

    /// Takes the picture of something.
    ///
    /// # Errors
    /// When it has another size than the configured one.
    pub fn show(&mut self, what: Shown, frame: Frame) -> Result<(), DeckError> {
        if frame.size() != self.geometry.picture {
            let (found, expected) = (frame.size(), self.geometry.picture);
            return Err(DeckError::Size { what: what.to_string(), found, expected });
        }
        self.frames.insert(what, frame);
        Ok(())
    }

    /// What is to be shown next where pictures come in a stream: the empty mouth first, then the deck in its order.
    #[must_use]
    pub fn next_shown(&self) -> Option<Shown> {
        [Shown::Nothing].into_iter().chain(Shown::all()).find(|what| !self.frames.contains_key(what))
    }

    /// Takes the next picture of a stream. What it has learnt by it, once that has lain still.
    ///
    /// # Errors
    /// When the picture has another size than the configured one.
    pub fn watch(&mut self, frame: Frame) -> Result<Option<Shown>, DeckError> {
        let Some(next) = self.next_shown() else { return Ok(None) };
        let now = Plane::of(&frame, self.geometry.area(), POINTS, POINTS);
        let is_still = self.last.as_ref().is_some_and(|last| apart(last, &now) < SAME);
        self.still = if is_still { self.still + 1 } else { 0 };
        let is_empty = self
            .frames
            .get(&Shown::Nothing)
            .is_some_and(|nothing| apart(&Plane::of(nothing, self.geometry.area(), POINTS, POINTS), &now) < OTHER);
        self.last = Some(now);
        if is_empty {
            self.leaves = false;
        }
        if self.still < STILL || self.leaves || (is_empty && next != Shown::Nothing) {
            return Ok(None);
        }
        self.show(next, frame)?;
        (self.leaves, self.still) = (next != Shown::Nothing, 0);
        Ok(Some(next))
    }

    /// The deck, where each of its cards is known again by it.
    ///
    /// # Errors
    /// When something is missing, too dark or too bright, or looks like something else.
    pub fn learnt(&self) -> Result<Deck, DeckError> {
        let deck = Deck::of(self.geometry, |what| self.frames.get(&what).cloned())?;
        let useless = |what: String, why: &str| Err(DeckError::Useless { what, why: why.to_owned() });
        let area = self.geometry.area();
        let bright = |what| {
            let area = self.frames.get(&what).map(|frame| Plane::of(frame, area, POINTS, POINTS));
            area.map_or(0.0, |area| area.percentile(90))
        };
        for what in Shown::all().filter(|what| matches!(what, Shown::Card(_))) {
            match bright(what) {
                paper if paper < DARK => {
                    return useless(what.to_string(), "is too dark: more light, or a longer exposure");
                }
                paper if paper > BRIGHT => {
                    return useless(
                        what.to_string(),
                        "is too bright, its ink is lost: less light, or a shorter exposure",
                    );
                }
                _ => {}
            }
        }
        if !View::new(&deck).is_of_use() {
            let why = "cannot be watched: print black bars on white, and name the part of the picture that shows them";
            return useless("the mark".to_owned(), why);
        }
        let reader = Reader::new(&deck)?;
        if let Some((suit, side)) = cut_off(reader.cards()) {
            return Err(DeckError::CutOff { suit, side });
        }
        for (what, frame) in &self.frames {
            let reading = reader.read(frame);
            match (what, reading.seen) {
                (Shown::Card(card), Seen::Card(seen, _)) if *card == seen => {}
                (Shown::Card(card), _) => {
                    let other =
                        reading.nearest.and_then(|near| if near.card == *card { near.next } else { Some(near.card) });
                    let Some(other) = other else {
                        return useless(
                            card.to_string(),
                            "is not known again: was the card in its place? show it anew",
                        );
                    };
                    return Err(DeckError::Alike(card.to_string(), other.to_string()));
                }
                (Shown::Back, Seen::Back) | (Shown::Nothing, Seen::Nothing) => {}
                (Shown::Cut, Seen::CutCard) if reader.cut_beside_paper() < CUT_BESIDE_PAPER => {}
                (Shown::Cut, Seen::CutCard | Seen::Unread) => {
                    return useless(
                        "the cut card".to_owned(),
                        "cannot be told from paper: use one that is darker than paper",
                    );
                }
                (what, seen) => {
                    let why = match seen {
                        Seen::CutCard => "is not known again: it looks like the cut card; use another cut card",
                        Seen::Nothing => "is not known again: it looks like the empty mouth; more light",
                        Seen::Card(..) => "is not known again: it looks like the face of a card",
                        Seen::Back => "is not known again: it looks like a back",
                        Seen::Unread => "is not known again: it has no shape where an index is looked for",
                    };
                    return useless(what.to_string(), why);
                }
            }
        }
        Ok(deck)
    }
}

/// The pictures of a folder: each a JPEG or PNG, named by what it shows (`AS.jpg`, `back.png`, `cut.png`,
/// `nothing.png`). Other files are passed over.
///
/// # Errors
/// When a file cannot be read, is no picture or has a name that says nothing.
pub fn named_pictures(folder: &Path) -> Result<Vec<(Shown, Frame)>, DeckError> {
    let file = |path: &Path| {
        let path = path.to_owned();
        move |why| DeckError::File { path, why }
    };
    let mut pictures = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(file(folder))? {
        let path = entry.map_err(file(folder))?.path();
        let is = |kind: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(kind));
        if !["jpg", "jpeg", "png"].into_iter().any(is) {
            continue;
        }
        let what = path.display().to_string();
        let name = path.file_stem().and_then(|name| name.to_str()).and_then(Shown::named);
        let name = name.ok_or_else(|| DeckError::Useless {
            what: what.clone(),
            why: "is named as no card: write AS.jpg, TH.jpg, back.jpg, cut.jpg, nothing.jpg".to_owned(),
        })?;
        let bytes = std::fs::read(&path).map_err(file(&path))?;
        pictures.push((name, Frame::decode(&bytes).map_err(|why| DeckError::Picture { what, why })?));
    }
    Ok(pictures)
}

fn apart(a: &Plane, b: &Plane) -> f32 {
    a.at.iter().zip(&b.at).map(|(a, b)| (a - b).abs()).sum::<f32>() / a.at.len().max(1) as f32
}
