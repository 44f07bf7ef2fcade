//! The thread that takes pictures and reads them, and how it tells the session what each of them showed.

use std::io::{ErrorKind, Write};
use std::os::unix::net::UnixStream;

use sabot_camera::{At, BadPicture, Frame, Reader, Seen, Trouble};
use sabot_wire::message::Card;

use super::Eyes;
use super::source::Open;

/// Bytes of what one picture showed, before those of the card's corner.
pub(super) const RECORD: usize = 16;
/// Bytes of a card's corner, at the most; a larger one is left out.
pub(super) const MAX_CORNER: usize = 1 << 20;
/// Quality of the JPEG that is kept of it.
const QUALITY: u8 = 90;

/// What one picture showed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shown {
    /// Something.
    Seen(Seen),
    /// The camera does not see.
    Trouble(Trouble),
    /// No picture: it is damaged.
    Damaged,
}

/// What one picture showed, and of a card its corner.
pub(super) struct Looked {
    pub(super) shown: Shown,
    /// How good a picture of the card it is, beside others of it.
    pub(super) worth: u8,
    /// A JPEG; empty where there is none.
    pub(super) corner: Vec<u8>,
}

impl Looked {
    /// Without a corner.
    pub(super) const fn of(shown: Shown) -> Self {
        Self { shown, worth: 0, corner: Vec::new() }
    }

    fn at(frame: &Frame, reader: &Reader) -> Self {
        let reading = reader.read(frame);
        let worth = match reading.seen {
            // the nearer to its place at rest the better
            Seen::Card(_, at) => 255.0 - 120.0 * (at.x.abs() + at.y.abs()).min(1.0),
            // no better than one that was read
            Seen::Unread => 100.0 * reading.nearest.map_or(0.0, |near| near.alike.clamp(0.0, 1.0)),
            _ => return Self::of(Shown::Seen(reading.seen)),
        };
        let corner = reader.corner(frame).jpeg(QUALITY).unwrap_or_default();
        Self { shown: Shown::Seen(reading.seen), worth: worth as u8, corner }
    }
}

const TROUBLES: [Trouble; 6] =
    [Trouble::Frozen, Trouble::Dark, Trouble::Bright, Trouble::Covered, Trouble::Blurred, Trouble::Size];

pub(super) fn encode(looked: &Looked) -> Vec<u8> {
    let (kind, of, at) = match looked.shown {
        Shown::Seen(Seen::Card(card, at)) => (1, card.code(), at),
        Shown::Seen(Seen::Back) => (2, 0, NO_PLACE),
        Shown::Seen(Seen::CutCard) => (3, 0, NO_PLACE),
        Shown::Seen(Seen::Nothing) => (4, 0, NO_PLACE),
        Shown::Seen(Seen::Unread) => (5, 0, NO_PLACE),
        Shown::Trouble(trouble) => {
            (6, TROUBLES.iter().position(|other| *other == trouble).unwrap_or(0) as u8, NO_PLACE)
        }
        Shown::Damaged => (7, 0, NO_PLACE),
    };
    let corner = Some(&looked.corner).filter(|corner| corner.len() <= MAX_CORNER).map_or(&[][..], |corner| corner);
    let [a, b, c, _] = (corner.len() as u32).to_le_bytes();
    let numbers = [at.x.to_le_bytes(), at.y.to_le_bytes(), [looked.worth, a, b, c]].concat();
    [&[kind, of, 0, 0][..], &numbers, corner].concat()
}

const NO_PLACE: At = At { x: 0.0, y: 0.0 };

/// What it showed, how good it is, and how many bytes of a corner follow.
pub(super) fn decode(record: [u8; RECORD]) -> (Shown, u8, usize) {
    let [kind, of, _, _, a, b, c, d, e, f, g, h, worth, i, j, k] = record;
    let at = At { x: f32::from_le_bytes([a, b, c, d]), y: f32::from_le_bytes([e, f, g, h]) };
    let shown = match kind {
        1 => Shown::Seen(Seen::Card(Card::from_code(of), at)),
        2 => Shown::Seen(Seen::Back),
        3 => Shown::Seen(Seen::CutCard),
        4 => Shown::Seen(Seen::Nothing),
        6 => TROUBLES.get(usize::from(of)).map_or(Shown::Damaged, |trouble| Shown::Trouble(*trouble)),
        7 => Shown::Damaged,
        _ => Shown::Seen(Seen::Unread),
    };
    (shown, worth, u32::from_le_bytes([i, j, k, 0]) as usize)
}

impl Eyes {
    /// What a session is told of the next picture.
    #[must_use]
    pub fn look(&mut self, picture: &Result<Frame, BadPicture>) -> Vec<u8> {
        let Ok(frame) = picture else { return encode(&Looked::of(Shown::Damaged)) };
        let trouble = self.view.take(frame);
        let reads = || Looked::at(frame, &self.reader);
        encode(&trouble.map_or_else(reads, |trouble| Looked::of(Shown::Trouble(trouble))))
    }
}

/// Takes pictures and tells what they show, until none come or nobody listens.
pub(super) fn look(mut source: Open, mut eyes: Eyes, mut told: UnixStream) {
    loop {
        let told_of = match source.next_picture() {
            Ok(Some(picture)) => eyes.look(&picture),
            Ok(None) if is_deserted(&told) => return,
            Ok(None) => continue,
            Err(error) => {
                tracing::debug!(%error, "no more pictures");
                return;
            }
        };
        if told.write_all(&told_of).is_err() {
            return;
        }
    }
}

/// Whether the session has closed its end.
fn is_deserted(told: &UnixStream) -> bool {
    use std::io::Read as _;
    let _ = told.set_nonblocking(true);
    let mut told_by = told;
    let read = told_by.read(&mut [0; 8]);
    let _ = told.set_nonblocking(false);
    match read {
        Ok(count) => count == 0,
        Err(why) => why.kind() != ErrorKind::WouldBlock,
    }
}
