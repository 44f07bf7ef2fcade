//! K1. Six decks.

use crate::regulation::prelude::*;
use crate::regulation::shared::decks;

pub(super) static ARTICLE: Article = Article {
    id: "K1",
    title: Bi { es: "Barajas", en: "Decks" },
    gist: Bi {
        es: "Se juega con {min_decks} barajas de 52 cartas cada una.",
        en: "The game is played with {min_decks} decks of 52 cards each.",
    },
    raised: Bi {
        es: "Al mezclar o cargar menos de {min_decks} barajas enteras, o más de {max_decks}. También, como falta de integridad, cuando sale una carta que ya había salido tantas veces como barajas hay.",
        en: "When fewer than {min_decks} whole decks are shuffled or loaded, or more than {max_decks}. Also, as a matter of integrity, when a card comes out that had already come out as often as there are decks.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): si se completan las barajas, si el pase vale o se anula.",
        en: "The room decides (`rule`): whether the decks are made up, whether the pass stands or is void.",
    },
    settings: &["min_decks", "max_decks"],
    readings: &[Reading {
        number: 1,
        words: Bi {
            es: "Las barajas son las que dice el texto, ni más ni menos: tampoco cumple un sabot al que le falta o le sobra alguna carta.",
            en: "The decks are those of the text, neither more nor fewer: a shoe that lacks a card, or has one more, breaks it too.",
        },
    }],
    cases: &[&NOT_WHOLE_DECKS, &CARD_TOO_OFTEN],
    case_severities: &[(&CARD_TOO_OFTEN, Severity::Integrity)],
    on: on![decks::ON, &[On::Event(Kind::Shuffle), On::Event(Kind::Load)]],
    needs: Facts::of(&[Shuffles]),
    cases_needing: &[(&CARD_TOO_OFTEN, Facts::NONE)],
    check,
    ..Article::enforced(file!())
};

static NOT_WHOLE_DECKS: Case = Case {
    es: "el sabot no lleva las {min_decks} barajas enteras",
    en: "the shoe is not made of the {min_decks} whole decks",
};

static CARD_TOO_OFTEN: Case = Case {
    es: "esta carta ya había salido tantas veces como barajas hay en el sabot ({place})",
    en: "this card had already come out as often as there are decks in the shoe ({place})",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if decks::too_few(context) || decks::too_many(context) {
        findings.raise(&NOT_WHOLE_DECKS, None).part(Part::Rule);
    }
    decks::check_card(&CARD_TOO_OFTEN, context, findings);
}
