//! G8. In turn, from the right.

use crate::regulation::prelude::*;
use crate::regulation::shared::turns;

pub(super) static ARTICLE: Article = Article {
    id: "G8",
    title: Bi { es: "Por turno, desde la derecha", en: "In turn, from the right" },
    gist: Bi {
        es: "El banquero completa las manos de los jugadores por turno, empezando por el de su derecha.",
        en: "The banker completes the players' hands in turn, beginning with the one at his right.",
    },
    raised: Bi {
        es: "Al preguntar (salvo por el seguro), decidir o dar carta a una mano mientras otra anterior no está completa. Las manos de un par dividido se juegan una tras otra.",
        en: "At a question (but for insurance), a decision or a card for a hand while an earlier one is not complete. The hands of a split pair are played one after the other.",
    },
    remedy: Bi {
        es: "Volver a la mano saltada. Está completa la mano que se plantó, dobló, llegó a 21 o se pasó.",
        en: "Go back to the hand passed over. A hand is complete that has stood, doubled, reached 21 or gone over.",
    },
    settings: &["first_box"],
    cases: &[&PASSED_OVER],
    on: turns::ON,
    needs: Facts::of(&[Decisions, Hands]),
    check,
    ..Article::enforced(file!())
};

static PASSED_OVER: Case = Case {
    es: "se siguió con otra mano sin completar la del {place}",
    en: "play went on elsewhere with the hand of {place} not complete",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    // a card dealt by mistake is G24's, and nobody else's
    if context.meaning.drawn.is_some_and(|drawn| drawn.role == Role::NotDue) {
        return;
    }
    turns::check(&PASSED_OVER, context, findings);
}
