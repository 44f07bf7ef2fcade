//! A6. Everybody plays.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets;

pub(super) static ARTICLE: Article = Article {
    id: "A6",
    title: Bi { es: "Todos juegan", en: "Everybody plays" },
    gist: Bi {
        es: "Los participantes juegan todas las manos hasta que termina la partida.",
        en: "The participants play every hand until the session ends.",
    },
    raised: Bi {
        es: "Al cerrarse las apuestas, por cada sentado sin apuesta que no sea el banquero.",
        en: "When the bets close, for each seated player without a bet who does not bank.",
    },
    remedy: Bi {
        es: "Apuesta en la próxima jugada o deja el asiento.",
        en: "He bets in the next play or gives up the seat.",
    },
    readings: &[Reading {
        number: 30,
        words: Bi {
            es: "Mientras no se sepa quién ejerce de banquero, se toma por tal a uno de los que no apostaron.",
            en: "As long as nobody is known to bank, one of those without a bet is taken to.",
        },
    }],
    cases: &[&NO_BET],
    on: &[On::Close],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static NO_BET: Case =
    Case { es: "un participante no apostó en esta jugada", en: "a participant did not bet in this play" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let banker = context.state.bankers.banker();
    let without = bets::without_bet(context).map(|(_, player)| player).filter(|player| Some(*player) != banker);
    for _ in without.skip(usize::from(banker.is_none())) {
        findings.raise(&NO_BET, None);
    }
}
