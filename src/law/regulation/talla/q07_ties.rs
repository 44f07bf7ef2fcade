//! T-Q7. Ties.

use crate::regulation::prelude::*;
use crate::table::Outcome;

pub(super) static ARTICLE: Article = Article {
    id: "T-Q7",
    title: Bi { es: "Tablas", en: "Ties" },
    gist: Bi {
        es: "Juegos iguales quedan en tablas: el jugador retira su apuesta.",
        en: "Equal hands tie: the player takes his bet back.",
    },
    raised: Bi {
        es: "Al pagar o retirar una mano que empata con la banca. El empate de Black Jacks es de T-B4 y T-B9.",
        en: "When a hand that ties with the bank is paid or collected. A tie of Black Jacks is T-B4's and T-B9's.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    cases: &[&TIE_PAID, &TIE_COLLECTED],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static TIE_PAID: Case = Case { es: "se pagó al {place}, que empata", en: "{place} was paid though it ties" };

static TIE_COLLECTED: Case = Case {
    es: "se retiró la apuesta del {place}, que empata",
    en: "the stake of {place} was collected though it ties",
};

fn money(_: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    let ties = mistake.owed.outcome == Outcome::Push;
    let case = if mistake.kind == MistakeKind::NothingLost { &TIE_COLLECTED } else { &TIE_PAID };
    ties.then_some(case)
}
