//! Which articles a table judges that is built of bought parts: the page `docs/build/coverage.md`.

use std::fmt::Write as _;

use sabot_law::regulation::{self, Coverage, Equipment, Extent, Regulation};
use sabot_law::table::answer::Lang;
use sabot_law::table::{Observes, Sight};

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
    Parts { words: "+ our chip reader", devices: &["shoe", "chips", "keypad", "shuffler"], sees: Sight::ALL },
];
const ENTERED: &[Sight] = &[Sight::Bets, Sight::Asks, Sight::Decisions, Sight::Announcements];
const BY_TAGS: &[Sight] =
    &[Sight::Bets, Sight::Asks, Sight::Decisions, Sight::Announcements, Sight::Places, Sight::Moves];

impl Parts {
    /// What a table of them sees.
    #[must_use]
    pub fn equipment(&self) -> Equipment {
        let observes: Observes = self.sees.iter().copied().collect();
        Equipment::seeing(observes).with_devices_only(self.devices)
    }
}

/// Examples of the handbook in which bought parts find something else than their sights allow, by what they have in
/// common: `bought_tests.rs` of the station plays every example and holds that no other is.
pub const OTHERWISE: [(&str, &[&str]); 5] = [
    (
        "Antennas tell in any order, and seconds later, that cards are gone: which place was cleared first, and what was \
         left at the end, is not judged",
        &[
            "D9/bank-cleared-first",
            "D9/bank-left",
            "D9/cards-left",
            "D9/cleared-out-of-order",
            "C15/forgotten-and-cleared",
            "G13/ninth-hand",
            "G20/out-of-order",
            "G20/taken-again",
        ],
    ),
    (
        "A reader sees chips come and go, not whose hand did it: what is paid or collected before anything may be settled \
         is found as a bet that changed, and what is paid or collected where nothing counts as none at all",
        &[
            "D9/stood-and-paid",
            "D9/black-jack-paid-and-cleared-at-once",
            "C9/not-offered",
            "C11/bank-over",
            "C11/not-offered",
            "C11/settlement-begun",
            "C11/withdrawn",
            "C15/tie-cleared-before-the-rest",
            "C16/lowered",
            "C20/paid-without-a-bet",
            "T-B2/double-collected",
            "T-S7/early",
            "T-N5/taken-off",
            "T0/paid-in-the-first-round",
            "G7/too-early",
            "G16/before-the-second-card",
            "G0/money",
            "K2/void-bet-paid",
            "K2/void-for-the-room",
            "K14/paid-early",
        ],
    ),
    (
        "Where a split hand or its stake was told to be another than it is, amounts are reckoned otherwise",
        &["O3/not-returned", "G13/amount"],
    ),
    (
        "A card that is put back into the shoe, burned before it was heard, or unread at its place, is one that no antenna \
         has told of",
        &[
            "C7/replaced",
            "C7/replaced-face-up",
            "C20/unread",
            "G12/after-a-double",
            "G20/put-into-the-shoe",
            "G24/another-came",
            "G24/another-came-after-a-double",
            "K7/dealt-to-and-left",
        ],
    ),
    ("People enter one thing after the other: what was asked in one moment was not", &["C2/asked-at-once"]),
];

const HEAD: &str = "\
# Which articles you get with which parts

What a table judges of each regulation, by the parts of [the bill of materials](README.md#bill-of-materials): each
column has those of the columns before it. **yes**: wholly; **part**: some of its cases, or only up to a certain card; a
dash: not at all. `sabot regulation coverage --observes places,moves,bets --equipment shoe,chips` tells case by case
what is lacking.

- *card scanner*: `observes = []`, of the devices the shoe alone;
- *chip readers* see `bets`;
- *dealer's screen or pad*: `asks`, `decisions`, `announcements`, where the house has them entered;
- *tagged cards*, with antennas at the bank and at both trays: `places`, `moves`;
- *our shuffler* is a board of our own: no shuffler is sold whose protocol is known;
- *our chip reader* tells `faces` and `turns` too, in the place of bought readers.

Articles that no table watches, since a person reports them or others find what breaks them, are not listed.

This page is written by `UPDATE_HANDBOOK=1 cargo test -p sabot-handbook` from the articles: changes are made there.
";

/// The page.
#[must_use]
pub fn page() -> String {
    let houses = regulation::ALL.iter().map(|house| of_house(house));
    std::iter::once(HEAD.to_owned()).chain(houses).chain([otherwise()]).collect()
}

fn otherwise() -> String {
    let mut text = "\n## What tagged cards and bought readers find otherwise\n\n".to_owned();
    let all: usize = OTHERWISE.iter().map(|(_, examples)| examples.len()).sum();
    let head = format!(
        "A table with all bought parts plays every example of the handbook: in those that are by the book nothing is \
         found, and in the others what their sights allow, but for these {all} (`sabot regulation example` shows each). They are grouped by what is found in them; not each \
         was looked into:"
    );
    text += &wrapped(&head, "", "");
    text.push('\n');
    for (why, examples) in OTHERWISE {
        let names: Vec<String> = examples.iter().map(|name| format!("`{name}`")).collect();
        text += &wrapped(&format!("{why}: {}.", names.join(", ")), "- ", "  ");
    }
    text
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
    for (nth, article) in house.articles.iter().enumerate() {
        let extents: Vec<Extent> =
            columns.iter().filter_map(|column| column.get(nth)).map(|coverage| coverage.extent).collect();
        if !extents.contains(&Extent::Never) {
            let marks: Vec<&str> = extents.iter().map(|extent| mark(*extent)).collect();
            let _ = writeln!(text, "| {} | {} |", article.id, marks.join(" | "));
        }
    }
    let totals = columns.iter().map(|column| column.iter().filter(|one| one.extent == Extent::Wholly).count());
    let totals: Vec<String> = totals.map(|count| count.to_string()).collect();
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
