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
        es: "Al pedir, doblar o dividir, con palabras o con fichas, en un as dividido que ya tiene su carta: no tiene efecto. También con la carta que se le da de más.",
        en: "When a split ace that has its card asks for another, is doubled or is split again, in words or by chips: it has no effect. Also at a card dealt to it in excess.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para doblar o dividir; lo pedido no se da, y la carta de más vuelve al mazo.",
        en: "Return what was put to double or split; what was asked for is not dealt, and a card in excess goes back to the shoe.",
    },
    settings: &["split_aces_one_card", "split_aces_again", "misdealt"],
    cases: &[&ASKED_FOR_CARD, &DOUBLED, &SPLIT_AGAIN, &CARD_TOO_MANY],
    on: on![double::ON, split::ON, &[On::Decide(Choice::Hit), On::Card(Role::NotDue)]],
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[(&ASKED_FOR_CARD, Facts::of(&[Decisions, Hands])), (&CARD_TOO_MANY, Facts::of(&[Places, Hands]))],
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

static CARD_TOO_MANY: Case = Case {
    es: "otra carta para el {place}, un as dividido: vuelve al mazo",
    en: "another card for {place}, a split ace: it goes back to the shoe",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some((id, _)) = double::refused(context).filter(|(id, _)| is_served_split_ace(context, *id)) {
        double::refuse(&DOUBLED, id, context, findings);
    }
    if let Some(refused) = split::refused(context).filter(|refused| refused.reason == Reason::SplitAce) {
        refused.raise(&SPLIT_AGAIN, context, findings);
    }
    if let Some(id) = card_too_many(context) {
        findings.raise(&CARD_TOO_MANY, Place::from(id)).misdealt(context, Place::from(id));
    }
    if let Event::Decide { hand, choice: Choice::Hit, .. } = context.event
        && is_served_split_ace(context, *hand)
    {
        findings.raise(&ASKED_FOR_CARD, Place::from(*hand)).no_effect();
    }
}

/// The split ace that is dealt a card beyond its one.
pub(super) fn card_too_many(context: &Context<'_>) -> Option<HandId> {
    let drawn = context.meaning.drawn.filter(|drawn| drawn.role == Role::NotDue)?;
    let is_open = |id: &HandId| context.state.pass.hand(*id).is_some_and(|hand| !hand.is_retired() && !hand.void);
    drawn.hand().filter(|id| is_served_split_ace(context, *id) && is_open(id))
}

/// A split ace that has had its one card.
pub(super) fn is_served_split_ace(context: &Context<'_>, id: HandId) -> bool {
    context.state.pass.hand(id).is_some_and(|hand| hand.one_card_only && hand.count() > 1)
}
