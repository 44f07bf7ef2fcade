//! G18. Bets before the play.

use crate::procedure::betting_box::BettingBox;
use crate::procedure::pass::Milestone;
use crate::regulation::prelude::*;
use crate::regulation::shared::bets::{self, Late};

pub(super) static ARTICLE: Article = Article {
    id: "G18",
    title: Bi { es: "Apuestas antes de la jugada", en: "Bets before the play" },
    gist: Bi {
        es: "Las apuestas se hacen antes de que empiece la jugada; una vez empezada no se modifican, salvo en los casos previstos.",
        en: "Bets are made before the play begins; once it has begun they are not changed, except as provided for.",
    },
    raised: Bi {
        es: "Con fichas en un casillero vacío después del primer naipe, y con cualquier otro cambio de una apuesta después de él. Retirar una apuesta ya liquidada, o devuelta, no es un cambio.",
        en: "At chips on an empty box after the first card, and at any other change of a bet after it. Taking off a bet that is settled, or was returned, is no change.",
    },
    remedy: Bi {
        es: "Devolver la apuesta tardía; la cambiada vale como estaba.",
        en: "Return the late bet; the one changed counts as it was.",
    },
    readings: &[Reading {
        number: 15,
        words: Bi {
            es: "La jugada empieza con el primer naipe: entre el «no va más» y éste, aún se puede apostar. Volver la apuesta a como estaba no es un cambio.",
            en: "The play begins with the first card: between “no more bets” and that card bets may still be made. Putting a bet back as it was is no change.",
        },
    }],
    cases: &[&LATE_BET, &BET_CHANGED],
    on: &[On::Bet(BetSpot::Main), On::Bet(BetSpot::Double), On::Bet(BetSpot::Split), On::Bet(BetSpot::Insurance)],
    needs: Facts::of(&[Bets]),
    check,
    ..Article::enforced(file!())
};

static LATE_BET: Case = Case {
    es: "apuesta en el {place} después del primer naipe: se devuelve",
    en: "a bet on {place} after the first card: it is returned",
};

static BET_CHANGED: Case = Case {
    es: "la apuesta del {place} cambió después del primer naipe: vale como estaba",
    en: "the bet on {place} changed after the first card: it counts as it was",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    match bets::change(context).filter(|_| context.state.pass.is_dealt()) {
        Some((id, Late::New)) => {
            findings.raise(&LATE_BET, Place::from(id)).give_back(id, BetSpot::Main, 0).no_effect();
        }
        Some((id, Late::Raised | Late::Lowered)) => {
            let lies = Effect::Lies(id, BetSpot::Main);
            findings.raise(&BET_CHANGED, Place::from(id)).no_effect().stands(lies);
        }
        None => {
            if let Some(id) = added_lowered(context).or_else(|| insurance_lowered(context)) {
                findings.raise(&BET_CHANGED, Place::from(id)).no_effect();
            }
        }
    }
}

/// The hand whose double or split is lowered or taken off after its card.
fn added_lowered(context: &Context<'_>) -> Option<HandId> {
    let pass = &context.state.pass;
    let has_card = |id: &HandId| {
        let mut hands = pass.betting_box(id.box_no).into_iter().flat_map(BettingBox::in_play);
        hands.any(|hand| hand.count() > if hand.split { 1 } else { 2 })
    };
    bets::added_stake_lowered(context).filter(has_card)
}

/// The hand whose insurance is lowered or taken off when it can be laid no more. One that is lost may be taken off:
/// that may be its collection.
fn insurance_lowered(context: &Context<'_>) -> Option<HandId> {
    let Event::Bet { hand: id, spot: BetSpot::Insurance, amount, .. } = context.event else { return None };
    let state = context.state;
    let hand = state.pass.hand(*id).filter(|hand| !hand.void && !hand.is_touched(BetSpot::Insurance))?;
    let is_collected = *amount == 0 && hand.insurance_won == Some(false);
    let is_closed = state.pass.has(Milestone::CardOfPlay) || state.pass.bank.served > 1;
    let is_lowered = *amount < hand.insurance && *amount != state.pass.lies_on(*id, BetSpot::Insurance);
    (is_closed && is_lowered && !is_collected).then_some(*id)
}
