//! G9. Drawing until content.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G9",
    title: Bi { es: "Pedir hasta estar servido", en: "Drawing until content" },
    gist: Bi {
        es: "El jugador pide carta, una por una, hasta que está conforme con su mano o se pasa de 21.",
        en: "A player draws cards, one at a time, until he is content with his hand or goes over 21.",
    },
    raised: Bi {
        es: "No da hallazgos propios: pedir es libre. De la carta que nadie pidió trata G24; de pedir cuando ya no se puede, G0 (o G14, en un as dividido).",
        en: "It gives no finding of its own: drawing is free. A card nobody asked for is G24; asking when the hand may not is G0 (or G14, on a split ace).",
    },
    remedy: Bi { es: "La del artículo de que se trate.", en: "That of the article concerned." },
    settings: &["hit_at_21"],
    readings: &[Reading {
        number: 6,
        words: Bi {
            es: "A quien tiene 21 no se le espera, pero puede pedir; no así el que tiene Black Jack, que está pagado o espera a la banca.",
            en: "Nobody waits for a hand of 21, but it may still draw; not so a Black Jack, which is paid or waits for the bank.",
        },
    }],
    ..Article::valuation(file!())
};
