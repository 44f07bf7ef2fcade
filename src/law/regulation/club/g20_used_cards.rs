//! G20. Used cards.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::{clearing, unforeseen};

pub(super) static ARTICLE: Article = Article {
    id: "G20",
    title: Bi { es: "Cartas utilizadas", en: "Used cards" },
    gist: Bi {
        es: "Las cartas jugadas se retiran cara abajo y por orden, y no vuelven al mazo.",
        en: "Cards that have been played are retired face down and in order, and do not go back into the pack.",
    },
    raised: Bi {
        es: "Al retirar cartas fuera de orden una vez liquidadas las apuestas (desde la derecha, la banca al final); al tomar cartas de las ya retiradas; y al poner en el mazo cartas de una mano.",
        en: "When cards are retired out of order once the bets are settled (from the right, the bank's last); when cards are taken from those retired; and when cards of a hand are put into the shoe.",
    },
    remedy: Bi {
        es: "Volver al orden; lo retirado no se toca hasta la mezcla.",
        en: "Go back to the order; what is retired is left alone until the shuffle.",
    },
    settings: &["first_box"],
    readings: &[Reading {
        number: 20,
        words: Bi {
            es: "La mezcla toma por sí misma las cartas retiradas: no hace falta otro movimiento. Las de una mano ya liquidada pueden retirarse en el acto.",
            en: "The shuffle itself takes the retired cards: it needs no other movement. Those of a hand already settled may be retired at once.",
        },
    }],
    cases: &[&RETIRED_OUT_OF_ORDER, &RETIRED_CARDS_TAKEN, &PUT_INTO_SHOE],
    on: &[On::Event(Kind::Move)],
    needs: Facts::of(&[Moves, Hands]),
    check,
    ..Article::enforced(file!())
};

static RETIRED_OUT_OF_ORDER: Case = Case {
    es: "cartas retiradas fuera de orden: {place} quedó atrás",
    en: "cards retired out of order: {place} was passed over",
};

static RETIRED_CARDS_TAKEN: Case =
    Case { es: "se tomaron cartas ya retiradas ({place})", en: "cards already retired were taken ({place})" };

static PUT_INTO_SHOE: Case = Case {
    es: "cartas ya jugadas puestas en el mazo ({place}): no vuelven",
    en: "cards already played were put into the shoe ({place}): they do not go back",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    match context.event {
        Event::Move { from: Place::Discard, to, .. } if *to != Place::Discard && !goes_back(context) => {
            findings.raise(&RETIRED_CARDS_TAKEN, Place::Discard);
        }
        // what was dealt by mistake goes back, and nothing else; what a hand in play loses is the room's affair
        Event::Move { from: from @ (Place::Hand(_) | Place::Bank), to: Place::Shoe, .. }
            if context.meaning.removal.due > context.duties.to_move(*from, Place::Shoe)
                && !unforeseen::takes_back_some(context)
                && !unforeseen::takes_back_last(context) =>
        {
            findings.raise(&PUT_INTO_SHOE, *from);
        }
        Event::Move { .. } => {
            let is_new = !findings.knows_anywhere(&RETIRED_OUT_OF_ORDER);
            if let Some(place) = clearing::out_of_order(context).filter(|place| is_new && !waits(context, *place)) {
                findings.raise(&RETIRED_OUT_OF_ORDER, place);
            }
        }
        _ => {}
    }
}

/// A hand over 21 has not been collected yet: whose bets are settled may be retired before it.
fn waits(context: &Context<'_>, place: Place) -> bool {
    let Place::Hand(id) = place else { return false };
    let is_over = |hand: &Hand| hand.is_over() && !hand.is_touched(BetSpot::Main);
    context.state.observes.bets && context.state.pass.hand(id).is_some_and(is_over)
}

/// A card drawn straight to the retired ones has to go back to the shoe.
fn goes_back(context: &Context<'_>) -> bool {
    let mut parts = context.duties.parts_awake();
    matches!(context.event, Event::Move { to: Place::Shoe, .. })
        && parts.any(|part| matches!(part, Part::PutBack { place: Place::Discard, .. }))
}
