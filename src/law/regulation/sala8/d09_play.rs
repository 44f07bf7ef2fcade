//! D9. The bettors' play and the end of the pass.

use super::c11_not_dealt_on;
use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::{clearing, total, turns};
use crate::table::Outcome;
use crate::table::event::Choice;

pub(super) static ARTICLE: Article = Article {
    id: "D9",
    title: Bi { es: "Juego de los apostadores y cierre del pase", en: "The bettors' play and the end of the pass" },
    gist: Bi {
        es: "Cada apostador, por turno, pide o planta; las cartas van de a una y se canta el total{hit_at_21|false=; con 21 no se pide más|_=}. Después se retiran las apuestas que pierden, se pagan las que ganan y se levantan las cartas {first_box|left=de izquierda a derecha|_=de derecha a izquierda}, la banca al final.",
        en: "Each bettor in turn draws or stands; cards come one at a time and the total is called{hit_at_21|false=; nobody draws at 21|_=}. Then losing bets are collected, winning ones paid, and cards cleared {first_box|left=from left to right|_=from right to left}, the bank's last.",
    },
    raised: Bi {
        es: "Al preguntar, decidir o dar carta a una mano mientras una anterior no terminó; {hit_at_21|false=al pedir con 21; |_=}al cantar mal un total; al retirar o pagar mientras hay una mano sin terminar y la banca no está definida; al pagar antes de haber retirado todo lo que pierde; al levantar cartas de un casillero saldado antes de saldar los demás, o fuera de orden; y si al fin del pase quedan cartas en la mesa.",
        en: "At a question, decision or card for a hand while an earlier one is unfinished; {hit_at_21|false=at asking for a card at 21; |_=}at a total called wrongly; at collecting or paying while a hand is unfinished and the bank not defined; at a payment before every losing stake is collected; at cards of a settled box cleared before the others are settled, or out of order; and if cards are left on the table when the pass ends.",
    },
    remedy: Bi {
        es: "Volver al orden. Una mano está sin terminar si no se plantó, no dobló, no llegó a 21 ni se pasó.",
        en: "Go back to the order. A hand is unfinished that has not stood, doubled, reached 21 or gone over.",
    },
    settings: &["losers_first", "blackjack_at_once", "blackjack_may_be_early"],
    readings: &[
        Reading {
            number: 10,
            words: Bi {
                es: "Tras una apertura cada mano, en su turno, recibe primero su segunda carta y se juega como cualquier otra.",
                en: "After a split each hand, in its turn, is first given its second card and played like any other.",
            },
        },
        Reading {
            number: 17,
            words: Bi {
                es: "Retirar en el acto una mano pasada, o pagar un Black Jack, mientras otros juegan es un aviso, uno por pase, con el levantar de sus cartas. La mano saldada por error está saldada: lo demás es de D14, y no impide pagar a otra.",
                en: "To collect a hand over 21, or pay a Black Jack, at once while others play is a notice, one a pass, the clearing of its cards included. A hand settled by mistake is settled: the rest is D14's, and keeps no other from being paid.",
            },
        },
        Reading {
            number: 21,
            words: Bi {
                es: "A un par se le pregunta si abre antes de carta o planta; con dos ases, si abre, y después por el as; con un solo as entre dos cartas, primero por el as.",
                en: "A pair is asked whether it splits before card or stand; two aces whether they split, then about the ace; one ace among two cards, about the ace first.",
            },
        },
    ],
    cases: &[
        &PASSED_OVER,
        &HIT_AT_21,
        &WRONG_TOTAL,
        &SETTLED_AT_ONCE,
        &SETTLED_EARLY,
        &PAID_BEFORE_LOSERS,
        &CLEARED_EARLY,
        &CLEARED_OUT_OF_ORDER,
        &CARDS_LEFT,
    ],
    case_severities: &[(&SETTLED_AT_ONCE, Severity::Notice)],
    on: on![
        turns::ON,
        &[
            On::Event(Kind::Announce),
            On::Bet(BetSpot::Main),
            On::Event(Kind::Collect),
            On::Event(Kind::Pay),
            On::Event(Kind::Move),
            On::Event(Kind::End)
        ]
    ],
    cases_needing: &[
        (&SETTLED_AT_ONCE, Facts::of(&[Bets, Decisions, Hands])),
        (&SETTLED_EARLY, Facts::of(&[Bets, Decisions, Hands])),
        (&PASSED_OVER, Facts::of(&[Decisions, Hands])),
        (&HIT_AT_21, Facts::of(&[Decisions, Hands])),
        (&WRONG_TOTAL, Facts::of(&[Announcements, Hands])),
        (&PAID_BEFORE_LOSERS, Facts::of(&[Bets, Hands])),
        (&CLEARED_EARLY, Facts::of(&[Moves, Bets, Hands])),
        (&CLEARED_OUT_OF_ORDER, Facts::of(&[Moves, Hands])),
        (&CARDS_LEFT, Facts::of(&[Moves, Hands])),
    ],
    check,
    ..Article::enforced(file!())
};

static PASSED_OVER: Case = Case {
    es: "se siguió con otra mano sin que terminara el {place}",
    en: "play went on elsewhere with {place} unfinished",
};

static HIT_AT_21: Case = Case { es: "el {place} pidió carta con 21", en: "{place} asked for a card at 21" };

static WRONG_TOTAL: Case = Case { es: "total mal cantado: {place}", en: "wrong total called: {place}" };

static SETTLED_AT_ONCE: Case = Case {
    es: "se saldó en el acto el {place} mientras otros juegan",
    en: "{place} was settled at once while others play",
};

static SETTLED_EARLY: Case = Case {
    es: "se saldó el {place} mientras otros juegan y sin banca definida",
    en: "{place} was settled while others play and the bank is not defined",
};

static PAID_BEFORE_LOSERS: Case = Case {
    es: "se pagó al {place} antes de retirar todas las apuestas que pierden",
    en: "{place} was paid before every losing stake was collected",
};

static CLEARED_EARLY: Case = Case {
    es: "se levantaron las cartas del {place} antes de retirar todo lo que pierde y pagar todo lo que gana",
    en: "the cards of {place} were cleared before the last loser was collected and the last winner paid",
};

static CLEARED_OUT_OF_ORDER: Case =
    Case { es: "cartas levantadas fuera de orden: {place}", en: "cards cleared out of order: {place}" };

static CARDS_LEFT: Case =
    Case { es: "el pase terminó con cartas en la mesa", en: "the pass ended with cards on the table" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(to) = turns::acting(context) {
        for place in turns::passed_over(to, context).map(Place::from) {
            if !findings.knows(&PASSED_OVER, place) && !findings.knows_article(&c11_not_dealt_on::ARTICLE, place) {
                findings.raise(&PASSED_OVER, place);
            }
        }
    }
    match context.event {
        Event::Decide { hand, choice: Choice::Hit, .. }
            if !context.settings.play.hit_at_21 && is_at_21(context, *hand) =>
        {
            findings.raise(&HIT_AT_21, Place::from(*hand)).no_effect();
        }
        Event::Announce { .. } => {
            if let Some(place) = total::wrong(context) {
                findings.raise(&WRONG_TOTAL, place);
            }
        }
        Event::Collect { hand, spot: BetSpot::Main, .. } | Event::Pay { hand, spot: BetSpot::Main, .. } => {
            check_settling(*hand, context, findings);
        }
        Event::Bet { hand, spot, amount, .. } => {
            if let Some(over) = context.state.collected_bust(*hand, *spot, *amount) {
                check_settling(over, context, findings);
            }
        }
        Event::Move { from, .. } => {
            let case = if clearing::out_of_order(context).is_some() {
                &CLEARED_OUT_OF_ORDER
            } else if is_cleared_early(context) {
                &CLEARED_EARLY
            } else {
                return;
            };
            if !findings.knows_anywhere(case) {
                findings.raise(case, *from);
            }
        }
        Event::End {} if context.state.pass.first_place_with_cards().is_some() => {
            findings.raise(&CARDS_LEFT, None);
        }
        _ => {}
    }
}

/// One finding a pass and kind. To pay a loser is D14 alone.
fn check_settling(id: HandId, context: &Context<'_>, findings: &mut Findings<'_>) {
    let state = context.state;
    let pays = matches!(context.event, Event::Pay { .. });
    let has = |what: fn(&Hand) -> bool| state.pass.hand(id).is_some_and(what);
    let owed = || state.pass.hand(id).and_then(|hand| state.owed(hand).known());
    let loses = || owed().is_some_and(|owed| owed.outcome == Outcome::Lose);
    // what puts a wrong payment right, or pays whom a bank over 21 owes at once (C11), comes when it may
    if (pays && (loses() || context.duties.asks_for(Part::Collect(id)))) || has(|hand| hand.is_wrong(BetSpot::Main)) {
        return;
    }
    let case = if is_played(context) && !state.bank_is_final() {
        let ended = if pays { has(Hand::is_blackjack) } else { has(Hand::is_over) };
        let may_be_paid = context.settings.pays.blackjack_at_once || context.settings.pays.blackjack_early;
        if ended && pays && may_be_paid {
            return;
        }
        if ended && !has(Hand::is_covered) { &SETTLED_AT_ONCE } else { &SETTLED_EARLY }
    } else if pays
        && context.settings.pays.losers_first
        && !state.gives_back(context.event)
        && state.uncollected(id).is_some()
    {
        &PAID_BEFORE_LOSERS
    } else {
        return;
    };
    if !findings.knows_anywhere(case) {
        findings.raise(case, Place::from(id));
    }
}

/// Whether a hand is unfinished, one that still waits for a card of the delivery too.
fn is_played(context: &Context<'_>) -> bool {
    let pass = &context.state.pass;
    pass.turn().is_some() || pass.is_dealt() && pass.boxes_wait()
}

/// Whether cards of a settled bet are cleared while others are still to be settled; those of one that ended at once
/// go with that (Reading 17), those of one not settled are lost (C15).
fn is_cleared_early(context: &Context<'_>) -> bool {
    let Event::Move { from: Place::Hand(id), to: Place::Discard, .. } = context.event else { return false };
    let state = context.state;
    let goes_with_it = |hand: &Hand| {
        let ended = hand.is_blackjack() || hand.is_over();
        ended && state.pass.turn().is_some()
    };
    let is_early = |hand: &Hand| !hand.void && !hand.lost && state.is_settled(hand) && !goes_with_it(hand);
    // where everybody is over 21 no bank is needed, and every stake is to be collected first all the same
    let is_uncollected =
        |(_, hand): (HandId, &Hand)| hand.is_over() && !hand.void && !hand.lost && !hand.is_touched(BetSpot::Main);
    let waits = || state.observes.bets && !state.pass.guesses() && state.pass.hands().any(is_uncollected);
    let cleared = context.meaning.removal.due > 0 && (!context.meaning.clearing || waits());
    cleared && state.pass.hand(*id).is_some_and(is_early)
}

fn is_at_21(context: &Context<'_>, id: HandId) -> bool {
    context.state.pass.hand(id).is_some_and(|hand| {
        !hand.is_covered() && (hand.is_blackjack() || hand.total().is_some_and(|total| total.points == 21))
    })
}
