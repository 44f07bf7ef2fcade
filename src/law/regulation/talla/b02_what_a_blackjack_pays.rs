//! T-B2. What a Black Jack pays.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "T-B2",
    title: Bi { es: "Cobro del Black Jack", en: "What a Black Jack pays" },
    gist: Bi {
        es: "El Black Jack del jugador cobra {blackjack|2:1=el doble|_=el {blackjack}} de la apuesta, también cuando la banca completa 21 con más cartas; el de la banca cobra sencillo: sólo la apuesta de quien pierde.",
        en: "A player's Black Jack is paid {blackjack|2:1=double|_={blackjack} of} the stake, also when the bank makes 21 with more cards; the bank's collects single: no more than the stake of who loses.",
    },
    raised: Bi {
        es: "Al pagar un Black Jack ganador por otro importe que {blackjack|2:1=el doble|_=el {blackjack}} de la apuesta; al fin del pase si quedó sin pagar; y al retirar, ante el Black Jack de la banca, otro importe que la apuesta de quien pierde. El de una mano abierta es de T-B8.",
        en: "When a winning Black Jack is paid anything but {blackjack|2:1=double|_={blackjack} of} the stake; at the end of the pass if it was not paid; and when, before the bank's Black Jack, anything but the stake of a loser is collected. One on a split hand is T-B8's.",
    },
    remedy: Bi { es: "Completar o devolver la diferencia.", en: "Make good or give back the difference." },
    settings: &["blackjack", "bank_draws_against_blackjacks"],
    readings: &[Reading {
        number: 1,
        words: Bi {
            es: "Aunque sólo queden Black Jacks en juego, la banca se sirve su segunda carta y completa su juego.",
            en: "Even when only Black Jacks are left in play, the bank takes its second card and plays its hand out.",
        },
    }],
    cases: &[&PAID_WRONGLY, &COLLECTED_WRONGLY, &NOT_PAID],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static PAID_WRONGLY: Case = Case {
    es: "mal pago del Black Jack del {place}: cobra {blackjack|2:1=el doble|_=el {blackjack}}",
    en: "the Black Jack of {place} was paid wrongly: it is paid {blackjack|2:1=double|_={blackjack}}",
};

static COLLECTED_WRONGLY: Case = Case {
    es: "ante el Black Jack de la banca se retiró del {place} otro importe que su apuesta",
    en: "against the bank's Black Jack something other than its stake was collected from {place}",
};

static NOT_PAID: Case = Case {
    es: "el pase terminó sin pagar el Black Jack del {place}",
    en: "the pass ended with the Black Jack of {place} not paid",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::BlackjackPaidWrongly, &PAID_WRONGLY),
            (WrongPayment::BlackjackCollectedWrongly, &COLLECTED_WRONGLY),
            (WrongPayment::BlackjackNotPaid, &NOT_PAID),
        ],
        context,
        mistake,
    )
}
