//! K15. The bank's play.

use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

/// K15: the bank's play.
pub static ARTICLE: Article = Article {
    id: "K15",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Juego de la banca", en: "The bank's play" },
    gist: Bi {
        es: "El croupier pide con 16 o menos y se planta con 17 o más.",
        en: "The dealer draws to 16 or less and stands on 17 or more.",
    },
    raised: Bi {
        es: "Con una carta para la banca que ya tiene 17 o más, y al retirar, pagar o terminar el pase con la banca debajo de 17 y una mano que depende de ella.",
        en: "At a card for a bank that already has 17 or more, and at collecting, paying or ending the pass with the bank below 17 and a hand that depends on it.",
    },
    remedy: Bi {
        es: "De la carta de más decide la sala (`rule`); la que falta se sirve antes de seguir pagando.",
        en: "The room decides about the card in excess (`rule`); the one missing is served before any more is paid.",
    },
    settings: &["bank_stands", "bank_hits_soft_17", "bank_draws_against_blackjacks"],
    example: include_str!("../../../docs/handbook/croupier-6/examples/K15/violating-drew-at-17.jsonl"),
    file: file!(),
    readings: &[Reading {
        number: 13,
        words: Bi {
            es: "La banca se planta también con 17 con un as que vale 11. Pide aunque sólo queden Black Jack en juego; si todas las manos se pasaron, no necesita pedir, y si pide no es falta.",
            en: "The bank stands also on 17 with an ace counting 11. It draws even if only Black Jacks are left in play; if every hand is over 21 it need not draw, and drawing is no breach.",
        },
    }],
    cases: &[
        Bi {
            es: "la banca sacó carta con 17 o más: decide la sala",
            en: "the bank drew at 17 or more: the room decides",
        },
        Bi {
            es: "la banca no llegó a 17 y quedan manos en juego: le falta carta",
            en: "the bank is below 17 with hands in play: a card is due to it",
        },
    ],
    on: bank_play::ON,
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    bank_play::check(0, 1, scene, docket);
}
