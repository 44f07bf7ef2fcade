//! A3. The place of the cut card.

use crate::regulation::prelude::*;
use crate::table::settings::Span;

pub(super) static ARTICLE: Article = Article {
    id: "A3",
    title: Bi { es: "Lugar de la carta de corte", en: "The place of the cut card" },
    gist: Bi {
        es: "La carta de corte deja detrás tres cartas por participante.",
        en: "The cut card leaves three cards behind it for each participant.",
    },
    raised: Bi {
        es: "Al armar el mazo con otra cantidad de cartas detrás de la carta de corte, si se sabe quiénes participan.",
        en: "When the shoe is loaded with another number of cards behind the cut card, where it is known who takes part.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado y el juego sigue.",
        en: "There is nothing to undo: it is on record and play goes on.",
    },
    settings: &["behind_cut_card_each"],
    readings: &[Reading {
        number: 26,
        words: Bi {
            es: "Participan todos los sentados, también el banquero; de uno que no tiene asiento propio no se sabe si cuenta, y ambas cantidades valen. Las cartas mezcladas para completar una jugada no llevan este cálculo.",
            en: "All who are seated take part, the banker too; of one without a seat of his own nobody knows whether he counts, and either number will do. Cards shuffled to complete a play are not counted so.",
        },
    }],
    cases: &[&CUT_CARD_MISPLACED],
    on: &[On::Event(Kind::Load)],
    needs: Facts::NONE,
    check,
    ..Article::enforced(file!())
};

static CUT_CARD_MISPLACED: Case = Case {
    es: "la carta de corte no deja detrás tres cartas por participante",
    en: "the cut card does not leave three cards behind it for each participant",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let (state, each) = (context.state, context.settings.shoe.behind_cut_card_each as usize);
    let Event::Load { cut_card, .. } = context.event else { return };
    let participants = state.participants();
    // a banker may have no seat of his own
    let stands = state.bankers.banker().is_some_and(|banker| !participants.contains(banker));
    let may_be = [participants.len(), participants.len() + usize::from(stands)].map(|count| each * count);
    let Span(fewest, most) = context.settings.shoe.behind_cut_card;
    let is_misplaced = match each {
        0 => !(fewest..=most).contains(cut_card),
        _ => state.seating.is_told() && !participants.is_empty() && !may_be.contains(&(*cut_card as usize)),
    };
    if is_misplaced && !state.pass.is_dealt() {
        findings.raise(&CUT_CARD_MISPLACED, None);
    }
}
