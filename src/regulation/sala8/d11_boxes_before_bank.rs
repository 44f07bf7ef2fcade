//! D11. Boxes before the bank.

use super::prelude::*;

/// D11: boxes before the bank.
pub static ARTICLE: Article = Article {
    id: "D11",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Primero los casilleros", en: "Boxes before the bank" },
    gist: Bi {
        es: "Se juegan todas las apuestas, y sólo entonces juega la banca. Lo que se hace fuera de este orden se trata por C5, C11 y C12.",
        en: "Every bet is played out, and only then the bank plays. What is done out of this order is dealt with by C5, C11 and C12.",
    },
    readings: &[],
    cases: &[],
    on: &[],
    check: nothing,
};
