//! K1. Six decks.

use crate::regulation::prelude::*;
use crate::regulation::shared::decks;

/// K1: six decks.
pub static ARTICLE: Article = Article {
    id: "K1",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Seis barajas", en: "Six decks" },
    gist: Bi {
        es: "Se juega con seis barajas de 52 cartas cada una.",
        en: "The game is played with six decks of 52 cards each.",
    },
    raised: Bi {
        es: "Al mezclar o cargar más o menos de seis barajas, o cartas que no suman 312. También, como falta de integridad, cuando sale una carta que ya había salido tantas veces como barajas hay.",
        en: "When more or fewer than six decks are shuffled or loaded, or cards that do not come to 312. Also, as a matter of integrity, when a card comes out that had already come out as often as there are decks.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): si se completan las barajas, si el pase vale o se anula.",
        en: "The room decides (`rule`): whether the decks are made up, whether the pass stands or is void.",
    },
    settings: &["min_decks", "max_decks"],
    example: include_str!("../../../docs/handbook/croupier-6/examples/K1/violating-five-decks.jsonl"),
    file: file!(),
    readings: &[Reading {
        number: 1,
        words: Bi {
            es: "El texto dice seis barajas, ni más ni menos: tampoco cumple un sabot al que le falta o le sobra alguna de las 312 cartas.",
            en: "The text says six decks, neither more nor fewer: a shoe that lacks any of the 312 cards, or has one more, breaks it too.",
        },
    }],
    cases: &[
        Bi { es: "el sabot no lleva seis barajas completas", en: "the shoe is not made of six whole decks" },
        Bi {
            es: "esta carta ya había salido tantas veces como barajas hay en el sabot",
            en: "this card had already come out as often as there are decks in the shoe",
        },
    ],
    on: &[On::Event(Kind::Shuffle), On::Event(Kind::Load), On::Event(Kind::Draw)],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if decks::too_few(scene) || decks::too_many(scene) {
        docket.raise(0, None).part(Part::Rule);
    }
    decks::check_card(1, scene, docket);
}
