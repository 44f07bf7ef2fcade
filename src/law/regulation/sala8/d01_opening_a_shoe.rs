//! D1. Opening a shoe.

use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "D1",
    title: Bi { es: "Apertura del sabot", en: "Opening a shoe" },
    gist: Bi {
        es: "Un sabot nuevo empieza con {min_seated|1=un jugador sentado|_={min_seated} jugadores sentados} y {min_bets|1=una apuesta|_={min_bets} apuestas} al menos; mientras dura, {min_bets|1=una apuesta|_={min_bets} apuestas} al menos.",
        en: "A new shoe begins with {min_seated|1=one seated player|_={min_seated} seated players} and {min_bets|1=one bet|_={min_bets} bets} at least; while it lasts, {min_bets|1=one bet|_={min_bets} bets} at least.",
    },
    raised: Bi {
        es: "Al cerrarse las apuestas (el «no va más» o, si no lo hubo, la primera carta del pase) con menos de {min_bets|1=una apuesta|_={min_bets} apuestas}; en el primer pase del sabot, también con menos de {min_seated|1=un jugador sentado|_={min_seated} jugadores sentados}.",
        en: "When the bets close (“no more bets” or, failing that, the first card of the pass) with fewer than {min_bets|1=one|_={min_bets}} of them; in the first pass of a shoe also with fewer than {min_seated|1=one player|_={min_seated} players} seated.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el pase sigue.",
        en: "There is nothing to undo: it is on record and the pass goes on.",
    },
    settings: &["min_bets", "min_seated"],
    cases: &[&TOO_FEW_BETS, &TOO_FEW_SEATED],
    on: &[On::Close],
    needs: Facts::of(&[Bets]),
    cases_needing: &[(&TOO_FEW_SEATED, Facts::NONE)],
    check,
    ..Article::enforced(file!())
};

static TOO_FEW_BETS: Case = Case {
    es: "se cierran las apuestas con menos de {min_bets|1=una apuesta|_={min_bets} apuestas}",
    en: "bets are closed with fewer than {min_bets|1=one|_={min_bets}} of them",
};

static TOO_FEW_SEATED: Case = Case {
    es: "el primer pase de un sabot empieza con menos de {min_seated|1=un jugador sentado|_={min_seated} jugadores sentados}",
    en: "the first pass of a shoe begins with fewer than {min_seated|1=one seated player|_={min_seated} seated players}",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let bets = state.pass.boxes().filter(|(_, betting_box)| betting_box.first().on(BetSpot::Main) > 0).count();
    let fresh = state.supply.shoe_is_fresh();
    if state.observes.bets && bets < context.settings.seating.min_bets {
        findings.raise(&TOO_FEW_BETS, None);
    } else if fresh && state.seating.is_told() && state.seating.taken().len() < context.settings.seating.min_seated {
        findings.raise(&TOO_FEW_SEATED, None);
    }
}
