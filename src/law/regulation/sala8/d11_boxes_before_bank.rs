//! D11. Boxes before the bank.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D11",
    title: Bi { es: "Primero los casilleros", en: "Boxes before the bank" },
    gist: Bi {
        es: "Se juegan todas las apuestas, y sólo entonces juega la banca. Lo que se hace fuera de este orden se trata por C5, C11 y C12.",
        en: "Every bet is played out, and only then the bank plays. What is done out of this order is dealt with by C5, C11 and C12.",
    },
    raised: Bi {
        es: "No tiene hallazgo propio. Si la banca saca carta con su segunda todavía cubierta y manos sin terminar, es C5; si descubre su carta con manos sin terminar, C12; si queda definida con manos sin terminar, C11.",
        en: "It has no finding of its own. If the bank draws with its second card still covered and hands unfinished, it is C5; if it uncovers its card with hands unfinished, C12; if it is defined with hands unfinished, C11.",
    },
    remedy: Bi { es: "La de C5, C11 o C12, según el caso.", en: "That of C5, C11 or C12, as the case may be." },
    ..Article::enforced(file!())
};
