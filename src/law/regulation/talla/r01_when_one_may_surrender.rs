//! T-R1. When a hand may be surrendered.

use crate::regulation::prelude::*;
use crate::table::event::Choice;
use crate::table::settings::Surrender;

pub(super) static ARTICLE: Article = Article {
    id: "T-R1",
    title: Bi { es: "Cuándo se rinde una mano", en: "When a hand may be surrendered" },
    gist: Bi {
        es: "Una mano se rinde sólo con sus dos primeras cartas y antes de {bank_second_card|covered=que la banca descubra su segunda carta|_=la segunda carta de la banca}.",
        en: "A hand is surrendered only on its first two cards and before {bank_second_card|covered=the bank uncovers its second card|_=the bank's second card}.",
    },
    raised: Bi {
        es: "Al rendir una mano que no tiene sólo sus dos primeras cartas, abierta o doblada; después de {bank_second_card|covered=que la banca descubrió su segunda carta|_=la segunda carta de la banca}; o con Black Jack; y cuando la mano se plantó y el juego ya pasó a otra.",
        en: "When a hand is surrendered that has not its first two cards alone, is split or doubled; after {bank_second_card|covered=the bank has uncovered its second card|_=the bank's second card}; or with a Black Jack; and when the hand has stood and play has moved on.",
    },
    remedy: Bi {
        es: "La palabra no vale: la mano sigue en juego.",
        en: "The word does not count: the hand stays in play.",
    },
    settings: &["surrender"],
    readings: &[Reading {
        number: 10,
        words: Bi {
            es: "Quien se plantó con dos cartas puede rendirse hasta que el juego pasa a otra mano o se ofrece seguro. {surrender|late=Rendida, la mano entrega su mitad, pero todo si la banca tiene Black Jack.|_=Rendida, la mano entrega su mitad aunque la banca tenga Black Jack.}",
            en: "Who has stood on two cards may surrender until play moves on to another hand, or insurance is offered. {surrender|late=Once surrendered a hand gives up its half, but all of it where the bank has a Black Jack.|_=Once surrendered a hand gives up its half and no more, even where the bank has a Black Jack.}",
        },
    }],
    cases: &[&NOT_FIRST_TWO_CARDS, &BANK_HAS_SECOND_CARD, &HAS_BLACKJACK, &PLAY_HAS_MOVED_ON],
    on: &[On::Decide(Choice::Surrender)],
    needs: Facts::of(&[Decisions, Hands]),
    check,
    ..Article::enforced(file!())
};

static NOT_FIRST_TWO_CARDS: Case = Case {
    es: "el {place} no puede rendirse: no tiene sólo sus dos primeras cartas",
    en: "{place} may not surrender: it has not its first two cards alone",
};

static BANK_HAS_SECOND_CARD: Case = Case {
    es: "el {place} no puede rendirse: la banca ya {bank_second_card|covered=descubrió|_=tiene} su segunda carta",
    en: "{place} may not surrender: the bank has {bank_second_card|covered=uncovered |_=}its second card",
};

static HAS_BLACKJACK: Case =
    Case { es: "el {place} no puede rendirse: tiene Black Jack", en: "{place} may not surrender: it has a Black Jack" };

static PLAY_HAS_MOVED_ON: Case = Case {
    es: "el {place} no puede rendirse: se plantó, y el juego ya pasó a otra mano",
    en: "{place} may not surrender: it has stood, and play has moved on",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let Event::Decide { hand: id, choice: Choice::Surrender, by } = context.event else { return };
    let Some(hand) = state.pass.hand(*id).filter(|hand| !hand.void && !hand.surrendered) else { return };
    if context.settings.stakes.surrender == Surrender::Never || !state.pass.may_speak(*id, by.as_ref()) {
        return;
    }
    let case = if state.pass.bank.served >= 2 && !state.pass.bank.is_covered() {
        &BANK_HAS_SECOND_CARD
    } else if hand.count() != 2 || hand.split || hand.doubled {
        &NOT_FIRST_TWO_CARDS
    } else if hand.is_blackjack() {
        &HAS_BLACKJACK
    } else if hand.stood && state.pass.has_moved_on_from(*id) {
        &PLAY_HAS_MOVED_ON
    } else {
        return;
    };
    findings.raise(case, Place::from(*id)).no_effect();
}
