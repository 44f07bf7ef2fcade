//! Pictures as they are compared: numbers in a grid.

use crate::deck::Rect;
use crate::frame::Frame;

/// A grid of numbers, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) at: Vec<f32>,
}

impl Plane {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, height, at: vec![0.0; width * height] }
    }

    /// A part of a picture, resampled: each number is the mean of the pixels that it covers, 0 to 255.
    pub(crate) fn of(frame: &Frame, part: Rect, width: usize, height: usize) -> Self {
        let mut plane = Self::new(width, height);
        let edges = |n: usize, of: usize, side: usize| {
            let start = n * side / of;
            (start, ((n + 1) * side / of).max(start + 1))
        };
        for y in 0..height {
            let (top, bottom) = edges(y, height, part.height);
            for x in 0..width {
                let (left, right) = edges(x, width, part.width);
                let (mut sum, mut count) = (0_u32, 0_u32);
                for row in top..bottom {
                    let pixels = frame.row(part.x + left, part.y + row, right - left);
                    sum += pixels.iter().map(|pixel| u32::from(*pixel)).sum::<u32>();
                    count += pixels.len() as u32;
                }
                plane.at[y * width + x] = sum as f32 / count.max(1) as f32;
            }
        }
        plane
    }

    /// Half as wide and high.
    pub(crate) fn halved(&self) -> Self {
        let mut half = Self::new((self.width / 2).max(1), (self.height / 2).max(1));
        for y in 0..half.height {
            for x in 0..half.width {
                let of = |dx, dy| self.near(2 * x + dx, 2 * y + dy);
                half.at[y * half.width + x] = (of(0, 0) + of(1, 0) + of(0, 1) + of(1, 1)) / 4.0;
            }
        }
        half
    }

    /// The number there, or the nearest inside.
    fn near(&self, x: usize, y: usize) -> f32 {
        self.at[y.min(self.height - 1) * self.width + x.min(self.width - 1)]
    }

    /// Between the numbers; outside it is that of the border.
    #[inline]
    pub(crate) fn between(&self, x: f32, y: f32) -> f32 {
        let x = x.clamp(0.0, (self.width - 1) as f32);
        let y = y.clamp(0.0, (self.height - 1) as f32);
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (dx, dy) = (x - left as f32, y - top as f32);
        let (above, below) = (top * self.width, bottom * self.width);
        let upper = self.at[above + left] * (1.0 - dx) + self.at[above + right] * dx;
        let lower = self.at[below + left] * (1.0 - dx) + self.at[below + right] * dx;
        upper * (1.0 - dy) + lower * dy
    }

    /// The largest within `reach` of each, or the mean.
    fn of_neighbours(&self, reach: usize, fold: impl Fn(&[f32]) -> f32) -> Self {
        let mut across = self.clone();
        for (row, out) in self.at.chunks_exact(self.width).zip(across.at.chunks_exact_mut(self.width)) {
            for (x, out) in out.iter_mut().enumerate() {
                *out = fold(&row[x.saturating_sub(reach)..(x + reach + 1).min(self.width)]);
            }
        }
        let mut both = across.clone();
        let mut column = vec![0.0; self.height];
        for x in 0..self.width {
            column.iter_mut().enumerate().for_each(|(y, place)| *place = across.at[y * self.width + x]);
            for y in 0..self.height {
                let part = &column[y.saturating_sub(reach)..(y + reach + 1).min(self.height)];
                both.at[y * self.width + x] = fold(part);
            }
        }
        both
    }

    pub(crate) fn dilated(&self, reach: usize) -> Self {
        self.of_neighbours(reach, |part| part.iter().copied().fold(f32::MIN, f32::max))
    }

    pub(crate) fn blurred(&self, reach: usize) -> Self {
        self.of_neighbours(reach, |part| part.iter().sum::<f32>() / part.len() as f32)
    }

    fn eroded(&self, reach: usize) -> Self {
        self.of_neighbours(reach, |part| part.iter().copied().fold(f32::MAX, f32::min))
    }

    /// How bright paper would be at each point: ink that is narrower than twice the reach is filled up, and the edge of
    /// a shadow stays where it is.
    pub(crate) fn paper(&self, reach: usize) -> Self {
        self.dilated(reach).eroded(reach).blurred(1)
    }

    /// How much of the light each point gives back, by the paper around it. A point is not held against light that is
    /// weaker than `floor`.
    pub(crate) fn reflectance(&self, paper: &Self, floor: f32) -> Self {
        let mut part = self.clone();
        part.at.iter_mut().zip(&paper.at).for_each(|(at, paper)| *at /= paper.max(floor));
        part
    }

    pub(crate) fn mean(&self) -> f32 {
        self.at.iter().sum::<f32>() / self.at.len().max(1) as f32
    }

    /// Standard deviation.
    pub(crate) fn deviation(&self) -> f32 {
        let mean = self.mean();
        (self.at.iter().map(|at| (at - mean) * (at - mean)).sum::<f32>() / self.at.len().max(1) as f32).sqrt()
    }

    /// The number under which so many of a hundred are.
    pub(crate) fn percentile(&self, percent: usize) -> f32 {
        let mut sorted = self.at.clone();
        sorted.sort_by(f32::total_cmp);
        sorted.get(sorted.len() * percent / 100).or(sorted.last()).copied().unwrap_or(0.0)
    }

    /// How steep it is, on average: what a lens out of focus loses.
    pub(crate) fn steepness(&self) -> f32 {
        let across = |row: &[f32]| row.windows(2).map(|two| (two[1] - two[0]).powi(2)).sum::<f32>();
        let rows: f32 = self.at.chunks_exact(self.width).map(across).sum();
        let down = self.at.iter().zip(self.at.iter().skip(self.width)).map(|(a, b)| (b - a).powi(2)).sum::<f32>();
        ((rows + down) / self.at.len().max(1) as f32).sqrt()
    }
}

/// The sum of products, in lanes that a processor can add at once.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shadow_with_a_sharp_edge_falls_away() {
        let mut lit = Plane::new(40, 20);
        for (n, at) in lit.at.iter_mut().enumerate() {
            let ink = n % 40 % 10 < 3;
            *at = if ink { 40.0 } else { 200.0 };
        }
        let mut shaded = lit.clone();
        shaded.at.iter_mut().enumerate().for_each(|(n, at)| *at *= 1.0 - 0.5 * (n % 40) as f32 / 40.0);
        shaded.at.iter_mut().enumerate().filter(|(n, _)| n % 40 > 24).for_each(|(_, at)| *at *= 0.6);
        let seen = |plane: &Plane| plane.reflectance(&plane.paper(4), 20.0);
        let (lit, shaded) = (seen(&lit), seen(&shaded));
        let worst = lit.at.iter().zip(&shaded.at).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 0.2, "{worst}");
    }

    #[test]
    fn the_sum_of_products_is_that_of_any_length() {
        for length in 0..40 {
            let a: Vec<f32> = (0..length).map(|n| n as f32).collect();
            let plain: f32 = a.iter().map(|a| a * a).sum();
            assert_eq!(dot(&a, &a), plain);
        }
    }

    #[test]
    fn half_of_a_plane_and_what_lies_between_its_points() {
        let plane = Plane { width: 2, height: 2, at: vec![0.0, 1.0, 2.0, 3.0] };
        assert_eq!(plane.halved().at, [1.5]);
        assert_eq!(plane.between(0.5, 0.5), 1.5);
        assert_eq!(plane.between(9.0, -3.0), 1.0);
        assert_eq!(plane.percentile(50), 2.0);
    }
}
