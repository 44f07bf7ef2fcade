//! G12. Doubling.

use super::g14_split_aces;
use crate::procedure::context::on_insurance;
use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::double;
use crate::table::event::{Choice, Question};
use crate::table::place::MAX_HANDS;
use crate::table::settings::{Insured, Surrender};

pub(super) static ARTICLE: Article = Article {
    id: "G12",
    title: Bi { es: "Doblar", en: "Doubling" },
    gist: Bi {
        es: "Con 9, 10 u 11 en sus dos primeras cartas el jugador puede doblar su apuesta: recibe una sola carta más. El banquero anuncia a los jugadores sus posibilidades.",
        en: "With 9, 10 or 11 in the first two cards a player may double his bet: he gets one more card only. The banker announces the choices to the players.",
    },
    raised: Bi {
        es: "Al poner fichas para doblar o decidir doblar sin 9, 10 u 11 en dos cartas, después de plantarse, o por otro importe que lo apostado; o al dar la carta, o seguir con otra mano, sin que las fichas estén puestas. También, una vez por casillero, con la primera decisión o carta de una mano que podía doblar, dividir o asegurarse sin que se le anunciara; y al pedir o dar otra carta después de doblar.",
        en: "When chips are put to double, or doubling is decided, without 9, 10 or 11 in two cards, after the hand has stood, or for another amount than the stake; or when the card comes, or play goes on elsewhere, before the chips lie there. Also, once a box, at the first decision or card of a hand that might double, split or insure and was not told; and when another card is asked for, or dealt, after a double.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para doblar. La carta dada sin anunciar vale; la dada tras doblar vuelve al mazo.",
        en: "Return what was put to double. A card dealt without the choices being announced counts; one dealt after a double goes back to the shoe.",
    },
    settings: &["double_on", "double_after_split", "double_is_offered", "misdealt"],
    readings: &[
        Reading {
            number: 7,
            words: Bi {
                es: "El as cuenta 1 u 11 también aquí: as y ocho suman 9, as y nueve 10. No así el as con un diez, que son 21, también en una mano dividida.",
                en: "An ace counts 1 or 11 here too: ace and eight are 9, ace and nine 10. Not so an ace with a ten, which are 21, on a split hand too.",
            },
        },
        Reading {
            number: 8,
            words: Bi {
                es: "«Doblar su apuesta» es poner otro tanto igual, ni más ni menos; en una mano dividida, lo apostado en ella.",
                en: "To “double the bet” is to put another equal stake, no more and no less; on a split hand, the stake of that hand.",
            },
        },
    ],
    cases: &[
        &MAY_NOT_DOUBLE,
        &UNEQUAL_AMOUNT,
        &CHIPS_MISSING,
        &DOUBLE_NOT_ANNOUNCED,
        &SPLIT_NOT_ANNOUNCED,
        &INSURANCE_NOT_ANNOUNCED,
        &ASKED_AFTER_DOUBLE,
        &CARD_AFTER_DOUBLE,
    ],
    on: double::UNPAID_ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[
        (&UNEQUAL_AMOUNT, Facts::of(&[Bets, Hands])),
        (&CHIPS_MISSING, Facts::of(&[Bets, Decisions, Hands])),
        (&DOUBLE_NOT_ANNOUNCED, Facts::of(&[Asks, Choices, Hands])),
        (&SPLIT_NOT_ANNOUNCED, Facts::of(&[Asks, Choices, Hands])),
        (&INSURANCE_NOT_ANNOUNCED, Facts::of(&[Asks, Choices, Hands])),
        (&ASKED_AFTER_DOUBLE, Facts::of(&[Decisions, Hands])),
        (&CARD_AFTER_DOUBLE, Facts::of(&[Places, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static MAY_NOT_DOUBLE: Case = Case {
    es: "el {place} no puede doblar: {double_on|nine_to_eleven=no tiene 9, 10 ni 11 en dos cartas|eleven=no tiene once en dos cartas|any=sólo se dobla con las dos primeras cartas, salvo Black Jack|_=aquí no se dobla}, o ya se plantó",
    en: "{place} may not double: {double_on|nine_to_eleven=it does not have 9, 10 or 11 in two cards|eleven=it does not have eleven in two cards|any=only the first two cards are doubled, and no Black Jack|_=there is no doubling here}, or it has stood",
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para doblar en el {place} no es igual a su apuesta",
    en: "what was put to double {place} is not equal to its stake",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se dobló sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was doubled before its chips lay there: any laid later are returned",
};

static DOUBLE_NOT_ANNOUNCED: Case =
    Case { es: "no se anunció al {place} que podía doblar", en: "{place} was not told that it might double" };

static SPLIT_NOT_ANNOUNCED: Case =
    Case { es: "no se anunció al {place} que podía dividir", en: "{place} was not told that it might split" };

static INSURANCE_NOT_ANNOUNCED: Case =
    Case { es: "no se anunció al {place} que podía asegurarse", en: "{place} was not told that it might insure" };

static ASKED_AFTER_DOUBLE: Case = Case {
    es: "el {place} dobló y ya tiene su carta: no puede pedir",
    en: "{place} has doubled and has its card: it may not ask for another",
};

static CARD_AFTER_DOUBLE: Case = Case {
    es: "otra carta para el {place}, que dobló: vuelve al mazo",
    en: "another card for {place}, which has doubled: it goes back to the shoe",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if double::refuse_late(&CHIPS_MISSING, context, findings) {
        return;
    }
    if let Some((id, _)) = double::refused(context) {
        if !g14_split_aces::is_served_split_ace(context, id) {
            double::refuse(&MAY_NOT_DOUBLE, id, context, findings);
        }
    } else if let Some(id) = double::wrong_amount(context) {
        double::refuse(&UNEQUAL_AMOUNT, id, context, findings);
    }
    double::check_unpaid(&CHIPS_MISSING, context, findings);
    after_a_double(context, findings);
    unannounced(context, findings);
}

/// A card asked for, or dealt, once a doubled hand has its one.
fn after_a_double(context: &Context<'_>, findings: &mut Findings<'_>) {
    match (context.event, card_after_double(context)) {
        (Event::Decide { hand: id, choice: choice @ (Choice::Hit | Choice::Double), by }, _)
            if context.state.pass.hand(*id).is_some_and(|hand| hand.asks_beyond_double(*choice))
                && context.state.pass.may_speak(*id, by.as_ref()) =>
        {
            findings.raise(&ASKED_AFTER_DOUBLE, Place::from(*id)).no_effect();
        }
        (_, Some(id)) => {
            findings.raise(&CARD_AFTER_DOUBLE, Place::from(id)).misdealt(context, Place::from(id));
        }
        _ => {}
    }
}

/// The doubled hand that is dealt a card beyond its one.
pub(super) fn card_after_double(context: &Context<'_>) -> Option<HandId> {
    let drawn = context.meaning.drawn.filter(|drawn| drawn.role == Role::NotDue)?;
    drawn.hand().filter(|id| context.state.pass.hand(*id).is_some_and(Hand::has_double_card))
}

/// The first decision or card of a box to which a choice was open that was not announced.
fn unannounced(context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let (id, plays) = match (context.event, context.meaning.drawn) {
        // choices may be told one by one: who declines one is still told the next
        (Event::Decide { choice: Choice::Decline, .. }, _) => return,
        (Event::Decide { hand, by, choice }, _) if state.pass.may_speak(*hand, by.as_ref()) => {
            // who may give a hand up, and does, plays no further
            let gives_up = *choice == Choice::Surrender && context.settings.stakes.surrender != Surrender::Never;
            (*hand, !gives_up && !on_insurance(state, *hand, *choice))
        }
        (_, Some(drawn)) if matches!(drawn.role, Role::Hit | Role::Unasked | Role::Double) => match drawn.hand() {
            Some(id) => (id, true),
            None => return,
        },
        _ => return,
    };
    let cases = [&DOUBLE_NOT_ANNOUNCED, &SPLIT_NOT_ANNOUNCED, &INSURANCE_NOT_ANNOUNCED];
    let is_known = |hand| cases.iter().any(|case| findings.knows(case, Place::from(HandId { hand, ..id })));
    let Some(hand) = state.pass.hand(id).filter(|hand| hand.count() == 2 && !hand.void) else { return };
    if hand.is_blackjack() || (0..MAX_HANDS as u8).any(is_known) {
        return;
    }
    let untold = |about| !hand.was_asked(about);
    let doubles = hand.is_to_be_offered_double(context.settings);
    let splits = context.settings.double.is_offered && may_be_split(hand, id, context) && untold(Question::Split);
    // who has laid insurance need not be told of it
    let is_insured = context.settings.insurance.when == Insured::BeforePlay;
    let bank = &state.pass.bank;
    let was_open = bank.shows_ace() && !bank.began_late && !hand.dealt_late;
    let insures = is_insured && !hand.split && was_open && hand.insurance == 0;
    let open = [plays && doubles, plays && splits, insures && (untold(Question::Insurance) || hand.offered_late)];
    if let Some((case, _)) = cases.into_iter().zip(open).find(|(_, open)| *open) {
        findings.raise(case, Place::from(id));
    }
}

fn may_be_split(hand: &Hand, id: HandId, context: &Context<'_>) -> bool {
    let split = context.settings.split;
    let hands = context.state.pass.betting_box(id.box_no).map_or(0, |betting_box| betting_box.hands_in_play);
    let is_served_ace = hand.is_split_ace() && !split.aces_again;
    hand.is_pair(split.pairs) && !hand.is_covered() && !is_served_ace && hands < usize::from(split.max_hands)
}
