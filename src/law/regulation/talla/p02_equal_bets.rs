//! T-P2. Equal bets on both hands.

use super::pairs::refused;
use crate::regulation::prelude::*;
use crate::regulation::shared::split::{self, Reason};

pub(super) static ARTICLE: Article = Article {
    id: "T-P2",
    title: Bi { es: "Apuestas iguales", en: "Equal bets on both hands" },
    gist: Bi {
        es: "La apuesta es la misma en los dos juegos que se abren.",
        en: "The bet is the same on both hands that are opened.",
    },
    raised: Bi {
        es: "Al poner para abrir, donde corresponde abrir, otro importe que el de la apuesta de la mano que se abre.",
        en: "When any other amount than the stake of the hand that is split is put to split where splitting is allowed.",
    },
    remedy: Bi {
        es: "Devolver lo puesto, o llevarlo al importe de la apuesta.",
        en: "Return what was put, or bring it to the amount of the stake.",
    },
    cases: &[&UNEQUAL_AMOUNT, &CHIPS_MISSING],
    on: split::UNPAID_ON,
    needs: Facts::of(&[Bets, Hands]),
    cases_needing: &[(&CHIPS_MISSING, Facts::of(&[Bets, Decisions, Hands]))],
    check,
    ..Article::enforced(file!())
};

static UNEQUAL_AMOUNT: Case = Case {
    es: "lo puesto para abrir el {place} no es igual a su apuesta",
    en: "what was put to split {place} is not equal to its stake",
};

static CHIPS_MISSING: Case = Case {
    es: "el {place} se abrió sin que las fichas estuvieran puestas: las que se pongan se devuelven",
    en: "{place} was split before its chips lay there: any laid later are returned",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    split::check_unpaid(&CHIPS_MISSING, |_| true, context, findings);
    if let Some(refused) = refused(Reason::Amount, context) {
        refused.raise(&UNEQUAL_AMOUNT, context, findings);
    }
}
