//! The cards that are drawn here: strokes, circles, no font.

use sabot_words::Card;

use super::{CARD, Texture};

const BLACK: [u8; 3] = [25, 25, 30];
const RED: [u8; 3] = [200, 20, 35];
const PAPER: [u8; 3] = [250, 250, 246];
const BLUE: [u8; 3] = [40, 60, 150];

/// A line through points.
type Line = &'static [(f32, f32)];

/// Each rank as lines in a box of width and height 1, the ace first.
const STROKES: [&[Line]; 13] = [
    &[&[(0.0, 1.0), (0.5, 0.0), (1.0, 1.0)], &[(0.2, 0.65), (0.8, 0.65)]],
    &[&[(0.05, 0.25), (0.2, 0.05), (0.5, 0.0), (0.8, 0.05), (0.95, 0.25), (0.85, 0.45), (0.05, 1.0), (1.0, 1.0)]],
    &[&[
        (0.05, 0.1),
        (0.5, 0.0),
        (0.9, 0.13),
        (0.9, 0.35),
        (0.45, 0.47),
        (0.95, 0.62),
        (0.95, 0.87),
        (0.5, 1.0),
        (0.0, 0.9),
    ]],
    &[&[(0.75, 1.0), (0.75, 0.0), (0.0, 0.7), (1.0, 0.7)]],
    &[&[
        (0.95, 0.0),
        (0.15, 0.0),
        (0.1, 0.45),
        (0.5, 0.38),
        (0.9, 0.5),
        (0.95, 0.75),
        (0.75, 0.97),
        (0.4, 1.0),
        (0.0, 0.9),
    ]],
    &[&[
        (0.85, 0.05),
        (0.5, 0.0),
        (0.15, 0.25),
        (0.05, 0.65),
        (0.2, 0.95),
        (0.5, 1.0),
        (0.85, 0.95),
        (0.95, 0.7),
        (0.8, 0.48),
        (0.5, 0.42),
        (0.1, 0.6),
    ]],
    &[&[(0.0, 0.0), (1.0, 0.0), (0.4, 1.0)]],
    &[&[
        (0.5, 0.47),
        (0.12, 0.3),
        (0.15, 0.1),
        (0.5, 0.0),
        (0.85, 0.1),
        (0.88, 0.3),
        (0.5, 0.47),
        (0.05, 0.7),
        (0.12, 0.93),
        (0.5, 1.0),
        (0.88, 0.93),
        (0.95, 0.7),
        (0.5, 0.47),
    ]],
    &[&[
        (0.15, 0.95),
        (0.5, 1.0),
        (0.85, 0.75),
        (0.95, 0.35),
        (0.8, 0.05),
        (0.5, 0.0),
        (0.15, 0.05),
        (0.05, 0.3),
        (0.2, 0.52),
        (0.5, 0.58),
        (0.9, 0.4),
    ]],
    &[
        &[(0.0, 0.15), (0.12, 0.0), (0.12, 1.0)],
        &[(0.7, 0.0), (0.5, 0.1), (0.42, 0.5), (0.5, 0.9), (0.7, 1.0), (0.9, 0.9), (0.98, 0.5), (0.9, 0.1), (0.7, 0.0)],
    ],
    &[&[(0.4, 0.0), (0.95, 0.0), (0.75, 0.0), (0.75, 0.8), (0.5, 1.0), (0.2, 0.95), (0.05, 0.75)]],
    &[
        &[
            (0.5, 0.0),
            (0.15, 0.12),
            (0.05, 0.5),
            (0.15, 0.88),
            (0.5, 1.0),
            (0.85, 0.88),
            (0.95, 0.5),
            (0.85, 0.12),
            (0.5, 0.0),
        ],
        &[(0.6, 0.7), (1.0, 1.08)],
    ],
    &[&[(0.1, 0.0), (0.1, 1.0)], &[(0.95, 0.0), (0.1, 0.62)], &[(0.38, 0.42), (1.0, 1.0)]],
];

/// Whether a point lies in a suit's shape; the shape reaches from -1 to 1.
fn in_suit(suit: u8, x: f32, y: f32) -> bool {
    let circle = |cx: f32, cy: f32, r: f32| (x - cx).hypot(y - cy) <= r;
    let heart = |y: f32| {
        let near = |cx: f32| (x - cx).hypot(y + 0.4) <= 0.5;
        near(-0.44) || near(0.44) || (y > -0.3 && x.abs() <= 0.92 * (1.0 - (y + 0.25) / 1.25))
    };
    let stem = y > 0.3 && x.abs() <= 0.08 + 0.3 * (y - 0.3).max(0.0).powi(2);
    match suit {
        0 => heart(-y - 0.1) || stem,
        1 => heart(y),
        2 => x.abs() / 0.75 + y.abs() <= 1.0,
        _ => circle(0.0, -0.5, 0.45) || circle(-0.5, 0.2, 0.45) || circle(0.5, 0.2, 0.45) || stem,
    }
}

fn to_line((ax, ay): (f32, f32), (bx, by): (f32, f32), x: f32, y: f32) -> f32 {
    let (dx, dy) = (bx - ax, by - ay);
    let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(1e-6)).clamp(0.0, 1.0);
    (x - ax - along * dx).hypot(y - ay - along * dy)
}

fn suit(card: &mut Texture, suit: u8, (cx, cy): (f32, f32), size: f32, turned: bool) {
    let colour = if matches!(suit, 1 | 2) { RED } else { BLACK };
    let up = if turned { -1.0 } else { 1.0 };
    let bounds = [cx - size, cy - size, cx + size, cy + size];
    card.fill(bounds, colour, |x, y| in_suit(suit, (x - cx) / size, up * (y - cy) / size));
}

/// Rank and suit in the corner; on the other side of the card it stands on its head.
fn corner(card: &mut Texture, rank: u8, suit_: u8, turned: bool) {
    let (width, height) = (CARD.0 as f32, CARD.1 as f32);
    let (left, top, wide, high) = (15.0, 22.0, 28.0, 44.0);
    let place = |x: f32, y: f32| if turned { (width - x, height - y) } else { (x, y) };
    let colour = if matches!(suit_, 1 | 2) { RED } else { BLACK };
    let (one, other) = (place(left - 6.0, top - 6.0), place(left + wide + 6.0, top + high + 10.0));
    let bounds = [one.0.min(other.0), one.1.min(other.1), one.0.max(other.0), one.1.max(other.1)];
    card.fill(bounds, colour, |x, y| {
        let (x, y) = place(x, y);
        let (x, y) = (x - left, y - top);
        let near = |line: &Line| {
            line.windows(2).any(|two| {
                let scaled = |(x, y): (f32, f32)| (x * wide, y * high);
                to_line(scaled(two[0]), scaled(two[1]), x, y) <= 3.4
            })
        };
        STROKES.get(usize::from(rank)).is_some_and(|lines| lines.iter().any(near))
    });
    suit(card, suit_, place(left + wide / 2.0, top + high + 30.0), 17.0, turned);
}

/// A card's face.
pub(super) fn face(card: Card) -> Texture {
    let (rank, suit_) = (card.rank().map_or(0, |rank| rank.index()), card.suit().map_or(0, |suit| suit.index()));
    let mut face = Texture::new(CARD.0, CARD.1, PAPER);
    let (left, middle, right) = (95.0, 157.0, 220.0);
    for n in 0..=rank.min(9) {
        // by turns left and right, an odd one in the middle
        let pips = u32::from(rank) + 1;
        let row = f32::from(n / 2) + 0.5;
        let rows = pips.div_ceil(2) as f32;
        let x = if n + 1 == rank + 1 && pips % 2 == 1 {
            middle
        } else if n % 2 == 0 {
            left
        } else {
            right
        };
        let y = 40.0 + 360.0 * row / rows;
        if rank < 10 {
            suit(&mut face, suit_, (x, y), 26.0, y > 225.0);
        }
    }
    if rank >= 10 {
        let lines = 7.0 + 4.0 * f32::from(rank - 10) + f32::from(suit_);
        face.fill([66.0, 30.0, 250.0, 410.0], BLUE, |x, y| {
            let edge = !(69.0..=247.0).contains(&x) || !(33.0..=407.0).contains(&y);
            edge || ((x * 0.7 + y) % (2.0 * lines) < lines * 0.6) || ((x - y * 0.4).rem_euclid(31.0) < 5.0)
        });
        suit(&mut face, suit_, (88.0, 58.0), 18.0, false);
    }
    corner(&mut face, rank, suit_, false);
    corner(&mut face, rank, suit_, true);
    face
}

/// The back: lozenges within a white edge.
pub(super) fn back() -> Texture {
    let mut back = Texture::new(CARD.0, CARD.1, PAPER);
    let (width, height) = (CARD.0 as f32, CARD.1 as f32);
    back.fill([0.0, 0.0, width, height], BLUE, |x, y| {
        let inner = x > 12.0 && y > 12.0 && x < width - 12.0 && y < height - 12.0;
        inner && (x + y).rem_euclid(18.0) > 4.0 && (x - y).rem_euclid(18.0) > 4.0
    });
    back
}
