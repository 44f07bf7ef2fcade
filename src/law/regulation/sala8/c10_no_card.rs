//! C10. No card.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C10",
    title: Bi { es: "Sin carta", en: "No card" },
    gist: Bi {
        es: "El apostador al que se omitió dar carta no participa en ese pase.",
        en: "A bettor who was dealt no card does not take part in that pass.",
    },
    raised: Bi {
        es: "A la primera carta de la banca, por cada apuesta sin carta.",
        en: "At the bank's first card, for each bet without a card.",
    },
    remedy: Bi {
        es: "Devolver la apuesta: el casillero no participa en ese pase.",
        en: "Return the bet: the box takes no part in that pass.",
    },
    readings: &[Reading {
        number: 1,
        words: Bi {
            es: "La omisión se establece a la primera carta de la banca o a la primera de la segunda entrega.",
            en: "The omission is established at the bank's first card or at the first of the second delivery.",
        },
    }],
    cases: &[&NO_CARD],
    on: &[On::Card(Role::BankFirst), On::Card(Role::Second)],
    needs: Facts::of(&[Places, Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static NO_CARD: Case = Case {
    es: "el {place} no recibió carta: no participa y se le devuelve la apuesta",
    en: "{place} got no card: it takes no part and its bet is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let closes_first = context.meaning.drawn.is_some_and(|drawn| {
        drawn.role == Role::BankFirst || (drawn.role == Role::Second && !context.state.pass.is_in_second_delivery())
    });
    if !closes_first {
        return;
    }
    for hand in context.state.pass.hands_with(Status::First) {
        findings.raise(&NO_CARD, Place::from(hand)).give_back(hand, BetSpot::Main, 0).effect(Effect::Out(hand.box_no));
    }
}
