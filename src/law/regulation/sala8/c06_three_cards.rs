//! C6. Three cards in the delivery.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C6",
    title: Bi { es: "Tres cartas en la entrega", en: "Three cards in the delivery" },
    gist: Bi {
        es: "Al apostador que recibió más de dos cartas en las dos entregas se le anula sólo esa apuesta y se queman sus cartas.",
        en: "Where a bettor got more than two cards in the two deliveries, that bet alone is void and its cards are burned.",
    },
    raised: Bi {
        es: "Con la tercera carta a un casillero antes de que empiece el juego.",
        en: "At the third card to a box before play begins.",
    },
    remedy: Bi {
        es: "Anular esa sola apuesta, que se devuelve entera, y quemar sus tres cartas.",
        en: "That bet alone is void and returned whole; burn its three cards.",
    },
    readings: &[
        Reading {
            number: 2,
            words: Bi {
                es: "Una tercera carta antes de que empiece el juego es de este artículo; una segunda fuera de lugar, de C5.",
                en: "A third card before play begins belongs to this article; a second one out of place, to C5.",
            },
        },
        Reading {
            number: 15,
            words: Bi { es: "La apuesta anulada se devuelve entera.", en: "A void bet is returned whole." },
        },
    ],
    cases: &[&THIRD_CARD],
    on: &[On::Card(Role::Third)],
    needs: Facts::of(&[Places, Hands]),
    check,
    ..Article::enforced(file!())
};

static THIRD_CARD: Case = Case {
    es: "el {place} recibió una tercera carta antes del juego: anular la apuesta y quemar sus cartas",
    en: "{place} got a third card before play: void the bet and burn its cards",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(drawn) = context.meaning.drawn.filter(|drawn| drawn.role == Role::Third)
        && let Some(id) = drawn.hand()
    {
        let cards = context.state.pass.hand(id).map_or(0, Hand::count) + 1;
        findings.raise(&THIRD_CARD, Place::from(id)).void(id.box_no).burn(Place::from(id), cards);
    }
}
