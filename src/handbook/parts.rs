//! Which articles a table judges that is built of bought parts: the page `docs/build/coverage.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sabot_law::regulation::{self, Article, Coverage, Equipment, Extent, Regulation};
use sabot_law::table::answer::Lang;
use sabot_law::table::settings::{Changes, Roles};
use sabot_law::table::{Answer, Event, Header, Observes, Sight, line};
use sabot_law::validator::Validator;

use crate::examples::{self, Case};

/// Parts that a table has, each set with those before it.
pub struct Parts {
    /// What is added.
    pub words: &'static str,
    /// The devices of the log that they are, all of them.
    devices: &'static [&'static str],
    /// What they see, all of them.
    sees: &'static [Sight],
}

/// From the fewest to all.
pub const PARTS: [Parts; 6] = [
    Parts { words: "card scanner", devices: &["shoe"], sees: &[] },
    Parts { words: "+ chip readers", devices: &["shoe", "chips"], sees: &[Sight::Bets] },
    Parts { words: "+ dealer's screen or pad", devices: &["shoe", "chips", "keypad"], sees: ENTERED },
    Parts { words: "+ tagged cards", devices: &["shoe", "chips", "keypad"], sees: BY_TAGS },
    Parts { words: "+ our shuffler", devices: &["shoe", "chips", "keypad", "shuffler"], sees: BY_TAGS },
    Parts {
        words: "+ a reader of yours over the link",
        devices: &["shoe", "chips", "keypad", "shuffler"],
        sees: Sight::ALL,
    },
];
const ENTERED: &[Sight] = &[Sight::Bets, Sight::Asks, Sight::Decisions, Sight::Announcements];
/// What all bought parts see together.
pub const BY_TAGS: &[Sight] =
    &[Sight::Bets, Sight::Asks, Sight::Decisions, Sight::Announcements, Sight::Places, Sight::Moves];

impl Parts {
    /// The chips are read by readers that are bought, and not by some that speak the link, which may see faces too.
    fn has_bought_readers(&self) -> bool {
        self.devices.contains(&"chips") && !self.sees.contains(&Sight::Faces)
    }

    /// What a table of them sees.
    #[must_use]
    pub fn equipment(&self) -> Equipment {
        let observes: Observes = self.sees.iter().copied().collect();
        Equipment::seeing(observes).with_devices_only(self.devices)
    }
}

/// The header of a table that sees what all bought parts see of what this one names, and so `sees` of it; what late
/// antennas have told wrongly the station takes back.
#[must_use]
pub fn header_with_bought(header: &Header) -> Header {
    header_seeing(header, BY_TAGS)
}

fn header_seeing(header: &Header, sees: &[Sight]) -> Header {
    let sees = sees.iter().copied().filter(|sight| header.observes.sees(*sight));
    let station = || Roles::of(&["inspector", "table_chief", "room", "station"]);
    let may_correct = header.settings.may_correct.or_else(|| Some(station()));
    let settings = Changes { may_correct, ..header.settings.clone() };
    Header { v: 2, observes: sees.collect(), settings, ..header.clone() }
}

/// An event as bought parts tell it: no part reads the badge of who bets.
#[must_use]
pub fn without_badge(event: Event) -> Event {
    match event {
        Event::Bet { hand, spot, amount, chips, player: _ } => Event::Bet { hand, spot, amount, chips, player: None },
        event => event,
    }
}

/// The articles found in an example by a table that sees so much of it, and reads no badge; nothing where it is no log.
#[must_use]
pub fn found_seeing(case: &Case, sees: Option<&[Sight]>) -> BTreeSet<&'static str> {
    let log = case.scenario.log();
    let mut lines = log.lines();
    let header = lines.next().and_then(|text| line::header(text.as_bytes()).ok());
    let header = header.map(|header| sees.map_or_else(|| header.clone(), |sees| header_seeing(&header, sees)));
    let Some((header, mut judge)) = header.and_then(|header| Some((header.clone(), Validator::new(header).ok()?)))
    else {
        return BTreeSet::new();
    };
    let events = lines.filter_map(|text| line::event(text.as_bytes()).ok());
    let told = events.filter_map(|event| match sees {
        None => Some(event),
        Some(_) => header.observes.told(&event).map(without_badge),
    });
    let mut answers = Vec::new();
    (2..).zip(told).for_each(|(line, event)| judge.step(line, &event, &mut answers));
    let found = answers.iter().filter_map(|answer| match answer {
        Answer::Finding(finding) => Some(finding.provision),
        _ => None,
    });
    found.collect()
}

/// An article's example that a table which sees everything finds broken, and one that sees less does not: its name, and
/// what that one finds.
type Unseen = (String, BTreeSet<&'static str>);

/// The examples of an article that are not found by those who see so much, for their sights alone.
fn unseen(article: &'static Article, sees: &[Sight]) -> Vec<Unseen> {
    let violating = examples::cases(article).unwrap_or_default().into_iter().filter(|case| case.violating);
    let unseen = violating.filter_map(|case| {
        let found = found_seeing(&case, Some(sees));
        let is_lost = !found.contains(article.id) && found_seeing(&case, None).contains(article.id);
        is_lost.then(|| (format!("{}/{}", article.id, case.name), found))
    });
    unseen.collect()
}

/// Examples of the handbook in which bought parts find something else than their sights allow.
pub struct Otherwise {
    /// Why: it ends in what is found instead.
    pub why: &'static str,
    /// The example's own article is not found.
    pub missed: &'static [&'static str],
    /// It is found, and so is another; or what else the example breaks is told as another article.
    pub beside: &'static [&'static str],
}

/// By what they have in common: `bought_examples_tests.rs` of the station plays every example and holds that no other
/// is; with `SABOT_EXAMPLE` it shows how one is told.
pub const OTHERWISE: [Otherwise; 7] = [
    Otherwise {
        why: "Antennas tell in any order, and seconds later, that cards are gone: clearing is told in the order of the \
              procedure, and which place was cleared first is not judged",
        missed: &["D9/bank-cleared-first", "D9/cleared-out-of-order", "G20/out-of-order"],
        beside: &[],
    },
    Otherwise {
        why: "Chips that come to a stake, or go from it, are the same whoever moved them: while a hand has yet to play, and \
              no Black Jack is paid, they are told as a bet that changed (C16, C3, T-N5, G18, where that is forbidden; \
              nothing, where it is an insurance or a void bet), and what was so told is not settled at the end (D14)",
        missed: &[
            "D9/stood-and-paid",
            "T-S7/early",
            "G0/paid-in-the-first-round",
            "G16/before-the-second-card",
            "K2/void-bet-paid",
            "K2/void-for-the-room",
        ],
        beside: &[
            "C11/settlement-begun",
            "C20/paid-without-a-bet",
            "T0/paid-in-the-first-round",
            "K0/paid-in-the-first-round",
            "G0/money",
        ],
    },
    Otherwise {
        why: "No more can be taken from a spot than lies there: the example is of an amount that was told, and a bet that \
              was lowered, or taken off, is collected as it lies (C20, T0)",
        missed: &["T-B2/double-collected"],
        beside: &["C16/lowered", "T-N5/taken-off"],
    },
    Otherwise {
        why: "A card that is put back into the shoe is heard by no antenna: it is told as cleared with its hand, or not at \
              all, and who rules on it finds nothing to rule on (G0)",
        missed: &["G20/put-into-the-shoe", "G20/taken-again", "G24/another-came-after-a-double"],
        beside: &["G24/another-came"],
    },
    Otherwise {
        why: "One pad hears all hands of a box: a card there is told as that of the hand which is due one, and one \
              that lay at the box's other hand is missed there (T0, G24)",
        missed: &["G8/split-hands"],
        beside: &["T-P4/card"],
    },
    Otherwise {
        why: "What a pad read of several hands at once may have been the settlement of all: where one is told as not \
              settled it is said besides that the pad was not seen (C20)",
        missed: &[],
        beside: &["O3/not-returned"],
    },
    Otherwise {
        why: "That a card has gone is heard seconds later: the bank's second, burned and not replaced, is told as \
              burned once all have played, when it is no card of C7 any more (C20)",
        missed: &[],
        beside: &["C7/not-replaced"],
    },
];

const HEAD: &str = "\
# Which articles you get with which parts

What a table judges of each regulation, by the parts of [the bill of materials](README.md#bill-of-materials): each
column has those of the columns before it. **yes**: wholly; **part**: some of its cases, or only up to a certain card; a
dash: not at all. `sabot regulation coverage --observes places,moves,bets --equipment shoe,chips` tells case by case
what is lacking.

- *card scanner*: `observes = []`, of the devices the shoe alone;
- *chip readers* see `bets`, and not whose they are: no part that is bought reads a bettor's badge;
- *dealer's screen or pad*: `asks`, `decisions`, `announcements`, where the house has them entered;
- *tagged cards*, with antennas at the bank and at both trays: `places`, `moves`;
- *our shuffler* is a board of our own: no shuffler is sold whose protocol is known;
- *a reader of yours over the link* ([the protocol](../wire-protocol.md)) tells `faces` and `turns` too, in the place of
  bought readers. None is known: the chips' board of this project sees chips and no card.

Articles that no table watches, since a person reports them or others find what breaks them, are not listed.

This page is written by `UPDATE_HANDBOOK=1 cargo test -p sabot-handbook` from the articles: changes are made there.
";

/// The page.
#[must_use]
pub fn page() -> String {
    let houses = regulation::ALL.iter().map(|house| of_house(house));
    std::iter::once(HEAD.to_owned()).chain(houses).chain([not_found(), otherwise()]).collect()
}

/// The examples that are not found for what all bought parts do not see.
fn not_found() -> String {
    let articles = regulation::ALL.iter().flat_map(|house| house.articles.iter());
    let unseen: Vec<Unseen> = articles.flat_map(|article| unseen(article, BY_TAGS)).collect();
    let mut text = "\n## What all bought parts do not find\n\n".to_owned();
    let head = format!(
        "In {} violating examples of the handbook the article they are about is not found with all bought parts, for \
         nobody sees which way a card lies or that it is turned, or reads the badge of who bets. What is found in its \
         place stands beside it.",
        unseen.len()
    );
    text += &wrapped(&head, "", "");
    text += "\n| example | found in its place |\n|---|---|\n";
    for (name, found) in unseen {
        let found: Vec<&str> = found.into_iter().collect();
        let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
        let _ = writeln!(text, "| `{name}` | {found} |");
    }
    text
}

fn otherwise() -> String {
    let mut text = "\n## What tagged cards and bought readers find otherwise\n\n".to_owned();
    let count = |of: fn(&Otherwise) -> usize| OTHERWISE.iter().map(of).sum::<usize>();
    let (missed, beside) = (count(|group| group.missed.len()), count(|group| group.beside.len()));
    let head = format!(
        "A table with all bought parts plays every example of the handbook, with `may_correct` of the station among the \
         settings. In those that are by the book nothing is found, and in the others what their sights allow, but for \
         these. In {missed} their own article is **not judged**, for the reason that is given, and is a **part** above; \
         in {beside} another is found in addition, or in place of another (`sabot regulation example` shows each)."
    );
    text += &wrapped(&head, "", "");
    text.push('\n');
    for Otherwise { why, missed, beside } in OTHERWISE {
        let list = |examples: &[&str]| {
            let names: Vec<String> = examples.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let told = match (missed, beside) {
            ([], beside) => format!("{why}. Another is found: {}.", list(beside)),
            (missed, []) => format!("{why}. Not judged: {}.", list(missed)),
            (missed, beside) => format!("{why}. Not judged: {}. Another is found: {}.", list(missed), list(beside)),
        };
        text += &wrapped(&told, "- ", "  ");
    }
    text
}

/// Whether an example of this article is not found with bought readers.
fn is_missed(article: &str) -> bool {
    let missed = OTHERWISE.iter().flat_map(|group| group.missed);
    missed.filter_map(|name| name.split_once('/')).any(|(of, _)| of == article)
}

/// Words on lines of 120 columns.
fn wrapped(text: &str, first: &str, rest: &str) -> String {
    let (mut lines, mut line) = (String::new(), first.to_owned());
    let mut is_begun = false;
    for word in text.split(' ') {
        if is_begun && line.chars().count() + 1 + word.chars().count() > 120 {
            lines += &(std::mem::replace(&mut line, rest.to_owned()) + "\n");
            is_begun = false;
        }
        line += if is_begun { " " } else { "" };
        line += word;
        is_begun = true;
    }
    lines + &line + "\n"
}

fn of_house(house: &Regulation) -> String {
    let columns: Vec<Vec<Coverage>> = PARTS.iter().map(|parts| house.coverage(parts.equipment())).collect();
    let words: Vec<&str> = PARTS.iter().map(|parts| parts.words).collect();
    let mut text = format!("\n## {}: {}\n\n", house.id, house.title.get(Lang::En));
    let _ = writeln!(text, "| article | {} |\n|---|{}", words.join(" | "), "---|".repeat(PARTS.len()));
    let mut totals = [0_usize; PARTS.len()];
    for (nth, article) in house.articles.iter().enumerate() {
        let extent = |(parts, column): (&Parts, &Vec<Coverage>)| {
            let extent = column.get(nth)?.extent;
            let is_less = extent == Extent::Wholly
                && parts.has_bought_readers()
                && (is_missed(article.id) || !unseen(article, parts.sees).is_empty());
            Some(if is_less { Extent::InPart } else { extent })
        };
        let extents: Vec<Extent> = PARTS.iter().zip(&columns).filter_map(extent).collect();
        totals.iter_mut().zip(&extents).for_each(|(total, extent)| *total += usize::from(*extent == Extent::Wholly));
        if !extents.contains(&Extent::Never) {
            let marks: Vec<&str> = extents.iter().map(|extent| mark(*extent)).collect();
            let _ = writeln!(text, "| {} | {} |", article.id, marks.join(" | "));
        }
    }
    let totals: Vec<String> = totals.iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "| **wholly** | {} |", totals.join(" | "));
    text
}

const fn mark(extent: Extent) -> &'static str {
    match extent {
        Extent::Wholly => "yes",
        Extent::InPart => "part",
        Extent::NotAtAll | Extent::Never => "–",
    }
}
