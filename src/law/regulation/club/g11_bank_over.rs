//! G11. A bank over 21.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G11",
    title: Bi { es: "La banca que se pasa", en: "A bank over 21" },
    gist: Bi {
        es: "Si la banca pasa de 21 paga a todos los jugadores que no se pasaron antes.",
        en: "A bank over 21 pays every player who had not gone over before it.",
    },
    raised: Bi {
        es: "Cuando se retira la apuesta de una mano no pasada con la banca pasada de 21. Si no se le paga, es G19; si se le paga mal, G4.",
        en: "When the bet of a hand not over is collected with the bank over 21. If it is not paid, that is G19; if it is paid wrongly, G4.",
    },
    remedy: Bi { es: "Devolver la apuesta y pagarla.", en: "Give the bet back and pay it." },
    cases: &[&COLLECTED_FROM_BANK_OVER],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static COLLECTED_FROM_BANK_OVER: Case = Case {
    es: "se retiró la apuesta del {place} con la banca pasada de 21",
    en: "the bet of {place} was collected with the bank over 21",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(&[(WrongPayment::CollectedFromBankOver, &COLLECTED_FROM_BANK_OVER)], context, mistake)
}
