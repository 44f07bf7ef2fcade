//! K4. Further free places.

use crate::regulation::prelude::*;
use crate::regulation::shared::bets;

pub(super) static ARTICLE: Article = Article {
    id: "K4",
    title: Bi { es: "Varias manos por jugador", en: "Several hands to a player" },
    gist: Bi {
        es: "Un jugador puede jugar más de una mano por pase, en los lugares que estén libres.",
        en: "A player may play more than one hand in a pass, on places that are free.",
    },
    raised: Bi {
        es: "Cuando se agregan fichas en un lugar que ya es de otro apostador en ese pase.",
        en: "When chips are added on a place that already is another bettor's in that pass.",
    },
    remedy: Bi {
        es: "Devolver esas fichas. Las del dueño del lugar quedan como estaban.",
        en: "Return those chips. Those of the place's own bettor stay as they were.",
    },
    readings: &[Reading {
        number: 4,
        words: Bi {
            es: "Libre es el lugar en que nadie apostó todavía en el pase, aunque el asiento esté ocupado.",
            en: "A place is free on which nobody has bet yet in the pass, even where its seat is taken.",
        },
    }],
    cases: &[&CHIPS_ON_BOX_OF_ANOTHER],
    on: &[On::Bet(BetSpot::Main)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static CHIPS_ON_BOX_OF_ANOTHER: Case = Case {
    es: "fichas agregadas al {place}, que es de otro jugador: se devuelven",
    en: "chips added to {place}, another player's place: they are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Event::Bet { hand, amount, player: Some(player), .. } = context.event else { return };
    let Some(betting_box) = context.state.pass.betting_box(hand.box_no) else { return };
    let of_another = betting_box.bettor.as_ref().is_some_and(|bettor| bettor != player);
    if of_another && *amount > context.state.pass.lies_on(*hand, BetSpot::Main) {
        bets::refuse(&CHIPS_ON_BOX_OF_ANOTHER, *hand, context, findings);
    }
}
