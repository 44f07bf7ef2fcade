//! T-X6. The double's card lies crosswise.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-X6",
    title: Bi { es: "La carta del doble, de través", en: "The double's card lies crosswise" },
    gist: Bi {
        es: "La carta de una apuesta doblada se coloca transversalmente.",
        en: "The card of a doubled bet is laid crosswise.",
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
