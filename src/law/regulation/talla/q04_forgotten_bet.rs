//! T-Q4. The forgotten bet.

use super::q05_maximum;
use crate::procedure::betting_box::Standing;
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q4",
    title: Bi { es: "Apuesta olvidada", en: "The forgotten bet" },
    gist: Bi {
        es: "Quien olvidó apostar sólo puede colocar una ficha.",
        en: "Who forgot to bet may place one chip only.",
    },
    raised: Bi {
        es: "Con más de una ficha en un casillero vacío entre el cierre de las apuestas y la primera carta de la banca. De una ficha la apuesta vale y el casillero recibe cartas.",
        en: "At more than one chip on an empty box between the closing of the bets and the bank's first card. Of one chip the bet counts and the box is dealt to.",
    },
    remedy: Bi { es: "Devolverlas, o dejar una sola.", en: "Return them, or leave one only." },
    settings: &["forgotten_bet", "chip"],
    readings: &[Reading {
        number: 21,
        words: Bi {
            es: "Una ficha es la de valor `chip`; donde las fichas se leen una a una, cualquiera, siempre que sea una sola.",
            en: "One chip is that of the value `chip`; where chips are read one by one, any, as long as it is a single one.",
        },
    }],
    cases: &[&MORE_THAN_ONE_CHIP],
    on: &[On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static MORE_THAN_ONE_CHIP: Case = Case {
    es: "apuesta olvidada en el {place} de más de una ficha: se devuelve",
    en: "a forgotten bet of more than one chip on {place}: it is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand: id, spot: BetSpot::Main, amount, chips, .. } = context.event else { return };
    let state = context.state;
    let empty = |standing| matches!(standing, Standing::None | Standing::Refused);
    let joins = state.pass.betting_box(id.box_no).is_some_and(|betting_box| empty(betting_box.standing));
    let one_chip = if chips.is_empty() { *amount <= context.settings.stakes.chip } else { chips.len() == 1 };
    // a bet above the maximum was not forgotten: brought down to that it counts
    let was_refused = || findings.knows_article(&q05_maximum::ARTICLE, Place::from(*id)) && *amount <= state.limits.max;
    if !joins || *amount == 0 || one_chip || !state.takes_forgotten_bet() || was_refused() {
        return;
    }
    findings.refuse_chips(&MORE_THAN_ONE_CHIP, context, *id, BetSpot::Main, 0);
}
