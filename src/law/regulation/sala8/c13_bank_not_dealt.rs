//! C13. The bank was not dealt.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C13",
    title: Bi { es: "No se dio carta a la banca", en: "The bank was not dealt" },
    gist: Bi {
        es: "Si se omitió dar cartas a la banca, el pagador, con autorización previa del inspector, anuncia: «Próximas cartas para la Banca».",
        en: "If the bank was not dealt, the dealer, with the inspector's prior authorisation, announces “Próximas cartas para la Banca”.",
    },
    raised: Bi {
        es: "Con la primera carta de la segunda entrega si la banca no tiene ninguna, o al empezar el juego si tiene menos de dos.",
        en: "At the first card of the second delivery where the bank has none, or when play begins where it has fewer than two.",
    },
    remedy: Bi {
        es: "1. Autorización del inspector. 2. Anuncio: «Próximas cartas para la Banca». 3. Servirle lo que falta antes que a nadie. Anunciar sin autorización o dar antes otra carta es incumplimiento en esa misma línea.",
        en: "1. The inspector's authorisation. 2. The announcement: “Próximas cartas para la Banca”. 3. Serve what is missing before anybody else. To announce without authorisation, or to deal elsewhere first, is a breach at that very line.",
    },
    readings: &[
        Reading {
            number: 3,
            words: Bi {
                es: "Una carta para un casillero cuando todos tienen una y la banca ninguna abre la segunda entrega sin la banca. También es C13 que el juego empiece y la banca tenga menos de dos cartas.",
                en: "A card for a box when every box has one and the bank none begins the second delivery without the bank. Play beginning while the bank has fewer than two cards is C13 too.",
            },
        },
        Reading {
            number: 19,
            words: Bi {
                es: "Un C7, C13 o C14 abierto pide ya esa carta: que empiece el juego no da entonces otro hallazgo.",
                en: "An open C7, C13 or C14 asks for that card already: play beginning gives no other finding then.",
            },
        },
        Reading {
            number: 29,
            words: Bi {
                es: "Servida sin anuncio o sin autorización, la carta es de la banca y el hallazgo queda incumplido en esa línea.",
                en: "Served without the words or the authorisation, the card is the bank's and the finding is breached at that line.",
            },
        },
    ],
    cases: &[&NO_CARD_AT_SECOND_DELIVERY, &CARD_MISSING_AT_PLAY],
    on: &[On::Card(Role::Second), On::Play],
    cases_needing: &[(&NO_CARD_AT_SECOND_DELIVERY, Facts::of(&[Places, Hands]))],
    check,
    ..Article::enforced(file!())
};

static NO_CARD_AT_SECOND_DELIVERY: Case = Case {
    es: "empezó la segunda entrega sin carta para la banca: pedir autorización, anunciar y servirla",
    en: "the second delivery began without the bank's card: authorise, announce and serve it",
};

static CARD_MISSING_AT_PLAY: Case = Case {
    es: "empezó el juego y a la banca le falta carta: pedir autorización, anunciar y servirla",
    en: "play began and the bank lacks a card: authorise, announce and serve it",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let served = context.state.pass.bank.served;
    let due = context.settings.bank_cards_before_play();
    let second_begins = context.meaning.drawn.is_some_and(|drawn| drawn.role == Role::Second)
        && !context.state.pass.is_in_second_delivery()
        && served == 0;
    // an open C7, C13 or C14 asks for the same card
    let asked_already = context.duties.iter().any(|duty| duty.has_asked(Part::Serve(Place::Bank)));
    if second_begins {
        findings.raise(&NO_CARD_AT_SECOND_DELIVERY, Place::Bank).next_cards_for_bank(context, 1);
    } else if context.meaning.begins_play && served < due && !asked_already {
        findings.raise(&CARD_MISSING_AT_PLAY, Place::Bank).next_cards_for_bank(context, usize::from(due - served));
    }
}
