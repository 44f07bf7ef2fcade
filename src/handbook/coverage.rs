//! What must be seen for articles to be judged, and what a table with some equipment can judge, in words.

use std::fmt::Write as _;

use sabot_law::regulation::{Article, Bi, Case, Coverage, Equipment, Extent, Judged, Kind, Lack, Regulation, fill};
use sabot_law::table::answer::Lang;
use sabot_law::table::{Sight, words};

/// A case in a few words, of no place in particular.
#[must_use]
pub fn case(regulation: &Regulation, of: &Case, lang: Lang) -> String {
    let text = fill(of.get(lang), &regulation.settings, lang).replace(" ({place})", "");
    text.replace("{place}", Bi { es: "casillero", en: "a box" }.get(lang))
}

/// What is lacking, as the log writes it: sights that are enough together, or others that are.
#[must_use]
pub fn lacking(lack: &Lack, lang: Lang) -> String {
    let and = Bi { es: " y ", en: " and " }.get(lang);
    let ways = lack.ways.iter().filter(|way| !way.is_empty());
    let together = |way: &Vec<Sight>| {
        let names: Vec<String> = way.iter().map(|sight| format!("`{sight}`")).collect();
        let (last, before) = names.split_last().map_or(("", &[][..]), |(last, before)| (last.as_str(), before));
        if before.is_empty() { last.to_string() } else { before.join(", ") + and + last }
    };
    let ways = ways.map(together);
    let ways = ways.collect::<Vec<_>>().join(Bi { es: ", o ", en: ", or " }.get(lang));
    let devices = lack.devices.iter().map(|name| words::device(name, lang));
    devices.chain((!ways.is_empty()).then_some(ways)).collect::<Vec<_>>().join(and)
}

/// What must be seen for an article to be judged wholly, case by case where they differ.
#[must_use]
pub fn must_be_seen(regulation: &Regulation, of: &Article, lang: Lang) -> String {
    let mut needs: Vec<(String, Vec<&Case>)> = Vec::new();
    for one in of.cases {
        let lack = lacking(&regulation.must_be_seen(of, one), lang);
        match needs.iter_mut().find(|(known, _)| *known == lack) {
            Some((_, cases)) => cases.push(one),
            None => needs.push((lack, vec![one])),
        }
    }
    let nothing = Bi { es: "nada en particular", en: "nothing in particular" }.get(lang);
    let named = |lack: &str| if lack.is_empty() { nothing.to_string() } else { lack.to_string() };
    match needs.as_slice() {
        [] => without_cases(of.kind).get(lang).to_string(),
        [(lack, _)] => named(lack) + ".",
        several => {
            let quoted = |one: &&Case| match lang {
                Lang::Es => format!("«{}»", case(regulation, one, lang)),
                Lang::En => format!("“{}”", case(regulation, one, lang)),
            };
            let told = several.iter().map(|(lack, cases)| {
                let cases = cases.iter().map(quoted).collect::<Vec<_>>().join(", ");
                format!("{} ({cases})", named(lack))
            });
            told.collect::<Vec<_>>().join("; ") + "."
        }
    }
}

const fn without_cases(kind: Kind) -> Bi {
    match kind {
        Kind::Enforced => Bi {
            es: "nada por sí mismo: lo que no lo respeta se señala en otros artículos.",
            en: "nothing for itself: what does not respect it is found under other articles.",
        },
        Kind::Valuation => Bi {
            es: "nada por sí mismo: se calcula, y lo que no lo respeta se señala en otros artículos.",
            en: "nothing for itself: it is computed, and what does not respect it is found under other articles.",
        },
        Kind::Reported => Bi {
            es: "nada: ningún sensor lo ve, y solo consta si una persona lo informa.",
            en: "nothing: no sensor sees it, and it is recorded only where a person reports it.",
        },
    }
}

/// How much of an article is judged, in words.
#[must_use]
pub const fn extent(coverage: &Coverage) -> Bi {
    match (coverage.extent, coverage.article.kind) {
        (Extent::Wholly, _) => Bi { es: "entero", en: "wholly" },
        (Extent::InPart, _) => Bi { es: "en parte", en: "in part" },
        (Extent::NotAtAll, _) => Bi { es: "nada", en: "not at all" },
        (Extent::Never, Kind::Reported) => Bi { es: "lo informa una persona", en: "reported by a person" },
        (Extent::Never, Kind::Valuation) => Bi { es: "se calcula", en: "computed" },
        (Extent::Never, Kind::Enforced) => Bi { es: "por otros artículos", en: "by other articles" },
    }
}

/// Why a case is not judged throughout; nothing where it is.
#[must_use]
pub fn why(
    regulation: &Regulation,
    equipment: Equipment,
    of: &Article,
    one: &Case,
    judged: Judged,
    lang: Lang,
) -> String {
    let until = match judged {
        Judged::Throughout => return String::new(),
        Judged::No => "",
        Judged::UntilGuess if regulation.settings.delivery.strict_rounds => {
            Bi { es: "solo hasta la primera carta del juego: ", en: "only until the first card of play: " }.get(lang)
        }
        Judged::UntilGuess => {
            Bi { es: "solo hasta la segunda vuelta: ", en: "only until the second round: " }.get(lang)
        }
    };
    let lack = lacking(&equipment.lacks(of.needs_for(one), &regulation.settings), lang).replace('`', "");
    format!("{until}{} {lack}", Bi { es: "falta", en: "lacks" }.get(lang))
}

/// What a table can judge of each article, as a table for a terminal, with totals.
#[must_use]
pub fn table(regulation: &Regulation, equipment: Equipment, lang: Lang) -> String {
    let all = regulation.coverage(equipment);
    let width = |lengths: &mut dyn Iterator<Item = usize>| lengths.fold(0, usize::max);
    let ids = width(&mut all.iter().map(|one| one.article.id.len()));
    let extents = width(&mut all.iter().map(|one| extent(one).get(lang).chars().count()));
    let sees: Vec<&str> = equipment.observes().seen().map(Sight::word).collect();
    let nothing = Bi { es: "nada", en: "nothing" }.get(lang);
    let sees = if sees.is_empty() { nothing.to_string() } else { sees.join(", ") };
    let mut text = format!("{}: {}\n", regulation.id, regulation.title.get(lang));
    text += &format!("{}: {sees}\n\n", Bi { es: "La mesa ve", en: "The table sees" }.get(lang));
    for one in &all {
        let title = fill(one.article.title.get(lang), &regulation.settings, lang);
        let _ = writeln!(text, "{:<ids$}  {:<extents$}  {title}", one.article.id, extent(one).get(lang));
        text += &cases(regulation, equipment, one, lang, ids + 4);
    }
    text + "\n" + &totals(&all, lang)
}

/// The cases of an article that are not judged throughout, and why; one line where all lack the same.
fn cases(regulation: &Regulation, equipment: Equipment, of: &Coverage, lang: Lang, indent: usize) -> String {
    let whys = of.cases.iter().map(|(one, judged)| (one, why(regulation, equipment, of.article, one, *judged, lang)));
    let whys: Vec<_> = whys.filter(|(_, why)| !why.is_empty()).collect();
    let mut text = String::new();
    match whys.first() {
        Some((_, first)) if whys.len() == of.cases.len() && whys.iter().all(|(_, why)| why == first) => {
            let _ = writeln!(text, "{:indent$}{first}", "");
        }
        _ => {
            for (one, why) in &whys {
                let _ = writeln!(text, "{:indent$}{}\n{:indent$}  → {why}", "", case(regulation, one, lang), "");
            }
        }
    }
    text
}

/// How many articles are judged how far.
fn totals(all: &[Coverage], lang: Lang) -> String {
    let count = |wanted: Extent| all.iter().filter(|one| one.extent == wanted).count();
    let (wholly, part, not, never) =
        (count(Extent::Wholly), count(Extent::InPart), count(Extent::NotAtAll), count(Extent::Never));
    let sum = all.len();
    match lang {
        Lang::Es => format!(
            "{sum} artículos: {wholly} enteros, {part} en parte, {not} nada, {never} que no se vigilan en ninguna mesa\n"
        ),
        Lang::En => {
            format!("{sum} articles: {wholly} wholly, {part} in part, {not} not at all, {never} watched at no table\n")
        }
    }
}
