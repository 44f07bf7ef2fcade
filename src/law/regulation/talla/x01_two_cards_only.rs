//! T-X1. Doubling on two cards.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::{double, turns};

pub(super) static ARTICLE: Article = Article {
    id: "T-X1",
    title: Bi { es: "Doblar con dos cartas", en: "Doubling on two cards" },
    gist: Bi {
        es: "Se dobla sólo con las dos primeras cartas, antes de plantarse.",
        en: "Only the first two cards may be doubled, before the hand stands.",
    },
    raised: Bi {
        es: "Al poner fichas para doblar o decidir doblar con otra cantidad de cartas que dos, o cuando la mano ya se plantó, se rindió o cobró sencillo. La mano abierta es de T-X5 y el Black Jack de T-B10.",
        en: "When chips are put to double, or doubling is decided, with any other number of cards than two, or once the hand has stood, was given up or took single pay. A split hand is T-X5's, a Black Jack T-B10's.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para doblar: el doble no vale.",
        en: "Return what was put to double: the double does not count.",
    },
    settings: &["double_on"],
    readings: &[Reading {
        number: 12,
        words: Bi {
            es: "Quien ya se plantó, se rindió o cobró sencillo no puede doblar después.",
            en: "Who has stood, given up or taken single pay may not double afterwards.",
        },
    }],
    cases: &[&NOT_FIRST_TWO_CARDS, &PLAY_IS_OVER],
    on: double::ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[(&PLAY_IS_OVER, Facts::of(&[Decisions, Hands]))],
    check,
    ..Article::enforced(file!())
};

static NOT_FIRST_TWO_CARDS: Case = Case {
    es: "el {place} no puede doblar: no tiene sólo sus dos primeras cartas",
    en: "{place} may not double: it does not have its first two cards alone",
};

static PLAY_IS_OVER: Case =
    Case { es: "el {place} no puede doblar: su juego ya terminó", en: "{place} may not double: its play is over" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some((id, _)) = double::asked(context) else { return };
    let hand = context.state.pass.hand(id);
    let is_over = |hand: &Hand| turns::has_stood(hand, context) || hand.void || hand.is_closed();
    if hand.is_some_and(|hand| hand.doubled || hand.split || hand.is_blackjack()) {
        return;
    }
    if hand.is_none_or(|hand| hand.count() != 2) {
        double::refuse(&NOT_FIRST_TWO_CARDS, id, context, findings);
    } else if hand.is_some_and(is_over) {
        double::refuse(&PLAY_IS_OVER, id, context, findings);
    }
}
