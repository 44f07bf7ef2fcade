//! Whether each suit sign is seen whole: half of a spade and half of a diamond are nearly the same.

use crate::plane::Plane;
use crate::template::Template;

/// A point is ink where it gives back so much less than paper around it.
const INK: f32 = 0.75;
/// So many points side by side are more than a card's rounded corner.
const WIDE: usize = 4;
/// The suits in the order of the deck, thirteen cards each.
const SUITS: [&str; 4] = ["spades", "hearts", "diamonds", "clubs"];
const RANKS: usize = 13;

/// A side of the index, and the points along it.
type Side = (&'static str, fn(&Plane) -> Vec<f32>);

const SIDES: [Side; 4] = [
    ("upper", |tile| row(tile, 0)),
    ("lower", |tile| row(tile, tile.height - 1)),
    ("left", |tile| column(tile, 0)),
    ("right", |tile| column(tile, tile.width - 1)),
];

/// The suit whose sign goes on beyond the index, and at which edge: all of its cards have ink in the same place there,
/// and of ranks, pips and court cards only some have. `deck` has its cards in their order.
pub(crate) fn cut_off(deck: &[Template]) -> Option<(&'static str, &'static str)> {
    SUITS.into_iter().zip(deck.chunks(RANKS)).find_map(|(suit, cards)| {
        let side = SIDES.into_iter().find(|(_, along)| {
            let all_ink = cards.iter().map(|card| along(&card.fine.tile)).reduce(lighter).unwrap_or_default();
            all_ink.split(|at| *at >= INK).any(|ink| ink.len() >= WIDE)
        });
        side.map(|(side, _)| (suit, side))
    })
}

fn lighter(a: Vec<f32>, b: Vec<f32>) -> Vec<f32> {
    a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect()
}

fn row(tile: &Plane, y: usize) -> Vec<f32> {
    tile.at[y * tile.width..(y + 1) * tile.width].to_vec()
}

fn column(tile: &Plane, x: usize) -> Vec<f32> {
    tile.at.iter().skip(x).step_by(tile.width).copied().collect()
}
