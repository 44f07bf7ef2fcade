//! K2. Each hand against the bank.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "K2",
    title: Bi { es: "Cada mano contra la banca", en: "Each hand against the bank" },
    gist: Bi {
        es: "Cada mano juega contra la banca y sólo contra ella: se acerca a 21 más que la banca, sin pasarse, y gana; queda más lejos, y pierde.",
        en: "Each hand plays against the bank and against it alone: closer to 21 than the bank, without going over, it wins; further from it, it loses.",
    },
    raised: Bi {
        es: "Al pagar una mano que pierde por puntos, al retirar la apuesta de una que gana, al pagar a una ganadora, o retirar de una perdedora, otro importe que su apuesta, al pagar o retirar una que no vale, y si al fin del pase una ganadora quedó sin pagar o una perdedora sin retirar. El Black Jack que gana es de K13; la mano pasada, de K11.",
        en: "When a hand that loses on points is paid, when the bet of one that wins is collected, when a winner is paid, or a loser collected, anything but its stake, when a bet without effect is paid or collected, and if at the end of the pass a winner is unpaid or a loser uncollected. A winning Black Jack is K13's, a hand over 21 K11's.",
    },
    remedy: Bi { es: "Corregir el pago o la retirada.", en: "Put the payment or the collection right." },
    readings: &[Reading {
        number: 2,
        words: Bi {
            es: "Lo que el texto no dice del pago simple se lee como en toda mesa: quien gana sin Black Jack cobra su apuesta, y quien pierde la pierde entera. Un 21 de más de dos cartas pierde contra el Black Jack de la banca.",
            en: "What the text does not say of the plain payment is read as at every table: who wins without a Black Jack is paid his stake, and who loses loses all of it. A 21 of more than two cards loses to the bank's Black Jack.",
        },
    }],
    cases: &[
        &LOSER_PAID,
        &WINNER_COLLECTED,
        &PAID_WRONGLY,
        &WINNER_NOT_PAID,
        &LOSER_NOT_COLLECTED,
        &COLLECTED_WRONGLY,
        &VOID_BET_MOVED,
    ],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static LOSER_PAID: Case = Case { es: "se pagó al {place}, que pierde", en: "{place} loses and was paid" };

static WINNER_COLLECTED: Case =
    Case { es: "se retiró la apuesta del {place}, que gana", en: "{place} wins and its bet was collected" };

static PAID_WRONGLY: Case = Case {
    es: "se pagó al {place} otro importe que el que le corresponde",
    en: "{place} was paid another amount than is its due",
};

static WINNER_NOT_PAID: Case = Case {
    es: "el pase terminó sin pagar al {place}, que gana",
    en: "the pass ended with {place} unpaid, which wins",
};

static LOSER_NOT_COLLECTED: Case = Case {
    es: "el pase terminó sin retirar la apuesta del {place}, que pierde",
    en: "the pass ended with the losing bet of {place} not collected",
};

static COLLECTED_WRONGLY: Case = Case {
    es: "del {place}, que pierde, se retiró otro importe que su apuesta",
    en: "{place} loses, and something other than its bet was collected",
};

static VOID_BET_MOVED: Case = Case {
    es: "se pagó o retiró la apuesta del {place}, que no vale",
    en: "the bet of {place} is without effect, and was paid or collected",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::LoserPaid, &LOSER_PAID),
            (WrongPayment::LoserNotCollected, &LOSER_NOT_COLLECTED),
            (WrongPayment::WinnerCollected, &WINNER_COLLECTED),
            (WrongPayment::WinPaidWrongly, &PAID_WRONGLY),
            (WrongPayment::WinnerNotPaid, &WINNER_NOT_PAID),
            (WrongPayment::LoserCollectedWrongly, &COLLECTED_WRONGLY),
            (WrongPayment::VoidBetMoved, &VOID_BET_MOVED),
        ],
        context,
        mistake,
    )
}
