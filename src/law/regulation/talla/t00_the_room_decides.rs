//! T0. The room decides.

use crate::procedure::apply::Effect;
use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;
use crate::regulation::shared::{decks, delivery, unforeseen};

pub(super) static ARTICLE: Article = Article {
    id: "T0",
    title: Bi { es: "Lo no previsto", en: "What is not provided for" },
    gist: Bi {
        es: "Lo que el texto no prevé lo decide la autoridad de la sala.",
        en: "What the text does not provide for is decided by the authorities of the room.",
    },
    raised: Bi {
        es: "Ante una carta que nada pedía, una entrega incompleta, una decisión ajena, un pase que termina en plena entrega o con la banca sin sus dos cartas y manos en juego, una carta que ya salió tantas veces como mazos hay, un pago o un movimiento de cartas que ningún otro artículo nombra, y ante todo informe sin artículo.",
        en: "At a card nothing asked for, an incomplete delivery, somebody else's decision, a pass that ends in its delivery, or with hands in play and the bank without its two cards, a card that has come out as often as there are decks, a payment or a movement of cards that no other article names, and at every report without an article.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): la carta vale donde está (`stands`), no vale (`resume`), o la apuesta se anula (`void`) o se pierde (`lose`).",
        en: "The room decides (`rule`): the card counts where it lies (`stands`), does not count (`resume`), or the bet is void (`void`) or lost (`lose`).",
    },
    readings: &[
        Reading {
            number: 29,
            words: Bi {
                es: "Por cada casillero decide quien apostó en él; donde no se nombra a nadie, se entiende que habló él.",
                en: "For each box its bettor decides; where nobody is named he is taken to have spoken.",
            },
        },
        Reading {
            number: 30,
            words: Bi {
                es: "El texto no dice con cuántos mazos se juega: una carta de más se señala sólo donde se informó con cuántos se armó el sabot.",
                en: "The text does not say how many decks are used: a card too many is found only where it was told of how many the shoe was made up.",
            },
        },
    ],
    cases: &[
        &REPORTED_WITHOUT_ARTICLE,
        &NOT_PROVIDED_FOR,
        &UNDUE_CARD,
        &NO_CARD,
        &DECIDED_BY_ANOTHER,
        &CARD_TOO_OFTEN,
        &PAID_WITHOUT_WINNING,
        &COLLECTED_WITHOUT_LOSING,
        &WRONG_AMOUNT,
        &NOT_SETTLED,
        &unforeseen::MONEY_IN_DELIVERY,
        &LEFT_UNFINISHED,
    ],
    case_severities: &[(&CARD_TOO_OFTEN, Severity::Integrity)],
    on: on![unforeseen::ON, &[On::Event(Kind::Draw), On::Event(Kind::Consent), On::Play]],
    cases_needing: &[
        (&REPORTED_WITHOUT_ARTICLE, Facts::NONE),
        (&NO_CARD, Facts::of(&[Places, Bets, Hands])),
        (&DECIDED_BY_ANOTHER, Facts::of(&[Decisions, Bets])),
        (&CARD_TOO_OFTEN, Facts::NONE),
        (&PAID_WITHOUT_WINNING, Facts::of(&[Bets, Hands])),
        (&COLLECTED_WITHOUT_LOSING, Facts::of(&[Bets, Hands])),
        (&WRONG_AMOUNT, Facts::of(&[Bets, Hands])),
        (&NOT_SETTLED, Facts::of(&[Bets, Hands])),
        (&unforeseen::MONEY_IN_DELIVERY, Facts::of(&[Bets, Hands])),
        (&LEFT_UNFINISHED, Facts::of(&[Choices, Hands])),
    ],
    check,
    money,
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

static UNDUE_CARD: Case = Case {
    es: "carta que nada pedía ({place}): decide la sala",
    en: "a card nothing asked for ({place}): the room decides",
};

static NO_CARD: Case = Case {
    es: "{place} sin carta en la entrega: decide la sala",
    en: "{place} left without a card in the delivery: the room decides",
};

static DECIDED_BY_ANOTHER: Case = Case {
    es: "por el {place} decidió quien no apostó en él: no vale, y decide la sala",
    en: "somebody other than its bettor decided for {place}: it does not count, and the room decides",
};

static CARD_TOO_OFTEN: Case = Case {
    es: "esta carta ya había salido tantas veces como mazos hay en el sabot ({place})",
    en: "this card had already come out as often as there are decks in the shoe ({place})",
};

static PAID_WITHOUT_WINNING: Case =
    Case { es: "se pagó al {place}, que no gana", en: "{place} was paid though it does not win" };

static COLLECTED_WITHOUT_LOSING: Case = Case {
    es: "se retiró la apuesta del {place}, que no pierde",
    en: "the stake of {place} was collected though it does not lose",
};

static WRONG_AMOUNT: Case = Case {
    es: "se pagó o retiró por el {place} otro importe que el debido",
    en: "an amount other than was due was paid or collected for {place}",
};

static NOT_SETTLED: Case =
    Case { es: "el pase terminó sin saldar el {place}", en: "the pass ended with {place} not settled" };

static LEFT_UNFINISHED: Case = Case {
    es: "el pase terminó sin que la entrega se completara o la banca tuviera sus dos cartas: decide la sala",
    en: "the pass ended with the delivery not complete, or the bank without its two cards: the room decides",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    decision_by_another(context, findings);
    unforeseen::check(
        &unforeseen::Cases { not_provided_for: &NOT_PROVIDED_FOR, reported: &REPORTED_WITHOUT_ARTICLE },
        context,
        findings,
    );
    if let Some(place) = unforeseen::unasked_consent(context) {
        findings.raise(&NOT_PROVIDED_FOR, place).part(Part::Rule);
    }
    decks::check_card(&CARD_TOO_OFTEN, context, findings);
    let nothing_asked = |role| matches!(role, Role::NotDue | Role::Burned);
    if let Some(drawn) = context.meaning.drawn.filter(|drawn| nothing_asked(drawn.role) && !findings.names_card()) {
        let raised = findings.raise(&UNDUE_CARD, drawn.place);
        // where nobody sees where it goes it may be the bank's, which is burned
        match drawn.place {
            None if context.state.unknown().has(Places) => raised.misdealt(context, Place::Shoe),
            _ => raised.leave_to_room(),
        };
    }
    delivery::check_omitted(&NO_CARD, context, findings);
    unforeseen::check_money_in_delivery(context, findings);
    if matches!(context.event, Event::End {}) && is_left_unfinished(context) {
        findings.raise(&LEFT_UNFINISHED, None).part(Part::Rule);
    }
}

/// The pass ends in its delivery, or with hands in play against a bank that has too few cards.
fn is_left_unfinished(context: &Context<'_>) -> bool {
    let pass = &context.state.pass;
    let in_delivery = || pass.boxes_wait() || pass.bank.served == 0;
    // a hand with a card that could not be read may be over 21
    let is_somebody_left = context.state.somebody_is_surely_left();
    let is_open = !pass.has(Milestone::Clearing) && pass.is_dealt() && is_somebody_left;
    is_open && (in_delivery() || pass.bank.cards.tally().count < 2)
}

/// A decision by somebody else than the bettor, where no other article has made it void.
fn decision_by_another(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Decide { hand, choice, by } = context.event else { return };
    let is_void = findings.raised.iter().any(|raised| raised.effects.contains(&Effect::NoEffect));
    if !context.state.pass.may_speak(*hand, by.as_ref()) && !is_void {
        findings
            .raise(&DECIDED_BY_ANOTHER, Place::from(*hand))
            .part(Part::Rule)
            .no_effect()
            .stands(Effect::Chosen(*hand, *choice));
    }
}

/// Wrong payments and collections, and main bets left at the end, that no other article has named.
fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    let case = match mistake.kind {
        MistakeKind::NothingOwed => &PAID_WITHOUT_WINNING,
        MistakeKind::NothingLost => &COLLECTED_WITHOUT_LOSING,
        MistakeKind::WrongPayment | MistakeKind::WrongCollection => &WRONG_AMOUNT,
        MistakeKind::Unsettled => &NOT_SETTLED,
    };
    (mistake.spot == BetSpot::Main).then_some(case)
}
