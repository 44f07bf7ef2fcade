//! K13. What a Black Jack pays.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K13",
    title: Bi { es: "Pago del Black Jack", en: "Payment of a Black Jack" },
    gist: Bi {
        es: "Un as con un 10 o una figura en las dos primeras cartas es Black Jack y gana {blackjack:odds}.",
        en: "An ace with a ten or a figure in the first two cards is Black Jack and wins {blackjack:odds}.",
    },
    raised: Bi {
        es: "Al pagar un Black Jack ganador otro importe que {blackjack:odds}, al retirar su apuesta, y si el pase terminó sin pagarlo.",
        en: "When a winning Black Jack is paid anything but {blackjack:odds}, when its bet is collected, and if the pass ended with it unpaid.",
    },
    remedy: Bi { es: "Corregir el pago.", en: "Put the payment right." },
    settings: &["blackjack", "blackjack_beats_21"],
    readings: &[Reading {
        number: 12,
        words: Bi {
            es: "{blackjack_beats_21|true=El Black Jack gana también al 21 de más cartas de la banca, y el de la banca al del apostador.|_=El Black Jack empata con el 21 de más cartas de la banca.}",
            en: "{blackjack_beats_21|true=A Black Jack also beats a bank's 21 of more cards, and the bank's beats a bettor's.|_=A Black Jack ties with a bank's 21 of more cards.}",
        },
    }],
    cases: &[&PAID_WRONGLY, &COLLECTED, &NOT_PAID],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static PAID_WRONGLY: Case =
    Case { es: "mal pago del Black Jack del {place}", en: "the Black Jack of {place} was paid wrongly" };

static COLLECTED: Case = Case {
    es: "se retiró la apuesta del {place}, que tiene Black Jack",
    en: "{place} has a Black Jack and its bet was collected",
};

static NOT_PAID: Case = Case {
    es: "el pase terminó sin pagar el Black Jack del {place}",
    en: "the pass ended with the Black Jack of {place} unpaid",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::BlackjackPaidWrongly, &PAID_WRONGLY),
            (WrongPayment::BlackjackCollected, &COLLECTED),
            (WrongPayment::BlackjackNotPaid, &NOT_PAID),
        ],
        context,
        mistake,
    )
}
