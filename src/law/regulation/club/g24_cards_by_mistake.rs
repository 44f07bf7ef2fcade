//! G24. Cards dealt by mistake.

use super::g12_doubling::card_after_double;
use super::g14_split_aces::card_too_many;
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G24",
    title: Bi { es: "Cartas dadas por equivocación", en: "Cards dealt by mistake" },
    gist: Bi {
        es: "La carta que el banquero da o descubre por equivocación vuelve al mazo, a la posición que tenía.",
        en: "A card that the banker deals or uncovers by mistake goes back into the pack, to the position it had.",
    },
    raised: Bi {
        es: "Con toda carta que nadie debía recibir y que ningún otro artículo nombra; con la segunda carta de la banca dada antes de que todos hayan jugado; y cuando, devuelta una carta, la que sale no es ésa.",
        en: "At any card that was due to nobody and that no other article names; at the bank's second card dealt before all have played; and when, a card having been put back, the one that comes out is another.",
    },
    remedy: Bi {
        es: "Devolver la carta al mazo antes de dar otra: es la próxima en salir. Varias vuelven a salir en el orden en que salieron. Si sale otra, decide la sala (`rule`).",
        en: "Put the card back into the shoe before another is dealt: it is the next to come out. Several come out again in the order in which they came out. If another comes out, the room decides (`rule`).",
    },
    settings: &["misdealt"],
    readings: &[Reading {
        number: 24,
        words: Bi {
            es: "La posición se comprueba por lo que sale después: la carta devuelta es la próxima. Si sale otra, se señala una vez y no se espera más; una carta sin leer, o cubierta, se toma por la que se espera.",
            en: "The position is checked by what comes out next: the card put back. Where another comes out that is told once and nothing more is expected; a card that was not read, or lies covered, is taken for the one expected.",
        },
    }],
    cases: &[&DEALT_BY_MISTAKE, &ANOTHER_CARD_CAME_OUT],
    case_severities: &[(&ANOTHER_CARD_CAME_OUT, Severity::Integrity)],
    on: &[On::Event(Kind::Draw)],
    cases_needing: &[(&ANOTHER_CARD_CAME_OUT, Facts::of(&[Places, Moves, Hands]))],
    check,
    ..Article::enforced(file!())
};

static DEALT_BY_MISTAKE: Case = Case {
    es: "carta dada por equivocación: vuelve al mazo en su posición ({place})",
    en: "a card dealt by mistake: it goes back into the shoe in its place ({place})",
};

static ANOTHER_CARD_CAME_OUT: Case = Case {
    es: "la carta que salió no es la que se devolvió al mazo ({place})",
    en: "the card that came out is not the one that was put back into the shoe ({place})",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, Some(drawn)) = (context.state, context.meaning.drawn) else { return };
    let misdealt = match drawn.role {
        Role::NotDue if card_after_double(context).or_else(|| card_too_many(context)).is_some() => false,
        _ if state.cut_card_came_first() => false,
        Role::NotDue | Role::BankEarly | Role::Burned => true,
        _ => false,
    };
    if misdealt {
        findings.raise(&DEALT_BY_MISTAKE, drawn.place).misdealt(context, drawn.place.unwrap_or(Place::Shoe));
    }
    // which one lies covered nobody may tell
    if drawn.is_seen() && state.supply.displaces(drawn.card) {
        findings.raise(&ANOTHER_CARD_CAME_OUT, drawn.place).part(Part::Rule);
    }
}
