//! T-Q5. The maximum.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q5",
    title: Bi { es: "Máximo de la mesa", en: "The maximum" },
    gist: Bi {
        es: "El límite de las apuestas lo fija la banca por su máximo, o las deja abiertas; no hay mínimo.",
        en: "The bank sets a maximum to the bets, or leaves them open; there is no minimum.",
    },
    raised: Bi {
        es: "Al cerrarse las apuestas, por cada apuesta encima del máximo de la mesa. El máximo mismo vale.",
        en: "When the bets close, for each bet above the table's maximum. The maximum itself is allowed.",
    },
    remedy: Bi {
        es: "Devolver la apuesta: el casillero no juega ese pase.",
        en: "Return the bet: the box does not play in that pass.",
    },
    readings: &[Reading {
        number: 22,
        words: Bi {
            es: "El mínimo que la mesa declare no se exige; una mesa abierta declara un máximo que nadie alcanza.",
            en: "A minimum the table declares is not held against bets; an open table declares a maximum nobody reaches.",
        },
    }],
    cases: &[&ABOVE_MAXIMUM],
    on: &[On::Close],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static ABOVE_MAXIMUM: Case = Case {
    es: "la apuesta del {place} supera el máximo de la mesa: se devuelve",
    en: "the bet on {place} is above the table's maximum: it is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for (box_no, betting_box) in context.state.pass.boxes_in() {
        if betting_box.first().stake > context.state.limits.max {
            let hand = HandId::first(box_no);
            findings
                .raise(&ABOVE_MAXIMUM, Place::from(hand))
                .give_back(hand, BetSpot::Main, 0)
                .effect(Effect::Refused(box_no));
        }
    }
}
