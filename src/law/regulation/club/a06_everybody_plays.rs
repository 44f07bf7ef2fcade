//! A6. Everybody plays.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets;
use crate::table::Name;

pub(super) static ARTICLE: Article = Article {
    id: "A6",
    title: Bi { es: "Todos juegan", en: "Everybody plays" },
    gist: Bi {
        es: "Los participantes juegan todas las manos hasta que termina la partida.",
        en: "The participants play every hand until the session ends.",
    },
    raised: Bi {
        es: "Al cerrarse las apuestas, por cada sentado sin apuesta que no sea el banquero; y cuando alguien se levanta antes de que acabe la ronda de la banca.",
        en: "When the bets close, for each seated player without a bet who does not bank; and when somebody gets up before the round of the bank is over.",
    },
    remedy: Bi {
        es: "No hay nada que deshacer: queda asentado; apuesta en la próxima jugada.",
        en: "There is nothing to undo: it is on record; he bets in the next play.",
    },
    readings: &[Reading {
        number: 30,
        words: Bi {
            es: "Mientras no se sepa quién ejerce de banquero, se toma por tal a uno de los que no apostaron; con seis apostando, a nadie más le falta su apuesta. La partida obliga desde su primera carta hasta que todos han ejercido de banquero; si nadie dijo quién lo es, quien se levanta no falta.",
            en: "As long as nobody is known to bank, one of those without a bet is taken to; with six betting nobody else lacks a bet. The session binds from its first card until everybody has banked; where nobody was told to bank, who gets up breaks nothing.",
        },
    }],
    cases: &[&NO_BET, &LEFT_EARLY],
    on: &[On::Close, On::Event(Kind::Leave)],
    needs: Facts::of(&[Bets]),
    cases_needing: &[(&LEFT_EARLY, Facts::NONE)],
    check,
    ..Article::enforced(file!())
};

static NO_BET: Case =
    Case { es: "un participante no apostó en esta jugada", en: "a participant did not bet in this play" };

static LEFT_EARLY: Case = Case {
    es: "un participante se levantó antes de que acabara la ronda de la banca",
    en: "a participant got up before the round of the bank was over",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    match context.event {
        Event::Leave { seat, player } => {
            if !context.state.seating.has_moved_from(*seat, player) && leaves_early(player, context) {
                findings.raise(&LEFT_EARLY, None).seat(*seat, player);
            }
        }
        _ => {
            let banker = context.state.bankers.banker();
            // with as many betting as may (A1), nobody who does not could have
            let is_full = bets::bettors(context).len() + 1 >= context.settings.seating.max_seated;
            let without = bets::without_bet(context).filter(|(_, player)| !is_full && Some(player) != banker);
            for (seat, player) in without.skip(usize::from(banker.is_none())) {
                findings.raise(&NO_BET, None).seat(*seat, player);
            }
        }
    }
}

/// A participant gets up though others, or he, have still to bank in the session that has begun.
fn leaves_early(player: &Name, context: &Context<'_>) -> bool {
    let state = context.state;
    let participants = state.participants();
    let has_rotated = participants.iter().any(|one| state.bankers.has_banked(one));
    state.bankers.session_has_begun()
        && has_rotated
        && participants.contains(player)
        && !state.bankers.round_is_over(&participants)
}
