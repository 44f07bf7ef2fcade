//! T-N5. Bets are not touched.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets::{self, Late};
use crate::table::Outcome;

pub(super) static ARTICLE: Article = Article {
    id: "T-N5",
    title: Bi { es: "La apuesta no se toca", en: "Bets are not touched" },
    gist: Bi {
        es: "La apuesta no se toca una vez que está sobre la mesa.",
        en: "A bet is not touched once it is on the table.",
    },
    raised: Bi {
        es: "Cuando, cerradas las apuestas de palabra o por la primera carta, una apuesta aumenta, disminuye o se retira, o disminuye lo puesto para doblar, dada su carta, o para abrir. Sacar una apuesta nula, devuelta o ya saldada no es tocarla, ni lo es sacar la de un empate cuando la banca ya jugó.",
        en: "When a bet is raised, lowered or taken off once bets are closed, in words or by the first card, or what was put to double, its card dealt, or to split is lowered. Taking off a bet that is void, returned or settled is no touching, nor is taking off a tied one once the bank has played.",
    },
    remedy: Bi {
        es: "Volver las fichas a como estaban: la apuesta vale por lo que era.",
        en: "Put the chips back as they were: the bet counts as it was.",
    },
    readings: &[Reading {
        number: 28,
        words: Bi {
            es: "Volver la apuesta a como estaba no es un cambio.",
            en: "Putting the bet back as it was is no change.",
        },
    }],
    cases: &[&RAISED, &LOWERED],
    on: &[On::Bet(BetSpot::Main), On::Bet(BetSpot::Double), On::Bet(BetSpot::Split)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static RAISED: Case = Case {
    es: "la apuesta del {place} aumentó con las apuestas cerradas: vale como estaba",
    en: "the bet on {place} was raised after the bets were closed: it counts as it was",
};

static LOWERED: Case = Case {
    es: "la apuesta del {place} disminuyó o se retiró con las apuestas cerradas: vale como estaba",
    en: "the bet on {place} was lowered or taken off after the bets were closed: it counts as it was",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if !context.state.pass.is_closed() {
        return;
    }
    let (case, id) = match bets::change(context) {
        Some((id, Late::Raised)) => (&RAISED, id),
        Some((id, Late::Lowered)) => (&LOWERED, id),
        _ => match bets::added_stake_lowered(context) {
            Some(id) => (&LOWERED, id),
            None => return,
        },
    };
    if is_tie_taken_off(context, id) {
        return;
    }
    let raised = findings.raise(case, Place::from(id)).no_effect();
    if let Event::Bet { spot: BetSpot::Main, .. } = context.event {
        raised.stands(Effect::Lies(id, BetSpot::Main));
    }
}

/// A tied bettor takes his chips off in his turn, which comes once the bank has played (T-Q7).
fn is_tie_taken_off(context: &Context<'_>, id: HandId) -> bool {
    let Event::Bet { amount: 0, .. } = context.event else { return false };
    let state = context.state;
    let owed = state.pass.hand(id).filter(|_| state.bank_is_final()).and_then(|hand| state.owed(hand).known());
    owed.is_some_and(|owed| owed.outcome == Outcome::Push)
}
