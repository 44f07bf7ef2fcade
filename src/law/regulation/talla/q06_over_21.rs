//! T-Q6. A hand draws up to 21.

use crate::regulation::prelude::*;
use crate::regulation::shared::total;
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q6",
    title: Bi { es: "Pedir sin superar 21", en: "A hand draws up to 21" },
    gist: Bi {
        es: "Cada jugador pide las cartas que desee sin superar 21; la mano que lo supera pierde.",
        en: "Every player asks for as many cards as he likes without going over 21; a hand that does loses.",
    },
    raised: Bi {
        es: "Al pagar una mano pasada de 21, al fin del pase si no se retiró, al pedir carta con una mano pasada de 21, y al cantar mal el total de una mano.",
        en: "When a hand over 21 is paid, at the end of the pass if it was not collected, when a card is asked for with a hand over 21, and at a hand's total called wrongly.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    settings: &["hit_at_21"],
    readings: &[
        Reading {
            number: 23,
            words: Bi {
                es: "Con 21 en más de dos cartas nadie espera que la mano siga, pero puede pedir.",
                en: "With 21 in more than two cards nobody waits for the hand, but it may ask for a card.",
            },
        },
        Reading {
            number: 24,
            words: Bi {
                es: "Un total con as puede cantarse de las dos maneras.",
                en: "A total with an ace may be called either way.",
            },
        },
    ],
    cases: &[&PAID_OVER_21, &NOT_COLLECTED, &ASKED_OVER_21, &WRONG_TOTAL],
    on: &[On::Event(Kind::Announce), On::Decide(Choice::Hit)],
    needs: Facts::of(&[Bets, Hands]),
    cases_needing: &[
        (&ASKED_OVER_21, Facts::of(&[Decisions, Hands])),
        (&WRONG_TOTAL, Facts::of(&[Announcements, Hands])),
    ],
    check,
    money,
    ..Article::valuation(file!())
};

static PAID_OVER_21: Case =
    Case { es: "se pagó al {place}, que se pasó de 21", en: "{place} was paid though it went over 21" };

static NOT_COLLECTED: Case = Case {
    es: "el pase terminó sin retirar la apuesta del {place}, que se pasó de 21",
    en: "the pass ended with the stake of {place}, over 21, not collected",
};

static ASKED_OVER_21: Case =
    Case { es: "el {place} se pasó de 21: no puede pedir carta", en: "{place} is over 21: it may not ask for a card" };

static WRONG_TOTAL: Case = Case { es: "total mal cantado: {place}", en: "wrong total called: {place}" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Decide { hand: id, choice: Choice::Hit, by } = context.event
        && context.state.pass.may_speak(*id, by.as_ref())
        && context.state.pass.hand(*id).is_some_and(|hand| !hand.void && hand.went_over_seen())
    {
        findings.raise(&ASKED_OVER_21, Place::from(*id)).no_effect();
    }
    if let Some(place @ Place::Hand(_)) = total::wrong(context) {
        findings.raise(&WRONG_TOTAL, place);
    }
}

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    let is_over = !mistake.hand.void && mistake.hand.went_over();
    match mistake.kind {
        MistakeKind::NothingOwed if is_over => Some(&PAID_OVER_21),
        MistakeKind::Unsettled if is_over => Some(&NOT_COLLECTED),
        _ => None,
    }
}
