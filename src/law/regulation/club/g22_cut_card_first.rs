//! G22. The cut card comes first.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G22",
    title: Bi { es: "La carta de corte sale primero", en: "The cut card comes first" },
    gist: Bi {
        es: "Si la primera carta de una jugada es la de corte, la jugada no se inicia.",
        en: "If the first card of a play is the cut card, the play does not start.",
    },
    raised: Bi {
        es: "Cuando, con apuestas en la mesa, sale la carta de corte antes que la primera carta de la jugada y se da una carta.",
        en: "When, with bets on the table, the cut card comes out before the first card of the play and a card is dealt.",
    },
    remedy: Bi {
        es: "Devolver la carta al mazo; después se mezcla. Las apuestas quedan sin efecto y vuelven a los jugadores.",
        en: "Put the card back into the shoe; then shuffle. The bets are void and go back to the players.",
    },
    settings: &["misdealt"],
    readings: &[Reading {
        number: 23,
        words: Bi {
            es: "Si la carta de corte sale entre dos jugadas, sin apuestas en la mesa, lo que se infringe al empezar otra es G17.",
            en: "Where the cut card comes out between two plays, with no bets on the table, it is G17 that is broken by beginning another.",
        },
    }],
    cases: &[&CUT_CARD_FIRST],
    on: &[On::Event(Kind::Draw)],
    needs: Facts::of(&[Cards]),
    check,
    ..Article::enforced(file!())
};

static CUT_CARD_FIRST: Case = Case {
    es: "la carta de corte salió primero: la jugada no se inicia ({place})",
    en: "the cut card came out first: the play does not start ({place})",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some(drawn) = context.meaning.drawn.filter(|_| context.state.cut_card_came_first()) else { return };
    let raised = findings.raise(&CUT_CARD_FIRST, drawn.place).misdealt(context, drawn.place.unwrap_or(Place::Shoe));
    raised.effect(Effect::AllOut);
    for (box_no, _) in context.state.pass.boxes_in() {
        raised.stands(Effect::In(box_no));
    }
}
