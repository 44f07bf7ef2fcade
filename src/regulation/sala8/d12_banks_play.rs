//! D12. The bank's play.

use crate::regulation::prelude::*;
use crate::regulation::shared::bank_play;

/// D12: the bank's play.
pub static ARTICLE: Article = Article {
    id: "D12",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Juego de la banca", en: "The bank's play" },
    gist: Bi {
        es: "La banca descubre su segunda carta, planta de 17 a 21, pide por debajo de 17 y, si pasa de 21, pierde con toda mano en juego.",
        en: "The bank uncovers its second card, stands on 17 to 21, draws below 17 and, over 21, loses to every hand in play.",
    },
    raised: Bi {
        es: "Con una carta para la banca que ya tiene 17 o más a la vista, y al retirar, pagar o terminar el pase con la banca debajo de 17 y manos en juego.",
        en: "At a card for a bank that already shows 17 or more, and at collecting, paying or ending the pass with the bank below 17 and hands in play.",
    },
    remedy: Bi {
        es: "La carta de más se quema; la que falta se sirve antes de seguir pagando.",
        en: "The card in excess is burned; the one missing is served before any more is paid.",
    },
    settings: &["bank_stands", "bank_draws_against_blackjacks"],
    example: include_str!("../../../docs/handbook/sala-8/examples/D12/violating-drew-at-17.jsonl"),
    file: file!(),
    readings: &[Reading {
        number: 11,
        words: Bi {
            es: "La banca pide también cuando sólo quedan Black Jack en juego; sólo C18 la exime.",
            en: "The bank draws also when only Black Jacks are left in play; only C18 spares it.",
        },
    }],
    cases: &[
        Bi {
            es: "la banca sacó carta con 17 o más: se quema", en: "the bank drew at 17 or more: the card is burned"
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
