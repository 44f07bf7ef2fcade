//! G18. Bets before the play.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets::{self, Late};

pub(super) static ARTICLE: Article = Article {
    id: "G18",
    title: Bi { es: "Apuestas antes de la jugada", en: "Bets before the play" },
    gist: Bi {
        es: "Las apuestas se hacen antes de que empiece la jugada; una vez empezada no se modifican, salvo en los casos previstos.",
        en: "Bets are made before the play begins; once it has begun they are not changed, except as provided for.",
    },
    raised: Bi {
        es: "Con fichas en un casillero vacío después del primer naipe, y con cualquier otro cambio de una apuesta después de él. Retirar una apuesta ya liquidada, o devuelta, no es un cambio.",
        en: "At chips on an empty box after the first card, and at any other change of a bet after it. Taking off a bet that is settled, or was returned, is no change.",
    },
    remedy: Bi {
        es: "Devolver la apuesta tardía; la cambiada vale como estaba.",
        en: "Return the late bet; the one changed counts as it was.",
    },
    readings: &[Reading {
        number: 15,
        words: Bi {
            es: "La jugada empieza con el primer naipe: entre el «no va más» y éste, aún se puede apostar. Volver la apuesta a como estaba no es un cambio.",
            en: "The play begins with the first card: between “no more bets” and that card bets may still be made. Putting a bet back as it was is no change.",
        },
    }],
    cases: &[&LATE_BET, &BET_CHANGED],
    on: &[On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static LATE_BET: Case = Case {
    es: "apuesta en el {place} después del primer naipe: se devuelve",
    en: "a bet on {place} after the first card: it is returned",
};

static BET_CHANGED: Case = Case {
    es: "la apuesta del {place} cambió después del primer naipe: vale como estaba",
    en: "the bet on {place} changed after the first card: it counts as it was",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    match bets::change(context).filter(|_| context.state.pass.is_dealt()) {
        Some((id, Late::New)) => {
            findings.raise(&LATE_BET, Place::from(id)).give_back(id, BetSpot::Main, 0).no_effect();
        }
        Some((id, Late::Raised | Late::Lowered)) => {
            let lies = Effect::Lies(id, BetSpot::Main);
            findings.raise(&BET_CHANGED, Place::from(id)).no_effect().stands(lies);
        }
        None => {}
    }
}
