//! T-N4. New cards go under.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-N4",
    title: Bi { es: "Cartas nuevas, debajo", en: "New cards go under" },
    gist: Bi {
        es: "Al mezclar, las cartas nuevas quedan debajo del mazo en uso.",
        en: "At a shuffle the new cards go under the deck in use.",
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
