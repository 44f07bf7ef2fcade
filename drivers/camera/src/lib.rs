//! Reads the cards that pass a camera at the mouth of the shoe.
//!
//! A card is known by its corner index alone, by comparison with the deck that the camera was shown once ([`Deck`]).
//! [`Reader`] says what one picture shows, [`Passages`] which cards have passed. Both are plain machines: no I/O, no
//! clock. What is in doubt is unread; nothing here guesses a card.

mod align;
mod deck;

#[cfg(feature = "drawn")]
pub mod drawn;
mod frame;
mod lessons;
mod margin;
mod mjpeg;
mod passages;
mod plane;
mod reader;
mod template;
mod view;

pub use deck::{Deck, DeckError, Geometry, Rect, Shown};
pub use frame::{BadPicture, Frame, MAX_SIDE};
pub use lessons::{Lessons, named_pictures};
pub use mjpeg::{MAX_PICTURE, Pictures};
pub use passages::{Out, Passages, Told};
pub use reader::{At, Margins, Reader, Reading, Seen};
pub use view::{Trouble, View};

/// Its example is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
