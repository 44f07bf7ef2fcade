//! K6. Bets before cards.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K6",
    title: Bi { es: "Las apuestas, antes que las cartas", en: "Bets before cards" },
    gist: Bi {
        es: "Antes de repartir carta alguna, el croupier invita a apostar y los jugadores ponen sus fichas.",
        en: "Before any card is dealt the dealer invites the players to bet, and they lay their chips.",
    },
    raised: Bi {
        es: "No tiene hallazgo propio: la invitación no se juzga. La apuesta tardía es de K7; la carta que sale sin apuestas en la mesa, de K0.",
        en: "It has no finding of its own: the invitation is not judged. A late bet is K7's; a card that comes out with no bet on the table is K0's.",
    },
    remedy: Bi { es: "La de K7 o K0, según el caso.", en: "That of K7 or K0, as the case may be." },
    readings: &[Reading {
        number: 6,
        words: Bi {
            es: "La carta que va del sabot a la bandeja de quemadas no se reparte: puede salir antes de las apuestas.",
            en: "A card that goes from the shoe to the burn tray is not dealt: it may come before the bets.",
        },
    }],
    needs: Facts::of(&[Bets]),
    ..Article::enforced(file!())
};
