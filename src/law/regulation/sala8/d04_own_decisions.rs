//! D4. Personal decisions.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D4",
    title: Bi { es: "Decisiones personales", en: "Personal decisions" },
    gist: Bi {
        es: "Sólo decide quien apostó en el casillero; lo que diga otro no vale.",
        en: "Only the bettor of a box decides for it; what anybody else says has no effect.",
    },
    raised: Bi {
        es: "Cuando otro que el apostador decide por el casillero o declara su as. Lo dicho no vale: el turno sigue siendo del apostador.",
        en: "When anybody but the bettor decides for the box or declares its ace. What was said has no effect: it is still the bettor's turn.",
    },
    remedy: Bi { es: "Preguntar de nuevo al apostador.", en: "Ask the bettor again." },
    readings: &[Reading {
        number: 14,
        words: Bi {
            es: "La decisión de otro no tiene efecto: la mano sigue como estaba.",
            en: "Somebody else's decision has no effect: the hand is as it was.",
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
        let raised = findings.raise(&DECIDED_BY_ANOTHER, Place::from(*hand)).no_effect();
        if let Event::Decide { choice, .. } = context.event {
            raised.stands(Effect::Chosen(*hand, *choice));
        }
    }
}
