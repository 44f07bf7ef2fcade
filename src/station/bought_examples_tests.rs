//! The handbook's examples at a table of bought parts: what their sights allow is found, and else what is listed.

use std::collections::BTreeSet;

use sabot_handbook::examples::{self, Case};
use sabot_handbook::parts::{BY_TAGS, OTHERWISE, Otherwise, found_seeing, header_with_bought};
use sabot_law::regulation::{self, Article, Regulation};
use sabot_law::table::{Event, Header, line};

use super::bought_tests::{Bought, times, written};

/// Of so many examples one is played, beside those that are found otherwise; all with SABOT_TIMES=6.
const SHARE: u64 = 6;

/// These were once found otherwise because of how the station told them, and are always played.
const MENDED: [&str; 15] = [
    "D9/black-jack-paid-and-cleared-at-once",
    "C7/replaced",
    "C7/replaced-face-up",
    "C9/not-offered",
    "C11/bank-over",
    "C11/not-offered",
    "C11/withdrawn",
    "C15/forgotten-and-cleared",
    "C15/tie-cleared-before-the-rest",
    "G7/too-early",
    "G12/after-a-double",
    "G13/amount",
    "G13/ninth-hand",
    "K7/dealt-to-and-left",
    "K14/paid-early",
];

/// An example of the handbook: its header, its events, and the articles found in what bought parts see of it.
pub(super) struct Example {
    pub(super) name: String,
    pub(super) article: &'static str,
    pub(super) header: Header,
    /// A box may be split into so many.
    pub(super) max_hands: u8,
    pub(super) events: Vec<Event>,
    pub(super) finds: BTreeSet<&'static str>,
}

impl Example {
    fn of(house: &Regulation, article: &'static Article, case: &Case) -> Self {
        let log = case.scenario.log();
        let mut lines = log.lines();
        let header = line::header(lines.next().unwrap().as_bytes()).unwrap();
        let events: Vec<Event> = lines.map(|text| line::event(text.as_bytes()).unwrap()).collect();
        let boxes = events.iter().flat_map(Event::boxes).map(|(_, box_no)| box_no).max().unwrap_or(1);
        let header = Header { boxes: header.boxes.min(boxes), ..header_with_bought(&header) };
        let max_hands = house.settings.clone().changed(&header.settings).split.max_hands;
        let (name, finds) = (format!("{}/{}", article.id, case.name), found_seeing(case, Some(BY_TAGS)));
        Self { name, article: article.id, max_hands, finds, header, events }
    }

    pub(super) fn all() -> impl Iterator<Item = (Self, Case)> {
        let houses =
            regulation::ALL.iter().flat_map(|house| house.articles.iter().map(move |article| (house, article)));
        houses.flat_map(|(house, article)| {
            let cases = examples::cases(article).unwrap().into_iter();
            cases.map(move |case| (Self::of(house, article, &case), case))
        })
    }
}

/// What is found in an example that bought parts see, and how it was told.
fn played(example: &Example, seed: u64) -> (BTreeSet<&'static str>, String) {
    let mut bought = Bought::of(&example.header, example.max_hands, &example.events, seed);
    bought.plays(&example.events);
    let found: BTreeSet<&str> = bought.found().map(|finding| finding.provision).collect();
    let (name, finds, events, told) = (&example.name, &example.finds, written(&example.events), bought.told());
    let what = format!("{name}: {found:?} in place of {finds:?}\n{events}\ntold:\n{told}\n");
    (found, what)
}

/// `SABOT_EXAMPLE=C7/replaced`, or `listed`, plays and shows that one, or those that are found otherwise.
#[test]
fn bought_parts_find_in_the_handbooks_examples_what_their_sights_allow_and_nothing_where_all_is_by_the_book() {
    let examples = |of: fn(&Otherwise) -> &'static [&'static str]| -> BTreeSet<&str> {
        OTHERWISE.iter().flat_map(|group| of(group).iter().copied()).collect()
    };
    let only = std::env::var("SABOT_EXAMPLE").ok();
    let (may_miss, may_add) = (examples(|group| group.missed), examples(|group| group.beside));
    let mut unlike = Vec::new();
    let mut count = 0;
    for (nth, (example, case)) in (0..).zip(Example::all()) {
        let name = example.name.as_str();
        let (may_miss, may_add) = (may_miss.contains(name), may_add.contains(name));
        let is_played = match only.as_deref() {
            None => nth % SHARE < times() || may_miss || may_add || MENDED.contains(&name),
            Some("listed") => may_miss || may_add,
            Some(only) => only == name,
        };
        if !is_played {
            continue;
        }
        count += 1;
        let (found, what) = played(&example, 1);
        let misses = example.finds.contains(example.article) && !found.contains(example.article);
        let why = if !case.violating {
            Some("accused by the book").filter(|_| !found.is_empty())
        } else if misses {
            Some("not found").filter(|_| !may_miss)
        } else if found != example.finds {
            Some("another is found").filter(|_| !may_add)
        } else {
            // tags that answer at once in another order may decide
            let is_stale = |seed| played(&example, seed).0 == example.finds;
            Some("listed, and found as any other").filter(|_| (may_miss || may_add) && (2..=20).all(is_stale))
        };
        if only.is_some() {
            println!("{}: {what}", why.unwrap_or("as listed"));
        }
        unlike.extend(why.map(|why| format!("{why}: {what}")));
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
    println!("{count} examples, {} without their article, {} with another", may_miss.len(), may_add.len());
}
