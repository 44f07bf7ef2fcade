//! Pictures, as brightness alone: ink is read by its shape, and a camera without colour will do.

use std::fmt;
use std::io::Cursor;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Pixels of a picture's side, at the most.
pub const MAX_SIDE: usize = 4096;

/// A picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    width: usize,
    height: usize,
    /// Row by row, 0 is black.
    luma: Vec<u8>,
}

/// What a picture shows is nobody's to read in a log.
impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Frame({} x {})", self.width, self.height)
    }
}

/// Bytes that are no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPicture {
    /// Neither JPEG nor PNG.
    #[error("neither JPEG nor PNG: save it as one of the two")]
    Unknown,
    /// A side is 0 or over [`MAX_SIDE`].
    #[error("{0} x {1} pixels: a picture's sides are 1 to {MAX_SIDE}")]
    Size(usize, usize),
    /// It is damaged.
    #[error("the picture is damaged: {0}")]
    Damaged(String),
}

impl Frame {
    /// A picture of that size, row by row.
    ///
    /// # Errors
    /// When the size is none, or is not that of the bytes.
    pub fn new(width: usize, height: usize, luma: Vec<u8>) -> Result<Self, BadPicture> {
        checked(width, height)?;
        if luma.len() != width * height {
            return Err(BadPicture::Damaged(format!("{} bytes for {width} x {height} pixels", luma.len())));
        }
        Ok(Self { width, height, luma })
    }

    /// Reads a JPEG or PNG.
    ///
    /// # Errors
    /// When it is neither, too large or damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadPicture> {
        match bytes {
            [0xFF, 0xD8, ..] => Self::of_jpeg(bytes),
            [0x89, b'P', b'N', b'G', ..] => Self::of_png(bytes).map(|(frame, _)| frame),
            _ => Err(BadPicture::Unknown),
        }
    }

    fn of_jpeg(bytes: &[u8]) -> Result<Self, BadPicture> {
        let options = DecoderOptions::default()
            .set_max_width(MAX_SIDE)
            .set_max_height(MAX_SIDE)
            .jpeg_set_out_colorspace(ColorSpace::Luma);
        let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
        let luma = decoder.decode().map_err(damaged)?;
        let (width, height) = decoder.dimensions().ok_or_else(|| damaged("it has no size"))?;
        Self::new(width, height, luma)
    }

    /// A PNG, and the text that is kept in it under `sabot`.
    pub(crate) fn of_png(bytes: &[u8]) -> Result<(Self, Option<String>), BadPicture> {
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(damaged)?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        checked(width, height)?;
        let mut pixels = vec![0; reader.output_buffer_size().ok_or_else(|| damaged("it is too large"))?];
        let info = reader.next_frame(&mut pixels).map_err(damaged)?;
        let text = reader.info().uncompressed_latin1_text.iter().find(|chunk| chunk.keyword == KEYWORD);
        let text = text.map(|chunk| chunk.text.clone());
        let samples = info.color_type.samples();
        let grey = |pixel: &[u8]| match *pixel {
            [grey] => grey,
            [grey, alpha] => over_black(grey.into(), alpha),
            [r, g, b] => brightness(r, g, b),
            [r, g, b, alpha] => over_black(brightness(r, g, b).into(), alpha),
            _ => 0,
        };
        let luma = pixels.chunks_exact(samples).map(grey).take(width * height).collect();
        Ok((Self::new(width, height, luma)?, text))
    }

    /// As a JPEG; `quality` is 1 to 100.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn jpeg(&self, quality: u8) -> Result<Vec<u8>, BadPicture> {
        let mut bytes = Vec::new();
        let side = |side: usize| u16::try_from(side).map_err(damaged);
        let encoder = jpeg_encoder::Encoder::new(&mut bytes, quality);
        let (width, height) = (side(self.width)?, side(self.height)?);
        encoder.encode(&self.luma, width, height, jpeg_encoder::ColorType::Luma).map_err(damaged)?;
        Ok(bytes)
    }

    /// As a PNG that keeps a text.
    pub(crate) fn png(&self, text: &str) -> Result<Vec<u8>, BadPicture> {
        let mut bytes = Vec::new();
        let side = |side: usize| u32::try_from(side).map_err(damaged);
        let mut encoder = png::Encoder::new(&mut bytes, side(self.width)?, side(self.height)?);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.add_text_chunk(KEYWORD.to_owned(), text.to_owned()).map_err(damaged)?;
        let mut writer = encoder.write_header().map_err(damaged)?;
        writer.write_image_data(&self.luma).map_err(damaged)?;
        writer.finish().map_err(damaged)?;
        Ok(bytes)
    }

    /// Width and height, pixels.
    #[must_use]
    pub const fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Its pixels, row by row.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        &self.luma
    }

    /// So many pixels of a row; those outside are missing.
    pub(crate) fn row(&self, x: usize, y: usize, width: usize) -> &[u8] {
        let start = y * self.width + x.min(self.width);
        let end = y * self.width + (x + width).min(self.width);
        self.luma.get(start..end).unwrap_or_default()
    }

    /// A part of it; what is outside is black.
    pub(crate) fn crop(&self, x: usize, y: usize, width: usize, height: usize) -> Self {
        let mut luma = Vec::with_capacity(width * height);
        for y in y..y + height {
            let row = self.row(x, y, width);
            luma.extend_from_slice(row);
            luma.resize(luma.len() + width - row.len(), 0);
        }
        Self { width, height, luma }
    }

    /// Lays a picture over it.
    pub(crate) fn paste(&mut self, x: usize, y: usize, other: &Self) {
        for row in 0..other.height {
            let start = (y + row) * self.width + x;
            if let Some(place) = self.luma.get_mut(start..start + other.width) {
                place.copy_from_slice(other.row(0, row, other.width));
            }
        }
    }
}

/// The text of a PNG that is ours.
const KEYWORD: &str = "sabot";

fn checked(width: usize, height: usize) -> Result<(), BadPicture> {
    let sound = (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height);
    if sound { Ok(()) } else { Err(BadPicture::Size(width, height)) }
}

fn damaged(why: impl fmt::Display) -> BadPicture {
    BadPicture::Damaged(why.to_string())
}

fn brightness(r: u8, g: u8, b: u8) -> u8 {
    ((u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114) / 1000) as u8
}

fn over_black(grey: u32, alpha: u8) -> u8 {
    (grey * u32::from(alpha) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope() -> Frame {
        Frame::new(32, 16, (0..512).map(|n| (n % 32 * 8) as u8).collect()).unwrap()
    }

    #[test]
    fn a_picture_comes_back_from_png_whole_with_its_text_and_from_jpeg_nearly() {
        let frame = slope();
        let png = frame.png("region = 1").unwrap();
        assert_eq!(Frame::of_png(&png).unwrap(), (frame.clone(), Some("region = 1".to_owned())));
        assert_eq!(Frame::decode(&png).unwrap(), frame);
        let again = Frame::decode(&frame.jpeg(90).unwrap()).unwrap();
        assert_eq!(again.size(), (32, 16));
        assert!(again.pixels().iter().zip(frame.pixels()).all(|(a, b)| a.abs_diff(*b) < 8));
    }

    #[test]
    fn what_is_no_picture_is_told_and_never_panics() {
        assert_eq!(Frame::decode(b"GIF89a"), Err(BadPicture::Unknown));
        assert_eq!(Frame::new(0, 5, Vec::new()), Err(BadPicture::Size(0, 5)));
        assert!(matches!(Frame::new(2, 2, vec![0; 3]), Err(BadPicture::Damaged(_))));
        for sound in [slope().jpeg(80).unwrap(), slope().png("x").unwrap()] {
            for cut in 0..sound.len() {
                let _ = Frame::decode(&sound[..cut]);
                let mut bent = sound.clone();
                bent[cut] ^= 0x55;
                let _ = Frame::decode(&bent);
            }
        }
    }

    #[test]
    fn a_part_beyond_the_edge_is_black() {
        let part = slope().crop(30, 15, 4, 2);
        assert_eq!(part.pixels(), [240, 248, 0, 0, 0, 0, 0, 0]);
        let mut whole = slope();
        whole.paste(0, 0, &part);
        assert_eq!(whole.row(0, 0, 5), [240, 248, 0, 0, 32]);
    }

    #[test]
    fn debug_shows_the_size_alone() {
        assert_eq!(format!("{:?}", slope()), "Frame(32 x 16)");
    }
}
