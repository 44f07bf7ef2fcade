//! T-B7. The bank stays.

use super::moving::{self, WrongMove};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B7",
    title: Bi { es: "La banca conserva la talla", en: "The bank stays" },
    gist: Bi {
        es: "Si el jugador y la banca tienen Black Jack, la banca queda donde está.",
        en: "Where player and bank both have Black Jack, the bank stays where it is.",
    },
    raised: Bi {
        es: "Cuando toma, regala, vende o devuelve la banca quien tuvo Black Jack en un pase en que la banca también lo tuvo.",
        en: "When the bank is taken, given away, sold or returned by somebody whose Black Jack came in a pass in which the bank had one too.",
    },
    remedy: Bi {
        es: "La banca no se mueve: sigue donde estaba.",
        en: "The bank does not move: it stays where it was.",
    },
    cases: &[&BANK_TIED],
    on: moving::ON,
    needs: Facts::of(&[Bets, Hands]),
    check,
    ..Article::enforced(file!())
};

static BANK_TIED: Case = Case {
    es: "la banca no se mueve: ella también tuvo Black Jack ({place})",
    en: "the bank does not move: it had a Black Jack too ({place})",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    moving::check(&[(WrongMove::BankTied, &BANK_TIED)], context, findings);
}
