//! Which articles have to look at what.

use alloc::vec::Vec;

use super::article::{Article, Docket, On};
use crate::procedure::scene::Scene;
use crate::table::event::Kind;

/// A regulation's articles, sorted by what they look at.
#[derive(Debug, Clone)]
pub struct Index {
    articles: &'static [&'static Article],
    kinds: [Vec<&'static Article>; Kind::ALL.len()],
    roles: [Vec<&'static Article>; ROLES],
    close: Vec<&'static Article>,
    play: Vec<&'static Article>,
    settlement: Vec<&'static Article>,
}

/// Roles a drawn card can have.
const ROLES: usize = crate::procedure::scene::Role::Burned as usize + 1;

impl Index {
    /// Sorts the articles of a regulation.
    #[must_use]
    pub fn of(articles: &'static [&'static Article]) -> Self {
        let mut index = Self {
            articles,
            kinds: Default::default(),
            roles: Default::default(),
            close: Vec::new(),
            play: Vec::new(),
            settlement: Vec::new(),
        };
        for &article in articles {
            for on in article.on {
                index.list(*on).push(article);
            }
        }
        index
    }

    fn list(&mut self, on: On) -> &mut Vec<&'static Article> {
        match on {
            On::Event(kind) => &mut self.kinds[kind as usize],
            On::Card(role) => &mut self.roles[role as usize],
            On::Close => &mut self.close,
            On::Play => &mut self.play,
            On::Settlement => &mut self.settlement,
        }
    }

    /// Lets every article look at a scene that has to; what they raise stands in the order of the text.
    pub fn hear(&self, scene: &Scene<'_>, docket: &mut Docket<'_>) {
        let hear = |list: &[&'static Article], docket: &mut Docket<'_>| {
            list.iter().for_each(|article| docket.hear(article, scene));
        };
        hear(&self.kinds[scene.event.kind() as usize], docket);
        if let Some(drawn) = &scene.drawn {
            hear(&self.roles[drawn.role as usize], docket);
        }
        if scene.closes {
            hear(&self.close, docket);
        }
        if scene.begins_play {
            hear(&self.play, docket);
        }
        if scene.begins_settlement {
            hear(&self.settlement, docket);
        }
        if docket.raised.len() > 1 {
            let place =
                |article: &'static Article| self.articles.iter().position(|&other| core::ptr::eq(other, article));
            docket.raised.sort_by_key(|raised| place(raised.article));
        }
    }
}
