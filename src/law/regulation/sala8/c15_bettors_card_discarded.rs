//! C15. A bettor's card in the discard tray.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::table::settings::LostCards;

pub(super) static ARTICLE: Article = Article {
    id: "C15",
    title: Bi { es: "Carta del apostador al zambullo", en: "A bettor's card in the discard tray" },
    gist: Bi {
        es: "Si cartas de un apostador van por error al zambullo, no tiene derecho a reclamo.",
        en: "If a bettor's cards go to the discard tray by mistake, he has no claim.",
    },
    raised: Bi {
        es: "Cuando una carta de un apostador va al zambullo antes de saldarse su mano.",
        en: "When a bettor's card goes to the discard tray before the hand is settled.",
    },
    remedy: Bi {
        es: "Nada: {stake_of_lost_cards|lose=la apuesta se pierde|_=la apuesta se devuelve}, salvo que la sala decida otra cosa.",
        en: "Nothing: the stake is {stake_of_lost_cards|lose=lost|_=returned} unless the room rules otherwise.",
    },
    settings: &["stake_of_lost_cards"],
    readings: &[
        Reading {
            number: 8,
            words: Bi {
                es: "La mano no tiene derecho a reclamo: {stake_of_lost_cards|lose=la apuesta se pierde|_=la apuesta se devuelve}, salvo que la sala decida otra cosa.",
                en: "The hand has no claim: the stake is {stake_of_lost_cards|lose=lost|_=returned} unless the room rules otherwise.",
            },
        },
        Reading {
            number: 16,
            words: Bi {
                es: "El empate queda saldado cuando se retiró lo último que pierde y se pagó lo último que gana; antes, sus cartas al zambullo son como las de cualquier otro.",
                en: "A tie is settled when the last loser is collected and the last winner paid; before that its cards in the discard tray are like any other's.",
            },
        },
    ],
    cases: &[&CARDS_DISCARDED],
    on: &[On::Event(Kind::Move)],
    needs: Facts::of(&[Moves, Choices, Hands]),
    check,
    ..Article::enforced(file!())
};

static CARDS_DISCARDED: Case = Case {
    es: "cartas del {place} fueron al zambullo antes de saldarlo: sin derecho a reclamo",
    en: "cards of {place} went to the discard tray before it was settled: it has no claim",
};

/// Where chips are not seen, a hand may have been settled, rightly or not, once all have played.
fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Event::Move { from: Place::Hand(id), to: Place::Discard, .. } = context.event
        && context.meaning.removal.due > 0
        && (!context.meaning.clearing || is_left_with_its_chips(context, *id))
        && let Some(hand) = context.state.pass.hand(*id)
        && !hand.lost
        && (context.state.observes.bets || context.state.has_unfinished_hands())
        && !may_be_settled(hand)
        && !context.state.is_settled(hand)
    {
        let effect = match context.settings.stakes.of_lost_cards {
            LostCards::Lose => Effect::Lost(*id),
            LostCards::Void => Effect::Void(*id),
        };
        findings.raise(&CARDS_DISCARDED, Place::from(*id)).effect(effect).stands(Effect::Claims(*id));
    }
}

/// It is over 21, which needs no bank, and its chips still lie there.
fn is_left_with_its_chips(context: &Context<'_>, id: HandId) -> bool {
    context.state.observes.bets && context.state.pass.hand(id).is_some_and(Hand::is_over)
}

/// With an unread card it may have gone over 21, or have been settled as what it really is.
fn may_be_settled(hand: &Hand) -> bool {
    hand.is_unread() && (hand.count() > 2 || hand.paid > 0 || hand.collected > 0)
}
