//! T-B9. A split Black Jack ties.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B9",
    title: Bi { es: "Empate del Black Jack abierto", en: "A split Black Jack ties" },
    gist: Bi {
        es: "El Black Jack de un juego abierto queda en tablas con el de la banca.",
        en: "A Black Jack on a split ties with the bank's.",
    },
    raised: Bi {
        es: "Al pagar o retirar un Black Jack abierto ante el Black Jack de la banca.",
        en: "When a split Black Jack is paid or collected before the bank's Black Jack.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    settings: &["split_blackjack"],
    cases: &[&TIE_NOT_KEPT],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static TIE_NOT_KEPT: Case = Case {
    es: "el Black Jack abierto del {place} queda en tablas con el de la banca: no se mueven fichas",
    en: "the split Black Jack of {place} ties with the bank's: no chips move",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(&[(WrongPayment::SplitTieNotKept, &TIE_NOT_KEPT)], context, mistake)
}
