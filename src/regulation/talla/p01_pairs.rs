//! T-P1. Pairs.

use super::p05_ten_with_figure::has_ten_with_figure;
use crate::procedure::hand::Hand;
use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Asked, Refused, Why};

/// T-P1: pairs.
pub static ARTICLE: Article = Article {
    id: "T-P1",
    kind: Watched::Enforced,
    severity: Severity::Irregularity,
    title: Bi { es: "Pares", en: "Pairs" },
    gist: Bi {
        es: "Se abren dos primeras cartas del mismo valor numérico.",
        en: "Two first cards of the same number may be split.",
    },
    raised: Bi {
        es: "Al poner fichas para abrir o decidir abrir con cartas que no son un par, con otra cantidad de cartas que dos, o cuando la mano ya plantó o se rindió. El diez con una figura es de T-P5.",
        en: "When chips are put to split, or splitting is decided, with cards that are no pair, with any other number of cards than two, or once the hand has stood or was given up. A ten with a figure is T-P5's.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para abrir: la apertura no vale.",
        en: "Return what was put to split: the split does not count.",
    },
    settings: &["pairs"],
    example: include_str!("../../../docs/handbook/talla/examples/T-P1/violating-no-pair.jsonl"),
    file: file!(),
    readings: &[Reading {
        number: 14,
        words: Bi {
            es: "Quien ya plantó o se rindió no puede abrir después.",
            en: "Who has stood or given up may not split afterwards.",
        },
    }],
    cases: &[
        Bi {
            es: "el {place} no puede abrir: no tiene un par en sus dos cartas",
            en: "{place} may not split: it has no pair in two cards",
        },
        Bi { es: "el {place} no puede abrir: su juego ya terminó", en: "{place} may not split: its play is over" },
    ],
    on: split::ON,
    check,
};

fn check(scene: &Scene<'_>, docket: &mut Docket<'_>) {
    if let Some(asked) = asked(scene).filter(|asked| comes_late(*asked, scene)) {
        asked.refused(Why::NoPair, scene).raise(1, scene, docket);
    }
    if let Some(refused) = refused(Why::NoPair, scene).filter(|of| !has_ten_with_figure(of.id, scene)) {
        refused.raise(0, scene, docket);
    }
}

/// A split asked for: chips put back, or taken off, open nothing (T-N5).
fn asked(scene: &Scene<'_>) -> Option<Asked> {
    let split_by = |id| scene.state.hand(id).map_or(0, |hand| hand.split_by);
    split::asked(scene).filter(|asked| asked.chips.is_none_or(|amount| amount > split_by(asked.id)))
}

/// A split that may not be for that reason, its hand still being played.
pub(super) fn refused(why: Why, scene: &Scene<'_>) -> Option<Refused> {
    let asked = asked(scene).filter(|asked| !comes_late(*asked, scene) && !scene.state.guesses())?;
    let unread = |hand: &Hand| hand.count() == 2 && (hand.rank(0).is_none() || hand.rank(1).is_none());
    let may_be_pair = why == Why::NoPair && scene.state.hand(asked.id).is_some_and(unread);
    split::refused(scene).filter(|refused| refused.why == why && !may_be_pair)
}

/// A new split of two cards whose play is over.
fn comes_late(asked: Asked, scene: &Scene<'_>) -> bool {
    let hand = scene.state.hand(asked.id).filter(|hand| hand.count() == 2 && !asked.follows);
    let is_over = |hand: &Hand| (hand.stood && scene.state.observes.decisions) || hand.void || hand.is_closed();
    hand.is_some_and(is_over) && !has_ten_with_figure(asked.id, scene)
}
