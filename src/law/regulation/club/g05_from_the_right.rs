//! G5. Payment from the right.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::money;

pub(super) static ARTICLE: Article = Article {
    id: "G5",
    title: Bi { es: "Se paga desde la derecha", en: "Payment from the right" },
    gist: Bi {
        es: "Terminada la mano de la banca, las apuestas ganadoras se pagan una por una, empezando por la derecha del banquero.",
        en: "Once the bank's hand is complete, winning bets are paid one after the other, beginning at the banker's right.",
    },
    raised: Bi {
        es: "Con la mano de la banca completa, o pagándose Black Jacks en el acto, al pagar una apuesta mientras otra más a la derecha espera su pago. Se señala una vez por apuesta saltada.",
        en: "With the bank's hand complete, or Black Jacks paid at once, when a bet is paid while another further to the right still has its payment to come. Each bet passed over is told once.",
    },
    remedy: Bi { es: "Volver a la apuesta saltada.", en: "Go back to the bet passed over." },
    settings: &["first_box"],
    readings: &[Reading {
        number: 3,
        words: Bi {
            es: "El orden es de los pagos y rige desde que la banca tiene su mano completa; antes, entre los Black Jacks que se pagan en el acto. Un empate no espera nada, y las apuestas perdidas se retiran en cualquier orden.",
            en: "The order is that of payments and holds from when the bank's hand is complete; before, among Black Jacks that are paid at once. A tie waits for nothing, and lost bets are collected in any order.",
        },
    }],
    cases: &[&PAID_OUT_OF_ORDER],
    on: &[On::Event(Kind::Pay)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static PAID_OUT_OF_ORDER: Case = Case {
    es: "se pagó otra apuesta antes que la del {place}, que está más a la derecha",
    en: "another bet was paid before that of {place}, which lies further to the right",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let passed_over = money::settled_out_of_order(context, |owed| owed.net() > 0).or_else(|| blackjack_before(context));
    if let Some(id) = passed_over {
        findings.raise_once(&PAID_OUT_OF_ORDER, Place::from(id));
    }
}

/// The first Black Jack to be paid at once (G7) that waits though a later one is paid.
fn blackjack_before(context: &Context<'_>) -> Option<HandId> {
    let (state, Event::Pay { hand: to, spot: BetSpot::Main, .. }) = (context.state, context.event) else { return None };
    let is_paid_at_once = |hand: &Hand| !hand.void && !hand.lost && state.is_paid_at_once(hand);
    if state.gives_back(context.event) || !state.pass.hand(*to).is_some_and(is_paid_at_once) {
        return None;
    }
    let waits = |hand: &Hand| is_paid_at_once(hand) && !hand.is_touched(BetSpot::Main);
    state.pass.hands_with(Status::InPlay).before(*to).find(|id| state.pass.hand(*id).is_some_and(waits))
}
