//! The thread that takes pictures and reads them, and how it tells the session what each of them showed.

use std::io::{ErrorKind, Write};
use std::os::unix::net::UnixStream;

use sabot_camera::{At, Frame, Seen, Trouble};
use sabot_wire::message::Card;

use super::Eyes;
use super::source::Open;

/// Bytes of what one picture showed.
pub(super) const RECORD: usize = 12;

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

const TROUBLES: [Trouble; 6] =
    [Trouble::Frozen, Trouble::Dark, Trouble::Bright, Trouble::Covered, Trouble::Blurred, Trouble::Size];

pub(super) fn encode(shown: Shown) -> [u8; RECORD] {
    let (kind, of, at) = match shown {
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
    let ([a, b, c, d], [e, f, g, h]) = (at.x.to_le_bytes(), at.y.to_le_bytes());
    [kind, of, 0, 0, a, b, c, d, e, f, g, h]
}

const NO_PLACE: At = At { x: 0.0, y: 0.0 };

pub(super) fn decode([kind, of, _, _, a, b, c, d, e, f, g, h]: [u8; RECORD]) -> Shown {
    let at = At { x: f32::from_le_bytes([a, b, c, d]), y: f32::from_le_bytes([e, f, g, h]) };
    match kind {
        1 => Shown::Seen(Seen::Card(Card::from_code(of), at)),
        2 => Shown::Seen(Seen::Back),
        3 => Shown::Seen(Seen::CutCard),
        4 => Shown::Seen(Seen::Nothing),
        6 => TROUBLES.get(usize::from(of)).map_or(Shown::Damaged, |trouble| Shown::Trouble(*trouble)),
        7 => Shown::Damaged,
        _ => Shown::Seen(Seen::Unread),
    }
}

/// Takes pictures and tells what they show, until none come or nobody listens.
pub(super) fn look(mut source: Open, Eyes { reader, mut view }: Eyes, mut told: UnixStream) {
    loop {
        let shown = match source.next_picture() {
            Ok(Some(bytes)) => match Frame::decode(&bytes) {
                Ok(frame) => view.take(&frame).map_or_else(|| Shown::Seen(reader.read(&frame).seen), Shown::Trouble),
                Err(_) => Shown::Damaged,
            },
            Ok(None) if is_deserted(&told) => return,
            Ok(None) => continue,
            Err(error) => {
                tracing::debug!(%error, "no more pictures");
                return;
            }
        };
        if told.write_all(&encode(shown)).is_err() {
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
