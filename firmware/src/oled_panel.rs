//! What the pit display's rows look like on a panel of 128 by 64 points.
//!
//! The host sends 8 rows of up to 40 characters: from the top what is due, the next step first; at the bottom the
//! newest finding. So much does not fit legibly, and the dealer must see the next step at a glance:
//!
//! ```text
//!   0 ┌──────────────────────────┐
//!     │ quemar 1 carta           │  the first row that is not empty, over the whole width, in the largest
//!     │ de la banca              │  letters in which it is whole: 9x15 or 6x13 in two lines, 6x10 in three
//!  31 ├━━━━━━━━━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┤  which page of the rest is shown (bright), where it has more than one
//!  32 │carta para la banca       │
//!     │(cubierta)                │  the other rows, 4 lines of 25 letters (5x8) a page, each page for 3 s;
//!     │C7 BANCA                  │  what follows is dimmer than what stands below an empty row: the finding
//!     │la segunda carta de la    │
//!  64 └──────────────────────────┘
//! ```
//!
//! Letters are those of ISO 8859-15: all of Spanish and the euro.

use embedded_graphics::Drawable;
use embedded_graphics::mono_font::iso_8859_15::{FONT_5X8, FONT_6X10, FONT_6X13_BOLD, FONT_9X15_BOLD};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::Gray4;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use sabot_wire::message::{DISPLAY_ROWS, LINE_BYTES};

use crate::display::Panel;
use crate::ssd0323::{BAND_HEIGHT, BANDS, Band, Reached, Ssd0323, WIDTH};

/// How long a page of what does not fit at once is shown.
pub const PAGE_MS: u32 = 3000;
/// How often settings and picture are sent again, so that a disturbance does not last.
pub const REFRESH_MS: u32 = 5000;
/// How long a panel that could not be reached is left alone.
pub const RETRY_MS: u32 = 500;

const BRIGHT: Gray4 = Gray4::new(15);
const DIM: Gray4 = Gray4::new(9);
const FAINT: Gray4 = Gray4::new(4);

/// Letters of the first row, the largest first, and lines of them that fit above the bar.
const HEADLINES: [(&MonoFont, usize); 3] = [(&FONT_9X15_BOLD, 2), (&FONT_6X13_BOLD, 2), (&FONT_6X10, 3)];
const REST: MonoFont = FONT_5X8;
/// The bar's place, in points from the top; the first row has the space above.
const BAR: i32 = 31;
/// Where the other rows begin.
const REST_TOP: i32 = 32;
/// Lines of a page.
const REST_LINES: usize = 4;

/// A bit for each band.
const ALL: u8 = u8::MAX;
const _: () = assert!(BANDS == 8);
/// Bands of the bar and below it.
const LOWER: u8 = ALL << (BAR / BAND_HEIGHT as i32);

type Row = heapless::String<LINE_BYTES>;

/// What a [`OledPanel`] keeps in memory: the rows' texts, and the band under work. 1.2 KiB that lie better in a
/// `static`, where the build counts them, than on a stack, where each move takes them twice.
#[derive(Debug)]
pub struct Memory {
    rows: [Row; DISPLAY_ROWS],
    band: Band,
}

impl Memory {
    /// Empty rows.
    #[must_use]
    pub const fn new() -> Self {
        Self { rows: [const { Row::new() }; DISPLAY_ROWS], band: Band::new() }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

/// The rows of a pit display on an SSD0323. Sends a band or the settings a round, never more.
#[derive(Debug)]
pub struct OledPanel<'a, SPI, DC> {
    chip: Ssd0323<SPI, DC>,
    memory: &'a mut Memory,
    /// Bands that the panel does not show as they are, a bit each.
    stale: u8,
    /// Whether the panel has its settings, and whether it is lit.
    configured: bool,
    lit: bool,
    /// The rows have changed, and are to be shown from their first page.
    restart_pages: bool,
    page: usize,
    pages: usize,
    paged_at_ms: u32,
    refreshed_at_ms: u32,
    /// When the panel could not be reached the last time; how often.
    failed_at_ms: Option<u32>,
    faults: u32,
}

impl<'a, SPI: SpiDevice, DC: OutputPin> OledPanel<'a, SPI, DC> {
    /// A panel that has just got its voltage: it is lit when the first picture is in it.
    pub const fn new(chip: Ssd0323<SPI, DC>, memory: &'a mut Memory) -> Self {
        Self {
            chip,
            memory,
            stale: ALL,
            configured: false,
            lit: false,
            restart_pages: true,
            page: 0,
            pages: 0,
            paged_at_ms: 0,
            refreshed_at_ms: 0,
            failed_at_ms: None,
            faults: 0,
        }
    }

    /// How often the panel could not be reached.
    pub const fn faults(&self) -> u32 {
        self.faults
    }

    /// Whether everything is on the panel as it should be.
    pub const fn is_settled(&self) -> bool {
        self.configured && self.stale == 0 && self.lit
    }

    fn turn_page(&mut self, now_ms: u32) {
        if core::mem::take(&mut self.restart_pages) {
            self.pages = lay_out(&self.memory.rows).pages();
            (self.page, self.paged_at_ms) = (0, now_ms);
        } else if self.pages > 1 && now_ms.wrapping_sub(self.paged_at_ms) >= PAGE_MS {
            (self.page, self.paged_at_ms) = ((self.page + 1) % self.pages, now_ms);
            self.stale |= LOWER;
        }
    }

    /// The one thing that is to be sent next.
    fn send(&mut self) -> Reached<SPI, DC> {
        if !self.configured {
            self.chip.configure()?;
            self.configured = true;
        } else if self.stale != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "at most 7")]
            let number = self.stale.trailing_zeros() as u8;
            let top = i32::from(number) * BAND_HEIGHT as i32;
            let Memory { rows, band } = &mut *self.memory;
            // black; `clear` would go through it point by point
            band.data_mut().fill(0);
            let Ok(()) = Layout { page: self.page, ..lay_out(rows) }.draw(&mut band.translated(Point::new(0, -top)));
            self.chip.draw(number, band)?;
            self.stale &= self.stale - 1;
        } else if !self.lit {
            self.chip.light()?;
            self.lit = true;
        }
        Ok(())
    }

    fn send_all_again(&mut self) {
        (self.configured, self.lit, self.stale) = (false, false, ALL);
    }
}

impl<SPI: SpiDevice, DC: OutputPin> Panel for OledPanel<'_, SPI, DC> {
    fn line(&mut self, row: u8, text: &str) {
        let Some(line) = self.memory.rows.get_mut(usize::from(row)) else { return };
        let mut shown = Row::new();
        for c in text.chars().map(plain) {
            if shown.push(c).is_err() {
                break;
            }
        }
        if *line != shown {
            *line = shown;
            self.stale = ALL;
            self.restart_pages = true;
        }
    }

    fn clear(&mut self) {
        if self.memory.rows.iter().any(|row| !row.is_empty()) {
            self.memory.rows.iter_mut().for_each(Row::clear);
            self.stale = ALL;
            self.restart_pages = true;
        }
    }

    fn work(&mut self, now_ms: u32) {
        self.turn_page(now_ms);
        if self.failed_at_ms.is_some_and(|at| now_ms.wrapping_sub(at) < RETRY_MS) {
            return;
        }
        self.failed_at_ms = None;
        if now_ms.wrapping_sub(self.refreshed_at_ms) >= REFRESH_MS {
            self.refreshed_at_ms = now_ms;
            self.send_all_again();
        }
        if self.send().is_err() {
            self.faults = self.faults.saturating_add(1);
            self.failed_at_ms = Some(now_ms);
            self.send_all_again();
        }
    }
}

/// What the letters lack, as the nearest that they have; never longer in UTF-8 than it was.
fn plain(c: char) -> char {
    match c {
        '“' | '”' | '„' => '"',
        '‘' | '’' => '\'',
        '–' | '—' | '−' => '-',
        '…' => '.',
        c if c.is_control() || c.is_whitespace() => ' ',
        c => c,
    }
}

/// A page of the rows, to be drawn.
struct Layout<'a> {
    /// The first row that is not empty.
    headline: &'a str,
    /// What stands below it.
    rest: &'a [Row],
    /// How many of those are dim.
    dim: usize,
    page: usize,
}

fn lay_out(rows: &[Row]) -> Layout<'_> {
    let first = rows.iter().position(|row| !blank(row)).unwrap_or_default();
    let (headline, rest) = match rows.get(first..).and_then(<[Row]>::split_first) {
        Some((headline, rest)) => (headline.as_str(), rest),
        None => ("", rows),
    };
    let last = rest.iter().rposition(|row| !blank(row)).map_or(0, |at| at + 1);
    let rest = rest.get(..last).unwrap_or_default();
    let dim = rest.iter().rposition(blank).unwrap_or(rest.len());
    Layout { headline, rest, dim, page: 0 }
}

fn blank(row: &Row) -> bool {
    row.trim().is_empty()
}

impl Layout<'_> {
    fn lines(&self) -> impl Iterator<Item = (&str, Gray4)> {
        let rows = self.rest.iter().enumerate();
        rows.flat_map(|(at, row)| {
            let grey = if at < self.dim { DIM } else { BRIGHT };
            Wrapped::new(row, columns(&REST)).map(move |line| (line, grey))
        })
    }

    fn pages(&self) -> usize {
        self.lines().count().div_ceil(REST_LINES)
    }

    fn draw_headline<T: DrawTarget<Color = Gray4>>(&self, target: &mut T) -> Result<(), T::Error> {
        let whole = |&(font, lines): &(&MonoFont, usize)| Wrapped::new(self.headline, columns(font)).count() <= lines;
        // the last one holds every row there can be
        let [.., last] = HEADLINES;
        let (font, most) = HEADLINES.into_iter().find(whole).unwrap_or(last);
        let lines = || Wrapped::new(self.headline, columns(font)).take(most);
        let height = font.character_size.height.cast_signed();
        let count = i32::try_from(lines().count()).unwrap_or_default();
        let mut y = (BAR - 1 - count * height) / 2;
        for line in lines() {
            write(target, line, font, BRIGHT, y)?;
            y += height;
        }
        Ok(())
    }

    fn draw_bar<T: DrawTarget<Color = Gray4>>(&self, target: &mut T, pages: usize) -> Result<(), T::Error> {
        if pages == 0 {
            return Ok(());
        }
        let end = |page: usize| i32::try_from(page * WIDTH / pages).unwrap_or_default();
        let bar = |from: i32, to: i32| Rectangle::with_corners(Point::new(from, BAR), Point::new(to - 1, BAR));
        target.fill_solid(&bar(0, end(pages)), FAINT)?;
        if pages > 1 {
            target.fill_solid(&bar(end(self.page), end(self.page + 1)), BRIGHT)?;
        }
        Ok(())
    }
}

impl Drawable for Layout<'_> {
    type Color = Gray4;
    type Output = ();

    fn draw<T: DrawTarget<Color = Gray4>>(&self, target: &mut T) -> Result<(), T::Error> {
        self.draw_headline(target)?;
        self.draw_bar(target, self.pages())?;
        let mut y = REST_TOP;
        for (line, grey) in self.lines().skip(self.page * REST_LINES).take(REST_LINES) {
            write(target, line, &REST, grey, y)?;
            y += REST.character_size.height.cast_signed();
        }
        Ok(())
    }
}

const fn columns(font: &MonoFont) -> usize {
    WIDTH / font.character_size.width as usize
}

/// A line of text, its upper edge at `y`; nothing where the target does not reach there.
fn write<T: DrawTarget<Color = Gray4>>(
    target: &mut T,
    line: &str,
    font: &MonoFont,
    grey: Gray4,
    y: i32,
) -> Result<(), T::Error> {
    #[expect(clippy::cast_possible_truncation, reason = "128")]
    let place = Rectangle::new(Point::new(0, y), Size::new(WIDTH as u32, font.character_size.height));
    if !target.bounding_box().intersection(&place).is_zero_sized() {
        let style = MonoTextStyle::new(font, grey);
        Text::with_baseline(line, place.top_left, style, Baseline::Top).draw(target)?;
    }
    Ok(())
}

/// A text in lines of so many characters, broken between words; a word longer than a line is broken too.
struct Wrapped<'a> {
    rest: &'a str,
    columns: usize,
}

impl<'a> Wrapped<'a> {
    fn new(text: &'a str, columns: usize) -> Self {
        Self { rest: text.trim(), columns }
    }
}

impl<'a> Iterator for Wrapped<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = match self.rest.char_indices().nth(self.columns) {
            // a space just behind the line's end is a place to break at, too
            Some((end, next)) => {
                let room = self.rest.get(..end + next.len_utf8()).unwrap_or(self.rest);
                room.rfind(' ').unwrap_or(end)
            }
            None => self.rest.len(),
        };
        let (line, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.trim_start();
        Some(line.trim_end()).filter(|line| !line.is_empty())
    }
}

#[cfg(test)]
#[path = "oled_panel_tests.rs"]
mod tests;
