//! D3. Strangers' bets.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D3",
    title: Bi { es: "Apuestas de terceros", en: "Strangers' bets" },
    gist: Bi {
        es: "Quien está de pie no apuesta, y nadie agrega fichas en el casillero de otro.",
        en: "Standing players do not bet, and nobody adds chips to another player's box.",
    },
    raised: Bi {
        es: "Al ponerse las fichas: si quien apuesta no está sentado, o si el casillero ya es de otro apostador en ese pase.",
        en: "When the chips are put down: if the bettor is not seated, or if the box already belongs to another bettor in that pass.",
    },
    remedy: Bi {
        es: "Devolver esas fichas. Las del dueño del casillero quedan como estaban.",
        en: "Return those chips. Those of the box's own bettor stay as they were.",
    },
    cases: &[&BETTOR_NOT_SEATED, &CHIPS_ON_BOX_OF_ANOTHER],
    on: &[On::Event(Kind::Bet)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static BETTOR_NOT_SEATED: Case = Case {
    es: "apostó en el {place} alguien que no está sentado: se devuelve",
    en: "a bet on {place} by somebody who is not seated: it is returned",
};

static CHIPS_ON_BOX_OF_ANOTHER: Case = Case {
    es: "fichas agregadas al {place}, que es de otro jugador: se devuelven",
    en: "chips added to {place}, another player's box: they are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand, spot, amount, player: Some(player), .. } = context.event else { return };
    let Some(betting_box) = context.state.pass.betting_box(hand.box_no) else { return };
    if *amount <= context.state.pass.lies_on(*hand, *spot) {
        return;
    }
    let case = match &betting_box.bettor {
        Some(bettor) if bettor != player => &CHIPS_ON_BOX_OF_ANOTHER,
        _ if context.state.seating.at(hand.box_no) == Some(player) => return,
        _ if context.state.seating.is_told() && context.state.seating.seat_of(player).is_none() => &BETTOR_NOT_SEATED,
        _ => return,
    };
    findings.refuse_chips(case, context, *hand, *spot, context.state.pass.counted(*hand, *spot));
}
