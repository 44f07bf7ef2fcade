//! A1. Participants.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "A1",
    title: Bi { es: "Participantes", en: "Participants" },
    gist: Bi {
        es: "En cada mesa participan como máximo seis jugadores y un banquero.",
        en: "At most six players and a banker take part at a table.",
    },
    raised: Bi {
        es: "Al sentarse alguien cuando ya hay siete sentados, contado el banquero.",
        en: "When somebody sits down though seven are seated already, the banker among them.",
    },
    remedy: Bi {
        es: "No participa: queda de pie hasta que se libere un lugar.",
        en: "He does not take part: he stands until a seat is free.",
    },
    settings: &["max_seated"],
    cases: &[&TOO_MANY_SEATED],
    on: &[On::Event(Kind::Seat)],
    needs: Facts::NONE,
    check,
    ..Article::enforced(file!())
};

static TOO_MANY_SEATED: Case = Case {
    es: "se sienta un octavo participante: el máximo es de seis jugadores y un banquero",
    en: "an eighth participant sits down: six players and a banker is the most",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Seat { seat, player } = context.event else { return };
    let others = context.state.seating.taken().iter().filter(|(taken, name)| taken != seat && name != player);
    if others.count() >= context.settings.seating.max_seated {
        findings.raise(&TOO_MANY_SEATED, None).no_effect();
    }
}
