//! C12. The bank's card seen early.

use crate::regulation::prelude::*;
use crate::regulation::shared::turns;

pub(super) static ARTICLE: Article = Article {
    id: "C12",
    severity: Severity::Notice,
    title: Bi { es: "Carta de la banca descubierta por accidente", en: "The bank's card seen early" },
    gist: Bi {
        es: "Si por accidente se descubre la carta de la banca mientras juega un apostador, éste sigue y define con la carta a la vista.",
        en: "If the bank's card is uncovered by accident while a bettor plays, that bettor plays on with the card seen.",
    },
    raised: Bi {
        es: "Al descubrirse la carta de la banca con una mano sin terminar; se nombra la primera. Es un aviso.",
        en: "When the bank's card is uncovered with a hand unfinished; the first is named. It is a notice.",
    },
    remedy: Bi {
        es: "Nada: los apostadores siguen con la carta vista.",
        en: "Nothing: the bettors play on with the card seen.",
    },
    readings: &[Reading {
        number: 4,
        words: Bi {
            es: "Es descubrir la carta de la banca con alguna mano sin terminar.",
            en: "It is the bank's card being uncovered while any hand is unfinished.",
        },
    }],
    cases: &[&BANK_SEEN_EARLY],
    on: &[On::Event(Kind::Reveal)],
    needs: Facts::of(&[Turns, Decisions, Hands]),
    check,
    ..Article::enforced(file!())
};

static BANK_SEEN_EARLY: Case = Case {
    es: "se descubrió la carta de la banca mientras jugaba el {place}: sigue con la carta vista",
    en: "the bank's card was uncovered while {place} was playing: it plays on with the card seen",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Reveal { at: Place::Bank, .. } = context.event
        && context.meaning.turns_up
        && context.state.pass.bank.is_covered()
        && context.state.delivered()
        && let Some(id) = turns::unfinished(context).next()
    {
        findings.raise(&BANK_SEEN_EARLY, Place::from(id));
    }
}
