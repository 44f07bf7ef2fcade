//! T-S1. Insurance.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S1",
    title: Bi { es: "El seguro", en: "Insurance" },
    gist: Bi {
        es: "El jugador que lo desea apuesta a que la banca tendrá Black Jack.",
        en: "A player who wishes to bets that the bank will have a Black Jack.",
    },
    raised: Bi {
        es: "No da hallazgos propios: cuánto, cuándo y cómo se paga lo dicen los artículos que siguen.",
        en: "It gives no finding of its own: how much, when, and what it pays is said by the articles that follow.",
    },
    remedy: Bi { es: "Seguir el artículo que corresponda.", en: "Go by the article concerned." },
    settings: &["insurance_when"],
    ..Article::valuation(file!())
};
