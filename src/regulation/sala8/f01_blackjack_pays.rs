//! F1. Payment of a Black Jack.

use super::payment::{Owing, underpaid};
use super::prelude::*;
use crate::table::Outcome;

/// F1: payment of a black jack.
pub static ARTICLE: Article = Article {
    id: "F1",
    kind: Watched::Valuation,
    severity: Severity::Irregularity,
    title: Bi { es: "Pago del Black Jack", en: "Payment of a Black Jack" },
    gist: Bi {
        es: "El Black Jack del apostador, si la banca no lo tiene, cobra el 150 %.",
        en: "A bettor's Black Jack, unless the bank has one too, is paid 150 %.",
    },
    readings: &[],
    cases: &[Bi { es: "mal pago del Black Jack del {place}", en: "the Black Jack of {place} was paid wrongly" }],
    on: &[Kind::Pay],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Some(Owing { place, outcome: Outcome::Blackjack, split_ace: false }) = underpaid(scene) {
        docket.raise(0, place);
    }
}
