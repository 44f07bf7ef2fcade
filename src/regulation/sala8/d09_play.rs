//! D9. The bettors' play and the end of the pass.

use super::prelude::*;
use crate::procedure::scene::on_insurance;
use crate::table::event::{Announcement, Choice, Question};

/// D9: the bettors' play and the end of the pass.
pub static ARTICLE: Article = Article {
    id: "D9",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Juego de los apostadores y cierre del pase", en: "The bettors' play and the end of the pass" },
    gist: Bi {
        es: "Cada apostador, por turno, pide o planta; las cartas van de a una y se canta el total; con 21 no se pide más. Después se retiran las apuestas que pierden, se pagan las que ganan y se levantan las cartas de izquierda a derecha, la banca al final.",
        en: "Each bettor in turn draws or stands; cards come one at a time and the total is called; nobody draws at 21. Then losing bets are collected, winning ones paid, and cards cleared from left to right, the bank's last.",
    },
    raised: Bi {
        es: "Al preguntar, decidir o dar carta a una mano mientras una anterior no terminó; al pedir con 21; al cantar mal un total; al pagar antes de haber retirado todo lo que pierde; al levantar cartas fuera de orden; y si al fin del pase quedan cartas en la mesa.",
        en: "At a question, decision or card for a hand while an earlier one is unfinished; at asking for a card at 21; at a total called wrongly; at a payment before every losing stake is collected; at cards cleared out of order; and if cards are left on the table when the pass ends.",
    },
    remedy: Bi {
        es: "Volver al orden. Una mano está sin terminar si no plantó, no dobló, no llegó a 21 ni se pasó.",
        en: "Go back to the order. A hand is unfinished that has not stood, doubled, reached 21 or gone over.",
    },
    settings: &[],
    example: include_str!("../../../docs/handbook/sala-8/examples/D9/violating-decision-out-of-turn.jsonl"),
    file: file!(),
    readings: &[Reading {
        number: 10,
        words: Bi {
            es: "Tras una apertura cada mano, en su turno, recibe primero su segunda carta y se juega como cualquier otra.",
            en: "After a split each hand, in its turn, is first given its second card and played like any other.",
        },
    }],
    cases: &[
        Bi {
            es: "se siguió con otra mano sin que terminara el {place}",
            en: "play went on elsewhere with {place} unfinished",
        },
        Bi { es: "el {place} pidió carta con 21", en: "{place} asked for a card at 21" },
        Bi { es: "total mal cantado: {place}", en: "wrong total called: {place}" },
        Bi {
            es: "se pagó al {place} antes de retirar todas las apuestas que pierden",
            en: "{place} was paid before every losing stake was collected",
        },
        Bi {
            es: "cartas levantadas fuera de orden: {place} quedó atrás",
            en: "cards cleared out of order: {place} was passed over",
        },
        Bi {
            es: "el pase terminó con cartas en la mesa: {place}",
            en: "the pass ended with cards on the table: {place}",
        },
    ],
    on: &[
        On::Card(Role::Hit),
        On::Card(Role::Unasked),
        On::Card(Role::Double),
        On::Card(Role::SplitSecond),
        On::Card(Role::Undue),
        On::Event(Kind::Ask),
        On::Event(Kind::Decide),
        On::Event(Kind::Announce),
        On::Event(Kind::Pay),
        On::Event(Kind::Move),
        On::Event(Kind::End),
    ],
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    match scene.event {
        Event::Ask { hand, about } if *about != Question::Insurance => passed_over(*hand, scene, docket),
        Event::Decide { hand, choice, .. } => {
            if !on_insurance(scene.state, *hand, *choice) {
                passed_over(*hand, scene, docket);
            }
            if *choice == Choice::Hit && is_at_21(scene, *hand) {
                docket.raise(1, Place::from(*hand)).no_effect();
            }
        }
        Event::Draw { .. } => {
            if let Some(drawn) = scene.drawn
                && let (Some(id), Role::Hit | Role::Unasked | Role::Double | Role::SplitSecond | Role::Undue) =
                    (drawn.hand(), drawn.role)
            {
                passed_over(id, scene, docket);
            }
        }
        Event::Announce { what: Announcement::Total, place: Some(place), value: Some(value) }
            if is_wrong_total(scene, *place, *value) =>
        {
            docket.raise(2, *place);
        }
        Event::Pay { hand, spot, .. } if *spot != BetSpot::Insurance && !scene.state.guesses() => {
            let uncollected = scene.state.uncollected(scene.settings, *hand).is_some();
            if uncollected && !docket.memory_of_case(3) {
                docket.raise(3, Place::from(*hand));
            }
        }
        Event::Move { from, to: Place::Discard, .. } => cleared_out_of_order(*from, scene, docket),
        Event::End {} => {
            if let Some(place) = scene.state.first_place_with_cards() {
                docket.raise(5, place);
            }
        }
        _ => {}
    }
}

/// An ask, decision or card for a later hand while an earlier one is unfinished.
fn passed_over(to: HandId, scene: &Scene<'_>, docket: &mut Docket<'_>) {
    let earlier = scene.state.marked(Mark::Unfinished).before(to);
    if earlier.is_empty()
        || !scene.state.observes.decisions
        || !scene.state.delivered()
        || scene.state.hand(to).is_none()
    {
        return;
    }
    for id in earlier {
        if !docket.knows(0, Place::from(id)) && !docket.knows_of("C11", Place::from(id)) {
            docket.raise(0, Place::from(id));
        }
    }
}

fn is_at_21(scene: &Scene<'_>, id: HandId) -> bool {
    scene.state.hand(id).is_some_and(|hand| {
        hand.count() >= 2
            && !hand.is_covered()
            && (hand.is_blackjack() || hand.total().is_some_and(|total| total.points == 21))
    })
}

/// Only of cards that may be known: where one lies covered nothing is said of the total.
fn is_wrong_total(scene: &Scene<'_>, place: Place, value: u32) -> bool {
    if !scene.state.observes.announcements || scene.state.guesses() {
        return false;
    }
    match place {
        Place::Bank => {
            let bank = &scene.state.pass.bank;
            !bank.is_covered() && bank.total().is_some_and(|total| u32::from(total) != value)
        }
        Place::Hand(id) => scene.state.hand(id).is_some_and(|hand| {
            let Some(total) = hand.total().filter(|_| !hand.is_covered()) else { return false };
            let points = u32::from(total.points);
            let low = if total.soft { points - 10 } else { points };
            value != points && value != low
        }),
        _ => false,
    }
}

fn cleared_out_of_order(from: Place, scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if !scene.clearing || scene.taking.count() == 0 || docket.memory_of_case(4) {
        return;
    }
    let lying = scene.state.marked(Mark::Cards);
    let earlier = match from {
        Place::Hand(id) => lying.before(id).first().map(Place::from),
        Place::Bank => lying.first().map(Place::from),
        _ => scene.state.first_place_with_cards(),
    };
    if let Some(place) = earlier {
        docket.raise(4, place);
    }
}
