//! K7. No more bets.

use crate::procedure::betting_box::Standing;
use crate::regulation::prelude::*;
use crate::regulation::shared::bets::{self, Late};

pub(super) static ARTICLE: Article = Article {
    id: "K7",
    title: Bi { es: "«No más apuestas»", en: "“No more bets”" },
    gist: Bi {
        es: "Las apuestas que llegan después del «no más apuestas» son nulas, cualquiera sea su monto.",
        en: "Bets that come after “no more bets” are void, whatever their amount.",
    },
    raised: Bi {
        es: "Con fichas nuevas o agregadas en un lugar después del «no más apuestas» o de la primera carta, y cuando una apuesta se reduce o se retira después.",
        en: "At chips newly laid on a place, or added, after “no more bets” or the first card, and when a bet is lowered or taken off after that.",
    },
    remedy: Bi {
        es: "Devolver lo puesto de más: no juega. La apuesta reducida o retirada vale como estaba.",
        en: "Return what was put down too late: it does not play. A bet lowered or taken off counts as it was.",
    },
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "Las apuestas se cierran con el «no más apuestas» o, si nadie lo dice, con la primera carta. Retirar fichas entonces tampoco vale. La apuesta tardía a la que el croupier reparte antes de devolverla no fue rechazada: juega, y la falta queda asentada.",
            en: "The bets are closed by “no more bets” or, if nobody says so, by the first card. Taking chips off then does not count either. A late bet the dealer deals to before returning it was not refused: it plays, and the breach stays on record.",
        },
    }],
    cases: &[&LATE_BET, &RAISED_LATE, &LOWERED_LATE],
    on: &[On::Bet(BetSpot::Main)],
    check,
    ..Article::enforced(file!())
};

static LATE_BET: Case = Case {
    es: "apuesta tardía en el {place}: es nula y se devuelve",
    en: "a late bet on {place}: it is void and returned",
};

static RAISED_LATE: Case = Case {
    es: "apuesta aumentada tarde en el {place}: se devuelve lo agregado",
    en: "a bet raised late on {place}: what was added is returned",
};

static LOWERED_LATE: Case = Case {
    es: "apuesta reducida o retirada tarde en el {place}: vale como estaba",
    en: "a bet lowered or taken off late on {place}: it counts as it was",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand, amount, .. } = context.event else { return };
    if !context.state.pass.is_closed() {
        return;
    }
    // a refused bet stays refused, however its chips are moved
    let is_refused = context.state.pass.betting_box(hand.box_no).is_some_and(|b| b.standing == Standing::Refused);
    if is_refused && *amount > 0 {
        return bets::refuse(&LATE_BET, *hand, context, findings);
    }
    let Some((id, late)) = bets::change(context) else { return };
    match late {
        Late::New => bets::refuse(&LATE_BET, id, context, findings),
        Late::Raised { .. } => bets::refuse(&RAISED_LATE, id, context, findings),
        Late::Lowered => {
            findings.raise(&LOWERED_LATE, Place::from(id)).no_effect();
        }
    }
}
