//! A1. Participants.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets;

pub(super) static ARTICLE: Article = Article {
    id: "A1",
    title: Bi { es: "Participantes", en: "Participants" },
    gist: Bi {
        es: "En cada mesa participan como máximo seis jugadores y un banquero.",
        en: "At most six players and a banker take part at a table.",
    },
    raised: Bi {
        es: "Al apostar un séptimo jugador en la misma jugada, y al apostar el banquero, que no juega contra sí mismo.",
        en: "When a seventh player bets in the same play, and when the banker bets, who does not play against himself.",
    },
    remedy: Bi { es: "Devolver la apuesta: no juega.", en: "Return the bet: it does not play." },
    settings: &["max_seated"],
    cases: &[&TOO_MANY_PLAYERS, &BANKER_BETS],
    on: &[On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static TOO_MANY_PLAYERS: Case = Case {
    es: "apuesta en el {place} un séptimo jugador: el máximo es de seis y un banquero; se devuelve",
    en: "a seventh player bets on {place}: six players and a banker is the most; it is returned",
};

static BANKER_BETS: Case = Case {
    es: "el banquero apuesta en el {place}, contra sí mismo: se devuelve",
    en: "the banker bets on {place}, against himself: it is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand, amount, player: Some(player), .. } = context.event else { return };
    let pass = &context.state.pass;
    if *amount == 0 || (*amount == pass.lies_on(*hand, BetSpot::Main) && !is_returning(context, *hand, BetSpot::Main)) {
        return;
    }
    // a bet that comes too late is G18's
    if !findings.raised.is_empty() {
        return;
    }
    let banker = context.state.bankers.banker();
    if banker == Some(player) {
        return bets::refuse(&BANKER_BETS, *hand, context, findings);
    }
    let bettors = bets::bettors(context);
    if !bettors.contains(&player) && bettors.len() + 1 >= context.settings.seating.max_seated {
        bets::refuse(&TOO_MANY_PLAYERS, *hand, context, findings);
    }
}
