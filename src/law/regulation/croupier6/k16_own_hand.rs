//! K16. Nobody plays another's hand.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K16",
    title: Bi { es: "Cada uno, su mano", en: "Everybody his own hand" },
    gist: Bi { es: "Un jugador no puede jugar la mano de otro.", en: "A player may not play another's hand." },
    raised: Bi {
        es: "Cuando por una mano decide, o declara su as, alguien que no es su apostador.",
        en: "When somebody who is not its bettor decides for a hand or declares its ace.",
    },
    remedy: Bi {
        es: "Lo dicho no vale: se pregunta de nuevo al apostador.",
        en: "What was said has no effect: the bettor is asked again.",
    },
    readings: &[Reading {
        number: 14,
        words: Bi {
            es: "Quien decide sin que se sepa quién es se tiene por el apostador.",
            en: "Whoever decides without being named is taken to be the bettor.",
        },
    }],
    cases: &[&DECIDED_BY_ANOTHER],
    on: &[On::Event(Kind::Decide), On::Event(Kind::Ace)],
    needs: Facts::of(&[Decisions, Bets]),
    check,
    ..Article::enforced(file!())
};

static DECIDED_BY_ANOTHER: Case = Case {
    es: "por el {place} decidió alguien que no es su apostador: no vale",
    en: "somebody other than its bettor decided for {place}: without effect",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Decide { hand, by, .. } | Event::Ace { hand, by, .. } = context.event
        && !context.state.pass.may_speak(*hand, by.as_ref())
    {
        findings.raise(&DECIDED_BY_ANOTHER, Place::from(*hand)).no_effect();
    }
}
