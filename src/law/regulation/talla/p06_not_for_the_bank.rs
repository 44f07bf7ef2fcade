//! T-P6. No split for the bank.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-P6",
    title: Bi { es: "La talla no abre", en: "No split for the bank" },
    gist: Bi { es: "Abrir no es válido para la talla.", en: "Splitting is not for the bank." },
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
