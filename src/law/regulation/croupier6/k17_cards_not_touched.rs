//! K17. Players do not touch the cards.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K17",
    title: Bi { es: "Las cartas no se tocan", en: "The cards are not touched" },
    gist: Bi { es: "Los jugadores no tocan nunca las cartas.", en: "Players never touch the cards." },
    raised: Bi {
        es: "Ningún sensor lo ve: lo informa una persona desde el teclado (`report`).",
        en: "No sensor sees it: a person enters it at the keypad (`report`).",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el pase sigue.",
        en: "There is nothing to undo: it is on record and the pass goes on.",
    },
    ..Article::reported(file!())
};
