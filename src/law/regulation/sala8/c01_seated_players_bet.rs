//! C1. Seated players bet.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets;

pub(super) static ARTICLE: Article = Article {
    id: "C1",
    title: Bi { es: "El sentado apuesta", en: "Seated players bet" },
    gist: Bi {
        es: "Quien ocupa un asiento apuesta en cada pase o deja el asiento.",
        en: "Whoever has a seat bets in every pass or gives up the seat.",
    },
    raised: Bi {
        es: "Al cerrarse las apuestas, por cada jugador sentado sin una postura en el paño.",
        en: "When the bets close, for each seated player without a bet on the felt.",
    },
    remedy: Bi {
        es: "El jugador apuesta en el próximo pase o deja el asiento.",
        en: "The player bets in the next pass or gives up the seat.",
    },
    cases: &[&NO_BET],
    on: &[On::Close],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static NO_BET: Case = Case {
    es: "un jugador sentado no apostó en este pase: debe dejar el asiento",
    en: "a seated player did not bet in this pass: the seat must be given up",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for (seat, player) in bets::without_bet(context) {
        findings.raise(&NO_BET, None).seat(*seat, player);
    }
}
