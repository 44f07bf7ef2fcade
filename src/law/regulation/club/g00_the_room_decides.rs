//! G0. The room decides.

use crate::regulation::prelude::*;
use crate::regulation::shared::{delivery, unforeseen};
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "G0",
    title: Bi { es: "Lo no previsto", en: "What is not provided for" },
    gist: Bi {
        es: "Lo que el texto no prevé lo decide la autoridad de la sala.",
        en: "What the text does not provide for is decided by the authorities of the room.",
    },
    raised: Bi {
        es: "Ante una entrega incompleta, una decisión de quien no es el jugador de ese casillero o para una mano que ya no puede pedir ni doblar, un pago o un movimiento de cartas que ningún otro artículo nombra, y ante todo informe sin artículo.",
        en: "At an incomplete delivery, a decision by somebody who is not the box's player or for a hand that may neither draw nor double any more, a payment or a movement of cards that no other article names, and at every report without an article.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): se sigue (`resume`), vale lo hecho (`stands`), o la apuesta se anula (`void`) o se pierde (`lose`). Una decisión sin efecto deja la mano como estaba.",
        en: "The room decides (`rule`): play goes on (`resume`), what was done stands (`stands`), or the bet is void (`void`) or lost (`lose`). A decision without effect leaves the hand as it was.",
    },
    readings: &[Reading {
        number: 17,
        words: Bi {
            es: "Cada jugador decide por su apuesta: el texto da las opciones «al jugador».",
            en: "Each player decides for his own bet: the text gives the choices to “the player”.",
        },
    }],
    cases: &[
        &REPORTED_WITHOUT_ARTICLE,
        &NOT_PROVIDED_FOR,
        &NO_CARD,
        &DECIDED_BY_ANOTHER,
        &NO_LONGER_IN_PLAY,
        &WRONG_AMOUNT,
        &unforeseen::MONEY_IN_DELIVERY,
    ],
    on: on![unforeseen::ON, delivery::ON, &[On::Play, On::Event(Kind::Consent)]],
    cases_needing: &[
        (&REPORTED_WITHOUT_ARTICLE, Facts::NONE),
        (&NO_CARD, Facts::of(&[Places, Bets, Hands])),
        (&DECIDED_BY_ANOTHER, Facts::of(&[Decisions, Bets])),
        (&WRONG_AMOUNT, Facts::of(&[Bets, Hands])),
        (&unforeseen::MONEY_IN_DELIVERY, Facts::of(&[Bets, Hands])),
        (&NO_LONGER_IN_PLAY, Facts::of(&[Decisions, Hands])),
    ],
    check,
    money: |_, mistake| (mistake.spot == BetSpot::Main).then_some(&WRONG_AMOUNT),
    ..Article::enforced(file!())
};

static REPORTED_WITHOUT_ARTICLE: Case = Case {
    es: "informe sin artículo ({place}): decide la sala",
    en: "a report without an article ({place}): the room decides",
};

static NOT_PROVIDED_FOR: Case = Case {
    es: "hecho no previsto ({place}): decide la sala",
    en: "something not provided for ({place}): the room decides",
};

static NO_CARD: Case = Case {
    es: "sin carta en su vuelta ({place}): decide la sala",
    en: "left without a card of the round ({place}): the room decides",
};

static DECIDED_BY_ANOTHER: Case = Case {
    es: "decidió por el {place} quien no es su jugador: no vale, decide la sala",
    en: "somebody other than its player decided for {place}: it does not count, the room decides",
};

static NO_LONGER_IN_PLAY: Case = Case {
    es: "el {place} ya no puede pedir ni doblar: no vale, decide la sala",
    en: "{place} may neither draw nor double any more: it does not count, the room decides",
};

static WRONG_AMOUNT: Case = Case {
    es: "se pagó o retiró por el {place} otro importe que el debido",
    en: "an amount other than was due was paid or collected for {place}",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Decide { hand, choice, by } = context.event
        && !context.state.pass.may_speak(*hand, by.as_ref())
    {
        findings
            .raise(&DECIDED_BY_ANOTHER, Place::from(*hand))
            .part(Part::Rule)
            .no_effect()
            .stands(Effect::Chosen(*hand, *choice));
    } else if let Some(id) = no_longer_in_play(context).filter(|_| findings.raised.is_empty()) {
        findings.raise(&NO_LONGER_IN_PLAY, Place::from(id)).part(Part::Rule).no_effect();
    }
    if let Some(place) = unforeseen::unasked_consent(context) {
        findings.raise(&NOT_PROVIDED_FOR, place).part(Part::Rule);
    }
    unforeseen::check(
        &unforeseen::Cases { not_provided_for: &NOT_PROVIDED_FOR, reported: &REPORTED_WITHOUT_ARTICLE },
        context,
        findings,
    );
    delivery::check_omitted(&NO_CARD, context, findings);
    unforeseen::check_money_in_delivery(context, findings);
}

/// The hand that asks for a card, or doubles, though it has gone over, is settled, or is a Black Jack.
fn no_longer_in_play(context: &Context<'_>) -> Option<HandId> {
    let Event::Decide { hand: id, choice: Choice::Hit | Choice::Double, .. } = context.event else { return None };
    let hand = context.state.pass.hand(*id).filter(|hand| hand.count() > 1 && !hand.is_covered())?;
    let blackjack = hand.is_blackjack() && !hand.split;
    (blackjack || hand.is_over() || hand.is_retired()).then_some(*id)
}
