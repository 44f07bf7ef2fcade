//! D2. Limits of the bets.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D2",
    title: Bi { es: "Límites de las apuestas", en: "Limits of the bets" },
    gist: Bi {
        es: "Toda apuesta respeta el mínimo y el máximo de la mesa. Los jugadores sentados pueden apostar también en casilleros vacíos.",
        en: "Every bet keeps to the table's minimum and maximum; seated players may also play empty boxes.",
    },
    raised: Bi {
        es: "Al cerrarse las apuestas, por cada postura debajo del mínimo o encima del máximo de la mesa. Los límites mismos son válidos.",
        en: "When the bets close, for each bet below the table's minimum or above its maximum. The limits themselves are allowed.",
    },
    remedy: Bi {
        es: "Devolver la postura: el casillero no juega ese pase.",
        en: "Return the bet: the box does not play in that pass.",
    },
    cases: &[&OUTSIDE_LIMITS],
    on: &[On::Close],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static OUTSIDE_LIMITS: Case = Case {
    es: "la apuesta del {place} está fuera de los límites de la mesa: se devuelve",
    en: "the bet on {place} is outside the table's limits: it is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let limits = context.state.limits;
    for (box_no, betting_box) in context.state.pass.boxes_in() {
        let stake = betting_box.first().stake;
        if stake < limits.min || stake > limits.max {
            let hand = HandId::first(box_no);
            findings
                .raise(&OUTSIDE_LIMITS, Place::from(hand))
                .give_back(hand, BetSpot::Main, 0)
                .effect(Effect::Refused(box_no));
        }
    }
}
