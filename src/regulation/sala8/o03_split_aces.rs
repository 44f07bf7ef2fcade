//! O3. Opening aces.

use super::opening::refused_split;
use super::payment::{Owing, underpaid};
use super::prelude::*;
use crate::table::Outcome;

/// O3: opening aces.
pub static ARTICLE: Article = Article {
    id: "O3",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Apertura de ases", en: "Opening aces" },
    gist: Bi {
        es: "Dos ases se abren como cualquier par; el Black Jack logrado en cualquiera de ellos se paga uno a uno.",
        en: "Two aces are opened like any pair; a Black Jack on either of them is paid one to one.",
    },
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "Abierto un par de dieces, el as que forma Black Jack cobra 150 %; sólo los ases abiertos cobran uno a uno.",
            en: "After a ten-value split, an ace that makes Black Jack is paid 150 %; only split aces pay one to one.",
        },
    }],
    cases: &[
        Bi { es: "el {place} no puede volver a abrir ases", en: "{place} may not split aces again" },
        Bi {
            es: "lo puesto para abrir los ases del {place} no es igual a su apuesta",
            en: "what was put to split the aces of {place} is not equal to its stake",
        },
        Bi {
            es: "el Black Jack sobre un as abierto del {place} se paga uno a uno",
            en: "a Black Jack on a split ace of {place} is paid one to one",
        },
    ],
    on: &[Kind::Bet, Kind::Decide, Kind::Pay],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Some(refused) = refused_split(scene)
        && refused.aces == true
    {
        refused.raise(scene, docket);
    }
    if let Some(Owing { place, outcome: Outcome::Blackjack, split_ace: true }) = underpaid(scene) {
        docket.raise(2, place);
    }
}
