//! C9. Eleven without its card.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::table::event::Taken;

pub(super) static ARTICLE: Article = Article {
    id: "C9",
    title: Bi {
        es: "{double_on|eleven=Once|_=Doble} sin carta",
        en: "{double_on|eleven=Eleven|_=A double} without its card",
    },
    gist: Bi {
        es: "Quien {double_on|eleven=tenía once, |_=}iba a doblar y no recibió su carta elige: retirar la apuesta o recibir la próxima carta.",
        en: "A bettor {double_on|eleven=with eleven |_=}who was to double and got no card may choose: withdraw the bet, or take the next card.",
    },
    raised: Bi {
        es: "Con la primera carta que va a otro lado mientras una mano doblada espera la suya; si ninguna va, al empezar a retirar o pagar con la banca definida.",
        en: "At the first card that goes elsewhere while a doubled hand waits for its own; where none does, when collecting or paying begins with the bank defined.",
    },
    remedy: Bi {
        es: "Ofrecer al apostador retirar la apuesta, con lo puesto para doblar, o recibir la próxima carta.",
        en: "Offer the bettor to withdraw the bet, what was put to double included, or to take the next card.",
    },
    readings: &[Reading {
        number: 15,
        words: Bi {
            es: "El apostador retira sólo esa apuesta, con lo puesto para doblar; una apuesta anulada se devuelve entera.",
            en: "The bettor withdraws only that bet, what was put to double included; a void bet is returned whole.",
        },
    }],
    cases: &[&DOUBLE_NOT_SERVED],
    on: &[On::Event(Kind::Draw), On::Event(Kind::Collect), On::Event(Kind::Pay)],
    needs: Facts::of(&[Places, Choices, Hands]),
    check,
    ..Article::enforced(file!())
};

static DOUBLE_NOT_SERVED: Case = Case {
    es: "el {place} dobló y no recibió su carta: ofrecerle retirar la apuesta o la próxima carta",
    en: "{place} doubled and got no card: offer to withdraw the bet or take the next card",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some(drawn) = context.meaning.drawn else { return check_settled(context, findings) };
    // who serves what another finding asks for passes nobody over
    if drawn.place.is_some_and(|place| context.duties.asks_for(Part::Serve(place))) {
        return;
    }
    let turn = context.state.pass.turn();
    for id in context.state.pass.hands_with(Status::Doubling) {
        let waits = turn.is_none_or(|turn| context.state.pass.plays_before(id, turn));
        // one without its chips is no double yet (O1)
        let is_unpaid = context.state.pass.hand(id).is_some_and(Hand::is_unpaid_double);
        if waits
            && !(is_unpaid && context.state.observes.bets)
            && drawn.place != Some(Place::from(id))
            && context.duties.offers(id).next().is_none()
        {
            findings.raise(&DOUBLE_NOT_SERVED, Place::from(id)).offer(id, [Taken::Withdraw, Taken::NextCard]);
        }
    }
}

/// Settlement begins with the bank defined.
fn check_settled(context: &Context<'_>, findings: &mut Findings<'_>) {
    let (Event::Collect { spot, .. } | Event::Pay { spot, .. }) = context.event else { return };
    if *spot != BetSpot::Main || !context.state.bank_is_final() || context.state.puts_right(context.event) {
        return;
    }
    for id in context.state.left_doubled() {
        if let Some(raised) = findings.raise_once(&DOUBLE_NOT_SERVED, Place::from(id)) {
            raised.offer(id, [Taken::Withdraw, Taken::NextCard]);
        }
    }
}
