//! K7. No more bets.

use super::payment::{self, WrongPayment};
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
        es: "Con fichas nuevas o agregadas en un lugar después del «no más apuestas» o de la primera carta, cuando una apuesta se reduce o se retira después, y al pagar o retirar una apuesta tardía.",
        en: "At chips newly laid on a place, or added, after “no more bets” or the first card, when a bet is lowered or taken off after that, and when a late bet is paid or collected.",
    },
    remedy: Bi {
        es: "Devolver la apuesta tardía: no juega. La aumentada, reducida o retirada vale como estaba.",
        en: "Return the late bet: it does not play. One raised, lowered or taken off counts as it was.",
    },
    readings: &[Reading {
        number: 7,
        words: Bi {
            es: "Las apuestas se cierran con el «no más apuestas» o, si nadie lo dice, con la primera carta. Retirar fichas entonces tampoco vale. La apuesta tardía {late_bet_is_void|true=es nula pase lo que pase con ella: las cartas que se le den no cambian nada, y quitarla no es un cambio|_=a la que el croupier reparte antes de devolverla no fue rechazada: juega, y la falta queda asentada}.",
            en: "The bets are closed by “no more bets” or, if nobody says so, by the first card. Taking chips off then does not count either. A late bet {late_bet_is_void|true=is void whatever happens to it: cards dealt to it change nothing, and taking it off is no change|_=the dealer deals to before returning it was not refused: it plays, and the breach stays on record}.",
        },
    }],
    settings: &["late_bet_is_void"],
    cases: &[&LATE_BET, &RAISED_LATE, &LOWERED_LATE, &PAID],
    on: &[On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    cases_needing: &[(&LOWERED_LATE, Facts::of(&[Bets, Hands]))],
    check,
    money: |context, mistake| payment::case(&[(WrongPayment::VoidBetPaid, &PAID)], context, mistake),
    ..Article::enforced(file!())
};

static LATE_BET: Case = Case {
    es: "apuesta tardía en el {place}: es nula y se devuelve",
    en: "a late bet on {place}: it is void and returned",
};

static RAISED_LATE: Case = Case {
    es: "apuesta aumentada tarde en el {place}: vale como estaba",
    en: "a bet raised late on {place}: it counts as it was",
};

static LOWERED_LATE: Case = Case {
    es: "apuesta reducida o retirada tarde en el {place}: vale como estaba",
    en: "a bet lowered or taken off late on {place}: it counts as it was",
};

static PAID: Case = Case {
    es: "se pagó o retiró la apuesta tardía del {place}, que es nula",
    en: "the late bet of {place} is void, and was paid or collected",
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
        Late::Raised | Late::Lowered => {
            let case = if late == Late::Raised { &RAISED_LATE } else { &LOWERED_LATE };
            findings.raise(case, Place::from(id)).no_effect().stands(Effect::Lies(id, BetSpot::Main));
        }
    }
}
