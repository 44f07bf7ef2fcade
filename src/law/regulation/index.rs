//! Which articles have to look at what.

use alloc::vec::Vec;

use super::article::{Article, Findings, On};
use crate::procedure::context::{Context, Role};
use crate::procedure::mistakes::Mistake;
use crate::table::event::{Choice, Kind};
use crate::table::{BetSpot, Event};

type List = Vec<&'static Article>;

/// A regulation's articles, sorted by what they look at.
#[derive(Debug, Clone)]
pub struct Index {
    articles: List,
    /// By topic.
    topics: [List; TOPICS],
    close: List,
    play: List,
}

/// Events as finely as articles tell them apart: a draw by its role, a bet by its spot, a decision by its choice, any
/// other by its kind. Every event has one topic, so that one list says who has to look at it.
const ROLES: usize = Kind::ALL.len();
const SPOTS: usize = ROLES + Role::Burned as usize + 1;
const CHOICES: usize = SPOTS + BetSpot::Insurance as usize + 1;
const TOPICS: usize = CHOICES + Choice::ALL.len();

fn topic(context: &Context<'_>) -> usize {
    match (context.event, &context.meaning.drawn) {
        (_, Some(drawn)) => ROLES + drawn.role as usize,
        (Event::Bet { spot, .. }, _) => SPOTS + *spot as usize,
        (Event::Decide { choice, .. }, _) => CHOICES + *choice as usize,
        (event, _) => event.kind() as usize,
    }
}

impl Index {
    /// Sorts the articles of a regulation.
    #[must_use]
    pub fn of(articles: &[&'static Article]) -> Self {
        let [close, play] = [const { List::new() }; 2];
        let mut index = Self { articles: articles.to_vec(), topics: [const { List::new() }; TOPICS], close, play };
        for &article in articles {
            for on in article.on {
                index.lists(*on).iter_mut().for_each(|list| list.push(article));
            }
        }
        index
    }

    /// The lists of all topics an article may look at together.
    fn lists(&mut self, on: On) -> &mut [List] {
        let topics = match on {
            On::Event(Kind::Draw) => ROLES..SPOTS,
            On::Event(Kind::Bet) => SPOTS..CHOICES,
            On::Event(Kind::Decide) => CHOICES..TOPICS,
            On::Event(kind) => kind as usize..kind as usize + 1,
            On::Card(role) => ROLES + role as usize..ROLES + role as usize + 1,
            On::Bet(spot) => SPOTS + spot as usize..SPOTS + spot as usize + 1,
            On::Decide(choice) => CHOICES + choice as usize..CHOICES + choice as usize + 1,
            On::Close => return core::slice::from_mut(&mut self.close),
            On::Play => return core::slice::from_mut(&mut self.play),
        };
        &mut self.topics[topics]
    }

    /// Lets every article look at a context that has to; what they raise stands in the order of the text.
    #[inline]
    pub fn judge(&self, context: &Context<'_>, findings: &mut Findings<'_>) {
        let of_topic = &self.topics[topic(context)];
        for article in of_topic {
            findings.judge(article, context);
        }
        for (holds, list) in [(context.meaning.closes, &self.close), (context.meaning.begins_play, &self.play)] {
            // an article that has looked at the event as such is not asked again
            let is_new = |article: &&&'static Article| !of_topic.contains(*article);
            for article in list.iter().filter(|article| holds && is_new(article)) {
                findings.judge(article, context);
            }
        }
        self.sort(findings);
    }

    /// Lets the first article that has a case for it raise a bet that was not given what it was owed.
    pub fn judge_money(&self, context: &Context<'_>, mistake: &Mistake<'_>, findings: &mut Findings<'_>) {
        for article in &self.articles {
            if findings.judge_money(article, context, mistake) {
                break;
            }
        }
        self.sort(findings);
    }

    fn sort(&self, findings: &mut Findings<'_>) {
        findings.raised.sort_by_key(|raised| self.articles.iter().position(|article| *article == raised.article));
    }
}
