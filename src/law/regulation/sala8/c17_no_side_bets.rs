//! C17. No bets between players.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C17",
    title: Bi { es: "Sin apuestas entre jugadores", en: "No bets between players" },
    gist: Bi {
        es: "Los jugadores no apuestan entre sí ni desafían al pagador fuera de lo que el juego prevé. Lo informa una persona.",
        en: "Players make no bets among themselves and none against the dealer beyond the game's. A person reports it.",
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
