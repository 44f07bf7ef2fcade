//! G1. Several decks.

use crate::regulation::prelude::*;
use crate::regulation::shared::decks;

pub(super) static ARTICLE: Article = Article {
    id: "G1",
    title: Bi { es: "Varias barajas", en: "Several decks" },
    gist: Bi {
        es: "Se juega con varias barajas de 52 naipes, bien mezcladas; el anexo fija dos. Ningún naipe puede salir más veces que barajas hay.",
        en: "Several decks of 52 cards, well shuffled, are in use; the annex makes them two. No card can come out more often than there are decks.",
    },
    raised: Bi {
        es: "Al mezclar o cargar el mazo con menos de dos barajas, salvo cuando se mezcla a mitad de una jugada para completarla. También, como falta de integridad, cuando sale un naipe que ya había salido tantas veces como barajas hay. Más de dos barajas es A2.",
        en: "When fewer than two decks are shuffled or loaded, unless cards are shuffled in the middle of a play to complete it. Also, as a matter of integrity, when a card comes out that had already come out as often as there are decks. More than two decks is A2.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): si se rehace el mazo y si la jugada vale o se anula.",
        en: "The room decides (`rule`): whether the shoe is made up again, and whether the play stands or is void.",
    },
    settings: &["min_decks"],
    readings: &[Reading {
        number: 1,
        words: Bi {
            es: "«Varias» barajas son dos por lo menos: la cifra que fija el anexo.",
            en: "“Several” decks are two at least: the figure the annex sets.",
        },
    }],
    cases: &[&TOO_FEW_DECKS, &CARD_TOO_OFTEN],
    case_severities: &[(&CARD_TOO_OFTEN, Severity::Integrity)],
    on: on![decks::ON, &[On::Event(Kind::Shuffle), On::Event(Kind::Load)]],
    needs: Facts::of(&[Shuffles]),
    cases_needing: &[(&CARD_TOO_OFTEN, Facts::of(&[Moves]))],
    check,
    ..Article::enforced(file!())
};

static TOO_FEW_DECKS: Case = Case {
    es: "se mezcló o cargó menos de {min_decks|1=una baraja|_={min_decks} barajas}",
    en: "fewer than {min_decks|1=one deck was|_={min_decks} decks were} shuffled or loaded",
};

static CARD_TOO_OFTEN: Case = Case {
    es: "este naipe ya había salido tantas veces como barajas hay en el mazo ({place})",
    en: "this card had already come out as often as there are decks in the shoe ({place})",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if decks::too_few(context) {
        findings.raise(&TOO_FEW_DECKS, None).part(Part::Rule);
    }
    decks::check_card(&CARD_TOO_OFTEN, context, findings);
}
