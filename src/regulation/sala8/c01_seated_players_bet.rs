//! C1. Seated players bet.

use crate::procedure::state::BettingBox;
use crate::regulation::prelude::*;

/// C1: seated players bet.
pub static ARTICLE: Article = Article {
    id: "C1",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
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
    settings: &[],
    example: include_str!("../../../docs/handbook/sala-8/examples/C1/violating.jsonl"),
    file: file!(),
    readings: &[],
    cases: &[Bi {
        es: "un jugador sentado no apostó en este pase: debe dejar el asiento",
        en: "a seated player did not bet in this pass: the seat must be given up",
    }],
    on: &[On::Close],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    for (seat, player) in &scene.state.seats {
        let is_theirs = |b: &BettingBox| b.bettor.as_ref() == Some(player);
        let holds_chips = |b: &BettingBox| b.first().on(BetSpot::Main) > 0;
        let own = scene.state.betting_box(*seat).filter(|own| holds_chips(own));
        let bets = own.is_some_and(|own| own.bettor.is_none() || is_theirs(own))
            || scene.state.boxes().any(|(_, b)| holds_chips(b) && is_theirs(b));
        if !bets {
            docket.raise(0, None);
        }
    }
}
