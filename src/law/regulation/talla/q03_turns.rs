//! T-Q3. Turns.

use crate::regulation::prelude::*;
use crate::regulation::shared::{money, turns};
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q3",
    title: Bi { es: "Orden del juego", en: "Turns" },
    gist: Bi {
        es: "El jugador a la derecha del pagador juega primero; se juega, se paga y se retira en orden por la derecha, sin intercalar.",
        en: "The player at the dealer's right plays first; play, payment and collection go round from the right, without skipping.",
    },
    raised: Bi {
        es: "Con una pregunta, decisión o carta para una mano mientras una anterior no terminó (el seguro y el pago sencillo aparte); al volver a una mano que se plantó: cuando pide, o con una carta; y, terminada la banca, al pagar o retirar la apuesta de una mano mientras una anterior espera lo suyo.",
        en: "At a question, decision or card for a hand while an earlier one is unfinished (insurance and single pay apart); when play goes back to a hand that stood: when it asks for a card, or at a card; and, with the bank final, at a payment or collection for a hand while an earlier one still waits for its own.",
    },
    remedy: Bi {
        es: "Volver al orden; una mano que se plantó no pide, y sobre la carta que recibe decide la sala (`rule`).",
        en: "Go back to the order; a hand that stood draws no more, and on a card it gets the room decides (`rule`).",
    },
    settings: &["first_box", "losers_first"],
    readings: &[Reading {
        number: 20,
        words: Bi {
            es: "Lo que se decide antes que la banca juegue (una mano pasada, una rendición, un pago sencillo) puede saldarse enseguida; el orden se mira cuando la banca terminó.",
            en: "What is decided before the bank plays (a hand over 21, a surrender, single pay) may be settled at once; the order is looked at when the bank is final.",
        },
    }],
    cases: &[&PASSED_OVER, &GONE_BACK, &CARD_TO_STOOD, &SETTLED_OUT_OF_ORDER],
    on: on![turns::ON, &[On::Event(Kind::Pay), On::Event(Kind::Collect)]],
    needs: Facts::of(&[Decisions, Hands]),
    cases_needing: &[
        (&CARD_TO_STOOD, Facts::of(&[Places, Decisions, Hands])),
        (&SETTLED_OUT_OF_ORDER, Facts::of(&[Bets, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static PASSED_OVER: Case = Case {
    es: "se siguió con otra mano sin que terminara el {place}",
    en: "play went on elsewhere with {place} unfinished",
};

static GONE_BACK: Case =
    Case { es: "se volvió al {place}, que ya se plantó", en: "play went back to {place}, which has stood" };

static CARD_TO_STOOD: Case = Case {
    es: "el {place} se plantó y recibió otra carta: decide la sala",
    en: "{place} has stood and got another card: the room decides",
};

static SETTLED_OUT_OF_ORDER: Case = Case {
    es: "se pagó o retiró otra apuesta antes que la del {place}",
    en: "another bet was paid or collected before that of {place}",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    turns::check(&PASSED_OVER, context, findings);
    goes_back(context, findings);
    if let Some(place) = money::settled_out_of_order(context, |owed| owed.net() != 0).map(Place::from)
        && !findings.knows(&SETTLED_OUT_OF_ORDER, place)
    {
        findings.raise(&SETTLED_OUT_OF_ORDER, place);
    }
}

/// Play goes back to a hand that has stood. A question does not take it there: one told late asks of what was decided
/// long ago. Doubling, splitting and surrender have articles of their own.
fn goes_back(context: &Context<'_>, findings: &mut Findings<'_>) {
    let pass = &context.state.pass;
    let has_stood = |id: HandId| {
        let hand = pass.hand(id).filter(|hand| hand.stood && !hand.doubled && !hand.one_card_only && !hand.void);
        hand.is_some_and(|hand| !hand.is_blackjack() && !hand.went_over_seen())
    };
    match context.event {
        Event::Decide { hand: id, choice: Choice::Hit, by } if has_stood(*id) && pass.may_speak(*id, by.as_ref()) => {
            findings.raise(&GONE_BACK, Place::from(*id)).no_effect();
        }
        Event::Draw { .. } => {
            let drawn = context.meaning.drawn.filter(|drawn| drawn.role == Role::NotDue);
            if let Some(id) = drawn.and_then(|drawn| drawn.hand()).filter(|id| has_stood(*id)) {
                findings.raise(&CARD_TO_STOOD, Place::from(id)).leave_to_room();
            }
        }
        _ => {}
    }
}
