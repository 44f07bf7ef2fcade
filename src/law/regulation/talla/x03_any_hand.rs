//! T-X3. Which hands may be doubled.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-X3",
    title: Bi { es: "Con qué se dobla", en: "Which hands may be doubled" },
    gist: Bi {
        es: "Se puede doblar con cualquier juego, salvo el Black Jack; la apuesta doblada se gana o se pierde entera.",
        en: "Any hand may be doubled but a Black Jack; the doubled stake is won or lost as a whole.",
    },
    raised: Bi {
        es: "No da hallazgos propios: doblar un Black Jack es T-B10, doblar con más de dos cartas T-X1, y el pago de una apuesta doblada por otro importe, T0.",
        en: "It gives no finding of its own: doubling a Black Jack is T-B10's, doubling on more than two cards T-X1's, and a doubled stake paid another amount, T0's.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    settings: &["double_on"],
    ..Article::valuation(file!())
};
