//! C14. A bank card in the discard tray.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "C14",
    title: Bi { es: "Carta de la banca al zambullo", en: "A bank card in the discard tray" },
    gist: Bi {
        es: "Si una o más cartas de la banca van por error al zambullo, con autorización previa del inspector se anuncia: «Próximas cartas para la Banca».",
        en: "If one or more bank cards go to the discard tray by mistake, with the inspector's prior authorisation “Próximas cartas para la Banca” is announced.",
    },
    raised: Bi {
        es: "Cuando una carta de la banca va al zambullo antes de que el pase esté saldado.",
        en: "When a card of the bank goes to the discard tray before the pass is settled.",
    },
    remedy: Bi {
        es: "Como en C13: autorización, anuncio, y tantas cartas como se perdieron.",
        en: "As in C13: authorisation, announcement, and as many cards as were lost.",
    },
    readings: &[Reading {
        number: 16,
        words: Bi {
            es: "El empate queda saldado cuando se retiró lo último que pierde y se pagó lo último que gana; antes, sus cartas al zambullo son como las de cualquier otro.",
            en: "A tie is settled when the last loser is collected and the last winner paid; before that its cards in the discard tray are like any other's.",
        },
    }],
    cases: &[&BANK_CARDS_DISCARDED],
    on: &[On::Event(Kind::Move)],
    needs: Facts::of(&[Moves, Hands]),
    check,
    ..Article::enforced(file!())
};

static BANK_CARDS_DISCARDED: Case = Case {
    es: "cartas de la banca fueron al zambullo: pedir autorización, anunciar y servirle otras",
    en: "bank cards went to the discard tray: authorise, announce and serve others",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Move { from: Place::Bank, to: Place::Discard, .. } = context.event
        && context.state.pass.is_open()
        && !context.meaning.clearing
        && context.meaning.removal.due > 0
    {
        findings.raise(&BANK_CARDS_DISCARDED, Place::Bank).next_cards_for_bank(context, context.meaning.removal.due);
    }
}
