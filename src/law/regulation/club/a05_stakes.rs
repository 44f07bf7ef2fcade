//! A5. Stakes.

use crate::regulation::prelude::*;
use crate::table::settings::Span;

pub(super) static ARTICLE: Article = Article {
    id: "A5",
    title: Bi { es: "Cuantía de las apuestas", en: "Stakes" },
    gist: Bi {
        es: "La mesa acuerda un mínimo y un máximo para toda la partida, en proporción de 1 a 4 por lo menos y de 1 a 50 como mucho. Las apuestas son múltiplos de 10 y los seguros, de 5.",
        en: "The table agrees on one minimum and one maximum for the session, from four times to fifty times as much. Bets are multiples of 10, insurances of 5.",
    },
    raised: Bi {
        es: "Al cerrarse las apuestas, por cada una fuera de los límites o que no sea múltiplo de 10; al poner un seguro que no sea múltiplo de 5; y al cerrarse la primera jugada de un mazo, si los límites no guardan la proporción.",
        en: "When the bets close, for each one outside the limits or no multiple of 10; when an insurance is placed that is no multiple of 5; and when the first play of a shoe closes, if the limits do not keep the proportion.",
    },
    remedy: Bi {
        es: "Devolver la apuesta o el seguro. Los límites se acuerdan de nuevo para la próxima partida.",
        en: "Return the bet or the insurance. The limits are agreed anew for the next session.",
    },
    settings: &["bet_multiple", "insurance_multiple", "max_to_min"],
    readings: &[Reading {
        number: 29,
        words: Bi {
            es: "Los múltiplos se cuentan en la unidad del registro. El máximo vale por mano antes de doblar o dividir.",
            en: "Multiples are counted in the log's unit. The maximum is that of a hand before doubling or splitting.",
        },
    }],
    cases: &[&OUTSIDE_LIMITS, &BET_NO_MULTIPLE, &INSURANCE_NO_MULTIPLE, &LIMITS_OUT_OF_PROPORTION],
    on: &[On::Bet(BetSpot::Insurance), On::Close],
    needs: Facts::of(&[Bets]),
    cases_needing: &[(&LIMITS_OUT_OF_PROPORTION, Facts::NONE)],
    check,
    ..Article::enforced(file!())
};

static OUTSIDE_LIMITS: Case = Case {
    es: "la apuesta del {place} está fuera de los límites de la mesa: se devuelve",
    en: "the bet on {place} is outside the table's limits: it is returned",
};

static BET_NO_MULTIPLE: Case = Case {
    es: "la apuesta del {place} no es múltiplo de 10: se devuelve",
    en: "the bet on {place} is no multiple of 10: it is returned",
};

static INSURANCE_NO_MULTIPLE: Case = Case {
    es: "el seguro del {place} no es múltiplo de 5: se devuelve",
    en: "the insurance of {place} is no multiple of 5: it is returned",
};

static LIMITS_OUT_OF_PROPORTION: Case = Case {
    es: "los límites de la mesa no guardan la proporción de 4 a 1 hasta 50 a 1",
    en: "the table's limits do not keep the proportion of 4 to 1 up to 50 to 1",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Bet { hand, spot: BetSpot::Insurance, amount, .. } = context.event {
        return insurance(*hand, *amount, context, findings);
    }
    let (state, limits, multiple) = (context.state, context.state.limits, context.settings.stakes.bet_multiple.max(1));
    for (box_no, betting_box) in state.pass.boxes_in() {
        let stake = betting_box.first().stake;
        let outside = stake < limits.min || stake > limits.max;
        if outside || !stake.is_multiple_of(multiple) {
            let hand = HandId::first(box_no);
            let case = if outside { &OUTSIDE_LIMITS } else { &BET_NO_MULTIPLE };
            findings.raise(case, Place::from(hand)).give_back(hand, BetSpot::Main, 0).effect(Effect::Refused(box_no));
        }
    }
    let Span(least, most) = context.settings.stakes.max_to_min;
    let times = |n: u32| limits.min.saturating_mul(n.into());
    let is_first = state.supply.shoe_is_fresh();
    if is_first && (limits.max < times(least) || limits.max > times(most)) {
        findings.raise(&LIMITS_OUT_OF_PROPORTION, None);
    }
}

/// Insurance that is no multiple. Chips that another article has found wrong go back for that.
fn insurance(id: HandId, amount: u64, context: &Context<'_>, findings: &mut Findings<'_>) {
    let unchanged = amount == context.state.pass.lies_on(id, BetSpot::Insurance);
    let is_multiple = amount.is_multiple_of(context.settings.stakes.insurance_multiple.max(1));
    if is_multiple || unchanged || !findings.raised.is_empty() {
        return;
    }
    let stays = context.state.pass.counted(id, BetSpot::Insurance);
    findings.refuse_chips(&INSURANCE_NO_MULTIPLE, context, id, BetSpot::Insurance, stays);
}
