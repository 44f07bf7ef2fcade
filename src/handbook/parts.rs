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
    std::iter::once(HEAD.to_owned()).chain(houses).collect()
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
