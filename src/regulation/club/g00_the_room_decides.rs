//! G0. The room decides.

use crate::regulation::prelude::*;
use crate::regulation::shared::{delivery, odd};

/// G0: the room decides.
pub static ARTICLE: Article = Article {
    id: "G0",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Lo no previsto", en: "What is not provided for" },
    gist: Bi {
        es: "Lo que el texto no prevé lo decide la autoridad de la sala.",
        en: "What the text does not provide for is decided by the authorities of the room.",
    },
    raised: Bi {
        es: "Ante una carta que nada pedía, una entrega incompleta, una decisión ajena, un pago o un movimiento de cartas que ningún otro artículo nombra, y ante todo informe sin artículo.",
        en: "At a card nothing asked for, an incomplete delivery, somebody else's decision, a payment or a movement of cards that no other article names, and at every report without an article.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): la carta vale donde está (`stands`), no vale (`resume`), o la apuesta se anula (`void`) o se pierde (`lose`).",
        en: "The room decides (`rule`): the card counts where it lies (`stands`), does not count (`resume`), or the bet is void (`void`) or lost (`lose`).",
    },
    settings: &[],
    example: include_str!("../../../docs/handbook/club/examples/G0/violating.jsonl"),
    file: file!(),
    readings: &[],
    cases: &[
        Bi {
            es: "informe sin artículo ({place}): decide la sala",
            en: "a report without an article ({place}): the room decides",
        },
        Bi {
            es: "hecho no previsto ({place}): decide la sala",
            en: "something not provided for ({place}): the room decides",
        },
        Bi {
            es: "{place} sin carta en la entrega: decide la sala",
            en: "{place} left without a card in the delivery: the room decides",
        },
    ],
    on: on![odd::ON, delivery::ON, &[On::Play]],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    odd::check(1, 0, scene, docket);
    for place in delivery::omitted(scene) {
        if !docket.knows(2, place) {
            docket.raise(2, place).part(Part::Rule);
        }
    }
}
