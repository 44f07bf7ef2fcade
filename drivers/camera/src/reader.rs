//! What one picture shows.

use sabot_words::Card;

use crate::align::{Aligned, Laid};
use crate::deck::{Deck, DeckError, Rect, Shown};
use crate::frame::Frame;
use crate::plane::Plane;
use crate::template::{Coarse, Place, Scale, Template, Windows, find_lookalikes};

/// Candidates that are laid over exactly.
const CANDIDATES: usize = 6;
/// A card that is less alike where it was laid was not laid where it belongs.
const FOUND: f32 = 0.6;
/// What covers the worst part of an index: the mean of the squared difference.
const COVERED: f32 = 0.07;
/// The margins. Measured: `docs/build/card-head.md` says how, and what other ones would have cost.
const BY_INK: Bound = Bound { near: &[(0.97, 0.40), (0.95, 0.80)], seen: 0.3 };
const BY_CONTRAST: Bound = Bound { near: &[(0.88, 0.50)], seen: 0.2 };
/// Where something lies upon the index and the rest alone is compared, by contrast.
const IN_PART: Bound = Bound { near: &[(0.95, 0.70)], seen: 0.2 };
/// Where two cards differ: by so much of paper's brightness, and so many points around.
const DIFFER: f32 = 0.15;
const BESIDE: usize = 2;
/// Points of a cell's side, and the mean of the squared difference over which something lies upon it.
const CELL: usize = 3;
const HIDDEN: f32 = 0.04;
/// Where something lies upon the index no point is more unlike than that: the mean of the squared difference.
const UNLIKE: f32 = 0.08;
/// So many of a hundred points may be hidden.
const MOST_HIDDEN: usize = 40;
/// An index is compared part by part as well.
const PARTS: (usize, usize) = (2, 4);

/// The mouth is empty where the picture differs by so little from the empty mouth, in parts of paper's brightness.
const EMPTY: f32 = 0.10;
/// A plain card has so little ink at the most: the deviation, in parts of its brightness.
const PLAIN: f32 = 0.06;
/// How much brighter or darker a plain card may be than it was.
const CUT_LIGHT: std::ops::Range<f32> = 0.82..1.2;
/// Points of the mark's side.
const MARK: usize = 16;
/// How alike a back or a printed cut card is at the least, where it was found; or where it was laid over exactly: fine
/// lines are unlike themselves half a point beside.
const ALIKE_OTHER: f32 = 0.70;
const ALIKE_LAID: f32 = 0.75;

/// Where a card lies: how far its index is from its place at rest, in parts of the index's width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct At {
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Seen {
    /// A card's face.
    Card(Card, At),
    /// A card's back.
    Back,
    /// The cut card.
    CutCard,
    /// Nothing is in the mouth.
    Nothing,
    /// Something is, and what it is, is in doubt.
    Unread,
}

/// What a picture shows, and by which margins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// What.
    pub seen: Seen,
    /// The nearest card, whether or not it is near enough; nothing where no card was looked for.
    pub nearest: Option<Margins>,
}

/// How near a picture is to a card.
#[derive(Clone, Copy, PartialEq)]
pub struct Margins {
    /// The card.
    pub(crate) card: Card,
    /// The next one.
    pub(crate) next: Option<Card>,
    pub(crate) at: At,
    /// How alike they are.
    pub alike: f32,
    /// How much nearer than the next one.
    pub apart: f32,
    /// How different the worst part is.
    pub covered: f32,
    /// How much of what makes the difference is seen.
    pub seen: f32,
}

/// When a picture is near enough to a card.
struct Bound {
    /// How alike the two are at the least, and how much nearer the picture is to that than to any other card: 1 where
    /// it is the card to the last point, 0 where it lies between the two. Any of these is enough.
    near: &'static [(f32, f32)],
    /// Of what makes two cards different so much must be seen, and not lie in glare.
    seen: f32,
}

/// A card in doubt is shown nowhere.
impl std::fmt::Debug for Margins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { alike, apart, covered, seen, .. } = self;
        write!(f, "Margins(alike {alike:.3}, apart {apart:.3}, covered {covered:.3}, seen {seen:.2})")
    }
}

impl Margins {
    fn suffice(&self, bound: &Bound) -> bool {
        let is_it = |(alike, apart): &(f32, f32)| self.alike >= *alike && self.apart >= *apart;
        bound.near.iter().any(is_it) && self.covered <= COVERED && self.seen >= bound.seen
    }
}

/// What is no face, as pictures are compared with it.
#[derive(Debug, Clone)]
struct Other {
    coarse: Coarse,
    /// None where it has too little shape to be laid over anything.
    fine: Option<Aligned>,
}

impl Other {
    fn new(light: &Plane, scale: &Scale) -> Self {
        let (ink, _) = scale.ink(light);
        Self { coarse: Coarse::new(&ink, scale), fine: Aligned::new(scale.at_rest(&ink)) }
    }

    fn is_in(&self, ink: &Plane, blind: &[bool], windows: &Windows) -> bool {
        let place = self.coarse.best(windows);
        let is_laid = |fine: &Aligned| {
            let laid = fine.lay(ink, blind, &[], place.pose);
            laid.pose.is_likely() && laid.likeness >= ALIKE_LAID
        };
        place.likeness >= ALIKE_OTHER || self.fine.as_ref().is_some_and(is_laid)
    }
}

/// Reads pictures by a deck.
#[derive(Debug, Clone)]
pub struct Reader {
    scale: Scale,
    cards: Vec<Template>,
    /// The same by their contrast alone, for light that is uneven.
    contrasts: Vec<Template>,
    back: Other,
    /// A cut card that is printed, and one that is plain: how bright it is.
    cut: (Option<Other>, f32),
    nothing: Plane,
    /// The mark, by which the light is known, and how bright it was.
    mark: (Rect, f32),
}

impl Reader {
    /// By a deck.
    ///
    /// # Errors
    /// When a picture of the deck shows no index.
    pub fn new(deck: &Deck) -> Result<Self, DeckError> {
        let scale = Scale::of(&deck.geometry(), 255.0);
        let of = |shown: Shown| {
            deck.area(shown).map(|area| scale.light_of_area(area)).ok_or(DeckError::Missing(shown.to_string()))
        };
        let mut bright: Vec<f32> = deck.cards().map(|(_, area)| scale.light_of_area(area).percentile(90)).collect();
        bright.sort_by(f32::total_cmp);
        let scale = Scale { paper: bright.get(bright.len() / 2).copied().unwrap_or(255.0), ..scale };
        let templates = |seen: &dyn Fn(&Plane) -> Plane| {
            let template = |(card, area): (Card, &Frame)| {
                Template::new(card, &seen(&scale.light_of_area(area)), &scale).ok_or_else(|| DeckError::Useless {
                    what: card.to_string(),
                    why: "has no index where the deck says that it is: name the part of the picture that shows it"
                        .to_owned(),
                })
            };
            let mut cards = deck.cards().map(template).collect::<Result<Vec<_>, _>>()?;
            find_lookalikes(&mut cards);
            Ok::<_, DeckError>(cards)
        };
        let cut = of(Shown::Cut)?;
        let at_rest = scale.at_rest(&cut);
        let printed = (!is_plain(&at_rest)).then(|| Other::new(&cut, &scale));
        Ok(Self {
            cards: templates(&|light| scale.ink(light).0)?,
            contrasts: templates(&|light| scale.contrast(light))?,
            back: Other::new(&of(Shown::Back)?, &scale),
            cut: (printed, at_rest.mean()),
            nothing: of(Shown::Nothing)?,
            mark: {
                let mark = deck.geometry().mark;
                (mark, brightness(deck.mark(), Rect { x: 0, y: 0, ..mark }))
            },
            scale,
        })
    }

    /// The cards in the deck's order.
    pub(crate) fn cards(&self) -> &[Template] {
        &self.cards
    }

    /// How bright a plain cut card is beside paper; nothing of paper's where it is printed.
    pub(crate) fn cut_beside_paper(&self) -> f32 {
        if self.cut.0.is_some() { 0.0 } else { self.cut.1 / self.scale.paper.max(1.0) }
    }

    /// The part of a picture in which an index is looked for: of a card, what it is known by.
    #[must_use]
    pub fn corner(&self, frame: &Frame) -> Frame {
        let Rect { x, y, width, height } = self.scale.area;
        frame.crop(x, y, width, height)
    }

    /// Reads a picture; one of another size than the deck's is unread.
    #[must_use]
    pub fn read(&self, frame: &Frame) -> Reading {
        let light = self.scale.light(frame);
        if self.is_empty(&light) {
            return Reading { seen: Seen::Nothing, nearest: None };
        }
        if self.is_plain_cut_card(&light, brightness(frame, self.mark.0) / self.mark.1.max(1.0)) {
            return Reading { seen: Seen::CutCard, nearest: None };
        }
        let (ink, blind) = self.scale.ink(&light);
        let windows = Windows::of(&ink, self.scale.tile);
        let by_ink = self.laid_over(&Sight::new(&self.cards, &ink, &blind, &windows), &[]).map(|held| held.margins);
        let near = match by_ink {
            Some(near) if near.suffice(&BY_INK) => Some(near),
            // light that something takes away or adds to leaves the contrast
            Some(near) if near.alike > FOUND => self.by_contrast(&light, &blind),
            _ => None,
        };
        let seen = near.map_or_else(|| self.other(&ink, &blind, &windows), |near| Seen::Card(near.card, near.at));
        Reading { seen, nearest: near.or(by_ink) }
    }

    /// The card that a picture is near enough to by its contrast alone.
    fn by_contrast(&self, light: &Plane, blind: &[bool]) -> Option<Margins> {
        let contrast = self.scale.contrast(light);
        let windows = Windows::of(&contrast, self.scale.tile);
        let sight = Sight::new(&self.contrasts, &contrast, blind, &windows);
        let whole = self.laid_over(&sight, &[])?;
        if whole.margins.suffice(&BY_CONTRAST) {
            return Some(whole.margins);
        }
        let hidden = hidden_by(whole.card, &whole.laid.points);
        let rest = || self.laid_over(&sight, &hidden).map(|held| held.margins);
        if hidden.is_empty() { None } else { rest().filter(|rest| rest.suffice(&IN_PART)) }
    }

    fn is_empty(&self, light: &Plane) -> bool {
        let apart: f32 = light.at.iter().zip(&self.nothing.at).map(|(a, b)| (a - b).abs()).sum();
        apart / light.at.len().max(1) as f32 <= EMPTY * self.scale.paper
    }

    /// By its brightness in so much light, beside what it had.
    fn is_plain_cut_card(&self, light: &Plane, lit: f32) -> bool {
        let (printed, bright) = &self.cut;
        let light = &self.scale.at_rest(light);
        printed.is_none() && is_plain(light) && CUT_LIGHT.contains(&(light.mean() / (bright * lit).max(1.0)))
    }

    /// What is no face.
    fn other(&self, ink: &Plane, blind: &[bool], windows: &Windows) -> Seen {
        let is = |other: &Other| other.is_in(ink, blind, windows);
        match &self.cut.0 {
            Some(cut) if is(cut) => Seen::CutCard,
            _ if is(&self.back) => Seen::Back,
            _ => Seen::Unread,
        }
    }

    /// The card that a picture is nearest to, but for what is `hidden` of it.
    fn laid_over<'c>(&self, sight: &Sight<'_, 'c>, hidden: &[bool]) -> Option<Held<'c>> {
        let lay =
            |(card, place): &(&'c Template, Place)| (*card, card.fine.lay(sight.seen, sight.blind, hidden, place.pose));
        let mut laid: Vec<(&Template, Laid)> = sight.places.iter().take(CANDIDATES).map(lay).collect();
        laid.sort_by(|(_, a), (_, b)| b.likeness.total_cmp(&a.likeness));
        let first = laid.iter().find(|(_, laid)| laid.pose.is_likely()).cloned()?;
        let (held, next) = self.held_against(sight, hidden, &laid, first);
        // what two cards have in common may be more alike in the one that it is not
        let other = next.filter(|(_, laid)| held.margins.apart < 0.0 && laid.pose.is_likely());
        let other = other.map(|next| self.held_against(sight, hidden, &laid, next).0);
        Some(other.filter(|other| other.margins.apart > 0.0).unwrap_or(held))
    }

    /// Holds a card against all that it may be taken for: how near the picture is to it, and the nearest other one.
    fn held_against<'c>(
        &self,
        sight: &Sight<'_, 'c>,
        hidden: &[bool],
        laid: &[(&'c Template, Laid)],
        (best, first): (&'c Template, Laid),
    ) -> (Held<'c>, Option<(&'c Template, Laid)>) {
        let Sight { seen, blind, places } = sight;
        let (mut next, mut least, mut shown) = (None, 1.0_f32, 1.0_f32);
        let upon = |card: &Template, laid: &Laid| match hidden {
            [] => Vec::new(),
            _ => unlike(card, &card.fine.shown(seen, blind, hidden, &laid.pose)),
        };
        let upon_best = upon(best, &first);
        for (card, _) in places {
            let is_near = laid.iter().find(|(other, _)| other.card == card.card);
            let is_rival = card.card.rank() == best.card.rank() || best.lookalikes.contains(&card.card);
            if card.card == best.card || (is_near.is_none() && !is_rival) {
                continue;
            }
            // it is no other card merely because its own place was not found
            let own = is_near.map(|(_, own)| own).filter(|own| own.pose.is_likely() && own.likeness > FOUND);
            let second = own.cloned().unwrap_or_else(|| card.fine.lay(seen, blind, hidden, first.pose));
            // what only one of the two would have something upon speaks for the other
            let mut both = upon(card, &second);
            both.iter_mut().zip(&upon_best).for_each(|(upon, best)| *upon &= best);
            let same = same_in_both(best, card, &both);
            // a suit lies a little elsewhere than where the whole index was laid: cards are bent, and tilted
            let settled = |(card, laid): (&Template, &Laid)| card.fine.settle(seen, blind, &same, laid.pose);
            let most = if hidden.is_empty() { f32::MAX } else { UNLIKE };
            let (apart, of_both) = apart((best, &settled((best, &first))), (card, &settled((card, &second))), most);
            if apart < least {
                (next, least) = (Some((*card, second)), apart);
            }
            shown = shown.min(of_both);
        }
        let middle = self.scale.middle;
        let off = |n: usize, side: usize| (first.pose.t[n] - middle[n]) / side as f32;
        let margins = Margins {
            card: best.card,
            next: next.as_ref().map(|(card, _)| card.card),
            at: At { x: off(0, self.scale.tile.0), y: off(1, self.scale.tile.1) },
            alike: first.likeness,
            apart: least,
            covered: differences(best, &first.points, PARTS).at.into_iter().fold(0.0, f32::max),
            seen: shown,
        };
        (Held { margins, card: best, laid: first }, next)
    }
}

/// A picture, and where in it which card may lie.
struct Sight<'p, 'c> {
    /// Its ink, or its contrast.
    seen: &'p Plane,
    blind: &'p [bool],
    /// The likeliest first.
    places: Vec<(&'c Template, Place)>,
}

impl<'p, 'c> Sight<'p, 'c> {
    fn new(cards: &'c [Template], seen: &'p Plane, blind: &'p [bool], windows: &Windows) -> Self {
        let mut places: Vec<_> = cards.iter().map(|card| (card, card.coarse.best(windows))).collect();
        places.sort_by(|(_, a), (_, b)| b.likeness.total_cmp(&a.likeness));
        Self { seen, blind, places }
    }
}

/// A card that was held against a picture.
struct Held<'c> {
    margins: Margins,
    card: &'c Template,
    laid: Laid,
}

/// The points in which two cards do not differ, nor beside them, or that are hidden.
fn same_in_both(one: &Template, other: &Template, hidden: &[bool]) -> Vec<bool> {
    let (width, height) = (one.fine.tile.width, one.fine.tile.height);
    let mut differ = Plane::new(width, height);
    let tiles = one.fine.tile.at.iter().zip(&other.fine.tile.at);
    differ.at.iter_mut().zip(tiles).for_each(|(at, (a, b))| *at = (a - b).abs());
    let is_hidden = |n: usize| hidden.get(n).is_some_and(|hidden| *hidden);
    differ.dilated(BESIDE).at.iter().enumerate().map(|(n, at)| *at < DIFFER || is_hidden(n)).collect()
}

/// How much nearer the picture is to the first than to the second, where the two differ; and how much of their
/// difference is seen.
fn apart((best, first): (&Template, &Laid), (other, second): (&Template, &Laid), most: f32) -> (f32, f32) {
    let (mut to_best, mut to_other, mut between, mut whole) = (0.0, 0.0, 0.0, 0.0);
    let tiles = best.fine.tile.at.iter().zip(&other.fine.tile.at);
    for ((a, b), (seen_a, seen_b)) in tiles.zip(first.points.iter().zip(&second.points)) {
        let differ = (a - b) * (a - b);
        whole += differ;
        if !seen_a.is_nan() && !seen_b.is_nan() {
            between += differ;
            to_best += differ * ((seen_a - a) * (seen_a - a)).min(most);
            to_other += differ * ((seen_b - b) * (seen_b - b)).min(most);
        }
    }
    ((to_other - to_best) / f32::max(to_other + to_best, 1e-6), between / f32::max(whole, 1e-3))
}

/// The points of a card that something lies upon: cells that are quite different, and those beside them. None where
/// nothing is, or too much.
fn hidden_by(template: &Template, points: &[f32]) -> Vec<bool> {
    let hidden = unlike(template, points);
    let count = hidden.iter().filter(|hidden| **hidden).count();
    if count == 0 || count * 100 > MOST_HIDDEN * hidden.len() { Vec::new() } else { hidden }
}

/// The points that are in cells that are quite different, and those beside them.
fn unlike(template: &Template, points: &[f32]) -> Vec<bool> {
    let (width, height) = (template.fine.tile.width, template.fine.tile.height);
    let grid = (width.div_ceil(CELL), height.div_ceil(CELL));
    let cells = differences(template, points, grid).dilated(1);
    let is_hidden = |n: usize| cells.at[cell(n, (width, height), grid)] > HIDDEN;
    (0..width * height).map(is_hidden).collect()
}

/// In which cell of a grid a point is.
const fn cell(n: usize, (width, height): (usize, usize), (across, down): (usize, usize)) -> usize {
    n % width * across / width + n / width * down / height * across
}

/// The mean of the squared difference in each cell of a grid.
fn differences(template: &Template, points: &[f32], grid: (usize, usize)) -> Plane {
    let size = (template.fine.tile.width, template.fine.tile.height);
    let (mut sums, mut counts) = (Plane::new(grid.0, grid.1), Plane::new(grid.0, grid.1));
    for (n, (tile, point)) in template.fine.tile.at.iter().zip(points).enumerate() {
        if !point.is_nan() {
            let cell = cell(n, size, grid);
            sums.at[cell] += (tile - point) * (tile - point);
            counts.at[cell] += 1.0;
        }
    }
    sums.at.iter_mut().zip(counts.at).for_each(|(sum, count)| *sum /= count.max(1.0));
    sums
}

/// How bright the lightest of a part is.
fn brightness(frame: &Frame, part: Rect) -> f32 {
    Plane::of(frame, part, MARK, MARK).percentile(90)
}

fn is_plain(light: &Plane) -> bool {
    // a slope of the light is no ink
    let slope = light.blurred(light.width.max(light.height) / 4);
    let mut rest = light.clone();
    rest.at.iter_mut().zip(&slope.at).for_each(|(at, slope)| *at -= slope);
    rest.deviation() < PLAIN * light.mean()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{Design, geometry, lesson};
    use crate::lessons::Lessons;

    /// Reads our own cards.
    fn reader(design: &Design) -> Reader {
        let mut lessons = Lessons::new(geometry());
        Shown::all().for_each(|what| lessons.show(what, lesson(design, what, 5)).unwrap());
        Reader::new(&lessons.learnt().unwrap()).unwrap()
    }

    /// Calls that with each card at rest, as it is seen by those templates.
    fn each(design: &Design, cards: &[Template], scale: &Scale, mut check: impl FnMut(Card, Sight<'_, '_>)) {
        for card in cards.iter().map(|template| template.card) {
            let light = scale.light(&lesson(design, Shown::Card(card), 9));
            let (contrast, blind) = (scale.contrast(&light), scale.ink(&light).1);
            check(card, Sight::new(cards, &contrast, &blind, &Windows::of(&contrast, scale.tile)));
        }
    }

    #[test]
    fn a_card_that_is_no_candidate_is_no_other_one() {
        let design = Design::own();
        let reader = reader(&design);
        each(&design, &reader.contrasts, &reader.scale, |card, mut sight| {
            // of its rank there is no candidate either
            sight.places.sort_by_key(|(template, _)| template.card.rank() == card.rank());
            let held = reader.laid_over(&sight, &[]).map(|held| held.margins);
            assert!(held.is_none_or(|held| held.card == card || held.apart < 0.2), "{card}: {held:?}");
        });
    }

    #[test]
    fn what_a_card_alone_does_not_explain_is_not_hidden() {
        let design = Design::own();
        let reader = reader(&design);
        let mut count = 0;
        each(&design, &reader.contrasts, &reader.scale, |card, sight| {
            let places = sight.places.iter().take(CANDIDATES);
            let laid: Vec<_> = places
                .map(|(template, place)| (*template, template.fine.lay(sight.seen, sight.blind, &[], place.pose)))
                .collect();
            for wrong in laid.iter().filter(|(template, _)| template.card != card) {
                let hidden = hidden_by(wrong.0, &wrong.1.points);
                if !hidden.is_empty() {
                    count += 1;
                    let again = wrong.0.fine.lay(sight.seen, sight.blind, &hidden, wrong.1.pose);
                    let held = reader.held_against(&sight, &hidden, &laid, (wrong.0, again)).0.margins;
                    assert!(held.apart < -0.2, "{card} as {}: {held:?}", held.card);
                }
            }
        });
        assert!(count > 50, "{count}");
    }
}
