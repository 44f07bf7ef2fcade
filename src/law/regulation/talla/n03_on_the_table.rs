//! T-N3. Cards and chips stay on the table.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-N3",
    title: Bi { es: "Cartas y fichas sobre la mesa", en: "Cards and chips stay on the table" },
    gist: Bi {
        es: "Las cartas y fichas de los jugadores están siempre sobre la mesa; el mazo, siempre boca abajo, sin inclinarlo ni dejar ver sus cartas.",
        en: "The players' cards and chips stay on the table; the deck is held face down, never tilted, none of its cards to be seen.",
    },
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
