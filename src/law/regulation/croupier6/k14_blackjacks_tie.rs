//! K14. Black Jack against Black Jack.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;
use crate::regulation::shared::money;

pub(super) static ARTICLE: Article = Article {
    id: "K14",
    title: Bi { es: "Black Jack contra Black Jack", en: "Black Jack against Black Jack" },
    gist: Bi {
        es: "Si también la banca tiene Black Jack en sus dos primeras cartas hay empate y nadie gana.",
        en: "If the bank has a Black Jack in its first two cards as well it is a tie and nobody wins.",
    },
    raised: Bi {
        es: "Al pagar o retirar la apuesta de un Black Jack contra el de la banca.",
        en: "When the bet of a Black Jack against the bank's is paid or collected.",
    },
    remedy: Bi {
        es: "Deshacer el pago o la retirada: la apuesta queda del jugador.",
        en: "Undo the payment or the collection: the bet remains the player's.",
    },
    cases: &[&TIE_PAID, &TIE_COLLECTED],
    on: money::ON,
    check,
    ..Article::valuation(file!())
};

static TIE_PAID: Case =
    Case { es: "se pagó al {place}, que empata con Black Jack", en: "{place} ties with a Black Jack and was paid" };

static TIE_COLLECTED: Case = Case {
    es: "se retiró la apuesta del {place}, que empata con Black Jack",
    en: "{place} ties with a Black Jack and its bet was collected",
};

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    payment::check(
        &[(WrongPayment::BlackjackTiePaid, &TIE_PAID), (WrongPayment::BlackjackTieCollected, &TIE_COLLECTED)],
        context,
        findings,
    );
}
