//! G19. A play ends settled.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G19",
    title: Bi { es: "La jugada termina liquidada", en: "A play ends settled" },
    gist: Bi {
        es: "La jugada empieza cuando el banquero reparte el primer naipe y termina cuando ha liquidado todas las apuestas.",
        en: "A play begins when the banker deals the first card and ends when he has settled every bet.",
    },
    raised: Bi {
        es: "Si la jugada termina abandonada: con la entrega incompleta, con manos sin terminar o con un doble que espera su carta. La apuesta que sólo quedó sin liquidar es de G4.",
        en: "When the play ends given up: with the delivery incomplete, hands unfinished, or a double waiting for its card. A bet merely left unsettled is G4's.",
    },
    remedy: Bi { es: "Ninguno: queda asentado.", en: "None: it is on record." },
    cases: &[&GIVEN_UP],
    on: &[On::Event(Kind::End)],
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static GIVEN_UP: Case = Case { es: "la jugada se abandonó sin completarla", en: "the play was given up unfinished" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let is_under_way = state.pass.is_dealt() && !state.pass.nobody_is_left();
    let is_given_up = || state.pass.hands().any(|(_, hand)| hand.was_given_up());
    // a double whose card never came was not played out, unless the bank drew on without it
    let is_double_left = || state.pass.bank.served < 2 && !state.pass.hands_with(Status::Doubling).is_empty();
    if is_under_way && (!state.delivered() || state.pass.turn().is_some() || is_double_left() || is_given_up()) {
        findings.raise(&GIVEN_UP, None);
    }
}
