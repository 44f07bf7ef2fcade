//! O2. Opening a pair.

use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Why};

/// O2: opening a pair.
pub static ARTICLE: Article = Article {
    id: "O2",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Apertura", en: "Opening a pair" },
    gist: Bi {
        es: "Dos primeras cartas de igual valor (todo diez o figura vale igual) pueden abrirse en dos manos con otra apuesta igual, una vez por pase.",
        en: "Two first cards of equal value (all ten-values being equal) may be opened into two hands with another equal bet, once in a pass.",
    },
    raised: Bi {
        es: "Al poner fichas para abrir o decidir abrir sin un par, por segunda vez en el pase, o por un importe distinto de la postura.",
        en: "When chips are put to split, or splitting is decided, without a pair, for a second time in the pass, or for another amount than the stake.",
    },
    remedy: Bi { es: "Devolver lo puesto para abrir.", en: "Return what was put to split." },
    settings: &["split_ten_blackjack"],
    example: include_str!("../../../docs/handbook/sala-8/examples/O2/violating-no-pair.jsonl"),
    file: file!(),
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "Abierto un par de dieces, el as que forma Black Jack cobra 150 %; sólo los ases abiertos cobran uno a uno.",
            en: "After a ten-value split, an ace that makes Black Jack is paid 150 %; only split aces pay one to one.",
        },
    }],
    cases: &[
        Bi {
            es: "el {place} no puede abrir: no tiene un par, o ya abrió",
            en: "{place} may not split: it has no pair, or has split already",
        },
        Bi {
            es: "lo puesto para abrir el {place} no es igual a su apuesta",
            en: "what was put to split {place} is not equal to its stake",
        },
    ],
    on: split::ON,
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Some(refused) = split::refused(scene).filter(|refused| !refused.aces) {
        refused.raise(usize::from(refused.why == Why::Amount), scene, docket);
    }
}
