//! K11. Over 21.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K11",
    title: Bi { es: "Más de 21", en: "Over 21" },
    gist: Bi {
        es: "Quien pide y se pasa de 21 pierde, aunque la banca también se pase.",
        en: "Who draws and goes over 21 loses, even if the bank goes over as well.",
    },
    raised: Bi {
        es: "Al pagar una mano pasada de 21, al retirar de ella otro importe que su apuesta, y si al fin del pase su apuesta quedó sin retirar.",
        en: "When a hand over 21 is paid, when anything but its bet is collected from it, and if its bet is not collected when the pass ends.",
    },
    remedy: Bi { es: "Retirar la apuesta.", en: "Collect the bet." },
    readings: &[Reading {
        number: 11,
        words: Bi {
            es: "La apuesta de una mano pasada puede retirarse en el momento o al final, con las demás.",
            en: "The bet of a hand over 21 may be collected at once or at the end, with the others.",
        },
    }],
    cases: &[&PAID_OVER_21, &COLLECTED_WRONGLY, &NOT_COLLECTED],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static PAID_OVER_21: Case =
    Case { es: "se pagó al {place}, que se pasó de 21", en: "{place} is over 21 and was paid" };

static COLLECTED_WRONGLY: Case = Case {
    es: "del {place}, que se pasó de 21, se retiró otro importe que su apuesta",
    en: "something other than its bet was collected from {place}, which is over 21",
};

static NOT_COLLECTED: Case = Case {
    es: "el pase terminó sin retirar la apuesta del {place}, que se pasó de 21",
    en: "the pass ended with the bet of {place}, over 21, not collected",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::PaidOver21, &PAID_OVER_21),
            (WrongPayment::Over21CollectedWrongly, &COLLECTED_WRONGLY),
            (WrongPayment::Over21NotCollected, &NOT_COLLECTED),
        ],
        context,
        mistake,
    )
}
