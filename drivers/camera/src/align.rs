//! Lays a template over a picture: small turns, tilts, sizes and shifts are taken back before the two are compared.

use crate::plane::Plane;

/// Steps at the most, and the shift in points under which one is the last.
const STEPS: usize = 10;
const STILL: f64 = 0.03;
/// How much of the whole template's pull is added to that of the part that is seen: a small part says little of some of
/// the six numbers.
const DAMPING: f64 = 0.1;
/// Steps of a part at the most.
const SETTLING: usize = 5;
/// What a card before the lens can be turned, stretched and sheared at the most; more is another card bent to fit.
const MAX_TURN: f32 = 0.21;
const MAX_STRETCH: f32 = 0.16;
const MAX_SHEAR: f32 = 0.13;
/// A point so bright is glare or overexposed: what is printed there is not seen.
const BLIND: f32 = f32::NAN;

/// Where a template's points lie in a picture: about the template's middle, turned, then shifted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pose {
    /// Rows of the matrix.
    pub(crate) a: [[f32; 2]; 2],
    /// Where the middle lies.
    pub(crate) t: [f32; 2],
}

impl Pose {
    pub(crate) fn turned(angle: f32, t: [f32; 2]) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { a: [[cos, -sin], [sin, cos]], t }
    }

    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let Self { a, t } = self;
        (a[0][0] * x + a[0][1] * y + t[0], a[1][0] * x + a[1][1] * y + t[1])
    }

    /// Whether a card can lie so.
    pub(crate) fn is_likely(&self) -> bool {
        let [[a, b], [c, d]] = self.a;
        let turn = ((c - b) / 2.0).atan2((a + d) / 2.0);
        let stretch = [a.hypot(c), b.hypot(d)];
        let shear = (a * b + c * d).abs();
        let fits = |side: &f32| (side - 1.0).abs() < MAX_STRETCH;
        turn.abs() < MAX_TURN && stretch.iter().all(fits) && shear < MAX_SHEAR
    }

    /// This after the inverse of a small change, given as the matrix's four and the shift's two.
    fn less(&self, p: [f32; 6]) -> Option<Self> {
        let ([a, b, c, d], [x, y]) = ([1.0 + p[0], p[1], p[2], 1.0 + p[3]], [p[4], p[5]]);
        let det = a * d - b * c;
        if det.abs() < 0.2 {
            return None;
        }
        let inverse = [[d / det, -b / det], [-c / det, a / det]];
        let back = [-(inverse[0][0] * x + inverse[0][1] * y), -(inverse[1][0] * x + inverse[1][1] * y)];
        let row = |row: [f32; 2]| {
            [row[0] * inverse[0][0] + row[1] * inverse[1][0], row[0] * inverse[0][1] + row[1] * inverse[1][1]]
        };
        let (tx, ty) = self.place(back[0], back[1]);
        Some(Self { a: [row(self.a[0]), row(self.a[1])], t: [tx, ty] })
    }
}

/// A template that can be laid over pictures.
#[derive(Debug, Clone)]
pub(crate) struct Aligned {
    pub(crate) tile: Plane,
    /// Each point from the middle.
    centred: Vec<(f32, f32)>,
    /// How each point changes with the six numbers of a small change.
    steepest: Vec<[f32; 6]>,
    hessian: [[f64; 6]; 6],
    inverse: [[f64; 6]; 6],
}

/// What a picture shows where a template was laid.
#[derive(Debug, Clone)]
pub(crate) struct Laid {
    pub(crate) pose: Pose,
    /// The picture's points in the template's own light; those not seen are no numbers.
    pub(crate) points: Vec<f32>,
    /// How alike the two are, 1 at the most.
    pub(crate) likeness: f32,
}

impl Aligned {
    /// Nothing where the tile has no shape that could be laid over anything.
    pub(crate) fn new(tile: Plane) -> Option<Self> {
        let (width, height) = (tile.width, tile.height);
        let middle = ((width - 1) as f32 / 2.0, (height - 1) as f32 / 2.0);
        let centred = |n: usize| ((n % width) as f32 - middle.0, (n / width) as f32 - middle.1);
        let centred: Vec<(f32, f32)> = (0..width * height).map(centred).collect();
        let slopes = |(n, (cx, cy)): (usize, &(f32, f32))| {
            let (x, y) = (n % width, n / width);
            let at = |x: usize, y: usize| tile.at[y.min(height - 1) * width + x.min(width - 1)];
            let gx = (at(x + 1, y) - at(x.saturating_sub(1), y)) / 2.0;
            let gy = (at(x, y + 1) - at(x, y.saturating_sub(1))) / 2.0;
            [gx * cx, gx * cy, gy * cx, gy * cy, gx, gy]
        };
        let steepest: Vec<[f32; 6]> = centred.iter().enumerate().map(slopes).collect();
        let hessian = hessian(steepest.iter());
        Some(Self { inverse: inverted(hessian)?, hessian, tile, centred, steepest })
    }

    /// Lays it over a picture, beginning near `pose`. `blind` are the points that the picture does not show, `hidden`
    /// those of the template that something lies upon.
    pub(crate) fn lay(&self, picture: &Plane, blind: &[bool], hidden: &[bool], mut pose: Pose) -> Laid {
        let (mut inverse, which) = (None, self.but_for(hidden));
        for _ in 0..STEPS {
            let seen = self.some_seen(picture, blind, &which, &pose);
            let mut pull = [0.0_f32; 6];
            for (n, error) in &seen {
                pull.iter_mut().zip(&self.steepest[*n]).for_each(|(sum, slope)| *sum += error * slope);
            }
            let inverse = inverse.get_or_insert_with(|| self.inverse_of_seen(&seen));
            let change = inverse.map(|row| row.iter().zip(pull).map(|(a, b)| a * f64::from(b)).sum::<f64>());
            let Some(next) = pose.less(change.map(|number| number as f32)) else { break };
            pose = next;
            let reach = (self.tile.width.max(self.tile.height) / 2) as f64;
            if change[..4].iter().all(|n| n.abs() * reach < STILL) && change[4..].iter().all(|n| n.abs() < STILL) {
                break;
            }
        }
        let (points, likeness) = self.seen(picture, blind, hidden, &pose);
        Laid { pose, points, likeness }
    }

    /// As all points pull together, or those alone that are seen.
    fn inverse_of_seen(&self, seen: &[(usize, f32)]) -> [[f64; 6]; 6] {
        if seen.len() == self.steepest.len() {
            return self.inverse;
        }
        let seen = seen.iter().map(|(n, _)| &self.steepest[*n]);
        let mut damped = hessian(seen);
        for (line, whole) in damped.iter_mut().zip(&self.hessian) {
            line.iter_mut().zip(whole).for_each(|(cell, whole)| *cell += DAMPING * whole);
        }
        inverted(damped).unwrap_or(self.inverse)
    }

    /// Shifts a laid template to where those of its points that are not `hidden` fit best.
    pub(crate) fn settle(&self, picture: &Plane, blind: &[bool], hidden: &[bool], mut pose: Pose) -> Laid {
        let which = self.but_for(hidden);
        for _ in 0..SETTLING {
            let (mut pull, mut hessian) = ([0.0_f32; 2], [0.0_f32; 3]);
            for (n, error) in self.some_seen(picture, blind, &which, &pose) {
                let [.., x, y] = self.steepest[n];
                pull = [pull[0] + error * x, pull[1] + error * y];
                hessian = [hessian[0] + x * x, hessian[1] + x * y, hessian[2] + y * y];
            }
            let [xx, xy, yy] = hessian;
            let det = xx * yy - xy * xy;
            if det < 1e-4 {
                break;
            }
            let by = [(yy * pull[0] - xy * pull[1]) / det, (xx * pull[1] - xy * pull[0]) / det];
            let by = by.map(|by| by.clamp(-1.0, 1.0));
            let Some(next) = pose.less([0.0, 0.0, 0.0, 0.0, by[0], by[1]]) else { break };
            pose = next;
            if by.iter().all(|by| f64::from(by.abs()) < STILL) {
                break;
            }
        }
        let (points, likeness) = self.seen(picture, blind, hidden, &pose);
        Laid { pose, points, likeness }
    }

    /// The picture's points there, brought to the template's light by the straight line that fits best.
    fn seen(&self, picture: &Plane, blind: &[bool], hidden: &[bool], pose: &Pose) -> (Vec<f32>, f32) {
        let (mut points, likeness) = self.in_light(picture, blind, hidden, pose);
        let of = points.iter_mut().zip(hidden);
        of.filter(|(_, hidden)| **hidden).for_each(|(point, _)| *point = BLIND);
        (points, likeness)
    }

    /// The same with those that are hidden, in the light of those that are not.
    pub(crate) fn shown(&self, picture: &Plane, blind: &[bool], hidden: &[bool], pose: &Pose) -> Vec<f32> {
        self.in_light(picture, blind, hidden, pose).0
    }

    /// The numbers of the points that are not hidden.
    fn but_for(&self, hidden: &[bool]) -> Vec<usize> {
        (0..self.tile.at.len()).filter(|n| hidden.get(*n) != Some(&true)).collect()
    }

    /// What the picture shows at some points, as it is; none of those that lie outside or in glare.
    fn shows<'p>(
        &'p self,
        picture: &'p Plane,
        blind: &'p [bool],
        pose: &'p Pose,
        which: impl Iterator<Item = usize> + 'p,
    ) -> impl Iterator<Item = (usize, f32)> + 'p {
        let (width, height) = (picture.width as f32, picture.height as f32);
        which.filter_map(move |n| {
            let (cx, cy) = self.centred[n];
            let (u, v) = pose.place(cx, cy);
            let inside = u > -1.0 && v > -1.0 && u < width && v < height;
            let near = ((v + 0.5).max(0.0) as usize) * picture.width + (u + 0.5).max(0.0) as usize;
            (inside && blind.get(near) == Some(&false)).then(|| (n, picture.between(u, v)))
        })
    }

    /// How the picture differs from the template at some points, in the template's own light.
    fn some_seen(&self, picture: &Plane, blind: &[bool], which: &[usize], pose: &Pose) -> Vec<(usize, f32)> {
        let (mut light, mut seen) = (Line::default(), Vec::with_capacity(which.len()));
        for (n, point) in self.shows(picture, blind, pose, which.iter().copied()) {
            light.add(point, self.tile.at[n]);
            seen.push((n, point));
        }
        let (gain, off, _) = light.fit();
        seen.iter_mut().for_each(|(n, point)| *point = gain * *point + off - self.tile.at[*n]);
        seen
    }

    fn in_light(&self, picture: &Plane, blind: &[bool], hidden: &[bool], pose: &Pose) -> (Vec<f32>, f32) {
        let (mut light, mut points) = (Line::default(), vec![BLIND; self.tile.at.len()]);
        for (n, point) in self.shows(picture, blind, pose, 0..points.len()) {
            points[n] = point;
            if hidden.get(n) != Some(&true) {
                light.add(point, self.tile.at[n]);
            }
        }
        let (gain, off, likeness) = light.fit();
        points.iter_mut().for_each(|point| *point = gain * *point + off);
        (points, likeness)
    }
}

/// The straight line that brings the points of a picture nearest to those of a template.
#[derive(Default)]
struct Line {
    count: f32,
    sums: [f32; 5],
}

impl Line {
    fn add(&mut self, seen: f32, tile: f32) {
        self.count += 1.0;
        let terms = [seen, tile, seen * seen, tile * tile, seen * tile];
        self.sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }

    /// What a point is multiplied by, what is added, and how alike the two are.
    fn fit(self) -> (f32, f32, f32) {
        let [seen, tile, seen2, tile2, both] = self.sums.map(|sum| sum / self.count.max(1.0));
        let (var_seen, var_tile, cov) = (seen2 - seen * seen, tile2 - tile * tile, both - seen * tile);
        let gain = (cov / var_seen.max(1e-6)).clamp(0.3, 3.0);
        (gain, tile - gain * seen, cov / (var_seen * var_tile).max(1e-9).sqrt())
    }
}

/// How the six numbers of a change pull at each other.
fn hessian<'r>(steepest: impl Iterator<Item = &'r [f32; 6]>) -> [[f64; 6]; 6] {
    let mut hessian = [[0.0_f64; 6]; 6];
    for row in steepest {
        for (line, one) in hessian.iter_mut().zip(row) {
            line.iter_mut().zip(row).for_each(|(cell, other)| *cell += f64::from(one * other));
        }
    }
    hessian
}

/// By Gauss and Jordan, with the largest pivot.
fn inverted(mut of: [[f64; 6]; 6]) -> Option<[[f64; 6]; 6]> {
    let mut inverse = [[0.0; 6]; 6];
    (0..6).for_each(|n| inverse[n][n] = 1.0);
    for n in 0..6 {
        let pivot = (n..6).max_by(|a, b| of[*a][n].abs().total_cmp(&of[*b][n].abs()))?;
        of.swap(n, pivot);
        inverse.swap(n, pivot);
        let scale = of[n][n];
        if scale.abs() < 1e-9 {
            return None;
        }
        (0..6).for_each(|m| (of[n][m], inverse[n][m]) = (of[n][m] / scale, inverse[n][m] / scale));
        for row in (0..6).filter(|row| *row != n) {
            let factor = of[row][n];
            for m in 0..6 {
                of[row][m] -= factor * of[n][m];
                inverse[row][m] -= factor * inverse[n][m];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shape without symmetry.
    fn shape(x: f32, y: f32) -> f32 {
        let bar = (-((x - 2.0) / 3.0).powi(2) - ((y + 4.0) / 7.0).powi(2)).exp();
        let dot = (-((x + 4.0) / 2.5).powi(2) - ((y - 8.0) / 2.5).powi(2)).exp();
        1.0 - 0.9 * bar - 0.7 * dot
    }

    fn picture(width: usize, height: usize, of: impl Fn(f32, f32) -> f32) -> Plane {
        let mut plane = Plane::new(width, height);
        for y in 0..height {
            for x in 0..width {
                plane.at[y * width + x] = of(x as f32 - (width - 1) as f32 / 2.0, y as f32 - (height - 1) as f32 / 2.0);
            }
        }
        plane
    }

    #[test]
    fn a_shape_that_is_turned_shifted_and_dimmed_is_found_where_it_lies() {
        let template = Aligned::new(picture(24, 44, shape)).unwrap();
        let pose = Pose::turned(0.08, [22.0, 33.0]);
        // what the picture shows at a point is the shape where that point comes from
        let moved = picture(41, 61, |x, y| {
            let (x, y) = (x - 2.0, y - 3.0);
            let (sin, cos) = 0.08_f32.sin_cos();
            0.2 + 0.5 * shape(cos * x + sin * y, -sin * x + cos * y)
        });
        let laid = template.lay(&moved, &vec![false; 41 * 61], &[], Pose::turned(0.0, [20.5, 31.0]));
        assert!(laid.likeness > 0.995, "{laid:?}");
        assert!((0..2).all(|n| (laid.pose.t[n] - pose.t[n]).abs() < 0.2), "{:?}", laid.pose);
        assert!(laid.pose.is_likely());
        assert!(!Pose::turned(0.4, [0.0; 2]).is_likely());
    }

    #[test]
    fn a_shape_of_which_much_is_hidden_is_found_as_exactly() {
        let template = Aligned::new(picture(24, 44, shape)).unwrap();
        let moved = picture(41, 61, |x, y| {
            let (sin, cos) = 0.06_f32.sin_cos();
            let (x, y) = (x - 1.5, y - 2.0);
            if y > 6.0 { 0.3 } else { shape(cos * x + sin * y, -sin * x + cos * y) }
        });
        let hidden: Vec<bool> = (0..24 * 44).map(|n| n / 24 > 25).collect();
        let laid = template.lay(&moved, &vec![false; 41 * 61], &hidden, Pose::turned(0.0, [20.0, 30.0]));
        assert!(laid.likeness > 0.995, "{}", laid.likeness);
        // what is hidden is shown in the light of the rest
        let shown = template.shown(&moved, &vec![false; 41 * 61], &hidden, &laid.pose);
        let bottom = shown.last().unwrap();
        assert!((bottom - 0.3).abs() < 0.05 && laid.points.last().unwrap().is_nan(), "{bottom}");
    }

    #[test]
    fn what_is_flat_has_no_template() {
        assert!(Aligned::new(Plane::new(24, 44)).is_none());
    }
}
