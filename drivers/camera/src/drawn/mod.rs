//! Cards that are drawn, and a camera that looks at them: what the twin deals from, and what the reader is measured by.
//!
//! A card's face is drawn from strokes and circles alone, so that it needs no font ([`Design::own`]); or it is cut out
//! of a sheet of thirteen by five cards ([`Design::of_sheet`]), as games of cards bring them.

mod glyphs;
mod optics;
mod video;

use std::io::Cursor;

use sabot_words::Card;

use crate::deck::{Deck, Geometry, Rect, Shown};
use crate::frame::{BadPicture, Frame};
use crate::lessons::Lessons;
pub use optics::{Glare, Light, Look, Picture, Scene};
pub use video::Video;

/// Pixels a millimetre, of cards and of the camera's pictures.
pub const PER_MM: f32 = 5.0;
/// A card: 63 by 88 mm.
pub(crate) const CARD: (usize, usize) = (315, 440);
/// A picture of the camera: 32 by 40 mm.
pub(crate) const PICTURE: (usize, usize) = (160, 200);
/// Where the corner of a card at rest is in the picture.
pub(crate) const CORNER: (f32, f32) = (50.0, 34.0);
const MARK: Rect = Rect { x: 8, y: 84, width: 30, height: 30 };

/// Something with colours.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgb: Vec<[u8; 3]>,
}

impl Texture {
    pub(crate) fn new(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, rgb: vec![colour; width * height] }
    }

    /// Paints what lies within a shape, its edges smooth.
    pub(crate) fn fill(&mut self, bounds: [f32; 4], colour: [u8; 3], inside: impl Fn(f32, f32) -> bool) {
        let [left, top, right, bottom] = bounds;
        let within = |n: f32, of: usize| n.clamp(0.0, of as f32) as usize;
        for y in within(top, self.height)..within(bottom.ceil(), self.height) {
            for x in within(left, self.width)..within(right.ceil(), self.width) {
                let parts = [(0.17, 0.17), (0.5, 0.17), (0.83, 0.17), (0.17, 0.5), (0.5, 0.5), (0.83, 0.5)];
                let more = [(0.17, 0.83), (0.5, 0.83), (0.83, 0.83)];
                let hits = parts.iter().chain(&more).filter(|(dx, dy)| inside(x as f32 + dx, y as f32 + dy)).count();
                let Some(pixel) = self.rgb.get_mut(y * self.width + x) else { continue };
                for (below, ink) in pixel.iter_mut().zip(colour) {
                    *below = ((usize::from(*below) * (9 - hits) + usize::from(ink) * hits) / 9) as u8;
                }
            }
        }
    }
}

/// The faces of a deck, its back and a cut card.
#[derive(Debug, Clone)]
pub struct Design {
    cards: Vec<Texture>,
    back: Texture,
    cut: Texture,
}

impl Design {
    /// The one that is drawn here.
    #[must_use]
    pub fn own() -> Self {
        let cards = (0..).map_while(Card::from_index).map(glyphs::face).collect();
        Self { cards, back: glyphs::back(), cut: cut_card() }
    }

    /// Cut out of a PNG of thirteen cards a row (ace to king) and five rows: clubs, diamonds, hearts, spades; and of
    /// the last one the third is a back.
    ///
    /// # Errors
    /// When it is no such sheet.
    pub fn of_sheet(png: &[u8]) -> Result<Self, BadPicture> {
        let sheet = sheet(png)?;
        let (width, height) = (sheet.width / 13, sheet.height / 5);
        if width == 0 || height == 0 {
            return Err(BadPicture::Size(sheet.width, sheet.height));
        }
        let cell = |column: usize, row: usize| {
            let mut card = Texture::new(CARD.0, CARD.1, [0; 3]);
            for y in 0..CARD.1 {
                for x in 0..CARD.0 {
                    let from = (row * height + y * height / CARD.1) * sheet.width + column * width + x * width / CARD.0;
                    card.rgb[y * CARD.0 + x] = sheet.rgb.get(from).copied().unwrap_or_default();
                }
            }
            card
        };
        // spades, hearts, diamonds, clubs
        let cards = [3, 2, 1, 0].into_iter().flat_map(|row| (0..13).map(move |column| (column, row)));
        Ok(Self { cards: cards.map(|(column, row)| cell(column, row)).collect(), back: cell(2, 4), cut: cut_card() })
    }

    pub(crate) fn texture(&self, what: Shown) -> Option<&Texture> {
        match what {
            Shown::Card(card) => self.cards.get(card.index()?),
            Shown::Back => Some(&self.back),
            Shown::Cut => Some(&self.cut),
            Shown::Nothing => None,
        }
    }
}

/// Where what is in a drawn picture: the index 1.4 to 12.2 mm from the card's side, 2.6 to 26 mm from its upper edge.
#[must_use]
pub const fn geometry() -> Geometry {
    let index = Rect { x: CORNER.0 as usize + 7, y: CORNER.1 as usize + 13, width: 54, height: 117 };
    Geometry { picture: PICTURE, index, mark: MARK }
}

fn cut_card() -> Texture {
    Texture::new(CARD.0, CARD.1, [190, 40, 40])
}

fn sheet(png: &[u8]) -> Result<Texture, BadPicture> {
    let damaged = |why: png::DecodingError| BadPicture::Damaged(why.to_string());
    let mut decoder = png::Decoder::new(Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut pixels).map_err(damaged)?;
    let over = |colour: u8, alpha: u8| (u32::from(colour) * u32::from(alpha) / 255) as u8;
    let rgb = match info.color_type.samples() {
        4 => pixels.chunks_exact(4).map(|p| [over(p[0], p[3]), over(p[1], p[3]), over(p[2], p[3])]).collect(),
        2 => pixels.chunks_exact(2).map(|p| [over(p[0], p[1]); 3]).collect(),
        _ => return Err(BadPicture::Unknown),
    };
    Ok(Texture { width: info.width as usize, height: info.height as usize, rgb })
}

/// The deck that is drawn here, learnt.
///
/// # Panics
/// When it cannot be learnt, which the tests of this crate rule out.
#[must_use]
pub fn deck() -> Deck {
    let (design, mut lessons) = (Design::own(), Lessons::new(geometry()));
    let learnt = Shown::all().try_for_each(|what| lessons.show(what, lesson(&design, what, 5)));
    learnt.and_then(|()| lessons.learnt()).unwrap_or_else(|why| unreachable!("{why}"))
}

/// The picture by which something is learnt.
#[must_use]
pub fn lesson(design: &Design, what: Shown, seed: u64) -> Frame {
    Scene::new(design, seed).picture(what, &Look::at_rest()).frame
}
