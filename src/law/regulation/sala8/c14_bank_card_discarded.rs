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
        es: "Cuando una carta de la banca va al zambullo antes de que empiece el pago.",
        en: "When a card of the bank goes to the discard tray before settlement begins.",
    },
    remedy: Bi {
        es: "Como en C13: autorización, anuncio, y tantas cartas como se perdieron.",
        en: "As in C13: authorisation, announcement, and as many cards as were lost.",
    },
    readings: &[Reading {
        number: 16,
        words: Bi {
            es: "Terminadas las manos y empezado el pago, lo que va al zambullo es levantar la mesa (D9), no una carta perdida.",
            en: "With the hands finished and settlement begun, what goes to the discard tray is the table being cleared (D9), not a card lost.",
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
    en: "bank cards went to the discard tray: authorise, announce and serve them again",
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
