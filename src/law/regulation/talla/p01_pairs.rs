//! T-P1. Pairs.

use super::pairs::{asked, comes_late, has_ten_with_figure, refused};
use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};

pub(super) static ARTICLE: Article = Article {
    id: "T-P1",
    title: Bi { es: "Pares", en: "Pairs" },
    gist: Bi {
        es: "Se abren dos primeras cartas del mismo valor numérico.",
        en: "Two first cards of the same number may be split.",
    },
    raised: Bi {
        es: "Al poner fichas para abrir o decidir abrir con cartas que no son un par, con otra cantidad de cartas que dos, o cuando la mano ya se plantó o se rindió. El diez con una figura es de T-P5.",
        en: "When chips are put to split, or splitting is decided, with cards that are no pair, with any other number of cards than two, or once the hand has stood or was given up. A ten with a figure is T-P5's.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para abrir: la apertura no vale.",
        en: "Return what was put to split: the split does not count.",
    },
    settings: &["pairs"],
    readings: &[Reading {
        number: 14,
        words: Bi {
            es: "Quien ya se plantó o se rindió no puede abrir después.",
            en: "Who has stood or given up may not split afterwards.",
        },
    }],
    cases: &[&NO_PAIR, &PLAY_IS_OVER],
    on: split::ON,
    needs: Facts::of(&[Choices, Hands]),
    cases_needing: &[(&PLAY_IS_OVER, Facts::of(&[Decisions, Hands]))],
    check,
    ..Article::enforced(file!())
};

static NO_PAIR: Case = Case {
    es: "el {place} no puede abrir: no tiene un par en sus dos cartas",
    en: "{place} may not split: it has no pair in two cards",
};

static PLAY_IS_OVER: Case =
    Case { es: "el {place} no puede abrir: su juego ya terminó", en: "{place} may not split: its play is over" };

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(asked) = asked(context).filter(|asked| comes_late(*asked, context)) {
        asked.refused(Reason::NoPair, context).raise(&PLAY_IS_OVER, context, findings);
    }
    if let Some(refused) = refused(Reason::NoPair, context).filter(|of| !has_ten_with_figure(of.id, context)) {
        refused.raise(&NO_PAIR, context, findings);
    }
}
