//! T-S10. Black Jack against Black Jack, insured.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-S10",
    title: Bi { es: "Black Jack contra Black Jack, asegurado", en: "Black Jack against Black Jack, insured" },
    gist: Bi {
        es: "Si el jugador y la banca tienen Black Jack, el seguro cobra {insurance:times} y las manos quedan en tablas.",
        en: "Where player and bank both have Black Jack, insurance is paid double and the hands tie.",
    },
    raised: Bi {
        es: "Al pagar o retirar la apuesta de un Black Jack asegurado ante el Black Jack de la banca. El seguro mismo es de T-S8.",
        en: "When the stake of an insured Black Jack is paid or collected before the bank's Black Jack. The insurance itself is T-S8's.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    cases: &[&TIE_NOT_KEPT],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static TIE_NOT_KEPT: Case = Case {
    es: "el Black Jack asegurado del {place} queda en tablas: no se mueve su apuesta",
    en: "the insured Black Jack of {place} ties: its stake does not move",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(&[(WrongPayment::InsuredTieNotKept, &TIE_NOT_KEPT)], context, mistake)
}
