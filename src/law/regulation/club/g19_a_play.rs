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
        es: "Si la jugada termina abandonada: con la entrega incompleta o con manos sin terminar. La apuesta que sólo quedó sin liquidar es de G4.",
        en: "When the play ends given up: with the delivery incomplete or hands unfinished. A bet merely left unsettled is G4's.",
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
    if is_under_way && (!state.delivered() || state.pass.turn().is_some() || is_given_up()) {
        findings.raise(&GIVEN_UP, None);
    }
}
