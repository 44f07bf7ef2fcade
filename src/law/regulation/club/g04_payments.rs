//! G4. Payments.

use super::payment::{self, WrongPayment};
use crate::regulation::prelude::*;

pub(super) static ARTICLE: Article = Article {
    id: "G4",
    title: Bi { es: "Pagos", en: "Payments" },
    gist: Bi {
        es: "El Black Jack gana a toda otra mano y se paga 3 a 2; todas las demás apuestas ganadoras, a la par. El empate no mueve la apuesta.",
        en: "A Black Jack beats every other hand and is paid 3 to 2; every other winning bet is paid even. A tie leaves the bet where it is.",
    },
    raised: Bi {
        es: "Al pagar un Black Jack por otro importe que 3 a 2, o a otro ganador por otro importe que lo apostado; al pagar o retirar un empate; al pagar al que pierde por puntos, al retirar la apuesta del que gana y, al terminar la jugada, por cada apuesta sin liquidar. De una mano pasada trata G3, de la banca pasada G11, del 21 de una mano dividida G15.",
        en: "When a Black Jack is paid anything but 3 to 2, or another winner anything but the stake; when a tie is paid or collected; when a hand that loses on points is paid, or the bet of a winner collected; and when the play ends, for each bet not settled. A hand over 21 is G3's, a bank over 21 G11's, the 21 of a split hand G15's.",
    },
    remedy: Bi {
        es: "Corregir las fichas; la cuenta del fin de la jugada dice lo que correspondía.",
        en: "Put the chips right; the account at the end of the play says what was owed.",
    },
    settings: &["blackjack"],
    cases: &[
        &BLACKJACK_PAID_WRONGLY,
        &WIN_PAID_WRONGLY,
        &TIE_PAID,
        &TIE_COLLECTED,
        &LOSER_PAID,
        &WINNER_COLLECTED,
        &NOT_SETTLED,
    ],
    money,
    needs: Facts::of(&[Bets, Hands]),
    ..Article::valuation(file!())
};

static BLACKJACK_PAID_WRONGLY: Case = Case {
    es: "el Black Jack del {place} no se pagó {blackjack|3:2=3 a 2|_=al {blackjack}}",
    en: "the Black Jack of {place} was not paid {blackjack|3:2=3 to 2|_={blackjack}}",
};

static WIN_PAID_WRONGLY: Case = Case {
    es: "el {place} ganaba a la par y se le pagó otro importe",
    en: "{place} won even money and was paid another amount",
};

static TIE_PAID: Case = Case { es: "se pagó al {place}, que empataba", en: "{place} was paid though it tied" };

static TIE_COLLECTED: Case = Case {
    es: "se retiró la apuesta del {place}, que empataba",
    en: "the bet of {place} was collected though it tied",
};

static LOSER_PAID: Case = Case { es: "se pagó al {place}, que perdía", en: "{place} was paid though it lost" };

static WINNER_COLLECTED: Case =
    Case { es: "se retiró la apuesta del {place}, que ganaba", en: "the bet of {place} was collected though it won" };

static NOT_SETTLED: Case = Case {
    es: "la jugada terminó sin liquidar la apuesta del {place}",
    en: "the play ended with the bet of {place} not settled",
};

fn money(context: &Context<'_>, mistake: &Mistake<'_>) -> Option<&'static Case> {
    payment::case(
        &[
            (WrongPayment::BlackjackPaidWrongly, &BLACKJACK_PAID_WRONGLY),
            (WrongPayment::WinPaidWrongly, &WIN_PAID_WRONGLY),
            (WrongPayment::TiePaid, &TIE_PAID),
            (WrongPayment::LoserPaid, &LOSER_PAID),
            (WrongPayment::TieCollected, &TIE_COLLECTED),
            (WrongPayment::WinnerCollected, &WINNER_COLLECTED),
            (WrongPayment::NotSettled, &NOT_SETTLED),
        ],
        context,
        mistake,
    )
}
