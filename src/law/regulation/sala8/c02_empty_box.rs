//! C2. The empty box.

use crate::procedure::state::State;
use crate::regulation::prelude::*;
use crate::table::Name;

pub(super) static ARTICLE: Article = Article {
    id: "C2",
    title: Bi { es: "Casillero libre", en: "The empty box" },
    gist: Bi {
        es: "El casillero libre es de quien lo pidió primero; si lo piden a la vez, de quien está sentado más cerca del número uno.",
        en: "An empty box goes to whoever asked first; where several ask at once, to whoever sits nearest number one.",
    },
    raised: Bi {
        es: "Cuando apuesta en un casillero libre quien no tenía la prioridad sobre otro que lo había pedido.",
        en: "When a bet is put on an empty box by somebody without priority over another who had asked for it.",
    },
    remedy: Bi {
        es: "Devolver la apuesta; el casillero queda para quien lo pidió con prioridad.",
        en: "Return the bet; the box is left to who asked with priority.",
    },
    cases: &[&BOX_OF_ANOTHER],
    on: &[On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static BOX_OF_ANOTHER: Case = Case {
    es: "el {place} correspondía a otro jugador, que lo pidió con prioridad: se devuelve la apuesta",
    en: "{place} belonged to another player, who had asked for it with priority: the bet is returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand, spot: BetSpot::Main, amount, player: Some(player), .. } = context.event else { return };
    let state = context.state;
    let empty = state.pass.betting_box(hand.box_no).is_some_and(|betting_box| betting_box.bettor.is_none());
    if !empty || *amount <= state.pass.lies_on(*hand, BetSpot::Main) || state.pass.is_dealt() {
        return;
    }
    if priority(state, hand.box_no).is_some_and(|first| first != player) {
        findings.refuse_chips(&BOX_OF_ANOTHER, context, *hand, BetSpot::Main, 0);
    }
}

/// Who asked first; of those who asked in the same moment, who sits nearest number one.
fn priority(state: &State, box_no: u8) -> Option<&Name> {
    let mut asked = state.seating.requests().iter().filter(|request| request.box_no == box_no);
    let first = asked.next()?;
    let at_once = asked.filter(|request| request.t.is_some() && request.t == first.t);
    [first]
        .into_iter()
        .chain(at_once)
        .map(|request| &request.player)
        .min_by_key(|name| state.seating.seat_of(name).unwrap_or(u8::MAX))
}
