//! A2. Two decks.

use crate::regulation::prelude::*;
use crate::regulation::shared::decks;

pub(super) static ARTICLE: Article = Article {
    id: "A2",
    title: Bi { es: "Dos barajas", en: "Two decks" },
    gist: Bi {
        es: "Por norma interna se juega con dos barajas de 52 naipes.",
        en: "By the house rules two decks of 52 cards are played.",
    },
    raised: Bi {
        es: "Al mezclar o armar el mazo con más de dos barajas. Con menos se infringe G1.",
        en: "When more than two decks are shuffled or loaded. With fewer it is G1 that is broken.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): si se rearma el mazo o se juega así.",
        en: "The room decides (`rule`): whether the shoe is made up again or played as it is.",
    },
    settings: &["max_decks"],
    cases: &[&TOO_MANY_DECKS],
    on: &[On::Event(Kind::Shuffle), On::Event(Kind::Load)],
    needs: Facts::of(&[Shuffles]),
    check,
    ..Article::enforced(file!())
};

static TOO_MANY_DECKS: Case = Case {
    es: "más barajas que las {max_decks} de la norma interna",
    en: "more decks than the {max_decks} of the house rules",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if decks::too_many(context) {
        findings.raise(&TOO_MANY_DECKS, None).part(Part::Rule);
    }
}
