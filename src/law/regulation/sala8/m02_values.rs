//! M2. Values of the cards.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "M2",
    title: Bi { es: "Valor de las cartas", en: "Values of the cards" },
    gist: Bi {
        es: "El as vale 1 u 11, del 2 al 10 su número, figuras 10. Un as con una carta de diez, en dos cartas, es Black Jack.",
        en: "An ace counts 1 or 11, 2 to 10 their pips, figures 10. An ace with a ten-value card, in two cards, is Black Jack.",
    },
    raised: Bi {
        es: "No da hallazgos propios: con estos valores la estación calcula cada total. Un total mal cantado se señala por D9, un pago sobre un total equivocado por D14, F1 o F2.",
        en: "It gives no finding of its own: the station works out every total by these values. A total called wrongly is found under D9, a payment on a wrong total under D14, F1 or F2.",
    },
    remedy: Bi { es: "Cantar el total correcto.", en: "Call the right total." },
    ..Article::valuation(file!())
};
