//! G14. Split aces.

use crate::regulation::prelude::*;
use crate::regulation::shared::double;
use crate::regulation::shared::split::{self, Reason};
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "G14",
    title: Bi { es: "Ases divididos", en: "Split aces" },
    gist: Bi {
        es: "A cada uno de dos ases divididos se le da una sola carta: no se dobla, no se divide de nuevo ni se pide otra.",
        en: "Each of two split aces gets one card only: it may not be doubled, split again or draw another.",
    },
    raised: Bi {
        es: "Al pedir, doblar o dividir, con palabras o con fichas, en un as dividido que ya tiene su carta: no tiene efecto. La carta que se diera de más es G24.",
        en: "When a split ace that has its card asks for another, is doubled or is split again, in words or by chips: it has no effect. A card dealt in excess is G24.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para doblar o dividir; lo pedido no se da.",
        en: "Return what was put to double or split; what was asked for is not dealt.",
    },
    settings: &["split_aces_one_card", "split_aces_again"],
    cases: &[&ASKED_FOR_CARD, &DOUBLED, &SPLIT_AGAIN],
    on: on![double::ON, split::ON, &[On::Decide(Choice::Hit)]],
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[(&ASKED_FOR_CARD, Facts::of(&[Decisions, Hands]))],
    check,
    ..Article::enforced(file!())
};

static ASKED_FOR_CARD: Case = Case {
    es: "el {place} es un as dividido con su carta: no puede pedir",
    en: "{place} is a split ace that has its card: it may not draw",
};

static DOUBLED: Case = Case {
    es: "el {place} es un as dividido con su carta: no puede doblar",
    en: "{place} is a split ace that has its card: it may not be doubled",
};

static SPLIT_AGAIN: Case = Case {
    es: "el {place} es un as dividido: no se divide de nuevo",
    en: "{place} is a split ace: it is not split again",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((id, _)) = double::refused(context).filter(|(id, _)| is_served_split_ace(context, *id)) {
        double::refuse(&DOUBLED, id, context, findings);
    }
    if let Some(refused) = split::refused(context).filter(|refused| refused.reason == Reason::SplitAce) {
        refused.raise(&SPLIT_AGAIN, context, findings);
    }
    if let Event::Decide { hand, choice: Choice::Hit, .. } = context.event
        && is_served_split_ace(context, *hand)
    {
        findings.raise(&ASKED_FOR_CARD, Place::from(*hand)).no_effect();
    }
}

/// A split ace that has had its one card.
pub(super) fn is_served_split_ace(context: &Context<'_>, id: HandId) -> bool {
    context.state.pass.hand(id).is_some_and(|hand| hand.one_card_only && hand.count() > 1)
}
