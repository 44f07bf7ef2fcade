//! K0. The room decides.

use crate::regulation::prelude::*;
use crate::regulation::shared::{delivery, odd};

/// K0: the room decides.
pub static ARTICLE: Article = Article {
    id: "K0",
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
    example: include_str!("../../../docs/handbook/croupier-6/examples/K0/violating.jsonl"),
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
            es: "carta que nada pedía ({place}): decide la sala",
            en: "a card nothing asked for ({place}): the room decides",
        },
        Bi {
            es: "{place} sin carta en la entrega: decide la sala",
            en: "{place} left without a card in the delivery: the room decides",
        },
    ],
    on: on![odd::ON, delivery::ON, &[On::Play], &[On::Card(Role::Undue), On::Card(Role::BankEarly)]],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    odd::check(1, 0, scene, docket);
    if let Some(drawn) = scene.drawn.filter(|drawn| matches!(drawn.role, Role::Undue | Role::BankEarly)) {
        docket.raise(2, drawn.place).leave_to_room();
    }
    for place in delivery::omitted(scene) {
        if !docket.knows(3, place) {
            docket.raise(3, place).part(Part::Rule);
        }
    }
}
