//! Which articles have to look at what.

use alloc::vec::Vec;

use super::article::{Article, Docket, On};
use crate::procedure::scene::{Role, Scene};
use crate::table::event::{Choice, Kind};
use crate::table::{BetSpot, Event};

type List = Vec<&'static Article>;

/// A regulation's articles, sorted by what they look at.
#[derive(Debug, Clone, Default)]
pub struct Index {
    articles: &'static [&'static Article],
    kinds: [List; Kind::ALL.len()],
    roles: [List; Role::Burned as usize + 1],
    spots: [List; BetSpot::Insurance as usize + 1],
    choices: [List; Choice::ALL.len()],
    close: List,
    play: List,
    settlement: List,
}

impl Index {
    /// Sorts the articles of a regulation.
    #[must_use]
    pub fn of(articles: &'static [&'static Article]) -> Self {
        let mut index = Self { articles, ..Self::default() };
        for &article in articles {
            for on in article.on {
                index.list(*on).push(article);
            }
        }
        index
    }

    fn list(&mut self, on: On) -> &mut List {
        match on {
            On::Event(kind) => &mut self.kinds[kind as usize],
            On::Card(role) => &mut self.roles[role as usize],
            On::Bet(spot) => &mut self.spots[spot as usize],
            On::Decide(choice) => &mut self.choices[choice as usize],
            On::Close => &mut self.close,
            On::Play => &mut self.play,
            On::Settlement => &mut self.settlement,
        }
    }

    /// Lets every article look at a scene that has to; what they raise stands in the order of the text.
    #[inline]
    pub fn hear(&self, scene: &Scene<'_>, docket: &mut Docket<'_>) {
        let mut hear = |list: &List| list.iter().for_each(|article| docket.hear(article, scene));
        hear(&self.kinds[scene.event.kind() as usize]);
        match scene.event {
            Event::Bet { spot, .. } => hear(&self.spots[*spot as usize]),
            Event::Decide { choice, .. } => hear(&self.choices[*choice as usize]),
            _ => {}
        }
        if let Some(drawn) = &scene.drawn {
            hear(&self.roles[drawn.role as usize]);
        }
        if scene.closes {
            hear(&self.close);
        }
        if scene.begins_play {
            hear(&self.play);
        }
        if scene.begins_settlement {
            hear(&self.settlement);
        }
        if docket.raised.len() > 1 {
            let place =
                |article: &'static Article| self.articles.iter().position(|&other| core::ptr::eq(other, article));
            docket.raised.sort_by_key(|raised| place(raised.article));
        }
    }
}
