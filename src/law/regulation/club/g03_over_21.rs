//! G3. Over 21 loses.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G3",
    title: Bi { es: "Quien se pasa pierde", en: "Over 21 loses" },
    gist: Bi {
        es: "El jugador que pasa de 21 pierde su apuesta en el acto, haga lo que haga después la banca.",
        en: "A player who goes over 21 loses his bet at once, whatever the bank does later.",
    },
    raised: Bi {
        es: "Cuando se paga una mano que pasó de 21. Si termina la jugada sin retirar su apuesta, es G19.",
        en: "When a hand over 21 is paid. If the play ends with its bet not collected, that is G19.",
    },
    remedy: Bi { es: "Recuperar lo pagado y retirar la apuesta.", en: "Take back what was paid and collect the bet." },
    readings: &[Reading {
        number: 2,
        words: Bi {
            es: "La apuesta de una mano pasada puede retirarse en cuanto se pasa, sin esperar a la banca ni a las demás manos.",
            en: "The bet of a hand over 21 may be collected as soon as it is over, without waiting for the bank or for other hands.",
        },
    }],
    cases: &[&PAID_OVER_21],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static PAID_OVER_21: Case =
    Case { es: "se pagó al {place}, que se había pasado de 21", en: "{place} was paid though it was over 21" };

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(&[(WrongPayment::PaidOver21, &PAID_OVER_21)], context, mistake)
}
