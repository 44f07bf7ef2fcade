//! M1. Decks.

use crate::regulation::prelude::*;
use crate::regulation::shared::decks;

pub(super) static ARTICLE: Article = Article {
    id: "M1",
    title: Bi { es: "Mazos", en: "Decks" },
    gist: Bi {
        es: "El sabot lleva {min_decks|1=un mazo francés|_={min_decks} mazos franceses} o más, y ninguna carta puede salir más veces que mazos hay.",
        en: "The shoe holds {min_decks|1=one French deck|_={min_decks} French decks} or more, and no card can come out more often than there are decks.",
    },
    raised: Bi {
        es: "Al mezclar o armar el sabot con menos de {min_decks|1=un mazo|_={min_decks} mazos}. También, como falta de integridad, cuando sale una carta que ya había salido tantas veces como mazos hay.",
        en: "When fewer than {min_decks|1=one deck is|_={min_decks} decks are} shuffled or loaded. Also, as a matter of integrity, when a card comes out that had already come out as often as there are decks.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): si se rearma el sabot, si el pase vale o se anula.",
        en: "The room decides (`rule`): whether the shoe is made up again, whether the pass stands or is void.",
    },
    settings: &["min_decks"],
    cases: &[&TOO_FEW_DECKS, &CARD_TOO_OFTEN],
    on: &[On::Event(Kind::Shuffle), On::Event(Kind::Load), On::Event(Kind::Draw)],
    check,
    ..Article::enforced(file!())
};

static TOO_FEW_DECKS: Case = Case {
    es: "{min_decks|1=menos de un mazo|_=menos mazos que los {min_decks} exigidos}",
    en: "{min_decks|1=less than one deck|_=fewer decks than the {min_decks} required}",
};

static CARD_TOO_OFTEN: Case = Case {
    es: "esta carta ya había salido tantas veces como mazos hay en el sabot",
    en: "this card had already come out as often as there are decks in the shoe",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if decks::too_few(context) {
        findings.raise(&TOO_FEW_DECKS, None).part(Part::Rule);
    }
    decks::check_card(&CARD_TOO_OFTEN, context, findings);
}
