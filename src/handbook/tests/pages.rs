//! The handbook's pages are what the articles say: nobody can change one without the other.

use std::fs;

use sabot_handbook::book;
use sabot_handbook::parts::{self, PARTS};
use sabot_law::regulation::{self, Extent, sala8::SALA_8};
use sabot_law::table::answer::Lang;

use crate::houses;

/// The first line in which a page is not what it should be.
fn drift(name: &str, page: &str, expected: &str) -> Option<String> {
    let lines = page.lines().chain(["(end)"]).zip(expected.lines().chain(["(end)"]));
    let found = lines.enumerate().find(|(_, (is, should))| is != should);
    let told = found.map(|(n, (is, should))| {
        format!(
            "{name}:{}: is\n  {is}\nand the code says\n  {should}\nrun UPDATE_HANDBOOK=1 cargo test -p sabot-handbook",
            n + 1
        )
    });
    told.or_else(|| (page != expected).then(|| format!("{name}: differs in line ends")))
}

#[test]
fn the_handbook_says_what_the_code_says() {
    for regulation in regulation::ALL {
        for (name, lang) in [("es", Lang::Es), ("en", Lang::En)] {
            let expected = book(regulation, lang).unwrap();
            let path = houses::page(regulation, name);
            if houses::updates() {
                fs::write(&path, &expected).unwrap();
            }
            let page = fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(drift(&houses::short(&path), &page, &expected), None);
        }
    }
}

#[test]
fn the_page_of_parts_says_what_tables_of_them_judge_and_more_parts_judge_no_less() {
    let path = houses::handbook().with_file_name("build/coverage.md");
    if houses::updates() {
        fs::write(&path, parts::page()).unwrap();
    }
    let page = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(drift("docs/build/coverage.md", &page, &parts::page()), None);
    let rank =
        |extent: Extent| [Extent::NotAtAll, Extent::InPart, Extent::Wholly].iter().position(|one| *one == extent);
    for house in regulation::ALL {
        let tables = PARTS.iter().map(|parts| house.coverage(parts.equipment()));
        let ranks: Vec<Vec<_>> = tables.map(|table| table.iter().map(|one| rank(one.extent)).collect()).collect();
        let grows = |pair: &[Vec<_>]| pair[0].iter().zip(&pair[1]).all(|(fewer, more)| fewer <= more);
        assert!(ranks.windows(2).all(grows), "{}", house.id);
        assert!(ranks.first() != ranks.last(), "{}", house.id);
    }
}

#[test]
fn a_page_names_its_own_house_and_no_other() {
    for regulation in regulation::ALL {
        for lang in [Lang::Es, Lang::En] {
            let page = book(regulation, lang).unwrap();
            for other in regulation::ALL {
                let link = format!("({}/)", other.id);
                assert_eq!(page.contains(&link), other.id == regulation.id, "{}: {link}", regulation.id);
            }
            let shown = format!("sabot regulation show {} --regulation {} ", regulation.articles[0].id, regulation.id);
            assert!(page.contains(&shown), "{}: {shown}", regulation.id);
        }
    }
}

#[test]
fn a_page_changed_by_hand_is_told_by_its_line() {
    let page = book(&SALA_8, Lang::Es).unwrap();
    let changed = page.replacen("Artículos", "Articulos", 1);
    let told = drift("sala-8.es.md", &changed, &page).unwrap();
    assert!(told.starts_with("sala-8.es.md:") && told.contains("## Articulos"), "{told}");
    assert_eq!(drift("sala-8.es.md", &page, &page), None);
    assert!(drift("sala-8.es.md", "", &page).is_some());
}
