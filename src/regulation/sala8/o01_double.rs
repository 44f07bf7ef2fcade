//! O1. Doubling.

use crate::regulation::prelude::*;
use crate::regulation::shared::double;
use crate::table::event::{Choice, Face};

/// O1: doubling.
pub static ARTICLE: Article = Article {
    id: "O1",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Doblar", en: "Doubling" },
    gist: Bi {
        es: "Se dobla sólo con once en las dos primeras cartas, por otro tanto de lo apostado y a una sola carta, que se da cubierta y se descubre cuando la banca terminó.",
        en: "Only eleven in the first two cards may be doubled, with a second stake equal to the first and for a single card, dealt face down and uncovered when the bank has finished.",
    },
    raised: Bi {
        es: "Al poner fichas para doblar o decidir doblar sin once en las dos primeras cartas, o por un importe distinto de la postura; y si la carta con que se dobla se da descubierta.",
        en: "When chips are put to double, or doubling is decided, without eleven in the first two cards, or for another amount than the stake; and if the double's card is dealt face up.",
    },
    remedy: Bi { es: "Devolver lo puesto para doblar.", en: "Return what was put to double." },
    settings: &["double_after_split"],
    example: include_str!("../../../docs/handbook/sala-8/examples/O1/violating-no-eleven.jsonl"),
    file: file!(),
    readings: &[
        Reading {
            number: 10,
            words: Bi {
                es: "Doblar sobre una mano abierta no está previsto.",
                en: "Doubling on a split hand is not provided for.",
            },
        },
        Reading {
            number: 12,
            words: Bi {
                es: "Una mano doblada cuenta en juego hasta que se descubre su carta.",
                en: "A doubled hand counts as in play until its covered card is uncovered.",
            },
        },
    ],
    cases: &[
        Bi {
            es: "el {place} no puede doblar: no tiene once en dos cartas",
            en: "{place} may not double: it does not have eleven in two cards",
        },
        Bi {
            es: "lo puesto para doblar en el {place} no es igual a su apuesta",
            en: "what was put to double {place} is not equal to its stake",
        },
        Bi {
            es: "la carta con que dobló el {place} se dio descubierta",
            en: "the double's card of {place} was dealt face up",
        },
    ],
    on: &[On::Bet(BetSpot::Double), On::Decide(Choice::Double), On::Card(Role::Double)],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Some((id, _)) = double::refused(scene) {
        double::refuse(0, id, scene, docket);
    } else if let Some(id) = double::wrong_amount(scene) {
        double::refuse(1, id, scene, docket);
    }
    if let Some(drawn) = scene.drawn.filter(|drawn| drawn.role == Role::Double && !drawn.is_down())
        && let Some(id) = drawn.hand()
        && scene.settings.double_card == Face::Down
    {
        docket.raise(2, Place::from(id)).give_back(id, BetSpot::Double, 0);
    }
}
