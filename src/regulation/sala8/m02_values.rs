//! M2. Values of the cards.

use super::prelude::*;

/// M2: values of the cards.
pub static ARTICLE: Article = Article {
    id: "M2",
    kind: Watched::Valuation,
    severity: Severity::Irregularity,
    title: Bi { es: "Valor de las cartas", en: "Values of the cards" },
    gist: Bi {
        es: "El as vale 1 u 11, del 2 al 10 su número, figuras 10. Un as con una carta de diez, en dos cartas, es Black Jack.",
        en: "An ace counts 1 or 11, 2 to 10 their pips, figures 10. An ace with a ten-value card, in two cards, is Black Jack.",
    },
    readings: &[],
    cases: &[],
    on: &[],
    check: nothing,
};
