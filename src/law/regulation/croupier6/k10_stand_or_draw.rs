//! K10. Stand or draw.

use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::table::event::Choice;
use crate::table::settings::{DoubleOn, Insured, Surrender};

pub(super) static ARTICLE: Article = Article {
    id: "K10",
    title: Bi { es: "Plantarse o pedir", en: "Stand or draw" },
    gist: Bi {
        es: "Vistas sus cartas, el jugador se planta o pide una o más cartas.",
        en: "Having seen his cards, a player stands or draws one or more.",
    },
    raised: Bi {
        es: "Cuando el jugador elige otra cosa (doblar, abrir, asegurar, rendirse, cobrar simple), pone fichas para ello, o pide carta con Black Jack o pasado de 21.",
        en: "When a player chooses anything else (to double, split, insure, surrender or take even money), lays chips for it, or asks for a card with a Black Jack or over 21.",
    },
    remedy: Bi {
        es: "Lo dicho no vale: la mano sigue como estaba. Las fichas se devuelven.",
        en: "What was said has no effect: the hand is as it was. Chips are returned.",
    },
    settings: &["hit_at_21", "double_on", "max_hands", "insurance_when", "surrender", "even_money"],
    readings: &[Reading {
        number: 10,
        words: Bi {
            es: "El texto no conoce otra jugada que plantarse o pedir. {hit_at_21|true=Con 21 de más de dos cartas nadie espera al jugador, pero puede pedir si quiere.|_=Con 21 no se pide más.}",
            en: "The text knows no other play than to stand or to draw. {hit_at_21|true=At 21 in more than two cards nobody waits for the player, but he may draw if he likes.|_=At 21 nobody draws.}",
        },
    }],
    cases: &[&UNKNOWN_PLAY, &MAY_NOT_DRAW, &CHIPS_FOR_UNKNOWN_PLAY],
    on: &[On::Event(Kind::Decide), On::Bet(BetSpot::Double), On::Bet(BetSpot::Split), On::Bet(BetSpot::Insurance)],
    needs: Facts::of(&[Decisions]),
    cases_needing: &[(&MAY_NOT_DRAW, Facts::of(&[Decisions, Hands])), (&CHIPS_FOR_UNKNOWN_PLAY, Facts::of(&[Bets]))],
    check,
    ..Article::enforced(file!())
};

static UNKNOWN_PLAY: Case = Case {
    es: "jugada que este reglamento no tiene ({place}): no vale",
    en: "a play this regulation does not have ({place}): without effect",
};

static MAY_NOT_DRAW: Case = Case {
    es: "el {place} pidió carta con Black Jack{hit_at_21|true=|_=, con 21} o pasado de 21: no vale",
    en: "{place} asked for a card with a Black Jack{hit_at_21|true=|_=, at 21} or over 21: without effect",
};

static CHIPS_FOR_UNKNOWN_PLAY: Case = Case {
    es: "fichas en el {place} para una jugada que este reglamento no tiene: se devuelven",
    en: "chips on {place} for a play this regulation does not have: they are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    match context.event {
        // K16 tells of a decision by somebody else
        Event::Decide { hand, by, .. } if !context.state.pass.may_speak(*hand, by.as_ref()) => {}
        Event::Decide { hand, choice: Choice::Hit, .. }
            if context.state.pass.hand(*hand).is_some_and(|hand| may_not_draw(hand, context)) =>
        {
            findings.raise(&MAY_NOT_DRAW, Place::from(*hand)).no_effect();
        }
        Event::Decide { hand, choice, .. } if !is_known(*choice, context) => {
            findings.raise(&UNKNOWN_PLAY, Place::from(*hand)).no_effect();
        }
        Event::Bet { hand, spot, amount, .. } if *amount > 0 && *amount != context.state.pass.lies_on(*hand, *spot) => {
            let choice = match spot {
                BetSpot::Double => Choice::Double,
                BetSpot::Split => Choice::Split,
                _ => Choice::Insure,
            };
            if !is_known(choice, context) {
                findings.refuse_chips(&CHIPS_FOR_UNKNOWN_PLAY, context, *hand, *spot, 0);
            }
        }
        _ => {}
    }
}

fn may_not_draw(hand: &Hand, context: &Context<'_>) -> bool {
    let at_21 = || hand.total().is_some_and(|total| total.points == 21) && !hand.is_covered();
    hand.is_blackjack() || hand.is_over() || (!context.settings.play.hit_at_21 && at_21())
}

/// Whether the house has such a play: none but to stand or draw, unless its settings were changed.
fn is_known(choice: Choice, context: &Context<'_>) -> bool {
    let settings = context.settings;
    match choice {
        Choice::Hit | Choice::Stand | Choice::Decline => true,
        Choice::Double => settings.double.on != DoubleOn::Never,
        Choice::Split => settings.split.max_hands > 1,
        Choice::Insure => settings.insurance.when != Insured::Never,
        Choice::Surrender => settings.stakes.surrender != Surrender::Never,
        Choice::EvenMoney => settings.pays.even_money,
    }
}
