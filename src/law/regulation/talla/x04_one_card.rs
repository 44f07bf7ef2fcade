//! T-X4. One card for a double.

use crate::regulation::prelude::*;
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "T-X4",
    title: Bi { es: "Una sola carta", en: "One card for a double" },
    gist: Bi { es: "Quien dobla recibe una sola carta.", en: "Who doubles gets one card only." },
    raised: Bi {
        es: "Con una carta más para una mano que ya recibió la de su doble, y cuando pide otra o vuelve a doblar.",
        en: "At a further card for a hand that has its double's card, and when it asks for another or doubles again.",
    },
    remedy: Bi {
        es: "La carta: decide la sala (`rule`). El pedido no tiene efecto.",
        en: "The card: the room decides (`rule`). What was asked for has no effect.",
    },
    cases: &[&CARD_TOO_MANY, &ASKED_FOR_CARD],
    on: &[On::Card(Role::NotDue), On::Decide(Choice::Hit), On::Decide(Choice::Double)],
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&CARD_TOO_MANY, Facts::of(&[Places, Choices, Hands])),
        (&ASKED_FOR_CARD, Facts::of(&[Decisions, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static CARD_TOO_MANY: Case = Case {
    es: "el {place} dobló y recibió otra carta: decide la sala",
    en: "{place} doubled and got another card: the room decides",
};

static ASKED_FOR_CARD: Case = Case {
    es: "el {place} dobló y ya tiene su carta: lo pedido no vale",
    en: "{place} doubled and has its card: what it asks for does not count",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let has_its_card = |id: HandId| context.state.pass.hand(id).is_some_and(|hand| hand.doubled && hand.count() > 2);
    if let Event::Decide { hand: id, choice, .. } = context.event
        && context.state.pass.hand(*id).is_some_and(|hand| hand.asks_beyond_double(*choice))
    {
        findings.raise(&ASKED_FOR_CARD, Place::from(*id)).no_effect();
    }
    if let Some(id) = context.meaning.drawn.and_then(|drawn| drawn.hand())
        && has_its_card(id)
    {
        findings.raise(&CARD_TOO_MANY, Place::from(id)).leave_to_room();
    }
}
