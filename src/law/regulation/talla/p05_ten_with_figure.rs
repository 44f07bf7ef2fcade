//! T-P5. A ten with a figure.

use super::pairs::{has_ten_with_figure, refused};
use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};

pub(super) static ARTICLE: Article = Article {
    id: "T-P5",
    title: Bi { es: "Diez con figura", en: "A ten with a figure" },
    gist: Bi {
        es: "Las figuras hacen par entre sí; el diez con una figura no es un par válido.",
        en: "Figures pair with figures; a ten with a figure is no valid pair.",
    },
    raised: Bi {
        es: "Al poner fichas para abrir o decidir abrir un diez con una figura.",
        en: "When chips are put to split, or splitting is decided, on a ten with a figure.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para abrir: la apertura no vale.",
        en: "Return what was put to split: the split does not count.",
    },
    settings: &["pairs"],
    cases: &[&TEN_WITH_FIGURE],
    on: split::ON,
    needs: Facts::of(&[Choices, Hands]),
    check,
    ..Article::enforced(file!())
};

static TEN_WITH_FIGURE: Case = Case {
    es: "el {place} no puede abrir: diez y figura no hacen par",
    en: "{place} may not split: a ten and a figure are no pair",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(refused) = refused(Reason::NoPair, context).filter(|refused| has_ten_with_figure(refused.id, context)) {
        refused.raise(&TEN_WITH_FIGURE, context, findings);
    }
}
