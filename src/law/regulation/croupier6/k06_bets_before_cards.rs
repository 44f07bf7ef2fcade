//! K6. Bets before cards.

use crate::procedure::betting_box::{BettingBox, Standing};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K6",
    title: Bi { es: "Las apuestas, antes que las cartas", en: "Bets before cards" },
    gist: Bi {
        es: "Antes de repartir carta alguna, el croupier invita a apostar y los jugadores ponen sus fichas.",
        en: "Before any card is dealt the dealer invites the players to bet, and they lay their chips.",
    },
    raised: Bi {
        es: "Cuando sale una carta sin que haya ninguna apuesta en la mesa.",
        en: "When a card comes out with no bet on the table.",
    },
    remedy: Bi {
        es: "Decide la sala (`rule`): la carta vale donde está (`stands`) o no vale (`resume`).",
        en: "The room decides (`rule`): the card counts where it lies (`stands`) or does not count (`resume`).",
    },
    settings: &["misdealt"],
    readings: &[Reading {
        number: 6,
        words: Bi {
            es: "La carta que va del sabot a la bandeja de quemadas no se reparte: no falta a este artículo.",
            en: "A card that goes from the shoe to the burn tray is not dealt: it does not break this article.",
        },
    }],
    cases: &[&CARD_BEFORE_BETS],
    on: &[On::Event(Kind::Draw)],
    check,
    ..Article::enforced(file!())
};

static CARD_BEFORE_BETS: Case = Case {
    es: "carta antes de toda apuesta ({place}): decide la sala",
    en: "a card before any bet ({place}): the room decides",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(drawn) = context.meaning.drawn.filter(|drawn| drawn.role != Role::Burned && nobody_has_bet(context)) {
        findings.raise(&CARD_BEFORE_BETS, drawn.place).leave_to_room();
    }
}

/// There is no bet to be dealt for: none counts, and no chips lie.
pub(super) fn nobody_has_bet(context: &Context<'_>) -> bool {
    let pass = &context.state.pass;
    let has_none =
        |betting_box: &BettingBox| betting_box.standing != Standing::In && betting_box.first().on(BetSpot::Main) == 0;
    !pass.is_open() || (!pass.is_dealt() && context.state.pass.boxes().all(|(_, betting_box)| has_none(betting_box)))
}
