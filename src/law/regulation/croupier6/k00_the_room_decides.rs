//! K0. The room decides.

use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;
use crate::regulation::shared::{delivery, unforeseen};
use crate::table::settings::RunOut;

pub(super) static ARTICLE: Article = Article {
    id: "K0",
    title: Bi { es: "Lo no previsto", en: "What is not provided for" },
    gist: Bi {
        es: "Lo que el texto no prevé lo decide la autoridad de la sala.",
        en: "What the text does not provide for is decided by the authorities of the room.",
    },
    raised: Bi {
        es: "Ante una carta que nada pedía, también si la mano ya se liquidó y retiró, un lugar sin carta cuando empieza el juego, un sabot que se agota o se cambia cuando falta una carta, o al que le falta la que se pide después, un pase que termina con manos sin jugar, cartas retiradas antes de que se decida lo que valen, un pago, una decisión o un movimiento de cartas que ningún otro artículo nombra, lo que es de casas donde bancan los jugadores, y ante todo informe sin artículo.",
        en: "At a card nothing asked for, to a hand settled and retired too, a place without a card when play begins, a shoe that runs out or is changed while a card is due, or lacks the one asked for afterwards, a pass that ends with hands unfinished, cards taken away before what they are worth is decided, a payment, a decision or a movement of cards that no other article names, what belongs to houses where players bank, and at every report without an article.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): la carta vale donde está (`stands`), no vale (`resume`), o la apuesta se anula (`void`) o se pierde (`lose`).",
        en: "The room decides (`rule`): the card counts where it lies (`stands`), does not count (`resume`), or the bet is void (`void`) or lost (`lose`).",
    },
    settings: &["misdealt"],
    readings: &[
        Reading {
            number: 15,
            words: Bi {
                es: "El texto no dice qué se hace con una carta mal dada: no cuenta mientras la sala no decida; si la sala la deja (`stands`), cuenta donde está desde entonces.",
                en: "The text does not say what becomes of a misdealt card: it does not count until the room decides; if the room lets it stand (`stands`), it counts where it lies from then on.",
            },
        },
        Reading {
            number: 16,
            words: Bi {
                es: "La entrega se cierra cuando empieza el juego. Al lugar que quedó sin carta se le puede servir todavía; la falta la decide la sala.",
                en: "The delivery closes when play begins. A place left without a card may still be served; the omission is for the room to decide.",
            },
        },
    ],
    cases: &[
        &REPORTED_WITHOUT_ARTICLE,
        &NOT_PROVIDED_FOR,
        &UNDUE_CARD,
        &CARD_BURNED,
        &CARD_TO_RETIRED,
        &NO_CARD,
        &CLEARED_EARLY,
        &SHOE_RAN_OUT,
        &SHOE_CHANGED,
        &LEFT_UNFINISHED,
        &unforeseen::MONEY_IN_DELIVERY,
    ],
    on: on![
        unforeseen::ON,
        delivery::ON,
        &[On::Play, On::Event(Kind::Consent)],
        &[On::Card(Role::NotDue), On::Card(Role::BankEarly), On::Card(Role::Burned)],
        &[On::Event(Kind::Device), On::Event(Kind::Load)]
    ],
    cases_needing: &[
        (&REPORTED_WITHOUT_ARTICLE, Facts::NONE),
        (&CARD_BURNED, Facts::of(&[Places])),
        (&NO_CARD, Facts::of(&[Places, Bets, Hands])),
        (&CLEARED_EARLY, Facts::of(&[Moves, Hands])),
        (&unforeseen::MONEY_IN_DELIVERY, Facts::of(&[Bets, Hands])),
    ],
    check,
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

static CARD_BURNED: Case = Case {
    es: "se extrajo y se quemó una carta en medio del pase: decide la sala",
    en: "a card was drawn and burned in mid-pass: the room decides",
};

static NO_CARD: Case = Case {
    es: "{place} sin carta en la entrega: decide la sala",
    en: "{place} left without a card in the delivery: the room decides",
};

static CLEARED_EARLY: Case = Case {
    es: "cartas retiradas antes de tiempo ({place}): decide la sala",
    en: "cards taken away too early ({place}): the room decides",
};

static CARD_TO_RETIRED: Case = Case {
    es: "carta para una mano ya liquidada y retirada ({place}): decide la sala",
    en: "a card to a hand settled and retired ({place}): the room decides",
};

static SHOE_RAN_OUT: Case = Case {
    es: "el sabot se agotó cuando faltaba una carta: decide la sala",
    en: "the shoe ran out with a card due: the room decides",
};

static SHOE_CHANGED: Case = Case {
    es: "se cambió el sabot cuando faltaba una carta: decide la sala",
    en: "the shoe was changed with a card due: the room decides",
};

static LEFT_UNFINISHED: Case = Case {
    es: "el pase terminó con manos sin jugar: decide la sala",
    en: "the pass ended with hands unfinished: the room decides",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(place) = unforeseen::cleared_early(context).filter(|_| findings.raised.is_empty()) {
        unforeseen::lets_go_on(findings.raise(&CLEARED_EARLY, place).part(Part::Rule), place);
    }
    if let Some(place) = unforeseen::unasked_consent(context) {
        findings.raise(&NOT_PROVIDED_FOR, place).part(Part::Rule);
    }
    unforeseen::check(
        &unforeseen::Cases { not_provided_for: &NOT_PROVIDED_FOR, reported: &REPORTED_WITHOUT_ARTICLE },
        context,
        findings,
    );
    let misdealt = context.meaning.drawn.filter(|drawn| matches!(drawn.role, Role::NotDue | Role::BankEarly));
    if let Some(drawn) = misdealt {
        let is_retired = |id: HandId| context.state.pass.hand(id).is_some_and(|hand| hand.is_retired());
        let case = if drawn.hand().is_some_and(is_retired) { &CARD_TO_RETIRED } else { &UNDUE_CARD };
        findings.raise(case, drawn.place).misdealt(context, drawn.place.unwrap_or(Place::Shoe));
    }
    if context.meaning.drawn.is_some_and(|drawn| drawn.role == Role::Burned) && is_in_midst(context) {
        findings.raise(&CARD_BURNED, Place::Burn).part(Part::Rule);
    }
    if let Some(case) = unfinished(context, findings) {
        findings.raise(case, None).part(Part::Rule);
    }
    delivery::check_omitted(&NO_CARD, context, findings);
    unforeseen::check_money_in_delivery(context, findings);
}

/// Cards lie on the felt, and are not being cleared yet.
fn is_in_midst(context: &Context<'_>) -> bool {
    let state = context.state;
    let has_cards = state.is_first_delivery_begun() || state.pass.bank.served > 0;
    has_cards && !state.pass.has(Milestone::Clearing)
}

/// A shoe that runs out, or is changed, while a card is due; a pass that ends with hands unfinished.
fn unfinished(context: &Context<'_>, findings: &Findings<'_>) -> Option<&'static Case> {
    let state = context.state;
    if !state.pass.is_dealt() {
        return None;
    }
    let is_anothers = context.settings.shoe.cards_run_out != RunOut::Room;
    let is_known = is_anothers || findings.knows_anywhere(&SHOE_RAN_OUT) || findings.knows_anywhere(&SHOE_CHANGED);
    match context.event {
        Event::Device { .. } if context.event.empties_shoe() && !is_known => {
            state.card_surely_due().map(|_| &SHOE_RAN_OUT)
        }
        // a choice may be what a card is due for
        Event::Decide { hand, choice, by } if !is_known && state.supply.is_empty() => {
            let is_heard = state.delivered() && state.pass.may_speak(*hand, by.as_ref());
            let due = is_heard.then(|| state.card_surely_due_once(*hand, *choice)).flatten();
            due.map(|_| &SHOE_RAN_OUT)
        }
        Event::Load { .. } if !is_known => state.card_surely_due().map(|_| &SHOE_CHANGED),
        Event::End {} => state.has_unfinished_hands().then_some(&LEFT_UNFINISHED),
        _ => None,
    }
}
