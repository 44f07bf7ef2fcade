//! T-B3. The bank's Black Jack.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B3",
    title: Bi { es: "El Black Jack de la banca", en: "The bank's Black Jack" },
    gist: Bi {
        es: "El Black Jack de la banca gana a todo juego que no sea también Black Jack.",
        en: "The bank's Black Jack beats every hand that is not a Black Jack too.",
    },
    raised: Bi {
        es: "Al pagar, ante el Black Jack de la banca, una mano que no lo tiene (salvo el pago sencillo de T-S9), y al fin del pase si quedó sin retirar su apuesta. La que sumaba 21 es de T-B4.",
        en: "When, before the bank's Black Jack, a hand without one is paid (single pay under T-S9 apart), and at the end of the pass if its stake was not collected. One that counted 21 is T-B4's.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin del pase dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the pass says what was owed.",
    },
    cases: &[&LOSER_PAID, &NOT_COLLECTED],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static LOSER_PAID: Case = Case {
    es: "se pagó al {place}, que pierde ante el Black Jack de la banca",
    en: "{place} was paid though it loses to the bank's Black Jack",
};

static NOT_COLLECTED: Case = Case {
    es: "el pase terminó sin retirar la apuesta del {place}, que pierde ante el Black Jack de la banca",
    en: "the pass ended with the stake of {place} not collected, which loses to the bank's Black Jack",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[(WrongPayment::LoserNotCollected, &NOT_COLLECTED), (WrongPayment::LoserPaid, &LOSER_PAID)],
        context,
        mistake,
    )
}
