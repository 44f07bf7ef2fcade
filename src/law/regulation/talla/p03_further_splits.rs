//! T-P3. Further splits.

use super::pairs::refused;
use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};

pub(super) static ARTICLE: Article = Article {
    id: "T-P3",
    title: Bi { es: "Más aperturas", en: "Further splits" },
    gist: Bi {
        es: "El primer par siempre puede abrirse; que se abran más juegos lo permite o restringe la talla.",
        en: "The first pair may always be split; whether more hands are opened is for the bank to allow or restrict.",
    },
    raised: Bi {
        es: "Al poner fichas para abrir o decidir abrir un par cuando el casillero ya tiene todas las manos permitidas.",
        en: "When chips are put to split, or splitting is decided, on a pair in a box that has all the hands it may have.",
    },
    remedy: Bi {
        es: "Devolver lo puesto para abrir: la apertura no vale.",
        en: "Return what was put to split: the split does not count.",
    },
    settings: &["max_hands"],
    readings: &[Reading {
        number: 15,
        words: Bi {
            es: "La talla permite cuatro manos por casillero (`max_hands`, de dos a ocho). Una mano que se abre de nuevo da la letra siguiente que esté libre y juega enseguida después de ella: 3, 3c, 3b.",
            en: "The bank allows four hands a box (`max_hands`, from two to eight). A hand split again gives the next free letter and plays right after it: 3, 3c, 3b.",
        },
    }],
    cases: &[&TOO_MANY_HANDS],
    on: split::ON,
    needs: Facts::of(&[Choices, Hands]),
    check,
    ..Article::enforced(file!())
};

static TOO_MANY_HANDS: Case = Case {
    es: "el {place} no puede abrir: el casillero ya tiene todas las manos permitidas",
    en: "{place} may not split: its box has all the hands it may have",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if let Some(refused) = refused(Reason::Limit, context) {
        refused.raise(&TOO_MANY_HANDS, context, findings);
    }
}
