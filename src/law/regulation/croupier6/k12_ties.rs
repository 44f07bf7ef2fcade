//! K12. Ties.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K12",
    title: Bi { es: "Empate", en: "Ties" },
    gist: Bi {
        es: "Si la mano suma lo mismo que la banca hay empate y nadie gana.",
        en: "If a hand comes to the same as the bank it is a tie and nobody wins.",
    },
    raised: Bi {
        es: "Al pagar o retirar la apuesta de una mano que empata. El empate de dos Black Jack es de K14.",
        en: "When the bet of a hand that ties is paid or collected. A tie of two Black Jacks is K14's.",
    },
    remedy: Bi {
        es: "Deshacer el pago o la retirada: la apuesta queda del jugador.",
        en: "Undo the payment or the collection: the bet remains the player's.",
    },
    cases: &[&TIE_PAID, &TIE_COLLECTED],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static TIE_PAID: Case = Case { es: "se pagó al {place}, que empata", en: "{place} ties and was paid" };

static TIE_COLLECTED: Case =
    Case { es: "se retiró la apuesta del {place}, que empata", en: "{place} ties and its bet was collected" };

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(&[(WrongPayment::TiePaid, &TIE_PAID), (WrongPayment::TieCollected, &TIE_COLLECTED)], context, mistake)
}
