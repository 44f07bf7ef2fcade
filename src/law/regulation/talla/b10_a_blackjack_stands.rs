//! T-B10. A Black Jack stands.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::double;
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "T-B10",
    title: Bi { es: "El Black Jack se planta", en: "A Black Jack stands" },
    gist: Bi {
        es: "Con Black Jack no se dobla ni se pide: se planta.",
        en: "A Black Jack is not doubled and draws no card: it stands.",
    },
    raised: Bi {
        es: "Al decidir doblar o pedir con Black Jack, o al poner fichas para doblarlo.",
        en: "When a Black Jack is to be doubled or given a card by word, or chips are put to double it.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para doblar; la palabra no vale.",
        en: "Return what was put to double; the word does not count.",
    },
    cases: &[&DOUBLED, &ASKED_FOR_CARD],
    on: on![double::ON, &[On::Decide(Choice::Hit)]],
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[(&ASKED_FOR_CARD, Facts::of(&[Decisions, Hands]))],
    check,
    ..Article::enforced(file!())
};

static DOUBLED: Case =
    Case { es: "el {place} tiene Black Jack: no puede doblar", en: "{place} has a Black Jack: it may not double" };

static ASKED_FOR_CARD: Case = Case {
    es: "el {place} tiene Black Jack: no puede pedir carta",
    en: "{place} has a Black Jack: it may not ask for a card",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let stands = |id: HandId| {
        let hand = state.pass.hand(id).filter(|hand| !hand.void && !hand.split);
        hand.is_some_and(Hand::is_blackjack)
    };
    if let Event::Decide { hand, by, .. } = context.event
        && !state.pass.may_speak(*hand, by.as_ref())
    {
        return;
    }
    if let Some((id, _)) = double::asked(context).filter(|(id, _)| stands(*id)) {
        double::refuse(&DOUBLED, id, context, findings);
    }
    if let Event::Decide { hand, choice: Choice::Hit, .. } = context.event
        && stands(*hand)
    {
        findings.raise(&ASKED_FOR_CARD, Place::from(*hand)).no_effect();
    }
}
