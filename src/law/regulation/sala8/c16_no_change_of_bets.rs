//! C16. No change of a bet.

use crate::procedure::betting_box::Standing;
use crate::regulation::prelude::*;
use crate::table::event::Taken;

pub(super) static ARTICLE: Article = Article {
    id: "C16",
    title: Bi { es: "Sin cambios de apuesta", en: "No change of a bet" },
    gist: Bi {
        es: "Ninguna apuesta se aumenta, disminuye ni retira fuera de lo previsto.",
        en: "No bet is raised, lowered or withdrawn except as provided for.",
    },
    raised: Bi {
        es: "Cuando, después de la primera carta, cambia una postura por otra causa que las previstas. Retirar una apuesta nula o devuelta no es un cambio.",
        en: "When a stake changes after the first card for any reason not provided for. Taking a void or returned bet off is no change.",
    },
    remedy: Bi {
        es: "Volver las fichas a como estaban: la apuesta vale por lo que era.",
        en: "Put the chips back as they were: the bet counts as it was.",
    },
    readings: &[Reading {
        number: 14,
        words: Bi {
            es: "Volver la apuesta a como estaba no es un cambio.",
            en: "Putting the bet back as it was is no change.",
        },
    }],
    cases: &[&BET_CHANGED],
    on: &[On::Bet(BetSpot::Main), On::Event(Kind::Choose)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static BET_CHANGED: Case = Case {
    es: "la apuesta del {place} cambió después de la primera carta: vale como estaba",
    en: "the bet on {place} changed after the first card: it counts as it was",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand: id, spot: BetSpot::Main, amount, .. } = context.event else {
        return check_chosen(context, findings);
    };
    let state = context.state;
    let Some(betting_box) = state.pass.betting_box(id.box_no).filter(|_| state.pass.is_dealt()) else { return };
    let lying = state.pass.lies_on(*id, BetSpot::Main);
    let Some(hand) = state.pass.hand(*id).filter(|_| *amount != lying) else { return };
    let may_go = match betting_box.standing {
        Standing::In if !hand.void => *amount == hand.stake || state.is_settled(hand),
        _ => *amount == 0 || lying == 0,
    };
    let gives_back = state.gives_back_refused(*id, BetSpot::Main, *amount);
    // what is found about cards that nobody saw may have asked for its return
    let may_be_asked = *amount == 0 && state.unknown().has(Cards);
    let done = may_be_asked
        || (*amount == 0 && may_withdraw(context, *id))
        || gives_back
        || hand.is_touched(BetSpot::Main)
        || state.may_collect_bust(*id, BetSpot::Main, *amount);
    if !may_go && !done {
        findings.raise(&BET_CHANGED, Place::from(*id)).no_effect().stands(Effect::Lies(*id, BetSpot::Main));
    }
}

/// Its bettor is offered to withdraw, or may be for all that is seen: chips taken off may be his answer, which is told
/// afterwards.
fn may_withdraw(context: &Context<'_>, id: HandId) -> bool {
    let is_offered = context.duties.offers(id).any(|options| options.contains(&Taken::Withdraw));
    is_offered || context.state.may_be_offered(id, Taken::Withdraw)
}

/// Whose chips were taken off while he could still withdraw chooses to go on.
fn check_chosen(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Choose { hand: id, option } = context.event else { return };
    let pass = &context.state.pass;
    let is_taken_off = pass.lies_on(*id, BetSpot::Main) == 0 && pass.counted(*id, BetSpot::Main) > 0;
    let is_touched = pass.hand(*id).is_none_or(|hand| hand.is_touched(BetSpot::Main));
    if *option != Taken::Withdraw && context.meaning.offered && id.hand == 0 && is_taken_off && !is_touched {
        findings.raise(&BET_CHANGED, Place::from(*id)).stands(Effect::Lies(*id, BetSpot::Main));
    }
}
