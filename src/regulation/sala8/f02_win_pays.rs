//! F2. Even payment.

use super::payment::{Owing, underpaid};
use super::prelude::*;
use crate::table::Outcome;

/// F2: even payment.
pub static ARTICLE: Article = Article {
    id: "F2",
    kind: Watched::Valuation,
    severity: Severity::Irregularity,
    title: Bi { es: "Pago simple", en: "Even payment" },
    gist: Bi {
        es: "Un total mejor que el de la banca, o la banca pasada, cobra el 100 %.",
        en: "A better total than the bank's, or a bank over 21, is paid 100 %.",
    },
    readings: &[],
    cases: &[Bi { es: "mal pago del {place}", en: "{place} was paid wrongly" }],
    on: &[Kind::Pay],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Some(Owing { place, outcome: Outcome::Win, .. }) = underpaid(scene) {
        docket.raise(0, place);
    }
}
